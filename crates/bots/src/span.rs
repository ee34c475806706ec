//! The wait before a card: what a chair knows that decides how long it should be.

use std::time::Duration;

use rules::kit::{Chance, Moment};

use crate::timing::uniform;

/// A wait on the clock that everyone at the table shares. All of it is public but the gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// When hands were last lifted or the last card was played.
    pub since: Moment,
    /// How long the clock had run by then since the card that it was last set by; face-down
    /// cards do not set it.
    pub run_s: f64,
    /// How many cards lie between where the clock was set and one's own, that one included.
    pub gap: f64,
    /// How many cards were out, one's own included, when the clock was set.
    pub out: f64,
    /// Among how many they were.
    pub among: f64,
    /// Whether nobody else holds a card.
    pub alone: bool,
    /// Whether cards are laid face down, which do not set the clock.
    pub blind: bool,
    /// What one card is worth in a deck of a hundred.
    pub deck_share: f64,
    /// How much of the place where the clock was set may still hold a card: nothing on one pile,
    /// half of it where there is another.
    pub beside: f64,
}

impl Span {
    /// How many cards of the team one would expect within the gap.
    pub fn expected(&self) -> f64 {
        (self.gap - 1.0 + self.beside).max(0.0) * self.out / self.among.max(1.0)
    }
}

/// What somebody wants to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intent<C> {
    /// Wait for the others.
    Wait,
    /// This, after a human moment.
    Soon(C),
    /// This card, when its time has come.
    After {
        /// How far away it is.
        span: Span,
        /// What then.
        command: C,
    },
}

/// What somebody has resolved to do and when. It stands however often others move in between:
/// whoever kept laying and lifting a hand could otherwise hold a machine up for ever.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Resolve<C> {
    soon: Option<(C, Moment)>,
    after: Option<(C, Span, Moment)>,
}

impl<C> Default for Resolve<C> {
    fn default() -> Self {
        Self { soon: None, after: None }
    }
}

impl<C: Copy + PartialEq> Resolve<C> {
    /// When the intended command is due, given the wait for a card.
    pub fn settle(
        &mut self,
        intent: Intent<C>,
        now: Moment,
        chance: &mut Chance,
        wait_s: impl FnOnce(&Span, &mut Chance) -> f64,
    ) -> Option<(Moment, C)> {
        match intent {
            Intent::Wait => {
                self.soon = None;
                None
            }
            Intent::Soon(command) => {
                let due = match self.soon {
                    Some((same, due)) if same == command => due,
                    _ => now.after(Duration::from_secs_f64(0.7 + 0.9 * uniform(chance))),
                };
                self.soon = Some((command, due));
                Some((due.max(now), command))
            }
            Intent::After { span, command } => {
                self.soon = None;
                let due = match self.after {
                    Some((same, known, due)) if (same, known) == (command, span) => due,
                    _ => span.since.after(seconds(wait_s(&span, chance))),
                };
                self.after = Some((command, span, due));
                Some((due.max(now), command))
            }
        }
    }
}

/// A wait as a duration; one that is longer than any game ends never.
pub fn seconds(wait_s: f64) -> Duration {
    const LONGEST_S: f64 = 86_400.0;
    Duration::from_secs_f64(wait_s.clamp(0.0, LONGEST_S))
}
