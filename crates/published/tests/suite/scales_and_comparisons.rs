//! Figures in thousands and millions, comparisons of two columns that their heading names, sizes and times beside figures: each with the values
//! that are right.

use crate::reading::{agree, shown};
use tenbin_published::{Published, audit, read};

fn published(text: &str) -> Published {
    read(text.as_bytes(), "x").unwrap_or_else(|problem| panic!("{problem:?}: {text}"))
}

#[test]
fn a_rate_in_thousands_or_millions_is_never_read_as_one_of_units() {
    for (heading, figures) in [
        ("Throughput (M ops/s)", "qps 1500000"),
        ("Million tpmC", "nopm 1500000"),
        ("QPS [1000/s]", "qps 1500"),
        ("Tausend TPS", "tps 1500"),
        // Of what, is not understood: rather none than a wrong one.
        ("thousands TPS-like units", ""),
        ("TPS, thousand (sysbench)", "tps 1500"),
    ] {
        let text = format!("threads,{heading},p99 (ms)\n8,1.5,20\n")
            .replace("TPS, thousand", "\"TPS, thousand")
            .replace("(sysbench)", "(sysbench)\"");
        let expected = ["clients 8", figures, "p99_ms 20"]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ");
        assert_eq!(shown(&text), expected, "{heading}");
    }
}

#[test]
fn comparisons_of_columns_that_their_heading_names_are_checked_in_two_rows() {
    let doubted = |heading: &str, cells: [&str; 2]| {
        let text =
            format!("|threads|A|B|{heading}|\n|-|-|-|-|\n|1|1000|950|{}|\n|8|7000|6650|{}|\n", cells[0], cells[1]);
        let audit = audit(&published(&text));
        let holds = format!("{:?}", audit.confirmed).contains("published-comparisons-hold");
        let codes: Vec<&str> = audit.doubts.iter().map(|finding| finding.doubt.code.as_str()).collect();
        assert_eq!(codes.contains(&"comparison"), !holds, "{heading} {codes:?}");
        assert_eq!(
            shown(&text),
            "A clients 1 unstated 1000; B clients 1 unstated 950; A clients 8 unstated 7000; B clients 8 unstated 6650"
        );
        !holds
    };
    for (heading, right, wrong) in [
        ("B / A", "0.95", "1.30"),
        ("B vs A", "-5%", "+30%"),
        ("B % of A", "95", "130"),
        ("Change A→B", "-5%", "+30%"),
        ("B relative to A", "95%", "130%"),
        ("Change", "-5%", "+30%"),
    ] {
        assert!(!doubted(heading, [right; 2]), "{heading}");
        // One of two rows is enough of a heading that names them.
        assert!(heading == "Change" || doubted(heading, [right, wrong]), "{heading}");
    }
    let negative = "|threads|A|B|B−A (TPS)|\n|-|-|-|-|\n|1|1000|950|-50|\n|8|7000|6650|-350|\n";
    assert_eq!(audit(&published(negative)).verdict_name(), "VALID");
    let before = "|Metric|Before|After|Change|\n|-|-|-|-|\n|TPS|1200|1800|+80%|\n|avg (ms)|13.3|8.9|-33%|\n|p95 (ms)|20|14|-30%|\n";
    assert!(audit(&published(before)).doubts.iter().any(|finding| finding.doubt.code == "comparison"));
}

#[test]
fn sizes_beside_a_figure_are_not_its_unit() {
    let rows = "|Threads|A|B|\n|-|-|-|\n|8|1000|1100|\n";
    for caption in ["QPS, 1M rows", "QPS with 100 GB", "QPS (10 million rows)"] {
        assert_eq!(shown(&format!("{caption}\n\n{rows}")), "A clients 8 qps 1000; B clients 8 qps 1100", "{caption}");
    }
    assert_eq!(
        shown(&format!("{rows}\nAll values are queries per second.\n")),
        "A clients 8 qps 1000; B clients 8 qps 1100"
    );
    // Of all tables alike, which are two workloads.
    let two = format!(
        "### Point select\n\n{rows}\n### Range\n\n{}\nAll values are QPS.\n",
        rows.replace("1000", "100").replace("1100", "110")
    );
    assert_eq!(shown(&two), "A clients 8 qps 1000; B clients 8 qps 1100; A clients 8 qps 100; B clients 8 qps 110");
    assert_eq!(audit(&published(&two)).verdict_name(), "UNCHECKED");
}

