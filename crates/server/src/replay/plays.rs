//! Every card and every row of a game with its time, as comma-separated values.

use std::borrow::Cow;
use std::io::{self, Write};

use rules::family::Face;
use rules::kit::{Moment, Seat};
use serde::Serialize;
use wire::with_game;

use super::finished::{FinishedGame, Move};
use super::frames::WriteError;
use table::{Cause, ExportedPlay, TableGame};

/// Writes the plays of some games, with a head line.
pub(crate) fn write<'a>(
    games: impl IntoIterator<Item = &'a FinishedGame>,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    let mut rows = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    rows.write_record(HEAD).map_err(io::Error::from)?;
    for past in games {
        with_game!(past.setup, G, setup => write_plays::<G>(past, &setup, &mut rows))?;
    }
    Ok(rows.flush()?)
}

/// The columns, which stand there even if nothing was played.
const HEAD: [&str; 15] = [
    "game",
    "play",
    "level",
    "attempt",
    "seat",
    "name",
    "by",
    "card",
    "face",
    "result",
    "at_us",
    "wait_us",
    "arrived_us",
    "claimed_us",
    "error_us",
];

/// One line; `docs/journal.md` says what is in it.
#[derive(Serialize)]
struct Row<'a> {
    game: u32,
    play: usize,
    level: u8,
    attempt: u8,
    seat: Seat,
    name: Option<Cow<'a, str>>,
    by: &'static str,
    card: String,
    face: Option<&'static str>,
    result: &'static str,
    at_us: u64,
    wait_us: Option<u64>,
    arrived_us: Option<u64>,
    claimed_us: Option<u64>,
    error_us: Option<u64>,
}

/// A name that no spreadsheet takes for a formula.
fn cell(name: &str) -> Cow<'_, str> {
    if name.starts_with(['=', '+', '-', '@']) {
        Cow::Owned(format!("'{name}"))
    } else {
        Cow::Borrowed(name)
    }
}

fn write_plays<G: TableGame>(
    past: &FinishedGame,
    setup: &G::Setup,
    rows: &mut csv::Writer<impl Write>,
) -> Result<(), WriteError> {
    let (mut state, mut number) = (G::new(setup), 0);
    for Move { at, by, events, .. } in past.moves::<G>()? {
        for (index, event) in events.iter().enumerate() {
            if let Some(play) = state.play_of(event) {
                number += 1;
                let result = G::result_of(&events[index + 1..]);
                let row = row(past, number, play, at, by.as_ref(), result);
                rows.serialize(row).map_err(io::Error::from)?;
            }
            state.apply(at, event);
        }
    }
    Ok(())
}

fn row<'a>(
    past: &'a FinishedGame,
    number: usize,
    ExportedPlay { level, attempt, seat, card, face, since }: ExportedPlay,
    at: Moment,
    cause: Option<&Cause>,
    result: &'static str,
) -> Row<'a> {
    let person = cause.is_some_and(|cause| cause.ticket.is_some());
    let fair = cause.and_then(|cause| cause.fair.as_ref());
    Row {
        game: past.id.game,
        play: number,
        level,
        attempt,
        seat,
        name: past.name(seat).map(cell),
        by: if person { "person" } else { "machine" },
        card,
        face: face.map(|face| match face {
            Face::Open => "open",
            Face::Blind => "blind",
        }),
        result,
        at_us: at.micros(),
        wait_us: since.map(|since| at.micros().saturating_sub(since.micros())),
        arrived_us: cause.map(|cause| cause.arrived.micros()),
        claimed_us: fair.map(|fair| fair.claim.micros()),
        // Machines play by the server's own clock. Of a person it is known how long before its
        // arrival a press can have been; in old journals not even that.
        error_us: if person { fair.map(|fair| fair.bound) } else { Some(0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_a_formula() {
        for (name, written) in [("=1+1", "'=1+1"), ("+a", "'+a"), ("-a", "'-a"), ("@a", "'@a")] {
            assert_eq!(cell(name), written);
        }
        assert_eq!(cell("Ada-Mia"), "Ada-Mia");
    }
}
