//! The headers that every answer has.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// What a browser may do with our pages: nothing that is not ours, and nothing inline.
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
/// Unless the answer says otherwise.
const CACHE: (&str, &str) = ("cache-control", "no-store");

/// Puts the headers on an answer of ours.
pub(crate) fn dress(headers: &mut HeaderMap) {
    for (name, value) in ALWAYS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static(CACHE.1));
}

/// The HTTP library refuses heads that it cannot read by itself, with a bare answer. Hands back
/// that answer with the headers on it, if these bytes are one.
pub(crate) fn dressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let refusal = bytes.starts_with(b"HTTP/1.1 4") || bytes.starts_with(b"HTTP/1.0 4");
    let head = bytes.strip_suffix(b"\r\n\r\n").filter(|_| refusal)?;
    let ours = head.windows(CSP.len()).any(|part| part == CSP.as_bytes());
    if ours {
        return None;
    }
    let mut dressed = head.to_vec();
    for (name, value) in ALWAYS.into_iter().chain([CACHE]) {
        dressed.extend([b"\r\n", name.as_bytes(), b": ", value.as_bytes()].concat());
    }
    dressed.extend(b"\r\n\r\n");
    Some(dressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_refusals_are_dressed() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length: 0\r\n\r\n";
        let text = String::from_utf8(dressed(bare).unwrap()).unwrap();
        assert!(text.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\ncontent-length"));
        assert!(text.contains("\r\nx-frame-options: DENY\r\n") && text.ends_with("\r\n\r\n"));
        assert_eq!(dressed(text.as_bytes()), None, "once is enough");
        for other in ["HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 400 Bad\r\n\r\n{}", "", "\r\n\r\n"] {
            assert_eq!(dressed(other.as_bytes()), None, "{other:?}");
        }
    }
}
