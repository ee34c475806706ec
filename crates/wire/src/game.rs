//! The games as closed enums: one variant for each game. [`WireGame`] converts between a game's own
//! types and the variants; [`with_game!`](crate::with_game) goes from a set-up to its game,
//! [`with_name!`](rules::with_name) from a name.

use rules::door::GameName;
use rules::kit::text::Misprint;
use rules::kit::{Imagine, Manners, Moment, Preset, TableSetup, View as GameView};
use rules::{extreme, family, mind, royale, soulmates, with_name};
use serde::{Deserialize, Serialize};

use crate::refusal::Refusal;
use crate::table::BotKind;
use crate::update_text::{CachedText, WriteView, write};

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

/// What a player may do now: the commands themselves, or their kinds where there are thousands.
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
    /// The row to ask next. It follows in a second update, sent to the players who may ask it.
    pub suggestion: Option<royale::Row>,
}

impl View {
    /// The view as a client reads it: `since`, the moment of the last play, is never sent.
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
    /// The commands themselves; none in Royale, where only their kinds are sent.
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
        crate::with_game!(self, G, _own => <G as WireGame>::GAME)
    }

    /// The number of players.
    pub fn players(&self) -> u8 {
        crate::with_game!(self, G, own => own.players())
    }

    /// What the table agrees on beside the rules.
    pub fn manners(&self) -> Manners {
        crate::with_game!(self, G, own => own.manners())
    }

    /// What is played by a preset's name.
    pub fn of(game: GameName, players: u8, preset: Preset) -> Result<Self, Misprint> {
        Self::read(game, &format!("players={players} preset={preset}"))
    }

    /// The set-up of a game from its notation.
    pub fn read(game: GameName, text: &str) -> Result<Self, Misprint> {
        with_name!(game, G => Ok(G::sent_setup(text.parse()?)))
    }

    /// The level table row by row in the game's notation, as in `4/3/1,5/3/2`; `None` for games
    /// without one.
    pub fn level_table(&self) -> Option<String> {
        let rows = match self {
            Self::Mind(_) | Self::Royale(_) => return None,
            Self::Extreme(own) => own.table.iter().map(ToString::to_string).collect::<Vec<_>>(),
            Self::Soulmates(own) => {
                let rows = (1..=own.table.levels()).filter_map(|level| own.table.row(level));
                rows.map(|row| row.to_string()).collect()
            }
        };
        Some(rows.join(","))
    }

    /// The same set-up with another level table, whose rows are in the game's notation, split by
    /// commas or white space.
    ///
    /// ```
    /// use rules::door::GameName;
    /// use wire::Setup;
    ///
    /// let setup = Setup::read(GameName::Soulmates, "players=2 lives=5").unwrap();
    /// let own = setup.with_level_table("4/3/1, 5/3/2").unwrap();
    /// assert_eq!(own.level_table().as_deref(), Some("4/3/1,5/3/2"));
    /// assert!(setup.with_level_table("4/5/1").is_err());
    /// ```
    pub fn with_level_table(&self, table: &str) -> Result<Self, Misprint> {
        let text = crate::with_game!(self, G, own => own.to_string());
        let rest = text.split(' ').filter(|field| !field.starts_with("table="));
        let is_between = |c: char| c == ',' || c.is_whitespace();
        let rows = table.split(is_between).filter(|row| !row.is_empty()).collect::<Vec<_>>();
        let table = format!("table={}", rows.join(","));
        let fields = rest.chain([table.as_str()]).collect::<Vec<_>>();
        Self::read(self.game(), &fields.join(" "))
    }
}

/// Evaluates an expression with the types of the set-up's game: `G` is the game's state and `own`
/// its set-up. Code that goes from a set-up to a game's rules uses this macro.
///
/// ```
/// use rules::kit::Game;
/// use wire::{Setup, with_game};
///
/// fn players(setup: &Setup) -> u8 {
///     with_game!(setup, G, own => G::new(own).players())
/// }
/// let setup = Setup::read(rules::door::GameName::Royale, "players=3").unwrap();
/// assert_eq!(players(&setup), 3);
/// ```
#[macro_export]
macro_rules! with_game {
    ($setup:expr, $game:ident, $own:ident => $work:expr) => {
        match $setup {
            $crate::Setup::Mind($own) => $crate::with_game!(@ Mind, $game, $work),
            $crate::Setup::Extreme($own) => $crate::with_game!(@ Extreme, $game, $work),
            $crate::Setup::Soulmates($own) => $crate::with_game!(@ Soulmates, $game, $work),
            $crate::Setup::Royale($own) => $crate::with_game!(@ Royale, $game, $work),
        }
    };
    (@ $rules:ident, $game:ident, $work:expr) => {{
        #[allow(dead_code, reason = "some work needs only the set-up")]
        type $game = $crate::games::$rules;
        $work
    }};
}

/// The same for games that are a race; `None` for those that are not.
#[macro_export]
macro_rules! with_race {
    ($setup:expr, $game:ident, $own:ident => $work:expr) => {
        match $setup {
            $crate::Setup::Mind($own) => Some($crate::with_game!(@ Mind, $game, $work)),
            $crate::Setup::Extreme($own) => Some($crate::with_game!(@ Extreme, $game, $work)),
            $crate::Setup::Soulmates($own) => Some($crate::with_game!(@ Soulmates, $game, $work)),
            $crate::Setup::Royale(_) => None,
        }
    };
}

