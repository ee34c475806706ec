//! The tables of groups: opening them, watching who is there, and taking in how games end.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use journal::{Fault, Key};
use rules::kit::Seed;
use study::{EndedGame, GroupId, GroupStage, Input, ParticipationId, Partner};
use table::{Input as TableInput, Person, PersonId};
use tokio::time::MissedTickBehavior;
use tracing::warn;
use wire::{BotKind, Code, GameId, Setup, StudyTable};

use super::deals::seed;
use super::erase::{erase, remove_tables};
use super::ledger::NotDone;
use super::registry::RunningStudy;
use crate::App;
use crate::replay::{Games, reached};

/// How often studies are looked after.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// Deleting what a participant gave rewrites the whole file, while appends wait. What several give
/// back within this time is deleted at once.
const REWRITE_EVERY: Duration = Duration::from_mins(1);

/// A game of a group, ready to be opened at a table.
#[derive(Clone)]
pub(crate) struct StudyGame {
    pub(crate) setup: Setup,
    pub(crate) study: StudyTable,
    /// The people in the first seats, called as the study's file says.
    pub(crate) people: Vec<Person>,
    pub(crate) bots: Vec<BotKind>,
    pub(crate) seed: Seed,
}

/// A group at its table.
struct Seated {
    group: GroupId,
    table: Code,
    members: Vec<(ParticipationId, Option<PersonId>)>,
}

/// What was done at tables since the server started, and need not be done again.
#[derive(Default)]
struct Done {
    /// Whose game was ended.
    ended: HashSet<Code>,
    /// Which were removed.
    removed: HashSet<Code>,
    /// When the file was rewritten last.
    rewritten: Option<Instant>,
}

/// Looks after all studies until the task is stopped.
pub(crate) async fn run(app: Arc<App>) {
    let mut every = tokio::time::interval(LOOK_EVERY);
    every.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut done = Done::default();
    loop {
        every.tick().await;
        let studies = match app.studies.all().await {
            Ok(studies) => studies,
            Err(fault) => {
                warn!(%fault, "the studies cannot be read");
                continue;
            }
        };
        for running in studies {
            if let Err(error) = app.look_after(&running, &mut done).await {
                warn!(study = %running.study.about.name, %error, "a study could not go on");
            }
        }
    }
}

impl App {
    /// Takes in what happened at the tables of a study, lets its time pass, and opens the tables
    /// of groups that are ready.
    async fn look_after(&self, running: &RunningStudy, done: &mut Done) -> Result<(), NotDone> {
        let (playing, broken) = running.tables().await;
        for seated in playing {
            self.watch_table(running, seated).await?;
        }
        for table in broken {
            if done.ended.insert(table)
                && let Err(error) = self.directory.tell(table, TableInput::StudyEndsGame).await
            {
                warn!(%table, %error, "the game of a broken group could not be ended");
            }
        }
        self.studies.submit(running, Input::Tick).await?;
        let may_rewrite = done.rewritten.is_none_or(|at| at.elapsed() >= REWRITE_EVERY);
        if may_rewrite && running.has_erased.load(Ordering::Relaxed) {
            erase(self, running).await?;
            done.rewritten = Some(Instant::now());
        }
        remove_tables(self, running, &mut done.removed).await?;
        self.open_tables(running).await
    }

