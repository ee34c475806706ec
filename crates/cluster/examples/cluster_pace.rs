//! How fast the journal of a cluster is here, with three brokers on this machine.
//!
//! `cargo run --release -p cluster --example cluster_pace -- [SECONDS] [TABLES…]`
//!
//! Each table appends one line of 250 bytes, waits for the answer, and appends the next. The last
//! two columns are microseconds of CPU time an append: of this process, which stands for a node, and
//! of the three brokers together (Linux only). The engine has to be installed:
//! `cargo xtask cluster --install`.

#[path = "../tests/cluster/brokers.rs"]
mod brokers;

use std::sync::Arc;
use std::time::{Duration, Instant};

use cluster::{Cluster, Options, SyncCheck};
use journal::{Journal, Key};

use crate::brokers::{Brokers, SYNCING};

type Failed = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1);
    let time = Duration::from_secs(arguments.next().map_or(Ok(5), |text| text.parse())?);
    let mut loads = arguments.map(|text| text.parse()).collect::<Result<Vec<u32>, _>>()?;
    if loads.is_empty() {
        loads = vec![1, 16, 64, 250];
    }
    let brokers = Brokers::start(SYNCING);
    let folder = tempfile::tempdir()?;
    let mut options =
        Options::new(brokers.addresses(), "pace".parse()?, folder.path().join("index.db"));
    options.sync = SyncCheck::Ask(brokers.monitors());
    let node = Arc::new(Cluster::join(options).await?);

    println!(
        "{:>7} {:>9} {:>9} {:>9} {:>6} {:>8}",
        "tables", "appends/s", "p50", "p99", "node", "brokers"
    );
    for (number, tables) in loads.into_iter().enumerate() {
        let before = cpu(&brokers);
        let mut waits = appends(&node, number, tables, time).await?;
        let after = cpu(&brokers);
        waits.sort_unstable();
        let count = waits.len().max(1);
        let at = |share: usize| waits.get(waits.len() * share / 100).copied().unwrap_or_default();
        let each = |before: Duration, after: Duration| {
            after.saturating_sub(before).as_secs_f64() * 1e6 / count as f64
        };
        println!(
            "{tables:>7} {:>9.0} {:>6.1} ms {:>6.1} ms {:>6.0} {:>8.0}",
            count as f64 / time.as_secs_f64(),
            at(50).as_secs_f64() * 1e3,
            at(99).as_secs_f64() * 1e3,
            each(before.0, after.0),
            each(before.1, after.1),
        );
    }
    node.close().await;
    Ok(())
}

/// How long each append took.
async fn appends(
    node: &Arc<Cluster>,
    load: usize,
    tables: u32,
    time: Duration,
) -> Result<Vec<Duration>, Failed> {
    let end = Instant::now() + time;
    let writers = (0..tables).map(|table| {
        let node = Arc::clone(node);
        tokio::spawn(async move {
            let table = format!("t{load}-{table}").parse::<Key>()?;
            let line = "x".repeat(250);
            let mut waits = Vec::new();
            while Instant::now() < end {
                let begun = Instant::now();
                let lines = vec![line.as_str().into()];
                node.append(&table, waits.len() as u64, lines, None).await?;
                waits.push(begun.elapsed());
            }
            Ok::<_, Failed>(waits)
        })
    });
    let mut all = Vec::new();
    for writer in writers.collect::<Vec<_>>() {
        all.extend(writer.await??);
    }
    Ok(all)
}

/// The CPU time of this process and of the brokers so far.
fn cpu(brokers: &Brokers) -> (Duration, Duration) {
    let processes = (0..brokers.count()).filter_map(|number| brokers.process(number));
    let of_brokers = processes.map(|process| cpu_of(&process.as_raw_pid().to_string())).sum();
    (cpu_of("self"), of_brokers)
}

fn cpu_of(process: &str) -> Duration {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // Behind the name, which can have spaces: the state is field 3, and 14 and 15 are times.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>();
    Duration::from_millis(ticks * 10)
}
