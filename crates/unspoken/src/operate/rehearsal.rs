//! `unspoken study rehearse`: a study on a server of its own, with simulated participants who use
//! the same requests and the same sockets as the page.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use clap::Parser;
use serde_json::{Value, json};
use server::control::{self, Request};
use study::{Dataset, Study};
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket};
use wire::{StudyAnswer, StudyForm, StudyItem, StudyItemKind, StudyPage, StudyStep};

use crate::load::{Choice, Update, is_update};

/// How long simulated participants wait for each card between the pile and their own.
const PACE: Duration = Duration::from_millis(4);
/// How long a participant waits for an answer of the server.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often a waiting page asks.
const ASK_EVERY: Duration = Duration::from_millis(500);
/// Commands of this rank and above are no cards.
const CARDS: u32 = 101;

/// The options of a server without limits that a rehearsal could reach.
#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    server: server::Options,
}

/// Runs a study with this many simulated participants, and returns the data that it gives. Fails
/// if the file is wrong, or if the participants do not come to their ends in time.
pub fn rehearse(file: &str, text: &str, participants: u32, limit: Duration) -> Result<Dataset> {
    let study = Study::read(file, text)?;
    let name = study.about.name.to_string();
    let folder = Folder::new()?;
    let data = folder.0.join("rehearsal.db");
    let options = Arguments::try_parse_from([
        "unspoken",
        "--data",
        &data.display().to_string(),
        "--address-rate",
        "100000/100000",
        "--newcomer-rate",
        "100000/100000",
        "--message-rate",
        "1000/1000",
    ])?;
    let runtime = tokio::runtime::Runtime::new()?;
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))?;
    let address = listener.local_addr()?;
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = runtime.spawn(server::run(options.server, listener, None, async {
        let _dropped = stopped.await;
    }));
    let user = super::user();
    let until = Instant::now() + limit;
    let added = Request::AddStudy { file: file.to_owned(), text: text.to_owned() };
    wait_for(&data, until)?;
    control::ask::<Value>(&data, user, &added)?;
    let people = (0..participants).map(|number| {
        let (name, link) = (name.clone(), study.link.clone());
        thread::spawn(move || Simulated::new(address, &name, number, until).run(&link))
    });
    let people = people.collect::<Vec<_>>();
    let mut ends = BTreeMap::<String, u32>::new();
    for person in people {
        let end = person.join().map_err(|_| anyhow!("a simulated participant panicked"))??;
        *ends.entry(end).or_default() += 1;
    }
    let closing = Request::CloseStudy { study: name.clone() };
    control::ask::<Value>(&data, user, &closing)?;
    let exporting = Request::ExportStudy { study: name };
    let mut dataset = control::ask::<Dataset>(&data, user, &exporting)?;
    if control::ask::<Dataset>(&data, user, &exporting)? != dataset {
        bail!("two exports of the same file differ");
    }
    let ends = ends.iter().map(|(end, count)| format!("{count} {end}")).collect::<Vec<_>>();
    dataset.left_out.insert(
        0,
        format!("This is a rehearsal with simulated participants: {}.", ends.join(", ")),
    );
    let _ended_already = stop.send(());
    runtime.block_on(server).context("the server panicked")??;
    Ok(dataset)
}

