//! Many games stepped at once, into arrays of the caller.

use rules::kit::{Chance, Seat, Seed, TableSetup};
use wire::{Command, WireGame};

use crate::episode::{Action, End, Episode, Terms, observe};
use crate::field::{Field, FieldList};
use crate::game::{EnvironmentGame, permitted_command};
use crate::options::Options;
use crate::partner::SeatPlan;

/// The streams of a first seed that the seeds of later games are drawn from.
const NEXT_FROM: u64 = 1 << 44;

/// When a game that has ended is followed by the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Autoreset {
    /// In the step after it ended; that step's actions are ignored and its rewards are zero.
    NextStep,
    /// In the step in which it ended: the observation is the next game's, and that of the end is
    /// written to the buffers for final observations.
    SameStep,
    /// When the caller resets it. Stepping a game that has ended is an error.
    Disabled,
}

/// What the agents do, game by game and agent by agent.
#[derive(Clone, Copy, Debug)]
pub struct Actions<'a> {
    /// The place of each command among the names.
    pub commands: &'a [i32],
    /// How long to wait before it; ignored by the clock that ticks, where it may be empty.
    pub waits_s: &'a [f32],
}

/// Where a step is written, game by game and agent by agent.
pub struct Buffers<'a> {
    /// What each agent observes.
    pub observations: &'a mut [f32],
    /// What each agent may do.
    pub masks: &'a mut [i8],
    /// What each agent earned.
    pub rewards: &'a mut [f32],
    /// Which games are over.
    pub terminated: &'a mut [bool],
    /// Which games were cut off.
    pub truncated: &'a mut [bool],
    /// Where observations of the end are written by [`Autoreset::SameStep`].
    pub finals: Option<Finals<'a>>,
}

/// Where observations of the end are written. Rows of games that have not ended are left alone.
pub struct Finals<'a> {
    /// What each agent observed.
    pub observations: &'a mut [f32],
    /// What each agent could have done.
    pub masks: &'a mut [i8],
}

/// Why a step was refused. No game has been stepped then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// An array has the wrong size.
    #[error("{name} has {found} numbers, give {wanted}")]
    Size {
        /// Which array.
        name: &'static str,
        /// Its size.
        found: usize,
        /// The size that fits.
        wanted: usize,
    },
    /// A command that there is not.
    #[error("game {game}, agent {agent}: there is no command {command}, choose 0 to {most}")]
    Command {
        /// The game.
        game: usize,
        /// The agent.
        agent: usize,
        /// What was given.
        command: i32,
        /// The last command.
        most: usize,
    },
    /// A wait that is no time.
    #[error("game {game}, agent {agent}: a wait is 0 seconds or more")]
    Wait {
        /// The game.
        game: usize,
        /// The agent.
        agent: usize,
    },
    /// The game was never reset, or has ended and is not reset by itself.
    #[error("game {0} has ended or was not begun, reset it first")]
    NotBegun(usize),
}

/// Many games of one set-up. The type of the game is erased.
pub struct Batch {
    games: Box<dyn AnyGames>,
    shape: Shape,
}

/// The sizes of everything that a batch reads and writes.
struct Shape {
    games: usize,
    agents: Vec<Seat>,
    fields: Vec<Field>,
    observation_len: usize,
    command_names: Vec<String>,
}

impl Batch {
    /// The most games of a batch.
    pub const GAMES_MOST: usize = 1 << 20;

    pub(crate) fn of<G: EnvironmentGame>(
        setup: G::Setup,
        options: Options,
        games: usize,
        autoreset: Autoreset,
    ) -> Self {
        let seats = Seat::all(setup.players()).zip(&options.seats);
        let agents = seats.filter(|(_, plan)| matches!(plan, SeatPlan::Agent));
        let agents = agents.map(|(seat, _)| seat).collect::<Vec<_>>();
        let mut list = FieldList::default();
        let first = rules::kit::Match::<G>::open(&setup, Seed::from(0)).commit();
        let view = first.view(rules::kit::Viewer::Seat(Seat::A));
        observe::<G>(&view, first.at(), first.at(), &mut list);
        let shape = Shape {
            games,
            observation_len: list.len(),
            fields: list.fields,
            command_names: G::command_names(&setup),
            agents: agents.clone(),
        };
        let terms = Terms::<G> { setup, agents, options };
        let slots = (0..games).map(|_| Slot { first: Seed::from(0), number: 0, episode: None });
        Self { games: Box::new(Games { terms, autoreset, slots: slots.collect() }), shape }
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        self.shape.games
    }

    /// How many agents each game has.
    pub fn agents(&self) -> usize {
        self.shape.agents.len()
    }

    /// The seats of the agents.
    pub fn agent_seats(&self) -> &[Seat] {
        &self.shape.agents
    }

    /// The parts of an observation, in order.
    pub fn fields(&self) -> &[Field] {
        &self.shape.fields
    }

