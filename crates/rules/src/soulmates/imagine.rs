//! Filling in what a viewer of Soulmates cannot see.

use super::event::{Event, face_after_check};
use super::state::Soulmates;
use super::view::{View, Vision};
use crate::family::{Cards, Deck, mistakes};
use crate::kit::{BySeat, Chance, Imagine, Viewer};

/// How often random cards are tried before the rare ones that spoil a pile are looked for.
const TRIES: u32 = 32;

impl Imagine for Soulmates {
    fn imagine(view: &View, chance: &mut Chance) -> Self {
        let (sure, pool, missing) = in_play(view);
        let first = complete(view, sure | Deck::of(pool).draw_many(missing, chance), chance);
        // Everyone knows that a pile was out of order, so the imagined one has to be as well.
        if !view.public.failed() || mistakes(&first.pile) > 0 {
            return first;
        }
        let mut extremes = extremes(view);
        chance.shuffle(&mut extremes);
        let spoilt = |state: &Self| mistakes(&state.pile) > 0;
        let random = (0..TRIES).map(|_| None);
        let rare = extremes.into_iter().flat_map(|drawn| (0..TRIES).map(move |_| Some(drawn)));
        let found = random.chain(rare).find_map(|drawn| {
            let drawn = drawn.unwrap_or_else(|| sure | Deck::of(pool).draw_many(missing, chance));
            Some(complete(view, drawn, chance)).filter(spoilt)
        });
        found.unwrap_or(first)
    }

    fn imagine_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        let deck = Cards::deck(Self::HIGHEST);
        match *event {
            Event::Drawn { cards } => {
                Event::Drawn { cards: Deck::of(deck).draw_many(cards.len(), chance) }
            }
            Event::Looked { seer, cards } => {
                let other = Deck::of(deck).draw_many(cards.len(), chance);
                Event::Looked {
                    seer,
                    cards: if viewer == Viewer::Seat(seer) { cards } else { other },
                }
            }
            Event::Dealt(hands) => {
                let mine = viewer.seat().map_or(Cards::NONE, |seat| hands[seat]);
                let mut deck = Deck::of(deck - mine);
                Event::Dealt(hands.map(|seat, cards| match viewer.seat() {
                    Some(me) if me == seat => mine,
                    _ => deck.draw_many(cards.len(), chance),
                }))
            }
            Event::Played(mut laid) => {
                if viewer != Viewer::Seat(laid.seat) {
                    laid.card = Deck::of(deck).draw(chance).unwrap_or(laid.card);
                }
                Event::Played(laid)
            }
            Event::Failed { seer, pile } => {
                let seen = pile.seen(face_after_check(seer, viewer), viewer);
                let mut deck = Deck::of(deck - seen.known());
                Event::Failed { seer, pile: seen.turned(|_| deck.draw(chance)) }
            }
            Event::Notice(notice) => Event::Notice(notice),
        }
    }

    fn certain(view: &View) -> bool {
        extremes(view).into_iter().map(|drawn| ways(view, drawn)).sum::<u32>() <= 1
    }
}

/// The cards that the viewer knows to be in play, those that may be, and how many of them are.
fn in_play(view: &View) -> (Cards, Cards, u8) {
    let sure = view.hand() | view.pile.known() | view.vision.known() | view.public.slate;
    let pool = Cards::deck(Soulmates::HIGHEST) - sure;
    (sure, pool, view.public.in_play().saturating_sub(sure.len()))
}

/// A state with these cards in play that looks like the view, if the pile need not be wrong.
fn complete(view: &View, drawn: Cards, chance: &mut Chance) -> Soulmates {
    let mut deck = Deck::of(drawn - view.hand() - view.pile.known());
    let hidden = hidden(view);
    let mut hands = view.hands.map(|seat, hand| match hidden[seat] {
        0 => hand.cards(),
        count => deck.draw_many(count, chance),
    });
    // Each card on the pile was the lowest of its owner (S6): the others are still held.
    let pile = view.pile.turned(|seat| {
        let card = hands[seat].lowest()?;
        hands[seat] -= Cards::one(card);
        Some(card)
    });
    let looked = match view.vision {
        Vision::Seer { known } => known,
        Vision::Blind if view.public.seer_has_seen_all() => drawn,
        Vision::Blind => {
            let slate = view.public.slate;
            let others = view.public.looked_at().saturating_sub(slate.len());
            slate | Deck::of(drawn - slate).draw_many(others, chance)
        }
    };
    Soulmates { public: view.public, drawn, looked, hands, pile }
}

/// How many cards each seat was dealt that the viewer does not know.
fn hidden(view: &View) -> BySeat<u8> {
    view.hands.map(|seat, hand| hand.hidden() + view.pile.backs(seat))
}

/// What can be in play at the extremes: the lowest cards and the next lowest, the highest and the
/// next highest.
///
/// If any choice makes the pile wrong, one of these does, and if two do, two of these do. Where
/// two others were dealt cards, every choice can be dealt wrongly. Where only one was, the pile is
/// wrong if not as many of those cards are lower than one of the viewer's own as were laid before
/// it, and nowhere are more or fewer of them lower than at the extremes.
fn extremes(view: &View) -> Vec<Cards> {
    let (sure, pool, missing) = in_play(view);
    if missing == 0 || missing >= pool.len() {
        return vec![sure | pool.highest_few(missing)];
    }
    let low = |count| pool - pool.highest_few(pool.len() - count);
    let high = |count| pool.highest_few(count);
    let one = |card: Option<_>| card.into_iter().collect::<Cards>();
    let mut all = vec![low(missing)];
    for cards in [
        low(missing + 1) - one(low(missing).highest()),
        high(missing),
        high(missing + 1) - one(high(missing).lowest()),
    ] {
        if !all.contains(&cards) {
            all.push(cards);
        }
    }
    all.into_iter().map(|cards| sure | cards).collect()
}

/// How many states with these cards in play look like the view, as far as none, one and more go.
fn ways(view: &View, drawn: Cards) -> u32 {
    let counts = hidden(view).values().filter(|count| *count > 0).collect::<Vec<_>>();
    let deals = match counts[..] {
        [] | [_] => 1,
        [1, 1] => 2,
        _ => 3,
    };
    if view.public.failed() {
        return deals - u32::from(may_ascend(view, drawn));
    }
    let (look, slate) = (view.public.looked_at(), view.public.slate.len());
    let looks_known = view.vision != Vision::Blind
        || view.public.seer_has_seen_all()
        || look == slate
        || look == drawn.len();
    if looks_known { deals } else { deals + 1 }
}

/// Whether these cards could lie in order as far as the viewer can tell: one deal at most.
fn may_ascend(view: &View, drawn: Cards) -> bool {
    drawn.iter().zip(view.pile.iter()).all(|(card, seen)| seen.card().is_none_or(|own| own == card))
}
