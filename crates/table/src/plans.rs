//! What the bots at a table will do and when.

use std::time::Duration;

use bots::Kind;
use rules::kit::{Moment, Seat, Seed};
use wire::{BotKind, Command};

use crate::any_match::AnyMatch;
use crate::effect::{Effect, Effects};
use crate::entry::Cause;
use crate::fair::Stamp;
use crate::live_match::player;
use crate::seating::Occupant;
use crate::table::Table;
use crate::writing::Mover;

/// How long until plans are made again after one came to nothing.
const AGAIN: Duration = Duration::from_secs(1);

/// Which plan it is: of which seat, made for which point of which game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlanId {
    seat: Seat,
    round: u64,
}

/// The plans of the bots. They stand until something happens in the game.
pub(crate) struct Plans {
    /// The luck of the bots, apart from that of the deals.
    luck: Seed,
    /// What the plans were made for: how far the game is, and who the bots are.
    made_for: Option<(u64, Vec<(Seat, Kind)>)>,
    plans: Vec<Plan>,
    round: u64,
    /// No plan is made before, after one came to nothing.
    again_at: Option<Stamp>,
}

/// What a bot will do.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    pub(crate) at: Moment,
    pub(crate) seat: Seat,
    pub(crate) command: Command,
}

impl Plans {
    pub(crate) fn new(luck: Seed) -> Self {
        Self { luck, made_for: None, plans: Vec::new(), round: 0, again_at: None }
    }

    /// A new game has begun: the bots have new luck.
    pub(crate) fn restart(&mut self, luck: Seed) {
        self.luck = luck;
        self.clear();
    }

    /// A plan came to nothing: all are made again, but not at once, so that a plan that fails
    /// each time does not keep the table busy.
    pub(crate) fn failed(&mut self, now: Stamp) {
        self.clear();
        self.again_at = Some(now.after(AGAIN));
    }

    /// When plans are made again after one came to nothing.
    pub(crate) fn again_at(&self) -> Option<Stamp> {
        self.again_at
    }

    /// No bot does anything until plans are made again.
    pub(crate) fn clear(&mut self) {
        self.plans.clear();
        self.made_for = None;
        // While bots rest there is nothing to try again.
        self.again_at = None;
    }

    /// Asks every bot again when something has happened in the game or other bots sit there.
    pub(crate) fn make(
        &mut self,
        live: &mut dyn AnyMatch,
        bots: Vec<(Seat, Kind)>,
        (now, moment): (Stamp, Moment),
        out: &mut Effects,
    ) {
        if self.again_at.is_some_and(|at| at > now) {
            return;
        }
        self.again_at = None;
        let steps = live.steps();
        if self.made_for.as_ref().is_some_and(|(made, who)| *made == steps && *who == bots) {
            return;
        }
        self.plans.clear();
        self.round += 1;
        for (seat, kind) in bots.iter().copied() {
            if let Some(thinking) = live.thought(seat, kind, moment, self.luck) {
                let plan = PlanId { seat, round: self.round };
                out.push(Effect::Think { plan, thinking });
            } else if let Some((at, command)) = live.plan(seat, kind, moment, self.luck) {
                self.plans.push(Plan { at, seat, command });
            }
        }
        self.made_for = Some((steps, bots));
    }

    /// A plan that was thought out apart from the table; it may come too late.
    pub(crate) fn planned(&mut self, plan: PlanId, act: Option<(Moment, Command)>) {
        if plan.round == self.round
            && self.made_for.is_some()
            && let Some((at, command)) = act
        {
            self.plans.push(Plan { at, seat: plan.seat, command });
        }
    }

    /// The first plan.
    pub(crate) fn next(&self) -> Option<Plan> {
        self.plans.iter().copied().min_by_key(|plan| (plan.at, plan.seat))
    }
}

impl Table {
    /// The plan of a bot that is due, after all bots have seen what happened.
    pub(crate) fn bot_due(&mut self, now: Stamp, out: &mut Effects) -> Option<Plan> {
        self.plan(now, out);
        let at = self.bot_at()?;
        self.plans.next().filter(|_| at <= now)
    }

    /// When a bot plays next; `None` while it is unknown whether all players see the table.
    pub(crate) fn bot_at(&self) -> Option<Stamp> {
        let plan = self.plans.next()?;
        let patience = self.patience()?;
        Some(self.clock.stamp(plan.at).after(patience))
    }

    /// How long bots wait for players who pressed before them; `None` while it is unknown whether
    /// all players see the table.
    fn patience(&self) -> Option<Duration> {
        if !self.is_race() {
            return Some(Duration::ZERO);
        }
        let peers = self.people.presence.peers(self.state.seating());
        if peers.iter().any(|peer| peer.dark_since.is_some()) {
            return None;
        }
        let far = peers.iter().filter(|peer| !peer.lag.is_near());
        let longest = far.map(|peer| peer.lag.horizon()).max().unwrap_or_default();
        Some(longest.min(self.terms.settings.tuning.hold_max))
    }

    pub(crate) fn play_bot(&mut self, now: Stamp, plan: Plan, out: &mut Effects) {
        let cause = Cause::of_itself(plan.seat, self.clock.moment(now));
        if self.play(now, plan.at, &cause, &plan.command, Mover::Bot, out).is_err() {
            self.plans.failed(now);
        }
    }

    /// Lets the bots plan when something has happened. While a player is missing, bots rest.
    fn plan(&mut self, now: Stamp, out: &mut Effects) {
        let is_on = self.is_on();
        let bots = self.bots();
        let moment = self.clock.moment(now);
        match self.state.playing_mut() {
            Some(live) if is_on => self.plans.make(live, bots, (now, moment), out),
            _ => self.plans.clear(),
        }
    }

    /// Where bots play, for themselves or for a player who is gone, and which.
    fn bots(&self) -> Vec<(Seat, Kind)> {
        let stand_in = || player(BotKind::stand_in(self.state.setup().game()));
        let bots = self.state.seating().iter().filter_map(|(seat, occupant)| match occupant {
            Occupant::Bot(kind) => Some((seat, player(*kind))),
            Occupant::Ghost(ghost) => Some((seat, ghost.kind())),
            Occupant::Person { id, held, .. } => {
                (*held && !self.people.presence.is_here(*id)).then(|| (seat, stand_in()))
            }
            Occupant::Empty => None,
        });
        bots.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time to try again that outlives the game's pause would wake the table without end.
    #[test]
    fn bots_that_rest_try_nothing_again() {
        let (now, mut plans) = (Stamp::from_millis(10), Plans::new(Seed::from(1)));
        plans.failed(now);
        assert_eq!(plans.again_at(), Some(now.after(AGAIN)));
        plans.clear();
        assert_eq!(plans.again_at(), None);
    }
}
