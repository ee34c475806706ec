//! The cookie that holds a person's secret.

use axum::http::{HeaderMap, HeaderValue, header};

use crate::person::Secret;

/// Its name where cookies may travel unencrypted.
const PLAIN: &str = "unspoken";
/// Its name behind https. Browsers accept this prefix only from the host itself, encrypted and for
/// all paths, so no other host of the domain can put a secret of its own in its place.
const HOST: &str = "__Host-unspoken";

/// The secret in a request's cookie: that of this host, or else one from before it had the prefix.
/// `None` if there are two of one name, which no browser sends.
pub(crate) fn secret_of(headers: &HeaderMap) -> Option<Secret> {
    let name = if values(headers, HOST).next().is_some() { HOST } else { PLAIN };
    let mut ours = values(headers, name);
    match (ours.next(), ours.next()) {
        (Some(value), None) => value.parse().ok(),
        _ => None,
    }
}

/// Whether the cookie of a request has a name that it should not have any more.
pub(crate) fn is_outdated(headers: &HeaderMap, secure: bool) -> bool {
    secure && values(headers, HOST).next().is_none()
}

/// Has the browser keep a secret for a year.
pub(crate) fn keep(headers: &mut HeaderMap, secret: &Secret, secure: bool) {
    let name = if secure { HOST } else { PLAIN };
    set(headers, name, &secret.to_cookie(), 31_536_000, secure);
    if secure {
        set(headers, PLAIN, "", 0, secure);
    }
}

/// Has the browser forget the secret.
pub(crate) fn drop(headers: &mut HeaderMap, secure: bool) {
    set(headers, PLAIN, "", 0, secure);
    if secure {
        set(headers, HOST, "", 0, secure);
    }
}

fn set(headers: &mut HeaderMap, name: &str, value: &str, seconds: u32, secure: bool) {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
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
