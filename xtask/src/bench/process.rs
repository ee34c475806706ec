//! Programs that are started for a measurement, each on its core, and stopped by their id.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// How long a server may take to answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Options that lift the server's limits: all load comes from one machine.
const NO_LIMITS: &[&str] = &[
    "--address-rate=1000000/1000000",
    "--newcomer-rate=1000000/1000000",
    "--byte-rate=1000000000/1000000000",
    "--address-byte-rate=1000000000/1000000000",
    "--message-rate=1000000/1000000",
    "--table-rate=1000000/1000000",
    "--connections=100000",
    "--connections-per-address=100000",
    "--sockets=100000",
    "--sockets-per-address=100000",
];

/// A server that runs until it is dropped.
pub struct Server {
    child: Child,
    address: SocketAddr,
    /// From its start to its first answer.
    pub ready: Duration,
}

impl Server {
    /// Starts the table server on the first core and waits until it answers.
    pub fn start(program: &Path, data: &Path) -> Result<Self> {
        Self::start_node(program, data, &[])
    }

    /// The same with more options, as those of a node of a cluster.
    pub fn start_node(program: &Path, data: &Path, more: &[String]) -> Result<Self> {
        let mut command = pinned(0, program);
        command.args(["serve", "--listen=127.0.0.1:0", "--metrics=127.0.0.1:0", "--log=error"]);
        command.arg("--data").arg(data).args(NO_LIMITS).args(more);
        Self::run(command)
    }

    /// Starts the bare durable room in the same way.
    pub fn start_bare(program: &Path, data: &Path) -> Result<Self> {
        let mut command = pinned(0, program);
        command.arg(data);
        Self::run(command)
    }

    fn run(mut command: Command) -> Result<Self> {
        let started = Instant::now();
        command.stdin(Stdio::null()).stdout(Stdio::piped());
        let mut child = command.spawn().context("the server could not be started")?;
        let mut line = String::new();
        let out = child.stdout.take().context("the server has no output")?;
        BufReader::new(out).read_line(&mut line)?;
        let address = line.trim().rsplit_once("http://").and_then(|(_, it)| it.parse().ok());
        let Some(address) = address else {
            child.kill()?;
            child.wait()?;
            anyhow::bail!("the server does not say where it listens: {line:?}");
        };
        let mut server = Self { child, address, ready: Duration::ZERO };
        while !server.is_well() {
            ensure!(started.elapsed() < PATIENCE, "the server does not answer");
            std::thread::sleep(Duration::from_millis(2));
        }
        server.ready = started.elapsed();
        Ok(server)
    }

    fn is_well(&self) -> bool {
        self.http("GET /readyz", "", "").is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
    }

    /// Sends one request over a new connection and returns the answer with its head.
    pub fn http(&self, head: &str, cookie: &str, body: &str) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let request = format!(
            "{head} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {cookie}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        );
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Runs the generator against it on the second core.
    pub fn load(&self, program: &Path, arguments: &[&str]) -> Result<Value> {
        let pid = self.child.id().to_string();
        let url = format!("http://{}", self.address);
        let mut command = pinned(1, program);
        command.args(["load", "--json", "--url", &url, "--pid", &pid]).args(arguments);
        let output = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output()?;
        ensure!(output.status.success(), "unspoken load {} failed", arguments.join(" "));
        serde_json::from_slice(&output.stdout).context("the generator does not write JSON")
    }

    /// Stops it as an operator would, and waits until it has ended.
    pub fn stop(mut self) -> Result<()> {
        Command::new("kill").arg(self.child.id().to_string()).status()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // One that has stopped already is not there any more.
        let _stopped = self.child.kill();
        let _stopped = self.child.wait();
    }
}

/// A program on that core, if programs can be put on cores here, with as many files as it may.
fn pinned(core: u8, program: &Path) -> Command {
    let script = r#"ulimit -n 65536 2>/dev/null || ulimit -n "$(ulimit -H -n)"
        if command -v taskset >/dev/null && taskset -c "$0" true 2>/dev/null
        then exec taskset -c "$0" "$@"; else exec "$@"; fi"#;
    let mut command = Command::new("sh");
    command.args(["-c", script, &core.to_string()]).arg(program);
    command
}

/// How many files a program may open here.
pub fn files_most() -> Result<usize> {
    let script = "ulimit -n 65536 2>/dev/null || ulimit -n \"$(ulimit -H -n)\"; ulimit -n";
    let output = Command::new("sh").args(["-c", script]).output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.trim().parse().unwrap_or(usize::MAX))
}
