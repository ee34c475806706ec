//! The task itself: what it hears, in order, and what comes of it.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use journal::{AppendError, Journal, Key};
use rules::kit::{Moment, Outcome, Seat, Seats, Seed, Viewer};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tracing::{debug, warn};
use wire::{Code, Command, Farewell, Listing, Pause, PhotoFinish};

use super::advice::{Advised, Thought};
use super::fair::{Placed, Told};
use super::kept::{Course, Kept};
use super::plan::Planned;
use super::watched::Watched;
use super::{ConnId, ToTable};
use crate::advisor::Advisor;
use crate::answers::Heard;
use crate::fair::{Order, Stamp, Tuning};
use crate::ghost::Lenders;
use crate::history::Bell;
use crate::limits::{Buckets, Limits};
use crate::line::Line;
use crate::memory::Memory;
use crate::metrics::Metrics;
use crate::outbox::Outbox;
use crate::person::{Person, PersonId};
use crate::record::{Cause, Happening, Record, Ticket};
use crate::replay::{Album, Deals};
use crate::room::Refused;

/// How long until a pause that could not be kept is tried again.
const OWED_AGAIN: Duration = Duration::from_secs(1);

/// What all tables share.
pub(crate) struct Shared {
    pub(crate) journal: Arc<dyn Journal>,
    /// The tables' lines, as they may be read.
    pub(crate) memory: Memory,
    /// Rung when a game is over.
    pub(crate) bell: Bell,
    /// Who watched which game, beside the journal.
    pub(crate) album: Album,
    /// Who lends their tempo.
    pub(crate) lenders: Lenders,
    /// Who has seen which deal.
    pub(crate) deals_seen: Deals,
    pub(crate) limits: Limits,
    pub(crate) tuning: Tuning,
    /// What games with a fixed seed are dealt from.
    pub(crate) deals: String,
    pub(crate) chats: Buckets<PersonId>,
    pub(crate) metrics: Metrics,
    pub(crate) advisor: Advisor,
    /// The one clock that `show_at` and arrivals are told by.
    pub(crate) started: Instant,
}

impl Shared {
    /// What that clock shows.
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp::default().after(self.started.elapsed())
    }
}

/// Somebody who sees the table.
pub(super) struct Client {
    pub(super) conn: ConnId,
    pub(super) person: Person,
    pub(super) outbox: Outbox,
    pub(super) line: Arc<Line>,
    /// Whether it has been told how things stand.
    pub(super) greeted: bool,
}

pub(super) struct Task {
    pub(super) code: Code,
    pub(super) key: Key,
    pub(super) shared: Arc<Shared>,
    /// What is durable, and therefore true.
    pub(super) kept: Kept,
    pub(super) clients: Vec<Client>,
    pub(super) watched: Watched,
    /// Who of those who sit here has seen the deal that is to be played.
    pub(super) knowing: Seats,
    /// Who has said that they are ready.
    pub(super) ready: Seats,
    /// Who was missing while play could not be held for them: it is before anything else happens.
    pub(super) owed: Seats,
    /// What waits for its turn.
    pub(super) order: Order<Seat, Told>,
    /// Whose connection is too bad to play by.
    pub(super) troubled: Seats,
    /// For whom and why the level has paused by itself.
    pub(super) paused: Vec<Pause>,
    /// What everyone is to be told of with the next update.
    pub(super) photo_finish: Option<PhotoFinish>,
    /// When the last update was to be shown: none is shown before it.
    pub(super) show_at: Stamp,
    pub(super) hold: Seats,
    pub(super) end: Seats,
    /// When the game's clock stood where its lines end.
    pub(super) clock: Instant,
    /// The luck of the machine players, apart from that of the deals.
    pub(super) luck: Seed,
    pub(super) plans: Vec<(Moment, Seat, Command)>,
    /// What they were made for.
    pub(super) planned: Option<Planned>,
    /// What the solver was asked, and what it has said.
    pub(super) advised: Vec<Advised>,
    /// What it is still thinking about.
    pub(super) thoughts: JoinSet<Thought>,
    /// The table as everyone was told of it last.
    pub(super) told: Option<wire::Table>,
    pub(super) listing: Arc<Mutex<Option<Listing>>>,
    /// Whether the journal has something else than the memory.
    pub(super) astray: bool,
}

