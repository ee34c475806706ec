//! Where a request comes from, and whether a page may send it.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;

use axum::http::{HeaderMap, header};

/// The address at which people reach the server: scheme, host and port, without a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(String);

impl PublicUrl {
    /// Whether cookies may only travel encrypted.
    pub fn is_https(&self) -> bool {
        self.0.starts_with("https://")
    }
}

impl FromStr for PublicUrl {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let text = text.trim_end_matches('/').to_ascii_lowercase();
        let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        match host {
            Some(host) if !host.is_empty() && !host.contains(['/', '@', '?', '#', ' ']) => {
                Ok(Self(text))
            }
            _ => Err("write it as https://play.example.org, without a path".to_owned()),
        }
    }
}

/// Which pages may talk to the server.
#[derive(Clone, Debug)]
pub(crate) struct Origins(Vec<String>);

impl Origins {
    /// The public address, or without one the loopback names of the port listened at.
    pub(crate) fn new(public: Option<&PublicUrl>, listen: SocketAddr) -> Self {
        match public {
            Some(url) => Self(vec![url.0.clone()]),
            None => {
                let port = listen.port();
                let names = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
                let own = match listen.ip() {
                    IpAddr::V4(ip) => ip.to_string(),
                    IpAddr::V6(ip) => format!("[{ip}]"),
                };
                let all = names.into_iter().chain([own]);
                Self(all.map(|name| format!("http://{name}:{port}")).collect())
            }
        }
    }

    /// Whether the request comes from one of our own pages. Browsers name the page they act for;
    /// what names none is no browser, and has nobody's cookie but its own.
    pub(crate) fn permit(&self, headers: &HeaderMap) -> bool {
        let mut named = headers.get_all(header::ORIGIN).iter();
        match (named.next(), named.next()) {
            (None, _) => true,
            (Some(origin), None) => origin
                .to_str()
                .is_ok_and(|origin| self.0.iter().any(|own| own.eq_ignore_ascii_case(origin))),
            (Some(_), Some(_)) => false,
        }
    }
}

/// Who shares the limits of an address: whoever has one IPv6 address has the 2⁶⁴ around it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Neighbourhood(IpAddr);

/// The neighbourhood of an address.
pub(crate) fn neighbourhood(address: IpAddr) -> Neighbourhood {
    Neighbourhood(match address.to_canonical() {
        IpAddr::V4(ip) => IpAddr::V4(ip),
        IpAddr::V6(ip) => IpAddr::V6((ip.to_bits() >> 64 << 64).into()),
    })
}

/// The address of a client, taken from a proxy's word only if the proxy is trusted.
pub(crate) fn client_address(peer: IpAddr, headers: &HeaderMap, trusted: &[IpAddr]) -> IpAddr {
    let peer = peer.to_canonical();
    if !trusted.contains(&peer) {
        return peer;
    }
    // The last hop that no trusted proxy stands for is the client; what comes before it in the
    // list was written by the client.
    let hops = forwarded(headers);
    hops.into_iter().rev().find(|hop| !trusted.contains(hop)).unwrap_or(peer)
}

fn forwarded(headers: &HeaderMap) -> Vec<IpAddr> {
    let texts = |name: &str| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).map(str::to_owned).collect::<Vec<_>>()
    };
    let standard = texts("forwarded");
    let hops = if standard.is_empty() {
        texts("x-forwarded-for")
    } else {
        let part = |hop: &String| {
            let field = hop.split(';').map(str::trim);
            let field = field.into_iter().find_map(|field| {
                let (key, value) = field.split_once('=')?;
                key.eq_ignore_ascii_case("for").then(|| value.to_owned())
            });
            field.unwrap_or_default()
        };
        standard.iter().map(part).collect()
    };
    hops.iter().filter_map(|hop| address(hop)).collect()
}

/// An address with or without quotes, brackets and port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim().trim_matches('"');
    let ip = text.parse::<IpAddr>().ok();
    let ip = ip.or_else(|| text.parse::<SocketAddr>().ok().map(|socket| socket.ip()));
    let ip = ip.or_else(|| text.strip_prefix('[')?.strip_suffix(']')?.parse().ok());
    ip.map(|ip| ip.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, value.parse().unwrap());
        }
        headers
    }

    #[test]
    fn only_our_own_pages_are_permitted() {
        let public = "https://Play.example.org/".parse().unwrap();
        let origins = Origins::new(Some(&public), "127.0.0.1:1".parse().unwrap());
        let permits = |origin| origins.permit(&headers(&[("origin", origin)]));
        assert!(permits("https://play.example.org"));
        for foreign in [
            "http://play.example.org",
            "https://play.example.org:8443",
            "https://play.example.org.evil.net",
            "https://evilplay.example.org",
            "https://play.example.org@evil.net",
            "null",
            "",
        ] {
            assert!(!permits(foreign), "{foreign}");
        }
        assert!(origins.permit(&HeaderMap::new()));
        let two =
            headers(&[("origin", "https://play.example.org"), ("origin", "https://evil.net")]);
        assert!(!origins.permit(&two));
    }

    #[test]
    fn one_ipv6_address_stands_for_its_neighbours() {
        let near = |text: &str| neighbourhood(text.parse().unwrap());
        assert_eq!(near("2001:db8:0:1::1"), near("2001:db8:0:1:ffff::2"));
        assert_ne!(near("2001:db8:0:1::1"), near("2001:db8:0:2::1"));
        assert_ne!(near("192.0.2.1"), near("192.0.2.2"));
        assert_eq!(near("192.0.2.1"), near("::ffff:192.0.2.1"));
    }

    #[test]
    fn a_proxy_is_believed_only_if_it_is_trusted() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let proxy = ip("10.0.0.1");
        let check = |pairs: &[(&'static str, &'static str)], trusted: &[IpAddr], expected: &str| {
            assert_eq!(client_address(proxy, &headers(pairs), trusted), ip(expected), "{pairs:?}");
        };
        check(&[("x-forwarded-for", "1.2.3.4")], &[], "10.0.0.1");
        check(&[("x-forwarded-for", "1.2.3.4")], &[proxy], "1.2.3.4");
        check(&[("x-forwarded-for", "6.6.6.6, 1.2.3.4, 10.0.0.1")], &[proxy], "1.2.3.4");
        check(&[("forwarded", "for=\"[2001:db8::1]:47011\";proto=https")], &[proxy], "2001:db8::1");
        check(&[("forwarded", "for=1.2.3.4, for=10.0.0.1")], &[proxy], "1.2.3.4");
        check(&[("x-forwarded-for", "nonsense")], &[proxy], "10.0.0.1");
        check(&[], &[proxy], "10.0.0.1");
    }
}