    /// Notes who of a group is at its table, and takes in the end of the game.
    async fn watch_table(&self, running: &RunningStudy, seated: Seated) -> Result<(), NotDone> {
        let Seated { group, table, members } = seated;
        for (participation, person) in members {
            if let Some(person) = person
                && self.directory.is_here(table, person).await
            {
                let now = self.studies.now();
                running.ledger.lock().await.cohort.see(participation, now);
            }
        }
        if self.directory.is_playing(table).await == Some(true) {
            return Ok(());
        }
        let Some(result) = self.result_at(table).await? else { return Ok(()) };
        match self.studies.submit(running, Input::Played { group, result }).await {
            // It was broken meanwhile.
            Ok(_) | Err(NotDone::Refused(_)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// How the game at a table ended; `None` while it is on.
    async fn result_at(&self, table: Code) -> Result<Option<EndedGame>, Fault> {
        let key = table.as_str().parse::<Key>().map_err(|e| Fault::Disk(e.to_string()))?;
        let lines = self.shared.redacted.lines(&key).await?;
        let read = tokio::task::spawn_blocking(move || {
            let games = Games::read(&lines, table).map_err(|e| Fault::Damaged(e.to_string()))?;
            let id = GameId { table, game: 1 };
            let Some(past) = games.over.into_iter().find(|past| past.id == id) else {
                return Ok(None);
            };
            let reached = reached(&past).map_err(|e| Fault::Damaged(e.to_string()))?;
            Ok(Some(EndedGame { outcome: past.outcome, reached: Some(reached) }))
        });
        read.await.map_err(|_stopped| Fault::Closed)?
    }

    /// Opens a table for each group whose people are all ready.
    async fn open_tables(&self, running: &RunningStudy) -> Result<(), NotDone> {
        for (group, game) in running.ready(&self.shared.deals).await {
            match self.directory.open_for_study(&game).await {
                Ok(table) => {
                    match self.studies.submit(running, Input::Opened { group, table }).await {
                        // A member has left meanwhile: the table stays empty.
                        Ok(_) | Err(NotDone::Refused(_)) => {}
                        Err(error) => return Err(error),
                    }
                }
                Err(refused) => {
                    warn!(why = refused.why.code(), "a group of a study got no table");
                }
            }
        }
        Ok(())
    }
}

impl RunningStudy {
    /// The groups at their tables, and the tables of groups that are broken.
    async fn tables(&self) -> (Vec<Seated>, Vec<Code>) {
        let ledger = self.ledger.lock().await;
        let cohort = &ledger.cohort;
        let seated = cohort.playing_groups().map(|(group, table)| {
            let members = group
                .members
                .iter()
                .map(|id| (*id, cohort.participation(*id).and_then(|it| it.arrival.person)));
            Seated { group: group.id, table, members: members.collect() }
        });
        let broken = cohort.groups().iter().filter_map(|group| match group.stage {
            GroupStage::Broken { .. } if group.played.len() < group.tables.len() => {
                group.tables.last().copied()
            }
            _ => None,
        });
        (seated.collect(), broken.collect())
    }

    /// The tables of groups with a participant who is erased.
    pub(super) async fn tables_of_erased(&self) -> Vec<Code> {
        let ledger = self.ledger.lock().await;
        let cohort = &ledger.cohort;
        let is_erased =
            |id: &ParticipationId| cohort.participation(*id).is_some_and(|it| it.erased);
        let groups = cohort.groups().iter().filter(|group| group.members.iter().any(is_erased));
        groups.flat_map(|group| group.tables.iter().copied()).collect()
    }

    /// The next games of groups whose people are all ready.
    async fn ready(&self, secret: &str) -> Vec<(GroupId, StudyGame)> {
        let ledger = self.ledger.lock().await;
        let (cohort, study) = (&ledger.cohort, &self.study);
        let ready = cohort.ready_groups().filter_map(|(group, number)| {
            let condition = study.conditions.get(group.condition)?;
            let place = *group.order.get(usize::from(number))?;
            let game = condition.games.get(usize::from(place))?;
            let people = group.members.iter().zip(&study.table.names).map(|(id, name)| {
                let id = cohort.participation(*id)?.arrival.person?;
                Some(Person { id, name: name.clone(), mark: None, lends_tempo: false })
            });
            let bots = condition.partners.iter().filter_map(|partner| match partner {
                Partner::Bot(kind) => Some(*kind),
                Partner::Person => None,
            });
            let table = StudyTable {
                name: study.about.name.clone(),
                chat: study.table.chat,
                signs: study.table.signs,
            };
            let game = StudyGame {
                setup: game.setup,
                study: table,
                people: people.collect::<Option<_>>()?,
                bots: bots.collect(),
                seed: seed(secret, study, &game.deals, place),
            };
            Some((group.id, game))
        });
        ready.collect()
    }
}
