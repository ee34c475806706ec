//! The photo finish: what is too close to tell apart is taken as it costs least.

use std::time::Duration;

use super::order::{Peer, PhotoCost, Waiting};

/// A play that is taken before one that was pressed a little earlier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Finish {
    /// Where it stands among those that wait.
    pub place: usize,
    /// How far the two presses could be apart and still be one and the same.
    pub within: Duration,
}

/// Looks among those that wait for one that could just as well have been pressed before the first,
/// and should have been: `cost` says what it costs to take two in this order.
pub(super) fn photo_finish<W: Copy + Eq, T>(
    waiting: &[Waiting<W, T>],
    peers: &[Peer<W>],
    cost: PhotoCost<W, T>,
) -> Option<Finish> {
    let (first, rivals) = waiting.split_first()?;
    let error = |who: W| {
        let peer = peers.iter().find(|peer| peer.who == who);
        peer.map_or(Duration::ZERO, |peer| peer.lag.error())
    };
    // A player's presses keep their order: only the first of each may be taken before others.
    let is_first =
        |index: usize| rivals[..index].iter().all(|other| other.who != rivals[index].who);
    let close = rivals.iter().enumerate().filter(|(index, _)| is_first(*index));
    let close = close.filter_map(|(index, rival)| {
        let within = error(first.who) + error(rival.who);
        let is_close = rival.who != first.who && first.press.until(rival.press) <= within;
        is_close.then_some((Finish { place: index + 1, within }, rival))
    });
    let mut close = close.filter(|(_, rival)| cost(rival, first) < cost(first, rival));
    close.next().map(|(finish, _)| finish)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fair::{Claim, Lag, Order, Stamp};

    /// Cards pressed this number of ms after another, by players of 20 and 200 ms: a mistake is a higher
    /// card before a lower one.
    fn check(presses: &[(usize, u64, u8)], found: Option<usize>) {
        let ms = Duration::from_millis;
        let lag = |trip| Lag::steady(40, ms(trip), ms(0));
        let peers = [Peer::new(0, lag(20)), Peer::new(1, lag(200))];
        let mut order = Order::default();
        for (who, press, card) in presses {
            order.take(*who, Claim::here(Stamp::from_millis(*press)), *card);
        }
        let mut cost = |a: &Waiting<usize, u8>, b: &Waiting<usize, u8>| u8::from(a.item > b.item);
        let finish = photo_finish(order.waiting(), &peers, &mut cost);
        assert_eq!(finish.map(|finish| finish.place), found);
        assert!(finish.is_none_or(|finish| finish.within == ms(44)));
    }

    #[test]
    fn two_too_close_to_tell_apart_cost_no_life() {
        check(&[(0, 100, 35), (1, 144, 34)], Some(1));
        check(&[(1, 100, 35), (0, 130, 34)], Some(1));
    }

    #[test]
    fn who_was_clearly_later_stays_later() {
        check(&[(0, 100, 35), (1, 145, 34)], None);
    }

    #[test]
    fn where_nothing_is_to_gain_the_presses_decide() {
        check(&[(0, 100, 34), (1, 110, 35)], None);
        check(&[(0, 100, 34), (0, 101, 33)], None);
    }

    #[test]
    fn a_player_s_presses_keep_their_order() {
        check(&[(0, 100, 35), (1, 105, 36), (1, 110, 34)], None);
        check(&[(0, 100, 35), (1, 105, 34), (1, 110, 33)], Some(1));
    }
}
