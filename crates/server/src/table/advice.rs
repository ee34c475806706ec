//! What the table works out for codebreakers, where its set-up has that aid (Y10).

use rules::kit::{Moment, Seat, Viewer};
use rules::royale::Row;
use wire::{Command, Help};

use super::kept::Course;
use super::plan::Planned;
use super::task::Task;
use crate::advisor::Question;
use crate::record::Occupant;

/// A question on a seat's behalf, and its answer once it is there.
pub(super) struct Advised {
    seat: Seat,
    question: Question,
    row: Option<Row>,
}

/// What was thought apart from the table.
pub(super) enum Thought {
    /// A row to suggest.
    Row(Seat, Question, Option<Row>),
    /// What a machine will do and when, with what it was planned for.
    Plan(Planned, Option<(Moment, Seat, Command)>),
}

impl Task {
    /// Lets the solver think about what people have to ask next, unless it has.
    pub(super) fn seek_advice(&mut self) {
        let Course::Playing(room) = &self.kept.course else { return self.advised.clear() };
        let people = self.kept.seating.iter().filter_map(|(seat, occupant)| match occupant {
            Occupant::Person { .. } => Some((seat, room.question(seat)?)),
            Occupant::Nobody | Occupant::Bot(_) | Occupant::Ghost(_) => None,
        });
        let wanted = people.collect::<Vec<_>>();
        self.advised.retain(|known| wanted.contains(&(known.seat, known.question)));
        for (seat, question) in wanted {
            if self.advised.iter().all(|known| known.seat != seat) {
                self.advised.push(Advised { seat, question, row: None });
                let advisor = self.shared.advisor.clone();
                self.thoughts.spawn(async move {
                    Thought::Row(seat, question, advisor.advise(question).await)
                });
            }
        }
    }

    /// Something was thought to its end; it may come too late.
    pub(super) fn hear_thought(&mut self, thought: Thought) {
        match thought {
            Thought::Row(seat, question, row) => self.hear_advice(seat, question, row),
            Thought::Plan(planned, plan) if self.planned.as_ref() == Some(&planned) => {
                self.plans.extend(plan);
            }
            Thought::Plan(..) => {}
        }
    }

    fn hear_advice(&mut self, seat: Seat, question: Question, row: Option<Row>) {
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
