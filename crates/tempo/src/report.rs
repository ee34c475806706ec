//! What a table is shown of its own tempo.

use rules::family::Card;
use rules::kit::{Moment, Seat};
use serde::{Deserialize, Serialize};

use crate::clocks::{Clocks, fit};
use crate::curve::never_back;
use crate::recorder::{Lane, Track};

/// How a team kept time in a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Tempo {
    /// Every level, and every attempt at one.
    pub levels: Vec<LevelTempo>,
    /// How well the clocks of all levels agreed; `None` if there was too little to say.
    pub sync: Option<Sync>,
    /// How early or late each player was.
    pub leans: Vec<Lean>,
}

/// How a team kept time in a level.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct LevelTempo {
    /// Which level.
    pub level: u8,
    /// Which attempt at it, the first one is 1.
    pub attempt: u8,
    /// Whether the game was won before.
    pub beyond: bool,
    /// Whether it was completed.
    pub complete: bool,
    /// The pile that was finished before the other was begun, if one was (X6).
    pub one_sided: Option<Lane>,
    /// How long it was played.
    pub length: Moment,
    /// Every card that went down, in that order.
    pub plays: Vec<Play>,
    /// What interrupted play.
    pub marks: Vec<Mark>,
    /// When each pile came to each of its cards, if it never went back.
    pub curves: Vec<Vec<Point>>,
    /// The two plays of different players that were closest in time.
    pub closest: Option<Closest>,
    /// How well the clocks agreed; `None` if there was too little to say.
    pub sync: Option<Sync>,
    /// How early or late each player was; empty if there was too little to say.
    pub leans: Vec<Lean>,
}

/// A card that went down. Times are those for which the level was played: focus does not count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TempoPlay"))]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// When.
    pub at: Moment,
    /// Where.
    pub lane: Lane,
    /// Whose.
    pub seat: Seat,
    /// What it was.
    pub card: Card,
    /// Whether a card that should have come first had not.
    pub mistake: bool,
}

/// Something that interrupted play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TempoMark"))]
#[serde(deny_unknown_fields)]
pub struct Mark {
    /// When.
    pub at: Moment,
    /// What.
    pub incident: Incident,
}

/// What interrupts play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Incident {
    /// A player stopped play.
    Stop,
    /// A star was played.
    Star,
    /// A mistake was noticed.
    Mistake,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "TempoPoint"))]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// When.
    pub at: Moment,
    /// At which card.
    pub card: Card,
}

/// Two plays that were close.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Closest {
    /// The one that came first.
    pub first: Card,
    /// The one that came next.
    pub next: Card,
    /// How far they were apart.
    pub apart: Moment,
}

/// How well clocks agreed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Sync {
    /// From 0 to 100, which is perfect step.
    pub score: f64,
    /// How many plays it rests on.
    pub plays: u32,
    /// And how many waits that led to none.
    pub waits: u32,
}

/// How early or late a player was.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Lean {
    /// Who.
    pub seat: Seat,
    /// By what part longer than the team they wait, negative if shorter: 0.25 is a quarter longer.
    pub late: f64,
}

impl Tempo {
    pub(crate) fn of(tracks: &[Track], players: u8) -> Self {
        let waits = tracks.iter().map(|track| track.waits.clone()).collect::<Vec<_>>();
        let clocks = fit(&waits, players);
        Self {
            levels: tracks.iter().map(|track| LevelTempo::of(track, players)).collect(),
            sync: clocks.as_ref().map(Sync::of),
            leans: clocks.as_ref().map_or_else(Vec::new, Lean::all),
        }
    }
}

impl LevelTempo {
    fn of(track: &Track, players: u8) -> Self {
        let clocks = fit(std::slice::from_ref(&track.waits), players);
        let Track { level, attempt, beyond, complete, one_sided, length, .. } = *track;
        let curve = |lane| curve(&track.plays, lane);
        Self {
            level,
            attempt,
            beyond,
            complete,
            one_sided,
            length,
            plays: track.plays.clone(),
            marks: track.marks.clone(),
            curves: [Lane::Pile, Lane::White, Lane::Red].into_iter().filter_map(curve).collect(),
            closest: closest(&track.plays),
            sync: clocks.as_ref().map(Sync::of),
            leans: clocks.as_ref().map_or_else(Vec::new, Lean::all),
        }
    }
}

impl Sync {
    fn of(clocks: &Clocks) -> Self {
        let Clocks { spread, plays, waits, .. } = *clocks;
        Self { score: 100.0 * (-spread).exp(), plays, waits }
    }
}

impl Lean {
    fn all(clocks: &Clocks) -> Vec<Self> {
        clocks.leans.iter().map(|(seat, lean)| Self { seat, late: lean.exp_m1() }).collect()
    }
}

#[allow(clippy::cast_sign_loss, reason = "times are not negative, nor are their means")]
fn curve(plays: &[Play], lane: Lane) -> Option<Vec<Point>> {
    let mut plays = plays.iter().filter(|play| play.lane == lane).collect::<Vec<_>>();
    plays.sort_by_key(|play| play.card);
    if lane == Lane::Red {
        plays.reverse();
    }
    let times = plays.iter().map(|play| play.at.micros() as f64).collect::<Vec<_>>();
    let points = never_back(&times)
        .into_iter()
        .zip(plays)
        .map(|(at, play)| Point { at: Moment::from_micros(at.round() as u64), card: play.card });
    let points = points.collect::<Vec<_>>();
    (!points.is_empty()).then_some(points)
}

fn closest(plays: &[Play]) -> Option<Closest> {
    let calls = plays.iter().enumerate().filter_map(|(index, first)| {
        let next = plays[index + 1..].iter().find(|next| next.lane == first.lane)?;
        let apart = Moment::from_micros(next.at.micros() - first.at.micros());
        (next.seat != first.seat).then_some(Closest { first: first.card, next: next.card, apart })
    });
    calls.min_by_key(|call| call.apart)
}
