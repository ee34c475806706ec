//! One connection as the server measures it: by ping frames, which no page can touch.

use std::collections::VecDeque;
use std::time::Duration;

use super::stamp::Stamp;
use super::tuning::Tuning;

/// How many round trips are remembered: about a minute of a game.
const WINDOW: usize = 64;
/// How many pings may be on their way; more are not needed to know that a connection is silent.
const UNANSWERED_MOST: usize = 8;
/// From this number of round trips on their spread is meaningful.
const ENOUGH: usize = 8;
/// This number of first round trips counts only until enough others are known: while a page loads,
/// or a table fills, pongs are late for reasons that soon pass.
const EARLY: usize = 6;

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
    /// What the round trips come to.
    lag: Lag,
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
        let trip = u32::try_from(sent.until(at).as_micros()).unwrap_or(u32::MAX);
        self.trips.push_back(trip);
        if !self.is_settled && self.trips.len() == EARLY + ENOUGH {
            self.is_settled = true;
            self.trips.drain(..EARLY);
        }
        self.lag = self.measured();
        true
    }

    /// Whether enough is known without the first round trips. Until then pings should leave often.
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// What presses over this connection are judged by.
    pub fn lag(&self) -> Lag {
        self.lag
    }

    /// When the first ping left that has no answer.
    pub fn unanswered_since(&self) -> Option<Stamp> {
        self.unanswered.front().map(|(_, sent)| *sent)
    }

    fn measured(&self) -> Lag {
        let mut trips = self.trips.iter().copied().collect::<Vec<_>>();
        trips.sort_unstable();
        let quantile = |share: usize| trips.get(trips.len() * share / 100).copied().unwrap_or(0);
        let (middle, high) = (quantile(50), quantile(90));
        // A few round trips may have been lucky ones.
        let doubt = if trips.len() < ENOUGH { middle / 8 } else { 0 };
        let micros = |micros: u32| Duration::from_micros(u64::from(micros));
        Lag { trips: trips.len(), trip: micros(middle), spread: micros(high - middle + doubt) }
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
        let is_unsteady = lag.trips >= ENOUGH && lag.spread * 3 > tuning.claim_max;
        if is_unsteady { Health::Unsteady } else { Health::Well }
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

/// How long messages of one connection take, as far as it was measured.
///
/// A client that keeps the server's time by its own probes is off by half the difference of the
/// two ways. So its presses seem to take half a round trip, however the two ways share it; only
/// what varies is left to be allowed for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// How many round trips this is known from.
    pub trips: usize,
    /// The middle round trip.
    pub trip: Duration,
    /// By how much nine of ten exceed it at most.
    pub spread: Duration,
}

impl Lag {
    /// How far back from its arrival a press may be claimed. Where nothing was measured nothing
    /// may be claimed.
    pub fn bound(self, tuning: &Tuning) -> Duration {
        if self.trips == 0 {
            return Duration::ZERO;
        }
        let most = self.trip / 2 + self.spread * 5 / 2 + Duration::from_millis(3);
        most.min(tuning.claim_max)
    }

    /// How long after it was made a press is still on its way, but for one in a hundred.
    pub fn horizon(self) -> Duration {
        self.trip / 2 + self.spread * 7 / 5
    }

    /// Whether messages take so little time that no press has to be waited for.
    pub fn is_near(self) -> bool {
        self.horizon() <= Tuning::NEAR
    }

    /// By how much a press may have been at another time than it seems: the two ways may share
    /// the round trip as 60 to 40, and the probes that the client's clock rests on vary.
    pub fn error(self) -> Duration {
        self.trip / 10 + self.spread / 4
    }

    /// Until when a ping is answered unless something is wrong.
    fn usual(self) -> Duration {
        self.trip + self.spread * 4 + Duration::from_millis(100)
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
        assert_eq!(lag, Lag { trips: 34, trip: MS * 40, spread: Duration::ZERO });
        let steps = std::array::from_fn::<u64, 56, _>(|step| 94 + step as u64);
        let lag = link(&steps).lag();
        assert_eq!((lag.trip, lag.spread), (MS * 125, MS * 20));
    }

    #[test]
    fn the_first_round_trips_count_until_enough_others_are_known() {
        let mut trips = vec![90; EARLY];
        trips.extend([20; ENOUGH - 1]);
        let early = link(&trips);
        assert!(!early.is_settled());
        assert_eq!(early.lag(), Lag { trips: 13, trip: MS * 20, spread: MS * 70 });
        trips.push(20);
        let settled = link(&trips);
        assert!(settled.is_settled());
        assert_eq!(settled.lag(), Lag { trips: ENOUGH, trip: MS * 20, spread: Duration::ZERO });
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
        assert_eq!(link(&[900; 20]).lag().bound(&tuning), tuning.claim_max);
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
