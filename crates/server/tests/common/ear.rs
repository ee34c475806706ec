//! A socket that is read all the time, as a browser does: pings are answered while a test is busy
//! with another person.

use futures_util::{SinkExt, StreamExt};
use tokio::net::TcpStream;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};

type Frame = Result<Message, Error>;

/// One end of a connection; closed without a word when it is dropped.
pub struct Ear {
    out: mpsc::Sender<Message>,
    heard: mpsc::UnboundedReceiver<Frame>,
    deaf: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Ear {
    pub fn new(socket: WebSocketStream<MaybeTlsStream<TcpStream>>) -> Self {
        let (out, outgoing) = mpsc::channel(1);
        let (hear, heard) = mpsc::unbounded_channel();
        let (deaf, is_deaf) = watch::channel(false);
        let task = tokio::spawn(listen(socket, outgoing, hear, is_deaf));
        Self { out, heard, deaf, task }
    }

    /// Sends a frame, unless the connection is closed.
    pub async fn send(&mut self, message: Message) -> Result<(), Error> {
        self.out.send(message).await.map_err(|_| Error::ConnectionClosed)
    }

    /// The next frame, `None` once the connection is closed.
    pub async fn next(&mut self) -> Option<Frame> {
        self.heard.recv().await
    }

    /// Reads nothing any more, not even pings, or reads on.
    pub fn turn_deaf(&self, deaf: bool) {
        self.deaf.send_replace(deaf);
    }
}

impl Drop for Ear {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn listen(
    mut socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    mut out: mpsc::Receiver<Message>,
    hear: mpsc::UnboundedSender<Frame>,
    mut deaf: watch::Receiver<bool>,
) {
    loop {
        let is_deaf = *deaf.borrow_and_update();
        tokio::select! {
            biased;
            Ok(()) = deaf.changed() => {}
            Some(message) = out.recv() => {
                // A server that has closed the connection is noticed when reading.
                let _closed = socket.send(message).await;
            }
            frame = socket.next(), if !is_deaf => {
                let ended = matches!(frame, None | Some(Err(_)));
                if frame.is_none_or(|frame| hear.send(frame).is_err()) || ended {
                    return;
                }
            }
        }
    }
}
