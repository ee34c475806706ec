//! Pictures of results.

use std::collections::BTreeMap;

use bots::Kin;
use lab::plot::{Axes, Panel, Series, draw, levels, rows, share_at, waits};
use lab::{Share, Study, Table, waits_in};
use rules::kit::Chance;
use wire::with_race;

use super::cell::{Cell, Played};
use super::record::percent;

/// How many games are watched for the waits in them.
const WATCHED_GAMES: u64 = 400;

/// The share of games won in each cell.
pub(super) fn of_cells(
    title: &str,
    differences: &[String],
    cells: &[Cell],
    all: &[Played],
) -> Result<String, String> {
    let row = |((cell, difference), played): ((&Cell, &String), &Played)| -> (String, Share) {
        let difference =
            if difference.is_empty() { String::new() } else { format!(", {difference}") };
        let name = format!(
            "{} {}, {}{difference}, n = {}",
            cell.game,
            cell.seat_names(),
            cell.people.name,
            played.tally.games
        );
        (name, played.tally.win())
    };
    let drawn = cells.iter().zip(differences).zip(all).map(row).collect::<Vec<_>>();
    rows(&format!("{title}: games won, %, with 95 % intervals"), &drawn)
}

/// The share of games won against noise, the levels reached, and the waits against the gaps.
pub(super) fn of_cell(cell: &Cell, played: &Played) -> Result<String, String> {
    let setup = cell.table().map_err(|error| error.to_string())?;
    let drawn = with_race!(&setup, G, own => panels::<G>(own, cell, played));
    draw(&drawn.unwrap_or_default())
}

fn panels<G: Study + Kin>(setup: &G::Setup, cell: &Cell, played: &Played) -> Vec<Panel> {
    let mut cast = cell.cast();
    cast.curve.scale_s = played.scale_s;
    let few = Cell { games: (cell.games / 10).clamp(200, 5_000), ..cell.clone() };
    let noises = (0..=6).map(|step| 0.05 * f64::from(step));
    let points = noises.map(|weber| {
        let mut noisy = cast.clone();
        noisy.people.noise.weber = weber;
        noisy.timing.weber = weber;
        share_at(weber, few.tally::<G>(setup, &noisy, &|_| ()).win())
    });
    let won = Series { name: "won".to_owned(), points: points.collect() };
    let seated = |luck: &mut Chance| cast.seat::<G>(luck);
    let table = Table::<G> { setup, cast: &seated };
    let watched = cell.games.min(WATCHED_GAMES);
    let mut by_role = BTreeMap::<String, Vec<_>>::new();
    for (role, waited) in cast.roles.iter().zip(waits_in(&table, watched, cell.seed)) {
        by_role.entry(role.to_string()).or_default().extend(waited);
    }
    let observed = by_role.into_iter().map(|(role, waited)| waits(&role, &waited)).collect();
    let of = format!("{} by {}, people: {}", cell.game, cell.seat_names(), cell.people.name);
    let tally = &played.tally;
    vec![
        Panel {
            title: format!("{of}. Games won by noise, n = {} for each point", few.games),
            axes: Axes { x: "Weber fraction", y: "won", y_most: Some(1.0) },
            series: vec![won],
        },
        Panel {
            title: format!("Levels reached, n = {}, won {}", tally.games, percent(tally.win())),
            axes: Axes { x: "level", y: "games that reached it", y_most: Some(1.0) },
            series: vec![levels(tally)],
        },
        Panel {
            title: format!("The middle wait before a card, in {watched} games"),
            axes: Axes { x: "gap", y: "wait, s", y_most: None },
            series: observed,
        },
    ]
}
