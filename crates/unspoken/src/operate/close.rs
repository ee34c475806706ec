//! `unspoken close`: sends everyone away from a table.

use anyhow::Result;
use clap::Args;
use server::control::{ClosedTable, Request};
use wire::Code;

use super::Common;
use crate::out::outln;

/// `unspoken close`
#[derive(Args)]
pub struct Close {
    /// The table's code
    table: Code,
    #[command(flatten)]
    common: Common,
}

/// Closes a table.
pub fn close(Close { table, common }: &Close) -> Result<()> {
    let Some(closed) = common.ask::<ClosedTable>(&Request::Close { table: *table })? else {
        return Ok(());
    };
    let ClosedTable { table, people, was_awake } = closed;
    if was_awake {
        outln!("table {table} sleeps; {people} people were told");
    } else {
        outln!("table {table} slept already");
    }
    outln!("nothing of it is lost, and it wakes when a person joins it again");
    Ok(())
}
