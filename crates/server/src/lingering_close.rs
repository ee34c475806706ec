//! Lingering close: a connection is closed so that the peer still receives the last answer.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::connections::SocketPlaces;

/// How long, and how much, is still read from a peer after the last answer.
const LINGER_WITHIN: Duration = Duration::from_secs(1);
const LINGER_BYTES_MOST: usize = 1 << 20;

/// A connection that is counted until it is closed. If it were closed while the peer still sends,
/// the system would reset it, and the peer could lose the last answer. Instead its sending half is
/// closed first, and incoming data is discarded for up to a second.
pub(crate) struct LingeringStream {
    stream: Option<TcpStream>,
    places: Option<SocketPlaces>,
    /// Whether the peer has closed its sending half.
    ended: bool,
}

impl LingeringStream {
    pub(crate) fn new(stream: TcpStream, places: SocketPlaces) -> Self {
        Self { stream: Some(stream), places: Some(places), ended: false }
    }

    /// The TCP connection and its counters; `None` if it is closed.
    pub(crate) fn into_parts(mut self) -> Option<(TcpStream, SocketPlaces)> {
        self.stream.take().zip(self.places.take())
    }

    /// Closes the connection at once, without reading on: the peer has closed its side.
    pub(crate) fn close(mut self) {
        self.ended = true;
    }

    fn stream(&mut self) -> io::Result<Pin<&mut TcpStream>> {
        self.stream.as_mut().map(Pin::new).ok_or_else(|| io::ErrorKind::NotConnected.into())
    }
}

impl Drop for LingeringStream {
    fn drop(&mut self) {
        let places = self.places.take();
        if self.ended {
            return;
        }
        if let (Some(stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) {
            runtime.spawn(async move {
                let _timed_out = timeout(LINGER_WITHIN, linger(stream)).await;
                drop(places);
            });
        }
    }
}

async fn linger(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown().await?;
    let mut discarded = [0; 1_024];
    let mut bytes = 0;
    while bytes < LINGER_BYTES_MOST {
        match stream.read(&mut discarded).await? {
            0 => break,
            count => bytes += count,
        }
    }
    Ok(())
}

impl AsyncRead for LingeringStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        buffer: &mut ReadBuf,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = self.stream()?.poll_read(cx, buffer);
        let nothing = buffer.filled().len() == before && buffer.remaining() > 0;
        self.ended |= nothing && matches!(read, Poll::Ready(Ok(())));
        read
    }
}

impl AsyncWrite for LingeringStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        slices: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        self.stream()?.poll_write_vectored(cx, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.as_ref().is_some_and(AsyncWrite::is_write_vectored)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        self.stream()?.poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context) -> Poll<io::Result<()>> {
        self.stream()?.poll_shutdown(cx)
    }
}
