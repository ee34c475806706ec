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
    add_descriptions(&mut described["paths"]);
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

/// Gives every response a description, which the format requires.
fn add_descriptions(paths: &mut Value) {
    let operations = paths.as_object_mut().into_iter().flat_map(Map::values_mut);
    let operations = operations.filter_map(Value::as_object_mut).flat_map(Map::values_mut);
    for responses in operations.filter_map(|operation| operation["responses"].as_object_mut()) {
        for response in responses.values_mut().filter(|response| response["description"] == "") {
            response["description"] = json!("Refused: `code` says why, `text` what to do");
        }
    }
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
        Me NamedSetup PartnerSearch Phrase PlayRecord Preset Problem Replay SameDeal SameDealGame SeatedTable Setup SignIn Tempo
    }
}
