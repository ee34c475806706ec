//! An experiment: a file that says which cells are played, one row of the result each.

use std::path::Path;

use anyhow::{Context, Result, ensure};
use lab::{People, Role, population};
use rules::door::GameName;
use serde::Deserialize;

use super::cell::Cell;

/// The experiments that come with the program.
pub(crate) const SHIPPED: &[(&str, &str)] = &[
    ("people", include_str!("../../../../experiments/people.toml")),
    ("unseen", include_str!("../../../../experiments/unseen.toml")),
    ("goals", include_str!("../../../../experiments/goals.toml")),
];

/// An experiment as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Experiment {
    /// A line for the result.
    pub(crate) title: String,
    /// What all cells have in common, unless a sweep says otherwise.
    #[serde(default)]
    game: Option<GameName>,
    #[serde(default)]
    games: Option<u64>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    setup: Option<String>,
    #[serde(default)]
    stars: Option<bool>,
    /// Each sweep has one cell for every combination of its values.
    sweep: Vec<Sweep>,
    /// Populations of the file's own.
    #[serde(default)]
    people: Vec<People>,
}

/// Values that are combined; a list that is left out is the value that all cells have.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sweep {
    game: Vec<GameName>,
    setup: Vec<String>,
    seats: Vec<String>,
    /// Names of populations; `model` is the usual one.
    people: Vec<String>,
    games: Vec<u64>,
    seed: Vec<u64>,
    stars: Vec<bool>,
    weber: Vec<f64>,
    motor_s: Vec<f64>,
    linear_s: Vec<f64>,
    budget_s: Vec<f64>,
    /// These replace what the population says.
    pace_s: Vec<f64>,
    pace_log_sd: Vec<f64>,
    human_weber: Vec<f64>,
}

impl Experiment {
    /// Reads a file, or the experiment of that name that comes with the program.
    pub(crate) fn read(name: &str) -> Result<Self> {
        if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            return Self::parse(text);
        }
        let text = std::fs::read_to_string(Path::new(name)).with_context(|| {
            let shipped = SHIPPED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            format!("the experiment {name} cannot be read; name a file, or one of {shipped}")
        })?;
        Self::parse(&text).with_context(|| name.to_owned())
    }

    fn parse(text: &str) -> Result<Self> {
        let experiment = toml::from_str::<Self>(text)?;
        ensure!(!experiment.sweep.is_empty(), "there is no [[sweep]] in it, add one with seats");
        for people in &experiment.people {
            people.check().with_context(|| format!("the people {:?}", people.name))?;
        }
        Ok(experiment)
    }

    /// All cells in the order of the file, the last list of a sweep turning fastest. `usual` has
    /// what the file leaves out.
    pub(crate) fn cells(&self, usual: &Cell) -> Result<Vec<Cell>> {
        let mut common = usual.clone();
        common.game = self.game.unwrap_or(common.game);
        common.games = self.games.unwrap_or(common.games);
        common.seed = self.seed.unwrap_or(common.seed);
        common.setup = self.setup.clone().unwrap_or(common.setup);
        common.propose_stars = self.stars.unwrap_or(common.propose_stars);
        let mut cells = Vec::new();
        for (number, sweep) in self.sweep.iter().enumerate() {
            let named = || format!("sweep {}", number + 1);
            let found = self.of_sweep(sweep, &common).with_context(named)?;
            for cell in &found {
                let row =
                    || format!("{}, {} with {}", named(), cell.seat_names(), cell.people.name);
                cell.check().with_context(row)?;
            }
            cells.extend(found);
        }
        Ok(cells)
    }

    fn of_sweep(&self, sweep: &Sweep, common: &Cell) -> Result<Vec<Cell>> {
        ensure!(!sweep.seats.is_empty(), "it has no seats, add seats = [\"human,kindred\"]");
        let seats =
            sweep.seats.iter().map(|seats| read_seats(seats)).collect::<Result<Vec<_>>>()?;
        let people = sweep.people.iter().map(|name| self.population(name, common));
        let people = people.collect::<Result<Vec<_>>>()?;
        let mut cells = vec![common.clone()];
        each(&mut cells, &sweep.game, |cell, game| cell.game = *game);
        each(&mut cells, &sweep.setup, |cell, setup| cell.setup.clone_from(setup));
        each(&mut cells, &seats, |cell, seats| cell.seats.clone_from(seats));
        each(&mut cells, &people, |cell, people| cell.people.clone_from(people));
        each(&mut cells, &sweep.pace_s, |cell, pace_s| cell.people.pace.median_s = *pace_s);
        each(&mut cells, &sweep.pace_log_sd, |cell, log_sd| cell.people.pace.log_sd = *log_sd);
        each(&mut cells, &sweep.human_weber, |cell, weber| cell.people.noise.weber = *weber);
        each(&mut cells, &sweep.stars, |cell, stars| cell.propose_stars = *stars);
        each(&mut cells, &sweep.weber, |cell, weber| cell.weber = *weber);
        each(&mut cells, &sweep.motor_s, |cell, motor_s| cell.motor_s = *motor_s);
        each(&mut cells, &sweep.linear_s, |cell, linear_s| cell.linear_s = *linear_s);
        each(&mut cells, &sweep.budget_s, |cell, budget_s| cell.budget_s = Some(*budget_s));
        each(&mut cells, &sweep.games, |cell, games| cell.games = *games);
        each(&mut cells, &sweep.seed, |cell, seed| cell.seed = *seed);
        for cell in &cells {
            cell.people.check()?;
            let numbers = [
                ("weber", cell.weber, 0.0),
                ("motor_s", cell.motor_s, 0.0),
                ("linear_s", cell.linear_s, f64::MIN_POSITIVE),
                ("budget_s", cell.budget_s.unwrap_or(1.0), f64::MIN_POSITIVE),
                ("games", cell.games as f64, 1.0),
            ];
            for (field, value, least) in numbers {
                let range = if least > 0.0 { "a number above 0" } else { "0 or more" };
                ensure!(value >= least && value.is_finite(), "{field} is {value}, write {range}");
            }
        }
        Ok(cells)
    }

    fn population(&self, name: &str, common: &Cell) -> Result<People> {
        if name == "model" {
            return Ok(common.people.clone());
        }
        if let Some(people) = self.people.iter().find(|people| people.name == name) {
            return Ok(people.clone());
        }
        population(name).with_context(|| {
            format!("people = [{name:?}]: name one of these, or add [[people]] to the file")
        })
    }
}

