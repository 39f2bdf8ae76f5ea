//! Reports that were cut out of their logs, or stand below words that only tell them apart: each with its own clients, and no other's.

use crate::reading::shown;
use tenbin_published::FigureKind::{Clients, Seconds, Tps};
use tenbin_published::{PublishedAudit, audit, read};
use tenbin_words::language::Language;

/// A report of sysbench without its options, in words of our own around its labels.
fn cut(clients: f64, tps: f64) -> String {
    let (n, mean) = (tps * 10.0, clients / tps * 1e3);
    format!(
        "SQL statistics:\n    queries performed:\n        read: {n}\n        write: 0\n        other: 0\n        total: {n}\n\
         \x20   transactions: {n} ({tps:.2} per sec.)\nGeneral statistics:\n    total time: 10.0000s\n\
         Latency (ms):\n         min: 0.50\n         avg: {mean:.2}\n         max: 900.00\n"
    )
}

fn with_threads(clients: f64, tps: f64) -> String {
    format!("Number of threads: {clients}\n{}", cut(clients, tps))
}

fn audited(text: &str) -> PublishedAudit {
    audit(&read(text.as_bytes(), "x.log").unwrap_or_else(|why| panic!("{why:?}: {text}")))
}

/// The clients and transactions per second of each result.
fn loads(text: &str) -> Vec<(Option<f64>, Option<f64>)> {
    let read = read(text.as_bytes(), "x.log").unwrap_or_else(|why| panic!("{why:?}: {text}"));
    read.results.iter().map(|result| (result.get(Clients), result.get(Tps))).collect()
}

fn repeated(text: &str) -> bool {
    audited(text).confirmed.iter().any(|message| message.is("published-repeated"))
}

#[test]
fn a_report_has_its_own_clients_or_none() {
    let first = format!("Running the test with following options:\n{}", with_threads(4.0, 500.0));
    let own = [first.clone(), with_threads(32.0, 900.0)].concat();
    assert_eq!(loads(&own), [(Some(4.0), Some(500.0)), (Some(32.0), Some(900.0))]);
    for between in ["### the other machine\n", "run 2\n", "----\n", "Server B\n"] {
        let text = [&first, between, &cut(32.0, 900.0)].concat();
        assert_eq!(loads(&text), [(Some(4.0), Some(500.0)), (None, Some(900.0))], "{between}");
    }
    // Reports of one run (`--report-checkpoints`), which prints its options once.
    let periods = "[ 20s ] Checkpoint report:\n[ 30s ] thds: 4 tps: 520.00 qps: 1\n";
    let points = [&first, periods, &cut(4.0, 520.0)].concat();
    assert_eq!(loads(&points), [(Some(4.0), Some(500.0)), (Some(4.0), Some(520.0))]);
    // The total time of the second is that of both; they are no repeats.
    let of_run = points.replacen("10.0000s", "20.0000s", 2).replacen("20.0000s", "10.0000s", 1);
    let seconds =
        read(of_run.as_bytes(), "x.log").unwrap().results.iter().map(|one| one.get(Seconds)).collect::<Vec<_>>();
    assert_eq!(seconds, [Some(10.0), Some(10.0)]);
    assert!(shown(&of_run).starts_with("part=0–10 s clients 4"), "{}", shown(&of_run));
    assert!(!repeated(&of_run) && audited(&of_run).verdict_name() == "VALID", "{of_run}");
    for text in [own, points] {
        assert_eq!(audited(&text).verdict_name(), "VALID", "{text}");
    }
}

#[test]
fn files_below_their_names_are_several_logs() {
    let of = |file: &str, report: String| format!("==> {file} <==\n{report}\n");
    let tailed = [of("out/c4.log", with_threads(4.0, 500.0)), of("out/c32.log", cut(32.0, 900.0))].concat();
    assert_eq!(loads(&tailed), [(Some(4.0), Some(500.0)), (None, Some(900.0))]);
    assert!(shown(&tailed).starts_with("c4.log clients 4"), "{}", shown(&tailed));
    assert_eq!(audited(&tailed).verdict_name(), "VALID");
    let curve = [of("c-4.log", with_threads(4.0, 500.0)), of("c-32.log", with_threads(32.0, 900.0))].concat();
    assert_eq!(audited(&curve).verdict_name(), "VALID");
    assert!(!repeated(&curve) && shown(&curve).starts_with("clients 4"), "{}", shown(&curve));
}

