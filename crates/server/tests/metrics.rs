//! The metrics as Prometheus reads them, and the dashboard and alerts that are made for them.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use tempfile::TempDir;
use wire::ServerMessage;

use crate::operating::{until, watched};

const DASHBOARD: &str = include_str!("../../../dist/grafana.json");
const OPERATING: &str = include_str!("../../../docs/operating.md");

const PLAIN: &str = "text/plain; version=0.0.4; charset=utf-8";
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The kinds of metrics and their samples, in the order of the text.
struct Exposition {
    kinds: BTreeMap<String, String>,
    samples: Vec<(String, String, f64)>,
}

impl Exposition {
    /// Reads an exposition in the format of a media type, and fails if it is not well-formed.
    fn read(text: &str, format: &str) -> Self {
        let body = match format {
            PLAIN => text,
            OPEN_METRICS => text.strip_suffix("# EOF\n").expect("the text is whole"),
            other => panic!("{other} is no format of metrics"),
        };
        assert!(!body.contains("# EOF"), "{body}");
        let (mut kinds, mut helped) = (BTreeMap::new(), BTreeSet::new());
        let (mut samples, mut seen) = (Vec::new(), BTreeSet::new());
        let mut current = String::new();
        for line in body.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                let (name, help) = help.split_once(' ').expect(line);
                let name = if format == PLAIN { name.trim_end_matches("_total") } else { name };
                assert!(!help.is_empty() && helped.insert(name.to_owned()), "{line}");
            } else if let Some(kind) = line.strip_prefix("# TYPE ") {
                let (name, kind) = kind.split_once(' ').expect(line);
                assert!(["counter", "gauge", "histogram"].contains(&kind), "{line}");
                // In OpenMetrics the ending belongs to the samples alone.
                let name = match (format, kind) {
                    (PLAIN, "counter") => name.strip_suffix("_total").expect(line),
                    _ => name,
                };
                assert!(!name.ends_with("_total"), "{line}");
                assert!(kinds.insert(name.to_owned(), kind.to_owned()).is_none(), "{line}");
                name.clone_into(&mut current);
            } else {
                let (series, value) = line.rsplit_once(' ').expect(line);
                let value = value.parse::<f64>().expect(line);
                let (name, labels) = match series.split_once('{') {
                    Some((name, labels)) => (name, labels.strip_suffix('}').expect(line)),
                    None => (series, ""),
                };
                let word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
                assert!(name.chars().all(word), "{line}");
                for label in labels.split_terminator("\",").filter(|label| !label.is_empty()) {
                    let (key, value) = label.split_once("=\"").expect(line);
                    assert!(key.chars().all(word) && !value.contains('\n'), "{line}");
                }
                let ending = name.strip_prefix(&current).expect(line);
                assert!(endings(&kinds[&current]).contains(&ending), "{line}");
                assert!(!kinds[&current].starts_with("counter") || value >= 0.0, "{line}");
                assert!(seen.insert(series.to_owned()), "twice: {line}");
                samples.push((name.to_owned(), labels.to_owned(), value));
            }
        }
        assert!(kinds.keys().all(|name| helped.contains(name)), "each says what it is");
        Self { kinds, samples }
    }

    /// The names under which Prometheus stores what is here.
    fn names(&self) -> BTreeSet<String> {
        self.samples.iter().map(|(name, _, _)| name.clone()).collect()
    }

    fn value(&self, name: &str, labels: &str) -> Option<f64> {
        let found = self.samples.iter().find(|(n, l, _)| n == name && l == labels);
        found.map(|(_, _, value)| *value)
    }
}

/// How the samples of a kind of metric may end.
fn endings(kind: &str) -> &'static [&'static str] {
    match kind {
        "counter" => &["_total"],
        "histogram" => &["_bucket", "_sum", "_count"],
        _ => &[""],
    }
}

/// All names of metrics in a text.
fn named(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let ours = words.filter(|word| word.starts_with("unspoken_") || word.starts_with("process_"));
    ours.map(str::to_owned).collect()
}

