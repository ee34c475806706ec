//! A broker whose disk is full, while tables are written to.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use cluster::Cluster;
use futures_util::future::join_all;
use journal::Journal;
use tokio::time::sleep;

use crate::brokers::{Brokers, PATIENCE, SYNCING};
use crate::{join, key};

const TABLES: u64 = 8;
const LINE_BYTES: usize = 8_000;
/// How often a line is appended to each table: several times what the disk has room for.
const ROUNDS: u64 = 700;

/// A small disk at a folder, until this is dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    /// `None` if this is not root.
    fn mount(folder: &Path) -> Option<Self> {
        let mut mount = Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"]).arg(folder);
        let is_mounted = mount.status().is_ok_and(|status| status.success());
        is_mounted.then(|| Self(folder.to_owned()))
    }

    /// Makes room on it.
    fn grow(&self) {
        let mut mount = Command::new("mount");
        mount.args(["-o", "remount,size=256m"]).arg(&self.0);
        assert!(mount.status().unwrap().success());
    }

    fn free_bytes(&self) -> u64 {
        let found = rustix::fs::statvfs(&self.0).unwrap();
        found.f_bavail * found.f_frsize
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // Lazily: a broker may still have files open.
        let _unmounted = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

fn line(table: u64, number: u64) -> Box<str> {
    format!("{table} {number} {}", "x".repeat(LINE_BYTES)).into()
}

/// Appends a line to each table.
async fn append_all(node: &Cluster, number: u64) {
    let appends = (0..TABLES).map(|table| {
        let lines = vec![line(table, number)];
        node.append(&key(&format!("t{table}")), number, lines, None)
    });
    for appended in join_all(appends).await {
        assert_eq!(appended, Ok(()), "line {number}");
    }
}

async fn read_all(node: &Cluster) {
    for table in 0..TABLES {
        let found = node.read(&key(&format!("t{table}")), 0).await.unwrap();
        let expected = (0..ROUNDS).map(|number| line(table, number)).collect::<Vec<_>>();
        assert!(found == expected, "{} lines of {ROUNDS} of table {table}", found.len());
    }
}

/// Play goes on with the two others, nothing is lost, and after a restart with more room the broker
/// has everything again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_of_one_broker_loses_nothing() {
    let mut brokers = Brokers::start(SYNCING);
    brokers.stop(0);
    let store = brokers.store(0);
    std::fs::remove_dir_all(&store).unwrap();
    std::fs::create_dir(&store).unwrap();
    let Some(disk) = SmallDisk::mount(&store) else {
        let left_out = std::env::var_os("UNSPOKEN_WITHOUT_ROOT").is_some();
        assert!(
            left_out,
            "only root can mount a small disk: set UNSPOKEN_WITHOUT_ROOT=1 to leave this test out"
        );
        return;
    };
    brokers.run(0);
    let folder = tempfile::tempdir().unwrap();
    let node = join(&brokers, "full", folder.path()).await;
    let (mut least_free, mut slowest) = (u64::MAX, Duration::ZERO);
    for number in 0..ROUNDS {
        let begun = Instant::now();
        append_all(&node, number).await;
        slowest = slowest.max(begun.elapsed());
        least_free = least_free.min(disk.free_bytes());
    }
    println!("{least_free} bytes were free at least, and the slowest append took {slowest:?}");
    assert!(least_free < 1 << 20, "the disk was never full: {least_free} bytes were free");
    read_all(&node).await;

    disk.grow();
    brokers.stop(0);
    brokers.run(0);
    // Another broker can go once this one has caught up: then two have everything.
    let begun = Instant::now();
    while !is_current(&brokers).await {
        assert!(begun.elapsed() < PATIENCE, "the broker does not catch up");
        sleep(Duration::from_millis(200)).await;
    }
    brokers.kill(1);
    read_all(&node).await;
    assert_eq!(node.append(&key("after"), 0, vec!["1".into()], None).await, Ok(()));
    node.close().await;
    drop(brokers);
    drop(disk);
}

/// Whether all replicas of all streams are current, as their leaders say.
async fn is_current(brokers: &Brokers) -> bool {
    let Ok(client) = async_nats::connect(brokers.addresses()).await else { return false };
    let context = async_nats::jetstream::new(client);
    for stream in ["full-lines-00", "full-lines-01", "KV_full-people"] {
        let Ok(mut stream) = context.get_stream(stream).await else { return false };
        let Ok(info) = stream.info().await else { return false };
        let replicas = info.cluster.as_ref().map(|cluster| &cluster.replicas);
        if !replicas.is_some_and(|all| all.len() == 2 && all.iter().all(|peer| peer.current)) {
            return false;
        }
    }
    true
}
