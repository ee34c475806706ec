//! The people with whom a person has played, and invitations between them, over HTTP.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use journal::{Invitation as StoredInvitation, Side};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;
use wire::{Code, Companion, Invitation, Refusal, Setup, hex};

use super::card::CardSeat;
use super::recorded::RecordedGame;
use crate::App;
use crate::extract::{Client, JsonObject, KnownPerson};
use crate::openapi::{refused, schema};
use crate::opening::OpenedTable;
use crate::problem::Problem;
use table::{Founding, PersonId};

/// How many of the latest games are looked through.
const GAMES_MOST: usize = 200;
/// How many people are listed.
const COMPANIONS_MOST: usize = 24;
/// How long an invitation waits.
const INVITED_FOR_S: u64 = 7 * 86_400;
/// How many people may have an invitation waiting for one person.
const INVITATIONS_MOST: u32 = 24;

/// By what a person names another one: a hash of the two, so that it is of no use to a third.
#[derive(Clone, PartialEq, Eq)]
struct CompanionId(String);

impl CompanionId {
    fn of(reader: PersonId, other: PersonId) -> Self {
        let hash = Sha256::new_with_prefix("companion");
        let hash = hash.chain_update(reader.hash()).chain_update(other.hash()).finalize();
        Self(hex(&hash[..16]))
    }
}

