//! The network between one page and the server: two ways that keep the order of messages.

use std::time::Duration;

use rules::kit::Chance;
use table::fair::Stamp;

/// How messages of one connection travel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Network {
    up: Way,
    down: Way,
    /// Nothing gets through before.
    silent_until: Stamp,
}

#[derive(Clone, Copy, Debug, Default)]
struct Way {
    least_us: u32,
    jitter_us: u32,
    /// When the last message arrives that was sent: none overtakes it.
    last: Stamp,
}

impl Way {
    fn arrives(&mut self, sent: Stamp, chance: &mut Chance) -> Stamp {
        let mut delay_us = self.least_us;
        if self.jitter_us > 0 {
            delay_us += chance.below(self.jitter_us);
            if chance.once_in(32) {
                // A packet was lost and is sent again.
                delay_us += chance.below(self.jitter_us * 12);
            }
        }
        self.last = self.last.max(sent.after(Duration::from_micros(u64::from(delay_us))));
        self.last
    }
}

impl Network {
    /// Two milliseconds each way, always.
    pub(crate) fn well() -> Self {
        let way = Way { least_us: 2_000, ..Way::default() };
        Self { up: way, down: way, silent_until: Stamp::default() }
    }

    /// Some connection: in the same room, in the same country or far away.
    pub(crate) fn any(chance: &mut Chance) -> Self {
        let least = [300, 4_000, 20_000, 60_000, 150_000][chance.below(5) as usize];
        let jitter = [0, 1_000, 8_000, 40_000][chance.below(4) as usize];
        let mut way = || Way {
            least_us: least / 2 + chance.below(least),
            jitter_us: jitter,
            last: Stamp::default(),
        };
        Self { up: way(), down: way(), silent_until: Stamp::default() }
    }

    /// When something arrives at the server.
    pub(crate) fn up(&mut self, sent: Stamp, chance: &mut Chance) -> Stamp {
        self.up.arrives(sent.max(self.silent_until), chance)
    }

    /// When something arrives at the page.
    pub(crate) fn down(&mut self, sent: Stamp, chance: &mut Chance) -> Stamp {
        self.down.arrives(sent.max(self.silent_until), chance)
    }

    /// Nothing that is sent gets through before.
    pub(crate) fn silence(&mut self, until: Stamp) {
        self.silent_until = until;
    }

    /// From now on everything gets through quickly.
    pub(crate) fn recover(&mut self, now: Stamp) {
        let well = Self::well();
        self.up = Way { last: self.up.last, ..well.up };
        self.down = Way { last: self.down.last, ..well.down };
        self.silent_until = self.silent_until.min(now);
    }
}
