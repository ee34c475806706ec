//! Wordless signs that players send each other where they may talk.

use serde::{Deserialize, Serialize};

/// A sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(rename_all = "kebab-case")]
pub enum Reaction {
    /// A raised hand.
    Wave,
    /// A thumb up.
    Bravo,
    /// A heart.
    Heart,
    /// A smiling face.
    Smile,
    /// A face with an open mouth.
    Surprise,
    /// A sad face.
    Sorry,
}

impl Reaction {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Wave, Self::Bravo, Self::Heart, Self::Smile, Self::Surprise, Self::Sorry];
}
