//! The journal against a model that fits on a page.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use journal::{AppendError, Filter, Journal, Key, Note, Options, Page, People, Sqlite};
use proptest::prelude::*;

use crate::{check_integrity, key, wait};

#[derive(Clone, Debug)]
enum Step {
    Append { table: u8, off: i8, lines: Vec<String>, note: Option<(String, bool, bool)> },
    Read { table: u8, after: u64 },
    List { listed: Option<bool>, ended: Option<bool>, most: usize },
    Put { person: u8, line: String },
    Forget { person: u8 },
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let off = prop_oneof![6 => Just(0), 1 => -2..=2_i8];
    let lines = prop::collection::vec(any::<String>(), 0..4);
    let note = prop::option::of(any::<(String, bool, bool)>());
    prop_oneof![
        12 => (0..4_u8, off, lines, note)
            .prop_map(|(table, off, lines, note)| Step::Append { table, off, lines, note }),
        4 => (0..5_u8, 0..9_u64).prop_map(|(table, after)| Step::Read { table, after }),
        3 => (any::<Option<bool>>(), any::<Option<bool>>(), 1..4_usize)
            .prop_map(|(listed, ended, most)| Step::List { listed, ended, most }),
        2 => (0..3_u8, any::<String>()).prop_map(|(person, line)| Step::Put { person, line }),
        1 => (0..3_u8).prop_map(|person| Step::Forget { person }),
        1 => Just(Step::Reopen),
    ]
}

/// What the journal should hold. The notes stand in the order in which they were written.
#[derive(Default)]
struct Model {
    lines: BTreeMap<Key, Vec<Box<str>>>,
    notes: Vec<(Key, Note)>,
    people: BTreeMap<u8, Box<str>>,
}

fn name(table: u8) -> Key {
    key(&format!("table-{table}"))
}

fn reopen(path: &Path, recent_lines_most: usize) -> Sqlite {
    let pace = Duration::ZERO;
    let options = Options { pace, readers: 1, recent_lines_most, ..Options::default() };
    Sqlite::open(path, options).unwrap()
}

fn check(journal: &Sqlite, model: &mut Model, step: Step) {
    match step {
        Step::Append { table, off, lines, note } => {
            let table = name(table);
            let have = model.lines.entry(table.clone()).or_default();
            let lines = lines.into_iter().map(String::into_boxed_str).collect::<Vec<_>>();
            let note = note.map(|(text, listed, ended)| Note { text: text.into(), listed, ended });
            let found = have.len() as u64;
            let after = found.wrapping_add_signed(off.into());
            let answer = wait(journal.append(&table, after, lines.clone(), note.clone()));
            if off != 0 {
                assert_eq!(answer, Err(AppendError::Conflict { found }));
                return;
            }
            assert_eq!(answer, Ok(()));
            have.extend(lines);
            if let Some(note) = note {
                model.notes.retain(|(other, _)| *other != table);
                model.notes.push((table, note));
            }
        }
        Step::Read { table, after } => {
            let table = name(table);
            let have = model.lines.get(&table).into_iter().flatten().skip(after as usize);
            let expected = have.cloned().collect::<Vec<_>>();
            assert_eq!(wait(journal.read(&table, after)), Ok(expected));
            let note = model.notes.iter().find(|(other, _)| *other == table);
            assert_eq!(wait(journal.note(&table)), Ok(note.map(|(_, note)| note.clone())));
        }
        Step::List { listed, ended, most } => {
            let filter = Filter { listed, ended };
            let expected = model.notes.iter().rev().filter(|(_, note)| filter.permits(note));
            let mut found = Vec::new();
            let mut page = Page::first(most);
            loop {
                let entries = wait(journal.list(filter, page)).unwrap();
                assert!(entries.len() <= most);
                let Some(last) = entries.last() else { break };
                page = Page::after(last, most);
                found.extend(entries.into_iter().map(|entry| (entry.key, entry.note)));
            }
            assert_eq!(found, expected.cloned().collect::<Vec<_>>());
        }
        Step::Put { person, line } => {
            model.people.insert(person, line.clone().into());
            assert_eq!(wait(journal.put([person; 32], line.into())), Ok(()));
        }
        Step::Forget { person } => {
            model.people.remove(&person);
            assert_eq!(wait(journal.forget([person; 32])), Ok(()));
        }
        Step::Reopen => unreachable!("the caller does this"),
    }
}

fn check_all(journal: &Sqlite, model: &Model) {
    for (table, lines) in &model.lines {
        assert_eq!(wait(journal.read(table, 0)).as_ref(), Ok(lines));
    }
    for person in 0..3 {
        assert_eq!(wait(journal.get([person; 32])), Ok(model.people.get(&person).cloned()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_journal_does_what_the_model_does(
        steps in prop::collection::vec(step(), 1..40),
        // Few places for recent lines, so that they are needed again soon.
        recent in prop::collection::vec(1..12_usize, 1..4),
    ) {
        let mut recent = recent.into_iter().cycle();
        let mut reopen = |path: &Path| reopen(path, recent.next().unwrap_or(1));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        let mut journal = reopen(&path);
        let mut model = Model::default();
        for step in steps {
            if let Step::Reopen = step {
                drop(journal);
                journal = reopen(&path);
                check_all(&journal, &model);
            } else {
                check(&journal, &mut model, step);
            }
        }
        check_all(&journal, &model);
        drop(journal);
        check_integrity(&path);
    }
}
