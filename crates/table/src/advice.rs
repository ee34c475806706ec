//! What the table works out for codebreakers, where its set-up has that aid (Y10).

use rules::kit::{Seat, Viewer};
use rules::royale::{Row, Zone};
use solver::Position;

use crate::any_match::AnyMatch;
use crate::effect::{Effect, Effects};
use crate::seating::Seating;

/// What a codebreaker would like to be advised on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// What everyone knows.
    pub position: Position,
    /// The zone that they break; `None` for a player who breaks both.
    pub zone: Option<Zone>,
}

/// The questions that the solver was asked for players, and its answers.
#[derive(Default)]
pub(crate) struct Advice {
    asked: Vec<Advised>,
}

struct Advised {
    seat: Seat,
    question: Question,
    row: Option<Row>,
}

impl Advice {
    /// Asks the solver about what people have to ask next, unless it was asked.
    pub(crate) fn seek(
        &mut self,
        live: Option<&dyn AnyMatch>,
        seating: &Seating,
        out: &mut Effects,
    ) {
        let Some(live) = live else { return self.asked.clear() };
        let people = seating.people();
        let wanted = people.filter_map(|(seat, _)| Some((seat, live.question(seat)?)));
        let wanted = wanted.collect::<Vec<_>>();
        self.asked.retain(|known| wanted.contains(&(known.seat, known.question)));
        for (seat, question) in wanted {
            if self.asked.iter().all(|known| known.seat != seat) {
                self.asked.push(Advised { seat, question, row: None });
                out.push(Effect::Advise { seat, question });
            }
        }
    }

    /// Takes an answer. Whether it still answers what the player wants to know.
    pub(crate) fn advised(&mut self, seat: Seat, question: Question, row: Option<Row>) -> bool {
        let waiting = self
            .asked
            .iter_mut()
            .find(|known| known.seat == seat && known.question == question && known.row.is_none());
        match waiting {
            Some(known) => {
                known.row = row;
                row.is_some()
            }
            None => false,
        }
    }

    /// The row that is suggested to a viewer.
    pub(crate) fn suggestion(&self, viewer: Viewer) -> Option<Row> {
        let known = self.asked.iter().find(|known| viewer == Viewer::Seat(known.seat));
        known.and_then(|known| known.row)
    }
}
