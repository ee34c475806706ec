//! Extreme in writing: `docs/notation.md` describes it.

use std::fmt;
use std::str::FromStr;

use super::card::{ByColour, Colour, Holding};
use super::event::{Choice, Event, Notice, Sight};
use super::setup::Setup;
use super::state::{Extreme, Lead, Phase, Public};
use super::view::View;
use crate::family::{Cards, Face, Focus, LIVES_MOST, Laid, Pile, STARS_MOST, Seen};
use crate::kit::text::{Fields, Misprint, Words, by_seat, read_by_seat, read_for};
use crate::kit::{BySeat, Moment, Seat, Seats};

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Focus(focus) => focus.fmt(f),
            Self::Playing { raised } => write!(f, "play:{raised}"),
            Self::Choosing { chosen } => write!(f, "choose:{chosen}"),
            Self::Over { won: true } => f.write_str("won"),
            Self::Over { won: false } => f.write_str("lost"),
        }
    }
}

impl Phase {
    fn read(text: &str, players: u8) -> Result<Self, Misprint> {
        let (word, seats) = text.split_once(':').unwrap_or((text, "-"));
        let seats = seats.parse::<Seats>().map_err(Misprint::new)?;
        if !seats.fit(players) || seats.are_all(players) {
            return Err(Misprint::new("name some of the seats, but not all of them"));
        }
        match word {
            "focus" | "refocus" => Focus::read(word, seats, players).map(Self::Focus),
            "play" => Ok(Self::Playing { raised: seats }),
            "choose" => Ok(Self::Choosing { chosen: seats }),
            "won" => Ok(Self::Over { won: true }),
            "lost" => Ok(Self::Over { won: false }),
            _ => Err(Misprint::new("a phase is one of focus, refocus, play, choose, won, lost")),
        }
    }
}

/// The colour and how many were gone: `white:3`.
impl fmt::Display for Lead {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.colour, self.gone)
    }
}

impl FromStr for Lead {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (colour, gone) =
            text.split_once(':').ok_or_else(|| Misprint::new("write it as in white:3"))?;
        Ok(Self { colour: colour.parse()?, gone: gone.parse().map_err(Misprint::new)? })
    }
}

impl Public {
    fn write<P: fmt::Display>(
        &self,
        f: &mut fmt::Formatter,
        hands: &str,
        piles: &ByColour<P>,
    ) -> fmt::Result {
        let Self { setup, level, lives, stars, phase, aside, lead, since } = self;
        write!(f, "{setup} | level={level} lives={lives} stars={stars} phase={phase}")?;
        write!(f, " hands={hands} white={} red={}", piles.white, piles.red)?;
        write!(f, " aside={}", by_seat(aside))?;
        if let Some(lead) = lead {
            write!(f, " lead={lead}")?;
        }
        write!(f, " since_us={}", since.micros())
    }
}

/// What is written for a choice: its colour, or `-`.
fn choice(choice: Option<Colour>) -> String {
    choice.map_or_else(|| "-".to_owned(), |colour| colour.to_string())
}

impl fmt::Display for Extreme {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.public.write(f, &by_seat(&self.hands), &self.piles)?;
        if matches!(self.public.phase, Phase::Choosing { .. }) {
            let choices = self.choices.values().map(choice).collect::<Vec<_>>();
            write!(f, " choices={}", choices.join("/"))?;
        }
        Ok(())
    }
}

/// The fields that a viewer knows, other people's cards as `*` and how many.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.public.write(f, &by_seat(&self.hands), &self.piles)?;
        if matches!(self.public.phase, Phase::Choosing { .. }) {
            write!(f, " choice={}", choice(self.choice))?;
        }
        Ok(())
    }
}

impl FromStr for Extreme {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (setup, position) = text.split_once('|').unwrap_or((text, ""));
        let setup = setup.parse::<Setup>()?;
        let mut fields = Fields::parse(position)?;
        let nothing = BySeat::new(setup.players, |_| Holding::NONE);
        let sets = |text: &str| read_for(setup.players, text, str::parse);
        let phase = fields.read_with("phase", |text| Phase::read(text, setup.players))?;
        let hands = fields.read_with("hands", sets)?.unwrap_or(nothing);
        let aside = fields.read_with("aside", sets)?.unwrap_or(nothing);
        let white = fields.read::<Pile>("white")?.unwrap_or_default();
        let red = fields.read::<Pile>("red")?.unwrap_or_default();
        let piles = ByColour { white, red };
        let dealt = hands.map(|seat, hand| {
            let laid = white.iter().chain(red.iter()).filter(|laid| laid.seat == seat).count();
            hand.len().saturating_add(aside[seat].len()).saturating_add(laid as u8)
        });
        let choice = |text: &str| match text {
            "-" => Ok(None),
            colour => colour.parse().map(Some),
        };
        let choices = fields.read_with("choices", |text| read_for(setup.players, text, choice))?;
        let public = Public {
            level: fields.read("level")?.or(dealt.values().max()).unwrap_or(1).max(1),
            lives: fields.read("lives")?.unwrap_or(setup.lives),
            stars: fields.read("stars")?.unwrap_or(setup.stars),
            phase: phase.unwrap_or(Phase::Playing { raised: Seats::NONE }),
            lead: fields.read("lead")?,
            since: Moment::from_micros(fields.read("since_us")?.unwrap_or(0)),
            setup,
            aside,
        };
        fields.finish()?;
        let choices = choices.unwrap_or_else(|| hands.map(|_, _| None));
        let extreme = Self { public, hands, piles, choices };
        extreme.check(&dealt).map(|()| extreme).map_err(Misprint::new)
    }
}

