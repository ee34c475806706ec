//! Blocks, bars and the audit log of a cluster as a whole, for copies.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use journal::{Administration, AuditLine, Bar, Fault, Key};
use sha2::{Digest, Sha256};

use crate::bucket::Bucket;
use crate::hex::hex;
use crate::operations::{
    AUDIT, AuditValue, BarValue, BlockValue, bars, bars_key, block_key, blocks, read, written,
};

/// All of it. Bars that have ended by `now_s` are left out.
pub(crate) async fn all(bucket: Arc<Bucket>, now_s: u64) -> Result<Administration, Fault> {
    let blocks = blocks(Arc::clone(&bucket)).await?;
    let mut of_tables = Vec::new();
    let mut keys = bucket.keys("bars.*").await?;
    keys.sort_unstable();
    for key in keys {
        let table = key.strip_prefix("bars.").unwrap_or_default().parse::<Key>();
        let table = table.map_err(|error| Fault::Damaged(error.to_string()))?;
        let held = bars(Arc::clone(&bucket), table.clone()).await?;
        let held = held.into_iter().filter(|bar| bar.until_s > now_s);
        of_tables.extend(held.map(|bar| (table.clone(), bar)));
    }
    let mut audit = Vec::new();
    for value in bucket.all(AUDIT).await? {
        let AuditValue { at_s, line } = read(&value)?;
        audit.push(AuditLine { at_s, line });
    }
    Ok(Administration { blocks, bars: of_tables, audit })
}

/// Stores that in place of what there is. What is there already stays as it is.
pub(crate) async fn set(bucket: Arc<Bucket>, new: Administration, now_s: u64) -> Result<(), Fault> {
    let Administration { blocks: new_blocks, bars: new_bars, audit } = new;
    for block in blocks(Arc::clone(&bucket)).await? {
        if !new_blocks.contains(&block) {
            bucket.remove(&block_key(&block.subject)).await?;
        }
    }
    for block in new_blocks {
        let key = block_key(&block.subject);
        let value = BlockValue { subject: block.subject, at_s: block.at_s };
        bucket.set(&key, written(&value)?).await?;
    }
    let mut of_tables = BTreeMap::<Key, Vec<Bar>>::new();
    for (table, bar) in new_bars {
        of_tables.entry(table).or_default().push(bar);
    }
    for (table, bars) in of_tables {
        let until_s = bars.iter().map(|bar| bar.until_s).max().unwrap_or(now_s);
        let lasts = Duration::from_secs(until_s.saturating_sub(now_s).max(1));
        let values = bars.into_iter();
        let values = values.map(|Bar { subject, until_s }| BarValue { subject, until_s });
        let value = written(&values.collect::<Vec<_>>())?;
        bucket.put(&bars_key(&table), value, Some(lasts)).await?;
    }
    // One after the other: the order in which they are set is their order.
    for (number, AuditLine { at_s, line }) in audit.into_iter().enumerate() {
        let value = written(&AuditValue { at_s, line })?;
        bucket.set(&audit_key(number, &value), value).await?;
    }
    Ok(())
}

/// The key of a line of a copied audit log: the same whenever it is copied.
fn audit_key(number: usize, value: &[u8]) -> String {
    let hash = Sha256::new().chain_update(number.to_string()).chain_update(value).finalize();
    format!("audit.{}", hex(&hash[..16]))
}
