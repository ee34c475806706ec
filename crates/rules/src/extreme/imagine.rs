//! Filling in what a viewer of Extreme cannot see.

use super::card::{ByColour, Card, Colour, Holding};
use super::event::Event;
use super::state::{Extreme, Phase};
use super::view::View;
use crate::family::{Cards, Face, Pile};
use crate::kit::{BySeat, Chance, Imagine, Seat, Viewer};

impl Imagine for Extreme {
    fn imagine(view: &View, chance: &mut Chance) -> Self {
        let mut cards = unseen(view).iter().collect::<Vec<_>>();
        chance.shuffle(&mut cards);
        let mut slots = slots(view);
        chance.shuffle(&mut slots);
        let filled = fill(&slots, &cards).unwrap_or_default();
        let (hands, piles) = laid_out(view, &slots, &filled);
        let choices = view.hands.map(|seat, _| match view.public.phase {
            _ if view.me == Viewer::Seat(seat) => view.choice,
            Phase::Choosing { chosen } if chosen.contains(seat) => {
                let held = Colour::ALL.iter().filter(|colour| !hands[seat][**colour].is_empty());
                chance.pick(&held.copied().collect::<Vec<_>>()).copied()
            }
            _ => None,
        });
        Self { public: view.public, hands, piles, choices }
    }

    fn imagine_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        match *event {
            Event::Dealt { level, hands } => {
                let mine = viewer.seat().map_or(Holding::NONE, |seat| hands[seat]);
                let mut deck = Holding::deck().without(&mine).iter().collect::<Vec<_>>();
                chance.shuffle(&mut deck);
                let hands = hands.map(|seat, cards| match viewer.seat() {
                    Some(me) if me == seat => mine,
                    _ => deck.drain(..usize::from(cards.len()).min(deck.len())).collect(),
                });
                Event::Dealt { level, hands }
            }
            Event::Played { colour, mut laid, face } => {
                if face == Face::Blind && viewer != Viewer::Seat(laid.seat) {
                    let deck = Cards::deck(Colour::HIGHEST).iter().collect::<Vec<_>>();
                    laid.card = chance.pick(&deck).copied().unwrap_or(laid.card);
                }
                Event::Played { colour, laid, face }
            }
            Event::Chose { seat, colour } => {
                let other = viewer != Viewer::Seat(seat) && chance.once_in(2);
                Event::Chose { seat, colour: if other { colour.other() } else { colour } }
            }
            Event::Notice(notice) => Event::Notice(notice),
        }
    }

    fn certain(view: &View) -> bool {
        let (slots, cards) = (slots(view), unseen(view).iter().collect::<Vec<_>>());
        let Some(filled) = fill(&slots, &cards) else { return true };
        let (hands, _) = laid_out(view, &slots, &filled);
        hands_are_certain(&slots, &cards, &filled)
            && match view.public.phase {
                Phase::Choosing { chosen } => chosen.iter().all(|seat| {
                    let one_colour =
                        Colour::ALL.iter().any(|colour| hands[seat][*colour].is_empty());
                    one_colour || view.me == Viewer::Seat(seat)
                }),
                Phase::Focus(_) | Phase::Playing { .. } | Phase::Over { .. } => true,
            }
    }
}

/// Whether no seat can have other cards than these.
fn hands_are_certain(slots: &[Slot], cards: &[Card], filled: &[Card]) -> bool {
    let spare = cards.iter().filter(|card| !filled.contains(card));
    if spare.into_iter().any(|card| slots.iter().any(|slot| slot.fitting.contains(*card))) {
        return false;
    }
    slots.iter().zip(filled).all(|(Slot { seat, .. }, card)| {
        let mut without = slots.to_vec();
        for slot in without.iter_mut().filter(|slot| slot.seat == *seat) {
            slot.fitting = slot.fitting.without(&Holding::one(*card));
        }
        fill(&without, cards).is_none()
    })
}

