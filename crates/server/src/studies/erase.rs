//! Deleting what participants gave: it leaves the file, not only the program's sight.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use journal::{Fault, Key};
use study::ParticipationId;
use table::{Entry, PersonId};
use tracing::info;
use wire::{Code, StudyName};

use super::ledger::LogLine;
use super::registry::RunningStudy;
use crate::App;

/// Takes everything that participants gave who are erased out of the file: their answers, the
/// notes of their pages, the parameters of their links and their person. The tables where they
/// played are removed by [`remove_tables`] as soon as no page looks at them.
pub(super) async fn erase(app: &App, running: &RunningStudy) -> Result<(), Fault> {
    running.has_erased.store(false, Ordering::Relaxed);
    let done = erase_all(app, running).await;
    if done.is_err() {
        running.has_erased.store(true, Ordering::Relaxed);
    }
    done
}

async fn erase_all(app: &App, running: &RunningStudy) -> Result<(), Fault> {
    let name = running.study.about.name.clone();
    let mut ledger = running.ledger.lock().await;
    let erased = ledger.cohort.participations().iter().filter(|it| it.erased);
    let erased = erased.map(|it| it.id).collect::<HashSet<_>>();
    let stored = ledger.stored(&*app.studies.journal).await?;
    let mut people = Vec::new();
    for line in &stored {
        if let study::Fact::Arrived { participation, arrival } = &line.fact
            && erased.contains(participation)
            && let Some(person) = arrival.person
        {
            people.push((person, arrival.made));
        }
    }
    for (person, made) in &people {
        if *made {
            app.people.forget(*person).await?;
            app.directory.forget(*person).await;
        }
    }
    let gone = people.iter().map(|(person, _)| *person).collect::<HashSet<_>>();
    let lines = app.shared.operations.rewrite(replacement(name, erased, gone)).await?;
    ledger.cohort.forget_erased();
    info!(study = %running.study.about.name, lines, "what participants gave was deleted");
    Ok(())
}

/// Removes the tables of groups with a participant who is erased, with all that was pressed there.
/// One at which a person still looks is left for the next time. `removed` are those that are gone.
pub(super) async fn remove_tables(
    app: &App,
    running: &RunningStudy,
    removed: &mut HashSet<Code>,
) -> Result<(), Fault> {
    let mut tables = running.tables_of_erased().await;
    tables.retain(|table| !removed.contains(table));
    let (mut keys, mut asleep) = (Vec::new(), Vec::new());
    for table in tables {
        let key = table.as_str().parse::<Key>().map_err(|e| Fault::Disk(e.to_string()))?;
        if app.shared.journal.note(&key).await?.is_none() {
            removed.insert(table);
        } else if let Some(guard) = app.directory.keep_asleep(table).await {
            asleep.push((table, guard));
            keys.push(key);
        }
    }
    if keys.is_empty() {
        return Ok(());
    }
    app.shared.operations.remove(keys).await?;
    // The file is written anew, so that no free page has what was removed.
    app.shared.operations.rewrite(Arc::new(|_line| Ok(None))).await?;
    removed.extend(asleep.iter().map(|(table, _)| *table));
    Ok(())
}

/// Replaces the lines of these participants in the log of their study.
fn replacement(
    name: StudyName,
    erased: HashSet<ParticipationId>,
    people: HashSet<PersonId>,
) -> journal::Replacement {
    let start = format!("{{\"study\":\"{name}\"");
    Arc::new(move |line| {
        if !line.starts_with(&start) {
            return Ok(without_name(line, &people));
        }
        let Ok(mut read) = serde_json::from_str::<LogLine>(line) else { return Ok(None) };
        let is_theirs = read.fact.participation().is_some_and(|id| erased.contains(&id));
        let Some(fact) = read.fact.erased().filter(|_| is_theirs) else { return Ok(None) };
        read.fact = fact;
        let text = serde_json::to_string(&read).map_err(|e| Fault::Damaged(e.to_string()))?;
        Ok(Some(text.into()))
    })
}

/// An entry of a table with neither the name nor the mark of these people.
fn without_name(line: &str, people: &HashSet<PersonId>) -> Option<Box<str>> {
    if line.starts_with("{\"event\"") {
        return None;
    }
    let mut entry = Entry::read(line).ok()?;
    if !entry.forget(|id| people.contains(&id)) {
        return None;
    }
    entry.line().ok().filter(|after| **after != *line)
}
