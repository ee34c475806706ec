//! What is counted while tables play.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Result;

use super::process::Process;

/// The results of one run.
#[derive(Default)]
pub struct Tally {
    /// Of moves that were due while it was measured.
    pub waits: Vec<Duration>,
    /// How long moves have waited that were due and are not done.
    pub late: Vec<Duration>,
    /// All moves that were done, measured or not.
    pub moves: u64,
    /// All games that were begun after the first, measured or not.
    pub games: u64,
    pub refusals: BTreeMap<String, u64>,
    /// Updates that brought one card, and their bytes.
    pub card_updates: u64,
    pub card_update_bytes: u64,
    /// From the beginning of the measurement to its end.
    pub used: Used,
}

/// What was done and used in some time.
#[derive(Clone, Copy, Default)]
pub struct Used {
    pub seconds: f64,
    pub moves: u64,
    pub games: u64,
    /// CPU time of the server, if its process is known.
    pub server: Option<Duration>,
    /// CPU time of the generator.
    pub generator: Duration,
}

/// Everything that has been used up to a moment.
#[derive(Clone, Copy)]
pub struct Reading {
    at: Duration,
    moves: u64,
    games: u64,
    server: Option<Duration>,
    generator: Duration,
}

impl Reading {
    pub fn take(at: Duration, tally: &Tally, server: Option<Process>) -> Result<Self> {
        let server = server.map(Process::cpu).transpose()?;
        let generator = Process::new(std::process::id()).cpu()?;
        Ok(Self { at, moves: tally.moves, games: tally.games, server, generator })
    }

    /// What was used since another reading.
    pub fn since(self, before: Self) -> Used {
        let server = self.server.zip(before.server);
        Used {
            seconds: self.at.saturating_sub(before.at).as_secs_f64(),
            moves: self.moves - before.moves,
            games: self.games - before.games,
            server: server.map(|(now, before)| now.saturating_sub(before)),
            generator: self.generator.saturating_sub(before.generator),
        }
    }
}

impl Used {
    pub fn moves_per_s(self) -> f64 {
        self.moves as f64 / self.seconds
    }

    /// Microseconds of a CPU time a move.
    pub fn us_per_move(self, time: Duration) -> f64 {
        time.as_secs_f64() * 1e6 / self.moves.max(1) as f64
    }

    /// The part of one core that the generator used.
    pub fn generator_share(self) -> f64 {
        self.generator.as_secs_f64() / self.seconds
    }
}
