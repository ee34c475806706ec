//! The tables that cannot be read, for the operator.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Mutex;

use prometheus_client::metrics::gauge::Gauge;
use tracing::{info, warn};

use crate::limits::lock;

/// The tables that a reader has found damaged since the start. Each is logged when it is found, and
/// again when what is wrong with it changes. A damaged table is read again at each request for it.
pub(crate) struct DamagedTables {
    found: Mutex<BTreeMap<String, String>>,
    /// How many there are.
    count: Gauge,
}

impl DamagedTables {
    pub(crate) fn new(count: Gauge) -> Self {
        Self { found: Mutex::default(), count }
    }

    /// Adds a table that could not be read.
    pub(crate) fn add(&self, table: impl Display, why: impl Display) {
        let (table, why) = (table.to_string(), why.to_string());
        let mut found = lock(&self.found);
        if found.get(&table) == Some(&why) {
            return;
        }
        warn!(%table, %why, "a table is damaged and left out, all others go on");
        found.insert(table, why);
        self.recount(&found);
    }

    /// Removes a table of which every line was read and every move made again.
    pub(crate) fn remove(&self, table: impl Display) {
        let mut found = lock(&self.found);
        // Mostly there is none, and nothing is written out.
        if !found.is_empty() && found.remove(&table.to_string()).is_some() {
            info!(%table, "a damaged table can be read again");
            self.recount(&found);
        }
    }

    fn recount(&self, found: &BTreeMap<String, String>) {
        self.count.set(found.len().try_into().unwrap_or(i64::MAX));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_counted_once_until_it_can_be_read_again() {
        let count = Gauge::default();
        let damaged = DamagedTables::new(count.clone());
        damaged.add("k3f9ab", "line 3 is missing");
        damaged.add("k3f9ab", "line 4 is missing");
        damaged.add("k3f9ac", "line 3 is missing");
        assert_eq!(count.get(), 2);
        damaged.remove("k3f9ab");
        damaged.remove("k3f9ab");
        assert_eq!(count.get(), 1);
    }
}
