//! Hashes of tables and people, by which a copy is compared with its source.

use journal::{Hash, Note, PresentPerson, WholePerson, WholeTable};
use sha2::{Digest, Sha256};

/// The hash of all lines of a table and of its note.
pub(crate) fn digest_of_table(WholeTable { lines, note }: &WholeTable) -> Hash {
    let mut print = Fingerprint::new();
    print.number(lines.len() as u64);
    for line in lines {
        print.bytes(line.as_bytes());
    }
    if let Some(Note { text, listed, ended }) = note {
        print.bytes(text.as_bytes());
        print.number(u64::from(*listed) << 1 | u64::from(*ended));
    }
    print.end()
}

/// The hash of everything that a person is.
///
/// The people whom they have invited are not in it: they are those of the invitations that wait, and
/// a cluster can have some for which none waits any longer.
pub(crate) fn digest_of_person(person: &WholePerson) -> Hash {
    let mut print = Fingerprint::new();
    let WholePerson::Present(person) = person else { return print.end() };
    let PresentPerson { line, seen_s, devices, phrase, received, invited: _ } = person;
    print.bytes(line.as_bytes());
    print.number(seen_s.map_or(0, |seen_s| seen_s + 1));
    print.number(devices.len() as u64);
    for (at_s, device) in devices {
        print.number(*at_s);
        print.bytes(device);
    }
    print.bytes(phrase.as_ref().map_or(&[], |phrase| &phrase[..]));
    for invitation in received {
        print.bytes(&invitation.from);
        print.number(invitation.at_s);
        print.bytes(invitation.line.as_bytes());
    }
    print.end()
}

/// A hash of texts and numbers, each with its length before it.
struct Fingerprint(Sha256);

impl Fingerprint {
    fn new() -> Self {
        Self(Sha256::new())
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.number(bytes.len() as u64);
        self.0.update(bytes);
    }

    fn number(&mut self, number: u64) {
        self.0.update(number.to_be_bytes());
    }

    fn end(self) -> Hash {
        self.0.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn tables_that_differ_have_other_digests() {
        let table = |lines: &[&str], note: Option<&str>| {
            let note = note.map(|text| Note { text: text.into(), listed: true, ended: false });
            WholeTable { lines: lines.iter().map(|line| (*line).into()).collect(), note }
        };
        let tables = [
            table(&[], None),
            table(&[""], None),
            table(&["ab"], None),
            table(&["a", "b"], None),
            table(&["a"], Some("b")),
            table(&["a"], Some("c")),
        ];
        let digests = tables.iter().map(digest_of_table).collect::<BTreeSet<_>>();
        assert_eq!(digests.len(), tables.len());
        assert_eq!(digest_of_table(&tables[2]), digest_of_table(&table(&["ab"], None)));
    }
}
