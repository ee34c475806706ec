//! Everything that is stored about a person, as JSON lines for that person.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use journal::{Fault, Key, PAGE_MOST, Page, Search};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tracing::warn;
use wire::{Code, Consent, Invitation, Mark, Name};

use crate::App;
use crate::extract::KnownPerson;
use crate::journal_file;
use crate::openapi::refused;
use crate::problem::Problem;
use crate::replay::{FinishedGame, revealed_seed};
use table::{Day, Entry, Person, PersonId, TableState, Unplayed};

/// How many tables are read ahead of the download.
const WAITING_MOST: usize = 2;

/// A line that is no part of a game.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ExportLine {
    /// The first line.
    Person {
        /// The id that the journal's entries use.
        id: PersonId,
        name: Name,
        /// The mark, if the person has chosen one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        mark: Option<Mark>,
        consent: Consent,
        /// When each of their devices was signed in, in seconds since 1970.
        #[serde(default)]
        devices: Vec<u64>,
        /// Whether they have a recovery phrase. The phrase itself is not stored.
        #[serde(default)]
        phrase: bool,
        /// The invitations that wait for the person.
        #[serde(default)]
        invitations: Vec<Invitation>,
    },
    /// In place of the games of a table that cannot be read.
    LeftOut { table: Code },
}

