//! Judges the rows of finished rounds of Royale, with a solver of its own.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rules::kit::Seat;
use rules::royale::{Code, Pack, Pegs, Possible, Row};
use solver::{Breakers, Judged, Solver, Stop};
use wire::{Between, JudgedRound, JudgedRow, Judgement};

/// The solver's steps for one row: at most a fifth of a second, and nearly always an exact result.
const STEPS_MOST: u32 = 20_000;
/// Room for half a million states: 24 MB.
const ROOM_BITS: u32 = 19;
/// How many rounds the cache holds before it is cleared.
const ROUNDS_MOST: usize = 1_000;

/// A finished round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) number: u8,
    pub(crate) maker: Seat,
    pub(crate) code: Code,
    pub(crate) asked: AskedRows,
    /// Who asked each row.
    pub(crate) seats: Vec<Seat>,
}

/// Everything that a judgement depends on, and so its key in the cache.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct AskedRows {
    pub(crate) pack: Pack,
    pub(crate) breakers: Breakers,
    pub(crate) rows: Vec<(Row, Pegs)>,
}

/// Judges one round at a time, and caches the results.
#[derive(Clone, Default)]
pub(crate) struct Judge(Arc<Mutex<JudgeCache>>);

#[derive(Default)]
struct JudgeCache {
    solver: Option<Solver>,
    judged: HashMap<AskedRows, Vec<Judged>>,
}

impl Judge {
    /// Judges rounds. Blocks, for a few seconds with a whole game.
    pub(crate) fn judge(&self, rounds: &[Round]) -> Judgement {
        let rounds = rounds.iter().map(|round| {
            let judged = self.rows(&round.asked);
            let mut possible = Possible::of(round.asked.pack);
            let rows = round.seats.iter().zip(judged).map(|(seat, judged)| {
                possible = possible.and_after(judged.row, judged.pegs);
                judged_row(*seat, &judged, possible.cards())
            });
            let rows = rows.collect();
            let Round { number, maker, code, asked, .. } = round;
            JudgedRound { round: *number, maker: *maker, code: *code, pack: asked.pack, rows }
        });
        Judgement { rounds: rounds.collect() }
    }

    /// Judges one round. The lock is free between rounds, so that requests take turns.
    fn rows(&self, key: &AskedRows) -> Vec<Judged> {
        let mut cache = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(judged) = cache.judged.get(key) {
            return judged.clone();
        }
        let solver = cache.solver.get_or_insert_with(|| Solver::with_room(ROOM_BITS));
        let stop = || Stop::after_steps(STEPS_MOST);
        let judged = solver.judge(key.pack, key.breakers, &key.rows, stop);
        if cache.judged.len() >= ROUNDS_MOST {
            cache.judged.clear();
        }
        cache.judged.insert(key.clone(), judged.clone());
        judged
    }
}

fn judged_row(seat: Seat, judged: &Judged, cards_after: Pack) -> JudgedRow {
    let between = |(least, most)| Between { least, most };
    JudgedRow {
        seat,
        row: judged.row,
        pegs: judged.pegs,
        codes_before: judged.codes_before,
        codes_after: judged.codes_after,
        cards_after,
        best: if judged.is_best() { judged.row } else { judged.best.row },
        before: between(judged.best.expected()),
        asked: between(judged.expected),
        after: between(judged.after),
        cost: between(judged.cost()),
    }
}
