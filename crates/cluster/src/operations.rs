//! What the operator's tools ask of a cluster.
//!
//! Blocks, bars and the audit log are in the bucket. Lists of tables and people come from the
//! node's index. Lines are never rewritten and tables never removed.

use std::sync::Arc;
use std::time::Duration;

use journal::{
    AuditLine, Bar, Block, BoxFuture, Fault, Hash, Key, Operations, PAGE_MOST, Replacement, Span,
    StoredPerson, StoredTable,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Cluster;
use crate::bucket::{Bucket, Change};
use crate::bundle::BundleId;
use crate::hex::hex;

/// A block, as its key holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BlockValue {
    pub(crate) subject: Box<str>,
    pub(crate) at_s: u64,
}

/// What a table refuses, as its key holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BarValue {
    pub(crate) subject: Box<str>,
    pub(crate) until_s: u64,
}

/// A line of the audit log, as its key holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AuditValue {
    pub(crate) at_s: u64,
    pub(crate) line: Box<str>,
}

/// The keys of all blocks. A subject may be longer than a key, so its hash is the key.
const BLOCKS: &str = "block.*";

pub(crate) fn block_key(subject: &str) -> String {
    format!("block.{}", hex(&Sha256::digest(subject)))
}

pub(crate) fn bars_key(table: &Key) -> String {
    format!("bars.{table}")
}

/// The keys of all lines of the audit log. Each line has one of its own.
pub(crate) const AUDIT: &str = "audit.*";

pub(crate) fn read<T: DeserializeOwned>(value: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(value).map_err(|error| Fault::Damaged(format!("a value: {error}")))
}

pub(crate) fn written<T: Serialize>(value: &T) -> Result<Vec<u8>, Fault> {
    serde_json::to_vec(value).map_err(|error| Fault::Disk(error.to_string()))
}

async fn block(bucket: Arc<Bucket>, block: BlockValue) -> Result<bool, Fault> {
    let decide = |value: Option<&[u8]>| match value {
        Some(_) => Ok(Change::Keep(false)),
        None => Ok(Change::Set(written(&block)?, true)),
    };
    bucket.change(&block_key(&block.subject), decide).await
}

pub(crate) async fn blocks(bucket: Arc<Bucket>) -> Result<Vec<Block>, Fault> {
    let mut found = Vec::new();
    for value in bucket.all(BLOCKS).await? {
        let BlockValue { subject, at_s } = read(&value)?;
        found.push(Block { subject, at_s });
    }
    found.sort_unstable_by(|one, other| one.subject.cmp(&other.subject));
    Ok(found)
}

/// Stores a bar with those that still hold. The brokers remove all of them when the last one has
/// ended: an address is not stored for longer than it is needed.
async fn bar(bucket: Arc<Bucket>, table: Key, bar: Bar, now_s: u64) -> Result<(), Fault> {
    let decide = |value: Option<&[u8]>| {
        let bars = value.map(read::<Vec<BarValue>>).transpose()?.unwrap_or_default();
        let mut bars = with_bar(bars, &bar, now_s);
        bars.sort_unstable_by(|one, other| one.subject.cmp(&other.subject));
        let until_s = bars.iter().map(|bar| bar.until_s).max().unwrap_or(now_s);
        // Whole seconds, and at least one.
        let lasts = Duration::from_secs(until_s.saturating_sub(now_s).max(1));
        Ok(Change::SetFor(written(&bars)?, lasts, ()))
    };
    bucket.change(&bars_key(&table), decide).await
}

fn with_bar(mut bars: Vec<BarValue>, bar: &Bar, now_s: u64) -> Vec<BarValue> {
    bars.retain(|it| it.until_s > now_s && it.subject != bar.subject);
    bars.push(BarValue { subject: bar.subject.clone(), until_s: bar.until_s });
    bars
}

pub(crate) async fn bars(bucket: Arc<Bucket>, table: Key) -> Result<Vec<Bar>, Fault> {
    let value = bucket.get(&bars_key(&table)).await?;
    let bars = value.map(|value| read::<Vec<BarValue>>(&value)).transpose()?.unwrap_or_default();
    Ok(bars.into_iter().map(|BarValue { subject, until_s }| Bar { subject, until_s }).collect())
}

pub(crate) async fn audit(bucket: Arc<Bucket>, line: AuditLine) -> Result<(), Fault> {
    let id = BundleId::draw()?;
    let AuditLine { at_s, line } = line;
    bucket.put(&format!("audit.{id}"), written(&AuditValue { at_s, line })?, None).await
}

