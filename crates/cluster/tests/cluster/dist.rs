//! The configuration of a broker in `dist`, run as it is but for its addresses.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use cluster::{Cluster, Options, SyncCheck};
use journal::{Journal, LINE_BYTES_MOST};

use crate::brokers::{PATIENCE, free_ports, program};
use crate::key;

const CONFIG: &str = include_str!("../../../../dist/nats/broker.conf");

/// Processes that end with this.
struct Started(Vec<Child>);

impl Drop for Started {
    fn drop(&mut self) {
        for process in &mut self.0 {
            let _ended_already = process.kill();
            let _ended_already = process.wait();
        }
    }
}

fn broker(config: &Path, name: &str, store: &Path) -> Command {
    let mut command = Command::new(program());
    command
        .arg("-c")
        .arg(config)
        .env("BROKER", name)
        .env("BROKER_STORE", store)
        .env("BROKER_PASSWORD", "secret")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[test]
fn the_engine_reads_the_configuration_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist/nats/broker.conf");
    let checked = broker(&path, "broker-1", folder.path()).arg("-t").status().unwrap();
    assert!(checked.success());
}

/// Three brokers of this configuration are a cluster that a node joins, and lines of a megabyte fit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_joins_brokers_of_this_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let ports = free_ports(9);
    let mut started = Started(Vec::new());
    for (number, own) in ports.chunks(3).enumerate() {
        let mut text = CONFIG.to_owned();
        let mut replace = |from: &str, to: String| {
            assert!(text.contains(from), "{from}");
            text = text.replace(from, &to);
        };
        replace("0.0.0.0:4222", format!("127.0.0.1:{}", own[0]));
        replace("0.0.0.0:8222", format!("127.0.0.1:{}", own[1]));
        replace("0.0.0.0:6222", format!("127.0.0.1:{}", own[2]));
        for (other, ports) in ports.chunks(3).enumerate() {
            replace(&format!("broker-{}:6222", other + 1), format!("127.0.0.1:{}", ports[2]));
        }
        let name = format!("broker-{}", number + 1);
        let path = folder.path().join(&name);
        std::fs::write(path.with_extension("conf"), text).unwrap();
        started.0.push(broker(&path.with_extension("conf"), &name, &path).spawn().unwrap());
    }
    let address = |ports: &[u16]| format!("nats://unspoken:secret@127.0.0.1:{}", ports[0]);
    let monitor = |ports: &[u16]| format!("http://127.0.0.1:{}", ports[1]);
    let brokers = ports.chunks(3).map(address).collect();
    let mut options =
        Options::new(brokers, "dist".parse().unwrap(), folder.path().join("index.db"));
    options.sync = SyncCheck::Ask(ports.chunks(3).map(monitor).collect());
    options.streams = 1;
    options.patience = Duration::from_secs(30);
    let begun = Instant::now();
    let node = loop {
        match Cluster::join(options.clone()).await {
            Ok(node) => break node,
            Err(error) => assert!(begun.elapsed() < PATIENCE, "{error}"),
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    let line = "x".repeat(LINE_BYTES_MOST);
    assert_eq!(node.append(&key("t"), 0, vec![line.into()], None).await, Ok(()));
    node.close().await;
}
