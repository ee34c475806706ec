//! What was measured.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use anyhow::Result;
use serde::Serialize;

use super::process::Process;
use crate::out::{self, outln};

/// How many waits took how long, in milliseconds.
#[derive(Debug, Serialize)]
pub struct Times {
    pub p50_ms: f64,
    pub p99_ms: f64,
    pub p999_ms: f64,
    pub most_ms: f64,
}

impl Times {
    pub fn of(mut waits: Vec<Duration>) -> Self {
        waits.sort_unstable();
        let at = |thousandths: usize| {
            let place = (waits.len() * thousandths / 1_000).min(waits.len().saturating_sub(1));
            waits.get(place).copied().unwrap_or_default().as_secs_f64() * 1_000.0
        };
        Self { p50_ms: at(500), p99_ms: at(990), p999_ms: at(999), most_ms: at(1_000) }
    }
}

impl fmt::Display for Times {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { p50_ms, p99_ms, p999_ms, most_ms } = self;
        write!(
            f,
            "p50 {p50_ms:.2} ms, p99 {p99_ms:.2} ms, p99.9 {p999_ms:.2} ms, most {most_ms:.2} ms"
        )
    }
}

/// What the server holds in memory.
#[derive(Debug, Serialize)]
pub struct Memory {
    pub before_bytes: u64,
    pub after_bytes: u64,
    pub per_connection_bytes: u64,
}

impl Memory {
    /// The memory added since `before`, for each of the new connections.
    pub fn since(
        process: Option<Process>,
        before: Option<u64>,
        connections: u32,
    ) -> Result<Option<Self>> {
        let (Some(process), Some(before_bytes)) = (process, before) else { return Ok(None) };
        let after_bytes = process.resident_bytes()?;
        let added = after_bytes.saturating_sub(before_bytes);
        let per_connection_bytes = added / u64::from(connections.max(1));
        Ok(Some(Self { before_bytes, after_bytes, per_connection_bytes }))
    }
}

impl fmt::Display for Memory {
    #[allow(clippy::cast_precision_loss, reason = "memory is far below 2⁵² bytes")]
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        write!(
            f,
            "memory       {:.1} KB a connection ({:.1} MB before, {:.1} MB now)",
            self.per_connection_bytes as f64 / 1e3,
            megabytes(self.before_bytes),
            megabytes(self.after_bytes)
        )
    }
}

/// Of tables that play.
#[derive(Debug, Serialize)]
pub struct PlayReport {
    pub tables: u32,
    pub connections: u32,
    /// What was asked for; `None` if as much as possible.
    pub rate: Option<u32>,
    pub seconds: f64,
    pub moves: u64,
    pub moves_per_s: f64,
    /// How many games ended and were followed by another while it was measured.
    pub games: u64,
    /// From the scheduled send to the last player of the table having the update.
    pub latency: Times,
    /// Moves that should have been made by the end and were not; their wait so far counts.
    pub late: u64,
    pub refusals: BTreeMap<String, u64>,
    /// Tables that broke off, and why the first of them did.
    pub lost: u32,
    pub lost_why: Option<String>,
    /// CPU time of the server.
    pub cpu_us_per_move: Option<f64>,
    pub generator: Generator,
    pub card_updates: CardUpdates,
    pub memory: Option<Memory>,
}

/// What the generator itself used.
#[derive(Debug, Serialize)]
pub struct Generator {
    pub cpu_us_per_move: f64,
    /// The part of one core; near 1 it is the generator that is measured.
    pub cpu_share: f64,
}

/// Updates that brought one played card and nothing else.
#[derive(Debug, Serialize)]
pub struct CardUpdates {
    pub count: u64,
    /// Without the frame around them.
    pub mean_bytes: f64,
}

/// Of people who sit idle.
#[derive(Debug, Serialize)]
pub struct IdleReport {
    pub connections: u32,
    pub lost: u32,
    pub connect_s: f64,
    pub memory: Option<Memory>,
    /// The part of one core that the server uses meanwhile.
    pub cpu_share: Option<f64>,
}

/// Of tables that were asleep.
#[derive(Debug, Serialize)]
pub struct WakeReport {
    pub tables: usize,
    pub wake: Times,
}

impl fmt::Display for PlayReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let wanted = self.rate.map_or("flat out".to_owned(), |rate| format!("{rate} wanted"));
        writeln!(f, "tables       {} with {} people", self.tables, self.connections)?;
        writeln!(f, "moves        {:.0} a second ({wanted})", self.moves_per_s)?;
        writeln!(f, "latency      {}", self.latency)?;
        writeln!(f, "not in time  {}", self.late)?;
        writeln!(f, "games        {}", self.games)?;
        if let Some(cpu) = self.cpu_us_per_move {
            writeln!(f, "CPU time     {cpu:.1} µs a move")?;
        }
        let Generator { cpu_us_per_move, cpu_share } = self.generator;
        let percent = cpu_share * 100.0;
        writeln!(f, "generator    {cpu_us_per_move:.1} µs a move, {percent:.0} % of a core")?;
        let CardUpdates { count, mean_bytes } = self.card_updates;
        writeln!(f, "updates      {mean_bytes:.0} bytes for one card, mean of {count}")?;
        if let Some(memory) = &self.memory {
            writeln!(f, "{memory}")?;
        }
        for (code, count) in &self.refusals {
            writeln!(f, "refused      {count} × {code}")?;
        }
        if let Some(why) = &self.lost_why {
            writeln!(f, "broken off   {} tables: {why}", self.lost)?;
        }
        Ok(())
    }
}

impl fmt::Display for IdleReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "connections  {} in {:.1} s", self.connections, self.connect_s)?;
        writeln!(f, "lost         {}", self.lost)?;
        if let Some(memory) = &self.memory {
            writeln!(f, "{memory}")?;
        }
        if let Some(share) = self.cpu_share {
            writeln!(f, "CPU time     {:.1} % of a core", share * 100.0)?;
        }
        Ok(())
    }
}

impl fmt::Display for WakeReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "woken        {} tables: {}", self.tables, self.wake)
    }
}

/// Something to print.
pub trait Report: Serialize + fmt::Display {
    /// Prints it for people or for programs.
    fn print(&self, json: bool) -> Result<()> {
        if json {
            outln!("{}", serde_json::to_string(self)?);
        } else {
            out::text(&self.to_string());
        }
        Ok(())
    }
}

impl<T: Serialize + fmt::Display> Report for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_taken_from_the_sorted_waits() {
        let waits = (1..=1_000).rev().map(Duration::from_millis).collect();
        let Times { p50_ms, p99_ms, p999_ms, most_ms } = Times::of(waits);
        let found = [p50_ms, p99_ms, p999_ms, most_ms].map(|ms| ms.to_string());
        assert_eq!(found, ["501", "991", "1000", "1000"]);
        assert!(Times::of(Vec::new()).most_ms.abs() < f64::EPSILON);
    }
}
