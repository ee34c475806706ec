//! The one thread that writes: it takes what waits, commits it together, and answers.

use std::sync::atomic::Ordering;
use std::sync::mpsc::Receiver;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tokio::sync::oneshot;

use super::Shared;
use super::appender::Appender;
use super::catalogue;
use super::checkpoints;
use super::filing::{End, Filing};
use super::link::{Link, Place, Trouble};
use super::options::{BATCH_MOST, PACE_MOST};
use crate::{Card, Fault, Hash, Key, Note};

/// Something to write, and whom to tell.
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
}

/// Where an answer goes.
pub(super) type Answer = oneshot::Sender<Result<Done, Fault>>;

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
    /// Takes its turn, and changes nothing.
    Nothing,
}

/// What came of it.
#[derive(Clone, Copy)]
pub(super) enum Done {
    Written,
    /// The table has so many lines, and nothing was written to it.
    Conflict {
        found: u64,
    },
}

/// Writes until every sender is gone and the queue is empty.
pub(super) fn run(
    mut link: Link,
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
            match queue.recv() {
                Ok(first) => batch.take([first], &mut filing),
                Err(_closed) => break,
            }
        }
        batch.take(queue.try_iter().take(BATCH_MOST - batch.len()), &mut filing);
        let pause = pacing.pause(batch.len(), !filing.is_empty(), Instant::now());
        if !pause.is_zero() {
            thread::sleep(pause);
            batch.take(queue.try_iter().take(BATCH_MOST - batch.len()), &mut filing);
        }
        pacing.begun(Instant::now());
        let Batch { changes, answers } = batch;
        let done = link.run(|connection| commit(connection, changes, &mut appender, &filing));
        match done {
            Ok(done) => {
                shared.count_commit();
                // Before the answers: whoever reads after an answer finds the line.
                shared.recent.update(appender.committed());
                for (to, done) in answers.into_iter().zip(done) {
                    tell(to, Ok(done));
                }
                filing.committed();
            }
            // Even a conflict was found beside changes that are gone now, so all hear of the fault.
            Err(fault) => {
                appender.failed();
                for to in answers {
                    tell(to, Err(fault.clone()));
                }
                filing.failed(&fault);
            }
        }
        if shared.log_is_long.swap(false, Ordering::Relaxed) {
            checkpoints::carry_rest(&mut link);
        }
    }
    // What this cannot move is durable where it is, and is moved after the next start.
    let _left_where_it_is = link.run(|connection| {
        connection.execute_batch("BEGIN IMMEDIATE")?;
        appender.begin(connection)?;
        appender.settle_all(connection)?;
        Ok(connection.execute_batch("COMMIT")?)
    });
}

pub(super) fn tell(to: Answer, answer: Result<Done, Fault>) {
    let _nobody_waits_for_it = to.send(answer);
}

/// The requests that share a commit.
#[derive(Default)]
struct Batch {
    changes: Vec<Change>,
    answers: Vec<Answer>,
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
/// A commit costs as much CPU time as writing some twenty lines, so many small ones would take the
/// processor from those who play. While few requests wait, each is committed at once.
struct Pacing {
    pace: Duration,
    /// When the last commit began.
    last: Option<Instant>,
}

/// From so many requests that came during the last commit on, the next one waits for more.
const LOAD_FROM: usize = 4;

impl Pacing {
    fn new(pace: Duration) -> Self {
        Self { pace: pace.min(PACE_MOST), last: None }
    }

    /// How long to wait before a commit with so many requests.
    fn pause(&self, waiting: usize, is_filing: bool, now: Instant) -> Duration {
        // Nobody waits for the catalogue, but those who come meanwhile wait for the disk.
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

/// Makes all changes in one transaction, and a piece of those to the catalogue. Each is checked
/// before anything of it is written, so one that conflicts leaves the others alone.
fn commit(
    connection: &mut Connection,
    changes: Vec<Change>,
    appender: &mut Appender,
    filing: &Filing,
) -> Result<Vec<Done>, Trouble> {
    connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
    appender.begin(connection)?;
    let done = changes.into_iter().map(|change| write(connection, change, appender));
    let done = done.collect::<Result<_, _>>()?;
    appender.end(connection)?;
    filing.write(connection)?;
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
        Change::Forget { hash } => catalogue::forget(connection, &hash)?,
        Change::Nothing => {}
    }
    Ok(Done::Written)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACE: Duration = Duration::from_millis(10);

    /// The pause before a commit, so many milliseconds after the last one began.
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
        assert_eq!(pause_ms(0, true, Some(3)), 7, "nobody waits for the catalogue");
        assert_eq!(Pacing::new(Duration::MAX).pace, PACE_MOST);
    }
}
