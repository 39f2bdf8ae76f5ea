//! sysbench's reports as text. Pure; the format that parsers match is reproduced to the column.

use super::buckets;
use tenbin_model::histogram::Histogram;
use tenbin_model::tally::{PerClient, Queries, Tally};
use tenbin_script::COUNTED_ERRORS;

/// The version of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    V10,
    V11,
    V04,
}

impl ReportForm {
    /// The version number.
    pub fn version(self) -> &'static str {
        if self == ReportForm::V11 { "1.1.0" } else { super::VERSION }
    }
}

/// The layout of a report.
#[derive(Debug, Clone)]
pub struct ReportLayout {
    pub form: ReportForm,
    /// Whether the test uses a database.
    pub sql: bool,
    /// Whether it is fileio.
    pub files: bool,
    /// Whether it is a script, which may catch errors of its statements.
    pub script: bool,
    /// The percentiles, each 0 to 100; empty: reported as disabled.
    pub percentiles: Vec<f64>,
    pub histogram: bool,
    /// Print each client's figures.
    pub debug: bool,
    /// Whether nothing is sent.
    pub dry: bool,
    /// Events that were unfinished at a forced shutdown.
    pub unfinished: Option<u64>,
    /// Clients whose last statement the server refused.
    pub failed_ends: u64,
}

/// The counts of a period.
#[derive(Debug, Clone, Copy)]
pub struct ReportFigures<'a> {
    /// Length of the period, for rates.
    pub seconds: f64,
    /// Since the start.
    pub total_s: f64,
    pub tally: &'a Tally,
    pub per_client: &'a PerClient,
    /// The longest response of any client since the start, if it is known: the upper bound of a bucket may exceed it.
    pub longest_ns: Option<u64>,
}

impl ReportFigures<'_> {
    fn rate(&self, n: u64) -> f64 {
        if self.seconds > 0.0 { n as f64 / self.seconds } else { 0.0 }
    }

    /// Never above the maximum.
    fn percentile_ms(&self, percentile: f64) -> f64 {
        let at_ns = self.tally.all_transactions().response.quantile_ns(percentile / 100.0);
        ms(self.longest_ns.map_or(at_ns, |longest_ns| at_ns.min(longest_ns)))
    }
}

/// First line of everything but `--version`; since 1.0 in the words that parsers of others expect: `(using … LuaJIT …)`.
pub fn banner(form: ReportForm) -> String {
    let own = env!("CARGO_PKG_VERSION");
    match form {
        ReportForm::V10 | ReportForm::V11 => format!("sysbench {} (using Tenbin/{own} LuaJIT 2.1)", form.version()),
        _ => format!("sysbench {} (Tenbin {own})", form.version()),
    }
}

/// An interval line. `second` is the time since the start.
pub fn interval(look: &ReportLayout, second: f64, clients: u32, at: &ReportFigures<'_>) -> String {
    let (second, tally) = (second.round(), at.tally);
    let latency = latency_of_line(look, at);
    // In its course nothing that ended is missing, also of what began before the warm-up was over.
    let events = at.rate(tally.accounting.all_completed());
    if !look.sql {
        return format!("[ {second}s ] thds: {clients} eps: {events:.2} {latency}");
    }
    let queries = of_kinds(look, tally.all_queries());
    let Queries { reads, writes, others } = queries;
    let errors = ignored(look, tally);
    match look.form {
        ReportForm::V10 | ReportForm::V11 => format!(
            "[ {second}s ] thds: {clients} tps: {events:.2} qps: {:.2} (r/w/o: {:.2}/{:.2}/{:.2}) {latency} err/s: {:.2} reconn/s: {:.2}",
            at.rate(queries.total()),
            at.rate(reads),
            at.rate(writes),
            at.rate(others),
            at.rate(errors),
            at.rate(tally.reconnects),
        ),
        ReportForm::V04 => format!(
            "[{second:4}s] threads: {clients}, tps: {events:.2}, reads/s: {:.2}, writes/s: {:.2} response time: {:.2}ms ({}%)",
            at.rate(reads),
            at.rate(writes),
            look.percentiles.first().map_or(0.0, |p| at.percentile_ms(*p)),
            look.percentiles.first().unwrap_or(&0.0),
        ),
    }
}