    /// How many numbers an observation has.
    pub fn observation_len(&self) -> usize {
        self.shape.observation_len
    }

    /// The names of all commands, in the order in which actions count them.
    pub fn command_names(&self) -> &[String] {
        &self.shape.command_names
    }

    /// How many commands there are.
    pub fn commands(&self) -> usize {
        self.shape.command_names.len()
    }

    /// Begins a game with that seed, and writes what its agents observe and may do. Later games of
    /// this place follow from the seed.
    ///
    /// # Panics
    ///
    /// If there is no such game, or the slices are not as long as the rows of its agents.
    pub fn reset(&mut self, game: usize, seed: Seed, observations: &mut [f32], masks: &mut [i8]) {
        self.games.reset(game, seed);
        self.games.observe(game, &self.shape, observations, masks);
    }

    /// Steps all games. What is written and when is said by [`Autoreset`].
    pub fn step(&mut self, actions: Actions, buffers: Buffers) -> Result<(), StepError> {
        self.check(&actions, &buffers)?;
        self.games.step(&self.shape, actions, buffers)
    }

    /// The view of an agent's seat as JSON, as the server sends it, and its options; `None` before
    /// the game is begun.
    pub fn sent(&self, game: usize, agent: usize) -> Option<Sent> {
        self.games.sent(game, *self.shape.agents.get(agent)?)
    }

    /// The command that an action of an agent means now, as a player would send it; `None` if the
    /// action passes or is not permitted.
    pub fn command(&self, game: usize, agent: usize, place: usize) -> Option<Command> {
        self.games.command(game, *self.shape.agents.get(agent)?, place)
    }

    /// The seed of the game that is played; `None` before it is begun.
    pub fn seed(&self, game: usize) -> Option<Seed> {
        self.games.seed(game)
    }

    /// Whether the game has ended, and how; `None` if it has not.
    pub fn end(&self, game: usize) -> Option<&'static str> {
        self.games.end(game)
    }

    fn check(&self, actions: &Actions, buffers: &Buffers) -> Result<(), StepError> {
        let Shape { games, agents, observation_len, command_names, .. } = &self.shape;
        let rows = games * agents.len();
        let (numbers, places) = (rows * observation_len, rows * command_names.len());
        let waits = if actions.waits_s.is_empty() { 0 } else { rows };
        let finals = buffers.finals.as_ref();
        let sizes = [
            ("commands", actions.commands.len(), rows),
            ("waits", actions.waits_s.len(), waits),
            ("observations", buffers.observations.len(), numbers),
            ("masks", buffers.masks.len(), places),
            ("rewards", buffers.rewards.len(), rows),
            ("terminated", buffers.terminated.len(), *games),
            ("truncated", buffers.truncated.len(), *games),
            (
                "final observations",
                finals.map_or(numbers, |finals| finals.observations.len()),
                numbers,
            ),
            ("final masks", finals.map_or(places, |finals| finals.masks.len()), places),
        ];
        for (name, found, wanted) in sizes {
            if found != wanted {
                return Err(StepError::Size { name, found, wanted });
            }
        }
        let most = command_names.len() - 1;
        for (row, command) in actions.commands.iter().enumerate() {
            let (game, agent) = (row / agents.len(), row % agents.len());
            if usize::try_from(*command).is_ok_and(|place| place <= most) {
                continue;
            }
            return Err(StepError::Command { game, agent, command: *command, most });
        }
        for (row, wait_s) in actions.waits_s.iter().enumerate() {
            if wait_s.is_nan() || *wait_s < 0.0 {
                let (game, agent) = (row / agents.len(), row % agents.len());
                return Err(StepError::Wait { game, agent });
            }
        }
        Ok(())
    }
}

/// What the server would send an agent's seat, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sent {
    /// The view.
    pub view: String,
    /// What the view permits.
    pub options: String,
}

/// The games of a batch, with the type of the game erased.
trait AnyGames: Send {
    fn reset(&mut self, game: usize, seed: Seed);
    fn observe(&self, game: usize, shape: &Shape, observations: &mut [f32], masks: &mut [i8]);
    fn step(&mut self, shape: &Shape, actions: Actions, buffers: Buffers) -> Result<(), StepError>;
    fn sent(&self, game: usize, seat: Seat) -> Option<Sent>;
    fn command(&self, game: usize, seat: Seat, place: usize) -> Option<Command>;
    fn seed(&self, game: usize) -> Option<Seed>;
    fn end(&self, game: usize) -> Option<&'static str>;
}

struct Games<G: EnvironmentGame> {
    terms: Terms<G>,
    autoreset: Autoreset,
    slots: Vec<Slot<G>>,
}

/// A place where one game is played after the other.
struct Slot<G: EnvironmentGame> {
    /// The seed that the caller gave.
    first: Seed,
    /// How many games followed from it.
    number: u64,
    episode: Option<Episode<G>>,
}

