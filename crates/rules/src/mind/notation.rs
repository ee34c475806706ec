//! The Mind in writing: `docs/notation.md` describes it.

use std::fmt;
use std::str::FromStr;

use super::event::{Event, Notice, Sight};
use super::setup::Setup;
use super::state::{Mind, Mode, Phase, Public};
use super::view::View;
use crate::family::{Card, Cards, Face, Focus, LIVES_MOST, Pile, Reward, STARS_MOST};
use crate::kit::text::{Fields, Misprint, Words, by_seat, read_by_seat, read_for};
use crate::kit::{BySeat, Moment, Seats};

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Focus(focus) => focus.fmt(f),
            Self::Playing { raised } => write!(f, "play:{raised}"),
            Self::Offer { agreed } => write!(f, "offer:{agreed}"),
            Self::Over { won: true } => f.write_str("won"),
            Self::Over { won: false } => f.write_str("lost"),
        }
    }
}

impl Phase {
    fn read(text: &str, players: u8) -> Result<Self, Misprint> {
        let (word, seats) = text.split_once(':').unwrap_or((text, "-"));
        let seats = seats.parse::<Seats>().map_err(Misprint::new)?;
        let some = || {
            if seats.fit(players) && !seats.are_all(players) {
                Ok(seats)
            } else {
                Err(Misprint::new("name some of the seats, but not all of them"))
            }
        };
        match word {
            "focus" | "refocus" => Focus::read(word, seats, players).map(Self::Focus),
            "play" => Ok(Self::Playing { raised: some()? }),
            "offer" => Ok(Self::Offer { agreed: some()? }),
            "won" => Ok(Self::Over { won: true }),
            "lost" => Ok(Self::Over { won: false }),
            _ => Err(Misprint::new("a phase is one of focus, refocus, play, offer, won, lost")),
        }
    }
}

impl Public {
    fn write(&self, f: &mut fmt::Formatter, hands: &str, pile: &dyn fmt::Display) -> fmt::Result {
        let Self { setup, level, lives, stars, mode, phase, aside, since } = self;
        write!(f, "{setup} | level={level} lives={lives} stars={stars}")?;
        if let Mode::Blind { completed } = mode {
            write!(f, " blind={completed}")?;
        }
        write!(f, " phase={phase} hands={hands} pile={pile} aside={}", by_seat(aside))?;
        write!(f, " since_us={}", since.micros())
    }
}

impl fmt::Display for Mind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.public.write(f, &by_seat(&self.hands), &self.pile)
    }
}

impl FromStr for Mind {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (setup, position) = text.split_once('|').unwrap_or((text, ""));
        let setup = setup.parse::<Setup>()?;
        let mut fields = Fields::parse(position)?;
        let nothing = BySeat::new(setup.players, |_| Cards::NONE);
        let sets = |text: &str| read_for(setup.players, text, str::parse);
        let phase = fields.read_with("phase", |text| Phase::read(text, setup.players))?;
        let hands = fields.read_with("hands", sets)?.unwrap_or(nothing);
        let pile = fields.read::<Pile>("pile")?.unwrap_or_default();
        let aside = fields.read_with("aside", sets)?.unwrap_or(nothing);
        let dealt = hands.map(|seat, hand| {
            let laid = pile.iter().filter(|laid| laid.seat == seat).count() as u8;
            hand.len().saturating_add(aside[seat].len()).saturating_add(laid)
        });
        let public = Public {
            level: fields.read("level")?.or(dealt.values().max()).unwrap_or(1).max(1),
            lives: fields.read("lives")?.unwrap_or(setup.lives),
            stars: fields.read("stars")?.unwrap_or(setup.stars),
            mode: fields.read("blind")?.map_or(Mode::Open, |completed| Mode::Blind { completed }),
            phase: phase.unwrap_or(Phase::Playing { raised: Seats::NONE }),
            since: Moment::from_micros(fields.read("since_us")?.unwrap_or(0)),
            setup,
            aside,
        };
        fields.finish()?;
        let mind = Self { public, hands, pile };
        mind.check(&dealt).map(|()| mind).map_err(Misprint::new)
    }
}