/// The figures for a script's own report, with sysbench's names; times in seconds. `queue`: waiting, busy, which the reports of an interval have in place of
/// the times.
pub fn stat(
    look: &ReportLayout,
    at: &ReportFigures<'_>,
    clients: u32,
    queue: Option<(u64, u64)>,
) -> Vec<(&'static str, f64)> {
    let (tally, response) = (at.tally, at.tally.all_transactions().response);
    let (queries, times) = (queries(look, tally), times(at, &response));
    let errors = ignored(look, tally);
    let mut all = vec![
        ("threads_running", clients.into()),
        ("time_interval", at.seconds),
        ("time_total", at.total_s),
        ("latency_pct", look.percentiles.first().map_or(0.0, |p| at.percentile_ms(*p)) / 1e3),
        ("events", tally.accounting.completed as f64),
        ("reads", queries.reads as f64),
        ("writes", queries.writes as f64),
        ("other", queries.others as f64),
        ("errors", errors as f64),
        ("reconnects", tally.reconnects as f64),
    ];
    match queue {
        Some((waiting, busy)) => all.extend([("queue_length", waiting as f64), ("concurrency", busy as f64)]),
        None => all.extend([
            ("latency_min", times.min / 1e3),
            ("latency_max", times.max / 1e3),
            ("latency_avg", times.mean / 1e3),
            ("latency_sum", times.sum / 1e3),
        ]),
    }
    all
}

/// In sysbench it is known by the answer whether a statement reads or writes, and a dry run has none.
fn queries(look: &ReportLayout, tally: &Tally) -> Queries {
    of_kinds(look, tally.queries())
}

fn of_kinds(look: &ReportLayout, all: Queries) -> Queries {
    if look.dry { Queries { others: all.total(), ..Queries::default() } } else { all }
}

/// Errors after which an event was restarted, those that a script has caught, those that it has counted itself, and those of a client's last
/// statement. An error that ended the run is not included.
fn ignored(look: &ReportLayout, tally: &Tally) -> u64 {
    let by_script = tally.statements.get(COUNTED_ERRORS).map_or(0, |s| s.errors.values().sum());
    let restarted = tally.transactions.values().map(|t| t.retries).sum::<u64>();
    // In sysbench a connection that its client library has found lost is a reconnect, and no error.
    let lost = tally.statements.values().flat_map(|s| &s.errors).filter(|(code, _)| LOST.contains(&code.as_str()));
    let reconnected = lost.map(|(_, times)| times).sum::<u64>().saturating_sub(tally.accounting.failed).min(restarted);
    let ended = restarted + tally.accounting.failed + by_script;
    // Those of a script's last statement are among them.
    let caught = if look.script { tally.failed_statements().saturating_sub(ended) } else { look.failed_ends };
    restarted - reconnected + caught + by_script
}

/// The client library's errors of a lost connection.
const LOST: [&str; 4] = ["2006", "2011", "2013", "2055"];

/// Its continuation in rate mode: waiting starts, and busy clients.
pub fn queue(look: &ReportLayout, second: f64, waiting: u64, busy: u64) -> String {
    let comma = if look.sql { "," } else { "" };
    format!("[ {}s ] queue length: {waiting}{comma} concurrency: {busy}", second.round())
}

/// Only the first percentile: parsers expect one.
fn latency_of_line(look: &ReportLayout, at: &ReportFigures<'_>) -> String {
    let first = look.percentiles.first().copied();
    format!("lat (ms,{}%): {:.2}", first.unwrap_or(0.0), first.map_or(0.0, |p| at.percentile_ms(p)))
}

/// The first percentile and its value in milliseconds.
pub fn first_percentile(look: &ReportLayout, at: &ReportFigures<'_>) -> (f64, f64) {
    look.percentiles.first().map_or((0.0, 0.0), |p| (*p, at.percentile_ms(*p)))
}

fn ms(ns: u64) -> f64 {
    ns as f64 / 1e6
}

