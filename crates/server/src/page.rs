//! The page: built from `web/` and embedded, with its compressed forms. `tower-http` serves folders
//! and compresses while it answers; these files are part of the program and compressed at build.

use std::borrow::Cow;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{Embed, EmbeddedFile};
use sha2::{Digest, Sha256};
use wire::hex;

use crate::App;
use crate::base_path::BasePath;

#[derive(Embed)]
#[folder = "../../web/dist"]
#[exclude = ".vite/*"]
struct Dist;

const INDEX: &str = "index.html";

/// The compressed forms of a file, the smallest first.
const CODINGS: [(&str, &str); 2] = [("br", "br"), ("gzip", "gz")];

/// The page.
///
/// The page is also at `/me`, `/learn`, `/rules/{game}`, `/table/{code}`, `/replay/{game}` and
/// its other addresses, with its files beside it.
#[utoipa::path(
    get,
    path = "/",
    responses(
        (status = 200, description = "The page", body = String, content_type = "text/html"),
    )
)]
pub(crate) async fn home(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    app.site.page.answer(INDEX, &headers).unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

/// The page as it is served below the server's base path.
pub(crate) struct Page {
    /// The index with the base path in its addresses; `None` at the root, where it is served as it
    /// was built, compressed.
    index: Option<Box<[u8]>>,
}

impl Page {
    /// The files find each other by themselves; only the index names addresses.
    pub(crate) fn below(base: &BasePath) -> Self {
        let index = Dist::get(INDEX).filter(|_| !base.is_root()).map(|file| {
            let text = String::from_utf8_lossy(&file.data);
            text.replace("=\"/", &format!("=\"{}/", base.prefix())).into_bytes().into()
        });
        Self { index }
    }

    /// A file of the page, or the page itself at one of its addresses; `None` at any other.
    pub(crate) fn at(&self, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let path = uri.path().strip_prefix('/')?;
        let file = if is_place(path) { INDEX } else { path };
        self.answer(file, headers)
    }

    /// The page with status 404, for a browser at an unknown address. `None` for programs, which
    /// are answered with a problem.
    pub(crate) fn lost(&self, uri: &Uri, headers: &HeaderMap) -> Option<Response> {
        let wants_page = headers.get_all(header::ACCEPT).iter().any(|value| {
            value
                .to_str()
                .is_ok_and(|kinds| kinds.split([',', ';']).any(|kind| kind.trim() == "text/html"))
        });
        if !wants_page || uri.path().starts_with("/api/") {
            return None;
        }
        // Without the request's etag: a 404 must not become a "not modified".
        let mut asked = HeaderMap::new();
        for coding in headers.get_all(header::ACCEPT_ENCODING) {
            asked.append(header::ACCEPT_ENCODING, coding.clone());
        }
        let mut response = self.answer(INDEX, &asked)?;
        *response.status_mut() = StatusCode::NOT_FOUND;
        Some(response)
    }

    fn answer(&self, file: &str, headers: &HeaderMap) -> Option<Response> {
        match &self.index {
            Some(index) if file == INDEX => {
                let hash = Sha256::digest(index);
                respond(file, headers, None, hash.as_slice(), Cow::Owned(index.to_vec()))
            }
            Some(_) | None => {
                let (coding, found) = smallest(file, headers)?;
                respond(file, headers, coding, &found.metadata.sha256_hash(), found.data)
            }
        }
    }
}

/// Whether the page has a view at this address.
fn is_place(path: &str) -> bool {
    let parts = path.trim_end_matches('/').split('/').collect::<Vec<_>>();
    matches!(
        parts[..],
        ["accessibility" | "daily" | "device" | "learn" | "me"]
            | ["learn" | "rules" | "table" | "replay" | "study" | "team", _]
            | ["table", _, "screen"]
    )
}

/// The answer with a file in one of its forms, or "not modified" if the browser has that form.
fn respond(
    file: &str,
    headers: &HeaderMap,
    coding: Option<&'static str>,
    hash: &[u8],
    data: Cow<'static, [u8]>,
) -> Option<Response> {
    let kind = kind(file)?;
    let tag = format!("\"{}\"", hex(&hash[..8]));
    let tag = HeaderValue::from_str(&tag).ok()?;
    // The names of these files contain a hash of their contents.
    let lasts = file.starts_with("assets/");
    let caching = if lasts { "public, max-age=31536000, immutable" } else { "no-cache" };
    let known = headers.get(header::IF_NONE_MATCH) == Some(&tag);
    let mut response = if known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        match data {
            Cow::Borrowed(bytes) => Body::from(bytes).into_response(),
            Cow::Owned(bytes) => Body::from(bytes).into_response(),
        }
    };
    let sent = response.headers_mut();
    sent.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    sent.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    sent.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    sent.insert(header::ETAG, tag);
    if let Some(coding) = coding {
        sent.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
    }
    Some(response)
}

/// The media type of a file; `None` for compressed forms.
fn kind(file: &str) -> Option<&'static str> {
    Some(match file.rsplit_once('.')?.1 {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "woff2" => "font/woff2",
        "webmanifest" => "application/manifest+json",
        _ => return None,
    })
}

/// The smallest form of a file that the browser takes, and its name.
fn smallest(file: &str, headers: &HeaderMap) -> Option<(Option<&'static str>, EmbeddedFile)> {
    let taken = headers.get_all(header::ACCEPT_ENCODING);
    let taken = taken.iter().filter_map(|value| value.to_str().ok()).collect::<Vec<_>>().join(",");
    let coded =
        CODINGS.iter().filter(|(coding, _)| takes(&taken, coding)).find_map(|&(coding, ending)| {
            Some((Some(coding), Dist::get(&format!("{file}.{ending}"))?))
        });
    coded.or_else(|| Some((None, Dist::get(file)?)))
}

