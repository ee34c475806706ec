//! What the disk takes by itself.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;

/// How often it is measured.
const SAMPLES: usize = 500;

/// What the disk takes to make 4 KiB at the end of a file durable.
#[derive(Clone, Copy)]
pub struct Sync {
    pub p50_ms: f64,
    pub p99_ms: f64,
}

impl Sync {
    /// Measures it in a folder of that disk, in about a second.
    pub fn measure(folder: &Path) -> Result<Self> {
        let mut file = File::create(folder.join("sync"))?;
        let mut waits = Vec::new();
        for _ in 0..SAMPLES {
            let started = Instant::now();
            file.write_all(&[7; 4_096])?;
            file.sync_data()?;
            waits.push(started.elapsed());
            std::thread::sleep(Duration::from_millis(1));
        }
        waits.sort_unstable();
        let at = |percent: usize| waits[SAMPLES * percent / 100].as_secs_f64() * 1_000.0;
        Ok(Self { p50_ms: at(50), p99_ms: at(99) })
    }
}
