//! A cell of an experiment: everything that decides the result of some games.

use anyhow::{Result, ensure};
use bots::{Curve, Kin, Timing};
use lab::{Cast, People, Role, Study, Table, Tally, play_many};
use rules::door::GameName;
use rules::kit::Chance;
use serde::{Serialize, Serializer};
use table::is_race;
use wire::{Setup, with_race};

/// How many games are played to find the pace for a budget.
const CALIBRATION_GAMES: u64 = 4_000;

/// One table that is played at again and again.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Cell {
    pub(crate) game: GameName,
    /// How the table is set up, in the game's notation.
    pub(crate) setup: String,
    #[serde(serialize_with = "names")]
    pub(crate) seats: Vec<Role>,
    pub(crate) games: u64,
    pub(crate) seed: u64,
    /// Whether players propose stars.
    pub(crate) propose_stars: bool,
    /// The Weber fraction of unison and linear, and the noise of their hands.
    pub(crate) weber: f64,
    pub(crate) motor_s: f64,
    /// The pace of linear.
    pub(crate) linear_s: f64,
    /// The mean play time that unison aims at.
    pub(crate) budget_s: Option<f64>,
    pub(crate) people: People,
}

/// What a cell's games came to.
#[derive(Clone, Debug)]
pub(crate) struct Played {
    pub(crate) tally: Tally,
    /// The scale of unison's curve.
    pub(crate) scale_s: f64,
}

fn names<S: Serializer>(roles: &[Role], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&role_names(roles))
}

fn role_names(roles: &[Role]) -> String {
    roles.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl Cell {
    /// The seats as they are written on the command line.
    pub(crate) fn seat_names(&self) -> String {
        role_names(&self.seats)
    }

    /// What a sweep can vary beside game, seats, people, games and seed, by its name in the file.
    fn details(&self) -> [(&'static str, String); 9] {
        let budget_s =
            self.budget_s.map_or_else(|| "none".to_owned(), |budget_s| budget_s.to_string());
        [
            ("setup", self.setup.clone()),
            ("pace_s", self.people.pace.median_s.to_string()),
            ("pace_log_sd", self.people.pace.log_sd.to_string()),
            ("human_weber", self.people.noise.weber.to_string()),
            ("stars", self.propose_stars.to_string()),
            ("weber", self.weber.to_string()),
            ("motor_s", self.motor_s.to_string()),
            ("linear_s", self.linear_s.to_string()),
            ("budget_s", budget_s),
        ]
    }

    /// The table, or why there is none.
    pub(crate) fn table(&self) -> Result<Setup> {
        let setup = format!("players={} {}", self.seats.len(), self.setup);
        let setup = Setup::read(self.game, setup.trim())?;
        if is_race(&setup) { Ok(setup) } else { Err(no_tempo(self.game)) }
    }

    /// Fails if these players cannot sit there.
    pub(crate) fn check(&self) -> Result<()> {
        self.table()?;
        let people = self.seats.iter().filter(|role| **role == Role::Human).count();
        if let Some(told) = self.seats.iter().find(|role| role.is_told()) {
            ensure!(people > 0, "{told} is told of a person: seat one, as in --seats human,{told}");
        }
        if let Some(bound) = self.seats.iter().find(|role| role.is_bound()) {
            ensure!(
                self.game == GameName::Mind && self.seats.len() == 2,
                "{bound} plays The Mind with one person: use --game mind --seats human,{bound}"
            );
        }
        ensure!(
            self.budget_s.is_none() || self.seats.contains(&Role::Unison),
            "a budget is for unison, whose curve can be stretched: seat at least one"
        );
        Ok(())
    }

    /// The players.
    pub(crate) fn cast(&self) -> Cast {
        Cast {
            roles: self.seats.clone(),
            people: self.people.clone(),
            timing: Timing { weber: self.weber, motor_s: self.motor_s },
            curve: Curve::COMMON,
            pace_s: self.linear_s,
            stars: self.propose_stars,
        }
    }

    /// Plays the games. `progress` is told how many more were played.
    pub(crate) fn play(&self, progress: &(dyn Fn(u64) + Sync)) -> Result<Played> {
        let setup = self.table()?;
        let played = with_race!(&setup, G, own => {
            let cast = self.calibrated::<G>(own);
            Played { tally: self.tally::<G>(own, &cast, progress), scale_s: cast.curve.scale_s }
        });
        played.ok_or_else(|| no_tempo(self.game))
    }

    /// Plays the games of that cast.
    pub(crate) fn tally<G: Study + Kin>(
        &self,
        setup: &G::Setup,
        cast: &Cast,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Tally {
        let seated = |luck: &mut Chance| cast.seat::<G>(luck);
        play_many(&Table::<G> { setup, cast: &seated }, self.games, self.seed, progress)
    }

    /// The players, unison with the scale whose games take the budget on average, on games of
    /// another seed.
    fn calibrated<G: Study + Kin>(&self, setup: &G::Setup) -> Cast {
        let mut cast = self.cast();
        let Some(budget_s) = self.budget_s else { return cast };
        let other =
            Self { games: CALIBRATION_GAMES, seed: self.seed.wrapping_add(1), ..self.clone() };
        for _ in 0..8 {
            let tally = other.tally::<G>(setup, &cast, &|_| ());
            let ratio = budget_s / tally.play_s().max(1e-3);
            cast.curve.scale_s *= ratio;
            if (ratio - 1.0).abs() < 0.003 {
                break;
            }
        }
        cast
    }
}

/// How each cell differs from others with the same game, seats, people, games and seed, in words
/// such as `stars=0 pace_s=0.5`; empty for a cell that needs no telling apart.
pub(crate) fn differences(cells: &[Cell]) -> Vec<String> {
    let alike = |one: &Cell, other: &Cell| {
        (one.game, &one.seats, &one.people.name, one.games, one.seed)
            == (other.game, &other.seats, &other.people.name, other.games, other.seed)
    };
    let of_cell = |cell: &Cell| {
        let others = || cells.iter().filter(|other| alike(cell, other));
        let details = cell.details().into_iter().enumerate();
        let differing = details
            .filter(|(place, detail)| others().any(|other| other.details()[*place] != *detail));
        let words = differing.map(|(_, (name, value))| match name {
            "setup" if value.is_empty() => "usual setup".to_owned(),
            "setup" => value,
            name => format!("{name}={value}"),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    cells.iter().map(of_cell).collect()
}

/// Why a game cannot be studied.
fn no_tempo(game: GameName) -> anyhow::Error {
    anyhow::anyhow!("the players of {game} do not keep time: use mind, extreme or soulmates")
}
