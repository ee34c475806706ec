//! The wait before a card: the facts known to a seat that decide its length.

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
    /// How many players held them.
    pub among: f64,
    /// Whether all other hands are empty.
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

/// What a player wants to do next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Intent<C> {
    /// Wait for the others.
    Wait,
    /// This command, after a human reaction time.
    Soon(C),
    /// Play a card when its time has come.
    After {
        /// The wait before the card.
        span: Span,
        /// The command that plays it.
        command: C,
    },
}

/// A command that a bot has decided on, and its time. It does not change when other players move:
/// otherwise a player could delay a bot for ever by laying and lifting a hand.
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

/// A wait as a duration; a wait longer than any game becomes the longest duration.
pub fn seconds(wait_s: f64) -> Duration {
    const LONGEST_S: f64 = 86_400.0;
    Duration::from_secs_f64(wait_s.clamp(0.0, LONGEST_S))
}
