//! The network referee: a level pauses when somebody cannot see it or cannot be heard in time.

use rules::kit::{Seat, Seats};
use tracing::warn;
use wire::{Pause, Quality, Trouble};

use super::ConnId;
use super::kept::Course;
use super::task::Task;
use crate::fair::{Claim, Stamp};
use crate::person::PersonId;
use crate::record::Occupant;

impl Task {
    /// Something has changed about a connection, or a pong is there that was waited for.
    pub(super) async fn hear_line(&mut self, conn: ConnId) {
        self.release().await;
        let sits = self
            .clients
            .iter()
            .any(|client| client.conn == conn && self.sits(client.person.id).is_some());
        if sits && !self.referee().await {
            self.plan();
            // Between levels everyone sees how it stands with the others.
            if !self.is_level() {
                self.told = None;
                self.update_all(None);
            }
        }
    }

    /// A page was hidden, or is seen again. What was pressed before it was hidden counts still.
    pub(super) async fn hear_away(
        &mut self,
        conn: ConnId,
        away: bool,
        since: Stamp,
        arrived: Stamp,
    ) {
        let Some(client) = self.clients.iter().find(|client| client.conn == conn) else { return };
        let claim = Claim::judge(arrived, since, client.line.lag(), &self.shared.tuning);
        client.line.turn_away(away.then(|| claim.press()));
        self.referee().await;
    }

    /// Looks at everyone who plays, and pauses the level for those whose connection has gone bad
    /// since it looked last. Says whether it did.
    pub(super) async fn referee(&mut self) -> bool {
        let found = self.troubles();
        let fresh = |(seat, ..): &&(Seat, Trouble, Stamp)| !self.troubled.contains(*seat);
        let fresh = found.iter().filter(fresh).copied().collect::<Vec<_>>();
        self.troubled = found.iter().map(|(seat, ..)| *seat).collect();
        let Some(since) = fresh.iter().map(|(.., since)| *since).min() else { return false };
        if self.is_level() {
            self.settle(since).await;
        }
        // What was pressed before may have ended the level.
        let is_level = self.is_level();
        for (seat, why, _) in fresh {
            if is_level {
                self.paused.push(Pause { seat, why });
            }
            self.owed = self.owed.with(seat);
        }
        if let Err(refused) = self.pay().await {
            warn!(table = %self.code, text = refused.text, "play could not be held");
        }
        self.plan();
        self.update_all(None);
        true
    }

    /// Whether cards are being played, so that everyone has to see the table.
    pub(super) fn is_level(&self) -> bool {
        match &self.kept.course {
            Course::Playing(room) => room.is_level(),
            Course::Gathering { .. } | Course::Over(..) => false,
        }
    }

    /// What the best of a person's connections is like.
    pub(super) fn quality(&self, person: PersonId) -> Option<Quality> {
        let lines = self.clients.iter().filter(|client| client.person.id == person);
        let best = lines.filter_map(|client| client.line.quality());
        best.min_by_key(|quality| quality.trip_ms)
    }

    /// Asks for frequent pings of everyone who plays.
    pub(super) fn hurry(&self) {
        if matches!(self.kept.course, Course::Playing(_)) {
            let now = self.shared.stamp();
            for client in &self.clients {
                if self.sits(client.person.id).is_some() {
                    client.line.hurry(now);
                }
            }
        }
    }

    /// Who is here and yet cannot see the table or be heard in time, why, and since when. One page
    /// that is well is enough.
    fn troubles(&self) -> Vec<(Seat, Trouble, Stamp)> {
        let (now, tuning) = (self.shared.stamp(), &self.shared.tuning);
        let seats = self.kept.seating.iter().filter_map(|(seat, occupant)| {
            let Occupant::Person { id, .. } = occupant else { return None };
            let mut lines = self.clients.iter().filter(|client| client.person.id == *id);
            let first = lines.next()?;
            let why = first.line.trouble(now, tuning)?;
            if lines.any(|client| client.line.trouble(now, tuning).is_none()) {
                return None;
            }
            let since = match why {
                Trouble::Hidden => first.line.away_since(),
                Trouble::Silent => first.line.unanswered_since(),
                Trouble::Unsteady => None,
            };
            Some((seat, why, since.unwrap_or(now)))
        });
        seats.collect()
    }

    /// Forgets why the level had paused once it goes on.
    pub(super) fn unpause(&mut self) {
        if self.is_level() && self.owed == Seats::NONE {
            self.paused.clear();
        }
    }
}