/// Waits until the operator can reach the server.
fn wait_for(data: &Path, until: Instant) -> Result<()> {
    loop {
        let mut socket = data.to_owned().into_os_string();
        socket.push(".control");
        if Path::new(&socket).exists() {
            return Ok(());
        }
        if Instant::now() >= until {
            bail!("the server of the rehearsal does not start");
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// A folder that is removed with what is in it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Result<Self> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(|e| anyhow!("there is no randomness: {e}"))?;
        let path = std::env::temp_dir().join(format!("unspoken-rehearsal-{}", wire::hex(&random)));
        std::fs::create_dir(&path).with_context(|| path.display().to_string())?;
        Ok(Self(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _gone_already = std::fs::remove_dir_all(&self.0);
    }
}

/// A simulated participant.
struct Simulated {
    address: SocketAddr,
    path: String,
    number: u32,
    until: Instant,
    cookie: String,
    /// The number of the page, and of its last message.
    ids: (u32, u32),
}

impl Simulated {
    fn new(address: SocketAddr, study: &str, number: u32, until: Instant) -> Self {
        let path = format!("/api/study/{study}");
        Self { address, path, number, until, cookie: String::new(), ids: (number + 1, 0) }
    }

    /// Goes all the way, and returns how the study ended.
    fn run(mut self, link: &study::Link) -> Result<String> {
        let id = format!("rehearsal-{:04}", self.number);
        let parameters = [(link.participant.clone(), id)];
        let parameters = parameters.into_iter().collect::<BTreeMap<_, _>>();
        let arrival = json!({ "parameters": parameters, "language": "en", "embedded": false });
        let mut page = self.send("POST", "/arrival", Some(&arrival))?;
        loop {
            if Instant::now() >= self.until {
                bail!("participant {} did not come to an end in time", self.number);
            }
            page = match page.step {
                StudyStep::Ended { end, .. } => return Ok(<&str>::from(end).to_owned()),
                StudyStep::Arrive { .. } => bail!("the server forgot a participant"),
                StudyStep::Consent { version, .. } => {
                    let consent = json!({ "given": true, "version": version });
                    self.send("POST", "/consent", Some(&consent))?
                }
                StudyStep::Instructions { .. } => self.answer(StudyForm::Instructions, &[], 0)?,
                StudyStep::Comprehension { questions, tries_left, .. } => {
                    self.answer(StudyForm::Comprehension, &questions, u32::from(tries_left))?
                }
                StudyStep::Questionnaire { id, items, .. } => {
                    let number = self.number;
                    self.answer(StudyForm::Questionnaire(id), &items, number)?
                }
                StudyStep::Waiting { .. } => {
                    thread::sleep(ASK_EVERY);
                    self.send("GET", "", None)?
                }
                StudyStep::Playing { table, .. } => {
                    self.play(&table.to_string())?;
                    thread::sleep(ASK_EVERY);
                    self.send("GET", "", None)?
                }
            };
        }
    }

    /// Answers questions. `turn` picks among the options: comprehension is tried with each in turn.
    fn answer(&mut self, to: StudyForm, items: &[StudyItem], turn: u32) -> Result<StudyPage> {
        let answers = items.iter().filter_map(|item| {
            let answer = match &item.kind {
                StudyItemKind::Note => return None,
                StudyItemKind::Text { .. } => StudyAnswer::Text("rehearsal".to_owned()),
                StudyItemKind::Number { least, .. } | StudyItemKind::Slider { least, .. } => {
                    StudyAnswer::Number(*least)
                }
                StudyItemKind::Choice { options } => {
                    let option = options.get(turn as usize % options.len().max(1))?;
                    StudyAnswer::Choice(option.id.clone())
                }
                StudyItemKind::Choices { options, least, .. } => {
                    let wanted = usize::from((*least).max(1));
                    let chosen = options.iter().take(wanted);
                    StudyAnswer::Choices(chosen.map(|option| option.id.clone()).collect())
                }
                StudyItemKind::Likert { points, .. } => {
                    StudyAnswer::Likert((turn % u32::from(*points)) as u8 + 1)
                }
            };
            Some((item.id.clone(), answer))
        });
        let answers = answers.collect::<BTreeMap<_, _>>();
        let body = json!({ "to": to, "answers": answers, "took_ms": 1_000 });
        self.send("POST", "/answers", Some(&body))
    }

    /// Plays at a table until its game is over, and sends notes as a page does.
    fn play(&mut self, table: &str) -> Result<()> {
        let mut request = format!("ws://{}/ws", self.address).into_client_request()?;
        request.headers_mut().insert("cookie", self.cookie.parse()?);
        let stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let (mut socket, _) = tungstenite::client(request, stream)
            .map_err(|e| anyhow!("the server refuses a connection: {e}"))?;
        self.ids = (self.ids.0 + 10_000, 0);
        say(
            &mut socket,
            &json!({ "t": "hello", "protocol": wire::PROTOCOL, "client": self.ids.0 }),
        )?;
        say(&mut socket, &json!({ "t": "join", "table": table }))?;
        let mut notes = vec![json!({
            "at": 0.0, "what": { "screen": { "width": 1280, "height": 800, "scale": 1.0 } },
        })];
        let mut due = None::<(Instant, u64, wire::Command)>;
        // The server's clock as the last update told it, and when that was here.
        let mut clock = (0.0, Instant::now());
        while Instant::now() < self.until {
            let wait =
                due.map_or(PATIENCE, |(at, ..)| at.saturating_duration_since(Instant::now()));
            socket.get_ref().set_read_timeout(Some(wait.max(Duration::from_millis(1))))?;
            let text = match socket.read() {
                Ok(Message::Text(text)) => text,
                Ok(Message::Close(_)) => break,
                Ok(_) => continue,
                Err(tungstenite::Error::Io(error)) if is_late(&error) => {
                    if let Some((_, seq, command)) = due.take() {
                        self.ids.1 += 1;
                        let at = clock.0 + clock.1.elapsed().as_secs_f64() * 1e3;
                        say(
                            &mut socket,
                            &json!({
                                "t": "do", "table": table, "id": self.ids.1, "seq": seq,
                                "pressed": at, "command": command,
                            }),
                        )?;
                        notes.push(json!({ "at": at, "what": { "pressed": {
                            "table": table, "client": self.ids.0, "id": self.ids.1,
                            "input": "other",
                        } } }));
                    }
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let bytes = text.as_bytes();
            if !is_update(bytes) {
                continue;
            }
            if is_over(bytes) {
                break;
            }
            let update = Update::scan(bytes)?;
            clock = (show_at(bytes).unwrap_or(clock.0), Instant::now());
            notes.push(json!({
                "at": clock.0, "what": { "shown": { "table": table, "seq": update.seq } },
            }));
            let choice = Choice::of(update.options, bytes)?.command(update.seq as usize);
            due = choice.map(|(rank, command)| {
                let cards = if rank < CARDS { rank.saturating_sub(top_of(bytes)) } else { 0 };
                (Instant::now() + PACE * (cards + 2), update.seq, command)
            });
        }
        for part in notes.chunks(200) {
            let sent = json!({ "notes": part });
            self.request("POST", "/notes", Some(&sent))?;
        }
        let _closed_already = socket.close(None);
        Ok(())
    }

    /// Sends a request whose answer is the participant's page.
    fn send(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<StudyPage> {
        let answer = self.request(method, path, body)?;
        serde_json::from_str(&answer).with_context(|| format!("{method} {path}: {answer}"))
    }

    /// Sends a request, over a connection of its own; returns the answer's body.
    fn request(&mut self, method: &str, path: &str, body: Option<&Value>) -> Result<String> {
        let mut stream = TcpStream::connect(self.address)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let body = body.map(Value::to_string).unwrap_or_default();
        let cookie = if self.cookie.is_empty() {
            String::new()
        } else {
            format!("Cookie: {}\r\n", self.cookie)
        };
        let text = format!(
            "{method} {}{path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{cookie}\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            self.path,
            self.address,
            body.len()
        );
        stream.write_all(text.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").context("the answer has no body")?;
        let status = head.split(' ').nth(1).unwrap_or_default();
        if !status.starts_with('2') {
            bail!("{method} {}{path} is answered with {status}: {body}", self.path);
        }
        let cookie = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("set-cookie").then(|| value.split(';').next())?
        });
        if let Some(cookie) = cookie {
            cookie.clone_into(&mut self.cookie);
        }
        Ok(body.to_owned())
    }
}

fn say(socket: &mut WebSocket<TcpStream>, message: &Value) -> Result<()> {
    Ok(socket.send(Message::text(message.to_string()))?)
}

fn is_late(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut)
}

/// When an update is shown, in milliseconds of the server's clock.
fn show_at(text: &[u8]) -> Option<f64> {
    let key = br#""show_at":"#;
    let rest = &text[memchr::memmem::rfind(text, key)? + key.len()..];
    let end = rest.iter().position(|byte| matches!(byte, b',' | b'}'))?;
    std::str::from_utf8(&rest[..end]).ok()?.parse().ok()
}

/// The last card of the pile in The Mind, as in `"pile":"B7,A18"`; 0 without one, and in games
/// whose piles are written in another way.
fn top_of(text: &[u8]) -> u32 {
    let key = br#""pile":""#;
    let Some(at) = memchr::memmem::rfind(text, key) else { return 0 };
    let rest = &text[at + key.len()..];
    let end = rest.iter().position(|byte| *byte == b'"').unwrap_or(0);
    let last = rest[..end].rsplit(|byte| *byte == b',').next().unwrap_or_default();
    let digits = last.iter().filter(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
}

/// Whether an update says that the game is over.
fn is_over(text: &[u8]) -> bool {
    memchr::memmem::find(text, br#""stage":{"over":"#).is_some()
}
