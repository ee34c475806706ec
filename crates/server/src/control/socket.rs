//! The socket file beside the data file, through which the owner of the file reaches the server.

use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tracing::{debug, warn};

use super::operator::Operator;
use super::{Answer, Request, socket_of};
use crate::App;

/// How many requests are answered at once. More wait.
const REQUESTS_MOST: usize = 4;
/// How many bytes a request may have.
const REQUEST_BYTES_MOST: u64 = 1 << 20;
/// How long a request may take to arrive.
const REQUEST_WITHIN: Duration = Duration::from_secs(5);
/// How long to wait before accepting again after the system refused.
const PAUSE: Duration = Duration::from_millis(100);

/// The socket file; it is removed when this is dropped.
pub(crate) struct ControlSocket {
    listener: UnixListener,
    path: SocketPath,
    /// The owner of the data file.
    owner: u32,
}

/// The name of the socket file.
struct SocketPath(PathBuf);

impl Drop for SocketPath {
    fn drop(&mut self) {
        let _gone_already = fs::remove_file(&self.0);
    }
}

impl ControlSocket {
    /// Makes the socket file of a data file. The caller has locked the data file, so a socket file
    /// that is there was left behind by a server that was killed, and is replaced.
    pub(crate) fn open(data: &Path) -> Result<Self> {
        let path = socket_of(data);
        let owner = fs::metadata(data)?.uid();
        match fs::symlink_metadata(&path) {
            Ok(found) if found.file_type().is_socket() => fs::remove_file(&path)?,
            Ok(_) => bail!("{} is no socket: move it away", path.display()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
        }
        let listener = UnixListener::bind(&path).with_context(|| path.display().to_string())?;
        let path = SocketPath(path);
        // Until here others might connect, so the user behind each connection is checked, too.
        fs::set_permissions(&path.0, fs::Permissions::from_mode(0o600))?;
        Ok(Self { listener, path, owner })
    }

    /// Answers requests until the task is stopped.
    pub(crate) async fn serve(self, app: Arc<App>) {
        let Self { listener, path: _removed_at_the_end, owner } = self;
        let places = Arc::new(Semaphore::new(REQUESTS_MOST));
        loop {
            let Ok(place) = places.clone().acquire_owned().await else { return };
            let stream = match listener.accept().await {
                Ok((stream, _)) => stream,
                Err(error) => {
                    warn!(%error, "the operator's connections cannot be accepted at the moment");
                    sleep(PAUSE).await;
                    continue;
                }
            };
            let user = match stream.peer_cred() {
                Ok(peer) if peer.uid() == owner || peer.uid() == 0 => peer.uid(),
                Ok(peer) => {
                    warn!(user = peer.uid(), "another user was refused at the operator's socket");
                    continue;
                }
                Err(error) => {
                    debug!(%error, "an operator's connection closed at once");
                    continue;
                }
            };
            let operator = Operator { app: app.clone(), user };
            tokio::spawn(async move {
                if let Err(error) = answer(stream, &operator).await {
                    debug!(%error, "an operator's connection broke");
                }
                drop(place);
            });
        }
    }
}

/// Answers the one request of a connection.
async fn answer(mut stream: UnixStream, operator: &Operator) -> std::io::Result<()> {
    let mut line = String::new();
    let (read, mut write) = stream.split();
    let mut lines = BufReader::new(read.take(REQUEST_BYTES_MOST));
    timeout(REQUEST_WITHIN, lines.read_line(&mut line)).await??;
    let answer = match serde_json::from_str::<Request>(&line) {
        Ok(request) => match operator.answer(&request).await {
            Ok(value) => Answer::Ok(value),
            Err(error) => Answer::Error(format!("{error:#}")),
        },
        Err(error) => {
            Answer::Error(format!("the server is of another version, use its own program: {error}"))
        }
    };
    let text = serde_json::to_string(&answer)?;
    write.write_all(format!("{text}\n").as_bytes()).await?;
    write.shutdown().await
}
