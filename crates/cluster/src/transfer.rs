//! Copying everything from one engine to another, and reading the copy back.
//!
//! A copy compares before it writes, and each of its writes names what it follows. So it can be
//! killed at any moment: another one goes on where it was, and nothing is there twice.

use std::collections::BTreeMap;

use futures_util::stream::FuturesUnordered;
use futures_util::{StreamExt, TryStreamExt, stream};
use journal::{
    Administration, AppendError, Fault, Hash, Inventory, Key, ListedTable, Note, WholePerson,
    WholeTable,
};
use sha2::{Digest, Sha256};

use crate::archive::{Archive, CopyState};
use crate::copied::{AdministrationCount, Copied, PeopleCount, Progress, Step, TableCount};
use crate::digest::{digest_of_person, digest_of_table};
use crate::hex::hex;

/// How many tables, and how many people, are read at once.
const TABLES_AT_ONCE: usize = 16;
const PEOPLE_AT_ONCE: usize = 64;
/// How many appends wait for their answers at most.
const APPENDS_AT_ONCE: usize = 64;
/// How often a table is looked at again that has changed under an append: one that was sent before
/// the copy was killed can arrive late.
const ATTEMPTS: u32 = 5;
/// Bars that end so soon are not compared.
const ENDING_S: u64 = 60;

/// Why a copy is not complete. What was copied so far stays: another copy goes on with it.
#[derive(Debug, thiserror::Error)]
pub enum TransferError {
    /// It could not begin.
    #[error("the copy cannot begin: {0}")]
    Begin(Fault),
    /// It is complete, but that could not be stored.
    #[error("the copy is complete, but that cannot be stored: {0}; give the command again")]
    End(Fault),
    /// The cluster has other tables.
    #[error(
        "the cluster has {tables} tables and {people} people already: copy into a new one, with \
         another name"
    )]
    Occupied {
        /// How many tables it has.
        tables: usize,
        /// How many people.
        people: usize,
    },
    /// The cluster has a copy of another file.
    #[error("the cluster has a copy of another file: copy into a new one, with another name")]
    OtherSource,
    /// Something cannot be read.
    #[error("{what} cannot be read: {fault}")]
    Read {
        /// What.
        what: String,
        /// Why.
        fault: Fault,
    },
    /// Something cannot be written.
    #[error("{what} cannot be written: {error}; give the command again to go on")]
    Write {
        /// What.
        what: String,
        /// Why.
        error: AppendError,
    },
    /// The copy has something else.
    #[error("{0}: begin anew, with another target")]
    Differs(String),
}

/// The hashes of what was read from the source: what the copy has to have.
#[derive(Default)]
struct Expected {
    tables: BTreeMap<Key, Hash>,
    people: BTreeMap<Hash, Hash>,
}

/// Copies everything from a file into a cluster, marks that while it lasts, and reads it back. A
/// copy that was finished before is only read back.
pub async fn copy_into(
    from: &dyn Inventory,
    to: &Archive,
    now_s: impl Fn() -> u64,
    see: &mut dyn FnMut(Progress),
) -> Result<Copied, TransferError> {
    let secret = from.secret().await.map_err(TransferError::Begin)?;
    let source = Sha256::digest(secret).into();
    match to.begin_copy(source).await? {
        CopyState::Begun => {
            let copied = transfer(from, to, now_s, see).await?;
            to.end_copy(source).await?;
            Ok(copied)
        }
        CopyState::Done => compare(from, to, now_s, see).await,
    }
}

/// Copies everything and reads it back. Nothing else may change the target meanwhile; what changes
/// in the source after it was read is not in the copy.
pub async fn transfer(
    from: &dyn Inventory,
    to: &dyn Inventory,
    now_s: impl Fn() -> u64,
    see: &mut dyn FnMut(Progress),
) -> Result<Copied, TransferError> {
    let secret = from.secret().await.map_err(TransferError::Begin)?;
    write("the secret of deals", to.set_secret(secret).await)?;
    let mut expected = Expected::default();
    let copied_now = copy_tables(from, to, &mut expected, see).await?;
    copy_people(from, to, &mut expected, see).await?;
    let administration = read("blocks and the audit log", from.administration(now_s()).await)?;
    let written = to.set_administration(administration.clone(), now_s()).await;
    write("blocks and the audit log", written)?;
    let mut copied = check(to, &expected, (&administration, secret), now_s, see).await?;
    copied.tables.copied_now = copied_now;
    Ok(copied)
}

