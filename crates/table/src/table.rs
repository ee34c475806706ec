//! The table: inputs and time in, effects out.

use std::collections::VecDeque;
use std::time::Duration;

use rules::kit::{Outcome, Seat, Seats, Seed};
use wire::{CloseReason, Code, Refusal};

use crate::admission::{Guests, Origin};
use crate::advice::Advice;
use crate::answers::Heard;
use crate::any_match::AnyMatch;
use crate::arrivals::Arrival;
use crate::budget::{Allowance, Budget};
use crate::chat::CHAT_CHARS_MOST;
use crate::clock::Clock;
use crate::effect::{Effect, Effects};
use crate::entry::{Asker, Entry, Ticket};
use crate::fair::{Stamp, Tuning};
use crate::input::{Found, Input, Message};
use crate::person::{Person, PersonId};
use crate::plans::Plans;
use crate::presence::{ConnId, Presence, Votes};
use crate::presses::{Press, Presses};
use crate::referee::Referee;
use crate::refused::Refused;
use crate::requests::{Done, Lookups};
use crate::state::TableState;
use crate::viewers::Viewers;
use crate::writing::{Asked, Then, Writing};

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
    pub(crate) id: Code,
    pub(crate) settings: Settings,
}

/// What the operator can set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How far fairness goes.
    pub tuning: Tuning,
    /// How many people may watch without a seat.
    pub spectators_most: usize,
    /// How many of them may come from one address.
    pub spectators_per_origin_most: usize,
    /// How many characters a chat message may have.
    pub chat_chars_most: usize,
    /// How many lines a table may write outside of play.
    pub changes: Allowance,
    /// What games with a fixed seed are dealt from.
    pub fixed_deals: String,
    /// How long a table stays in memory without connections.
    pub idle_after: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tuning: Tuning::default(),
            spectators_most: 100,
            spectators_per_origin_most: 25,
            chat_chars_most: CHAT_CHARS_MOST,
            changes: Allowance { burst: 120.0, per_second: 1.0 },
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
    pub(crate) guests: Guests,
    /// Which players have seen the deal that is to be played.
    pub(crate) know_deal: Seats,
    /// Seated people who were deleted. Each start of the table is told of them anew.
    pub(crate) forgotten: Vec<PersonId>,
}

/// What waits, and for what.
pub(crate) struct Queue {
    /// Inputs that came while the journal wrote.
    pub(crate) backlog: VecDeque<Input>,
    pub(crate) writing: Option<Writing>,
    /// The person whose message, arrival or departure is being taken in.
    pub(crate) acting: Option<PersonId>,
    /// How many lines may still be written outside of play.
    pub(crate) changes: Budget,
    pub(crate) lookups: Lookups,
    /// Since when no connection looks at the table.
    pub(crate) empty_since: Stamp,
    /// What is left to do before the table leaves the memory.
    pub(crate) closing: Closing,
}

impl Queue {
    pub(crate) fn backlog_len(&self) -> usize {
        self.backlog.len()
    }
}

/// Whether the table is about to leave the memory.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// It is not.
    No,
    /// When the presses that wait are settled.
    Settling,
    /// The same, because the operator closes it.
    Dismissing,
    /// The journal has other lines than the table: at once.
    Conflict,
    /// It has said so.
    Done,
}

