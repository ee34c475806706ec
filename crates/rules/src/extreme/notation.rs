//! Extreme in writing: `docs/notation.md` describes it.

use std::fmt;
use std::str::FromStr;

use super::card::{ByColour, Colour, Holding};
use super::event::{Choice, Event, Notice, Sight};
use super::setup::Setup;
use super::state::{Extreme, Lead, Phase, Public};
use super::view::View;
use crate::family::ritual::{PhaseText, Position, first_wrong};
use crate::family::{Cards, Face, Laid, Pile, Seen, Vote};
use crate::kit::text::{Fields, Misprint, Words, by_seat, read_for};
use crate::kit::{BySeat, Seat, Seats};

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Focus(focus) => focus.fmt(f),
            Self::Playing(vote) => vote.fmt(f),
            Self::Choosing { chosen } => write!(f, "choose:{chosen}"),
            Self::Over { won } => f.write_str(if *won { "won" } else { "lost" }),
        }
    }
}

impl Phase {
    fn read(text: PhaseText) -> Result<Self, Misprint> {
        match text.word {
            "focus" | "refocus" => text.focus().map(Self::Focus),
            "play" => Ok(Self::Playing(Vote { raised: text.some_seats()? })),
            "choose" => Ok(Self::Choosing { chosen: text.some_seats()? }),
            "won" => Ok(Self::Over { won: true }),
            "lost" => Ok(Self::Over { won: false }),
            _ => Err(Misprint::new("a phase is one of focus, refocus, play, choose, won, lost")),
        }
    }
}

/// The colour and how many of its cards were played: `white:3`.
impl fmt::Display for Lead {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}", self.colour, self.played)
    }
}

impl FromStr for Lead {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (colour, played) =
            text.split_once(':').ok_or_else(|| Misprint::new("write it as in white:3"))?;
        Ok(Self { colour: colour.parse()?, played: played.parse().map_err(Misprint::new)? })
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
        let white = fields.read::<Pile>("white")?.unwrap_or_default();
        let red = fields.read::<Pile>("red")?.unwrap_or_default();
        let (piles, laid) = (ByColour { white, red }, [white, red]);
        let start = (setup.lives, setup.stars);
        let first = setup.first_level;
        let read = Position::read(&mut fields, setup.players, first, start, &laid, Phase::read)?;
        let choice = |text: &str| match text {
            "-" => Ok(None),
            colour => colour.parse().map(Some),
        };
        let choices = fields.read_with("choices", |text| read_for(setup.players, text, choice))?;
        let lead = fields.read("lead")?;
        fields.finish()?;
        let cards = Holding::new(|colour| piles[colour].cards());
        read.check(setup.played_levels(), &laid, cards).map_err(Misprint::new)?;
        let Position { level, lives, stars, phase, hands, aside, since, .. } = read;
        let public = Public { setup, level, lives, stars, phase, aside, lead, since };
        let choices = choices.unwrap_or_else(|| hands.map(|_, _| None));
        let extreme = Self { public, hands, piles, choices };
        extreme.check().map(|()| extreme).map_err(Misprint::new)
    }
}

impl Extreme {
    /// Fails with the reason if play cannot have led here.
    fn check(&self) -> Result<(), &'static str> {
        let Self { public, hands, piles, choices } = self;
        let Public { stars, phase, aside, lead, .. } = public;
        let all =
            |sets: &BySeat<Holding>| sets.values().fold(Holding::NONE, |all, set| all.with(&set));
        let (held, out) = (all(hands), all(aside));
        let laid = Holding::new(|colour| piles[colour].cards());
        let together = held.with(&out).with(&laid);
        let both = !piles.white.is_empty() && !piles.red.is_empty();
        first_wrong(&[
            (!together.without(&Holding::deck()).is_empty(), "a card is a number from 1 to 50"),
            (
                matches!(phase, Phase::Choosing { .. }) && *stars == 0,
                "no star is played that the team does not have",
            ),
            (
                !self.choices_fit(choices),
                "choices= goes with phase=choose: a colour that the player holds for each player \
                 who has chosen, and not for all players with cards",
            ),
            (
                !self.each_in_order(),
                "everyone's whites go down lowest first, their reds highest first",
            ),
            (
                lead.is_some_and(|lead| {
                    !both || !(1..=piles[lead.colour].len()).contains(&lead.played)
                }),
                "lead= says how many cards of one colour were played before the other was begun",
            ),
            (
                lead.is_none() && both,
                "with both piles begun, lead= says how far the first was played, as in lead=white:1",
            ),
        ])
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
            Self::Dealt { level, hands } => write!(f, "dealt {level} {hands}"),
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
            Self::Dealt { level, hands } => write!(f, "dealt {level} {hands}"),
            Self::Played { colour, card } => write!(f, "played {}", seat_and_card(*card, *colour)),
            Self::Chose { seat, choice: Choice::Mine(colour) } => {
                write!(f, "chose {seat} {colour}")
            }
            Self::Chose { seat, choice: Choice::Theirs } => write!(f, "chose {seat} *"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl FromStr for Event {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let mut words = Words::parse(text);
        let event = match words.word("an event")? {
            "dealt" => Self::Dealt { level: words.read("level")?, hands: words.read("hands")? },
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
