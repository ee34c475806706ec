//! `unspoken audit`: what operators did.

use anyhow::Result;
use clap::Args;
use server::control::{AuditList, Request};

use super::list::ListPart;
use super::{Common, age};
use crate::out::outln;

/// `unspoken audit`
#[derive(Args)]
pub struct Audit {
    #[command(flatten)]
    part: ListPart,
    #[command(flatten)]
    common: Common,
}

/// Lists what operators did, the newest first.
pub fn audit(Audit { part, common }: &Audit) -> Result<()> {
    let Some(list) = common.ask::<AuditList>(&Request::Audit { part: part.part() })? else {
        return Ok(());
    };
    for line in &list.lines {
        let mut line = line.clone();
        let at_s = line["at_s"].as_u64();
        if let Some(fields) = line.as_object_mut() {
            fields.remove("at_s");
        }
        outln!("{:<14}  {line}", age(at_s));
    }
    if list.total == 0 {
        outln!("no operator has done anything yet");
    }
    part.print_rest(list.lines.len(), list.total);
    Ok(())
}
