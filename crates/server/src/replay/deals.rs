//! Who has seen a deal: a log for each fixed deal and for each game whose deal is repeated or was
//! seen by a link, beside the journals of the tables.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use journal::{AppendError, Fault, Journal, Key};
use serde::{Deserialize, Serialize};
use tracing::warn;
use wire::Code;

use super::access::ReplayAccess;
use super::side_log;
use crate::limits::lock;
use table::{DailyDealId, DealOrigin, PersonId};

/// One entry of the side log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum LogEntry {
    /// A table was opened for the deal. Only in old logs: the record finds the games today.
    Repeated {
        /// Which.
        table: Code,
    },
    /// A person has seen it.
    Seen {
        /// Who.
        by: PersonId,
    },
}

/// How long the start of a deal of the day keeps its players from starting it at another table. By
/// then it is stored that they have seen it, or the start has failed.
const STARTS_WITHIN: Duration = Duration::from_mins(1);

/// Where people have just started deals of a day, and when.
type Starts = HashMap<(DailyDealId, PersonId), (Code, Instant)>;

/// The deals of all games.
#[derive(Clone)]
pub(crate) struct Deals {
    journal: Arc<dyn Journal>,
    replay_access: ReplayAccess,
    /// At which table each person has just started a deal of a day.
    starting: Arc<Mutex<Starts>>,
}

impl Deals {
    pub(crate) fn new(journal: Arc<dyn Journal>, replay_access: ReplayAccess) -> Self {
        Self { journal, replay_access, starting: Arc::default() }
    }

    /// These people have played a deal that a table was opened for.
    pub(crate) async fn played(
        &self,
        of: DealOrigin,
        players: impl IntoIterator<Item = PersonId>,
    ) -> Result<(), AppendError> {
        self.add(of, players.into_iter().map(|by| LogEntry::Seen { by }).collect()).await
    }

    /// Remembers who has seen a deal, in the background.
    pub(crate) fn seen(&self, of: DealOrigin, people: impl IntoIterator<Item = PersonId>) {
        let lines = people.into_iter().map(|by| LogEntry::Seen { by }).collect::<Vec<_>>();
        let deals = self.clone();
        tokio::spawn(async move {
            if let Err(error) = deals.add(of, lines).await {
                warn!(deal = %of, %error, "the people who have seen a deal could not be stored");
            }
        });
    }

    /// The people who have seen a deal.
    pub(crate) async fn knowing(&self, of: DealOrigin) -> Result<HashSet<PersonId>, Fault> {
        let mut people = match of {
            DealOrigin::Game(game) => self.replay_access.spectators(game).await?,
            DealOrigin::Fixed(_) | DealOrigin::Daily(_) => HashSet::new(),
        };
        people.extend(self.lines(of).await?.iter().filter_map(|line| match line {
            LogEntry::Seen { by } => Some(*by),
            LogEntry::Repeated { .. } => None,
        }));
        Ok(people)
    }

    /// These people start a deal of a day at a table, if none of them has just started it at another
    /// one. Returns those who have: two starts at the same moment would both find that they have
    /// not seen it.
    pub(crate) fn starting_elsewhere(
        &self,
        deal: DailyDealId,
        table: Code,
        players: &[PersonId],
    ) -> Vec<PersonId> {
        let mut starting = lock(&self.starting);
        starting.retain(|_, (_, at)| at.elapsed() < STARTS_WITHIN);
        let is_elsewhere = |person: &&PersonId| {
            starting.get(&(deal, **person)).is_some_and(|(other, _)| *other != table)
        };
        let elsewhere = players.iter().filter(is_elsewhere).copied().collect::<Vec<_>>();
        if elsewhere.is_empty() {
            let now = Instant::now();
            starting.extend(players.iter().map(|person| ((deal, *person), (table, now))));
        }
        elsewhere
    }

    /// Adds what does not stand there yet.
    async fn add(&self, of: DealOrigin, mut lines: Vec<LogEntry>) -> Result<(), AppendError> {
        let missing = |known: &[LogEntry]| {
            lines.retain(|line| !known.contains(line));
            lines.clone()
        };
        side_log::add(&*self.journal, &key(of)?, missing).await
    }

    async fn lines(&self, of: DealOrigin) -> Result<Vec<LogEntry>, Fault> {
        side_log::lines(&*self.journal, &key(of)?).await
    }
}

fn key(of: DealOrigin) -> Result<Key, Fault> {
    match of {
        DealOrigin::Game(game) => side_log::key(game.table, &format!("deal{}", game.game)),
        DealOrigin::Fixed(deal) => side_log::own_key(&format!("fixed_{deal}")),
        DealOrigin::Daily(deal) => side_log::own_key(&format!("daily_{deal}").replace('-', "_")),
    }
}
