//! A position of The Mind or Extreme in writing: the fields that both have, and whether play can
//! have led there.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use super::{Focus, Holds, LIVES_MOST, PhaseText, STARS_MOST, Stage, Vote};
use crate::family::card::Cards;
use crate::family::pile::Pile;
use crate::kit::text::{Fields, Misprint, read_for};
use crate::kit::{BySeat, Moment, Seat};

/// The cards of one player: a set of numbers, in Extreme one for each colour.
pub(crate) trait CardSet: Copy + Default + FromStr<Err: Display> {
    fn len(&self) -> u8;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn with(&self, others: &Self) -> Self;
    fn without(&self, others: &Self) -> Self;
}

impl CardSet for Cards {
    fn len(&self) -> u8 {
        Self::len(*self)
    }

    fn with(&self, others: &Self) -> Self {
        *self | *others
    }

    fn without(&self, others: &Self) -> Self {
        *self - *others
    }
}

/// Takes cards out of the hands and sets them aside face up (M6, M7).
pub(crate) fn set_aside<S: CardSet>(
    cards: &BySeat<S>,
    hands: &mut BySeat<S>,
    aside: &mut BySeat<S>,
) {
    for (seat, cards) in cards.iter() {
        hands[seat] = hands[seat].without(&cards);
        aside[seat] = aside[seat].with(&cards);
    }
}

/// What a position says of the team and its cards.
pub(crate) struct Position<S, P> {
    pub(crate) level: u8,
    pub(crate) lives: u8,
    pub(crate) stars: u8,
    pub(crate) phase: P,
    pub(crate) hands: BySeat<S>,
    pub(crate) aside: BySeat<S>,
    pub(crate) since: Moment,
    /// How many cards each player was dealt.
    dealt: BySeat<u8>,
}

impl<S: CardSet, P: Stage + Holds<Vote>> Position<S, P> {
    /// Reads the fields. What is left out is as it would be while the first cards are played by a
    /// team that starts at the level `first` and has all the `(lives, stars)` of its set-up.
    pub(crate) fn read(
        fields: &mut Fields,
        players: u8,
        first: u8,
        (lives, stars): (u8, u8),
        piles: &[Pile],
        phase: impl FnOnce(PhaseText) -> Result<P, Misprint>,
    ) -> Result<Self, Misprint> {
        let sets =
            |text: &str| read_for(players, text, |text| text.parse::<S>().map_err(Misprint::new));
        let nothing = BySeat::new(players, |_| S::default());
        let phase =
            fields.read_with("phase", |text| PhaseText::parse(text, players).and_then(phase))?;
        let hands = fields.read_with("hands", sets)?.unwrap_or(nothing);
        let aside = fields.read_with("aside", sets)?.unwrap_or(nothing);
        let laid = |seat: Seat| {
            piles.iter().flat_map(Pile::iter).filter(|laid| laid.seat == seat).count() as u8
        };
        let dealt = hands.map(|seat, hand| {
            hand.len().saturating_add(aside[seat].len()).saturating_add(laid(seat))
        });
        Ok(Self {
            level: fields.read("level")?.or(dealt.values().max()).unwrap_or(first).max(first),
            lives: fields.read("lives")?.unwrap_or(lives),
            stars: fields.read("stars")?.unwrap_or(stars),
            phase: phase.unwrap_or(P::PLAYING),
            hands,
            aside,
            since: Moment::from_micros(fields.read("since_us")?.unwrap_or(0)),
            dealt,
        })
    }

    /// Fails with the reason if play cannot have led here by what both games have in common, given
    /// the levels of the set-up and the cards on the piles.
    pub(crate) fn check(
        &self,
        levels: RangeInclusive<u8>,
        piles: &[Pile],
        laid: S,
    ) -> Result<(), &'static str> {
        let Self { level, lives, stars, phase, hands, aside, dealt, .. } = self;
        let join = |all: S, more: S| all.with(&more);
        let held = hands.values().fold(S::default(), join);
        let together = aside.values().fold(held, join).with(&laid);
        let total = dealt.values().map(u16::from).sum::<u16>();
        let players = usize::from(hands.players());
        let focus: Option<&Focus> = phase.held();
        let vote: Option<&Vote> = phase.held();
        first_wrong(&[
            (!levels.contains(level), "the set-up has no such level"),
            (*lives > LIVES_MOST, "a team has at most 5 lives"),
            (
                *lives == 0 && phase.outcome().is_none(),
                "a team without lives has lost, write phase=lost",
            ),
            (*stars > STARS_MOST, "a team has at most 3 stars"),
            (
                dealt.values().any(|count| count > *level),
                "no player is dealt more cards than the level",
            ),
            (u16::from(together.len()) != total, "a card is in two places at once"),
            (
                piles.iter().flat_map(Pile::iter).any(|laid| laid.seat.index() >= players),
                "a pile names a seat that the table does not have",
            ),
            (
                (focus.is_some() || phase.is_playing()) && held.len() == 0,
                "a level without cards in hand is complete, give hands=",
            ),
            (
                vote.is_some_and(|vote| !vote.raised.is_empty()) && *stars == 0,
                "no hand is raised without a star",
            ),
        ])
    }
}

/// The text of the first thing that is wrong.
pub(crate) fn first_wrong(wrong: &[(bool, &'static str)]) -> Result<(), &'static str> {
    wrong.iter().find(|(found, _)| *found).map_or(Ok(()), |(_, text)| Err(text))
}
