//! Appending, reading and listing, as on one machine.

use cluster::Cluster;
use journal::{AppendError, Fault, Filter, Journal, LINE_BYTES_MOST, Note, Page};

use crate::brokers::Brokers;
use crate::{append, join, key, lines};

fn note(text: &str, listed: bool, ended: bool) -> Note {
    Note { text: text.into(), listed, ended }
}

/// All that a journal has to do, through two nodes.
pub async fn check(brokers: &Brokers) {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let one = join(brokers, "log", folders[0].path()).await;
    let two = join(brokers, "log", folders[1].path()).await;

    lines_come_back_from_any_place(&one, &two).await;
    a_wrong_count_changes_nothing(&one).await;
    of_two_owners_one_gets_a_conflict(&one, &two).await;
    any_text_is_kept_as_it_is(&one).await;
    appends_of_one_table_keep_their_order(&one).await;
    notes_stay_until_they_are_replaced(&one, &two).await;
    let listed = lists_have_the_newest_note_first(&one, &two).await;

    // The index of a node that comes back goes on, and a missing one is made again.
    two.close().await;
    assert_eq!(append(&two, "t", 3, "x").await, Err(AppendError::Fault(Fault::Closed)));
    drop(two);
    let two = join(brokers, "log", folders[1].path()).await;
    two.caught_up().await;
    assert_eq!(keys(&two).await, listed);
    drop(two);
    let folder = tempfile::tempdir().unwrap();
    let two = join(brokers, "log", folder.path()).await;
    two.caught_up().await;
    let mut found = keys(&two).await;
    let mut expected = listed;
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(lines(&two, "t").await, ["1", "2", "3"]);
}

async fn lines_come_back_from_any_place(one: &Cluster, two: &Cluster) {
    let table = key("t");
    assert_eq!(one.append(&table, 0, vec!["1".into(), "2".into()], None).await, Ok(()));
    assert_eq!(append(two, "t", 2, "3").await, Ok(()));
    for node in [one, two] {
        assert_eq!(lines(node, "t").await, ["1", "2", "3"]);
        assert_eq!(node.read(&table, 2).await, Ok(vec!["3".into()]));
        assert_eq!(node.read(&table, u64::MAX).await, Ok(Vec::new()));
        assert_eq!(node.read(&key("another"), 0).await, Ok(Vec::new()));
        assert_eq!(node.mentions(&table, "2".into()).await, Ok(true));
        assert_eq!(node.mentions(&table, "4".into()).await, Ok(false));
    }
}

async fn a_wrong_count_changes_nothing(one: &Cluster) {
    for after in [0, 2, 4, u64::MAX] {
        let answer = one.append(&key("t"), after, vec!["x".into()], Some(note("", true, true)));
        assert_eq!(answer.await, Err(AppendError::Conflict { found: 3 }));
        let empty = one.append(&key("t"), after, Vec::new(), None).await;
        assert_eq!(empty, Err(AppendError::Conflict { found: 3 }));
    }
    assert_eq!(one.append(&key("t"), 3, Vec::new(), None).await, Ok(()));
    assert_eq!(append(one, "new", 1, "x").await, Err(AppendError::Conflict { found: 0 }));
    assert_eq!(lines(one, "t").await, ["1", "2", "3"]);
    assert_eq!(one.note(&key("t")).await, Ok(None));
}

/// Both believe that they own the table: one of each pair of appends is stored, and only that.
async fn of_two_owners_one_gets_a_conflict(one: &Cluster, two: &Cluster) {
    let mut expected = Vec::new();
    for after in 0..20 {
        let (first, second) = (format!("one {after}"), format!("two {after}"));
        let answers = tokio::join!(
            append(one, "rivals", after, &first),
            append(two, "rivals", after, &second)
        );
        let conflict = Err(AppendError::Conflict { found: after + 1 });
        let (stored, other) = match answers {
            (Ok(()), other) => (first, other),
            (other, Ok(())) => (second, other),
            both => panic!("neither was stored: {both:?}"),
        };
        expected.push(stored);
        assert_eq!(other, conflict);
    }
    assert_eq!(lines(one, "rivals").await, expected);
    assert_eq!(lines(two, "rivals").await, expected);
}

