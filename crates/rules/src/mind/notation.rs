//! The Mind in writing: `docs/notation.md` describes it.

use std::fmt;
use std::str::FromStr;

use super::event::{Event, Notice, Sight};
use super::setup::Setup;
use super::state::{Mind, Mode, Phase, Public};
use super::view::View;
use crate::family::ritual::{PhaseText, Position, first_wrong};
use crate::family::{Card, Cards, Face, Offer, Pile, Vote};
use crate::kit::text::{Fields, Misprint, Words, by_seat};

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Focus(focus) => focus.fmt(f),
            Self::Playing(vote) => vote.fmt(f),
            Self::Offer(offer) => offer.fmt(f),
            Self::Over { won } => f.write_str(if *won { "won" } else { "lost" }),
        }
    }
}

impl Phase {
    fn read(text: PhaseText) -> Result<Self, Misprint> {
        match text.word {
            "focus" | "refocus" => text.focus().map(Self::Focus),
            "play" => Ok(Self::Playing(Vote { raised: text.some_seats()? })),
            "offer" => Ok(Self::Offer(Offer { agreed: text.some_seats()? })),
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
        let pile = fields.read::<Pile>("pile")?.unwrap_or_default();
        let start = (setup.lives, setup.stars);
        let first = setup.first_level;
        let read = Position::read(&mut fields, setup.players, first, start, &[pile], Phase::read)?;
        let blind = fields.read("blind")?;
        fields.finish()?;
        read.check(setup.played_levels(), &[pile], pile.cards()).map_err(Misprint::new)?;
        let Position { level, lives, stars, phase, hands, aside, since, .. } = read;
        let mode = blind.map_or(Mode::Game, |completed| Mode::Blind { completed });
        let public = Public { setup, level, lives, stars, mode, phase, aside, since };
        let mind = Self { public, hands, pile };
        mind.check().map(|()| mind).map_err(Misprint::new)
    }
}

impl Mind {
    /// Fails with the reason if play cannot have led here.
    fn check(&self) -> Result<(), &'static str> {
        let Public { setup, level, mode, phase, .. } = &self.public;
        let held = self.hands.values().collect::<Cards>();
        first_wrong(&[
            (
                matches!(mode, Mode::Blind { completed } if usize::from(*completed) > setup.played_levels().len()),
                "more blind levels than the set-up has",
            ),
            (
                setup.face == Face::Blind
                    && (*mode != Mode::Game || matches!(phase, Phase::Offer(_))),
                "a game that is played blind has no encore",
            ),
            (
                matches!(phase, Phase::Offer(_))
                    && !(held.is_empty() && *level == setup.levels && *mode == Mode::Game),
                "the encore is offered after the last level, with empty hands",
            ),
            (!self.each_lowest_first(), "everyone's cards go down lowest first"),
        ])
    }

    /// Whether what went down and what was set aside was always the lowest card of its owner, and in open
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
        own_order && (self.public.face() == Face::Blind || open_order())
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
            Self::Dealt { level, hands } => write!(f, "dealt {level} {hands}"),
            Self::Played { laid, face: Face::Open } => write!(f, "played {laid}"),
            Self::Played { laid, face: Face::Blind } => write!(f, "played {laid} blind"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Dealt { level, hands } => write!(f, "dealt {level} {hands}"),
            Self::Played(seen) => write!(f, "played {seen}"),
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
                let laid = words.read("the card")?;
                let face = words.take().map_or(Ok(Face::Open), str::parse)?;
                Self::Played { laid, face }
            }
            word => Self::Notice(Notice::read(word, &mut words)?),
        };
        words.end(event)
    }
}
