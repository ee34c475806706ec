//! `unspoken simulate`: many games by bots and simulated people, and their results.

use std::collections::BTreeMap;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use bots::{Curve, Kin, Timing};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use lab::plot::{Axes, Series, draw, levels, waits};
use lab::{Cast, People, Role, Study, Table, Tally, play_many, waits_in};
use rules::door::GameName;
use rules::kit::{Chance, Game};
use serde_json::json;
use wire::{Setup, with_race};

use crate::numbers::{not_negative, positive};
use crate::out::outln;

/// How many games are played to find the pace for a budget.
const CALIBRATION_GAMES: u64 = 4_000;

#[derive(Args)]
pub(crate) struct Options {
    /// A game whose players keep time
    #[arg(long, default_value = "mind")]
    game: GameName,
    /// Who sits where, as in kindred,human: random, steady, hasty, dreamy, kindred, knowing,
    /// unison, linear, matched, human
    #[arg(long, value_delimiter = ',', required = true)]
    seats: Vec<Role>,
    #[command(flatten)]
    company: Company,
    /// How the table is set up, as in "stars=0 lives=3"
    #[arg(long, default_value = "")]
    setup: String,
    /// The mean play time of a game that unison aims at, in seconds
    #[arg(long, value_parser = positive)]
    budget_s: Option<f64>,
    /// Print JSON instead of a table
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV instead of a table
    #[arg(long)]
    csv: bool,
    /// Draw win rate against noise, levels reached and waits against gaps
    #[arg(long, value_name = "FILE.svg", value_parser = picture)]
    plot: Option<PathBuf>,
}

/// What simulated players are like, and how many games they play.
#[derive(Args, Clone)]
pub(crate) struct Company {
    /// How many games
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) games: u64,
    /// All luck comes from this
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads to use; the results are the same for any number
    #[arg(long, default_value_t = 0)]
    pub(crate) threads: usize,
    /// The population that people come from, as a TOML file
    #[arg(long, value_name = "FILE")]
    pub(crate) humans: Option<PathBuf>,
    /// Without a file: the pace of the middle person, in seconds for each card of the gap
    #[arg(long, default_value_t = 1.0, value_parser = positive)]
    pub(crate) pace_s: f64,
    /// Without a file: the standard deviation of the pace's logarithm
    #[arg(long, default_value_t = 0.39, value_parser = not_negative)]
    pub(crate) pace_log_sd: f64,
    /// Without a file: the Weber fraction of people
    #[arg(long, default_value_t = 0.1, value_parser = not_negative)]
    pub(crate) human_weber: f64,
    /// The Weber fraction of unison and linear
    #[arg(long, default_value_t = 0.0, value_parser = not_negative)]
    pub(crate) weber: f64,
    /// The noise of their hands, in seconds
    #[arg(long, default_value_t = 0.0, value_parser = not_negative)]
    pub(crate) motor_s: f64,
    /// The pace of linear, in seconds for each card of the gap
    #[arg(long, default_value_t = 0.3, value_parser = positive)]
    pub(crate) linear_s: f64,
    /// No player proposes stars
    #[arg(long)]
    pub(crate) no_stars: bool,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let setup = format!("players={} {}", options.seats.len(), options.setup);
    let setup = Setup::read(options.game, setup.trim())?;
    options.company.with_threads(|| {
        let done = with_race!(&setup, G, own => simulate::<G>(options, own));
        done.unwrap_or_else(|| Err(no_tempo(options.game)))
    })
}

/// Why a game cannot be studied.
pub(crate) fn no_tempo(game: GameName) -> anyhow::Error {
    anyhow::anyhow!("the players of {game} do not keep time, choose another game")
}

impl Company {
    /// Runs with as many threads as were asked for.
    pub(crate) fn with_threads<T: Send>(&self, task: impl FnOnce() -> T + Send) -> T {
        match rayon::ThreadPoolBuilder::new().num_threads(self.threads).build() {
            Ok(pool) => pool.install(task),
            Err(_) => task(),
        }
    }

    pub(crate) fn people(&self) -> Result<People> {
        match &self.humans {
            Some(path) => read_people(path),
            None => Ok(People::model(self.pace_s, self.pace_log_sd, self.human_weber)),
        }
    }

    pub(crate) fn cast(&self, roles: Vec<Role>) -> Result<Cast> {
        Ok(Cast {
            roles,
            people: self.people()?,
            timing: Timing { weber: self.weber, motor_s: self.motor_s },
            curve: Curve::COMMON,
            pace_s: self.linear_s,
            stars: !self.no_stars,
        })
    }
}

/// A file for a picture: only SVG is drawn, and that is said before the games are played.
pub(crate) fn picture(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension() {
        Some(ending) if ending.eq_ignore_ascii_case("svg") => Ok(path),
        _ => Err("pictures are drawn as SVG, name a file that ends in .svg".to_owned()),
    }
}

/// Reads a file of people.
pub(crate) fn read_people(path: &Path) -> Result<People> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    People::read(&text).with_context(|| path.display().to_string())
}

/// Plays the games of a cast.
pub(crate) fn play<G: Study + Kin>(
    setup: &G::Setup,
    cast: &Cast,
    company: &Company,
    progress: &(dyn Fn(u64) + Sync),
) -> Tally {
    let seated = |luck: &mut Chance| cast.seat::<G>(luck);
    play_many(&Table::<G> { setup, cast: &seated }, company.games, company.seed, progress)
}