/// The complete report of a period; `own` are the test's own lines, in place of SQL statistics.
pub fn report(look: &ReportLayout, at: &ReportFigures<'_>, own: &[String]) -> Vec<String> {
    let mut lines = Vec::new();
    let response = at.tally.all_transactions().response;
    if look.sql {
        lines.extend(sql(look, at));
        let left = look.unfinished.map(|n| format!("\nNumber of unfinished transactions on forced shutdown: {n}"));
        lines.extend(left);
    }
    lines.extend(own.iter().cloned());
    match look.form {
        ReportForm::V10 | ReportForm::V11 => lines.extend(general(look, at, &response)),
        ReportForm::V04 => lines.extend(summary_of_04(look, at, &response)),
    }
    if !(look.files && look.form == ReportForm::V11) {
        lines.extend(fairness(at.per_client));
    }
    if look.debug {
        lines.extend(each_client(at.per_client));
    }
    lines
}

fn sql(look: &ReportLayout, at: &ReportFigures<'_>) -> Vec<String> {
    let form = look.form;
    let queries = queries(look, at.tally);
    let (events, total) = (at.tally.accounting.completed, queries.total());
    let errors = ignored(look, at.tally);
    let counted = |name: &str, n: u64| format!("        {name:<32} {n}");
    let rated = |name: &str, n: u64| format!("    {name:<36} {n:<6} ({:.2} per sec.)", at.rate(n));
    let mut lines = vec![
        match form {
            ReportForm::V10 | ReportForm::V11 => "SQL statistics:".to_owned(),
            ReportForm::V04 => "OLTP test statistics:".to_owned(),
        },
        "    queries performed:".to_owned(),
        counted("read:", queries.reads),
        counted("write:", queries.writes),
        counted("other:", queries.others),
        counted("total:", total),
        rated("transactions:", events),
    ];
    match form {
        ReportForm::V10 | ReportForm::V11 => {
            lines.push(rated("queries:", total));
            lines.push(rated("ignored errors:", errors));
            lines.push(rated("reconnects:", at.tally.reconnects));
        }
        ReportForm::V04 => {
            lines.push(rated("deadlocks:", errors));
            lines.push(rated("read/write requests:", queries.reads + queries.writes));
            lines.push(rated("other operations:", queries.others));
        }
    }
    lines
}

fn general(look: &ReportLayout, at: &ReportFigures<'_>, response: &Histogram) -> Vec<String> {
    let row = |name: &str, ms: f64| format!("{name:>13}{ms:>40.2}");
    let times = times(at, response);
    let counted = at.tally.accounting.completed;
    let mut lines = match look.form {
        // Its fileio reports its own throughput.
        ReportForm::V11 if look.files => Vec::new(),
        ReportForm::V11 => vec![
            String::new(),
            "Throughput:".to_owned(),
            format!("    {:<36} {:.4}", "events/s (eps):", at.rate(counted)),
            format!("    {:<36} {:.4}s", "time elapsed:", at.total_s),
            format!("    {:<36} {counted}", "total number of events:"),
        ],
        _ => vec![
            String::new(),
            "General statistics:".to_owned(),
            format!("    {:<36} {:.4}s", "total time:", at.total_s),
            format!("    {:<36} {counted}", "total number of events:"),
        ],
    };
    lines.extend([
        String::new(),
        "Latency (ms):".to_owned(),
        row("min:", times.min),
        row("avg:", times.mean),
        row("max:", times.max),
    ]);
    for percentile in &look.percentiles {
        let label = format!("{:>11}th percentile:", percentile.to_string());
        // The upper bound of a bucket may exceed the maximum in it.
        let at = ms(response.quantile_ns(percentile / 100.0)).min(times.max);
        lines.push(format!("{label}{at:>width$.2}", width = 53_usize.saturating_sub(label.len())));
    }
    if look.percentiles.is_empty() {
        lines.push(format!("         percentile stats:{:>23}", "disabled"));
    }
    lines.push(row("sum:", times.sum));
    lines.push(String::new());
    lines
}

