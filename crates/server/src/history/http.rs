//! The record over HTTP: everyone sees their own, and that of the teams they played in.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use journal::{Fault, Page, Search};
use rules::door::GameName;
use serde::Deserialize;
use wire::{BotKind, Companion, GameId, GameResult, History, Played, Record, SameDeal, Team};

use super::card::Sat;
use super::counts::Counts;
use super::label::Label;
use super::team::{Deal, TeamId};
use super::told::Told;
use crate::App;
use crate::http::{Known, Problem};
use table::{Person, PersonId};

pub(crate) use super::export::export;

/// How many games are told at once.
const PAGE: usize = 20;
/// How many games of timing a record names.
const SYNCS_MOST: usize = 60;
/// How many games of the same deal are looked at.
const DEALS_MOST: usize = 100;
/// No name is longer.
const NAME_BYTES_MOST: usize = 256;

/// All that somebody has played.
pub(crate) async fn mine(
    State(app): State<Arc<App>>,
    Known(person): Known,
) -> Result<Json<Record>, Problem> {
    let counts = Counts::of(&*app.catalogue, person.id.hash()).await?;
    let mut teams = Vec::new();
    for (team, games) in counts.teams() {
        let told = app.told(person.id, &[Label::Team(team)], 1).await?;
        let people = told.first().map_or_else(Vec::new, |told| told.people(person.id));
        teams.push(Team { id: team.to_string(), people, games });
    }
    let syncs = app.told(person.id, &[Label::Synced], SYNCS_MOST).await?;
    Ok(Json(counts.record(vec![Companion::You], true, teams, syncs)))
}

/// All that a team has played, for those who are in it.
pub(crate) async fn team(
    State(app): State<Arc<App>>,
    Path(team): Path<String>,
    Known(person): Known,
) -> Result<Json<Record>, Problem> {
    let missing = || {
        let text = "you have played no game with such a team, look at your own record";
        Problem::new(StatusCode::NOT_FOUND, "no-team", text)
    };
    let team = TeamId::try_from(team).map_err(|_| missing())?;
    // Whoever is not in it has none of its games, so nothing tells them whether there is one.
    let latest = app.told(person.id, &[Label::Team(team)], 1).await?;
    let people = latest.first().ok_or_else(missing)?.people(person.id);
    let counts = Counts::of(&*app.catalogue, team.shelf()).await?;
    let labels = [Label::Team(team), Label::Synced];
    let syncs = app.told(person.id, &labels, SYNCS_MOST).await?;
    Ok(Json(counts.record(people, false, Vec::new(), syncs)))
}

/// Which games somebody looks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    partner: Option<String>,
    game: Option<GameName>,
    result: Option<GameResult>,
    team: Option<TeamId>,
    bot: Option<BotKind>,
    before: Option<u64>,
}

/// The games that somebody played, the latest first.
pub(crate) async fn games(
    State(app): State<Arc<App>>,
    Known(Person { id, .. }): Known,
    wanted: Result<Query<Wanted>, QueryRejection>,
) -> Result<Json<History>, Problem> {
    let unread = |e: QueryRejection| Problem::new(e.status(), "malformed", e.body_text());
    let Query(Wanted { partner, game, result, team, bot, before }) = wanted.map_err(unread)?;
    let partner = partner.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty());
    if partner.as_ref().is_some_and(|name| name.len() > NAME_BYTES_MOST) {
        let text = "that is longer than any name, look for less of it";
        return Err(Problem::new(StatusCode::BAD_REQUEST, "malformed", text));
    }
    let labels = [
        team.map(Label::Team),
        bot.map(Label::Bot),
        game.map(Label::Game),
        result.map(Label::Result),
    ];
    let search = Search {
        shelf: id.hash(),
        labels: texts(labels.iter().flatten())?,
        name: partner.map(|name| (name.into(), id.hash())),
        // One more than is told says whether there are more.
        page: Page { before, most: PAGE + 1 },
    };
    let mut found = app.find(search).await?;
    let more = found.len() > PAGE;
    found.truncate(PAGE);
    let before = found.last().filter(|_| more).map(Told::turn);
    let games = app.played(&found, id).await?;
    Ok(Json(History { games, before }))
}

/// The games of other teams that had the same deal as a game that somebody played.
pub(crate) async fn same_deal(
    State(app): State<Arc<App>>,
    Path(game): Path<String>,
    Known(person): Known,
) -> Result<Json<SameDeal>, Problem> {
    let past = app.past(&game).await?;
    if !past.played(person.id) {
        let text = "only those who played see who else had the same deal";
        return Err(Problem::new(StatusCode::FORBIDDEN, "not-played", text));
    }
    let own = TeamId::of(past.people());
    let shelf = Deal::of(&past.setup, &past.seed).map_err(Problem::not_kept)?.shelf();
    let page = Page::first(DEALS_MOST);
    let search = Search { shelf, labels: Vec::new(), name: None, page };
    let (mut open, mut closed) = (Vec::new(), 0);
    for told in app.find(search).await? {
        if told.entry.team == own {
            continue;
        }
        match app.opened(&told, person.id).await? {
            Some(played) => open.push(played),
            None => closed += 1,
        }
    }
    Ok(Json(SameDeal { open, closed }))
}

/// Labels as the catalogue keeps them.
fn texts<'a>(labels: impl IntoIterator<Item = &'a Label>) -> Result<Vec<Box<str>>, Fault> {
    let texts = labels.into_iter().map(Label::text).collect::<Result<_, _>>();
    texts.map_err(|e| Fault::Disk(e.to_string()))
}

impl App {
    pub(super) async fn find(&self, search: Search) -> Result<Vec<Told>, Fault> {
        self.catalogue.find(search).await?.into_iter().map(Told::read).collect()
    }

    /// The latest of somebody's games with all of these labels.
    async fn told(
        &self,
        person: PersonId,
        labels: &[Label],
        most: usize,
    ) -> Result<Vec<Told>, Fault> {
        let labels = texts(labels)?;
        let page = Page::first(most);
        self.find(Search { shelf: person.hash(), labels, name: None, page }).await
    }

    /// Games as somebody is told of them, each with the number of others of the same deal.
    async fn played(&self, told: &[Told], to: PersonId) -> Result<Vec<Played>, Fault> {
        let mut deals = HashMap::<Deal, Counts>::new();
        let mut played = Vec::new();
        for each in told {
            let (deal, team) = (each.entry.deal, each.entry.team);
            let counts = match deals.entry(deal) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => new.insert(Counts::of(&*self.catalogue, deal.shelf()).await?),
            };
            played.extend(each.played(to, counts.but(team)));
        }
        Ok(played)
    }

    /// A game of another team, if this person may watch it again.
    async fn opened(&self, told: &Told, to: PersonId) -> Result<Option<Played>, Fault> {
        let Some(played) = told.played(to, 0) else { return Ok(None) };
        let id = GameId { table: played.table, game: played.number };
        let sat = told.entry.chairs.contains(&Sat::Person(to));
        let may = sat || self.shared.album.did_watch(id, to).await?;
        Ok(may.then_some(played))
    }
}
