//! Kindred at a table of Soulmates: it reads the slate, and as Seer writes what helps most.

use rules::family::{Card, Cards, FocusNotice, Hand};
use rules::kit::{Chance, Moment, Seat};
use rules::soulmates::{Command, Notice, Phase, Setup, Sight, Soulmates, View};

use super::kin::{Kin, Prospect, StarStock};
use super::pulse::Pulse;
use super::tempo::Prior;
use crate::paced::{Paced, Run};
use crate::soulmates::hints;
use crate::span::Intent;

/// The share of its time by which a card keeps its distance from a card that is known to be in
/// play.
const SPLIT: f64 = 0.05;
/// How far apart two cards have to be, as a share of the higher one, to be told apart easily.
const EASY: f64 = 0.2;

/// What has been noted: everyone's tempo, the slate, and what this chair knows to be in play.
#[derive(Clone, Debug)]
pub struct Ledger {
    pulse: Pulse,
    slate: Cards,
    /// Cards in play that this chair knows of: looked at as Seer, or held once.
    known: Cards,
    /// How many cards are in play, and who was dealt those of this chair.
    in_play: u8,
    own: Option<(Seat, Cards)>,
}

impl Ledger {
    /// An attempt failed. At a table of two nothing has to be agreed on with a third player: if
    /// this chair knows all cards in play it learns from them, since players lay their lowest first.
    fn failed(&mut self, setup: &Setup) {
        let Self { pulse, slate, known, in_play, own } = self;
        let (me, hand) = own.filter(|_| setup.players == 2).unzip();
        pulse.doubted(me);
        let all = *slate | *known;
        match (me, hand) {
            (Some(me), Some(hand)) if all.len() == *in_play => {
                for seat in Seat::all(setup.players).filter(|seat| *seat != me) {
                    let places = (all - hand).iter().map(Card::number);
                    pulse.known(seat, places, |pulse, gap| split_s(pulse, *slate, gap));
                }
            }
            _ => pulse.failed(),
        }
    }

    /// What the cards that this chair knows of say about its next card, at a table of two: the
    /// other player lays theirs in ascending order, so each that lies there is one fewer to wait
    /// for.
    fn certainty(&self, view: &View, me: Seat, card: Card) -> Certainty {
        let theirs = (self.slate | self.known) - self.own.map_or(Cards::NONE, |(_, own)| own);
        let dealt = self.pulse.laid_by_others(me) + held_by_others(view, me);
        let laid = self.pulse.laid_by_others(me);
        let lower = theirs.iter().filter(|other| *other < card).count() as u8;
        if laid < lower {
            Certainty::Lower
        } else if theirs.len() == dealt {
            Certainty::Next
        } else {
            Certainty::Unknown
        }
    }
}

/// Whether another player holds a lower card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Certainty {
    /// Certainly.
    Lower,
    /// Certainly not.
    Next,
    /// Perhaps.
    Unknown,
}

/// How long a card waits for one that another player certainly holds: until that one is laid.
const UNTIL_LAID_S: f64 = 600.0;

fn held_by_others(view: &View, me: Seat) -> u8 {
    let others = view.hands.iter().filter(|(seat, _)| *seat != me);
    others.map(|(_, hand)| hand.len()).sum()
}

impl Kin for Soulmates {
    const DECK_SHARE: f64 = 2.0;

    type Ledger = Ledger;

    fn ledger(setup: &Setup, prior: &Prior) -> Ledger {
        let prior = Prior { pace_s: Self::DECK_SHARE * prior.pace_s, ..*prior };
        let pulse = Pulse::new(setup.players, Soulmates::HIGHEST, &prior);
        Ledger { pulse, slate: Cards::NONE, known: Cards::NONE, in_play: 0, own: None }
    }

    fn note(ledger: &mut Ledger, setup: &Setup, at: Moment, sight: &Sight) {
        let Ledger { pulse, slate, known, in_play, own } = ledger;
        match sight {
            Sight::Dealt(hands) => {
                pulse.dealt(hands.iter().map(|(seat, hand)| (seat, Hand::len(hand))));
                *known |= hands.values().map(Hand::cards).collect::<Cards>();
                *in_play = hands.values().map(Hand::len).sum();
                let mine = hands.iter().find(|(_, hand)| !hand.cards().is_empty());
                *own = mine.map(|(seat, hand)| (seat, hand.cards()));
            }
            Sight::Looked { vision, .. } => *known |= vision.known(),
            Sight::Played(card) => pulse.laid(at, card.seat(), 0),
            Sight::Failed { pile, .. } => {
                *known |= pile.known();
                ledger.failed(setup);
            }
            Sight::Notice(Notice::Hinted { cards, .. }) => *slate |= *cards,
            Sight::Notice(Notice::Focus(FocusNotice::Begun)) => pulse.start(at),
            Sight::Notice(Notice::Focus(FocusNotice::Stopped(_))) => pulse.stand(at),
            Sight::Notice(Notice::Completed { pile, .. }) => {
                let places = pile.iter().map(|laid| laid.card.number());
                // Where no pulse is to be agreed on this chair plays by what it alone knows.
                let me = own.map(|(seat, _)| seat).filter(|me| pulse.is_private(*me));
                pulse.turned(0, places, me, |pulse, gap| split_s(pulse, *slate, gap));
            }
            Sight::Notice(Notice::Next { .. }) => (*slate, *known) = (Cards::NONE, Cards::NONE),
            Sight::Notice(_) | Sight::Drawn { .. } => {}
        }
    }

