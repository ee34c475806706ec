//! People who connect and do nothing.

use std::time::{Duration, Instant};

use anyhow::Result;
use tokio::task::JoinSet;

use super::person::Person;
use super::process::Process;
use super::report::{IdleReport, Memory};
use super::target::Target;

/// How many connect at the same time.
const AT_ONCE: u32 = 64;

/// Connects so many people, lets them sit there, and tells what they take.
pub async fn measure(
    target: Target,
    people: u32,
    seconds: Duration,
    process: Option<Process>,
) -> Result<IdleReport> {
    let before = process.map(Process::resident_bytes).transpose()?;
    let started = Instant::now();
    let mut connecting = JoinSet::new();
    for first in 0..AT_ONCE.min(people) {
        connecting.spawn(async move {
            let mut http = target.http().await?;
            let mut idle = JoinSet::new();
            for number in (first..people).step_by(AT_ONCE as usize) {
                let cookie = http.name(&format!("idle {number}")).await?;
                idle.spawn(Person::connect(target, number, &cookie).await?.sit_idle());
            }
            Ok::<_, anyhow::Error>(idle)
        });
    }
    let mut idle = Vec::new();
    while let Some(connected) = connecting.join_next().await {
        idle.push(connected??);
    }
    let connect_s = started.elapsed().as_secs_f64();
    let cpu = process.map(Process::cpu).transpose()?;
    tokio::time::sleep(seconds).await;
    let lost = idle.iter_mut().map(|idle| std::iter::from_fn(|| idle.try_join_next()).count());
    let lost = lost.sum::<usize>() as u32;
    let memory = Memory::since(process, before, people)?;
    let cpu_share = match (process, cpu) {
        (Some(process), Some(cpu)) => {
            Some((process.cpu()?.saturating_sub(cpu)).as_secs_f64() / seconds.as_secs_f64())
        }
        _ => None,
    };
    Ok(IdleReport { connections: people, lost, connect_s, memory, cpu_share })
}
