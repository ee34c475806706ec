//! `unspoken doctor`: looks for what keeps people from playing, and says what to change.

mod probe;

use std::fmt::Display;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use clap::Args;
use serde::Serialize;
use serde_json::json;
use server::control::{Request, ServerStatus, ask};

use self::probe::{Answer, Site};
use super::{Common, user};
use crate::out::outln;

/// `unspoken doctor`
#[derive(Args)]
pub struct Doctor {
    #[command(flatten)]
    common: Common,
}

/// What a check has found.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Level {
    Fine,
    /// Nothing fails yet.
    Warning,
    /// People cannot play, or something will be lost.
    Wrong,
}

/// One check.
#[derive(Serialize)]
struct Finding {
    check: &'static str,
    level: Level,
    text: String,
    /// What to do; `None` if nothing has to be done.
    advice: Option<String>,
}

/// All findings.
#[derive(Default)]
struct Findings(Vec<Finding>);

impl Findings {
    fn fine(&mut self, check: &'static str, text: impl Display) {
        self.0.push(Finding { check, level: Level::Fine, text: text.to_string(), advice: None });
    }

    fn warn(&mut self, check: &'static str, text: impl Display, advice: impl Display) {
        let (text, advice) = (text.to_string(), Some(advice.to_string()));
        self.0.push(Finding { check, level: Level::Warning, text, advice });
    }

    fn wrong(&mut self, check: &'static str, text: impl Display, advice: impl Display) {
        let (text, advice) = (text.to_string(), Some(advice.to_string()));
        self.0.push(Finding { check, level: Level::Wrong, text, advice });
    }
}

