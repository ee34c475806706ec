//! The deal of the day over HTTP.
//!
//! One deal for each game and number of players, the same for everyone on this server on one day in
//! UTC. Its seed follows from a secret of the file. The hash of the seed is shown a day ahead. A
//! game that is on when the day ends may go on for an hour; then it ends at every table, and the
//! seed is shown.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use journal::{Page, Search};
use rules::door::GameName;
use rules::kit::{Preset, Seed};
use serde::Deserialize;
use utoipa::ToSchema;
use wire::{DailyDeal, DailyDeals, DailyTeam, NamedSetup, Refusal, RevealedDeal, Setup, hex};

use super::card::{CardSeat, GameCard};
use super::counts::LabelCounts;
use super::http::texts;
use super::label::Label;
use super::recorded::RecordedGame;
use super::team::DealId;
use crate::App;
use crate::extract::{Client, JsonObject, KnownPerson, asker};
use crate::openapi::{refused, schema};
use crate::opening::OpenedTable;
use crate::problem::Problem;
use table::{DailyDealId, Day, Deal, Founding, PersonId, commitment};

/// How many teams are in the picture, the latest ones.
const TEAMS_MOST: usize = 400;
/// How many of a person's own games with deals of a day are looked through.
const OWN_MOST: usize = 64;

/// The deals of today, and those of yesterday with their seeds.
///
/// In the first hour of a day teams may still play the deals of yesterday, and none is revealed.
#[utoipa::path(
    get,
    path = "/api/daily",
    responses(
        (status = 200, description = "The deals", body = schema::DailyDeals),
        refused::Unavailable,
    )
)]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    known: Result<KnownPerson, Problem>,
) -> Result<Json<DailyDeals>, Problem> {
    let (day, seconds_left) = app.shared.calendar.today();
    let own = match asker(known)? {
        Some(person) => app.latest_cards(person, &[Label::Daily], OWN_MOST).await?,
        None => Vec::new(),
    };
    let (mut deals, mut revealed) = (Vec::new(), Vec::new());
    for (id, setup) in setups(day) {
        let DailyDealId { game, players, .. } = id;
        let (deal, teams) = app.daily_deal(id, &setup).await?;
        let played = own.iter().find(|card| card.entry.deal == deal);
        deals.push(DailyDeal {
            game,
            players,
            commitment: commitment(&app.daily_seed(id)),
            tomorrow: commitment(&app.daily_seed(DailyDealId { day: day.next(), ..id })),
            teams,
            played: played.and_then(RecordedGame::game),
        });
        let before = DailyDealId { day: day.before(), ..id };
        if !app.shared.calendar.is_public(before.day) {
            continue;
        }
        let (seed, (_, teams)) = (app.daily_seed(before), app.daily_deal(before, &setup).await?);
        let (commitment, seed) = (commitment(&seed), hex(seed.bytes()));
        revealed.push(RevealedDeal { game, players, commitment, seed, teams });
    }
    Ok(Json(DailyDeals { day: day.to_string(), seconds_left, deals, revealed }))
}

/// Which deal of the day is played.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayDaily {
    #[schema(value_type = schema::GameName)]
    game: GameName,
    players: u8,
}

