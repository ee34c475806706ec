//! Many games stepped at once, for Python.

use std::sync::{Mutex, MutexGuard, PoisonError};

use environment::{
    Actions, Autoreset, Batch as Games, Buffers, Clock, EnvironmentName, Finals, Limits, Options,
    Partner, Rewards, SeatPlan,
};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use rules::kit::Seed;
use wire::Setup;

use crate::arrays::{In, Out, out, read};
use crate::bad_argument;

/// Who sits in a seat: `None` for an agent, or the partners of which one is drawn for each game,
/// each by name or, for people of a file, by the file's text.
pub type SeatArgument = Option<Vec<(String, Option<String>)>>;

/// Many games of one set-up, stepped at once into arrays of the caller.
#[pyclass(frozen, module = "unspoken._native")]
pub struct Batch {
    games: Mutex<Games>,
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (name, setup, seats, games, autoreset, *, tick_s=None, rewards=(1.0, 0.0, 0.0),
        limit_steps=100_000, limit_s=7_200.0, partners_propose_stars=true, encore=false))]
    #[allow(clippy::too_many_arguments, reason = "Python names its arguments")]
    fn new(
        name: &str,
        setup: &str,
        seats: Vec<SeatArgument>,
        games: usize,
        autoreset: &str,
        tick_s: Option<f64>,
        rewards: (f32, f32, f32),
        limit_steps: u32,
        limit_s: f64,
        partners_propose_stars: bool,
        encore: bool,
    ) -> PyResult<Self> {
        let name = name.parse::<EnvironmentName>().map_err(bad_argument)?;
        let mut options = Options::new(name, setup).map_err(bad_argument)?;
        options.seats = read_seats(&options.setup, &seats)?;
        options.clock = match (options.clock, tick_s) {
            (clock, None) => clock,
            (Clock::Tick(_), Some(seconds)) => Clock::tick(seconds).map_err(bad_argument)?,
            (Clock::Event, Some(_)) => {
                return Err(bad_argument("the event clock has no ticks, leave tick_s out"));
            }
        };
        let (level, life, win) = rewards;
        options.rewards = Rewards { level, life, win };
        options.limits = Limits { steps: limit_steps, seconds: limit_s };
        options.partners_propose_stars = partners_propose_stars;
        options.encore = encore;
        let autoreset = match autoreset {
            "next-step" => Autoreset::NextStep,
            "same-step" => Autoreset::SameStep,
            "disabled" => Autoreset::Disabled,
            other => {
                let text = format!("{other:?} is none of next-step, same-step, disabled");
                return Err(bad_argument(text));
            }
        };
        let games = options.batch(games, autoreset).map_err(bad_argument)?;
        Ok(Self { games: Mutex::new(games) })
    }

    /// How many games there are.
    #[getter]
    fn games(&self) -> usize {
        self.lock().games()
    }

    /// The letters of the seats in which agents sit.
    #[getter]
    fn agent_seats(&self) -> Vec<String> {
        self.lock().agent_seats().iter().map(ToString::to_string).collect()
    }

    /// How many numbers an observation has.
    #[getter]
    fn observation_len(&self) -> usize {
        self.lock().observation_len()
    }

    /// The names of all commands, in the order in which actions count them.
    #[getter]
    fn command_names(&self) -> Vec<String> {
        self.lock().command_names().to_vec()
    }

    /// The parts of an observation: name, start, length and highest value.
    #[getter]
    fn fields(&self) -> Vec<(&'static str, usize, usize, f32)> {
        let games = self.lock();
        let fields = games.fields().iter();
        fields.map(|field| (field.name, field.start, field.len, field.high)).collect()
    }

    /// Begins games with these seeds, and writes the rows of their agents.
    fn reset(
        &self,
        py: Python<'_>,
        games: Vec<usize>,
        seeds: Vec<String>,
        mut observations: Out<'_, f32>,
        mut masks: Out<'_, i8>,
    ) -> PyResult<()> {
        let seeds = seeds.iter().map(|seed| seed.parse::<Seed>()).collect::<Result<Vec<_>, _>>();
        let seeds = seeds.map_err(bad_argument)?;
        if games.len() != seeds.len() {
            return Err(bad_argument("give one seed for each game that is reset"));
        }
        let observations = out("observations", &mut observations)?;
        let masks = out("masks", &mut masks)?;
        py.detach(|| {
            let mut all = self.lock();
            let (count, agents) = (all.games(), all.agents());
            let (numbers, places) = (agents * all.observation_len(), agents * all.commands());
            let fit = observations.len() == count * numbers && masks.len() == count * places;
            if !fit {
                return Err(bad_argument("observations or masks have the wrong size"));
            }
            for (game, seed) in games.into_iter().zip(seeds) {
                if game >= count {
                    return Err(bad_argument(format!("there is no game {game} of {count}")));
                }
                let row = &mut observations[game * numbers..(game + 1) * numbers];
                all.reset(game, seed, row, &mut masks[game * places..(game + 1) * places]);
            }
            Ok(())
        })
    }

    /// Steps all games into the caller's arrays, while other Python threads run.
    #[pyo3(signature = (commands, waits_s, observations, masks, rewards, terminated, truncated,
        final_observations=None, final_masks=None))]
    #[allow(clippy::too_many_arguments, reason = "one array each")]
    fn step(
        &self,
        py: Python<'_>,
        commands: In<'_, i32>,
        waits_s: In<'_, f32>,
        mut observations: Out<'_, f32>,
        mut masks: Out<'_, i8>,
        mut rewards: Out<'_, f32>,
        mut terminated: Out<'_, bool>,
        mut truncated: Out<'_, bool>,
        mut final_observations: Option<Out<'_, f32>>,
        mut final_masks: Option<Out<'_, i8>>,
    ) -> PyResult<()> {
        let finals = match (&mut final_observations, &mut final_masks) {
            (Some(observations), Some(masks)) => Some(Finals {
                observations: out("final_observations", observations)?,
                masks: out("final_masks", masks)?,
            }),
            (None, None) => None,
            _ => return Err(bad_argument("give both final_observations and final_masks, or none")),
        };
        let actions =
            Actions { commands: read("commands", &commands)?, waits_s: read("waits_s", &waits_s)? };
        let buffers = Buffers {
            observations: out("observations", &mut observations)?,
            masks: out("masks", &mut masks)?,
            rewards: out("rewards", &mut rewards)?,
            terminated: out("terminated", &mut terminated)?,
            truncated: out("truncated", &mut truncated)?,
            finals,
        };
        py.detach(|| self.lock().step(actions, buffers)).map_err(bad_argument)
    }

    /// The view of an agent's seat and its options, as the JSON that the server sends.
    fn sent(&self, game: usize, agent: usize) -> PyResult<(String, String)> {
        let sent = self.lock().sent(game, agent);
        let none =
            || PyIndexError::new_err("there is no such game or agent, or reset was not called");
        sent.map(|sent| (sent.view, sent.options)).ok_or_else(none)
    }

    /// The seed of the game that is played, as 64 hexadecimal digits.
    fn seed(&self, game: usize) -> Option<String> {
        let seed = self.lock().seed(game)?;
        Some(wire::hex(seed.bytes()))
    }

    /// How the game ended: `won`, `lost`, `best` or `cut off`; `None` if it goes on.
    fn end(&self, game: usize) -> Option<&'static str> {
        self.lock().end(game)
    }
}

impl Batch {
    /// A panic while a batch was stepped would leave it in any state, but never in an unsafe one.
    fn lock(&self) -> MutexGuard<'_, Games> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who sits in each seat.
pub fn read_seats(setup: &Setup, seats: &[SeatArgument]) -> PyResult<Vec<SeatPlan>> {
    let partner = |(name, text): &(String, Option<String>)| match text {
        Some(text) => Partner::person(text).map_err(bad_argument),
        None => Partner::read(setup, name).map_err(bad_argument),
    };
    let seat = |seat: &SeatArgument| match seat {
        None => Ok(SeatPlan::Agent),
        Some(partners) => {
            partners.iter().map(partner).collect::<PyResult<_>>().map(SeatPlan::OneOf)
        }
    };
    seats.iter().map(seat).collect()
}
