//! One game with agents in some of its seats.

use std::time::Duration;

use lab::{Plan, Player, Simulation};
use rules::kit::{Chance, Moment, Outcome, Seat, Seed, TableSetup, Viewer};
use rules::kit::{Seeding, View as _};
use table::Deal;

use crate::clock::Clock;
use crate::field::{FieldList, FieldWriter, Fields};
use crate::game::{EnvironmentGame, SECONDS_MOST, permitted_command};
use crate::options::{Limits, Options};
use crate::reward::{Gain, Rewards};

/// How long a step lasts if no seat has a plan.
const IDLE: Duration = Duration::from_secs(1);
/// The longest wait that an action can have. A longer one is cut to it.
pub const WAIT_S_MOST: f32 = 3_600.0;
/// The streams of a seed that the order within ticks is drawn from.
const TICKS_FROM: u64 = 1 << 43;

/// What all games of a batch have in common.
pub struct Terms<G: EnvironmentGame> {
    /// The set-up of the game.
    pub setup: G::Setup,
    /// The seats in which agents sit, in order.
    pub agents: Vec<Seat>,
    /// Clock, rewards, limits and partners.
    pub options: Options,
}

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The game is over, or its victory is decided.
    Over(Outcome),
    /// A limit was reached.
    CutOff,
}

/// An action of an agent.
#[derive(Clone, Copy, Debug)]
pub struct Action {
    /// The place of the command among the names; 0 passes.
    pub command: usize,
    /// How long to wait before it; ignored by the clock that ticks.
    pub wait_s: f32,
}

/// One game with agents in some of its seats.
pub struct Episode<G: EnvironmentGame> {
    simulation: Simulation<G>,
    deal: Option<Deal>,
    seed: Seed,
    /// What each agent's seat knows now.
    views: Vec<G::View>,
    /// What the last step brought each agent.
    gains: Vec<Gain>,
    /// What the bots plan until the next event.
    planned: Option<Planned<G::Command>>,
    began: Moment,
    steps: u32,
    end: Option<End>,
}

/// The earliest plan of the bots, and when they were asked for it.
struct Planned<C> {
    seq: u64,
    asked: Moment,
    plan: Option<Plan<C>>,
}

