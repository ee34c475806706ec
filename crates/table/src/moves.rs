//! What players press: its way from the message to the lines that are to be written.

use rules::kit::{Moment, Seat, Viewer};
use wire::{Command, Refusal};

use crate::any_match::AnyMatch;
use crate::effect::{Effects, Note};
use crate::entry::{Asker, Cause, Entry, Fair};
use crate::fair::{Claim, Stamp};
use crate::input::{Input, Message};
use crate::presence::ConnId;
use crate::presses::{Press, Turn};
use crate::refused::Refused;
use crate::table::Table;
use crate::writing::{Asked, Mover, Then};

impl Table {
    /// Takes the next press out of the inputs that wait, or the chat message before it, if the press
    /// only takes its place in the order of presses. It passes inputs of other connections: they
    /// can wait until play is held, and a press that was here in time must not.
    pub(crate) fn pop_press(&mut self) -> Option<Input> {
        let backlog = &self.queue.backlog;
        let place = backlog.iter().enumerate().position(|(place, input)| {
            let Input::Message { conn, message, .. } = input else { return false };
            let is_next = backlog.range(..place).all(|earlier| earlier.conn() != Some(*conn));
            let writes_nothing = !matches!(message, Message::Ask(_));
            is_next && writes_nothing && self.presses_at(*conn)
        });
        place.and_then(|place| self.queue.backlog.remove(place))
    }

    /// Whether presses of a connection take a place in the order of presses.
    fn presses_at(&self, conn: ConnId) -> bool {
        let person = self.people.presence.get(conn).map(|client| client.person.id);
        self.is_race() && person.is_some_and(|person| self.seat_of(person).is_some())
    }

    pub(crate) fn take_press(&mut self, now: Stamp, claim: Claim, press: Press, out: &mut Effects) {
        // A page's presses are made in the order of their numbers: one that failed while its page
        // could not hear of it is not made after the next one.
        if self.state.answers().is_overtaken(press.person, press.ticket)
            && !self.presses.holds(&press)
        {
            return self.refuse_stale(now, &press, out);
        }
        match self.seat_of(press.person) {
            Some(seat) if self.is_race() => {
                let (conn, id) = (press.conn, press.ticket.id);
                if let Err(refused) = self.presses.take(seat, claim, press) {
                    self.refuse(conn, id, refused, out);
                }
            }
            _ if !self.referee.is_due(now) => self.act(now, Turn::at_once(press, claim), out),
            // Play has to be held first: the press is taken after that.
            _ => {
                let Press { conn, ticket, seq, command, .. } = press;
                let message = Message::Do { seq, claim, command };
                self.queue.backlog.push_front(Input::Message { conn, ticket, message });
            }
        }
    }

    /// The press that has its turn now.
    pub(crate) fn release(&mut self, now: Stamp) -> Option<Turn> {
        if self.presses.is_empty() {
            return None;
        }
        let peers = self.people.presence.peers(self.state.seating());
        let photo = self.state.setup().manners().photo_finish;
        let live = self.state.playing().filter(|_| photo);
        let live = live.map(|live| (live, self.clock.moment(now).max(live.at())));
        self.presses.release(now, &peers, &self.terms.settings.tuning, live)
    }

    /// A player could not see the table since then: what was pressed before counts, one press at
    /// a time, and what was pressed later does not.
    pub(crate) fn settle(&mut self, now: Stamp, since: Stamp, out: &mut Effects) {
        if let Some(turn) = self.presses.release_before(since, now) {
            return self.act(now, turn, out);
        }
        for late in self.presses.drain() {
            let text = "a player could not see the table, so this does not count";
            self.refuse(late.conn, late.ticket.id, Refused::new(Refusal::Blind, text), out);
        }
        self.referee.settled();
    }

    /// Holds play for the next player for whom it has to be held.
    pub(crate) fn hold(&mut self, now: Stamp, out: &mut Effects) {
        self.referee.rule(self.is_level());
        let Some(seat) = self.referee.next_pause(now) else { return };
        let pause = self.state.playing().and_then(|live| live.pause(seat));
        let Some(command) = pause else { return self.referee.paused_for(seat) };
        let moment = self.clock.moment(now);
        let cause = Cause::of_itself(seat, moment);
        if let Err(refused) = self.play(now, moment, &cause, &command, Mover::Referee(seat), out) {
            self.not_held(now, &refused, out);
        }
    }

    /// Play could not be held, so nothing is played: it is tried again later.
    pub(crate) fn not_held(&mut self, now: Stamp, refused: &Refused, out: &mut Effects) {
        self.referee.failed(now);
        for press in self.presses.drain() {
            self.refuse(press.conn, press.ticket.id, refused.clone(), out);
        }
    }

