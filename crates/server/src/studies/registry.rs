//! The studies of a server.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use journal::{Fault, Journal, Key};
use serde::{Deserialize, Serialize};
use study::{Cohort, Fact, Input, ParticipationInput, Study, Time};
use table::PersonId;
use tokio::sync::Mutex;
use tracing::error;
use wire::{Code, StudyName};

use super::clock::StudyClock;
use super::ledger::{Ledger, NotDone};
use crate::replay::side_log;

/// A line of the log of all studies.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum IndexLine {
    /// A study was added.
    Added {
        /// When, in milliseconds since 1970.
        at: Time,
        /// Its file.
        text: String,
    },
}

/// The studies of a server. They are read when one is asked for first.
pub(crate) struct Studies {
    pub(super) journal: Arc<dyn Journal>,
    pub(super) clock: StudyClock,
    /// `None` until they are read. Held while a study is added.
    found: Mutex<Option<BTreeMap<StudyName, Arc<RunningStudy>>>>,
}

/// A study that participants can reach.
pub(crate) struct RunningStudy {
    pub(crate) study: Arc<Study>,
    /// The text of its file.
    pub(crate) text: String,
    pub(super) ledger: Mutex<Ledger>,
    /// Whether the file still has what participants gave who are erased.
    pub(super) has_erased: AtomicBool,
}

/// Why a study cannot be added.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotAdded {
    /// There is another one of that name.
    #[error("there is a study {0} with another file already: give this one another name")]
    Taken(StudyName),
    /// It cannot be stored.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl RunningStudy {
    /// Everyone in the study, as they are now.
    pub(crate) async fn cohort(&self) -> Cohort {
        self.ledger.lock().await.cohort.clone()
    }
}

impl Studies {
    pub(crate) fn new(journal: Arc<dyn Journal>) -> Self {
        Self { journal, clock: StudyClock::new(), found: Mutex::default() }
    }

    /// The time now.
    pub(crate) fn now(&self) -> Time {
        self.clock.now()
    }

    /// All studies by their names.
    pub(crate) async fn all(&self) -> Result<Vec<Arc<RunningStudy>>, Fault> {
        let mut found = self.found.lock().await;
        Ok(self.read(&mut found).await?.values().cloned().collect())
    }

    /// The study of that name.
    pub(crate) async fn find(&self, name: &str) -> Result<Option<Arc<RunningStudy>>, Fault> {
        let mut found = self.found.lock().await;
        let Ok(name) = name.parse::<StudyName>() else { return Ok(None) };
        Ok(self.read(&mut found).await?.get(&name).cloned())
    }

    /// Adds a study whose file was checked. One that is there with the same file stays as it is;
    /// returns whether it is new.
    pub(crate) async fn add(&self, study: Study, text: String) -> Result<bool, NotAdded> {
        let mut found = self.found.lock().await;
        let known = self.read(&mut found).await?;
        let name = study.about.name.clone();
        if let Some(before) = known.get(&name) {
            let is_same = before.text == text;
            return if is_same { Ok(false) } else { Err(NotAdded::Taken(name)) };
        }
        let line = IndexLine::Added { at: self.now(), text: text.clone() };
        let mut lines = vec![line];
        let key = index_key()?;
        let added = side_log::add(&*self.journal, &key, |_known| std::mem::take(&mut lines));
        added.await.map_err(|e| Fault::Disk(e.to_string()))?;
        let running = self.open(Arc::new(study), text).await?;
        known.insert(name, Arc::new(running));
        Ok(true)
    }

    /// A person is deleted, and with them what they gave to studies.
    pub(crate) async fn forget(&self, person: PersonId) -> Result<(), Fault> {
        for running in self.all().await? {
            let found = running.ledger.lock().await.cohort.of_person(person).map(|it| it.id);
            let Some(id) = found else { continue };
            match self.submit(&running, Input::Of(id, ParticipationInput::Withdraw)).await {
                Ok(_) | Err(NotDone::Refused(_)) => {}
                Err(NotDone::Fault(fault)) => return Err(fault),
            }
        }
        Ok(())
    }

    /// The origins whose pages may embed the page at this address: that of a study, or of a table
    /// where one of its groups plays.
    pub(crate) async fn embedders(&self, path: &str) -> Vec<String> {
        let parts = path.trim_matches('/').split('/').collect::<Vec<_>>();
        let found = match parts[..] {
            ["study", name] => self.find(name).await.ok().flatten(),
            ["table", code] => match code.parse::<Code>() {
                Ok(code) => self.of_table(code).await,
                Err(_) => None,
            },
            _ => None,
        };
        found.map(|running| running.study.link.embedders.clone()).unwrap_or_default()
    }

    /// The study that can be embedded and has a group at this table.
    async fn of_table(&self, code: Code) -> Option<Arc<RunningStudy>> {
        for running in self.all().await.ok()? {
            let may_embed = !running.study.link.embedders.is_empty();
            if may_embed && running.ledger.lock().await.cohort.has_table(code) {
                return Some(running);
            }
        }
        None
    }

    async fn read<'a>(
        &self,
        found: &'a mut Option<BTreeMap<StudyName, Arc<RunningStudy>>>,
    ) -> Result<&'a mut BTreeMap<StudyName, Arc<RunningStudy>>, Fault> {
        if found.is_none() {
            let mut studies = BTreeMap::new();
            let lines = side_log::lines::<IndexLine>(&*self.journal, &index_key()?).await?;
            for IndexLine::Added { text, .. } in lines {
                // A file that this program does not understand keeps no other study away.
                match Study::read("the stored file", &text) {
                    Ok(study) => {
                        let name = study.about.name.clone();
                        match self.open(Arc::new(study), text).await {
                            Ok(running) => drop(studies.insert(name, Arc::new(running))),
                            Err(fault @ Fault::Damaged(_)) => {
                                error!(study = %name, %fault, "the log of a study cannot be read");
                            }
                            Err(fault) => return Err(fault),
                        }
                    }
                    Err(faults) => error!(%faults, "the file of a study cannot be read any more"),
                }
            }
            *found = Some(studies);
        }
        Ok(found.get_or_insert_default())
    }

    async fn open(&self, study: Arc<Study>, text: String) -> Result<RunningStudy, Fault> {
        let mut ledger = Ledger::read(&*self.journal, study.clone()).await?;
        ledger.cohort.start(self.now());
        let has_erased = AtomicBool::new(ledger.has_erased);
        Ok(RunningStudy { study, text, ledger: Mutex::new(ledger), has_erased })
    }

    /// Takes an input in at this time; returns what followed.
    pub(crate) async fn submit(
        &self,
        running: &RunningStudy,
        input: Input,
    ) -> Result<Vec<Fact>, NotDone> {
        let mut ledger = running.ledger.lock().await;
        let facts = ledger.submit(&*self.journal, self.now(), input).await?;
        if facts.iter().any(|fact| matches!(fact, Fact::Erased { .. })) {
            running.has_erased.store(true, Ordering::Relaxed);
        }
        Ok(facts)
    }
}

/// The key of the log of all studies. No study has this name.
fn index_key() -> Result<Key, Fault> {
    side_log::own_key("studies_")
}
