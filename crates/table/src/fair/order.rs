//! The fair order: plays wait until no earlier press can still arrive, and leave as they were made.

use std::time::Duration;

use super::claim::Claim;
use super::lag::Lag;
use super::photo::{Finish, photo_finish};
use super::stamp::Stamp;
use super::tuning::Tuning;

/// What waits at one table. `W` says whose it is, `T` what it is.
#[derive(Clone, Debug)]
pub struct Order<W, T> {
    /// In the order of presses, and those of one instant as they arrived.
    waiting: Vec<Waiting<W, T>>,
    /// The last press that was heard of each.
    heard: Vec<(W, Stamp)>,
}

/// Something that waits, or has left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting<W, T> {
    /// Whose it is.
    pub who: W,
    /// What was claimed of it.
    pub claim: Claim,
    /// When it counts as pressed.
    pub press: Stamp,
    /// What it is.
    pub item: T,
}

/// Something whose turn has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Released<W, T> {
    /// What leaves.
    pub play: Waiting<W, T>,
    /// If a photo finish put it before a press that was a little earlier: how, and whose.
    pub photo: Option<(Finish, W)>,
}

/// What it costs to take two in this order.
pub type PhotoCost<'a, W, T> = &'a mut dyn FnMut(&Waiting<W, T>, &Waiting<W, T>) -> u8;

/// A player whose press may still be on its way.
#[derive(Clone, Copy, Debug)]
pub struct Peer<W> {
    /// Who.
    pub who: W,
    /// How long their messages take.
    pub lag: Lag,
    /// Since when it is unknown whether they see the table: what is pressed from then on waits
    /// until that is known.
    pub dark_since: Option<Stamp>,
}

impl<W> Peer<W> {
    /// A player whose connection is well.
    pub fn new(who: W, lag: Lag) -> Self {
        Self { who, lag, dark_since: None }
    }
}

impl<W, T> Default for Order<W, T> {
    fn default() -> Self {
        Self { waiting: Vec::new(), heard: Vec::new() }
    }
}

impl<W: Copy + Eq, T> Order<W, T> {
    /// Takes something in. Messages of one player keep their order: a player's press times never
    /// go backwards.
    pub fn take(&mut self, who: W, claim: Claim, item: T) {
        let press = match self.heard.iter_mut().find(|(other, _)| *other == who) {
            Some((_, heard)) => {
                *heard = claim.press().max(*heard);
                *heard
            }
            None => {
                self.heard.push((who, claim.press()));
                claim.press()
            }
        };
        let place = self.waiting.partition_point(|other| other.press <= press);
        self.waiting.insert(place, Waiting { who, claim, press, item });
    }

    /// When the next one leaves; `None` if nothing waits, or only for a
    /// player of whom it is unknown whether they see the table.
    /// `photo` gives those time to arrive that are too close to tell apart.
    pub fn next_at(&self, peers: &[Peer<W>], tuning: &Tuning, photo: bool) -> Option<Stamp> {
        let bright = self.waiting.iter().take_while(|play| !is_dark(play, peers));
        bright.map(|play| self.leaves_at(play, peers, tuning, photo)).min()
    }

    /// The next one, if its time has come. As soon as the wait is over for one, those pressed
    /// before it leave, too: whatever could have come before them would have come before it.
    ///
    /// `photo_cost` says what it costs to take two in this order; where it is given, one that is
    /// too close to the first to tell apart is taken before it if that costs less.
    pub fn release(
        &mut self,
        now: Stamp,
        peers: &[Peer<W>],
        tuning: &Tuning,
        photo_cost: Option<PhotoCost<W, T>>,
    ) -> Option<Released<W, T>> {
        let at = self.next_at(peers, tuning, photo_cost.is_some())?;
        if at > now {
            return None;
        }
        let finish = photo_cost.and_then(|cost| photo_finish(&self.waiting, peers, cost));
        let first = self.waiting.first()?.who;
        let play = self.waiting.remove(finish.map_or(0, |finish| finish.place));
        Some(Released { play, photo: finish.map(|finish| (finish, first)) })
    }

    /// Takes the first one out if it was pressed before `since`, whether its time has come or not.
    pub fn release_before(&mut self, since: Stamp) -> Option<Waiting<W, T>> {
        let first = self.waiting.first()?;
        (first.press < since).then(|| self.waiting.remove(0))
    }

