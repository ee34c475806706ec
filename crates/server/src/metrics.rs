//! Metrics for the operator.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use axum::http::StatusCode;
use journal::Sqlite;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use wire::Refusal;

use crate::exposition::Format;
use crate::figures::{FileFigures, ProcessFigures};

/// Counters and histograms, cheap to update from anywhere.
pub(crate) struct Metrics {
    registry: Registry,
    /// Connections that are open.
    pub(crate) connections: Gauge,
    /// People who have a connection.
    pub(crate) people: Gauge,
    /// Tables in memory.
    pub(crate) tables: Gauge,
    /// Tables that could not be read.
    pub(crate) damaged_tables: Gauge,
    /// Moves that were made.
    pub(crate) moves: Counter,
    /// Messages that were received.
    pub(crate) messages: Counter<u64, AtomicU64>,
    /// The time from an append to its being durable.
    pub(crate) append_seconds: Histogram,
    /// The time from receiving a move to having sent its updates.
    pub(crate) move_seconds: Histogram,
    refusals: Family<Kind, Counter>,
    drops: Family<Kind, Counter>,
    limits: Family<Kind, Counter>,
    requests: Family<Request, Counter>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: String,
}

/// The requests that are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: String,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Build {
    version: &'static str,
    protocol: u32,
}

impl Metrics {
    /// The metrics of a server that stores its tables in this journal and this file.
    pub(crate) fn new(journal: &Arc<Sqlite>, data: &Path) -> Self {
        let mut root = Registry::default();
        // These have the names that every program's figures have.
        root.register_collector(Box::new(ProcessFigures::new()));
        let registry = root.sub_registry_with_prefix("unspoken");
        let build = Build { version: env!("CARGO_PKG_VERSION"), protocol: wire::PROTOCOL };
        // A gauge, because Prometheus' own format has no kind for it.
        let builds = Family::<Build, Gauge>::default();
        builds.get_or_create(&build).set(1);
        registry.register("build_info", "The program", builds);
        registry.register_collector(Box::new(FileFigures::new(journal, data)));
        let seconds = || Histogram::new(exponential_buckets(0.000_1, 2.0, 16));
        let metrics = Self {
            connections: Gauge::default(),
            people: Gauge::default(),
            tables: Gauge::default(),
            damaged_tables: Gauge::default(),
            moves: Counter::default(),
            messages: Counter::default(),
            append_seconds: seconds(),
            move_seconds: seconds(),
            refusals: Family::default(),
            drops: Family::default(),
            limits: Family::default(),
            requests: Family::default(),
            registry: Registry::default(),
        };
        registry.register("connections", "Open connections", metrics.connections.clone());
        registry.register("people", "People with an open connection", metrics.people.clone());
        registry.register("tables", "Tables in memory", metrics.tables.clone());
        let damaged = "Tables that could not be read";
        registry.register("damaged_tables", damaged, metrics.damaged_tables.clone());
        registry.register("moves", "Moves made", metrics.moves.clone());
        registry.register("messages", "Messages heard", metrics.messages.clone());
        let append = "Seconds until lines of the journal were durable";
        registry.register("append_seconds", append, metrics.append_seconds.clone());
        let moving = "Seconds from hearing a move to having told everyone";
        registry.register("move_seconds", moving, metrics.move_seconds.clone());
        registry.register("refusals", "Refusals by kind", metrics.refusals.clone());
        registry.register("drops", "Connections closed by the server", metrics.drops.clone());
        registry.register("limits", "Limits that were reached, by kind", metrics.limits.clone());
        let requests = "HTTP requests by route and status";
        registry.register("http_requests", requests, metrics.requests.clone());
        Self { registry: root, ..metrics }
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, why: Refusal) {
        if is_limit(why) {
            self.limit(why.code());
        }
        self.refusals.get_or_create(&Kind { kind: why.code().to_owned() }).inc();
    }

    /// Counts a connection that the server closed.
    pub(crate) fn dropped(&self, why: &str) {
        if LIMIT_DROPS.contains(&why) {
            self.limit(why);
        }
        self.drops.get_or_create(&Kind { kind: why.to_owned() }).inc();
    }

    fn limit(&self, kind: &str) {
        self.limits.get_or_create(&Kind { kind: kind.to_owned() }).inc();
    }

    /// Counts an HTTP request by the pattern of its path, none for the files of the page and for
    /// paths that there are not.
    pub(crate) fn answered(&self, route: Option<&str>, status: StatusCode) {
        let route = route.unwrap_or("other").to_owned();
        self.requests.get_or_create(&Request { route, status: status.as_u16() }).inc();
    }

    /// Everything in a text format that Prometheus reads.
    pub(crate) fn written(&self, format: Format) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => format.write(text),
            Err(_) => String::new(),
        }
    }
}

/// The reasons for closing a connection that are limits.
const LIMIT_DROPS: &[&str] = &["sockets", "flooding", "too-long", "slow", "crowded"];

/// Whether a refusal says that a limit was reached.
fn is_limit(why: Refusal) -> bool {
    matches!(
        why,
        Refusal::AddressRate
            | Refusal::TableRate
            | Refusal::ChatRate
            | Refusal::CodeRate
            | Refusal::ChangeRate
            | Refusal::Proof { .. }
            | Refusal::TooManyConnections
            | Refusal::TooLarge
            | Refusal::RequestLate
            | Refusal::Tables { .. }
            | Refusal::Crowded
            | Refusal::Busy
    )
}
