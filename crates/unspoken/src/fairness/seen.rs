//! What one run of a scenario showed.

/// A pair of presses and the order in which they counted.
#[allow(clippy::struct_excessive_bools, reason = "four answers to four questions")]
#[derive(Clone, Copy, Debug)]
pub struct Pair {
    pub gap_ms: u32,
    /// Whether the one who pressed first came first, or it was said to be too close to tell.
    pub fair: bool,
    /// Whether they would have by the arrival of packets.
    pub arrival: bool,
    /// Whether it was said to be too close to tell.
    pub photo_finish: bool,
    /// Whether neither of the two lies.
    pub honest: bool,
}

/// What one run showed.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    pub pairs: Vec<Pair>,
    /// Pairs that did not count, because the level had paused.
    pub paused: usize,
    /// From its arrival to its leaving the order, for each play.
    pub held_ms: Vec<f64>,
    /// How much later a card was seen than without fair time, for each play and player.
    pub delay_ms: Vec<f64>,
    /// From the first to the last player who saw a card.
    pub spread_ms: Vec<f64>,
    /// The same if cards were shown as they come.
    pub plain_spread_ms: Vec<f64>,
    pub players: Vec<Trust>,
}

/// The results of one player's claims.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trust {
    /// Presses but for those within two seconds of a change of the path, or of waking.
    pub presses: u32,
    /// How many claims reached back further than believed.
    pub clamped: u32,
    /// The most by which a press counted as earlier than it was.
    pub gained_ms: f64,
    /// The largest bound.
    pub bound_ms: f64,
}
