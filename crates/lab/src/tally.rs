//! The results of many games.

use serde::Serialize;

/// Levels that are told apart. Those beyond are counted with the last of these.
const LEVELS: usize = 19;

/// What is counted in one game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GameFigures {
    /// Whether it was won.
    pub won: bool,
    /// How many levels were completed.
    pub levels: u8,
    /// Lives left.
    pub lives: u8,
    /// Stars left.
    pub stars: u8,
    /// How many mistakes were made.
    pub mistakes: u8,
    /// How many of them at each level, the first one first.
    pub at_level: [u8; LEVELS],
    /// For how many microseconds cards were played, from the lifting of hands to the end of
    /// each level.
    pub play_us: u64,
}

/// Sums over games. Everything is counted in whole numbers, so the order of adding is no matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of games.
    pub games: u64,
    /// How many of them were won.
    pub won: u64,
    /// Levels completed.
    pub levels: u64,
    /// Lives left over.
    pub lives: u64,
    /// Stars left over.
    pub stars: u64,
    /// Mistakes made.
    pub mistakes: u64,
    /// Microseconds played.
    pub play_us: u64,
    /// By a number of completed levels, how many games ended with it.
    pub reached: [u64; LEVELS],
    /// Mistakes made at each level, the first one first.
    pub at_level: [u64; LEVELS],
}

/// A share with its 95 % interval (Wilson).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Share {
    /// The share itself.
    pub share: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Share {
    /// The share of `part` in `all`.
    pub fn of(part: u64, all: u64) -> Self {
        let (n, z) = ((all as f64).max(1.0), 1.959_964);
        let share = part as f64 / n;
        let centre = (share + z * z / (2.0 * n)) / (1.0 + z * z / n);
        let half =
            z / (1.0 + z * z / n) * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        Self { share, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

impl Tally {
    /// One game more.
    #[must_use]
    pub fn with(mut self, game: GameFigures) -> Self {
        self.games += 1;
        self.won += u64::from(game.won);
        self.levels += u64::from(game.levels);
        self.lives += u64::from(game.lives);
        self.stars += u64::from(game.stars);
        self.mistakes += u64::from(game.mistakes);
        self.play_us += game.play_us;
        self.reached[usize::from(game.levels).min(LEVELS - 1)] += 1;
        for (sum, mistakes) in self.at_level.iter_mut().zip(game.at_level) {
            *sum += u64::from(mistakes);
        }
        self
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.games += other.games;
        self.won += other.won;
        self.levels += other.levels;
        self.lives += other.lives;
        self.stars += other.stars;
        self.mistakes += other.mistakes;
        self.play_us += other.play_us;
        for (mine, theirs) in self.reached.iter_mut().zip(other.reached) {
            *mine += theirs;
        }
        for (mine, theirs) in self.at_level.iter_mut().zip(other.at_level) {
            *mine += theirs;
        }
        self
    }

    /// How often the team won.
    pub fn win(&self) -> Share {
        Share::of(self.won, self.games)
    }

    /// The mean of one of the sums.
    pub fn mean(&self, sum: u64) -> f64 {
        sum as f64 / (self.games as f64).max(1.0)
    }

    /// How many seconds of a game cards were played, on average.
    pub fn play_s(&self) -> f64 {
        self.mean(self.play_us) / 1e6
    }

    /// How many games got as far as each level, the first one first.
    pub fn begun(&self) -> [u64; LEVELS] {
        let mut left = self.games;
        self.reached.map(|ended| {
            let begun = left;
            left -= ended;
            begun
        })
    }

    /// Mistakes made at each level that was begun, the first one first.
    pub fn mistakes_at_level(&self) -> Vec<f64> {
        let begun = self.begun();
        // A won game has no level that was begun and not completed.
        let levels = begun.iter().filter(|games| **games > 0).count() - usize::from(self.won > 0);
        begun
            .into_iter()
            .zip(self.at_level)
            .take(levels)
            .map(|(games, made)| made as f64 / games as f64)
            .collect()
    }

    /// Mistakes for each level completed.
    pub fn mistakes_per_level(&self) -> f64 {
        self.mistakes as f64 / (self.levels as f64).max(1.0)
    }
}
