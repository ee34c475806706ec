//! What the table works out for codebreakers, where its set-up has that aid (Y10).

use rules::kit::{Seat, Viewer};
use rules::royale::Row;
use wire::Help;

use super::kept::Course;
use super::task::Task;
use crate::advisor::Question;
use crate::record::Occupant;

/// A question on a seat's behalf, and its answer once it is there.
pub(super) struct Advised {
    seat: Seat,
    question: Question,
    row: Option<Row>,
}

/// An answer on its way.
pub(super) type Thought = (Seat, Question, Option<Row>);

impl Task {
    /// Lets the solver think about what people have to ask next, unless it has.
    pub(super) fn seek_advice(&mut self) {
        let Course::Playing(room) = &self.kept.course else { return self.advised.clear() };
        let people = self.kept.seating.iter().filter_map(|(seat, occupant)| match occupant {
            Occupant::Person { .. } => Some((seat, room.question(seat)?)),
            Occupant::Nobody | Occupant::Bot(_) => None,
        });
        let wanted = people.collect::<Vec<_>>();
        self.advised.retain(|known| wanted.contains(&(known.seat, known.question)));
        for (seat, question) in wanted {
            if self.advised.iter().all(|known| known.seat != seat) {
                self.advised.push(Advised { seat, question, row: None });
                let advisor = self.shared.advisor.clone();
                self.thoughts
                    .spawn(async move { (seat, question, advisor.advise(question).await) });
            }
        }
    }

    /// An answer is there; it may come too late.
    pub(super) fn hear_thought(&mut self, (seat, question, row): Thought) {
        let waiting = self
            .advised
            .iter_mut()
            .find(|known| known.seat == seat && known.question == question && known.row.is_none());
        let Some(known) = waiting else { return };
        known.row = row;
        for client in &self.clients {
            if self.sits(client.person.id) == Some(seat) {
                self.update_one(client.conn, None);
            }
        }
    }

    /// Everything that a viewer is helped with.
    pub(super) fn help(&self, viewer: Viewer) -> Option<Help> {
        let Course::Playing(room) = &self.kept.course else { return None };
        let mut help = room.help(viewer)?;
        let mut known = self.advised.iter();
        help.suggestion =
            known.find(|known| viewer == Viewer::Seat(known.seat)).and_then(|known| known.row);
        Some(help)
    }
}
