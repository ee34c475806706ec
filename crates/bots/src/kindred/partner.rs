//! Public knowledge about one seat: its tempo, and its waits for a card that is still unknown.

use super::belief::{Forecast, Step, log_of};
use super::tempo::{Prior, Tempo};

/// How exactly a follower keeps to the common pulse, in seconds and as a share.
const FOLLOWS_S: f64 = 0.015;
const FOLLOWS_SHARE: f64 = 0.01;
/// The prior probability that a player follows the pulse. Once one player has shown a tempo of
/// their own, the others are taken to follow it until they show theirs.
const UNKNOWN: f64 = 0.95;
/// The probability of following stays this far from 0 and from 1.
const DOUBT: f64 = 1e-4;

/// Cards that come sooner draw no pace towards theirs.
const NOTICED_S: f64 = 0.1;

/// A wait of a seat, as the table saw it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wait {
    /// From which place it was counted.
    pub from: u8,
    /// Its length, up to now if it has not ended.
    pub wait_s: f64,
    /// Whether another player's card began it.
    pub after_other: bool,
    /// The place of another player's card that ended it.
    pub towards: Option<u8>,
}

/// Public knowledge about a seat.
#[derive(Clone, Debug, PartialEq)]
pub struct Partner {
    /// Their tempo after their last known card, before any silence since.
    settled: Tempo,
    /// Their tempo now: it follows the cards of others since.
    tempo: Tempo,
    /// How likely it is that they follow the common pulse rather than a tempo of their own.
    follows: f64,
    /// Silences since their last card. They are learnt from once that card is known.
    silences: Vec<Wait>,
    /// Whether they have played a card that tells of their tempo.
    heard: bool,
    /// The highest card of the deck.
    highest: u8,
}

impl Partner {
    /// A player who has not been observed yet.
    pub fn new(highest: u8, prior: &Prior) -> Self {
        let tempo = Tempo::new(prior);
        Self {
            settled: tempo.clone(),
            tempo,
            follows: UNKNOWN,
            silences: Vec::new(),
            heard: false,
            highest,
        }
    }

    /// Their tempo.
    pub fn tempo(&self) -> &Tempo {
        &self.tempo
    }

    /// How much their timing counts for others.
    pub fn weight(&self) -> f64 {
        1.0 - self.follows
    }

    /// Whether it is beyond doubt that they follow the common pulse.
    pub fn follows(&self) -> bool {
        self.weight() < 1e-3
    }

    /// Whether it is beyond doubt that they keep a tempo of their own.
    pub fn has_own_tempo(&self) -> bool {
        self.follows < 1e-3
    }

    /// A new deal: what they were silent about before is gone.
    pub fn dealt(&mut self, drift_log_sd: f64) {
        self.silences.clear();
        self.tempo.drift(drift_log_sd);
        self.settled.clone_from(&self.tempo);
    }

    /// Whether anything of their tempo is known.
    pub fn is_heard(&self) -> bool {
        self.heard
    }

    /// Their way from one place to another, if it leads upwards.
    pub fn step(&self, from: u8, place: u8, after_other: bool) -> Option<Step> {
        let gap = place.checked_sub(from).filter(|gap| *gap > 0)?;
        let left = f64::from(self.highest.saturating_sub(place)) + 1.0;
        let among = f64::from(self.highest.saturating_sub(from)).max(1.0);
        let rarity = (log_of(among) - log_of(left)).max(0.0);
        Some(Step { gap: f64::from(gap), after_other, rarity })
    }

    /// Notes a silence.
    pub fn silent(&mut self, wait: Wait) {
        let towards = wait.towards.and_then(|place| self.step(wait.from, place, false));
        if let Some(step) = towards.filter(|_| wait.wait_s > NOTICED_S) {
            self.tempo.adapt(step, wait.wait_s);
        }
        self.silences.push(wait);
    }

    /// The card that ended the last silence was a mistake: hands are laid, and no pace follows it.
    pub fn interrupted(&mut self) {
        if self.silences.last().is_some_and(|wait| wait.towards.is_some()) {
            self.tempo.clone_from(&self.settled);
            let mut silences = std::mem::take(&mut self.silences);
            if let Some(last) = silences.last_mut() {
                last.towards = None;
            }
            for wait in silences {
                self.silent(wait);
            }
        }
    }

    /// The card that they had been silent about all along was not played: it is known now.
    pub fn revealed(&mut self, place: u8) {
        if !self.silences.is_empty() {
            self.tempo.clone_from(&self.settled);
        }
        for Wait { from, wait_s, after_other, towards } in std::mem::take(&mut self.silences) {
            if let Some(step) = self.step(from, place, after_other) {
                self.tempo.waited(step, wait_s);
            }
            let towards = towards.and_then(|place| self.step(from, place, false));
            if let Some(step) = towards.filter(|_| wait_s > NOTICED_S) {
                self.tempo.adapt(step, wait_s);
            }
        }
        self.settled.clone_from(&self.tempo);
    }

    /// They played a card. `pulse_s` is when the common pulse would have had it, if that was about
    /// then.
    pub fn played(&mut self, place: u8, wait: Wait, pulse_s: Option<f64>) {
        let Some(step) = self.heard_of(place, wait) else { return };
        self.judge(self.tempo.forecast(step), wait.wait_s, pulse_s);
        self.tempo.played(step, wait.wait_s);
        self.settled.clone_from(&self.tempo);
    }

    /// They played a card while all other hands were empty, `since_s` after the last event: many
    /// players do not wait then.
    pub fn played_alone(&mut self, place: u8, wait: Wait, since_s: f64) {
        let Some(step) = self.heard_of(place, wait) else { return };
        self.tempo.played_alone(step, wait.wait_s, since_s);
        self.settled.clone_from(&self.tempo);
    }

    fn heard_of(&mut self, place: u8, wait: Wait) -> Option<Step> {
        self.revealed(place);
        let step = self.step(wait.from, place, wait.after_other)?;
        self.heard = true;
        Some(step)
    }

    /// One of the players does not follow the pulse, which had this probability.
    pub fn doubted(&mut self, some_do_not: f64) {
        let weight = self.weight() / some_do_not.max(1e-12);
        self.follows = (1.0 - weight).clamp(DOUBT, 1.0 - DOUBT);
    }

    /// They played a card that stays unknown, about that far from where the clock was set; see
    /// [`Tempo::played_about`].
    pub fn played_about(&mut self, gap: f64, wait_s: f64, unsure: f64) {
        self.tempo.played_about(Step::over(gap), wait_s, unsure);
        self.settled.clone_from(&self.tempo);
    }

    /// Updates whether they follow, by which prediction of the wait was better.
    fn judge(&mut self, predicted: Forecast, wait_s: f64, pulse_s: Option<f64>) {
        let density = |z: f64, spread: f64| (-0.5 * z * z).exp() / spread;
        let wait_s = wait_s.max(0.02);
        let own_spread = predicted.spread * wait_s;
        let own = density((wait_s.ln() - predicted.log_s) / predicted.spread, own_spread);
        let met = pulse_s.map_or(0.0, |pulse_s| {
            let spread = FOLLOWS_S.hypot(FOLLOWS_SHARE * pulse_s);
            density((wait_s - pulse_s) / spread, spread)
        });
        // However far off, a slip of the clock is possible.
        let follows = met + 1e-3 * own;
        let odds = self.follows / (1.0 - self.follows) * follows / own.max(1e-12);
        self.follows = (odds / (1.0 + odds)).clamp(DOUBT, 1.0 - DOUBT);
    }
}
