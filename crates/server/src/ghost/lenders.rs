//! People who lend their recorded tempo, and what it is.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use journal::{Catalogue, Fault, Key, Page, Search};
use rules::kit::Seat;
use tempo::{Pace, TooFew};
use wire::{GameId, Lender, Refusal};

use crate::App;
use crate::damage::DamagedTables;
use crate::extract::KnownPerson;
use crate::gate::Gate;
use crate::openapi::{refused, schema};
use crate::people::People;
use crate::problem::Problem;
use crate::redaction::RedactedJournal;
use crate::replay::{FinishedGame, NoReplay, ReplayAccess, waits_of};
use table::{Ghost, Occupant, Person, PersonId, Refused};

/// The most games that a person's tempo is measured from, the latest.
const GAMES_MOST: usize = 60;
/// How many of a person's last games are searched for lenders, and how many lenders are listed.
const LOOKED_THROUGH: usize = 30;
const LENDERS_MOST: usize = 12;

/// Finds people who lend their tempo.
pub(crate) struct Lenders {
    pub(crate) redacted: RedactedJournal,
    pub(crate) replay_access: ReplayAccess,
    pub(crate) catalogue: Arc<dyn Catalogue>,
    pub(crate) people: Arc<People>,
    pub(crate) damaged: Arc<DamagedTables>,
    pub(crate) reads: Gate,
}

/// People who lend their recorded tempo.
///
/// At most 12 of the people who played with the person, the latest first, the person included.
/// `add-ghost` in `docs/protocol.md` seats a bot with such a tempo.
#[utoipa::path(
    get,
    path = "/api/ghosts",
    responses(
        (status = 200, description = "The people", body = Vec<schema::Lender>),
        refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<Vec<Lender>>, Problem> {
    let _turn = app.shared.reads.turn().await?;
    Ok(Json(app.shared.lenders.known_to(person.id).await.map_err(Problem::not_kept)?))
}

impl Lenders {
    /// The tempo of the player in a seat of a game that the asker played or watched. Fails if that
    /// player does not lend it or has played too little.
    pub(crate) async fn ghost(
        &self,
        asker: PersonId,
        game: GameId,
        of: Seat,
    ) -> Result<Ghost, Refused> {
        // Before anything is read: a stranger may name any table.
        let watched = self.replay_access.did_watch(game, asker).await.map_err(not_kept)?;
        if !watched
            && !self
                .redacted
                .mentions(&key(game).map_err(not_kept)?, asker)
                .await
                .map_err(not_kept)?
        {
            return Err(not_lent());
        }
        let _turn = self.reads.turn().await?;
        let past = self.past(game).await.map_err(not_kept)?.ok_or_else(not_lent)?;
        let there = watched || past.played(asker);
        let Some(Occupant::Person { id, .. }) =
            past.seating.chairs.get(of.index()).filter(|_| there)
        else {
            return Err(not_lent());
        };
        let person = self.lender(*id).await.map_err(not_kept)?.ok_or_else(not_lent)?;
        match self.pace(person.id).await.map_err(not_kept)? {
            Ok(pace) => Ok(Ghost::new(person, pace)),
            Err(few @ TooFew { plays }) => {
                let count = |plays: usize| plays.try_into().unwrap_or(u32::MAX);
                let (plays, needed) = (count(plays), count(Pace::PLAYS_LEAST));
                Err(Refused::new(Refusal::TooFewPlays { plays, needed }, few.to_string()))
            }
        }
    }

    /// The person, if they are not deleted and lend their tempo now.
    pub(crate) async fn lender(&self, id: PersonId) -> Result<Option<Person>, Fault> {
        Ok(self.people.get(id).await?.filter(|person| person.lends_tempo))
    }

    async fn known_to(&self, asker: PersonId) -> Result<Vec<Lender>, Fault> {
        let (mut met, mut lenders) = (HashSet::new(), Vec::new());
        for past in self.games(asker, LOOKED_THROUGH).await? {
            for (seat, occupant) in past.seating.iter() {
                let Occupant::Person { id, .. } = occupant else { continue };
                if lenders.len() < LENDERS_MOST
                    && met.insert(*id)
                    && let Some(Person { name, .. }) = self.lender(*id).await?
                {
                    lenders.push(Lender { name, game: past.id, seat });
                }
            }
        }
        Ok(lenders)
    }

    /// A person's pace, measured from all their waits in their last games. Moves that a bot made in
    /// their seat do not count.
    async fn pace(&self, person: PersonId) -> Result<Result<Pace, TooFew>, Fault> {
        let games = self.games(person, GAMES_MOST).await?;
        let fit = tokio::task::spawn_blocking(move || {
            let own = games.iter().filter_map(|past| Some((past, past.seat_of_own(person)?)));
            let (mut waits, mut unread) = (Vec::new(), Vec::new());
            for (past, seat) in own {
                match waits_of(past, seat) {
                    Ok(more) => waits.extend(more),
                    Err(none) => unread.push((past.id.table, none)),
                }
            }
            (Pace::fit(&waits), unread)
        });
        let (pace, unread) = fit.await.map_err(|e| Fault::Disk(e.to_string()))?;
        for (table, none) in unread {
            self.damaged.add(table, none);
        }
        Ok(pace)
    }

    /// A person's last games.
    async fn games(&self, person: PersonId, most: usize) -> Result<Vec<FinishedGame>, Fault> {
        let page = Page::first(most);
        let search = Search { collection: person.hash(), labels: Vec::new(), name: None, page };
        let mut games = Vec::new();
        for filed in self.catalogue.find(search).await? {
            if let Ok(table) = filed.key.as_str().parse() {
                games.extend(self.past(GameId { table, game: filed.number }).await?);
            }
        }
        Ok(games)
    }

    /// A game that is over, if there is one and its table can be read.
    async fn past(&self, id: GameId) -> Result<Option<FinishedGame>, Fault> {
        let lines = match self.redacted.lines(&key(id)?).await {
            Ok(lines) => lines,
            Err(Fault::Damaged(_)) => return Ok(None),
            Err(fault) => return Err(fault),
        };
        let past = tokio::task::spawn_blocking(move || FinishedGame::find(&lines, id));
        match past.await.map_err(|e| Fault::Disk(e.to_string()))? {
            Ok(past) => Ok(Some(past)),
            Err(NoReplay::Unknown(_) | NoReplay::StillOn) => Ok(None),
            Err(unread @ NoReplay::Line { .. }) => {
                self.damaged.add(id.table, unread);
                Ok(None)
            }
        }
    }
}

/// The key of a game's table.
fn key(game: GameId) -> Result<Key, Fault> {
    game.table.as_str().parse().map_err(|e: journal::KeyError| Fault::Disk(e.to_string()))
}

fn not_kept(fault: Fault) -> Refused {
    Refused::new(Refusal::NotKept, fault.to_string())
}

/// The same refusal in all cases, so that it does not tell whether the game exists or who played.
pub(crate) fn not_lent() -> Refused {
    Refused::new(Refusal::NotLent, "this person does not lend their tempo, choose another bot")
}
