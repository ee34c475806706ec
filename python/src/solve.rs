//! The solver of Royale Mastermind, for Python.

use pyo3::prelude::*;
use rules::royale::{Pack, Pegs, Row};
use solver::{Aim, Position, Solver, Stop};

use crate::bad_argument;

/// How many steps a search may take where the tablebase does not know the answer.
const STEPS: u32 = 200_000;
/// Room for two to the power of this many states.
const ROOM_BITS: u32 = 16;

/// The best row to ask: the row, how many codes are possible, and the least and the most rows that
/// are expected from here, which are equal where the row is proven to be best. `None` if there is
/// nothing left to ask.
///
/// `pack` has the cards that are not covered, all of them if it is left out; `rows` are the rows so
/// far with their pegs, as in `("AAB", "1b1w")`.
#[pyfunction]
#[pyo3(signature = (pack=None, rows=Vec::new()))]
pub fn best_row(
    py: Python<'_>,
    pack: Option<&str>,
    rows: Vec<(String, String)>,
) -> PyResult<Option<(String, u32, f64, f64)>> {
    let pack = pack.map_or(Ok(Pack::WHOLE), str::parse).map_err(bad_argument)?;
    let mut position = Position::of(pack);
    for (row, pegs) in rows {
        let row = row.parse::<Row>().map_err(bad_argument)?;
        position = position.and_after(row, pegs.parse::<Pegs>().map_err(bad_argument)?);
    }
    let advice = py.detach(|| {
        Solver::with_room(ROOM_BITS).advise(&position, Aim::Mean, &mut Stop::after_steps(STEPS))
    });
    Ok(advice.map(|advice| {
        let (least, most) = advice.expected();
        (advice.row.to_string(), advice.codes, least, most)
    }))
}
