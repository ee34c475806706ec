//! How a table of Royale Mastermind is set up.

use serde::{Deserialize, Serialize};

use crate::kit::text::{Differences, Fields, Misprint, Switch, checked_setup, is_default, words};
use crate::kit::{Manners, Preset, Seat};

/// A set-up as requested: it may be impossible to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The number of players.
    pub players: u8,
    /// How two players take turns at hiding codes.
    pub variant: Variant,
    /// How many rounds there are.
    pub rounds: u8,
    /// Who hides the first code (H6). Left out if it is A (Y1).
    #[serde(default, skip_serializing_if = "is_default")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Seat>"))]
    pub first_maker: Seat,
    /// How many points an unsolved zone counts (Y4).
    pub unsolved: u8,
    /// Help that the table gives (Y10).
    pub aids: Aids,
    /// What the table agrees on beside the rules.
    pub manners: Manners,
}

/// How roles change hands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleVariant"))]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// After every round (Y6, Y8).
    #[default]
    Alternate,
    /// Once, after half of the rounds (Y7).
    Series,
}

words!(Variant { Alternate = "alternate", Series = "series" });

impl Variant {
    /// The rounds of a whole game, which are the most there can be.
    pub fn rounds(self, players: u8) -> u8 {
        match (self, players) {
            (Self::Alternate, 3) => 24,
            (Self::Alternate, _) => 8,
            (Self::Series, _) => 16,
        }
    }
}

/// Help that the table gives (Y10). The first two are computed from a view; the solver gives the
/// third.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "RoyaleAids"))]
#[serde(deny_unknown_fields)]
pub struct Aids {
    /// The number of codes still possible is shown.
    pub count: bool,
    /// The cards still possible are shaded on the grid.
    pub shade: bool,
    /// A row is suggested.
    pub suggest: bool,
}

impl Aids {
    /// The aids of a preset.
    pub fn of(preset: Preset) -> Self {
        match preset {
            Preset::Faithful | Preset::Research => Self::default(),
            Preset::Friendly => Self { count: true, shade: true, suggest: true },
        }
    }

    fn switches(&mut self) -> [(&'static str, &mut bool); 3] {
        [
            ("aid_count", &mut self.count),
            ("aid_shade", &mut self.shade),
            ("aid_suggest", &mut self.suggest),
        ]
    }
}

impl Draft {
    /// The draft of a preset for that number of players.
    pub fn of(preset: Preset, players: u8) -> Result<Self, SetupError> {
        if !(2..=3).contains(&players) {
            return Err(SetupError::Players(players));
        }
        let (variant, first_maker) = (Variant::Alternate, Seat::A);
        let (rounds, aids) = (variant.rounds(players), Aids::of(preset));
        let (unsolved, manners) = (8, Manners::of(preset));
        Ok(Self { players, variant, rounds, first_maker, unsolved, aids, manners })
    }

    fn read(&mut self, fields: &mut Fields) -> Result<(), Misprint> {
        self.variant = fields.read("variant")?.unwrap_or(self.variant);
        self.rounds = fields.read("rounds")?.unwrap_or_else(|| self.variant.rounds(self.players));
        self.first_maker = fields.read("first_maker")?.unwrap_or(self.first_maker);
        self.unsolved = fields.read("unsolved")?.unwrap_or(self.unsolved);
        for (key, aid) in self.aids.switches() {
            if let Some(Switch(on)) = fields.read(key)? {
                *aid = on;
            }
        }
        Ok(())
    }

