//! Everything of a file, copied into a cluster and out of it again.

use std::path::Path;
use std::sync::Arc;

use cluster::{Archive, Cluster, Copied, OpenError, Progress, TransferError, copy_into, transfer};
use journal::{
    AuditLine, Bar, Block, Devices, Hash, Inventory, Invitation, Invitations, Journal, Key,
    LINE_BYTES_MOST, NewDevice, Note, Operations, Partial, People, Side, Sqlite, WholePerson,
};

use crate::brokers::Brokers;
use crate::{join, key, options};

const NAME: &str = "copies";
/// The time of day of the whole test.
const NOW_S: u64 = 1_000_000;
const ADA: Hash = [1; 32];
const BEN: Hash = [2; 32];
const GONE: Hash = [3; 32];
const PHONE: Hash = [4; 32];
const PHRASE: Hash = [5; 32];
const TABLES: usize = 60;

fn now_s() -> u64 {
    NOW_S
}

fn open(path: &Path) -> Sqlite {
    Sqlite::open(path, journal::Options::default()).unwrap()
}

/// A file with something of each kind.
async fn fill(file: &Sqlite) {
    file.append(&key("_log"), 0, vec!["{}".into(), "🂡\n\0".into()], None).await.unwrap();
    for number in 0..TABLES {
        let lines = (0..=number).map(|line| format!("{number}-{line}").into()).collect();
        let note =
            Note { text: format!("n{number}").into(), listed: number % 2 == 0, ended: false };
        let table = key(&format!("t{number:02}"));
        file.append(&table, 0, lines, Some(note)).await.unwrap();
        Operations::touch(file, &table, 500 + number as u64).await.unwrap();
    }
    // More than one message of the brokers.
    let long = (0..5).map(|number| number.to_string().repeat(400_000).into()).collect();
    let note = Note { text: "n".repeat(1_000).into(), listed: false, ended: true };
    file.append(&key("long"), 0, long, Some(note)).await.unwrap();

    for (hash, name) in [(ADA, "Ada"), (BEN, "Ben"), (GONE, "Gone")] {
        file.introduce(hash, name.into(), 10).await.unwrap();
        file.seen(hash, 20).await.unwrap();
    }
    file.add_device(NewDevice { hash: PHONE, person: ADA, at_s: 5 }, 9).await.unwrap();
    file.keep_device(ADA, PHONE).await.unwrap();
    file.set_phrase(BEN, Some(PHRASE)).await.unwrap();
    let invitation = Invitation { to: BEN, from: ADA, at_s: 30, line: "t01".into() };
    assert_eq!(file.invite(invitation, 0, 9).await, Ok(true));
    file.forget(GONE).await.unwrap();

    file.block("192.0.2.7".into(), 40).await.unwrap();
    let bar = |until_s| Bar { subject: "192.0.2.8".into(), until_s };
    Operations::bar(file, &key("t01"), bar(NOW_S + 600), NOW_S).await.unwrap();
    Operations::bar(file, &key("t02"), bar(NOW_S - 1), NOW_S - 100).await.unwrap();
    for number in 0..5 {
        let line = format!("{{\"did\":{number}}}").into();
        file.audit(AuditLine { at_s: 50, line }).await.unwrap();
    }
}

async fn archive(brokers: &Brokers, name: &str) -> Archive {
    Archive::find_or_make(&options(brokers, name, Path::new("unused"))).await.unwrap()
}

/// Everything that is stored, for comparing. Several tables are copied at once, so those of one
/// moment can change places in the list.
async fn all(of: &dyn Inventory) -> Vec<String> {
    let mut found = Vec::new();
    for listed in of.tables().await.unwrap() {
        found.push(format!("{} {:?}", listed.key, of.table(&listed.key).await.unwrap()));
    }
    for hash in of.persons().await.unwrap() {
        found.push(format!("{:?}", of.person(hash).await.unwrap()));
    }
    found.push(format!("{:?}", of.administration(NOW_S).await.unwrap()));
    found.push(format!("{:?}", of.secret().await.unwrap()));
    found.sort_unstable();
    found
}

/// Compares item by item; long lines are not printed whole.
async fn check_same(copy: &dyn Inventory, source: &dyn Inventory) {
    let (copy, source) = (all(copy).await, all(source).await);
    assert_eq!(copy.len(), source.len());
    for (copied, item) in copy.iter().zip(&source) {
        let start = |text: &str| text.chars().take(300).collect::<String>();
        assert!(copied == item, "{} instead of {}", start(copied), start(item));
    }
}

/// Copies, and stops the copy after a number of its steps as a kill would.
async fn stopped(
    from: &dyn Inventory,
    to: &Archive,
    after: u32,
) -> Option<Result<Copied, TransferError>> {
    let (tell, stop) = tokio::sync::oneshot::channel();
    let (mut tell, mut steps) = (Some(tell), 0);
    let mut see = move |_: Progress| {
        steps += 1;
        if steps == after
            && let Some(tell) = tell.take()
        {
            tell.send(()).unwrap();
        }
    };
    tokio::select! {
        biased;
        stopped = stop => stopped.map_or(None, |()| None),
        copied = copy_into(from, to, now_s, &mut see) => Some(copied),
    }
}

