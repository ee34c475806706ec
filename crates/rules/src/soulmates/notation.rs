//! Soulmates in writing: `docs/notation.md` describes it.

use std::fmt;
use std::str::FromStr;

use super::event::{Event, Notice, Sight};
use super::setup::Setup;
use super::state::{EXTRA_MOST, Mode, Phase, Public, Soulmates};
use super::view::View;
use crate::family::ritual::PhaseText;
use crate::family::{Cards, LEVELS_MOST, Offer, Pile, mistakes};
use crate::kit::text::{Fields, Misprint, Words, by_seat, read_for};
use crate::kit::{BySeat, Moment};

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Looking => f.write_str("look"),
            Self::Hinting => f.write_str("hint"),
            Self::Focus(focus) => focus.fmt(f),
            Self::Playing => f.write_str("play"),
            Self::Amending => f.write_str("amend"),
            Self::Offer(offer) => offer.fmt(f),
            Self::Over { won } => f.write_str(if *won { "won" } else { "lost" }),
        }
    }
}

impl Phase {
    fn read(text: PhaseText) -> Result<Self, Misprint> {
        match text.word {
            "focus" | "refocus" => text.focus().map(Self::Focus),
            "offer" => Ok(Self::Offer(Offer { agreed: text.some_seats()? })),
            "look" if !text.names_seats() => Ok(Self::Looking),
            "hint" if !text.names_seats() => Ok(Self::Hinting),
            "play" if !text.names_seats() => Ok(Self::Playing),
            "amend" if !text.names_seats() => Ok(Self::Amending),
            "won" if !text.names_seats() => Ok(Self::Over { won: true }),
            "lost" if !text.names_seats() => Ok(Self::Over { won: false }),
            _ => Err(Misprint::new(
                "a phase is one of look, hint, focus, refocus, play, amend, offer, won, lost",
            )),
        }
    }
}

impl Public {
    /// Writes the fields, those that not everyone knows given by the caller.
    fn write(&self, f: &mut fmt::Formatter, cards: fmt::Arguments) -> fmt::Result {
        let Self { setup, level, attempt, lives, seer, mode, phase, slate, since } = self;
        write!(f, "{setup} | level={level} attempt={attempt} lives={lives} seer={seer}")?;
        if let Mode::Extra { completed } = mode {
            write!(f, " extra={completed}")?;
        }
        write!(f, " phase={phase} slate={slate} {cards} since_us={}", since.micros())
    }
}

impl fmt::Display for Soulmates {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { public, drawn, looked, hands, pile } = self;
        let hands = by_seat(hands);
        public.write(f, format_args!("drawn={drawn} looked={looked} hands={hands} pile={pile}"))
    }
}

/// The fields that a viewer knows, other people's cards as `*` and how many.
impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { public, vision, hands, pile, .. } = self;
        let hands = by_seat(hands);
        public.write(f, format_args!("looked={vision} hands={hands} pile={pile}"))
    }
}

impl FromStr for Soulmates {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let (setup, position) = text.split_once('|').unwrap_or((text, ""));
        let setup = setup.parse::<Setup>()?;
        let mut fields = Fields::parse(position)?;
        let sets = |text: &str| read_for(setup.players, text, str::parse);
        let nothing = BySeat::new(setup.players, |_| Cards::NONE);
        let hands = fields.read_with("hands", sets)?.unwrap_or(nothing);
        let pile = fields.read::<Pile>("pile")?.unwrap_or_default();
        let dealt = hands.values().collect::<Cards>() | pile.cards();
        let phase = fields.read_with("phase", |text| {
            PhaseText::parse(text, setup.players).and_then(Phase::read)
        })?;
        let drawn = fields.read("drawn")?.unwrap_or(dealt);
        let likely = match (drawn.is_empty(), dealt.is_empty()) {
            (true, _) => Phase::Looking,
            (false, true) => Phase::Hinting,
            (false, false) => Phase::Playing,
        };
        let phase = phase.unwrap_or(likely);
        let level = fields.read("level")?.unwrap_or(setup.first_level());
        let mut public = Public {
            setup,
            level,
            attempt: fields.read("attempt")?.unwrap_or(1),
            lives: 0,
            seer: fields.read("seer")?.or(setup.seer_of(level)).unwrap_or_default(),
            mode: fields.read("extra")?.map_or_else(
                || mode_at(level, phase, &pile),
                |completed| Mode::Extra { completed },
            ),
            phase,
            slate: fields.read("slate")?.unwrap_or_default(),
            since: Moment::from_micros(fields.read("since_us")?.unwrap_or(0)),
        };
        public.lives = fields.read("lives")?.unwrap_or(public.lives_most());
        let looked = fields.read("looked")?.unwrap_or_else(|| public.looked_likely(drawn));
        fields.finish()?;
        let state = Self { public, drawn, looked, hands, pile };
        state.check().map(|()| state).map_err(Misprint::new)
    }
}

/// The mode, which follows from all the rest.
pub(super) fn mode_at(level: u8, phase: Phase, pile: &Pile) -> Mode {
    match level.checked_sub(LEVELS_MOST + 1) {
        None => Mode::Game,
        Some(before) => {
            let all = before + 1 >= EXTRA_MOST
                && matches!(phase, Phase::Over { .. })
                && mistakes(pile) == 0;
            Mode::Extra { completed: before + u8::from(all) }
        }
    }
}

impl Public {
    /// What the Seer has looked at if the text does not say: the slate and the lowest of the other cards.
    fn looked_likely(&self, drawn: Cards) -> Cards {
        if self.seer_has_seen_all() {
            return drawn;
        }
        let others = drawn - self.slate;
        let look = self.looked_at().saturating_sub(self.slate.len());
        self.slate | (others - others.highest_few(others.len().saturating_sub(look)))
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Drawn { cards } => write!(f, "drawn {cards}"),
            Self::Looked { seer, cards } => write!(f, "looked {seer} {cards}"),
            Self::Dealt(hands) => write!(f, "dealt {hands}"),
            Self::Played(laid) => write!(f, "played {laid}"),
            Self::Failed { seer, pile } => write!(f, "failed {seer} {pile}"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl fmt::Display for Sight {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Drawn { count } => write!(f, "drawn *{count}"),
            Self::Looked { seer, vision } => write!(f, "looked {seer} {vision}"),
            Self::Dealt(hands) => write!(f, "dealt {hands}"),
            Self::Played(seen) => write!(f, "played {seen}"),
            Self::Failed { seer, pile } => write!(f, "failed {seer} {pile}"),
            Self::Notice(notice) => notice.fmt(f),
        }
    }
}

impl FromStr for Event {
    type Err = Misprint;

    fn from_str(text: &str) -> Result<Self, Misprint> {
        let mut words = Words::parse(text);
        let event = match words.word("an event")? {
            "drawn" => Self::Drawn { cards: words.read("the cards")? },
            "looked" => {
                Self::Looked { seer: words.read("the Seer")?, cards: words.read("the cards")? }
            }
            "dealt" => Self::Dealt(words.read("hands")?),
            "played" => Self::Played(words.read("the card")?),
            "failed" => {
                Self::Failed { seer: words.read("the Seer")?, pile: words.read("the pile")? }
            }
            word => Self::Notice(Notice::read(word, &mut words)?),
        };
        words.end(event)
    }
}
