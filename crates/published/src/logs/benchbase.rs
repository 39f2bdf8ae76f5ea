//! The summary of BenchBase (`*.summary.json`, formerly OLTP-Bench): throughput and the latencies of all requests, as its
//! `ResultWriter.java` writes them. The rate at which its requests were sent is not in it, and its latencies do not include the wait for
//! a client at such a rate.

use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;
use serde_json::Value;

pub(super) const LOG: LogFormat =
    LogFormat { name: "BenchBase", signature: "\"Throughput (requests/second)\"", line: "", read };

/// What both say at the end of a run: `Results(nanoSeconds=60000083123, measuredRequests=35432) = 590.53 requests/sec`.
pub(super) const TEXT: LogFormat =
    LogFormat { name: "BenchBase log", signature: "measuredRequests=", line: "", read: read_text };

/// What its distribution calls a latency, in microseconds, and what it is.
const TIMES: [(&str, FigureKind); 9] = [
    ("Minimum", FigureKind::Min),
    ("25th Percentile", FigureKind::Percentile(2500)),
    ("Median", FigureKind::Percentile(5000)),
    ("Average", FigureKind::Mean),
    ("75th Percentile", FigureKind::Percentile(7500)),
    ("90th Percentile", FigureKind::Percentile(9000)),
    ("95th Percentile", FigureKind::Percentile(9500)),
    ("99th Percentile", FigureKind::Percentile(9900)),
    ("Maximum", FigureKind::Max),
];
/// Clients that are idle for a larger part of the time wait for a request to fall due.
const IDLE: f64 = 0.05;

/// Summaries, one after the other, each an object of several lines.
fn read(text: &str) -> Vec<PublishedResult> {
    let starts = text.find('{').unwrap_or(text.len());
    let mut objects = serde_json::Deserializer::from_str(&text[starts..]).into_iter::<Value>();
    let mut all = Vec::new();
    let mut from = starts;
    while let Some(Ok(object)) = objects.next() {
        let line = text[..from].matches('\n').count() as u64 + 1;
        let end = starts + objects.byte_offset();
        from = text.len() - text[end..].trim_start().len();
        all.extend(of_summary(object.get("Summary").unwrap_or(&object), line));
    }
    all
}

/// The end of each run, with what was said of it before. It has no response times, and its clients may have waited for requests to fall due.
fn read_text(text: &str) -> Vec<PublishedResult> {
    let (mut all, mut begun) = (Vec::new(), PublishedResult { is_open_loop: true, ..PublishedResult::default() });
    for (at, line) in lines(text) {
        if let Some(name) = line.strip_prefix("Benchmark:") {
            begun = PublishedResult { is_open_loop: true, ..PublishedResult::default() };
            begun.workload = name.split_whitespace().next().map(str::to_lowercase);
        } else if let Some(kind) = line.strip_prefix("Type:") {
            begun.target = Some(kind.trim().to_lowercase()).filter(|kind| !kind.is_empty());
        } else if let Some((_, rest)) = line.split_once("[ActiveWorkers=") {
            begun.figures.remove(&FigureKind::Clients);
            put(&mut begun, FigureKind::Clients, number(rest));
        } else if let Some((_, rest)) = line.split_once("measuredRequests=") {
            let mut now = PublishedResult { line: at, ..begun.clone() };
            put(&mut now, FigureKind::Transactions, number(rest));
            put(&mut now, FigureKind::Tps, rest.split_once(" = ").and_then(|(_, rate)| number(rate)));
            let ns = line.split_once("nanoSeconds=").and_then(|(_, ns)| number(ns));
            put(&mut now, FigureKind::Seconds, ns.map(|ns| ns.times(1e-9)));
            all.extend(Some(now).filter(|now| now.figures.contains_key(&FigureKind::Tps)));
        } else if let Some((_, rest)) = line.split_once("TPM-C:")
            && let Some(last) = all.last_mut()
        {
            put(last, FigureKind::Nopm, number(rest));
        }
    }
    all
}

