//! The operator's requests: over a socket file beside the data file while a server runs, on the
//! data file itself while none does.
//!
//! A request is one line of JSON and so is its answer, `{"ok":…}` or `{"error":…}`.

mod file;
mod operator;
mod socket;

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use journal::Span;
use rules::door::GameName;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use wire::Code;

pub(crate) use socket::ControlSocket;

/// What an operator asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Request {
    /// The tables, the one with the newest note first.
    Tables {
        /// Which part of the list.
        part: Part,
    },
    /// Send everyone away from a table and put it to sleep.
    Close {
        /// Which.
        table: Code,
    },
    /// The people, those seen last first.
    People {
        /// Which part of the list.
        part: Part,
        /// Only people whose name contains this, in capital or small letters.
        name: Option<String>,
    },
    /// Delete a person, and take the names of all deleted people out of the file.
    Forget {
        /// The first digits of the person's id; `None` for those alone who deleted themselves.
        person: Option<String>,
    },
}

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Which page, from 1.
    pub page: u64,
    /// How many rows a page has, 1 to 1,000.
    pub most: usize,
}

impl Part {
    fn span(self) -> Span {
        let most = self.most.clamp(1, journal::PAGE_MOST);
        Span { skip: self.page.saturating_sub(1).saturating_mul(most as u64), most }
    }
}

/// The answer to [`Request::Tables`].
#[derive(Debug, Serialize, Deserialize)]
pub struct TableList {
    /// The tables of this page.
    pub tables: Vec<TableLine>,
    /// How many tables there are in all.
    pub total: u64,
}

/// A table as an operator sees it.
#[derive(Debug, Serialize, Deserialize)]
pub struct TableLine {
    /// Its code.
    pub table: Code,
    /// What is played.
    pub game: GameName,
    /// Whether it is in memory.
    pub awake: bool,
    /// Whether a game is on, is over or has not begun.
    pub stage: Stage,
    /// Whether strangers find it in the list.
    pub public: bool,
    /// How many chairs are taken.
    pub seated: u8,
    /// How many chairs it has.
    pub chairs: u8,
    /// How many people look at it, players and spectators.
    pub people: u64,
    /// When it last changed, in seconds since 1970; `None` if that is not known.
    pub changed_s: Option<u64>,
}

/// How far a table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// No game has begun.
    Open,
    /// A game is on.
    Playing,
    /// The last game is over.
    Over,
}

/// The answer to [`Request::Close`].
#[derive(Debug, Serialize, Deserialize)]
pub struct ClosedTable {
    /// The table.
    pub table: Code,
    /// How many people were sent away.
    pub people: u64,
    /// Whether it was in memory; otherwise there was nothing to do.
    pub was_awake: bool,
}

/// The answer to [`Request::People`].
#[derive(Debug, Serialize, Deserialize)]
pub struct PersonList {
    /// The people of this page.
    pub people: Vec<PersonLine>,
    /// How many there are in all.
    pub total: u64,
}

/// A person as an operator sees them.
#[derive(Debug, Serialize, Deserialize)]
pub struct PersonLine {
    /// The hash of their secret, as hexadecimal digits.
    pub person: String,
    /// Their name.
    pub name: String,
    /// Whether they are connected.
    pub online: bool,
    /// When they were last seen, in seconds since 1970; `None` if not since that is stored.
    pub seen_s: Option<u64>,
    /// How many games their record has.
    pub games: u64,
    /// The tables where they have a seat in a game that is on.
    pub tables: Vec<Code>,
}

/// The answer to [`Request::Forget`].
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgottenPeople {
    /// The person who was deleted now, if any.
    pub person: Option<String>,
    /// How many lines of journals had the name of a deleted person.
    pub lines: u64,
}

/// What is sent back.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Answer {
    Ok(Value),
    Error(String),
}

/// Asks the server that uses a data file, or does it on the file if no server uses it. `user` is
/// the number of the user who asks, for the audit log. Fails with a sentence that says what to do.
pub fn ask<T: DeserializeOwned>(data: &Path, user: u32, request: &Request) -> Result<T> {
    let missing = || format!("there is no file {}: name the server's --data", data.display());
    let data = data.canonicalize().with_context(missing)?;
    let socket = socket_of(&data);
    let answer = match UnixStream::connect(&socket) {
        Ok(stream) => over(stream, request).with_context(|| socket.display().to_string())?,
        Err(error) => match error.kind() {
            ErrorKind::NotFound | ErrorKind::ConnectionRefused => {
                file::answer(&data, user, request)?
            }
            ErrorKind::PermissionDenied => bail!(
                "{} is for the owner of the data file: run this as that user",
                socket.display()
            ),
            _ => return Err(error).with_context(|| socket.display().to_string()),
        },
    };
    serde_json::from_value(answer).context("the server is of another version: use its own program")
}

/// The socket file of a data file.
fn socket_of(data: &Path) -> PathBuf {
    let mut name = data.to_owned().into_os_string();
    name.push(".control");
    name.into()
}

fn over(mut stream: UnixStream, request: &Request) -> Result<Value> {
    stream.write_all(format!("{}\n", serde_json::to_string(request)?).as_bytes())?;
    let mut line = String::new();
    BufReader::new(stream).read_line(&mut line)?;
    if line.is_empty() {
        bail!("the server closed the connection: see its log");
    }
    match serde_json::from_str(&line)? {
        Answer::Ok(value) => Ok(value),
        Answer::Error(text) => Err(anyhow!(text)),
    }
}
