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
    /// How long it was since the last card or the lifting of hands.
    since_s: f64,
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
        let partner = &mut self.seats[seat.index()].partner;
        if alone {
            partner.played_alone(place, wait, wait_s);
        } else {
            partner.played(place, wait, pulse_s);
        }
        for entry in &mut self.seats {
            entry.held = entry.held.saturating_sub(std::mem::take(&mut entry.laid));
        }
        let entry = &mut self.seats[seat.index()];
        entry.held = entry.held.saturating_sub(1);
        (self.place, self.run_s, self.started) = (self.place.max(place), 0.0, Some(at));
    }

    /// A card was laid face down on one of the piles.
    pub fn laid(&mut self, at: Moment, seat: Seat, pile: u8) {
        let since_s = self.started.map_or(0.0, |started| started.until(at).as_secs_f64());
        self.stand(at);
        let alone = self.holders() <= 1;
        let (from, wait_s) = (self.place, self.run_s);
        self.laid.push(Laid { seat, pile, from, wait_s, since_s, alone });
        self.seats[seat.index()].laid += 1;
        self.started = Some(at);
    }

    /// Cards of a seat were set aside.
    pub fn set_aside(&mut self, seat: Seat, cards: u8) {
        let entry = &mut self.seats[seat.index()];
        entry.held = entry.held.saturating_sub(cards);
    }

    /// A pile was turned over: its cards in the order in which they were laid. `pulse_s` is
    /// what the pulse went by. Nothing is learnt of a seat that is to be left out.
    pub fn turned(
        &mut self,
        pile: u8,
        places: impl Iterator<Item = u8>,
        left_out: Option<Seat>,
        pulse_s: impl Fn(&Self, f64) -> f64,
    ) {
        let laid = self.laid.iter().copied().filter(|laid| laid.pile == pile).zip(places);
        let known = laid.filter(|(laid, _)| Some(laid.seat) != left_out).collect::<Vec<_>>();
        self.learn(&known, pulse_s);
    }

    /// The cards that a seat laid face down are known now, in ascending order. `pulse_s` is what the
    /// pulse went by.
    pub fn known(
        &mut self,
        seat: Seat,
        places: impl Iterator<Item = u8>,
        pulse_s: impl Fn(&Self, f64) -> f64,
    ) {
        let laid = self.laid.iter().copied().filter(|laid| laid.seat == seat);
        let known = laid.zip(places).collect::<Vec<_>>();
        self.learn(&known, pulse_s);
    }

    fn learn(&mut self, known: &[(Laid, u8)], pulse_s: impl Fn(&Self, f64) -> f64) {
        let due =
            |(laid, place): &(Laid, u8)| pulse_s(self, f64::from(place.saturating_sub(laid.from)));
        let dues = known.iter().map(due).collect::<Vec<_>>();
        for ((laid, place), pulse_s) in known.iter().zip(dues) {
            let Laid { seat, from, wait_s, since_s, alone, .. } = *laid;
            let wait = Wait { from, wait_s, after_other: false, towards: None };
            let partner = &mut self.seats[seat.index()].partner;
            if alone {
                partner.played_alone(*place, wait, since_s);
            } else {
                partner.played(*place, wait, Some(pulse_s));
            }
        }
    }

    /// An attempt failed, so not all players keep the common pulse. `me` is the seat of which that
    /// is known, if it is.
    pub fn doubted(&mut self, me: Option<Seat>) {
        let others =
            || (0..self.seats.len()).filter(|seat| me.is_none_or(|me| me.index() != *seat));
        let all_follow = others().map(|seat| 1.0 - self.seats[seat].partner.weight());
        let some_do_not = 1.0 - all_follow.product::<f64>();
        for seat in others().collect::<Vec<_>>() {
            self.seats[seat].partner.doubted(some_do_not);
        }
    }

    /// How many cards the other seats have laid face down.
    pub fn laid_by_others(&self, me: Seat) -> u8 {
        self.laid.iter().filter(|laid| laid.seat != me).count() as u8
    }

    /// The cards of a pile were in the wrong order and stay unknown. A player's last card tells
    /// most of their tempo: it is the highest of theirs, and the logarithm of the highest of n
    /// cards has a standard deviation of about 1/n.
    pub fn failed(&mut self) {
        let places = f64::from(self.highest) + 1.0;
        for (seat, entry) in self.seats.iter_mut().enumerate() {
            let laid = self.laid.iter().filter(|laid| laid.seat.index() == seat);
            let laid = laid.collect::<Vec<_>>();
            let last = laid.iter().rposition(|laid| !laid.alone);
            if let Some(last) = last {
                let higher = (last + 1..=laid.len()).map(|rank| 1.0 / rank as f64);
                let (log_share, unsure) = higher
                    .fold((0.0, 0.0), |(sum, squares), part| (sum - part, squares + part * part));
                let gap = places * log_share.exp();
                entry.partner.played_about(gap, laid[last].wait_s, unsure);
            }
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
