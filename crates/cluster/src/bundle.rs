//! A bundle: the lines of one append, as one message of a stream.
//!
//! A message is text: the SHA-256 of all that follows in hexadecimal digits, a line break, the head
//! as JSON, a line break, and the lines and the note one after the other without anything between
//! them. The head says how many bytes each has. So a line is stored as it is, and a message can be
//! read with the tools of the brokers.

use std::fmt;

use journal::{Fault, Key, Note};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::hex::{hex, unhex};

/// The version of the messages.
const FORM: u32 = 1;

/// The hexadecimal digits of a hash.
const HASH_DIGITS: usize = 64;

/// The hash of a message, by which the next message of its table refers to it.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct Link([u8; 32]);

impl Link {
    /// What the first message of a table refers to.
    pub(crate) const NONE: Self = Self([0; 32]);

    fn of(text: &[u8]) -> Self {
        Self(Sha256::digest(text).into())
    }
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Link({self})")
    }
}

impl From<Link> for String {
    fn from(link: Link) -> Self {
        link.to_string()
    }
}

impl TryFrom<String> for Link {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        unhex(&text).map(Self).ok_or("a hash has 64 hexadecimal digits")
    }
}

/// What an append is found by again: random, drawn for each append.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub(crate) struct BundleId(pub(crate) [u8; 16]);

impl BundleId {
    /// A new one.
    pub(crate) fn draw() -> Result<Self, Fault> {
        let mut id = Self([0; 16]);
        getrandom::fill(&mut id.0).map_err(|error| Fault::Disk(error.to_string()))?;
        Ok(id)
    }
}

impl fmt::Display for BundleId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl From<BundleId> for String {
    fn from(id: BundleId) -> Self {
        id.to_string()
    }
}

impl TryFrom<String> for BundleId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        unhex(&text).map(Self).ok_or("an id has 32 hexadecimal digits")
    }
}

/// The lines of one append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bundle {
    pub(crate) id: BundleId,
    pub(crate) table: Key,
    /// How many lines the table had before.
    pub(crate) after: u64,
    /// The message before this one.
    pub(crate) before: Link,
    /// Where in the stream the table's note is, if this bundle brings none; 0 if it has none.
    pub(crate) noted: u64,
    pub(crate) lines: Vec<Box<str>>,
    pub(crate) note: Option<Note>,
}