async fn any_text_is_kept_as_it_is(one: &Cluster) {
    // The brokers take messages of a megabyte.
    let long = "x".repeat(1_000_000);
    let texts = ["", "\0", "a\nb\r\n\r\nc", "🂡 '; DROP TABLE lines; --", &long];
    for (after, text) in (0..).zip(texts) {
        assert_eq!(append(one, "texts", after, text).await, Ok(()));
    }
    assert_eq!(lines(one, "texts").await, texts);
    let longer = "x".repeat(LINE_BYTES_MOST + 1);
    let answer = append(one, "texts", 5, &longer).await;
    assert!(matches!(answer, Err(AppendError::Fault(Fault::TooLong { .. }))), "{answer:?}");
}

/// The request is queued by the call, and an answer that is dropped takes nothing back.
async fn appends_of_one_table_keep_their_order(one: &Cluster) {
    let table = key("order");
    let line = |number: u64| vec![number.to_string().into()];
    let appends = (0..50).map(|number| one.append(&table, number, line(number), None));
    let mut appends = appends.collect::<Vec<_>>();
    let last = appends.pop().unwrap();
    drop(appends);
    assert_eq!(last.await, Ok(()));
    let expected = (0..50).map(|number| number.to_string()).collect::<Vec<_>>();
    assert_eq!(lines(one, "order").await, expected);
}

async fn notes_stay_until_they_are_replaced(one: &Cluster, two: &Cluster) {
    let table = key("noted");
    assert_eq!(one.note(&table).await, Ok(None));
    let first = note("waiting", true, false);
    assert_eq!(one.append(&table, 0, Vec::new(), Some(first.clone())).await, Ok(()));
    assert_eq!(append(two, "noted", 0, "1").await, Ok(()));
    assert_eq!(append(one, "noted", 1, "2").await, Ok(()));
    assert_eq!(one.note(&table).await, Ok(Some(first)));
    let second = note("over", true, true);
    assert_eq!(one.append(&table, 2, vec!["3".into()], Some(second.clone())).await, Ok(()));
    assert_eq!(two.note(&table).await, Ok(Some(second)));
    assert_eq!(lines(two, "noted").await, ["1", "2", "3"]);
}

/// Returns the list without any filter.
async fn lists_have_the_newest_note_first(one: &Cluster, two: &Cluster) -> Vec<String> {
    for (table, listed, ended) in [("a", true, false), ("b", false, false), ("c", true, true)] {
        let noted = one.append(&key(table), 0, Vec::new(), Some(note(table, listed, ended))).await;
        assert_eq!(noted, Ok(()));
        // Streams are followed side by side, so only notes with some time between them have an order.
        wait_for(two, table).await;
    }
    let filter = Filter { listed: Some(true), ended: Some(false) };
    let entries = two.list(filter, Page::first(9)).await.unwrap();
    assert_eq!(entries.iter().map(|entry| entry.key.as_str()).collect::<Vec<_>>(), ["a"]);
    let all = keys(two).await;
    assert_eq!(all, ["c", "b", "a", "noted"]);
    all
}

async fn keys(node: &Cluster) -> Vec<String> {
    let entries = node.list(Filter::default(), Page::first(100)).await.unwrap();
    entries.into_iter().map(|entry| entry.key.to_string()).collect()
}

/// Waits until a table is the newest in a node's list.
async fn wait_for(node: &Cluster, table: &str) {
    for _ in 0..1_000 {
        if keys(node).await.first().is_some_and(|first| first == table) {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("{table} is not in the list after ten seconds");
}
