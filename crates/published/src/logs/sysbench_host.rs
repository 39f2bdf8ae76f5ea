//! The reports of sysbench's tests without a database: cpu, memory, threads, mutex and fileio, of 0.4, 0.5, 1.0 and 1.1.

use super::sysbench::{END_OF_HISTOGRAM, milliseconds};
use super::{LogFormat, lines, number, put};
use crate::figure_kind::FigureKind;
use crate::result::PublishedResult;

pub(super) const LOG: LogFormat = LogFormat {
    name: "sysbench",
    signature: "General statistics:",
    line: "General statistics:",
    read: |text| read(text, "General statistics"),
};
/// Of 0.4.
pub(super) const OLD: LogFormat = LogFormat {
    name: "sysbench",
    signature: "Test execution summary:",
    line: "Test execution summary:",
    read: |text| read(text, "Test execution summary"),
};

/// What only one of the tests prints.
const TESTS: &[(&str, &str)] = &[
    ("CPU speed:", "cpu"),
    ("Running memory speed test", "memory"),
    ("MiB transferred", "memory"),
    ("Running file test with the following options", "fileio"),
    ("File operations:", "fileio"),
    ("Running threads test", "threads"),
    ("Running mutex test", "mutex"),
    ("Doing CPU performance benchmark", "cpu"),
    ("Maximum prime number checked in CPU test", "cpu"),
    ("Doing memory operations speed test", "memory"),
    ("MB transferred (", "memory"),
    ("Requests/sec executed", "fileio"),
    ("Doing thread subsystem performance test", "threads"),
    ("Doing mutex performance test", "mutex"),
];

/// A report begins where the options of a run are printed. `summary`: what its figures stand below.
fn read(text: &str, summary: &str) -> Vec<PublishedResult> {
    use FigureKind::{
        ClientSeconds, ClientSecondsDeviation, Clients, EventsDeviation, EventsPerClient, Max, Mean, Min, Percentile,
        Qps, Seconds, Sum, Tps, Transactions,
    };
    let (mut all, mut now, mut in_latency) = (Vec::new(), PublishedResult::default(), false);
    // Those of databases have a reader of their own.
    let mut is_of_database = false;
    for (at, line) in lines(text) {
        // The periods of a long run.
        if line.starts_with('[') {
            continue;
        }
        if line.starts_with("Running the test with following options") {
            let begun = std::mem::take(&mut now);
            all.extend((is_report(&begun) && !is_of_database).then_some(begun));
            (in_latency, is_of_database) = (false, false);
        }
        is_of_database |= line.ends_with("queries performed:") || line.starts_with("transactions:");
        if let Some((_, test)) = TESTS.iter().find(|(signature, _)| line.contains(signature)) {
            now.workload.get_or_insert_with(|| (*test).to_owned());
        }
        if line.starts_with(summary) {
            now.line = at;
        }
        let begins_latency =
            ["Latency (ms)", "per-request statistics", "response time:"].iter().any(|begin| line.starts_with(begin));
        in_latency = (in_latency || begins_latency) && !line.starts_with("Threads fairness");
        if let Some(rate) = line.strip_suffix("Requests/sec executed") {
            // The clients are not in requests all the time: fsync is none, and Little's law does not hold.
            put(&mut now, Qps, number(rate));
        }
        let operations = line.strip_prefix("Total operations:").or_else(|| line.strip_prefix("Operations performed:"));
        if let Some((count, rate)) = operations.and_then(|rest| rest.split_once('(')) {
            put(&mut now, Transactions, number(count));
            put(&mut now, Tps, number(rate));
        }
        let Some((label, value)) = line.split_once(':') else { continue };
        let value = value.trim();
        let after_slash = || value.split_once('/').and_then(|(_, rest)| number(rest));
        match label.trim() {
            "Number of threads" => put(&mut now, Clients, number(value)),
            "events per second" | "events/s (eps)" => put(&mut now, Tps, number(value)),
            "total time" | "time elapsed" => put(&mut now, Seconds, number(value)),
            "total number of events" => put(&mut now, Transactions, number(value)),
            "min" if in_latency => put(&mut now, Min, milliseconds(value)),
            "avg" if in_latency => put(&mut now, Mean, milliseconds(value)),
            "max" if in_latency => put(&mut now, Max, milliseconds(value)),
            "sum" if in_latency => put(&mut now, Sum, number(value)),
            "total time taken by event execution" => {
                put(&mut now, Sum, number(value).map(|seconds| seconds.times(1e3)));
            }
            "events (avg/stddev)" => {
                put(&mut now, EventsPerClient, number(value));
                put(&mut now, EventsDeviation, after_slash());
            }
            "execution time (avg/stddev)" => {
                put(&mut now, ClientSeconds, number(value));
                put(&mut now, ClientSecondsDeviation, after_slash());
            }
            name if in_latency && name.ends_with("percentile") && value != END_OF_HISTOGRAM => {
                let percent = name.trim_start_matches("approx.").split_whitespace().next().and_then(number);
                let percent = percent.map(|percent| (percent.value * 100.0).round());
                if let Some(hundredths) = percent.filter(|hundredths| (100.0..10_000.0).contains(hundredths)) {
                    put(&mut now, Percentile(hundredths as u16), milliseconds(value));
                }
            }
            _ => {}
        }
    }
    all.extend((is_report(&now) && !is_of_database).then_some(now));
    // Times of a fraction of a microsecond are printed as 0.00, and their mean is then no figure.
    for result in &mut all {
        result
            .figures
            .retain(|kind, (quantity, _)| quantity.value > 0.0 || !matches!(kind, Mean | Min | Sum | Percentile(_)));
    }
    all
}

