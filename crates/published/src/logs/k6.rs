//! The summary that k6 prints at the end of a run, and the JSON of `--summary-export`: requests, their rate and their response times. What
//! the virtual users do between requests is not in it.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::{self, CellContent, Quantity};
use crate::result::PublishedResult;
use serde_json::Value;

/// `http_req_duration..............: avg=8ms min=1ms med=7.5ms max=90ms p(90)=10ms p(95)=12ms`
pub(super) const TEXT: LogFormat = LogFormat { name: "k6", signature: "http_req_duration..", line: "", read };
/// `"metrics": {"http_req_duration": {"avg": 8.0, …}}`
pub(super) const JSON: LogFormat =
    LogFormat { name: "k6 --summary-export", signature: "\"http_req_duration\"", line: "", read: read_json };

/// The virtual users of a run may be fewer than at its end, and they pause.
fn empty(line: u64) -> PublishedResult {
    PublishedResult { line, is_open_loop: true, ..PublishedResult::default() }
}

fn read(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut now) = (Vec::new(), empty(0));
    for (at, line) in lines(text) {
        let line = line.trim_start_matches(['✓', '✗', ' ']);
        let Some((name, values)) = line.split_once(':') else { continue };
        let name = name.trim_end_matches(['.', ' ']);
        match name {
            "http_req_duration" => {
                // Another run, of which no other line was read.
                if now.get(FigureKind::Mean).is_some() {
                    all.push(std::mem::replace(&mut now, empty(at)));
                }
                now.line = at;
                for (label, value) in values.split_whitespace().filter_map(|part| part.split_once('=')) {
                    if let Some(kind) = statistic(label) {
                        put(&mut now, kind, time(value));
                    }
                }
            }
            "http_reqs" => {
                let mut words = values.split_whitespace();
                put(&mut now, FigureKind::Queries, words.next().and_then(number));
                put(&mut now, FigureKind::Qps, words.next().and_then(number));
            }
            "vus_max" => {
                put(&mut now, FigureKind::Clients, number(values));
                all.push(std::mem::replace(&mut now, empty(at)));
            }
            _ => {}
        }
    }
    all.push(now);
    all.retain(|result| result.get(FigureKind::Mean).is_some());
    all
}

/// `avg`, `p(95)`.
fn statistic(label: &str) -> Option<FigureKind> {
    Some(match label {
        "avg" => FigureKind::Mean,
        "min" => FigureKind::Min,
        "med" => FigureKind::Percentile(5000),
        "max" => FigureKind::Max,
        label => {
            let percent: f64 = label.strip_prefix("p(")?.strip_suffix(')')?.parse().ok()?;
            let hundredths = (percent * 100.0).round();
            (100.0..10_000.0).contains(&hundredths).then_some(FigureKind::Percentile(hundredths as u16))?
        }
    })
}

/// `8ms`, `950.1µs`, `1.2s`, `1m2.5s` in milliseconds.
fn time(text: &str) -> Option<Quantity> {
    let CellContent::Number(quantity, unit, _) = quantity::read(text) else { return None };
    let factor = match unit? {
        "ns" => 1e-6,
        "us" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        quantity::MEGA_OR_MINUTES => 60e3,
        _ => return None,
    };
    Some(quantity.times(factor))
}

/// Times are in milliseconds; the figures of a metric may stand within `values`.
fn read_json(text: &str) -> Vec<PublishedResult> {
    let Ok(whole) = serde_json::from_str::<Value>(text) else { return Vec::new() };
    let Some(metrics) = whole.get("metrics") else { return Vec::new() };
    let of = |metric: &str, name: &str| {
        let metric = metrics.get(metric)?;
        let value = metric.get("values").unwrap_or(metric).get(name)?.as_f64()?;
        Some(Quantity::exact(value))
    };
    let mut now = empty(1);
    let times = metrics.get("http_req_duration").map(|times| times.get("values").unwrap_or(times));
    for name in times.and_then(Value::as_object).into_iter().flat_map(|times| times.keys()) {
        if let Some(kind) = statistic(name) {
            put(&mut now, kind, of("http_req_duration", name));
        }
    }
    put(&mut now, FigureKind::Queries, of("http_reqs", "count"));
    put(&mut now, FigureKind::Qps, of("http_reqs", "rate"));
    put(&mut now, FigureKind::Clients, of("vus_max", "value").or_else(|| of("vus_max", "max")));
    Some(now).filter(|now| now.get(FigureKind::Mean).is_some()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use crate::logs;

    fn said(text: &str) -> Vec<String> {
        let read = logs::read(text, "x").map_or_else(Vec::new, |read| read.results);
        let one = |result: &crate::PublishedResult| {
            let figures = result
                .figures
                .iter()
                .map(|(kind, (q, _))| format!("{} {}", kind.name(), (q.value * 1e6).round() / 1e6));
            figures.collect::<Vec<_>>().join(" ")
        };
        read.iter().map(one).collect()
    }

    #[test]
    fn text_and_json_say_the_same() {
        let text = "     ✓ http_req_duration..............: avg=8ms min=950µs med=7.5ms max=1.5s p(90)=10ms p(95)=12ms\n       { expected_response:true }...: avg=9ms min=1ms\n     \
                    http_reqs......................: 60000   1000.5/s\n     vus............................: 8       min=8 max=8\n     vus_max........................: 8       min=8 max=8\n";
        let wanted =
            "clients 8 qps 1000.5 min_ms 0.95 mean_ms 8 p50_ms 7.5 p90_ms 10 p95_ms 12 max_ms 1500 queries 60000";
        assert_eq!(said(text), [wanted]);
        assert_eq!(said(&text.repeat(2)), [wanted, wanted]);
        let metric =
            |inner: &str, within: bool| if within { format!("{{\"values\":{inner}}}") } else { inner.to_owned() };
        for within in [false, true] {
            let times =
                metric("{\"avg\":8.0,\"min\":0.95,\"med\":7.5,\"max\":1500,\"p(90)\":10.0,\"p(95)\":12.0}", within);
            let requests = metric("{\"count\":60000,\"rate\":1000.5}", within);
            let users = metric("{\"value\":8,\"min\":8,\"max\":8}", within);
            let json = format!(
                "{{\"metrics\":{{\"http_req_duration\":{times},\"http_reqs\":{requests},\"vus_max\":{users}}}}}"
            );
            assert_eq!(said(&json), [wanted]);
        }
        assert_eq!(said("{\"http_req_duration\": 1"), [""; 0]);
    }
}
