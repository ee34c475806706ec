//! Kindred at a table of Extreme.

use std::borrow::Cow;

use rules::extreme::{Card, Colour, Extreme, Hand, Notice, Setup, Sight, View};
use rules::family::{Face, FocusNotice, Reward, Seen};
use rules::kit::Moment;

use super::field::Field;
use super::kin::{Kin, Prospect, StarStock};
use super::pulse::Pulse;
use super::tempo::Prior;
use crate::extreme::next;

/// What has been noted, and which level it is about.
#[derive(Clone, Debug)]
pub struct Ledger {
    pulse: Pulse,
    level: u8,
}

impl Kin for Extreme {
    const DECK_SHARE: f64 = 2.0;

    type Ledger = Ledger;

    fn ledger(setup: &Setup, prior: &Prior) -> Ledger {
        let prior = Prior { pace_s: Self::DECK_SHARE * prior.pace_s, ..*prior };
        Ledger { pulse: Pulse::new(setup.players, Colour::HIGHEST, &prior), level: 1 }
    }

    fn note(Ledger { pulse, level }: &mut Ledger, setup: &Setup, at: Moment, sight: &Sight) {
        match sight {
            Sight::Dealt { level: dealt, hands } => {
                *level = *dealt;
                pulse.dealt(hands.iter().map(|(seat, hand)| (seat, Hand::len(hand))));
            }
            Sight::Played { colour, card } => match (setup.level(*level).faces[*colour], card) {
                (Face::Open, Seen::Known(laid)) => {
                    let open =
                        Colour::ALL.iter().all(|c| setup.level(*level).faces[*c] == Face::Open);
                    let field = open.then(|| field(pulse));
                    let card = Card { colour: *colour, value: laid.card };
                    pulse.played(at, laid.seat, card.place(), field.as_ref());
                }
                // One's own face-down card too: the others see its back.
                _ => pulse.laid(at, card.seat(), pile(*colour)),
            },
            Sight::Notice(Notice::Focus(FocusNotice::Begun)) => pulse.start(at),
            Sight::Notice(Notice::Focus(FocusNotice::Stopped(_)) | Notice::Choosing) => {
                pulse.stand(at);
            }
            Sight::Notice(Notice::Erred { earlier: aside } | Notice::Starred { chosen: aside }) => {
                pulse.stand(at);
                for (seat, cards) in aside.iter() {
                    pulse.set_aside(seat, cards.len());
                }
            }
            Sight::Notice(Notice::Turned { colour, pile: turned, .. }) => {
                let places = turned.iter().map(|laid| Card { colour: *colour, value: laid.card });
                pulse.turned(pile(*colour), places.map(Card::place), None, Pulse::clock_s);
            }
            Sight::Notice(_) | Sight::Chose { .. } => {}
        }
    }

    fn prospect<'a>(Ledger { pulse, .. }: &'a Ledger, view: &View) -> Option<Prospect<'a>> {
        let gap = next(view)?.place().checked_sub(pulse.place()).filter(|gap| *gap > 0)?;
        let gap = f64::from(gap);
        let blind = |colour: &Colour| view.public.face(*colour) == Face::Blind;
        Some(if Colour::ALL.iter().any(blind) {
            Prospect::Clock { due_s: pulse.clock_s(gap), gap }
        } else {
            Prospect::Field { field: Cow::Owned(field(pulse)), gap }
        })
    }

    fn has_heard_all(Ledger { pulse, .. }: &Ledger) -> bool {
        pulse.has_heard_all()
    }

    fn star_stock(view: &View) -> Option<StarStock> {
        let setup = &view.public.setup;
        let out = view.hands.values().map(Hand::len).map(u16::from).sum::<u16>();
        let later = (view.public.level + 1..=setup.levels())
            .take_while(|level| setup.level(level - 1).reward != Reward::Star);
        let later = later.map(|level| u16::from(setup.players) * u16::from(level));
        let plays_left = out + later.sum::<u16>();
        Some(StarStock { stars: view.public.stars, plays_left })
    }
}

/// Every place has a white and a red card.
fn field(pulse: &Pulse) -> Field {
    pulse.field(|held, place| {
        let left = 2.0 * f64::from(Colour::HIGHEST + 1 - place);
        (2.0 * f64::from(held) / left).min(1.0)
    })
}

fn pile(colour: Colour) -> u8 {
    match colour {
        Colour::White => 0,
        Colour::Red => 1,
    }
}
