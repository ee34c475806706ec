//! A real server on a free port, and people who talk to it over real sockets.
#![allow(dead_code, reason = "each test uses its own part of this")]

pub mod chance;
pub mod ear;
pub mod network;
pub mod scenes;
pub mod truth;
pub mod whole;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use clap::Parser;
use server::Options;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use wire::{ClientMessage, Code, Command, History, Reader, Request, ServerMessage, Update};

/// Nothing that a test waits for takes longer.
pub const PATIENCE: Duration = Duration::from_secs(20);

/// Every page has its own number.
static PAGES: AtomicU32 = AtomicU32::new(1);

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

/// The defaults with some options changed, as on the command line. Addresses and messages are not
/// limited unless a test asks for it: all people of a test come from one address.
pub fn options(data: &Path, changed: &[&str]) -> Options {
    let data = data.join("tables.db").display().to_string();
    let mut words = vec!["server", "--data", &data];
    for (option, value) in [
        ("--address-rate", "100000/100000"),
        ("--message-rate", "100000/100000"),
        ("--table-rate", "1000/1000"),
        ("--newcomer-rate", "100000/100000"),
        ("--guess-rate", "1000/1000"),
        ("--byte-rate", "1000000000/1000000000"),
        ("--address-byte-rate", "1000000000/1000000000"),
        ("--connections-per-address", "10000"),
    ] {
        if !changed.contains(&option) {
            words.extend([option, value]);
        }
    }
    words.extend(changed);
    let cluster = cluster_words(&data);
    words.extend(cluster.iter().map(String::as_str));
    Arguments::parse_from(words).options
}

/// With `UNSPOKEN_TEST_BROKERS` servers store with these brokers and not in a file: each folder is a
/// cluster of its own. `cargo xtask cluster` runs tests so.
fn cluster_words(data: &str) -> Vec<String> {
    let Ok(brokers) = std::env::var("UNSPOKEN_TEST_BROKERS") else { return Vec::new() };
    // The same for a server that is started again in its folder.
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    vec![
        format!("--cluster={brokers}"),
        format!("--cluster-name=test-{:x}", hasher.finish()),
        "--cluster-streams=1".to_owned(),
        "--cluster-trust-sync".to_owned(),
    ]
}

/// A server that runs until it is stopped or dropped.
pub struct Server {
    pub address: SocketAddr,
    pub folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    running: JoinHandle<()>,
}

impl Server {
    pub async fn start(changed: &[&str]) -> Self {
        Self::start_in(TempDir::new().unwrap(), changed).await
    }

    /// The data file, by which an operator reaches the server.
    pub fn data(&self) -> PathBuf {
        self.folder.path().join("tables.db")
    }

    pub async fn start_in(folder: TempDir, changed: &[&str]) -> Self {
        let options = options(folder.path(), changed);
        Self::start_with(folder, options).await
    }