/// Whether a coding stands in an `accept-encoding`, and is not refused there.
pub(crate) fn takes(accepted: &str, coding: &str) -> bool {
    accepted.split(',').any(|part| {
        let (name, quality) = part.split_once(';').unwrap_or((part, ""));
        let refused = quality.trim().strip_prefix("q=").is_some_and(|q| q.parse() == Ok(0.0));
        name.trim().eq_ignore_ascii_case(coding) && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_root() -> Page {
        Page::below(&BasePath::default())
    }

    fn ask(path: &str, encoding: &'static str) -> Option<Response> {
        let accepted = HeaderValue::from_static(encoding);
        let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, accepted)]);
        at_root().at(&path.parse().unwrap(), &headers)
    }

    fn header_of(response: &Response, name: header::HeaderName) -> &str {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap())
    }

    #[test]
    fn the_page_has_its_places_and_no_others() {
        for place in [
            "/learn",
            "/learn/mind",
            "/rules/royale",
            "/table/k3f9ab",
            "/table/k3f9ab/",
            "/table/k3f9ab/screen",
            "/replay/k3f9ab-1",
            "/study/tempo-report",
            "/accessibility",
            "/daily",
            "/device",
            "/me",
            "/team/0123456789abcdef0123456789abcdef",
        ] {
            let page = ask(place, "").expect(place);
            assert_eq!(header_of(&page, header::CONTENT_TYPE), "text/html; charset=utf-8");
            assert_eq!(header_of(&page, header::CACHE_CONTROL), "no-cache");
        }
        for elsewhere in [
            "/table",
            "/rules",
            "/table/k3f9ab/hands",
            "/index.html.br",
            "/.vite/manifest.json",
            "/../Cargo.toml",
            "/api/nothing",
        ] {
            assert!(ask(elsewhere, "").is_none(), "{elsewhere}");
        }
    }

    #[test]
    fn a_person_at_an_address_that_is_none_gets_the_page() {
        let lost_at = |path: &str, accept: &'static str| {
            let kinds = HeaderValue::from_static(accept);
            let known = HeaderValue::from_static("\"0\"");
            let headers =
                HeaderMap::from_iter([(header::ACCEPT, kinds), (header::IF_NONE_MATCH, known)]);
            at_root().lost(&path.parse().unwrap(), &headers)
        };
        for path in ["/nope", "/table", "/table/k3f9ab/hands"] {
            let page = lost_at(path, "text/html,application/xhtml+xml;q=0.9").expect(path);
            assert_eq!(page.status(), StatusCode::NOT_FOUND);
            assert_eq!(header_of(&page, header::CONTENT_TYPE), "text/html; charset=utf-8");
        }
        assert!(lost_at("/nope", "application/json").is_none());
        assert!(lost_at("/nope", "*/*").is_none());
        assert!(lost_at("/api/nothing", "text/html").is_none());
    }

    #[test]
    fn files_whose_names_change_with_them_are_kept_for_ever() {
        let script = Dist::iter().find(|name| name.ends_with(".js") && name.starts_with("assets/"));
        let path = format!("/{}", script.unwrap());
        let asset = ask(&path, "gzip, deflate, br").unwrap();
        assert_eq!(header_of(&asset, header::CACHE_CONTROL), "public, max-age=31536000, immutable");
        assert_eq!(header_of(&asset, header::CONTENT_ENCODING), "br");
        assert_eq!(header_of(&asset, header::CONTENT_TYPE), "text/javascript; charset=utf-8");
    }

    #[test]
    fn fonts_are_kept_for_ever_and_not_compressed_again() {
        let font = Dist::iter().find(|name| name.ends_with(".woff2")).unwrap();
        let asset = ask(&format!("/{font}"), "gzip, deflate, br").unwrap();
        assert_eq!(header_of(&asset, header::CONTENT_TYPE), "font/woff2");
        assert_eq!(header_of(&asset, header::CACHE_CONTROL), "public, max-age=31536000, immutable");
        assert_eq!(header_of(&asset, header::CONTENT_ENCODING), "");
    }

    #[test]
    fn what_the_browser_takes_is_what_it_gets() {
        for (accepted, coding) in [
            ("br", "br"),
            ("gzip", "gzip"),
            ("gzip, br;q=0", "gzip"),
            ("GZIP;q=0.5", "gzip"),
            ("identity", ""),
            ("", ""),
            ("brotli", ""),
        ] {
            let page = ask("/learn", accepted).unwrap();
            assert_eq!(header_of(&page, header::CONTENT_ENCODING), coding, "{accepted}");
        }
    }

    #[test]
    fn what_the_browser_has_is_not_sent_again() {
        let page = ask("/learn", "br").unwrap();
        let tag = page.headers()[header::ETAG].clone();
        let headers = HeaderMap::from_iter([
            (header::ACCEPT_ENCODING, HeaderValue::from_static("br")),
            (header::IF_NONE_MATCH, tag),
        ]);
        let again = at_root().at(&"/learn".parse().unwrap(), &headers).unwrap();
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }

    #[tokio::test]
    async fn below_a_path_every_address_of_the_index_has_it_in_front() {
        let page = Page::below(&"/games/unspoken".parse().unwrap());
        let index = page.at(&"/learn".parse().unwrap(), &HeaderMap::new()).unwrap();
        let bytes = axum::body::to_bytes(index.into_body(), 1 << 16).await.unwrap();
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let addresses = text.matches("=\"/").count();
        assert!(addresses >= 5, "the index names scripts, styles, fonts and icons:\n{text}");
        assert_eq!(text.matches("=\"/games/unspoken/").count(), addresses, "{text}");
    }
}
