//! Watching a replay together: one member of the audience leads, the others follow, all may chat.

use rules::kit::{Moment, Seat};
use serde::{Deserialize, Serialize};

use crate::name::Name;

/// A member of the audience of a replay: one page of one person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Member {
    /// The member's number, unique in the audience.
    pub number: u32,
    /// The person's name.
    pub name: Name,
    /// Whether the member follows the leader.
    pub follows: bool,
    /// Whether the member is the recipient of the message.
    pub you: bool,
}

/// The state of a replay player: position, speed and point of view.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct Playback {
    /// The moment of the game, in microseconds since it began.
    pub at: Moment,
    /// How many moves are shown: several may have the same moment.
    pub moves: u32,
    /// Whether it plays on from there.
    pub playing: bool,
    /// The speed of play.
    pub speed: Speed,
    /// Whose view is shown.
    pub point_of_view: PointOfView,
}

/// The speed of a replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Speed {
    /// Half the true speed.
    Half,
    /// The speed of the game itself.
    True,
    /// Twice the true speed.
    Double,
    /// Four times the true speed.
    Fourfold,
    /// Eight times the true speed.
    Eightfold,
}

/// Whose view of the game a replay shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum PointOfView {
    /// The view of a seat.
    Seat(Seat),
    /// The view of the spectators.
    Spectator,
    /// All hands open.
    Open,
}

/// A request of a member of an audience.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum AudienceRequest {
    /// Go there as the leader. Takes the lead if it is free.
    Lead(Playback),
    /// Give the lead to another member, by their number (leader).
    PassLead(u32),
    /// Give up the lead; every member then watches alone (leader).
    Release,
    /// Follow the leader.
    Follow,
    /// Watch alone.
    Unfollow,
    /// Send a chat message to the audience.
    Remark(String),
}
