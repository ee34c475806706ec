//! A game that is over as text, every move of it checked.

use std::io::Write;

use anyhow::{Result, anyhow};
use rules::kit::Moment;
use rules::{extreme, mind, royale, soulmates};
use wire::Setup;

use super::past::{NoReplay, Past};
use super::verify::Verifier;
use table::{Occupant, Seated};

/// Writes a game move by move, each as soon as it is found to follow by the rules.
pub(crate) fn write(past: &Past, name: &str, out: &mut impl Write) -> Result<()> {
    match past.setup {
        Setup::Mind(setup) => tell::<mind::Mind>(past, setup, name, out),
        Setup::Extreme(setup) => tell::<extreme::Extreme>(past, setup, name, out),
        Setup::Soulmates(setup) => tell::<soulmates::Soulmates>(past, setup, name, out),
        Setup::Royale(setup) => tell::<royale::Royale>(past, setup, name, out),
    }
}

fn tell<G: Seated>(past: &Past, setup: G::Setup, name: &str, out: &mut impl Write) -> Result<()> {
    let placed = |none: NoReplay| none.in_file(name);
    writeln!(out, "game {}: {} {setup}", past.id, G::NAME)?;
    for (seat, occupant) in past.seating.iter() {
        match occupant {
            Occupant::Person { name, .. } => writeln!(out, "{seat} {name}")?,
            Occupant::Bot(kind) => writeln!(out, "{seat} a machine, {kind:?}")?,
            Occupant::Ghost(ghost) => {
                writeln!(out, "{seat} a machine, the tempo of {}", ghost.name)?;
            }
            Occupant::Nobody => writeln!(out, "{seat} nobody")?,
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
