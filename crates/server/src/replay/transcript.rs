//! A game that is over as text, every move of it checked.

use std::io::Write;

use anyhow::{Result, anyhow};
use rules::kit::Moment;
use wire::with_game;

use super::finished::{FinishedGame, NoReplay};
use super::verify::{Repeated, Verifier};
use table::{Occupant, TableGame};

/// Writes a game move by move, each as soon as it is found to follow by the rules.
pub(crate) fn write(past: &FinishedGame, name: &str, out: &mut impl Write) -> Result<()> {
    with_game!(past.setup, G, setup => tell::<G>(past, setup, name, out))
}

/// Makes every move of a game again, and its end unless it is still on; says how often the seed
/// dealt the same.
pub(crate) fn check(past: &FinishedGame, name: &str, is_over: bool) -> Result<Repeated> {
    with_game!(past.setup, G, setup => check_moves::<G>(past, setup, name, is_over))
}

fn check_moves<G: TableGame>(
    past: &FinishedGame,
    setup: G::Setup,
    name: &str,
    is_over: bool,
) -> Result<Repeated> {
    let placed = |none: NoReplay| none.in_file(name);
    let mut verifier = Verifier::<G>::new(setup);
    for each in &past.moves::<G>().map_err(placed)? {
        verifier.follow(past, each).map_err(placed)?;
    }
    let end = if is_over { verifier.end(past) } else { Ok(()) };
    end.map_err(|error| anyhow!("{name}: {error}"))?;
    Ok(verifier.luck)
}

fn tell<G: TableGame>(
    past: &FinishedGame,
    setup: G::Setup,
    name: &str,
    out: &mut impl Write,
) -> Result<()> {
    let placed = |none: NoReplay| none.in_file(name);
    writeln!(out, "game {}: {} {setup}", past.id, G::NAME)?;
    for (seat, occupant) in past.seating.iter() {
        match occupant {
            Occupant::Person { name, .. } => writeln!(out, "{seat} {name}")?,
            Occupant::Bot(kind) => writeln!(out, "{seat} a bot, {kind:?}")?,
            Occupant::Ghost(ghost) => {
                writeln!(out, "{seat} a bot, the tempo of {}", ghost.name)?;
            }
            Occupant::Empty => writeln!(out, "{seat} empty")?,
        }
    }
    let mut verifier = Verifier::<G>::new(setup);
    let moves = past.moves::<G>().map_err(placed)?;
    for each in &moves {
        verifier.follow(past, each).map_err(placed)?;
        let by = each.by.as_ref().map_or("-".to_owned(), |cause| cause.seat.to_string());
        let events = each.events.iter().map(ToString::to_string).collect::<Vec<_>>();
        writeln!(
            out,
            "{:>12.3} {by} {}",
            Moment::START.until(each.at).as_secs_f64(),
            events.join("; ")
        )?;
    }
    verifier.end(past).map_err(|error| anyhow!("{name}: {error}"))?;
    match past.outcome {
        Some(outcome) => writeln!(out, "{outcome}")?,
        None => writeln!(out, "ended early")?,
    }
    let luck = verifier.luck;
    writeln!(
        out,
        "verified: {} moves follow by the rules, the seed repeats {} of {} deals",
        moves.len(),
        luck.same,
        luck.all
    )?;
    Ok(())
}
