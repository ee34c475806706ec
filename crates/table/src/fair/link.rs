//! One connection as the server measures it: by ping frames, which no page can touch.

use std::collections::VecDeque;
use std::time::Duration;

use super::kernel_trip::KernelTrip;
use super::lag::Lag;
use super::micros::{Least, Micros};
use super::stamp::Stamp;
use super::tuning::Tuning;

/// How many round trips are remembered: about a minute of a game.
pub(super) const WINDOW: usize = 64;
/// How many pings may be on their way; more are not needed to know that a connection is silent.
const UNANSWERED_MOST: usize = 8;
/// From this number of round trips on their spread is meaningful.
const ENOUGH: usize = 8;
/// From this number on nine of ten of them mean more than three of four.
const MANY: usize = 20;
/// This number of first round trips counts only until enough others are known: while a page loads,
/// or a table fills, pongs are late for reasons that soon pass.
const EARLY: usize = 6;
/// After four round trips in a row that the usual ones do not explain the path has changed.
const CHANGED: usize = 4;
/// Pongs that arrive closer together have waited for the same thing, and count once.
const APART: Duration = Duration::from_millis(50);
/// A ping that was answered after this time says how long the connection was silent, and not how
/// long messages take: a device that slept answers all at once.
const SILENT: Duration = Duration::from_secs(2);
/// If a quarter of the round trips exceed the middle one by more than this, the time of a press
/// cannot be told.
const UNSTEADY: Duration = Duration::from_millis(100);
/// For how many round trips a longer path may be one whose ways have become unlike: for as long as a
/// page's clock rests on probes from before.
const RISEN: u32 = 150;

/// What is measured of one connection.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// The last round trips in microseconds, oldest first.
    trips: VecDeque<u32>,
    /// Pings without an answer, oldest first.
    unanswered: VecDeque<(Ping, Stamp)>,
    pings: u64,
    /// Whether the first round trips are forgotten.
    is_settled: bool,
    /// Round trips in a row that the usual ones do not explain.
    unusual: Option<Unusual>,
    /// What was usual before the path became longer, and for how many round trips that counts.
    risen_from: Option<(Micros, u32)>,
    /// The longest round trip that the kernel explains; nothing where it does not say.
    explained: Option<Micros>,
    least: Least,
    is_unsteady: bool,
    /// What the round trips come to.
    lag: Lag,
}

/// Round trips in a row that are all longer, or all shorter, than the usual ones.
#[derive(Clone, Copy, Debug)]
struct Unusual {
    is_longer: bool,
    count: usize,
    last: Stamp,
}

/// The number of a ping, which its pong brings back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ping(u64);

impl Ping {
    /// What the frame carries.
    pub fn bytes(self) -> [u8; 8] {
        self.0.to_be_bytes()
    }

    /// What a frame carried; `None` if it is not one of ours.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(|bytes| Self(u64::from_be_bytes(bytes)))
    }
}

/// How it stands with a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Health {
    /// Pings are answered in their usual time.
    Well,
    /// The ping of that time should have been answered by now.
    Late {
        /// Since then it is unknown whether the player sees the table.
        since: Stamp,
    },
    /// It is so late that play does not wait for it any longer.
    Silent {
        /// Since then the player has seen nothing that is known of.
        since: Stamp,
    },
    /// Round trips vary so much that the time of a press cannot be told.
    Unsteady,
}

impl Link {
    /// A ping leaves.
    pub fn pinged(&mut self, at: Stamp) -> Ping {
        self.pings += 1;
        let ping = Ping(self.pings);
        if self.unanswered.len() < UNANSWERED_MOST {
            self.unanswered.push_back((ping, at));
        }
        ping
    }

    /// What the kernel has measured by now. To be said before each pong, where it is known.
    pub fn acknowledged(&mut self, trip: KernelTrip) {
        self.explained = Some(trip.most(self.least.add(trip.mean)).into());
    }

