//! Reading from a socket, with the time at which the kernel received the bytes.
//!
//! A busy server reads late what arrived in time. Presses and pongs are judged by their arrival, so
//! the time that they waited for the server must not count as time on the network: it would make
//! every connection look slow, and plays would be held for presses that are not on their way.

use std::io;
use std::task::{Context, Poll, ready};
use std::time::Instant;

use tokio::io::Interest;
use tokio::net::TcpStream;

/// Bytes that were read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Received {
    pub(crate) bytes: usize,
    /// When the last of them arrived at this machine.
    pub(crate) at: Instant,
}

/// Asks the kernel to note when bytes arrive. Where it cannot, they arrive when they are read.
pub(crate) fn note_arrivals(stream: &TcpStream) {
    if let Err(error) = kernel::note_arrivals(stream) {
        tracing::debug!(%error, "the kernel does not note when bytes arrive");
    }
}

/// Reads what is there into `buffer`; no bytes mean that the other end has closed.
pub(crate) fn poll_receive(
    stream: &TcpStream,
    cx: &mut Context,
    buffer: &mut [u8],
) -> Poll<io::Result<Received>> {
    loop {
        ready!(stream.poll_read_ready(cx))?;
        let mut received = None;
        let read = stream.try_io(Interest::READABLE, || {
            let got = kernel::receive(stream, buffer)?;
            received = Some(got);
            // A buffer that was not filled has taken all there was. Saying so spares the call that
            // would find out: tokio waits for the next event of the socket, as its own reads do.
            let is_empty = 0 < got.bytes && got.bytes < buffer.len();
            if is_empty { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
        });
        match (received, read) {
            (Some(received), _) => return Poll::Ready(Ok(received)),
            (None, Err(error)) if error.kind() == io::ErrorKind::WouldBlock => {}
            (None, Err(error)) => return Poll::Ready(Err(error)),
            // Not reached: a read without an error has received something.
            (None, Ok(())) => {}
        }
    }
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::io::{self, IoSliceMut};
    use std::os::fd::AsRawFd;
    use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

    use nix::sys::socket::sockopt::ReceiveTimestampns;
    use nix::sys::socket::{ControlMessageOwned, MsgFlags, cmsg_space, recvmsg, setsockopt};
    use nix::sys::time::TimeSpec;
    use tokio::net::TcpStream;

    use super::Received;

    /// The kernel's times are of the clock that can be set. Bytes that seem to have waited longer
    /// than this did not: the clock was set meanwhile.
    const WAITED_MOST: Duration = Duration::from_secs(1);

    pub(super) fn note_arrivals(stream: &TcpStream) -> io::Result<()> {
        Ok(setsockopt(stream, ReceiveTimestampns, &true)?)
    }

    pub(super) fn receive(stream: &TcpStream, buffer: &mut [u8]) -> io::Result<Received> {
        let mut control = [0; cmsg_space::<TimeSpec>()];
        let mut parts = [IoSliceMut::new(buffer)];
        let flags = MsgFlags::empty();
        let message = recvmsg::<()>(stream.as_raw_fd(), &mut parts, Some(&mut control), flags)?;
        let arrived = message.cmsgs()?.find_map(|control| match control {
            ControlMessageOwned::ScmTimestampns(time) => Some(Duration::from(time)),
            _ => None,
        });
        let waited = arrived.and_then(|arrived| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
            now.checked_sub(arrived).filter(|waited| *waited <= WAITED_MOST)
        });
        let now = Instant::now();
        let at = waited.and_then(|waited| now.checked_sub(waited)).unwrap_or(now);
        Ok(Received { bytes: message.bytes, at })
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use std::io;
    use std::time::Instant;

    use tokio::net::TcpStream;

    use super::Received;

    pub(super) fn note_arrivals(_: &TcpStream) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn receive(stream: &TcpStream, buffer: &mut [u8]) -> io::Result<Received> {
        let bytes = stream.try_read(buffer)?;
        Ok(Received { bytes, at: Instant::now() })
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::io::Write as _;
    use std::time::Duration;

    use tokio::net::TcpListener;

    use super::*;

    async fn pair() -> (TcpStream, std::net::TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let client = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (server, _) = listener.accept().await.unwrap();
        note_arrivals(&server);
        (server, client)
    }

    async fn receive(stream: &TcpStream, buffer: &mut [u8]) -> Received {
        poll_fn(|cx| poll_receive(stream, cx, buffer)).await.unwrap()
    }

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn bytes_arrive_when_the_kernel_has_them_and_not_when_they_are_read() {
        let (server, mut client) = pair().await;
        let sent = Instant::now();
        client.write_all(b"pressed").unwrap();
        // The server is busy with something else.
        let busy = Duration::from_millis(40);
        while sent.elapsed() < busy {
            std::hint::spin_loop();
        }
        let received = receive(&server, &mut [0; 64]).await;
        assert_eq!(received.bytes, 7);
        let waited = received.at.elapsed();
        assert!(waited >= busy / 2 && waited <= sent.elapsed(), "it waited {waited:?}");
    }

    #[tokio::test]
    async fn all_bytes_are_read_in_pieces_and_the_end_is_none() {
        let (server, mut client) = pair().await;
        let sent = (0..=255).collect::<Vec<u8>>();
        client.write_all(&sent).unwrap();
        drop(client);
        let (mut read, mut buffer) = (Vec::new(), [0; 100]);
        loop {
            let received = receive(&server, &mut buffer).await;
            if received.bytes == 0 {
                break;
            }
            read.extend_from_slice(&buffer[..received.bytes]);
        }
        assert_eq!(read, sent);
    }

    #[tokio::test]
    async fn bytes_that_come_later_are_noticed() {
        let (server, mut client) = pair().await;
        let mut buffer = [0; 64];
        for text in [&b"one"[..], b"two", b"three"] {
            let (received, ()) = tokio::join!(receive(&server, &mut buffer), async {
                tokio::task::yield_now().await;
                client.write_all(text).unwrap();
            });
            assert_eq!(&buffer[..received.bytes], text);
        }
    }
}
