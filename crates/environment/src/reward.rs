//! What a step earns an agent.

/// What an event brings a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gain {
    /// Levels completed; in Royale the points of the seat less the mean of the other seats'.
    pub levels: f32,
    /// Lives lost; always zero in Royale.
    pub lives: f32,
}

impl Gain {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self { levels: self.levels + other.levels, lives: self.lives + other.lives }
    }
}

/// How much of what is a reward. The default rewards each completed level with one, so that the
/// return of a game is the number of levels that were completed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rewards {
    /// For each completed level; in Royale for each point of difference.
    pub level: f32,
    /// For each life lost: negative, if losing one is to be avoided.
    pub life: f32,
    /// For the victory, when it is decided; in Royale shared by the players with the best score.
    pub win: f32,
}

impl Default for Rewards {
    fn default() -> Self {
        Self { level: 1.0, life: 0.0, win: 0.0 }
    }
}

impl Rewards {
    /// The reward for what a step brought a seat, and for its share of a victory.
    pub fn of(&self, gain: Gain, won: f32) -> f32 {
        self.level * gain.levels + self.life * gain.lives + self.win * won
    }

    /// Whether every part is a finite number.
    pub fn are_finite(&self) -> bool {
        [self.level, self.life, self.win].iter().all(|part| part.is_finite())
    }
}
