//! Which cards the other players may hold and when they would play them, counted from where the clock was set.

use std::cell::Cell;

use super::belief::{Belief, Forecast, MIDDLE, MOTOR_S, SHORTEST_S, Step, log_of};
use super::kin::HAND_S;
use super::normal::Normal;
use super::partner::Partner;
use super::tempo::Tempo;

/// All players who hold cards.
#[derive(Clone, Debug, Default)]
pub struct Field {
    rivals: Vec<Rival>,
    /// The gap that was last asked for and when its card is due: a card is asked for again when it
    /// is played.
    due: Cell<Option<(f64, f64)>>,
    /// The tempo that players who adapt are led by.
    lead: Option<Lead>,
}

/// A common tempo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lead {
    /// How much it counts, from 0 for not at all to 1 for nothing else.
    pub share: f64,
    /// The logarithm of the wait at the middle gap.
    pub log_s: f64,
    /// The power of the gap that waits follow.
    pub curvature: f64,
}

impl Lead {
    /// The mean tempo of these players, if there are any. It counts as much as they are likely to
    /// adapt.
    pub fn of<'a>(partners: impl Iterator<Item = &'a Partner>) -> Option<Self> {
        let (mut weights, mut adapting, mut log_s, mut curvature) = (0.0, 0.0, 0.0, 0.0);
        for partner in partners {
            let (weight, tempo) = (partner.weight(), partner.tempo());
            weights += weight;
            adapting += weight * tempo.adapting();
            log_s += weight * tempo.forecast(Step::over(MIDDLE)).log_s;
            curvature += weight * tempo.expected().1;
        }
        (weights > 0.0).then(|| Self {
            share: adapting / weights,
            log_s: log_s / weights,
            curvature: curvature / weights,
        })
    }
}

/// One player by public knowledge.
#[derive(Clone, Debug)]
struct Rival {
    /// How much their timing counts; low for a player who follows the common pulse.
    weight: f64,
    /// The kinds that they may be, each with its own waits.
    likes: Vec<Like>,
}

/// A player of one kind.
#[derive(Clone, Debug)]
struct Like {
    /// The cards that they may play next, from the lowest.
    chances: Vec<Chance>,
    /// At index n, the probability that their next card is not among the first n.
    beyond: Vec<f64>,
    /// The largest variance of the logarithm of a wait.
    variance: f64,
}

/// A card that a player may play next.
#[derive(Clone, Copy, Debug)]
struct Chance {
    gap: f64,
    /// The probability that it is their next card.
    likely: f64,
    /// The median of their wait for it.
    wait_s: f64,
    /// The variance of its logarithm, times that middle.
    scatter: f64,
    /// What that would be if their tempo were known.
    noise: f64,
}

/// The longest wait that is considered.
const LONGEST_S: f64 = 300.0;
/// Cards that are less likely to be reached are left out.
const UNLIKELY: f64 = 2e-3;
/// No wait is off by more standard deviations.
const FARTHEST: f64 = 4.0;

impl Field {
    /// Adds a player. `cards` are the cards that they may hold in ascending order: the step to
    /// each, and the probability that they hold it given that they hold no lower one.
    pub fn add(&mut self, tempo: &Tempo, weight: f64, cards: impl Iterator<Item = (Step, f64)>) {
        let mut left = 1.0;
        let next = cards.map_while(|(step, theirs)| {
            let likely = left * theirs.min(1.0);
            left -= likely;
            (left + likely > UNLIKELY).then(|| (step.gap, step.traits(), likely))
        });
        let next = next.collect::<Vec<_>>();
        let like = |kind: &Belief| {
            let chances = next.iter().map(|(gap, traits, likely)| {
                Chance::new(*gap, likely * kind.weight, kind.forecast(traits))
            });
            Like::new(chances.collect())
        };
        self.rivals.push(Rival { weight, likes: tempo.outlooks().iter().map(like).collect() });
        self.due.set(None);
    }

