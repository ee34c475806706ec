//! What happens in The Mind, and what a viewer notices of it.

use serde::{Deserialize, Serialize};

use crate::family::{Cards, Face, Hand, Laid, Pile, Reward, Seen};
use crate::family::{CourseNotice, FocusNotice, OfferNotice, VoteNotice};
use crate::kit::parts::notices;
use crate::kit::{BySeat, Viewer};

/// What happened. The variants that carry a secret stand apart from what everyone notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A level was dealt; everyone sees their own hand (M1).
    Dealt {
        /// Which level.
        level: u8,
        /// Everyone's cards.
        hands: BySeat<Cards>,
    },
    /// A card went down (M4), face down where the game is played blind (M12, H3).
    Played {
        /// Who played what.
        laid: Laid,
        /// Open or face down.
        face: Face,
    },
    /// Something that everyone notices.
    Notice(Notice),
}

/// What one viewer noticed of an event: no room for another's secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "MindSight"))]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// A level was dealt.
    Dealt {
        /// Which level.
        level: u8,
        /// The viewer's own cards, and how many the others got.
        hands: BySeat<Hand>,
    },
    /// A card went down: its face, or its back.
    Played(Seen),
    /// Something that everyone notices.
    Notice(Notice),
}

notices! {
    /// What everyone at the table notices.
    #[cfg_attr(feature = "ts", ts(rename = "MindNotice"))]
    pub enum Notice {
        /// A mistake: a life is lost and these lower cards are set aside (M6).
        Erred {
            /// Whose cards should have come first.
            lower: BySeat<Cards>,
        } = "erred",
        /// A star was spent and everyone's lowest card set aside (M7).
        Starred {
            /// The cards set aside.
            lowest: BySeat<Cards>,
        } = "starred",
        /// The face-down pile was turned over and checked (B1).
        Turned {
            /// What lay there.
            pile: Pile;
            /// How many mistakes it had.
            mistakes: u8,
            /// How many lives they cost (M13).
            cost: u8,
        } = "turned",
        /// The level is complete (M8).
        Completed {
            /// Which level.
            level: u8,
            /// What it earned.
            reward: Reward,
        } = "completed",
        /// Everyone agreed: the blind encore begins (M12).
        Encored = "encored",
    }
    with {
        /// Victory or defeat (M10, M11).
        Course(CourseNotice),
        /// Hands on the table, and stops (M2, M3).
        Focus(FocusNotice),
        /// The vote for a star (M7).
        Vote(VoteNotice),
        /// The answers to the offer of a blind encore, and its end (M12).
        Offer(OfferNotice),
    }
}

impl Event {
    pub(super) fn witness(&self, viewer: Viewer) -> Sight {
        match *self {
            Self::Dealt { level, hands } => Sight::Dealt {
                level,
                hands: hands.map(|seat, cards| Hand::seen(cards, seat, viewer)),
            },
            Self::Played { laid, face } => Sight::Played(Seen::of(laid, face, viewer)),
            Self::Notice(notice) => Sight::Notice(notice),
        }
    }
}
