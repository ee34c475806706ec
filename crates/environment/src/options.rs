//! How an environment is set up: untrusted options, and the batch that exists only if they are
//! valid.

use std::time::Duration;

use rules::door::GameName;
use wire::{Setup, with_game};

use crate::batch::{Autoreset, Batch};
use crate::clock::Clock;
use crate::game::EnvironmentGame;
use crate::name::EnvironmentName;
use crate::partner::{Partner, PartnerError, SeatPlan, check_told};
use crate::reward::Rewards;

/// The usual length of a tick, in seconds.
const TICK: Duration = Duration::from_millis(100);

/// When a game that does not end is cut off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// The most steps of a game.
    pub steps: u32,
    /// The most seconds of a game, in the time of the game.
    pub seconds: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 100_000, seconds: 7_200.0 }
    }
}

/// How an environment is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// The game and how it is set up.
    pub setup: Setup,
    /// How time passes.
    pub clock: Clock,
    /// Who sits where, one for each player.
    pub seats: Vec<SeatPlan>,
    /// What is rewarded.
    pub rewards: Rewards,
    /// When a game is cut off.
    pub limits: Limits,
    /// Whether partners propose stars. They agree to stars in any case.
    pub partners_propose_stars: bool,
    /// Whether a game goes on after its victory is decided, if its players want to.
    pub encore: bool,
}

impl Options {
    /// An environment with an agent in every seat. The set-up is in the game's notation, as in
    /// `players=2 lives=5`, or in the JSON of messages.
    pub fn new(name: EnvironmentName, setup: &str) -> Result<Self, OptionsError> {
        let setup = read_setup(name.game, setup)?;
        Ok(Self {
            setup,
            clock: if name.ticks { Clock::Tick(TICK) } else { Clock::Event },
            seats: vec![SeatPlan::Agent; usize::from(setup.players())],
            rewards: Rewards::default(),
            limits: Limits::default(),
            partners_propose_stars: true,
            encore: false,
        })
    }

    /// That number of games of this set-up.
    pub fn batch(self, games: usize, autoreset: Autoreset) -> Result<Batch, OptionsError> {
        self.check()?;
        if !(1..=Batch::GAMES_MOST).contains(&games) {
            return Err(OptionsError::Games { games });
        }
        let setup = self.setup;
        Ok(with_game!(&setup, G, own => Batch::of::<G>(*own, self, games, autoreset)))
    }

    fn check(&self) -> Result<(), OptionsError> {
        self.check_partners()?;
        if !self.seats.iter().any(|seat| matches!(seat, SeatPlan::Agent)) {
            return Err(OptionsError::NoAgent);
        }
        if !self.rewards.are_finite() {
            return Err(OptionsError::Rewards);
        }
        let Limits { steps, seconds } = self.limits;
        if steps == 0 || seconds.is_nan() || seconds <= 0.0 {
            return Err(OptionsError::Limits);
        }
        Ok(())
    }

    /// Whether there is a seat for each player, and each partner can play there.
    pub(crate) fn check_partners(&self) -> Result<(), OptionsError> {
        let (players, seats) = (self.setup.players(), self.seats.len());
        if seats != usize::from(players) {
            return Err(OptionsError::Seats { players, seats });
        }
        for seat in &self.seats {
            if let SeatPlan::OneOf(partners) = seat {
                if partners.is_empty() {
                    return Err(PartnerError::Empty.into());
                }
                for partner in partners {
                    with_game!(&self.setup, G, _own => G::check_partner(partner, players))?;
                }
            }
        }
        Ok(check_told(&self.seats)?)
    }
}

/// A set-up from the game's notation, or from JSON if it begins with a brace.
fn read_setup(game: GameName, text: &str) -> Result<Setup, OptionsError> {
    if text.trim_start().starts_with('{') {
        let setup = serde_json::from_str::<Setup>(text);
        let setup = setup.map_err(|error| OptionsError::Setup(error.to_string()))?;
        return if setup.game() == game {
            Ok(setup)
        } else {
            Err(OptionsError::OtherGame { game, found: setup.game() })
        };
    }
    Setup::read(game, text).map_err(|error| OptionsError::Setup(error.to_string()))
}

/// Why an environment cannot be set up so.
#[derive(Debug, thiserror::Error)]
pub enum OptionsError {
    /// The set-up cannot be read or played.
    #[error("the set-up cannot be played: {0}")]
    Setup(String),
    /// The set-up is for another game.
    #[error("the set-up is one of {found}, give one of {game}")]
    OtherGame {
        /// The game of the environment.
        game: GameName,
        /// The game of the set-up.
        found: GameName,
    },
    /// More or fewer seats than players.
    #[error("{seats} seats were named for {players} players, name as many as players")]
    Seats {
        /// The number of players.
        players: u8,
        /// How many were named.
        seats: usize,
    },
    /// There is no agent to act.
    #[error("no seat has an agent, name one of them \"agent\"")]
    NoAgent,
    /// There is an agent, and nothing that acts for it.
    #[error("games without agents have a partner in every seat, name one for \"agent\"")]
    Agent,
    /// The game is no race.
    #[error("only games whose players keep time can be simulated: mind, extreme, soulmates")]
    NoTempo,
    /// A partner cannot sit there.
    #[error(transparent)]
    Partner(#[from] PartnerError),
    /// A reward is no number.
    #[error("a reward is a finite number")]
    Rewards,
    /// A limit that no game can keep.
    #[error("the limits are at least one step and more than 0 seconds")]
    Limits,
    /// No games, or too many.
    #[error("{games} games cannot be played at once, choose 1 to {}", Batch::GAMES_MOST)]
    Games {
        /// How many were asked for.
        games: usize,
    },
}

/// Reads who sits in a seat: `agent` or a partner.
impl SeatPlan {
    /// Who sits in a seat, by name.
    pub fn read(setup: &Setup, text: &str) -> Result<Self, PartnerError> {
        match text {
            "agent" => Ok(Self::Agent),
            name => Ok(Self::OneOf(vec![Partner::read(setup, name)?])),
        }
    }
}
