//! A scenario: who plays over which network, and how they press. Written as TOML.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

/// The scenarios that come with the program.
pub const SHIPPED: &[(&str, &str)] = &[
    ("world", include_str!("../../../../scenarios/world.toml")),
    ("room", include_str!("../../../../scenarios/room.toml")),
    ("pair", include_str!("../../../../scenarios/pair.toml")),
    ("strays", include_str!("../../../../scenarios/strays.toml")),
    ("lossy", include_str!("../../../../scenarios/lossy.toml")),
    ("liars", include_str!("../../../../scenarios/liars.toml")),
    ("pongs", include_str!("../../../../scenarios/pongs.toml")),
    ("proxy", include_str!("../../../../scenarios/proxy.toml")),
    ("path", include_str!("../../../../scenarios/path.toml")),
    ("sleepers", include_str!("../../../../scenarios/sleepers.toml")),
    ("lopsided", include_str!("../../../../scenarios/lopsided.toml")),
    ("satellite", include_str!("../../../../scenarios/satellite.toml")),
    ("lossier", include_str!("../../../../scenarios/lossier.toml")),
    ("mobile", include_str!("../../../../scenarios/mobile.toml")),
    ("photo", include_str!("../../../../scenarios/photo.toml")),
    ("relay", include_str!("../../../../scenarios/relay.toml")),
];

/// One scenario.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// A line for the report.
    pub title: String,
    /// The seed of all its runs.
    pub seed: u64,
    /// Tables: each draws its clocks, and how the ways share the round trips, anew.
    pub runs: u32,
    /// Pairs of presses at each table.
    pub pairs: u32,
    /// How far apart the presses of a pair are; each as likely.
    pub gaps_ms: Vec<u32>,
    /// How long all players have been connected before the first press.
    pub settle_s: f64,
    /// Between one pair and the next.
    pub pause_s: f64,
    /// Whether what is too close to tell apart is taken as it costs least.
    #[serde(default)]
    pub photo_finish: bool,
    /// Who plays.
    #[serde(rename = "player")]
    pub players: Vec<Player>,
    /// The targets.
    #[serde(default)]
    pub reach: Reach,
}

/// A player and their way to the server.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Player {
    /// What they are called in the report.
    pub name: String,
    /// The mean time of a message to the server.
    pub up_ms: f64,
    /// And of one from the server.
    pub down_ms: f64,
    /// The larger share of the round trip that one way may take; the share is drawn for each run.
    /// Without it the ways take what is given.
    #[serde(default)]
    pub lopsided: Option<f64>,
    /// How much single messages vary.
    pub jitter: Jitter,
    /// The share of packets that are lost. They are sent again after a timeout, and whatever was
    /// sent meanwhile waits behind them.
    #[serde(default)]
    pub loss: f64,
    /// The player's clock.
    #[serde(default)]
    pub clock: Wrong,
    /// By how much the client antedates its presses.
    #[serde(default)]
    pub lies_ms: f64,
    /// How late the client answers pings, beyond its way. The kernel below it does not wait.
    #[serde(default)]
    pub late_pongs: Option<LatePongs>,
    /// Whether there is a proxy in front of the server, so that its kernel does not see the way.
    #[serde(default)]
    pub proxy: bool,
    /// The mean time of a message between the player's node of a cluster and the one that has the
    /// table. The kernel of that one does not see the way either.
    #[serde(default)]
    pub relay_ms: f64,
    /// Other ways from some time on, in the order of their times.
    #[serde(default, rename = "change")]
    pub changes: Vec<Change>,
    /// When the device sleeps, in the order of their times. Its clock stands still meanwhile.
    #[serde(default, rename = "sleep")]
    pub sleeps: Vec<Sleep>,
    /// Whether it is a bot: it sits at the server, and has neither way nor clock.
    #[serde(default)]
    pub bot: bool,
}

/// How late a client answers pings.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LatePongs {
    /// At least by this.
    #[serde(default)]
    pub by_ms: f64,
    /// And by anything up to this.
    #[serde(default)]
    pub jitter_ms: f64,
    /// Only within a second before a press of its own, or always.
    #[serde(default)]
    pub when_pressing: bool,
}

/// A path that takes another time from now on.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// When, in seconds from the start.
    pub at_s: f64,
    /// The mean time of a message to the server.
    pub up_ms: f64,
    /// And of one from the server.
    pub down_ms: f64,
}

/// A device that sleeps.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sleep {
    /// When it falls asleep, in seconds from the start.
    pub at_s: f64,
    /// For how long.
    pub for_s: f64,
}

/// How much single messages vary, as a share of the mean of their way.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Jitter {
    /// Normal, with this standard deviation.
    Normal(f64),
    /// Most are quick, and some are held up long: a Pareto distribution of index 2 above the mean,
    /// of this scale.
    Heavy(f64),
}

/// How far a clock may be off; what it is, is drawn for each run.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Wrong {
    /// Seconds, either way.
    pub offset_s: f64,
    /// Millionths, either way.
    pub drift_ppm: f64,
}

