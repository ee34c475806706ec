//! The round trip of a connection as this machine's kernel measures it.
//!
//! A client may answer pings as late as it likes, and would so pass for one that is far away. The
//! other kernel acknowledges bytes by itself, and the time until it does is the network's.

use table::fair::KernelTrip;
use tokio::net::TcpStream;

/// What the kernel has measured so far; nothing where it does not say.
pub(crate) fn kernel_trip(stream: &TcpStream) -> Option<KernelTrip> {
    kernel::trip(stream)
}

#[cfg(target_os = "linux")]
mod kernel {
    use std::time::Duration;

    use nix::sys::socket::getsockopt;
    use nix::{getsockopt_impl, libc, sockopt_impl};
    use table::fair::KernelTrip;
    use tokio::net::TcpStream;

    /// The first numbers of the kernel's `tcp_info`, behind eight fields of a byte. Every kernel has
    /// these; a call for the whole of a newer kernel's structure would fail on an older one.
    type FirstNumbers = [u32; 19];
    /// Where `tcpi_rtt` and `tcpi_rttvar` are.
    const RTT: usize = 17;
    const RTTVAR: usize = 18;

    sockopt_impl!(
        /// What the kernel knows of a TCP connection.
        TcpInfo,
        GetOnly,
        libc::IPPROTO_TCP,
        libc::TCP_INFO,
        FirstNumbers
    );

    pub(super) fn trip(stream: &TcpStream) -> Option<KernelTrip> {
        let info = getsockopt(stream, TcpInfo).ok()?;
        let micros = |micros: u32| Duration::from_micros(u64::from(micros));
        let trip = KernelTrip { mean: micros(info[RTT]), deviation: micros(info[RTTVAR]) };
        (info[RTT] > 0).then_some(trip)
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use table::fair::KernelTrip;
    use tokio::net::TcpStream;

    pub(super) fn trip(_: &TcpStream) -> Option<KernelTrip> {
        None
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_client_that_answers_late_does_not_seem_far_away() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut client = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        let (mut server, _) = listener.accept().await.unwrap();
        let late = Duration::from_millis(150);
        let mut byte = [0; 1];
        for _ in 0..3 {
            server.write_all(b"?").await.unwrap();
            client.read_exact(&mut byte).await.unwrap();
            tokio::time::sleep(late).await;
            client.write_all(b"!").await.unwrap();
            server.read_exact(&mut byte).await.unwrap();
        }
        let trip = kernel_trip(&server).expect("bytes were acknowledged");
        assert!(trip.mean > Duration::ZERO && trip.mean < late, "{trip:?}");
    }
}
