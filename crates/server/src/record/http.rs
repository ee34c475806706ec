//! The record over HTTP: a person sees their own and those of their teams.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use journal::{Fault, Page, Search};
use rules::door::GameName;
use serde::Deserialize;
use wire::{
    BotKind, GameId, GameResult, GameSummary, History, Participant, Record, Refusal, SameDeal, Team,
};

use super::card::CardSeat;
use super::counts::LabelCounts;
use super::label::Label;
use super::recorded::{Marks, RecordedGame};
use super::team::{DealId, TeamId};
use crate::App;
use crate::extract::KnownPerson;
use crate::openapi::{refused, schema};
use crate::problem::Problem;
use crate::replay::{FinishedGame, Opening};
use table::{Person, PersonId};

/// How many games a page has.
const PAGE: usize = 20;
/// How many sync scores a record has.
const SYNCS_MOST: usize = 60;
/// How many games with the same deal are read.
const DEALS_MOST: usize = 100;
/// The longest name in bytes.
const NAME_BYTES_MOST: usize = 256;

/// The person's finished games in numbers.
///
/// A game is counted a moment after its end.
#[utoipa::path(
    get,
    path = "/api/me/record",
    responses(
        (status = 200, description = "The record", body = schema::PlayRecord),
        refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn mine(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<Record>, Problem> {
    let counts = LabelCounts::of(&*app.catalogue, person.id.hash()).await?;
    let mut teams = Vec::new();
    for (team, games) in counts.teams() {
        let cards = app.latest_cards(person.id, &[Label::Team(team)], 1).await?;
        let marks = app.marks(&cards, person.id).await?;
        let people = cards.first().map_or_else(Vec::new, |card| card.people(person.id, &marks));
        teams.push(Team { id: team.to_string(), people, games });
    }
    let syncs = app.latest_cards(person.id, &[Label::Synced], SYNCS_MOST).await?;
    Ok(Json(counts.record(vec![Participant::You], true, teams, syncs)))
}

/// The finished games of a team in numbers.
///
/// Only for the people of the team.
#[utoipa::path(
    get,
    path = "/api/teams/{team}",
    params(
        ("team" = String, Path, description = "The team's id from a record"),
    ),
    responses(
        (status = 200, description = "The record", body = schema::PlayRecord),
        refused::NoPerson, refused::NotFound, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn team(
    State(app): State<Arc<App>>,
    Path(team): Path<String>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<Record>, Problem> {
    let missing = || {
        let text = "you have played no game with such a team, look at your own record";
        Problem::new(Refusal::NoTeam, text)
    };
    let team = TeamId::try_from(team).map_err(|_| missing())?;
    // A person outside the team has none of its games, and so gets the same answer as for a team
    // that does not exist.
    let latest = app.latest_cards(person.id, &[Label::Team(team)], 1).await?;
    let marks = app.marks(&latest, person.id).await?;
    let people = latest.first().ok_or_else(missing)?.people(person.id, &marks);
    let counts = LabelCounts::of(&*app.catalogue, team.collection()).await?;
    let labels = [Label::Team(team), Label::Synced];
    let syncs = app.latest_cards(person.id, &labels, SYNCS_MOST).await?;
    Ok(Json(counts.record(people, false, Vec::new(), syncs)))
}

/// The filters of the list of games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GamesQuery {
    partner: Option<String>,
    game: Option<GameName>,
    result: Option<GameResult>,
    team: Option<TeamId>,
    bot: Option<BotKind>,
    before: Option<u64>,
}

/// The person's finished games, the latest first.
///
/// At most 20 at a time; `before` is the cursor of the next page.
#[utoipa::path(
    get,
    path = "/api/me/games",
    params(
        ("partner" = Option<String>, Query, description = "Only games with a person whose name contains this text"),
        ("game" = Option<schema::GameName>, Query, description = "Only this game"),
        ("result" = Option<schema::GameResult>, Query, description = "Only games that ended like this for the person"),
        ("team" = Option<String>, Query, description = "Only games of this team"),
        ("bot" = Option<schema::BotKind>, Query, description = "Only games with this bot"),
        ("before" = Option<u64>, Query, description = "The `before` of the last answer"),
    ),
    responses(
        (status = 200, description = "The games", body = schema::History),
        refused::BadRequest, refused::NoPerson, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn games(
    State(app): State<Arc<App>>,
    KnownPerson(Person { id, .. }): KnownPerson,
    wanted: Result<Query<GamesQuery>, QueryRejection>,
) -> Result<Json<History>, Problem> {
    let unread = |e: QueryRejection| Problem::new(Refusal::Malformed, e.body_text());
    let Query(GamesQuery { partner, game, result, team, bot, before }) = wanted.map_err(unread)?;
    let partner = partner.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if partner.as_ref().is_some_and(|name| name.len() > NAME_BYTES_MOST) {
        let text = "the text is longer than any name, search for a part of it";
        return Err(Problem::new(Refusal::Malformed, text));
    }
    let labels = [
        team.map(Label::Team),
        bot.map(Label::Bot),
        game.map(Label::Game),
        result.map(Label::Result),
    ];
    let search = Search {
        collection: id.hash(),
        labels: texts(labels.iter().flatten())?,
        name: partner.map(|name| (name.into(), id.hash())),
        // One more than is sent: it tells whether there is another page.
        page: Page { before, most: PAGE + 1 },
    };
    let mut found = app.find(search).await?;
    let more = found.len() > PAGE;
    found.truncate(PAGE);
    let before = found.last().filter(|_| more).map(RecordedGame::turn);
    let games = app.summaries(&found, id).await?;
    Ok(Json(History { games, before }))
}

/// Games of other teams with the same deal.
///
/// The games that the person may watch are listed; the others are counted.
#[utoipa::path(
    get,
    path = "/api/me/games/{game}/deal",
    params(
        ("game" = String, Path, description = "The game's id, as in `k3f9ab-1`"),
    ),
    responses(
        (status = 200, description = "The other games", body = schema::SameDeal),
        refused::NoPerson, refused::Forbidden, refused::NotFound, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn same_deal(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<SameDeal>, Problem> {
    let (past, _turn) = app.past(&game, Some(person.id), Opening::default()).await?;
    if !past.played(person.id) {
        let text = "only players of the game see other games with the same deal";
        return Err(Problem::new(Refusal::NotPlayed, text));
    }
    let own = TeamId::of(past.people());
    let (mut open, mut closed) = (Vec::new(), 0);
    for card in app.same_deal_cards(&past).await? {
        if card.entry.team == own {
            continue;
        }
        match app.open_summary(&card, person.id).await? {
            Some(played) => open.push(played),
            None => closed += 1,
        }
    }
    Ok(Json(SameDeal { open, closed }))
}

/// Labels as the catalogue stores them.
pub(super) fn texts<'a>(
    labels: impl IntoIterator<Item = &'a Label>,
) -> Result<Vec<Box<str>>, Fault> {
    let texts = labels.into_iter().map(Label::text).collect::<Result<_, _>>();
    texts.map_err(|e| Fault::Disk(e.to_string()))
}

impl App {
    pub(super) async fn find(&self, search: Search) -> Result<Vec<RecordedGame>, Fault> {
        self.catalogue.find(search).await?.into_iter().map(RecordedGame::read).collect()
    }

    /// A person's latest games with all of these labels.
    pub(super) async fn latest_cards(
        &self,
        person: PersonId,
        labels: &[Label],
        most: usize,
    ) -> Result<Vec<RecordedGame>, Fault> {
        let labels = texts(labels)?;
        let page = Page::first(most);
        self.find(Search { collection: person.hash(), labels, name: None, page }).await
    }

    /// The finished games with the same deal, this one included, the newest first.
    async fn same_deal_cards(&self, past: &FinishedGame) -> Result<Vec<RecordedGame>, Problem> {
        let deal = DealId::of(&past.setup, &past.seed).map_err(Problem::not_kept)?;
        let (collection, page) = (deal.collection(), Page::first(DEALS_MOST));
        Ok(self.find(Search { collection, labels: Vec::new(), name: None, page }).await?)
    }

    /// The other finished games with the same deal, the newest first. A game is found a moment
    /// after its end.
    pub(crate) async fn same_deal_games(
        &self,
        past: &FinishedGame,
    ) -> Result<Vec<GameId>, Problem> {
        let cards = self.same_deal_cards(past).await?;
        let games = cards.iter().filter_map(RecordedGame::game);
        Ok(games.filter(|game| *game != past.id).collect())
    }

    /// The marks of the other people on these cards.
    pub(super) async fn marks(&self, cards: &[RecordedGame], to: PersonId) -> Result<Marks, Fault> {
        let mut marks = Marks::new();
        for id in cards.iter().flat_map(|card| card.others(to)) {
            if let Entry::Vacant(new) = marks.entry(id)
                && let Some(person) = self.people.get(id).await?
            {
                new.insert(person.mark());
            }
        }
        Ok(marks)
    }

    /// Games as a person sees them, each with the number of other games with the same deal.
    async fn summaries(
        &self,
        cards: &[RecordedGame],
        to: PersonId,
    ) -> Result<Vec<GameSummary>, Fault> {
        let marks = self.marks(cards, to).await?;
        let mut deals = HashMap::<DealId, LabelCounts>::new();
        let mut played = Vec::new();
        for card in cards {
            let (deal, team) = (card.entry.deal, card.entry.team);
            let counts = match deals.entry(deal) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    new.insert(LabelCounts::of(&*self.catalogue, deal.collection()).await?)
                }
            };
            played.extend(card.summary(to, &marks, counts.but(team)));
        }
        Ok(played)
    }

    /// A game of another team, if this person may watch its replay.
    async fn open_summary(
        &self,
        card: &RecordedGame,
        to: PersonId,
    ) -> Result<Option<GameSummary>, Fault> {
        let marks = self.marks(std::slice::from_ref(card), to).await?;
        let played = card.summary(to, &marks, 0);
        let (Some(played), Some(id)) = (played, card.game()) else { return Ok(None) };
        let sat = card.entry.chairs.contains(&CardSeat::Person(to));
        let may = sat || self.shared.replay_access.did_watch(id, to).await?;
        Ok(may.then_some(played))
    }
}
