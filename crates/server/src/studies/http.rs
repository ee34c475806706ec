//! What participants' pages ask and send.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use study::{
    Arrival, Fact, Input, LinkParameters, Participation, ParticipationId, ParticipationInput,
    Refused, Stage,
};
use table::{Person, PersonId};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use wire::{
    Language, Name, Refusal, StudyAnswers, StudyConsent, StudyDeal, StudyEnd, StudyNotes,
    StudyPage, StudyStep,
};

use super::deals::{deals, participant_hash};
use super::ledger::NotDone;
use super::registry::RunningStudy;
use crate::App;
use crate::cookie;
use crate::extract::{Client, JsonObject, KnownPerson};
use crate::newcomers::Proof;
use crate::openapi::{refused, schema};
use crate::person::Secret;
use crate::problem::Problem;

/// How many bytes a request may have: answers to a whole questionnaire, or many notes.
const BODY_BYTES_MOST: usize = 128 << 10;
/// How many characters a parameter of a link may have.
const PARAMETER_CHARS_MOST: usize = 200;
/// What a person is called who was made by arriving at a study. Tables of studies do not show it.
const NAME: &str = "Participant";

/// The paths of studies.
pub(crate) fn routes() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(show, withdraw))
        .routes(routes!(arrive))
        .routes(routes!(consent))
        .routes(routes!(answer))
        .routes(routes!(note))
        .routes(routes!(leave))
        .routes(routes!(list_deals))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MOST))
}

/// Where the person is in a study.
///
/// For a person who takes no part yet the step is `arrive`. A page that waits asks again every
/// second or two: one that has not asked for eight seconds is not matched.
#[utoipa::path(
    get,
    path = "/api/study/{name}",
    params(("name" = String, Path, description = "The study's name, as in `tempo-report`")),
    responses(
        (status = 200, description = "The page", body = schema::StudyPage),
        refused::NotFound, refused::Unavailable,
    ),
    security((), ("cookie" = []))
)]
async fn show(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    known: Result<KnownPerson, Problem>,
) -> Result<Json<StudyPage>, Problem> {
    let running = app.study(&name).await?;
    let person = crate::extract::asker(known)?;
    Ok(Json(app.study_page(&running, person, Language::En).await))
}

/// A person follows the link of a study.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct Arrive {
    /// The parameters of the link, by name.
    parameters: BTreeMap<String, String>,
    /// The language that the person reads.
    #[schema(value_type = schema::Language)]
    language: Language,
    /// Whether the page is shown within a page of another site.
    #[serde(default)]
    embedded: bool,
    proof: Option<Proof>,
}

/// Arrive at a study, or come back to it.
///
/// Without a cookie that the server knows, this makes a new person and sets the cookie. A
/// participant id that has taken part with another browser is answered with the end `second-try`.
#[utoipa::path(
    post,
    path = "/api/study/{name}/arrival",
    params(("name" = String, Path, description = "The study's name")),
    request_body = Arrive,
    responses(
        (status = 200, description = "The page", body = schema::StudyPage),
        refused::BadJson, refused::Forbidden, refused::NotFound, refused::TooMany,
        refused::Unavailable,
    )
)]
async fn arrive(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    Extension(Client(from)): Extension<Client>,
    known: Result<KnownPerson, Problem>,
    JsonObject(arrive): JsonObject<Arrive>,
) -> Result<Response, Problem> {
    let running = app.study(&name).await?;
    let study = running.study.clone();
    let parameter = |name: &String| {
        let value = arrive.parameters.get(name).filter(|value| !value.is_empty());
        value.map(|value| value.chars().take(PARAMETER_CHARS_MOST).collect::<String>())
    };
    let link = &study.link;
    let parameters = LinkParameters {
        participant: parameter(&link.participant),
        study: parameter(&link.study),
        session: parameter(&link.session),
    };
    let participant = parameters.participant.as_ref();
    let participant = participant.map(|id| participant_hash(&app.shared.deals, &study, id));
    let mut made = None;
    let person = match crate::extract::asker(known)? {
        Some(person) => person,
        None => {
            app.admission.newcomers.permit(from, arrive.proof).map_err(|why| {
                Problem::new(why, "many new people came from your address, send a proof of work")
            })?;
            let secret = Secret::fresh().map_err(Problem::not_kept)?;
            let name = NAME.parse::<Name>().map_err(Problem::not_kept)?;
            let Person { id, .. } =
                app.people.name(&secret, name, None).await.map_err(Problem::not_kept)?;
            made = Some(secret);
            id
        }
    };
    let arrival = Arrival {
        person: Some(person),
        made: made.is_some(),
        participant,
        parameters: link.store.then_some(parameters).filter(|it| *it != LinkParameters::default()),
        language: Some(study.language(arrive.language)),
        embedded: arrive.embedded,
    };
    let ended = |end| study.last_page(arrive.language, end);
    let page = match app.studies.submit(&running, Input::Arrive(arrival)).await {
        Ok(facts) if facts.iter().any(|fact| matches!(fact, Fact::CameAgain { .. })) => {
            ended(StudyEnd::SecondTry)
        }
        Ok(_) => app.study_page(&running, Some(person), arrive.language).await,
        Err(NotDone::Refused(Refused::SecondTry(_))) => ended(StudyEnd::SecondTry),
        Err(NotDone::Refused(Refused::Closed)) => ended(StudyEnd::Closed),
        Err(error) => return Err(error.into()),
    };
    let mut response = Json(page).into_response();
    if let Some(secret) = made {
        let (sent, scope) = (response.headers_mut(), &app.site.cookie_scope);
        if arrive.embedded && !link.embedders.is_empty() {
            cookie::keep_embedded(sent, &secret, scope);
        } else {
            cookie::keep(sent, &secret, scope);
        }
    }
    Ok(response)
}

