//! The reports line by line, as parsers of the old tool's match them.

use super::*;
use tenbin_model::tally::{StatementKind, StatementTally, TransactionTally};

fn tally() -> Tally {
    let mut tally = Tally::default();
    let mut events = TransactionTally { completed: 4, retries: 1, ..Default::default() };
    [5_000_000, 6_000_000, 7_000_000, 30_000_000].iter().for_each(|ns| events.response.record(*ns));
    tally.accounting.scheduled = 4;
    tally.accounting.completed = 4;
    tally.transactions.insert("event".into(), events);
    let of = |kind, completed| StatementTally { kind, completed, ..Default::default() };
    tally.statements.insert("select".into(), of(StatementKind::Read, 56));
    tally.statements.insert("update".into(), of(StatementKind::Write, 16));
    tally.statements.insert("begin".into(), of(StatementKind::Other, 8));
    tally.statements.get_mut("update").unwrap().errors.insert("1213".into(), 1);
    tally
}

fn each() -> PerClient {
    PerClient {
        completed: vec![3, 1],
        response_ns: vec![18_000_000, 30_000_000],
        min_ns: vec![5_000_000, 30_000_000],
        max_ns: vec![7_000_000, 30_000_000],
        unwritten: Vec::new(),
    }
}

fn at<'a>(tally: &'a Tally, per_client: &'a PerClient) -> ReportFigures<'a> {
    ReportFigures { seconds: 2.0, total_s: 2.0031, tally, per_client, longest_ns: Some(30_000_000) }
}

fn layout(form: ReportForm) -> ReportLayout {
    ReportLayout {
        form,
        sql: true,
        files: false,
        script: false,
        percentiles: vec![95.0, 99.9],
        histogram: true,
        debug: false,
        dry: false,
        unfinished: None,
        failed_ends: 0,
    }
}

/// What the warm-up began ends in the first interval after it, which would be too low without.
#[test]
fn an_interval_has_what_began_in_the_warm_up() {
    let (mut tally, per_client) = (tally(), each());
    tally.accounting.carried = 2;
    tally.statements.get_mut("select").unwrap().carried = 28;
    let line = interval(&layout(ReportForm::V10), 2.0, 2, &at(&tally, &per_client));
    assert!(line.contains("tps: 3.00 qps: 54.00 (r/w/o: 42.00/8.00/4.00)"), "{line}");
}

/// As of sysbench 1.0.20.
#[test]
fn a_dry_run_counts_all_statements_as_others() {
    let (tally, per_client) = (tally(), each());
    let lines = report(&ReportLayout { dry: true, ..layout(ReportForm::V10) }, &at(&tally, &per_client), &[]);
    let counts: Vec<&str> = lines[2..6].iter().map(|line| line.trim().rsplit(' ').next().unwrap()).collect();
    assert_eq!(counts, ["0", "0", "80", "80"], "{lines:?}");
}