    /// A server whose options a test has made itself.
    pub async fn start_with(folder: TempDir, options: Options) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel::<()>();
        let running = tokio::spawn(async move {
            let shutdown = async { drop(stopped.await) };
            server::run(options, listener, None, shutdown).await.unwrap();
        });
        Self { address, folder, stop: Some(stop), running }
    }

    /// A server that runs already.
    pub fn at(address: SocketAddr) -> Self {
        let running = tokio::spawn(async {});
        Self { address, folder: TempDir::new().unwrap(), stop: None, running }
    }

    /// Stops it as SIGTERM does, and hands back where it kept everything.
    pub async fn stop(mut self) -> TempDir {
        self.stop.take().unwrap().send(()).unwrap();
        timeout(PATIENCE, &mut self.running).await.unwrap().unwrap();
        self.folder
    }

    /// One request over a connection of its own.
    pub async fn http(&self, head: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        self.try_http(head, headers, body).await.expect("the server answers")
    }

    /// The same, `None` if the server goes away meanwhile.
    pub async fn try_http(
        &self,
        head: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address).await.ok()?;
        let mut text =
            format!("{head} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.address);
        for (name, value) in headers {
            text.extend([*name, ": ", *value, "\r\n"]);
        }
        if !body.is_empty() {
            text += "Content-Type: application/json\r\n";
        }
        let length = body.len().to_string();
        text.extend(["Content-Length: ", &length, "\r\n\r\n", body]);
        stream.write_all(text.as_bytes()).await.ok()?;
        let mut answer = Vec::new();
        timeout(PATIENCE, stream.read_to_end(&mut answer)).await.expect("in time").ok()?;
        Some(Answer::read(&String::from_utf8_lossy(&answer)))
    }

    /// Makes a person with this name and returns their cookie.
    pub async fn name(&self, name: &str) -> String {
        let body = serde_json::json!({ "name": name }).to_string();
        let answer = self.http("POST /api/me", &[], &body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.header("set-cookie").unwrap().split(';').next().unwrap().to_owned()
    }

    /// Opens a table.
    pub async fn open(&self, cookie: &str, wish: &str) -> Code {
        let answer = self.http("POST /api/tables", &[("Cookie", cookie)], wish).await;
        assert_eq!(answer.status, 201, "{answer:?}");
        let body = serde_json::from_str::<serde_json::Value>(&answer.body).unwrap();
        body["table"].as_str().unwrap().parse().unwrap()
    }

    /// A person of that name with an open connection that has said hello.
    pub async fn person(&self, name: &str) -> Person {
        let cookie = self.name(name).await;
        self.again(&cookie).await
    }

    /// The same person on another page, or on one that was loaded again.
    pub async fn again(&self, cookie: &str) -> Person {
        let mut person = self.connect(&[("Cookie", cookie)]).await.unwrap();
        cookie.clone_into(&mut person.cookie);
        person.greet().await;
        person
    }

    /// The same page over a new connection: it counts on.
    pub async fn reconnected(&self, before: Person) -> Person {
        let mut person = self.connect(&[("Cookie", &before.cookie)]).await.unwrap();
        person.cookie.clone_from(&before.cookie);
        (person.client, person.ids) = (before.client, before.ids);
        drop(before);
        person.greet().await;
        person
    }

    /// A bare connection.
    pub async fn connect(&self, headers: &[(&'static str, &str)]) -> Result<Person, Error> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request()?;
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().unwrap());
        }
        let (socket, _) = tokio_tungstenite::connect_async(request).await?;
        let client = PAGES.fetch_add(1, Ordering::Relaxed);
        let socket = ear::Ear::new(socket);
        let (reader, frames) = (Reader::default(), Vec::new());
        Ok(Person { cookie: String::new(), socket, client, ids: 0, reader, frames })
    }
}

