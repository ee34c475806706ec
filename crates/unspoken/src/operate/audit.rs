//! What operators did: a file of JSON lines beside the data file, to which lines are only added.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use serde_json::{Value, json};

/// Adds a line with the time in seconds since 1970 and the user's number.
pub(super) fn add(data: &Path, did: &Value) -> Result<()> {
    let mut line = json!({
        "at_s": SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs(),
        "user": rustix::process::getuid().as_raw(),
    });
    if let (Some(line), Some(did)) = (line.as_object_mut(), did.as_object()) {
        line.extend(did.clone());
    }
    let mut path = data.to_owned().into_os_string();
    path.push(".audit");
    let path = PathBuf::from(path);
    let file = OpenOptions::new().create(true).append(true).mode(0o600).open(&path);
    // One write: lines of two programs do not mix.
    let written = file.and_then(|mut file| {
        file.write_all(format!("{line}\n").as_bytes())?;
        file.sync_data()
    });
    written.with_context(|| format!("it is done, but {} cannot be written", path.display()))
}
