//! Brokers that are killed, frozen and restarted, and a node that is cut off from them, while tables
//! are written to.
//!
//! `cargo xtask cluster --rounds 100` makes more rounds than the tests do.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream;
use cluster::Cluster;
use journal::{AppendError, Filter, Journal, Note, Page};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use tokio::time::sleep;

use crate::brokers::{Brokers, SYNCING};
use crate::cut::Cut;
use crate::{STREAMS, append, join, key, lines, options};

/// How many tables are written to. Two owners write to every fourth.
const TABLES: u64 = 16;
/// How long play may stand still after a fault.
const STANDSTILL_MOST: Duration = Duration::from_secs(30);
/// How long a node is cut off: longer than it takes to notice.
const CUT_OFF: Duration = Duration::from_secs(4);
/// How long a writer pauses between two appends: the brokers share the machine with other tests.
const PAUSE: Duration = Duration::from_millis(15);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fault {
    KillLeader,
    FreezeLeader,
    KillOther,
    FreezeOther,
    /// One of the two nodes reaches no broker for a while. What it sent arrives later.
    CutOff,
    /// One broker after the other is stopped and started, as for an update.
    RestartAll,
}

/// The short form makes the first four.
const FAULTS: [Fault; 6] = [
    Fault::KillLeader,
    Fault::CutOff,
    Fault::FreezeLeader,
    Fault::FreezeOther,
    Fault::KillOther,
    Fault::RestartAll,
];

/// One owner of one table.
struct Writer {
    node: Arc<Cluster>,
    table: String,
    name: String,
    /// How many lines it believes in.
    lines: u64,
    /// How many it has tried to write.
    tried: u64,
    report: Report,
}

/// What a writer was told.
#[derive(Default)]
struct Report {
    acknowledged: Vec<String>,
    /// No answer: stored or not.
    open: Vec<String>,
    /// Not stored, and it may not be there.
    refused: Vec<String>,
}

/// What all writers share.
#[derive(Default)]
struct Course {
    is_over: AtomicBool,
    /// Counts appends, by writer.
    progress: Vec<AtomicU64>,
}

impl Writer {
    async fn write(mut self, number: usize, course: Arc<Course>) -> (String, Report) {
        while !course.is_over.load(Ordering::Relaxed) {
            self.append().await;
            if self.report.acknowledged.len() as u64
                > course.progress[number].load(Ordering::Relaxed)
            {
                course.progress[number]
                    .store(self.report.acknowledged.len() as u64, Ordering::Relaxed);
            }
            sleep(PAUSE).await;
        }
        (self.table, self.report)
    }

    async fn append(&mut self) {
        let count = 1 + self.tried % 3;
        let written = (0..count).map(|part| format!("{} {} {part}", self.name, self.tried));
        let written = written.collect::<Vec<_>>();
        self.tried += 1;
        let lines = written.iter().map(|line| line.as_str().into()).collect();
        let text = (self.lines + count).to_string().into();
        let note = Note { text, listed: true, ended: false };
        let answer = self.node.append(&key(&self.table), self.lines, lines, Some(note)).await;
        match answer {
            Ok(()) => {
                self.lines += count;
                self.report.acknowledged.extend(written);
            }
            Err(AppendError::Conflict { found }) => {
                self.lines = found;
                self.report.refused.extend(written);
            }
            Err(AppendError::Fault(journal::Fault::Unanswered)) => self.report.open.extend(written),
            Err(AppendError::Fault(journal::Fault::Unreachable(_))) => {
                self.report.refused.extend(written);
            }
            Err(AppendError::Fault(fault)) => panic!("table {}: {fault}", self.table),
        }
    }
}

impl Course {
    fn progress(&self) -> Vec<u64> {
        self.progress.iter().map(|count| count.load(Ordering::Relaxed)).collect()
    }

    /// Waits until every table has been written to since then.
    async fn wait_for_progress(&self, since: &[u64], fault: Fault) -> Duration {
        let begun = Instant::now();
        loop {
            let moved = |(now, before): (&u64, &u64)| now > before;
            let now = self.progress();
            // Of two owners one can be unlucky for long: their table moves if either does.
            let stuck = (0..TABLES).find(|table| {
                let of_table = writers_of(*table);
                !of_table.clone().any(|writer| moved((&now[writer], &since[writer])))
            });
            let Some(stuck) = stuck else { return begun.elapsed() };
            assert!(
                begun.elapsed() < STANDSTILL_MOST,
                "{fault:?}: table-{stuck} stands still for {STANDSTILL_MOST:?}"
            );
            sleep(Duration::from_millis(10)).await;
        }
    }
}