impl Table {
    /// A table as its journal tells it. Players who sat there have to come back before play goes
    /// on. `seed` is 32 secret random bytes: all luck of the games and bots follows from it.
    pub fn new(id: Code, state: TableState, settings: Settings, seed: Seed, now: Stamp) -> Self {
        let mut clock = Clock::new(now, state.clock_at(), seed);
        let luck = clock.luck.next_seed();
        let mut referee = Referee::default();
        let people = People::default();
        let changes = Budget::new(settings.changes, now);
        referee.pause_for(people.presence.missing(state.seating()));
        Self {
            terms: Terms { id, settings },
            state,
            people,
            referee,
            presses: Presses::default(),
            plans: Plans::new(luck),
            advice: Advice::default(),
            viewers: Viewers::default(),
            clock,
            queue: Queue {
                // Most inputs are taken in before the next one comes.
                backlog: VecDeque::with_capacity(1),
                writing: None,
                acting: None,
                changes,
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
                    self.referee.retry_now();
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
            match self.pop_press() {
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

    /// Takes in an input that had to wait for its turn.
    fn take(&mut self, now: Stamp, input: Input, out: &mut Effects) {
        self.queue.changes.refill(now);
        self.queue.acting = match &input {
            Input::Joined { person, .. } => Some(person.id),
            Input::Left { conn, .. } | Input::Message { conn, .. } => {
                self.people.presence.get(*conn).map(|client| client.person.id)
            }
            _ => None,
        };
        match input {
            Input::Joined { conn, person, by, from, link } => {
                self.join(now, Arrival { conn, person, by, from, link }, out);
            }
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
            Input::Found(Found::NewCode(code)) => self.found_code(code, out),
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
            Input::Dismissed => {
                self.referee.settle(Stamp::END);
                self.queue.closing = Closing::Dismissing;
            }
            Input::Woke => {
                self.count_victory(out);
                self.end_abandoned(out);
                self.end_overdue(out);
            }
            Input::StudyEndsGame => self.end_for_study(out),
            Input::DayOver(day) => {
                self.clock.day_over = self.clock.day_over.max(Some(day));
                self.end_overdue(out);
            }
            // The journal's answers are taken in at once.
            Input::Appended | Input::AppendFailed(_) => {}
        }
    }

    /// Ends a game that was won before victories counted at once: its journal waits for answers
    /// to the offer of an encore, which can still be given.
    fn count_victory(&mut self, out: &mut Effects) {
        if self.state.playing().is_some_and(AnyMatch::is_offer) && !self.state.is_resumed() {
            let outcome = Some(Outcome::Won);
            let entry = Entry::Ended { outcome, by: None };
            // If it cannot be kept now, the next time that the table wakes tries again.
            let _not_kept = self.write(&[entry], Vec::new(), Then::End { outcome, by: None }, out);
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
                return self.refuse(conn, ticket.id, Refused::new(Refusal::IdReused, text), out);
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
            Message::Say(text) => {
                let said = self.say(&person, &text, out);
                self.answer_talk(conn, &person, ticket, said, out);
            }
            Message::React(sign) => {
                let reacted = self.react(&person, sign, out);
                self.answer_talk(conn, &person, ticket, reacted, out);
            }
        }
    }

    /// Remembers a chat message or a sign that was sent on, so that it is not sent again, or tells
    /// the sender why it was not.
    fn answer_talk(
        &mut self,
        conn: ConnId,
        person: &Person,
        ticket: Ticket,
        sent: Result<(), Refused>,
        out: &mut Effects,
    ) {
        match sent {
            Ok(()) => self.state.answers_mut().done(person.id, ticket),
            Err(refused) => self.refuse(conn, ticket.id, refused, out),
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
    pub(crate) fn done(&mut self, asked: Asked) {
        self.state.answers_mut().done(asked.person(), asked.ticket());
        self.viewers.acknowledge(asked.conn, asked.ticket().id);
    }

    /// Leaves the memory if it has to, or if no connection has looked at it for long.
    fn close(&mut self, now: Stamp, out: &mut Effects) {
        let idle = self.people.presence.is_empty() && self.idle_at() <= now;
        match self.queue.closing {
            Closing::Conflict => {}
            Closing::Settling | Closing::Dismissing if self.referee.settling().is_none() => {}
            Closing::No if idle => {}
            Closing::No | Closing::Settling | Closing::Dismissing | Closing::Done => return,
        }
        let is_dismissed = self.queue.closing == Closing::Dismissing;
        self.queue.closing = Closing::Done;
        if is_dismissed {
            self.dismiss(out);
        } else {
            for client in self.people.presence.clients() {
                out.push(Effect::Close { conn: client.conn, why: CloseReason::Restarting });
            }
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
        let times = [press, self.bot_at(), self.referee.retry_at(), self.plans.again_at(), idle];
        times.into_iter().flatten().min()
    }

    /// The table's id: the code that it was opened with. Messages, games and the journal name the
    /// table by it.
    pub(crate) fn id(&self) -> Code {
        self.terms.id
    }

    /// The code that leads to the table.
    pub(crate) fn code(&self) -> Code {
        self.state.code(self.terms.id)
    }

    /// Refuses newcomers from this address until then, as was decided before the table woke.
    pub fn bar(&mut self, from: Origin, until: Stamp) {
        self.people.guests.bar_until(from, until);
    }

    pub(crate) fn is_here(&self, person: PersonId) -> bool {
        self.people.presence.is_here(person)
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
        self.terms.settings.tuning.fair_order
            && self.state.open_game().is_some_and(AnyMatch::is_race)
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
