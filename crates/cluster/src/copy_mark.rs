//! The mark of a copy into a cluster: which file it is of, and whether it is finished.
//!
//! No node serves a cluster with a part of a copy, and a copy goes on only with the file that it was
//! begun with.

use journal::{Fault, Hash};
use serde::{Deserialize, Serialize};

use crate::bucket::Bucket;
use crate::hex::HexHash;
use crate::{ClusterName, OpenError};

const KEY: &str = "copy";
/// The version of the value.
const FORM: u32 = 1;

/// The value of the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CopyMark {
    form: u32,
    /// The hash of the file's secret.
    pub(crate) from: HexHash,
    pub(crate) is_done: bool,
}

impl CopyMark {
    pub(crate) fn begun(from: Hash) -> Self {
        Self { form: FORM, from: HexHash(from), is_done: false }
    }

    pub(crate) fn done(from: Hash) -> Self {
        Self { is_done: true, ..Self::begun(from) }
    }

    fn read(value: &[u8]) -> Result<Self, Fault> {
        let read = serde_json::from_slice::<Self>(value);
        read.map_err(|error| Fault::Damaged(format!("the mark of a copy: {error}")))
    }
}

/// The mark of a cluster, if something was ever copied into it.
pub(crate) async fn find(bucket: &Bucket) -> Result<Option<CopyMark>, Fault> {
    bucket.get(KEY).await?.map(|value| CopyMark::read(&value)).transpose()
}

/// Sets the mark.
pub(crate) async fn set(bucket: &Bucket, mark: CopyMark) -> Result<(), Fault> {
    let value = serde_json::to_vec(&mark).map_err(|error| Fault::Disk(error.to_string()))?;
    bucket.set(KEY, value).await
}

/// Fails if a copy was begun and not finished.
pub(crate) async fn check(bucket: &Bucket, name: &ClusterName) -> Result<(), OpenError> {
    match find(bucket).await.map_err(OpenError::Bucket)? {
        Some(mark) if !mark.is_done => Err(OpenError::HalfCopied { name: name.to_string() }),
        Some(_) | None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of this form are in buckets: it never changes.
    #[test]
    fn a_mark_is_written_like_this() {
        let mark = CopyMark::begun([0xa1; 32]);
        let expected = format!(r#"{{"form":1,"from":"{}","is_done":false}}"#, "a1".repeat(32));
        assert_eq!(serde_json::to_string(&mark).unwrap(), expected);
        assert_eq!(CopyMark::read(expected.as_bytes()), Ok(mark));
        assert!(matches!(CopyMark::read(b"{}"), Err(Fault::Damaged(_))));
    }
}
