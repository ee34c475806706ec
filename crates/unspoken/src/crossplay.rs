//! Every partner with every other, and with people.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use lab::Role;
use lab::plot::matrix;

use crate::out::outln;
use crate::simulate::{Cell, Company, Form, Outcome, Print, Printer, bar, picture, write_picture};

/// The players that are compared.
const PARTNERS: [Role; 6] =
    [Role::Steady, Role::Hasty, Role::Dreamy, Role::Kindred, Role::Linear, Role::Human];

#[derive(Args)]
pub(crate) struct Options {
    /// How many play: the first of a pair once, the other in all other seats
    #[arg(long, default_value_t = 2)]
    players: u8,
    #[command(flatten)]
    company: Company,
    #[command(flatten)]
    print: Print,
    /// Draw the matrix as a heat map
    #[arg(long, value_name = "FILE.svg", value_parser = picture)]
    plot: Option<PathBuf>,
}

pub(crate) fn run(options: &Options) -> Result<()> {
    let usual = options.company.cell(vec![Role::Steady; usize::from(options.players)])?;
    usual.check()?;
    options.company.with_threads(|| crossplay(options, &usual))
}

fn crossplay(options: &Options, usual: &Cell) -> Result<()> {
    let form = options.print.form();
    let mut printer = Printer::new("crossplay", form);
    let (game, games) = (usual.game, usual.games);
    let title = format!(
        "{game} of {}: won, in %, {games} games each, seed {}, people: {}",
        options.players, usual.seed, usual.people.name
    );
    let bar = bar(games * (PARTNERS.len() * PARTNERS.len()) as u64);
    if form == Form::Text {
        let names = PARTNERS.map(|role| format!("{role:>9}", role = role.to_string()));
        bar.suspend(|| {
            outln!("{title}");
            outln!("{:<9}{}", "", names.concat());
        });
    }
    let mut lines = Vec::new();
    for one in PARTNERS {
        let mut won = Vec::new();
        for other in PARTNERS {
            let mut cell =
                Cell { seats: vec![other; usize::from(options.players)], ..usual.clone() };
            cell.seats[0] = one;
            let played = cell.play(&|games| bar.inc(games))?;
            bar.suspend(|| printer.print(&Outcome::of(&cell, &played)))?;
            won.push(played.tally.win());
        }
        if form == Form::Text {
            let cells = won.iter().map(|won| format!("{:>9.1}", 100.0 * won.share));
            let cells = cells.collect::<String>();
            bar.suspend(|| outln!("{:<9}{cells}", one.to_string()));
        }
        lines.push(won);
    }
    bar.finish_and_clear();
    if let Some(path) = &options.plot {
        let names = PARTNERS.map(|role| role.to_string());
        let axes = ["in all other seats", "in the first seat"];
        write_picture(path, matrix(&title, axes, &names, &lines))?;
    }
    Ok(())
}