/// The numbers of a table's writers: all have one, and those with two owners have another at the end.
fn writers_of(table: u64) -> impl Iterator<Item = usize> + Clone {
    let rival = table.is_multiple_of(4).then_some((TABLES + table / 4) as usize);
    std::iter::once(table as usize).chain(rival)
}

fn from_environment(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_acknowledged_line_is_lost() {
    let rounds = from_environment("UNSPOKEN_CLUSTER_ROUNDS", 4);
    let seed = from_environment("UNSPOKEN_CLUSTER_SEED", 0);
    let luck = &mut ChaCha8Rng::seed_from_u64(seed);
    let mut brokers = Brokers::start(SYNCING);
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    // The second node can be cut off from all brokers.
    let cut = Cut::before(&brokers.addresses()).await;
    let mut behind = options(&brokers, "faults", folders[1].path());
    behind.brokers = cut.addresses();
    let nodes = [
        Arc::new(join(&brokers, "faults", folders[0].path()).await),
        Arc::new(Cluster::join(behind).await.unwrap()),
    ];
    let context = jetstream::new(async_nats::connect(brokers.addresses()).await.unwrap());
    let streams =
        (0..STREAMS).map(|number| format!("faults-lines-{number:02}")).collect::<Vec<_>>();

    let writers = TABLES + TABLES.div_ceil(4);
    let progress = (0..writers).map(|_| AtomicU64::new(0)).collect();
    let course = Arc::new(Course { progress, ..Course::default() });
    let mut tasks = Vec::new();
    for number in 0..writers {
        let table = if number < TABLES { number } else { (number - TABLES) * 4 };
        let node = &nodes[usize::from((number < TABLES) == table.is_multiple_of(2))];
        let writer = Writer {
            node: Arc::clone(node),
            table: format!("table-{table}"),
            name: format!("writer {number}:"),
            lines: 0,
            tried: 0,
            report: Report::default(),
        };
        tasks.push(tokio::spawn(writer.write(number as usize, Arc::clone(&course))));
    }

    let mut standstills = BTreeMap::<Fault, Vec<Duration>>::new();
    for round in 0..rounds {
        brokers.wait_until_whole(&context, &streams).await;
        sleep(Duration::from_millis(luck.random_range(100..400))).await;
        let fault = FAULTS[round as usize % FAULTS.len()];
        let led = brokers.leader(&context, &streams[luck.random_range(0..streams.len())]).await;
        let other = (led + luck.random_range(1..brokers.count())) % brokers.count();
        let standstill = match fault {
            Fault::KillLeader | Fault::KillOther => {
                let broker = if fault == Fault::KillLeader { led } else { other };
                brokers.kill(broker);
                let standstill = course.wait_for_progress(&course.progress(), fault).await;
                brokers.run(broker);
                standstill
            }
            Fault::FreezeLeader | Fault::FreezeOther => {
                let broker = if fault == Fault::FreezeLeader { led } else { other };
                brokers.freeze(broker);
                let standstill = course.wait_for_progress(&course.progress(), fault).await;
                brokers.thaw(broker);
                standstill
            }
            Fault::CutOff => {
                cut.cut();
                sleep(CUT_OFF).await;
                cut.mend();
                course.wait_for_progress(&course.progress(), fault).await
            }
            Fault::RestartAll => {
                for broker in 0..brokers.count() {
                    brokers.stop(broker);
                    brokers.run(broker);
                    brokers.wait_until_whole(&context, &streams).await;
                }
                course.wait_for_progress(&course.progress(), fault).await
            }
        };
        standstills.entry(fault).or_default().push(standstill);
    }
    brokers.wait_until_whole(&context, &streams).await;
    course.is_over.store(true, Ordering::Relaxed);

    let mut reports = BTreeMap::<String, Vec<Report>>::new();
    for task in tasks {
        let (table, report) = task.await.unwrap();
        reports.entry(table).or_default().push(report);
    }
    let mut checked = 0;
    for (table, reports) in &reports {
        checked += check(&nodes, table, reports).await;
    }
    assert!(checked > 100, "only {checked} lines were written");
    check_lists(&nodes, &reports).await;
    let open = reports.values().flatten().map(|report| report.open.len()).sum::<usize>();
    println!("{rounds} faults, {checked} acknowledged lines are there once, {open} stayed open");
    for (fault, mut times) in standstills {
        times.sort_unstable();
        let (half, most) = (times[times.len() / 2], times[times.len() * 95 / 100]);
        println!("{fault:?}: {} times, p50 {half:.1?}, p95 {most:.1?} to play on", times.len());
    }
    for node in nodes {
        node.close().await;
    }
}

/// Two of three brokers are gone for longer than a node waits: nothing is acknowledged, and it goes
/// on by itself when they are back.
pub async fn check_without_majority(brokers: &mut Brokers) {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(brokers, "majority", folder.path());
    options.patience = Duration::from_secs(4);
    let node = Cluster::join(options).await.unwrap();
    assert_eq!(append(&node, "t", 0, "1").await, Ok(()));

    brokers.kill(0);
    brokers.kill(1);
    let unanswered = AppendError::Fault(journal::Fault::Unanswered);
    assert_eq!(append(&node, "t", 1, "2").await, Err(unanswered));
    // Of another table nothing is known, so nothing is sent.
    let answer = append(&node, "unknown", 0, "1").await;
    let Err(AppendError::Fault(fault)) = &answer else { panic!("it is acknowledged: {answer:?}") };
    assert!(
        matches!(fault, journal::Fault::Unreachable(_) | journal::Fault::Unanswered),
        "{fault}"
    );

    brokers.run(0);
    brokers.run(1);
    let begun = Instant::now();
    loop {
        assert!(begun.elapsed() < STANDSTILL_MOST, "it does not go on");
        // What stayed open may be stored or not, and can still arrive between these two.
        let Ok(found) = node.read(&key("t"), 0).await else { continue };
        if append(&node, "t", found.len() as u64, "3").await == Ok(()) {
            break;
        }
    }
    let found = lines(&node, "t").await;
    assert!(found == ["1", "3"] || found == ["1", "2", "3"], "{found:?}");
    node.close().await;
}

/// Checks a table against what its writers were told. Returns how many lines were acknowledged.
async fn check(nodes: &[Arc<Cluster>; 2], table: &str, reports: &[Report]) -> usize {
    let read = async |node: &Cluster| node.read(&key(table), 0).await.unwrap();
    let found = read(&nodes[0]).await;
    assert_eq!(found, read(&nodes[1]).await, "{table} is not the same for two nodes");
    let mut places = BTreeMap::<&str, usize>::new();
    for (place, line) in found.iter().enumerate() {
        let earlier = places.insert(line, place);
        assert_eq!(earlier, None, "{table} has {line:?} twice");
    }
    let mut acknowledged = 0;
    for report in reports {
        let at = report.acknowledged.iter().map(|line| {
            let place = places.get(line.as_str());
            *place.unwrap_or_else(|| panic!("{table} has lost {line:?}, which was acknowledged"))
        });
        assert!(at.is_sorted(), "{table} has lines in another order than they were written");
        acknowledged += report.acknowledged.len();
        for line in &report.refused {
            assert!(!places.contains_key(line.as_str()), "{table} has {line:?}, which was refused");
        }
    }
    let open = reports.iter().flat_map(|report| &report.open);
    let stored = open.filter(|line| places.contains_key(line.as_str())).count();
    assert_eq!(acknowledged + stored, found.len(), "{table} has lines that were never written");
    acknowledged
}

/// The last note of each table is in the index of each node.
async fn check_lists(nodes: &[Arc<Cluster>; 2], reports: &BTreeMap<String, Vec<Report>>) {
    for node in nodes {
        for table in reports.keys() {
            let note = node.note(&key(table)).await.unwrap();
            let begun = Instant::now();
            loop {
                let entries = node.list(Filter::default(), Page::first(100)).await.unwrap();
                let entry = entries.into_iter().find(|entry| entry.key.as_str() == table);
                if entry.map(|entry| entry.note) == note {
                    break;
                }
                assert!(begun.elapsed() < STANDSTILL_MOST, "the list has an old note of {table}");
                sleep(Duration::from_millis(50)).await;
            }
        }
    }
}