async fn audited(bucket: Arc<Bucket>, span: Span) -> Result<(Vec<AuditLine>, u64), Fault> {
    let values = bucket.all(AUDIT).await?;
    let total = values.len() as u64;
    let skip = usize::try_from(span.skip).unwrap_or(usize::MAX);
    let page = values.iter().rev().skip(skip).take(span.most.min(PAGE_MOST));
    let line = |value: &bytes::Bytes| {
        let AuditValue { at_s, line } = read(value)?;
        Ok(AuditLine { at_s, line })
    };
    Ok((page.map(line).collect::<Result<_, Fault>>()?, total))
}

impl Operations for Cluster {
    /// In the node's own index: other nodes do not hear of it.
    fn touch(&self, key: &Key, at_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.index().touch(key, at_s)
    }

    fn tables(&self, span: Span) -> BoxFuture<Result<(Vec<StoredTable>, u64), Fault>> {
        self.index().tables(span)
    }

    fn seen(&self, hash: Hash, at_s: u64) -> BoxFuture<Result<(), Fault>> {
        self.with_people(async move |people| people.seen(hash, at_s).await)
    }

    fn people(&self, span: Span) -> BoxFuture<Result<(Vec<StoredPerson>, u64), Fault>> {
        self.indexed_people(span)
    }

    fn deleted(&self) -> BoxFuture<Result<Vec<Hash>, Fault>> {
        self.index().deleted()
    }

    fn rewrite(&self, _: Replacement) -> BoxFuture<Result<u64, Fault>> {
        Box::pin(async { Err(Fault::InCluster("lines cannot be replaced")) })
    }

    fn remove(&self, _: Vec<Key>) -> BoxFuture<Result<u64, Fault>> {
        Box::pin(async { Err(Fault::InCluster("tables cannot be removed")) })
    }

    fn block(&self, subject: Box<str>, at_s: u64) -> BoxFuture<Result<bool, Fault>> {
        self.with_bucket(async move |bucket| block(bucket, BlockValue { subject, at_s }).await)
    }

    fn unblock(&self, subject: Box<str>) -> BoxFuture<Result<bool, Fault>> {
        self.with_bucket(async move |bucket| bucket.remove(&block_key(&subject)).await)
    }

    fn blocks(&self) -> BoxFuture<Result<Vec<Block>, Fault>> {
        self.with_bucket(blocks)
    }

    fn bar(&self, key: &Key, bar: Bar, now_s: u64) -> BoxFuture<Result<(), Fault>> {
        let table = key.clone();
        self.with_bucket(async move |bucket| self::bar(bucket, table, bar, now_s).await)
    }

    fn unbar(&self, key: &Key) -> BoxFuture<Result<(), Fault>> {
        let key = bars_key(key);
        self.with_bucket(async move |bucket| bucket.remove(&key).await.map(|_was_there| ()))
    }

    fn bars(&self, key: &Key) -> BoxFuture<Result<Vec<Bar>, Fault>> {
        let table = key.clone();
        self.with_bucket(async move |bucket| bars(bucket, table).await)
    }

    /// The brokers do that by themselves.
    fn expire_bars(&self, _: u64) -> BoxFuture<Result<(), Fault>> {
        Box::pin(async { Ok(()) })
    }

    fn audit(&self, line: AuditLine) -> BoxFuture<Result<(), Fault>> {
        self.with_bucket(async move |bucket| audit(bucket, line).await)
    }

    fn audited(&self, span: Span) -> BoxFuture<Result<(Vec<AuditLine>, u64), Fault>> {
        self.with_bucket(async move |bucket| audited(bucket, span).await)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_takes_the_place_of_its_own_and_of_those_that_have_ended() {
        let bar = |subject: &str, until_s| Bar { subject: subject.into(), until_s };
        let mut bars = Vec::new();
        for (new, now_s) in [(bar("a", 10), 0), (bar("b", 20), 0), (bar("a", 30), 5)] {
            bars = with_bar(bars, &new, now_s);
        }
        let stored = |bars: &[BarValue]| String::from_utf8(written(&bars).unwrap()).unwrap();
        assert_eq!(stored(&bars), r#"[{"subject":"b","until_s":20},{"subject":"a","until_s":30}]"#);
        bars = with_bar(bars, &bar("c", 40), 20);
        assert_eq!(stored(&bars), r#"[{"subject":"a","until_s":30},{"subject":"c","until_s":40}]"#);
    }
}
