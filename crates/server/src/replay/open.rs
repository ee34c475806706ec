//! What all seats of a table knew together, put together from what each of them knew: nothing else
//! is asked of a state than a viewer's own view.

use rules::family::{Face, Laid, Pile, SeenPile};
use rules::kit::{BySeat, Seat, Viewer};
use rules::{extreme, mind, royale, soulmates};
use wire::Known;

/// A game whose seats can lay their views side by side.
pub(crate) trait Opened: Known {
    /// The watcher's view with everything in it that the seats know, seat A first.
    fn opened(watcher: Self::View, seats: &[Self::View]) -> Self::View;
}

impl Opened for mind::Mind {
    fn opened(watcher: mind::View, seats: &[mind::View]) -> mind::View {
        let hands = all_hands(watcher.hands, seats, |view, seat| view.hands[seat]);
        let pile = turned(watcher.pile, seats, |view| &view.pile);
        mind::View { hands, pile, ..watcher }
    }
}

impl Opened for extreme::Extreme {
    fn opened(watcher: extreme::View, seats: &[extreme::View]) -> extreme::View {
        let hands = all_hands(watcher.hands, seats, |view, seat| view.hands[seat]);
        let mut piles = watcher.piles;
        for colour in extreme::Colour::ALL {
            piles[*colour] = turned(piles[*colour], seats, |view| &view.piles[*colour]);
        }
        extreme::View { hands, piles, ..watcher }
    }
}

impl Opened for soulmates::Soulmates {
    fn opened(watcher: soulmates::View, seats: &[soulmates::View]) -> soulmates::View {
        let hands = all_hands(watcher.hands, seats, |view, seat| view.hands[seat]);
        let pile = turned(watcher.pile, seats, |view| &view.pile);
        let seer = seats.get(watcher.public.seer.index());
        let vision = seer.map_or(watcher.vision, |view| view.vision);
        soulmates::View { hands, pile, vision, ..watcher }
    }
}

impl Opened for royale::Royale {
    fn opened(watcher: royale::View, seats: &[royale::View]) -> royale::View {
        let maker = seats.get(watcher.public.roles.maker.index());
        let code = maker.map_or(watcher.code, |view| view.code);
        let marks = seats.iter().map(|view| view.marks).collect();
        royale::View { code, marks, ..watcher }
    }
}

/// Each hand as its own player knows it.
fn all_hands<V, H: Copy + Default>(
    theirs: BySeat<H>,
    seats: &[V],
    hand: impl Fn(&V, Seat) -> H,
) -> BySeat<H> {
    theirs.map(|seat, theirs| seats.get(seat.index()).map_or(theirs, |view| hand(view, seat)))
}

/// The pile with every card as whoever laid it knows it.
fn turned<V>(pile: SeenPile, seats: &[V], seen: impl Fn(&V) -> &SeenPile) -> SeenPile {
    let cards = pile.iter().enumerate().filter_map(|(place, card)| {
        let own = seats.get(card.seat().index()).and_then(|view| seen(view).iter().nth(place));
        let card = own.unwrap_or(card);
        card.card().map(|known| Laid { seat: card.seat(), card: known })
    });
    cards.collect::<Pile>().seen(Face::Open, Viewer::Watcher)
}
