//! What the operator's requests do.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use futures_util::future::join_all;
use journal::{AuditLine, Fault, Key, Span, StoredPerson, StoredTable};
use serde::Serialize;
use serde_json::{Value, json};
use table::{PersonId, plain_text};
use tracing::info;
use wire::{Code, Listing, ServerMessage, hex};

use super::{
    Announced, AuditList, BlockChange, BlockLine, BlockList, ClosedTable, ForgottenPeople, Noted,
    Part, PersonLine, PersonList, Request, Stage, Subject, TableLine, TableList,
};
use crate::App;
use crate::address::subnet_of;
use crate::blocks::Subject as Blocked;
use crate::calendar::now_s;
use crate::gossip::Gossip;
use crate::people::name_of;
use crate::redaction;

/// How many characters an announcement may have.
const ANNOUNCEMENT_CHARS_MOST: usize = 300;

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
            Request::Block { subject } => written(self.block(subject).await?),
            Request::Unblock { subject } => written(self.unblock(subject).await?),
            Request::Blocks => written(self.blocks().await?),
            Request::Audit { part } => written(self.audit(*part).await?),
            Request::Copied { did, file } => {
                self.note(json!({ "did": did, "file": file })).await?;
                written(Noted {})
            }
            Request::Prune { keep_finished_days, keep_sleeping_days, really } => {
                written(self.prune(*keep_finished_days, *keep_sleeping_days, *really).await?)
            }
            Request::Status => written(self.status().await?),
            Request::Announce { text } => written(self.announce(text).await?),
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
        // Players know the table by the code that replaced its first one.
        let table = self.app.shared.codes.table_of(table).await?.unwrap_or(table);
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

    async fn block(&self, subject: &Subject) -> Result<BlockChange> {
        let subject = match subject {
            Subject::Address(address) => {
                if self.app.admission.proxies.trusts(*address) {
                    bail!(
                        "{address} is a trusted proxy, through which everyone comes: name the client"
                    );
                }
                Blocked::Address(subnet_of(*address))
            }
            Subject::Person(digits) => Blocked::Person(self.find(digits, false).await?),
        };
        let text = subject.to_string();
        let stored = self.app.shared.operations.block(text.as_str().into(), now_s());
        let changed = stored.await?;
        self.app.admission.blocks.add(subject);
        let connections = self.app.people.close_blocked(subject);
        let gossip = Gossip::Blocked { subject: text.clone(), is_blocked: true };
        self.app.shared.owners.tell(&gossip);
        if changed {
            self.note(json!({ "did": "block", "subject": text })).await?;
        }
        Ok(BlockChange { subject: text, changed, connections })
    }

    async fn unblock(&self, subject: &Subject) -> Result<BlockChange> {
        let operations = &self.app.shared.operations;
        // A person may have been deleted since.
        let wanted = match subject {
            Subject::Address(address) => Blocked::Address(subnet_of(*address)).to_string(),
            Subject::Person(digits) => format!("person {digits}"),
        };
        let stored = operations.blocks().await?;
        let is_meant = |text: &str| match subject {
            Subject::Address(_) => text == wanted,
            Subject::Person(_) => text.starts_with(&wanted),
        };
        let mut found = stored.into_iter().map(|it| it.subject).filter(|text| is_meant(text));
        let text = match (found.next(), found.next()) {
            (Some(text), None) => text,
            (Some(_), Some(_)) => bail!("several blocks begin with {wanted}: give more digits"),
            (None, _) => bail!("{wanted} is not blocked: see unspoken blocks"),
        };
        let changed = operations.unblock(text.clone()).await?;
        if let Ok(subject) = text.parse() {
            self.app.admission.blocks.remove(subject);
        }
        let gossip = Gossip::Blocked { subject: text.to_string(), is_blocked: false };
        self.app.shared.owners.tell(&gossip);
        self.note(json!({ "did": "unblock", "subject": text })).await?;
        Ok(BlockChange { subject: text.into(), changed, connections: 0 })
    }

    async fn blocks(&self) -> Result<BlockList> {
        let stored = self.app.shared.operations.blocks().await?;
        let line =
            |block: journal::Block| BlockLine { subject: block.subject.into(), at_s: block.at_s };
        Ok(BlockList { blocks: stored.into_iter().map(line).collect() })
    }

    async fn audit(&self, part: Part) -> Result<AuditList> {
        let (lines, total) = self.app.shared.operations.audited(part.span()).await?;
        let read = |AuditLine { at_s, line }: AuditLine| {
            let mut line = serde_json::from_str::<Value>(&line)?;
            line["at_s"] = json!(at_s);
            Ok(line)
        };
        Ok(AuditList { lines: lines.into_iter().map(read).collect::<Result<_>>()?, total })
    }

    async fn announce(&self, text: &str) -> Result<Announced> {
        let text =
            plain_text(text, ANNOUNCEMENT_CHARS_MOST).map_err(|refused| anyhow!(refused.text))?;
        let text = text.into_owned();
        let connections =
            self.app.people.tell_all(&ServerMessage::Announcement { text: text.clone() });
        self.note(json!({ "did": "announce", "text": text })).await?;
        Ok(Announced { text, connections })
    }

    async fn forget(&self, person: Option<&str>) -> Result<ForgottenPeople> {
        let person = match person {
            Some(digits) => Some(self.find(digits, true).await?),
            None => None,
        };
        if let Some(id) = person {
            self.app.people.forget(id).await?;
            self.app.connections.disconnected(id).await?;
            self.app.directory.forget(id).await;
            self.app.tell_turned_out(id);
        }
        let lines = if self.app.is_clustered { None } else { Some(self.rewrite().await?) };
        let person = person.map(|id| hex(&id.hash()));
        self.note(json!({ "did": "forget", "person": person, "lines": lines })).await?;
        Ok(ForgottenPeople { person, lines })
    }

    /// Takes the names of deleted people out of the file; returns how many lines had one.
    async fn rewrite(&self) -> Result<u64> {
        let operations = &self.app.shared.operations;
        let deleted = operations.deleted().await?.into_iter().collect();
        operations.rewrite(redaction::replacement(deleted)).await.context(
            "the person is deleted, but the name may still be in the file: give the command again",
        )
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
    pub(super) async fn note(&self, did: Value) -> Result<()> {
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