/// A place for a card that the viewer does not know.
#[derive(Clone, Copy)]
struct Slot {
    seat: Seat,
    /// What may be there.
    fitting: Holding,
}

/// The cards that the viewer has not seen anywhere.
fn unseen(view: &View) -> Holding {
    let aside = view.public.aside.values().fold(Holding::NONE, |all, cards| all.with(&cards));
    let laid = Holding::new(|colour| view.piles[colour].known());
    Holding::deck().without(&view.hand()).without(&aside).without(&laid)
}

/// Everything hidden from the viewer, as places to be filled.
///
/// A card in a hand comes after what its owner has set aside, which was the first to go, and after
/// an open pile, or it would have been set aside.
fn slots(view: &View) -> Vec<Slot> {
    let unseen = unseen(view);
    let mut slots = Vec::new();
    for (seat, hand) in view.hands.iter() {
        for &colour in Colour::ALL {
            let fitting = Holding::of(colour, unseen[colour]);
            let back = Slot { seat, fitting };
            slots.extend((0..view.piles[colour].backs(seat)).map(|_| back));
        }
        let fitting = Holding::new(|colour| {
            let top = match view.public.face(colour) {
                Face::Open => view.piles[colour].top(),
                Face::Blind => None,
            };
            let aside = colour.last(view.public.aside[seat][colour]);
            colour.after(colour.after(unseen[colour], top), aside)
        });
        let held = Slot { seat, fitting };
        slots.extend((0..hand.hidden()).map(|_| held));
    }
    slots
}

/// Finds a card for every slot, if there is a way. The cards are tried in the order given, so a
/// shuffled order gives random hands.
fn fill(slots: &[Slot], cards: &[Card]) -> Option<Vec<Card>> {
    let mut owners = vec![None; cards.len()];
    for slot in 0..slots.len() {
        let mut tried = vec![false; cards.len()];
        if !place(slot, slots, cards, &mut owners, &mut tried) {
            return None;
        }
    }
    let owned = owners.iter().zip(cards).filter_map(|(slot, card)| Some(((*slot)?, *card)));
    let mut filled = owned.collect::<Vec<_>>();
    filled.sort_by_key(|(slot, _)| *slot);
    Some(filled.into_iter().map(|(_, card)| card).collect())
}

/// Gives the slot a card, moving others to other cards where it must (an augmenting path).
fn place(
    slot: usize,
    slots: &[Slot],
    cards: &[Card],
    owners: &mut [Option<usize>],
    tried: &mut [bool],
) -> bool {
    for (index, card) in cards.iter().enumerate() {
        if tried[index] || !slots[slot].fitting.contains(*card) {
            continue;
        }
        tried[index] = true;
        if owners[index].is_none_or(|other| place(other, slots, cards, owners, tried)) {
            owners[index] = Some(slot);
            return true;
        }
    }
    false
}

/// Hands and piles with the slots filled. A seat's face-down cards of a colour
/// come before those in its hand (X2): the first of all its cards lie on the pile.
fn laid_out(view: &View, slots: &[Slot], filled: &[Card]) -> (BySeat<Holding>, ByColour<Pile>) {
    let mut hands = view.hands.map(|_, hand| hand.cards());
    for (slot, card) in slots.iter().zip(filled) {
        hands[slot.seat] = hands[slot.seat].with(&Holding::one(*card));
    }
    let piles = ByColour::new(|colour| {
        let mut backs = hands.map(|_, _| Cards::NONE);
        for (seat, _) in view.hands.iter() {
            for _ in 0..view.piles[colour].backs(seat) {
                let first = colour.first(hands[seat][colour]).into_iter().collect::<Cards>();
                hands[seat][colour] -= first;
                backs[seat] |= first;
            }
        }
        view.piles[colour].turned(|seat| {
            let card = colour.first(backs[seat])?;
            backs[seat] -= Cards::one(card);
            Some(card)
        })
    });
    (hands, piles)
}
