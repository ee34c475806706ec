//! Removing old tables.

use anyhow::Result;
use journal::{Fault, Key, Span, StoredTable};
use serde_json::json;
use wire::{Code, Listing};

use super::Pruned;
use super::operator::Operator;
use crate::calendar::now_s;
use crate::replay::watched_key;

const DAY_S: u64 = 86_400;
/// How many tables are removed in one go: moves wait meanwhile.
const REMOVED_AT_ONCE: usize = 100;
/// How many tables are named in the answer.
const NAMED_MOST: usize = 1_000;

/// Why a table is removed or kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Finished,
    Sleeping,
    Kept,
    Unknown,
}

/// What is kept, in days.
struct Rules {
    finished_days: Option<u32>,
    sleeping_days: Option<u32>,
    now_s: u64,
}

impl Rules {
    fn judge(&self, ended: bool, changed_s: Option<u64>) -> Verdict {
        let (days, old) = if ended {
            (self.finished_days, Verdict::Finished)
        } else {
            (self.sleeping_days, Verdict::Sleeping)
        };
        match (days, changed_s) {
            (None, _) => Verdict::Kept,
            (Some(_), None) => Verdict::Unknown,
            (Some(days), Some(at_s)) => {
                let age_s = self.now_s.saturating_sub(at_s);
                if age_s >= u64::from(days) * DAY_S { old } else { Verdict::Kept }
            }
        }
    }
}

impl Operator {
    /// Removes sleeping tables that are old enough, or only counts them.
    pub(super) async fn prune(
        &self,
        finished_days: Option<u32>,
        sleeping_days: Option<u32>,
        really: bool,
    ) -> Result<Pruned> {
        if really && self.app.is_clustered {
            return Err(Fault::InCluster("tables cannot be removed").into());
        }
        let rules = Rules { finished_days, sleeping_days, now_s: now_s() };
        let (mut finished, mut sleeping, mut games, mut unknown) = (0, 0, 0, 0);
        let mut tables = Vec::new();
        let mut span = Span { skip: 0, most: journal::PAGE_MOST };
        loop {
            let (rows, _) = self.app.shared.operations.tables(span).await?;
            if rows.is_empty() {
                break;
            }
            span.skip += rows.len() as u64;
            for StoredTable { note, changed_s, cards, .. } in rows {
                let Ok(Listing { code, .. }) = serde_json::from_str::<Listing>(&note.text) else {
                    continue;
                };
                if self.app.directory.is_awake(code) {
                    continue;
                }
                match rules.judge(note.ended, changed_s) {
                    Verdict::Finished => finished += 1,
                    Verdict::Sleeping => sleeping += 1,
                    Verdict::Unknown => {
                        unknown += 1;
                        continue;
                    }
                    Verdict::Kept => continue,
                }
                games += cards;
                tables.push(code);
            }
        }
        if really {
            for part in tables.chunks(REMOVED_AT_ONCE) {
                self.remove(part).await?;
            }
            let did = json!({
                "did": "prune", "keep_finished_days": finished_days,
                "keep_sleeping_days": sleeping_days, "tables": tables.len(),
            });
            self.note(did).await?;
        }
        tables.truncate(NAMED_MOST);
        Ok(Pruned { removed: really, finished, sleeping, games, unknown, tables })
    }

    /// Removes tables, except those that were woken meanwhile.
    async fn remove(&self, tables: &[Code]) -> Result<()> {
        let (mut keys, mut asleep) = (Vec::new(), Vec::new());
        for table in tables {
            let Some(guard) = self.app.directory.keep_asleep(*table).await else { continue };
            asleep.push(guard);
            keys.push(table.as_str().parse::<Key>()?);
            keys.push(watched_key(*table)?);
            self.app.shared.seats.set(*table, Vec::new());
        }
        self.app.shared.operations.remove(keys).await?;
        drop(asleep);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_old_tables_of_a_kind_with_a_rule_are_removed() {
        let now_s = 100 * DAY_S;
        let rules = |finished_days, sleeping_days| Rules { finished_days, sleeping_days, now_s };
        let days_ago = |days: u64| Some((100 - days) * DAY_S);
        for (rules, ended, changed_s, verdict) in [
            (rules(Some(30), None), true, days_ago(30), Verdict::Finished),
            (rules(Some(30), None), true, days_ago(29), Verdict::Kept),
            (rules(Some(30), None), false, days_ago(99), Verdict::Kept),
            (rules(None, Some(7)), false, days_ago(8), Verdict::Sleeping),
            (rules(None, Some(7)), true, days_ago(99), Verdict::Kept),
            (rules(Some(1), Some(1)), true, None, Verdict::Unknown),
            // The clock was set back.
            (rules(Some(1), Some(1)), true, Some(now_s + 9), Verdict::Kept),
        ] {
            assert_eq!(rules.judge(ended, changed_s), verdict, "{ended} {changed_s:?}");
        }
    }
}
