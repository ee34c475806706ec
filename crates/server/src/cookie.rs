//! The cookie that holds a person's secret.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::person::Secret;

use crate::base_path::BasePath;

/// Its name where cookies may travel unencrypted.
const PLAIN: &str = "unspoken";
/// Its name behind https. Browsers accept this prefix only from the host itself, encrypted and for
/// all paths, so no other host of the domain can put a secret of its own in its place.
const HOST: &str = "__Host-unspoken";
/// Its name behind https under a path of the host. The prefix above is not for a single path.
const UNDER_PATH: &str = "__Secure-unspoken";

/// Where a browser sends the cookie.
pub(crate) struct CookieScope {
    /// Whether it may only travel encrypted.
    pub(crate) secure: bool,
    /// The path below which it is sent.
    pub(crate) path: BasePath,
}

impl CookieScope {
    fn name(&self) -> &'static str {
        match (self.secure, self.path.is_root()) {
            (false, _) => PLAIN,
            (true, true) => HOST,
            (true, false) => UNDER_PATH,
        }
    }
}

/// The secret in a request's cookie: that of this host, or else one from before it had the prefix.
/// `None` if there are two of one name, which no browser sends.
pub(crate) fn secret_of(headers: &HeaderMap, scope: &CookieScope) -> Option<Secret> {
    let name = if is_outdated(headers, scope) { PLAIN } else { scope.name() };
    let mut ours = values(headers, name);
    match (ours.next(), ours.next()) {
        (Some(value), None) => value.parse().ok(),
        _ => None,
    }
}

/// Whether the cookie of a request has a name that it should not have any more.
pub(crate) fn is_outdated(headers: &HeaderMap, scope: &CookieScope) -> bool {
    scope.secure && values(headers, scope.name()).next().is_none()
}

/// Has the browser keep a secret for a year.
pub(crate) fn keep(headers: &mut HeaderMap, secret: &Secret, scope: &CookieScope) {
    set(headers, scope.name(), &secret.to_cookie(), 31_536_000, scope);
    if scope.secure {
        set(headers, PLAIN, "", 0, scope);
    }
}

/// The same for a page that is embedded in one of another site: the browser keeps it apart for
/// each site that embeds the page. Only over https; elsewhere as [`keep`].
pub(crate) fn keep_embedded(headers: &mut HeaderMap, secret: &Secret, scope: &CookieScope) {
    if !scope.secure {
        return keep(headers, secret, scope);
    }
    let (name, secret, path) = (scope.name(), secret.to_cookie(), &scope.path);
    let text = format!(
        "{name}={secret}; Path={path}; Max-Age=31536000; HttpOnly; SameSite=None; Secure; \
         Partitioned"
    );
    if let Ok(cookie) = HeaderValue::from_str(&text) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

/// Has the browser forget the secret.
pub(crate) fn drop(headers: &mut HeaderMap, scope: &CookieScope) {
    set(headers, PLAIN, "", 0, scope);
    if scope.secure {
        set(headers, scope.name(), "", 0, scope);
    }
}

fn set(headers: &mut HeaderMap, name: &str, value: &str, seconds: u32, scope: &CookieScope) {
    let (path, secure) = (&scope.path, if scope.secure { "; Secure" } else { "" });
    let text =
        format!("{name}={value}; Path={path}; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(cookie) = HeaderValue::from_str(&text) {
        headers.append(header::SET_COOKIE, cookie);
    }
}

fn values<'a>(headers: &'a HeaderMap, name: &'a str) -> impl Iterator<Item = &'a str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|value| value.split(';'));
    pairs.filter_map(move |pair| match pair.trim().split_once('=') {
        Some((other, value)) if other == name => Some(value),
        _ => None,
    })
}
