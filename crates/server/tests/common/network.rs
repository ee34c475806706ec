//! A network between people and a server, as long as it takes.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// A proxy that hands everything on a while later, in order; it ends when it is dropped.
pub struct Network {
    pub address: SocketAddr,
    frozen: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Network {
    /// A way to the server that takes so long in either direction.
    pub async fn new(server: SocketAddr, one_way: Duration) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let (frozen, is_frozen) = watch::channel(false);
        let task = tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(server).await.unwrap();
                for stream in [&near, &far] {
                    stream.set_nodelay(true).unwrap();
                }
                let ((from_near, to_near), (from_far, to_far)) =
                    (near.into_split(), far.into_split());
                tokio::spawn(carry(from_near, to_far, one_way, is_frozen.clone()));
                tokio::spawn(carry(from_far, to_near, one_way, is_frozen.clone()));
            }
        });
        Self { address, frozen, task }
    }

    /// Nothing arrives any more, or everything that was on its way.
    pub fn freeze(&self, frozen: bool) {
        self.frozen.send_replace(frozen);
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn carry(
    mut from: OwnedReadHalf,
    mut to: OwnedWriteHalf,
    one_way: Duration,
    mut frozen: watch::Receiver<bool>,
) {
    let (leave, mut arrive) = mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        let mut bytes = vec![0; 16_384];
        while let Ok(count @ 1..) = from.read(&mut bytes).await {
            if leave.send((Instant::now() + one_way, bytes[..count].to_vec())).is_err() {
                return;
            }
        }
    });
    while let Some((at, bytes)) = arrive.recv().await {
        sleep_until(at).await;
        if frozen.wait_for(|frozen| !frozen).await.is_err() || to.write_all(&bytes).await.is_err() {
            return;
        }
    }
}
