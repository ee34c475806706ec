//! What the machines at a table will do and when.

use bots::Kind;
use rules::kit::Seat;

use super::advice::Thought;
use super::kept::Course;
use super::task::Task;

/// What plans are made for: how far the game is, and who the machines are.
pub(super) type Planned = (u64, Vec<(Seat, Kind)>);

impl Task {
    /// Asks every machine again when something has happened; what happens around the game lets
    /// the plans stand. While somebody is missing, machines rest.
    pub(super) fn plan(&mut self) {
        let (machines, now, luck) = (self.machines(), self.now(), self.luck);
        let is_on = self.is_on();
        let Course::Playing(room) = &mut self.kept.course else { return self.unplan() };
        if !is_on {
            return self.unplan();
        }
        let planned = (room.steps(), machines);
        if self.planned.as_ref() == Some(&planned) {
            return;
        }
        self.plans.clear();
        for (seat, kind) in planned.1.iter().copied() {
            let made = move |(at, command)| (at, seat, command);
            if let Some(think) = room.thought(seat, kind, now, luck) {
                let planned = planned.clone();
                self.thoughts.spawn(async move {
                    let plan = tokio::task::spawn_blocking(think).await;
                    Thought::Plan(planned, plan.ok().flatten().map(made))
                });
            } else {
                self.plans.extend(room.plan(seat, kind, now, luck).map(made));
            }
        }
        self.planned = Some(planned);
    }

    fn unplan(&mut self) {
        self.plans.clear();
        self.planned = None;
    }
}