/// The targets.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reach {
    /// For a gap in ms, the least share of pairs in the right order, in percent.
    #[serde(default)]
    pub right: BTreeMap<String, f64>,
    /// The spread of the instant that a card is seen at, p99.
    pub spread_p99_ms: Option<f64>,
    /// The delay added, p99.
    pub delay_p99_ms: Option<f64>,
    /// The most that a client that lies may gain.
    pub gained_ms: Option<f64>,
    /// The share of honest claims that are put right, in percent.
    pub corrected: Option<f64>,
    /// That no gap is put in order worse than arrival does, beyond what chance explains.
    #[serde(default)]
    pub no_worse_than_arrival: bool,
}

impl Scenario {
    /// All numbers that have to be finite and not negative.
    fn numbers(&self) -> Vec<f64> {
        let mut all = vec![self.settle_s, self.pause_s];
        for player in &self.players {
            let (Jitter::Normal(jitter) | Jitter::Heavy(jitter)) = player.jitter;
            all.extend([player.up_ms, player.down_ms, jitter, player.loss, player.lies_ms]);
            all.extend([player.clock.offset_s, player.clock.drift_ppm, player.relay_ms]);
            all.extend(player.late_pongs.iter().flat_map(|late| [late.by_ms, late.jitter_ms]));
            let changes = player.changes.iter();
            all.extend(changes.flat_map(|change| [change.at_s, change.up_ms, change.down_ms]));
            all.extend(player.sleeps.iter().flat_map(|sleep| [sleep.at_s, sleep.for_s]));
        }
        all
    }

    /// Reads a scenario. Fails if a value is out of its range.
    pub fn read(name: &str, text: &str) -> Result<Self> {
        let scenario = toml::from_str::<Self>(text)
            .with_context(|| format!("{name} is not a scenario, see docs/fair-time.md"))?;
        let wrong = |what: &str| format!("{name}: {what}");
        ensure!(scenario.players.len() >= 2, wrong("a pair takes two players at least"));
        ensure!(!scenario.gaps_ms.is_empty(), wrong("gaps_ms names one gap at least"));
        ensure!(scenario.runs > 0 && scenario.pairs > 0, wrong("runs and pairs are 1 at least"));
        ensure!(scenario.settle_s >= 1.0, wrong("settle_s is 1 at least, clocks need probes"));
        let longest = scenario.gaps_ms.iter().copied().max().unwrap_or(0);
        ensure!(
            scenario.pause_s * 1_000.0 >= f64::from(longest) + 100.0,
            wrong("pause_s keeps pairs apart: at least the longest gap and 0.1")
        );
        for number in scenario.numbers() {
            let least = wrong("numbers are finite, and 0 at least");
            ensure!(number.is_finite() && number >= 0.0, least);
        }
        for player in &scenario.players {
            let changed = player.changes.iter().flat_map(|change| [change.up_ms, change.down_ms]);
            let ways = [player.up_ms, player.down_ms].into_iter().chain(changed);
            let are_ways = player.bot || ways.into_iter().all(|ms| ms > 0.0);
            ensure!(are_ways, wrong("up_ms and down_ms are above 0"));
            let is_ordered = player.changes.is_sorted_by(|one, next| one.at_s < next.at_s)
                && player.sleeps.is_sorted_by(|one, next| one.at_s + one.for_s < next.at_s);
            ensure!(is_ordered, wrong("changes and sleeps follow each other"));
            let share = player.lopsided.unwrap_or(0.5);
            ensure!((0.5..1.0).contains(&share), wrong("lopsided is between 0.5 and 1"));
            ensure!((0.0..0.5).contains(&player.loss), wrong("loss is between 0 and 0.5"));
        }
        for gap in scenario.reach.right.keys() {
            let known = gap.parse().is_ok_and(|gap| scenario.gaps_ms.contains(&gap));
            ensure!(known, wrong("[reach.right] names gaps of gaps_ms"));
        }
        Ok(scenario)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_ones_are_read() {
        for (name, text) in SHIPPED {
            Scenario::read(name, text).unwrap();
        }
    }

    #[test]
    fn what_cannot_be_is_refused_with_what_to_do() {
        let room = SHIPPED[1].1;
        for (from, to, says) in [
            ("[5, 10, 25, 50, 100]", "[]", "gaps_ms names one gap at least"),
            ("settle_s = 60", "settle_s = 0", "settle_s is 1 at least"),
            ("up_ms = 2.5", "up_ms = 0", "above 0"),
            ("title", "titel", "is not a scenario"),
            ("down_ms = 2.5", "down_ms = -2.5", "finite, and 0 at least"),
            ("pause_s = 1.5", "pause_s = inf", "finite, and 0 at least"),
        ] {
            assert!(room.contains(from), "{from}");
            let error = Scenario::read("room", &room.replace(from, to)).unwrap_err();
            assert!(format!("{error:#}").contains(says), "{error:#}");
        }
    }
}
