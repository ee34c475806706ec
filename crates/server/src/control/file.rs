//! Requests on a data file that no server uses.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;

use anyhow::{Result, bail};
use clap::Parser;
use journal::OpenError;
use serde_json::Value;

use super::Request;
use super::operator::Operator;
use crate::Options;
use crate::seats;
use crate::store::Store;

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    options: Options,
}

/// Does what the operator asks, with a server that has no listener.
pub(super) fn answer(data: &Path, user: u32, request: &Request) -> Result<Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(answer_in_runtime(data, user, request))
}

async fn answer_in_runtime(data: &Path, user: u32, request: &Request) -> Result<Value> {
    let mut options = Arguments::try_parse_from(["unspoken"])?.options;
    options.data = data.to_owned();
    let store = match Store::open_file(options.data.clone()) {
        Ok(store) => store,
        Err(error) => match error.downcast_ref::<OpenError>() {
            Some(OpenError::InUse { path }) => bail!(
                "a server uses {} and does not listen at its socket file: give the name under \
                 which it opened the file, or stop it",
                path.display()
            ),
            _ => return Err(error),
        },
    };
    let engine = store.engine.clone();
    let app = crate::assemble(options, nowhere(), store, None);
    if let Request::People { .. } = request {
        seats::read_sleeping(app.shared.clone()).await;
    }
    let answer = Operator { app: app.clone(), user }.answer(request).await;
    app.directory.sleep().await;
    engine.close().await?;
    answer
}

/// The address of a server that listens nowhere.
fn nowhere() -> SocketAddr {
    (Ipv4Addr::LOCALHOST, 0).into()
}
