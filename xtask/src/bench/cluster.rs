//! Tables that sleep in a cluster: how long a copy into it takes, and a node that comes back.

use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Result, ensure};
use serde_json::Value;

use super::process::Server;
use super::programs::{Programs, Subject, number};
use super::row::{Row, Target};
use super::sizes::asleep;
use crate::cluster::brokers::{Brokers, SYNCING, Setting};
use crate::cluster::install;

const READY: Target = Target::AtMost(3.0, " s");
const WAKE: Target = Target::AtMost(100.0, " ms");
/// Brokers with room for all tables.
const ROOMY: Setting =
    Setting { jetstream: Some("sync_interval: always, max_file: 16G"), ..SYNCING };

/// A node of a cluster with many sleeping tables, with three brokers on this machine.
pub fn sleepers(programs: &Programs, count: u32) -> Result<Vec<Row>> {
    install()?;
    let data = programs.folder.join("to-cluster.db");
    let (copies, longest) = asleep(programs, &data, count)?;
    let brokers = Brokers::start(ROOMY);
    let cluster = [
        format!("--cluster={}", brokers.addresses().join(",")),
        format!("--cluster-monitoring={}", brokers.monitors().join(",")),
    ];
    let begun = Instant::now();
    let copied = Command::new(&programs.server)
        .args(["journal", "copy", "into-cluster", "--json"])
        .arg(&data)
        .args(&cluster)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()?;
    ensure!(copied.status.success(), "the tables are not copied");
    let copy_s = begun.elapsed().as_secs_f64();
    let copied = serde_json::from_slice::<Value>(&copied.stdout)?;
    eprintln!("{copied}");

    let index = programs.folder.join("index.db");
    let cold = Server::start_node(&programs.server, &index, &cluster)?;
    let cold_s = cold.ready.as_secs_f64();
    cold.stop()?;
    let server = Server::start_node(&programs.server, &index, &cluster)?;
    let warm_s = server.ready.as_secs_f64();
    let copies = programs.load(Subject::Tables, &server, &["--wake", &copies])?;
    let longest = programs.load(Subject::Tables, &server, &["--wake", &longest])?;
    server.stop()?;

    let what = format!("a cluster with {count} sleeping tables: ");
    let lines = number(&copied["lines"]);
    let woken = |what: String, report: &Value| {
        let most_ms = number(&report["wake"]["most_ms"]);
        Row::new(what, format!("{most_ms:.1} ms")).judged(most_ms, WAKE)
    };
    Ok(vec![
        Row::new(
            what.clone() + "copied into it and read back",
            format!("{copy_s:.0} s, {:.0} lines/s", lines / copy_s),
        ),
        Row::new(what.clone() + "ready with a new index", format!("{cold_s:.1} s")),
        Row::new(what.clone() + "ready with its index", format!("{warm_s:.2} s"))
            .judged(warm_s, READY),
        woken(what.clone() + "the slowest of 20 to wake", &copies),
        woken(what + "one of many moves", &longest),
    ])
}
