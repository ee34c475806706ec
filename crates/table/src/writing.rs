//! What is on its way to the journal, and what becomes true when it is there.

use rules::kit::{Outcome, Seat, Seats};
use wire::{Refusal, Setup};

use crate::admission::Admission;
use crate::any_match::AnyMatch;
use crate::effect::{Append, Effect, Effects, Note, Noted};
use crate::entry::{Asker, Entry, Ticket};
use crate::fair::Stamp;
use crate::input::AppendFailure;
use crate::person::PersonId;
use crate::presence::{ConnId, Votes};
use crate::refused::Refused;
use crate::seating::Seating;
use crate::state::SharedDeal;
use crate::table::{Closing, Table};

/// Lines on their way to the journal.
pub(crate) struct Writing {
    pub(crate) lines: u64,
    pub(crate) then: Then,
}

/// What becomes true when the lines are durable.
pub(crate) enum Then {
    /// People sit like this. `by` is answered, if a message asked for it.
    Seat { seating: Seating, by: Option<Asked> },
    /// Something else is played.
    Arrange { setup: Setup, seating: Seating, by: Asked },
    /// People may come in like this, and sit like this if that changed.
    Admit { admission: Admission, seating: Option<Seating>, by: Asked },
    /// A game has begun.
    Begin { live: Box<dyn AnyMatch>, shared_deal: Option<SharedDeal>, by: Asked },
    /// What was proposed in the match has happened. `resumes` says that the game was over before.
    Move { mover: Mover, resumes: bool, outcome: Option<Outcome> },
    /// The game has ended without a move. `by` is answered, if a message asked for it.
    End { outcome: Option<Outcome>, by: Option<Asked> },
}

/// A message that asked for something, and where to answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked {
    pub(crate) conn: ConnId,
    pub(crate) by: Asker,
}

impl Asked {
    pub(crate) fn person(self) -> PersonId {
        self.by.person
    }

    pub(crate) fn ticket(self) -> Ticket {
        self.by.ticket
    }
}

/// What made a move.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mover {
    /// A player pressed.
    Player { asked: Asked, arrived: Stamp, photo: Option<wire::PhotoFinish> },
    /// A bot planned it.
    Bot,
    /// The table holds play for a player who is missing or cannot see it.
    Referee(Seat),
}

impl Table {
    /// Has entries written, and lines of events after them. What follows is in `then`.
    pub(crate) fn write(
        &mut self,
        entries: &[Entry],
        events: Vec<Box<str>>,
        then: Then,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        let mut lines = entries.iter().map(Entry::line).collect::<Result<Vec<_>, _>>()?;
        lines.extend(events);
        let note = self.state.note_after(self.terms.id, entries)?;
        self.append(lines, note, then, out);
        Ok(())
    }

    pub(crate) fn append(
        &mut self,
        lines: Vec<Box<str>>,
        note: Option<Note>,
        then: Then,
        out: &mut Effects,
    ) {
        debug_assert!(self.queue.writing.is_none(), "one append at a time");
        let by = self.payer(&then);
        self.queue.writing = Some(Writing { lines: lines.len() as u64, then });
        out.push(Effect::Append(Append { expected: self.state.lines(), lines, note, by }));
    }

    /// Whose budget lines are charged to: the person who acted, or the host for what the table does
    /// by itself.
    fn payer(&self, then: &Then) -> Option<PersonId> {
        let asked = match then {
            Then::Seat { by, .. } | Then::End { by, .. } => *by,
            Then::Arrange { by, .. } | Then::Begin { by, .. } | Then::Admit { by, .. } => Some(*by),
            Then::Move { mover: Mover::Player { asked, .. }, .. } => Some(*asked),
            Then::Move { mover: Mover::Bot | Mover::Referee(_), .. } => None,
        };
        asked.map(Asked::person).or(self.queue.acting).or(self.state.seating().host)
    }

    /// Counts a change that a person makes outside of play.
    pub(crate) fn may_change(&mut self) -> Result<(), Refused> {
        let is_free = self.state.is_playing() || self.queue.acting.is_none();
        if is_free || self.queue.changes.take() {
            return Ok(());
        }
        let text = "the table was changed very often lately, wait a moment";
        Err(Refused::new(Refusal::ChangeRate, text))
    }

