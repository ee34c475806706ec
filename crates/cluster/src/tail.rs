//! The tail of a table: what the next message has to follow, and with that the check of a chain.

use crate::bundle::{Bundle, Link};

/// Where a table ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tail {
    /// The place of the last message in its stream, which the next append names; 0 for a table
    /// without messages.
    pub(crate) sequence: u64,
    pub(crate) lines: u64,
    pub(crate) link: Link,
    /// The place of the message with the table's note; 0 if it has none.
    pub(crate) noted: u64,
}

impl Tail {
    /// That of a table without messages.
    pub(crate) const NONE: Self = Self { sequence: 0, lines: 0, link: Link::NONE, noted: 0 };

    /// The tail after a message, if nothing is known of those before it.
    pub(crate) fn of(sequence: u64, bundle: &Bundle, link: Link) -> Self {
        let noted = if bundle.note.is_some() { sequence } else { bundle.noted };
        Self { sequence, lines: bundle.lines_after(), link, noted }
    }

    /// The tail after a message that has to follow this one.
    pub(crate) fn follow(
        &self,
        sequence: u64,
        bundle: &Bundle,
        link: Link,
    ) -> Result<Self, WrongLink> {
        if bundle.after != self.lines {
            return Err(WrongLink::Gap { lines: self.lines, after: bundle.after });
        }
        if bundle.before != self.link || bundle.noted != self.noted {
            return Err(WrongLink::Other);
        }
        Ok(Self::of(sequence, bundle, link))
    }
}

/// Why a message does not follow the one before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum WrongLink {
    #[error("it follows line {after}, and there are {lines} lines before it")]
    Gap { lines: u64, after: u64 },
    #[error("it follows another message than the one before it")]
    Other,
}

#[cfg(test)]
mod tests {
    use journal::Note;

    use super::*;
    use crate::bundle::BundleId;

    fn bundle(tail: &Tail, line: &str, note: bool) -> Bundle {
        let note = note.then(|| Note { text: "n".into(), listed: false, ended: false });
        Bundle {
            id: BundleId([0; 16]),
            table: "t".parse().unwrap(),
            after: tail.lines,
            before: tail.link,
            noted: tail.noted,
            lines: vec![line.into()],
            note,
        }
    }

    fn follow(tail: &Tail, sequence: u64, bundle: &Bundle) -> Result<Tail, WrongLink> {
        tail.follow(sequence, bundle, bundle.message().1)
    }

    #[test]
    fn a_chain_is_followed_and_knows_its_note() {
        let first = bundle(&Tail::NONE, "1", true);
        let one = follow(&Tail::NONE, 5, &first).unwrap();
        assert_eq!((one.sequence, one.lines, one.noted), (5, 1, 5));
        let second = bundle(&one, "2", false);
        let two = follow(&one, 9, &second).unwrap();
        assert_eq!((two.sequence, two.lines, two.noted), (9, 2, 5));
    }

    #[test]
    fn a_gap_a_repetition_and_a_wrong_link_are_refused() {
        let first = bundle(&Tail::NONE, "1", false);
        let one = follow(&Tail::NONE, 1, &first).unwrap();
        let two = follow(&one, 2, &bundle(&one, "2", false)).unwrap();
        let third = bundle(&two, "3", false);
        assert_eq!(follow(&one, 3, &third), Err(WrongLink::Gap { lines: 1, after: 2 }));
        assert_eq!(follow(&one, 2, &first), Err(WrongLink::Gap { lines: 1, after: 0 }));
        // Another second line, as long as the true one.
        let other = follow(&one, 2, &bundle(&one, "x", false)).unwrap();
        assert_eq!(follow(&other, 3, &third), Err(WrongLink::Other));
    }
}
