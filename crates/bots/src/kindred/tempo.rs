//! The belief about one player's tempo: a posterior over pace, curvature and noise.
//!
//! The model is `wait = pace · gap^c · noise`, with a hand of a tenth of a second on top. In
//! logarithms it is a line with noise, so for each of a few kinds of players the belief is a
//! Gaussian ([`Belief`]), and the kinds are weighted by how well each of them predicted what
//! happened. Most kinds are even: their waits are nearly proportional to the gap, and they differ
//! in their Weber fraction. The bent ones follow the gap by some other power. The pace of the
//! adapting ones follows the cards of others, and that of the drifting ones changes with every
//! deal. The uneven ones are like the people of the logs in `docs/lab.md`: quicker, noisier, quicker still after another
//! player's card, and slower where few higher cards are left.

use super::belief::{Belief, Forecast, Kind, MIDDLE, Outliers, SHORTEST_S, Step, Traits, density};

/// The Weber fractions of players whose waits follow the gap, and the probability of each.
const EVEN: [(f64, f64); 7] = [
    (0.05, 0.06),
    (0.08, 0.19),
    (0.12, 0.29),
    (0.17, 0.25),
    (0.25, 0.14),
    (0.37, 0.05),
    (0.6, 0.02),
];
/// The same for players who follow a power of the gap.
const BENT: [(f64, f64); 3] = [(0.08, 0.3), (0.14, 0.4), (0.25, 0.3)];
const BENT_SD: f64 = 0.25;
/// How much the middle wait of a bent player goes with the curvature: 0 if players of every curvature
/// take as long for the middle gap, 1 if they take as long for a gap of one.
const BENT_FROM_ONE: f64 = 0.75;
/// The same for players whose pace follows the pace of others, and how strongly.
const ADAPTING: [(f64, f64); 3] = [(0.08, 0.3), (0.14, 0.4), (0.22, 0.3)];
const ADAPTATIONS: [(f64, f64); 3] = [(0.1, 0.35), (0.27, 0.4), (0.5, 0.25)];
const ADAPTING_CURVATURE_SD: f64 = 0.12;
/// The same for players whose pace changes with every deal, and by how much.
const DRIFTING: [(f64, f64); 2] = [(0.1, 0.5), (0.17, 0.5)];
const DRIFT_LOG_SD: f64 = 0.14;
/// The same for players whose waits depend on more than the gap.
const UNEVEN: [(f64, f64); 3] = [(0.3, 0.3), (0.54, 0.4), (0.9, 0.3)];
/// Of these: their pace as a share of that of the even ones, and the middle and the standard
/// deviation of the logarithm of the pace, of the curvature, and of the effects of another player's
/// card and of high cards.
const UNEVEN_SHARE: f64 = 0.31;
const UNEVEN_MEAN: Traits = [0.0, 0.95, -0.45, 0.48];
const UNEVEN_SD: Traits = [0.4, 0.15, 0.6, 0.2];
/// How often a wait says nothing about the tempo: the player was distracted, or acted on a whim.
const DISTRACTED: Outliers = Outliers { share: 0.04, longer: 1.0 };
const WHIM: Outliers = Outliers { share: 0.08, longer: 0.0 };
/// Kinds less likely than this are left out of predictions.
const RARE: f64 = 0.02;
/// Kinds less likely than this are given up.
const LEAST: f64 = 1e-5;

/// A belief before anything is known: which pace is likely, and how far it may be off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// The likeliest pace, in seconds for each card of the gap.
    pub pace_s: f64,
    /// The standard deviation of its logarithm.
    pub log_sd: f64,
    /// The standard deviation of the curvature; straight waits are the likeliest.
    pub curvature_sd: f64,
    /// The probability that a player's waits are not proportional to the gap.
    pub bent: f64,
    /// The probability that a player's pace follows that of others.
    pub adapting: f64,
    /// The probability that a player's pace changes with every deal.
    pub drifting: f64,
    /// The probability that a player's waits depend on more than the gap.
    pub uneven: f64,
}

