//! The session of a socket that is at another node.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use bytes::Bytes;
use journal::Hash;
use serde::{Deserialize, Serialize};
use table::PersonId;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tracing::debug;

use super::Relays;
use super::message::{Kind, SocketId};
use crate::App;
use crate::address::{Subnet, subnet_of};
use crate::connection;
use crate::upgrade::Socket;

/// How many bytes for a client are sent at once, at most.
const DOWN_BYTES_MOST: usize = 16 * 1_024;

/// Whose socket is relayed. The node that the client is at has checked it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Introduction {
    person: PersonId,
    /// The hash of the secret that the person is signed in by.
    device: PersonId,
    from: IpAddr,
    /// The number of the page.
    client: u32,
}

impl Introduction {
    pub(crate) fn new(person: PersonId, device: Hash, from: Subnet, client: u32) -> Self {
        Self { person, device: PersonId::from_hash(device), from: from.first(), client }
    }

    pub(super) fn written(&self) -> Bytes {
        // Plain data: it cannot fail.
        serde_json::to_vec(self).unwrap_or_default().into()
    }

    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        serde_json::from_slice(bytes).ok()
    }
}

/// Serves a relayed socket until its session ends, or until its node hangs up.
pub(super) async fn serve(
    app: &Arc<App>,
    relays: &Relays,
    socket: SocketId,
    introduction: Introduction,
    mut waiting: mpsc::Receiver<Bytes>,
) {
    let mut sequence = 0;
    if let Some(stream) = begin(app, relays, introduction).await {
        let (mut read, mut write) = stream.into_split();
        let up = async {
            while let Some(frames) = waiting.recv().await {
                if write.write_all(&frames).await.is_err() {
                    break;
                }
            }
        };
        let down = async {
            let mut space = vec![0; DOWN_BYTES_MOST];
            while let Ok(count @ 1..) = read.read(&mut space).await {
                let frames = Bytes::copy_from_slice(&space[..count]);
                relays.send(socket.node, Kind::Down, socket, sequence, frames);
                sequence += 1;
            }
        };
        tokio::select! {
            () = up => {}
            () = down => {}
        }
    }
    relays.send(socket.node, Kind::Ended, socket, sequence, Bytes::new());
}

/// Begins the session; the other end of its connection. `None` if the person is not known any more,
/// or if there is no place for them here.
async fn begin(
    app: &Arc<App>,
    relays: &Relays,
    Introduction { person, device, from, client }: Introduction,
) -> Option<TcpStream> {
    let person = match app.people.get(person).await {
        Ok(person) => person?,
        Err(fault) => {
            debug!(%fault, "a relayed person cannot be read");
            return None;
        }
    };
    let from = subnet_of(from);
    let places = app.connections.take(person.id, from).ok()?;
    if places.is_one_too_many() {
        return None;
    }
    let of_socket = app.connections.take_socket(IpAddr::V4(Ipv4Addr::LOCALHOST), true)?;
    let (outside, stream) = match relays.loopback.pair().await {
        Ok(pair) => pair,
        Err(error) => {
            debug!(%error, "there is no socket for a relayed connection");
            return None;
        }
    };
    let conn = app.connections.next_id();
    let serving = connection::serve(
        app.clone(),
        Socket { stream, read: Bytes::new(), places: of_socket },
        person,
        device.hash(),
        from,
        conn,
        Some(client),
    );
    app.connections.tasks.spawn(async move {
        serving.await;
        drop(places);
    });
    Some(outside)
}
