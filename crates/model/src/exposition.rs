//! The text in which Prometheus exporters offer their figures: version 0.0.4 of the text format, and OpenMetrics 1.0
//! (<https://prometheus.io/docs/instrumenting/exposition_formats/>). Reads both; exporters differ in little details, so
//! that whatever is unambiguous is accepted.
//!
//! Of histograms and summaries only `_sum` and `_count` are read, as counters: the quantiles of a summary are those of
//! a time of its own, and the buckets of a histogram would be a series each.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::{self, Write};
use tenbin_words::message::Message;
use tenbin_words::msg;

/// What an exporter offered.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Exposition<'t> {
    /// The samples that are read, in the order of the text.
    pub samples: Vec<MetricSample<'t>>,
    /// Whether the text ends with `# EOF`, as one of OpenMetrics must.
    pub ended: bool,
}

/// A value of a series.
#[derive(Debug, Clone, PartialEq)]
pub struct MetricSample<'t> {
    /// Its name.
    pub name: &'t str,
    /// Names and values of its labels, in the order of the text.
    pub labels: Vec<(&'t str, Cow<'t, str>)>,
    /// What it is.
    pub kind: MetricKind,
    /// The value; may be NaN or infinite.
    pub value: f64,
}

/// What a series is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// A sum since some point in time.
    Counter,
    /// A current value.
    Gauge,
    /// The exporter does not say it.
    Unknown,
}

/// The declared type of a family of series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FamilyType {
    Counter,
    Gauge,
    Unknown,
    /// Also of gauges.
    Histogram,
    Summary,
    /// A text in labels, with the value 1.
    Info,
    /// A value of 0 or 1 for each state.
    StateSet,
}

/// Why a text is not that of an exporter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpositionError {
    /// The line, from 1.
    pub line: usize,
    /// The line itself, as far as it is shown.
    pub text: String,
}

impl ExpositionError {
    /// The evidence for the user.
    pub fn words(&self) -> Message {
        msg!("exposition-line", line = self.line, text = format_args!("{:?}", self.text))
    }
}

/// Most characters of a line that are shown.
const SHOWN: usize = 80;

/// Reads the text of an exporter.
///
/// # Errors
///
/// The first line that is neither a comment nor a sample.
pub fn read(text: &str) -> Result<Exposition<'_>, ExpositionError> {
    let mut read = Exposition::default();
    let mut types: BTreeMap<&str, FamilyType> = BTreeMap::new();
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_matches([' ', '\t', '\r']);
        let strange = || ExpositionError { line: at + 1, text: line.chars().take(SHOWN).collect() };
        if let Some(comment) = line.strip_prefix('#') {
            let mut words = comment.split_ascii_whitespace();
            match (words.next(), words.next(), words.next()) {
                (Some("EOF"), None, _) => {
                    read.ended = true;
                    break;
                }
                (Some("TYPE"), Some(family), Some(word)) => {
                    types.insert(family, family_type(word).ok_or_else(strange)?);
                }
                _ => {}
            }
        } else if !line.is_empty() {
            let (name, labels, value) = sample(line).ok_or_else(strange)?;
            if let Some(kind) = kind(name, &labels, &types) {
                read.samples.push(MetricSample { name, labels, kind, value });
            }
        }
    }
    Ok(read)
}

fn family_type(word: &str) -> Option<FamilyType> {
    Some(match word {
        "counter" => FamilyType::Counter,
        "gauge" => FamilyType::Gauge,
        "untyped" | "unknown" => FamilyType::Unknown,
        "histogram" | "gaugehistogram" => FamilyType::Histogram,
        "summary" => FamilyType::Summary,
        "info" => FamilyType::Info,
        "stateset" => FamilyType::StateSet,
        _ => return None,
    })
}