impl Prior {
    /// The prior for an unknown player.
    pub const UNKNOWN_PLAYER: Self = Self {
        pace_s: 0.75,
        log_sd: 0.62,
        curvature_sd: 0.05,
        bent: 0.15,
        adapting: 0.2,
        drifting: 0.04,
        uneven: 0.08,
    };
}

/// The belief about one player.
#[derive(Clone, Debug, PartialEq)]
pub struct Tempo {
    beliefs: Vec<Belief>,
    /// How often this player has hurried when alone with their cards, and how often not.
    hurried: [f64; 2],
}

impl Tempo {
    /// Before anything is known.
    pub fn new(prior: &Prior) -> Self {
        let log_middle = prior.pace_s.ln() + MIDDLE.ln();
        let mut beliefs = Vec::new();
        let by_gap = |weight: f64, curvature_sd: f64, kind: Kind| {
            let mean = [log_middle, 1.0, 0.0, 0.0];
            let sd = [prior.log_sd, curvature_sd, 0.0, 0.0];
            Belief::new(weight, kind, mean, sd)
        };
        let steady =
            |weber| Kind { weber, outliers: DISTRACTED, adaptation: 0.0, drift_log_sd: 0.0 };
        let even = 1.0 - prior.bent - prior.adapting - prior.drifting - prior.uneven;
        for (weber, share) in EVEN {
            beliefs.push(by_gap(even * share, prior.curvature_sd, steady(weber)));
        }
        for (weber, share) in BENT {
            let bent = by_gap(prior.bent * share, BENT_SD, steady(weber));
            beliefs.push(bent.tied(BENT_FROM_ONE));
        }
        for (weber, share) in ADAPTING {
            for (adaptation, of_these) in ADAPTATIONS {
                let kind = Kind { adaptation, ..steady(weber) };
                let weight = prior.adapting * share * of_these;
                beliefs.push(by_gap(weight, ADAPTING_CURVATURE_SD, kind));
            }
        }
        for (weber, share) in DRIFTING {
            let kind = Kind { drift_log_sd: DRIFT_LOG_SD, ..steady(weber) };
            beliefs.push(by_gap(prior.drifting * share, prior.curvature_sd, kind));
        }
        for (weber, share) in UNEVEN {
            let mut mean = UNEVEN_MEAN;
            mean[0] += log_middle + UNEVEN_SHARE.ln();
            let kind = Kind { outliers: WHIM, ..steady(weber) };
            beliefs.push(Belief::new(share * prior.uneven, kind, mean, UNEVEN_SD));
        }
        beliefs.retain(|belief| belief.weight > 0.0);
        Self { beliefs, hurried: [1.0; 2] }
    }

    /// A wait ended in a play.
    pub fn played(&mut self, step: Step, wait_s: f64) {
        self.played_about(step, wait_s, 0.0);
    }

    /// A wait ended in a play of a card that is not known exactly: `unsure` is the variance of the
    /// logarithm of its distance.
    pub fn played_about(&mut self, step: Step, wait_s: f64, unsure: f64) {
        let traits = step.traits();
        self.weigh(|belief| belief.played(&traits, wait_s, 1.0, unsure));
    }

    /// A wait had not ended yet when something else happened.
    pub fn waited(&mut self, step: Step, wait_s: f64) {
        if wait_s > SHORTEST_S {
            let traits = step.traits();
            self.weigh(|belief| belief.waited(&traits, wait_s));
        }
    }

    /// A play while all other hands were empty, `since_s` after the last event: many players do not
    /// wait then.
    pub fn played_alone(&mut self, step: Step, wait_s: f64, since_s: f64) {
        let [log_s, since_log_s] = [wait_s, since_s].map(|time_s| time_s.max(SHORTEST_S).ln());
        let predicted = self.forecast(step);
        // As densities of the time itself: both waits end at the same moment.
        let by_tempo = density((log_s - predicted.log_s) / predicted.spread) / predicted.spread;
        let by_tempo = by_tempo * (since_log_s - log_s).exp();
        let hurrying = density((since_log_s - ALONE_LOG_S) / ALONE_SPREAD) / ALONE_SPREAD;
        let [hurried, kept] = self.hurried;
        let (by_tempo, hurrying) = (kept * by_tempo + 1e-12, hurried * hurrying + 1e-12);
        let share = by_tempo / (by_tempo + hurrying);
        self.hurried = [hurried + 1.0 - share, kept + share];
        if share > 0.05 {
            let traits = step.traits();
            self.weigh(|belief| belief.played(&traits, wait_s, share, 0.0));
        }
    }