pub async fn check(brokers: &Brokers) {
    let folder = tempfile::tempdir().unwrap();
    let source = open(&folder.path().join("source.db"));
    fill(&source).await;

    // Stopped in the middle, again and again.
    let mut stops = 0;
    let mut copied = None;
    for after in [5, 30, 64, 66, 70, 1_000_000] {
        let archive = archive(brokers, NAME).await;
        match stopped(&source, &archive, after).await {
            None => {
                stops += 1;
                no_node_serves_a_part(brokers, folder.path()).await;
            }
            Some(done) => copied = Some(done.unwrap()),
        }
    }
    assert!(stops >= 4, "{stops}");
    let copied = copied.expect("the last one is not stopped");
    let tables = copied.tables;
    let lines = (1..=TABLES as u64).sum::<u64>() + 5 + 2;
    assert_eq!((tables.tables, tables.notes, tables.lines), (62, 61, lines));
    assert!(tables.copied_now < lines, "nothing was there from before");
    let people = copied.people;
    assert_eq!((people.people, people.deleted, people.devices), (2, 1, 2));
    assert_eq!((people.phrases, people.invitations), (1, 1));
    let administration = copied.administration;
    assert_eq!((administration.blocks, administration.bars, administration.audit), (1, 1, 5));

    // Once more: nothing is there twice.
    let again = archive(brokers, NAME).await;
    let compared = copy_into(&source, &again, now_s, &mut |_| {}).await.unwrap();
    assert_eq!(compared.digest, copied.digest);
    check_same(&again, &source).await;

    out_again(&source, &again, &copied, folder.path()).await;
    a_node_knows_everything(brokers).await;
    what_else_is_refused(brokers, &source, folder.path()).await;
}

async fn no_node_serves_a_part(brokers: &Brokers, folder: &Path) {
    let refused = Cluster::join(options(brokers, NAME, &folder.join("index"))).await.err();
    assert!(matches!(refused, Some(OpenError::HalfCopied { .. })), "{refused:?}");
}

async fn out_again(source: &Sqlite, archive: &Archive, copied: &Copied, folder: &Path) {
    let path = folder.join("out.db");
    // A part of it is there already.
    let (partial, file) = Partial::begin(&path).unwrap();
    let part = vec!["{}".into()];
    file.append(&key("_log"), 0, part, None).await.unwrap();
    drop(file);
    drop(partial);

    let (partial, file) = Partial::begin(&path).unwrap();
    let out = transfer(archive, &file, now_s, &mut |_| {}).await.unwrap();
    assert_eq!(out.digest, copied.digest);
    assert_eq!(out.tables.copied_now, out.tables.lines - 1);
    file.close();
    drop(file);
    let bytes = partial.finish().unwrap();
    assert_eq!(bytes, path.metadata().unwrap().len());
    assert!(Partial::begin(&path).is_err(), "no file is overwritten");
    let file = open(&path);
    assert_eq!(file.deal_secret(), source.deal_secret());
    check_same(&file, source).await;
    let rest = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let rest = rest.filter(|name| name.to_string_lossy().contains("partial")).count();
    assert_eq!(rest, 0);
}

async fn a_node_knows_everything(brokers: &Brokers) {
    let folder = tempfile::tempdir().unwrap();
    let node = Arc::new(join(brokers, NAME, folder.path()).await);
    node.caught_up().await;
    assert_eq!(node.signed_in(ADA).await, Ok(None), "that device was signed out");
    assert_eq!(node.signed_in(PHONE).await, Ok(Some((ADA, "Ada".into()))));
    assert_eq!(node.person_of_phrase(PHRASE).await, Ok(Some(BEN)));
    let sent = node.invitations(Side::From(ADA), 0).await.unwrap();
    assert_eq!(sent.iter().map(|it| it.to).collect::<Vec<_>>(), [BEN]);
    assert_eq!(node.deleted().await, Ok(vec![GONE]));
    let block = Block { subject: "192.0.2.7".into(), at_s: 40 };
    assert_eq!(node.blocks().await, Ok(vec![block]));
    let listed = journal::Filter { listed: Some(true), ended: None };
    let entries = node.list(listed, journal::Page::first(100)).await.unwrap();
    assert_eq!(entries.len(), TABLES / 2);
    // A table goes on where it was.
    assert_eq!(node.append(&key("t03"), 4, vec!["5th".into()], None).await, Ok(()));
    node.close().await;
}

async fn what_else_is_refused(brokers: &Brokers, source: &Sqlite, folder: &Path) {
    // It was served since, so the file is not all of it.
    let served = archive(brokers, NAME).await;
    let said = copy_into(source, &served, now_s, &mut |_| {}).await.unwrap_err();
    assert!(matches!(&said, TransferError::Differs(what) if what.contains("t03")), "{said}");

    let other = open(&folder.join("other.db"));
    let said = copy_into(&other, &served, now_s, &mut |_| {}).await.unwrap_err();
    assert!(matches!(said, TransferError::OtherSource), "{said}");

    let busy = archive(brokers, "log").await;
    let said = copy_into(&other, &busy, now_s, &mut |_| {}).await.unwrap_err();
    assert!(matches!(said, TransferError::Occupied { .. }), "{said}");

    let missing = Archive::find(&options(brokers, "nowhere", folder)).await.err();
    assert!(matches!(missing, Some(OpenError::NoCluster { .. })), "{missing:?}");

    // A line that no message has room for.
    let table: Key = key("wide");
    let wide = "x".repeat(LINE_BYTES_MOST);
    other.append(&table, 0, vec![wide.into()], None).await.unwrap();
    let new = archive(brokers, "wide").await;
    let said = copy_into(&other, &new, now_s, &mut |_| {}).await.unwrap_err().to_string();
    assert!(said.starts_with("table wide cannot be written"), "{said}");
    assert!(matches!(new.person(ADA).await, Ok(None)));
    assert!(matches!(served.person(GONE).await, Ok(Some(WholePerson::Deleted))));
}