fn of_summary(summary: &Value, line: u64) -> Option<PublishedResult> {
    let text = |name: &str| summary.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let mut now = PublishedResult { line, ..PublishedResult::default() };
    now.target = text("DBMS Type").map(str::to_lowercase);
    now.workload = text("Benchmark Type").map(str::to_owned);
    put(&mut now, FigureKind::Tps, figure(summary.get("Throughput (requests/second)")));
    put(&mut now, FigureKind::Clients, figure(summary.get("terminals")));
    put(&mut now, FigureKind::Transactions, figure(summary.get("Measured Requests")));
    if now.workload.as_deref() == Some("tpcc") {
        put(&mut now, FigureKind::Warehouses, figure(summary.get("scalefactor")));
    }
    let times = summary.get("Latency Distribution");
    for (name, kind) in TIMES {
        let us = times.and_then(|times| figure(times.get(format!("{name} Latency (microseconds)"))));
        put(&mut now, kind, us.map(|us| us.times(1e-3)));
    }
    let busy = now.get(FigureKind::Tps)? * now.get(FigureKind::Mean).unwrap_or(0.0) / 1e3;
    now.is_open_loop = now.get(FigureKind::Clients).is_some_and(|clients| busy < clients * (1.0 - IDLE));
    Some(now)
}

/// A number, or one as text; latencies are whole microseconds.
fn figure(value: Option<&Value>) -> Option<Quantity> {
    let value = value?;
    let number = value.as_f64().or_else(|| value.as_str()?.trim().parse().ok())?;
    let half = if number.fract() == 0.0 && value.is_i64() { 0.5 } else { 0.0 };
    number.is_finite().then_some(Quantity { value: number, half })
}

#[cfg(test)]
mod tests {
    use crate::FigureKind::{Clients, Mean, Percentile, Tps};
    use crate::logs;

    fn summary(terminals: u32, tps: f64) -> String {
        format!(
            "{{\n    \"scalefactor\": \"1\",\n    \"Benchmark Type\": \"tpcc\",\n    \"terminals\": \"{terminals}\",\n    \
             \"DBMS Type\": \"POSTGRES\",\n    \"Latency Distribution\": {{\n        \"95th Percentile Latency (microseconds)\": 12079,\n        \
             \"Maximum Latency (microseconds)\": 90000,\n        \"Median Latency (microseconds)\": 5000,\n        \
             \"Average Latency (microseconds)\": 5648\n    }},\n    \"Throughput (requests/second)\": {tps}\n}}\n"
        )
    }

    #[test]
    fn summaries_are_read_with_what_their_clients_did() {
        let read = logs::read(&(summary(16, 2829.8) + &summary(16, 300.0)), "tpcc.summary.json").expect("a summary");
        let [closed, paced] = &read.results[..] else { panic!("{:?}", read.results) };
        assert_eq!((closed.get(Tps), closed.get(Clients), closed.get(Mean)), (Some(2829.8), Some(16.0), Some(5.648)));
        assert_eq!((closed.get(Percentile(9500)), closed.target.as_deref()), (Some(12.079), Some("postgres")));
        assert!(!closed.is_open_loop && paced.is_open_loop && (closed.line, paced.line) == (1, 14), "{}", paced.line);
        assert!(crate::audit(&read).doubts.is_empty(), "{:?}", crate::audit(&read).doubts);
        // More than its terminals can have in progress.
        let read = logs::read(&summary(4, 2829.8), "x").expect("a summary");
        assert!(!crate::audit(&read).doubts.is_empty());
    }

    #[test]
    fn what_only_looks_like_one_is_none() {
        for text in [
            "\"Throughput (requests/second)\"",
            "{\"Throughput (requests/second)\": \"x\"}",
            "{\"Throughput (requests/second)\": 5",
            "[{\"Throughput (requests/second)\":5}]",
        ] {
            let read = logs::read(text, "x");
            assert!(read.is_none_or(|read| read.results.iter().all(|result| result.get(Tps) == Some(5.0))), "{text}");
        }
    }

    #[test]
    fn the_end_of_a_run_is_read_of_a_log() {
        let run = |workers: u32, rate: &str| {
            format!(
                "Benchmark:     TPCC {{x.Y}}\nType:          POSTGRES\n12:00 INFO - PHASE START :: [Time=60] [ActiveWorkers={workers}]\n\
                 12:01 INFO - Rate limited reqs/s: Results(nanoSeconds=60000083123, measuredRequests=35432) = {rate} requests/sec\n"
            )
        };
        let read = logs::read(&(run(2, "590.53") + &run(4, "700.5")), "x.log").expect("a log");
        let of = |n: usize| (read.results[n].get(Clients), read.results[n].get(Tps));
        assert_eq!((of(0), of(1)), ((Some(2.0), Some(590.53)), (Some(4.0), Some(700.5))));
        assert_eq!(read.results[0].target.as_deref(), Some("postgres"));
    }
}