/// A person's latest games, as soon as this many are in the record: a game's card follows its end.
pub async fn counted(server: &Server, cookie: &str, games: usize) -> History {
    let asked = async {
        loop {
            let answer = server.http("GET /api/me/games", &[("Cookie", cookie)], "").await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let history = serde_json::from_str::<History>(&answer.body).unwrap();
            if history.games.len() >= games {
                return history;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(PATIENCE, asked).await.expect("the games are on record")
}

/// Reads all messages that a person was sent, from the first connection on.
pub fn read_all(frames: &[String]) -> impl Iterator<Item = ServerMessage> {
    let mut reader = Reader::default();
    frames.iter().map(move |text| reader.read(text).expect("the server speaks the protocol"))
}

/// The answer to an HTTP request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    /// The name of the person that the answer describes; `None` if there is none.
    pub fn name(&self) -> Option<String> {
        let me = serde_json::from_str::<Option<wire::Me>>(&self.body).ok()??;
        Some(me.name.to_string())
    }

    pub fn read(text: &str) -> Self {
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let headers = lines.filter_map(|line| line.split_once(": "));
        Self {
            status: status.and_then(|status| status.parse().ok()).unwrap_or(0),
            headers: headers.map(|(name, value)| (name.to_lowercase(), value.to_owned())).collect(),
            body: body.to_owned(),
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
    }
}

/// A person with a connection to the server.
pub struct Person {
    pub cookie: String,
    /// The page's number.
    pub client: u32,
    pub socket: ear::Ear,
    ids: u32,
    reader: Reader,
    /// Every text that was received.
    pub frames: Vec<String>,
}

impl Person {
    /// Says hello, and waits for the welcome.
    pub async fn greet(&mut self) {
        self.send(&ClientMessage::Hello { protocol: wire::PROTOCOL, client: self.client }).await;
        assert!(matches!(self.hear().await, ServerMessage::Welcome { .. }));
    }

    pub async fn send(&mut self, message: &ClientMessage) {
        self.send_text(&serde_json::to_string(message).unwrap()).await;
    }

    pub async fn send_text(&mut self, text: &str) {
        // A server that has closed the connection is noticed when reading.
        let _closed = self.socket.send(Message::text(text)).await;
    }

    /// The next message, `None` once the connection is closed.
    pub async fn hear_or_end(&mut self) -> Option<ServerMessage> {
        loop {
            match timeout(PATIENCE, self.socket.next()).await.expect("the server says something") {
                Some(Ok(Message::Text(text))) => {
                    let message = self.reader.read(&text).expect("the server speaks the protocol");
                    self.frames.push(text.to_string());
                    return Some(message);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Every message that was received.
    pub fn messages(&self) -> impl Iterator<Item = ServerMessage> {
        read_all(&self.frames)
    }

    pub async fn hear(&mut self) -> ServerMessage {
        self.hear_or_end().await.expect("the connection is open")
    }

    /// The next update.
    pub async fn update(&mut self) -> Update {
        loop {
            if let ServerMessage::Update(update) = self.hear().await {
                return *update;
            }
        }
    }

    /// The next update that is as wanted.
    pub async fn until(&mut self, wanted: impl Fn(&Update) -> bool) -> Update {
        loop {
            let update = self.update().await;
            if wanted(&update) {
                return update;
            }
        }
    }

    pub async fn join(&mut self, table: Code) -> Update {
        self.send(&ClientMessage::Join { table }).await;
        self.update().await
    }

    /// Joins, and waits until everything that was on its way has arrived: the table answers in
    /// order, and no player is missing.
    pub async fn caught_up(&mut self, table: Code) -> Update {
        let mut latest = self.join(table).await;
        let id = self.id();
        self.send(&ClientMessage::Ask { table, id, request: Request::Hold }).await;
        loop {
            match self.hear().await {
                ServerMessage::Update(update) => latest = *update,
                ServerMessage::Refused(refused) if refused.id == Some(id) => return latest,
                _ => {}
            }
        }
    }

    pub fn id(&mut self) -> u32 {
        self.ids += 1;
        self.ids
    }

    /// Asks for something, and waits until it is done or refused with this code.
    pub async fn ask(&mut self, table: Code, request: Request) -> Result<Update, String> {
        let id = self.id();
        self.send(&ClientMessage::Ask { table, id, request }).await;
        self.answer(id).await
    }

    /// Makes a move, and waits until it is done or refused with this code.
    pub async fn act(&mut self, table: Code, seq: u64, command: Command) -> Result<Update, String> {
        let id = self.id();
        self.send(&ClientMessage::Do { table, id, seq, pressed: 0.0, command }).await;
        self.answer(id).await
    }

    pub async fn say(&mut self, table: Code, text: &str) {
        let (id, text) = (self.id(), text.to_owned());
        self.send(&ClientMessage::Say { table, id, text }).await;
    }

    pub async fn answer(&mut self, id: u32) -> Result<Update, String> {
        loop {
            match self.hear().await {
                ServerMessage::Update(update) if update.ack == Some(id) => return Ok(*update),
                ServerMessage::Refused(refused) if refused.id == Some(id) => {
                    return Err(refused.why.code().to_owned());
                }
                _ => {}
            }
        }
    }

    /// Hangs up without a word.
    pub fn hang_up(self) -> String {
        self.cookie
    }
}
