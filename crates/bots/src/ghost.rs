//! A bot with the recorded tempo of a person.

use rules::kit::Chance;

use crate::span::Span;
use crate::timing::normal_pair;
use crate::waiting::Wait;

/// The shortest wait between two cards when all other hands are empty.
const ALONE_S: f64 = 0.8;
/// The shortest wait: the time a hand needs to move.
const HAND_S: f64 = 0.05;

/// A person's waits: `pace · distance^power` in a deck of a hundred, with a spread of its
/// logarithm. In whole numbers, so that reading it from a journal gives exactly the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ghost {
    /// How long they waited for the next number, in microseconds.
    pub pace_us: u32,
    /// By which power of the distance the wait grew, in thousandths.
    pub power_milli: u32,
    /// The standard deviation of the wait's logarithm, in thousandths.
    pub spread_milli: u32,
}

impl Ghost {
    /// The median wait for this distance.
    pub fn median_s(&self, distance: f64) -> f64 {
        let [pace, power] = [self.pace_us, self.power_milli].map(f64::from);
        pace / 1e6 * distance.max(0.0).powf(power / 1e3)
    }
}

impl Wait for Ghost {
    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64 {
        if span.alone {
            return ALONE_S;
        }
        let (strays, _) = normal_pair(chance);
        let due_s = self.median_s(span.gap * span.deck_share)
            * (f64::from(self.spread_milli) / 1e3 * strays).exp();
        (due_s - span.run_s).max(HAND_S)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::kit::{Moment, Seed};

    const ADA: Ghost = Ghost { pace_us: 400_000, power_milli: 900, spread_milli: 250 };

    fn span(gap: f64) -> Span {
        Span {
            since: Moment::START,
            run_s: 0.0,
            gap,
            out: 4.0,
            among: 100.0,
            alone: false,
            blind: false,
            deck_share: 1.0,
            beside: 0.0,
        }
    }

    #[test]
    fn a_ghost_waits_as_its_player_did() {
        for gap in [2.0, 10.0, 40.0] {
            let mut logs = (0..4_000)
                .map(|draw| ADA.wait_s(&span(gap), &mut Chance::new(Seed::from(7), draw)).ln())
                .collect::<Vec<_>>();
            logs.sort_by(f64::total_cmp);
            let mean = logs.iter().sum::<f64>() / logs.len() as f64;
            let variance = logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>();
            let spread = (variance / logs.len() as f64).sqrt();
            assert!((logs[2_000] - ADA.median_s(gap).ln()).abs() < 0.02, "{gap}");
            assert!((spread - 0.25).abs() < 0.01, "{gap}: {spread}");
        }
    }

    /// A small deck takes as long as a large one, and time that has passed already counts.
    #[test]
    fn it_keeps_its_tempo_in_every_deck_and_face_down() {
        let wait = |span: Span| ADA.wait_s(&span, &mut Chance::new(Seed::from(7), 1));
        let small = Span { gap: 10.0, deck_share: 2.0, ..span(0.0) };
        assert!((wait(small) - wait(span(20.0))).abs() < 1e-9);
        let run = Span { run_s: 1.5, blind: true, ..span(20.0) };
        assert!((wait(span(20.0)) - 1.5 - wait(run)).abs() < 1e-9);
        assert!(wait(Span { run_s: 1e6, ..run }) > 0.0);
    }
}
