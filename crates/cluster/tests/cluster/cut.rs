//! A connection that can be cut: what is sent meanwhile waits, and arrives late.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What lies between a node and its brokers: an address for each broker. It is in no broker's
/// configuration, so the brokers must not name their own addresses to the node.
pub struct Cut {
    addresses: Vec<SocketAddr>,
    is_open: watch::Sender<bool>,
}

impl Cut {
    /// Passes on connections to these brokers, as long as the runtime lives.
    pub async fn before(brokers: &[String]) -> Self {
        let (is_open, gate) = watch::channel(true);
        let mut addresses = Vec::new();
        for broker in brokers {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            addresses.push(listener.local_addr().unwrap());
            let broker = broker.trim_start_matches("nats://").to_owned();
            tokio::spawn(accept(listener, broker, gate.clone()));
        }
        Self { addresses, is_open }
    }

    /// Where the node connects.
    pub fn addresses(&self) -> Vec<String> {
        self.addresses.iter().map(|address| format!("nats://{address}")).collect()
    }

    /// From now on nothing passes, and no connection breaks.
    pub fn cut(&self) {
        self.is_open.send_replace(false);
    }

    /// Everything passes again, late.
    pub fn mend(&self) {
        self.is_open.send_replace(true);
    }
}

async fn accept(listener: TcpListener, broker: String, gate: watch::Receiver<bool>) {
    while let Ok((node, _)) = listener.accept().await {
        let (broker, gate) = (broker.clone(), gate.clone());
        tokio::spawn(async move {
            // A broker that does not run: the node's connection ends.
            let Ok(broker) = TcpStream::connect(broker).await else { return };
            let ((from_node, to_node), (from_broker, to_broker)) = (split(node), split(broker));
            tokio::join!(
                pass_on(from_node, to_broker, gate.clone()),
                pass_on(from_broker, to_node, gate)
            );
        });
    }
}

async fn pass_on(
    mut from: ReadHalf<TcpStream>,
    mut to: WriteHalf<TcpStream>,
    mut gate: watch::Receiver<bool>,
) {
    let mut bytes = vec![0; 64 << 10];
    while let Ok(count) = from.read(&mut bytes).await {
        if gate.wait_for(|is_open| *is_open).await.is_err() || count == 0 {
            break;
        }
        if to.write_all(&bytes[..count]).await.is_err() {
            break;
        }
    }
    let _other_side_is_gone = to.shutdown().await;
}