fn summary_of_04(look: &ReportLayout, at: &ReportFigures<'_>, response: &Histogram) -> Vec<String> {
    let row = |name: &str, ms: f64| format!("{name:>13}{ms:>38.2}ms");
    let times = times(at, response);
    let mut lines = vec![
        String::new(),
        "Test execution summary:".to_owned(),
        format!("    {:<36} {:.4}s", "total time:", at.total_s),
        format!("    {:<36} {}", "total number of events:", at.tally.accounting.completed),
        format!("    {:<36} {:.4}", "total time taken by event execution:", times.sum / 1e3),
        "    per-request statistics:".to_owned(),
        row("min:", times.min),
        row("avg:", times.mean),
        row("max:", times.max),
    ];
    for percentile in &look.percentiles {
        let label = format!("         approx. {percentile:>3} percentile:");
        // The upper bound of a bucket may exceed the maximum in it.
        let at = ms(response.quantile_ns(percentile / 100.0)).min(times.max);
        lines.push(format!("{label}{at:>width$.2}ms", width = 51_usize.saturating_sub(label.len())));
    }
    lines.push(String::new());
    lines
}

/// Response times in milliseconds.
struct Times {
    min: f64,
    mean: f64,
    max: f64,
    sum: f64,
}

/// Exact from the clients' own figures if they are known, otherwise from the histogram.
fn times(at: &ReportFigures<'_>, response: &Histogram) -> Times {
    let (each, n) = (at.per_client, response.count());
    if n == 0 || each.completed.iter().sum::<u64>() != n || each.min_ns.is_empty() {
        let mean = response.mean_ns() / 1e6;
        return Times { min: ms(response.min_ns()), mean, max: ms(response.max_ns()), sum: mean * n as f64 };
    }
    let sum = each.response_ns.iter().map(|ns| *ns as f64).sum::<f64>() / 1e6;
    let busy = each.completed.iter().zip(&each.min_ns).filter(|(n, _)| **n > 0);
    Times {
        min: ms(busy.map(|(_, min)| *min).min().unwrap_or(0)),
        mean: sum / n as f64,
        max: ms(each.max_ns.iter().copied().max().unwrap_or(0)),
        sum,
    }
}

fn fairness(each: &PerClient) -> Vec<String> {
    let events: Vec<f64> = each.written().map(|n| n as f64).collect();
    let seconds: Vec<f64> = each.response_ns.iter().map(|ns| *ns as f64 / 1e9).collect();
    let (events, seconds) = (mean_and_deviation(&events), mean_and_deviation(&seconds));
    vec![
        "Threads fairness:".to_owned(),
        format!("    {:<30} {:.4}/{:.2}", "events (avg/stddev):", events.0, events.1),
        format!("    {:<30} {:.4}/{:.2}", "execution time (avg/stddev):", seconds.0, seconds.1),
        String::new(),
    ]
}

/// Population standard deviation over all clients.
fn mean_and_deviation(values: &[f64]) -> (f64, f64) {
    if values.is_empty() {
        return (0.0, 0.0);
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    (mean, (values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n).sqrt())
}

fn each_client(each: &PerClient) -> Vec<String> {
    let mut lines = vec!["DEBUG: Verbose per-thread statistics:".to_owned(), String::new()];
    let s = |ns: u64| ns as f64 / 1e9;
    let of =
        |values: &[u64], client: usize| values.get(client).map_or_else(|| "n/a".into(), |ns| format!("{:.4}s", s(*ns)));
    for (client, (completed, written)) in each.completed.iter().zip(each.written()).enumerate() {
        let average = if *completed == 0 { 0.0 } else { s(each.response_ns[client]) / *completed as f64 };
        lines.push(format!(
            "DEBUG:     thread #{client:3}: min: {}  avg: {average:.4}s  max: {}  events: {written}",
            of(&each.min_ns, client),
            of(&each.max_ns, client),
        ));
        let took = s(each.response_ns[client]);
        lines.push(format!("DEBUG:                  total time taken by event execution: {took:.4}s"));
    }
    lines.push(String::new());
    lines
}

/// The histogram with bars.
pub fn histogram(at: &ReportFigures<'_>) -> Vec<String> {
    buckets::lines(&at.tally.all_transactions().response)
}

#[cfg(test)]
mod tests;
