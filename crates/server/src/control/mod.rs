//! The operator's requests: over a socket file beside the data file while a server runs, on the
//! data file itself while none does.
//!
//! A request is one line of JSON and so is its answer, `{"ok":…}` or `{"error":…}`.

mod file;
mod operator;
mod prune;
mod socket;
mod status;
mod studies;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::IpAddr;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use journal::{Glance, Span};
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
    /// Block an address or a person.
    Block {
        /// Which.
        subject: Subject,
    },
    /// End a block.
    Unblock {
        /// Of which address or person.
        subject: Subject,
    },
    /// Everything that is blocked.
    Blocks,
    /// What operators did, the newest first.
    Audit {
        /// Which part of the list.
        part: Part,
    },
    /// Note that the file was copied by another program than the server.
    Copied {
        /// What was done.
        did: CopyKind,
        /// The copy, or the backup that was restored.
        file: PathBuf,
    },
    /// Remove old tables.
    Prune {
        /// Tables whose last game was over this number of days ago or more; `None` keeps them all.
        keep_finished_days: Option<u32>,
        /// Other tables that have slept for this number of days or more; `None` keeps them all.
        keep_sleeping_days: Option<u32>,
        /// Whether to remove them, or only to say which.
        really: bool,
    },
    /// Show a sentence on all connected pages.
    Announce {
        /// What.
        text: String,
    },
    /// How the server is, for `unspoken doctor`.
    Status,
    /// Add a study.
    AddStudy {
        /// The name of its file, for the faults.
        file: String,
        /// The text of its file.
        text: String,
    },
    /// All studies.
    Studies,
    /// The data of a study.
    ExportStudy {
        /// Which.
        study: String,
    },
    /// Take no participants into a study any more. Participants on their way go on to their end.
    CloseStudy {
        /// Which.
        study: String,
    },
    /// Delete a person, and take the names of all deleted people out of the file.
    Forget {
        /// The first digits of the person's id; `None` for those alone who deleted themselves.
        person: Option<String>,
    },
}

/// An address or a person, as an operator names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Subject {
    /// An address. All addresses of an IPv6 /64 network are one.
    Address(IpAddr),
    /// The first digits of a person's id.
    Person(String),
}

/// How the file was copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CopyKind {
    /// To a backup.
    Backup,
    /// From a backup.
    Restore,
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

/// The answer to [`Request::Block`] and [`Request::Unblock`].
#[derive(Debug, Serialize, Deserialize)]
pub struct BlockChange {
    /// The address or person: `address 192.0.2.1` or `person 4a…`.
    pub subject: String,
    /// Whether something has changed.
    pub changed: bool,
    /// How many connections were closed.
    pub connections: u64,
}

/// The answer to [`Request::Blocks`].
#[derive(Debug, Serialize, Deserialize)]
pub struct BlockList {
    /// What is blocked.
    pub blocks: Vec<BlockLine>,
}

/// A block as an operator sees it.
#[derive(Debug, Serialize, Deserialize)]
pub struct BlockLine {
    /// The address or person.
    pub subject: String,
    /// Since when, in seconds since 1970.
    pub at_s: u64,
}

/// The answer to [`Request::Audit`].
#[derive(Debug, Serialize, Deserialize)]
pub struct AuditList {
    /// What was done, a JSON object each: when (`at_s`), by which user, and what (`did`).
    pub lines: Vec<Value>,
    /// How many lines there are in all.
    pub total: u64,
}

/// The answer to [`Request::Prune`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Pruned {
    /// Whether the tables were removed.
    pub removed: bool,
    /// How many tables had a game that is over.
    pub finished: u64,
    /// How many had not.
    pub sleeping: u64,
    /// How many games leave the records with them.
    pub games: u64,
    /// How many tables are kept because it is not known when they last changed.
    pub unknown: u64,
    /// The first thousand of the tables.
    pub tables: Vec<Code>,
}

/// The answer to [`Request::Announce`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Announced {
    /// What is shown.
    pub text: String,
    /// On how many pages.
    pub connections: u64,
}

/// The answer to [`Request::Status`].
#[derive(Debug, Serialize, Deserialize)]
pub struct ServerStatus {
    /// Whether a server uses the file.
    pub runs: bool,
    /// The version of its program.
    pub version: String,
    /// The protocol that it speaks.
    pub protocol: u32,
    /// The format of the file.
    pub format: u32,
    /// The addresses of pages that may talk to it.
    pub origins: Vec<String>,
    /// Whether they were given by `--public-url`.
    pub has_public_url: bool,
    /// The path below which it is reached; empty at the root.
    pub base_path: String,
    /// Why nothing can be stored, if that is so.
    pub fault: Option<String>,
    /// The size of the data file.
    pub file_bytes: u64,
    /// The free space on its disk; `None` if that is not known.
    pub disk_free_bytes: Option<u64>,
    /// The newest time in the audit log and of a change, in seconds since 1970; 0 without one.
    pub newest_s: u64,
    /// How many files may be open; `None` if that is not known.
    pub files_most: Option<u64>,
    /// How many sockets may be open.
    pub sockets_most: u64,
}

/// The answer to [`Request::Copied`].
#[derive(Debug, Serialize, Deserialize)]
pub struct Noted {}

/// The answer to [`Request::Forget`].
#[derive(Debug, Serialize, Deserialize)]
pub struct ForgottenPeople {
    /// The person who was deleted now, if any.
    pub person: Option<String>,
    /// How many lines of journals had the name of a deleted person; `None` in a cluster, where they
    /// still have it.
    pub lines: Option<u64>,
}

/// The answer to [`Request::AddStudy`] and [`Request::CloseStudy`], and a line of
/// [`Request::Studies`].
#[derive(Debug, Serialize, Deserialize)]
pub struct StudyLine {
    /// Its name.
    pub study: String,
    /// The version of its file.
    pub version: String,
    /// Where participants go, below the server's address.
    pub path: String,
    /// Whether it takes participants.
    pub open: bool,
    /// How many have arrived.
    pub arrived: u64,
    /// How many of them are on their way.
    pub on: u64,
    /// How many came to each end, by its name.
    pub ended: BTreeMap<String, u64>,
    /// How many groups of each condition are open or complete, by its name.
    pub groups: BTreeMap<String, u64>,
    /// The commitments to its deals.
    pub deals: Vec<wire::StudyDeal>,
    /// Whether the request has changed something.
    pub changed: bool,
}

/// The answer to [`Request::Studies`].
#[derive(Debug, Serialize, Deserialize)]
pub struct StudyList {
    /// The studies, by their names.
    pub studies: Vec<StudyLine>,
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

/// Notes in the audit log that the file was copied. A file of an older format that no server uses is
/// left as it is: noting it would bring the file up to date.
pub fn note_copy(data: &Path, user: u32, did: CopyKind, file: &Path) -> Result<()> {
    let path = data.canonicalize().with_context(|| data.display().to_string())?;
    if !socket_of(&path).exists() && !Glance::open(&path)?.is_newest()? {
        return Ok(());
    }
    let request = Request::Copied { did, file: file.to_owned() };
    let noted = ask::<Noted>(data, user, &request);
    noted.context("it is done, but the audit log cannot be written").map(|Noted {}| ())
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