/// Compares a copy with its source; writes nothing.
async fn compare(
    from: &dyn Inventory,
    to: &dyn Inventory,
    now_s: impl Fn() -> u64,
    see: &mut dyn FnMut(Progress),
) -> Result<Copied, TransferError> {
    let mut expected = Expected::default();
    let tables = read("the list of tables", from.tables().await)?;
    let mut reading = read_all(from, &tables);
    let mut done = 0;
    while let Some((key, table)) = reading.try_next().await? {
        expected.tables.insert(key, digest_of_table(&table));
        done += 1;
        see(Progress { step: Step::Tables, done, all: tables.len() as u64 });
    }
    for hash in read("the list of people", from.persons().await)? {
        if let Some(person) = read("a person", from.person(hash).await)? {
            expected.people.insert(hash, digest_of_person(&person));
        }
    }
    let administration = read("blocks and the audit log", from.administration(now_s()).await)?;
    let secret = read("the secret of deals", from.secret().await)?;
    check(to, &expected, (&administration, secret), now_s, see).await
}

/// Reads tables, several at once; gives them in the order of the list.
fn read_all<'a>(
    from: &'a dyn Inventory,
    tables: &'a [ListedTable],
) -> stream::BoxStream<'a, Result<(Key, WholeTable), TransferError>> {
    let reading = stream::iter(tables).map(move |listed| {
        let key = listed.key.clone();
        let table = from.table(&key);
        async move { Ok((key.clone(), read(&format!("table {key}"), table.await)?)) }
    });
    reading.buffered(TABLES_AT_ONCE).boxed()
}

/// Copies the lines and notes that are missing; returns how many lines.
async fn copy_tables(
    from: &dyn Inventory,
    to: &dyn Inventory,
    expected: &mut Expected,
    see: &mut dyn FnMut(Progress),
) -> Result<u64, TransferError> {
    let tables = read("the list of tables", from.tables().await)?;
    let all = tables.len() as u64;
    let (mut done, mut lines) = (0, 0);
    let mut appends = FuturesUnordered::new();
    let mut reading = read_all(from, &tables);
    let mut listed = tables.iter();
    see(Progress { step: Step::Tables, done, all });
    while let Some((key, table)) = reading.try_next().await? {
        let changed_s = listed.next().and_then(|listed| listed.changed_s);
        expected.tables.insert(key.clone(), digest_of_table(&table));
        appends.push(copy_table(to, key, table, changed_s));
        // About in the order of the list, so that lists of the copy have that order, too.
        while appends.len() >= APPENDS_AT_ONCE {
            lines += appends.next().await.transpose()?.unwrap_or_default();
            done += 1;
            see(Progress { step: Step::Tables, done, all });
        }
    }
    while let Some(appended) = appends.next().await {
        lines += appended?;
        done += 1;
        see(Progress { step: Step::Tables, done, all });
    }
    Ok(lines)
}

/// Copies what the target does not have of a table; returns how many lines.
async fn copy_table(
    to: &dyn Inventory,
    key: Key,
    table: WholeTable,
    changed_s: Option<u64>,
) -> Result<u64, TransferError> {
    let what = format!("table {key}");
    let mut attempts = 0;
    loop {
        let held = read(&what, to.table(&key).await)?;
        let Some(missing) = missing(&table, &held) else {
            return Err(TransferError::Differs(format!("{what} of the copy has other lines")));
        };
        let Missing { lines, note } = missing;
        let count = lines.len() as u64;
        attempts += 1;
        if count > 0 || note.is_some() {
            match to.extend(&key, held.lines.len() as u64, lines, note).await {
                Err(AppendError::Conflict { .. }) if attempts < ATTEMPTS => continue,
                Err(error) => return Err(TransferError::Write { what, error }),
                Ok(()) => {}
            }
        }
        if let Some(at_s) = changed_s {
            write(&what, to.set_changed(&key, at_s).await)?;
        }
        return Ok(count);
    }
}

