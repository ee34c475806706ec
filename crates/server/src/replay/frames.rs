//! A game that is over, move by move, as it goes to a browser.

use std::io::{self, Write};

use rules::kit::Viewer;
use rules::{extreme, mind, royale, soulmates};
use wire::{Frame, Setup, Shown, View};

use super::open::Opened;
use super::past::{Move, NoReplay, Past};
use super::tempo;
use table::PersonId;

/// Writes a game as one [`wire::Replay`], for whoever asks. The frames of a long game are many
/// times as large as what is left of them when they are compressed, so they are written one by one
/// and never all in memory.
pub(crate) fn write(
    past: &Past,
    person: Option<PersonId>,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    let table = serde_json::to_string(&past.table()).map_err(io::Error::from)?;
    let you = match past.seat(person) {
        Some(seat) => format!(r#""you":"{seat}","#),
        None => String::new(),
    };
    let tempo = serde_json::to_string(&tempo::of_past(past)?).map_err(io::Error::from)?;
    write!(out, r#"{{"game":{},"table":{table},{you}"tempo":{tempo},"frames":["#, past.id.game)?;
    match past.setup {
        Setup::Mind(setup) => write_frames(&Fold::<mind::Mind>::new(past, &setup)?, out),
        Setup::Extreme(setup) => write_frames(&Fold::<extreme::Extreme>::new(past, &setup)?, out),
        Setup::Soulmates(setup) => {
            write_frames(&Fold::<soulmates::Soulmates>::new(past, &setup)?, out)
        }
        Setup::Royale(setup) => write_frames(&Fold::<royale::Royale>::new(past, &setup)?, out),
    }?;
    out.write_all(b"]}")?;
    Ok(())
}

/// What those who looked on knew in the end.
pub(crate) fn end(past: &Past) -> Result<View, NoReplay> {
    match past.setup {
        Setup::Mind(setup) => Ok(Fold::<mind::Mind>::new(past, &setup)?.end()),
        Setup::Extreme(setup) => Ok(Fold::<extreme::Extreme>::new(past, &setup)?.end()),
        Setup::Soulmates(setup) => Ok(Fold::<soulmates::Soulmates>::new(past, &setup)?.end()),
        Setup::Royale(setup) => Ok(Fold::<royale::Royale>::new(past, &setup)?.end()),
    }
}

/// Why a game was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// Its journal cannot be understood.
    #[error(transparent)]
    Line(#[from] NoReplay),
    /// Nobody took it.
    #[error(transparent)]
    Out(#[from] io::Error),
}

fn write_frames<G: Opened>(fold: &Fold<G>, out: &mut impl Write) -> Result<(), WriteError> {
    let mut between = "";
    for frame in fold.frames() {
        out.write_all(between.as_bytes())?;
        serde_json::to_writer(&mut *out, &frame).map_err(io::Error::from)?;
        between = ",\n";
    }
    Ok(())
}

/// A game's moves, ready to be folded.
struct Fold<G: Opened> {
    start: G,
    moves: Vec<Move<G>>,
}

impl<G: Opened> Fold<G> {
    fn new(past: &Past, setup: &G::Setup) -> Result<Self, NoReplay> {
        Ok(Self { start: G::new(setup), moves: past.moves()? })
    }

    /// What those who looked on knew after all of it.
    fn end(&self) -> View {
        let mut state = self.start;
        for each in &self.moves {
            for event in &each.events {
                state.apply(each.at, event);
            }
        }
        G::sent_view(state.view(Viewer::Watcher))
    }

    /// What everyone noticed and knew after each move.
    fn frames(&self) -> impl Iterator<Item = Frame> {
        let mut state = self.start;
        self.moves.iter().map(move |each| {
            for event in &each.events {
                state.apply(each.at, event);
            }
            frame(&state, each)
        })
    }
}

fn frame<G: Opened>(state: &G, Move { at, by, events, .. }: &Move<G>) -> Frame {
    let sights = |viewer: Viewer| {
        let sights = events.iter().filter_map(move |event| G::witness(event, viewer));
        sights.map(G::sent_sight).collect::<Vec<_>>()
    };
    let by = by.as_ref().map(|cause| cause.seat);
    let viewers = Viewer::all(state.players()).filter(|viewer| viewer.seat().is_some());
    let (seats, views) = viewers
        .map(|viewer| {
            let view = state.view(viewer);
            (Shown { sights: sights(viewer), view: G::sent_view(view.clone()) }, view)
        })
        .collect::<(Vec<_>, Vec<_>)>();
    let watcher = state.view(Viewer::Watcher);
    // Whoever made the move knows what it was, face down or not.
    let open = sights(by.map_or(Viewer::Watcher, Viewer::Seat));
    Frame {
        at: *at,
        by,
        seats,
        open: Shown { sights: open, view: G::sent_view(G::opened(watcher.clone(), &views)) },
        watcher: Shown { sights: sights(Viewer::Watcher), view: G::sent_view(watcher) },
    }
}
