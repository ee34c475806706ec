//! The same with a cluster: people play through several nodes at once while nodes and brokers are
//! killed, frozen and drained.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use cluster::{Cluster, Options, SyncCheck};
use futures_util::future::join_all;
use rules::kit::{Chance, Seed};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use wire::ServerMessage;

use crate::brokers::{Brokers, SYNCING, Setting};
use crate::common::Server;
use crate::kept::Stored;
use crate::{Process, crews, number};

/// Three brokers that let in only who has the password.
const LOCKED: Setting =
    Setting { more: "authorization { user: ada, password: secret }", ..SYNCING };

/// How long a node may take to join and listen, and to end.
const STARTING: Duration = Duration::from_mins(1);
/// How long a round of play may take: elections of brokers need up to ten seconds.
const ROUND: Duration = Duration::from_secs(90);
/// How many nodes serve at the same time.
const NODES: usize = 3;
/// How long a node stays frozen: the others have taken its tables over by then.
const FROZEN: Duration = Duration::from_millis(3_500);

/// How soon a node that is cut off tells its people.
const TOLD_WITHIN: Duration = Duration::from_secs(3);

/// What is done while people play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A node is killed.
    Node,
    /// A node hands its tables over and ends.
    Drain,
    /// A node is frozen, its tables go on elsewhere, and it learns of it.
    FrozenNode,
    /// A broker is killed.
    Broker,
    /// A broker is frozen.
    FrozenBroker,
    /// A node is killed, and its index is lost.
    NodeAndIndex,
    /// Each node in turn is drained and started again.
    Rolling,
    /// The nodes are cut off from all brokers for some seconds.
    NoBrokers,
}

const FAULTS: [Fault; 8] = [
    Fault::Node,
    Fault::Drain,
    Fault::Broker,
    Fault::FrozenNode,
    Fault::Rolling,
    Fault::FrozenBroker,
    Fault::NodeAndIndex,
    Fault::NoBrokers,
];

/// The brokers' addresses with this user and password.
fn addresses(brokers: &Brokers, account: &str) -> Vec<String> {
    let addresses = brokers.addresses().into_iter();
    addresses.map(|address| address.replace("nats://", &format!("nats://{account}@"))).collect()
}

/// How a node is started on these brokers.
fn arguments(brokers: &Brokers, account: &str) -> Vec<String> {
    vec![
        format!("--cluster={}", addresses(brokers, account).join(",")),
        format!("--cluster-monitoring={}", brokers.monitors().join(",")),
        "--cluster-streams=2".to_owned(),
    ]
}

/// Starts a node that is refused, and returns what it says.
fn refused(data: &Path, arguments: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_unspoken"))
        .args(["serve", "--listen=127.0.0.1:0", "--metrics=127.0.0.1:0", "--log=error", "--data"])
        .arg(data)
        .args(arguments)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(!said.contains("secret"), "{said}");
    said
}

impl Process {
    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    /// Ends it as its operator would.
    async fn drain(mut self) {
        self.signal(Signal::TERM);
        let ended = tokio::task::spawn_blocking(move || self.0.wait().unwrap());
        let ended = timeout(STARTING, ended).await.expect("a node ends").unwrap();
        assert!(ended.success(), "a node that leaves ends with {ended}");
    }
}

/// Waits until a node says where it listens.
async fn started(mut process: Process) -> (Process, Server) {
    let listening = tokio::task::spawn_blocking(move || {
        let server = process.server();
        (process, server)
    });
    timeout(STARTING, listening).await.expect("the node starts").unwrap()
}

/// Where the nodes listen that serve now.
pub struct Nodes(Mutex<Vec<std::net::SocketAddr>>);

impl Nodes {
    /// One of the nodes, in turn.
    pub fn at(&self, number: usize) -> Server {
        let addresses = self.0.lock().unwrap();
        Server::at(addresses[number % addresses.len()])
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap().len()
    }

    fn set(&self, node: usize, address: std::net::SocketAddr) {
        self.0.lock().unwrap()[node] = address;
    }
}

/// The processes of the nodes.
struct Field {
    nodes: Vec<Option<Process>>,
    listen: Nodes,
    arguments: Vec<String>,
    folder: TempDir,
}

impl Field {
    async fn start(arguments: Vec<String>) -> Self {
        let folder = TempDir::new().unwrap();
        let addresses = vec![([127, 0, 0, 1], 1).into(); NODES];
        let listen = Nodes(Mutex::new(addresses));
        let mut field =
            Self { nodes: (0..NODES).map(|_| None).collect(), listen, arguments, folder };
        for node in 0..NODES {
            field.run(node).await;
        }
        field
    }

    fn data(&self, node: usize) -> std::path::PathBuf {
        self.folder.path().join(format!("node-{node}.db"))
    }

    async fn run(&mut self, node: usize) {
        let process = Process::start(&self.data(node), &self.arguments);
        let (process, server) = started(process).await;
        self.nodes[node] = Some(process);
        self.listen.set(node, server.address);
    }

    fn take(&mut self, node: usize) -> Process {
        self.nodes[node].take().expect("the node runs")
    }
}