/// The head of a message.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    form: u32,
    id: BundleId,
    table: String,
    after: u64,
    before: Link,
    /// The bytes of each line.
    lines: Vec<usize>,
    #[serde(default, skip_serializing_if = "is_zero")]
    noted: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<NoteHead>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct NoteHead {
    listed: bool,
    ended: bool,
    bytes: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Bundle {
    /// The message and its hash.
    pub(crate) fn message(&self) -> (Vec<u8>, Link) {
        let note = self.note.as_ref().map(|note| NoteHead {
            listed: note.listed,
            ended: note.ended,
            bytes: note.text.len(),
        });
        let head = Head {
            form: FORM,
            id: self.id,
            table: self.table.to_string(),
            after: self.after,
            before: self.before,
            lines: self.lines.iter().map(|line| line.len()).collect(),
            noted: self.noted,
            note,
        };
        let texts = self.lines.iter().chain(self.note.as_ref().map(|note| &note.text));
        let mut text = serde_json::to_string(&head).unwrap_or_else(|_| unreachable!("plain data"));
        text.push('\n');
        texts.for_each(|line| text.push_str(line));
        let link = Link::of(text.as_bytes());
        (format!("{link}\n{text}").into_bytes(), link)
    }

    /// Reads a message of this table, and checks it against its own hash.
    pub(crate) fn read(message: &[u8], table: &Key) -> Result<(Self, Link), Unreadable> {
        let (bundle, link) = Self::read_any(message)?;
        if bundle.table == *table { Ok((bundle, link)) } else { Err(Unreadable::OtherTable) }
    }

    /// The same for a message of any table.
    pub(crate) fn read_any(message: &[u8]) -> Result<(Self, Link), Unreadable> {
        let (hash, text) = message.split_at_checked(HASH_DIGITS).ok_or(Unreadable::NoBundle)?;
        let text = text.strip_prefix(b"\n").ok_or(Unreadable::NoBundle)?;
        let link = Link::of(text);
        if link.to_string().as_bytes() != hash {
            return Err(Unreadable::Altered);
        }
        let text = std::str::from_utf8(text).map_err(|_| Unreadable::NoBundle)?;
        let (head, mut texts) = text.split_once('\n').ok_or(Unreadable::NoBundle)?;
        let head = serde_json::from_str::<Head>(head).map_err(|_| Unreadable::NoBundle)?;
        if head.form != FORM {
            return Err(Unreadable::Form(head.form));
        }
        let mut take = |bytes| {
            let (text, rest) = texts.split_at_checked(bytes).ok_or(Unreadable::NoBundle)?;
            texts = rest;
            Ok(Box::<str>::from(text))
        };
        let lines = head.lines.into_iter().map(&mut take).collect::<Result<Vec<_>, _>>()?;
        let note = head.note.map(|NoteHead { listed, ended, bytes }| {
            Ok(Note { text: take(bytes)?, listed, ended })
        });
        let (note, table) = (note.transpose()?, head.table.parse());
        let table = table.map_err(|_| Unreadable::NoBundle)?;
        if !texts.is_empty() {
            return Err(Unreadable::NoBundle);
        }
        let Head { id, after, before, noted, .. } = head;
        Ok((Self { id, table, after, before, noted, lines, note }, link))
    }

    /// How many lines the table has after it.
    pub(crate) fn lines_after(&self) -> u64 {
        self.after.saturating_add(self.lines.len() as u64)
    }
}

/// Why a message is not a bundle that can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unreadable {
    #[error("it does not match its own hash")]
    Altered,
    #[error("it is not a message of this program")]
    NoBundle,
    #[error("it belongs to another table")]
    OtherTable,
    #[error("it has the form {0}, and this program knows form {FORM}: use the newer program")]
    Form(u32),
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bundle(lines: &[&str], note: Option<&str>) -> Bundle {
        let note = note.map(|text| Note { text: text.into(), listed: true, ended: false });
        Bundle {
            id: BundleId([7; 16]),
            table: "k3f9pa".parse().unwrap(),
            after: 2,
            before: Link::NONE,
            noted: 0,
            lines: lines.iter().map(|line| (*line).into()).collect(),
            note,
        }
    }

    /// Messages of this form are in streams: it never changes.
    #[test]
    fn a_message_is_written_like_this() {
        let (message, link) = bundle(&["{\"a\":1}", ""], Some("note")).message();
        let zeros = "0".repeat(64);
        let expected = format!(
            "{link}\n{{\"form\":1,\"id\":\"07070707070707070707070707070707\",\"table\":\"k3f9pa\",\
             \"after\":2,\"before\":\"{zeros}\",\"lines\":[7,0],\
             \"note\":{{\"listed\":true,\"ended\":false,\"bytes\":4}}}}\n{{\"a\":1}}note"
        );
        assert_eq!(String::from_utf8(message).unwrap(), expected);
    }

    #[test]
    fn a_message_of_another_table_is_refused() {
        let (message, _) = bundle(&["1"], None).message();
        let other = "other".parse().unwrap();
        assert_eq!(Bundle::read(&message, &other), Err(Unreadable::OtherTable));
        let newer = String::from_utf8(message[65..].to_vec()).unwrap();
        let newer = newer.replace("\"form\":1", "\"form\":2");
        let newer = format!("{}\n{newer}", Link::of(newer.as_bytes()));
        assert_eq!(Bundle::read_any(newer.as_bytes()), Err(Unreadable::Form(2)));
    }

    proptest! {
        #[test]
        fn a_bundle_reads_back_as_it_was_written(
            lines in prop::collection::vec(any::<String>(), 0..4),
            note in prop::option::of(any::<String>()),
        ) {
            let lines = lines.iter().map(String::as_str).collect::<Vec<_>>();
            let bundle = bundle(&lines, note.as_deref());
            let (message, link) = bundle.message();
            prop_assert_eq!(Bundle::read(&message, &bundle.table), Ok((bundle, link)));
        }

        #[test]
        fn a_flipped_bit_is_noticed(
            line in any::<String>(), at in any::<prop::sample::Index>(), bit in 0..8_u8,
        ) {
            let (mut message, _) = bundle(&[&line], Some("note")).message();
            let at = at.index(message.len());
            message[at] ^= 1 << bit;
            prop_assert!(Bundle::read_any(&message).is_err());
        }

        #[test]
        fn any_bytes_are_refused_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(Bundle::read_any(&bytes).is_err());
        }
    }
}
