//! The report of sysbench 0.4, 0.5, 1.0 and 1.1, and its reports of periods.

use super::find::{count, has};
use super::{Line, LogFormat, after, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::quantity::Quantity;
use crate::result::PublishedResult;
use std::collections::BTreeSet;
use tenbin_words::message::Message;
use tenbin_words::msg;

pub(super) const LOG: LogFormat =
    LogFormat { name: "sysbench", signature: "queries performed:", line: "queries performed:", read };

/// Lines that were cut out of reports: `grep -h transactions: *.log`.
pub(super) const LINES: LogFormat = LogFormat { name: "sysbench", signature: " per sec.)", line: "", read: read_lines };

/// Each line of transactions is a report, with what follows it; the number of threads may stand before it.
fn read_lines(text: &str) -> Vec<PublishedResult> {
    let mut all = Vec::new();
    if has(text, LOG.signature) {
        return all;
    }
    let mut now = PublishedResult::default();
    for line in lines(text) {
        let threads = threads(line.1);
        let begins = line.1.starts_with("transactions:");
        if threads.is_some() || begins && is_report(&now) {
            let begun = std::mem::take(&mut now);
            all.extend(is_report(&begun).then_some(begun));
        }
        if begins {
            now.line = line.0;
            // Times above it are those of another test.
            now.figures.retain(|kind, _| is_above_transactions(*kind));
        }
        put(&mut now, FigureKind::Clients, threads);
        take(&mut now, line, true);
    }
    all.extend(is_report(&now).then_some(now));
    all.retain(|result| result.figures.contains_key(&FigureKind::Tps));
    all.iter_mut().for_each(count_events);
    // What tells them apart was cut away: nothing says that they are repeats.
    if all.len() > 1 {
        for result in all.iter_mut().filter(|result| !result.figures.contains_key(&FigureKind::Clients)) {
            result.axes.push(("line".to_owned(), result.line.to_string()));
        }
    }
    all
}

/// Whether a figure stands above the transactions of its report.
fn is_above_transactions(kind: FigureKind) -> bool {
    use FigureKind::{Clients, Others, Queries, Reads, Writes};
    matches!(kind, Clients | Reads | Writes | Others | Queries)
}

/// `Threads: 8`, `threads=8`, as the script prints that runs the tests.
fn threads(line: &str) -> Option<Quantity> {
    let line = line.to_ascii_lowercase();
    let rest = line.trim_start_matches(['=', '-', '#', ' ']);
    let rest = ["number of threads", "num_threads", "num-threads", "threads"]
        .iter()
        .find_map(|name| rest.strip_prefix(name))?;
    number(rest.trim_start_matches([' ', ':', '=']))
}

/// A report begins where the options of a run are printed, and ends with the next one.
fn read(text: &str) -> Vec<PublishedResult> {
    reports(lines(text)).into_iter().filter(|report| !report.is_mixed).map(|report| report.result).collect()
}

/// A remark on reports whose lines stand in turns.
pub(super) fn in_turns(text: &str, file: &str) -> Option<Message> {
    // In one report each of its lines is there once.
    if !has(text, LOG.signature) || ONCE.iter().all(|label| count(text, label) <= 1) {
        return None;
    }
    let without_periods = lines(text).filter(|(_, line)| !line.starts_with('[') || is_of_checkpoint(line));
    let n = reports(without_periods).iter().filter(|report| report.is_mixed).count();
    (n > 0).then(|| msg!("published-reports-in-turns", file, n))
}

/// A report that is being read.
#[derive(Default)]
struct Report {
    result: PublishedResult,
    /// Whether lines of another report stand between its own: its figures are of both.
    is_mixed: bool,
    /// The labels that were read of it, and how many came again.
    labels: BTreeSet<&'static str>,
    again: usize,
    /// Whether it is one that was asked for within the run (`--report-checkpoints`).
    is_checkpoint: bool,
    /// Of a part of a run, of which there is a report for each: when it began, s. Its total time is that of the run so far, and its counts and
    /// rates are those since the report before it.
    part_from_s: Option<f64>,
    /// How many periods were reported before it.
    periods: usize,
}

impl Report {
    /// The report that follows this one in the same run.
    fn next_part(&mut self) -> Report {
        self.part_from_s = self.part_from_s.or(Some(0.0));
        let mut next = Report { part_from_s: self.result.get(FigureKind::Seconds), ..Report::default() };
        next.result.periods = self.result.periods.split_off(self.periods.min(self.result.periods.len()));
        next
    }

    /// A part of a run has its own time, and is no repeat of the others.
    fn with_own_time(mut self) -> Report {
        use FigureKind::{Seconds, Tps, Transactions};
        let (Some(from), Some((total, place))) = (self.part_from_s, self.result.figures.get(&Seconds).copied()) else {
            return self;
        };
        self.result.axes.push(("part".to_owned(), format!("{from:.0}–{:.0} s", total.value)));
        let own = Quantity { value: total.value - from, half: 2.0 * total.half };
        // Some versions print the time of the part.
        let off = |seconds: f64| Some((self.result.get(Tps)? * seconds - self.result.get(Transactions)?).abs());
        if off(own.value) < off(total.value) {
            self.result.figures.insert(Seconds, (own, place));
        }
        self
    }
}

/// What each report has once, below its transactions.
const ONCE: [&str; 7] =
    ["transactions:", "total time:", "total number of events:", "min:", "avg:", "max:", "General statistics:"];
/// A user may print one of them again, but hardly more.
const MOST_AGAIN: usize = 1;

/// Whether a line says that a report follows which was asked for within the run.
fn is_of_checkpoint(line: &str) -> bool {
    line.starts_with('[') && line.ends_with("Checkpoint report:")
}

fn reports<'t>(lines: impl Iterator<Item = Line<'t>>) -> Vec<Report> {
    let mut all: Vec<Report> = Vec::new();
    let mut now = Report::default();
    let mut in_latency = false;
    // Whether nothing but lines of the tool itself followed a report.
    let (mut is_same_run, mut is_checkpoint) = (true, false);
    for line in lines {
        let has_begun = now.result.figures.contains_key(&FigureKind::Reads) || is_report(&now.result);
        let begins = line.1.starts_with("Running the test with following options");
        if begins || has_begun && line.1.starts_with("Number of threads") {
            // What was begun and has no report was aborted: none of it belongs to the next run.
            let begun = std::mem::take(&mut now);
            all.extend(is_report(&begun.result).then_some(begun));
        }
        if line.1.ends_with("queries performed:") {
            if now.result.figures.contains_key(&FigureKind::Reads) {
                // One of several reports of a run (`--report-checkpoints`), which prints its options once.
                let clients = now.result.figures.get(&FigureKind::Clients).filter(|_| is_same_run).copied();
                let is_part = is_same_run && (now.is_checkpoint || is_checkpoint);
                let next = if is_part { now.next_part() } else { Report::default() };
                all.push(std::mem::replace(&mut now, next));
                now.result.figures.extend(clients.map(|clients| (FigureKind::Clients, clients)));
            }
            now.result.line = line.0;
            now.periods = now.result.periods.len();
            now.is_checkpoint = std::mem::take(&mut is_checkpoint);
            is_same_run = true;
        }
        if let Some(label) = ONCE.iter().find(|label| line.1.starts_with(**label)) {
            now.again += usize::from(!now.labels.insert(label));
            if now.again > MOST_AGAIN {
                now.is_mixed = true;
                // Those lines are of the one before it, if it has not its own.
                let is_short = |last: &&mut Report| !last.labels.contains("total time:");
                all.last_mut().filter(is_short).into_iter().for_each(|last| last.is_mixed = true);
            }
        }
        is_same_run &= is_of_tool(line.1);
        is_checkpoint |= is_of_checkpoint(line.1);
        in_latency = match line.1 {
            text if text.starts_with("Latency (ms)") || text.starts_with("response time:") => true,
            text if text.starts_with("per-request statistics") => true,
            text if text.starts_with("Threads fairness") => false,
            _ => in_latency,
        };
        take(&mut now.result, line, in_latency);
    }
    all.extend(is_report(&now.result).then_some(now));
    all.iter_mut().for_each(|report| count_events(&mut report.result));
    all.into_iter().map(Report::with_own_time).collect()
}