    /// Takes all out that wait.
    pub fn drain(&mut self) -> Vec<Waiting<W, T>> {
        std::mem::take(&mut self.waiting)
    }

    /// All that waits, in the order of presses.
    pub fn waiting(&self) -> &[Waiting<W, T>] {
        &self.waiting
    }

    /// The same, to be changed.
    pub fn waiting_mut(&mut self) -> &mut [Waiting<W, T>] {
        &mut self.waiting
    }

    fn leaves_at(
        &self,
        play: &Waiting<W, T>,
        peers: &[Peer<W>],
        tuning: &Tuning,
        photo: bool,
    ) -> Stamp {
        let arrived = play.claim.arrived;
        let own = peers.iter().find(|peer| peer.who == play.who);
        let others = peers.iter().filter(|peer| {
            peer.who != play.who && !peer.lag.is_near() && !self.has_moved_on(peer.who, play.press)
        });
        let until = others.map(|peer| {
            let errors = peer.lag.error() + own.map_or(Duration::ZERO, |own| own.lag.error());
            let close = if photo { errors } else { Duration::ZERO };
            play.press.after(peer.lag.horizon() + close)
        });
        until.max().unwrap_or(arrived).clamp(arrived, arrived.after(tuning.hold_max))
    }

    /// Whether a later press of theirs is there already.
    fn has_moved_on(&self, who: W, press: Stamp) -> bool {
        self.heard.iter().any(|(other, heard)| *other == who && *heard > press)
    }
}

