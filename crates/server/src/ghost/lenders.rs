//! Who lends their tempo to whom, and what it is.

use std::collections::HashSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use journal::{Catalogue, Fault, Key, Page, Search};
use rules::kit::Seat;
use tempo::{Pace, TooFew};
use wire::{GameId, Lender};

use crate::App;
use crate::http::{Known, Problem};
use crate::memory::Memory;
use crate::people::People;
use crate::replay::{Album, NoReplay, Past, waits_of};
use table::{Ghost, Occupant, Person, PersonId, Refused};

/// So many of somebody's last games are evidence.
const GAMES_MOST: usize = 60;
/// So many of one's last games are looked through for others, and so many of these are told.
const LOOKED_THROUGH: usize = 30;
const LENDERS_MOST: usize = 12;

/// Everybody who can be asked for their tempo.
pub(crate) struct Lenders {
    pub(crate) memory: Memory,
    pub(crate) album: Album,
    pub(crate) catalogue: Arc<dyn Catalogue>,
    pub(crate) people: Arc<People>,
}

/// Those who lend their tempo, among whoever somebody has played with.
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Known(person): Known,
) -> Result<Json<Vec<Lender>>, Problem> {
    Ok(Json(app.shared.lenders.known_to(person.id).await.map_err(Problem::not_kept)?))
}

impl Lenders {
    /// The tempo of whoever sat in a game that this person played or looked on at.
    pub(crate) async fn ghost(
        &self,
        asker: PersonId,
        game: GameId,
        of: Seat,
    ) -> Result<Ghost, Refused> {
        let past = self.past(game).await.map_err(not_kept)?.ok_or_else(not_lent)?;
        let there =
            past.played(asker) || self.album.did_watch(game, asker).await.map_err(not_kept)?;
        let Some(Occupant::Person { id, .. }) =
            past.seating.chairs.get(of.index()).filter(|_| there)
        else {
            return Err(not_lent());
        };
        let person = self.lender(*id).await.map_err(not_kept)?.ok_or_else(not_lent)?;
        match self.pace(person.id).await.map_err(not_kept)? {
            Ok(pace) => Ok(Ghost::new(person, pace)),
            Err(few @ TooFew { .. }) => Err(Refused::new("too-few-plays", few.to_string())),
        }
    }

    /// Whoever lends their tempo now, if they are still known and agree.
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

    /// The pace of somebody in their last games, by every wait. What a machine did for them is none
    /// of theirs.
    async fn pace(&self, person: PersonId) -> Result<Result<Pace, TooFew>, Fault> {
        let games = self.games(person, GAMES_MOST).await?;
        let fit = tokio::task::spawn_blocking(move || {
            let own = games.iter().filter_map(|past| Some((past, past.seat_of_own(person)?)));
            let waits = own.map(|(past, seat)| waits_of(past, seat));
            let waits = waits.collect::<Result<Vec<_>, NoReplay>>()?.concat();
            Ok::<_, NoReplay>(Pace::fit(&waits))
        });
        let fit = fit.await.map_err(|e| Fault::Disk(e.to_string()))?;
        fit.map_err(|e| Fault::Damaged(e.to_string()))
    }

    /// The last games that somebody played.
    async fn games(&self, person: PersonId, most: usize) -> Result<Vec<Past>, Fault> {
        let page = Page::first(most);
        let search = Search { shelf: person.hash(), labels: Vec::new(), name: None, page };
        let mut games = Vec::new();
        for filed in self.catalogue.find(search).await? {
            if let Ok(table) = filed.key.as_str().parse() {
                games.extend(self.past(GameId { table, game: filed.number }).await?);
            }
        }
        Ok(games)
    }

    /// A game that is over, if it can be read.
    async fn past(&self, id: GameId) -> Result<Option<Past>, Fault> {
        let key = id.table.as_str().parse::<Key>().map_err(|e| Fault::Disk(e.to_string()))?;
        let lines = self.memory.lines(&key).await?;
        let past = tokio::task::spawn_blocking(move || Past::find(&lines, id).ok());
        past.await.map_err(|e| Fault::Disk(e.to_string()))
    }
}

fn not_kept(fault: Fault) -> Refused {
    Refused::new("not-kept", fault.to_string())
}

/// Nobody learns by it whether there is such a game, or who sat there.
pub(crate) fn not_lent() -> Refused {
    Refused::new("not-lent", "they do not lend their tempo, choose another bot")
}
