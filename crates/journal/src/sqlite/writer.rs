//! The one thread that writes: it takes the waiting requests, commits them together, and answers.

use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::Shared;
use super::answers::{Answer, Answers};
use super::appender::Appender;
use super::bars;
use super::catalogue;
use super::checkpoints;
use super::database::{Database, Place, Trouble};
use super::devices;
use super::filing::{End, Filing, Piece};
use super::inventory::{self, Copied};
use super::invitations;
use super::operations;
use super::options::{BATCH_MOST, PACE_MOST};
use crate::{
    AuditLine, Bar, Block, Card, Fault, Hash, Invitation, Key, NewDevice, Note, Replacement,
};

/// A request to write, and where its answer goes.
pub(super) struct Request {
    pub(super) work: Work,
    pub(super) answer: Answer,
}

/// What a request asks for.
pub(super) enum Work {
    /// Something that is committed as a whole, with others.
    Change(Change),
    /// Cards and what ends them, committed piece by piece.
    Catalogue { cards: Vec<Card>, end: End },
    /// Something that is done alone.
    Alone(Alone),
}

/// Work of the operator's tools that is done between two commits.
pub(super) enum Alone {
    /// Replaces lines and writes the file anew.
    Rewrite(Replacement),
    /// Removes tables.
    Remove(Vec<Key>),
}

/// Something to write.
pub(super) enum Change {
    Append {
        key: Key,
        after: u64,
        lines: Vec<Box<str>>,
        note: Option<Note>,
    },
    Put {
        hash: Hash,
        line: Box<str>,
    },
    Forget {
        hash: Hash,
    },
    Introduce {
        hash: Hash,
        line: Box<str>,
        at_s: u64,
    },
    AddDevice {
        device: NewDevice,
        most: u32,
    },
    KeepDevice {
        person: Hash,
        device: Hash,
    },
    SetPhrase {
        person: Hash,
        phrase: Option<Hash>,
    },
    Invite {
        invitation: Invitation,
        since_s: u64,
        most: u32,
    },
    Uninvite {
        to: Hash,
        from: Hash,
    },
    Touch {
        key: Key,
        at_s: u64,
    },
    Seen {
        hash: Hash,
        at_s: u64,
    },
    Block(Block),
    Unblock {
        subject: Box<str>,
    },
    Bar {
        key: Key,
        bar: Bar,
        now_s: u64,
    },
    Unbar {
        key: Key,
    },
    ExpireBars {
        now_s: u64,
    },
    Audit(AuditLine),
    /// What a copy from another engine brings.
    Copied(Copied),
    /// Writes a value that is stored already, to learn whether the file can be written.
    Probe,
}

/// The result of a change.
#[derive(Clone, Copy)]
pub(super) enum Done {
    Written,
    /// This number of rows has changed.
    Rows(u64),
    /// The table has `found` lines, and nothing was written to it.
    Conflict {
        found: u64,
    },
}

/// Writes until every sender is gone and the queue is empty.
pub(super) fn run(
    mut database: Database,
    mut appender: Appender,
    place: &Place,
    queue: &Receiver<Request>,
    shared: &Shared,
) {
    let mut filing = Filing::default();
    let mut pacing = Pacing::new(place.options.pace);
    loop {
        let mut batch = Batch::default();
        if filing.is_empty() {
            match next(queue, &shared.answers) {
                Some(first) => batch.take([first], &mut filing),
                None => break,
            }
        }
        batch.take(queue.try_iter().take(BATCH_MOST - batch.len()), &mut filing);
        let pause = pacing.pause(batch.len(), !filing.is_empty(), Instant::now());
        if !pause.is_zero() {
            thread::sleep(pause);
            batch.take(queue.try_iter().take(BATCH_MOST - batch.len()), &mut filing);
        }
        let now = Instant::now();
        pacing.begun(now);
        let piece = filing.next(batch.len(), now);
        let Batch { changes, answers, alone } = batch;
        let done = database.run(|connection| commit(connection, changes, &mut appender, piece));
        let filed = piece.map(|piece| piece.cards());
        match done {
            Ok(done) => {
                shared.count_commit();
                // Before the answers: a reader that asks after an answer finds the line.
                shared.recent.update(appender.committed());
                let filed = filed.and_then(|cards| filing.committed(cards, now, now.elapsed()));
                let answers = answers.into_iter().zip(done.into_iter().map(Ok));
                shared.answers.tell(answers.chain(filed));
            }
            // Every request gets the fault, conflicts included: a conflict may depend on a change
            // that was rolled back.
            Err(fault) => {
                appender.failed();
                let filed = filed.and_then(|_| filing.failed(&fault));
                let answers = answers.into_iter().map(|to| (to, Err(fault.clone())));
                shared.answers.tell(answers.chain(filed));
            }
        }
        for (work, answer) in alone {
            let done = do_alone(&mut database, &mut appender, shared, &work);
            shared.answers.tell([(answer, done.map(Done::Rows))]);
        }
        if shared.log_is_long.swap(false, Ordering::Relaxed) {
            checkpoints::carry_rest(&mut database);
        }
    }
    shared.answers.deliver_rest();
    // Lines that cannot be moved now are durable in `recent` and are moved after the next start.
    let _left_where_it_is = database.run(|connection| {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        appender.begin(connection)?;
        appender.settle_all(connection)?;
        Ok(connection.execute_batch("COMMIT")?)
    });
}

