//! `unspoken simulate`: many games by bots and simulated people, and their results.

mod cell;
mod experiment;
mod picture;
mod record;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use lab::{People, Role, population};
use rules::door::GameName;

use cell::differences;
pub(crate) use cell::{Cell, Played};
use experiment::Experiment;
pub(crate) use record::{Form, Outcome, Printer, percent};

use crate::numbers::{not_negative, positive, whole};
use crate::out::outln;

/// How many games are played unless something else is asked for.
const GAMES: u64 = 10_000;
/// The most games of a cell: far more than a computer plays in a year.
const GAMES_MOST: u64 = 1_000_000_000_000;

#[derive(Args)]
pub(crate) struct Options {
    /// Who sits where, as in human,kindred: random, steady, hasty, dreamy, kindred, knowing,
    /// unison, linear, matched, told, informed, human
    #[arg(long, value_delimiter = ',')]
    seats: Vec<Role>,
    /// Play all cells of an experiment, one row of the result each: a TOML file, or people, unseen
    /// or goals, which come with the program
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "seats", "game", "setup", "humans", "people", "no_stars", "budget_s", "weber",
            "motor_s", "linear_s", "pace_s", "pace_log_sd", "human_weber",
        ]
    )]
    experiment: Option<String>,
    #[command(flatten)]
    company: Company,
    /// How the table is set up, as in "stars=0 lives=3"
    #[arg(long, default_value = "")]
    setup: String,
    /// The mean play time of a game that unison aims at, in seconds
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    budget_s: Option<f64>,
    #[command(flatten)]
    print: Print,
    /// Draw the share of games won against noise, the levels reached and the waits against the
    /// gaps; of an experiment, the share of games won in each cell
    #[arg(long, value_name = "FILE.svg", value_parser = picture)]
    plot: Option<PathBuf>,
}

/// How results are printed.
#[derive(Args, Clone, Copy)]
pub(crate) struct Print {
    /// Print one line of JSON for each result
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV: a line of names, and a line for each result
    #[arg(long)]
    csv: bool,
}

impl Print {
    pub(crate) fn form(self) -> Form {
        match self {
            Self { json: true, .. } => Form::Json,
            Self { csv: true, .. } => Form::Csv,
            Self { .. } => Form::Text,
        }
    }
}

/// What simulated players are like, and how many games they play.
#[derive(Args, Clone)]
pub(crate) struct Company {
    /// A game whose players keep time
    #[arg(long, default_value = "mind")]
    pub(crate) game: GameName,
    /// How many games of each kind [default: 10000, or what the experiment says]
    #[arg(long, value_parser = whole::<u64>(1, GAMES_MOST), allow_negative_numbers = true)]
    pub(crate) games: Option<u64>,
    /// All luck comes from this number [default: 1, or what the experiment says]
    #[arg(long, value_parser = whole::<u64>(0, u64::MAX), allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,
    /// Threads to use, 0 for one a core; the results are the same for any number
    #[arg(long, default_value_t = 0)]
    pub(crate) threads: usize,
    /// The population that people come from, by name: base, fast, exponent-0.6, drift, lapses,
    /// adaptation-0.1, adaptation-0.3, adaptation-0.5, trend, mixture, thesis
    #[arg(long, value_name = "NAME", conflicts_with = "humans")]
    pub(crate) people: Option<String>,
    /// The population that people come from, as a TOML file
    #[arg(long, value_name = "FILE")]
    pub(crate) humans: Option<PathBuf>,
    /// The pace of the middle person, in seconds for each card of the gap [default: 1, or what the
    /// population says]
    #[arg(long, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) pace_s: Option<f64>,
    /// How much paces differ from person to person: the standard deviation of their logarithms
    /// [default: 0.39, or what the population says]
    #[arg(long, value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) pace_log_sd: Option<f64>,
    /// How exactly people keep a wait: the standard deviation of a wait as a share of it [default:
    /// 0.1, or what the population says]
    #[arg(long, value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) human_weber: Option<f64>,
    /// The same of unison and linear
    #[arg(long, default_value_t = 0.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) weber: f64,
    /// The noise of their hands, in seconds
    #[arg(long, default_value_t = 0.0, value_parser = not_negative, allow_negative_numbers = true)]
    pub(crate) motor_s: f64,
    /// The pace of linear, in seconds for each card of the gap
    #[arg(long, default_value_t = 0.3, value_parser = positive, allow_negative_numbers = true)]
    pub(crate) linear_s: f64,
    /// No player proposes stars
    #[arg(long)]
    pub(crate) no_stars: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    ensure!(
        options.experiment.is_some() || !options.seats.is_empty(),
        "say who sits where, as in --seats human,kindred, or name an experiment, as in \
         --experiment people"
    );
    let company = &options.company;
    let usual = Cell {
        setup: options.setup.clone(),
        budget_s: options.budget_s,
        ..company.cell(options.seats.clone())?
    };
    let experiment = options.experiment.as_deref().map(Experiment::read).transpose()?;
    let mut cells = match &experiment {
        Some(experiment) => experiment.cells(&usual)?,
        None => vec![usual],
    };
    for cell in &mut cells {
        cell.games = company.games.unwrap_or(cell.games);
        cell.seed = company.seed.unwrap_or(cell.seed);
        cell.check()?;
    }
    company.with_threads(|| play_all(options, experiment.as_ref(), &cells))
}

