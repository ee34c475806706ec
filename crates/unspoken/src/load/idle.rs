//! People who connect and do nothing.

use std::time::{Duration, Instant};

use anyhow::Result;

use super::Options;
use super::connections::Connections;
use super::http::Http;
use super::opening;
use super::process::Process;
use super::report::{IdleReport, Memory};

/// Connects `people` people, lets them sit idle, and reports the server's memory and CPU time.
pub fn measure(options: &Options, people: u32, process: Option<Process>) -> Result<IdleReport> {
    let (target, protocol) = (options.url, options.protocol);
    let before = process.map(Process::resident_bytes).transpose()?;
    let started = Instant::now();
    let mut connections = Connections::new()?;
    let opener = || {
        let mut http = Http::connect(target)?;
        Ok(move |number| Ok(opening::person(target, &mut http, number, protocol)?.0))
    };
    opening::each(people, opener, |connection| match connection {
        Some(connection) => connections.add(connection, |_| {}).map(drop),
        None => connections.wait(Duration::from_millis(1), |_, _| {}),
    })?;
    let connect_s = started.elapsed().as_secs_f64();
    let cpu = process.map(Process::cpu).transpose()?;
    let seconds = Duration::from_secs(options.seconds);
    let begun = Instant::now();
    while let Some(left) = seconds.checked_sub(begun.elapsed()) {
        connections.wait(left, |_, _| {})?;
    }
    let lost = people - u32::try_from(connections.count())?;
    let memory = Memory::since(process, before, people)?;
    let cpu_share = match (process, cpu) {
        (Some(process), Some(cpu)) => {
            Some((process.cpu()?.saturating_sub(cpu)).as_secs_f64() / seconds.as_secs_f64())
        }
        _ => None,
    };
    Ok(IdleReport { connections: people, lost, connect_s, memory, cpu_share })
}
