//! The client's address, and which pages may send requests.

use std::collections::HashSet;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Mutex;

use axum::http::{HeaderMap, HeaderValue, header};
use tracing::warn;

use crate::limits::lock;

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
        let parts = [("https://", ":443"), ("http://", ":80")];
        let parts = parts.into_iter().find_map(|(scheme, port)| {
            // Browsers leave out the usual port of the scheme.
            let host = text.strip_prefix(scheme)?;
            Some((scheme, host.strip_suffix(port).unwrap_or(host)))
        });
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]_".contains(c);
        match parts {
            Some((_, host)) if !host.is_ascii() => {
                Err("write the host as browsers send it, as in https://xn--mller-kva.example"
                    .into())
            }
            Some((scheme, host)) if !host.is_empty() && host.chars().all(is_plain) => {
                Ok(Self(format!("{scheme}{host}")))
            }
            _ => Err("write it as https://play.example.org, without a path".to_owned()),
        }
    }
}

/// Which pages may talk to the server.
#[derive(Debug)]
pub(crate) struct Origins {
    expected: Vec<String>,
    /// Those that were refused and logged.
    refused: Mutex<HashSet<String>>,
}

/// How many refused origins are logged, each once: a stranger can make up any number.
const LOGGED_MOST: usize = 32;
/// How many characters of a refused origin are logged.
const LOGGED_CHARS: usize = 200;

impl Origins {
    /// The public addresses, or without one the loopback names of the port listened at.
    pub(crate) fn new(public: &[PublicUrl], has_tls: bool, listen: SocketAddr) -> Self {
        let expected = if public.is_empty() {
            let port = listen.port();
            let names = ["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
            let own = match listen.ip() {
                IpAddr::V4(ip) => ip.to_string(),
                IpAddr::V6(ip) => format!("[{ip}]"),
            };
            let all = names.into_iter().chain([own]);
            let scheme = if has_tls { "https" } else { "http" };
            all.map(|name| format!("{scheme}://{name}:{port}")).collect()
        } else {
            public.iter().map(|url| url.0.clone()).collect()
        };
        Self { expected, refused: Mutex::default() }
    }

    /// The addresses of pages that may talk to the server.
    pub(crate) fn expected(&self) -> &[String] {
        &self.expected
    }

    /// Tells the operator which page was refused, once for each. False if nothing was logged.
    pub(crate) fn log_refused(&self, headers: &HeaderMap) -> bool {
        let origin = headers.get(header::ORIGIN).map_or(&b"none"[..], HeaderValue::as_bytes);
        let origin = origin.escape_ascii().to_string();
        let origin = origin.chars().take(LOGGED_CHARS).collect::<String>();
        let mut refused = lock(&self.refused);
        if refused.len() >= LOGGED_MOST || !refused.insert(origin.clone()) {
            return false;
        }
        let expected = self.expected.join(", ");
        warn!(
            %origin, %expected,
            "a page of another address was refused; if it is this server's, add it to --public-url"
        );
        true
    }

    /// Whether the request comes from a page of this server. Browsers send the page's origin. A
    /// request without one is from a program with its own cookie, unless it says that it comes from
    /// another site.
    pub(crate) fn permit(&self, headers: &HeaderMap) -> bool {
        let mut named = headers.get_all(header::ORIGIN).iter();
        match (named.next(), named.next()) {
            (None, _) => headers.get("sec-fetch-site").is_none_or(|site| site != "cross-site"),
            (Some(origin), None) => origin.to_str().is_ok_and(|origin| {
                self.expected.iter().any(|own| own.eq_ignore_ascii_case(origin))
            }),
            (Some(_), Some(_)) => false,
        }
    }
}

/// The addresses that share limits: one IPv4 address, or an IPv6 network of 64 bits, which one
/// client usually has for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Subnet(IpAddr);

/// Its first address.
impl fmt::Display for Subnet {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Subnet {
    /// Its first address.
    pub(crate) fn first(self) -> IpAddr {
        self.0
    }
}

/// The subnet of an address.
pub(crate) fn subnet_of(address: IpAddr) -> Subnet {
    Subnet(match address.to_canonical() {
        IpAddr::V4(ip) => IpAddr::V4(ip),
        IpAddr::V6(ip) => IpAddr::V6((ip.to_bits() >> 64 << 64).into()),
    })
}

/// The trusted reverse proxies, and the header in which they name their clients.
#[derive(Clone, Debug)]
pub(crate) struct Proxies {
    trusted: Vec<IpAddr>,
    header: ProxyHeader,
}

/// The header in which a proxy names its client. Only one is read: a proxy that sets one of them
/// forwards the other as the client sent it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`
    #[default]
    XForwardedFor,
    /// `Forwarded` (RFC 7239)
    Forwarded,
}

impl Proxies {
    /// Addresses of IPv4 are known as such, also when they are written as IPv6.
    pub(crate) fn new(trusted: Vec<IpAddr>, header: ProxyHeader) -> Self {
        let trusted = trusted.into_iter().map(|ip| ip.to_canonical()).collect();
        Self { trusted, header }
    }