#[test]
fn lines_cut_out_of_reports_are_a_result_each() {
    let of = |threads: [&str; 2]| {
        let report = |n: &str, tps: u32| {
            format!("{n}    transactions:   {}  ({tps}.50 per sec.)\n      95th percentile:   {tps}.00\n", tps * 60)
        };
        format!("{}{}", report(threads[0], 100), report(threads[1], 180))
    };
    let read = |text: &str| read(text.as_bytes(), "x.log").map(|all| all.results.len()).unwrap_or_default();
    assert_eq!(
        shown(&of(["Threads: 8\n", "Threads: 16\n"])),
        "clients 8 tps 100.5 p95_ms 100 transactions 6000; clients 16 tps 180.5 p95_ms 180 transactions 10800"
    );
    let bare = of(["", ""]);
    assert_eq!(read(&bare), 2);
    assert!(audit(&published(&bare)).confirmed.is_empty(), "no repeats of one another");
}

#[test]
fn times_in_the_cells_below_servers_are_times() {
    let text = "|Query|A|B|\n|-|-|-|\n|q1|12.5 s|1 min 10 s|\n|q2|450 ms|n/a|\n";
    assert_eq!(shown(text), "A Query=q1 seconds 12.5; B Query=q1 seconds 70; A Query=q2 seconds 0.45");
    assert_eq!(shown("|Query|A|B|\n|-|-|-|\n|q1|12.5 ms|900 µs|\n"), "A Query=q1 mean_ms 12.5; B Query=q1 mean_ms 0.9");
    assert_eq!(shown("|Variable|A|B|\n|-|-|-|\n|lock_timeout|50 s|60 s|\n|idle_timeout|1 s|2 s|\n"), "", "settings");
}

#[test]
fn times_below_servers_with_their_unit_in_the_heading() {
    agree(&[
        (
            "|Query|MySQL (s)|MariaDB (s)|Speedup|\n|-|-|-|-|\n|Q1|12.5|10.0|1.25x|\n|Q2|3.0|3.0|1.00x|\n",
            "MySQL Query=Q1 mean_s 12.5; MariaDB Query=Q1 mean_s 10; MySQL Query=Q2 mean_s 3; MariaDB Query=Q2 mean_s 3",
        ),
        (
            "|Buffer pool|1GB|8GB|\n|-|-|-|\n|TPS|500|1500|\n|p95 (ms)|120|40|\n",
            "Buffer pool=1GB tps 500 p95_ms 120; Buffer pool=8GB tps 1500 p95_ms 40",
        ),
    ]);
}

#[test]
fn rates_in_sentences_have_a_scale_too() {
    agree(&[
        ("MySQL 8.0 reached 1.2 million QPS with 64 threads.\n", "MySQL 8.0 clients 64 qps 1200000"),
        ("MySQL 8.0 reached 1.2M QPS with 64 threads.\n", "MySQL 8.0 clients 64 qps 1200000"),
        ("MySQL 8.0 reached 12.5 thousand TPS with 64 threads.\n", "MySQL 8.0 clients 64 tps 12500"),
    ]);
}

#[test]
fn a_mean_below_the_minimum_and_a_lost_digit_are_found() {
    let codes = |text: &str| -> Vec<String> {
        audit(&published(text)).doubts.into_iter().map(|finding| finding.doubt.code).collect()
    };
    assert!(codes("threads,min (ms),avg (ms),max (ms)\n8,17,16.0,55\n").contains(&"order".to_owned()));
    assert!(codes("threads,min (ms),avg (ms),max (ms)\n8,16,16.0,55\n").is_empty());
    let table = |qps: u32| format!("threads,tps,qps\n16,1000,{qps}\n32,1800,36000\n64,2500,50000\n");
    assert!(codes(&table(2000)).contains(&"queries-per-transaction".to_owned()));
    // Ten times as many are no number.
    assert!(codes("threads,tps,qps\n16,1,1e25\n32,1,36\n64,1,36\n").is_empty());
    // Another workload.
    assert!(codes(&table(16000)).is_empty() && codes(&table(20000)).is_empty());
}