impl Extreme {
    /// Whether play can have led here; a text that says otherwise is told what is wrong.
    fn check(&self, dealt: &BySeat<u8>) -> Result<(), &'static str> {
        let Self { public, hands, piles, choices } = self;
        let Public { setup, level, lives, stars, phase, aside, lead, .. } = public;
        let all =
            |sets: &BySeat<Holding>| sets.values().fold(Holding::NONE, |all, set| all.with(&set));
        let (held, out) = (all(hands), all(aside));
        let laid = Holding::new(|colour| piles[colour].cards());
        let total = dealt.values().map(u16::from).sum::<u16>();
        let together = held.with(&out).with(&laid);
        let over = matches!(phase, Phase::Over { .. });
        let seats = || Colour::ALL.iter().flat_map(|colour| piles[*colour].iter());
        let wrong = [
            (*level > setup.levels(), "the set-up has no such level"),
            (*lives > LIVES_MOST, "a team has at most 5 lives"),
            (*lives == 0 && !over, "a team without lives has lost, write phase=lost"),
            (*stars > STARS_MOST, "a team has at most 3 stars"),
            (
                dealt.values().any(|count| count > *level),
                "nobody is dealt more cards than the level",
            ),
            (u16::from(together.len()) != total, "a card is in two places at once"),
            (!together.without(&Holding::deck()).is_empty(), "a card is a number from 1 to 50"),
            (
                seats().any(|laid| laid.seat.index() >= usize::from(setup.players)),
                "a pile names a seat that the table does not have",
            ),
            (held.is_empty() && !over, "a level without cards in hand is complete, give hands="),
            (
                matches!(phase, Phase::Playing { raised } if !raised.is_empty()) && *stars == 0,
                "no hand is raised without a star",
            ),
            (
                matches!(phase, Phase::Choosing { .. }) && *stars == 0,
                "no star is played that the team does not have",
            ),
            (
                !self.choices_fit(choices),
                "choices= goes with phase=choose: those who have chosen, \
              each a colour they hold, and not all who hold cards",
            ),
            (
                !self.each_in_order(),
                "everyone's whites go down lowest first, their reds highest first",
            ),
            (
                lead.is_some_and(|lead| {
                    let both = !piles.white.is_empty() && !piles.red.is_empty();
                    let most = piles[lead.colour].len() + out[lead.colour].len();
                    !both || lead.gone == 0 || lead.gone > most
                }),
                "lead= says how many cards of one colour were gone when the other was begun",
            ),
            (
                lead.is_none() && !piles.white.is_empty() && !piles.red.is_empty(),
                "with both piles begun, lead= says how far the first had got, as in lead=white:1",
            ),
        ];
        wrong.iter().find(|(found, _)| *found).map_or(Ok(()), |(_, text)| Err(text))
    }

    fn choices_fit(&self, choices: &BySeat<Option<Colour>>) -> bool {
        let made = choices.iter().filter(|(_, choice)| choice.is_some()).map(|(seat, _)| seat);
        let made = made.collect::<Seats>();
        let held = choices
            .iter()
            .all(|(seat, choice)| choice.is_none_or(|colour| !self.hands[seat][colour].is_empty()));
        let holders = self.hands.iter().filter(|(_, hand)| !hand.is_empty());
        match self.public.phase {
            Phase::Choosing { chosen } => {
                chosen == made && held && made != holders.map(|(seat, _)| seat).collect()
            }
            Phase::Focus(_) | Phase::Playing { .. } | Phase::Over { .. } => made.is_empty(),
        }
    }

    /// Whether what went down and what was set aside was always the first of its owner's colour,
    /// and in an open pile before everything still held.
    fn each_in_order(&self) -> bool {
        Colour::ALL.iter().all(|&colour| {
            let pile = &self.piles[colour];
            let of =
                |seat: Seat| pile.iter().filter(move |laid| laid.seat == seat).collect::<Pile>();
            let before_hand = |seat: Seat, cards: Cards| {
                let first = colour.first(self.hands[seat][colour]);
                first.is_none_or(|first| colour.before(cards, first) == cards)
            };
            let own = self.hands.iter().all(|(seat, _)| {
                colour.mistakes(&of(seat)) == 0
                    && before_hand(seat, of(seat).cards())
                    && before_hand(seat, self.public.aside[seat][colour])
            });
            let open = || {
                colour.mistakes(pile) == 0
                    && self.hands.iter().all(|(seat, _)| before_hand(seat, pile.cards()))
            };
            own && (self.public.face(colour) == Face::Blind || open())
        })
    }
}