    /// Whether this is the address of a trusted proxy.
    pub(crate) fn trusts(&self, address: IpAddr) -> bool {
        self.trusted.contains(&address.to_canonical())
    }

    /// The address of a client: the connection's own, unless that is a trusted proxy.
    pub(crate) fn client(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let peer = peer.to_canonical();
        if !self.trusts(peer) {
            return peer;
        }
        // The last hop that is no trusted proxy is the client; the hops before it were written by
        // the client. That holds for a last hop without an address, too (`unknown`): behind it a
        // client could make up any.
        let hops = self.header.hops(headers);
        let trusted = |hop: &Option<IpAddr>| hop.is_some_and(|ip| self.trusts(ip));
        hops.into_iter().rev().find(|hop| !trusted(hop)).flatten().unwrap_or(peer)
    }
}

impl ProxyHeader {
    /// The addresses of all hops in order, `None` where a hop has no address that can be read.
    fn hops(self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
        let name = match self {
            Self::XForwardedFor => "x-forwarded-for",
            Self::Forwarded => "forwarded",
        };
        // A value with other characters is one hop that cannot be read.
        let values = headers.get_all(name).iter().map(|value| value.to_str().unwrap_or("?"));
        let hops = values.flat_map(|value| value.split(','));
        let named = hops.map(|hop| match self {
            Self::XForwardedFor => Some(hop),
            Self::Forwarded => hop.split(';').find_map(|field| {
                let (key, value) = field.trim().split_once('=')?;
                key.eq_ignore_ascii_case("for").then_some(value)
            }),
        });
        named.map(|hop| address(hop?)).collect()
    }
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
        let public = ["https://Play.example.org/", "http://192.168.1.5:8080"];
        let public = public.map(|url| url.parse().unwrap());
        let origins = Origins::new(&public, false, "127.0.0.1:1".parse().unwrap());
        let permits = |origin| origins.permit(&headers(&[("origin", origin)]));
        assert!(permits("https://play.example.org") && permits("http://192.168.1.5:8080"));
        let refused = headers(&[("origin", "https://evil.example")]);
        let logged = [origins.log_refused(&refused), origins.log_refused(&refused)];
        assert_eq!(logged, [true, false], "each is logged once");
        let many = (0..100).filter(|number| {
            let origin = format!("https://evil{number}.example").parse().unwrap();
            origins.log_refused(&HeaderMap::from_iter([(header::ORIGIN, origin)]))
        });
        assert_eq!(many.count(), LOGGED_MOST - 1, "a stranger does not fill the log");
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
    fn a_public_address_is_written_as_browsers_send_it() {
        for (given, sent) in [
            ("https://play.example.org:443/", "https://play.example.org"),
            ("http://play.example.org:80", "http://play.example.org"),
            ("http://play.example.org:443", "http://play.example.org:443"),
            ("http://[::1]:8080", "http://[::1]:8080"),
            ("HTTPS://Play.Example.org", "https://play.example.org"),
        ] {
            assert_eq!(given.parse(), Ok(PublicUrl(sent.to_owned())), "{given}");
        }
        for wrong in [
            "play.example.org",
            "https://",
            "https://:443",
            "https://play.example.org/games",
            "https://*.example.org",
            "https://me@play.example.org",
            "https://play.example.org\\evil",
            "https://müller.example",
            "ftp://play.example.org",
            "",
        ] {
            assert!(wrong.parse::<PublicUrl>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_ipv6_address_stands_for_its_neighbours() {
        let near = |text: &str| subnet_of(text.parse().unwrap());
        assert_eq!(near("2001:db8:0:1::1"), near("2001:db8:0:1:ffff::2"));
        assert_ne!(near("2001:db8:0:1::1"), near("2001:db8:0:2::1"));
        assert_ne!(near("192.0.2.1"), near("192.0.2.2"));
        assert_eq!(near("192.0.2.1"), near("::ffff:192.0.2.1"));
    }

    #[test]
    fn a_proxy_is_believed_only_if_it_is_trusted() {
        let ip = |text: &str| text.parse::<IpAddr>().unwrap();
        let proxy = ip("10.0.0.1");
        let client = |header, trusted: &[IpAddr], pairs: &[(&'static str, &'static str)]| {
            let proxies = Proxies::new(trusted.to_vec(), header);
            proxies.client(proxy, &headers(pairs)).to_string()
        };
        let common = |trusted: &[IpAddr], value: &'static str| {
            client(ProxyHeader::XForwardedFor, trusted, &[("x-forwarded-for", value)])
        };
        assert_eq!(common(&[], "1.2.3.4"), "10.0.0.1");
        assert_eq!(common(&[proxy], "1.2.3.4"), "1.2.3.4");
        assert_eq!(common(&[proxy], "6.6.6.6, 1.2.3.4, 10.0.0.1"), "1.2.3.4");
        assert_eq!(common(&[proxy], "nonsense"), "10.0.0.1");
        let standard =
            |value: &'static str| client(ProxyHeader::Forwarded, &[proxy], &[("forwarded", value)]);
        assert_eq!(standard("for=\"[2001:db8::1]:47011\";proto=https"), "2001:db8::1");
        assert_eq!(standard("for=1.2.3.4, for=10.0.0.1"), "1.2.3.4");
        assert_eq!(client(ProxyHeader::Forwarded, &[proxy], &[]), "10.0.0.1");
    }

    #[test]
    fn a_proxy_of_ipv4_is_trusted_however_its_address_is_written() {
        for (written, peer) in
            [("::ffff:10.0.0.1", "10.0.0.1"), ("10.0.0.1", "::ffff:10.0.0.1"), ("::1", "::1")]
        {
            let [trusted, peer] = [written, peer].map(|text| text.parse().unwrap());
            let proxies = Proxies::new(vec![trusted], ProxyHeader::XForwardedFor);
            for (value, client) in [
                ("2001:db8::7", "2001:db8::7"),
                ("[2001:db8::7]", "2001:db8::7"),
                ("[2001:db8::7]:443", "2001:db8::7"),
                ("::ffff:1.2.3.4", "1.2.3.4"),
                ("6.6.6.6, 2001:db8::7", "2001:db8::7"),
            ] {
                let found = proxies.client(peer, &headers(&[("x-forwarded-for", value)]));
                assert_eq!(found.to_string(), client, "{written}, {value}");
            }
        }
    }

    #[test]
    fn what_stands_before_an_unreadable_hop_is_not_believed() {
        let proxies = ["10.0.0.1", "10.0.0.2"].map(|ip| ip.parse::<IpAddr>().unwrap());
        let client = |header, name: &'static str, value: &'static str| {
            let proxies = Proxies::new(proxies.to_vec(), header);
            proxies.client("10.0.0.1".parse().unwrap(), &headers(&[(name, value)])).to_string()
        };
        for value in ["6.6.6.6, unknown", "6.6.6.6, unknown, 10.0.0.2", "6.6.6.6,", "6.6.6.6, _x"] {
            let found = client(ProxyHeader::XForwardedFor, "x-forwarded-for", value);
            assert_eq!(found, "10.0.0.1", "{value}");
        }
        for value in ["for=6.6.6.6, for=unknown", "for=6.6.6.6, proto=https", "for=6.6.6.6, for=_x"]
        {
            let found = client(ProxyHeader::Forwarded, "forwarded", value);
            assert_eq!(found, "10.0.0.1", "{value}");
        }
        let both = client(ProxyHeader::XForwardedFor, "x-forwarded-for", "unknown, 1.2.3.4");
        assert_eq!(both, "1.2.3.4", "what stands before the client does not count");
    }

    #[test]
    fn only_the_header_of_the_proxy_is_read() {
        let proxy = "10.0.0.1".parse().unwrap();
        let made_up = [("forwarded", "for=6.6.6.6"), ("x-forwarded-for", "1.2.3.4")];
        let client = |header| {
            Proxies::new(vec![proxy], header).client(proxy, &headers(&made_up)).to_string()
        };
        assert_eq!(client(ProxyHeader::XForwardedFor), "1.2.3.4");
        assert_eq!(client(ProxyHeader::Forwarded), "6.6.6.6");
    }
}
