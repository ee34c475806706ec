//! The task of a table: inputs in, effects out.

use std::sync::{Arc, Mutex};
use std::time::Instant;

use journal::{AppendError, BoxFuture, Key};
use table::fair::Stamp;
use table::{Append, AppendFailure, ConnId, Effect, Effects, Input, Table};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant as Tick, sleep_until};
use tracing::{debug, warn};
use wire::{Code, Listing};

use super::bars;
use super::clients::Clients;
use super::{Attendance, Describing, Shared, ToTable};
use crate::calendar::now_s;
use crate::limits::lock;
use crate::seats::people_in_game;

/// A table's core and the means to do what it says.
pub(super) struct Task {
    pub(super) code: Code,
    pub(super) key: Key,
    pub(super) shared: Arc<Shared>,
    pub(super) table: Table,
    pub(super) listing: Arc<Mutex<Option<Listing>>>,
    pub(super) clients: Clients,
    /// What was asked elsewhere: its answers are inputs.
    pub(super) jobs: JoinSet<Input>,
    pub(super) append: Option<(Instant, BoxFuture<Result<(), AppendError>>)>,
    /// Whether what is being written changes who has a seat, or whether a game is on.
    pub(super) reseats: bool,
    /// When the last line was written since the table woke, in seconds since 1970.
    pub(super) changed_s: Option<u64>,
    /// The time that was stored last.
    pub(super) touched_s: u64,
}

/// While lines are written, the time of the last change is stored again after this time.
const TOUCH_EVERY_S: u64 = 3_600;

impl Task {
    /// Runs until the core goes to sleep. `first` are inputs that come before all others.
    pub(super) async fn run(
        mut self: Box<Self>,
        mut inbox: mpsc::Receiver<Box<ToTable>>,
        first: Vec<Input>,
    ) {
        let mut wake_at = None;
        let mut awake = true;
        for input in first {
            (wake_at, awake) = self.handle(input);
        }
        while awake {
            let wake = wake_at.map(|at| self.tick(at));
            let input = tokio::select! {
                biased;
                done = written(&mut self.append), if self.append.is_some() => self.written(done),
                message = inbox.recv(), if self.table.is_ready() => match message.map(|boxed| *boxed) {
                    None => Input::Closing,
                    Some(ToTable::Input(input)) => input,
                    Some(ToTable::Join(joining)) => self.clients.join(joining),
                    Some(ToTable::Describe(Describing { person, answer })) => {
                        let _asker_has_gone = answer.send(self.table.seated_table(person));
                        continue;
                    }
                    Some(ToTable::Find { person, answer }) => {
                        let _asker_has_gone = answer.send(self.clients.address_of(person).is_some());
                        continue;
                    }
                    Some(ToTable::HasSeatForStrangers(answer)) => {
                        let _asker_has_gone = answer.send(self.table.has_seat_for_strangers());
                        continue;
                    }
                    Some(ToTable::Count(answer)) => {
                        let people = self.clients.people() as u64;
                        let changed_s = self.changed_s;
                        let _asker_has_gone = answer.send(Attendance { people, changed_s });
                        continue;
                    }
                },
                Some(Ok(input)) = self.jobs.join_next() => input,
                () = woken(wake) => Input::Woke,
            };
            (wake_at, awake) = self.handle(input);
        }
        if let Some(changed_s) = self.changed_s {
            self.touch(changed_s).await;
        }
        debug!(table = %self.code, "the table goes to sleep");
    }

    /// Hands an input to the core and does what it answers; when it wants to be woken, and whether
    /// it stays awake.
    fn handle(&mut self, input: Input) -> (Option<Stamp>, bool) {
        if let Input::Left { conn, .. } = &input {
            self.clients.leave(*conn);
        }
        let reseated = matches!(input, Input::Appended) && std::mem::take(&mut self.reseats);
        let Effects { list, wake_at } = self.table.handle(self.shared.stamp(), input);
        if reseated {
            self.shared.seats.set(self.code, people_in_game(self.table.state()));
        }
        let mut awake = true;
        for effect in list {
            awake &= !matches!(effect, Effect::Sleep);
            self.perform(effect);
        }
        (wake_at, awake)
    }

