//! Two nodes over real brokers: who owns a table, and what one says to the other.

use std::time::Duration;

use bytes::Bytes;
use cluster::{BeatState, Cluster, NodeId, Nodes, SILENT_AFTER, Said, Standing, TakeoverEnd};
use journal::{AppendError, Fault, Journal};
use tokio::time::{sleep, timeout};

use crate::brokers::Brokers;
use crate::{join, key};

const PATIENCE: Duration = Duration::from_secs(20);

async fn taken(cluster: &Cluster, nodes: &Nodes) -> TakeoverEnd {
    let line = |epoch: u64| Ok::<_, Fault>(format!("epoch {epoch}").into());
    timeout(PATIENCE, cluster.take_over(nodes, &key("t"), line)).await.unwrap().unwrap()
}

/// Waits until a node stands so for another one.
async fn stands(nodes: &Nodes, node: NodeId, standing: Standing) {
    let waiting = async {
        while nodes.standing(node) != standing {
            sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, waiting).await.expect("it is noticed");
}

/// A table goes from one node to the other, and the one before can write nothing more.
pub async fn check(brokers: &Brokers) {
    let folders = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
    let one = join(brokers, "owners", folders[0].path()).await;
    let two = join(brokers, "owners", folders[1].path()).await;
    let (first, mut to_first) = one.nodes().await.unwrap();
    let (second, mut to_second) = two.nodes().await.unwrap();
    stands(&first, second.me(), Standing::Serving).await;
    let situation = first.situation();
    timeout(PATIENCE, async {
        while first.serving().len() < 2 {
            sleep(Duration::from_millis(20)).await;
        }
    })
    .await
    .unwrap();
    assert!(!situation.borrow().is_cut_off && !first.is_cut_off());

    // What one says arrives in order, and what it says to all does not come back.
    assert!(first.send(second.me(), Bytes::from_static(b"one")));
    assert!(first.send_all(b"two") && second.send_all(b"three"));
    let next = timeout(PATIENCE, to_second.next()).await.unwrap().unwrap();
    assert_eq!(next, Said::ToMe(Bytes::from_static(b"one")));
    let next = timeout(PATIENCE, to_second.next()).await.unwrap().unwrap();
    let message = Bytes::from_static(b"two");
    assert_eq!(next, Said::ToAll { from: first.me(), message });
    let next = timeout(PATIENCE, to_first.next()).await.unwrap().unwrap();
    let message = Bytes::from_static(b"three");
    assert_eq!(next, Said::ToAll { from: second.me(), message });

    assert_eq!(taken(&one, &first).await, TakeoverEnd::NoTable);
    one.append(&key("t"), 0, vec!["opened".into()], None).await.unwrap();
    one.own_new(&first, &key("t")).await;
    assert_eq!(taken(&two, &second).await, TakeoverEnd::Elsewhere(first.me()));

    // A sleeping table is free for both.
    one.release(&first, &key("t"), 1, None).await;
    assert_eq!(taken(&two, &second).await, TakeoverEnd::Mine { epoch: 2, lines: 2 });
    assert_eq!(taken(&one, &first).await, TakeoverEnd::Elsewhere(second.me()));
    let late = one.append(&key("t"), 1, vec!["late".into()], None).await;
    assert_eq!(late, Err(AppendError::Conflict { found: 2 }));

    // A node that leaves names the one to have it.
    second.say(BeatState::Leaving);
    stands(&first, second.me(), Standing::Leaving).await;
    two.release(&second, &key("t"), 2, Some(first.me())).await;
    assert_eq!(taken(&one, &first).await, TakeoverEnd::Mine { epoch: 3, lines: 3 });
    // A release that comes late changes nothing.
    two.release(&second, &key("t"), 2, None).await;
    second.say(BeatState::Serving);
    stands(&second, first.me(), Standing::Serving).await;
    assert_eq!(taken(&two, &second).await, TakeoverEnd::Elsewhere(first.me()));

    // A node that dies is silent, and its tables are taken over; it can write nothing more.
    let died = first.me();
    drop((first, to_first));
    let began = std::time::Instant::now();
    stands(&second, died, Standing::Gone).await;
    assert!(began.elapsed() < SILENT_AFTER + Duration::from_secs(1));
    assert_eq!(taken(&two, &second).await, TakeoverEnd::Mine { epoch: 4, lines: 4 });
    let late = one.append(&key("t"), 3, vec!["late".into()], None).await;
    assert_eq!(late, Err(AppendError::Conflict { found: 4 }));
    let lines = two.read(&key("t"), 0).await.unwrap();
    assert_eq!(lines, ["opened".into(), "epoch 2".into(), "epoch 3".into(), "epoch 4".into()]);
    one.close().await;
    two.close().await;
}