/// Every cell once with each of the values, or as it is if there are none.
fn each<T>(cells: &mut Vec<Cell>, values: &[T], set: impl Fn(&mut Cell, &T)) {
    if values.is_empty() {
        return;
    }
    let with = |cell: &Cell| {
        let cell = cell.clone();
        let set = &set;
        values.iter().map(move |value| {
            let mut cell = cell.clone();
            set(&mut cell, value);
            cell
        })
    };
    *cells = cells.iter().flat_map(with).collect();
}

/// Reads seats as they are written on the command line.
fn read_seats(text: &str) -> Result<Vec<Role>> {
    let role = |name: &str| {
        let role = name.trim().parse::<Role>().map_err(anyhow::Error::msg);
        role.with_context(|| format!("seats = [{text:?}]"))
    };
    text.split(',').map(role).collect()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::simulate::Company;
    use crate::simulate::cell::differences;

    /// What is meant if nothing is said.
    #[derive(Parser)]
    struct Unsaid {
        #[command(flatten)]
        company: Company,
    }

    fn usual() -> Cell {
        Unsaid::parse_from(["unspoken"]).company.cell(vec![]).unwrap()
    }

    #[test]
    fn a_sweep_has_a_cell_for_every_combination() {
        let text = "title = \"a\"\ngames = 7\nstars = false\n[[sweep]]\n\
            seats = [\"human,kindred\", \"human,linear\"]\npeople = [\"base\", \"own\"]\n\
            seed = [1, 2]\n[[sweep]]\nseats = [\"steady,steady\"]\n\
            [[people]]\nname = \"own\"\npace.median_s = 2\n";
        let cells = Experiment::parse(text).unwrap().cells(&usual()).unwrap();
        let shown = cells.iter().map(|cell| {
            assert_eq!((cell.games, cell.propose_stars), (7, false));
            format!("{} {} {}", cell.seat_names(), cell.people.name, cell.seed)
        });
        let expected = [
            "human,kindred base 1",
            "human,kindred base 2",
            "human,kindred own 1",
            "human,kindred own 2",
            "human,linear base 1",
            "human,linear base 2",
            "human,linear own 1",
            "human,linear own 2",
            "steady,steady model 1",
        ];
        assert_eq!(shown.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn rows_that_would_look_the_same_say_how_they_differ() {
        let text = "title = \"a\"\n[[sweep]]\nseats = [\"human,kindred\"]\n\
            people = [\"base\"]\nsetup = [\"\", \"stars=0\"]\npace_s = [0.5, 1.0]\n\
            [[sweep]]\nseats = [\"steady,steady\"]\n";
        let cells = Experiment::parse(text).unwrap().cells(&usual()).unwrap();
        let expected = [
            "usual setup pace_s=0.5",
            "usual setup pace_s=1",
            "stars=0 pace_s=0.5",
            "stars=0 pace_s=1",
            "",
        ];
        assert_eq!(differences(&cells), expected);
    }

    #[test]
    fn the_experiments_of_the_program_can_be_played() {
        for (name, _) in SHIPPED {
            let cells = Experiment::read(name).unwrap().cells(&usual()).unwrap();
            assert!(cells.len() > 4, "{name}: {} cells", cells.len());
        }
    }

    #[test]
    fn an_error_names_the_row_and_what_to_write() {
        let wrong = |sweep: &str| {
            let text = format!("title = \"a\"\n[[sweep]]\n{sweep}\n");
            let cells = Experiment::parse(&text).and_then(|read| read.cells(&usual()));
            format!("{:#}", cells.unwrap_err())
        };
        for (sweep, parts) in [
            ("seats = [\"human kindred\"]", &["sweep 1", "separate players by commas"][..]),
            ("seats = [\"human,human\"]\npeople = [\"nonesuch\"]", &["choose from base"]),
            ("people = [\"base\"]", &["add seats"]),
            ("seats = [\"steady,told\"]", &["seat one"]),
            ("seats = [\"human,kindred\"]\npace_s = [-1]", &["pace.median_s", "above 0"]),
            ("seats = [\"human,kindred\"]\ngames = [0]", &["games is 0"]),
            ("seats = [\"steady,steady\"]\nsetup = [\"lives=99\"]", &["sweep 1", "lives"]),
            ("chairs = [1]", &["chairs"]),
        ] {
            let text = wrong(sweep);
            for part in parts {
                assert!(text.contains(part), "{sweep}: {text}");
            }
            assert_eq!(text.matches("unknown field").count(), usize::from(sweep.starts_with('c')));
        }
    }
}
