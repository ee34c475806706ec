//! A simulated player: their way to the server, and their clock.

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use rand_distr::{Distribution, Normal, Pareto};
use table::fair::KernelTrip;

use super::clock::Clock;
use super::scenario::{Change, Jitter, LatePongs, Player};

/// The least time after which a lost packet is sent again.
const RETRY_MS_LEAST: f64 = 200.0;

/// The larger share of a round trip between two nodes that one way may take, and how much single
/// messages vary there.
const RELAY_SHARE: f64 = 0.6;
const RELAY_JITTER: Jitter = Jitter::Normal(0.15);

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
    late_pongs: Option<LatePongs>,
    /// The times within which the device sleeps.
    sleeps: Vec<(f64, f64)>,
    /// What the server's kernel has measured of the way; nothing behind a proxy.
    pub kernel: Option<Kernel>,
    pub is_bot: bool,
    /// When the path changed last, or the device woke.
    pub changed_at: f64,
    rng: ChaCha12Rng,
}

/// What a kernel measures of a connection: a smoothed round trip and how far single ones are from
/// it, as in RFC 6298.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kernel(Option<(f64, f64)>);

/// How long a kernel waits with an acknowledgement for something to send with it.
const ACKNOWLEDGED_WITHIN_MS: f64 = 40.0;

impl Kernel {
    /// Bytes were acknowledged after that time.
    pub fn add(&mut self, trip: f64) {
        self.0 = Some(match self.0 {
            None => (trip, trip / 2.0),
            Some((mean, deviation)) => {
                (mean + (trip - mean) / 8.0, deviation + ((trip - mean).abs() - deviation) / 4.0)
            }
        });
    }

    pub fn trip(self) -> Option<KernelTrip> {
        let ms = |ms: f64| Duration::from_secs_f64(ms / 1_000.0);
        self.0.map(|(mean, deviation)| KernelTrip { mean: ms(mean), deviation: ms(deviation) })
    }
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
            relay: None,
            rng: ChaCha12Rng::from_rng(rng),
        };
        // Nothing is drawn for players without a relay, so that their scenarios stay as they were.
        let relay_trip = 2.0 * player.relay_ms;
        let relay_share =
            if relay_trip > 0.0 { rng.random_range(1.0 - RELAY_SHARE..=RELAY_SHARE) } else { 0.5 };
        let wrong = player.clock;
        let (mut up, mut down) = (way(trip * share, rng), way(trip * (1.0 - share), rng));
        if relay_trip > 0.0 {
            let between = |share: f64, rng: &mut ChaCha12Rng| {
                let (jitter, loss) = (RELAY_JITTER, 0.0);
                Some(Box::new(Way { jitter, loss, ..way(relay_trip * share, rng) }))
            };
            up.relay = between(relay_share, rng);
            down.relay = between(1.0 - relay_share, rng);
        }
        Self {
            up,
            down,
            offset_ms: within(wrong.offset_s * 1_000.0, rng),
            rate: 1.0 + within(wrong.drift_ppm, rng) * 1e-6,
            clock: Clock::default(),
            lies_ms: player.lies_ms,
            late_pongs: player.late_pongs,
            sleeps: player
                .sleeps
                .iter()
                .map(|sleep| (sleep.at_s * 1_000.0, (sleep.at_s + sleep.for_s) * 1_000.0))
                .collect(),
            kernel: (!player.proxy && relay_trip == 0.0).then(Kernel::default),
            is_bot: player.bot,
            changed_at: 0.0,
            rng: ChaCha12Rng::from_rng(rng),
        }
    }

    /// What their clock shows at a true time. It stands still while the device sleeps.
    pub fn local(&self, now: f64) -> f64 {
        let slept = self.sleeps.iter().map(|(from, to)| now.clamp(*from, *to) - from).sum::<f64>();
        self.offset_ms + (now - slept) * self.rate
    }

    /// When, in truth, their clock shows this.
    pub fn truth(&self, local: f64) -> f64 {
        let mut now = (local - self.offset_ms) / self.rate;
        for (from, to) in &self.sleeps {
            if now > *from {
                now += to - from;
            }
        }
        now
    }

    /// When the device wakes, if it sleeps now.
    pub fn asleep_until(&self, now: f64) -> Option<f64> {
        let sleep = self.sleeps.iter().find(|(from, to)| *from <= now && now < *to);
        sleep.map(|(_, to)| *to)
    }

    /// How long the client waits before it answers a ping; `presses_soon` says whether its player is
    /// about to press.
    pub fn waits(&mut self, presses_soon: bool) -> f64 {
        let late = self.late_pongs.filter(|late| presses_soon || !late.when_pressing);
        late.map_or(0.0, |late| late.by_ms + self.rng.random_range(0.0..=late.jitter_ms))
    }

    /// When the server's kernel hears that its bytes of a ping arrived, if the pong leaves then: the
    /// other kernel waits only so long for something to send with the acknowledgement.
    pub fn acknowledged(&mut self, now: f64, pong_leaves: f64) -> f64 {
        pong_leaves.min(now + ACKNOWLEDGED_WITHIN_MS) + self.up.takes()
    }

    /// The path takes another time from now on.
    pub fn change(&mut self, change: Change, now: f64) {
        self.changed_at = now;
        (self.up.mean, self.down.mean) = (change.up_ms, change.down_ms);
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
    /// The way between two nodes, behind this one.
    relay: Option<Box<Way>>,
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
        match &mut self.relay {
            Some(relay) => relay.send(self.arrived),
            None => self.arrived,
        }
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
