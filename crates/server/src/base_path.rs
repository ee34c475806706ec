//! The path under which the server is reached, for a host that serves other things as well.

use std::fmt;
use std::str::FromStr;

use axum::http::Uri;
use axum::http::uri::PathAndQuery;

/// A path such as `/games/unspoken`, or the root. Requests are answered with this path in front and
/// without it, so it does not matter whether the proxy removes it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(String);

impl BasePath {
    /// The path without a slash at its end; empty at the root.
    pub fn prefix(&self) -> &str {
        &self.0
    }

    pub(crate) fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// The address of a request without this path in front. Addresses elsewhere stay as they are.
    pub(crate) fn strip(&self, uri: &Uri) -> Option<Uri> {
        let rest = uri.path_and_query()?.as_str().strip_prefix(&self.0)?;
        let stripped = match rest.chars().next() {
            Some('/') => rest.to_owned(),
            None | Some('?') => format!("/{rest}"),
            Some(_) => return None,
        };
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = Some(PathAndQuery::try_from(stripped).ok()?);
        Uri::from_parts(parts).ok()
    }
}

impl FromStr for BasePath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let path = text.trim_end_matches('/');
        let is_name = |part: &str| {
            let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~".contains(c);
            !part.is_empty() && part.chars().all(is_plain) && part != "." && part != ".."
        };
        match path.strip_prefix('/') {
            Some(parts) if parts.split('/').all(is_name) => Ok(Self(path.to_owned())),
            None if path.is_empty() && text.starts_with('/') => Ok(Self::default()),
            _ => Err("write it as /games/unspoken, with letters, digits and -_.~ alone".to_owned()),
        }
    }
}

impl fmt::Display for BasePath {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(if self.is_root() { "/" } else { &self.0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_plain_parts_and_no_slash_at_its_end() {
        for (text, prefix) in
            [("/", ""), ("/games", "/games"), ("/games/unspoken/", "/games/unspoken")]
        {
            let path = text.parse::<BasePath>().unwrap();
            assert_eq!(path.prefix(), prefix);
            assert_eq!(path.to_string().parse::<BasePath>(), Ok(path));
        }
        for text in ["", "games", "/a//b", "/a b", "/a/../b", "/ü", "/a\"b", "/a?b", "//"] {
            let path = text.parse::<BasePath>();
            assert!(path.is_err() || path == Ok(BasePath::default()), "{text}: {path:?}");
        }
        assert!("".parse::<BasePath>().is_err() && "games".parse::<BasePath>().is_err());
    }

    #[test]
    fn requests_lose_the_path_and_others_stay() {
        let base = "/games/unspoken".parse::<BasePath>().unwrap();
        for (asked, stripped) in [
            ("/games/unspoken", Some("/")),
            ("/games/unspoken/", Some("/")),
            ("/games/unspoken?lang=de", Some("/?lang=de")),
            ("/games/unspoken/table/k3f9ab?watch", Some("/table/k3f9ab?watch")),
            ("/games/unspokenly", None),
            ("/healthz", None),
        ] {
            let uri = base.strip(&asked.parse().unwrap());
            assert_eq!(uri.map(|uri| uri.to_string()).as_deref(), stripped, "{asked}");
        }
        let root = BasePath::default();
        assert_eq!(root.strip(&"/me".parse().unwrap()).unwrap(), "/me");
    }
}
