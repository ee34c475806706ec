//! `unspoken fairness`: the fair order on simulated networks, against the order of arrival.

mod agenda;
mod clock;
mod network;
mod plot;
mod report;
mod scenario;
mod seen;
mod world;

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;
use table::fair::Tuning;

use report::Report;
use scenario::{SHIPPED, Scenario};

use crate::out::outln;

/// What to simulate.
#[derive(Args)]
pub struct Options {
    /// A scenario as TOML, or the name of one that comes with the program; all of those otherwise
    #[arg(long, value_name = "FILE")]
    scenario: Vec<String>,
    /// One JSON object for each scenario
    #[arg(long)]
    json: bool,
    /// Draw the figures as SVG into this folder
    #[arg(long, value_name = "DIR")]
    plot: Option<PathBuf>,
}

/// Runs the scenarios; the exit code is 1 if one of them misses a target.
pub fn run(options: &Options) -> Result<ExitCode> {
    let mut holds = true;
    if let Some(folder) = &options.plot {
        fs::create_dir_all(folder)
            .with_context(|| format!("{} cannot be created", folder.display()))?;
    }
    for (name, text) in wanted(&options.scenario)? {
        let scenario = Scenario::read(&name, &text)?;
        let report = simulate(&name, &scenario);
        if options.json {
            outln!("{}", serde_json::to_string(&report)?);
        } else {
            outln!("{}", report.text());
        }
        if let Some(folder) = &options.plot {
            plot::draw(&report, folder)?;
        }
        holds &= report.holds();
    }
    Ok(if holds { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn simulate(name: &str, scenario: &Scenario) -> Report {
    let tuning = Tuning::default();
    let runs = (0..scenario.runs).map(|number| world::run(scenario, &tuning, number));
    Report::of(name, scenario, runs.collect())
}

/// The scenarios by name and text.
fn wanted(names: &[String]) -> Result<Vec<(String, String)>> {
    if names.is_empty() {
        let all = SHIPPED.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        return Ok(all.collect());
    }
    let found = names.iter().map(|name| {
        if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| shipped == name) {
            return Ok((name.clone(), (*text).to_owned()));
        }
        let path = PathBuf::from(name);
        let text = fs::read_to_string(&path).with_context(|| {
            let shipped = SHIPPED.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
            format!("{name} cannot be read; name a file, or one of {shipped}")
        })?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        Ok((stem.unwrap_or_else(|| name.clone()), text))
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small(name: &str, runs: u32) -> Report {
        let (_, text) = SHIPPED.iter().find(|(shipped, _)| *shipped == name).unwrap();
        let scenario = Scenario { runs, ..Scenario::read(name, text).unwrap() };
        simulate(name, &scenario)
    }

    #[test]
    fn the_figures_are_reached_and_arrival_does_not_reach_them() {
        for (name, runs) in [
            ("world", 40),
            ("room", 5),
            ("pongs", 5),
            ("path", 5),
            ("sleepers", 5),
            ("satellite", 5),
            ("lossier", 5),
            ("mobile", 5),
            ("photo", 5),
        ] {
            let report = small(name, runs);
            assert!(report.holds() && !report.targets.is_empty(), "{}", report.text());
        }
        let world = small("world", 10);
        let half = world.gaps.iter().find(|gap| gap.gap_ms == 50).unwrap();
        assert!(half.arrival < 80.0 && half.fair > 99.0, "{}", world.text());
    }

    #[test]
    fn a_liar_gains_its_own_bound_at_most_and_the_report_shows_it() {
        let report = small("liars", 10);
        for player in &report.players {
            assert!(player.gained_ms <= player.bound_ms, "{}", report.text());
            let lies = player.name.starts_with("lies");
            assert_eq!(lies, player.clamped > 50.0, "{}", report.text());
        }
    }

    #[test]
    fn seeds_beyond_four_billion_are_seeds_of_their_own() {
        let (_, text) = SHIPPED.iter().find(|(shipped, _)| *shipped == "room").unwrap();
        let held = |seed: u64| {
            let scenario = Scenario { runs: 1, seed, ..Scenario::read("room", text).unwrap() };
            simulate("room", &scenario).plain_spread.p99_ms.to_bits()
        };
        assert_ne!(held(7), held(7 + (1 << 32)));
    }

    #[test]
    fn a_scenario_repeats_to_the_last_digit() {
        let [once, again] = [small("strays", 2), small("strays", 2)];
        let text = |report: &Report| serde_json::to_string(report).unwrap();
        assert_eq!(text(&once), text(&again));
    }
}
