//! One game as a race of plans, step by step.
//!
//! [`play_many`](crate::play_many) plays whole games with it; the environment for learning agents
//! steps it, with seats whose plans come from outside.

use bots::Bot;
use rules::kit::{Chance, Game, Match, Moment, Refusal, Seat, Seed, Step, View, Viewer};

/// The streams of a game's seed that seats draw from lie beyond those of its steps.
const SEATS_FROM: u64 = 1 << 40;
const CAST_FROM: u64 = 1 << 41;

/// A bot in a seat of a simulated game.
pub type Player<G> = Box<dyn Bot<G> + Send>;

/// What a seat will do and when, unless an event comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan<C> {
    /// When it happens.
    pub at: Moment,
    /// The seat that acts.
    pub seat: Seat,
    /// What it does.
    pub command: C,
}

impl<C> Plan<C> {
    /// Whether this plan happens before the other: the earlier one does, and of plans for the same
    /// microsecond that of the lower seat.
    pub fn is_before(&self, other: &Self) -> bool {
        (self.at, self.seat) < (other.at, other.seat)
    }
}

/// Why a plan was refused.
pub type PlanRefusal<G> = Refusal<<<G as Game>::View as View>::Refusal>;

/// A game in progress, and the bots in its seats. A seat without a bot is planned for by the caller.
pub struct Simulation<G: Game> {
    live: Match<G>,
    now: Moment,
    bots: Vec<BotSeat<G>>,
}

/// A seat, the bot in it and the bot's luck.
struct BotSeat<G: Game> {
    seat: Seat,
    bot: Player<G>,
    luck: Chance,
}

impl<G: Game> Simulation<G> {
    /// Opens a game. `cast` makes the bots, seat by seat, with the luck of this game; `watch` is
    /// shown every event of the deal.
    pub fn open<P: IntoIterator<Item = Option<Player<G>>>>(
        setup: &G::Setup,
        seed: Seed,
        cast: impl FnOnce(&mut Chance) -> P,
        watch: impl FnMut(Moment, &G::Event),
    ) -> Self {
        let step = Match::<G>::open(setup, seed);
        let players = Seat::all(step.next().state().players());
        let cast = cast(&mut Chance::new(seed, CAST_FROM));
        let bots = players.zip(cast).filter_map(|(seat, bot)| {
            let luck = Chance::new(seed, SEATS_FROM + seat.index() as u64);
            bot.map(|bot| BotSeat { seat, bot, luck })
        });
        let bots = bots.collect();
        let mut simulation = Self { live: *step.next(), now: Moment::START, bots };
        simulation.take(&step, watch);
        simulation
    }

    /// The game as it stands.
    pub fn live(&self) -> &Match<G> {
        &self.live
    }

    /// The time of the game: that of the last event, or later if time passed without one.
    pub fn now(&self) -> Moment {
        self.now
    }

    /// The earliest plan of all bots; `None` if no bot has anything to do.
    pub fn earliest(&mut self) -> Option<Plan<G::Command>> {
        let mut first = None::<Plan<G::Command>>;
        for BotSeat { seat, bot, luck } in &mut self.bots {
            let view = self.live.view(Viewer::Seat(*seat));
            if let Some((at, command)) = bot.plan(&view, self.now, luck) {
                let plan = Plan { at, seat: *seat, command };
                if first.as_ref().is_none_or(|first| plan.is_before(first)) {
                    first = Some(plan);
                }
            }
        }
        first
    }

    /// Carries a plan out and shows its events to the bots and to `watch`. What chance decides
    /// comes from that stream of the seed: [`Match::seq`] of the game, unless its deals are
    /// repeated. A refused plan changes nothing.
    pub fn play(
        &mut self,
        plan: Plan<G::Command>,
        stream: u64,
        watch: impl FnMut(Moment, &G::Event),
    ) -> Result<(), PlanRefusal<G>> {
        let step = self.live.submit_from(plan.at, plan.seat, plan.command, stream)?;
        self.take(&step, watch);
        Ok(())
    }

    /// Lets time pass in which nothing happens. Time never goes backwards.
    pub fn pass(&mut self, until: Moment) {
        self.now = self.now.max(until);
    }

    fn take(&mut self, step: &Step<G>, mut watch: impl FnMut(Moment, &G::Event)) {
        self.live = *step.next();
        self.now = self.live.at();
        let setup = *self.live.state().setup();
        for event in step.events() {
            watch(self.now, event);
            for BotSeat { seat, bot, .. } in &mut self.bots {
                if let Some(sight) = G::witness(event, Viewer::Seat(*seat)) {
                    bot.watch(&setup, self.now, &sight);
                }
            }
        }
    }
}
