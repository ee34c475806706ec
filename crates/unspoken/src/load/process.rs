//! Memory and CPU time of the server's process, from Linux's `/proc`.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result};

/// Linux counts CPU time for programs in hundredths of a second, on every machine.
const TICK: Duration = Duration::from_millis(10);

/// A process on this machine.
#[derive(Clone, Copy)]
pub struct Process(u32);

impl Process {
    pub fn new(pid: u32) -> Self {
        Self(pid)
    }

    /// Its resident memory in bytes.
    pub fn resident_bytes(self) -> Result<u64> {
        let text = self.read("status")?;
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix("kB"));
        let kilobytes = kilobytes.and_then(|number| number.trim().parse::<u64>().ok());
        Ok(kilobytes.context("the process has no memory")? * 1_024)
    }

    /// The CPU time that it has used.
    pub fn cpu(self) -> Result<Duration> {
        let text = self.read("stat")?;
        // The name stands in brackets and may contain anything.
        let (_, fields) = text.rsplit_once(')').context("the process has no name")?;
        let ticks = fields.split_whitespace().skip(11).take(2).map(str::parse::<u32>);
        let ticks = ticks.sum::<Result<u32, _>>().context("the process has no times")?;
        Ok(TICK * ticks)
    }

    fn read(self, file: &str) -> Result<String> {
        let path = format!("/proc/{}/{file}", self.0);
        fs::read_to_string(&path).with_context(|| format!("{path} cannot be read, check --pid"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_has_memory_and_time() {
        let me = Process::new(std::process::id());
        assert!(me.resident_bytes().unwrap() > 100_000);
        assert!(me.cpu().unwrap() < Duration::from_hours(10));
        assert!(Process::new(u32::MAX).cpu().is_err());
    }
}
