//! How the team at a table kept time, for those who look at it.

use rules::kit::{Report, Seat, View as _, Viewer};
use rules::{extreme, mind, soulmates};
use tempo::{Tempo, Timed, Waited, of, of_completed};
use wire::{Known, Setup};

use super::past::{NoReplay, Past};

/// How the team kept time in a game that is over; `None` in Royale, which is no game of timing.
pub(crate) fn of_past(past: &Past) -> Result<Option<Tempo>, NoReplay> {
    Ok(match past.setup {
        Setup::Mind(setup) => Some(of::<mind::Mind>(&setup, past.events::<mind::Mind>()?)),
        Setup::Extreme(setup) => {
            Some(of::<extreme::Extreme>(&setup, past.events::<extreme::Extreme>()?))
        }
        Setup::Soulmates(setup) => {
            Some(of::<soulmates::Soulmates>(&setup, past.events::<soulmates::Soulmates>()?))
        }
        Setup::Royale(_) => None,
    })
}

/// How long somebody waited in a game that is over, every time; never in Royale.
pub(crate) fn waits_of(past: &Past, seat: Seat) -> Result<Vec<Waited>, NoReplay> {
    Ok(match past.setup {
        Setup::Mind(setup) => {
            tempo::waits_of::<mind::Mind>(&setup, past.events::<mind::Mind>()?, seat)
        }
        Setup::Extreme(setup) => {
            tempo::waits_of::<extreme::Extreme>(&setup, past.events::<extreme::Extreme>()?, seat)
        }
        Setup::Soulmates(setup) => {
            let events = past.events::<soulmates::Soulmates>()?;
            tempo::waits_of::<soulmates::Soulmates>(&setup, events, seat)
        }
        Setup::Royale(_) => Vec::new(),
    })
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
pub(crate) fn so_far(on: &Past) -> Result<Tempo, NoTempo> {
    match on.setup {
        Setup::Royale(_) => Err(NoTempo::Untimed),
        _ if on.setup.manners().tempo_report != Report::EveryLevel => Err(NoTempo::AfterGame),
        Setup::Mind(setup) => between_levels::<mind::Mind>(on, setup),
        Setup::Extreme(setup) => between_levels::<extreme::Extreme>(on, setup),
        Setup::Soulmates(setup) => between_levels::<soulmates::Soulmates>(on, setup),
    }
}

fn between_levels<G: Known + Timed>(on: &Past, setup: G::Setup) -> Result<Tempo, NoTempo> {
    let events = on.events::<G>()?;
    let mut state = G::new(&setup);
    for (at, event) in &events {
        state.apply(*at, event);
    }
    // The rules say when a level is on: as long as nobody may talk.
    if !state.view(Viewer::Watcher).may_talk() {
        return Err(NoTempo::DuringLevel);
    }
    Ok(of_completed::<G>(&setup, events))
}
