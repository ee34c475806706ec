//! What a fold of a journal makes of the events of a game.

use rules::kit::Moment;
use serde_json::value::RawValue;
use wire::Setup;

use crate::any_match::{AnyMatch, Luck};
use crate::live_match::open_match;

/// What a fold makes of the events of a game.
pub trait Events: Sized {
    /// A game before anything has happened.
    fn begin(setup: &Setup, luck: Luck, seq: u64) -> Self;
    /// Folds one more event.
    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), String>;
    /// When the last event was.
    fn at(&self) -> Moment;
    /// Where the next game counts on from.
    fn next_seq(&self) -> u64;
}

impl Events for Box<dyn AnyMatch> {
    fn begin(setup: &Setup, luck: Luck, seq: u64) -> Self {
        open_match(setup, luck, seq)
    }

    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), String> {
        AnyMatch::fold(self.as_mut(), at, event).map_err(|error| error.to_string())
    }

    fn at(&self) -> Moment {
        AnyMatch::at(self.as_ref())
    }

    fn next_seq(&self) -> u64 {
        AnyMatch::next_seq(self.as_ref())
    }
}

/// The events of a game are counted and not played.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unplayed {
    at: Moment,
    events: u64,
}

impl Events for Unplayed {
    fn begin(_: &Setup, _: Luck, seq: u64) -> Self {
        Self { at: Moment::START, events: seq }
    }

    fn fold(&mut self, at: Moment, _: &RawValue) -> Result<(), String> {
        self.at = at;
        self.events += 1;
        Ok(())
    }

    fn at(&self) -> Moment {
        self.at
    }

    fn next_seq(&self) -> u64 {
        self.events + 1
    }
}
