//! Filling in what a viewer of The Mind cannot see.

use std::cmp::Reverse;

use super::event::Event;
use super::state::Mind;
use super::view::View;
use crate::family::{Card, Cards, Deck, Face, Hand};
use crate::kit::{Chance, Imagine, Seat, Viewer};

impl Imagine for Mind {
    fn imagine(view: &View, chance: &mut Chance) -> Self {
        let mut pool = unseen(view);
        let mut hands = view.hands.map(|_, hand| hand.cards());
        for (seat, bound, count) in from_the_highest_bound(view) {
            let drawn = Deck::of(pool.above_or_all(bound)).draw_many(count, chance);
            hands[seat] |= drawn;
            pool -= drawn;
        }
        let mut deck = Deck::of(pool);
        let mut backs = hands.map(|_, _| Cards::NONE);
        for (seat, _) in view.hands.iter() {
            // A seat's face-down cards are lower than its hand (M5): the lowest of all its cards
            // lie on the pile.
            let (held, laid) = (hands[seat].len(), view.pile.backs(seat));
            let all = hands[seat] | deck.draw_many(laid, chance);
            hands[seat] = all.highest_few(held);
            backs[seat] = all - hands[seat];
        }
        let pile = view.pile.turned(|seat| {
            let card = backs[seat].lowest()?;
            backs[seat] -= Cards::one(card);
            Some(card)
        });
        Self { public: view.public, hands, pile }
    }

    fn imagine_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        match *event {
            Event::Dealt { level, hands } => {
                let mine = viewer.seat().map_or(Cards::NONE, |seat| hands[seat]);
                let mut deck = Deck::of(Cards::deck(Self::HIGHEST) - mine);
                let hands = hands.map(|seat, cards| match viewer.seat() {
                    Some(me) if me == seat => mine,
                    _ => deck.draw_many(cards.len(), chance),
                });
                Event::Dealt { level, hands }
            }
            Event::Played { mut laid, face } => {
                if face == Face::Blind && viewer != Viewer::Seat(laid.seat) {
                    let mut deck = Deck::of(Cards::deck(Self::HIGHEST));
                    laid.card = deck.draw(chance).unwrap_or(laid.card);
                }
                Event::Played { laid, face }
            }
            Event::Notice(notice) => Event::Notice(notice),
        }
    }

    fn certain(view: &View) -> bool {
        let mut pool = unseen(view).len();
        match view.public.face() {
            Face::Open => from_the_highest_bound(view).into_iter().all(|(_, bound, count)| {
                let fitting = unseen(view).above_or_all(bound).len();
                let drawn = unseen(view).len() - pool;
                pool -= count;
                count == 0 || fitting - drawn == count
            }),
            Face::Blind => {
                view.hands.iter().all(|(seat, hand)| hand.hidden() + view.pile.backs(seat) == 0)
            }
        }
    }
}

/// The cards that the viewer has not seen anywhere.
fn unseen(view: &View) -> Cards {
    let aside = view.public.aside.values().collect::<Cards>();
    Cards::deck(Mind::HIGHEST) - view.hand() - aside - view.pile.known()
}

/// Each seat with what its hidden cards are higher than and how many they are, the highest bound
/// first: then what one seat draws never leaves another without fitting cards, and every fitting
/// deal is equally likely.
///
/// What a seat has set aside was its lowest. In open play a hidden card is also higher than the
/// pile, or it would have been set aside.
fn from_the_highest_bound(view: &View) -> Vec<(Seat, Option<Card>, u8)> {
    let top = match view.public.face() {
        Face::Open => view.pile.top(),
        Face::Blind => None,
    };
    let bound = |(seat, hand): (Seat, Hand)| {
        (seat, view.public.aside[seat].highest().max(top), hand.hidden())
    };
    let mut bounds = view.hands.iter().map(bound).collect::<Vec<_>>();
    bounds.sort_by_key(|(_, bound, _)| Reverse(*bound));
    bounds
}
