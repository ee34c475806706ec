//! `unspoken block`, `unblock` and `blocks`.

use std::net::IpAddr;

use anyhow::Result;
use clap::Args;
use server::control::{BlockChange, BlockList, Request, Subject};

use super::{Common, age, person_id};
use crate::out::outln;

/// `unspoken block`
#[derive(Args)]
pub struct Block {
    /// An IP address, or the first 8 digits or more of a person's id
    #[arg(value_parser = subject, value_name = "ADDRESS|PERSON")]
    subject: Subject,
    #[command(flatten)]
    common: Common,
}

/// `unspoken unblock`
#[derive(Args)]
pub struct Unblock {
    /// An IP address, or the first 8 digits or more of a person's id
    #[arg(value_parser = subject, value_name = "ADDRESS|PERSON")]
    subject: Subject,
    #[command(flatten)]
    common: Common,
}

/// `unspoken blocks`
#[derive(Args)]
pub struct Blocks {
    #[command(flatten)]
    common: Common,
}

fn subject(text: &str) -> Result<Subject, String> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Ok(Subject::Address(address));
    }
    let wrong = |_| "write an IP address, or 8 to 64 digits of a person's id".to_owned();
    person_id(text).map(Subject::Person).map_err(wrong)
}

/// Blocks an address or a person.
pub fn block(Block { subject, common }: &Block) -> Result<()> {
    let request = Request::Block { subject: subject.clone() };
    let Some(change) = common.ask::<BlockChange>(&request)? else { return Ok(()) };
    let BlockChange { subject, changed, connections } = change;
    if changed {
        outln!("{subject} is blocked; {connections} connections were closed");
    } else {
        outln!("{subject} was blocked already");
    }
    Ok(())
}

/// Ends a block.
pub fn unblock(Unblock { subject, common }: &Unblock) -> Result<()> {
    let request = Request::Unblock { subject: subject.clone() };
    let Some(change) = common.ask::<BlockChange>(&request)? else { return Ok(()) };
    outln!("{} is not blocked any more", change.subject);
    Ok(())
}

/// Lists what is blocked.
pub fn blocks(Blocks { common }: &Blocks) -> Result<()> {
    let Some(BlockList { blocks }) = common.ask(&Request::Blocks)? else { return Ok(()) };
    for block in &blocks {
        outln!("{}  {}", block.subject, age(Some(block.at_s)));
    }
    if blocks.is_empty() {
        outln!("nothing is blocked");
    }
    Ok(())
}