#[test]
fn the_report_of_1_0() {
    let (tally, per_client) = (tally(), each());
    let at = at(&tally, &per_client);
    insta::assert_snapshot!([histogram(&at), report(&layout(ReportForm::V10), &at, &[])].concat().join("\n"), @r"
Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       4.999 |**************************************** 1
       5.986 |**************************************** 1
       7.039 |**************************************** 1
      30.265 |**************************************** 1
 
SQL statistics:
    queries performed:
        read:                            56
        write:                           16
        other:                           8
        total:                           80
    transactions:                        4      (2.00 per sec.)
    queries:                             80     (40.00 per sec.)
    ignored errors:                      1      (0.50 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          2.0031s
    total number of events:              4

Latency (ms):
         min:                                    5.00
         avg:                                   12.00
         max:                                   30.00
         95th percentile:                       30.00
       99.9th percentile:                       30.00
         sum:                                   48.00

Threads fairness:
    events (avg/stddev):           2.0000/1.00
    execution time (avg/stddev):   0.0240/0.01
");
    insta::assert_snapshot!(interval(&layout(ReportForm::V10), 1.9999, 2, &at), @"[ 2s ] thds: 2 tps: 2.00 qps: 40.00 (r/w/o: 28.00/8.00/4.00) lat (ms,95%): 30.00 err/s: 0.50 reconn/s: 0.00");
}

#[test]
fn the_report_of_0_4() {
    let (tally, per_client) = (tally(), each());
    let at = at(&tally, &per_client);
    let look = ReportLayout { histogram: false, percentiles: vec![95.0], ..layout(ReportForm::V04) };
    insta::assert_snapshot!(report(&look, &at, &[]).join("\n"), @r"
OLTP test statistics:
    queries performed:
        read:                            56
        write:                           16
        other:                           8
        total:                           80
    transactions:                        4      (2.00 per sec.)
    deadlocks:                           1      (0.50 per sec.)
    read/write requests:                 72     (36.00 per sec.)
    other operations:                    8      (4.00 per sec.)

Test execution summary:
    total time:                          2.0031s
    total number of events:              4
    total time taken by event execution: 0.0480
    per-request statistics:
         min:                                  5.00ms
         avg:                                 12.00ms
         max:                                 30.00ms
         approx.  95 percentile:              30.00ms

Threads fairness:
    events (avg/stddev):           2.0000/1.00
    execution time (avg/stddev):   0.0240/0.01
");
    insta::assert_snapshot!(interval(&look, 1.0, 2, &at), @"[   1s] threads: 2, tps: 2.00, reads/s: 28.00, writes/s: 8.00 response time: 30.00ms (95%)");
}

#[test]
fn the_report_of_1_1_has_a_throughput() {
    let (tally, per_client) = (tally(), each());
    let at = at(&tally, &per_client);
    let look = ReportLayout { histogram: false, ..layout(ReportForm::V11) };
    let lines = report(&look, &at, &[]);
    let from = lines.iter().position(|l| l == "Throughput:").unwrap();
    assert_eq!(
        lines[from..from + 6],
        [
            "Throughput:",
            "    events/s (eps):                      2.0000",
            "    time elapsed:                        2.0031s",
            "    total number of events:              4",
            "",
            "Latency (ms):"
        ]
    );
    let files = report(&ReportLayout { files: true, sql: false, ..look }, &at, &["own".into()]);
    assert_eq!((files[0].as_str(), files[2].as_str()), ("own", "Latency (ms):"));
    assert!(!files.iter().any(|l| l.contains("fairness")));
}

#[test]
fn errors_that_a_script_catches_are_ignored_errors() {
    let (mut tally, per_client) = (tally(), each());
    tally.statements.entry("SELECT".into()).or_default().errors.insert("1146".into(), 7);
    let at = at(&tally, &per_client);
    let of = |script: bool| {
        let look = ReportLayout { script, ..layout(ReportForm::V10) };
        let all = report(&look, &at, &[]);
        all.into_iter().find(|line| line.contains("ignored errors")).unwrap()
    };
    // One of the events was restarted.
    assert_eq!(of(true), "    ignored errors:                      8      (4.00 per sec.)");
    assert_eq!(of(false), "    ignored errors:                      1      (0.50 per sec.)");
}

#[test]
fn an_event_that_is_restarted_on_a_new_connection_is_a_reconnect() {
    let (mut tally, per_client) = (tally(), each());
    tally.reconnects = 1;
    tally.statements.entry("SELECT".into()).or_default().errors.insert("2013".into(), 1);
    let of = |tally: &Tally| {
        let all = report(&layout(ReportForm::V10), &at(tally, &per_client), &[]);
        let two = all.into_iter().filter(|line| line.contains("ignored errors") || line.contains("reconnects"));
        two.map(|line| line.split_whitespace().find(|word| word.parse::<u64>().is_ok()).unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&tally), ["0", "1"], "one of the events was restarted");
    tally.accounting.failed = 1;
    assert_eq!(of(&tally), ["1", "1"], "it was not this one");
}

#[test]
fn what_the_end_of_clients_did_not_write_is_in_no_figure() {
    let (mut tally, mut per_client) = (tally(), each());
    (tally.accounting.completed, per_client.unwritten) = (2, vec![1, 1]);
    let at = at(&tally, &per_client);
    let all = report(&ReportLayout { failed_ends: 2, debug: true, ..layout(ReportForm::V10) }, &at, &[]);
    let of = |label: &str| {
        let line = all.iter().find(|line| line.trim_start().starts_with(label)).unwrap();
        line.trim_start()[label.len()..].split_whitespace().next().unwrap().to_owned()
    };
    assert_eq!((of("transactions:"), of("total number of events:")), ("2".into(), "2".into()));
    assert_eq!((of("events (avg/stddev):"), of("ignored errors:")), ("1.0000/1.00".into(), "3".into()));
    assert!(all.iter().any(|line| line.contains("thread #  1:") && line.ends_with("events: 0")), "{all:?}");
}

#[test]
fn a_test_without_a_database() {
    let (tally, per_client) = (tally(), each());
    let at = at(&tally, &per_client);
    let look = ReportLayout {
        sql: false,
        files: false,
        script: false,
        percentiles: vec![],
        histogram: false,
        debug: true,
        dry: false,
        unfinished: None,
        failed_ends: 0,
        form: ReportForm::V10,
    };
    insta::assert_snapshot!(report(&look, &at, &["CPU speed:".into()]).join("\n"), @r"
CPU speed:

General statistics:
    total time:                          2.0031s
    total number of events:              4

Latency (ms):
         min:                                    5.00
         avg:                                   12.00
         max:                                   30.00
         percentile stats:               disabled
         sum:                                   48.00

Threads fairness:
    events (avg/stddev):           2.0000/1.00
    execution time (avg/stddev):   0.0240/0.01

DEBUG: Verbose per-thread statistics:

DEBUG:     thread #  0: min: 0.0050s  avg: 0.0060s  max: 0.0070s  events: 3
DEBUG:                  total time taken by event execution: 0.0180s
DEBUG:     thread #  1: min: 0.0300s  avg: 0.0300s  max: 0.0300s  events: 1
DEBUG:                  total time taken by event execution: 0.0300s
");
    insta::assert_snapshot!(interval(&look, 1.0, 2, &at), @"[ 1s ] thds: 2 eps: 2.00 lat (ms,0%): 0.00");
}