#[test]
fn words_above_cut_reports_count_their_clients_or_tell_them_apart() {
    let two = |first: &str, second: &str| format!("{first}\n{}\n{second}\n{}", cut(4.0, 500.0), cut(4.0, 510.0));
    for (first, second) in
        [("### 4 threads", "### 32 threads"), ("threads=4", "threads=32"), ("Clients: 4", "Clients: 32")]
    {
        let text = format!("{first}\n{}\n{second}\n{}", cut(4.0, 500.0), cut(32.0, 900.0));
        assert_eq!(loads(&text), [(Some(4.0), Some(500.0)), (Some(32.0), Some(900.0))], "{first}");
        assert_eq!(audited(&text).verdict_name(), "VALID", "{first}");
    }
    let named = two("## Old, 4 threads", "## New, 4 threads");
    assert_eq!(loads(&named), [(Some(4.0), Some(500.0)), (Some(4.0), Some(510.0))]);
    assert!(!repeated(&named) && shown(&named).starts_with("Old clients 4"), "{}", shown(&named));
    // Behind the last report nothing counts its own.
    let behind = format!("{}threads=4\n{}threads=32\n", cut(4.0, 500.0), cut(32.0, 900.0));
    assert_eq!(loads(&behind), [(None, Some(500.0)), (None, Some(900.0))]);
    assert!(!repeated(&behind), "they have other clients");
    for same in [two("", ""), two("### 4 threads", "### 4 threads"), two("mysql client 8", "mysql client 8")] {
        assert!(repeated(&same), "{same}");
    }
    assert!(
        shown(&two("mysql client 8", "")).starts_with("heading=mysql client 8 tps"),
        "{}",
        shown(&two("mysql client 8", ""))
    );
}

