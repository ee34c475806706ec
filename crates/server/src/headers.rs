//! The security headers of every answer. With `tower-http` each of them would be a layer of its own;
//! one loop over a list does the same.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Pages load only from this server, and have no inline scripts or styles.
const CSP: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; media-src 'self'; manifest-src 'self'; \
    connect-src 'self'; worker-src 'self'; frame-ancestors 'none'; base-uri 'none'; \
    form-action 'none'";

const ALWAYS: [(&str, &str); 7] = [
    ("content-security-policy", CSP),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
];
/// The `cache-control` of answers that set none.
const CACHE: &str = "no-store";

/// Sets the headers on an answer. Requests that hyper itself refuses do not reach this: their
/// answers have no body, so the headers would protect nothing.
pub(crate) fn apply(headers: &mut HeaderMap) {
    for (name, value) in ALWAYS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(CACHE));
}
