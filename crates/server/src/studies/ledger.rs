//! A study as its log tells it: facts are durable before they are true.

use std::sync::Arc;

use journal::{AppendError, Fault, Journal, Key};
use serde::{Deserialize, Serialize};
use study::{Cohort, Fact, Input, Refused, Study, Time};
use wire::StudyName;

use crate::replay::side_log;

/// A line of a study's log. The name tells it from the lines of other studies when lines are
/// replaced in the whole file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LogLine {
    pub(crate) study: StudyName,
    pub(crate) at: Time,
    pub(crate) fact: Fact,
}

/// Why an input was not taken in.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotDone {
    /// The study refuses it.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// It cannot be stored, or the log cannot be read.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl From<AppendError> for NotDone {
    fn from(error: AppendError) -> Self {
        Self::Fault(match error {
            AppendError::Fault(fault) => fault,
            conflict @ AppendError::Conflict { .. } => Fault::Disk(conflict.to_string()),
        })
    }
}

/// The log of one study, and everyone in it.
pub(crate) struct Ledger {
    pub(crate) cohort: Cohort,
    name: StudyName,
    key: Key,
    lines: u64,
    /// The time of the last line: the calendar may have been set back since.
    last: Time,
    /// Whether a line has what a participant gave who is erased.
    pub(super) has_erased: bool,
}

impl Ledger {
    /// Reads the log of a study. Fails if a line cannot be read or does not follow.
    pub(crate) async fn read(journal: &dyn Journal, study: Arc<Study>) -> Result<Self, Fault> {
        let name = study.about.name.clone();
        let key = key(&name)?;
        let lines = side_log::lines::<LogLine>(journal, &key).await?;
        let mut cohort = Cohort::new(study);
        let mut last = Time::default();
        for (index, line) in lines.iter().enumerate() {
            let wrong = |e| Fault::Damaged(format!("line {} of study {name}: {e}", index + 1));
            cohort.apply(line.at, &line.fact).map_err(wrong)?;
            last = last.max(line.at);
        }
        let is_erased = |line: &LogLine| {
            let id = line.fact.participation();
            let found = id.and_then(|id| cohort.participation(id));
            found.is_some_and(|it| it.erased) && line.fact.erased().is_some()
        };
        let has_erased = lines.iter().any(is_erased);
        Ok(Self { cohort, name, key, lines: lines.len() as u64, last, has_erased })
    }

    /// Takes an input in: what follows from it is stored, then true. Returns what followed.
    pub(crate) async fn submit(
        &mut self,
        journal: &dyn Journal,
        now: Time,
        input: Input,
    ) -> Result<Vec<Fact>, NotDone> {
        let at = now.max(self.last);
        let facts = self.cohort.propose(at, input)?;
        if facts.is_empty() {
            return Ok(facts);
        }
        let line = |fact: &Fact| {
            let line = LogLine { study: self.name.clone(), at, fact: fact.clone() };
            side_log::written(&line)
        };
        let lines = facts.iter().map(line).collect::<Result<Vec<_>, _>>()?;
        let count = lines.len() as u64;
        journal.append(&self.key, self.lines, lines, None).await?;
        (self.lines, self.last) = (self.lines + count, at);
        for fact in &facts {
            self.cohort.apply(at, fact).map_err(Fault::Damaged)?;
        }
        Ok(facts)
    }

    /// The lines as they are stored.
    pub(crate) async fn stored(&self, journal: &dyn Journal) -> Result<Vec<LogLine>, Fault> {
        side_log::lines(journal, &self.key).await
    }
}

/// The key of a study's log. Names have no `_`, so no two studies share one.
fn key(name: &StudyName) -> Result<Key, Fault> {
    side_log::own_key(&format!("study_{name}"))
}