    /// Another player's card lay that step further on after `passed_s`.
    pub fn adapt(&mut self, step: Step, passed_s: f64) {
        let traits = Step::over(step.gap).traits();
        for belief in &mut self.beliefs {
            belief.adapt(&traits, passed_s);
        }
    }

    /// Time has passed: people change a little from level to level.
    pub fn drift(&mut self, log_sd: f64) {
        for belief in &mut self.beliefs {
            belief.drift(log_sd);
        }
    }

    /// Predicts a wait.
    pub fn forecast(&self, step: Step) -> Forecast {
        let (mut mean, mut square, mut spread, mut noise) = (0.0, 0.0, 0.0, 0.0);
        let traits = step.traits();
        for belief in &self.beliefs {
            let predicted = belief.forecast(&traits);
            mean += belief.weight * predicted.log_s;
            square += belief.weight * predicted.log_s * predicted.log_s;
            spread += belief.weight * predicted.spread * predicted.spread;
            noise += belief.weight * predicted.noise * predicted.noise;
        }
        let between = (square - mean * mean).max(0.0);
        Forecast { log_s: mean, spread: (spread + between).sqrt(), noise: noise.sqrt() }
    }

    /// What the player may be, for predictions: kinds that predict almost the same are taken
    /// together, and unlikely ones are left out.
    pub fn outlooks(&self) -> Vec<Belief> {
        let mut outlooks = Vec::<Belief>::new();
        for belief in &self.beliefs {
            match outlooks.iter_mut().find(|outlook| outlook.is_like(belief)) {
                Some(outlook) => outlook.merge(belief),
                None => outlooks.push(*belief),
            }
        }
        outlooks.retain(|outlook| outlook.weight > RARE);
        outlooks
    }

    /// The probability that their pace follows that of others.
    pub fn adapting(&self) -> f64 {
        let adapting = self.beliefs.iter().filter(|belief| belief.kind.adaptation > 0.0);
        adapting.map(|belief| belief.weight).sum()
    }

    /// The expected pace for a gap of one, curvature and Weber fraction.
    pub fn expected(&self) -> (f64, f64, f64) {
        let sum = |value: &dyn Fn(&Belief) -> f64| {
            self.beliefs.iter().map(|belief| belief.weight * value(belief)).sum::<f64>()
        };
        let log_pace = sum(&|belief| belief.middle().0);
        (log_pace.exp(), sum(&|belief| belief.middle().1), sum(&|belief| belief.kind.weber))
    }

    /// Lets every kind learn, and weighs it by the likelihood that it gives.
    fn weigh(&mut self, learn: impl Fn(&mut Belief) -> f64) {
        let mut total = 0.0;
        for belief in &mut self.beliefs {
            belief.weight *= learn(belief);
            total += belief.weight;
        }
        for belief in &mut self.beliefs {
            belief.weight /= total;
        }
        self.beliefs.retain(|belief| belief.weight > LEAST);
    }
}

