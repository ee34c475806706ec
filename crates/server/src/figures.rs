//! Figures that are read when the metrics are: of the process, the file and its disk.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Weak};
use std::time::{SystemTime, UNIX_EPOCH};

use journal::Sqlite;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// What Linux counts CPU time in: hundredths of a second towards every program.
const TICKS_A_SECOND: f64 = 100.0;

/// The figures of the process. What the system does not tell is left out.
#[derive(Debug)]
pub(crate) struct ProcessFigures {
    started: SystemTime,
}

impl ProcessFigures {
    pub(crate) fn new() -> Self {
        Self { started: SystemTime::now() }
    }
}

impl Collector for ProcessFigures {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        let started = self.started.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        let help = "Seconds from 1970 to the start of the server";
        gauge(&mut encoder, "process_start_time_seconds", help, started)?;
        if let Ok(stat) = fs::read_to_string("/proc/self/stat")
            && let Some(seconds) = cpu_seconds(&stat)
        {
            counter(&mut encoder, "process_cpu_seconds", "CPU time in seconds", seconds)?;
        }
        if let Ok(status) = fs::read_to_string("/proc/self/status") {
            let figures = [
                ("VmRSS", 1024.0, "process_resident_memory_bytes", "Memory in use"),
                ("VmSize", 1024.0, "process_virtual_memory_bytes", "Memory that is addressed"),
                ("Threads", 1.0, "process_threads", "Threads"),
            ];
            for (key, unit, name, help) in figures {
                if let Some(value) = field(&status, key) {
                    gauge(&mut encoder, name, help, value * unit)?;
                }
            }
        }
        if let Ok(files) = fs::read_dir("/proc/self/fd") {
            let files = files.count() as f64;
            gauge(&mut encoder, "process_open_fds", "Open files and sockets", files)?;
        }
        if let Some(most) = files_most() {
            gauge(&mut encoder, "process_max_fds", "How many files may be open", most)?;
        }
        Ok(())
    }
}

/// The figures of the data file and its disk.
pub(crate) struct FileFigures {
    /// Weak: the journal is closed when its last owner is dropped.
    journal: Weak<Sqlite>,
    data: PathBuf,
}

impl FileFigures {
    pub(crate) fn new(journal: &Arc<Sqlite>, data: &Path) -> Self {
        Self { journal: Arc::downgrade(journal), data: data.to_owned() }
    }

    /// The file beside the data file with this ending.
    fn beside(&self, ending: &str) -> PathBuf {
        let mut name = self.data.clone().into_os_string();
        name.push(ending);
        name.into()
    }
}

impl fmt::Debug for FileFigures {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("FileFigures").field("data", &self.data).finish_non_exhaustive()
    }
}

impl Collector for FileFigures {
    fn encode(&self, mut encoder: DescriptorEncoder) -> fmt::Result {
        if let Some(journal) = self.journal.upgrade() {
            let commits = journal.commits() as f64;
            counter(&mut encoder, "commits", "Commits to the file", commits)?;
        }
        // The log is missing after a checkpoint that has emptied it.
        let bytes = |path: &Path| fs::metadata(path).map_or(0.0, |found| found.len() as f64);
        gauge(&mut encoder, "file_bytes", "Size of the data file", bytes(&self.data))?;
        let log = bytes(&self.beside("-wal"));
        gauge(&mut encoder, "log_bytes", "Size of the write-ahead log", log)?;
        if let Some((free, all)) = disk(&self.data) {
            gauge(&mut encoder, "disk_free_bytes", "Free bytes of the file's disk", free)?;
            gauge(&mut encoder, "disk_bytes", "Size of the file's disk", all)?;
        }
        Ok(())
    }
}

fn gauge(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: f64) -> fmt::Result {
    let gauge = ConstGauge::new(value);
    gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)
}

fn counter(encoder: &mut DescriptorEncoder, name: &str, help: &str, value: f64) -> fmt::Result {
    let counter = ConstCounter::new(value);
    counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)
}

/// The CPU time of a process, from its `/proc/PID/stat`. The name in it may have spaces and
/// brackets.
fn cpu_seconds(stat: &str) -> Option<f64> {
    let fields = stat.rsplit_once(')')?.1.split_whitespace().collect::<Vec<_>>();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / TICKS_A_SECOND)
}

/// A number in `/proc/PID/status`, without its unit.
fn field(status: &str, key: &str) -> Option<f64> {
    let value = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
    value.split_whitespace().next()?.parse().ok()
}

#[cfg(target_os = "linux")]
pub(crate) fn files_most() -> Option<f64> {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::Nofile).current.map(|most| most as f64)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn files_most() -> Option<f64> {
    None
}

/// The free bytes and the size of the disk that a file is on.
#[cfg(target_os = "linux")]
pub(crate) fn disk(file: &Path) -> Option<(f64, f64)> {
    let disk = rustix::fs::statvfs(file).ok()?;
    let bytes = |blocks: u64| blocks as f64 * disk.f_frsize as f64;
    Some((bytes(disk.f_bavail), bytes(disk.f_blocks)))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn disk(_: &Path) -> Option<(f64, f64)> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_behind_any_name() {
        let rest = "S 1 1 1 0 -1 4194560 100 0 0 0 250 50 0 0 20 0 9 0 1 1000 5";
        assert_eq!(cpu_seconds(&format!("7 (a) b (c)) {rest}")), Some(3.0));
        assert_eq!(cpu_seconds("7 (a"), None);
        assert_eq!(field("Name:\tx\nVmRSS:\t  12 kB\nThreads:\t3\n", "VmRSS"), Some(12.0));
        assert_eq!(field("VmRSSx:\t12 kB", "VmRSS"), None);
    }
}