/// The rules of the games that there are, by name.
pub mod games {
    pub use rules::extreme::Extreme;
    pub use rules::mind::Mind;
    pub use rules::royale::Royale;
    pub use rules::soulmates::Soulmates;
}

/// A game that messages can carry: converts between the game's own types and the closed enums.
pub trait WireGame: Imagine<View: GameView<Refusal: Into<Refusal>>> {
    /// Its name.
    const GAME: GameName;
    /// The bots that play it, the best partner for a beginner first.
    const BOTS: &'static [BotKind];
    /// The bot that plays for a person who is gone.
    const STAND_IN: BotKind;

    /// The game's own set-up, if it is for this game.
    fn setup_of(setup: &Setup) -> Option<Self::Setup>;
    /// The game's own command, if it is for this game.
    fn command_of(command: &Command) -> Option<Self::Command>;
    /// A set-up on its way out.
    fn sent_setup(setup: Self::Setup) -> Setup;
    /// A command on its way out.
    fn sent_command(command: Self::Command) -> Command;
    /// Wraps a view for a message.
    fn sent_view(view: Self::View) -> View;
    /// Wraps a sight for a message.
    fn sent_sight(sight: Self::Sight) -> Sight;
    /// The options that the view permits.
    fn sent_options(view: &Self::View) -> Options;
}

/// Implements [`WireGame`]: a game's variant and rules, its bots, and how its options are sent.
macro_rules! wire_game {
    ($game:ident, $state:ty, $bots:expr, $stand_in:expr, $options:expr) => {
        impl WireGame for $state {
            const GAME: GameName = GameName::$game;
            const BOTS: &'static [BotKind] = $bots;
            const STAND_IN: BotKind = $stand_in;

            fn setup_of(setup: &Setup) -> Option<Self::Setup> {
                if let Setup::$game(setup) = setup { Some(*setup) } else { None }
            }

            fn command_of(command: &Command) -> Option<Self::Command> {
                if let Command::$game(command) = command { Some(*command) } else { None }
            }

            fn sent_setup(setup: Self::Setup) -> Setup {
                Setup::$game(setup)
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

/// The bots of games in which players keep time.
const PACED: &[BotKind] =
    &[BotKind::Kindred, BotKind::Steady, BotKind::Hasty, BotKind::Dreamy, BotKind::Random];

/// The bots that break codes.
const SEEKERS: &[BotKind] =
    &[BotKind::Student, BotKind::Master, BotKind::Cunning, BotKind::Novice, BotKind::Random];

wire_game!(Mind, mind::Mind, PACED, BotKind::Kindred, |view: &mind::View| {
    Options::Mind(view.options())
});
wire_game!(Extreme, extreme::Extreme, PACED, BotKind::Kindred, |view: &extreme::View| {
    Options::Extreme(view.options())
});
wire_game!(Soulmates, soulmates::Soulmates, PACED, BotKind::Kindred, |view: &soulmates::View| {
    Options::Soulmates(view.options())
});
wire_game!(Royale, royale::Royale, SEEKERS, BotKind::Master, |view: &royale::View| {
    Options::Royale {
        hide: view.may_hide(),
        colours: view.may_ask(royale::Zone::Colours),
        shapes: view.may_ask(royale::Zone::Shapes),
        mark: view.may_mark(),
    }
});

impl WriteView for mind::View {
    type Parts = (CachedText<mind::Public>, CachedText<family::SeenPile>);

    fn write(&self, (public, pile): &mut Self::Parts, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"public\":");
        public.write(&self.public, out);
        out.extend_from_slice(b",\"hands\":");
        write(&self.hands, out);
        out.extend_from_slice(b",\"pile\":");
        pile.write(&self.pile, out);
        out.push(b'}');
    }
}

impl WriteView for extreme::View {
    type Parts = (CachedText<extreme::Public>, CachedText<extreme::ByColour<family::SeenPile>>);

    fn write(&self, (public, piles): &mut Self::Parts, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"public\":");
        public.write(&self.public, out);
        out.extend_from_slice(b",\"hands\":");
        write(&self.hands, out);
        out.extend_from_slice(b",\"piles\":");
        piles.write(&self.piles, out);
        if let Some(choice) = &self.choice {
            out.extend_from_slice(b",\"choice\":");
            write(choice, out);
        }
        out.push(b'}');
    }
}

impl WriteView for soulmates::View {
    type Parts = (CachedText<soulmates::Public>, CachedText<family::SeenPile>);

    fn write(&self, (public, pile): &mut Self::Parts, out: &mut Vec<u8>) {
        out.extend_from_slice(b"{\"public\":");
        public.write(&self.public, out);
        out.extend_from_slice(b",\"vision\":");
        write(&self.vision, out);
        out.extend_from_slice(b",\"hands\":");
        write(&self.hands, out);
        out.extend_from_slice(b",\"pile\":");
        pile.write(&self.pile, out);
        out.push(b'}');
    }
}

/// Royale has no race, so its views are not cached.
impl WriteView for royale::View {
    type Parts = ();

    fn write(&self, (): &mut Self::Parts, out: &mut Vec<u8>) {
        write(self, out);
    }
}