/// Plays the cells one after the other and prints each as soon as it is played.
fn play_all(options: &Options, experiment: Option<&Experiment>, cells: &[Cell]) -> Result<()> {
    let mut printer = Printer::new("simulate", options.print.form());
    let is_text = options.print.form() == Form::Text;
    let differences = differences(cells);
    let bar = bar(cells.iter().map(|cell| cell.games).sum());
    if let Some(Experiment { title, .. }) = experiment.filter(|_| is_text) {
        bar.suspend(|| {
            outln!("{title}");
            outln!("{ROW_NAMES}");
        });
    }
    let mut all = Vec::new();
    for (cell, difference) in cells.iter().zip(&differences) {
        let played = cell.play(&|games| bar.inc(games))?;
        let outcome = Outcome::of(cell, &played);
        bar.suspend(|| {
            if is_text && experiment.is_some() {
                print_row(cell, difference, &played);
            } else if is_text {
                print_table(cell, &played, &outcome);
            }
            printer.print(&outcome)
        })?;
        all.push(played);
    }
    bar.finish_and_clear();
    if let Some(path) = &options.plot {
        let drawn = match (experiment, cells, &all[..]) {
            (None, [cell], [played]) => picture::of_cell(cell, played),
            (experiment, ..) => {
                picture::of_cells(experiment.map_or("", |of| &of.title), &differences, cells, &all)
            }
        };
        write_picture(path, drawn)?;
    }
    Ok(())
}

pub(crate) fn write_picture(path: &Path, drawn: Result<String, String>) -> Result<()> {
    let drawn = drawn.map_err(anyhow::Error::msg)?;
    std::fs::write(path, drawn).with_context(|| format!("{} cannot be written", path.display()))
}

const ROW_NAMES: &str = "game       seats                      people                   games  seed   \
    won                        levels  play time, s";

fn print_row(cell: &Cell, difference: &str, Played { tally, .. }: &Played) {
    let row = format!(
        "{:<10} {:<26} {:<20} {:>9}  {:<6} {:<26} {:>6.2}  {:>12.1}  {difference}",
        cell.game.to_string(),
        cell.seat_names(),
        cell.people.name,
        cell.games,
        cell.seed,
        percent(tally.win()),
        tally.mean(tally.levels),
        tally.play_s(),
    );
    outln!("{}", row.trim_end());
}

fn print_table(cell: &Cell, Played { tally, .. }: &Played, outcome: &Outcome) {
    let (game, names) = (cell.game, cell.seat_names());
    outln!("{game} by {names}, {} games, seed {}", tally.games, cell.seed);
    outln!("people: {}", cell.people.name);
    outln!("{:<20} {}", "won", percent(tally.win()));
    for (name, figure) in outcome.figures() {
        outln!("{name:<20} {figure:.2}");
    }
}

impl Company {
    /// Runs with as many threads as were asked for.
    pub(crate) fn with_threads<T: Send>(&self, task: impl FnOnce() -> T + Send) -> T {
        match rayon::ThreadPoolBuilder::new().num_threads(self.threads).build() {
            Ok(pool) => pool.install(task),
            Err(_) => task(),
        }
    }

    /// The population, with what the command line says of it in the place of its own figures.
    fn population(&self) -> Result<People> {
        let mut people = match (&self.people, &self.humans) {
            (Some(name), _) => population(name)?,
            (None, Some(path)) => read_people(path)?,
            (None, None) => People::model(1.0, 0.39, 0.1),
        };
        people.pace.median_s = self.pace_s.unwrap_or(people.pace.median_s);
        people.pace.log_sd = self.pace_log_sd.unwrap_or(people.pace.log_sd);
        people.noise.weber = self.human_weber.unwrap_or(people.noise.weber);
        Ok(people)
    }

    /// The cell of these players.
    pub(crate) fn cell(&self, seats: Vec<Role>) -> Result<Cell> {
        Ok(Cell {
            game: self.game,
            setup: String::new(),
            seats,
            games: self.games.unwrap_or(GAMES),
            seed: self.seed.unwrap_or(1),
            propose_stars: !self.no_stars,
            weber: self.weber,
            motor_s: self.motor_s,
            linear_s: self.linear_s,
            budget_s: None,
            people: self.population()?,
        })
    }
}

/// A file for a picture: only SVG is drawn, into a folder that is there. Both are said before the
/// games are played.
pub(crate) fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        return Err("pictures are drawn as SVG, name a file that ends in .svg".to_owned());
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            Err(format!("there is no folder {}, make it or name another", folder.display()))
        }
        _ => Ok(path),
    }
}

/// Reads a file of people that has one population.
pub(crate) fn read_people(path: &Path) -> Result<People> {
    let shown = || path.display().to_string();
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("{} cannot be read, name a file of people", path.display()))?;
    let mut people = People::read_all(&text).with_context(shown)?;
    ensure!(
        people.len() == 1,
        "{} has {} populations, name them in an experiment or use a file with one",
        path.display(),
        people.len()
    );
    Ok(people.remove(0))
}

/// How many of all games are played, on a terminal.
pub(crate) fn bar(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} to go");
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}