impl Fault {
    /// Breaks this node or this broker, and says when it was broken.
    async fn happen(
        self,
        field: &mut Field,
        brokers: &mut Brokers,
        listen: &Nodes,
        (node, broker): (usize, usize),
        happened: &watch::Sender<Option<Instant>>,
    ) {
        let gone = Instant::now();
        match self {
            Fault::Node | Fault::NodeAndIndex => {
                field.take(node).kill();
                happened.send_replace(Some(gone));
            }
            Fault::Drain => {
                happened.send_replace(Some(gone));
                field.take(node).drain().await;
            }
            Fault::FrozenNode => {
                let process = field.nodes[node].as_ref().expect("the node runs");
                process.signal(Signal::STOP);
                happened.send_replace(Some(gone));
                sleep(FROZEN).await;
                process.signal(Signal::CONT);
            }
            Fault::Broker => {
                brokers.kill(broker);
                happened.send_replace(Some(gone));
            }
            Fault::FrozenBroker => {
                brokers.freeze(broker);
                happened.send_replace(Some(gone));
            }
            Fault::NoBrokers => {
                let mut person = listen.at(node).person("onlooker").await;
                (0..3).for_each(|broker| brokers.freeze(broker));
                let frozen = Instant::now();
                while let Some(said) = person.hear_or_end().await {
                    if matches!(said, ServerMessage::Bye { .. }) {
                        break;
                    }
                }
                let told = frozen.elapsed();
                println!("people were told after {told:?}");
                assert!(told <= TOLD_WITHIN, "people were told after {told:?}");
                sleep(FROZEN.saturating_sub(told)).await;
                (0..3).for_each(|broker| brokers.thaw(broker));
                happened.send_replace(Some(Instant::now()));
            }
            Fault::Rolling => {
                for node in 0..NODES {
                    field.take(node).drain().await;
                    field.run(node).await;
                    let address = field.listen.0.lock().unwrap()[node];
                    listen.set(node, address);
                }
                happened.send_replace(Some(Instant::now()));
            }
        }
    }

    /// Starts again what does not run any more.
    async fn mend(self, field: &mut Field, brokers: &mut Brokers, (node, broker): (usize, usize)) {
        match self {
            Fault::Broker => brokers.run(broker),
            Fault::FrozenBroker => brokers.thaw(broker),
            Fault::NodeAndIndex => {
                for ending in ["", "-wal", "-shm"] {
                    let file = format!("{}{ending}", field.data(node).display());
                    let _not_there = std::fs::remove_file(file);
                }
                field.run(node).await;
            }
            Fault::Node | Fault::Drain => field.run(node).await,
            Fault::FrozenNode | Fault::Rolling | Fault::NoBrokers => {}
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_was_acknowledged_is_in_the_cluster_after_faults() {
    let rounds = number("UNSPOKEN_CLUSTER_KILLS", FAULTS.len() as u32);
    let seed = number("UNSPOKEN_CLUSTER_SEED", 0);
    let mut brokers = Brokers::start(LOCKED);
    let folder = TempDir::new().unwrap();
    let name = |name: &str| folder.path().join(name);
    let mut arguments_of_all = arguments(&brokers, "ada:secret");
    arguments_of_all.push("--cluster-name=crash".to_owned());

    let wrong = refused(&name("wrong.db"), &arguments(&brokers, "ada:secret-not"));
    assert!(wrong.contains("refuse this node's credentials"), "{wrong}");
    drop(journal::Sqlite::open(name("data.db"), journal::Options::default()).unwrap());
    let data_file = refused(&name("data.db"), &arguments_of_all);
    assert!(data_file.contains("give the node another --data"), "{data_file}");

    // This process reads what is stored, beside the nodes that serve.
    let addresses = addresses(&brokers, "ada:secret");
    let mut options = Options::new(addresses, "crash".parse().unwrap(), name("reader.db"));
    options.sync = SyncCheck::Ask(brokers.monitors());
    options.patience = Duration::from_secs(30);
    let reader = Cluster::join(options).await.unwrap();

    let mut chance = Chance::new(Seed::from(u64::from(seed)), 0);
    let mut field = Field::start(arguments_of_all).await;
    let mut crews = crews(seed);
    let (mut moves, mut took) = (0, Vec::new());
    for round in 0..rounds {
        let fault = FAULTS[round as usize % FAULTS.len()];
        let (node, broker) = (chance.below(NODES as u32) as usize, chance.below(3) as usize);
        let moment = Duration::from_millis(500 + u64::from(chance.below(1_500)));
        let (happened, _) = watch::channel(None);
        // The people find the nodes by themselves, while the processes are in other hands.
        let listen = Nodes(Mutex::new(field.listen.0.lock().unwrap().clone()));
        let playing = join_all(crews.iter_mut().map(|crew| crew.play_through(&listen, &happened)));
        let breaking = async {
            sleep(moment).await;
            fault.happen(&mut field, &mut brokers, &listen, (node, broker), &happened).await;
        };
        let both = async { tokio::join!(playing, breaking) };
        let (times, ()) = timeout(ROUND, both)
            .await
            .unwrap_or_else(|_| panic!("play does not go on at every table after {fault:?}"));
        let slowest = times.into_iter().flatten().max();
        took.push((fault, slowest));
        fault.mend(&mut field, &mut brokers, (node, broker)).await;
        for crew in &mut crews {
            moves += crew.check(Stored::Cluster(&reader)).await;
        }
        println!(
            "round {round}, {fault:?}: {moves} moves acknowledged so far, all there; play went on at the last table after {slowest:?}"
        );
    }
    assert!(moves > 10 * rounds as usize, "hardly anything was played");
    field.take(0).kill();
    let alone = refused(&field.data(0), &[]);
    assert!(alone.contains("serve it with --cluster"), "{alone}");
    reader.close().await;
}
