//! Advice for codebreakers (Y10): the solver, apart from the tables.

use std::sync::{Arc, Mutex, PoisonError};

use rules::royale::Row;
use solver::{Aim, Solver, Stop};
use table::Question;

/// The solver's steps for one piece of advice: well below a tenth of a second.
const STEPS_MOST: u32 = 1_000;
/// Room for half a million states: 24 MB.
const ROOM_BITS: u32 = 19;

/// One solver for all tables. It runs on blocking threads, one question at a time.
#[derive(Clone, Default)]
pub(crate) struct Advisor(Arc<Mutex<Option<Solver>>>);

impl Advisor {
    /// The row to ask; `None` if there is nothing to ask.
    pub(crate) async fn advise(self, question: Question) -> Option<Row> {
        tokio::task::spawn_blocking(move || self.think(&question)).await.ok().flatten()
    }

    fn think(&self, Question { position, zone }: &Question) -> Option<Row> {
        let mut solver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let solver = solver.get_or_insert_with(|| Solver::with_room(ROOM_BITS));
        let mut stop = Stop::after_steps(STEPS_MOST);
        let advice = match zone {
            None => solver.advise(position, Aim::Mean, &mut stop),
            Some(zone) => solver.advise_zone(position, *zone, &mut stop),
        };
        advice.map(|advice| advice.row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::royale::{Code, Pack, Zone, answer};
    use solver::Position;

    /// A codebreaker who follows the advice finds the code, and solves both zones.
    #[tokio::test]
    async fn advice_leads_to_the_code() {
        let code = "B3,D1,E5".parse::<Code>().unwrap();
        let advisor = Advisor::default();
        let mut position = Position::of(Pack::WHOLE);
        let mut rows = 0;
        while let Some(row) = advisor.clone().advise(Question { position, zone: None }).await {
            let hidden = match row.zone() {
                Zone::Colours => code.colours(),
                Zone::Shapes => code.shapes(),
            };
            position = position.and_after(row, answer(row.triple(), hidden));
            rows += 1;
        }
        assert_eq!(position.possible().count(), 1);
        assert!((2..=9).contains(&rows), "{rows} rows");
    }
}