    fn write(&self, faithful: &Self, differences: &mut Differences) {
        differences.field("variant", self.variant, faithful.variant);
        differences.field("rounds", self.rounds, self.variant.rounds(self.players));
        differences.field("first_maker", self.first_maker, faithful.first_maker);
        differences.field("unsolved", self.unsolved, faithful.unsolved);
        let (mut aids, mut plain) = (self.aids, faithful.aids);
        for ((key, on), (_, off)) in aids.switches().into_iter().zip(plain.switches()) {
            differences.field(key, Switch(*on), Switch(*off));
        }
    }
}

/// A set-up that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(as = "Draft", rename = "RoyaleSetup"))]
#[serde(try_from = "Draft", into = "Draft")]
pub struct Setup(Draft);

impl Setup {
    /// The set-up of that draft, if it can be played.
    pub fn new(draft: Draft) -> Result<Self, SetupError> {
        let Draft { players, variant, rounds, first_maker, unsolved, .. } = draft;
        if !(2..=3).contains(&players) {
            return Err(SetupError::Players(players));
        }
        if players == 3 && variant == Variant::Series {
            return Err(SetupError::SeriesOfThree);
        }
        let most = variant.rounds(players);
        // Everyone hides equally many codes.
        if rounds == 0 || rounds > most || rounds % players != 0 {
            return Err(SetupError::Rounds { rounds, players, most });
        }
        if first_maker.index() >= usize::from(players) {
            return Err(SetupError::FirstMaker { seat: first_maker, players });
        }
        if !(8..=9).contains(&unsolved) {
            return Err(SetupError::Unsolved(unsolved));
        }
        Ok(Self(draft))
    }
}

checked_setup!();

/// Why a table cannot be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// Too few or too many.
    #[error("{0} players cannot play this, it takes 2 or 3")]
    Players(u8),
    /// Roles rotate with three players.
    #[error("three players take turns every round, the series is for two")]
    SeriesOfThree,
    /// Every player hides equally many codes, and the cards have to last.
    #[error("{rounds} rounds cannot be played, choose a multiple of {players} up to {most}")]
    Rounds {
        /// What was asked for.
        rounds: u8,
        /// Among how many they are shared.
        players: u8,
        /// How many there can be.
        most: u8,
    },
    /// The first codemaker does not play (H6).
    #[error("{seat} cannot hide the first code of {players} players, name one of their seats")]
    FirstMaker {
        /// The seat that was named.
        seat: Seat,
        /// The number of players.
        players: u8,
    },
    /// Only two ways of counting are known.
    #[error("an unsolved zone cannot count {0}, choose 8 or 9")]
    Unsolved(u8),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::text::check_text as check;

    #[test]
    fn what_is_as_printed_need_not_be_said() {
        check::<Setup>(
            "players=2 variant=alternate rounds=8 unsolved=8 aid_count=off",
            Ok("players=2"),
        );
        check::<Setup>("players=2 variant=series rounds=16", Ok("players=2 variant=series"));
        check::<Setup>(
            "variant=series players=2 rounds=8",
            Ok("players=2 variant=series rounds=8"),
        );
        check::<Setup>("players=3 rounds=24 preset=faithful", Ok("players=3"));
        check::<Setup>("players=3 rounds=3 unsolved=9", Ok("players=3 rounds=3 unsolved=9"));
        check::<Setup>(
            "preset=friendly players=2 aid_suggest=off",
            Ok("players=2 aid_count=on aid_shade=on photo_finish=on tempo_report=every-level"),
        );
        check::<Setup>("preset=research players=3", Ok("players=3 seeding=fixed export=on"));
        check::<Setup>("players=2 first_maker=A", Ok("players=2"));
        check::<Setup>("first_maker=C players=3 rounds=3", Ok("players=3 rounds=3 first_maker=C"));
    }

    #[test]
    fn a_set_up_without_a_first_codemaker_is_read_and_written_as_before() {
        let setup = "players=2".parse::<Setup>().unwrap();
        let json = serde_json::to_string(&setup).unwrap();
        assert!(!json.contains("first_maker"), "{json}");
        assert_eq!(serde_json::from_str::<Setup>(&json).unwrap(), setup);
    }

    #[test]
    fn impossible_tables_say_what_would_be_right() {
        check::<Setup>("players=1", Err("1 players cannot play this, it takes 2 or 3"));
        check::<Setup>("players=4", Err("4 players cannot play this, it takes 2 or 3"));
        let rounds = |rounds, players, most| {
            format!("{rounds} rounds cannot be played, choose a multiple of {players} up to {most}")
        };
        for (text, error) in [
            ("players=2 rounds=7", rounds(7, 2, 8)),
            ("players=2 rounds=0", rounds(0, 2, 8)),
            ("players=2 rounds=10", rounds(10, 2, 8)),
            ("players=2 variant=series rounds=18", rounds(18, 2, 16)),
            ("players=3 rounds=8", rounds(8, 3, 24)),
            ("players=3 rounds=27", rounds(27, 3, 24)),
        ] {
            check::<Setup>(text, Err(&error));
        }
        check::<Setup>(
            "players=3 variant=series",
            Err("three players take turns every round, the series is for two"),
        );
        check::<Setup>(
            "players=2 unsolved=7",
            Err("an unsolved zone cannot count 7, choose 8 or 9"),
        );
        check::<Setup>(
            "players=2 first_maker=C",
            Err("C cannot hide the first code of 2 players, name one of their seats"),
        );
        check::<Setup>("rounds=2", Err("players= is missing"));
    }
}
