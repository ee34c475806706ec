//! Metrics for the operator.

use std::sync::atomic::AtomicU64;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;
use wire::Refusal;

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
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Kind {
    kind: String,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("unspoken");
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
        Self { registry, ..metrics }
    }

    /// Counts a refusal.
    pub(crate) fn refused(&self, why: Refusal) {
        self.refusals.get_or_create(&Kind { kind: why.code().to_owned() }).inc();
    }

    /// Counts a connection that the server closed.
    pub(crate) fn dropped(&self, why: &str) {
        self.drops.get_or_create(&Kind { kind: why.to_owned() }).inc();
    }

    /// The media type of [`written`](Self::written).
    pub(crate) const CONTENT_TYPE: &str =
        "application/openmetrics-text; version=1.0.0; charset=utf-8";

    /// Everything in the text format that Prometheus reads.
    pub(crate) fn written(&self) -> String {
        let mut text = String::new();
        match encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => String::new(),
        }
    }
}
