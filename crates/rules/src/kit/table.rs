//! What a table agrees on beside the rules: presets, and manners that the rules carry for others.

use serde::{Deserialize, Serialize};

use super::text::{Differences, Fields, Misprint, Switch, words};

/// A whole set of table options under one name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// As the rulebooks have it.
    #[default]
    Faithful,
    /// Photo finish, aids, and a look at the tempo after every level.
    Friendly,
    /// The same deal for everyone, no aids, everything open to export.
    Research,
}

words!(Preset { Faithful = "faithful", Friendly = "friendly", Research = "research" });

/// When the table is shown its own tempo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// When the game is over.
    #[default]
    AfterGame,
    /// After every level.
    EveryLevel,
}

words!(Report { AfterGame = "after-game", EveryLevel = "every-level" });

/// Where the seed of a table comes from. The seed itself is a secret and stands in no set-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Seeding {
    /// Drawn anew for each game.
    #[default]
    Fresh,
    /// Given to the table, so that groups play the same deals.
    Fixed,
}

words!(Seeding { Fresh = "fresh", Fixed = "fixed" });

/// Table options that decide nothing in the rules: a set-up carries them to the server and the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Manners {
    /// Two plays too close to tell apart are taken in the order that costs no life.
    pub photo_finish: bool,
    /// When the table is shown its own tempo.
    pub tempo_report: Report,
    /// Where the seed comes from.
    pub seeding: Seeding,
    /// Whether everyone may download every recorded time, also people who did not play.
    pub export: bool,
}

impl Manners {
    /// The manners of a preset.
    pub fn of(preset: Preset) -> Self {
        let plain = Self::default();
        match preset {
            Preset::Faithful => plain,
            Preset::Friendly => {
                Self { photo_finish: true, tempo_report: Report::EveryLevel, ..plain }
            }
            Preset::Research => Self { seeding: Seeding::Fixed, export: true, ..plain },
        }
    }

    pub(crate) fn read(&mut self, fields: &mut Fields) -> Result<(), Misprint> {
        if let Some(Switch(on)) = fields.read("photo_finish")? {
            self.photo_finish = on;
        }
        if let Some(Switch(on)) = fields.read("export")? {
            self.export = on;
        }
        self.tempo_report = fields.read("tempo_report")?.unwrap_or(self.tempo_report);
        self.seeding = fields.read("seeding")?.unwrap_or(self.seeding);
        Ok(())
    }

    pub(crate) fn write(&self, differences: &mut Differences) {
        let faithful = Self::of(Preset::Faithful);
        differences.field("photo_finish", Switch(self.photo_finish), Switch(faithful.photo_finish));
        differences.field("tempo_report", self.tempo_report, faithful.tempo_report);
        differences.field("seeding", self.seeding, faithful.seeding);
        differences.field("export", Switch(self.export), Switch(faithful.export));
    }
}