    /// Does what a player pressed, now that it is its turn.
    pub(crate) fn act(&mut self, now: Stamp, turn: Turn, out: &mut Effects) {
        // A player who has given up their seat meanwhile plays no more.
        let seat = self.seat_of(turn.press.person);
        if !self.is_fresh(seat, turn.press.seq) {
            return self.refuse_stale(now, &turn.press, out);
        }
        let Press { conn, person, ticket, command, .. } = turn.press;
        let done = self.may_act(seat, &command).and_then(|seat| {
            let moment = |at: Stamp| self.clock.moment(at);
            let place = self.state.open_game().map_or(0, AnyMatch::steps);
            let is_study = self.state.study().is_some();
            let trip = is_study.then(|| turn.trip().as_micros() as u64);
            let fair = Some(Fair { trip, ..turn.fair(moment, place) });
            let arrived = moment(turn.claim.arrived);
            let cause = Cause { seat, ticket: Some(ticket), arrived, pressed: None, fair };
            let asked = Asked { conn, by: Asker { person, ticket } };
            let arrived = turn.claim.arrived;
            let mover = Mover::Player { asked, arrived, photo: turn.photo };
            self.play(now, moment(turn.at), &cause, &command, mover, out)
        });
        if let Err(refused) = done {
            self.refuse(conn, ticket.id, refused, out);
        }
    }

    /// Refuses a press that was made for a table as it was before, and shows how it is now.
    fn refuse_stale(&mut self, now: Stamp, press: &Press, out: &mut Effects) {
        let text = "the table has changed since, look again";
        self.refuse(press.conn, press.ticket.id, Refused::new(Refusal::Stale, text), out);
        self.tell_again(now, press.conn, None, out);
    }

    /// Whether what the player was looking at still means the same.
    fn is_fresh(&self, seat: Option<Seat>, seq: u64) -> bool {
        match (self.state.open_game(), seat.map(Viewer::Seat)) {
            (Some(live), Some(viewer)) => {
                (live.fresh_from(viewer)..=live.seq(viewer)).contains(&seq)
            }
            _ => true,
        }
    }

    /// The seat that may do this. While a player is missing, what could decide anything waits;
    /// what was pressed before they were lost is settled all the same.
    fn may_act(&self, seat: Option<Seat>, command: &Command) -> Result<Seat, Refused> {
        let is_settling = self.referee.settling().is_some();
        if !is_settling && !self.referee.is_clear() {
            return Err(Refused::not_kept("play has to be held first, try again"));
        }
        if let Some(live) = self.state.open_game()
            && !is_settling
            && live.waits(command)
            && !self.missing().is_empty()
        {
            let text = "a player is missing, wait for them or let a bot hold their seat";
            return Err(Refused::new(Refusal::PlayerMissing, text));
        }
        let text = "only players play, take a seat first";
        seat.ok_or_else(|| Refused::new(Refusal::NotSeated, text))
    }

    /// Proposes a command that counts at that moment, and has it written.
    pub(crate) fn play(
        &mut self,
        now: Stamp,
        at: Moment,
        cause: &Cause,
        command: &Command,
        mover: Mover,
        out: &mut Effects,
    ) -> Result<(), Refused> {
        if self.is_overdue() {
            let text = "the day of this deal is over, open a table for that of today";
            return Err(Refused::new(Refusal::DayOver, text));
        }
        let now = self.clock.moment(now);
        let resumes = self.state.may_resume();
        let Some(live) = self.state.open_game_mut() else {
            return Err(Refused::new(Refusal::NoGame, "no game is on, start one first"));
        };
        let proposal = live.propose(at.min(now).max(live.at()), cause, command)?;
        let outcome = proposal.outcome;
        let resumed = resumes.then_some(Entry::Resumed);
        let ended = outcome.map(|outcome| Entry::Ended { outcome: Some(outcome), by: None });
        let written = self.with_entries(resumed, proposal.lines, ended);
        match written {
            Ok((lines, note)) => {
                self.append(lines, note, Then::Move { mover, resumes, outcome }, out);
            }
            Err(refused) => {
                if let Some(live) = self.state.open_game_mut() {
                    live.abandon();
                }
                return Err(refused);
            }
        }
        Ok(())
    }

    /// Lines of events between the entries that stand around them, and the note after them.
    fn with_entries(
        &self,
        before: Option<Entry>,
        events: Vec<Box<str>>,
        after: Option<Entry>,
    ) -> Result<(Vec<Box<str>>, Option<Note>), Refused> {
        let first = before.as_ref().map(Entry::line).transpose()?;
        let last = after.as_ref().map(Entry::line).transpose()?;
        let lines = first.into_iter().chain(events).chain(last).collect();
        let entries = before.into_iter().chain(after).collect::<Vec<_>>();
        Ok((lines, self.state.note_after(self.terms.id, &entries)?))
    }
}