impl Mind {
    /// Whether play can have led here; a text that says otherwise is told what is wrong.
    fn check(&self, dealt: &BySeat<u8>) -> Result<(), &'static str> {
        let Self { public, hands, pile } = self;
        let Public { setup, level, lives, stars, mode, phase, aside, .. } = public;
        let held = hands.values().collect::<Cards>();
        let out = aside.values().collect::<Cards>();
        let total = dealt.values().map(u16::from).sum::<u16>();
        let over = matches!(phase, Phase::Over { .. });
        let wrong = [
            (*level > setup.levels, "the set-up has no such level"),
            (*lives > LIVES_MOST, "a team has at most 5 lives"),
            (*lives == 0 && !over, "a team without lives has lost, write phase=lost"),
            (*stars > STARS_MOST, "a team has at most 3 stars"),
            (
                matches!(mode, Mode::Blind { completed } if *completed > setup.levels),
                "more blind levels than the set-up has",
            ),
            (
                dealt.values().any(|count| count > *level),
                "nobody is dealt more cards than the level",
            ),
            (dealt.values().any(|count| count > 12), "nobody is dealt more than 12 cards"),
            (
                u16::from((held | out | pile.cards()).len()) != total,
                "a card is in two places at once",
            ),
            (
                pile.iter().any(|laid| laid.seat.index() >= usize::from(setup.players)),
                "the pile names a seat that the table does not have",
            ),
            (
                matches!(phase, Phase::Focus(_) | Phase::Playing { .. }) && held.is_empty(),
                "a level without cards in hand is complete, give hands=",
            ),
            (
                matches!(phase, Phase::Offer { .. })
                    && !(held.is_empty() && *level == setup.levels && *mode == Mode::Open),
                "the encore is offered after the last level, with empty hands",
            ),
            (
                matches!(phase, Phase::Playing { raised } if !raised.is_empty()) && *stars == 0,
                "no hand is raised without a star",
            ),
            (!self.each_lowest_first(), "everyone's cards go down lowest first"),
        ];
        wrong.iter().find(|(found, _)| *found).map_or(Ok(()), |(_, text)| Err(text))
    }

    /// Whether what went down and what was set aside was always somebody's lowest, and in open
    /// play lower than everything still held.
    fn each_lowest_first(&self) -> bool {
        let ascending = |cards: &mut dyn Iterator<Item = Card>| {
            let cards = cards.collect::<Vec<_>>();
            cards.is_sorted()
        };
        let laid = |seat| self.pile.iter().filter(move |laid| laid.seat == seat);
        let below_hand = |seat, card: Card| self.hands[seat].lowest().is_none_or(|low| card < low);
        let own_order = self.hands.iter().all(|(seat, _)| {
            ascending(&mut laid(seat).map(|laid| laid.card))
                && laid(seat).all(|laid| below_hand(seat, laid.card))
                && self.public.aside[seat].iter().all(|card| below_hand(seat, card))
        });
        let open_order = || {
            ascending(&mut self.pile.iter().map(|laid| laid.card))
                && self
                    .hands
                    .iter()
                    .all(|(seat, _)| self.pile.top().is_none_or(|top| below_hand(seat, top)))
        };
        own_order && (self.public.mode.face() == Face::Blind || open_order())
    }
}

/// The fields that a viewer knows, other people's cards as `*` and how many.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.public.write(f, &by_seat(&self.hands), &self.pile)
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Dealt { level, hands } => write!(f, "dealt {level} {}", by_seat(hands)),
            Self::Played { laid, face: Face::Open } => write!(f, "played {laid}"),
            Self::Played { laid, face: Face::Blind } => write!(f, "played {laid} blind"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Dealt { level, hands } => write!(f, "dealt {level} {}", by_seat(hands)),
            Self::Played(seen) => write!(f, "played {seen}"),
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
            Self::Erred { lower } => write!(f, "erred {}", by_seat(lower)),
            Self::Starred { lowest } => write!(f, "starred {}", by_seat(lowest)),
            Self::Turned { pile, mistakes, cost } => {
                write!(f, "turned {pile} mistakes={mistakes} cost={cost}")
            }
            Self::Completed { level, reward } => write!(f, "completed {level} {reward}"),
            Self::Won => f.write_str("won"),
            Self::Agreed(seat) => write!(f, "agreed {seat}"),
            Self::Encored => f.write_str("encored"),
            Self::Finished(seat) => write!(f, "finished {seat}"),
            Self::Ended => f.write_str("ended"),
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
                let laid = words.read("the card")?;
                let face = words.take().map_or(Ok(Face::Open), str::parse)?;
                Self::Played { laid, face }
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
            "erred" => Self::Erred { lower: read_by_seat(words.word("the cards")?, str::parse)? },
            "starred" => {
                Self::Starred { lowest: read_by_seat(words.word("the cards")?, str::parse)? }
            }
            "turned" => {
                let pile = words.read("the pile")?;
                let (mistakes, cost) = (words.field("mistakes")?, words.field("cost")?);
                Self::Turned { pile, mistakes, cost }
            }
            "completed" => {
                let (level, reward) =
                    (words.read("the level")?, words.read::<Reward>("the reward")?);
                Self::Completed { level, reward }
            }
            "won" => Self::Won,
            "agreed" => Self::Agreed(words.read("the seat")?),
            "encored" => Self::Encored,
            "finished" => Self::Finished(words.read("the seat")?),
            "ended" => Self::Ended,
            "lost" => Self::Lost,
            other => return Err(Misprint::new(format_args!("{other:?} is no event of the mind"))),
        })
    }
}
