//! A TCP connection whose last word arrives.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;
use tokio::runtime::Handle;
use tokio::time::timeout;

use crate::address::Neighbourhood;
use crate::headers;
use crate::limits::Counted;

/// How long, and how much, is still read from somebody who has been told good-bye.
const LINGER_WITHIN: Duration = Duration::from_secs(1);
const LINGER_BYTES_MOST: usize = 1 << 20;

/// What a connection is counted by.
pub(crate) type Places = (Counted<()>, Option<Counted<Neighbourhood>>);

/// A connection that is counted until it is closed. Closing it while the peer still sends would
/// make the system reset it, and the peer would lose what it was told last. So it is only half
/// closed at first, and what still comes is thrown away for a moment.
pub(crate) struct Lingering {
    stream: Option<TcpStream>,
    places: Option<Places>,
    /// Whether the peer has said that nothing more comes.
    ended: bool,
    /// What is left to write of an answer that was made longer on its way out.
    dressed: Vec<u8>,
}

impl Lingering {
    pub(crate) fn new(stream: TcpStream, places: Places) -> Self {
        Self { stream: Some(stream), places: Some(places), ended: false, dressed: Vec::new() }
    }

    /// The TCP connection and its counters; `None` if it is closed.
    pub(crate) fn into_parts(mut self) -> Option<(TcpStream, Places)> {
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

impl Drop for Lingering {
    fn drop(&mut self) {
        let places = self.places.take();
        if self.ended {
            return;
        }
        if let (Some(stream), Ok(runtime)) = (self.stream.take(), Handle::try_current()) {
            runtime.spawn(async move {
                let _whatever_came = timeout(LINGER_WITHIN, linger(stream)).await;
                drop(places);
            });
        }
    }
}

async fn linger(mut stream: TcpStream) -> io::Result<()> {
    stream.shutdown().await?;
    let mut thrown_away = [0; 1_024];
    let mut bytes = 0;
    while bytes < LINGER_BYTES_MOST {
        match stream.read(&mut thrown_away).await? {
            0 => break,
            count => bytes += count,
        }
    }
    Ok(())
}

impl AsyncRead for Lingering {
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

impl AsyncWrite for Lingering {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.dressed.is_empty() {
            match headers::dressed(bytes) {
                None => return self.stream()?.poll_write(cx, bytes),
                Some(dressed) => self.dressed = dressed,
            }
        }
        // While this waits it is asked again with the same bytes.
        while !self.dressed.is_empty() {
            let left = std::mem::take(&mut self.dressed);
            match self.stream()?.poll_write(cx, &left) {
                Poll::Ready(Ok(count @ 1..)) => self.dressed = left[count..].to_vec(),
                other => {
                    self.dressed = left;
                    return other;
                }
            }
        }
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context,
        slices: &[IoSlice],
    ) -> Poll<io::Result<usize>> {
        if let [only] = slices {
            return self.poll_write(cx, only);
        }
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