impl Task {
    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<ToTable>) {
        // Whoever sat here has to come back first: until then play rests.
        self.hold_for_missing().await;
        // If it cannot be read now, the start of the game tries again.
        let _later = self.recognise().await;
        self.update_all(None);
        let idle = self.shared.limits.table_idle;
        let mut awake = true;
        while awake && !self.astray {
            let next = self.plans.iter().copied().min_by_key(|(at, seat, _)| (*at, *seat));
            let wait = next.and_then(|(at, ..)| Some(self.now().until(at) + self.patience()?));
            let due = self.due();
            tokio::select! {
                biased;
                message = inbox.recv() => match message {
                    None | Some(ToTable::Sleep) => awake = false,
                    Some(message) => self.hear(message).await,
                },
                () = sleep(due), if due.is_some() => self.release().await,
                () = sleep(wait), if wait.is_some() => {
                    if let Some((at, seat, command)) = next {
                        self.machine(at, seat, command).await;
                    }
                }
                Some(Ok(thought)) = self.thoughts.join_next() => self.hear_thought(thought),
                () = tokio::time::sleep(OWED_AGAIN), if !self.owed.is_empty() => {
                    if self.pay().await.is_ok() {
                        self.plan();
                        self.update_all(None);
                    }
                }
                () = tokio::time::sleep(idle), if self.clients.is_empty() => {
                    debug!(table = %self.code, "goes to sleep");
                    awake = false;
                }
            }
        }
        if !self.astray {
            self.settle(Stamp::END).await;
        }
        inbox.close();
        for client in &self.clients {
            client.outbox.close(Farewell::Restarting);
        }
    }

    async fn hear(&mut self, message: ToTable) {
        match message {
            ToTable::Join { conn, person, outbox, line, joined } => {
                self.join(conn, person, outbox, line, joined).await;
            }
            ToTable::Leave { conn } => self.leave(conn).await,
            ToTable::Do { conn, ticket, deed } => {
                if let Some((person, seat)) = self.take(conn, ticket) {
                    self.hear_deed(seat, Told { conn, person, ticket, deed }).await;
                }
            }
            ToTable::Line { conn, regraded } => self.hear_line(conn, regraded).await,
            ToTable::Away { conn, away, since, arrived } => {
                self.hear_away(conn, away, since, arrived).await;
            }
            ToTable::Ask { conn, ticket, request } => {
                if let Some((person, _)) = self.take(conn, ticket) {
                    let done = self.ask(&person, ticket, request).await;
                    self.answer(conn, &person, ticket, done);
                }
            }
            ToTable::Say { conn, ticket, text } => {
                if let Some((person, seat)) = self.take(conn, ticket) {
                    match self.say(&person, seat, &text) {
                        Ok(()) => self.kept.answers.done(person.id, ticket),
                        Err(refused) => self.refuse(conn, ticket.id, refused),
                    }
                }
            }
            ToTable::Forget { person } => self.forget(person).await,
            ToTable::Sleep => {}
        }
    }

    /// Who sends a message and where they sit, unless it was done before.
    fn take(&self, conn: ConnId, ticket: Ticket) -> Option<(Person, Option<Seat>)> {
        let client = self.clients.iter().find(|client| client.conn == conn)?;
        let person = client.person.clone();
        match self.kept.answers.heard(person.id, ticket) {
            Heard::New => {
                let seat = self.kept.seating.seat_of(person.id);
                Some((person, seat))
            }
            Heard::Repeated => {
                self.update_one(conn, Some(ticket.id));
                None
            }
            Heard::Reused => {
                let text = "that number was used for another message, count on";
                self.refuse(conn, ticket.id, Refused { code: "id-reused", text: text.to_owned() });
                None
            }
        }
    }

    /// Does what a player wants, now that it is its turn.
    pub(super) async fn act(&mut self, seat: Option<Seat>, told: Told, placed: Placed) {
        let Told { conn, person, ticket, deed } = told;
        if !self.is_fresh(seat, deed.seq) {
            let text = "the table has changed since, look again".to_owned();
            self.refuse(conn, ticket.id, Refused { code: "stale", text });
            return self.update_one(conn, None);
        }
        let done = match (seat, self.may_act(&deed.command).await) {
            (_, Err(refused)) => Err(refused),
            (Some(seat), Ok(())) => {
                let cause = self.cause(seat, ticket, &placed);
                self.play(cause, self.moment(placed.press), deed.command).await
            }
            (None, Ok(())) => Err(Refused {
                code: "not-seated",
                text: "only those who sit here play, take a seat first".to_owned(),
            }),
        };
        let made = done.is_ok();
        self.photo_finish = placed.photo.filter(|_| made);
        self.answer(conn, &person, ticket, done);
        if made {
            let seconds = deed.arrived.until(self.shared.stamp()).as_secs_f64();
            self.shared.metrics.move_seconds.observe(seconds);
        }
    }

    /// Whether what the player was looking at still means the same. Nobody has seen yet what will
    /// only happen.
    fn is_fresh(&self, seat: Option<Seat>, seq: u64) -> bool {
        match (&self.kept.course, seat) {
            (Course::Playing(room), Some(seat)) => {
                let viewer = Viewer::Seat(seat);
                (room.fresh_from(viewer)..=room.seq(viewer)).contains(&seq)
            }
            _ => true,
        }
    }

    /// While somebody is missing, what could decide anything has to wait.
    async fn may_act(&mut self, command: &Command) -> Result<(), Refused> {
        self.pay().await?;
        match &self.kept.course {
            Course::Playing(room) if !self.missing().is_empty() && room.waits(command) => {
                let text = "somebody is missing, wait for them or let a machine hold their seat";
                Err(Refused { code: "somebody-missing", text: text.to_owned() })
            }
            _ => Ok(()),
        }
    }

    /// Tells the result of a request: everyone if it was done, the sender if not.
    fn answer(
        &mut self,
        conn: ConnId,
        person: &Person,
        ticket: Ticket,
        result: Result<(), Refused>,
    ) {
        match result {
            Ok(()) => {
                self.kept.answers.done(person.id, ticket);
                self.plan();
                self.update_all(Some((conn, ticket.id)));
            }
            Err(refused) => self.refuse(conn, ticket.id, refused),
        }
    }

    async fn machine(&mut self, at: Moment, seat: Seat, command: Command) {
        // Somebody may have stopped seeing the table since the machine was told to wait.
        if self.patience().is_none() {
            return;
        }
        let cause = Cause::of_itself(seat, self.now());
        if let Err(refused) = self.play(cause, at, command).await {
            debug!(table = %self.code, code = refused.code, "a machine's plan came to nothing");
            self.planned = None;
        }
        self.plan();
        self.update_all(None);
    }

    /// Proposes a command that counts at that moment, makes it durable, and only then true.
    pub(super) async fn play(
        &mut self,
        cause: Cause,
        at: Moment,
        command: Command,
    ) -> Result<(), Refused> {
        let now = self.now();
        let Course::Playing(room) = &mut self.kept.course else {
            let text = "no game is on, start one first".to_owned();
            return Err(Refused { code: "no-game", text });
        };
        let at = at.min(now).max(room.at());
        let proposal = room.propose(at, cause.seat, &command)?;
        let mut by = Some(cause);
        let mut records = proposal
            .lines
            .into_iter()
            .map(|event| Record::Event(Happening { at, by: by.take(), event }))
            .collect::<Vec<_>>();
        if let Some(outcome) = proposal.outcome {
            records.push(Record::Ended { outcome: Some(outcome), by: None });
        }
        let kept = self.keep(&records).await;
        let Course::Playing(room) = &mut self.kept.course else { return Ok(()) };
        if let Err(refused) = kept {
            room.abandon();
            return Err(refused);
        }
        room.commit();
        self.shared.metrics.moves.inc();
        if proposal.outcome.is_some() {
            self.finish(proposal.outcome);
        }
        Ok(())
    }

    /// Puts the game away as over.
    pub(super) fn finish(&mut self, outcome: Option<Outcome>) {
        self.void_votes();
        self.kept.finish(outcome);
        self.shared.bell.ring();
    }

    /// Who agreed to something did so among those who were there.
    pub(super) fn void_votes(&mut self) {
        self.hold = Seats::NONE;
        self.end = Seats::NONE;
    }

    /// Makes records durable. Nothing is true before this has returned.
    pub(super) async fn keep(&mut self, records: &[Record]) -> Result<(), Refused> {
        let started = Instant::now();
        let lines = records.iter().filter_map(|record| serde_json::to_string(record).ok());
        let lines = lines.map(String::into_boxed_str).collect::<Vec<_>>();
        let count = lines.len() as u64;
        let note = self.kept.note(self.code, records);
        match self.shared.journal.append(&self.key, self.kept.lines, lines, note).await {
            Ok(()) => {
                self.kept.lines += count;
                self.shared.metrics.append_seconds.observe(started.elapsed().as_secs_f64());
                Ok(())
            }
            Err(error) => {
                // Somebody else has written, or a line turned up that was given up for lost: what
                // is in memory is no longer what is kept, so the table is read again.
                self.astray |= matches!(error, AppendError::Conflict { .. });
                warn!(table = %self.code, %error, "nothing could be kept");
                let text = format!("the table cannot be kept at the moment: {error}");
                Err(Refused { code: "not-kept", text })
            }
        }
    }

    /// The moment of the game at a time of the server's clock.
    pub(super) fn moment(&self, at: Stamp) -> Moment {
        let clock = Stamp::default().after(self.clock.duration_since(self.shared.started));
        let before = at.until(clock).as_micros() as u64;
        let start = Moment::from_micros(self.kept.clock_at.micros().saturating_sub(before));
        start.after(clock.until(at))
    }

    /// The moment of the game. It goes on where it stood when the table was put to sleep.
    pub(super) fn now(&self) -> Moment {
        self.kept.clock_at.after(self.clock.elapsed())
    }
}

async fn sleep(wait: Option<Duration>) {
    if let Some(wait) = wait {
        tokio::time::sleep(wait).await;
    }
}
