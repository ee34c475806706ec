//! Judging rounds of Royale that are over, apart from the tables and from those who are advised.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use rules::kit::Seat;
use rules::royale::{Code, Pack, Pegs, Possible, Row};
use solver::{Breakers, Judged, Solver, Stop};
use wire::{Between, JudgedRound, JudgedRow, Judgement};

/// How far the solver looks for one row: a fifth of a second at most, and nearly always to the end.
const STEPS_MOST: u32 = 20_000;
/// Room for half a million states: 24 MB.
const ROOM_BITS: u32 = 19;
/// So many rounds are remembered before all of them are forgotten.
const ROUNDS_MOST: usize = 1_000;

/// A round that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    pub(crate) number: u8,
    pub(crate) maker: Seat,
    pub(crate) code: Code,
    pub(crate) line: Line,
    /// Who asked each row.
    pub(crate) seats: Vec<Seat>,
}

/// What a judgement follows from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Line {
    pub(crate) pack: Pack,
    pub(crate) breakers: Breakers,
    pub(crate) asked: Vec<(Row, Pegs)>,
}

/// One judge for everyone, who looks at one game after the other.
#[derive(Clone, Default)]
pub(crate) struct Judge(Arc<Mutex<Mind>>);

#[derive(Default)]
struct Mind {
    solver: Option<Solver>,
    judged: HashMap<Line, Vec<Judged>>,
}

impl Judge {
    /// Judges these rounds; it may take a few seconds for a whole game.
    pub(crate) fn judge(&self, rounds: &[Round]) -> Judgement {
        let rounds = rounds.iter().map(|round| {
            let judged = self.rows(&round.line);
            let mut possible = Possible::of(round.line.pack);
            let rows = round.seats.iter().zip(judged).map(|(seat, judged)| {
                possible = possible.and_after(judged.row, judged.pegs);
                told(*seat, &judged, possible.cards())
            });
            let rows = rows.collect();
            let Round { number, maker, code, line, .. } = round;
            JudgedRound { round: *number, maker: *maker, code: *code, pack: line.pack, rows }
        });
        Judgement { rounds: rounds.collect() }
    }

    /// Between two rounds others may have their turn.
    fn rows(&self, line: &Line) -> Vec<Judged> {
        let mut mind = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(judged) = mind.judged.get(line) {
            return judged.clone();
        }
        let solver = mind.solver.get_or_insert_with(|| Solver::with_room(ROOM_BITS));
        let stop = || Stop::after_steps(STEPS_MOST);
        let judged = solver.judge(line.pack, line.breakers, &line.asked, stop);
        if mind.judged.len() >= ROUNDS_MOST {
            mind.judged.clear();
        }
        mind.judged.insert(line.clone(), judged.clone());
        judged
    }
}

fn told(seat: Seat, judged: &Judged, cards_after: Pack) -> JudgedRow {
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
