//! A game that is over, move by move, as it goes to a browser.

use std::io::{self, Write};

use rules::kit::{Seed, Seeding, Viewer};
use wire::{Frame, FrameView, Progress, View, WireGame as _, hex, with_game};

use super::finished::{FinishedGame, Move, NoReplay};
use super::tempo;
use table::{Day, PersonId, TableGame, is_offer};

/// Writes a game as one [`wire::Replay`] for a person. The frames of a long game are many times as
/// large as their compressed form, so they are written one by one and are never all in memory.
pub(crate) fn write(
    past: &FinishedGame,
    person: Option<PersonId>,
    public: Day,
    out: &mut impl Write,
) -> Result<(), WriteError> {
    let table = serde_json::to_string(&past.table()).map_err(io::Error::from)?;
    let you = match past.seat(person) {
        Some(seat) => format!(r#""you":"{seat}","#),
        None => String::new(),
    };
    let seed = match revealed_seed(past, public)? {
        Some(seed) => format!(r#""seed":"{}","#, hex(seed.bytes())),
        None => String::new(),
    };
    let tempo = serde_json::to_string(&tempo::of_past(past)?).map_err(io::Error::from)?;
    let game = past.id.game;
    write!(out, r#"{{"game":{game},"table":{table},{you}{seed}"tempo":{tempo},"frames":["#)?;
    with_game!(past.setup, G, setup => write_frames(&Fold::<G>::new(past, &setup)?, out))?;
    out.write_all(b"]}")?;
    Ok(())
}

/// The seed of a game that is over, unless it would tell players of cards to come: those of a deal
/// that other groups play, too, or of an encore. That of a deal of the day is revealed when the
/// deals of its day are `public`: then no encore of it is played either.
pub(crate) fn revealed_seed(past: &FinishedGame, public: Day) -> Result<Option<Seed>, NoReplay> {
    let is_fresh = past.setup.manners().seeding == Seeding::Fresh;
    if let Some(deal) = past.deal() {
        let is_public = deal.of.daily().is_some_and(|daily| daily.day <= public);
        return Ok(is_public.then_some(past.seed));
    }
    let is_offer =
        with_game!(past.setup, G, setup => is_offer::<G>(&Fold::<G>::new(past, &setup)?.end()));
    Ok(Some(past.seed).filter(|_| is_fresh && !(past.may_go_on && is_offer)))
}

/// What spectators knew at the end of a game.
pub(crate) fn end(past: &FinishedGame) -> Result<View, NoReplay> {
    with_game!(past.setup, G, setup => Ok(G::sent_view(Fold::<G>::new(past, &setup)?.end())))
}

/// How far a game came, by its last state.
pub(crate) fn reached(past: &FinishedGame) -> Result<Progress, NoReplay> {
    with_game!(past.setup, G, setup => Ok(G::reached(&Fold::<G>::new(past, &setup)?.end())))
}

/// How many mistakes were made; `None` in a game in which no press can be a mistake.
pub(crate) fn mistakes(past: &FinishedGame) -> Result<Option<u16>, NoReplay> {
    with_game!(past.setup, G, setup => {
        let Some(race) = G::RACE else { return Ok(None) };
        let fold = Fold::<G>::new(past, &setup)?;
        let events = fold.moves.iter().flat_map(|each| &each.events);
        let mistakes = events.map(|event| u16::from((race.mistakes)(event)));
        Ok(Some(mistakes.fold(0, u16::saturating_add)))
    })
}

/// Why a game was not written.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// Its journal cannot be understood.
    #[error(transparent)]
    Line(#[from] NoReplay),
    /// The reader is gone.
    #[error(transparent)]
    Out(#[from] io::Error),
}

impl WriteError {
    /// The error behind it: a program tells a closed pipe from other errors.
    pub(crate) fn into_cause(self) -> anyhow::Error {
        match self {
            Self::Line(error) => error.into(),
            Self::Out(error) => error.into(),
        }
    }
}

fn write_frames<G: TableGame>(fold: &Fold<G>, out: &mut impl Write) -> Result<(), WriteError> {
    let mut between = "";
    for frame in fold.frames() {
        out.write_all(between.as_bytes())?;
        serde_json::to_writer(&mut *out, &frame).map_err(io::Error::from)?;
        between = ",\n";
    }
    Ok(())
}

/// A game's moves, ready to be folded.
struct Fold<G: TableGame> {
    start: G,
    moves: Vec<Move<G>>,
}

impl<G: TableGame> Fold<G> {
    fn new(past: &FinishedGame, setup: &G::Setup) -> Result<Self, NoReplay> {
        Ok(Self { start: G::new(setup), moves: past.moves()? })
    }

    /// What spectators knew after the last move.
    fn end(&self) -> G::View {
        let mut state = self.start;
        for each in &self.moves {
            for event in &each.events {
                state.apply(each.at, event);
            }
        }
        state.view(Viewer::Spectator)
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

fn frame<G: TableGame>(state: &G, Move { at, by, events, .. }: &Move<G>) -> Frame {
    let sights = |viewer: Viewer| {
        let sights = events.iter().filter_map(move |event| G::witness(event, viewer));
        sights.map(G::sent_sight).collect::<Vec<_>>()
    };
    let by = by.as_ref().map(|cause| cause.seat);
    let viewers = Viewer::all(state.players()).filter(|viewer| viewer.seat().is_some());
    let (seats, views) = viewers
        .map(|viewer| {
            let view = state.view(viewer);
            (FrameView { sights: sights(viewer), view: G::sent_view(view.clone()) }, view)
        })
        .collect::<(Vec<_>, Vec<_>)>();
    let spectator = state.view(Viewer::Spectator);
    // The player who made the move knows the card, face down or not.
    let open = sights(by.map_or(Viewer::Spectator, Viewer::Seat));
    Frame {
        at: *at,
        by,
        seats,
        open: FrameView { sights: open, view: G::sent_view(G::opened(spectator.clone(), &views)) },
        spectator: FrameView { sights: sights(Viewer::Spectator), view: G::sent_view(spectator) },
    }
}