    /// The lines are durable: what they say is true from now on.
    pub(crate) fn appended(&mut self, now: Stamp, out: &mut Effects) {
        let Some(Writing { lines, then }) = self.queue.writing.take() else { return };
        self.state.wrote(lines);
        match then {
            Then::Seat { seating, by } => {
                self.people.votes.reseated(self.state.seating(), &seating);
                self.state.seat(seating, by.is_some());
                self.look_up_deal(out);
                if let Some(by) = by {
                    self.done(by);
                }
            }
            Then::Arrange { setup, seating, by } => {
                self.state.arrange(setup, seating);
                // Players who were ready were so for another game.
                self.people.votes.ready = Seats::NONE;
                self.people.know_deal = Seats::NONE;
                self.look_up_deal(out);
                self.done(by);
            }
            Then::Admit { admission, seating, by } => {
                if let Some(seating) = seating {
                    self.people.votes.reseated(self.state.seating(), &seating);
                    self.state.seat(seating, false);
                    self.look_up_deal(out);
                }
                self.admitted(now, admission, out);
                self.done(by);
            }
            Then::Begin { live, shared_deal, by } => {
                self.state.begin(live, shared_deal);
                self.begun(now);
                self.send_away(now, out);
                self.note_deal_seen(out);
                self.done(by);
            }
            Then::Move { mover, resumes, outcome } => {
                if resumes {
                    self.state.resume();
                    self.people.votes = Votes::default();
                }
                self.moved(mover, outcome, out);
            }
            Then::End { outcome, by } => {
                self.finish(outcome, out);
                if let Some(by) = by {
                    self.done(by);
                }
            }
        }
        self.tell(now, out);
    }

    fn moved(&mut self, mover: Mover, outcome: Option<Outcome>, out: &mut Effects) {
        if let Some(live) = self.state.playing_mut() {
            live.commit();
        }
        let arrived = match mover {
            Mover::Player { asked, arrived, photo } => {
                self.viewers.photo_finish(photo);
                self.done(asked);
                Some(arrived)
            }
            Mover::Referee(seat) => {
                self.referee.paused_for(seat);
                None
            }
            Mover::Bot => None,
        };
        out.note(Noted::Moved { arrived });
        if outcome.is_some() {
            self.finish(outcome, out);
        } else if self.is_level() {
            self.referee.resume();
        }
    }

    /// Puts the game away as over.
    fn finish(&mut self, outcome: Option<Outcome>, out: &mut Effects) {
        self.people.votes.void();
        self.state.finish(outcome);
        self.note_end_spectators(out);
        out.push(Effect::GameOver);
    }

    /// The lines are not there: nothing has changed.
    pub(crate) fn append_failed(&mut self, now: Stamp, failure: AppendFailure, out: &mut Effects) {
        let Some(Writing { then, .. }) = self.queue.writing.take() else { return };
        let refused = match failure {
            // What is in memory is no longer what is kept, so the table has to be read again.
            AppendFailure::Conflict => {
                self.queue.closing = Closing::Conflict;
                Refused::not_kept("it was changed elsewhere, connect again")
            }
            AppendFailure::Fault(text) => Refused::not_kept(text),
        };
        let asked = match then {
            Then::Seat { by, .. } | Then::End { by, .. } => by,
            Then::Arrange { by, .. } | Then::Begin { by, .. } | Then::Admit { by, .. } => Some(by),
            Then::Move { mover, .. } => {
                if let Some(live) = self.state.open_game_mut() {
                    live.abandon();
                }
                match mover {
                    Mover::Player { asked, .. } => Some(asked),
                    Mover::Referee(_) => {
                        self.not_held(now, &refused, out);
                        None
                    }
                    Mover::Bot => {
                        self.plans.failed(now);
                        None
                    }
                }
            }
        };
        if let Some(asked) = asked {
            self.refuse(asked.conn, asked.ticket().id, refused, out);
        }
        // What else has changed meanwhile is told now: nothing else may happen for a while.
        if self.queue.closing != Closing::Conflict && !self.referee.is_due(now) {
            self.tell(now, out);
        }
    }
}
