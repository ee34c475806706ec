//! What an environment needs to know of a game beside its rules: one trait, one file a game.

mod extreme;
mod mind;
mod royale;
mod soulmates;

use lab::Player;
use rules::kit::{Chance, Moment, Seat, View as _, Viewer};
use table::TableGame;

use crate::field::Fields;
use crate::partner::{Partner, PartnerError, SeatPlan};
use crate::reward::Gain;

/// The command that does nothing: the agent waits for others. It is always permitted.
pub const PASS: &str = "pass";

/// A game that learning agents can play.
pub trait EnvironmentGame: TableGame {
    /// Writes what a seat knows. The number and the lengths of the fields depend on the set-up
    /// alone. Only the view and the time are handed in, so nothing hidden can get in.
    fn observe(view: &Self::View, now: Moment, fields: &mut impl Fields);

    /// The names of all commands of a table, `PASS` first. An action is a place in this list.
    fn command_names(setup: &Self::Setup) -> Vec<String>;

    /// The command of that name's place, as the seat's view gives it its card; `None` if there is
    /// nothing that it could mean now.
    fn command(view: &Self::View, place: usize) -> Option<Self::Command>;

    /// Sets the place of every command that the view permits to one and all others to zero.
    fn mask(view: &Self::View, mask: &mut [i8]) {
        for (place, permitted) in mask.iter_mut().enumerate() {
            *permitted = i8::from(place == 0 || permitted_command::<Self>(view, place).is_some());
        }
    }

    /// What an event brings a seat of a table with that number of players.
    fn gain(event: &Self::Event, seat: Seat, players: u8) -> Gain;

    /// Whether such a partner can play the game at a table with that number of players.
    fn check_partner(partner: &Partner, players: u8) -> Result<(), PartnerError>;

    /// The players of one game, seat by seat; `None` where an agent sits.
    fn cast(seats: &[SeatPlan], stars: bool, luck: &mut Chance) -> Vec<Option<Player<Self>>>;
}

/// The command of that place, if the view permits it.
pub fn permitted_command<G: EnvironmentGame>(view: &G::View, place: usize) -> Option<G::Command> {
    G::command(view, place).filter(|command| view.permits(command).is_ok())
}

/// The seat that many places to the left of the viewer. Observations name seats so: the viewer
/// comes first, and a policy need not know which chair it sits in.
fn seat_from(me: Viewer, places: usize, players: u8) -> Seat {
    let first = me.seat().unwrap_or_default();
    (0..places).fold(first, |seat, _| seat.left(players))
}

/// How many places to the left of the viewer a seat is.
fn places_to(me: Viewer, seat: Seat, players: u8) -> usize {
    let (players, first) = (usize::from(players), me.seat().unwrap_or_default().index());
    (seat.index() + players - first) % players.max(1)
}

/// Seconds since a moment, as an observation has them.
fn seconds_since(since: Moment, now: Moment) -> f32 {
    (now.micros().saturating_sub(since.micros())) as f32 / 1e6
}

/// The most seconds that an observation can say.
pub const SECONDS_MOST: f32 = 1e6;

fn names(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}
