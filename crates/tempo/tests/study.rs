//! Simulated teams of known disagreement: the score is what it should be, whatever their speed.
#![allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "small numbers, none negative"
)]

use rules::family::{Card, Cards, Face, FocusNotice, Laid, Reward};
use rules::kit::{BySeat, Chance, Moment, Seat, Seed};
use rules::mind::{Event, Mind, Notice, Setup};

const LEVELS: u8 = 12;

/// Players whose clocks differ by their leans, and who waver by a spread.
#[derive(Clone, Copy, Debug)]
struct Team {
    players: u8,
    /// How far the first player's clock is from the last one's, as a logarithm.
    apart: f64,
    /// How much each wait varies, as the standard deviation of a logarithm.
    wavers: f64,
    /// Seconds for each number of distance.
    pace: f64,
}

impl Team {
    /// The standard deviation of the logarithm of a wait, over all players.
    fn disagreement(&self) -> f64 {
        let leans = Seat::all(self.players).map(|seat| self.lean(seat).powi(2));
        (leans.sum::<f64>() / f64::from(self.players) + self.wavers.powi(2)).sqrt()
    }

    /// Evenly between the first and the last.
    fn lean(&self, seat: Seat) -> f64 {
        self.apart * (seat.index() as f64 / f64::from(self.players - 1) - 0.5)
    }

    /// A game of twelve levels that is never lost, so that all teams play as long.
    fn game(&self, seed: u64) -> Vec<(Moment, Event)> {
        let mut chance = Chance::new(Seed::from(seed), 0);
        let (mut events, mut at) = (Vec::new(), 0.0);
        for level in 1..=LEVELS {
            let mut deck = (1..=100).filter_map(Card::new).collect::<Vec<_>>();
            chance.shuffle(&mut deck);
            let mut cards = deck.chunks(usize::from(level));
            let mut hands = BySeat::new(self.players, |_| {
                cards.next().unwrap().iter().copied().collect::<Cards>()
            });
            events.push((time(at), Event::Dealt { level, hands }));
            events.push((time(at), FocusNotice::Begun.into()));
            let mut top = 0;
            loop {
                let plans = hands.iter().filter_map(|(seat, cards)| {
                    let card = cards.lowest()?;
                    let distance = f64::from(card.number() - top);
                    let wait = (self.lean(seat) + self.wavers * normal(&mut chance)).exp();
                    Some((self.pace * distance * wait, seat, card))
                });
                let next = plans.min_by(|(one, ..), (other, ..)| one.total_cmp(other));
                let Some((wait, seat, card)) = next else { break };
                at += wait;
                top = card.number();
                events.push((
                    time(at),
                    Event::Played { laid: Laid { seat, card }, face: Face::Open },
                ));
                hands[seat] -= Cards::one(card);
                let lower = hands.map(|_, cards| cards.below(card));
                if lower.values().any(|cards| !cards.is_empty()) {
                    hands = hands.map(|seat, cards| cards - lower[seat]);
                    events.push((time(at), Notice::Erred { lower }.into()));
                    events.push((time(at), FocusNotice::Begun.into()));
                }
            }
            events.push((time(at), Notice::Completed { level, reward: Reward::Nothing }.into()));
        }
        events
    }

    fn score(&self, seed: u64) -> f64 {
        let setup = format!("players={}", self.players).parse::<Setup>().unwrap();
        tempo::of::<Mind>(&setup, self.game(seed)).sync.unwrap().score
    }
}

fn time(seconds: f64) -> Moment {
    Moment::from_micros((seconds * 1e6).round() as u64)
}

/// A standard normal number, by the sum of twelve even ones.
fn normal(chance: &mut Chance) -> f64 {
    (0..12).map(|_| f64::from(chance.bits()) / f64::from(u32::MAX)).sum::<f64>() - 6.0
}

#[test]
fn a_slow_team_in_step_scores_as_a_fast_one() {
    for seed in 0..10 {
        let team = Team { players: 3, apart: 0.3, wavers: 0.2, pace: 0.5 };
        let slow = Team { pace: 7.5, ..team };
        let (fast, slow) = (team.score(seed), slow.score(seed));
        // Moments are whole microseconds, so that the same game slowed down is not quite the same.
        assert!((fast - slow).abs() < 0.01, "{fast} {slow}");
    }
}

#[test]
fn the_score_is_the_disagreement_itself() {
    let team = Team { players: 2, apart: 0.4, wavers: 0.25, pace: 1.0 };
    let scores = (0..20).map(|seed| team.score(seed)).collect::<Vec<_>>();
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    let expected = 100.0 * (-team.disagreement()).exp();
    assert!((mean - expected).abs() < 3.0, "{mean} is not near {expected}");
}