    /// Keeps to a common tempo, by as much as it counts.
    pub fn follow(&mut self, lead: Lead) {
        self.lead = Some(lead);
        self.due.set(None);
    }

    /// When to play a card of that gap: as soon as a player who plays now would hold a higher card
    /// as likely as a lower one. Before that moment waiting avoids more mistakes than it causes.
    pub fn due_s(&self, gap: f64) -> f64 {
        if let Some((_, due_s)) = self.due.get().filter(|(same, _)| same.to_bits() == gap.to_bits())
        {
            return due_s;
        }
        let due_s = self.led_s(gap, self.reckoned_due_s(gap));
        self.due.set(Some((gap, due_s)));
        due_s
    }

    /// The moment between the best one for this card and that of the common tempo. A player who
    /// adapts takes every card as the table's tempo, also one that could be played at once.
    fn led_s(&self, gap: f64, best_s: f64) -> f64 {
        let Some(Lead { share, log_s, curvature }) = self.lead else { return best_s };
        let common = log_s + curvature * (log_of(gap) - log_of(MIDDLE));
        let best = best_s.max(HAND_S).ln();
        (best + share * (common - best)).exp()
    }

    fn reckoned_due_s(&self, gap: f64) -> f64 {
        // Beyond the last card that any player may play next all gaps are equivalent.
        let gap = gap.min(self.rivals.iter().map(Rival::last_gap).fold(0.0, f64::max));
        if !self.rivals.iter().any(|rival| rival.first().is_some_and(|first| first.gap < gap)) {
            return SHORTEST_S;
        }
        let near_s = self.near_s(gap);
        let (mut low_s, mut high_s) = (near_s / STEP, (near_s * STEP).min(LONGEST_S));
        let (mut low, mut high) = (self.balance(gap, low_s), self.balance(gap, high_s));
        while low <= 0.0 && low_s > SHORTEST_S {
            (low_s, high_s, high) = (low_s / 1.5, low_s, low);
            low = self.balance(gap, low_s);
        }
        while high > 0.0 {
            if high_s >= LONGEST_S {
                return LONGEST_S;
            }
            (low_s, low, high_s) = (high_s, high, (high_s * 1.5).min(LONGEST_S));
            high = self.balance(gap, high_s);
        }
        self.balanced_s(gap, (low_s, low), (high_s, high))
    }

    /// About when the fewest mistakes would be made with a card of that gap, on steps that are the
    /// same for every card. If a player may be of very different kinds, lower and higher cards can
    /// be equally likely at several moments. This returns the best of them, and for a higher card
    /// never an earlier moment.
    fn near_s(&self, gap: f64) -> f64 {
        let likes = || self.rivals.iter().flat_map(|rival| &rival.likes);
        let step =
            |wait_s: f64| (wait_s.clamp(SHORTEST_S, LONGEST_S) / SHORTEST_S).ln() / STEP.ln();
        let steps = || likes().map(|like| step(like.near_s(gap)));
        let first = steps().fold(f64::INFINITY, f64::min).floor() as i32 - 1;
        let last = steps().fold(0.0, f64::max).ceil() as i32 + 1;
        if last - first <= FEW_STEPS {
            let (log_s, likes) = steps().fold((0.0, 0.0), |(sum, n), step| (sum + step, n + 1.0));
            return (SHORTEST_S * STEP.powf(log_s / likes)).clamp(SHORTEST_S, LONGEST_S);
        }
        let moments = (first..=last).map(|step| SHORTEST_S * STEP.powi(step));
        let weighed = moments.map(|wait_s| (self.mistakes(gap, wait_s), wait_s));
        let least = weighed.min_by(|one, other| one.0.total_cmp(&other.0));
        least.map_or(LONGEST_S, |(_, wait_s)| wait_s.clamp(SHORTEST_S, LONGEST_S))
    }

    /// The expected number of mistakes if a card of that gap is played then, up to a constant: with
    /// players who still hold a lower card, and with players who do not any more.
    fn mistakes(&self, gap: f64, wait_s: f64) -> f64 {
        let of_rival = |rival: &Rival| {
            let (lower, all) = rival.silent(gap, wait_s);
            rival.weight * (2.0 * lower - all)
        };
        self.rivals.iter().map(of_rival).sum()
    }

