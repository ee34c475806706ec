//! Every partner with every other, and with people.

use std::path::PathBuf;

use anyhow::{Context, Result};
use bots::Kin;
use clap::Args;
use lab::plot::{Axes, Series, draw};
use lab::{Role, Study};
use rules::door::GameName;
use wire::{Setup, with_race};

use crate::out::outln;
use crate::simulate::{Company, no_tempo, picture, play};

/// The players that are compared.
const PARTNERS: [Role; 6] =
    [Role::Steady, Role::Hasty, Role::Dreamy, Role::Kindred, Role::Linear, Role::Human];

#[derive(Args)]
pub(crate) struct Options {
    /// A game whose players keep time
    #[arg(long, default_value = "mind")]
    game: GameName,
    /// How many play: the first of a pair once, the other in all other seats
    #[arg(long, default_value_t = 2)]
    players: u8,
    #[command(flatten)]
    company: Company,
    /// Draw the matrix, a line for each partner
    #[arg(long, value_name = "FILE.svg", value_parser = picture)]
    plot: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let setup = Setup::read(options.game, &format!("players={}", options.players))?;
    options.company.with_threads(|| {
        let done = with_race!(&setup, G, own => crossplay::<G>(options, own));
        done.unwrap_or_else(|| Err(no_tempo(options.game)))
    })
}

fn crossplay<G: Study + Kin>(options: &Options, setup: &G::Setup) -> Result<()> {
    let Options { players, company, .. } = options;
    outln!("{} of {players}: won, in %, {} games each", G::NAME, company.games);
    outln!(
        "{:<9}{}",
        "",
        PARTNERS.map(|role| format!("{role:>9}", role = role.to_string())).concat()
    );
    let mut lines = Vec::new();
    for one in PARTNERS {
        let mut won = Vec::new();
        for other in PARTNERS {
            let mut roles = vec![other; usize::from(*players)];
            roles[0] = one;
            let tally = play::<G>(setup, &company.cast(roles)?, company, &|_| ());
            won.push(100.0 * tally.win().share);
        }
        let cells = won.iter().map(|won| format!("{won:>9.1}")).collect::<Vec<_>>().concat();
        outln!("{:<9}{cells}", one.to_string());
        let points = won.iter().enumerate().map(|(with, won)| ((with + 1) as f64, *won));
        lines.push(Series { name: one.to_string(), points: points.collect() });
    }
    if let Some(path) = &options.plot {
        let x = "with: steady, hasty, dreamy, kindred, linear, human";
        let axes = Axes { x, y: "won, %", y_most: Some(100.0) };
        let picture = draw(&[(axes, lines)]).map_err(anyhow::Error::msg)?;
        std::fs::write(path, picture).with_context(|| path.display().to_string())?;
    }
    Ok(())
}
