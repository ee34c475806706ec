//! What a game is, what a viewer may know of it, and how it ends.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::chance::Chance;
use super::play::Play;
use super::seat::{Seat, Viewer};
use super::seats::Seats;
use super::table::Manners;
use super::text::Misprint;
use super::time::Moment;

/// A game. The implementing type is the full state, with the secrets of all players in it: it can be
/// written in the game's notation for examples and bug reports, but it is never serialized.
pub trait Game:
    Copy + Eq + Debug + Display + FromStr<Err = Misprint> + Send + Sync + 'static
{
    /// How a table is set up; only valid ones exist.
    type Setup: TableSetup;
    /// A command of a player.
    type Command: Copy
        + Eq
        + Debug
        + Display
        + FromStr<Err = Misprint>
        + Serialize
        + DeserializeOwned
        + Send
        + Sync;
    /// What happened, with everything that it takes to repeat it.
    type Event: Clone
        + Eq
        + Debug
        + Display
        + FromStr<Err = Misprint>
        + Serialize
        + DeserializeOwned
        + Send
        + Sync;
    /// What one viewer knows.
    type View: View<Command = Self::Command>;
    /// What one viewer noticed of an event.
    type Sight: Clone + Eq + Debug + Display + Serialize + DeserializeOwned + Send + Sync;

    /// The game's name in set-ups, journals and addresses.
    const NAME: &'static str;

    /// The numbers of players that the box is for. A table of another size plays by a house rule.
    const PLAYERS_IN_BOX: RangeInclusive<u8>;

    /// Whether the players win and lose together.
    const IS_COOPERATIVE: bool = true;

    /// A table before anything has happened.
    fn new(setup: &Self::Setup) -> Self;
    /// The set-up that the table was opened with.
    fn setup(&self) -> &Self::Setup;
    /// The number of players.
    fn players(&self) -> u8 {
        self.setup().players()
    }
    /// The first events, up to where a player has to act.
    fn open(play: &mut Play<Self>, chance: &mut Chance);
    /// What a permitted command brings about.
    fn act(play: &mut Play<Self>, seat: Seat, command: Self::Command, chance: &mut Chance);
    /// The fold: the only place where a state changes.
    fn apply(&mut self, at: Moment, event: &Self::Event);
    /// What a viewer knows. A chair that the table does not have sees what a spectator sees.
    fn view(&self, viewer: Viewer) -> Self::View;
    /// What a viewer notices of an event; `None` if nothing.
    fn witness(event: &Self::Event, viewer: Viewer) -> Option<Self::Sight>;
    /// How the game ended, once it has.
    fn outcome(&self) -> Option<Outcome>;
    /// How the game will be recorded, as soon as that is decided. It differs from
    /// [`outcome`](Self::outcome) only while a team plays on after a victory, or may (M12, S10):
    /// the victory is decided when the last level is complete.
    fn decided(&self) -> Option<Outcome> {
        self.outcome()
    }
    /// Whether a recorded event is what the rules make of a command. An event may carry a remark
    /// that changes no state and that an earlier release decided by another reading (X6).
    fn agrees(made: &Self::Event, recorded: &Self::Event) -> bool {
        made == recorded
    }
}

/// The first lines of `impl Game`: the types that every game calls by the same names, its name, the
/// numbers of players in the box, and the set-up, which is a field of what is public.
macro_rules! own_types {
    ($name:literal, $players:expr) => {
        type Setup = Setup;
        type Command = Command;
        type Event = Event;
        type View = View;
        type Sight = Sight;

        const NAME: &'static str = $name;
        const PLAYERS_IN_BOX: ::std::ops::RangeInclusive<u8> = $players;

        fn setup(&self) -> &Setup {
            &self.public.setup
        }
    };
}
pub(crate) use own_types;

/// How a table is set up. Only set-ups that can be played exist.
pub trait TableSetup:
    Copy + Eq + Debug + Display + FromStr<Err = Misprint> + Serialize + DeserializeOwned + Send + Sync
{
    /// The number of players.
    fn players(&self) -> u8;
    /// What the table agrees on beside the rules.
    fn manners(&self) -> Manners;
}

/// What a viewer knows. Nothing else decides which commands are permitted to them.
pub trait View: Clone + Eq + Debug + Display + Serialize + DeserializeOwned + Send + Sync {
    /// A command of a player.
    type Command;
    /// Why a command is not permitted.
    type Refusal: Reason;

    /// Whether the viewer may do this now.
    fn permits(&self, command: &Self::Command) -> Result<(), Self::Refusal>;
    /// Everything that the viewer may do now.
    fn options(&self) -> Vec<Self::Command>;
    /// Whether the rules allow players to talk now.
    fn may_talk(&self) -> bool;
}

/// Why a command was refused: a sentence for the player and a word for catalogues and examples.
pub trait Reason: Error + Clone + Eq + Send + Sync + 'static {
    /// The refusal's word, such as `not-lowest`.
    fn code(&self) -> &'static str;
}

/// Filling in what a viewer cannot see: for bots, the solver and the leak laws.
pub trait Imagine: Game {
    /// Some full state that looks the same from this chair.
    fn imagine(view: &Self::View, chance: &mut Chance) -> Self;
    /// Some event that looks the same from this chair.
    fn imagine_event(event: &Self::Event, viewer: Viewer, chance: &mut Chance) -> Self::Event;
    /// Whether only one state looks like this, so that nothing is hidden any more.
    fn certain(view: &Self::View) -> bool;
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// The team won.
    Won,
    /// The team lost.
    Lost,
    /// These came out best, sharing the win if they are several.
    Best(Seats),
}

impl Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Won => f.write_str("won"),
            Self::Lost => f.write_str("lost"),
            Self::Best(seats) => write!(f, "best:{seats}"),
        }
    }
}
