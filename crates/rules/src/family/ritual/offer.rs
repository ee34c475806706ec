//! The offer to play on after a victory (M12, S10): it takes everyone's consent.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Holds, Ritual, Stage};
use crate::family::refusal::Refusal;
use crate::kit::parts::{Part, word_part};
use crate::kit::text::{Misprint, Words};
use crate::kit::{Play, Seat, Seats};

/// The game is won, and the team may go on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
pub struct Offer {
    /// Who has agreed.
    pub agreed: Seats,
}

impl Offer {
    /// No player has agreed yet.
    pub const NONE: Self = Self { agreed: Seats::NONE };
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "offer:{}", self.agreed)
    }
}

/// How a player answers the offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum OfferCommand {
    /// Agree to play on (M12, S10).
    Continue,
    /// Leave it at the victory (M12, S10).
    Finish,
}

word_part!(OfferCommand { Continue = "continue", Finish = "finish" });

impl OfferCommand {
    pub(crate) fn permitted<C>(
        self,
        phase: &impl Holds<Offer>,
        me: Seat,
    ) -> Result<(), Refusal<C>> {
        let Some(offer) = phase.held() else { return Err(Refusal::NoOffer) };
        match self {
            Self::Continue if offer.agreed.contains(me) => Err(Refusal::AlreadyAgreed),
            Self::Continue | Self::Finish => Ok(()),
        }
    }

    /// Returns whether everyone has agreed now.
    pub(crate) fn act<G>(self, play: &mut Play<G>, seat: Seat) -> bool
    where
        G: Ritual<Phase: Holds<Offer>, Event: From<OfferNotice>>,
    {
        play.emit(match self {
            Self::Continue => OfferNotice::Agreed(seat),
            Self::Finish => OfferNotice::Finished(seat),
        });
        let (players, offer) = (play.state().players(), play.state().phase().held());
        offer.is_some_and(|offer| offer.agreed.are_all(players))
    }
}

/// What everyone notices of the answers, and of the end of what was offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum OfferNotice {
    /// A player agreed to play on.
    Agreed(Seat),
    /// A player left it at the victory.
    Finished(Seat),
    /// The team played on, and that is over: it was lost, or its last level is complete.
    Ended,
}

impl OfferNotice {
    pub(crate) fn apply<P: Stage + Holds<Offer>>(self, phase: &mut P) {
        match self {
            Self::Agreed(seat) => {
                if let Some(offer) = Holds::<Offer>::held_mut(phase) {
                    offer.agreed = offer.agreed.with(seat);
                }
            }
            Self::Finished(_) | Self::Ended => *phase = P::over(true),
        }
    }
}

impl fmt::Display for OfferNotice {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Agreed(seat) => write!(f, "agreed {seat}"),
            Self::Finished(seat) => write!(f, "finished {seat}"),
            Self::Ended => f.write_str("ended"),
        }
    }
}

impl Part for OfferNotice {
    const WORDS: &'static [&'static str] = &["agreed", "finished", "ended"];

    fn read(word: &str, words: &mut Words) -> Result<Self, Misprint> {
        Ok(match word {
            "agreed" => Self::Agreed(words.read("the seat")?),
            "finished" => Self::Finished(words.read("the seat")?),
            _ => Self::Ended,
        })
    }
}
