//! Filling in what a viewer of Royale Mastermind cannot see.

use super::card::{Card, Pack};
use super::code::{Code, SeenCode};
use super::event::Event;
use super::possible::Possible;
use super::state::{Phase, Royale};
use super::view::View;
use crate::kit::{BySeat, Chance, Imagine, Seats, Viewer};

impl Imagine for Royale {
    fn imagine(view: &View, chance: &mut Chance) -> Self {
        let public = view.public;
        let code = match view.code {
            None => None,
            Some(SeenCode::Known(code)) => Some(code),
            Some(SeenCode::Backs) => any_of(&public.possible(), chance),
        };
        let others = other_breakers(view);
        let marks = BySeat::new(public.setup.players, |seat| {
            if others.contains(seat) {
                public.pack.masked(chance.bits())
            } else if view.me == Viewer::Seat(seat) {
                view.marks
            } else {
                Pack::NONE
            }
        });
        Self { public, code, marks }
    }

    fn imagine_event(event: &Event, viewer: Viewer, chance: &mut Chance) -> Event {
        let own = |seat| viewer == Viewer::Seat(seat);
        match *event {
            Event::Hidden { seat, code } if !own(seat) => {
                let other = any_of(&Possible::of(Pack::WHOLE), chance);
                Event::Hidden { seat, code: other.unwrap_or(code) }
            }
            Event::Marked { seat, .. } if !own(seat) => Event::Marked { seat, card: any(chance) },
            Event::Unmarked { seat, .. } if !own(seat) => {
                Event::Unmarked { seat, card: any(chance) }
            }
            Event::Hidden { .. }
            | Event::Marked { .. }
            | Event::Unmarked { .. }
            | Event::Notice(_) => *event,
        }
    }

    fn certain(view: &View) -> bool {
        let code = match view.code {
            None | Some(SeenCode::Known(_)) => true,
            Some(SeenCode::Backs) => view.public.possible().count() == 1,
        };
        code && other_breakers(view).is_empty()
    }
}

/// The players whose marks the viewer cannot see.
fn other_breakers(view: &View) -> Seats {
    match view.public.phase {
        Phase::Choosing | Phase::Breaking => {
            let breakers = view.public.roles.all_breakers();
            view.me.seat().map_or(breakers, |me| breakers.without(me))
        }
        Phase::Over => Seats::NONE,
    }
}

/// One of the codes, each equally likely.
fn any_of(possible: &Possible, chance: &mut Chance) -> Option<Code> {
    possible.nth(chance.below(possible.count()))
}

/// Any card at all.
fn any(chance: &mut Chance) -> Card {
    let kind = |chance: &mut Chance| chance.below(5) as u8;
    Card::of(kind(chance), kind(chance))
}
