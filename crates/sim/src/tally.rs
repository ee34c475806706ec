//! What was simulated, in figures.

use std::fmt;
use std::ops::AddAssign;

/// What was simulated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tables.
    pub tables: u64,
    /// Games played to their end or ended by a vote.
    pub games: u64,
    /// Inputs that tables took.
    pub inputs: u64,
    /// Durable lines.
    pub lines: u64,
    /// Texts sent and compared with the fold of the durable lines.
    pub texts: u64,
    /// Acknowledgements traced to a durable line.
    pub acks: u64,
    /// Messages that were sent again.
    pub repeats: u64,
    /// Moves whose order and bounds were compared.
    pub moves: u64,
    /// Broken or silent connections, and hidden pages.
    pub network_faults: u64,
    /// Refused, lost and slow appends.
    pub journal_faults: u64,
    /// Crashes and restarts in good order.
    pub restarts: u64,
    /// Texts of a viewer that were the same in two worlds that differ in what is hidden.
    pub twin_texts: u64,
    /// Pairs of such worlds.
    pub twins: u64,
    /// Simulated time in milliseconds.
    pub simulated_ms: u64,
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.tables += other.tables;
        self.games += other.games;
        self.inputs += other.inputs;
        self.lines += other.lines;
        self.texts += other.texts;
        self.acks += other.acks;
        self.repeats += other.repeats;
        self.moves += other.moves;
        self.network_faults += other.network_faults;
        self.journal_faults += other.journal_faults;
        self.restarts += other.restarts;
        self.twin_texts += other.twin_texts;
        self.twins += other.twins;
        self.simulated_ms += other.simulated_ms;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { tables, games, inputs, lines, texts, acks, repeats, moves, .. } = self;
        let Self { network_faults, journal_faults, restarts, twin_texts, twins, .. } = self;
        let hours = self.simulated_ms / 3_600_000;
        writeln!(f, "{games} games at {tables} tables, {hours} simulated hours, {inputs} inputs")?;
        writeln!(
            f,
            "{network_faults} network faults, {journal_faults} journal faults, {restarts} restarts, {repeats} messages sent again"
        )?;
        writeln!(
            f,
            "{lines} lines, {acks} acknowledgements traced, {moves} moves in order, {texts} texts compared"
        )?;
        write!(f, "{twins} pairs of twins, {twin_texts} texts the same in both")
    }
}
