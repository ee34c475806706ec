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

/// Lets pages of these origins embed the answer, which no page may otherwise. The origins are those
/// of a study's file, which was checked: each is a scheme, a host and perhaps a port.
pub(crate) fn allow_embedding(headers: &mut HeaderMap, origins: &[String]) {
    let ancestors = format!("frame-ancestors {}", origins.join(" "));
    let policy = CSP.replace("frame-ancestors 'none'", &ancestors);
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(HeaderName::from_static("content-security-policy"), policy);
        headers.remove("x-frame-options");
    }
}

/// Sets the headers on an answer. Requests that hyper itself refuses do not reach this: their
/// answers have no body, so the headers would protect nothing.
pub(crate) fn apply(headers: &mut HeaderMap) {
    for (name, value) in ALWAYS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(CACHE));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_named_origins_may_embed() {
        let mut headers = HeaderMap::new();
        apply(&mut headers);
        assert_eq!(headers["x-frame-options"], "DENY");
        let origins = ["https://lab.example.org".to_owned(), "http://localhost:8080".to_owned()];
        allow_embedding(&mut headers, &origins);
        let policy = headers["content-security-policy"].to_str().unwrap();
        let wanted = "frame-ancestors https://lab.example.org http://localhost:8080;";
        assert!(policy.contains(wanted), "{policy}");
        assert_eq!(policy.replace(wanted, "frame-ancestors 'none';"), CSP);
        assert!(!headers.contains_key("x-frame-options"));
    }
}
