//! The disk's own time for a durable write.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

/// From one sync to the next: as often as the moves that are measured beside it.
const EVERY: Duration = Duration::from_millis(1);
/// What is written before each sync.
const BYTES: usize = 4_096;
/// The file that is written over and over, so that the file system has no place to find.
const FILE_BYTES: u64 = 4 << 20;

/// What the disk takes to make 4 KiB durable, a thousand times a second.
#[derive(Clone, Copy)]
pub struct Sync {
    pub p50_ms: f64,
    pub p99_ms: f64,
}

impl Sync {
    /// Measures it for `time` in a folder of that disk. A sync counts from the moment it was due,
    /// as a move does, so a stall of the disk counts for all syncs that were due meanwhile.
    pub fn measure(folder: &Path, time: Duration) -> Result<Self> {
        let file = File::create(folder.join("sync"))?;
        let block = [7; BYTES];
        let places = || (0..FILE_BYTES).step_by(BYTES);
        for place in places() {
            file.write_all_at(&block, place)?;
        }
        file.sync_all()?;
        let (started, mut waits) = (Instant::now(), Vec::new());
        let due = (1..).map(|count| started + EVERY * count);
        for (due, place) in due.take_while(|due| *due < started + time).zip(places().cycle()) {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            file.write_all_at(&block, place)?;
            file.sync_data()?;
            waits.push(due.elapsed());
        }
        waits.sort_unstable();
        let at = |percent: usize| {
            let wait = waits.get(waits.len() * percent / 100);
            wait.map_or(f64::NAN, |wait| wait.as_secs_f64() * 1_000.0)
        };
        Ok(Self { p50_ms: at(50), p99_ms: at(99) })
    }
}
