//! The public observations of all tempos at a table of The Mind.

use std::borrow::Cow;
use std::cell::OnceCell;

use rules::family::{Card, Cards, Face, FocusNotice, Hand, Laid, Reward, Seen};
use rules::kit::{Moment, Seat};
use rules::mind::{Mind, Notice, Setup, Sight, View};

use super::field::{Field, Lead};
use super::kin::{Kin, Prospect, StarStock, clock_s, met_s};
use super::partner::{Partner, Wait};
use super::tempo::Prior;

/// By how much a tempo may change from deal to deal.
const DRIFT_LOG_SD: f64 = 0.005;
/// From which weight on a player is taken to keep a tempo of their own.
const OWN_TEMPO: f64 = 0.9;

impl Kin for Mind {
    type Ledger = Ledger;

    fn ledger(setup: &Setup, prior: &Prior) -> Ledger {
        Ledger::new(setup.players, prior)
    }

    fn note(ledger: &mut Ledger, _: &Setup, at: Moment, sight: &Sight) {
        ledger.watch(at, sight);
    }

    fn prospect<'a>(ledger: &'a Ledger, view: &View) -> Option<Prospect<'a>> {
        let card = view.hand().lowest()?.number();
        // With face-down cards the clock runs from the lifting of hands, and all players count from
        // there.
        let reference = match view.public.face() {
            Face::Open => ledger.reference(),
            Face::Blind => 0,
        };
        let gap = f64::from(card.checked_sub(reference).filter(|gap| *gap > 0)?);
        Some(match view.public.face() {
            Face::Open => {
                let field = match view.me.seat().filter(|me| ledger.is_private(*me)) {
                    Some(me) => Cow::Owned(ledger.private_field(me, view.hand())),
                    None => Cow::Borrowed(ledger.field()),
                };
                Prospect::Field { field, gap }
            }
            Face::Blind => {
                let partners = ledger.seats.iter().map(|entry| &entry.partner);
                Prospect::Clock { due_s: clock_s(partners, gap), gap }
            }
        })
    }

    fn has_heard_all(ledger: &Ledger) -> bool {
        ledger.seats.iter().all(|entry| entry.held == 0 || entry.partner.is_heard())
    }

    fn star_stock(view: &View) -> Option<StarStock> {
        let out = view.hands.values().map(Hand::len).map(u16::from).sum::<u16>();
        let players = u16::from(view.public.setup.players);
        let later = (view.public.level + 1..=view.public.setup.levels)
            .take_while(|level| Reward::of(level - 1) != Reward::Star);
        let plays_left = out + later.map(|level| players * u16::from(level)).sum::<u16>();
        Some(StarStock { stars: view.public.stars, plays_left })
    }
}

/// The public record of a table. It holds nothing that one chair alone knows, so that all bots that
/// keep one agree on the common pulse.
#[derive(Clone, Debug)]
pub struct Ledger {
    seats: Vec<Entry>,
    /// Cards that are known to be gone, above the pile.
    aside: Cards,
    top: u8,
    /// The seat that played the last card of this deal.
    last: Option<Seat>,
    started: Option<Moment>,
    /// The field by public knowledge, computed on first use.
    field: OnceCell<Field>,
}

#[derive(Clone, Debug)]
struct Entry {
    partner: Partner,
    held: u8,
    /// The lowest card that they can hold by public knowledge, less one.
    floor: u8,
}

impl Ledger {
    /// A record for `players` players with this prior belief about each.
    pub fn new(players: u8, prior: &Prior) -> Self {
        let partner = Partner::new(Mind::HIGHEST, prior);
        let entry = |_| Entry { partner: partner.clone(), held: 0, floor: 0 };
        Self {
            seats: Seat::all(players).map(entry).collect(),
            aside: Cards::NONE,
            top: 0,
            last: None,
            started: None,
            field: OnceCell::new(),
        }
    }

    /// Public knowledge about a seat.
    pub fn partner(&self, seat: Seat) -> &Partner {
        &self.seats[seat.index()].partner
    }

    /// Notes what a chair noticed.
    pub fn watch(&mut self, at: Moment, sight: &Sight) {
        if let Sight::Played(Seen::Known(laid)) = sight {
            self.played(at, *laid);
        }
        self.field = OnceCell::new();
        match sight {
            Sight::Dealt { hands, .. } => {
                for (seat, hand) in hands.iter() {
                    let entry = &mut self.seats[seat.index()];
                    entry.partner.dealt(DRIFT_LOG_SD);
                    (entry.held, entry.floor) = (Hand::len(hand), 0);
                }
                (self.aside, self.top) = (Cards::NONE, 0);
                (self.last, self.started) = (None, None);
            }
            Sight::Played(Seen::Known(_)) => {}
            // Nothing is learnt from a face-down card: when it is revealed its time is no longer
            // known.
            Sight::Played(Seen::Back(seat)) => self.seats[seat.index()].held -= 1,
            Sight::Notice(Notice::Focus(FocusNotice::Begun)) => self.started = Some(at),
            Sight::Notice(Notice::Focus(FocusNotice::Stopped(_))) => self.silence(at, None),
            Sight::Notice(Notice::Erred { lower }) => {
                // The silence before the mistake was noted with the card that made it.
                self.started = None;
                for entry in &mut self.seats {
                    entry.partner.interrupted();
                }
                for (seat, cards) in lower.iter() {
                    self.set_aside(seat, cards);
                }
            }
            Sight::Notice(Notice::Starred { lowest }) => {
                self.silence(at, None);
                for (seat, cards) in lowest.iter() {
                    self.set_aside(seat, cards);
                }
            }
            Sight::Notice(_) => {}
        }
    }