/// Open a table for a deal of the day.
///
/// It is played once: its game does not begin with a player who has seen the deal, or when the day
/// is over. A game that is on an hour after its day ends there.
#[utoipa::path(
    post,
    path = "/api/daily",
    request_body = PlayDaily,
    responses(
        (status = 201, description = "The table", body = OpenedTable),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::Conflict,
        refused::NotAllowed, refused::TooMany, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
pub(crate) async fn play(
    State(app): State<Arc<App>>,
    KnownPerson(person): KnownPerson,
    Extension(Client(from)): Extension<Client>,
    JsonObject(PlayDaily { game, players }): JsonObject<PlayDaily>,
) -> Result<Response, Problem> {
    let (day, _) = app.shared.calendar.today();
    let id = DailyDealId { day, game, players };
    let setup = setup_of(id)?;
    let deal = Deal::daily(id, app.daily_seed(id));
    if app.shared.deals_seen.knowing(deal.of).await?.contains(&person.id) {
        let text = "you have already seen this deal of the day, which is played once";
        return Err(Problem::new(Refusal::DealPlayed, text));
    }
    app.may_open(person.id, from)?;
    let founding = Founding { setup, public: false, by: person.id, deal: Some(deal) };
    let table = app.directory.open(founding, from).await?;
    Ok((StatusCode::CREATED, Json(OpenedTable { table })).into_response())
}

/// How all teams did with a deal of a day.
///
/// The latest 400 teams, for people who have played it, and for everyone when the day is over.
/// Nothing tells who was in a team of others, or how fast it was.
#[utoipa::path(
    get,
    path = "/api/daily/{deal}",
    params(
        ("deal" = String, Path, description = "Day, game and players, as in `2026-11-18-mind-2`"),
    ),
    responses(
        (status = 200, description = "The teams", body = Vec<schema::DailyTeam>),
        refused::BadRequest, refused::Forbidden, refused::NotAllowed, refused::Unavailable,
    )
)]
pub(crate) async fn teams(
    State(app): State<Arc<App>>,
    Path(deal): Path<String>,
    known: Result<KnownPerson, Problem>,
) -> Result<Json<Vec<DailyTeam>>, Problem> {
    let person = asker(known)?;
    let id = deal.parse::<DailyDealId>().map_err(|e| Problem::new(Refusal::Malformed, e))?;
    let deal = DealId::of(&setup_of(id)?, &app.daily_seed(id)).map_err(Problem::not_kept)?;
    let search = Search {
        collection: deal.collection(),
        labels: texts(&[Label::Daily])?,
        name: None,
        page: Page::first(TEAMS_MOST),
    };
    let teams = app.find(search).await?;
    let teams = teams.iter().map(|card| team(&card.entry, person)).collect::<Vec<_>>();
    if id.day >= app.shared.calendar.today().0 && !teams.iter().any(|team| team.you) {
        let text = "how other teams did is shown when you have played the deal or its day is over";
        return Err(Problem::new(Refusal::DayOn, text));
    }
    Ok(Json(teams))
}

impl App {
    fn daily_seed(&self, id: DailyDealId) -> Seed {
        id.seed(&self.shared.deals)
    }

    /// A deal of a day in the catalogue, and how many teams have played it on its day.
    async fn daily_deal(&self, id: DailyDealId, setup: &Setup) -> Result<(DealId, u32), Problem> {
        let deal = DealId::of(setup, &self.daily_seed(id)).map_err(Problem::not_kept)?;
        let counts = LabelCounts::of(&*self.catalogue, deal.collection()).await?;
        Ok((deal, counts.count(Label::Daily)))
    }
}

/// The deals of a day: one for every game and number of players in its box, by the printed rules.
fn setups(day: Day) -> impl Iterator<Item = (DailyDealId, Setup)> {
    let is_in_box = |named: &NamedSetup| {
        let players = named.setup.game().players_in_box();
        named.preset == Preset::Faithful && players.contains(&named.setup.players())
    };
    NamedSetup::all().filter(is_in_box).map(move |NamedSetup { setup, .. }| {
        (DailyDealId { day, game: setup.game(), players: setup.players() }, setup)
    })
}

/// What is played with a deal.
fn setup_of(id: DailyDealId) -> Result<Setup, Problem> {
    let found = setups(id.day).find(|(other, _)| *other == id);
    let missing = || Problem::new(Refusal::Setup, "the game is not for that number of players");
    found.map(|(_, setup)| setup).ok_or_else(missing)
}

/// How a team did.
fn team(card: &GameCard, reader: Option<PersonId>) -> DailyTeam {
    let is_bot = |sat: &&CardSeat| matches!(sat, CardSeat::Bot(_) | CardSeat::Ghost);
    DailyTeam {
        you: reader.is_some_and(|reader| card.seat_of(reader).is_some()),
        bots: card.chairs.iter().filter(is_bot).count() as u8,
        outcome: card.outcome,
        reached: card.reached.clone(),
        mistakes: card.mistakes,
    }
}
