//! Simulated people, described in a file.

use serde::{Deserialize, Serialize};

/// A population: what its people have in common and how they differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct People {
    /// The name of the population.
    pub name: String,
    /// Where the figures come from.
    #[serde(default)]
    pub source: String,
    /// Seconds for each card of the gap.
    pub pace: Pace,
    /// How the wait follows the gap.
    #[serde(default)]
    pub curve: Curve,
    /// How well waits are kept.
    #[serde(default)]
    pub noise: Noise,
    /// How a person changes within a game.
    #[serde(default)]
    pub change: Change,
    /// Lapses: waits that are much longer than intended.
    #[serde(default)]
    pub lapse: Lapse,
    /// What people do about stars.
    #[serde(default)]
    pub stars: Stars,
}

/// The pace of a population, log-normal over people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// The pace of the middle person, in seconds for a gap of one.
    pub median_s: f64,
    /// The standard deviation of its logarithm over people.
    #[serde(default)]
    pub log_sd: f64,
}

/// How the wait follows the gap: `pace × gap^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Curve {
    /// The exponent of the middle person.
    pub exponent: f64,
    /// Its standard deviation over people.
    pub exponent_sd: f64,
    /// Waits go with the number of cards out to the power of minus this.
    pub cards_out: f64,
    /// Waits grow the fewer cards can be higher: with their share to the power of minus this.
    pub rarity: f64,
    /// The factor between waits that begin with another player's card and waits that begin with
    /// one's own card or a deal: its median over people.
    pub after_other: f64,
    /// The standard deviation of its logarithm over people.
    pub after_other_log_sd: f64,
    /// A time that every wait has on top, in seconds.
    pub base_s: f64,
    /// The wait in seconds when all other hands are empty; `None` for the usual wait.
    pub alone_s: Option<f64>,
}

impl Default for Curve {
    fn default() -> Self {
        Self {
            exponent: 1.0,
            exponent_sd: 0.0,
            cards_out: 0.0,
            rarity: 0.0,
            after_other: 1.0,
            after_other_log_sd: 0.0,
            base_s: 0.0,
            alone_s: None,
        }
    }
}

/// How well waits are kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Noise {
    /// The standard deviation of a wait as a share of it.
    pub weber: f64,
    /// The standard deviation of the logarithm of that over people.
    pub weber_log_sd: f64,
    /// The standard deviation of the hand, in seconds.
    pub motor_s: f64,
    /// The distribution of the noise.
    pub shape: Shape,
    /// The share of waits that are outliers.
    pub stray: f64,
    /// The spread of outliers, as the standard deviation of a logarithm.
    pub stray_log_sd: f64,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            weber: 0.15,
            weber_log_sd: 0.0,
            motor_s: 0.1,
            shape: Shape::Normal,
            stray: 0.0,
            stray_log_sd: 0.0,
        }
    }
}

/// How a wait is spread around what was intended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Normal: as likely shorter as longer by the same number of seconds.
    #[default]
    Normal,
    /// As likely half as double.
    LogNormal,
}

/// How a person changes within a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Change {
    /// The standard deviation of the step that the logarithm of the pace takes with every deal.
    pub drift_log_sd: f64,
    /// By which share of the difference the pace follows that of others with every card of theirs.
    pub adaptation: f64,
    /// The step that the logarithm of everyone's pace takes with every deal after the first:
    /// positive for people who slow down.
    pub trend_log: f64,
}

/// Lapses: waits that are much longer than intended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lapse {
    /// The share of the waits that are lapses.
    pub rate: f64,
    /// How much longer they are on average, in seconds.
    pub mean_s: f64,
}

/// What people do about stars.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stars {
    /// How often they agree to one.
    pub agree: f64,
    /// How long a wait has to be before they propose one, in seconds; without it they never do.
    pub propose_s: Option<f64>,
}

impl Default for Stars {
    fn default() -> Self {
        Self { agree: 1.0, propose_s: None }
    }
}

/// Why a file is not a valid population.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// It is not valid TOML, or a field is missing or unknown.
    #[error(transparent)]
    Text(#[from] Box<toml::de::Error>),
    /// A number in it makes no sense.
    #[error("{field} is {value}, write {range}")]
    Range {
        /// The field's name.
        field: &'static str,
        /// What it says.
        value: f64,
        /// The values that are accepted.
        range: &'static str,
    },
}

