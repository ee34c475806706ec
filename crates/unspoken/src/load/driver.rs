//! Plays at all tables at once, on one thread: sends each move when it is due and takes the time
//! until the last of the table's people has seen it.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use anyhow::{Error, Result, ensure};

use super::connection::Connection;
use super::connections::Connections;
use super::process::Process;
use super::schedule::Schedule;
use super::table::{Answer, Table};
use super::tally::{Reading, Tally};

/// How long after the end an answer is still waited for.
const GRACE: Duration = Duration::from_secs(1);
/// How long a table waits after a refusal.
const CALM: Duration = Duration::from_millis(20);
/// How many moves are sent before sockets are read again.
const BURST: usize = 64;
/// How long answers of an earlier run are waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// How a run goes.
#[derive(Clone, Copy)]
pub struct Plan {
    /// Moves a second of all tables; flat out if `None`.
    pub rate: Option<u32>,
    /// How long they play before it is measured.
    pub warm_up: Duration,
    /// How long it is measured.
    pub measured: Duration,
}

/// Tables and their connections.
pub struct Driver<T> {
    connections: Connections,
    tables: Vec<LoadTable<T>>,
    /// How many people sit at each table: connections are in the order of tables and seats.
    people: usize,
    /// Tables that may send their next message.
    free: Vec<usize>,
    /// Tables that wait after a refusal, in order.
    calm: VecDeque<(Duration, usize)>,
    tally: Tally,
    /// Why tables broke off.
    lost: Vec<String>,
    text: Vec<u8>,
}

/// A table and where it is in the run.
struct LoadTable<T> {
    table: T,
    state: State,
    /// When the move that is under way was due.
    due: Duration,
    /// How many moves it has made in this run.
    moves: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// The next move has not begun.
    Free,
    /// A move has begun and its next message is to be sent: after a rematch or a refusal.
    Begun,
    /// An answer is waited for.
    Busy,
    Lost,
}

/// The moments of a run, counted from its start.
#[derive(Clone, Copy)]
struct Clock {
    start: Instant,
    from: Duration,
    end: Duration,
    schedule: Option<Schedule>,
}

impl Clock {
    fn now(self) -> Duration {
        self.start.elapsed()
    }

    /// When a table's own move is due, if that is before the end: now if flat out.
    fn due(self, table: usize, moves: u64) -> Option<Duration> {
        let due = self.schedule.map_or_else(|| self.now(), |it| it.due_at_table(table, moves));
        (due < self.end).then_some(due)
    }
}

impl<T: Table> Driver<T> {
    pub fn new(people: usize) -> Result<Self> {
        Ok(Self {
            connections: Connections::new()?,
            tables: Vec::new(),
            people,
            free: Vec::new(),
            calm: VecDeque::new(),
            tally: Tally::default(),
            lost: Vec::new(),
            text: Vec::new(),
        })
    }

    /// Takes one more table.
    pub fn add(&mut self, mut table: T, connections: Vec<Connection>) -> Result<()> {
        ensure!(connections.len() == self.people, "every table has as many people");
        for (place, connection) in connections.into_iter().enumerate() {
            let mut failed = None;
            self.connections.add(connection, |text| {
                if let Err(error) = table.receive(place, text) {
                    failed = Some(error);
                }
            })?;
            failed.map_or(Ok(()), Err)?;
        }
        let state = State::Free;
        self.tables.push(LoadTable { table, state, due: Duration::ZERO, moves: 0 });
        Ok(())
    }

    /// Listens and answers pings for this long.
    pub fn rest(&mut self, time: Duration) -> Result<()> {
        let start = Instant::now();
        let clock = Clock { start, from: Duration::MAX, end: Duration::ZERO, schedule: None };
        while let Some(left) = time.checked_sub(clock.now()) {
            self.listen(clock, left)?;
            self.free.clear();
        }
        Ok(())
    }

    /// The tables that broke off so far, and why.
    pub fn lost(&self) -> &[String] {
        &self.lost
    }

    /// Plays as planned.
    pub fn run(&mut self, plan: Plan, server: Option<Process>) -> Result<Tally> {
        self.settle()?;
        self.tally = Tally::default();
        let from = plan.warm_up;
        let end = from + plan.measured;
        let schedule = plan.rate.map(|rate| Schedule::new(rate, self.tables.len() as u32));
        let clock = Clock { start: Instant::now(), from, end, schedule };
        let planned = schedule.map_or(0, |schedule| schedule.count(end));
        if schedule.is_none() {
            self.free.extend(0..self.tables.len());
        }
        let (mut next, mut before, mut after) = (0, None, None);
        loop {
            let now = clock.now();
            if before.is_none() && now >= from {
                before = Some(Reading::take(now, &self.tally, server)?);
            }
            if after.is_none() && now >= end {
                after = Some(Reading::take(now, &self.tally, server)?);
            }
            if now >= end && (now >= end + GRACE || self.is_done(clock)) {
                break;
            }
            self.send_due(clock, planned, &mut next);
            let due = schedule.filter(|_| next < planned).map(|schedule| schedule.due(next));
            let calm = self.calm.front().map(|(until, _)| *until);
            let change = if now < from {
                from
            } else if now < end {
                end
            } else {
                end + GRACE
            };
            let until = [due, calm].into_iter().flatten().fold(change, Duration::min);
            let most = if self.free.is_empty() {
                until.saturating_sub(clock.now())
            } else {
                Duration::ZERO
            };
            self.listen(clock, most)?;
        }
        let mut tally = std::mem::take(&mut self.tally);
        if let (Some(before), Some(after)) = (before, after) {
            tally.used = after.since(before);
        }
        tally.late = self.late(clock);
        Ok(tally)
    }

