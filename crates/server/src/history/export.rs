//! All that is kept of somebody, for themselves: JSON lines.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use journal::{Fault, Key, PAGE_MOST, Page, Search};
use serde::Serialize;
use tokio::sync::mpsc;
use tracing::warn;
use wire::{Code, Consent, Name};

use crate::App;
use crate::archive;
use crate::http::{Known, Problem};
use table::{Entry, Person, PersonId, TableState, Unplayed};

/// How many tables wait for whoever takes them.
const WAITING_MOST: usize = 2;

/// The first line.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Head<'a> {
    Person {
        /// As it stands in the lines of the games.
        id: PersonId,
        name: &'a Name,
        consent: Consent,
    },
}

/// One line about the person, and then each of their games that is over as a table of its own: its
/// first line is that of an export, so that it can be cut out, told and imported.
pub(crate) async fn export(
    State(app): State<Arc<App>>,
    Known(person): Known,
) -> Result<Response, Problem> {
    let Person { id, name, lends_tempo } = &person;
    let head = Head::Person { id: *id, name, consent: Consent { lends_tempo: *lends_tempo } };
    let head = serde_json::to_string(&head).map_err(Problem::not_kept)? + "\n";
    let tables = app.tables_of(*id).await.map_err(Problem::not_kept)?;
    let (sender, receiver) = mpsc::channel::<Result<Bytes, Fault>>(WAITING_MOST);
    tokio::spawn(async move {
        let _gone = sender.send(Ok(head.into())).await;
        for (key, games) in tables {
            let text = app.cut_out(&key, games).await;
            let failed = text.as_ref().err().cloned();
            // Whoever does not wait for the rest does not get it, and whoever gets a part is told.
            if sender.send(text).await.is_err() || failed.is_some() {
                if let Some(fault) = failed {
                    warn!(%fault, "somebody's games could not be handed out");
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
    /// Every table where somebody sat in a game that is over, and in which games.
    async fn tables_of(&self, person: PersonId) -> Result<BTreeMap<Key, Vec<u32>>, Fault> {
        let mut tables = BTreeMap::<Key, Vec<u32>>::new();
        let mut page = Page::first(PAGE_MOST);
        loop {
            let search = Search { shelf: person.hash(), labels: Vec::new(), name: None, page };
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

    /// These games of a table, each as a table of its own.
    async fn cut_out(&self, key: &Key, games: Vec<u32>) -> Result<Bytes, Fault> {
        let Ok(table) = key.as_str().parse() else { return Ok(Bytes::new()) };
        let lines = self.shared.memory.lines(key).await?;
        let text = tokio::task::spawn_blocking(move || cut_all(&lines, table, &games));
        let text = text.await.map_err(|e| Fault::Disk(e.to_string()))?;
        text.map_err(|e| Fault::Damaged(format!("table {key}: {e}")))
    }
}

fn cut_all(lines: &[Box<str>], table: Code, games: &[u32]) -> Result<Bytes, String> {
    let mut text = String::new();
    let mut push = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    let head = archive::head(table).map_err(|error| error.to_string())?;
    for game in games.iter().rev() {
        push(&head);
        cut(lines, *game)?.iter().for_each(|line| push(line));
    }
    Ok(text.into())
}

/// The lines that one game needs: the opening of the table, the seating when the game began, and
/// all entries until it was over. The luck is left out: other tables may be dealt by the same seed.
fn cut(lines: &[Box<str>], game: u32) -> Result<Vec<Box<str>>, String> {
    let (mut opened, mut arranged, mut seated) = (None, None, None);
    let mut own = Vec::new();
    let read = TableState::<Unplayed>::read_with(lines, |_, table, entry| {
        let entry = entry.without_luck();
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
            Entry::Ended { .. } if is_own => own.push(line),
            Entry::Arranged { .. }
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
