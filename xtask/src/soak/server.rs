//! The server under soak: a process of its own on one file, asked over loopback.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// The most tables that are woken in one round.
const WAKES_MOST: usize = 40;

/// All people come from this machine; tables fall asleep a few seconds after their people left.
const OPTIONS: &[&str] = &[
    "--table-idle-s=5",
    // One connection wakes many tables, one after the other.
    "--message-rate=10000/10000",
    "--address-rate=10000/10000",
    "--newcomer-rate=10000/10000",
    "--byte-rate=1000000000/1000000000",
    "--address-byte-rate=1000000000/1000000000",
    "--table-rate=10000/10000",
    "--connections-per-address=10000",
    "--sockets-per-address=10000",
];

/// A server that runs until it is dropped.
pub struct Server {
    child: Child,
    program: PathBuf,
    folder: PathBuf,
    address: SocketAddr,
    started: Instant,
    /// Its process number, which tells one life from the next.
    life: u32,
}

/// What was seen of the process at one moment.
#[derive(Clone, Copy)]
pub struct Seen {
    pub resident_bytes: f64,
    pub open_files: f64,
    pub threads: f64,
    /// The data file with its log.
    pub file_bytes: f64,
    pub cpu_s: f64,
    /// Since the process began.
    pub age_s: f64,
    /// How long `/readyz` took.
    pub ready_ms: f64,
}

/// A load that is ready to be put on the server.
pub struct Load(Command);

impl Load {
    /// Runs it to its end.
    pub fn run(mut self) -> Result<Value> {
        let output = self.0.output().context("the load generator could not be started")?;
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "unspoken load failed: {error}");
        serde_json::from_slice(&output.stdout).context("the load generator does not write JSON")
    }
}

impl Server {
    /// Starts a server in the folder and waits until it is ready.
    pub fn start(program: &Path, folder: &Path) -> Result<Self> {
        let mut command = Command::new(program);
        command.args(["serve", "--listen=127.0.0.1:0", "--metrics=127.0.0.1:0", "--log=error"]);
        command.arg("--data").arg(data(folder)).args(OPTIONS).current_dir(folder);
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let started = Instant::now();
        let mut child = command.spawn().context("the server could not be started")?;
        let mut line = String::new();
        let out = child.stdout.take().context("the server has no output")?;
        BufReader::new(out).read_line(&mut line)?;
        let address = line.trim().rsplit_once("http://").and_then(|(_, it)| it.parse().ok());
        let Some(address) = address else {
            child.kill()?;
            child.wait()?;
            bail!("the server does not say where it listens: {line:?}");
        };
        let life = child.id();
        let (program, folder) = (program.to_owned(), folder.to_owned());
        let server = Self { child, program, folder, address, started, life };
        while server.ready().is_err() {
            ensure!(started.elapsed() < PATIENCE, "the server does not become ready");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(server)
    }

    pub fn life(&self) -> u32 {
        self.life
    }

    /// How long the server takes to say that it is ready; fails if it is not.
    fn ready(&self) -> Result<Duration> {
        let asked = Instant::now();
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let head = format!("Host: {}\r\nConnection: close\r\n\r\n", self.address);
        stream.write_all(format!("GET /readyz HTTP/1.1\r\n{head}").as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        ensure!(answer.starts_with("HTTP/1.1 200"), "the server is not ready: {answer}");
        Ok(asked.elapsed())
    }

    /// A run of `unspoken load` against this server.
    pub fn load(&self, program: &Path, arguments: &[&str]) -> Load {
        let mut command = Command::new(program);
        command.args(["load", "--json", "--url", &format!("http://{}", self.address)]);
        command.args(arguments).stdin(Stdio::null());
        Load(command)
    }

    /// The codes of some tables that sleep.
    pub fn asleep(&self) -> Result<Vec<String>> {
        let listed = self.operate(&["tables", "--json"])?;
        let listed = serde_json::from_str::<Value>(&listed)?;
        let tables = listed["tables"].as_array().context("there is no list of tables")?;
        let asleep = tables.iter().filter(|table| table["awake"] == false);
        let codes = asleep.filter_map(|table| table["table"].as_str().map(str::to_owned));
        Ok(codes.take(WAKES_MOST).collect())
    }

    /// Copies the file while it is used; the copy is checked and removed.
    pub fn back_up(&self) -> Result<()> {
        let copy = self.folder.join("copy.db");
        self.operate(&["backup", &copy.to_string_lossy()])?;
        fs::remove_file(copy)?;
        Ok(())
    }

    /// Makes every game in the file again, and returns what the check says.
    pub fn check(&self) -> Result<String> {
        self.operate(&["check"])
    }

    fn operate(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new(&self.program);
        command.args(arguments).arg("--data").arg(data(&self.folder)).stdin(Stdio::null());
        let output = command.output()?;
        let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let error = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success(), "unspoken {} failed: {text}{error}", arguments[0]);
        Ok(text)
    }

    pub fn signal(&self, signal: &str) -> Result<()> {
        let status = Command::new("kill").args([signal, &self.child.id().to_string()]).status()?;
        ensure!(status.success(), "the server could not be sent {signal}");
        Ok(())
    }

    /// Ends it: kills it, or has it drain.
    pub fn end(&mut self, kill: bool) -> Result<()> {
        self.signal(if kill { "-KILL" } else { "-TERM" })?;
        let status = self.child.wait()?;
        ensure!(kill || status.success(), "the server drained with {status}");
        Ok(())
    }

    /// What is to be seen of the process now.
    pub fn look(&self) -> Result<Seen> {
        let process = PathBuf::from(format!("/proc/{}", self.child.id()));
        let status = fs::read_to_string(process.join("status"))?;
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
            number.with_context(|| format!("the process has no {name}"))
        };
        let size = |name: &str| fs::metadata(self.folder.join(name)).map_or(0, |it| it.len());
        let stat = fs::read_to_string(process.join("stat"))?;
        let times = stat.rsplit_once(") ").context("the process has no times")?.1;
        let ticks = times.split(' ').skip(11).take(2).filter_map(|text| text.parse::<f64>().ok());
        Ok(Seen {
            resident_bytes: field("VmRSS:")? * 1_024.0,
            threads: field("Threads:")?,
            open_files: fs::read_dir(process.join("fd"))?.count() as f64,
            file_bytes: (size("tables.db") + size("tables.db-wal")) as f64,
            cpu_s: ticks.sum::<f64>() / 100.0,
            age_s: self.started.elapsed().as_secs_f64(),
            ready_ms: self.ready()?.as_secs_f64() * 1_000.0,
        })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has stopped already is not there any more.
        let _stopped = self.child.kill();
        let _stopped = self.child.wait();
    }
}

fn data(folder: &Path) -> PathBuf {
    folder.join("tables.db")
}