    /// A pong has come; returns whether it answers a ping. Frames keep their order, so all earlier
    /// pings are settled, too.
    pub fn ponged(&mut self, ping: Ping, at: Stamp) -> bool {
        let Some(place) = self.unanswered.iter().position(|(sent, _)| *sent == ping) else {
            return false;
        };
        let (_, sent) = self.unanswered[place];
        self.unanswered.drain(..=place);
        if self.trips.len() == WINDOW {
            self.trips.pop_front();
        }
        if sent.until(at) >= SILENT {
            return true;
        }
        let trip = u32::try_from(sent.until(at).as_micros()).unwrap_or(u32::MAX);
        let has_changed = self.has_changed(trip, at);
        self.trips.push_back(trip);
        if has_changed {
            self.forget_path();
        } else if !self.is_settled && self.trips.len() == EARLY + ENOUGH {
            self.is_settled = true;
            self.trips.drain(..EARLY);
        }
        self.risen_from =
            self.risen_from.and_then(|(from, left)| Some((from, left.checked_sub(1)?)));
        self.measure();
        true
    }

    /// Whether enough is known of the path. Until then pings should leave often: they do in the
    /// beginning, and when round trips are unusual.
    pub fn is_settled(&self) -> bool {
        self.is_settled && self.unusual.is_none()
    }

    /// Counts a round trip that the usual ones do not explain; whether the path has changed with it.
    fn has_changed(&mut self, trip: u32, at: Stamp) -> bool {
        let usual = (self.lag.trips as usize >= ENOUGH).then_some(self.lag).map(Lag::answers);
        let trip = Duration::from_micros(u64::from(trip));
        let is_longer = match usual {
            Some((_, longest)) if trip > longest => true,
            Some((shortest, _)) if trip < shortest => false,
            _ => {
                self.unusual = None;
                return false;
            }
        };
        let before = self.unusual.filter(|unusual| unusual.is_longer == is_longer);
        let Some(before) = before else {
            self.unusual = Some(Unusual { is_longer, count: 1, last: at });
            return false;
        };
        if before.last.until(at) >= APART {
            self.unusual = Some(Unusual { is_longer, count: before.count + 1, last: at });
        }
        self.unusual.is_some_and(|unusual| unusual.count >= CHANGED)
    }

    /// Keeps only the round trips of the new path.
    fn forget_path(&mut self) {
        let is_longer = self.unusual.take().is_some_and(|unusual| unusual.is_longer);
        self.risen_from = is_longer.then_some((self.lag.explained_trip().into(), RISEN));
        let old = self.trips.len().saturating_sub(CHANGED);
        self.trips.drain(..old);
        self.is_settled = true;
    }

    /// What presses over this connection are judged by.
    pub fn lag(&self) -> Lag {
        self.lag
    }

    /// When the first ping left that has no answer.
    pub fn unanswered_since(&self) -> Option<Stamp> {
        self.unanswered.front().map(|(_, sent)| *sent)
    }

    fn measure(&mut self) {
        let mut trips = self.trips.iter().copied().collect::<Vec<_>>();
        trips.sort_unstable();
        let quantile = |share: usize| {
            let trip = trips.get(trips.len() * share / 100).copied().unwrap_or(0);
            Duration::from_micros(u64::from(trip))
        };
        let (trip, upper, tail) = (quantile(50), quantile(75), quantile(97));
        // A few round trips may have been lucky ones, and one of them may have been unlucky.
        let doubt = if trips.len() < ENOUGH { trip / 8 } else { Duration::ZERO };
        let high = if trips.len() < MANY { upper } else { quantile(90) };
        let explained = self.explained.unwrap_or(Micros::MOST);
        let from = self.risen_from.map_or(Micros::MOST, |(from, _)| from);
        let rise = trip.min(explained.duration()).saturating_sub(from.duration()).into();
        let (spread, tail) = (high.saturating_sub(trip) + doubt, tail.saturating_sub(trip).into());
        self.is_unsteady = trips.len() >= ENOUGH && upper > trip + UNSTEADY;
        self.lag = Lag { trips: trips.len() as u32, trip, spread, tail, rise, explained };
    }

    /// How it stands with the connection now.
    pub fn health(&self, now: Stamp, tuning: &Tuning) -> Health {
        let lag = self.lag;
        if let Some(since) = self.unanswered_since() {
            let waited = since.until(now);
            if waited >= tuning.silent_after {
                return Health::Silent { since };
            }
            // Before the first answer it is unknown what is usual.
            if lag.trips > 0 && waited > lag.usual() {
                return Health::Late { since };
            }
        }
        if self.is_unsteady { Health::Unsteady } else { Health::Well }
    }

