//! The four games behind closed enums: what is a type parameter inside is a variant at the door.

use rules::door::GameName;
use rules::kit::text::Misprint;
use rules::kit::{Imagine, Manners, Moment, Preset, View as _};
use rules::{extreme, mind, royale, soulmates};
use serde::{Deserialize, Serialize};

/// Makes one enum with a variant for each game's own type.
macro_rules! by_game {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[serde(rename_all = "kebab-case")]
        #[allow(clippy::large_enum_variant, reason = "made once a message and sent at once")]
        pub enum $name {
            /// Of The Mind.
            Mind(mind::$name),
            /// Of The Mind Extreme.
            Extreme(extreme::$name),
            /// Of The Mind: Soulmates.
            Soulmates(soulmates::$name),
            /// Of Royale Mastermind.
            Royale(royale::$name),
        }
    };
}

by_game! {
    /// How a table is set up.
    Setup
}
by_game! {
    /// What a player does.
    Command
}
by_game! {
    /// What a viewer knows.
    View
}
by_game! {
    /// What a viewer noticed.
    Sight
}

/// What a player may do now: the commands themselves, or where there are thousands, their kinds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Options {
    /// Exactly these, in The Mind.
    Mind(Vec<mind::Command>),
    /// Exactly these, in Extreme.
    Extreme(Vec<extreme::Command>),
    /// Exactly these, in Soulmates.
    Soulmates(Vec<soulmates::Command>),
    /// In Royale.
    Royale {
        /// Any three cards of the pack may be hidden.
        hide: bool,
        /// Any row of colours may be asked.
        colours: bool,
        /// Any row of shapes may be asked.
        shapes: bool,
        /// Uncovered cards may be marked.
        mark: bool,
    },
}

/// What the table works out for a codebreaker (Y10), as far as its set-up allows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Help {
    /// How many codes are still possible.
    pub codes: Option<u32>,
    /// The cards that are still possible.
    pub cards: Option<royale::Pack>,
    /// The row to ask next; it comes a moment after the rest, and only to whoever may ask it.
    pub suggestion: Option<royale::Row>,
}

impl View {
    /// The view as it is once it was sent and read: nobody is told when the last card was played.
    #[must_use]
    pub fn without_since(mut self) -> Self {
        match &mut self {
            Self::Mind(view) => view.public.since = Moment::START,
            Self::Extreme(view) => view.public.since = Moment::START,
            Self::Soulmates(view) => view.public.since = Moment::START,
            Self::Royale(_) => {}
        }
        self
    }
}

impl Options {
    /// The commands themselves; none in Royale, where only their kinds are told.
    pub fn commands(&self) -> Vec<Command> {
        match self {
            Self::Mind(commands) => commands.iter().copied().map(Command::Mind).collect(),
            Self::Extreme(commands) => commands.iter().copied().map(Command::Extreme).collect(),
            Self::Soulmates(commands) => commands.iter().copied().map(Command::Soulmates).collect(),
            Self::Royale { .. } => vec![],
        }
    }
}

impl Setup {
    /// Which game it is for.
    pub fn game(&self) -> GameName {
        match self {
            Self::Mind(_) => GameName::Mind,
            Self::Extreme(_) => GameName::Extreme,
            Self::Soulmates(_) => GameName::Soulmates,
            Self::Royale(_) => GameName::Royale,
        }
    }

    /// How many people play.
    pub fn players(&self) -> u8 {
        match self {
            Self::Mind(setup) => setup.players,
            Self::Extreme(setup) => setup.players,
            Self::Soulmates(setup) => setup.players,
            Self::Royale(setup) => setup.players,
        }
    }

    /// How the table is kept, beside the rules.
    pub fn manners(&self) -> Manners {
        match self {
            Self::Mind(setup) => setup.manners,
            Self::Extreme(setup) => setup.manners,
            Self::Soulmates(setup) => setup.manners,
            Self::Royale(setup) => setup.manners,
        }
    }

    /// What is played by a preset's name.
    pub fn of(game: GameName, players: u8, preset: Preset) -> Result<Self, Misprint> {
        Self::read(game, &format!("players={players} preset={preset}"))
    }

    /// The set-up of a game from its notation.
    pub fn read(game: GameName, text: &str) -> Result<Self, Misprint> {
        Ok(match game {
            GameName::Mind => Self::Mind(text.parse()?),
            GameName::Extreme => Self::Extreme(text.parse()?),
            GameName::Soulmates => Self::Soulmates(text.parse()?),
            GameName::Royale => Self::Royale(text.parse()?),
        })
    }
}

/// A game that the wire knows: the way in and out of the closed enums.
pub trait Known: Imagine {
    /// The game's own set-up, if it is for this game.
    fn setup_of(setup: &Setup) -> Option<Self::Setup>;
    /// The game's own command, if it is for this game.
    fn command_of(command: &Command) -> Option<Self::Command>;
    /// A command on its way out.
    fn sent_command(command: Self::Command) -> Command;
    /// A view on its way out.
    fn sent_view(view: Self::View) -> View;
    /// A sight on its way out.
    fn sent_sight(sight: Self::Sight) -> Sight;
    /// What the view permits.
    fn sent_options(view: &Self::View) -> Options;
}

macro_rules! known {
    ($game:ident, $state:ty, $options:expr) => {
        impl Known for $state {
            fn setup_of(setup: &Setup) -> Option<Self::Setup> {
                if let Setup::$game(setup) = setup { Some(*setup) } else { None }
            }

            fn command_of(command: &Command) -> Option<Self::Command> {
                if let Command::$game(command) = command { Some(*command) } else { None }
            }

            fn sent_command(command: Self::Command) -> Command {
                Command::$game(command)
            }

            fn sent_view(view: Self::View) -> View {
                View::$game(view)
            }

            fn sent_sight(sight: Self::Sight) -> Sight {
                Sight::$game(sight)
            }

            fn sent_options(view: &Self::View) -> Options {
                $options(view)
            }
        }
    };
}

known!(Mind, mind::Mind, |view: &mind::View| Options::Mind(view.options()));
known!(Extreme, extreme::Extreme, |view: &extreme::View| Options::Extreme(view.options()));
known!(Soulmates, soulmates::Soulmates, |view: &soulmates::View| {
    Options::Soulmates(view.options())
});
known!(Royale, royale::Royale, |view: &royale::View| Options::Royale {
    hide: view.may_hide(),
    colours: view.may_ask(royale::Zone::Colours),
    shapes: view.may_ask(royale::Zone::Shapes),
    mark: view.may_mark(),
});
