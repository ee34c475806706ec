//! The task of a table: inputs in, effects out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use journal::{AppendError, BoxFuture, Key};
use table::fair::Stamp;
use table::{Append, AppendFailure, ConnId, Effect, Effects, Input, Noted, Refused, Table};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::{Instant as Tick, sleep_until};
use tracing::{debug, warn};
use wire::{Code, Listing};

use super::{Joining, Shared, ToTable};
use crate::limits::lock;
use crate::line::{Line, MeasuredOften};
use crate::outbox::Outbox;

/// A table's core and the means to do what it says.
pub(super) struct Task {
    pub(super) code: Code,
    pub(super) key: Key,
    pub(super) shared: Arc<Shared>,
    pub(super) table: Table,
    pub(super) listing: Arc<Mutex<Option<Listing>>>,
    pub(super) clients: HashMap<ConnId, Client>,
    /// What was asked elsewhere: its answers are inputs.
    pub(super) jobs: JoinSet<Input>,
    pub(super) append: Option<(Instant, BoxFuture<Result<(), AppendError>>)>,
}

/// The means to reach a connection.
pub(super) struct Client {
    outbox: Outbox,
    line: Arc<Line>,
    joined: Option<oneshot::Sender<Result<(), Refused>>>,
    often: Option<MeasuredOften>,
}

impl Task {
    /// Runs until the core goes to sleep. `first` are inputs that come before all others.
    pub(super) async fn run(mut self, mut inbox: mpsc::Receiver<ToTable>, first: Vec<Input>) {
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
                message = inbox.recv(), if self.table.is_ready() => match message {
                    None => Input::Closing,
                    Some(ToTable::Input(input)) => *input,
                    Some(ToTable::Join(joining)) => self.join(*joining),
                },
                Some(Ok(input)) = self.jobs.join_next() => input,
                () = sleep_until(wake.unwrap_or_else(Tick::now)), if wake.is_some() => Input::Woke,
            };
            (wake_at, awake) = self.handle(input);
        }
        debug!(table = %self.code, "goes to sleep");
    }

    /// Hands an input to the core and does what it answers; when it wants to be woken, and whether
    /// it stays awake.
    fn handle(&mut self, input: Input) -> (Option<Stamp>, bool) {
        if let Input::Left { conn, .. } = &input {
            self.clients.remove(conn);
        }
        let Effects { list, wake_at } = self.table.handle(self.shared.stamp(), input);
        let mut awake = true;
        for effect in list {
            awake &= !matches!(effect, Effect::Sleep);
            self.perform(effect);
        }
        (wake_at, awake)
    }

    fn join(&mut self, joining: Joining) -> Input {
        let Joining { conn, person, link, outbox, line, joined } = joining;
        // A connection that is there already joins again: how it is measured stays.
        let client = Client { outbox, line, joined: None, often: None };
        self.clients.entry(conn).or_insert(client).joined = Some(joined);
        Input::Joined { conn, person, link }
    }

    fn perform(&mut self, effect: Effect) {
        match effect {
            Effect::Append(append) => self.append(append),
            Effect::Send { to, text } => {
                if let Some(client) = self.clients.get(&to) {
                    client.outbox.send_text(&text);
                }
            }
            Effect::Admit(conn) => self.answer_join(conn, Ok(())),
            Effect::TurnAway { conn, refused } => {
                self.answer_join(conn, Err(refused));
                self.clients.remove(&conn);
            }
            Effect::Ping { conn, often } => {
                if let Some(client) = self.clients.get_mut(&conn) {
                    client.often = often.then(|| client.line.measure_often());
                }
            }
            Effect::LookUp(lookup) => {
                let shared = self.shared.clone();
                self.jobs.spawn(async move { Input::Found(shared.look_up(lookup).await) });
            }
            Effect::Advise { seat, question } => {
                let advisor = self.shared.advisor.clone();
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
            Effect::Watched { game, people } => self.shared.album.watched(game, people),
            Effect::DealSeen { of, people } => self.shared.deals_seen.seen(of, people),
            Effect::GameOver => self.shared.bell.ring(),
            Effect::Noted(noted) => self.count(noted),
            Effect::Close { conn, why } => {
                if let Some(client) = self.clients.get(&conn) {
                    client.outbox.close(why);
                }
            }
            Effect::Sleep => {}
        }
    }

    fn append(&mut self, Append { expected, lines, note }: Append) {
        let note = note.map(|note| journal::Note {
            text: note.text,
            listed: note.listed,
            ended: note.ended,
        });
        let appended = self.shared.journal.append(&self.key, expected, lines, note);
        self.append = Some((Instant::now(), appended));
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

    fn answer_join(&mut self, conn: ConnId, answer: Result<(), Refused>) {
        if let Some(joined) = self.clients.get_mut(&conn).and_then(|client| client.joined.take()) {
            let _connection_has_gone = joined.send(answer);
        }
    }

    fn count(&self, noted: Noted) {
        let metrics = &self.shared.metrics;
        match noted {
            Noted::Moved { arrived } => {
                metrics.moves.inc();
                if let Some(arrived) = arrived {
                    let seconds = arrived.until(self.shared.stamp()).as_secs_f64();
                    metrics.move_seconds.observe(seconds);
                }
            }
            Noted::Refused(code) => metrics.refused(code),
        }
    }

    /// The runtime's time for a time of the server's clock.
    fn tick(&self, at: Stamp) -> Tick {
        Tick::from_std(self.shared.started + Stamp::default().until(at))
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
