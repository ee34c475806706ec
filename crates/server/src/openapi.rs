//! The description of the HTTP side, at `/api/openapi.json`.
//!
//! Paths are described at their handlers by `utoipa`. The schemas of everything that `wire` declares
//! are [`wire::SCHEMAS`], made from the same derive as the page's types; a second derive on all of
//! those types would have to be kept equal to the first. Requests that only the server reads derive
//! their schema.

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};
use utoipa::openapi::{Info, License, OpenApi, OpenApiBuilder};

/// The description as text: it does not change while the server runs.
static DESCRIPTION: LazyLock<String> = LazyLock::new(|| {
    let mut described =
        serde_json::to_value(crate::http::routes().into_openapi()).unwrap_or_default();
    add_schemas(&mut described["components"]);
    described.to_string()
});

/// This description.
#[utoipa::path(
    get,
    path = "/api/openapi.json",
    responses(
        (status = 200, description = "OpenAPI 3.1", body = serde_json::Value),
    )
)]
pub(crate) async fn describe() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DESCRIPTION.as_str())
}

/// The description without paths and schemas.
pub(crate) fn base() -> OpenApi {
    let description = "Names, tables, records and replays over HTTP. Games are played over the \
        WebSocket at /ws, which docs/protocol.md describes. Every path but /healthz may also answer \
        429 (address-rate), a request that does not arrive in time is 408 (request-late), and paths \
        and methods that are not described are 404 (no-page) and 405 (no-method).";
    let mut license = License::new("MIT OR Apache-2.0");
    license.identifier = Some("MIT OR Apache-2.0".to_owned());
    let mut info = Info::new("Unspoken", "1");
    info.description = Some(description.to_owned());
    info.license = Some(license);
    OpenApiBuilder::new().info(info).build()
}

/// Adds the schemas of `wire` and the cookie.
fn add_schemas(components: &mut Value) {
    let wire = serde_json::from_str::<Map<String, Value>>(wire::SCHEMAS).unwrap_or_default();
    if let Value::Object(schemas) = &mut components["schemas"] {
        schemas.extend(wire);
    }
    let description = "The person's secret. Behind https the cookie is called __Host-unspoken, or \
        __Secure-unspoken below a path.";
    let cookie = json!({
        "type": "apiKey", "in": "cookie", "name": "unspoken", "description": description,
    });
    components["securitySchemes"] = json!({ "cookie": cookie });
}

/// The types of `wire` by name, for the descriptions of the paths.
pub(crate) mod schema {
    use utoipa::openapi::schema::Schema;
    use utoipa::openapi::{Ref, RefOr};
    use utoipa::{PartialSchema, ToSchema};

    macro_rules! named {
        ($($name:ident)*) => { $(
            pub(crate) enum $name {}

            impl PartialSchema for $name {
                fn schema() -> RefOr<Schema> {
                    Ref::from_schema_name(stringify!($name)).into()
                }
            }

            impl ToSchema for $name {}
        )* };
    }

    named! {
        BotKind CheckedSetup Code Companion Consent DailyDeals DailyTeam DeviceLink DeviceLinkState DeviceRequest Devices GameName GameResult History Invitation Judgement Language Lender Listing Mark
        Me NamedSetup PartnerSearch Phrase PlayRecord Preset Problem Replay SameDeal SameDealGame SeatedTable Setup SignIn StudyAnswers StudyConsent StudyDeal StudyNotes StudyPage Tempo
    }
}

/// Refusals that many paths share. Each is a `Problem` whose `code` says why and whose `text` says
/// what to do.
pub(crate) mod refused {
    use std::collections::BTreeMap;

    use utoipa::openapi::RefOr;
    use utoipa::openapi::content::ContentBuilder;
    use utoipa::openapi::response::{Response, ResponseBuilder};
    use utoipa::{IntoResponses, PartialSchema};

    use super::schema;

    macro_rules! refused {
        ($($name:ident { $($status:literal => $description:literal)+ })*) => { $(
            pub(crate) enum $name {}

            impl IntoResponses for $name {
                fn responses() -> BTreeMap<String, RefOr<Response>> {
                    [$(($status.to_string(), problem($description)),)+].into()
                }
            }
        )* };
    }

    fn problem(description: &str) -> RefOr<Response> {
        let content = ContentBuilder::new().schema(Some(schema::Problem::schema())).build();
        let response = ResponseBuilder::new().description(description);
        response.content("application/json", content).build().into()
    }

    refused! {
        BadRequest { 400 => "The request cannot be read" }
        BadJson {
            400 => "The body is not the JSON that is described"
            413 => "The body is too large"
            415 => "The body is not sent as JSON"
        }
        NoPerson { 401 => "The cookie is missing or names no person" }
        Forbidden { 403 => "The person may not do this, or the request comes from another site" }
        NotFound { 404 => "It is not there, or not for this person" }
        Conflict { 409 => "It cannot be done as things stand" }
        NotAllowed { 422 => "The body can be read and asks for something that is not allowed" }
        TooMany { 429 => "Too many requests: wait" }
        Unavailable { 503 => "The server cannot do it now: try again" }
    }
}