/// Give or refuse consent.
#[utoipa::path(
    post,
    path = "/api/study/{name}/consent",
    params(("name" = String, Path, description = "The study's name")),
    request_body = schema::StudyConsent,
    responses(
        (status = 200, description = "The page", body = schema::StudyPage),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::NotFound,
        refused::Conflict, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
async fn consent(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    KnownPerson(person): KnownPerson,
    JsonObject(consent): JsonObject<StudyConsent>,
) -> Result<Json<StudyPage>, Problem> {
    app.take_part(&name, person, ParticipationInput::Consent(consent)).await
}

/// Answer questions, or say that the instructions were read.
#[utoipa::path(
    post,
    path = "/api/study/{name}/answers",
    params(("name" = String, Path, description = "The study's name")),
    request_body = schema::StudyAnswers,
    responses(
        (status = 200, description = "The page", body = schema::StudyPage),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::NotFound,
        refused::Conflict, refused::NotAllowed, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
async fn answer(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    KnownPerson(person): KnownPerson,
    JsonObject(answers): JsonObject<StudyAnswers>,
) -> Result<Json<StudyPage>, Problem> {
    app.take_part(&name, person, ParticipationInput::Answers(answers)).await
}

/// Note what the page saw, for the data.
///
/// Notes that come too late, or of which there are too many, are left out without an error.
#[utoipa::path(
    post,
    path = "/api/study/{name}/notes",
    params(("name" = String, Path, description = "The study's name")),
    request_body = schema::StudyNotes,
    responses(
        (status = 204, description = "They are stored, or left out"),
        refused::BadJson, refused::NoPerson, refused::Forbidden, refused::NotFound,
        refused::Unavailable,
    ),
    security(("cookie" = []))
)]
async fn note(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    KnownPerson(person): KnownPerson,
    JsonObject(notes): JsonObject<StudyNotes>,
) -> Result<StatusCode, Problem> {
    let running = app.study(&name).await?;
    let id = running.participation(person.id).await?;
    match app.studies.submit(&running, Input::Of(id, ParticipationInput::Notes(notes))).await {
        Ok(_) | Err(NotDone::Refused(_)) => Ok(StatusCode::NO_CONTENT),
        Err(error) => Err(error.into()),
    }
}

/// Leave a study. What was given stays.
#[utoipa::path(
    post,
    path = "/api/study/{name}/leave",
    params(("name" = String, Path, description = "The study's name")),
    responses(
        (status = 200, description = "The page", body = schema::StudyPage),
        refused::NoPerson, refused::Forbidden, refused::NotFound, refused::Conflict,
        refused::Unavailable,
    ),
    security(("cookie" = []))
)]
async fn leave(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<StudyPage>, Problem> {
    app.take_part(&name, person, ParticipationInput::Leave).await
}

/// Withdraw from a study.
///
/// What the person gave is deleted: answers, notes, the parameters of the link and how they
/// pressed. A person who was made by arriving at the study is deleted, too. It has left the file
/// within a minute.
#[utoipa::path(
    delete,
    path = "/api/study/{name}",
    params(("name" = String, Path, description = "The study's name")),
    responses(
        (status = 200, description = "The page, with the end `withdrawn`", body = schema::StudyPage),
        refused::NoPerson, refused::Forbidden, refused::NotFound, refused::Unavailable,
    ),
    security(("cookie" = []))
)]
async fn withdraw(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
    KnownPerson(person): KnownPerson,
) -> Result<Json<StudyPage>, Problem> {
    let running = app.study(&name).await?;
    let id = running.participation(person.id).await?;
    let language = running.language(id).await;
    app.studies.submit(&running, Input::Of(id, ParticipationInput::Withdraw)).await?;
    Ok(Json(running.study.last_page(language, StudyEnd::Withdrawn)))
}

