//! Simulated people, described in a file.

use bots::{Bot, Intent, Paced, Resolve, Run, Span, Star, normal_pair, uniform};
use rules::kit::{Chance, Moment};
use serde::{Deserialize, Serialize};

/// A population: what its people have in common and how they differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct People {
    /// What to call them.
    pub name: String,
    /// Where the figures come from.
    #[serde(default)]
    pub source: String,
    /// Seconds for each card of the gap.
    pub pace: Pace,
    /// How the wait follows the gap.
    #[serde(default)]
    pub curve: Curve,
    /// How well waits are kept.
    #[serde(default)]
    pub noise: Noise,
    /// How a person changes within a game.
    #[serde(default)]
    pub change: Change,
    /// Waits that get lost.
    #[serde(default)]
    pub lapse: Lapse,
    /// What people do about stars.
    #[serde(default)]
    pub stars: Stars,
}

/// The pace of a population, log-normal over people.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// The pace of the middle person, in seconds for a gap of one.
    pub median_s: f64,
    /// The standard deviation of its logarithm over people.
    #[serde(default)]
    pub log_sd: f64,
}

/// How the wait follows the gap: `pace × gap^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Curve {
    /// The exponent of the middle person.
    pub exponent: f64,
    /// Its standard deviation over people.
    pub exponent_sd: f64,
    /// Waits go with the number of cards out to the power of minus this.
    pub cards_out: f64,
    /// Waits grow the fewer cards can be higher: with their share to the power of minus this.
    pub rarity: f64,
    /// By which factor waits that begin with somebody else's card differ from those that begin with
    /// one's own or a deal: that of the middle person.
    pub after_other: f64,
    /// The standard deviation of its logarithm over people.
    pub after_other_log_sd: f64,
    /// A time that every wait has on top, in seconds.
    pub base_s: f64,
    /// How long somebody waits who is alone with their cards, in seconds; without it, as usual.
    pub alone_s: Option<f64>,
}

impl Default for Curve {
    fn default() -> Self {
        Self {
            exponent: 1.0,
            exponent_sd: 0.0,
            cards_out: 0.0,
            rarity: 0.0,
            after_other: 1.0,
            after_other_log_sd: 0.0,
            base_s: 0.0,
            alone_s: None,
        }
    }
}

/// How well waits are kept.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Noise {
    /// The standard deviation of a wait as a share of it.
    pub weber: f64,
    /// The standard deviation of the logarithm of that over people.
    pub weber_log_sd: f64,
    /// The standard deviation of the hand, in seconds.
    pub motor_s: f64,
    /// How the share is spread.
    pub shape: Shape,
    /// Which share of the waits goes astray.
    pub stray: f64,
    /// How far those scatter, as the standard deviation of a logarithm.
    pub stray_log_sd: f64,
}

impl Default for Noise {
    fn default() -> Self {
        Self {
            weber: 0.15,
            weber_log_sd: 0.0,
            motor_s: 0.1,
            shape: Shape::Normal,
            stray: 0.0,
            stray_log_sd: 0.0,
        }
    }
}

/// How a wait is spread around what was intended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// As likely shorter as longer, by so many seconds.
    #[default]
    Normal,
    /// As likely half as double.
    LogNormal,
}

/// How a person changes within a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Change {
    /// The standard deviation of the step that the logarithm of the pace takes with every deal.
    pub drift_log_sd: f64,
    /// By which share of the difference the pace follows that of others with every card of theirs.
    pub adaptation: f64,
}

/// Waits that get lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lapse {
    /// Which share of the waits.
    pub rate: f64,
    /// How much longer they are on average, in seconds.
    pub mean_s: f64,
}

/// What people do about stars.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Stars {
    /// How often they agree to one.
    pub agree: f64,
    /// How long a wait has to be before they propose one, in seconds; without it they never do.
    pub propose_s: Option<f64>,
}

impl Default for Stars {
    fn default() -> Self {
        Self { agree: 1.0, propose_s: None }
    }
}

/// Why a file describes nobody.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// It cannot be read as such.
    #[error("{0}")]
    Text(#[from] Box<toml::de::Error>),
    /// A number in it makes no sense.
    #[error("{field} is {value}, choose {range}")]
    Range {
        /// Which field.
        field: &'static str,
        /// What it says.
        value: f64,
        /// What it may say.
        range: &'static str,
    },
}

