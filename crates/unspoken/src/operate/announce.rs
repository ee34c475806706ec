//! `unspoken announce`: a sentence for all pages that are connected.

use anyhow::Result;
use clap::Args;
use server::control::{Announced, Request};

use super::Common;
use crate::out::outln;

/// `unspoken announce`
#[derive(Args)]
pub struct Announce {
    /// What is shown, 300 characters at most
    text: String,
    #[command(flatten)]
    common: Common,
}

/// Shows a sentence on all pages that are connected.
pub fn announce(Announce { text, common }: &Announce) -> Result<()> {
    let request = Request::Announce { text: text.clone() };
    let Some(Announced { connections, .. }) = common.ask(&request)? else { return Ok(()) };
    outln!("shown on {connections} pages; pages that connect later do not see it");
    Ok(())
}