/// Checks a server and its surroundings; the exit code is 1 if something is wrong.
pub fn doctor(Doctor { common }: &Doctor) -> Result<ExitCode> {
    let status: ServerStatus = ask(&common.data, user(), &Request::Status)?;
    let mut findings = Findings::default();
    check_versions(&status, &mut findings);
    check_store(&status, &mut findings);
    check_clock(&status, &mut findings);
    check_files(&status, &mut findings);
    if status.runs {
        // Without a public address the last one is where the server listens.
        let skipped =
            if status.has_public_url { 0 } else { status.origins.len().saturating_sub(1) };
        for origin in &status.origins[skipped..] {
            check_site(origin, &status, &mut findings);
        }
    }
    let is_wrong = findings.0.iter().any(|finding| finding.level == Level::Wrong);
    if common.json {
        outln!("{}", json!({ "well": !is_wrong, "findings": findings.0 }));
    } else {
        for Finding { check, level, text, advice } in &findings.0 {
            let word = match level {
                Level::Fine => "fine",
                Level::Warning => "warning",
                Level::Wrong => "wrong",
            };
            outln!("{word:<8} {check:<9} {text}");
            if let Some(advice) = advice {
                outln!("                   {advice}");
            }
        }
    }
    Ok(if is_wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn check_versions(status: &ServerStatus, findings: &mut Findings) {
    let ServerStatus { runs, version, protocol, format, .. } = status;
    if !runs {
        let text = "no server uses the file";
        return findings.warn("server", text, "start it with unspoken serve, then ask again");
    }
    let text = format!("version {version}, protocol {protocol}, file format {format}");
    if version == env!("CARGO_PKG_VERSION") && *protocol == wire::PROTOCOL {
        findings.fine("server", text);
    } else {
        let own = env!("CARGO_PKG_VERSION");
        findings.warn("server", text, format!("this program is version {own}: restart the server"));
    }
}

/// Less free space than this is wrong, and less than the second number deserves a warning.
const FREE_BYTES_LEAST: u64 = 100 << 20;
const FREE_BYTES_WANTED: u64 = 1 << 30;

fn check_store(status: &ServerStatus, findings: &mut Findings) {
    if let Some(fault) = &status.fault {
        findings.wrong("file", fault, "players get not-kept until this is mended");
    }
    let Some(free) = status.disk_free_bytes else {
        let text = "the free space on the disk is not known";
        return findings.warn("disk", text, "look at it with df");
    };
    let text = format!("{} free, the file takes {}", size(free), size(status.file_bytes));
    if free < FREE_BYTES_LEAST {
        findings.wrong("disk", text, "free some space: a full disk stops every game");
    } else if free < FREE_BYTES_WANTED || free < status.file_bytes.saturating_mul(2) {
        let advice = "forget needs twice the file's size for a moment, and a full disk stops \
                      every game: free some space";
        findings.warn("disk", text, advice);
    } else {
        findings.fine("disk", text);
    }
}

/// The clock of a machine that has none of its own begins in 1970 or when its system was built.
const CLOCK_S_LEAST: u64 = 1_767_225_600;

fn check_clock(status: &ServerStatus, findings: &mut Findings) {
    let now_s = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let advice = "set the clock, and keep it right with NTP: prune and lists go by it";
    if now_s < CLOCK_S_LEAST {
        findings.wrong("clock", "the clock shows a time before 2026", advice);
    } else if status.newest_s > now_s.saturating_add(60) {
        findings.wrong("clock", "the file has times that are in the future", advice);
    } else {
        findings.fine("clock", "the clock is not behind the times in the file");
    }
}

/// Files that are open beside the sockets: the database, its log, threads, the log of the server.
const OTHER_FILES: u64 = 64;

fn check_files(status: &ServerStatus, findings: &mut Findings) {
    let wanted = status.sockets_most.saturating_add(OTHER_FILES);
    match status.files_most {
        _ if !status.runs => {}
        None => findings.warn(
            "files",
            "the limit of open files is not known",
            format!("{wanted} are needed at most"),
        ),
        Some(most) if most < wanted => findings.warn(
            "files",
            format!("{most} open files are allowed, {wanted} are needed at most"),
            format!("set LimitNOFILE={wanted} in the unit (ulimit -n), or lower --sockets"),
        ),
        Some(most) => findings.fine("files", format!("{most} open files are allowed")),
    }
}

/// Reaches the server as a browser does: the page, a new person, the socket; then the person is
/// deleted.
fn check_site(origin: &str, status: &ServerStatus, findings: &mut Findings) {
    let site = match Site::new(origin, &status.base_path) {
        Ok(site) => site,
        Err(error) => {
            let advice = "install curl, or look at the page's console in a browser";
            return findings.warn("address", format!("{origin}: {error:#}"), advice);
        }
    };
    let url = site.url();
    let unreached = if status.has_public_url {
        "check the name, the proxy and its certificate, or correct --public-url"
    } else {
        "check --listen"
    };
    match site.get("/healthz") {
        Ok(Answer { status: 200, body, .. }) if body.trim() == "ok" => {
            findings.fine("address", format!("{url} leads to a server"));
        }
        Ok(Answer { status, .. }) => {
            let text = format!("{url}/healthz answers {status}, which this server does not");
            return findings.wrong("address", text, unreached);
        }
        Err(error) => {
            return findings.wrong("address", format!("{url}: {error:#}"), unreached);
        }
    }
    let cookie = match site.name() {
        Ok(Answer { status: 200, cookie: Some(cookie), .. }) => cookie,
        Ok(Answer { body, .. }) if body.contains("foreign-origin") => {
            let text = format!("pages at {url} are refused");
            return findings.wrong("origin", text, format!("start with --public-url {origin}"));
        }
        Ok(Answer { status, .. }) => {
            let text = format!("a new person at {url} is refused with {status}");
            return findings.warn("origin", text, "see the log; ask again in a minute");
        }
        Err(error) => {
            return findings.wrong("origin", format!("{url}: {error:#}"), unreached);
        }
    };
    findings.fine("origin", format!("pages at {url} are let in"));
    match site.upgrade(&cookie) {
        Ok(Answer { status: 101, .. }) => {
            findings.fine("socket", format!("a WebSocket opens through {url}"));
        }
        Ok(Answer { status, body, .. }) => {
            let text = format!("{url}/ws answers {status} instead of 101: {}", body.trim());
            let advice = "let the proxy pass Upgrade and Connection on, with HTTP/1.1: see \
                          docs/operating.md";
            findings.wrong("socket", text, advice);
        }
        Err(error) => findings.wrong("socket", format!("{url}: {error:#}"), unreached),
    }
    if !matches!(site.delete(&cookie), Ok(Answer { status: 204, .. })) {
        let text = "the person of this check could not be deleted";
        findings.warn("origin", text, "find doctor with unspoken people, and give unspoken forget");
    }
}

/// Bytes for people.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} kB", bytes.div_ceil(1_000)),
        1_000_000..1_000_000_000 => format!("{} MB", bytes / 1_000_000),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
