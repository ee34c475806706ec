//! Where players reach the people who run the server.

use std::str::FromStr;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::App;

/// An address of mail or the web, written as a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Contact(String);

/// The schemes that a browser opens without running anything.
const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

impl FromStr for Contact {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let rest = SCHEMES.iter().find_map(|scheme| text.strip_prefix(scheme));
        match rest {
            Some(rest)
                if !rest.is_empty()
                    && !text.contains(|c: char| c.is_whitespace() || c.is_control()) =>
            {
                Ok(Self(text.to_owned()))
            }
            _ => Err("write it as mailto:name@example.org or https://example.org/help".to_owned()),
        }
    }
}

/// Where players report problems.
#[derive(Serialize, ToSchema)]
pub(crate) struct Operator {
    /// A link; `null` if the operator has named none.
    contact: Option<Contact>,
}

/// Where players report problems.
#[utoipa::path(
    get,
    path = "/api/operator",
    responses(
        (status = 200, description = "The operator's contact, if there is one", body = Operator),
    )
)]
pub(crate) async fn operator(State(app): State<Arc<App>>) -> Json<Operator> {
    Json(Operator { contact: app.site.contact.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_contact_is_mail_or_the_web() {
        for text in ["mailto:ada@example.org", "https://example.org/help", "http://localhost"] {
            assert_eq!(text.parse(), Ok(Contact(text.to_owned())));
        }
        for text in ["", "mailto:", "ada@example.org", "javascript:alert(1)", "https://a b"] {
            assert!(text.parse::<Contact>().is_err(), "{text}");
        }
    }
}