/// Whether a line between two reports is one that the tool prints. Any other may name another run.
fn is_of_tool(line: &str) -> bool {
    if line.is_empty() || line.starts_with('[') {
        return true;
    }
    let Some((label, value)) = line.split_once(':') else { return false };
    let is_heading = || value.is_empty() && HEADINGS.iter().any(|heading| label.ends_with(heading));
    let is_row = || value.trim_start().starts_with(|c: char| c.is_ascii_digit()) && ROWS.contains(&label);
    is_heading() || is_row() || label.ends_with("percentile")
}

/// How the headings within a report end.
const HEADINGS: [&str; 8] =
    ["queries performed", "statistics", "summary", "fairness", "response time", "Latency (ms)", "Throughput", "report"];
/// The names of its rows.
const ROWS: [&str; 22] = [
    "read",
    "write",
    "other",
    "total",
    "transactions",
    "queries",
    "deadlocks",
    "read/write requests",
    "other operations",
    "ignored errors",
    "reconnects",
    "total time",
    "time elapsed",
    "total number of events",
    "total time taken by event execution",
    "events/s (eps)",
    "min",
    "avg",
    "max",
    "sum",
    "events (avg/stddev)",
    "execution time (avg/stddev)",
];

/// A run of 0.4, 0.5 or of the first 1.0 whose events are no transactions has none of them, and its requests are its events.
fn count_events(result: &mut PublishedResult) {
    use FigureKind::{Tps, Transactions};
    let events = result.figures.get(&FigureKind::Total).copied();
    result.figures.remove(&FigureKind::Total);
    let (Some(events), Some(0.0)) = (events.filter(|(n, _)| n.value > 0.0), result.get(Transactions)) else { return };
    result.figures.insert(Transactions, events);
    result.figures.remove(&Tps);
    // Periods count transactions too.
    result.periods.clear();
    if let Some(rate) = result.requests.filter(|(n, _)| *n == events.0.value).map(|(_, rate)| rate) {
        result.figures.insert(Tps, (rate, None));
    }
}