fn simulate<G: Study + Kin>(options: &Options, setup: &G::Setup) -> Result<()> {
    let company = &options.company;
    let mut cast = company.cast(options.seats.clone())?;
    if let Some(budget_s) = options.budget_s {
        calibrate::<G>(setup, &mut cast, company, budget_s)?;
    }
    let bar = bar(company.games);
    let tally = play::<G>(setup, &cast, company, &|games| bar.inc(games));
    bar.finish_and_clear();
    report::<G>(options, &cast, &tally)?;
    if let Some(path) = &options.plot {
        let picture =
            draw_picture::<G>(setup, &cast, company, &tally).map_err(anyhow::Error::msg)?;
        std::fs::write(path, picture).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Finds the scale of unison's curve whose games take the budget on average, on games of another
/// seed.
fn calibrate<G: Study + Kin>(
    setup: &G::Setup,
    cast: &mut Cast,
    company: &Company,
    budget_s: f64,
) -> Result<()> {
    if !cast.roles.contains(&Role::Unison) {
        bail!("a budget is for unison, whose curve can be stretched: seat at least one");
    }
    for _ in 0..8 {
        let seated = |luck: &mut Chance| cast.seat::<G>(luck);
        let table = Table::<G> { setup, cast: &seated };
        let tally = play_many(&table, CALIBRATION_GAMES, company.seed.wrapping_add(1), &|_| ());
        let ratio = budget_s / tally.play_s().max(1e-3);
        cast.curve.scale_s *= ratio;
        if (ratio - 1.0).abs() < 0.003 {
            break;
        }
    }
    Ok(())
}

fn bar(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} games, {eta} to go");
    ProgressBar::new(games).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

fn report<G: Game>(options: &Options, cast: &Cast, tally: &Tally) -> Result<()> {
    let names = cast.roles.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
    let win = tally.win();
    let figures = [
        ("levels completed", tally.mean(tally.levels)),
        ("lives left", tally.mean(tally.lives)),
        ("stars left", tally.mean(tally.stars)),
        ("mistakes per level", tally.mistakes_per_level()),
        ("play time, s", tally.play_s()),
    ];
    if options.json {
        let value = json!({
            "game": G::NAME, "seats": names, "games": tally.games, "seed": options.company.seed,
            "won": win, "levels": figures[0].1, "lives": figures[1].1, "stars": figures[2].1,
            "mistakes_per_level": figures[3].1, "play_s": figures[4].1,
            "mistakes_at_level": tally.mistakes_at_level(),
            "scale_s": cast.curve.scale_s,
        });
        outln!("{}", serde_json::to_string_pretty(&value)?);
    } else if options.csv {
        outln!("game,seats,games,seed,won,low,high,levels,lives,stars,mistakes_per_level,play_s");
        let (share, low, high) = (win.share, win.low, win.high);
        let seats = names.replace(',', "+");
        let figures = figures.map(|(_, figure)| format!(",{figure:.4}")).concat();
        let (games, seed) = (tally.games, options.company.seed);
        outln!("{},{seats},{games},{seed},{share:.5},{low:.5},{high:.5}{figures}", G::NAME);
    } else {
        outln!("{} by {names}, {} games, seed {}", G::NAME, tally.games, options.company.seed);
        let (share, low, high) = (100.0 * win.share, 100.0 * win.low, 100.0 * win.high);
        outln!("{:<20} {share:>8.2} %   ({low:.2} to {high:.2})", "won");
        for (name, figure) in figures {
            outln!("{name:<20} {figure:>8.2}");
        }
    }
    Ok(())
}

/// Win rate against noise, levels reached, and waits against gaps.
fn draw_picture<G: Study + Kin>(
    setup: &G::Setup,
    cast: &Cast,
    company: &Company,
    tally: &Tally,
) -> Result<String, String> {
    let few = Company { games: (company.games / 10).clamp(200, 5_000), ..company.clone() };
    let noises = (0..=6).map(|step| 0.05 * f64::from(step));
    let points = noises.map(|weber| {
        let mut noisy = cast.clone();
        noisy.people.noise.weber = weber;
        noisy.timing.weber = weber;
        (weber, play::<G>(setup, &noisy, &few, &|_| ()).win().share)
    });
    let won = Series { name: "won".to_owned(), points: points.collect() };
    draw(&[
        (Axes { x: "Weber fraction", y: "won", y_most: Some(1.0) }, vec![won]),
        (Axes { x: "level", y: "games that reached it", y_most: Some(1.0) }, vec![levels(tally)]),
        (Axes { x: "gap", y: "wait, s", y_most: None }, observed::<G>(setup, cast, company)),
    ])
}

/// How many games are watched for the waits in them.
const WATCHED_GAMES: u64 = 400;

/// The waits of each kind of player, as they came about in games.
fn observed<G: Study + Kin>(setup: &G::Setup, cast: &Cast, company: &Company) -> Vec<Series> {
    let seated = |luck: &mut Chance| cast.seat::<G>(luck);
    let table = Table::<G> { setup, cast: &seated };
    let by_seat = waits_in(&table, company.games.min(WATCHED_GAMES), company.seed);
    let mut by_role = BTreeMap::<String, Vec<_>>::new();
    for (role, waits) in cast.roles.iter().zip(by_seat) {
        by_role.entry(role.to_string()).or_default().extend(waits);
    }
    by_role.into_iter().map(|(role, waited)| waits(role, &waited)).collect()
}