    /// When lower and higher are as likely, between two moments of which only the first is too
    /// early. The line between them is cut where it is level; an end that stays twice counts half
    /// (the Illinois rule), and no cut is too close to an end.
    fn balanced_s(&self, gap: f64, (mut low_s, mut low): (f64, f64), high: (f64, f64)) -> f64 {
        let (mut high_s, mut high) = high;
        let mut last = 0.0;
        for _ in 0..CUTS_MOST {
            if high_s <= low_s * (1.0 + PRECISION) {
                break;
            }
            let share = if low > high { (low / (low - high)).clamp(0.05, 0.95) } else { 0.5 };
            let cut_s = low_s * (high_s / low_s).powf(share);
            let cut = self.balance(gap, cut_s);
            if cut > 0.0 {
                if last > 0.0 {
                    high *= 0.5;
                }
                (low_s, low) = (cut_s, cut);
            } else {
                if last < 0.0 {
                    low *= 0.5;
                }
                (high_s, high) = (cut_s, cut);
            }
            if cut.abs() < LEVEL {
                return cut_s;
            }
            last = cut;
        }
        high_s
    }

    /// Whether it is too early to play a card of that gap.
    pub fn is_early(&self, gap: f64, wait_s: f64) -> bool {
        self.balance(gap, wait_s) > 0.0
    }

    /// The probability that a player holds a lower card although all have been silent for
    /// `silent_s`.
    pub fn risk(&self, gap: f64, silent_s: f64) -> f64 {
        let safe = self.rivals.iter().map(|rival| {
            let (lower, all) = rival.silent(gap, silent_s);
            if all > 1e-9 { 1.0 - lower / all } else { 1.0 }
        });
        1.0 - safe.product::<f64>()
    }

    /// The chance that the order goes wrong before a card is played or when it is, if it is played
    /// then and everyone's tempo is known: another player plays a higher card first, or still holds
    /// a lower one. Uncertainty about a tempo does not count, because waiting reduces it.
    pub fn hazard(&self, gap: f64, due_s: f64) -> f64 {
        1.0 - self.rivals.iter().map(|rival| 1.0 - rival.hazard(gap, due_s)).product::<f64>()
    }

    /// How much likelier a player who plays now holds a lower card than a higher one: from 1 for
    /// certainly lower to -1 for certainly higher.
    fn balance(&self, gap: f64, wait_s: f64) -> f64 {
        let single = self.rivals.len() == 1;
        let (mut lower, mut higher) = (0.0, 0.0);
        for rival in &self.rivals {
            let silent = if single { 1.0 } else { rival.silent(gap, wait_s).1.max(1e-9) };
            let now = rival.now(gap, wait_s);
            lower += rival.weight * now.0 / silent;
            higher += rival.weight * now.1 / silent;
        }
        if lower + higher > 0.0 { (lower - higher) / (lower + higher) } else { 0.0 }
    }
}

/// How far apart the moments are among which the best is looked for first.
const STEP: f64 = 1.18;
/// Within this many steps there is only one best moment: they are not looked at one by one.
const FEW_STEPS: i32 = 5;
/// How exactly the moment is found, as a share of the wait.
const PRECISION: f64 = 2e-3;
/// Or how level the balance is.
const LEVEL: f64 = 2e-3;
/// The most cuts; the result is exact enough after them.
const CUTS_MOST: u32 = 40;

impl Rival {
    fn first(&self) -> Option<&Chance> {
        self.likes.first()?.chances.first()
    }

    /// The highest card that they may play next.
    fn last_gap(&self) -> f64 {
        let likes = self.likes.first().and_then(|like| like.chances.last());
        likes.map_or(0.0, |last| last.gap)
    }

