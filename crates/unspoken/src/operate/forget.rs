//! `unspoken forget`: deletes a person for good.

use anyhow::Result;
use clap::Args;
use server::control::{ForgottenPeople, Request};

use super::{Common, person_id};
use crate::out::outln;

/// `unspoken forget`
#[derive(Args)]
pub struct Forget {
    /// The person's id, or its first digits (8 or more), as `unspoken people` prints it
    #[arg(value_parser = person_id, required_unless_present = "deleted")]
    person: Option<String>,
    /// Delete no person, but take the names of people who deleted themselves out of the file
    #[arg(long, conflicts_with = "person")]
    deleted: bool,
    #[command(flatten)]
    common: Common,
}

/// Deletes a person.
pub fn forget(Forget { person, deleted: _, common }: &Forget) -> Result<()> {
    let request = Request::Forget { person: person.clone() };
    let Some(done) = common.ask::<ForgottenPeople>(&request)? else { return Ok(()) };
    let ForgottenPeople { person, lines } = done;
    if let Some(person) = person {
        outln!("{person} is deleted");
    }
    if let Some(lines) = lines {
        outln!(
            "{lines} lines had the name of a deleted person; the file was written anew without it"
        );
        outln!("backups that were made before still have it: delete them, or make new ones");
    } else {
        outln!(
            "the name is left out of everything that is read; the brokers' streams still have it"
        );
    }
    Ok(())
}
