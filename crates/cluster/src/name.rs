//! The name of a cluster, and where its tables lie: which stream, under which subject.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use journal::Key;
use sha2::{Digest, Sha256};

/// The name of a cluster: 1 to 32 small letters, digits or `-`. Clusters with different names share
/// brokers without meeting.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ClusterName(Arc<str>);

impl ClusterName {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The name of one of its streams, as in `unspoken-lines-03`.
    pub(crate) fn stream(&self, number: u16) -> String {
        format!("{self}-lines-{number:02}")
    }

    /// The subjects of one of its streams.
    pub(crate) fn subjects(&self, number: u16) -> String {
        format!("{self}.lines.{number:02}.*")
    }

    /// The name of the stream of its bucket, which NATS calls the bucket `unspoken-people`.
    pub(crate) fn bucket(&self) -> String {
        format!("KV_{self}-people")
    }

    /// What the subjects of that stream begin with.
    pub(crate) fn bucket_prefix(&self) -> String {
        format!("$KV.{self}-people.")
    }

    /// The subject of a table, as in `unspoken.lines.03.k3f9pa`.
    pub(crate) fn subject(&self, number: u16, table: &Key) -> String {
        format!("{self}.lines.{number:02}.{table}")
    }
}

impl FromStr for ClusterName {
    type Err = ClusterNameError;

    fn from_str(text: &str) -> Result<Self, ClusterNameError> {
        let allowed = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if (1..=32).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text.into()))
        } else {
            Err(ClusterNameError)
        }
    }
}

impl fmt::Display for ClusterName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What is returned for a text that names no cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a cluster's name has 1 to 32 small letters, digits or `-`")]
pub struct ClusterNameError;

/// Which of a cluster's streams has the lines of a table. Every node and every version has to agree,
/// so this never changes.
pub(crate) fn stream_of(table: &Key, streams: u16) -> u16 {
    let hash = Sha256::digest(table.as_str());
    let number = hash[..8].iter().fold(0, |number, byte| (number << 8) | u64::from(*byte));
    (number % u64::from(streams)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_as_they_were_written() {
        for text in ["unspoken", "a", "test-2", &"x".repeat(32)] {
            assert_eq!(text.parse::<ClusterName>().map(|name| name.to_string()), Ok(text.into()));
        }
        for text in ["", "A", "a.b", "a b", "a*", "ä", &"x".repeat(33)] {
            assert_eq!(text.parse::<ClusterName>(), Err(ClusterNameError), "{text:?}");
        }
    }

    #[test]
    fn a_table_stays_in_its_stream_for_ever() {
        let of = |table: &str| stream_of(&table.parse().unwrap(), 16);
        assert_eq!(
            ["k3f9pa", "a", "k3f9pa_album", "daily_2026_11_18_mind_2"].map(of),
            [4, 10, 11, 10]
        );
        let unspoken = "unspoken".parse::<ClusterName>().unwrap();
        let table = "k3f9pa".parse().unwrap();
        assert_eq!(unspoken.stream(3), "unspoken-lines-03");
        assert_eq!(unspoken.subject(3, &table), "unspoken.lines.03.k3f9pa");
        assert_eq!(unspoken.subjects(3), "unspoken.lines.03.*");
        assert_eq!(unspoken.bucket(), "KV_unspoken-people");
        assert_eq!(unspoken.bucket_prefix(), "$KV.unspoken-people.");
    }

    #[test]
    fn tables_spread_evenly() {
        let mut counts = [0; 16];
        for number in 0..16_000 {
            counts[usize::from(stream_of(&format!("t{number}").parse().unwrap(), 16))] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
    }
}