    fn perform(&mut self, effect: Effect) {
        let shared = &self.shared;
        match effect {
            Effect::Append(append) => self.append(append),
            Effect::Send { to, text } => self.clients.send(to, &text),
            Effect::Admit(conn) => self.clients.admit(conn),
            Effect::TurnAway { conn, refused } => self.clients.turn_away(conn, refused),
            Effect::SendAway(conn) => self.clients.leave(conn),
            Effect::Bar(conns) => self.bar(&conns),
            Effect::Unbar => bars::end(shared, &self.key),
            Effect::Ping { conn, often } => self.clients.measure(conn, often),
            Effect::Close { conn, why } => self.clients.close(conn, why),
            Effect::LookUp(lookup) => {
                let (shared, table) = (shared.clone(), self.code);
                self.jobs.spawn(async move { Input::Found(shared.look_up(table, lookup).await) });
            }
            Effect::Advise { seat, question } => {
                let advisor = shared.advisor.clone();
                self.jobs.spawn(async move {
                    Input::Advised { seat, question, row: advisor.advise(question).await }
                });
            }
            Effect::Think { plan, thinking } => {
                self.jobs.spawn(async move {
                    let act = tokio::task::spawn_blocking(move || thinking.finish()).await;
                    Input::Planned { plan, act: act.ok().flatten() }
                });
            }
            Effect::List(listing) => *lock(&self.listing) = listing,
            Effect::Watched { game, people } => shared.replay_access.watched(game, people),
            Effect::DealSeen { of, people } => shared.deals_seen.seen(of, people),
            Effect::GameOver => shared.game_over.give(),
            Effect::Noted(noted) => shared.count(noted),
            Effect::Sleep => {}
        }
    }

    fn append(&mut self, append: Append) {
        let from = append.by.and_then(|person| self.clients.address_of(person));
        self.shared.writes.charge(&append, from);
        let Append { expected, lines, note, by: _ } = append;
        self.reseats = note.is_some();
        let now_s = now_s();
        self.changed_s = Some(now_s);
        if note.is_some() || now_s >= self.touched_s.saturating_add(TOUCH_EVERY_S) {
            // Queued by the call, behind the lines; no player waits for it.
            let _queued = self.touch(now_s);
        }
        let note = note.map(|note| journal::Note {
            text: note.text,
            listed: note.listed,
            ended: note.ended,
        });
        let appended = self.shared.journal.append(&self.key, expected, lines, note);
        self.append = Some((Instant::now(), appended));
    }

    /// Stores that newcomers from where these connections come from are refused.
    fn bar(&self, conns: &[ConnId]) {
        let addresses = conns.iter().filter_map(|conn| self.clients.address_at(*conn));
        bars::store(&self.shared, &self.key, addresses.collect());
    }

    /// Stores when the table last changed.
    fn touch(&mut self, changed_s: u64) -> impl Future<Output = ()> + use<> {
        self.touched_s = changed_s;
        let touched = self.shared.operations.touch(&self.key, changed_s);
        let code = self.code;
        async move {
            if let Err(fault) = touched.await {
                debug!(table = %code, %fault, "the time of the last change could not be stored");
            }
        }
    }

    fn written(&mut self, done: Result<(), AppendError>) -> Input {
        if let Some((started, _)) = self.append.take() {
            self.shared.metrics.append_seconds.observe(started.elapsed().as_secs_f64());
        }
        match done {
            Ok(()) => Input::Appended,
            Err(error) => {
                warn!(table = %self.code, %error, "lines could not be appended");
                Input::AppendFailed(match error {
                    AppendError::Conflict { .. } => AppendFailure::Conflict,
                    AppendError::Fault(fault) => AppendFailure::Fault(fault.to_string()),
                })
            }
        }
    }

    /// The runtime's time for a time of the server's clock.
    fn tick(&self, at: Stamp) -> Tick {
        Tick::from_std(self.shared.started + Stamp::default().until(at))
    }
}

/// Waits for the time to wake. A timer is made only where there is one: most inputs come without.
async fn woken(wake: Option<Tick>) {
    match wake {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Waits for the journal.
async fn written(
    append: &mut Option<(Instant, BoxFuture<Result<(), AppendError>>)>,
) -> Result<(), AppendError> {
    match append {
        Some((_, appended)) => appended.await,
        None => std::future::pending().await,
    }
}
