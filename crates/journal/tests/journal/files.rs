//! Which files are opened, and which are left alone.

use std::fs;
use std::path::Path;

use journal::{
    Catalogue, Content, Devices, Fault, Glance, Journal, Note, OpenError, Options, People, Sqlite,
};
use rusqlite::Connection;

use crate::{append, key, lines, open, wait};

fn refused(path: &Path) -> OpenError {
    match Sqlite::open(path, Options::default()) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(error) => error,
    }
}

#[test]
fn a_file_of_any_format_is_read_for_ever() {
    for format in [
        include_str!("format-1.sql"),
        include_str!("format-2.sql"),
        include_str!("format-3.sql"),
        include_str!("format-4.sql"),
        include_str!("format-5.sql"),
        include_str!("format-6.sql"),
        include_str!("format-7.sql"),
        include_str!("format-8.sql"),
        include_str!("format-9.sql"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        Connection::open(&path).unwrap().execute_batch(format).unwrap();
        let mut glance = Glance::open(&path).unwrap();
        assert_eq!(glance.forgotten(vec![[0; 32]]), Ok(vec![]), "looking in changes nothing");
        let both = vec!["first".into(), "second".into()];
        assert_eq!(glance.lines(&key("old-table")), Ok(both));
        let journal = open(&path);
        assert_eq!(lines(&journal, "old-table"), ["first", "second"]);
        let note = Note { text: "a note".into(), listed: true, ended: false };
        assert_eq!(wait(journal.note(&key("old-table"))), Ok(Some(note)));
        assert_eq!(wait(journal.get([0; 32])), Ok(Some("somebody".into())));
        let signed_in = wait(journal.signed_in([0; 32]));
        assert_eq!(signed_in, Ok(Some(([0; 32], "somebody".into()))), "with their cookie");
        append(&journal, "old-table", 2, "third").unwrap();
        let behind = wait(journal.behind(9)).unwrap();
        assert_eq!(behind.len(), 1, "a table from before is to be catalogued");
    }
}

#[test]
fn every_file_has_a_secret_of_its_own_and_keeps_it() {
    let folder = tempfile::tempdir().unwrap();
    let [one, other] = ["one.db", "other.db"].map(|name| folder.path().join(name));
    let secret = open(&one).deal_secret();
    assert_eq!(open(&one).deal_secret(), secret);
    assert_ne!(open(&other).deal_secret(), secret);
}

#[test]
fn a_newer_file_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    drop(open(&path));
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let before = fs::read(&path).unwrap();
    let error = refused(&path);
    assert!(matches!(error, OpenError::Newer { found: 99, known: 9, .. }), "{error:?}");
    assert!(error.to_string().contains("use the newer program"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn a_database_of_something_else_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE t (x)").unwrap();
    let before = fs::read(&path).unwrap();
    assert!(matches!(refused(&path), OpenError::Foreign { .. }));
    assert_eq!(fs::read(&path).unwrap(), before);
}

#[test]
fn an_index_and_a_data_file_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (data, index) = (folder.path().join("data.db"), folder.path().join("index.db"));
    let as_index = || Options { content: Content::Index, ..Options::default() };
    drop(open(&data));
    drop(Sqlite::open(&index, as_index()).unwrap());
    drop(Sqlite::open(&index, as_index()).unwrap());
    let error = refused(&index);
    assert!(error.to_string().contains("serve it with --cluster"), "{error}");
    assert_eq!(error, OpenError::Index { path: index.clone() });
    assert_eq!(Glance::open(&index).err(), Some(OpenError::Index { path: index }));
    let error = Sqlite::open(&data, as_index()).err().unwrap();
    assert!(error.to_string().contains("another --data"), "{error}");
    assert_eq!(error, OpenError::NoIndex { path: data });
}

#[test]
fn what_is_no_database_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    fs::write(&path, "my dear diary ".repeat(1_000)).unwrap();
    let error = refused(&path);
    assert!(matches!(error, OpenError::Fault { fault: Fault::Damaged(_), .. }), "{error:?}");
    assert!(fs::read_to_string(&path).unwrap().starts_with("my dear diary"));
    let nowhere = folder.path().join("no/such/folder/j.db");
    assert_eq!(refused(&nowhere), OpenError::NoFolder { path: nowhere });
    assert!(matches!(refused(folder.path()), OpenError::Fault { .. }));
    assert!(matches!(refused(Path::new("")), OpenError::Fault { .. }));
    assert!(!Path::new(".lock").exists(), "a refused name left a lock behind");
}

#[test]
fn a_second_server_is_told_of_the_first() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    let link = folder.path().join("other-name.db");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let hard = folder.path().join("hard.db");
    fs::hard_link(&path, &hard).unwrap();
    for name in [&path, &link, &hard] {
        let error = refused(name);
        assert!(matches!(error, OpenError::InUse { .. }), "{error:?}");
        assert!(error.to_string().contains("another server uses"), "{error}");
    }
    append(&journal, "t", 0, "1").unwrap();
    journal.close();
    assert_eq!(lines(&open(&link), "t"), ["1"]);
}

#[test]
fn only_the_owner_reads_the_files() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("j.db");
    let journal = open(&path);
    append(&journal, "t", 0, "1").unwrap();
    let mut files = 0;
    for file in fs::read_dir(folder.path()).unwrap() {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.path().display());
        files += 1;
    }
    assert_eq!(files, 3, "the database, its log and the log's index");
}

#[test]
fn nothing_is_acknowledged_after_the_file_was_deleted_or_replaced() {
    for replaced in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.db");
        let journal = open(&path);
        append(&journal, "t", 0, "1").unwrap();
        assert_eq!(journal.check_name(), Ok(()));
        let aside = folder.path().join("aside.db");
        fs::rename(&path, &aside).unwrap();
        if replaced {
            fs::copy(&aside, &path).unwrap();
        }
        let before = fs::read(&path).ok();
        assert_eq!(journal.check_name(), Err(Fault::Replaced));
        for _ in 0..3 {
            let refused = append(&journal, "t", 1, "2");
            assert_eq!(refused, Err(journal::AppendError::Fault(Fault::Replaced)));
            assert_eq!(wait(journal.answers()), Err(Fault::Replaced));
        }
        assert_eq!(fs::read(&path).ok(), before, "another file of that name is left alone");
        // Back under its name it is the same file, and the line was never acknowledged.
        fs::rename(&aside, &path).unwrap();
        assert_eq!(journal.check_name(), Ok(()));
        assert_eq!(lines(&journal, "t")[0], "1");
    }
}