/// The commitments to the deals of a study.
///
/// Every group of a condition gets the same deals. Their seeds are shown once the study is closed.
#[utoipa::path(
    get,
    path = "/api/study/{name}/deals",
    params(("name" = String, Path, description = "The study's name")),
    responses(
        (status = 200, description = "The deals", body = Vec<schema::StudyDeal>),
        refused::NotFound, refused::Unavailable,
    )
)]
async fn list_deals(
    State(app): State<Arc<App>>,
    Path(name): Path<String>,
) -> Result<Json<Vec<StudyDeal>>, Problem> {
    let running = app.study(&name).await?;
    let shown = running.are_deals_public().await;
    Ok(Json(deals(&app.shared.deals, &running.study, shown)))
}

impl App {
    /// The study of that name.
    async fn study(&self, name: &str) -> Result<Arc<RunningStudy>, Problem> {
        let found = self.studies.find(name).await?;
        let text = "there is no such study, use the link that you were given";
        found.ok_or_else(|| Problem::new(Refusal::NoStudy, text))
    }

    /// Takes in what a participant does, and answers with their page.
    async fn take_part(
        &self,
        name: &str,
        person: Person,
        input: ParticipationInput,
    ) -> Result<Json<StudyPage>, Problem> {
        let running = self.study(name).await?;
        let id = running.participation(person.id).await?;
        self.studies.submit(&running, Input::Of(id, input)).await?;
        Ok(Json(self.study_page(&running, Some(person.id), Language::En).await))
    }

    /// The page of a person. Asking for it is a sign of life.
    async fn study_page(
        &self,
        running: &RunningStudy,
        person: Option<PersonId>,
        language: Language,
    ) -> StudyPage {
        let now = self.studies.now();
        let mut page = {
            let mut ledger = running.ledger.lock().await;
            let found = person.and_then(|person| ledger.cohort.of_person(person).cloned());
            let Some(participation) = found else { return running.study.first_page(language) };
            // At a table the connection says whether a participant is there.
            if !matches!(participation.stage, Stage::Playing { .. }) {
                ledger.cohort.see(participation.id, now);
            }
            ledger.cohort.page(&participation, now, false)
        };
        if let (StudyStep::Playing { table, away, .. }, Some(person)) = (&mut page.step, person) {
            *away = !self.directory.is_here(*table, person).await;
        }
        page
    }
}

impl RunningStudy {
    /// The participation of a person.
    async fn participation(&self, person: PersonId) -> Result<ParticipationId, Problem> {
        let ledger = self.ledger.lock().await;
        let found = ledger.cohort.of_person(person).map(|it| it.id);
        found.ok_or_else(|| {
            Problem::new(Refusal::NoName, "you take no part in this study, follow its link first")
        })
    }

    async fn language(&self, id: ParticipationId) -> Language {
        let ledger = self.ledger.lock().await;
        let language = |it: &Participation| it.language(&self.study);
        ledger.cohort.participation(id).map_or(Language::En, language)
    }

    /// Whether the seeds of the deals are public: the study is closed, and no game is on.
    pub(crate) async fn are_deals_public(&self) -> bool {
        let ledger = self.ledger.lock().await;
        ledger.cohort.closed().is_some()
            && !ledger.cohort.groups().iter().any(study::Group::is_open)
    }
}

impl From<NotDone> for Problem {
    fn from(not: NotDone) -> Self {
        let refused = match not {
            NotDone::Fault(fault) => return fault.into(),
            NotDone::Refused(refused) => refused,
        };
        let why = match &refused {
            Refused::Moved | Refused::Closed | Refused::SecondTry(_) => Refusal::StudyMoved,
            Refused::Answer(_) => Refusal::StudyAnswer,
            Refused::NoParticipant(_) => Refusal::NoStudy,
        };
        Self::new(why, refused)
    }
}
