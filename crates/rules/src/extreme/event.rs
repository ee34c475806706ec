//! What happens in Extreme, and what a viewer notices of it.

use serde::{Deserialize, Serialize};

use super::card::{Colour, Hand, Holding};
use crate::family::{CourseNotice, Face, FocusNotice, Laid, Pile, Reward, Seen, VoteNotice};
use crate::kit::parts::notices;
use crate::kit::{BySeat, Seat, Viewer};

/// What happened. The variants that carry a secret stand apart from what everyone notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// A level was dealt; everyone sees their own hand (M1).
    Dealt {
        /// Which level.
        level: u8,
        /// Everyone's cards.
        hands: BySeat<Holding>,
    },
    /// A card went down on its colour's pile (M4, X1).
    Played {
        /// On which pile: public even when the card lies face down (X7).
        colour: Colour,
        /// Who played what.
        laid: Laid,
        /// Open or face down (X4).
        face: Face,
    },
    /// A player chose a colour for the star (X5).
    Chose {
        /// Which player.
        seat: Seat,
        /// Which: a secret until all have chosen.
        colour: Colour,
    },
    /// Something that everyone notices.
    Notice(Notice),
}

/// What one viewer noticed of an event: no room for another's secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeSight"))]
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
    Played {
        /// On which pile.
        colour: Colour,
        /// The card as the viewer knows it.
        card: Seen,
    },
    /// A player chose a colour for the star.
    Chose {
        /// Which player.
        seat: Seat,
        /// What the viewer knows of the choice.
        choice: Choice,
    },
    /// Something that everyone notices.
    Notice(Notice),
}

/// A choice for the star as a viewer knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "ExtremeChoice"))]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// The viewer's own.
    Mine(Colour),
    /// Another player's.
    Theirs,
}

notices! {
    /// What everyone at the table notices.
    #[cfg_attr(feature = "ts", ts(rename = "ExtremeNotice"))]
    pub enum Notice {
        /// A mistake: a life is lost and these cards of the colour are set aside (X3).
        Erred {
            /// Whose cards should have come first.
            earlier: BySeat<Holding>,
        } = "erred",
        /// All agreed to a star: everyone chooses a card (X5).
        Choosing = "choosing",
        /// A star was spent and the chosen cards were set aside (X5).
        Starred {
            /// The cards set aside.
            chosen: BySeat<Holding>,
        } = "starred",
        /// A face-down pile was turned over (X4).
        Turned {
            /// Which pile.
            colour: Colour,
            /// What lay there.
            pile: Pile;
            /// How many mistakes it had (B1).
            mistakes: u8,
        } = "turned",
        /// The face-down piles of the level are checked (B2).
        Checked {;
            /// How many lives their mistakes cost (M13).
            cost: u8,
        } = "checked",
        /// The level is complete (M8).
        Completed {
            /// Which level.
            level: u8,
            /// What it earned.
            reward: Reward;
            /// The colour that was finished before the other was begun, if one was (X6).
            one_sided: Option<Colour>,
        } = "completed",
    }
    with {
        /// Victory or defeat (M10, M11).
        Course(CourseNotice),
        /// Hands on the table, and stops (M2, M3).
        Focus(FocusNotice),
        /// The vote for a star (M7).
        Vote(VoteNotice),
    }
}

impl Event {
    pub(super) fn witness(&self, viewer: Viewer) -> Sight {
        match *self {
            Self::Dealt { level, hands } => Sight::Dealt {
                level,
                hands: hands.map(|seat, cards| Hand::seen(cards, seat, viewer)),
            },
            Self::Played { colour, laid, face } => {
                Sight::Played { colour, card: Seen::of(laid, face, viewer) }
            }
            Self::Chose { seat, colour } if viewer == Viewer::Seat(seat) => {
                Sight::Chose { seat, choice: Choice::Mine(colour) }
            }
            Self::Chose { seat, .. } => Sight::Chose { seat, choice: Choice::Theirs },
            Self::Notice(notice) => Sight::Notice(notice),
        }
    }
}