fn is_report(result: &PublishedResult) -> bool {
    // Of `threads` and `mutex` sysbench 1.0 prints no line that names them.
    let is_named = result.workload.is_some() || result.figures.contains_key(&FigureKind::Transactions);
    is_named && result.figures.contains_key(&FigureKind::Seconds) && result.line > 0
}

#[cfg(test)]
mod tests {
    use crate::logs;

    #[test]
    fn tests_of_the_machine_of_0_4_are_read() {
        let tail = "Test execution summary:\n    total time:                          10.0004s\n    total number of events:              20000\n    total time taken by event execution: 19.9900\n    per-request statistics:\n         min:                                  0.90ms\n         avg:                                  1.00ms\n         max:                                  3.00ms\n         approx.  95 percentile:               1.10ms\n\nThreads fairness:\n    events (avg/stddev):           10000.0000/1.00\n    execution time (avg/stddev):   9.9950/0.00\n";
        let head = "Running the test with following options:\nNumber of threads: 2\n";
        for (line, workload, rate) in [
            ("Doing CPU performance benchmark", "cpu", None),
            ("Doing mutex performance test", "mutex", None),
            ("Doing thread subsystem performance test", "threads", None),
            (
                "Operations performed: 20000 (1999.92 ops/sec)\n\n19.53 MB transferred (1.95 MB/sec)",
                "memory",
                Some(1999.92),
            ),
            (
                "Operations performed:  12000 Read, 8000 Write, 100 Other = 20100 Total\nRead 10Mb\n 1999.92 Requests/sec executed",
                "fileio",
                Some(1999.92),
            ),
        ] {
            let read = logs::read(&format!("{head}{line}\n\n{tail}"), "x.log").unwrap();
            let result = &read.results[0];
            let of = |kind| result.get(kind);
            let kind = if workload == "fileio" { crate::FigureKind::Qps } else { crate::FigureKind::Tps };
            assert_eq!((result.workload.as_deref(), of(kind)), (Some(workload), rate));
            assert_eq!((of(crate::FigureKind::Mean), of(crate::FigureKind::Clients)), (Some(1.0), Some(2.0)));
            assert!(crate::audit(&read).doubts.is_empty(), "{:?}", crate::audit(&read).doubts);
        }
    }

    #[test]
    fn tests_of_the_machine_are_read() {
        let tail = "General statistics:\n    total time:                          10.0004s\n    total number of events:              20000\n\nLatency (ms):\n         min:                                    0.90\n         avg:                                    1.00\n         max:                                    3.00\n         95th percentile:                        1.10\n         sum:                                19990.00\n\nThreads fairness:\n    events (avg/stddev):           10000.0000/1.00\n    execution time (avg/stddev):   9.9950/0.00\n";
        let head = "Running the test with following options:\nNumber of threads: 2\n";
        let cpu = format!("{head}CPU speed:\n    events per second:  1999.90\n\n{tail}");
        let memory = format!(
            "{head}Running memory speed test with the following options:\n  block size: 1KiB\n\nTotal operations: 20000 (1999.92 per second)\n\n19.53 MiB transferred (1.95 MiB/sec)\n\n{tail}"
        );
        for (text, workload, tps) in [(cpu, "cpu", 1999.9), (memory, "memory", 1999.92)] {
            let read = logs::read(&text, "x.log").unwrap();
            let result = &read.results[0];
            assert_eq!((result.workload.as_deref(), result.get(crate::FigureKind::Tps)), (Some(workload), Some(tps)));
            assert!(crate::audit(&read).doubts.is_empty(), "{:?}", crate::audit(&read).doubts);
        }
    }
}
