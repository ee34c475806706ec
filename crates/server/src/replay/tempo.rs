//! How the team at a table kept time.

use rules::kit::{Report, Seat, View as _, Viewer};
use tempo::{Tempo, Timed, Waited, of, of_completed};
use wire::{WireGame, with_race};

use super::finished::{FinishedGame, NoReplay};

/// How the team kept time in a game that is over; `None` in a game that is no race.
pub(crate) fn of_past(past: &FinishedGame) -> Result<Option<Tempo>, NoReplay> {
    Ok(with_race!(past.setup, G, setup => of::<G>(&setup, past.events::<G>()?)))
}

/// How long the player of a seat waited in a game that is over, every time; never in a game that
/// is no race.
pub(crate) fn waits_of(past: &FinishedGame, seat: Seat) -> Result<Vec<Waited>, NoReplay> {
    let waits = with_race!(
        past.setup, G, setup => tempo::waits_of::<G>(&setup, past.events::<G>()?, seat)
    );
    Ok(waits.unwrap_or_default())
}

/// Why a table is not shown its tempo.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoTempo {
    /// The game is none of timing, or none was begun.
    #[error("there is no tempo to show at this table")]
    Untimed,
    /// The table sees it when the game is over.
    #[error("this table is shown its tempo when the game is over")]
    AfterGame,
    /// A level is on.
    #[error("a level is on, the tempo is shown when it is over")]
    DuringLevel,
    /// The journal cannot be understood.
    #[error(transparent)]
    Line(#[from] NoReplay),
}

/// How the team kept time so far in a game that is on: between levels, if the table likes to see
/// it then, and only by levels that were completed.
pub(crate) fn so_far(on: &FinishedGame) -> Result<Tempo, NoTempo> {
    let tempo = with_race!(on.setup, G, setup => {
        if on.setup.manners().tempo_report == Report::EveryLevel {
            between_levels::<G>(on, setup)
        } else {
            Err(NoTempo::AfterGame)
        }
    });
    tempo.unwrap_or(Err(NoTempo::Untimed))
}

fn between_levels<G: WireGame + Timed>(
    on: &FinishedGame,
    setup: G::Setup,
) -> Result<Tempo, NoTempo> {
    let events = on.events::<G>()?;
    let mut state = G::new(&setup);
    for (at, event) in &events {
        state.apply(*at, event);
    }
    // The rules say when a level is on: as long as players may not talk.
    if !state.view(Viewer::Spectator).may_talk() {
        return Err(NoTempo::DuringLevel);
    }
    Ok(of_completed::<G>(&setup, events))
}
