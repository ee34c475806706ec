//! The page's clock, as in `web/src/lib/clock.ts`: the server's time from probes.
//!
//! The page is TypeScript. This is its estimator once more, line for line, rather than Node in the
//! simulation: so the simulation needs nothing installed, is fast enough for thousands of pairs,
//! and repeats to the last digit. `clock.vectors.json` holds both to the same answers.

/// How many probes are remembered.
const WINDOW: usize = 96;
/// How fast two clocks are expected to drift apart.
const DRIFT: f64 = 1e-4;
/// Probes that follow each other closely in the beginning, then until the clock has settled.
const FIRST: usize = 8;
const SETTLED: usize = 32;
/// From this number of probes on the clock is good enough to press by.
const CERTAIN: usize = 3;
/// How many of the last probes are looked at for a step, and how far two clocks may drift apart
/// meanwhile.
const RECENT: usize = 16;
const DRIFT_MOST: f64 = 5e-4;
/// What clocks are rounded to.
const ROUNDING_MS: f64 = 2.0;

#[derive(Clone, Copy, Debug)]
struct Sample {
    local: f64,
    ahead: f64,
    trip: f64,
}

#[derive(Clone, Copy, Debug)]
struct ClockFit {
    local: f64,
    ahead: f64,
    drift: f64,
}

/// The server's clock as a page knows it, in milliseconds.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    samples: Vec<Sample>,
    fit: Option<ClockFit>,
}

impl Clock {
    /// A probe came back: sent and heard on the page's clock, answered on the server's.
    pub fn add(&mut self, sent: f64, server: f64, heard: f64) {
        let trip = heard - sent;
        if trip.is_nan() || trip < 0.0 {
            return;
        }
        let local = sent + trip / 2.0;
        let sample = Sample { local, ahead: server - local, trip };
        // A device that sleeps stops its clock: what was measured before says nothing about now.
        if has_stepped(&self.samples, sample) {
            self.samples.clear();
        }
        self.samples.push(sample);
        if self.samples.len() > WINDOW {
            self.samples.remove(0);
        }
        self.fit = Some(fit(&self.samples));
    }

    /// The server's time at a time of the page's; `None` before the first probe is back.
    pub fn to_server(&self, local: f64) -> Option<f64> {
        self.fit.map(|fit| local + fit.ahead + fit.drift * (local - fit.local))
    }

    /// The page's time at a time of the server's.
    pub fn to_local(&self, server: f64) -> Option<f64> {
        let local =
            |fit: ClockFit| (server - fit.ahead + fit.drift * fit.local) / (1.0 + fit.drift);
        self.fit.map(local)
    }

    /// Whether presses can be told by it: not at first, and not right after it has stepped.
    pub fn is_certain(&self) -> bool {
        self.samples.len() >= CERTAIN
    }

    /// How long to wait before the next probe.
    pub fn pause(&self) -> f64 {
        match self.samples.len() {
            count if count < FIRST => 150.0,
            count if count < SETTLED => 1_000.0,
            _ => 2_000.0,
        }
    }
}

/// Whether a sample contradicts the quickest of those before it: each is off by half its trip at
/// most, however the two ways share it, so one of the two clocks has stood still or was set in
/// between.
fn has_stepped(samples: &[Sample], sample: Sample) -> bool {
    let recent = &samples[samples.len().saturating_sub(RECENT)..];
    let best = recent.iter().min_by(|a, b| a.trip.total_cmp(&b.trip));
    best.is_some_and(|best| {
        let drifted = DRIFT_MOST * (sample.local - best.local).abs();
        let most = f64::midpoint(best.trip, sample.trip) + drifted + ROUNDING_MS;
        (sample.ahead - best.ahead).abs() > most
    })
}

#[allow(clippy::cast_precision_loss, reason = "there are 96 samples at most")]
fn fit(samples: &[Sample]) -> ClockFit {
    let mut quick = samples.to_vec();
    quick.sort_by(|a, b| a.trip.total_cmp(&b.trip));
    quick.truncate(samples.len().div_ceil(2));
    let count = quick.len() as f64;
    let mean = |of: &dyn Fn(&Sample) -> f64| quick.iter().map(of).sum::<f64>() / count;
    let local = mean(&|sample| sample.local);
    let ahead = mean(&|sample| sample.ahead);
    let length = mean(&|sample| (sample.local - local).powi(2));
    let slope = mean(&|sample| (sample.local - local) * (sample.ahead - ahead));
    if length == 0.0 {
        return ClockFit { local, ahead, drift: 0.0 };
    }
    let noise = mean(&|sample| (sample.ahead - ahead).powi(2)) - slope.powi(2) / length;
    let doubt = noise / count / DRIFT.powi(2);
    ClockFit { local, ahead, drift: slope / (length + doubt) }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Deserialize)]
    struct Vector {
        name: String,
        /// Sent, answered and heard.
        probes: Vec<(f64, f64, f64)>,
        /// Times of the page, what the clock makes of them, and what is true.
        asked: Vec<(f64, f64, f64)>,
        /// How far the clock may be from the truth.
        within: f64,
    }

    #[test]
    fn the_page_and_the_simulation_have_the_same_clock() {
        let vectors = include_str!("../../../../web/src/lib/clock.vectors.json");
        let vectors = serde_json::from_str::<Vec<Vector>>(vectors).unwrap();
        assert!(vectors.len() >= 6);
        for Vector { name, probes, asked, within } in vectors {
            let mut clock = Clock::default();
            assert_eq!(clock.to_server(0.0), None);
            for (sent, server, heard) in probes {
                clock.add(sent, server, heard);
            }
            for (local, answer, truth) in asked {
                let found = clock.to_server(local).unwrap();
                assert!((found - answer).abs() < 1e-6, "{name}: {found} for {answer}");
                assert!((found - truth).abs() <= within, "{name}: {found}, in truth {truth}");
                assert!((clock.to_local(found).unwrap() - local).abs() < 1e-6, "{name}");
            }
        }
    }
}