impl People {
    /// The population of the usual model: `pace × gap × noise`, and a tenth of a second of hand.
    pub fn model(median_s: f64, log_sd: f64, weber: f64) -> Self {
        Self {
            name: "model".to_owned(),
            source: String::new(),
            pace: Pace { median_s, log_sd },
            curve: Curve::default(),
            noise: Noise { weber, ..Noise::default() },
            change: Change::default(),
            lapse: Lapse::default(),
            stars: Stars::default(),
        }
    }

    /// Reads a file's text.
    pub fn read(text: &str) -> Result<Self, PeopleError> {
        let people = toml::from_str::<Self>(text).map_err(Box::new)?;
        people.check()?;
        Ok(people)
    }

    fn check(&self) -> Result<(), PeopleError> {
        let positive =
            [("pace.median_s", self.pace.median_s), ("curve.after_other", self.curve.after_other)];
        let not_negative = [
            ("pace.log_sd", self.pace.log_sd),
            ("curve.exponent", self.curve.exponent),
            ("curve.exponent_sd", self.curve.exponent_sd),
            ("curve.rarity", self.curve.rarity),
            ("curve.after_other_log_sd", self.curve.after_other_log_sd),
            ("curve.base_s", self.curve.base_s),
            ("curve.alone_s", self.curve.alone_s.unwrap_or_default()),
            ("noise.weber", self.noise.weber),
            ("noise.weber_log_sd", self.noise.weber_log_sd),
            ("noise.motor_s", self.noise.motor_s),
            ("noise.stray_log_sd", self.noise.stray_log_sd),
            ("change.drift_log_sd", self.change.drift_log_sd),
            ("lapse.mean_s", self.lapse.mean_s),
            ("stars.propose_s", self.stars.propose_s.unwrap_or_default()),
        ];
        let shares = [
            ("change.adaptation", self.change.adaptation),
            ("noise.stray", self.noise.stray),
            ("lapse.rate", self.lapse.rate),
            ("stars.agree", self.stars.agree),
        ];
        let wrong = |field, value, range| Err(PeopleError::Range { field, value, range });
        for (field, value) in positive {
            if !(value > 0.0 && value.is_finite()) {
                return wrong(field, value, "a number above 0");
            }
        }
        for (field, value) in not_negative {
            if !(value >= 0.0 && value.is_finite()) {
                return wrong(field, value, "0 or more");
            }
        }
        for (field, value) in shares {
            if !(0.0..=1.0).contains(&value) {
                return wrong(field, value, "a share from 0 to 1");
            }
        }
        if !self.curve.cards_out.is_finite() {
            return wrong("curve.cards_out", self.curve.cards_out, "a number");
        }
        Ok(())
    }

    /// Somebody of this population.
    pub fn person<G: Paced>(&self, chance: &mut Chance) -> Person<G> {
        let (pace, exponent) = normal_pair(chance);
        let (weber, after_other) = normal_pair(chance);
        Person {
            log_pace: self.pace.median_s.ln() + self.pace.log_sd * pace,
            curve: Curve {
                exponent: (self.curve.exponent + self.curve.exponent_sd * exponent).max(0.1),
                after_other: self.curve.after_other
                    * (self.curve.after_other_log_sd * after_other).exp(),
                ..self.curve
            },
            noise: Noise {
                weber: self.noise.weber * (self.noise.weber_log_sd * weber).exp(),
                ..self.noise
            },
            change: self.change,
            lapse: self.lapse,
            stars: self.stars,
            agrees: None,
            run: Run::default(),
            resolve: Resolve::default(),
            level: 0,
            watching: None,
            begun: None,
        }
    }
}

/// Which share of the cards that may come are higher than one at that gap, itself included.
pub fn higher(gap: f64, among: f64) -> f64 {
    ((among - gap + 1.0) / among.max(1.0)).clamp(0.01, 1.0)
}

/// A simulated person in a chair.
#[derive(Clone, Copy, Debug)]
pub struct Person<G: Paced> {
    log_pace: f64,
    curve: Curve,
    noise: Noise,
    change: Change,
    lapse: Lapse,
    stars: Stars,
    /// Whether they agree to the star that is proposed, once they have made up their mind.
    agrees: Option<bool>,
    run: Run,
    resolve: Resolve<G::Command>,
    /// The deal that the pace was last changed for.
    level: u8,
    /// The wait that this person had just begun, to compare with what comes of it.
    watching: Option<Span>,
    /// The card that they are waiting for, since when, and whether somebody else's card began that.
    begun: Option<(G::Command, Moment, bool)>,
}

impl<G: Paced> Person<G> {
    /// The pace of this person, in seconds for a gap of one.
    pub fn pace_s(&self) -> f64 {
        self.log_pace.exp()
    }