impl<G: EnvironmentGame> Episode<G> {
    /// Deals a game as the server deals it for that seed.
    pub fn open(terms: &Terms<G>, seed: Seed) -> Self {
        let deal = match terms.setup.manners().seeding {
            Seeding::Fresh => None,
            Seeding::Fixed => Some(Deal::fixed(seed)),
        };
        let cast = |luck: &mut Chance| -> Vec<Option<Player<G>>> {
            G::cast(&terms.options.seats, terms.options.partners_propose_stars, luck)
        };
        let simulation = Simulation::open(&terms.setup, seed, cast, |_, _| ());
        let mut episode = Self {
            simulation,
            deal,
            seed,
            views: Vec::with_capacity(terms.agents.len()),
            gains: vec![Gain::default(); terms.agents.len()],
            planned: None,
            began: Moment::START,
            steps: 0,
            end: None,
        };
        let views = terms.agents.iter().map(|seat| episode.view(*seat)).collect();
        episode.views = views;
        episode
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// The seed of its deals.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The time of the game.
    pub fn now(&self) -> Moment {
        self.simulation.now()
    }

    /// What a seat knows.
    pub fn view(&self, seat: Seat) -> G::View {
        self.simulation.live().view(Viewer::Seat(seat))
    }

    /// Writes what an agent observes, and what it may do.
    pub fn observe(&self, agent: usize, row: &mut [f32], mask: &mut [i8]) {
        let view = &self.views[agent];
        observe::<G>(view, self.began, self.now(), &mut FieldWriter::new(row));
        G::mask(view, mask);
    }

    /// The reward of the last step for an agent.
    pub fn reward(&self, terms: &Terms<G>, agent: usize) -> f32 {
        let won = match self.end {
            Some(End::Over(Outcome::Won)) => 1.0,
            Some(End::Over(Outcome::Best(seats))) if seats.contains(terms.agents[agent]) => {
                1.0 / f32::from(seats.len())
            }
            _ => 0.0,
        };
        Rewards::of(&terms.options.rewards, self.gains[agent], won)
    }

    /// Takes the actions of all agents and lets time pass until the next observation.
    pub fn step(&mut self, terms: &Terms<G>, action: impl Fn(usize) -> Action) {
        self.began = self.now();
        self.steps += 1;
        self.gains.fill(Gain::default());
        match terms.options.clock {
            Clock::Event => self.step_to_event(terms, action),
            Clock::Tick(length) => self.step_tick(terms, length, action),
        }
        for (view, seat) in self.views.iter_mut().zip(&terms.agents) {
            *view = self.simulation.live().view(Viewer::Seat(*seat));
        }
        self.end = self.ending(terms);
    }

    /// The earliest plan of all seats happens.
    fn step_to_event(&mut self, terms: &Terms<G>, action: impl Fn(usize) -> Action) {
        let mut first = self.bots_plan();
        let now = self.now();
        for (agent, seat) in terms.agents.iter().enumerate() {
            let Action { command, wait_s } = action(agent);
            let Some(command) = permitted_command::<G>(&self.views[agent], command) else {
                continue;
            };
            let plan = Plan { at: now.after(wait(wait_s)), seat: *seat, command };
            if first.as_ref().is_none_or(|first| plan.is_before(first)) {
                first = Some(plan);
            }
        }
        match first {
            Some(plan) => self.play(terms, plan),
            None => self.simulation.pass(now.after(IDLE)),
        }
    }

    /// The agents' commands happen at the start of the tick, in an order drawn for it; then the
    /// bots' plans that are due before its end.
    fn step_tick(&mut self, terms: &Terms<G>, length: Duration, action: impl Fn(usize) -> Action) {
        let end = self.began.after(length);
        let mut acting = (0..terms.agents.len()).collect::<Vec<_>>();
        if acting.len() > 1 {
            Chance::new(self.seed, TICKS_FROM + u64::from(self.steps)).shuffle(&mut acting);
        }
        for agent in acting {
            let seat = terms.agents[agent];
            // An earlier command of this tick may have changed what is permitted. What the agent
            // decided on counts: the card that it saw, if it still may play it.
            let place = action(agent).command;
            if let Some(command) = permitted_command::<G>(&self.views[agent], place)
                && self.view(seat).permits(&command).is_ok()
            {
                self.play(terms, Plan { at: self.began, seat, command });
            }
        }
        while self.ending(terms).is_none()
            && let Some(plan) = self.bots_plan().filter(|plan| plan.at < end)
        {
            self.play(terms, plan);
        }
        self.simulation.pass(end);
    }

    /// The earliest plan of the bots. They plan anew after every event and not before: a bot that
    /// was asked at each tick could put its plan off for ever. Bots without a plan are asked again
    /// when time has passed.
    fn bots_plan(&mut self) -> Option<Plan<G::Command>> {
        let (seq, now) = (self.simulation.live().seq(), self.now());
        let is_still = |planned: &&Planned<G::Command>| {
            planned.seq == seq && (planned.plan.is_some() || now < planned.asked.after(IDLE))
        };
        if let Some(planned) = self.planned.as_ref().filter(is_still) {
            return planned.plan;
        }
        let plan = self.simulation.earliest();
        self.planned = Some(Planned { seq, asked: now, plan });
        plan
    }

    fn play(&mut self, terms: &Terms<G>, plan: Plan<G::Command>) {
        let live = self.simulation.live();
        let stream = self
            .deal
            .as_ref()
            .map_or(live.seq(), |deal| deal.stream(G::draw_key(&live.view(Viewer::Spectator))));
        let players = terms.setup.players();
        let gains = &mut self.gains;
        let played = self.simulation.play(plan, stream, |_, event| {
            for (gain, seat) in gains.iter_mut().zip(&terms.agents) {
                *gain = gain.and(G::gain(event, *seat, players));
            }
        });
        // Agents' commands were checked by the same view, and bots plan what is permitted; a bot
        // that does not would hold the game up for ever.
        if played.is_err() {
            self.planned = None;
            self.simulation.pass(self.now().after(IDLE));
        }
    }

    fn ending(&self, terms: &Terms<G>) -> Option<End> {
        let live = self.simulation.live();
        let outcome = if terms.options.encore { live.outcome() } else { live.state().decided() };
        let Limits { steps, seconds } = terms.options.limits;
        let is_late = self.now().micros() as f64 >= seconds * 1e6;
        outcome.map(End::Over).or((self.steps >= steps || is_late).then_some(End::CutOff))
    }
}

/// All fields of an observation: the time first, which every game has, then the game's own.
pub fn observe<G: EnvironmentGame>(
    view: &G::View,
    began: Moment,
    now: Moment,
    fields: &mut impl Fields,
) {
    fields.number("now_s", SECONDS_MOST, now.micros() as f32 / 1e6);
    fields.number("passed_s", SECONDS_MOST, (now.micros() - began.micros()) as f32 / 1e6);
    G::observe(view, now, fields);
}

/// The observation of a view at that time, and its mask, each in a row of its own.
pub fn observed<G: EnvironmentGame>(
    setup: &G::Setup,
    view: &G::View,
    now: Moment,
) -> (Vec<f32>, Vec<i8>) {
    let mut list = FieldList::default();
    observe::<G>(view, now, now, &mut list);
    let (mut row, mut mask) = (vec![0.0; list.len()], vec![0; G::command_names(setup).len()]);
    observe::<G>(view, now, now, &mut FieldWriter::new(&mut row));
    G::mask(view, &mut mask);
    (row, mask)
}

fn wait(wait_s: f32) -> Duration {
    Duration::from_secs_f64(f64::from(wait_s.clamp(0.0, WAIT_S_MOST)))
}
