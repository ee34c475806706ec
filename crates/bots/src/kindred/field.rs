//! What the others may hold and when they would play it, seen from where the clock was set.

use super::tempo::Tempo;
use crate::timing::normal_below;

/// One player as the table knows them.
#[derive(Clone, Debug)]
pub struct Rival {
    /// How much their timing counts: those who keep to the common pulse need no watching.
    pub weight: f64,
    chances: Vec<Chances>,
}

/// A card that a player may play next.
#[derive(Clone, Copy, Debug)]
struct Chances {
    gap: f64,
    /// How likely it is their next.
    likely: f64,
    /// The middle of their wait for it.
    wait_s: f64,
    /// The variance of its logarithm, times that middle.
    scatter: f64,
}

impl Chances {
    /// How far a wait is from theirs in standard deviations, and that deviation. A share of the
    /// wait goes astray and the hand on top of it; between the two the normal and the log-normal
    /// distribution are as good as the same.
    fn deviation(&self, wait_s: f64) -> (f64, f64) {
        let spread = (MOTOR_S * MOTOR_S + self.scatter * wait_s).sqrt();
        ((wait_s - self.wait_s) / spread, spread)
    }
}

/// Everyone who holds cards.
#[derive(Clone, Debug, Default)]
pub struct Field {
    rivals: Vec<Rival>,
}

/// Nobody waits less than this, and nobody longer.
const SHORTEST_S: f64 = 0.05;
const LONGEST_S: f64 = 150.0;
/// The noise of anybody's hand.
const MOTOR_S: f64 = 0.1;

impl Field {
    /// Adds a player. The cards that they may hold come in ascending order: the gap of each, and
    /// how likely it is theirs if they hold nothing lower.
    pub fn add(&mut self, tempo: &Tempo, weight: f64, cards: impl Iterator<Item = (f64, f64)>) {
        let mut silent = 1.0;
        let mut chances = Vec::with_capacity(100);
        for (gap, theirs) in cards {
            if silent < 1e-6 {
                break;
            }
            let likely = silent * theirs.min(1.0);
            silent -= likely;
            let forecast = tempo.forecast(gap);
            let wait_s = forecast.log_s.exp();
            let scatter = forecast.spread * forecast.spread * wait_s;
            chances.push(Chances { gap, likely, wait_s, scatter });
        }
        self.rivals.push(Rival { weight, chances });
    }

    /// When to play a card of that gap: as soon as whoever played now would as likely hold a
    /// higher card as a lower one. Before that waiting saves more mistakes than it makes.
    pub fn due_s(&self, gap: f64) -> f64 {
        let lower = |rival: &&Rival| rival.chances.first().is_some_and(|first| first.gap < gap);
        if !self.rivals.iter().any(|rival| lower(&rival)) {
            return SHORTEST_S;
        }
        // It is close to when somebody would play this very card.
        let near = self.rivals.iter().max_by(|one, other| one.weight.total_cmp(&other.weight));
        let near = near.and_then(|rival| rival.chances.iter().find(|chance| chance.gap >= gap));
        let near_s = near.map_or(LONGEST_S, |chance| chance.wait_s).clamp(SHORTEST_S, LONGEST_S);
        let (mut low_s, mut high_s) = (near_s / 1.5, near_s * 1.5);
        while self.lean(gap, low_s) <= 0.0 && low_s > SHORTEST_S {
            (low_s, high_s) = (low_s / 2.0, low_s);
        }
        while self.lean(gap, high_s) > 0.0 && high_s < LONGEST_S {
            (low_s, high_s) = (high_s, high_s * 2.0);
        }
        for _ in 0..11 {
            let middle_s = (low_s * high_s).sqrt();
            if self.lean(gap, middle_s) > 0.0 {
                low_s = middle_s;
            } else {
                high_s = middle_s;
            }
        }
        high_s
    }

    /// The chance that somebody holds a lower card although all have been silent for so long.
    pub fn risk(&self, gap: f64, silent_s: f64) -> f64 {
        let safe = self.rivals.iter().map(|rival| {
            let (lower, all) = rival.silent(gap, silent_s);
            if all > 1e-9 { 1.0 - lower / all } else { 1.0 }
        });
        1.0 - safe.product::<f64>()
    }

    /// How much likelier it is that whoever plays now holds a lower card than a higher one.
    fn lean(&self, gap: f64, wait_s: f64) -> f64 {
        let single = self.rivals.len() == 1;
        let mut lean = 0.0;
        for rival in &self.rivals {
            // Long before anybody could have played it is too early, long after it is too late.
            let mut balance = match rival.chances.first() {
                Some(first) if first.gap < gap && wait_s < first.wait_s => f64::MIN_POSITIVE,
                _ => 0.0,
            };
            for chance in &rival.chances {
                let (z, spread) = chance.deviation(wait_s);
                if z * z < 50.0 {
                    let now = chance.likely / spread * (-0.5 * z * z).exp();
                    if chance.gap < gap {
                        balance += now;
                    } else if chance.gap > gap {
                        balance -= now;
                    }
                }
            }
            let silent = if single { 1.0 } else { rival.silent(gap, wait_s).1.max(1e-9) };
            lean += rival.weight * balance / silent;
        }
        lean
    }
}

impl Rival {
    /// The chance that they have been silent so long with a lower card, and with any.
    fn silent(&self, gap: f64, wait_s: f64) -> (f64, f64) {
        let (mut lower, mut all) = (0.0, 0.0);
        for chance in &self.chances {
            let silent = chance.likely * normal_below(-chance.deviation(wait_s).0);
            all += silent;
            if chance.gap < gap {
                lower += silent;
            }
        }
        (lower, all)
    }
}