    fn wish(view: &View, run: &Run, chance: &mut Chance) -> Intent<Command> {
        match view.public.phase {
            Phase::Hinting | Phase::Amending => best_hint(view),
            _ => Self::intent(view, run, chance),
        }
    }

    fn prospect<'a>(ledger: &'a Ledger, view: &View) -> Option<Prospect<'a>> {
        let Ledger { pulse, slate, known, .. } = ledger;
        let (me, card) = (view.me.seat()?, view.hand().lowest()?);
        if view.hands.values().count() == 2 {
            match ledger.certainty(view, me, card) {
                Certainty::Lower => {
                    let gap = f64::from(card.number());
                    return Some(Prospect::Clock { due_s: UNTIL_LAID_S, gap });
                }
                Certainty::Next if pulse.is_private(me) => return None,
                Certainty::Next | Certainty::Unknown => {}
            }
        }
        let sure = if pulse.is_private(me) { *slate | (*known - view.hand()) } else { *slate };
        let gap = f64::from(card.number());
        Some(Prospect::Clock { due_s: split_s(pulse, sure, gap), gap })
    }

    fn has_heard_all(Ledger { pulse, .. }: &Ledger) -> bool {
        pulse.has_heard_all()
    }

    fn star_stock(_: &View) -> Option<StarStock> {
        None
    }
}

/// When a card is due, at a distance from cards that are known to be in play.
fn split_s(pulse: &Pulse, sure: Cards, place: f64) -> f64 {
    let mut due_s = pulse.clock_s(place);
    for card in sure.iter().map(|card| f64::from(card.number())) {
        let card_s = pulse.clock_s(card);
        // Keeps the order of cards that are pushed together: the lower one goes first.
        if place > card {
            due_s = due_s.max(card_s * (1.0 + SPLIT) + 0.01 * (place - card));
        } else if place < card {
            due_s = due_s.min(card_s * (1.0 - SPLIT) - 0.01 * (card - place));
        }
    }
    due_s.max(0.0) + 0.001 * place
}

/// The hints after which the least is left to chance.
fn best_hint(view: &View) -> Intent<Command> {
    let known = view.vision.known();
    let score = |hint: &Cards| left_to_chance(known, view.public.slate | *hint);
    let best = hints(view).into_iter().min_by(|one, other| score(one).total_cmp(&score(other)));
    best.map_or(Intent::Wait, |cards| Intent::Soon(Command::Hint(cards)))
}

/// The probability that neighbours among the known cards are played in the wrong order. A player
/// who reads a card on the slate waits for it; two cards on the slate cannot be confused.
fn left_to_chance(known: Cards, slate: Cards) -> f64 {
    let neighbours = known.iter().zip(known.iter().skip(1));
    let pairs = neighbours.map(|(lower, higher)| {
        let apart = f64::from(higher.number() - lower.number()) / f64::from(higher.number());
        let hinted = u8::from(slate.contains(lower)) + u8::from(slate.contains(higher));
        (-apart / EASY).exp() * [1.0, 0.4, 0.0][usize::from(hinted)]
    });
    pairs.sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(known: &str, slate: &str, expected: &str) {
        let known = known.parse::<Cards>().unwrap();
        let slate = slate.parse::<Cards>().unwrap();
        let more = |card| slate | Cards::one(card);
        let best = (known - slate)
            .iter()
            .min_by(|one, other| {
                left_to_chance(known, more(*one)).total_cmp(&left_to_chance(known, more(*other)))
            })
            .map(|card| card.to_string());
        assert_eq!(best.as_deref(), Some(expected), "{known} with {slate} on the slate");
    }

    #[test]
    fn a_hint_splits_what_lies_closest() {
        check("7,38,42", "-", "38");
        check("7,35,38,42", "38", "35");
        check("3,20,21,50", "20", "21");
    }
}
