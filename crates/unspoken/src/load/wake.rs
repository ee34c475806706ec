//! How long sleeping tables take to wake.

use std::time::Instant;

use anyhow::Result;
use wire::{ClientMessage, Code};

use super::person::Person;
use super::report::{Times, WakeReport};
use super::target::Target;

/// Joins these tables one after the other.
pub async fn measure(target: Target, tables: &[Code]) -> Result<WakeReport> {
    let cookie = target.http().await?.name("waker").await?;
    let mut person = Person::connect(target, 0, &cookie).await?;
    let mut waits = Vec::new();
    for table in tables {
        let started = Instant::now();
        person.send(&ClientMessage::Join { table: *table }).await?;
        let _everything = person.update().await?;
        waits.push(started.elapsed());
        person.send(&ClientMessage::Leave { table: *table }).await?;
    }
    Ok(WakeReport { tables: tables.len(), wake: Times::of(waits) })
}