/// The waits of players who hurry while all other hands are empty: the logarithm of seconds.
const ALONE_LOG_S: f64 = -0.4;
const ALONE_SPREAD: f64 = 0.5;

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that a player is of an uneven kind.
    fn uneven(tempo: &Tempo) -> f64 {
        let uneven = tempo.beliefs.iter().filter(|belief| belief.kind.outliers == WHIM);
        uneven.map(|belief| belief.weight).sum()
    }

    #[test]
    fn a_silence_makes_a_player_slower() {
        let mut tempo = Tempo::new(&Prior::UNKNOWN_PLAYER);
        let before = tempo.forecast(Step::over(10.0)).log_s;
        tempo.waited(Step::over(10.0), 20.0);
        assert!(tempo.forecast(Step::over(10.0)).log_s > before);
    }

    #[test]
    fn noise_is_found() {
        for weber in [0.05, 0.12, 0.25] {
            let mut tempo = Tempo::new(&Prior::UNKNOWN_PLAYER);
            // Half of them early and half of them late, by as much as they are on the average.
            for (gap, early) in (5..45).zip([-1.0, 1.0].into_iter().cycle()) {
                let gap = f64::from(gap);
                tempo.played(Step::over(gap), 0.8 * gap * (1.0 + weber * early));
            }
            let (pace_s, curvature, found) = tempo.expected();
            assert!((pace_s / 0.8 - 1.0).abs() < 0.2, "{pace_s}");
            assert!((curvature - 1.0).abs() < 0.06, "{curvature}");
            assert!((0.7..1.4).contains(&(found / weber)), "{found} instead of {weber}");
        }
    }

    /// Waits proportional to the gap are the likeliest, but a player with other waits is
    /// recognised, too.
    #[test]
    fn curvature_is_found() {
        for exponent in [0.7, 1.0, 1.3] {
            let mut tempo = Tempo::new(&Prior::UNKNOWN_PLAYER);
            for (gap, off) in (2..40).step_by(3).zip([0.92, 1.08].into_iter().cycle()) {
                let gap = f64::from(gap);
                tempo.played(Step::over(gap), off * gap.powf(exponent));
            }
            let (_, found, _) = tempo.expected();
            assert!((found - exponent).abs() < 0.05, "{found} instead of {exponent}");
        }
    }

    #[test]
    fn who_minds_anothers_card_is_found_out() {
        let (mut even, mut other) =
            (Tempo::new(&Prior::UNKNOWN_PLAYER), Tempo::new(&Prior::UNKNOWN_PLAYER));
        for gap in [12.0, 30.0, 8.0, 20.0] {
            let after_other = Step { after_other: true, ..Step::over(gap) };
            even.played(Step::over(gap), 0.6 * gap);
            even.played(after_other, 0.6 * gap);
            other.played(Step::over(gap), 0.6 * gap);
            other.played(after_other, 0.15 * gap);
        }
        assert!(uneven(&even) < 0.01, "{}", uneven(&even));
        assert!(uneven(&other) > 0.9, "{}", uneven(&other));
    }

    /// Waits of a player with a second for each card, between cards of another player who takes
    /// half as long. `adaptation` is the share by which the pace follows these.
    fn beside_a_quick_player(adaptation: f64) -> (Tempo, f64) {
        let mut tempo = Tempo::new(&Prior::UNKNOWN_PLAYER);
        let mut log_pace = 0.0_f64;
        for (gap, off) in
            [12.0, 30.0, 8.0, 20.0, 15.0, 25.0].into_iter().zip([0.95, 1.05].into_iter().cycle())
        {
            tempo.played(Step::over(gap), off * log_pace.exp() * gap);
            tempo.adapt(Step::over(10.0), 5.0);
            log_pace += adaptation * (0.5_f64.ln() - log_pace);
        }
        (tempo, log_pace.exp())
    }

    #[test]
    fn whether_a_player_adapts_is_found_out() {
        let (steady, _) = beside_a_quick_player(0.0);
        assert!(steady.adapting() < 0.05, "{}", steady.adapting());
        for adaptation in [0.2, 0.4] {
            let (tempo, pace_s) = beside_a_quick_player(adaptation);
            assert!(tempo.adapting() > 0.8, "{adaptation}: {}", tempo.adapting());
            // At a gap among those observed: the power of the gap is not known exactly.
            let found_s = tempo.forecast(Step::over(15.0)).log_s.exp() / 15.0;
            assert!((found_s / pace_s - 1.0).abs() < 0.12, "{found_s} instead of {pace_s}");
        }
    }

    #[test]
    fn a_player_who_hurries_alone_is_not_thought_quick() {
        let mut tempo = Tempo::new(&Prior::UNKNOWN_PLAYER);
        tempo.played(Step::over(20.0), 10.0);
        let before = tempo.forecast(Step::over(20.0)).log_s;
        for _ in 0..5 {
            tempo.played_alone(Step::over(20.0), 0.7, 0.7);
        }
        assert!((tempo.forecast(Step::over(20.0)).log_s - before).abs() < 0.15);
    }
}