    /// When the health gets worse if no pong comes until then; `None` if it cannot.
    pub fn changes_at(&self, now: Stamp, tuning: &Tuning) -> Option<Stamp> {
        let since = self.unanswered_since()?;
        let silent_at = since.after(tuning.silent_after);
        // Late is what takes longer than usual, by a microsecond at the least.
        let late_at = since.after(self.lag.usual() + Duration::from_micros(1));
        let late_at = Some(late_at).filter(|_| self.lag.trips > 0);
        late_at.into_iter().chain([silent_at]).filter(|at| *at > now).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn link(trips: &[u64]) -> Link {
        let mut link = Link::default();
        for (second, trip) in trips.iter().enumerate() {
            let sent = Stamp::from_millis(1_000 * second as u64);
            let ping = link.pinged(sent);
            link.ponged(ping, sent.after(MS * *trip as u32));
        }
        link
    }

    #[test]
    fn the_middle_and_the_spread_do_not_mind_a_single_stray() {
        let mut trips = [40; 40];
        trips[27] = 900;
        let lag = link(&trips).lag();
        assert_eq!((lag.trips, lag.trip, lag.spread), (34, MS * 40, Duration::ZERO));
        let steps = std::array::from_fn::<u64, 56, _>(|step| 94 + step as u64);
        let lag = link(&steps).lag();
        assert_eq!((lag.trip, lag.spread), (MS * 125, MS * 20));
    }

    #[test]
    fn the_first_round_trips_count_until_enough_others_are_known() {
        let mut trips = vec![30; EARLY];
        trips.extend([20; ENOUGH - 1]);
        let early = link(&trips);
        assert!(!early.is_settled());
        let early = early.lag();
        assert_eq!((early.trips, early.trip, early.spread), (13, MS * 20, MS * 10));
        trips.push(20);
        let settled = link(&trips);
        assert!(settled.is_settled());
        let lag = settled.lag();
        assert_eq!((lag.trips, lag.trip, lag.spread), (ENOUGH as u32, MS * 20, Duration::ZERO));
    }

    #[test]
    fn old_round_trips_are_forgotten() {
        let mut trips = vec![300; 64];
        trips.extend([20; 64]);
        assert_eq!(link(&trips).lag().trip, MS * 20);
    }

    #[test]
    fn the_bound_is_measured_and_capped() {
        let tuning = Tuning::default();
        assert_eq!(Link::default().lag().bound(&tuning), Duration::ZERO);
        assert_eq!(link(&[40; 20]).lag().bound(&tuning), MS * 23);
        assert_eq!(link(&[1_200; 20]).lag().bound(&tuning), tuning.claim_max);
        assert!(link(&[5; 20]).lag().is_near() && !link(&[40; 20]).lag().is_near());
    }

    #[test]
    fn a_ping_without_an_answer_is_late_then_silent() {
        let tuning = Tuning::default();
        let mut link = link(&[40; 20]);
        let sent = Stamp::from_millis(30_000);
        link.pinged(sent);
        let second = link.pinged(sent.after(MS * 1_000));
        let at = |ms: u32| sent.after(MS * ms);
        assert_eq!(link.health(at(100), &tuning), Health::Well);
        assert_eq!(link.health(at(141), &tuning), Health::Late { since: sent });
        assert_eq!(link.health(at(2_000), &tuning), Health::Silent { since: sent });
        assert_eq!(link.changes_at(at(0), &tuning), Some(at(140).after(Duration::from_micros(1))));
        assert_eq!(link.changes_at(at(141), &tuning), Some(at(2_000)));
        assert_eq!(link.changes_at(at(2_000), &tuning), None);
        // The pong of a later ping shows that the earlier one is no longer to be waited for.
        link.ponged(second, at(2_040));
        assert_eq!(link.health(at(2_041), &tuning), Health::Well);
    }

    #[test]
    fn answers_that_take_anything_are_unsteady() {
        let wild = std::array::from_fn::<u64, 40, _>(|n| if n % 3 == 0 { 400 } else { 80 });
        assert_eq!(
            link(&wild).health(Stamp::from_millis(60_000), &Tuning::default()),
            Health::Unsteady
        );
        let slow = [500; 40];
        assert_eq!(
            link(&slow).health(Stamp::from_millis(60_000), &Tuning::default()),
            Health::Well
        );
    }

    /// Pings every second, answered after `trips` milliseconds; the kernel measures `kernel`.
    fn answer(link: &mut Link, from_ms: u64, trips: &[u64], kernel: Option<KernelTrip>) {
        for (second, trip) in trips.iter().enumerate() {
            let sent = Stamp::from_millis(from_ms + 1_000 * second as u64);
            let ping = link.pinged(sent);
            if let Some(trip) = kernel {
                link.acknowledged(trip);
            }
            assert!(link.ponged(ping, sent.after(MS * *trip as u32)));
        }
    }

    #[test]
    fn a_path_that_becomes_longer_is_known_after_four_answers() {
        let tuning = Tuning::default();
        let mut link = link(&[40; 60]);
        assert!(link.is_settled());
        answer(&mut link, 60_000, &[240], None);
        assert!(!link.is_settled(), "pings leave often until it is known");
        assert_eq!(link.lag().trip, MS * 40);
        answer(&mut link, 61_000, &[240; 3], None);
        let lag = link.lag();
        assert!(link.is_settled());
        assert_eq!((lag.trips, lag.trip, lag.rise.duration()), (4, MS * 240, MS * 200));
        // All of what it became longer by may be on the way to the server.
        assert!(lag.bound(&tuning) >= MS * 220);
        // After some minutes the page's clock knows the new path, too.
        answer(&mut link, 70_000, &[240; RISEN as usize], None);
        assert_eq!((link.lag().rise, link.lag().bound(&tuning)), (Micros::default(), MS * 123));
    }

    #[test]
    fn a_path_that_becomes_shorter_is_known_as_soon() {
        let mut link = link(&[240; 60]);
        answer(&mut link, 60_000, &[40; 4], None);
        assert_eq!((link.lag().trip, link.lag().rise), (MS * 40, Micros::default()));
    }

    #[test]
    fn answers_that_waited_for_the_same_thing_are_no_new_path() {
        let mut link = link(&[40; 60]);
        let sent = Stamp::from_millis(60_000);
        let pings = (0..6).map(|n| link.pinged(sent.after(MS * 150 * n))).collect::<Vec<_>>();
        for ping in pings {
            link.ponged(ping, sent.after(MS * 1_200));
        }
        assert_eq!((link.lag().trip, link.lag().rise), (MS * 40, Micros::default()));
    }

    #[test]
    fn a_silence_says_nothing_about_the_path() {
        let mut link = link(&[40; 20]);
        let before = link.lag();
        answer(&mut link, 60_000, &[30_000, 29_000, 28_000, 27_000], None);
        assert_eq!(link.lag(), before);
        assert_eq!(link.health(Stamp::from_millis(90_100), &Tuning::default()), Health::Well);
    }

    #[test]
    fn a_client_that_answers_late_gains_what_late_acknowledgements_explain() {
        let tuning = Tuning::default();
        let kernel =
            |mean, deviation| Some(KernelTrip { mean: MS * mean, deviation: MS * deviation });
        let bound = |trips: &[u64], kernel| {
            let mut link = Link::default();
            answer(&mut link, 0, trips, kernel);
            link.lag().bound(&tuning)
        };
        // The way of a press takes 10 ms.
        assert!(bound(&[320; 40], kernel(60, 3)) <= MS * 50);
        let anything = std::array::from_fn::<u64, 40, _>(|n| 20 + 37 * n as u64 % 150);
        assert!(bound(&anything, kernel(45, 20)) <= MS * 50);
        // A client that answers as it should is believed as before.
        assert_eq!(bound(&[40; 40], kernel(40, 3)), bound(&[40; 40], None));
        assert!(bound(&[320; 40], None) > MS * 160);
    }

    #[test]
    fn a_pong_without_a_ping_is_ignored() {
        let mut link = link(&[40; 3]);
        link.ponged(Ping(3), Stamp::from_millis(99_000));
        link.ponged(Ping(77), Stamp::from_millis(99_000));
        assert_eq!(link.lag().trips, 3);
        assert_eq!(Ping::read(&Ping(77).bytes()), Some(Ping(77)));
        assert_eq!(Ping::read(b"hello"), None);
    }
}
