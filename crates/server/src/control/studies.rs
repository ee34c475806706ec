//! Studies, as an operator sees them.

use std::collections::BTreeMap;
use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use serde_json::json;
use study::{Dataset, Input, Refused, Stage, Study};

use super::operator::Operator;
use super::{StudyLine, StudyList};
use crate::studies::{NotDone, RunningStudy, deals, export};

impl Operator {
    /// Adds a study whose file is right.
    pub(super) async fn add_study(&self, file: &str, text: &str) -> Result<StudyLine> {
        if self.app.is_clustered {
            bail!(
                "a cluster keeps every line for ever, so participants could not withdraw: run \
                 studies on a server with a data file"
            );
        }
        let study = Study::read(file, text)?;
        let name = study.about.name.to_string();
        let changed = self.app.studies.add(study, text.to_owned()).await?;
        let running = self.study(&name).await?;
        if changed {
            let version = running.study.about.version.to_string();
            self.note(json!({ "did": "add-study", "study": name, "version": version })).await?;
        }
        Ok(self.study_line(&running, changed).await)
    }

    /// All studies.
    pub(super) async fn studies(&self) -> Result<StudyList> {
        let mut studies = Vec::new();
        for running in self.app.studies.all().await? {
            studies.push(self.study_line(&running, false).await);
        }
        Ok(StudyList { studies })
    }

    /// The data of a study.
    pub(super) async fn export_study(&self, name: &str) -> Result<Dataset> {
        let running = self.study(name).await?;
        let data = export(&self.app, &running).await?;
        self.note(json!({ "did": "export-study", "study": name })).await?;
        Ok(data)
    }

    /// Closes a study.
    pub(super) async fn close_study(&self, name: &str) -> Result<StudyLine> {
        let running = self.study(name).await?;
        let changed = match self.app.studies.submit(&running, Input::Close).await {
            Ok(_) => true,
            Err(NotDone::Refused(Refused::Closed)) => false,
            Err(error) => return Err(error.into()),
        };
        if changed {
            self.note(json!({ "did": "close-study", "study": name })).await?;
        }
        Ok(self.study_line(&running, changed).await)
    }

    async fn study(&self, name: &str) -> Result<Arc<RunningStudy>> {
        let found = self.app.studies.find(name).await?;
        found.ok_or_else(|| anyhow!("there is no study {name}: see unspoken study list"))
    }

    async fn study_line(&self, running: &RunningStudy, changed: bool) -> StudyLine {
        let cohort = running.cohort().await;
        let study = &running.study;
        let mut ended = BTreeMap::<String, u64>::new();
        for it in cohort.participations() {
            if let Stage::Over(end) = it.stage {
                *ended.entry(<&str>::from(end).to_owned()).or_default() += 1;
            }
        }
        let mut groups = BTreeMap::<String, u64>::new();
        for (number, condition) in study.conditions.iter().enumerate() {
            let counts = |group: &&study::Group| group.counts() && group.condition == number;
            let count = cohort.groups().iter().filter(counts).count() as u64;
            groups.insert(condition.name.clone(), count);
        }
        let shown = running.are_deals_public().await;
        StudyLine {
            study: study.about.name.to_string(),
            version: study.about.version.to_string(),
            path: format!("/study/{}", study.about.name),
            open: cohort.closed().is_none(),
            arrived: cohort.participations().len() as u64,
            on: cohort.participations().iter().filter(|it| !it.is_over()).count() as u64,
            ended,
            groups,
            deals: deals(&self.app.shared.deals, study, shown),
            changed,
        }
    }
}
