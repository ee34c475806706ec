//! The game's clock, the day and the table's luck: all are handed in.

use rules::kit::{Chance, Moment, Seed};

use crate::daily::Day;
use crate::fair::Stamp;

/// The clock of the game at a table, and where its luck comes from.
pub(crate) struct Clock {
    /// When the game's clock stood at `moment`.
    at: Stamp,
    moment: Moment,
    /// The latest day whose deals are not played any more.
    pub(crate) day_over: Option<Day>,
    pub(crate) luck: Luck,
}

impl Clock {
    pub(crate) fn new(at: Stamp, moment: Moment, seed: Seed) -> Self {
        Self { at, moment, day_over: None, luck: Luck { seed, drawn: 0 } }
    }

    /// The game's clock stands at `moment` now.
    pub(crate) fn restart(&mut self, now: Stamp, moment: Moment) {
        (self.at, self.moment) = (now, moment);
    }

    /// The moment of the game at a time of the server's clock.
    pub(crate) fn moment(&self, at: Stamp) -> Moment {
        let before = at.until(self.at).as_micros() as u64;
        Moment::from_micros(self.moment.micros().saturating_sub(before)).after(self.at.until(at))
    }

    /// The time of the server's clock at a moment of the game.
    pub(crate) fn stamp(&self, moment: Moment) -> Stamp {
        self.at.before(moment.until(self.moment)).after(self.moment.until(moment))
    }
}

/// All the luck of a table, drawn from one secret seed.
pub(crate) struct Luck {
    seed: Seed,
    drawn: u64,
}

impl Luck {
    /// A seed that was not drawn before.
    pub(crate) fn next_seed(&mut self) -> Seed {
        let mut chance = Chance::new(self.seed, self.drawn);
        self.drawn += 1;
        let mut bytes = [0; 32];
        for word in bytes.chunks_exact_mut(4) {
            word.copy_from_slice(&chance.bits().to_le_bytes());
        }
        Seed::new(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_and_stamps_are_two_ways_to_say_the_same() {
        let mut clock = Clock::new(Stamp::from_millis(500), Moment::START, Seed::from(1));
        assert_eq!(clock.moment(Stamp::from_millis(750)), Moment::from_millis(250));
        assert_eq!(clock.moment(Stamp::from_millis(100)), Moment::START);
        clock.restart(Stamp::from_millis(1_000), Moment::from_millis(9_000));
        for millis in [800, 1_000, 5_000] {
            let stamp = Stamp::from_millis(millis);
            assert_eq!(clock.stamp(clock.moment(stamp)), stamp);
        }
    }

    #[test]
    fn no_seed_is_drawn_twice() {
        let mut clock = Clock::new(Stamp::default(), Moment::START, Seed::from(1));
        let seeds = (0..100).map(|_| *clock.luck.next_seed().bytes());
        let seeds = seeds.collect::<std::collections::HashSet<_>>();
        assert_eq!(seeds.len(), 100);
    }
}