impl People {
    /// The population of the usual model: `pace × gap × noise`, and a tenth of a second of hand.
    pub fn model(median_s: f64, log_sd: f64, weber: f64) -> Self {
        Self {
            name: "model".to_owned(),
            source: String::new(),
            pace: Pace { median_s, log_sd },
            curve: Curve::default(),
            noise: Noise { weber, ..Noise::default() },
            change: Change::default(),
            lapse: Lapse::default(),
            stars: Stars::default(),
        }
    }

    /// Reads a file's text.
    pub fn read(text: &str) -> Result<Self, PeopleError> {
        let people = toml::from_str::<Self>(text).map_err(Box::new)?;
        people.check()?;
        Ok(people)
    }

    /// Reads a file's text that has one population, or several of them under `[[people]]`.
    pub fn read_all(text: &str) -> Result<Vec<Self>, PeopleError> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Several {
            people: Vec<People>,
        }
        let table = toml::from_str::<toml::Table>(text).map_err(Box::new)?;
        if !table.contains_key("people") {
            return Ok(vec![Self::read(text)?]);
        }
        let Several { people } = toml::from_str(text).map_err(Box::new)?;
        people.iter().try_for_each(Self::check)?;
        Ok(people)
    }

    /// The text of a file that describes this population.
    pub fn write(&self) -> Result<String, toml::ser::Error> {
        toml::to_string(self)
    }

    /// Fails if a number makes no sense.
    pub fn check(&self) -> Result<(), PeopleError> {
        let positive =
            [("pace.median_s", self.pace.median_s), ("curve.after_other", self.curve.after_other)];
        let not_negative = [
            ("pace.log_sd", self.pace.log_sd),
            ("curve.exponent", self.curve.exponent),
            ("curve.exponent_sd", self.curve.exponent_sd),
            ("curve.rarity", self.curve.rarity),
            ("curve.after_other_log_sd", self.curve.after_other_log_sd),
            ("curve.base_s", self.curve.base_s),
            ("curve.alone_s", self.curve.alone_s.unwrap_or_default()),
            ("noise.weber", self.noise.weber),
            ("noise.weber_log_sd", self.noise.weber_log_sd),
            ("noise.motor_s", self.noise.motor_s),
            ("noise.stray_log_sd", self.noise.stray_log_sd),
            ("change.drift_log_sd", self.change.drift_log_sd),
            ("lapse.mean_s", self.lapse.mean_s),
            ("stars.propose_s", self.stars.propose_s.unwrap_or_default()),
        ];
        let shares = [
            ("change.adaptation", self.change.adaptation),
            ("noise.stray", self.noise.stray),
            ("lapse.rate", self.lapse.rate),
            ("stars.agree", self.stars.agree),
        ];
        let wrong = |field, value, range| Err(PeopleError::Range { field, value, range });
        for (field, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return wrong(field, value, "a number above 0");
            }
        }
        for (field, value) in not_negative {
            if !(value >= 0.0 && value.is_finite()) {
                return wrong(field, value, "0 or more");
            }
        }
        for (field, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return wrong(field, value, "a share from 0 to 1");
            }
        }
        let any = [
            ("curve.cards_out", self.curve.cards_out),
            ("change.trend_log", self.change.trend_log),
        ];
        for (field, value) in any {
            if !value.is_finite() {
                return wrong(field, value, "a number");
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn populations_are_read_as_they_are_written() {
        let one = People { name: "one".to_owned(), ..People::model(0.7, 0.2, 0.1) };
        let text = one.write().unwrap();
        assert_eq!(People::read_all(&text).unwrap(), [one]);
        let two = "[[people]]\nname = \"a\"\npace.median_s = 1\n\
                   [[people]]\nname = \"b\"\npace.median_s = 2\n";
        let names = People::read_all(two).unwrap().into_iter().map(|people| people.name);
        assert_eq!(names.collect::<Vec<_>>(), ["a", "b"]);
        for wrong in ["", "people = 1", "[[people]]\nname = \"a\"\npace.median_s = 0\n"] {
            assert!(People::read_all(wrong).is_err(), "{wrong:?}");
        }
    }
}
