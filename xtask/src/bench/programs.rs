//! The programs of a measurement of the server, and how each is started.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Result;
use serde_json::Value;

use super::process::Server;

/// What is measured.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The table server.
    Tables,
    /// The yardstick: a bare durable room.
    Bare,
}

/// Programs and where their data goes.
pub struct Programs<'a> {
    /// The table server.
    pub server: PathBuf,
    /// The bare durable room.
    pub bare: PathBuf,
    /// The generator, always of this build.
    pub generator: PathBuf,
    /// The protocol that the table server speaks, if it is not this build's.
    pub protocol: Option<String>,
    /// Where data files are put.
    pub folder: &'a Path,
    /// How long each measurement takes.
    pub seconds: u32,
    /// How many data files there have been.
    pub files: Cell<u32>,
}

impl Programs<'_> {
    /// Starts the server or the yardstick on an empty file.
    pub fn start(&self, subject: Subject) -> Result<Server> {
        self.files.set(self.files.get() + 1);
        let data = self.folder.join(format!("{}.db", self.files.get()));
        match subject {
            Subject::Tables => Server::start(&self.server, &data),
            Subject::Bare => Server::start_bare(&self.bare, &data),
        }
    }

    /// How long each measurement takes.
    pub fn time(&self) -> Duration {
        Duration::from_secs(self.seconds.into())
    }

    /// Starts it, puts load on it, and stops it.
    pub fn measure(&self, subject: Subject, arguments: &[&str]) -> Result<Value> {
        let server = self.start(subject)?;
        let report = self.load(subject, &server, arguments)?;
        server.stop()?;
        Ok(report)
    }

    /// Puts load on a server that runs.
    pub fn load(&self, subject: Subject, server: &Server, arguments: &[&str]) -> Result<Value> {
        let seconds = self.seconds.to_string();
        let mut words = vec!["--seconds", &seconds];
        match (subject, &self.protocol) {
            (Subject::Bare, _) => words.push("--bare"),
            (Subject::Tables, Some(protocol)) => words.extend(["--protocol", protocol]),
            (Subject::Tables, None) => {}
        }
        words.extend(arguments);
        let report = server.load(&self.generator, &words)?;
        eprintln!("{report}");
        let share = number(&report["generator"]["cpu_share"]);
        if share > 0.95 {
            eprintln!("the generator used {:.0} % of its core: it is the limit", share * 100.0);
        }
        Ok(report)
    }
}

/// A figure of a report; not a number if it is not there.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
