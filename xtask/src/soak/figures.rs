//! What was done and seen during a soak, and what it has to look like.

use std::fmt::Write as _;

use anyhow::{Result, ensure};

use super::server::Seen;

/// The per cent of a life that are warm-up: memory may still grow then.
const WARM_UP_PERCENT: usize = 30;
/// How much more memory the end of a life may take than its middle.
const GROWTH_MOST: f64 = 1.25;
/// Lives with fewer samples than this are not judged.
const SAMPLES_LEAST: usize = 30;

/// Everything that is counted and measured.
#[derive(Default)]
pub struct Figures {
    pub samples: Vec<Sample>,
    pub waits: Vec<Wait>,
    /// When the server was started again, and how it had ended.
    pub restarts: Vec<(f64, &'static str)>,
    pub moves: u64,
    pub games: u64,
    pub tables: u64,
    pub people: u64,
    pub wakes: u64,
    pub wake_ms_most: f64,
    pub freezes: u64,
    pub backups: u64,
    /// Tables and people whose connection broke off while the server ran.
    pub lost: u64,
}

/// The process at one moment.
pub struct Sample {
    pub minutes: f64,
    /// Which process it was.
    pub life: u32,
    pub seen: Seen,
}

/// How long the moves of one round took.
pub struct Wait {
    pub minutes: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
}

impl Figures {
    /// The samples of each process.
    pub fn lives(&self) -> Vec<&[Sample]> {
        self.samples.chunk_by(|a, b| a.life == b.life).collect()
    }

    /// All that was done, in a few lines.
    pub fn summary(&self) -> String {
        let minutes = self.samples.last().map_or(0.0, |last| last.minutes);
        let mut text = format!(
            "{minutes:.0} minutes: {} moves, {} games ended and were followed by another, {} tables, \
             {} people came and went, {} lost\n{} wakes from disk, {:.0} ms at most; {} times \
             frozen for 3 s, {} backups\n",
            self.moves,
            self.games,
            self.tables,
            self.people,
            self.lost,
            self.wakes,
            self.wake_ms_most,
            self.freezes,
            self.backups,
        );
        for (minutes, how) in &self.restarts {
            let _infallible = writeln!(text, "{how} and started again at minute {minutes:.0}");
        }
        for life in self.lives() {
            let (Some(first), Some(last)) = (life.first(), life.last()) else { continue };
            let busy = (last.seen.cpu_s - first.seen.cpu_s)
                / (last.seen.age_s - first.seen.age_s).max(1.0);
            let _infallible = writeln!(
                text,
                "minutes {:.0} to {:.0}: memory {:.1} to {:.1} MB, open files {} to {}, \
                 threads {} to {}, {:.1} % of a core",
                first.minutes,
                last.minutes,
                first.seen.resident_bytes / 1e6,
                last.seen.resident_bytes / 1e6,
                first.seen.open_files,
                last.seen.open_files,
                first.seen.threads,
                last.seen.threads,
                busy * 100.0,
            );
        }
        let waits = self.waits.iter().map(|wait| wait.p99_ms).collect::<Vec<_>>();
        text + &format!(
            "p99 of a move: {:.1} ms in the middle round, {:.1} ms in the worst",
            median(waits.clone()),
            waits.into_iter().fold(0.0, f64::max)
        )
    }

    /// Fails if something was lost, or if memory or files keep growing within a life.
    pub fn judge(&self) -> Result<()> {
        ensure!(self.lost == 0, "{} connections broke off while the server ran", self.lost);
        for life in self.lives().into_iter().filter(|life| life.len() >= SAMPLES_LEAST) {
            let warm = &life[life.len() * WARM_UP_PERCENT / 100..];
            let (early, late) = warm.split_at(warm.len() / 2);
            for (what, figure) in [
                ("memory", (|seen: &Seen| seen.resident_bytes) as fn(&Seen) -> f64),
                ("the number of open files", |seen: &Seen| seen.open_files),
                ("the number of threads", |seen: &Seen| seen.threads),
            ] {
                let of = |half: &[Sample]| median(half.iter().map(|it| figure(&it.seen)).collect());
                let (early, late) = (of(early), of(late));
                ensure!(late <= early * GROWTH_MOST, "{what} grows: {early:.0}, then {late:.0}");
            }
        }
        Ok(())
    }
}

fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn life(resident_bytes: impl Fn(f64) -> f64) -> Figures {
        let samples = (0_u8..100).map(|index| {
            let minutes = f64::from(index);
            let seen = Seen {
                resident_bytes: resident_bytes(minutes),
                open_files: 20.0,
                threads: 8.0,
                file_bytes: 0.0,
                cpu_s: 0.0,
                age_s: minutes * 60.0,
                ready_ms: 1.0,
            };
            Sample { minutes, life: 1, seen }
        });
        Figures { samples: samples.collect(), ..Figures::default() }
    }

    #[test]
    fn memory_that_keeps_growing_is_found() {
        assert!(life(|_| 5e7).judge().is_ok());
        assert!(life(|minutes| if minutes < 30.0 { 3e7 } else { 5e7 }).judge().is_ok(), "warm-up");
        assert!(life(|minutes| 3e7 + minutes * 1e6).judge().is_err());
    }

    #[test]
    fn what_broke_off_is_a_failure() {
        assert!(Figures { lost: 1, ..life(|_| 5e7) }.judge().is_err());
    }
}