/// What the series of this name is; `None` if it is not read. In OpenMetrics the name of a series is that of its family
/// and an ending; in the older format only that of parts of histograms and summaries is.
fn kind(name: &str, labels: &[(&str, Cow<'_, str>)], types: &BTreeMap<&str, FamilyType>) -> Option<MetricKind> {
    let declared = |ending: &str| types.get(name.strip_suffix(ending)?).copied();
    match types.get(name) {
        Some(FamilyType::Counter) => return Some(MetricKind::Counter),
        Some(FamilyType::Gauge) => return Some(MetricKind::Gauge),
        Some(FamilyType::Unknown) => return Some(MetricKind::Unknown),
        Some(FamilyType::Info | FamilyType::StateSet) => return None,
        // Its quantiles.
        Some(FamilyType::Summary) => return None,
        Some(FamilyType::Histogram) | None => {}
    }
    if declared("_total") == Some(FamilyType::Counter) {
        return Some(MetricKind::Counter);
    }
    let of_distribution = |t: Option<FamilyType>| matches!(t, Some(FamilyType::Histogram | FamilyType::Summary));
    let created =
        matches!(declared("_created"), Some(FamilyType::Counter | FamilyType::Histogram | FamilyType::Summary));
    if created || of_distribution(declared("_bucket")) || declared("_info") == Some(FamilyType::Info) {
        return None;
    }
    // Sums and counts of a gauge histogram go down, and are gauges.
    match ["_sum", "_count", "_gsum", "_gcount"].iter().position(|ending| of_distribution(declared(ending))) {
        Some(0 | 1) => Some(MetricKind::Counter),
        Some(_) => Some(MetricKind::Gauge),
        None if labels.iter().any(|(label, _)| *label == "quantile") => None,
        // Some exporters leave types out; by convention the name of a counter ends so.
        None if name.ends_with("_total") => Some(MetricKind::Counter),
        None => Some(MetricKind::Unknown),
    }
}

/// Labels and their values.
type Labels<'t> = Vec<(&'t str, Cow<'t, str>)>;

/// A line with a sample: name, labels, value, and possibly a time and an exemplar, which are not needed.
fn sample(line: &str) -> Option<(&str, Labels<'_>, f64)> {
    let end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':')).unwrap_or(line.len());
    let (name, rest) = line.split_at(end);
    if !is_name(name) {
        return None;
    }
    let rest = rest.trim_start_matches([' ', '\t']);
    let (labels, rest) = match rest.strip_prefix('{') {
        Some(inside) => labels(inside)?,
        // Something must separate the name from the value.
        None if end < line.len() && line[end..].starts_with([' ', '\t']) => (Vec::new(), rest),
        None => return None,
    };
    let mut words = rest.split_ascii_whitespace();
    let value = number(words.next()?)?;
    match words.next() {
        None => {}
        Some(word) if word.starts_with('#') => {}
        Some(time) => {
            number(time)?;
            if words.next().is_some_and(|word| !word.starts_with('#')) {
                return None;
            }
        }
    }
    Some((name, labels, value))
}

fn is_name(name: &str) -> bool {
    name.chars().next().is_some_and(|first| !first.is_ascii_digit())
}

/// A value: also `NaN`, `+Inf` and `-Inf`.
fn number(word: &str) -> Option<f64> {
    word.parse().ok()
}

/// Labels after the opening brace, and what follows the closing one.
fn labels(mut rest: &str) -> Option<(Labels<'_>, &str)> {
    let mut all = Vec::new();
    loop {
        rest = rest.trim_start_matches([' ', '\t']);
        if let Some(after) = rest.strip_prefix('}') {
            return Some((all, after));
        }
        let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let (label, after) = rest.split_at(end);
        if !is_name(label) {
            return None;
        }
        let after = after.trim_start_matches([' ', '\t']).strip_prefix('=')?;
        let (value, after) = quoted(after.trim_start_matches([' ', '\t']).strip_prefix('"')?)?;
        all.push((label, value));
        rest = after.trim_start_matches([' ', '\t']);
        rest = match rest.strip_prefix(',') {
            Some(after) => after,
            None if rest.starts_with('}') => rest,
            None => return None,
        };
    }
}

/// A value after the opening quotation mark, and what follows the closing one.
fn quoted(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let mut plain = String::new();
    let mut rest = text;
    loop {
        let at = rest.find(['"', '\\'])?;
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        if rest.as_bytes()[at] == b'"' {
            let whole = plain.is_empty();
            plain.push_str(before);
            return Some((if whole { Cow::Borrowed(before) } else { Cow::Owned(plain) }, after));
        }
        plain.push_str(before);
        let mut escaped = after.chars();
        match escaped.next()? {
            'n' => plain.push('\n'),
            c @ ('"' | '\\') => plain.push(c),
            // Neither format knows it; a path of Windows that was not escaped is meant as it stands.
            other => {
                plain.push('\\');
                plain.push(other);
            }
        }
        rest = escaped.as_str();
    }
}