    /// Where waits are counted from: the last card, after a star the second-lowest public floor.
    pub fn reference(&self) -> u8 {
        let (mut lowest, mut second) = (u8::MAX, u8::MAX);
        for entry in self.seats.iter().filter(|entry| entry.held > 0) {
            let floor = entry.floor.max(self.top);
            second = second.min(floor.max(lowest));
            lowest = lowest.min(floor);
        }
        if second == u8::MAX { lowest.min(100) } else { second }
    }

    /// The cards that each player may hold and when they would play them, by public knowledge:
    /// players who follow the pulse have to agree on it without knowing each other's cards.
    pub fn field(&self) -> &Field {
        self.field.get_or_init(|| {
            // A player who follows the pulse would have played a lower card, so only the other
            // players matter, if there are any.
            let all_follow = self.holders().all(|(_, entry)| entry.partner.follows());
            let unseen = Cards::deck(Mind::HIGHEST) - self.aside;
            self.field_of(unseen, |_, partner| all_follow || !partner.follows())
        })
    }

    /// Whether the other player at a table of two does not follow the pulse. It is agreed on with
    /// no third player then, so this seat may use what it alone knows.
    pub fn is_private(&self, me: Seat) -> bool {
        let mut others = self.seats.iter().enumerate().filter(|(seat, _)| *seat != me.index());
        self.seats.len() == 2 && others.all(|(_, entry)| entry.partner.weight() > OWN_TEMPO)
    }

    /// Whether there may be a pulse: not between two players of whom one keeps a tempo of their
    /// own. A third one may be replaced by a bot that follows it.
    fn may_have_pulse(&self) -> bool {
        self.seats.len() > 2 || !self.seats.iter().any(|entry| entry.partner.has_own_tempo())
    }

    /// The same cards and times as this seat has them: no other player holds a card of its hand.
    fn private_field(&self, me: Seat, hand: Cards) -> Field {
        let unseen = Cards::deck(Mind::HIGHEST) - self.aside - hand;
        self.field_of(unseen, |seat, _| seat != me.index())
    }

    /// The field of these players, who hold none but unseen cards.
    fn field_of(&self, unseen: Cards, counts: impl Fn(usize, &Partner) -> bool) -> Field {
        let reference = self.reference();
        let mut field = Field::default();
        let partners = self.seats.iter().enumerate().map(|(seat, entry)| (seat, &entry.partner));
        let leading =
            partners.filter(|(seat, partner)| counts(*seat, partner) && !partner.follows());
        if let Some(lead) = Lead::of(leading.map(|(_, partner)| partner)) {
            field.follow(lead);
        }
        for (seat, Entry { partner, held, floor }) in self.holders() {
            if !counts(seat, partner) {
                continue;
            }
            let from = (*floor).max(reference);
            let open = Card::new(from).map_or(unseen, |floor| unseen.above(floor));
            let all = f64::from(open.len());
            let after_other = self.is_after_other(seat);
            let cards = open.iter().enumerate().filter_map(|(passed, card)| {
                let step = partner.step(reference, card.number(), after_other)?;
                Some((step, f64::from(*held) / (all - passed as f64)))
            });
            field.add(partner.tempo(), partner.weight(), cards);
        }
        field
    }

    /// The seats that hold cards.
    fn holders(&self) -> impl Iterator<Item = (usize, &Entry)> {
        self.seats.iter().enumerate().filter(|(_, entry)| entry.held > 0)
    }

    fn played(&mut self, at: Moment, laid: Laid) {
        let Laid { seat, card } = laid;
        let from = self.reference();
        let place = card.number();
        let holders = self.holders().count();
        let wait_s = self.started.map_or(0.0, |started| started.until(at).as_secs_f64());
        let pulse_s = (holders > 1 && place > from && self.may_have_pulse())
            .then(|| met_s(self.field(), f64::from(place - from), wait_s))
            .flatten();
        self.silence(at, Some(laid));
        let after_other = self.is_after_other(seat.index());
        let wait = Wait { from, wait_s, after_other, towards: None };
        let entry = &mut self.seats[seat.index()];
        if holders <= 1 {
            entry.partner.played_alone(place, wait, wait_s);
        } else {
            entry.partner.played(place, wait, pulse_s);
        }
        entry.held = entry.held.saturating_sub(1);
        (self.top, self.last, self.started) = (place, Some(seat), Some(at));
    }

    /// Notes that every player with cards was silent up to now, except the one who ended it with a
    /// card.
    fn silence(&mut self, at: Moment, by: Option<Laid>) {
        let from = self.reference();
        let Some(started) = self.started.take() else { return };
        let wait_s = started.until(at).as_secs_f64();
        for index in 0..self.seats.len() {
            let after_other = self.is_after_other(index);
            let towards = by.map(|laid| laid.card.number());
            let wait = Wait { from, wait_s, after_other, towards };
            let entry = &mut self.seats[index];
            if entry.held > 0 && by.is_none_or(|laid| laid.seat.index() != index) {
                entry.partner.silent(wait);
            }
        }
    }

    /// Whether another player's card began the wait of that seat.
    fn is_after_other(&self, seat: usize) -> bool {
        self.last.is_some_and(|last| last.index() != seat)
    }

    fn set_aside(&mut self, seat: Seat, cards: Cards) {
        let entry = &mut self.seats[seat.index()];
        if let (Some(lowest), Some(highest)) = (cards.lowest(), cards.highest()) {
            entry.partner.revealed(lowest.number());
            entry.held = entry.held.saturating_sub(cards.len());
            entry.floor = entry.floor.max(highest.number());
            self.aside |= cards;
        }
    }
}