fn is_report(result: &PublishedResult) -> bool {
    result.figures.contains_key(&FigureKind::Transactions)
}

fn take(now: &mut PublishedResult, (_, line): Line<'_>, in_latency: bool) {
    use FigureKind::{
        ClientSeconds, ClientSecondsDeviation, Clients, EventsDeviation, EventsPerClient, Max, Mean, Min, Others,
        Percentile, Qps, Queries, Reads, Retried, Seconds, Sum, Total, Tps, Transactions, Writes,
    };
    if line.starts_with('[') {
        if let Some(period) = period(line) {
            now.periods.push(period);
        }
        return;
    }
    now.is_open_loop |= line.starts_with("Target transaction rate");
    let Some((label, value)) = line.split_once(':') else { return };
    let value = value.trim();
    let in_brackets = || value.split_once('(').and_then(|(_, rest)| number(rest));
    match label.trim() {
        "Number of threads" => put(now, Clients, number(value)),
        "read" => put(now, Reads, number(value)),
        "write" => put(now, Writes, number(value)),
        "other" => put(now, Others, number(value)),
        "total" => put(now, Queries, number(value)),
        "transactions" => {
            put(now, Transactions, number(value));
            put(now, Tps, in_brackets());
        }
        "queries" => {
            put(now, Queries, number(value));
            put(now, Qps, in_brackets());
        }
        "read/write requests" => {
            now.requests = now.requests.or_else(|| number(value).map(|n| n.value).zip(in_brackets()));
        }
        "total number of events" => put(now, Total, number(value)),
        "ignored errors" | "deadlocks" => put(now, Retried, number(value)),
        "total time" | "time elapsed" => put(now, Seconds, number(value)),
        "min" if in_latency => put(now, Min, milliseconds(value)),
        "avg" if in_latency => put(now, Mean, milliseconds(value)),
        "max" if in_latency => put(now, Max, milliseconds(value)),
        "sum" if in_latency => put(now, Sum, number(value)),
        "total time taken by event execution" => {
            put(now, Sum, number(value).map(|seconds| seconds.times(1e3)));
        }
        "events (avg/stddev)" => {
            put(now, EventsPerClient, number(value));
            put(now, EventsDeviation, value.split_once('/').and_then(|(_, rest)| number(rest)));
        }
        "execution time (avg/stddev)" => {
            put(now, ClientSeconds, number(value));
            put(now, ClientSecondsDeviation, value.split_once('/').and_then(|(_, rest)| number(rest)));
        }
        name if in_latency && name.ends_with("percentile") && value != END_OF_HISTOGRAM => {
            let percent = name.trim_start_matches("approx.").split_whitespace().next().and_then(number);
            let hundredths = percent.map(|percent| (percent.value * 100.0).round());
            // `--percentile=0` turns it off.
            if let Some(hundredths) = hundredths.filter(|hundredths| (100.0..10_000.0).contains(hundredths)) {
                put(now, Percentile(hundredths as u16), milliseconds(value));
            }
        }
        _ => {}
    }
}