impl<G: EnvironmentGame> Slot<G> {
    /// Begins the next game. Its seed follows from the first one's.
    fn next(&mut self, terms: &Terms<G>) -> &mut Episode<G> {
        self.number += 1;
        let mut chance = Chance::new(self.first, NEXT_FROM + self.number);
        let number = u64::from(chance.bits()) << 32 | u64::from(chance.bits());
        self.episode.insert(Episode::open(terms, Seed::from(number)))
    }
}

impl<G: EnvironmentGame> AnyGames for Games<G> {
    fn reset(&mut self, game: usize, seed: Seed) {
        let episode = Some(Episode::open(&self.terms, seed));
        self.slots[game] = Slot { first: seed, number: 0, episode };
    }

    fn observe(&self, game: usize, shape: &Shape, observations: &mut [f32], masks: &mut [i8]) {
        if let Some(episode) = &self.slots[game].episode {
            write_rows(episode, shape, observations, masks);
        }
    }

    fn step(&mut self, shape: &Shape, actions: Actions, buffers: Buffers) -> Result<(), StepError> {
        let Self { terms, autoreset, slots } = self;
        let is_begun = |slot: &Slot<G>| match (&slot.episode, *autoreset) {
            (None, _) => false,
            (Some(episode), Autoreset::Disabled) => episode.end().is_none(),
            (Some(_), Autoreset::NextStep | Autoreset::SameStep) => true,
        };
        if let Some(game) = slots.iter().position(|slot| !is_begun(slot)) {
            return Err(StepError::NotBegun(game));
        }
        let agents = terms.agents.len();
        let (numbers, places) =
            (agents * shape.observation_len, agents * shape.command_names.len());
        let Buffers { observations, masks, rewards, terminated, truncated, mut finals } = buffers;
        for (game, slot) in slots.iter_mut().enumerate() {
            let (first, rows) = (game * agents, game * agents..(game + 1) * agents);
            let observations = &mut observations[game * numbers..(game + 1) * numbers];
            let masks = &mut masks[game * places..(game + 1) * places];
            let Some(episode) = &mut slot.episode else { continue };
            if episode.end().is_some() {
                let episode = slot.next(terms);
                write_rows(episode, shape, observations, masks);
                rewards[rows].fill(0.0);
                (terminated[game], truncated[game]) = (false, false);
                continue;
            }
            episode.step(terms, |agent| Action {
                // Checked above: no command is negative.
                command: usize::try_from(actions.commands[first + agent]).unwrap_or(0),
                wait_s: actions.waits_s.get(first + agent).copied().unwrap_or(0.0),
            });
            for (agent, reward) in rewards[rows].iter_mut().enumerate() {
                *reward = episode.reward(terms, agent);
            }
            terminated[game] = matches!(episode.end(), Some(End::Over(_)));
            truncated[game] = matches!(episode.end(), Some(End::CutOff));
            if episode.end().is_some() && *autoreset == Autoreset::SameStep {
                if let Some(Finals { observations, masks }) = &mut finals {
                    let observations = &mut observations[game * numbers..(game + 1) * numbers];
                    let masks = &mut masks[game * places..(game + 1) * places];
                    write_rows(episode, shape, observations, masks);
                }
                write_rows(slot.next(terms), shape, observations, masks);
            } else {
                write_rows(episode, shape, observations, masks);
            }
        }
        Ok(())
    }

    fn sent(&self, game: usize, seat: Seat) -> Option<Sent> {
        let view = self.slots.get(game)?.episode.as_ref()?.view(seat);
        let options = G::sent_options(&view);
        Some(Sent {
            view: serde_json::to_string(&<G as WireGame>::sent_view(view)).ok()?,
            options: serde_json::to_string(&options).ok()?,
        })
    }

    fn command(&self, game: usize, seat: Seat, place: usize) -> Option<Command> {
        let view = self.slots.get(game)?.episode.as_ref()?.view(seat);
        permitted_command::<G>(&view, place).map(G::sent_command)
    }

    fn seed(&self, game: usize) -> Option<Seed> {
        Some(self.slots.get(game)?.episode.as_ref()?.seed())
    }

    fn end(&self, game: usize) -> Option<&'static str> {
        use rules::kit::Outcome;
        Some(match self.slots.get(game)?.episode.as_ref()?.end()? {
            End::Over(Outcome::Won) => "won",
            End::Over(Outcome::Lost) => "lost",
            End::Over(Outcome::Best(_)) => "best",
            End::CutOff => "cut off",
        })
    }
}

/// Writes what each agent of a game observes and may do.
fn write_rows<G: EnvironmentGame>(
    episode: &Episode<G>,
    shape: &Shape,
    observations: &mut [f32],
    masks: &mut [i8],
) {
    let rows = observations.chunks_exact_mut(shape.observation_len);
    let masks = masks.chunks_exact_mut(shape.command_names.len());
    for (agent, (row, mask)) in rows.zip(masks).enumerate() {
        episode.observe(agent, row, mask);
    }
}
