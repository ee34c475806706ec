//! How fast the journal is here, beside what the disk itself takes to sync.
//!
//! `cargo run --release -p journal --example pace -- [FOLDER] [SECONDS] [TABLES…]`
//!
//! Each table appends one line, waits until it is durable, and appends the next.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use journal::{Journal, Key, Options, Sqlite};

type Failed = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().unwrap_or_else(|| ".".into());
    let time = Duration::from_secs(arguments.next().map_or(Ok(3), |text| text.parse())?);
    let mut tables = arguments.map(|text| text.parse()).collect::<Result<Vec<usize>, _>>()?;
    if tables.is_empty() {
        tables = vec![1, 10, 100, 250, 1_000];
    }
    let folder = tempfile::tempdir_in(folder)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;

    println!(
        "{:>8} {:>10} {:>8} {:>9} {:>9} {:>9}",
        "tables", "appends/s", "a commit", "p50", "p99", "p99.9"
    );
    for tables in tables {
        show("sync", 0, 0, &mut syncs(folder.path())?);
        let path = folder.path().join(format!("{tables}.db"));
        let journal = Arc::new(Sqlite::open(path, Options::default())?);
        let mut waits = runtime.block_on(appends(&journal, tables, time))?;
        let rate = waits.len() as u64 / time.as_secs().max(1);
        show(&tables.to_string(), rate, waits.len() as u64 / journal.commits().max(1), &mut waits);
    }
    Ok(())
}

fn show(what: &str, rate: u64, batch: u64, waits: &mut [Duration]) {
    waits.sort_unstable();
    let at = |thousandths: usize| waits.get(waits.len() * thousandths / 1000).copied();
    let [p50, p99, p999] = [500, 990, 999].map(|place| at(place).unwrap_or_default());
    println!("{what:>8} {rate:>10} {batch:>8} {p50:>9.2?} {p99:>9.2?} {p999:>9.2?}");
}

/// What the disk takes to make 4 KiB at the end of a file durable.
fn syncs(folder: &Path) -> Result<Vec<Duration>, Failed> {
    let mut file = File::create(folder.join("sync"))?;
    let mut sync = || {
        let started = Instant::now();
        file.write_all(&[7; 4096])?;
        file.sync_data()?;
        Ok(started.elapsed())
    };
    (0..300).map(|_| sync()).collect()
}

async fn appends(
    journal: &Arc<Sqlite>,
    tables: usize,
    time: Duration,
) -> Result<Vec<Duration>, Failed> {
    let end = Instant::now() + time;
    let mut tasks = Vec::new();
    for table in 0..tables {
        let key: Key = format!("table-{table}").parse()?;
        let journal = Arc::clone(journal);
        tasks.push(tokio::spawn(async move {
            let mut waits = Vec::new();
            while Instant::now() < end {
                let started = Instant::now();
                let line = format!("{{\"seq\":{},\"event\":\"{:x>120}\"}}", waits.len(), "");
                journal.append(&key, waits.len() as u64, vec![line.into()], None).await?;
                waits.push(started.elapsed());
            }
            Ok::<_, Failed>(waits)
        }));
    }
    let mut all = Vec::new();
    for task in tasks {
        all.extend(task.await??);
    }
    Ok(all)
}