    /// The same person, never proposing a star.
    #[must_use]
    pub fn without_stars(mut self) -> Self {
        self.stars.propose_s = None;
        self
    }

    /// How long they mean to wait for a card.
    pub fn intended_s(&self, span: &Span) -> f64 {
        match self.curve.alone_s {
            Some(alone_s) if span.alone => alone_s,
            _ => {
                let crowd = span.out.max(1.0).powf(-self.curve.cards_out);
                let rare = higher(span.gap, span.among).powf(-self.curve.rarity);
                let after_other = matches!(self.begun, Some((.., true)));
                let after = if after_other { self.curve.after_other } else { 1.0 };
                let steps = span.gap.max(0.0).powf(self.curve.exponent);
                self.curve.base_s + self.pace_s() * steps * crowd * rare * after - span.run_s
            }
        }
    }

    /// Notes what began the wait for a card: if it is the card that they waited for already,
    /// somebody else's did.
    fn begin(&mut self, span: &Span, command: G::Command) {
        self.begun = match self.begun {
            Some((same, since, _)) if same == command && since == span.since => self.begun,
            Some((same, ..)) => Some((command, span.since, same == command)),
            None => Some((command, span.since, false)),
        };
    }

    /// A new deal moves the pace a little; somebody else's card moves it towards theirs. How far
    /// they had to go is not known to whoever sits in this chair, so what counts is the ratio of
    /// the time that passed to the time that this person would have let pass for the same step.
    fn change(&mut self, span: Option<Span>, chance: &mut Chance) {
        if self.run.level != self.level {
            self.level = self.run.level;
            if self.change.drift_log_sd > 0.0 {
                self.log_pace += self.change.drift_log_sd * normal_pair(chance).0;
            }
        }
        if self.change.adaptation > 0.0 {
            if let (Some(before), Some(after)) = (self.watching, span) {
                let step = before.gap - after.gap;
                let passed_s = before.since.until(after.since).as_secs_f64();
                if step > 0.0 && passed_s > 0.1 {
                    let own_s = self.pace_s() * step.powf(self.curve.exponent);
                    self.log_pace +=
                        self.change.adaptation * (passed_s / own_s).ln().clamp(-1.0, 1.0);
                }
            }
            self.watching = span;
        }
    }

    fn wait_s(&self, span: &Span, chance: &mut Chance) -> f64 {
        let intended_s = self.intended_s(span).max(0.0);
        let (share, hand) = normal_pair(chance);
        let astray = self.noise.stray > 0.0 && uniform(chance) < self.noise.stray;
        let kept_s = match self.noise.shape {
            _ if astray => intended_s * (self.noise.stray_log_sd * share).exp(),
            Shape::Normal => intended_s * (1.0 + self.noise.weber * share),
            Shape::LogNormal => intended_s * (self.noise.weber * share).exp(),
        };
        let lost_s = if self.lapse.rate > 0.0 && uniform(chance) < self.lapse.rate {
            -self.lapse.mean_s * uniform(chance).ln()
        } else {
            0.0
        };
        (kept_s + self.noise.motor_s * hand + lost_s).max(0.0)
    }
}

impl<G: Paced> Bot<G> for Person<G> {
    fn watch(&mut self, setup: &G::Setup, at: Moment, sight: &G::Sight) {
        G::count(&mut self.run, setup, at, sight);
    }

    fn plan(
        &mut self,
        view: &G::View,
        now: Moment,
        chance: &mut Chance,
    ) -> Option<(Moment, G::Command)> {
        if let Intent::After { span, command } = G::intent(view, &self.run, chance) {
            self.begin(&span, command);
        }
        let intent = match (G::star(view), G::RAISE) {
            (Star::Proposed, Some(raise)) => {
                let agree = self.stars.agree;
                if *self.agrees.get_or_insert_with(|| agree >= 1.0 || uniform(chance) < agree) {
                    Intent::Soon(raise)
                } else {
                    G::intent(view, &self.run, chance)
                }
            }
            (star, raise) => {
                self.agrees = None;
                let intent = G::intent(view, &self.run, chance);
                match (intent, star, raise, self.stars.propose_s) {
                    (Intent::After { span, .. }, Star::Offered, Some(raise), Some(long_s))
                        if !span.alone && self.intended_s(&span) > long_s =>
                    {
                        Intent::Soon(raise)
                    }
                    _ => intent,
                }
            }
        };
        let span = match intent {
            Intent::After { span, .. } => Some(span),
            _ => None,
        };
        self.change(span, chance);
        let person = *self;
        self.resolve.settle(intent, now, chance, |span, chance| person.wait_s(span, chance))
    }
}
