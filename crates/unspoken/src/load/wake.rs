//! How long sleeping tables take to wake.

use std::time::Instant;

use anyhow::{Result, ensure};
use wire::{ClientMessage, Code};

use super::Options;
use super::connection::Buffers;
use super::http::Http;
use super::opening::{person, say};
use super::report::{Times, WakeReport};
use super::update;

/// Joins these tables one after the other.
pub fn measure(options: &Options, tables: &[Code]) -> Result<WakeReport> {
    let mut http = Http::connect(options.url)?;
    let (mut connection, _) = person(options.url, &mut http, 0, options.protocol)?;
    let mut buffers = Buffers::new();
    let mut waits = Vec::new();
    for table in tables {
        let started = Instant::now();
        say(&mut connection, &mut buffers, &ClientMessage::Join { table: *table })?;
        let text = connection.wait(&mut buffers)?;
        ensure!(update::is_update(text.as_bytes()), "the server says {text}");
        waits.push(started.elapsed());
        say(&mut connection, &mut buffers, &ClientMessage::Leave { table: *table })?;
    }
    Ok(WakeReport { tables: tables.len(), wake: Times::of(waits) })
}
