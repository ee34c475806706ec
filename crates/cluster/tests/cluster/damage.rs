//! Streams that were damaged: what is left of a table is refused.

use std::fs;
use std::path::Path;
use std::time::Duration;

use async_nats::jetstream::{self, stream::Stream};
use cluster::Cluster;
use journal::{AppendError, Fault, Journal};

use crate::brokers::Brokers;
use crate::{append, key, lines, options};

/// The stream and the subject of a table.
async fn place(context: &jetstream::Context, table: &str) -> (Stream, String) {
    for number in 0..crate::STREAMS {
        let stream = context.get_stream(format!("damage-lines-{number:02}")).await.unwrap();
        let subject = format!("damage.lines.{number:02}.{table}");
        if stream.get_last_raw_message_by_subject(&subject).await.is_ok() {
            return (stream, subject);
        }
    }
    panic!("table {table} is in no stream");
}

/// The places of a table's messages in its stream.
async fn sequences(stream: &Stream, subject: &str) -> Vec<u64> {
    let (mut found, mut next) = (Vec::new(), 1);
    let at = |place| stream.raw_message_builder().sequence(place).next_by_subject(subject).send();
    while let Ok(message) = at(next).await {
        found.push(message.sequence);
        next = message.sequence + 1;
    }
    found
}

async fn three_lines(node: &Cluster, table: &str) {
    for after in 0..3 {
        assert_eq!(append(node, table, after, &format!("line {after}")).await, Ok(()));
    }
}

async fn check_refused(node: &Cluster, table: &str, why: &str) {
    let answer = node.read(&key(table), 0).await;
    let Err(Fault::Damaged(what)) = &answer else { panic!("{table}: {answer:?}") };
    assert!(what.contains(why) && what.contains(table), "{what}");
}

/// A damaged table is refused, and the others go on.
pub async fn check(brokers: &Brokers) {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(brokers, "damage", folder.path());
    options.patience = Duration::from_secs(3);
    let node = Cluster::join(options).await.unwrap();
    let context = jetstream::new(async_nats::connect(brokers.addresses()).await.unwrap());
    for table in ["whole", "first", "middle", "last", "foreign", "copied"] {
        three_lines(&node, table).await;
    }

    // A message in the middle is gone, or the first one.
    for (table, place_in_table, why) in [
        ("middle", 1, "follows line 2, and there are 1"),
        ("first", 0, "follows line 1, and there are 0"),
    ] {
        let (stream, subject) = place(&context, table).await;
        let gone = sequences(&stream, &subject).await[place_in_table];
        assert!(stream.delete_message(gone).await.unwrap());
        check_refused(&node, table, why).await;
    }

    // The last message is gone: only a node that has seen it knows.
    let (stream, subject) = place(&context, "last").await;
    let gone = sequences(&stream, &subject).await[2];
    assert!(stream.delete_message(gone).await.unwrap());
    check_refused(&node, "last", "it was there").await;
    let answer = append(&node, "last", 3, "line 3").await;
    assert!(matches!(answer, Err(AppendError::Fault(Fault::Damaged(_)))), "{answer:?}");

    // Another program wrote under the table's subject.
    let (_, subject) = place(&context, "foreign").await;
    context.publish(subject, "hello".into()).await.unwrap().await.unwrap();
    check_refused(&node, "foreign", "not a message of this program").await;
    let answer = append(&node, "foreign", 3, "line 3").await;
    assert!(matches!(answer, Err(AppendError::Fault(Fault::Damaged(_)))), "{answer:?}");

    // A message that is whole in itself follows another one than it says.
    let (stream, subject) = place(&context, "copied").await;
    let first = sequences(&stream, &subject).await[0];
    let message = stream.get_raw_message(first).await.unwrap();
    context.publish(subject, message.payload).await.unwrap().await.unwrap();
    check_refused(&node, "copied", "follows line 0, and there are 3").await;

    three_lines_more(&node).await;
}

async fn three_lines_more(node: &Cluster) {
    assert_eq!(append(node, "whole", 3, "line 3").await, Ok(()));
    assert_eq!(lines(node, "whole").await, ["line 0", "line 1", "line 2", "line 3"]);
}

/// Bits flip in the files of a broker that is down. Whatever the brokers make of that, a table is
/// read as it was written or refused.
pub async fn check_flipped_bits(brokers: &mut Brokers) {
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(brokers, "flips", folder.path());
    options.patience = Duration::from_secs(8);
    let node = Cluster::join(options).await.unwrap();
    let tables = (0..24).map(|number| format!("table-{number}")).collect::<Vec<_>>();
    for table in &tables {
        three_lines(&node, table).await;
    }
    let context = jetstream::new(async_nats::connect(brokers.addresses()).await.unwrap());
    let led = brokers.leader(&context, "flips-lines-00").await;
    brokers.stop(led);
    let flipped = flip_bits(&brokers.store(led), false);
    assert!(flipped > 0, "the broker has no messages in its files");
    brokers.run(led);
    brokers.leader(&context, "flips-lines-00").await;

    let (mut whole, mut refused) = (0, 0);
    for table in &tables {
        match node.read(&key(table), 0).await {
            Ok(found) => {
                let found = found.iter().map(|line| &**line).collect::<Vec<_>>();
                assert_eq!(
                    found,
                    ["line 0", "line 1", "line 2"],
                    "{table} was read with other lines"
                );
                whole += 1;
            }
            Err(Fault::Damaged(_)) => refused += 1,
            Err(fault) => panic!("{table}: {fault}"),
        }
    }
    println!("{flipped} bits flipped: {whole} tables are whole, {refused} are refused");
    node.close().await;
}

/// Flips a bit in every 100 bytes of the messages of the streams below a folder. Returns how many.
fn flip_bits(folder: &Path, is_in_stream: bool) -> usize {
    let mut flipped = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        if path.is_dir() {
            flipped += flip_bits(&path, is_in_stream || name.starts_with("flips-lines-"));
        } else if is_in_stream && path.extension().is_some_and(|kind| kind == "blk") {
            let mut bytes = fs::read(&path).unwrap();
            bytes.iter_mut().skip(60).step_by(100).for_each(|byte| *byte ^= 4);
            flipped += bytes.len().saturating_sub(60).div_ceil(100);
            fs::write(&path, bytes).unwrap();
        }
    }
    flipped
}