/// What is printed of a percentile that is in the last bucket of the histogram, which has no upper end, ms: it is this or longer.
pub(super) const END_OF_HISTOGRAM: &str = "100000.00";

/// Remarks on percentiles that are longer than any that the tool tells apart.
pub(super) fn beyond_histogram(text: &str) -> Vec<Message> {
    // Those of its tests of the machine have these lines only.
    let signatures = [LOG.signature, LINES.signature, "General statistics:", "Test execution summary:"];
    if !has(text, END_OF_HISTOGRAM) || !signatures.iter().any(|signature| has(text, signature)) {
        return Vec::new();
    }
    let is_it = |line: &str| {
        line.split_once(':')
            .is_some_and(|(label, value)| label.trim_end().ends_with("percentile") && value.trim() == END_OF_HISTOGRAM)
    };
    let lines = lines(text).filter(|(_, line)| is_it(line));
    let in_words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    lines.map(|(line, text)| msg!("published-beyond-histogram", line, text = in_words(text))).collect()
}

/// A response time: in milliseconds if nothing else stands behind it, but versions before 0.4.11 print seconds (`0.0384s`).
pub(super) fn milliseconds(value: &str) -> Option<Quantity> {
    let is_in_seconds = value.ends_with('s') && !value.ends_with("ms");
    number(value).map(|time| if is_in_seconds { time.times(1e3) } else { time })
}

/// `[ 1s ] thds: 1 tps: 385.12 …`, `[   1s] threads: 16, tps: 0.00, …`.
fn period(line: &str) -> Option<(f64, f64)> {
    let seconds = number(line.trim_start_matches('['))?.value;
    Some((seconds, after(line, "tps:")?.value))
}

#[cfg(test)]
mod tests {
    use crate::logs;

    /// Words of our own around the labels of the format.
    const OF_0_5: &str = "sysbench 0.5: a log\n\nRunning the test with following options:\nNumber of threads: 16\n\n\
        [   1s] threads: 16, tps: 90.00, reads: 0.00, writes: 1.00, response time: 1.43ms (95%), errors: 0.00, reconnects:  0.00\n\
        OLTP test statistics:\n    queries performed:\n        read:    1400\n        write:   400\n        other:   200\n        total:   2000\n\
        \x20   transactions:   100    (98.11 per sec.)\n    read/write requests: 1800   (1765.98 per sec.)\n\
        \x20   ignored errors: 2 (1.96 per sec.)\n\nGeneral statistics:\n    total time: 1.0193s\n    total number of events: 100\n\
        \x20   total time taken by event execution: 16.0153s\n    response time:\n         min: 6.31ms\n         avg: 160.15ms\n\
        \x20        max: 331.77ms\n         approx.  95 percentile: 215.27ms\n\nThreads fairness:\n    events (avg/stddev): 6.2500/0.40\n\
        \x20   execution time (avg/stddev):   1.0010/0.00\n";

    #[test]
    fn response_times_in_seconds_are_read_as_such() {
        let text = OF_0_5.replace("6.31ms", "0.0063s").replace("160.15ms", "0.1602s").replace("215.27ms", "0.2153s");
        let read = logs::read(&text, "x.log").unwrap();
        let of = |kind| read.results[0].get(kind).map(|value| (value * 10.0).round() / 10.0);
        assert_eq!((of(crate::FigureKind::Mean), of(crate::FigureKind::Percentile(9500))), (Some(160.2), Some(215.3)));
    }

    #[test]
    fn a_report_of_0_5_is_read() {
        let read = logs::read(&OF_0_5.repeat(2), "x.log").unwrap();
        assert_eq!(read.results.len(), 2);
        let figures = read.results[1].figures.iter().map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value));
        insta::assert_snapshot!(figures.collect::<Vec<_>>().join(", "), @"clients 16, tps 98.11, min_ms 6.31, mean_ms 160.15, p95_ms 215.27, max_ms 331.77, seconds 1.0193, reads 1400, writes 400, others 200, queries 2000, transactions 100, retried 2, sum_ms 16015.3, events_per_client 6.25, events_deviation 0.4, client_s 1.001, client_deviation_s 0");
        assert_eq!(read.results[1].periods, [(1.0, 90.0)]);
    }
}
