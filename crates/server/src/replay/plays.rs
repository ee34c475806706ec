//! Every card and every row of a game with its time, as comma-separated values.

use std::io::{self, Write};

use rules::family::{Face, Laid};
use rules::kit::{Game as _, Moment, Seat, Viewer};
use rules::{extreme, mind, royale, soulmates};
use serde::Serialize;
use wire::{Known, Setup};

use super::frames::WriteError;
use super::past::{Move, Past};
use table::Cause;

/// Writes the plays of some games, with a head line.
pub(crate) fn write<'a>(
    games: impl IntoIterator<Item = &'a Past>,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    let mut rows = csv::WriterBuilder::new().has_headers(false).from_writer(out);
    rows.write_record(HEAD).map_err(io::Error::from)?;
    for past in games {
        match past.setup {
            Setup::Mind(setup) => write_plays::<mind::Mind>(past, &setup, &mut rows),
            Setup::Extreme(setup) => write_plays::<extreme::Extreme>(past, &setup, &mut rows),
            Setup::Soulmates(setup) => write_plays::<soulmates::Soulmates>(past, &setup, &mut rows),
            Setup::Royale(setup) => write_plays::<royale::Royale>(past, &setup, &mut rows),
        }?;
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
    name: Option<&'a str>,
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

/// A card that went down or a row that was asked.
struct Play {
    level: u8,
    attempt: u8,
    seat: Seat,
    card: String,
    face: Option<Face>,
    /// When the wait for it began, in the games of timing.
    since: Option<Moment>,
}

/// A game in which something is played.
trait Played: Known {
    /// What was played by this event, in the state before it.
    fn played(&self, event: &Self::Event) -> Option<Play>;
    /// What became of it, told by the events after it.
    fn result(events: &[Self::Event]) -> &'static str;
}

fn write_plays<G: Played>(
    past: &Past,
    setup: &G::Setup,
    rows: &mut csv::Writer<impl Write>,
) -> Result<(), WriteError> {
    let (mut state, mut number) = (G::new(setup), 0);
    for Move { at, by, events, .. } in past.moves::<G>()? {
        for (index, event) in events.iter().enumerate() {
            if let Some(play) = state.played(event) {
                number += 1;
                let result = G::result(&events[index + 1..]);
                let row = row(past, number, play, at, by.as_ref(), result);
                rows.serialize(row).map_err(io::Error::from)?;
            }
            state.apply(at, event);
        }
    }
    Ok(())
}

fn row<'a>(
    past: &'a Past,
    number: usize,
    Play { level, attempt, seat, card, face, since }: Play,
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
        name: past.name(seat),
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

impl Played for mind::Mind {
    fn played(&self, event: &mind::Event) -> Option<Play> {
        let mind::Event::Played { laid: Laid { seat, card }, face } = *event else { return None };
        let public = self.view(Viewer::Watcher).public;
        let (card, face, since) = (card.to_string(), Some(face), Some(public.since));
        Some(Play { level: public.level, attempt: 1, seat, card, face, since })
    }

    fn result(events: &[mind::Event]) -> &'static str {
        let erred =
            |event: &mind::Event| matches!(event, mind::Event::Notice(mind::Notice::Erred { .. }));
        if events.iter().any(erred) { "mistake" } else { "" }
    }
}

impl Played for extreme::Extreme {
    fn played(&self, event: &extreme::Event) -> Option<Play> {
        let extreme::Event::Played { colour, laid: Laid { seat, card }, face } = *event else {
            return None;
        };
        let public = self.view(Viewer::Watcher).public;
        let (face, since) = (Some(face), Some(public.since));
        let card = format!("{colour} {card}");
        Some(Play { level: public.level, attempt: 1, seat, card, face, since })
    }

    fn result(events: &[extreme::Event]) -> &'static str {
        let erred = |event: &extreme::Event| {
            matches!(event, extreme::Event::Notice(extreme::Notice::Erred { .. }))
        };
        if events.iter().any(erred) { "mistake" } else { "" }
    }
}

impl Played for soulmates::Soulmates {
    fn played(&self, event: &soulmates::Event) -> Option<Play> {
        let soulmates::Event::Played(Laid { seat, card }) = *event else { return None };
        let public = self.view(Viewer::Watcher).public;
        let (card, face, since) = (card.to_string(), Some(Face::Blind), Some(public.since));
        Some(Play { level: public.level, attempt: public.attempt, seat, card, face, since })
    }

    fn result(events: &[soulmates::Event]) -> &'static str {
        let failed = |event: &soulmates::Event| matches!(event, soulmates::Event::Failed { .. });
        if events.iter().any(failed) { "failed" } else { "" }
    }
}

impl Played for royale::Royale {
    fn played(&self, event: &royale::Event) -> Option<Play> {
        let royale::Event::Notice(royale::Notice::Asked { seat, row, pegs }) = *event else {
            return None;
        };
        let level = self.view(Viewer::Watcher).public.round;
        let card = format!("{row} {pegs}");
        Some(Play { level, attempt: 1, seat, card, face: None, since: None })
    }

    fn result(events: &[royale::Event]) -> &'static str {
        let scored = |event: &royale::Event| {
            matches!(event, royale::Event::Notice(royale::Notice::Scored(_)))
        };
        if events.iter().any(scored) { "round over" } else { "" }
    }
}
