//! When each move of an open loop is due, whatever the server does.

use std::time::Duration;

const NANOS_PER_S: u64 = 1_000_000_000;

/// Moves at a steady rate that go round the tables.
#[derive(Clone, Copy)]
pub struct Schedule {
    rate: u32,
    tables: u32,
}

impl Schedule {
    /// A schedule of `rate` moves a second over all tables.
    pub fn new(rate: u32, tables: u32) -> Self {
        Self { rate, tables }
    }

    /// When a move is due, counted over all tables.
    pub fn due(self, number: u64) -> Duration {
        Duration::from_nanos(number * NANOS_PER_S / u64::from(self.rate))
    }

    /// Which table a move belongs to, and which of its moves it is.
    pub fn table(self, number: u64) -> (usize, u64) {
        let tables = u64::from(self.tables);
        ((number % tables) as usize, number / tables)
    }

    /// When a table's own move is due.
    pub fn due_at_table(self, table: usize, number: u64) -> Duration {
        self.due(number * u64::from(self.tables) + table as u64)
    }

    /// How many moves are due before a moment.
    pub fn count(self, until: Duration) -> u64 {
        let exact = until.as_nanos() * u128::from(self.rate);
        exact.div_ceil(u128::from(NANOS_PER_S)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_go_round_the_tables_at_the_rate() {
        let schedule = Schedule::new(30, 4);
        assert_eq!(schedule.count(Duration::from_secs(2)), 60);
        assert!(schedule.due(59) < Duration::from_secs(2));
        assert_eq!(schedule.due(60), Duration::from_secs(2));
        assert_eq!(schedule.table(6), (2, 1));
        assert_eq!(schedule.due_at_table(2, 1), schedule.due(6));
    }
}