    /// Sends what is due, up to a number of messages.
    fn send_due(&mut self, clock: Clock, planned: u64, next: &mut u64) {
        while let Some((_, table)) = self.calm.pop_front_if(|(until, _)| *until <= clock.now()) {
            self.free.push(table);
        }
        while let Some(table) = self.free.pop() {
            self.send(clock, table);
        }
        let Some(schedule) = clock.schedule else { return };
        for _ in 0..BURST {
            if *next >= planned || schedule.due(*next) > clock.now() {
                break;
            }
            let (table, number) = schedule.table(*next);
            let load = &self.tables[table];
            // One that is behind sends this move when it is done with those before it.
            if load.state == State::Free && load.moves == number {
                self.send(clock, table);
            }
            *next += 1;
        }
    }

    /// Sends the next message of a table, if one is due.
    fn send(&mut self, clock: Clock, table: usize) {
        let load = &mut self.tables[table];
        match load.state {
            State::Busy | State::Lost => return,
            State::Begun => {}
            State::Free => match clock.due(table, load.moves) {
                Some(due) if due <= clock.now() => load.due = due,
                _ => return,
            },
        }
        self.text.clear();
        let sent = load
            .table
            .send(&mut self.text)
            .and_then(|place| self.connections.send(table * self.people + place, &self.text));
        match sent {
            Ok(()) => load.state = State::Busy,
            Err(error) => lose(load, &mut self.lost, &error),
        }
    }

    /// Waits at most `most` for messages of the server, and handles them.
    fn listen(&mut self, clock: Clock, most: Duration) -> Result<()> {
        let Self { connections, tables, people, free, calm, tally, lost, .. } = self;
        connections.wait(most, |index, text| {
            let (table, place) = (index / *people, index % *people);
            let load = &mut tables[table];
            let length = text.as_ref().map_or(0, |text| text.len() as u64);
            let received = match text.and_then(|text| load.table.receive(place, text)) {
                Ok(received) => received,
                Err(error) => return lose(load, lost, &error),
            };
            if received.one_card {
                tally.card_updates += 1;
                tally.card_update_bytes += length;
            }
            match received.answer {
                Answer::Pending => return,
                Answer::Moved => {
                    if (clock.from..clock.end).contains(&load.due) {
                        tally.waits.push(clock.now().saturating_sub(load.due));
                    }
                    tally.moves += 1;
                    load.moves += 1;
                    load.state = State::Free;
                }
                Answer::Begun => {
                    tally.games += 1;
                    load.state = State::Begun;
                }
                Answer::Refused(code) => {
                    *tally.refusals.entry(code).or_default() += 1;
                    load.state = State::Begun;
                    calm.push_back((clock.now() + CALM, table));
                    return;
                }
            }
            free.push(table);
        })
    }

    /// Whether every move that was due before the end is done.
    fn is_done(&self, clock: Clock) -> bool {
        self.tables.iter().enumerate().all(|(table, load)| match load.state {
            State::Lost => true,
            State::Busy | State::Begun => false,
            State::Free => clock.due(table, load.moves).is_none(),
        })
    }

    /// How long the moves have waited that were due before the end and are not done.
    fn late(&self, clock: Clock) -> Vec<Duration> {
        let (mut late, now) = (Vec::new(), clock.now());
        for (table, load) in self.tables.iter().enumerate() {
            if clock.schedule.is_none() {
                late.extend((load.state != State::Free).then(|| now.saturating_sub(load.due)));
                continue;
            }
            let dues = (load.moves..).map_while(|number| clock.due(table, number));
            late.extend(dues.filter(|due| *due >= clock.from).map(|due| now.saturating_sub(due)));
        }
        late
    }

    /// Waits until nothing is under way, so that a run begins afresh.
    fn settle(&mut self) -> Result<()> {
        let start = Instant::now();
        while self.tables.iter().any(|it| it.state == State::Busy) && start.elapsed() < PATIENCE {
            self.rest(Duration::from_millis(5))?;
        }
        self.free.clear();
        self.calm.clear();
        for load in &mut self.tables {
            match load.state {
                State::Busy => lose(load, &mut self.lost, &Error::msg("no answer came")),
                State::Begun => load.state = State::Free,
                State::Free | State::Lost => {}
            }
            load.moves = 0;
        }
        ensure!(
            self.tables.iter().any(|it| it.state != State::Lost),
            "all tables broke off: {}",
            self.lost.first().map_or("", String::as_str)
        );
        Ok(())
    }
}

/// Counts a table once, whatever happens to it afterwards.
fn lose<T>(load: &mut LoadTable<T>, lost: &mut Vec<String>, error: &Error) {
    if load.state != State::Lost {
        lost.push(format!("{error:#}"));
    }
    load.state = State::Lost;
}