impl fmt::Display for CompanionId {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an invitation is for, as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct InvitationLine {
    table: Code,
    setup: Setup,
}

/// The people with whom the person has played.
///
/// From their latest 200 finished games, the one they last played with first.
#[utoipa::path(
    get,
    path = "/api/me/people",
    responses(
        (status = 200, description = "The people", body = Vec<schema::Companion>),
        refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<Vec<Companion>>, Problem> {
    let since_s = app.invited_since_s();
    let sent = app.invitations.invitations(Side::From(person.id.hash()), since_s).await?;
    let mut companions = Vec::new();
    for (other, companion) in app.companions(person.id).await? {
        let invited = sent.iter().find(|invitation| invitation.to == other.hash());
        let invited = invited.and_then(|it| serde_json::from_str::<InvitationLine>(&it.line).ok());
        companions.push(Companion { invited: invited.map(|line| line.table), ..companion });
    }
    Ok(Json(companions))
}

/// Whom the person wants to play with again.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invite {
    person: String,
}

/// Open a table and invite a person to it.
///
/// What is played is the set-up of the last game together. The invitation waits for a week; a new
/// one replaces it. Only for people who have finished a game with each other.
#[utoipa::path(
    post,
    path = "/api/me/invitations",
    request_body = Invite,
    responses(
        (status = 201, description = "The table", body = OpenedTable),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::NotFound,
        refused::TooMany, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn invite(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    Extension(Client(from)): Extension<Client>,
    JsonObject(Invite { person: wanted }): JsonObject<Invite>,
) -> Result<Response, Problem> {
    let companions = app.companions(person.id).await?;
    let found = companions.into_iter().find(|(_, companion)| companion.id == wanted);
    let (other, Companion { setup, .. }) = found.ok_or_else(no_companion)?;
    app.may_open(person.id, from)?;
    let founding = Founding { setup, public: false, by: person.id, deal: None };
    let table = app.directory.open(founding, from).await?;
    let line =
        serde_json::to_string(&InvitationLine { table, setup }).map_err(Problem::not_kept)?;
    let invitation = StoredInvitation {
        to: other.hash(),
        from: person.id.hash(),
        at_s: app.shared.calendar.now_s(),
        line: line.into(),
    };
    let since_s = app.invited_since_s();
    if !app.invitations.invite(invitation, since_s, INVITATIONS_MOST).await? {
        return Err(no_companion());
    }
    Ok((StatusCode::CREATED, Json(OpenedTable { table })).into_response())
}

/// The invitations that wait for the person, the newest first.
#[utoipa::path(
    get,
    path = "/api/me/invitations",
    responses(
        (status = 200, description = "The invitations", body = Vec<schema::Invitation>),
        refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn invitations(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<Vec<Invitation>>, Problem> {
    Ok(Json(app.waiting_invitations(person.id).await?))
}

/// Answer an invitation, which waits no longer.
#[utoipa::path(
    delete,
    path = "/api/me/invitations/{id}",
    params(("id" = String, Path, description = "The `id` of the invitation")),
    responses(
        (status = 204, description = "It waits no longer"),
        refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn answer(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
    KnownPerson(person): KnownPerson,
) -> Result<StatusCode, Problem> {
    let to = Side::To(person.id.hash());
    for stored in app.invitations.invitations(to, 0).await? {
        if CompanionId::of(person.id, PersonId::from_hash(stored.from)).0 == id {
            app.invitations.uninvite(stored.to, stored.from).await?;
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

impl App {
    /// Invitations that were sent earlier have ended.
    fn invited_since_s(&self) -> u64 {
        self.shared.calendar.now_s().saturating_sub(INVITED_FOR_S)
    }

    /// The invitations that wait for a person, the newest first.
    pub(super) async fn waiting_invitations(
        &self,
        person: PersonId,
    ) -> Result<Vec<Invitation>, Problem> {
        let to = Side::To(person.hash());
        let mut waiting = Vec::new();
        for stored in self.invitations.invitations(to, self.invited_since_s()).await? {
            let from = PersonId::from_hash(stored.from);
            // Deleting a person deletes their invitations; one that is being deleted is left out.
            let Some(sender) = self.people.get(from).await? else { continue };
            let InvitationLine { table, setup } =
                serde_json::from_str(&stored.line).map_err(Problem::not_kept)?;
            let id = CompanionId::of(person, from).to_string();
            waiting.push(Invitation { id, from: sender.name, setup, table, at_s: stored.at_s });
        }
        Ok(waiting)
    }

    /// The people with whom a person has played, the one they last played with first.
    async fn companions(&self, person: PersonId) -> Result<Vec<(PersonId, Companion)>, Problem> {
        let games = self.latest_cards(person, &[], GAMES_MOST).await?;
        let marks = self.marks(&games, person).await?;
        let mut companions = Vec::<(PersonId, Companion)>::new();
        let mut places = HashMap::new();
        for game in &games {
            for (other, name) in named(game, person) {
                if let Some(place) = places.get(&other) {
                    let (_, companion): &mut (_, Companion) = &mut companions[*place];
                    companion.games += 1;
                } else if companions.len() < COMPANIONS_MOST {
                    places.insert(other, companions.len());
                    let id = CompanionId::of(person, other).to_string();
                    let mark = other.mark(marks.get(&other).copied());
                    let setup = game.entry.setup;
                    let companion = Companion { id, name, mark, games: 1, setup, invited: None };
                    companions.push((other, companion));
                }
            }
        }
        Ok(companions)
    }
}

/// The other people of a game who are not deleted, with their names.
fn named(game: &RecordedGame, reader: PersonId) -> Vec<(PersonId, wire::Name)> {
    let people = game.entry.chairs.iter().filter_map(|sat| match sat {
        CardSeat::Person(other) if *other != reader => Some((*other, game.name(*other)?)),
        _ => None,
    });
    people.collect()
}

fn no_companion() -> Problem {
    let text = "you have played no game with such a person, or they cannot be invited now";
    Problem::new(Refusal::NoCompanion, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_companions_id_is_for_its_reader_alone() {
        let [ada, ben, cyd] = [1, 2, 3].map(|digit| PersonId::from_hash([digit; 32]));
        let id = |reader, other| CompanionId::of(reader, other).to_string();
        assert_eq!(id(ada, ben), id(ada, ben));
        assert_ne!(id(ada, ben), id(ben, ada));
        assert_ne!(id(ada, ben), id(cyd, ben));
        assert_ne!(id(ada, ben), id(ada, cyd));
        assert!(!hex(&ben.hash()).contains(&id(ada, ben)));
    }
}
