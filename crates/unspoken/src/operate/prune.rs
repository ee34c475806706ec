//! `unspoken prune`: removes old tables.

use anyhow::Result;
use clap::Args;
use server::control::{Pruned, Request};

use super::Common;
use crate::out::outln;

/// `unspoken prune`
#[derive(Args)]
pub struct Prune {
    /// Remove tables whose last game was over this number of days ago or more
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    keep_finished_days: Option<u32>,
    /// Remove other tables that have slept for this number of days or more
    #[arg(
        long,
        value_name = "DAYS",
        required_unless_present = "keep_finished_days",
        value_parser = clap::value_parser!(u32).range(1..=36_500)
    )]
    keep_sleeping_days: Option<u32>,
    /// Remove them; without this it is only said what would be removed
    #[arg(long)]
    really: bool,
    #[command(flatten)]
    common: Common,
}

/// Removes old tables, or says which would be.
pub fn prune(options: &Prune) -> Result<()> {
    let Prune { keep_finished_days, keep_sleeping_days, really, common } = options;
    let request = Request::Prune {
        keep_finished_days: *keep_finished_days,
        keep_sleeping_days: *keep_sleeping_days,
        really: *really,
    };
    let Some(pruned) = common.ask::<Pruned>(&request)? else { return Ok(()) };
    let Pruned { removed, finished, sleeping, games, unknown, tables } = pruned;
    for table in &tables {
        outln!("{table}");
    }
    let all = finished + sleeping;
    if all > tables.len() as u64 {
        outln!("and {} more", all - tables.len() as u64);
    }
    let verb = if removed { "were removed" } else { "would be removed" };
    outln!("{finished} finished and {sleeping} sleeping tables {verb}");
    outln!("with them {games} games, their replays and their place in people's records");
    if unknown > 0 {
        outln!("{unknown} tables are kept because it is not known when they last changed");
    }
    if removed {
        outln!("new tables use the space in the file; unspoken forget --deleted makes it smaller");
    } else if all > 0 {
        outln!("give --really to remove them, after a backup");
    }
    Ok(())
}