    /// How likely they play now with a lower card, and with a higher one.
    fn now(&self, gap: f64, wait_s: f64) -> (f64, f64) {
        // Long before any player could have played it is too early, long after it is too late.
        let early = self.first().is_some_and(|first| first.gap < gap && wait_s < first.wait_s);
        let start = (if early { f64::MIN_POSITIVE } else { 0.0 }, 0.0);
        self.likes.iter().map(|like| like.now(gap, wait_s)).fold(start, sum)
    }

    /// The probability that they have been silent for `wait_s` with a lower card, and with any
    /// card.
    fn silent(&self, gap: f64, wait_s: f64) -> (f64, f64) {
        self.likes.iter().map(|like| like.silent(gap, wait_s)).fold((0.0, 0.0), sum)
    }

    /// The chance that they play a higher card before, or a lower one after.
    fn hazard(&self, gap: f64, due_s: f64) -> f64 {
        let (mut wrong, mut all) = (0.0, 0.0);
        let normal = Normal::table();
        for chance in self.likes.iter().flat_map(|like| &like.chances) {
            let later = normal.below((chance.wait_s - due_s) / spread_s(chance.noise * due_s));
            all += chance.likely;
            if chance.gap < gap {
                wrong += chance.likely * later;
            } else if chance.gap > gap {
                wrong += chance.likely * (1.0 - later);
            }
        }
        if all > 1e-9 { wrong / all } else { 0.0 }
    }
}

fn sum(one: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    (one.0 + other.0, one.1 + other.1)
}

impl Like {
    fn new(chances: Vec<Chance>) -> Self {
        let mut beyond = vec![0.0; chances.len() + 1];
        for (index, chance) in chances.iter().enumerate().rev() {
            beyond[index] = beyond[index + 1] + chance.likely;
        }
        let variances = chances.iter().map(|chance| chance.scatter / chance.wait_s);
        Self { beyond, variance: variances.fold(0.0, f64::max), chances }
    }

    /// When they would play that very card.
    fn near_s(&self, gap: f64) -> f64 {
        self.chances.get(self.below(gap)).map_or(LONGEST_S, |chance| chance.wait_s)
    }

    /// How many cards are lower.
    fn below(&self, gap: f64) -> usize {
        self.chances.partition_point(|chance| chance.gap < gap)
    }

    /// Which cards they may be about to play: the middle of the wait is no further off than
    /// [`FARTHEST`]. With m for it and t for the wait, (m − t)² < F²·(motor² + variance·m·t).
    fn about(&self, wait_s: f64) -> std::ops::Range<usize> {
        let half = 1.0 + 0.5 * FARTHEST * FARTHEST * self.variance;
        let hand = (FARTHEST * MOTOR_S / wait_s).powi(2);
        let root = (half * half - 1.0 + hand).sqrt();
        let (least_s, most_s) = (wait_s * (half - root), wait_s * (half + root));
        let from = self.chances.partition_point(|chance| chance.wait_s < least_s);
        from..from + self.chances[from..].partition_point(|chance| chance.wait_s <= most_s)
    }

    fn now(&self, gap: f64, wait_s: f64) -> (f64, f64) {
        let (mut lower, mut higher) = (0.0, 0.0);
        let normal = Normal::table();
        for chance in &self.chances[self.about(wait_s)] {
            if chance.gap < gap {
                lower += chance.now(normal, wait_s);
            } else if chance.gap > gap {
                higher += chance.now(normal, wait_s);
            }
        }
        (lower, higher)
    }

    fn silent(&self, gap: f64, wait_s: f64) -> (f64, f64) {
        let (about, below) = (self.about(wait_s), self.below(gap));
        // Later cards are almost certainly still unplayed.
        let mut all = self.beyond[about.end];
        let mut lower = all - self.beyond[below.max(about.end)];
        let normal = Normal::table();
        for (index, chance) in self.chances[about.clone()].iter().enumerate() {
            let silent = chance.likely * chance.later(normal, wait_s);
            all += silent;
            if about.start + index < below {
                lower += silent;
            }
        }
        (lower, all)
    }
}