/// Does work that is done alone; returns how many rows have changed. After a fault a part may be
/// done already: doing it again is harmless.
fn do_alone(
    database: &mut Database,
    appender: &mut Appender,
    shared: &Shared,
    work: &Alone,
) -> Result<u64, Fault> {
    let changed = database.run(|connection| match work {
        Alone::Rewrite(replacement) => operations::replace_lines(connection, appender, replacement),
        Alone::Remove(keys) => operations::remove(connection, appender, keys),
    });
    let done = changed.and_then(|rows| {
        shared.count_commit();
        shared.recent.update(appender.committed());
        if let Alone::Rewrite(_) = work {
            database.run(|connection| operations::write_anew(connection))?;
        }
        Ok(rows)
    });
    if done.is_err() {
        appender.failed();
    }
    done
}

/// How long a task has to deliver the answers that were left to it.
const DELIVERY: Duration = Duration::from_millis(1);

/// Waits for the next request; `None` if there will be no more.
fn next(queue: &Receiver<Request>, answers: &Answers) -> Option<Request> {
    if !answers.is_empty() {
        match queue.recv_timeout(DELIVERY) {
            Ok(request) => return Some(request),
            Err(RecvTimeoutError::Timeout) => answers.deliver_rest(),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    queue.recv().ok()
}

/// The requests that share a commit.
#[derive(Default)]
struct Batch {
    changes: Vec<Change>,
    answers: Vec<Answer>,
    /// Done one by one after the commit.
    alone: Vec<(Alone, Answer)>,
}

impl Batch {
    fn len(&self) -> usize {
        self.changes.len()
    }

    /// Adds requests. Those about the catalogue are written piece by piece.
    fn take(&mut self, requests: impl IntoIterator<Item = Request>, filing: &mut Filing) {
        for Request { work, answer } in requests {
            match work {
                Work::Catalogue { cards, end } => filing.push(cards, end, answer),
                Work::Alone(work) => self.alone.push((work, answer)),
                Work::Change(change) => {
                    self.changes.push(change);
                    self.answers.push(answer);
                }
            }
        }
    }
}

/// Decides how long requests gather before a commit.
///
/// A commit costs as much CPU time as writing some twenty lines, and many small commits would take
/// CPU time from the game. While few requests wait, each is committed at once.
struct Pacing {
    pace: Duration,
    /// When the last commit began.
    last: Option<Instant>,
}

/// If at least this number of requests came during the last commit, the next commit waits for more.
const LOAD_FROM: usize = 4;

impl Pacing {
    fn new(pace: Duration) -> Self {
        Self { pace: pace.min(PACE_MOST), last: None }
    }

    /// How long to wait before a commit with `waiting` requests.
    fn pause(&self, waiting: usize, is_filing: bool, now: Instant) -> Duration {
        // Catalogue work alone is not urgent, and a commit for it would delay requests that arrive
        // meanwhile.
        if waiting < LOAD_FROM && !(is_filing && waiting == 0) {
            return Duration::ZERO;
        }
        let since = self.last.map(|last| now.saturating_duration_since(last));
        since.map_or(Duration::ZERO, |since| self.pace.saturating_sub(since))
    }

    fn begun(&mut self, now: Instant) {
        self.last = Some(now);
    }
}

/// Makes all changes in one transaction, and a piece of those to the catalogue. Each change is
/// checked before any part of it is written, so a conflict does not affect the others.
fn commit(
    connection: &mut Connection,
    changes: Vec<Change>,
    appender: &mut Appender,
    piece: Option<Piece>,
) -> Result<Vec<Done>, Trouble> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    appender.begin(connection)?;
    let done = changes.into_iter().map(|change| write(connection, change, appender));
    let done = done.collect::<Result<_, _>>()?;
    appender.end(connection)?;
    if let Some(piece) = piece {
        piece.write(connection)?;
    }
    connection.prepare_cached("COMMIT")?.execute([])?;
    Ok(done)
}

fn write(
    connection: &Connection,
    change: Change,
    appender: &mut Appender,
) -> Result<Done, Trouble> {
    match change {
        Change::Append { key, after, lines, note } => {
            return appender.append(connection, &key, after, lines, note.as_ref());
        }
        Change::Put { hash, line } => {
            let sql = "INSERT INTO people (hash, line) VALUES (?1, ?2)
                ON CONFLICT (hash) DO UPDATE SET line = excluded.line";
            connection.prepare_cached(sql)?.execute((hash, line))?;
        }
        Change::Forget { hash } => {
            devices::forget(connection, &hash)?;
            invitations::forget(connection, &hash)?;
            catalogue::forget(connection, &hash)?;
        }
        Change::Introduce { hash, line, at_s } => {
            devices::introduce(connection, &hash, &line, at_s)?;
        }
        Change::AddDevice { device, most } => {
            return Ok(Done::Rows(devices::add(connection, &device, most)?));
        }
        Change::KeepDevice { person, device } => {
            return Ok(Done::Rows(devices::keep(connection, &person, &device)?));
        }
        Change::SetPhrase { person, phrase } => {
            devices::set_phrase(connection, &person, phrase.as_ref())?;
        }
        Change::Invite { invitation, since_s, most } => {
            let rows = invitations::add(connection, &invitation, since_s, most)?;
            return Ok(Done::Rows(rows));
        }
        Change::Uninvite { to, from } => invitations::remove(connection, &to, &from)?,
        Change::Touch { key, at_s } => operations::touch(connection, &key, at_s)?,
        Change::Seen { hash, at_s } => operations::seen(connection, &hash, at_s)?,
        Change::Block(block) => return Ok(Done::Rows(operations::block(connection, &block)?)),
        Change::Unblock { subject } => {
            return Ok(Done::Rows(operations::unblock(connection, &subject)?));
        }
        Change::Bar { key, bar, now_s } => bars::add(connection, &key, &bar, now_s)?,
        Change::Unbar { key } => bars::end(connection, &key)?,
        Change::ExpireBars { now_s } => bars::expire(connection, now_s)?,
        Change::Audit(line) => operations::audit(connection, &line)?,
        Change::Copied(copied) => inventory::write(connection, copied)?,
        Change::Probe => {
            connection.prepare_cached("UPDATE catalogue SET edition = edition")?.execute([])?;
        }
    }
    Ok(Done::Written)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Duration = Duration::from_millis(10);

    /// The pause before a commit, `since_ms` after the last one began.
    fn pause_ms(waiting: usize, is_filing: bool, since_ms: Option<u64>) -> u128 {
        let now = Instant::now();
        let mut pacing = Pacing::new(PACE);
        if let Some(since) = since_ms {
            pacing.begun(now);
            return pacing
                .pause(waiting, is_filing, now + Duration::from_millis(since))
                .as_millis();
        }
        pacing.pause(waiting, is_filing, now).as_millis()
    }

    #[test]
    fn requests_gather_only_under_load() {
        for waiting in [1, LOAD_FROM - 1] {
            for is_filing in [false, true] {
                assert_eq!(pause_ms(waiting, is_filing, Some(0)), 0, "{waiting} wait");
            }
        }
        assert_eq!(pause_ms(LOAD_FROM, false, Some(0)), 10);
        assert_eq!(pause_ms(LOAD_FROM, false, Some(3)), 7);
        assert_eq!(pause_ms(LOAD_FROM, false, Some(11)), 0, "the commit took longer");
        assert_eq!(pause_ms(BATCH_MOST, false, None), 0, "it is the first");
        assert_eq!(pause_ms(0, true, Some(3)), 7, "catalogue work is not urgent");
        assert_eq!(Pacing::new(Duration::MAX).pace, PACE_MOST);
    }
}
