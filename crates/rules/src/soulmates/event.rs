//! What happens in Soulmates, and what a viewer notices of it.

use serde::{Deserialize, Serialize};

use super::view::Vision;
use crate::family::{Cards, Face, Hand, Laid, Pile, Seen, SeenPile};
use crate::family::{CourseNotice, FocusNotice, OfferNotice};
use crate::kit::parts::notices;
use crate::kit::{BySeat, Seat, Viewer};

/// What happened. The variants that carry a secret stand apart from what everyone notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Event {
    /// The cards of a level were drawn; no player sees which (S5).
    Drawn {
        /// What was drawn.
        cards: Cards,
    },
    /// The Seer looked at some of them (S5).
    Looked {
        /// Who is the Seer.
        seer: Seat,
        /// What the Seer saw.
        cards: Cards,
    },
    /// The cards drawn were dealt; everyone sees their own hand (S5).
    Dealt(BySeat<Cards>),
    /// A card went down, face down (S6).
    Played(Laid),
    /// The order was wrong; only the Seer sees the pile (S7).
    Failed {
        /// Who is the Seer.
        seer: Seat,
        /// What lay there.
        pile: Pile,
    },
    /// Something that everyone notices.
    Notice(Notice),
}

/// What one viewer noticed of an event: no room for another's secrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS), ts(rename = "SoulmatesSight"))]
#[serde(rename_all = "kebab-case")]
pub enum Sight {
    /// The cards of a level were drawn.
    Drawn {
        /// How many cards were drawn.
        count: u8,
    },
    /// The Seer looked at some of them.
    Looked {
        /// Who is the Seer.
        seer: Seat,
        /// The cards, for the Seer alone.
        vision: Vision,
    },
    /// The viewer's own cards, and how many the others got.
    Dealt(BySeat<Hand>),
    /// A card went down: its back, or one's own card.
    Played(Seen),
    /// The order was wrong.
    Failed {
        /// Who is the Seer.
        seer: Seat,
        /// The pile: open for the Seer, backs for all others.
        pile: SeenPile,
    },
    /// Something that everyone notices.
    Notice(Notice),
}

notices! {
    /// What everyone at the table notices.
    #[cfg_attr(feature = "ts", ts(rename = "SoulmatesNotice"))]
    pub enum Notice {
        /// A level is about to begin (S3).
        Next {
            /// Which level.
            level: u8,
            /// Who is its Seer.
            seer: Seat,
        } = "next",
        /// The Seer wrote on the slate, or left it as it was.
        Hinted {
            /// Who is the Seer.
            seer: Seat,
            /// What is new on the slate.
            cards: Cards,
        } = "hinted",
        /// The order was right: the pile is revealed and the level complete (S7).
        Completed {
            /// Which level.
            level: u8,
            /// What lay there.
            pile: Pile,
        } = "completed",
        /// Everyone agreed: the levels beyond begin (S10).
        Continued = "continued",
    }
    with {
        /// Victory or defeat (S9, S10).
        Course(CourseNotice),
        /// Hands on the table, and stops (S6).
        Focus(FocusNotice),
        /// The answers to the offer of the levels beyond, and their end (S10).
        Offer(OfferNotice),
    }
}

impl Event {
    pub(super) fn witness(&self, viewer: Viewer) -> Sight {
        match *self {
            Self::Drawn { cards } => Sight::Drawn { count: cards.len() },
            Self::Looked { seer, cards } => {
                Sight::Looked { seer, vision: Vision::of(cards, seer, viewer) }
            }
            Self::Dealt(hands) => {
                Sight::Dealt(hands.map(|seat, cards| Hand::seen(cards, seat, viewer)))
            }
            Self::Played(laid) => Sight::Played(Seen::of(laid, Face::Blind, viewer)),
            Self::Failed { seer, pile } => {
                Sight::Failed { seer, pile: pile.seen(face_after_check(seer, viewer), viewer) }
            }
            Self::Notice(notice) => Sight::Notice(notice),
        }
    }
}

/// How a pile that was out of order lies for a viewer (S7).
pub(super) fn face_after_check(seer: Seat, viewer: Viewer) -> Face {
    if viewer == Viewer::Seat(seer) { Face::Open } else { Face::Blind }
}