/// A series as it is written in the text: `node_disk_reads_completed_total{device="vda"}`.
pub fn series<'l>(name: &str, labels: impl IntoIterator<Item = (&'l str, &'l str)>) -> String {
    let mut out = name.to_owned();
    for (at, (label, value)) in labels.into_iter().enumerate() {
        let _ = write!(out, "{}{label}=\"{}\"", if at == 0 { '{' } else { ',' }, Escaped(value));
    }
    if out.len() > name.len() {
        out.push('}');
    }
    out
}

/// The value of a label, or a help text, as it is written.
struct Escaped<'t>(&'t str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '\n' => f.write_str("\\n"),
            '"' => f.write_str("\\\""),
            '\\' => f.write_str("\\\\"),
            c => f.write_char(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each sample in a line.
    fn lines(text: &str) -> String {
        let read = read(text).unwrap();
        let line = |s: &MetricSample<'_>| {
            let labels = s.labels.iter().map(|(label, value)| (*label, &**value));
            format!("{:?} {} {}", s.kind, series(s.name, labels), s.value)
        };
        read.samples.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn the_older_format_is_read() {
        // The example of the format's documentation.
        let text = r#"# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320

# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.01"} 3102
rpc_duration_seconds_sum 1.7560473e+07
rpc_duration_seconds_count 2693
# TYPE load gauge
load { } 0.5
# TYPE mysql_global_status_questions untyped
mysql_global_status_questions{a = "b" , } 7
"#;
        assert_eq!(
            lines(text),
            r#"Counter http_requests_total{method="post",code="200"} 1027
Counter http_requests_total{method="post",code="400"} 3
Unknown msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""} 1458255915
Unknown metric_without_timestamp_and_labels 12.47
Unknown something_weird{problem="division by zero"} inf
Counter http_request_duration_seconds_sum 53423
Counter http_request_duration_seconds_count 144320
Counter rpc_duration_seconds_sum 17560473
Counter rpc_duration_seconds_count 2693
Gauge load 0.5
Unknown mysql_global_status_questions{a="b"} 7"#
        );
        assert!(!read(text).unwrap().ended);
    }

    #[test]
    fn open_metrics_is_read() {
        let text = r#"# TYPE foo counter
# UNIT foo_seconds seconds
foo_total{le="0.01"} 17.0 1520879607.789 # {trace_id="KOO5S4vxi0o"} 0.67
foo_created 1520430000.123
# TYPE build info
build_info{version="1"} 1
# TYPE depth gaugehistogram
depth_bucket{le="+Inf"} 2
depth_gcount 2
depth_gsum 3.5
# TYPE state stateset
state{state="a"} 1
# TYPE other unknown
other 1e3
# EOF
what follows is nothing"#;
        let expected =
            "Counter foo_total{le=\"0.01\"} 17\nGauge depth_gcount 2\nGauge depth_gsum 3.5\nUnknown other 1000";
        assert_eq!(lines(text), expected);
        assert!(read(text).unwrap().ended);
    }

    #[test]
    fn what_is_no_text_of_an_exporter_is_refused_with_its_line() {
        for strange in [
            "<html>",
            "name",
            "name one",
            "1name 1",
            "name{ 1",
            "name{a} 1",
            "name{a=\"b} 1",
            "name{a=\"b\"c=\"d\"} 1",
            "name{a=\"b\\",
            "name 1 2 3",
            "name{1a=\"\"} 1",
            "näme 1",
            "# TYPE name strange",
        ] {
            let text = format!("# a comment\n\nfine 1\n{strange}\n");
            assert_eq!(read(&text).unwrap_err(), ExpositionError { line: 4, text: strange.into() }, "{strange}");
        }
    }

    proptest! {
        #[test]
        fn labels_are_read_back_as_they_were_written(name in "[a-zA-Z_:][a-zA-Z0-9_:]{0,9}", values in proptest::collection::vec(".*", 0..4), value: f64) {
            let labels: Vec<(&str, &str)> = ["a", "_b", "c3"].into_iter().zip(values.iter().map(String::as_str)).collect();
            let text = format!("{} {value}\n", series(&name, labels.iter().copied()));
            let read = read(&text).unwrap();
            // A name with such an ending may be left out.
            if let Some(sample) = read.samples.first() {
                prop_assert_eq!(sample.name, name);
                prop_assert_eq!(sample.labels.iter().map(|(l, v)| (*l, &**v)).collect::<Vec<_>>(), labels);
                prop_assert!(sample.value == value || value.is_nan());
            }
        }

        #[test]
        fn nothing_that_is_read_is_a_panic(text in ".*") {
            let _ = read(&text);
        }
    }
}
