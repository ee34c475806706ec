//! Nothing is lost: the real server is killed at random moments while people play, again and again.
//!
//! `cargo xtask crash --rounds 200` runs it longer than CI does.

#[path = "../../../cluster/tests/cluster/brokers.rs"]
mod brokers;
#[path = "../../../server/tests/common/mod.rs"]
mod common;

mod cluster_node;
mod copying;
mod crew;
mod kept;

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{PATIENCE, Server};
use crew::Crew;
use kept::Stored;
use rules::door::GameName;
use rules::kit::{Chance, Seed};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

/// What is played, all at the same time; the last number is how many of the players are bots.
const TABLES: &[(&str, usize, usize)] = &[
    (r#"{"game":"mind","players":2}"#, 2, 0),
    (r#"{"game":"mind","players":4}"#, 4, 0),
    (r#"{"game":"mind","players":3}"#, 3, 1),
    (r#"{"game":"extreme","players":3}"#, 3, 0),
    (r#"{"game":"soulmates","players":3}"#, 3, 0),
    (r#"{"game":"royale","players":2}"#, 2, 0),
    (r#"{"game":"royale","players":3}"#, 3, 0),
];

/// One round of this number lasts until every table has gone on; all others end at any moment.
const PATIENT_EVERY: u32 = 10;

fn number(name: &str, otherwise: u32) -> u32 {
    std::env::var(name).ok().map_or(otherwise, |text| text.parse().expect(name))
}

/// The program as an operator starts it.
struct Process(Child);

impl Process {
    fn start(data: &Path, more: &[String]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_unspoken"));
        command
            .args(["serve", "--listen=127.0.0.1:0", "--metrics=127.0.0.1:0", "--log=error"])
            .args(["--address-rate=100000/100000", "--message-rate=100000/100000"])
            .args(["--byte-rate=1000000000/1000000000", "--change-rate=100000/100000"])
            .args(["--address-byte-rate=1000000000/1000000000", "--newcomer-rate=100000/100000"])
            .args(["--table-rate=100000/100000", "--connections-per-address=1000"])
            .arg("--data")
            .arg(data)
            .args(more)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        Self(command.spawn().expect("the program starts"))
    }

    /// Waits until it says where it listens.
    fn server(&mut self) -> Server {
        let mut line = String::new();
        BufReader::new(self.0.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("Unspoken listens at http://").expect(&line);
        Server::at(address.parse().unwrap())
    }

    /// SIGKILL: the server gets no chance to say goodbye.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// The people of all tables.
fn crews(seed: u32) -> Vec<Crew> {
    let crew = |(index, table): (usize, &_)| {
        Crew::new(*table, Chance::new(Seed::from(u64::from(seed)), index as u64 + 1))
    };
    TABLES.iter().enumerate().map(crew).collect()
}

impl Drop for Process {
    fn drop(&mut self) {
        // When a test fails nothing may be left running.
        let _ended = self.0.kill();
        let _ended = self.0.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_was_acknowledged_is_there_after_a_kill() {
    for game in GameName::ALL {
        let name = format!("\"{game}\"");
        assert!(TABLES.iter().any(|(wish, ..)| wish.contains(&name)), "TABLES has no {game}");
    }
    let rounds = number("UNSPOKEN_CRASH_ROUNDS", 20);
    let seed = number("UNSPOKEN_CRASH_SEED", 0);
    println!("cargo xtask crash --rounds {rounds} --seed {seed}");
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("tables.db");
    let mut chance = Chance::new(Seed::from(u64::from(seed)), 0);
    let mut crews = crews(seed);
    let (mut kills_at_start, mut moves) = (0, 0);
    for round in 1..=rounds {
        let mut process = Process::start(&data, &[]);
        let patient = round == rounds || round % PATIENT_EVERY == 0;
        // Now and then it is killed before it listens.
        if !patient && chance.once_in(8) {
            sleep(Duration::from_micros(u64::from(chance.below(20_000)))).await;
            process.kill();
            kills_at_start += 1;
            continue;
        }
        let server = process.server();
        let playing = futures_util::future::join_all(
            crews.iter_mut().map(|crew| crew.play(&server, patient)),
        );
        if patient {
            timeout(2 * PATIENCE, playing).await.expect("play goes on at every table");
        } else {
            let moment = Duration::from_micros(u64::from(chance.below(400_000)));
            // People are interrupted in the middle of what they do when the server dies.
            let killed = async {
                sleep(moment).await;
                process.kill();
            };
            timeout(2 * PATIENCE, async { tokio::join!(playing, killed) })
                .await
                .expect("all notice it");
        }
        process.kill();
        for crew in &mut crews {
            moves += crew.check(Stored::File(&data)).await;
        }
        println!("round {round}: {moves} moves acknowledged so far, all there");
    }
    assert!(moves > 10 * rounds as usize, "hardly anything was played");
    println!("{rounds} kills, {kills_at_start} of them while starting; {moves} moves, none lost");
}
