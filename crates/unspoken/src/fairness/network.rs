//! A simulated player: their way to the server, and their clock.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rand_distr::{Distribution, Normal, Pareto};

use super::clock::Clock;
use super::scenario::{Jitter, Player};

/// The least time after which a lost packet is sent again.
const RETRY_MS_LEAST: f64 = 200.0;

/// A player of one run, with everything about them drawn.
pub struct Node {
    pub up: Way,
    pub down: Way,
    /// What their clock shows, and how fast it goes.
    offset_ms: f64,
    rate: f64,
    /// What their page knows of the server's.
    pub clock: Clock,
    /// By how much their client antedates presses.
    pub lies_ms: f64,
}

impl Node {
    pub fn draw(player: &Player, rng: &mut ChaCha12Rng) -> Self {
        let trip = player.up_ms + player.down_ms;
        let share = match player.lopsided {
            Some(most) => rng.random_range((1.0 - most)..=most),
            None => player.up_ms / trip,
        };
        let way = |mean: f64, rng: &mut ChaCha12Rng| Way {
            mean,
            jitter: player.jitter,
            loss: player.loss,
            retry_ms: RETRY_MS_LEAST.max(2.0 * trip),
            arrived: 0.0,
            rng: ChaCha12Rng::from_rng(rng),
        };
        let wrong = player.clock;
        Self {
            up: way(trip * share, rng),
            down: way(trip * (1.0 - share), rng),
            offset_ms: within(wrong.offset_s * 1_000.0, rng),
            rate: 1.0 + within(wrong.drift_ppm, rng) * 1e-6,
            clock: Clock::default(),
            lies_ms: player.lies_ms,
        }
    }

    /// What their clock shows at a true time.
    pub fn local(&self, now: f64) -> f64 {
        self.offset_ms + now * self.rate
    }

    /// When, in truth, their clock shows this.
    pub fn truth(&self, local: f64) -> f64 {
        (local - self.offset_ms) / self.rate
    }
}

fn within(most: f64, rng: &mut ChaCha12Rng) -> f64 {
    if most > 0.0 { rng.random_range(-most..=most) } else { 0.0 }
}

/// One direction. Messages keep their order, as in TCP: one that has to be sent again holds up
/// those behind it.
pub struct Way {
    mean: f64,
    jitter: Jitter,
    loss: f64,
    retry_ms: f64,
    arrived: f64,
    rng: ChaCha12Rng,
}

impl Way {
    /// When a message that leaves now is there.
    pub fn send(&mut self, now: f64) -> f64 {
        let mut leaves = now;
        while self.loss > 0.0 && self.rng.random_bool(self.loss) {
            leaves += self.retry_ms;
        }
        let takes = self.takes();
        self.arrived = self.arrived.max(leaves + takes);
        self.arrived
    }

    fn takes(&mut self) -> f64 {
        let drawn = match self.jitter {
            Jitter::Normal(share) => {
                let normal = Normal::new(self.mean, share * self.mean);
                normal.map_or(self.mean, |normal| normal.sample(&mut self.rng))
            }
            Jitter::Heavy(share) => {
                let tail = Pareto::new(share * self.mean, 2.0);
                self.mean + tail.map_or(0.0, |tail| tail.sample(&mut self.rng))
            }
        };
        // A message takes at least a tenth of the mean: the speed of light is a limit.
        drawn.max(self.mean / 10.0)
    }
}