fn is_dark<W: Copy + Eq, T>(play: &Waiting<W, T>, peers: &[Peer<W>]) -> bool {
    let others = peers.iter().filter(|peer| peer.who != play.who);
    others.filter_map(|peer| peer.dark_since).any(|since| play.press >= since)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const MS: Duration = Duration::from_millis(1);

    fn lag(trip_ms: u64, spread_ms: u64) -> Lag {
        let ms = Duration::from_millis;
        Lag::steady(40, ms(trip_ms), ms(spread_ms))
    }

    /// Presses `(who, pressed, arrived)` in ms; what leaves, as `(who, left at)`.
    fn run(peers: &[Peer<usize>], presses: &[(usize, u64, u64)]) -> Vec<(usize, u64)> {
        let tuning = Tuning::default();
        let mut presses = presses.to_vec();
        presses.sort_by_key(|(_, _, arrived)| *arrived);
        let (mut order, mut left) = (Order::default(), Vec::new());
        let mut presses = presses.into_iter().peekable();
        let mut now = Stamp::default();
        loop {
            let next = order.next_at(peers, &tuning, false).map(|at| at.max(now));
            let arrives = presses.peek().map(|(_, _, arrived)| Stamp::from_millis(*arrived));
            match (next, arrives) {
                (Some(at), arrives) if arrives.is_none_or(|arrives| at < arrives) => {
                    now = at;
                    let play = order.release(now, peers, &tuning, None).unwrap().play;
                    left.push((play.who, at.micros() / 1_000));
                }
                (_, Some(arrived)) => {
                    let (who, pressed, _) = presses.next().unwrap();
                    now = arrived;
                    let pressed = Stamp::from_millis(pressed);
                    let lag = peers[who].lag;
                    order.take(who, Claim::judge(arrived, pressed, lag, &tuning), ());
                }
                (_, None) => return left,
            }
        }
    }

    fn peers(trips: &[u64]) -> Vec<Peer<usize>> {
        let trips = trips.iter().enumerate();
        trips.map(|(who, trip)| Peer::new(who, lag(*trip, trip / 20))).collect()
    }

    fn check(trips: &[u64], presses: &[(usize, u64, u64)], left: &[(usize, u64)]) {
        assert_eq!(run(&peers(trips), presses), left);
    }

    #[test]
    fn an_earlier_press_that_arrives_later_leaves_first() {
        check(&[20, 200], &[(1, 1_000, 1_100), (0, 1_080, 1_090)], &[(1, 1_100), (0, 1_194)]);
    }

    #[test]
    fn presses_in_one_room_or_alone_are_not_held() {
        check(&[5, 4, 3], &[(0, 100, 102), (1, 101, 103)], &[(0, 102), (1, 103)]);
        check(&[300], &[(0, 100, 250)], &[(0, 250)]);
    }

    #[test]
    fn a_player_whose_later_press_is_there_is_not_waited_for() {
        check(&[20, 200], &[(0, 1_000, 1_010), (1, 1_005, 1_105)], &[(0, 1_105), (1, 1_105)]);
    }

    #[test]
    fn a_press_waits_while_a_connection_is_unknown() {
        let tuning = Tuning::default();
        let mut peers = peers(&[20, 40]);
        peers[1].dark_since = Some(Stamp::from_millis(1_000));
        let mut order = Order::default();
        for pressed in [990, 1_001] {
            let pressed = Stamp::from_millis(pressed);
            let arrived = pressed.after(10 * MS);
            order.take(0, Claim::judge(arrived, pressed, peers[0].lag, &tuning), ());
        }
        let late = Stamp::from_millis(3_000);
        let first = order.release(late, &peers, &tuning, None).unwrap().play;
        assert_eq!(first.press, Stamp::from_millis(990));
        assert_eq!(order.release(late, &peers, &tuning, None), None);
        assert_eq!(order.next_at(&peers, &tuning, false), None);
        peers[1].dark_since = None;
        assert!(order.release(late, &peers, &tuning, None).is_some());
    }

    #[test]
    fn a_photo_finish_leaves_time_for_those_too_close_to_tell_apart() {
        let (tuning, peers) = (Tuning::default(), peers(&[20, 200]));
        let mut order = Order::default();
        let pressed = Stamp::from_millis(1_000);
        order.take(0, Claim::judge(pressed.after(10 * MS), pressed, peers[0].lag, &tuning), ());
        let plain = order.next_at(&peers, &tuning, false).unwrap();
        let photo = order.next_at(&peers, &tuning, true).unwrap();
        assert_eq!(plain.until(photo), peers[0].lag.error() + peers[1].lag.error());
    }

    proptest! {
        /// Whatever arrives whenever: everything leaves once, nothing is held too long, players who
        /// wait together leave in the order of their presses, and no player gains more than the bound.
        #[test]
        fn the_order_keeps_its_promises(
            trips in prop::collection::vec((1u64..600, 0u64..120), 2..6),
            presses in prop::collection::vec((0usize..6, 0u64..3_000, 0u64..900), 1..40),
            lie in 0u64..2_000,
        ) {
            let tuning = Tuning::default();
            let peers = trips.iter().enumerate()
                .map(|(who, (trip, spread))| Peer::new(who, lag(*trip, *spread))).collect::<Vec<_>>();
            let mut arrivals = presses.into_iter()
                .map(|(who, pressed, way)| (pressed + way, who % peers.len(), pressed))
                .collect::<Vec<_>>();
            arrivals.sort_unstable();
            let mut order = Order::default();
            let mut left = Vec::new();
            let all_near = peers.iter().all(|peer| peer.lag.is_near());
            let mut now = Stamp::default();
            let mut drain = |order: &mut Order<usize, usize>, until: Stamp| {
                while let Some(at) = order.next_at(&peers, &tuning, false).filter(|at| *at <= until) {
                    now = now.max(at);
                    let first = order.waiting().iter().map(|play| play.press).min();
                    let play = order.release(now, &peers, &tuning, None).unwrap().play;
                    prop_assert_eq!(Some(play.press), first);
                    let arrived = play.claim.arrived;
                    prop_assert!(arrived <= now && arrived.until(now) <= tuning.hold_max);
                    prop_assert!(!all_near || now == arrived);
                    left.push(play.item);
                }
                now = until;
                Ok(())
            };
            let count = arrivals.len();
            for (item, (arrived, who, pressed)) in arrivals.into_iter().enumerate() {
                let arrived = Stamp::from_millis(arrived);
                drain(&mut order, arrived)?;
                // Player 0 lies.
                let pressed = if who == 0 { pressed.saturating_sub(lie) } else { pressed };
                let claimed = Stamp::from_millis(pressed);
                let claim = Claim::judge(arrived, claimed, peers[who].lag, &tuning);
                prop_assert!(claim.press().until(arrived) <= peers[who].lag.bound(&tuning));
                order.take(who, claim, item);
                drain(&mut order, arrived)?;
            }
            drain(&mut order, Stamp::from_millis(10_000))?;
            left.sort_unstable();
            prop_assert_eq!(left, (0..count).collect::<Vec<_>>());
        }
    }
}
