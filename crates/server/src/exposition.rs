//! The two text formats of metrics: OpenMetrics, and Prometheus' own of version 0.0.4.

use std::collections::HashSet;

use axum::http::{HeaderMap, header};

/// A text format that `/metrics` is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Prometheus' own, version 0.0.4, for every program that asks for nothing else.
    Plain,
    /// OpenMetrics 1.0.0, for programs that name it.
    OpenMetrics,
}

impl Format {
    /// The format for a request: OpenMetrics if `Accept` names it, with any weight but 0.
    pub(crate) fn accepted(headers: &HeaderMap) -> Self {
        let values = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        let mut kinds = values.flat_map(|value| value.split(','));
        if kinds.any(names_open_metrics) { Self::OpenMetrics } else { Self::Plain }
    }

    /// Its media type.
    pub(crate) const fn content_type(self) -> &'static str {
        match self {
            Self::Plain => "text/plain; version=0.0.4; charset=utf-8",
            Self::OpenMetrics => "application/openmetrics-text; version=1.0.0; charset=utf-8",
        }
    }

    /// A text of OpenMetrics in this format.
    pub(crate) fn write(self, open_metrics: String) -> String {
        match self {
            Self::Plain => plain(&open_metrics),
            Self::OpenMetrics => open_metrics,
        }
    }
}

/// Whether an entry of `Accept` names OpenMetrics and does not refuse it.
fn names_open_metrics(entry: &str) -> bool {
    let mut parts = entry.split(';').map(str::trim);
    let is_named =
        parts.next().is_some_and(|kind| kind.eq_ignore_ascii_case("application/openmetrics-text"));
    let weight = parts.find_map(|part| part.strip_prefix("q=")).map(str::parse::<f32>);
    is_named && !matches!(weight, Some(Ok(weight)) if weight <= 0.0)
}

/// The samples are the same in both formats. In version 0.0.4 a counter is described by the name of
/// its samples, with `_total`, and there are neither units nor an end mark.
fn plain(open_metrics: &str) -> String {
    let described = |line: &str, word: &str| {
        let (name, rest) = line.strip_prefix(word)?.split_once(' ')?;
        Some((name.to_owned(), rest.to_owned()))
    };
    let types = open_metrics.lines().filter_map(|line| described(line, "# TYPE "));
    let counters = types.filter(|(_, kind)| kind == "counter").map(|(name, _)| name);
    let counters = counters.collect::<HashSet<_>>();
    let mut text = String::with_capacity(open_metrics.len());
    for line in open_metrics.lines() {
        if line == "# EOF" || line.starts_with("# UNIT ") {
            continue;
        }
        let described = ["# HELP ", "# TYPE "]
            .into_iter()
            .find_map(|word| described(line, word).map(|(name, rest)| (word, name, rest)));
        match described {
            Some((word, name, rest)) if counters.contains(&name) => {
                text.extend([word, &name, "_total ", &rest]);
            }
            _ => text.push_str(line),
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_metrics_is_sent_to_those_programs_alone_that_name_it() {
        let accepted = |value: &str| {
            Format::accepted(&HeaderMap::from_iter([(header::ACCEPT, value.parse().unwrap())]))
        };
        assert_eq!(Format::accepted(&HeaderMap::new()), Format::Plain);
        for plain in ["*/*", "text/plain;version=0.0.4", "application/openmetrics-text;q=0"] {
            assert_eq!(accepted(plain), Format::Plain, "{plain}");
        }
        // As Prometheus 2.42 and 3 ask.
        for open in [
            "application/openmetrics-text;version=1.0.0,application/openmetrics-text;\
             version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
            "text/plain;version=0.0.4;q=0.3, Application/OpenMetrics-Text; version=1.0.0; q=0.6",
        ] {
            assert_eq!(accepted(open), Format::OpenMetrics, "{open}");
        }
    }

    #[test]
    fn counters_are_described_by_the_name_of_their_samples() {
        let open = "# HELP a A.\n# TYPE a counter\n# UNIT a seconds\na_total{k=\"# EOF\"} 1\n\
                    # HELP b B.\n# TYPE b gauge\nb 2\n# EOF\n";
        let plain = "# HELP a_total A.\n# TYPE a_total counter\na_total{k=\"# EOF\"} 1\n\
                     # HELP b B.\n# TYPE b gauge\nb 2\n";
        assert_eq!(Format::Plain.write(open.to_owned()), plain);
        assert_eq!(Format::OpenMetrics.write(open.to_owned()), open);
    }
}