/// All strings under the key `expr`, and the queries of variables.
fn queries(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(text) if key == "expr" || key == "query" => {
                        found.push(text.clone());
                    }
                    other => queries(other, found),
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| queries(value, found)),
        _ => {}
    }
}

#[tokio::test]
async fn metrics_are_well_formed_and_the_dashboard_and_alerts_name_no_others() {
    let folder = TempDir::new().unwrap();
    let (server, metrics) = watched(&folder, &["--address-rate", "8/0.0001"]).await;
    // One of everything that is counted by kind.
    let cookie = server.name("Ada").await;
    server.open(&cookie, r#"{"game":"mind","players":2}"#).await;
    let mut old = server.connect(&[("Cookie", &cookie)]).await.unwrap();
    old.send_text(r#"{"t":"hello","protocol":99,"client":1}"#).await;
    assert!(matches!(old.hear().await, ServerMessage::Bye { .. }));
    until(&metrics, "unspoken_drops_total{kind=\"protocol\"}", 1.0).await;
    assert_eq!(
        server.http("GET /api/teams/nonsense", &[("Cookie", &cookie)], "").await.status,
        404
    );
    let mut refused = 0;
    for _ in 0..8 {
        refused += u32::from(server.http("GET /api/setups", &[], "").await.status == 429);
    }
    assert!((1..8).contains(&refused), "{refused}");

    let accept = [("Accept", "application/openmetrics-text;version=1.0.0,text/plain;q=0.5")];
    let open = metrics.http("GET /metrics", &accept, "").await;
    assert_eq!(open.header("content-type"), Some(OPEN_METRICS));
    let open = Exposition::read(&open.body, OPEN_METRICS);
    let plain = metrics.http("GET /metrics", &[], "").await;
    assert_eq!(plain.header("content-type"), Some(PLAIN));
    let text = plain.body;
    let found = Exposition::read(&text, PLAIN);
    assert_eq!((open.kinds, open.samples.len()), (found.kinds.clone(), found.samples.len()));
    let answered = |route: &str, status: u16| {
        found.value(
            "unspoken_http_requests_total",
            &format!("route=\"{route}\",status=\"{status}\""),
        )
    };
    assert_eq!(answered("/api/setups", 429), Some(f64::from(refused)));
    assert_eq!(answered("/api/setups", 200), Some(f64::from(8 - refused)));
    assert_eq!(answered("/api/teams/{team}", 404), Some(1.0), "{text}");
    let limited = found.value("unspoken_limits_total", "kind=\"address-rate\"");
    assert_eq!(limited, Some(f64::from(refused)));
    let build =
        format!("version=\"{}\",protocol=\"{}\"", env!("CARGO_PKG_VERSION"), wire::PROTOCOL);
    assert_eq!(found.value("unspoken_build_info", &build), Some(1.0), "{text}");
    for name in [
        "unspoken_file_bytes",
        "unspoken_log_bytes",
        "unspoken_disk_free_bytes",
        "unspoken_commits_total",
        "process_resident_memory_bytes",
        "process_open_fds",
        "process_max_fds",
        "process_threads",
    ] {
        assert!(found.value(name, "") > Some(0.0), "{name}: {text}");
    }

    let names = found.names();
    let mut shown = Vec::new();
    queries(&serde_json::from_str(DASHBOARD).unwrap(), &mut shown);
    let shown = named(&shown.join("\n"));
    assert!(shown.is_subset(&names), "the dashboard: {:?}", shown.difference(&names));
    let (_, alerts) = OPERATING.split_once("```yaml").unwrap();
    let alerts = named(alerts.split_once("```").unwrap().0);
    assert!(alerts.len() > 5 && alerts.is_subset(&names), "{:?}", alerts.difference(&names));
    // The page and the dashboard have every one of them.
    let documented = named(OPERATING);
    for (name, kind) in &found.kinds {
        let plain = if kind == "histogram" { name } else { &format!("{name}{}", endings(kind)[0]) };
        assert!(documented.contains(plain), "docs/operating.md does not name {plain}");
        let is_shown = shown.iter().any(|shown| shown.starts_with(name.as_str()));
        assert!(is_shown, "the dashboard does not show {name}");
    }
}
