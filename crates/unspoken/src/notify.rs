//! Tells systemd how the server is doing (`sd_notify`), if it was started by it.

use std::io;
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixDatagram};

/// The server answers requests.
pub(crate) const READY: &str = "READY=1";
/// The server drains.
pub(crate) const STOPPING: &str = "STOPPING=1";

/// Sends a word to the socket that `NOTIFY_SOCKET` names. Without one there is nothing to do.
pub(crate) fn notify(word: &str) -> io::Result<()> {
    let Some(name) = std::env::var_os("NOTIFY_SOCKET") else { return Ok(()) };
    let bytes = name.as_encoded_bytes();
    // A name with an @ in front is not in the file system.
    let address = match bytes.strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(&name)?,
    };
    UnixDatagram::unbound()?.send_to_addr(word.as_bytes(), &address)?;
    Ok(())
}