/// Everything that is stored about the person.
///
/// A line about the person, then their finished games as `docs/journal.md` describes: each is a
/// table of its own, so that it can be cut out and imported.
#[utoipa::path(
    get,
    path = "/api/me/export",
    responses(
        (status = 200, description = "JSON lines", body = String, content_type = "application/jsonl"),
        refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Response, Problem> {
    let Person { id, name, mark, lends_tempo } = person;
    let (devices, phrase) = app.people.device_times(id).await?;
    let consent = Consent { lends_tempo };
    let invitations = app.waiting_invitations(id).await?;
    let head = ExportLine::Person { id, name, mark, consent, devices, phrase, invitations };
    let head = serde_json::to_string(&head).map_err(Problem::not_kept)? + "\n";
    // Whether there is room at all is said before the answer begins.
    let turn = app.shared.reads.turn().await?;
    let tables = app.tables_of(id).await.map_err(Problem::not_kept)?;
    drop(turn);
    let (sender, receiver) = mpsc::channel::<Result<Bytes, Fault>>(WAITING_MOST);
    tokio::spawn(async move {
        let _gone = sender.send(Ok(head.into())).await;
        for (key, games) in tables {
            let text = app.cut_out(&key, games).await;
            let failed = text.as_ref().err().cloned();
            // Stop if the client is gone, or after a fault, which ends the download with an error.
            if sender.send(text).await.is_err() || failed.is_some() {
                if let Some(fault) = failed {
                    warn!(%fault, "the games of a person could not be exported");
                }
                return;
            }
        }
    });
    let next = |mut receiver: mpsc::Receiver<_>| async {
        let text = receiver.recv().await?;
        Some((text, receiver))
    };
    let mut response = Body::from_stream(stream::unfold(receiver, next)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/jsonl"));
    let file = HeaderValue::from_static("attachment; filename=\"unspoken.jsonl\"");
    headers.insert(header::CONTENT_DISPOSITION, file);
    Ok(response)
}

impl App {
    /// The tables of a person's finished games, with the numbers of those games.
    async fn tables_of(&self, person: PersonId) -> Result<BTreeMap<Key, Vec<u32>>, Fault> {
        let mut tables = BTreeMap::<Key, Vec<u32>>::new();
        let mut page = Page::first(PAGE_MOST);
        loop {
            let search = Search { collection: person.hash(), labels: Vec::new(), name: None, page };
            let found = self.catalogue.find(search).await?;
            for card in &found {
                tables.entry(card.key.clone()).or_default().push(card.number);
            }
            match found.last() {
                Some(last) => page.before = Some(last.turn),
                None => return Ok(tables),
            }
        }
    }

    /// These games of a table, each as a table of its own, or a line that says that they are left
    /// out.
    async fn cut_out(&self, key: &Key, games: Vec<u32>) -> Result<Bytes, Fault> {
        let Ok(table) = key.as_str().parse() else { return Ok(Bytes::new()) };
        // Not held while the client takes what was made of the table before.
        let _turn = self.shared.reads.next_turn().await;
        let lines = match self.shared.redacted.lines(key).await {
            Ok(lines) => lines,
            Err(Fault::Damaged(_)) => return left_out(table),
            Err(fault) => return Err(fault),
        };
        let public = self.shared.calendar.public_until();
        let text = tokio::task::spawn_blocking(move || cut_all(&lines, table, &games, public));
        match text.await.map_err(|e| Fault::Disk(e.to_string()))? {
            Ok(text) => Ok(text),
            Err(why) => {
                self.shared.damaged.add(table, why);
                left_out(table)
            }
        }
    }
}

/// Says in the export that a table's games are missing.
fn left_out(table: Code) -> Result<Bytes, Fault> {
    let line = serde_json::to_string(&ExportLine::LeftOut { table });
    Ok((line.map_err(|e| Fault::Disk(e.to_string()))? + "\n").into())
}

fn cut_all(lines: &[Box<str>], table: Code, games: &[u32], public: Day) -> Result<Bytes, String> {
    let mut text = String::new();
    let mut push = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let head = journal_file::head(table).map_err(|error| error.to_string())?;
    let over = FinishedGame::all(lines, table).map_err(|error| error.to_string())?;
    for game in games.iter().rev() {
        let past = over.iter().find(|past| past.id.game == *game);
        let seed = past.map(|past| revealed_seed(past, public)).transpose();
        let is_revealed = seed.map_err(|error| error.to_string())?.flatten().is_some();
        let revealed = Revealed {
            seed: is_revealed,
            deal: is_revealed && past.is_some_and(|past| past.deal().is_some()),
        };
        push(&head);
        cut(lines, *game, revealed)?.iter().for_each(|line| push(line));
    }
    Ok(text.into())
}

/// Which secrets of a game an export contains.
#[derive(Clone, Copy)]
struct Revealed {
    /// Its seed.
    seed: bool,
    /// The deal that the table was opened for, if the game had it.
    deal: bool,
}

/// The entries of one game: the opening of the table, the seating when the game began, and all
/// entries until its end. Seed and deal are left out unless they are `revealed`: other tables may
/// have the same.
fn cut(lines: &[Box<str>], game: u32, revealed: Revealed) -> Result<Vec<Box<str>>, String> {
    let (mut opened, mut arranged, mut seated) = (None, None, None);
    let mut own = Vec::new();
    let read = TableState::<Unplayed>::read_with(lines, |_, table, entry| {
        let entry = match entry {
            started @ Entry::Started { .. } if revealed.seed => started,
            opened @ Entry::Opened { .. } if revealed.deal => opened,
            other => other.without_luck(),
        };
        let line = entry.line().map_err(|refused| refused.text.into_owned())?;
        let (is_own, is_before) = (table.games() == game, table.games() < game);
        match entry {
            Entry::Opened { .. } => opened = Some(line),
            Entry::Arranged { .. } if is_before => (arranged, seated) = (Some(line), None),
            Entry::Seated { .. } if is_before => seated = Some(line),
            Entry::Started { .. } if is_own => {
                own.extend([opened.take(), arranged.take(), seated.take()].into_iter().flatten());
                own.push(line);
            }
            Entry::Seated { .. } | Entry::Event(_) if is_own && table.is_playing() => {
                own.push(line);
            }
            Entry::Ended { .. } | Entry::Resumed if is_own => own.push(line),
            Entry::Resumed
            | Entry::Takeover { .. }
            | Entry::Admission { .. }
            | Entry::Arranged { .. }
            | Entry::Seated { .. }
            | Entry::Started { .. }
            | Entry::Event(_)
            | Entry::Ended { .. } => {}
        }
        Ok(())
    });
    read.map_err(|bad| bad.to_string())?;
    Ok(own)
}
