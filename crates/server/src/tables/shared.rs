//! What all tables share, and what they look up there.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Instant;

use journal::{Fault, Journal, Operations};
use table::fair::{Stamp, Tuning};
use table::{
    Allowance, DailyDealId, DealOrigin, Found, Lookup, Noted, Origin, PersonId, Settings,
    StartCheck,
};
use tokio_util::task::TaskTracker;
use tracing::warn;
use wire::Code;

use crate::address::Subnet;
use crate::advisor::Advisor;
use crate::calendar::Calendar;
use crate::codes::Codes;
use crate::damage::DamagedTables;
use crate::gate::Gate;
use crate::ghost::Lenders;
use crate::limits::{Buckets, Limits};
use crate::metrics::Metrics;
use crate::owners::Owners;
use crate::record::GameOverSignal;
use crate::redaction::RedactedJournal;
use crate::replay::{Deals, ReplayAccess};
use crate::seats::SeatIndex;
use crate::writes::Writes;

/// What all tables share.
pub(crate) struct Shared {
    pub(crate) journal: Arc<dyn Journal>,
    /// What is stored for operators.
    pub(crate) operations: Arc<dyn Operations>,
    /// The tables' lines, as they may be read.
    pub(crate) redacted: RedactedJournal,
    /// The codes that replaced the first codes of tables.
    pub(crate) codes: Codes,
    /// The tables that cannot be read.
    pub(crate) damaged: Arc<DamagedTables>,
    /// Bounds how many tables are read for requests at once.
    pub(crate) reads: Gate,
    /// Bounds how many tables are woken at once.
    pub(crate) wakes: Gate,
    /// Which node has which table.
    pub(crate) owners: Owners,
    /// Who has a seat where.
    pub(crate) seats: SeatIndex,
    /// Given when a game is over.
    pub(crate) game_over: GameOverSignal,
    /// Who watched which game, beside the journal.
    pub(crate) replay_access: ReplayAccess,
    /// Who lends their tempo.
    pub(crate) lenders: Lenders,
    /// Who has seen which deal.
    pub(crate) deals_seen: Deals,
    pub(crate) limits: Limits,
    pub(crate) tuning: Tuning,
    /// What games with a fixed seed and the deals of the day are dealt from.
    pub(crate) deals: String,
    /// What day it is.
    pub(crate) calendar: Calendar,
    pub(crate) chats: Buckets<PersonId>,
    /// How many signs people may still send.
    pub(crate) reactions: Buckets<PersonId>,
    /// How much people and addresses may still have written.
    pub(crate) writes: Writes,
    pub(crate) metrics: Metrics,
    pub(crate) advisor: Advisor,
    /// The tasks of all tables.
    pub(crate) tasks: TaskTracker,
    /// The one clock of `show_at` and of arrivals.
    pub(crate) started: Instant,
    /// Makes numbers of addresses.
    pub(crate) address_hash: RandomState,
}

impl Shared {
    /// What that clock shows.
    pub(crate) fn stamp(&self) -> Stamp {
        self.stamp_at(Instant::now())
    }

    /// What that clock showed at an instant since the start.
    pub(crate) fn stamp_at(&self, at: Instant) -> Stamp {
        Stamp::default().after(at.saturating_duration_since(self.started))
    }

    /// Where a connection comes from, as tables know it: a number from which the address cannot be
    /// found, and another one after each start.
    pub(crate) fn origin_of(&self, address: Subnet) -> Origin {
        Origin(self.address_hash.hash_one(address))
    }

    /// Counts what a table has done.
    pub(super) fn count(&self, noted: Noted) {
        match noted {
            Noted::Moved { arrived } => {
                self.metrics.moves.inc();
                if let Some(arrived) = arrived {
                    let seconds = arrived.until(self.stamp()).as_secs_f64();
                    self.metrics.move_seconds.observe(seconds);
                }
            }
            Noted::Refused(why) => self.metrics.refused(why),
        }
    }

    /// What the operator has set for all tables.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            tuning: self.tuning,
            spectators_most: self.limits.tables.spectators_most,
            // One household may watch together, and strangers still find a place.
            spectators_per_origin_most: (self.limits.tables.spectators_most / 4).max(8),
            chat_chars_most: self.limits.messages.chat_chars_most,
            changes: Allowance {
                burst: self.limits.tables.changes.burst,
                per_second: self.limits.tables.changes.per_second,
            },
            fixed_deals: self.deals.clone(),
            idle_after: self.limits.tables.idle_after.0,
        }
    }
}

impl Shared {
    /// Looks up what a table wants to know.
    pub(super) async fn look_up(&self, table: Code, lookup: Lookup) -> Found {
        match lookup {
            Lookup::DealSeenBy { of } => {
                let people = self.deals_seen.knowing(of).await;
                Found::DealSeenBy(match people {
                    Ok(people) => Ok(people.into_iter().collect()),
                    Err(fault) => {
                        warn!(deal = %of, %fault, "the people who have seen a deal cannot be read");
                        Err(fault.to_string())
                    }
                })
            }
            Lookup::BeforeStart { lenders, deal, players } => {
                let check = self.check_start(table, lenders, deal, &players).await;
                Found::BeforeStart(check.map_err(|fault| fault.to_string()))
            }
            Lookup::NewCode { table } => Found::NewCode(self.codes.draw(table).await),
            Lookup::Ghost { asker, game, of } => {
                Found::Ghost(self.lenders.ghost(asker, game, of).await)
            }
        }
    }

    async fn check_start(
        &self,
        table: Code,
        lenders: Vec<PersonId>,
        deal: Option<DealOrigin>,
        players: &[PersonId],
    ) -> Result<StartCheck, Fault> {
        let mut check = StartCheck::default();
        for person in lenders {
            if self.lenders.lender(person).await?.is_none() {
                check.not_lending.push(person);
            }
        }
        if let Some(of) = deal {
            if let DealOrigin::Daily(deal) = of {
                check.know_deal = self.deals_seen.starting_elsewhere(deal, table, players);
            }
            check.know_deal.extend(self.deals_seen.knowing(of).await?);
            check.day_over = of.daily().is_some_and(|DailyDealId { day, .. }| {
                day != self.calendar.today().0 || self.calendar.is_public(day)
            });
        }
        Ok(check)
    }
}
