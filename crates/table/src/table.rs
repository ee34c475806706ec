//! The table: inputs and time in, effects out.

use std::collections::VecDeque;
use std::time::Duration;

use rules::kit::{Moment, Outcome, Seat, Seats, Seed, Viewer};
use wire::{Code, Command, Farewell};

use crate::advice::Advice;
use crate::answers::Heard;
use crate::chat::CHAT_CHARS_MOST;
use crate::clock::Clock;
use crate::effect::{Append, Effect, Effects, Note, Noted};
use crate::entry::{Asker, Cause, Entry, Ticket};
use crate::fair::{Claim, Fit, Stamp, Tuning};
use crate::input::{AppendFailure, Found, Input, Message};
use crate::plans::Plans;
use crate::presence::{ConnId, Presence, Votes};
use crate::presses::{Press, Presses, Turn};
use crate::referee::Referee;
use crate::refused::Refused;
use crate::requests::{Done, Lookups};
use crate::room::Room;
use crate::state::TableState;
use crate::viewers::Viewers;
use crate::writing::{Asked, Mover, Then, Writing};

/// A table.
pub struct Table {
    pub(crate) terms: Terms,
    /// What is durable, and therefore true.
    pub(crate) state: TableState,
    pub(crate) people: People,
    pub(crate) referee: Referee,
    pub(crate) presses: Presses,
    pub(crate) plans: Plans,
    pub(crate) advice: Advice,
    pub(crate) viewers: Viewers,
    pub(crate) clock: Clock,
    pub(crate) queue: Queue,
}

/// What never changes about a table.
pub(crate) struct Terms {
    pub(crate) code: Code,
    pub(crate) settings: Settings,
}

/// What the operator can set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How far fairness goes.
    pub tuning: Tuning,
    /// How many people may watch without a seat.
    pub spectators_most: usize,
    /// How many characters a line of chat may have.
    pub chat_chars_most: usize,
    /// What games with a fixed seed are dealt from.
    pub fixed_deals: String,
    /// How long a table stays in memory while nobody looks at it.
    pub idle_after: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tuning: Tuning::default(),
            spectators_most: 100,
            chat_chars_most: CHAT_CHARS_MOST,
            fixed_deals: String::new(),
            idle_after: Duration::from_mins(1),
        }
    }
}

/// Who is there, and what they agreed to.
#[derive(Default)]
pub(crate) struct People {
    pub(crate) presence: Presence,
    pub(crate) votes: Votes,
    /// Which players have seen the deal that is to be played.
    pub(crate) know_deal: Seats,
}

/// What waits, and for what.
pub(crate) struct Queue {
    /// Inputs that came while the journal wrote.
    backlog: VecDeque<Input>,
    writing: Option<Writing>,
    pub(crate) lookups: Lookups,
    /// Since when no connection looks at the table.
    pub(crate) empty_since: Stamp,
    /// What is left to do before the table leaves the memory.
    closing: Closing,
}

impl Queue {
    pub(crate) fn backlog_len(&self) -> usize {
        self.backlog.len()
    }
}

/// Whether the table is about to leave the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Closing {
    /// It is not.
    No,
    /// When the presses that wait are settled.
    Settling,
    /// The journal has other lines than the table: at once.
    Conflict,
    /// It has said so.
    Done,
}

impl Table {
    /// A table as its journal tells it. Players who sat there have to come back before play goes
    /// on. `seed` is 32 secret random bytes: all luck of the games and bots follows from it.
    pub fn new(code: Code, state: TableState, settings: Settings, seed: Seed, now: Stamp) -> Self {
        let mut clock = Clock::new(now, state.clock_at(), seed);
        let luck = clock.luck.next_seed();
        let mut referee = Referee::default();
        let people = People::default();
        referee.owe(people.presence.missing(state.seating()));
        Self {
            terms: Terms { code, settings },
            state,
            people,
            referee,
            presses: Presses::default(),
            plans: Plans::new(luck),
            advice: Advice::default(),
            viewers: Viewers::default(),
            clock,
            queue: Queue {
                backlog: VecDeque::new(),
                writing: None,
                lookups: Lookups::default(),
                empty_since: now,
                closing: Closing::No,
            },
        }
    }

