//! How far fairness goes.

use std::time::Duration;

/// What an operator can set; `docs/operating.md` has the options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Whether plays are ordered by their presses; by their arrival otherwise.
    pub fair_order: bool,
    /// No claim reaches further back than this, whatever the connection.
    pub claim_max: Duration,
    /// No play is held longer than this.
    pub hold_max: Duration,
    /// Nothing is shown later than this after it happened.
    pub show_max: Duration,
    /// How often a connection is pinged while its player is in a game.
    pub ping_every: Duration,
    /// A ping without an answer for so long, and the level pauses.
    pub silent_after: Duration,
}

impl Tuning {
    /// Players whose presses arrive within this are not waited for: the table is one room.
    pub const NEAR: Duration = Duration::from_millis(8);
}

impl Default for Tuning {
    fn default() -> Self {
        let ms = Duration::from_millis;
        Self {
            fair_order: true,
            claim_max: ms(500),
            hold_max: ms(250),
            show_max: ms(250),
            ping_every: ms(1_000),
            silent_after: ms(2_000),
        }
    }
}
