//! Logs that are as they should be, and are not doubted: transactions that end after the measurement, runs at a rate, histograms that end; and those
//! that are no results.

use crate::reading::remarks;
use tenbin_published::FigureKind::{Max, Percentile};
use tenbin_published::{audit, read};

fn verdict(text: &str) -> String {
    audit(&read(text.as_bytes(), "x.log").unwrap_or_else(|why| panic!("{why:?}: {text}"))).verdict_name().to_owned()
}

fn codes(text: &str, name: &str) -> Vec<String> {
    let audited = audit(&read(text.as_bytes(), name).unwrap_or_else(|why| panic!("{why:?}: {text}"))).doubts;
    audited.into_iter().map(|finding| finding.doubt.code).collect()
}

/// A report of pgbench with these clients, seconds, transactions, mean response time (ms) and rate.
fn pgbench(clients: u32, seconds: u32, transactions: u32, mean: &str, tps: &str) -> String {
    format!(
        "transaction type: x\nnumber of clients: {clients}\nduration: {seconds} s\nnumber of transactions actually processed: {transactions}\n\
         latency average = {mean} ms\ninitial connection time = 200.000 ms\ntps = {tps} (without initial connection time)\n"
    )
}

#[test]
fn the_last_transactions_of_pgbench_end_after_the_time_that_was_asked_for() {
    // 400 in 12 s; 111,259 in 64.2 s.
    assert_eq!(verdict(&pgbench(100, 10, 400, "3000.000", "33.333")), "VALID");
    assert!(!codes(&pgbench(10_500, 60, 111_259, "5725.314", "1732.598854"), "x").contains(&"total".to_owned()));
    assert_eq!(verdict(&pgbench(10, 60, 30_000, "20.000", "500.0")), "VALID");
    // Ten times as fast, and longer than a few transactions take.
    assert!(codes(&pgbench(10, 60, 30_010, "20.000", "5001.3"), "x").contains(&"total".to_owned()));
    assert!(codes(&pgbench(100, 10, 400, "3000.000", "13.333"), "x").contains(&"total".to_owned()));
    assert!(codes(&pgbench(10, 60, 30_000, "20.000", "400.0"), "x").contains(&"total".to_owned()));
}

/// A report of sysbench of one client, with a line behind its options, a 95th percentile and the longest time.
fn sysbench(option: &str, p95: &str, max: &str) -> String {
    format!(
        "Running the test with following options:\nNumber of threads: 1\n{option}\nSQL statistics:\n    queries performed:\n        read: 8680\n\
         \x20       write: 0\n        other: 1240\n        total: 9920\n    transactions: 620 (30.94 per sec.)\n    queries: 9920 (495.03 per sec.)\n\
         General statistics:\n    total time: 20.0378s\n    total number of events: 620\nLatency (ms):\n         min: 47.84\n         avg: 6827.10\n\
         \x20        max: {max}\n         95th percentile: {p95}\n         sum: 4232802.00\n"
    )
}

#[test]
fn response_times_at_a_rate_have_the_wait_for_a_client() {
    assert_eq!(verdict(&sysbench("Target transaction rate: 100/sec", "12959.51", "13747.84")), "VALID");
    assert!(codes(&sysbench("", "12959.51", "13747.84"), "x").contains(&"too-fast".to_owned()));
}

#[test]
fn the_histogram_of_sysbench_ends() {
    let text = sysbench("Target transaction rate: 100/sec", "100000.00", "270178.25");
    let published = read(text.as_bytes(), "x").unwrap();
    assert_eq!((published.results[0].get(Percentile(9500)), published.results[0].get(Max)), (None, Some(270_178.25)));
    assert_eq!(remarks(&text), ["published-beyond-histogram"]);
    assert!(remarks(&sysbench("", "99999.99", "270178.25")).is_empty());
}

#[test]
fn percentiles_of_one_result_are_in_order_to_the_last_digit() {
    let is_wrong = |text: &str| codes(text, "x").contains(&"order".to_owned());
    assert!(is_wrong("threads,tps,p50_ms,p95_ms\n8,1000,9.2,9.0\n"));
    assert!(is_wrong("threads,tps,p95 (ms),p99 (ms)\n8,1000,12.00,11.99\n"));
    assert!(!is_wrong("threads,tps,p95 (ms),p99 (ms)\n8,1000,12.00,12.00\n"));
    // Rounded to other digits, they may be the same.
    assert!(!is_wrong("threads,tps,p95 (ms),p99 (ms)\n8,1000,12.04,12.0\n"));
    // The upper end of a bucket may be above the longest time.
    assert!(!is_wrong("threads,tps,p95 (ms),max (ms)\n8,1000,10.13,10.0\n"));
    assert!(is_wrong("threads,tps,p95 (ms),max (ms)\n8,1000,10.5,10.0\n"));
}