/// What has to be appended to a table.
#[derive(Debug, PartialEq, Eq)]
struct Missing {
    lines: Vec<Box<str>>,
    note: Option<Note>,
}

/// What a copy of a table misses; `None` if it has something else.
fn missing(table: &WholeTable, held: &WholeTable) -> Option<Missing> {
    let lines = table.lines.strip_prefix(&held.lines[..])?.to_vec();
    let note = table.note.clone().filter(|note| held.note.as_ref() != Some(note));
    Some(Missing { lines, note })
}

/// Copies people who are missing or have changed.
async fn copy_people(
    from: &dyn Inventory,
    to: &dyn Inventory,
    expected: &mut Expected,
    see: &mut dyn FnMut(Progress),
) -> Result<(), TransferError> {
    let hashes = read("the list of people", from.persons().await)?;
    let all = hashes.len() as u64;
    let copying = stream::iter(hashes).map(async |hash| {
        let what = format!("person {}", hex(&hash));
        let Some(person) = read(&what, from.person(hash).await)? else { return Ok(None) };
        let digest = digest_of_person(&person);
        if read(&what, to.person(hash).await)?.as_ref() != Some(&person) {
            write(&what, to.set_person(hash, person).await)?;
        }
        Ok::<_, TransferError>(Some((hash, digest)))
    });
    let mut copying = copying.buffer_unordered(PEOPLE_AT_ONCE);
    let mut done = 0;
    see(Progress { step: Step::People, done, all });
    while let Some(person) = copying.next().await {
        expected.people.extend(person?);
        done += 1;
        see(Progress { step: Step::People, done, all });
    }
    Ok(())
}

/// Reads everything of a copy, and fails if it is not what was expected.
async fn check(
    to: &dyn Inventory,
    expected: &Expected,
    (administration, secret): (&Administration, [u8; 32]),
    now_s: impl Fn() -> u64,
    see: &mut dyn FnMut(Progress),
) -> Result<Copied, TransferError> {
    let tables = check_tables(to, &expected.tables, see).await?;
    let people = check_people(to, &expected.people, see).await?;
    let held = read("blocks and the audit log", to.administration(now_s()).await)?;
    let lasting = |all: &Administration| {
        let after_s = now_s() + ENDING_S;
        let bars = all.bars.iter().filter(|(_, bar)| bar.until_s > after_s);
        bars.cloned().collect::<Vec<_>>()
    };
    if held.blocks != administration.blocks
        || held.audit != administration.audit
        || lasting(&held) != lasting(administration)
    {
        let text = "blocks, bars or the audit log of the copy are others";
        return Err(TransferError::Differs(text.to_owned()));
    }
    if read("the secret of deals", to.secret().await)? != secret {
        let text = "the copy has another secret of deals";
        return Err(TransferError::Differs(text.to_owned()));
    }
    let administration = AdministrationCount {
        blocks: held.blocks.len() as u64,
        bars: held.bars.len() as u64,
        audit: held.audit.len() as u64,
    };
    let hash = expected.tables.iter().fold(Sha256::new(), |hash, (key, digest)| {
        hash.chain_update(key.as_str()).chain_update([0]).chain_update(digest)
    });
    let hash = expected
        .people
        .iter()
        .fold(hash, |hash, (person, digest)| hash.chain_update(person).chain_update(digest));
    Ok(Copied { tables, people, administration, digest: hex(&hash.finalize()) })
}

