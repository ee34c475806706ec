//! The task of a table: inputs in, effects out.

use std::sync::{Arc, Mutex};

use table::fair::Stamp;
use table::{ConnId, Effect, Effects, Input, Table};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant as Tick, sleep_until};
use tracing::debug;
use wire::{Code, Listing};

use super::bars;
use super::clients::Clients;
use super::lines::Lines;
use super::{Attendance, Describing, Shared, ToTable};
use crate::gossip::Gossip;
use crate::limits::lock;
use crate::seats::people_in_game;

/// A table's core and the means to do what it says.
pub(super) struct Task {
    pub(super) code: Code,
    pub(super) shared: Arc<Shared>,
    pub(super) table: Table,
    pub(super) listing: Arc<Mutex<Option<Listing>>>,
    pub(super) clients: Clients,
    /// What was asked elsewhere: its answers are inputs.
    pub(super) jobs: JoinSet<Input>,
    pub(super) lines: Lines,
}

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
                written = self.lines.written() => written,
                message = inbox.recv(), if self.table.is_ready() => match message {
                    None => Input::Closing,
                    Some(message) => match *message {
                        ToTable::Abandon => break,
                        message => match self.take(message) {
                            Some(input) => input,
                            None => continue,
                        },
                    },
                },
                Some(Ok(input)) = self.jobs.join_next() => input,
                () = woken(wake) => Input::Woke,
            };
            (wake_at, awake) = self.handle(input);
        }
        self.lines.close().await;
        debug!(table = %self.code, "the table goes to sleep");
    }

    /// The input that a message is for the core; `None` for a question, which is answered here.
    fn take(&mut self, message: ToTable) -> Option<Input> {
        match message {
            ToTable::Input(input) => return Some(input),
            ToTable::Join(joining) => return Some(self.clients.join(joining)),
            ToTable::Describe(Describing { person, answer }) => {
                let _asker_has_gone = answer.send(self.table.seated_table(person));
            }
            ToTable::Find { person, answer } => {
                let _asker_has_gone = answer.send(self.clients.address_of(person).is_some());
            }
            ToTable::HasSeatForStrangers(answer) => {
                let _asker_has_gone = answer.send(self.table.has_seat_for_strangers());
            }
            ToTable::Abandon => return Some(Input::Closing),
            ToTable::Count(answer) => {
                let (people, changed_s) = (self.clients.people() as u64, self.lines.changed_s());
                let _asker_has_gone = answer.send(Attendance { people, changed_s });
            }
        }
        None
    }

    /// Hands an input to the core and does what it answers; when it wants to be woken, and whether
    /// it stays awake.
    fn handle(&mut self, input: Input) -> (Option<Stamp>, bool) {
        if let Input::Left { conn, .. } = &input {
            self.clients.leave(*conn);
        }
        let reseated = matches!(input, Input::Appended) && self.lines.has_noted();
        let Effects { list, wake_at } = self.table.handle(self.shared.stamp(), input);
        if reseated {
            let (table, people) = (self.code, people_in_game(self.table.state()));
            self.shared.owners.tell(&Gossip::Seats { table, people: people.clone() });
            self.shared.seats.set(table, people);
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
            Effect::Append(append) => {
                let from = append.by.and_then(|person| self.clients.address_of(person));
                shared.writes.charge(&append, from);
                self.lines.append(append);
            }
            Effect::Send { to, text } => self.clients.send(to, &text),
            Effect::Admit(conn) => self.clients.admit(conn),
            Effect::TurnAway { conn, refused } => self.clients.turn_away(conn, refused),
            Effect::SendAway(conn) => self.clients.leave(conn),
            Effect::Bar(conns) => self.bar(&conns),
            Effect::Unbar => bars::end(shared, self.lines.key()),
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

    /// Stores that newcomers from where these connections come from are refused.
    fn bar(&self, conns: &[ConnId]) {
        let addresses = conns.iter().filter_map(|conn| self.clients.address_at(*conn));
        bars::store(&self.shared, self.lines.key(), addresses.collect());
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
