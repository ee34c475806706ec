//! The match at a table, of any game: commands are proposed, made durable by the journal, and
//! only then committed.

use std::fmt;

use bots::Kind;
use rules::kit::{Moment, Outcome, Seat, Seed, Viewer};
use rules::royale;
use serde_json::value::RawValue;
use wire::{Code, Command, Commitment, Options, PhotoFinish, TableText, View};

use crate::advice::Question;
use crate::deal::Deal;
use crate::entry::Cause;
use crate::fair::Stamp;
use crate::refused::Refused;

/// A match at a table, with the type of its game erased.
pub trait AnyMatch: Send {
    /// What would happen if the seat of `cause` did this: its events, as lines for the journal.
    /// They are held until they are committed or abandoned.
    fn propose(
        &mut self,
        at: Moment,
        cause: &Cause,
        command: &Command,
    ) -> Result<Proposal, Refused>;
    /// Makes the first events true, which `first_lines` has written for the journal.
    fn begin(&mut self);
    /// Makes what was proposed true.
    fn commit(&mut self);
    /// Forgets what was proposed.
    fn abandon(&mut self);
    /// Folds an event of the journal.
    fn fold(&mut self, at: Moment, event: &RawValue) -> Result<(), serde_json::Error>;

    /// Whether the state is one that the game can be in.
    fn check(&self) -> Result<(), String>;
    /// Replaces the state by one in the game's notation: for the simulation, which compares tables
    /// that differ in what is hidden.
    fn replace(&mut self, state: &str) -> Result<(), String>;

    /// The commitment to its deals.
    fn commitment(&self) -> Commitment;
    /// Whether it matters which of two commands was pressed first.
    fn is_race(&self) -> bool;
    /// Whether the game is won and an encore is offered.
    fn is_offer(&self) -> bool;
    /// Whether the game is won, also while an encore is played.
    fn is_won(&self) -> bool;
    /// Whether cards are being played, so that every player has to see the table.
    fn is_level(&self) -> bool;
    /// Whether a command plays a card.
    fn is_play(&self, command: &Command) -> bool;
    /// How many lives it costs if these are made in this order; what is refused costs nothing.
    fn cost(&self, at: Moment, plays: &[(Seat, Command)]) -> u8;

    /// Whether anything has happened since the viewers were told last.
    fn has_news(&self) -> bool;
    /// Whether a viewer noticed something since the viewers were told last.
    fn noticed(&self, viewer: Viewer) -> bool;
    /// Writes an update for a viewer to the end of a text.
    fn write_update(&self, viewer: Viewer, update: &UpdateParts, out: &mut Vec<u8>);
    /// Forgets the news: every viewer has been sent it.
    fn clear_news(&mut self);
    /// What a player would like a suggestion for, if the table has that aid.
    fn question(&self, seat: Seat) -> Option<Question>;
    /// What a viewer knows and may do; less while the table waits for a missing player.
    fn shown(&self, viewer: Viewer, waiting: bool) -> (View, Options);
    /// Whether a command has to wait until every player is there.
    fn waits(&self, command: &Command) -> bool;
    /// How many events the viewer could notice so far, games before this one included.
    fn seq(&self, viewer: Viewer) -> u64;
    /// More than any viewer could notice so far.
    fn next_seq(&self) -> u64;
    /// The `seq` at which what the viewer was looking at last changed its meaning.
    fn fresh_from(&self, viewer: Viewer) -> u64;

    /// How many events there were.
    fn steps(&self) -> u64;
    /// When the last event was.
    fn at(&self) -> Moment;
    /// The level or round that is played.
    fn level(&self) -> u8;
    /// Whether players may talk now.
    fn may_talk(&self) -> bool;
    /// What holds play for a seat whose player has gone; `None` if nothing has to be done.
    fn pause(&self, seat: Seat) -> Option<Command>;
    /// The thinking of a bot that takes its time over it, to be done apart from the table;
    /// `None` for those that can simply be asked for their plan.
    fn thought(&self, seat: Seat, kind: Kind, now: Moment, luck: Seed) -> Option<Thinking>;
    /// What a bot in that seat will do and when.
    fn plan(
        &mut self,
        seat: Seat,
        kind: Kind,
        now: Moment,
        luck: Seed,
    ) -> Option<(Moment, Command)>;
}

/// What an update says beside the game.
pub struct UpdateParts<'a> {
    /// Which table.
    pub code: Code,
    /// The table, if that is new to the viewer.
    pub table: Option<&'a TableText>,
    /// The message that it answers.
    pub ack: Option<u32>,
    /// Whether it tells what happened since the last one.
    pub is_new: bool,
    /// Whether the game is on, or goes on if its players want to.
    pub is_playing: bool,
    /// Whether the game waits for a player.
    pub is_waiting: bool,
    /// The row that is suggested to the viewer.
    pub suggestion: Option<royale::Row>,
    /// Two presses that were too close to tell apart.
    pub photo_finish: Option<PhotoFinish>,
    /// When it is shown.
    pub show_at: Stamp,
}

/// What leads to a plan. It depends on nothing but what it holds, so it can be done anywhere.
pub struct Thinking(Box<dyn FnOnce() -> Option<(Moment, Command)> + Send>);

impl Thinking {
    pub(crate) fn new(
        thinking: impl FnOnce() -> Option<(Moment, Command)> + Send + 'static,
    ) -> Self {
        Self(Box::new(thinking))
    }

    /// Thinks to the end.
    pub fn finish(self) -> Option<(Moment, Command)> {
        (self.0)()
    }
}

impl fmt::Debug for Thinking {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Thinking")
    }
}

/// What would happen.
pub struct Proposal {
    /// The events, as lines for the journal.
    pub lines: Vec<Box<str>>,
    /// How the game would have ended with them, if it has. A victory counts when it happens, even
    /// if an encore is offered after it (M12, S10).
    pub outcome: Option<Outcome>,
}

/// What decides the deals of a game.
pub struct Luck {
    /// The seed of all draws.
    pub seed: Seed,
    /// The deal, if other groups play it, too.
    pub deal: Option<Deal>,
}