#[test]
fn a_latency_that_is_the_mean_in_most_rows_is_it_in_all() {
    let verdict = |last: &str| verdict(&format!("threads,TPS,Latency (ms)\n8,1000,8\n16,1500,10.67\n{last}\n"));
    assert_eq!(verdict("32,15000,21"), "INVALID");
    assert_eq!(verdict("32,1500,21.33"), "VALID");
    // Alone it may be a percentile.
    let one = "threads,TPS,Latency (ms)\n32,15000,21\n";
    assert_eq!(audit(&read(one.as_bytes(), "x").unwrap()).verdict_name(), "DEGRADED");
    let of_two = "|线程|MySQL5.7(TPS)|MySQL8.0(TPS)|MySQL5.7(RT)|MySQL8.0(RT)|\n|--|--|--|--|--|\n|16|1500|1800|10.67|8.89|\n|32|1700|2040|18.82|156.9|\n";
    assert_eq!(audit(&read(of_two.as_bytes(), "x").unwrap()).verdict_name(), "INVALID");
}

const HEAD: &str = "sysbench 1.0.20\n\nRunning the test with following options:\nNumber of threads: 4\nReport intermediate results every 1 second(s)\n\nThreads started!\n\n";

fn periods(n: usize) -> String {
    let line = |n: usize| {
        format!(
            "[ {n}s ] thds: 4 tps: {}.01 qps: 800.20 (r/w/o: 560.14/160.04/80.02) lat (ms,95%): 9.22 err/s: 0.00 reconn/s: 0.00\n",
            40 + n % 7
        )
    };
    (1..=n).map(line).collect()
}

#[test]
fn a_log_without_its_report_is_known() {
    let progress: String =
        (1..=6).map(|n| format!("progress: {n}.0 s, 85.2 tps, lat 11.7 ms stddev 1.0, 0 failed\n")).collect();
    let of_tpcc: String = (1..=6)
        .map(|n| format!("{n}0, trx: 1234, 95%: 12.3, 99%: 13.1, max_rt: 15.2, 1234|10, 123|10, 123|10, 123|20\n"))
        .collect();
    for (text, tool) in [
        (periods(3), "sysbench"),
        (HEAD.to_owned() + &periods(3), "sysbench"),
        (HEAD.to_owned() + &periods(1), "sysbench"),
        (periods(5000), "sysbench"),
        (progress, "pgbench"),
        (of_tpcc, "tpcc-mysql"),
    ] {
        let problem = read(text.as_bytes(), "x.log").unwrap_err();
        let why = problem.evidence.unwrap();
        assert!(why.is("published-log-without-report"), "{why:?}");
        assert_eq!(why.arg("tool").map(|tool| tool.english().to_owned()).as_deref(), Some(tool));
    }
    // Beside a table they are an example.
    let table = format!("|threads|tps|\n|--|--|\n|8|1000|\n\n```\n{}```\n", periods(3));
    assert_eq!(read(table.as_bytes(), "x.md").unwrap().results.len(), 1);
}

#[test]
fn figures_of_scripts_are_said_to_be_left_out() {
    let text = pgbench(10, 60, 30_000, "20.000", "500.0")
        + "SQL script 1: a.sql\n - weight: 50 (targets 50.0% of total)\n - 15000 transactions (50.0% of total, tps = 250.0)\n - latency average = 20.1 ms\n\
           SQL script 2: b.sql\n - 15000 transactions (50.0% of total, tps = 250.0)\n";
    assert_eq!(remarks(&text), ["published-scripts-left-out"]);
}

/// The time that this thread has been on a processor, ns, whatever else the machine does (`Documentation/scheduler/sched-stats.rst`).
fn on_processor_ns() -> u64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    text.split_whitespace().next().and_then(|ns| ns.parse().ok()).unwrap_or(0)
}

/// Four times as much of it takes about four times as long, and not sixteen times.
fn is_linear(text: impl Fn(usize) -> String, n: usize) {
    let shortest = |n: usize| {
        let text = text(n);
        let once = |_| {
            let begun = on_processor_ns();
            drop(read(text.as_bytes(), "x.md"));
            on_processor_ns() - begun
        };
        (0..4).map(once).min().unwrap_or(0)
    };
    let (few, many) = (shortest(n), shortest(4 * n));
    assert!(many <= few * 10, "{few} ns, {many} ns: {}", &text(1));
}

#[test]
fn links_that_are_left_open_take_linear_time() {
    for part in ["[a](", "[a", "[^", "![", "[a]", "[^a](", "~~", "{color", "&a", "<b"] {
        is_linear(|n| format!("| a | tps |\n|--|--|\n| {} | 2 |\n", part.repeat(n)), 15_000);
    }
}

#[test]
fn long_tables_take_linear_time() {
    is_linear(|n| format!("| threads | tps | note |\n|--|--|--|\n{}", "| 8 | 1000 | x y |\n".repeat(n)), 1500);
    is_linear(|n| periods(n).replace("thds", "x"), 60);
    let head = (0..100).map(|n| format!("a{n} TPS")).collect::<Vec<_>>().join(",");
    is_linear(|n| format!("threads,{head}\n{}", format!("8{}\n", ",100".repeat(100)).repeat(n)), 100);
}
