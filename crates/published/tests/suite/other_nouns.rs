//! Headings of minutes, of statistics of something else than response times, and of parts of a rate: each without the figure that they are not.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{audit, read};

fn verdict(text: &str) -> &'static str {
    audit(&read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}"))).verdict_name()
}

#[test]
fn minutes_are_no_minimum() {
    for (heading, seconds) in [
        ("Time (min)", true),
        ("Elapsed (min)", true),
        ("Laufzeit (min)", true),
        ("время (мин)", true),
        ("Длительность, мин", true),
        ("Warm up (min)", false),
        ("Rebuild (min)", false),
        ("Prewarm min", false),
        ("Разогрев, мин", false),
        ("Vorlauf [min]", false),
    ] {
        let text = format!("DB;threads;{heading};TPS;avg (ms)\nA;64;20;3200;20.0\nB;64;20;4000;16.0\n");
        let time = if seconds { " seconds 1200" } else { "" };
        let expected = format!("A clients 64 tps 3200 mean_ms 20{time}; B clients 64 tps 4000 mean_ms 16{time}");
        assert_eq!((shown(&text), verdict(&text)), (expected, "VALID"), "{heading}");
    }
    agree(&[
        ("|Item|Value|\n|-|-|\n|threads|8|\n|TPS|100|\n|Time (min)|15|\n", "clients 8 tps 100 seconds 900"),
        ("threads,TPS,Latency (min)\n8,1000,1.5\n", "clients 8 tps 1000 min_ms 1.5"),
        (
            "threads,Old (min),Old (avg),Old (max),New (min),New (avg),New (max)\n8,1,2,3,4,5,6\n",
            "Old clients 8 min_ms 1 mean_ms 2 max_ms 3; New clients 8 min_ms 4 mean_ms 5 max_ms 6",
        ),
        ("threads,TPS,avg time (min)\n8,1000,3\n", "clients 8 tps 1000"),
    ]);
}

#[test]
fn an_m_behind_a_duration_is_of_minutes() {
    let text = "clients,tps,transactions,duration\n8,1000,300000,5m\n16,1500,450000,5m\n";
    agree(&[
        (
            text,
            "clients 8 tps 1000 seconds 300 transactions 300000; clients 16 tps 1500 seconds 300 transactions 450000",
        ),
        ("threads,tps,duration\n8,1000,2h\n", "clients 8 tps 1000 seconds 7200"),
        ("threads,tps\n8,1.5m\n", "clients 8 tps 1500000"),
    ]);
    assert_eq!(verdict(text), "VALID");
}

#[test]
fn statistics_of_other_nouns_are_no_response_times() {
    for heading in [
        "max_connections",
        "Max memory",
        "avg load",
        "load avg",
        "Max lag (s)",
        "Average power (W)",
        "p95 queue",
        "Max open files",
        "min free",
        "Avg threads running",
        "max GC pause",
        "Score p95",
        "最大接続数",
        "平均負荷",
        "最大内存",
        "최대 메모리",
        "максимум памяти",
        "max. Speicher",
        "mittlere Auslastung",
    ] {
        let text = format!("threads;TPS;avg latency (ms);{heading}\n8;1000;8.0;4\n16;1500;10.67;6\n");
        let two = "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67";
        assert_eq!((shown(&text), verdict(&text)), (two.to_owned(), "VALID"), "{heading}");
        assert_eq!(remarks(&text), ["published-column-unknown"], "{heading}");
    }
    agree(&[
        ("threads,Max RAM,Max temperature,TPS\n8,4,60,1000\n", "clients 8 tps 1000"),
        ("threads,TPS,average query time (ms)\n8,1000,8\n", "clients 8 tps 1000 mean_ms 8"),
        ("threads,TPS,p95 transaction latency (ms)\n8,1000,8\n", "clients 8 tps 1000 p95_ms 8"),
        // Names of targets.
        ("threads,A avg (ms),B avg (ms)\n8,8,9\n", "A clients 8 mean_ms 8; B clients 8 mean_ms 9"),
        ("threads,A TPS,A max,B TPS,B max\n8,1,2,3,4\n", "A clients 8 tps 1 max_ms 2; B clients 8 tps 3 max_ms 4"),
    ]);
}

#[test]
fn bare_statistics_as_large_as_the_rate_are_its_own() {
    agree(&[
        (
            "threads,TPS,Min,Max,Stddev\n8,1000,980,1020,12\n16,1500,1480,1530,20\n",
            "clients 8 tps 1000 deviation 12; clients 16 tps 1500 deviation 20",
        ),
        ("threads,Throughput,Min,Max,Avg\n8,1000,900,1100,1000\n", "clients 8 tps 1000"),
        ("DB,NOTPM,P5,P50,P95\nA,120000,110000,119000,130000\n", "A nopm 120000"),
        ("threads,QPS,p5,p95\n8,1000,980,1020\n16,1500,1480,1530\n", "clients 8 qps 1000; clients 16 qps 1500"),
        // Times: the clients or the unit say so.
        ("threads,TPS,avg,max\n64,500,128,300\n", "clients 64 tps 500 mean_ms 128 max_ms 300"),
        ("threads,TPS,p95\n64,500,300\n128,520,700\n", "clients 64 tps 500 p95_ms 300; clients 128 tps 520 p95_ms 700"),
        ("threads,TPS,max (ms)\n8,1000,1020\n", "clients 8 tps 1000 max_ms 1020"),
        ("Label,TPS,Average,95% Line,Maximum\na,120.5,45,99,300\n", "tps 120.5 mean_ms 45 p95_ms 99 max_ms 300"),
    ]);
}

#[test]
fn a_part_or_a_statistic_of_a_rate_is_not_the_rate() {
    for heading in [
        "failed TPS",
        "TPS rank",
        "TPS/W",
        "Price/tpmC",
        "P5 NOTPM",
        "TPS CV",
        "ΔTPS",
        "∆ TPS",
        "TPS ±",
        "aborted TPS",
        "slow QPS",
        "timeouts TPS",
        "foregone tps",
        "TPS誤差",
        "TPS分散",
        "TPS方差",
        "TPS波动",
        "TPS 편차",
        "TPS ошибки",
        "отклонение TPS",
        "TPS Abweichung",
        "Fehler TPS",
    ] {
        let text = format!("threads;{heading};avg_ms\n8;3;8.0\n16;5;10.67\n");
        agree(&[(&text, "clients 8 mean_ms 8; clients 16 mean_ms 10.67")]);
        assert!(remarks(&text).contains(&"published-column-unknown".to_owned()), "{heading}");
    }
    for heading in
        ["mysql TPS", "RDS TPS", "TPS (8.0)", "committed TPS", "sysbench tps", "Transactions/s", "TPS/s", "kTPS"]
    {
        let text = format!("threads,{heading},avg_ms\n8,1,8.0\n");
        let tps = if heading == "kTPS" { "1000" } else { "1" };
        agree(&[(&text, &format!("clients 8 tps {tps} mean_ms 8"))]);
    }
}

#[test]
fn a_named_rate_is_taken_before_a_general_one() {
    agree(&[
        ("threads,Throughput,TPS\n8,50,1000\n", "clients 8 tps 1000"),
        ("threads,TPS,Throughput\n8,1000,50\n", "clients 8 tps 1000"),
    ]);
}
