//! What the operator's requests do.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use futures_util::future::join_all;
use journal::{AuditLine, Fault, Key, Span, StoredPerson, StoredTable};
use serde::Serialize;
use serde_json::{Value, json};
use table::PersonId;
use tracing::info;
use wire::{Code, Listing, hex};

use super::{
    ClosedTable, ForgottenPeople, Part, PersonLine, PersonList, Request, Stage, TableLine,
    TableList,
};
use crate::App;
use crate::calendar::now_s;
use crate::people::name_of;
use crate::redaction;

/// An operator who was let in.
pub(super) struct Operator {
    pub(super) app: Arc<App>,
    /// The number of the user, for the audit log.
    pub(super) user: u32,
}

impl Operator {
    /// Does what is asked. What changes something is noted in the audit log.
    pub(super) async fn answer(&self, request: &Request) -> Result<Value> {
        match request {
            Request::Tables { part } => written(self.tables(*part).await?),
            Request::Close { table } => written(self.close(*table).await?),
            Request::People { part, name } => written(self.people(*part, name.as_deref()).await?),
            Request::Forget { person } => written(self.forget(person.as_deref()).await?),
        }
    }

    async fn tables(&self, part: Part) -> Result<TableList> {
        let (tables, total) = self.app.shared.operations.tables(part.span()).await?;
        let lines = tables.into_iter().map(|stored| self.table_line(stored));
        let tables = join_all(lines).await.into_iter().flatten().collect();
        Ok(TableList { tables, total })
    }

    /// A table's line; `None` for a log beside a table, or a note of another program.
    async fn table_line(
        &self,
        StoredTable { note, changed_s, .. }: StoredTable,
    ) -> Option<TableLine> {
        let listing = serde_json::from_str::<Listing>(&note.text).ok()?;
        let Listing { code, game, taken, chairs, playing } = listing;
        let attendance = self.app.directory.attendance(code).await;
        let stage = match (playing, note.ended) {
            (true, _) => Stage::Playing,
            (false, true) => Stage::Over,
            (false, false) => Stage::Open,
        };
        Some(TableLine {
            table: code,
            game,
            awake: attendance.is_some(),
            stage,
            public: note.listed,
            seated: taken,
            chairs,
            people: attendance.map_or(0, |it| it.people),
            changed_s: attendance.and_then(|it| it.changed_s).max(changed_s),
        })
    }

    async fn close(&self, table: Code) -> Result<ClosedTable> {
        let key = table.as_str().parse::<Key>()?;
        if self.app.shared.journal.note(&key).await?.is_none() {
            return Err(anyhow!("there is no table {table}: see unspoken tables"));
        }
        let people = self.app.directory.close(table).await;
        if let Some(people) = people {
            self.note(json!({ "did": "close", "table": table, "people": people })).await?;
        }
        Ok(ClosedTable { table, people: people.unwrap_or(0), was_awake: people.is_some() })
    }

    async fn people(&self, part: Part, name: Option<&str>) -> Result<PersonList> {
        let operations = &self.app.shared.operations;
        let Some(name) = name else {
            let (people, total) = operations.people(part.span()).await?;
            return Ok(PersonList { people: self.person_lines(people)?, total });
        };
        // Lines are opaque to the journal, so all of them are looked through.
        let (name, wanted) = (name.to_lowercase(), part.span());
        let mut span = Span { skip: 0, most: journal::PAGE_MOST };
        let (mut people, mut found) = (Vec::new(), 0);
        loop {
            let (rows, _) = operations.people(span).await?;
            if rows.is_empty() {
                break;
            }
            span.skip += rows.len() as u64;
            for row in rows {
                if !name_of(&row.line)?.to_string().to_lowercase().contains(&name) {
                    continue;
                }
                if found >= wanted.skip && people.len() < wanted.most {
                    people.push(row);
                }
                found += 1;
            }
        }
        Ok(PersonList { people: self.person_lines(people)?, total: found })
    }

    fn person_lines(&self, people: Vec<StoredPerson>) -> Result<Vec<PersonLine>, Fault> {
        let line = |StoredPerson { hash, line, seen_s, cards }: StoredPerson| {
            let id = PersonId::from_hash(hash);
            Ok(PersonLine {
                person: hex(&hash),
                name: name_of(&line)?.to_string(),
                online: self.app.people.is_online(id),
                seen_s,
                games: cards,
                tables: self.app.shared.seats.tables_of(id, usize::MAX),
            })
        };
        people.into_iter().map(line).collect()
    }

    async fn forget(&self, person: Option<&str>) -> Result<ForgottenPeople> {
        let operations = &self.app.shared.operations;
        let person = match person {
            Some(digits) => Some(self.find(digits, true).await?),
            None => None,
        };
        if let Some(id) = person {
            self.app.people.forget(id).await?;
            self.app.disconnected(id).await?;
            self.app.directory.forget(id).await;
        }
        let deleted = operations.deleted().await?.into_iter().collect();
        let lines = operations.rewrite(redaction::replacement(deleted)).await.context(
            "the person is deleted, but the name may still be in the file: give the command again",
        )?;
        let person = person.map(|id| hex(&id.hash()));
        self.note(json!({ "did": "forget", "person": person, "lines": lines })).await?;
        Ok(ForgottenPeople { person, lines })
    }

    /// The person whose id begins with these digits. With `deleted` the whole id of a person who was
    /// deleted already is known, too.
    async fn find(&self, digits: &str, deleted: bool) -> Result<PersonId> {
        let operations = &self.app.shared.operations;
        let mut span = Span { skip: 0, most: journal::PAGE_MOST };
        let mut found = Vec::new();
        loop {
            let (rows, _) = operations.people(span).await?;
            if rows.is_empty() {
                break;
            }
            span.skip += rows.len() as u64;
            found.extend(rows.iter().map(|row| row.hash).filter(|it| hex(it).starts_with(digits)));
        }
        if found.is_empty() && deleted {
            found = operations.deleted().await?;
            found.retain(|hash| hex(hash) == digits);
        }
        match found[..] {
            [hash] => Ok(PersonId::from_hash(hash)),
            [] => {
                Err(anyhow!("no person has an id that begins with {digits}: see unspoken people"))
            }
            _ => Err(anyhow!(
                "{} people have an id that begins with {digits}: give more digits",
                found.len()
            )),
        }
    }

    /// Notes in the audit log what was done.
    async fn note(&self, did: Value) -> Result<()> {
        info!(user = self.user, %did, "an operator did something");
        let mut line = json!({ "user": self.user });
        if let (Some(line), Value::Object(did)) = (line.as_object_mut(), did) {
            line.extend(did);
        }
        let line = AuditLine { at_s: now_s(), line: line.to_string().into() };
        let noted = self.app.shared.operations.audit(line).await;
        noted.context("it is done, but the audit log cannot be written")
    }
}

fn written(answer: impl Serialize) -> Result<Value> {
    Ok(serde_json::to_value(answer)?)
}
