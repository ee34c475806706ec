//! How fast the journal is here, beside what the disk itself takes to sync.
//!
//! `cargo run --release -p journal --example pace -- [FOLDER] [SECONDS] [TABLES[@RATE]…]`
//!
//! Each table appends one line of 250 bytes, waits until it is durable, and appends the next: at
//! once, or at a given rate of appends a second over all tables. The last three columns are
//! microseconds of CPU time an append: of the thread that writes, of the one that checkpoints, and
//! of the whole process (Linux only).

use std::fs::{self, File};
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
    let mut loads = arguments.map(|text| Load::parse(&text)).collect::<Result<Vec<_>, _>>()?;
    if loads.is_empty() {
        let usual = ["1", "16", "64", "250", "1000", "250@1000", "1000@10000", "1000@25000"];
        loads = usual.into_iter().map(Load::parse).collect::<Result<_, _>>()?;
    }
    let folder = tempfile::tempdir_in(folder)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;

    println!(
        "{:>11} {:>9} {:>8} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7}",
        "tables", "appends/s", "a commit", "p50", "p99", "p99.9", "writer", "checks", "all"
    );
    for (number, load) in loads.into_iter().enumerate() {
        let sync = Row { name: "sync".into(), waits: syncs(folder.path())?, ..Row::default() };
        sync.print();
        let path = folder.path().join(format!("{number}.db"));
        let journal = Arc::new(Sqlite::open(path, Options::default())?);
        let (writer, checks, all) = (cpu("journal writer"), cpu("journal checkpo"), cpu(""));
        let waits = runtime.block_on(appends(&journal, &load, time))?;
        let appends = waits.len() as u64;
        let each = |before: Duration, after: Duration| {
            after.saturating_sub(before).as_secs_f64() * 1e6 / appends.max(1) as f64
        };
        let row = Row {
            name: load.name,
            rate: appends / time.as_secs().max(1),
            batch: appends / journal.commits().max(1),
            cpu_us: [
                each(writer, cpu("journal writer")),
                each(checks, cpu("journal checkpo")),
                each(all, cpu("")),
            ],
            waits,
        };
        row.print();
    }
    Ok(())
}

/// How many tables append, and how often.
struct Load {
    name: String,
    tables: usize,
    /// Appends a second over all tables; `None` for as many as are possible.
    rate: Option<f64>,
}

impl Load {
    fn parse(text: &str) -> Result<Self, Failed> {
        let (tables, rate) = match text.split_once('@') {
            Some((tables, rate)) => (tables, Some(rate.parse()?)),
            None => (text, None),
        };
        Ok(Self { name: text.into(), tables: tables.parse()?, rate })
    }
}

#[derive(Default)]
struct Row {
    name: String,
    rate: u64,
    batch: u64,
    waits: Vec<Duration>,
    cpu_us: [f64; 3],
}

impl Row {
    fn print(mut self) {
        self.waits.sort_unstable();
        let at = |thousandths: usize| self.waits.get(self.waits.len() * thousandths / 1000);
        let [p50, p99, p999] =
            [500, 990, 999].map(|place| at(place).copied().unwrap_or(Duration::MAX));
        let Self { name, rate, batch, cpu_us: [writer, checks, all], .. } = self;
        println!(
            "{name:>11} {rate:>9} {batch:>8} {p50:>9.2?} {p99:>9.2?} {p999:>9.2?} \
             {writer:>7.1} {checks:>7.1} {all:>7.1}"
        );
    }
}

/// The CPU time of this process's threads whose name begins so; zero where there is no `/proc`.
fn cpu(name: &str) -> Duration {
    let Ok(tasks) = fs::read_dir("/proc/self/task") else { return Duration::ZERO };
    let time = |task: fs::DirEntry| {
        let path = task.path();
        let comm = fs::read_to_string(path.join("comm")).ok()?;
        let stat = fs::read_to_string(path.join("schedstat")).ok()?;
        let ns = stat.split_whitespace().next()?.parse::<u64>().ok()?;
        comm.starts_with(name).then(|| Duration::from_nanos(ns))
    };
    tasks.filter_map(Result::ok).filter_map(time).sum()
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
    load: &Load,
    time: Duration,
) -> Result<Vec<Duration>, Failed> {
    let begin = Instant::now();
    let every = load.rate.map(|rate| Duration::from_secs_f64(load.tables as f64 / rate));
    let mut tasks = Vec::new();
    for table in 0..load.tables {
        let key: Key = format!("table-{table}").parse()?;
        let journal = Arc::clone(journal);
        // Tables take their turns evenly, so that they do not all append at the same instant.
        let share = table as f64 / load.tables as f64;
        tasks.push(tokio::spawn(async move {
            let mut waits = Vec::new();
            let mut due = begin + every.map_or(Duration::ZERO, |every| every.mul_f64(share));
            while due.max(Instant::now()) < begin + time {
                if let Some(every) = every {
                    tokio::time::sleep_until(due.into()).await;
                    due += every;
                }
                let started = Instant::now();
                let line = format!("{{\"seq\":{:>6},\"event\":\"{:x>227}\"}}", waits.len(), "");
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