    /// What is durable.
    pub fn state(&self) -> &TableState {
        &self.state
    }

    /// Whether the table takes inputs at once. While it does not, the journal writes, and all
    /// inputs but its answer wait in the table: hand in no more of them than need be.
    pub fn is_ready(&self) -> bool {
        self.queue.writing.is_none()
    }

    /// Takes an input in at this time, and answers with what is to be done. Times never go back.
    pub fn handle(&mut self, now: Stamp, input: Input) -> Effects {
        let mut out = Effects::default();
        match input {
            Input::Appended => self.appended(now, &mut out),
            Input::AppendFailed(failure) => self.append_failed(now, failure, &mut out),
            input => {
                if matches!(input, Input::Message { message: Message::Do { .. }, .. }) {
                    // A pause that could not be kept is tried again before anything is played.
                    self.referee.hurry();
                }
                self.queue.backlog.push_back(input);
            }
        }
        while self.is_ready() && self.work(now, &mut out) {}
        if self.is_ready() && self.queue.closing != Closing::Done {
            self.close(now, &mut out);
        }
        out.wake_at = self.wake_at();
        out
    }

    /// Does the next thing that can be done now; whether there was one. What it leads to is told
    /// before the next one, unless play has to be held first.
    fn work(&mut self, now: Stamp, out: &mut Effects) -> bool {
        if matches!(self.queue.closing, Closing::Conflict | Closing::Done) {
            return false;
        }
        if let Some(since) = self.referee.settling() {
            // A press that came while the journal wrote takes its place among the others first.
            match self.next_is_press().then(|| self.queue.backlog.pop_front()).flatten() {
                Some(press) => self.take(now, press, out),
                None => self.settle(now, since, out),
            }
        } else if self.referee.is_due(now) {
            self.hold(now, out);
        } else if let Some(input) = self.queue.backlog.pop_front() {
            self.take(now, input, out);
        } else if let Some(turn) = self.release(now) {
            self.act(now, turn, out);
        } else if let Some(plan) = self.bot_due(now, out) {
            self.play_bot(now, plan, out);
        } else {
            return false;
        }
        if self.is_ready() && !self.referee.is_due(now) {
            self.tell(now, out);
        }
        true
    }

    /// Whether the next input is a press that only takes its place in the order of presses.
    fn next_is_press(&self) -> bool {
        let Some(Input::Message { conn, message: Message::Do { .. }, .. }) =
            self.queue.backlog.front()
        else {
            return false;
        };
        let person = self.people.presence.get(*conn).map(|client| client.person.id);
        self.is_race() && person.is_some_and(|person| self.seat_of(person).is_some())
    }

    /// Takes in an input that had to wait for its turn.
    fn take(&mut self, now: Stamp, input: Input, out: &mut Effects) {
        match input {
            Input::Joined { conn, person, link } => self.join(conn, person, link, out),
            Input::Left { conn, seen_until } => self.leave(now, conn, seen_until, out),
            Input::Message { conn, ticket, message } => {
                self.hear(now, conn, ticket, message, out);
            }
            Input::Linked { conn, link } => self.linked(now, conn, link),
            Input::Forgotten(person) => self.forget(now, person, out),
            Input::Found(Found::DealSeenBy(Ok(people))) => self.recognise(&people),
            // If it cannot be read now, the start of the game tries again.
            Input::Found(Found::DealSeenBy(Err(_))) => {}
            Input::Found(Found::BeforeStart(found)) => self.found_start(found, out),
            Input::Found(Found::Ghost(ghost)) => self.found_ghost(ghost, out),
            Input::Advised { seat, question, row } => {
                if self.advice.advised(seat, question, row) {
                    self.tell_seat(now, seat, out);
                }
            }
            Input::Planned { plan, act } => self.plans.planned(plan, act),
            Input::Closing => {
                self.referee.settle(Stamp::END);
                self.queue.closing = Closing::Settling;
            }
            // The journal's answers are taken in at once, and a wake has no content.
            Input::Woke | Input::Appended | Input::AppendFailed(_) => {}
        }
    }