fn seat_and_card(seen: Seen, colour: Colour) -> String {
    let letter = &colour.to_string()[..1];
    match seen {
        Seen::Known(Laid { seat, card }) => format!("{seat} {letter}{card}"),
        Seen::Back(seat) => format!("{seat} {letter}*"),
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Dealt { level, hands } => write!(f, "dealt {level} {}", by_seat(hands)),
            Self::Played { colour, laid, face } => {
                write!(f, "played {}", seat_and_card(Seen::Known(*laid), *colour))?;
                f.write_str(if *face == Face::Blind { " blind" } else { "" })
            }
            Self::Chose { seat, colour } => write!(f, "chose {seat} {colour}"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Dealt { level, hands } => write!(f, "dealt {level} {}", by_seat(hands)),
            Self::Played { colour, card } => write!(f, "played {}", seat_and_card(*card, *colour)),
            Self::Chose { seat, choice: Choice::Mine(colour) } => {
                write!(f, "chose {seat} {colour}")
            }
            Self::Chose { seat, choice: Choice::Theirs } => write!(f, "chose {seat} *"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Rested(seat) => write!(f, "rested {seat}"),
            Self::Lifted(seat) => write!(f, "lifted {seat}"),
            Self::Begun => f.write_str("begun"),
            Self::Stopped(seat) => write!(f, "stopped {seat}"),
            Self::Raised(seat) => write!(f, "raised {seat}"),
            Self::Lowered(seat) => write!(f, "lowered {seat}"),
            Self::Erred { earlier } => write!(f, "erred {}", by_seat(earlier)),
            Self::Choosing => f.write_str("choosing"),
            Self::Starred { chosen } => write!(f, "starred {}", by_seat(chosen)),
            Self::Turned { colour, pile, mistakes } => {
                write!(f, "turned {colour} {pile} mistakes={mistakes}")
            }
            Self::Checked { cost } => write!(f, "checked cost={cost}"),
            Self::Completed { level, reward, one_sided } => {
                write!(f, "completed {level} {reward} one_sided={}", choice(*one_sided))
            }
            Self::Won => f.write_str("won"),
            Self::Lost => f.write_str("lost"),
        }
    }
}

impl FromStr for Event {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let mut words = Words::parse(text);
        let event = match words.word("an event")? {
            "dealt" => {
                let level = words.read("the level")?;
                let hands = read_by_seat(words.word("the hands")?, str::parse)?;
                Self::Dealt { level, hands }
            }
            "played" => {
                let seat = words.read("the seat")?;
                let super::Card { colour, value } = words.read("the card")?;
                let face = words.take().map_or(Ok(Face::Open), str::parse)?;
                Self::Played { colour, laid: Laid { seat, card: value }, face }
            }
            "chose" => {
                Self::Chose { seat: words.read("the seat")?, colour: words.read("the colour")? }
            }
            word => Self::Notice(Notice::read(word, &mut words)?),
        };
        words.end(event)
    }
}

impl Notice {
    fn read(word: &str, words: &mut Words) -> Result<Self, Misprint> {
        Ok(match word {
            "rested" => Self::Rested(words.read("the seat")?),
            "lifted" => Self::Lifted(words.read("the seat")?),
            "begun" => Self::Begun,
            "stopped" => Self::Stopped(words.read("the seat")?),
            "raised" => Self::Raised(words.read("the seat")?),
            "lowered" => Self::Lowered(words.read("the seat")?),
            "erred" => Self::Erred { earlier: read_by_seat(words.word("the cards")?, str::parse)? },
            "choosing" => Self::Choosing,
            "starred" => {
                Self::Starred { chosen: read_by_seat(words.word("the cards")?, str::parse)? }
            }
            "turned" => {
                let (colour, pile) = (words.read("the colour")?, words.read("the pile")?);
                Self::Turned { colour, pile, mistakes: words.field("mistakes")? }
            }
            "checked" => Self::Checked { cost: words.field("cost")? },
            "completed" => {
                let (level, reward) = (words.read("the level")?, words.read("the reward")?);
                let one_sided = match words.field::<String>("one_sided")?.as_str() {
                    "-" => None,
                    colour => Some(colour.parse()?),
                };
                Self::Completed { level, reward, one_sided }
            }
            "won" => Self::Won,
            "lost" => Self::Lost,
            other => return Err(Misprint::new(format_args!("{other:?} is no event of extreme"))),
        })
    }
}