impl Chance {
    fn new(gap: f64, likely: f64, forecast: Forecast) -> Self {
        let wait_s = forecast.log_s.exp();
        let Forecast { spread, noise, .. } = forecast;
        let (scatter, noise) = (spread * spread * wait_s, noise * noise * wait_s);
        Self { gap, likely, wait_s, scatter, noise }
    }

    /// How likely it is played at that very moment.
    fn now(&self, normal: &Normal, wait_s: f64) -> f64 {
        let (z, spread) = self.deviation(wait_s);
        self.likely / spread * normal.density(z)
    }

    /// How likely the wait for it is longer.
    fn later(&self, normal: &Normal, wait_s: f64) -> f64 {
        normal.below(-self.deviation(wait_s).0)
    }

    /// How far a wait is from theirs in standard deviations, and that deviation. The noise is a
    /// share of the wait plus that of the hand; for this mixture the normal and the log-normal
    /// distribution are almost equal.
    fn deviation(&self, wait_s: f64) -> (f64, f64) {
        let spread = spread_s(self.scatter * wait_s);
        ((wait_s - self.wait_s) / spread, spread)
    }
}

/// The standard deviation of a wait with that variance, the hand's own noise on top.
fn spread_s(variance: f64) -> f64 {
    (MOTOR_S * MOTOR_S + variance).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kindred::Prior;
    use crate::timing::normal_below;

    /// A player with two of five cards, of gaps 2, 4, 6, 8 and 10.
    fn field() -> (Field, Tempo) {
        let mut tempo = Tempo::new(&Prior::UNKNOWN_PLAYER);
        for gap in [3.0, 7.0, 11.0, 20.0] {
            tempo.played(Step::over(gap), 0.5 * gap);
        }
        let mut field = Field::default();
        let cards = (0..5).map(f64::from).map(|passed| {
            let step = Step::over(2.0 * (passed + 1.0));
            (step, 2.0 / (5.0 - passed))
        });
        field.add(&tempo, 1.0, cards);
        (field, tempo)
    }

    /// Enumerates all ten hands that they may have, equally likely: which of them are silent for
    /// `silent_s`, and which of those have a card below the gap.
    fn by_enumeration(tempo: &Tempo, gap: f64, silent_s: f64) -> f64 {
        let gaps = [2.0, 4.0, 6.0, 8.0, 10.0];
        let (mut lower, mut all) = (0.0, 0.0);
        for (first, next) in gaps.into_iter().enumerate() {
            for _second in first + 1..5 {
                for kind in tempo.outlooks() {
                    let forecast = kind.forecast(&Step::over(next).traits());
                    let middle_s = forecast.log_s.exp();
                    let variance =
                        forecast.spread.powi(2) * middle_s * silent_s + MOTOR_S * MOTOR_S;
                    let later = normal_below((middle_s - silent_s) / variance.sqrt());
                    all += kind.weight * later;
                    if next < gap {
                        lower += kind.weight * later;
                    }
                }
            }
        }
        lower / all
    }

    #[test]
    fn the_risk_is_that_of_all_hands_counted() {
        let (field, tempo) = field();
        for gap in [3.0, 5.0, 9.0] {
            for silent_s in [0.2, 1.0, 2.0, 3.5] {
                let (found, counted) =
                    (field.risk(gap, silent_s), by_enumeration(&tempo, gap, silent_s));
                assert!(
                    (found - counted).abs() < 1e-5,
                    "{gap} after {silent_s}: {found} {counted}"
                );
            }
        }
    }

    #[test]
    fn a_card_is_due_when_lower_and_higher_are_as_likely() {
        let (field, _) = field();
        let dues = [1.0, 3.0, 5.0, 7.0, 9.0].map(|gap| field.due_s(gap));
        assert!(dues.is_sorted(), "{dues:?}");
        // Between the cards of gaps 4 and 6, which take 2 and 3 seconds.
        assert!((2.0..3.0).contains(&dues[2]), "{dues:?}");
        assert!(field.is_early(5.0, dues[2] * 0.9) && !field.is_early(5.0, dues[2] * 1.1));
    }

    /// After any plays of two players with `held` cards each, higher cards are due later.
    fn check_order(plays: impl Iterator<Item = (f64, f64)> + Clone, held: f64) {
        let mut tempo = Tempo::new(&Prior::UNKNOWN_PLAYER);
        for (gap, wait_s) in plays.clone() {
            tempo.played(Step::over(gap), wait_s);
        }
        let mut field = Field::default();
        for _ in 0..2 {
            let cards = (1..=100).map(f64::from);
            let cards = cards.map(|gap| (Step::over(gap), (held / (101.0 - gap)).min(1.0)));
            field.add(&tempo, 1.0, cards);
        }
        let dues = (1..=100).map(f64::from).map(|gap| field.due_s(gap)).collect::<Vec<_>>();
        assert!(dues.is_sorted(), "{held} cards after {:?}: {dues:?}", plays.collect::<Vec<_>>());
    }

    #[test]
    fn no_card_is_due_before_a_lower_one() {
        let quick = [(30.0, 6.0), (12.0, 2.5)];
        for held in [1.0, 2.0, 8.0] {
            for plays in [&[][..], &quick[..1], &quick] {
                check_order(plays.iter().copied(), held);
            }
        }
    }

    /// For a kind of player with hardly any noise the next card is almost certain, and between two
    /// such cards a player of another kind is likelier to play. So lower and higher cards are
    /// equally likely at several moments.
    #[test]
    fn no_card_is_due_before_a_lower_one_where_kinds_differ() {
        let like = |weight: f64, pace_s: f64, spread: f64| {
            let chances = (1..=20).map(f64::from).map(|gap| {
                let forecast = Forecast { log_s: (pace_s * gap).ln(), spread, noise: spread };
                Chance::new(gap, weight / 20.0, forecast)
            });
            Like::new(chances.collect())
        };
        for share in [0.01, 0.03, 0.1, 0.3, 0.6] {
            let likes = vec![like(1.0 - share, 1.1, 0.03), like(share, 0.6, 0.1)];
            let field = Field { rivals: vec![Rival { weight: 1.0, likes }], ..Field::default() };
            let dues = (1..=20).map(f64::from).map(|gap| field.due_s(gap)).collect::<Vec<_>>();
            assert!(dues.is_sorted(), "{share}: {dues:?}");
        }
    }

    #[test]
    fn a_lead_moves_cards_to_the_common_tempo() {
        let (mut field, _) = field();
        let best_s = field.due_s(5.0);
        for (share, due_s) in [(0.0, best_s), (1.0, 2.5), (0.5, (2.5 * best_s).sqrt())] {
            field.follow(Lead { share, log_s: (0.5 * MIDDLE).ln(), curvature: 1.0 });
            assert!((field.due_s(5.0) - due_s).abs() < 1e-9, "{share}");
        }
        // No player can hold a lower card, but a player who adapts would follow a card at once.
        assert!((field.due_s(1.0) - (0.5 * HAND_S).sqrt()).abs() < 1e-9, "{}", field.due_s(1.0));
    }

    #[test]
    fn silence_makes_a_lower_card_less_likely() {
        let (field, _) = field();
        assert!(field.risk(5.0, 3.0) < field.risk(5.0, 1.0));
        assert!(field.risk(1.0, 1.0) < 1e-9);
    }

    #[test]
    fn the_hazard_is_both_of_being_early_and_of_being_late() {
        let (field, _) = field();
        let due_s = field.due_s(5.0);
        let at = |share: f64| field.hazard(5.0, share * due_s);
        // A card that is due in between is best played then.
        assert!(at(1.0) < at(0.6) && at(1.0) < at(1.6), "{} {} {}", at(0.6), at(1.0), at(1.6));
        // At once it goes wrong if there is any lower card: seven of the ten hands have one.
        assert!((at(0.0) - 0.7).abs() < 1e-3, "{}", at(0.0));
        // Very late it goes wrong if there is none.
        assert!((at(20.0) - 0.3).abs() < 1e-3, "{}", at(20.0));
    }
}
