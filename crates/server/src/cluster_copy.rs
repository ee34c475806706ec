//! Everything of a server, copied from a file into a cluster and out of it again.

use std::path::Path;

use anyhow::{Context, Result, bail};
use cluster::{Archive, Copied, Progress, copy_into, transfer};
use journal::{AuditLine, Inventory, Partial, Sqlite};
use serde_json::json;
use tokio::task::spawn_blocking;

use crate::ClusterAccess;
use crate::calendar::now_s;

/// Copies a data file that no server uses into a cluster that no node serves, and reads it back. The
/// cluster is made if there is none. A copy that was begun before goes on.
pub async fn copy_into_cluster(
    data: &Path,
    access: &ClusterAccess,
    streams: u16,
    see: &mut dyn FnMut(Progress),
) -> Result<Copied> {
    if !data.exists() {
        bail!("there is no file {}: name the server's data file", data.display());
    }
    let path = data.to_owned();
    let opened = spawn_blocking(move || Sqlite::open(path, journal::Options::default()));
    let file = opened.await.context("the journal panicked")??;
    let options = cluster::Options { streams, ..access.writing() };
    let archive = Archive::find_or_make(&options).await?;
    let is_served = archive.unserved().await?;
    let copied = copy_into(&file, &archive, now_s, see).await;
    let was_served = *is_served.borrow();
    close(file).await?;
    if was_served {
        bail!("a node served the cluster meanwhile: stop it and give the command again");
    }
    Ok(copied?)
}

/// Copies a cluster that no node serves into a new data file, and reads it back. Returns the bytes
/// of the file, too. A copy that was begun before goes on.
pub async fn copy_out_of_cluster(
    data: &Path,
    access: &ClusterAccess,
    see: &mut dyn FnMut(Progress),
) -> Result<(Copied, u64)> {
    let archive = Archive::find(&access.reading()).await?;
    let is_served = archive.unserved().await?;
    let copied = copy_to_file(data, &archive, see).await;
    let was_served = *is_served.borrow();
    if was_served {
        bail!("a node served the cluster meanwhile: stop it, and copy into another file");
    }
    copied
}

/// The same while nodes serve the cluster: what changes after it was read is not in the file. Noted
/// in the cluster's audit log.
pub async fn back_up_cluster(
    file: &Path,
    access: &ClusterAccess,
    user: u32,
    see: &mut dyn FnMut(Progress),
) -> Result<(Copied, u64)> {
    let archive = Archive::find(&access.reading()).await?;
    let copied = copy_to_file(file, &archive, see).await?;
    let line = json!({ "user": user, "did": "backup", "file": file }).to_string();
    let noted = archive.audit(AuditLine { at_s: now_s(), line: line.into() }).await;
    noted.context("it is done, but the audit log cannot be written")?;
    Ok(copied)
}

async fn copy_to_file(
    to: &Path,
    archive: &Archive,
    see: &mut dyn FnMut(Progress),
) -> Result<(Copied, u64)> {
    let path = to.to_owned();
    let begun = spawn_blocking(move || Partial::begin(path)).await;
    let (partial, file) = begun.context("the journal panicked")??;
    let copied = match check_source(&file, archive).await {
        Ok(()) => transfer(archive, &file, now_s, see).await.map_err(anyhow::Error::from),
        Err(error) => Err(error.context(format!("{} cannot be used", partial.path().display()))),
    };
    close(file).await?;
    let copied = copied?;
    let finished = spawn_blocking(move || partial.finish()).await;
    Ok((copied, finished.context("the journal panicked")??))
}

/// Fails if a file has a part of something else.
async fn check_source(file: &Sqlite, archive: &Archive) -> Result<()> {
    let is_new = file.tables().await?.is_empty() && file.persons().await?.is_empty();
    if !is_new && file.secret().await? != archive.secret().await? {
        bail!("it is a part of a copy of another cluster: remove it, or name another file");
    }
    Ok(())
}

async fn close(file: Sqlite) -> Result<()> {
    spawn_blocking(move || file.close()).await.context("the journal panicked")
}
