//! The WebSocket handshake (RFC 6455, section 4.2), and taking the TCP connection out of hyper.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use bytes::Bytes;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tracing::debug;
use tungstenite::handshake::derive_accept_key;
use wire::Refusal;

use crate::App;
use crate::connections::SocketPlaces;
use crate::lingering_close::LingeringStream;
use crate::problem::Problem;

/// The only version of the WebSocket protocol.
const VERSION: &str = "13";

/// A valid request to upgrade to WebSocket.
pub(crate) struct Handshake {
    accept: String,
    upgrade: OnUpgrade,
}

/// A TCP connection after its upgrade.
pub(crate) struct Socket {
    pub(crate) stream: TcpStream,
    /// Bytes that arrived together with the request, after its end.
    pub(crate) read: Bytes,
    pub(crate) places: SocketPlaces,
}

impl FromRequestParts<Arc<App>> for Handshake {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<App>) -> Result<Self, Problem> {
        let wrong = |text| Err(Problem::new(Refusal::NoUpgrade, text));
        if parts.method != Method::GET {
            return Err(Problem::new(Refusal::NoMethod, "a socket is opened by GET"));
        }
        if !names(&parts.headers, header::CONNECTION, "upgrade") {
            return wrong("a WebSocket needs the header Connection: upgrade");
        }
        if !names(&parts.headers, header::UPGRADE, "websocket") {
            return wrong("a WebSocket needs the header Upgrade: websocket");
        }
        if parts.headers.get(header::SEC_WEBSOCKET_VERSION).is_none_or(|it| it != VERSION) {
            return wrong("a WebSocket needs the header Sec-WebSocket-Version: 13");
        }
        let Some(key) = parts.headers.get(header::SEC_WEBSOCKET_KEY) else {
            return wrong("a WebSocket needs the header Sec-WebSocket-Key");
        };
        let accept = derive_accept_key(key.as_bytes());
        match parts.extensions.remove::<OnUpgrade>() {
            Some(upgrade) => Ok(Self { accept, upgrade }),
            None => wrong("this connection cannot become a WebSocket"),
        }
    }
}

/// Whether a comma-separated header contains a word.
fn names(headers: &HeaderMap, name: HeaderName, word: &str) -> bool {
    let values = headers.get_all(name);
    let mut words =
        values.iter().filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(','));
    words.any(|other| other.trim().eq_ignore_ascii_case(word))
}

impl Handshake {
    /// The response `101 Switching Protocols`, and a future that is done when it was sent. `None`
    /// if the connection broke meanwhile.
    pub(crate) fn accept(self) -> (Response, impl Future<Output = Option<Socket>>) {
        let mut response = Response::new(Body::empty());
        *response.status_mut() = StatusCode::SWITCHING_PROTOCOLS;
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, const { HeaderValue::from_static("upgrade") });
        headers.insert(header::UPGRADE, const { HeaderValue::from_static("websocket") });
        if let Ok(accept) = HeaderValue::try_from(self.accept) {
            headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
        }
        (response, socket(self.upgrade))
    }
}

async fn socket(upgrade: OnUpgrade) -> Option<Socket> {
    let upgraded = match upgrade.await {
        Ok(upgraded) => upgraded,
        Err(error) => {
            debug!(%error, "a connection broke before it became a WebSocket");
            return None;
        }
    };
    let parts = upgraded.downcast::<TokioIo<LingeringStream>>().ok()?;
    let (stream, places) = parts.io.into_inner().into_parts()?;
    Some(Socket { stream, read: parts.read_buf, places })
}
