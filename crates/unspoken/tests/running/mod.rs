//! A server as a process of its own, and people who talk to it.
#![allow(dead_code, reason = "each test uses its own part of this")]

pub mod encrypted;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{self, Message, WebSocket};

/// Ports that the system chooses, so that tests do not meet.
pub const FREE: [&str; 4] = ["--listen", "127.0.0.1:0", "--metrics", "127.0.0.1:0"];

/// The command in a folder of its own, without anything from the environment.
pub fn serve(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unspoken"));
    command.arg("serve").args(arguments).current_dir(folder).env_clear();
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// A server that runs, and is killed when a test fails.
pub struct Running {
    process: Option<Child>,
    log: Option<JoinHandle<()>>,
    logged: Arc<Mutex<String>>,
    pub address: SocketAddr,
    pub metrics: SocketAddr,
}

impl Running {
    pub fn start(folder: &Path, arguments: &[&str]) -> Self {
        Self::wait(serve(folder, arguments))
    }

    pub fn wait(mut command: Command) -> Self {
        let mut process = command.spawn().expect("the program starts");
        // Read the log all the time: a server blocks on a full pipe.
        let log = BufReader::new(process.stderr.take().unwrap());
        let logged = Arc::new(Mutex::new(String::new()));
        let lines = Arc::clone(&logged);
        let log = thread::spawn(move || {
            for line in log.lines() {
                let mut lines = lines.lock().unwrap();
                lines.push_str(&line.unwrap());
                lines.push('\n');
            }
        });
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut said = || lines.next().and_then(Result::ok);
        let (Some(first), Some(second)) = (said(), said()) else {
            log.join().unwrap();
            panic!("{}", logged.lock().unwrap());
        };
        let address = first.strip_prefix("Unspoken listens at ").expect(&first);
        let address = address.trim_start_matches("http://").trim_start_matches("https://");
        let address = address.split('/').next().expect(&first);
        let metrics = second.strip_prefix("Metrics are at http://").expect(&second);
        let metrics = metrics.strip_suffix("/metrics").expect(&second);
        let (address, metrics) = (address.parse().unwrap(), metrics.parse().unwrap());
        Self { process: Some(process), log: Some(log), logged, address, metrics }
    }

    /// The number of its process.
    pub fn pid(&self) -> u32 {
        self.process.as_ref().unwrap().id()
    }

    /// Ends it with a signal and returns its log.
    pub fn end(mut self, signal: &str) -> String {
        let mut process = self.process.take().unwrap();
        let pid = process.id().to_string();
        let started = Instant::now();
        assert!(Command::new("kill").args([signal, &pid]).status().unwrap().success());
        let status = process.wait().unwrap();
        assert!(started.elapsed() < Duration::from_secs(5), "it took {:?}", started.elapsed());
        self.log.take().unwrap().join().unwrap();
        let log = self.logged.lock().unwrap().clone();
        assert_eq!(status.code(), Some(0), "{log}");
        log
    }

    /// Waits until the log has this in it.
    pub fn until_logged(&self, text: &str) {
        let started = Instant::now();
        while !self.logged.lock().unwrap().contains(text) {
            assert!(started.elapsed() < Duration::from_secs(20), "{text:?} is not logged");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// A new person's cookie.
    pub fn name(&self, name: &str) -> String {
        let answer = http(self.address, "POST /api/me", "", &json!({"name": name}).to_string());
        let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: "));
        cookie.expect(&answer).split(';').next().unwrap().to_owned()
    }

    pub fn open(&self, cookie: &str) -> String {
        let wish = r#"{"game":"mind","players":2}"#;
        let more = format!("Cookie: {cookie}\r\n");
        let answer = http(self.address, "POST /api/tables", &more, wish);
        let body = answer.split_once("\r\n\r\n").unwrap().1;
        serde_json::from_str::<Value>(body).unwrap()["table"].as_str().unwrap().to_owned()
    }

    pub fn connect(&self, cookie: &str) -> Person {
        let mut person = self.try_connect(cookie);
        person.say(json!({"t": "hello", "protocol": wire::PROTOCOL, "client": 1}));
        assert_eq!(person.hear()["t"], "welcome");
        person
    }

    /// A connection that has not said hello.
    pub fn try_connect(&self, cookie: &str) -> Person {
        let mut request = format!("ws://{}/ws", self.address).into_client_request().unwrap();
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let (socket, _) = tungstenite::client(request, stream).unwrap();
        Person(socket)
    }
}

/// One request over a connection of its own.
pub fn http(address: SocketAddr, head: &str, more: &str, body: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    let length = body.len();
    let text = format!(
        "{head} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{more}\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    stream.write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            let _ended_already = process.kill();
        }
    }
}

/// A person at the other end of a socket.
pub struct Person(WebSocket<TcpStream>);

impl Person {
    pub fn say(&mut self, message: Value) {
        self.0.send(Message::text(message.to_string())).unwrap();
    }

    pub fn hear(&mut self) -> Value {
        loop {
            if let Message::Text(text) = self.0.read().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    }
}

pub fn text(output: &Output) -> String {
    let all = [&output.stdout[..], &output.stderr[..]].concat();
    String::from_utf8(all).unwrap()
}

/// Runs another command in the folder of a server; its exit code and what it prints as JSON.
pub fn operate(folder: &Path, arguments: &[&str]) -> (Option<i32>, Value) {
    let output = Command::new(env!("CARGO_BIN_EXE_unspoken"))
        .args(arguments)
        .arg("--json")
        .current_dir(folder)
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let printed = serde_json::from_slice(&output.stdout);
    (output.status.code(), printed.unwrap_or_else(|_| Value::String(text(&output))))
}