async fn check_tables(
    to: &dyn Inventory,
    expected: &BTreeMap<Key, Hash>,
    see: &mut dyn FnMut(Progress),
) -> Result<TableCount, TransferError> {
    let tables = read("the list of the copy's tables", to.tables().await)?;
    let mut count = TableCount::default();
    let mut reading = read_all(to, &tables);
    while let Some((key, table)) = reading.try_next().await? {
        if expected.get(&key) != Some(&digest_of_table(&table)) {
            let text = format!("table {key} of the copy is not as it was read");
            return Err(TransferError::Differs(text));
        }
        count.tables += 1;
        count.lines += table.lines.len() as u64;
        count.notes += u64::from(table.note.is_some());
        let (done, all) = (count.tables, expected.len() as u64);
        see(Progress { step: Step::CheckingTables, done, all });
    }
    let keys = tables.iter().map(|listed| &listed.key).collect::<std::collections::BTreeSet<_>>();
    if let Some(missing) = expected.keys().find(|key| !keys.contains(key)) {
        return Err(TransferError::Differs(format!("table {missing} is not in the copy")));
    }
    Ok(count)
}

async fn check_people(
    to: &dyn Inventory,
    expected: &BTreeMap<Hash, Hash>,
    see: &mut dyn FnMut(Progress),
) -> Result<PeopleCount, TransferError> {
    let hashes = read("the list of the copy's people", to.persons().await)?;
    if !hashes.iter().eq(expected.keys()) {
        let text = "the copy has other people than were read";
        return Err(TransferError::Differs(text.to_owned()));
    }
    let reading = stream::iter(hashes).map(async |hash| {
        let what = format!("person {}", hex(&hash));
        let person = read(&what, to.person(hash).await)?;
        match person {
            Some(person) if expected.get(&hash) == Some(&digest_of_person(&person)) => Ok(person),
            Some(_) | None => {
                Err(TransferError::Differs(format!("{what} of the copy is not as they were read")))
            }
        }
    });
    let mut reading = reading.buffer_unordered(PEOPLE_AT_ONCE);
    let (mut count, mut done) = (PeopleCount::default(), 0);
    while let Some(person) = reading.next().await {
        match person? {
            WholePerson::Deleted => count.deleted += 1,
            WholePerson::Present(person) => {
                count.people += 1;
                count.devices += person.devices.len() as u64;
                count.phrases += u64::from(person.phrase.is_some());
                count.invitations += person.received.len() as u64;
            }
        }
        done += 1;
        see(Progress { step: Step::CheckingPeople, done, all: expected.len() as u64 });
    }
    Ok(count)
}

fn read<T>(what: &str, answer: Result<T, Fault>) -> Result<T, TransferError> {
    answer.map_err(|fault| TransferError::Read { what: what.to_owned(), fault })
}

fn write(what: &str, answer: Result<(), Fault>) -> Result<(), TransferError> {
    answer.map_err(|fault| TransferError::Write { what: what.to_owned(), error: fault.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(lines: &[&str], note: Option<&str>) -> WholeTable {
        let note = note.map(|text| Note { text: text.into(), listed: true, ended: false });
        WholeTable { lines: lines.iter().map(|line| (*line).into()).collect(), note }
    }

    /// Checks which lines are appended to a table that is to have two lines and a note, and whether
    /// the note is.
    fn check_missing(held: &WholeTable, expected: Option<(&[&str], bool)>) {
        let found = missing(&table(&["1", "2"], Some("n")), held);
        let expected = expected.map(|(lines, with_note)| {
            let WholeTable { lines, note } = table(lines, with_note.then_some("n"));
            Missing { lines, note }
        });
        assert_eq!(found, expected);
    }

    #[test]
    fn only_what_is_missing_is_appended() {
        check_missing(&table(&[], None), Some((&["1", "2"], true)));
        check_missing(&table(&["1"], None), Some((&["2"], true)));
        check_missing(&table(&["1"], Some("older")), Some((&["2"], true)));
        check_missing(&table(&["1", "2"], None), Some((&[], true)));
        check_missing(&table(&["1", "2"], Some("n")), Some((&[], false)));
    }

    #[test]
    fn a_table_with_other_lines_is_refused() {
        check_missing(&table(&["2"], None), None);
        check_missing(&table(&["1", "2", "3"], None), None);
    }
}