#[test]
fn a_percentile_of_zero_beside_other_times_was_not_measured() {
    let report = |min: &str, p95: &str| {
        cut(4.0, 500.0).replace("min: 0.50", &format!("min: {min}")) + &format!("         95th percentile: {p95}\n")
    };
    let text_of = |text: &str| {
        let read = read(text.as_bytes(), "x.log").unwrap_or_else(|why| panic!("{why:?}: {text}"));
        let remarks: Vec<String> = read.remarks.iter().filter_map(|remark| remark.id().map(str::to_owned)).collect();
        let audited = audit(&read);
        let holds = |id: &str| audited.confirmed.iter().any(|message| message.is(id));
        let percentile = read.results[0].get(tenbin_published::FigureKind::Percentile(9500));
        (percentile, remarks, holds("published-percentiles-hold"))
    };
    assert_eq!(text_of(&report("0.50", "0.00")), (None, vec!["published-not-measured".to_owned()], false));
    assert_eq!(text_of(&report("0.50", "12.00")).0, Some(12.0));
    // So it is in a table of one row, which is shown as it stands.
    let table = "threads,TPS,p95_ms,p99_ms\n4,500,0.00,0.00\n";
    let audited = audit(&read(table.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}")));
    assert!(!audited.confirmed.iter().any(|message| message.is("published-order-holds")), "{:?}", audited.confirmed);
}

#[test]
fn reports_whose_lines_stand_in_turns_are_left_out_and_said() {
    let (one, other) = (with_threads(4.0, 500.0), with_threads(4.0, 700.0));
    let refused =
        |text: &str| read(text.as_bytes(), "x.log").err().map(|why| why.text(Language::English)).unwrap_or_default();
    let turns: String = one.lines().zip(other.lines()).map(|(one, other)| format!("{one}\n{other}\n")).collect();
    assert!(refused(&turns).contains("stand in turns"), "{}", refused(&turns));
    // The second begins within the first.
    let (begin, end) = one.split_once("General statistics").unwrap_or_default();
    let (second_begin, second_end) = other.split_once("General statistics").unwrap_or_default();
    let within = format!("{begin}{second_begin}General statistics{end}General statistics{second_end}");
    assert!(refused(&within).contains("stand in turns"), "{}", refused(&within));
    let (before, rest) = one.split_at(one.find("transactions:").unwrap_or_default());
    assert!(refused(&format!("{before}{other}{rest}")).contains("stand in turns"));
    // Those of other runs are read.
    let runs =
        format!("Running the test with following options:\n{one}Running the test with following options:\n{turns}");
    assert_eq!(loads(&runs), [(Some(4.0), Some(500.0))]);
}

#[test]
fn logs_of_pages_are_read_whatever_blanks_and_colours_they_have() {
    let report = with_threads(4.0, 500.0);
    let wanted = [(Some(4.0), Some(500.0))];
    assert_eq!(loads(&report.replace(' ', "\u{a0}")), wanted);
    assert_eq!(loads(&report.replace("  ", " \u{a0}")), wanted);
    let coloured: String = report
        .lines()
        .map(|line| match line.split_once(": ") {
            Some((label, value)) => format!("<span class=\"k\">{label}:</span> <span>{value}</span>\n"),
            None => format!("{line}\n"),
        })
        .collect();
    assert_eq!(loads(&format!("<html><body><pre><code>{coloured}</code></pre></body></html>")), wanted);
    assert_eq!(loads(&format!("## Results\n\n<pre>{coloured}</pre>\n")), wanted);
    let named = |name: &str| format!("<h2>{name}</h2><pre>{report}</pre>");
    let page = format!("<html><body>{}{}</body></html>", named("old"), named("new"));
    assert!(shown(&page).starts_with("old clients 4") && shown(&page).contains("; new clients 4"), "{}", shown(&page));
    let lines: String = report.lines().map(|line| format!("<div>{line}</div>")).collect();
    assert_eq!(loads(&format!("<html><body>{lines}</body></html>")), wanted);
}

#[test]
fn hosts_whose_lines_stand_in_turns_are_targets() {
    let (one, other) = (with_threads(4.0, 500.0), with_threads(4.0, 700.0));
    for (a, b) in [("db1: ", "db10: "), ("[db1] ", "[db10] "), ("db1  | ", "db10 | "), ("10.0.0.1: ", "10.0.0.2: ")] {
        let pairs = one.lines().zip(other.lines());
        let turns: String = pairs.map(|(one, other)| format!("{a}{one}\n{b}{other}\n")).collect();
        assert_eq!(loads(&turns), [(Some(4.0), Some(500.0)), (Some(4.0), Some(700.0))], "{turns}");
        let name = a.trim_matches([' ', ':', '[', ']', '|']);
        assert!(shown(&turns).starts_with(&format!("{name} clients 4")), "{}", shown(&turns));
        assert!(!repeated(&turns), "{turns}");
    }
    // Times, of which each stands before some lines, are no hosts.
    let timed: String =
        [&one, &other].iter().flat_map(|report| report.lines()).map(|line| format!("[12.5] {line}\n")).collect();
    assert_eq!(loads(&timed), [(Some(4.0), Some(500.0)), (Some(4.0), Some(700.0))]);
}

#[test]
fn times_of_another_test_are_not_those_of_the_lines_below_it() {
    let text = "threads: 1\ntime: 10.0005s\nmin: 0.60\navg: 0.62\nmax: 1.40\n\nthreads: 12\nread: 14\ntransactions: 122666 (4087.95 per sec.)\nqueries: 2453320 (81758.91 per sec.)\nmin: 1.09\navg: 2.93\n";
    assert_eq!(
        shown(text),
        "clients 12 tps 4087.95 qps 81758.91 min_ms 1.09 mean_ms 2.93 reads 14 queries 2453320 transactions 122666"
    );
    assert!(audited(text).doubts.is_empty(), "{:?}", audited(text).doubts);
}
