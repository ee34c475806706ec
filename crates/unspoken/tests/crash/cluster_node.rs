//! The same with the brokers of a cluster: nodes and brokers are killed while people play.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cluster::{Cluster, Options, SyncCheck};
use rules::kit::{Chance, Seed};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use crate::brokers::{Brokers, SYNCING, Setting};
use crate::common::{PATIENCE, Server};
use crate::crew::Crew;
use crate::kept::Stored;
use crate::{Process, crews, number};

/// Three brokers that let in only who has the password.
const LOCKED: Setting =
    Setting { more: "authorization { user: ada, password: secret }", ..SYNCING };

/// How long a node waits at most for the lease of one that was killed, with time to join.
const STARTING: Duration = Duration::from_mins(1);

/// What is done to a round of play.
#[derive(Clone, Copy, Debug)]
enum Fault {
    /// The node is killed in the middle of what people do.
    Node,
    /// The same, and another node that stands by takes over.
    NodeWithStandby,
    /// The node is frozen until another one has taken over, and then learns of it.
    FrozenNode,
    /// The node is killed, and its index is lost.
    NodeAndIndex,
    /// A broker is killed, and play goes on; then the node is killed.
    Broker,
    /// A broker is frozen, and play goes on; then the node is killed.
    FrozenBroker,
}

const FAULTS: [Fault; 6] = [
    Fault::Broker,
    Fault::Node,
    Fault::NodeWithStandby,
    Fault::FrozenBroker,
    Fault::FrozenNode,
    Fault::NodeAndIndex,
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
}

/// Waits until a node says where it listens.
async fn started(mut process: Process) -> (Process, Server) {
    let listening = tokio::task::spawn_blocking(move || {
        let server = process.server();
        (process, server)
    });
    timeout(STARTING, listening).await.expect("the node starts").unwrap()
}

/// All people play, until their connections break or their tables have gone on.
async fn play(crews: &mut [Crew], server: &Server, patient: bool) {
    let playing = crews.iter_mut().map(|crew| crew.play(server, patient));
    futures_util::future::join_all(playing).await;
}

/// Plays until every table has gone on.
async fn play_on(crews: &mut [Crew], server: &Server) {
    let playing = play(crews, server, true);
    timeout(2 * PATIENCE, playing).await.expect("play goes on at every table");
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_was_acknowledged_is_in_the_cluster_after_a_kill() {
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
    let mut crews = crews(seed);
    let mut moves = 0;
    for round in 0..rounds {
        let fault = FAULTS[round as usize % FAULTS.len()];
        // Another machine each time: its index follows what the other one did.
        let data = name(["one.db", "other.db"][round as usize % 2]);
        let (mut process, server) = started(Process::start(&data, &arguments_of_all)).await;
        if round == 0 {
            let second = refused(&name("second.db"), &arguments_of_all);
            assert!(second.contains("serves this cluster already"), "{second}");
        }
        let has_standby = matches!(fault, Fault::NodeWithStandby | Fault::FrozenNode);
        let standby = has_standby.then(|| {
            let arguments = [&arguments_of_all[..], &["--cluster-standby".to_owned()]].concat();
            Process::start(&name("standby.db"), &arguments)
        });
        let broker = chance.below(3) as usize;
        match fault {
            Fault::FrozenNode => play_on(&mut crews, &server).await,
            Fault::Node | Fault::NodeWithStandby | Fault::NodeAndIndex => {
                let moment = Duration::from_millis(200 + u64::from(chance.below(2_000)));
                let killed = async {
                    sleep(moment).await;
                    process.kill();
                };
                timeout(2 * PATIENCE, async {
                    tokio::join!(play(&mut crews, &server, false), killed)
                })
                .await
                .expect("all notice it");
            }
            Fault::Broker => {
                brokers.kill(broker);
                play_on(&mut crews, &server).await;
                brokers.run(broker);
            }
            Fault::FrozenBroker => {
                brokers.freeze(broker);
                play_on(&mut crews, &server).await;
                brokers.thaw(broker);
            }
        }
        let is_frozen = matches!(fault, Fault::FrozenNode);
        let gone = Instant::now();
        if is_frozen {
            process.signal(Signal::STOP);
        } else {
            process.kill();
        }
        if let Some(standby) = standby {
            let (mut standby, server) = started(standby).await;
            println!("taken over after {:?}", gone.elapsed());
            play_on(&mut crews, &server).await;
            if is_frozen {
                process.signal(Signal::CONT);
                let ended = tokio::task::spawn_blocking(move || process.0.wait());
                let ended = timeout(PATIENCE, ended).await.expect("it learns of the other node");
                assert_eq!(ended.unwrap().unwrap().code(), Some(1));
            }
            standby.kill();
        }
        if round == 0 {
            let alone = refused(&data, &[]);
            assert!(alone.contains("serve it with --cluster"), "{alone}");
        }
        if let Fault::NodeAndIndex = fault {
            for ending in ["", "-wal", "-shm"] {
                let _not_there = std::fs::remove_file(format!("{}{ending}", data.display()));
            }
        }
        for crew in &mut crews {
            moves += crew.check(Stored::Cluster(&reader)).await;
        }
        println!("round {round}, {fault:?}: {moves} moves acknowledged so far, all there");
    }
    assert!(moves > 10 * rounds as usize, "hardly anything was played");
    reader.close().await;
}
