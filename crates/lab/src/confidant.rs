//! A bot that knows one person's timing exactly and nothing of their cards: an upper bound for
//! partners that learn.

use bots::{Bot, Intent, Paced, Resolve, Run, Span};
use rules::family::{Card, Cards, Hand};
use rules::kit::{Chance, Moment};
use rules::mind::{Command, Mind, Setup, Sight, View};

use crate::person::Person;

/// The moments that are weighed: from a tenth of a second to three minutes.
const MOMENTS: i32 = 110;
const FIRST_S: f64 = 0.1;
const RATIO: f64 = 1.07;

/// The partner of one person at a table of two.
#[derive(Clone, Copy, Debug)]
pub struct Confidant {
    person: Person<Mind>,
    run: Run,
    resolve: Resolve<Command>,
}

impl Confidant {
    /// A bot that knows this person's timing.
    pub fn new(person: Person<Mind>) -> Self {
        Self { person, run: Run::default(), resolve: Resolve::default() }
    }
}

impl Bot<Mind> for Confidant {
    fn watch(&mut self, setup: &Setup, at: Moment, sight: &Sight) {
        Mind::count(&mut self.run, setup, at, sight);
    }

    fn plan(&mut self, view: &View, now: Moment, chance: &mut Chance) -> Option<(Moment, Command)> {
        let intent = Mind::intent(view, &self.run, chance);
        if matches!(intent, Intent::After { span, .. } if span.alone) {
            return self.resolve.settle(intent, now, chance, |_, _| 0.0);
        }
        let person = &self.person;
        self.resolve.settle(intent, now, chance, |span, _| best_s(person, view, span))
    }
}

/// The moment at which the next card most likely comes in order.
fn best_s(person: &Person<Mind>, view: &View, span: &Span) -> f64 {
    let last = view.pile.iter().next_back();
    let after_other = last.is_some_and(|laid| Some(laid.seat()) == view.me.seat());
    let (top, mine) = (view.pile.top().map_or(0, Card::number), view.hand().lowest());
    let theirs = next_cards(view).into_iter().map(|(card, likely)| {
        let gap = f64::from(card.number() - top);
        let middle_s = person.means_s(&Span { gap, alone: false, ..*span }, after_other);
        (Some(card) < mine, likely, middle_s)
    });
    let theirs = theirs.collect::<Vec<_>>();
    let right = |wait_s: f64| {
        let of_card = |(lower, likely, middle_s): &(bool, f64, f64)| {
            let before = person.before(*middle_s, wait_s);
            likely * if *lower { before } else { 1.0 - before }
        };
        theirs.iter().map(of_card).sum::<f64>()
    };
    let moments = (0..MOMENTS).map(|step| FIRST_S * RATIO.powi(step));
    let weighed = moments.map(|wait_s| (right(wait_s), wait_s));
    weighed.max_by(|one, other| one.0.total_cmp(&other.0)).map_or(FIRST_S, |(_, wait_s)| wait_s)
}

/// The cards that the other may play next, and how likely each is.
fn next_cards(view: &View) -> Vec<(Card, f64)> {
    let held = view.hands.values().map(Hand::len).sum::<u8>() - view.hand().len();
    let unseen = Cards::deck(Mind::HIGHEST) - view.hand();
    let open = view.pile.top().map_or(unseen, |top| unseen.above(top));
    let mut none_yet = 1.0;
    let cards = open.iter().enumerate().map(|(passed, card)| {
        let left = f64::from(open.len()) - passed as f64;
        let likely = none_yet * (f64::from(held) / left).min(1.0);
        none_yet -= likely;
        (card, likely)
    });
    cards.collect()
}