    fn hear(
        &mut self,
        now: Stamp,
        conn: ConnId,
        ticket: Ticket,
        message: Message,
        out: &mut Effects,
    ) {
        let Some(client) = self.people.presence.get(conn) else { return };
        let person = client.person.clone();
        match self.state.answers().heard(person.id, ticket) {
            Heard::New => {}
            Heard::Repeated => return self.tell_again(now, conn, Some(ticket.id), out),
            Heard::Reused => {
                let text = "that number was used for another message, count on";
                return self.refuse(conn, ticket.id, Refused::new("id-reused", text), out);
            }
        }
        match message {
            Message::Do { seq, claim, command } => {
                let press = Press { conn, person: person.id, ticket, seq, command };
                self.take_press(now, claim, press, out);
            }
            Message::Ask(request) => {
                let by = Asker { person: person.id, ticket };
                let asked = Asked { conn, by };
                let done = self.ask(asked, &person, request, out);
                self.answer(asked, done, out);
            }
            Message::Say(text) => match self.say(&person, &text, out) {
                Ok(()) => self.state.answers_mut().done(person.id, ticket),
                Err(refused) => self.refuse(conn, ticket.id, refused, out),
            },
        }
    }

    fn take_press(&mut self, now: Stamp, claim: Claim, press: Press, out: &mut Effects) {
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

    /// Tells the result of a request: everyone if it was done, the sender if not.
    pub(crate) fn answer(&mut self, asked: Asked, done: Result<Done, Refused>, out: &mut Effects) {
        match done {
            Ok(Done::Now) => self.done(asked),
            Ok(Done::Later) => {}
            Err(refused) => self.refuse(asked.conn, asked.ticket().id, refused, out),
        }
    }

    /// A message was done: it is acknowledged, and not done again.
    fn done(&mut self, asked: Asked) {
        self.state.answers_mut().done(asked.person(), asked.ticket());
        self.viewers.acknowledge(asked.conn, asked.ticket().id);
    }

    /// The press that has its turn now.
    fn release(&mut self, now: Stamp) -> Option<Turn> {
        if self.presses.is_empty() {
            return None;
        }
        let peers = self.people.presence.peers(self.state.seating());
        let photo = self.state.setup().manners().photo_finish;
        let room = self.state.playing().filter(|_| photo);
        let room = room.map(|room| (room, self.clock.moment(now).max(room.at())));
        self.presses.release(now, &peers, &self.terms.settings.tuning, room)
    }

    /// A player could not see the table since then: what was pressed before counts, one press at
    /// a time, and what was pressed later does not.
    fn settle(&mut self, now: Stamp, since: Stamp, out: &mut Effects) {
        if let Some(turn) = self.presses.release_before(since, now) {
            return self.act(now, turn, out);
        }
        for late in self.presses.drain() {
            let text = "a player could not see the table, so this does not count";
            self.refuse(late.conn, late.ticket.id, Refused::new("blind", text), out);
        }
        self.referee.settled();
    }

    /// Holds play for the next player for whom it has to be held.
    fn hold(&mut self, now: Stamp, out: &mut Effects) {
        self.referee.rule(self.is_level());
        let Some(seat) = self.referee.owed(now) else { return };
        let pause = self.state.playing().and_then(|room| room.pause(seat));
        let Some(command) = pause else { return self.referee.held(seat) };
        let moment = self.clock.moment(now);
        let cause = Cause::of_itself(seat, moment);
        if let Err(refused) = self.play(now, moment, &cause, &command, Mover::Referee(seat), out) {
            self.not_held(now, &refused, out);
        }
    }

    /// Play could not be held, so nothing is played: it is tried again later.
    fn not_held(&mut self, now: Stamp, refused: &Refused, out: &mut Effects) {
        self.referee.failed(now);
        for press in self.presses.drain() {
            self.refuse(press.conn, press.ticket.id, refused.clone(), out);
        }
    }

    /// Does what a player pressed, now that it is its turn.
    fn act(&mut self, now: Stamp, turn: Turn, out: &mut Effects) {
        // What is no race may be private, so only presses in a race are counted.
        if turn.claim.fit() == Fit::TooEarly && self.is_race() {
            self.people.presence.correct(turn.press.conn);
        }
        // A player who has given up their seat meanwhile plays no more.
        let seat = self.seat_of(turn.press.person);
        if !self.is_fresh(seat, turn.press.seq) {
            return self.refuse_stale(now, &turn.press, out);
        }
        let Press { conn, person, ticket, command, .. } = turn.press;
        let done = self.may_act(seat, &command).and_then(|seat| {
            let moment = |at: Stamp| self.clock.moment(at);
            let place = self.state.playing().map_or(0, Room::steps);
            let fair = Some(turn.fair(moment, place));
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
        self.refuse(press.conn, press.ticket.id, Refused::new("stale", text), out);
        self.tell_again(now, press.conn, None, out);
    }

    /// Whether what the player was looking at still means the same.
    fn is_fresh(&self, seat: Option<Seat>, seq: u64) -> bool {
        match (self.state.playing(), seat.map(Viewer::Seat)) {
            (Some(room), Some(viewer)) => {
                (room.fresh_from(viewer)..=room.seq(viewer)).contains(&seq)
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
        if let Some(room) = self.state.playing()
            && !is_settling
            && room.waits(command)
            && !self.missing().is_empty()
        {
            let text = "a player is missing, wait for them or let a bot hold their seat";
            return Err(Refused::new("somebody-missing", text));
        }
        let text = "only players play, take a seat first";
        seat.ok_or_else(|| Refused::new("not-seated", text))
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
        let now = self.clock.moment(now);
        let Some(room) = self.state.playing_mut() else {
            return Err(Refused::new("no-game", "no game is on, start one first"));
        };
        let proposal = room.propose(at.min(now).max(room.at()), cause, command)?;
        let outcome = proposal.outcome;
        let ended = outcome.map(|outcome| Entry::Ended { outcome: Some(outcome), by: None });
        let mut lines = proposal.lines;
        let written = ended.as_ref().map(Entry::line).transpose();
        let written = written.and_then(|line| {
            lines.extend(line);
            self.state.note_after(self.terms.code, ended.as_slice())
        });
        match written {
            Ok(note) => self.append(lines, note, Then::Move { mover, outcome }, out),
            Err(refused) => {
                if let Some(room) = self.state.playing_mut() {
                    room.abandon();
                }
                return Err(refused);
            }
        }
        Ok(())
    }

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
        let note = self.state.note_after(self.terms.code, entries)?;
        self.append(lines, note, then, out);
        Ok(())
    }

    fn append(&mut self, lines: Vec<Box<str>>, note: Option<Note>, then: Then, out: &mut Effects) {
        debug_assert!(self.queue.writing.is_none(), "one append at a time");
        self.queue.writing = Some(Writing { lines: lines.len() as u64, then });
        out.push(Effect::Append(Append { expected: self.state.lines(), lines, note }));
    }

    /// The lines are durable: what they say is true from now on.
    fn appended(&mut self, now: Stamp, out: &mut Effects) {
        let Some(Writing { lines, then }) = self.queue.writing.take() else { return };
        self.state.wrote(lines);
        match then {
            Then::Seat { seating, by } => {
                self.people.votes.reseated(self.state.seating(), &seating);
                self.state.seat(seating);
                self.look_up_deal(out);
                if let Some(by) = by {
                    self.done(by);
                }
            }
            Then::Arrange { setup, seating, by } => {
                self.state.arrange(setup, seating);
                // Players who were ready were so for another game.
                self.people.votes.ready = Seats::NONE;
                self.done(by);
            }
            Then::Begin { room, knows, by } => {
                self.state.begin(room, knows);
                self.begun(now);
                self.note_deal_seen(out);
                self.done(by);
            }
            Then::Move { mover, outcome } => self.moved(mover, outcome, out),
            Then::End { by } => {
                self.finish(None, out);
                self.done(by);
            }
        }
        self.tell(now, out);
    }

    fn moved(&mut self, mover: Mover, outcome: Option<Outcome>, out: &mut Effects) {
        if let Some(room) = self.state.playing_mut() {
            room.commit();
        }
        let arrived = match mover {
            Mover::Player { asked, arrived, photo } => {
                self.viewers.photo_finish(photo);
                self.done(asked);
                Some(arrived)
            }
            Mover::Referee(seat) => {
                self.referee.held(seat);
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
        out.push(Effect::GameOver);
    }

    /// The lines are not there: nothing has changed.
    fn append_failed(&mut self, now: Stamp, failure: AppendFailure, out: &mut Effects) {
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
            Then::Seat { by, .. } => by,
            Then::Arrange { by, .. } | Then::Begin { by, .. } | Then::End { by } => Some(by),
            Then::Move { mover, .. } => {
                if let Some(room) = self.state.playing_mut() {
                    room.abandon();
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

    /// Leaves the memory if it has to, or if no connection has looked at it for long.
    fn close(&mut self, now: Stamp, out: &mut Effects) {
        let idle = self.people.presence.is_empty() && self.idle_at() <= now;
        match self.queue.closing {
            Closing::Conflict => {}
            Closing::Settling if self.referee.settling().is_none() => {}
            Closing::No if idle => {}
            Closing::No | Closing::Settling | Closing::Done => return,
        }
        self.queue.closing = Closing::Done;
        for client in self.people.presence.clients() {
            out.push(Effect::Close { conn: client.conn, why: Farewell::Restarting });
        }
        out.push(Effect::Sleep);
    }

    fn idle_at(&self) -> Stamp {
        self.queue.empty_since.after(self.terms.settings.idle_after)
    }

    /// When something is due by itself.
    fn wake_at(&self) -> Option<Stamp> {
        if !self.is_ready() || self.queue.closing == Closing::Done {
            return None;
        }
        let press = if self.presses.is_empty() {
            None
        } else {
            let peers = self.people.presence.peers(self.state.seating());
            let photo = self.state.setup().manners().photo_finish;
            self.presses.due_at(&peers, &self.terms.settings.tuning, photo)
        };
        let idle = self.people.presence.is_empty().then(|| self.idle_at());
        let times = [press, self.bot_at(), self.referee.again_at(), self.plans.again_at(), idle];
        times.into_iter().flatten().min()
    }

    /// Whether a game goes on: all players are there and see the table.
    pub(crate) fn is_on(&self) -> bool {
        self.missing().is_empty() && self.referee.is_clear() && !self.people.presence.is_empty()
    }

    pub(crate) fn missing(&self) -> Seats {
        self.people.presence.missing(self.state.seating())
    }

    /// Whether it matters who pressed first.
    pub(crate) fn is_race(&self) -> bool {
        self.terms.settings.tuning.fair_order && self.state.playing().is_some_and(Room::is_race)
    }

    /// Sends all connections of a player how things stand.
    fn tell_seat(&mut self, now: Stamp, seat: Seat, out: &mut Effects) {
        let seating = self.state.seating();
        let clients = self.people.presence.clients().iter();
        let own = clients.filter(|client| seating.seat_of(client.person.id) == Some(seat));
        let own = own.map(|client| client.conn).collect::<Vec<_>>();
        for conn in own {
            self.tell_again(now, conn, None, out);
        }
    }
}
