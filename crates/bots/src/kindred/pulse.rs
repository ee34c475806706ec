//! The public observations of all tempos where cards lie face down: a card is learnt from when it
//! is turned over.

use rules::kit::{Moment, Seat};

use super::field::Field;
use super::kin::{clock_s, met_s};
use super::partner::{Partner, Wait};
use super::tempo::Prior;

/// The public record of such a table.
#[derive(Clone, Debug)]
pub struct Pulse {
    seats: Vec<Entry>,
    highest: u8,
    /// Where the clock was last set, and for how long it had run when it last stood.
    place: u8,
    run_s: f64,
    started: Option<Moment>,
    /// Cards that were laid face down: by whom, on which pile, from where the clock ran and how
    /// long.
    laid: Vec<Laid>,
}

#[derive(Clone, Debug)]
struct Entry {
    partner: Partner,
    /// How many cards they held when the clock was set.
    held: u8,
    laid: u8,
}

#[derive(Clone, Copy, Debug)]
struct Laid {
    seat: Seat,
    pile: u8,
    from: u8,
    wait_s: f64,
    /// Whether all other hands were empty: the player need not have waited then.
    alone: bool,
}

impl Pulse {
    /// A record for `players` players, with cards up to the highest.
    pub fn new(players: u8, highest: u8, prior: &Prior) -> Self {
        let entry = |_| Entry { partner: Partner::new(highest, prior), held: 0, laid: 0 };
        let seats = Seat::all(players).map(entry).collect();
        Self { seats, highest, place: 0, run_s: 0.0, started: None, laid: Vec::new() }
    }

    /// A new deal, with the number of cards of each seat.
    pub fn dealt(&mut self, held: impl Iterator<Item = (Seat, u8)>) {
        for (seat, held) in held {
            let entry = &mut self.seats[seat.index()];
            entry.partner.dealt(0.02);
            (entry.held, entry.laid) = (held, 0);
        }
        (self.place, self.run_s, self.started) = (0, 0.0, None);
        self.laid.clear();
    }

    /// Hands were lifted.
    pub fn start(&mut self, at: Moment) {
        self.started = Some(at);
    }

    /// Play was stopped.
    pub fn stand(&mut self, at: Moment) {
        if let Some(started) = self.started.take() {
            self.run_s += started.until(at).as_secs_f64();
        }
    }

    /// An open card, with the field that the pulse went by; without one it went by the clock.
    pub fn played(&mut self, at: Moment, seat: Seat, place: u8, field: Option<&Field>) {
        self.stand(at);
        let (from, wait_s) = (self.place, self.run_s);
        let alone = self.holders() <= 1;
        let gap = f64::from(place.saturating_sub(from));
        let pulse_s = (!alone && place > from)
            .then(|| {
                field.map_or_else(|| Some(self.clock_s(gap)), |field| met_s(field, gap, wait_s))
            })
            .flatten();
        let wait = Wait { from, wait_s, after_other: false, towards: None };
        self.seats[seat.index()].partner.played(place, wait, alone, pulse_s);
        for entry in &mut self.seats {
            entry.held = entry.held.saturating_sub(std::mem::take(&mut entry.laid));
        }
        let entry = &mut self.seats[seat.index()];
        entry.held = entry.held.saturating_sub(1);
        (self.place, self.run_s, self.started) = (self.place.max(place), 0.0, Some(at));
    }

    /// A card was laid face down on one of the piles.
    pub fn laid(&mut self, at: Moment, seat: Seat, pile: u8) {
        self.stand(at);
        let alone = self.holders() <= 1;
        self.laid.push(Laid { seat, pile, from: self.place, wait_s: self.run_s, alone });
        self.seats[seat.index()].laid += 1;
        self.started = Some(at);
    }

    /// Cards of a seat were set aside.
    pub fn set_aside(&mut self, seat: Seat, cards: u8) {
        let entry = &mut self.seats[seat.index()];
        entry.held = entry.held.saturating_sub(cards);
    }

    /// A pile was turned over: its cards in the order in which they were laid. `pulse_s` is
    /// what the pulse went by.
    pub fn turned(
        &mut self,
        pile: u8,
        places: impl Iterator<Item = u8>,
        pulse_s: impl Fn(&Self, f64) -> f64,
    ) {
        let laid = self.laid.iter().copied().filter(|laid| laid.pile == pile).collect::<Vec<_>>();
        let turned = laid.into_iter().zip(places).filter(|(laid, _)| !laid.alone);
        let turned = turned.map(|(laid, place)| {
            (laid, place, pulse_s(self, f64::from(place.saturating_sub(laid.from))))
        });
        for (Laid { seat, from, wait_s, .. }, place, pulse_s) in turned.collect::<Vec<_>>() {
            let wait = Wait { from, wait_s, after_other: false, towards: None };
            self.seats[seat.index()].partner.played(place, wait, false, Some(pulse_s));
        }
    }

    /// The cards that each player may hold. `theirs(held, place)` is the probability that a seat
    /// that held `held` cards when the clock was set holds the card at a place.
    pub fn field(&self, theirs: impl Fn(u8, u8) -> f64) -> Field {
        let mut field = Field::default();
        let seats = || self.seats.iter().filter(|entry| entry.held > 0);
        let all_follow = seats().all(|entry| entry.partner.follows());
        for Entry { partner, held, .. } in seats() {
            if all_follow || !partner.follows() {
                let cards = (self.place + 1..=self.highest)
                    .filter_map(|place| Some((place, partner.step(self.place, place, false)?)))
                    .map(|(place, step)| (step, theirs(*held, place)));
                field.add(partner.tempo(), partner.weight(), cards);
            }
        }
        field
    }

    /// When a clock that no card sets reaches this gap.
    pub fn clock_s(&self, gap: f64) -> f64 {
        clock_s(self.seats.iter().map(|entry| &entry.partner), gap)
    }

    /// Whether this seat is the only one that follows the pulse, so that it may use its private
    /// knowledge.
    pub fn is_private(&self, me: Seat) -> bool {
        let mut others = self.seats.iter().enumerate().filter(|(seat, _)| *seat != me.index());
        others.all(|(_, entry)| entry.partner.weight() > 0.9)
    }

    /// Whether the tempo of every player with cards has been observed.
    pub fn has_heard_all(&self) -> bool {
        self.seats.iter().all(|entry| entry.held == 0 || entry.partner.is_heard())
    }

    /// Where the clock was last set.
    pub fn place(&self) -> u8 {
        self.place
    }

    fn holders(&self) -> usize {
        self.seats.iter().filter(|entry| entry.held > entry.laid).count()
    }
}
