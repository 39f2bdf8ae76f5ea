//! Durations in several units, units in columns of their own, captions below their tables, and columns that say the same in every row.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{audit, read};

fn verdict(text: &str) -> &'static str {
    audit(&read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}"))).verdict_name()
}

#[test]
fn durations_in_several_units_are_in_seconds() {
    for (cell, seconds) in [
        ("1h30m", 5400),
        ("2m 10s", 130),
        ("1 h 30 min", 5400),
        ("10m0s", 600),
        ("PT5M", 300),
        ("00:10:00", 600),
        ("0:05:00", 300),
        ("1時間30分", 5400),
        ("5分", 300),
        ("1小时", 3600),
    ] {
        let table = |n: i32| format!("clients,duration,tps,transactions\n8,{cell},1000,{n}\n");
        let text = table(1000 * seconds);
        agree(&[(&text, &format!("clients 8 tps 1000 seconds {seconds} transactions {}", 1000 * seconds))]);
        assert_eq!((verdict(&text), verdict(&table(300 * seconds))), ("VALID", "INVALID"), "{cell}");
    }
    // Times of day, and what may be minutes or hours.
    for (heading, cell) in [("time", "05:40:28"), ("started", "10:00:00"), ("duration", "05:00")] {
        agree(&[(
            &format!("clients,{heading},tps\n8,{cell},1000\n16,{cell},1500\n"),
            "clients 8 tps 1000; clients 16 tps 1500",
        )]);
    }
}

#[test]
fn words_that_are_the_same_in_all_rows_are_no_targets() {
    agree(&[
        ("|status|threads|TPS|\n|-|-|-|\n|OK|8|1000|\n|OK|16|1500|\n", "clients 8 tps 1000; clients 16 tps 1500"),
        ("|run|status|TPS|\n|-|-|-|\n|1|OK|1000|\n|2|OK|1010|\n", "run=1 tps 1000; run=2 tps 1010"),
        (
            "|db|host|test|mode|threads|TPS|\n|-|-|-|-|-|-|\n|A|h1|rw|ssl|8|1000|\n|B|h1|rw|plain|8|1500|\n",
            "A host=h1 test=rw clients 8 tps 1000; B host=h1 test=rw clients 8 tps 1500",
        ),
        ("|model|threads|TPS|\n|-|-|-|\n|x|8|1000|\n|y|8|1500|\n", "x clients 8 tps 1000; y clients 8 tps 1500"),
    ]);
}

#[test]
fn a_column_of_units_is_of_the_figures_beside_it() {
    agree(&[
        (
            "|Metric|Value|Unit|\n|-|-|-|\n|threads|8||\n|TPS|1000|tps|\n|avg latency|8000|us|\n",
            "clients 8 tps 1000 mean_ms 8",
        ),
        (
            "|Metric|A|B|Unit|\n|-|-|-|-|\n|TPS|1000|1100|tps|\n|avg latency|8000|7000|us|\n",
            "A tps 1000 mean_ms 8; B tps 1100 mean_ms 7",
        ),
        ("|Metric|avg|max|Unit|\n|-|-|-|-|\n|Latency|8000|90000|us|\n|TPS|100|200||\n", "tps 100 mean_ms 8 max_ms 90"),
        (
            "|threads|avg|unit|TPS|\n|-|-|-|-|\n|8|8000|us|1000|\n|16|9000|us|1777|\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1777 mean_ms 9",
        ),
        (
            "|threads|Throughput|Unit|\n|-|-|-|\n|8|1000|tps|\n|16|1500|tps|\n",
            "clients 8 tps 1000; clients 16 tps 1500",
        ),
    ]);
}

#[test]
fn captions_below_tables_are_theirs() {
    let one = "|Threads|A|B|\n|-|-|-|\n|8|8000|9000|\n|16|9000|11000|\n";
    let two = "|Threads|A|B|\n|-|-|-|\n|8|8|9|\n|16|9|11|\n";
    let of = |kind: &str, by: u32| {
        let rows = [("A", 8, 8000), ("B", 8, 9000), ("A", 16, 9000), ("B", 16, 11000)];
        rows.map(|(target, clients, value)| format!("{target} clients {clients} {kind} {}", value / by)).join("; ")
    };
    let both = "A clients 8 qps 8000 p95_ms 8; B clients 8 qps 9000 p95_ms 9; A clients 16 qps 9000 p95_ms 9; B clients 16 qps 11000 p95_ms 11";
    agree(&[
        (&format!("{one}\nTable 1: Average latency in µs\n"), &of("mean_ms", 1000)),
        (&format!("{one}\n*Tabelle 1: QPS*\n"), &of("qps", 1)),
        (&format!("{one}\nTable 1: QPS\n\n{two}\nTable 2: p95 latency (ms)\n"), both),
        (&format!("Table 1: QPS\n\n{one}\nTable 2: p95 latency (ms)\n\n{two}\n"), both),
        (&format!("## QPS\n\n{one}\nTable 1: p95 latency (ms)\n\n{two}\n"), both),
        ("|スレッド数|平均|95%|\n|-|-|-|\n|8|8000|9000|\n\n単位: µs\n", "clients 8 mean_ms 8 p95_ms 9"),
        (
            "表1 応答時間 (単位: 秒)\n\n|スレッド数|TPS|平均|95%|\n|-|-|-|-|\n|8|1000|0.008|0.009|\n",
            "clients 8 tps 1000 mean_ms 8 p95_ms 9",
        ),
        (&format!("{one}\nThe response times are in ms.\n"), &of("unstated", 1)),
        (
            "|Threads|avg|p99|\n|-|-|-|\n|8|8000|9500|\n\n*Table 3: all latencies in µs*\n\n|Threads|avg|p99|\n|-|-|-|\n|16|7.5|9.5|\n\n*Table 4: all latencies in ms*\n",
            "clients 8 mean_ms 8 p99_ms 9.5; clients 16 mean_ms 7.5 p99_ms 9.5",
        ),
    ]);
    let page = |before: &str, after: &str| {
        format!(
            "<h2>x</h2><figure>{before}<table><tr><th>Threads<th>A<th>B<tr><td>8<td>8<td>9<tr><td>16<td>9<td>11</table>{after}</figure><p>next"
        )
    };
    let p95 = of("p95_ms", 1000);
    agree(&[
        (&page("", "<figcaption>Table 2: p95 latency (ms)</figcaption>"), &p95),
        (&page("<figcaption>p95 latency (ms)</figcaption>", ""), &p95),
        (&page("", "<p>Table 2: p95 latency (ms)</p>"), &p95),
    ]);
    assert_eq!(remarks(&page("", "<p>A sentence on p95 latency.</p>")), ["published-unstated-below"]);
}

#[test]
fn seconds_to_run_all_queries_are_no_response_times() {
    let text = "### mysqlslap: Average number of seconds to run all queries\n\n|Concurrency|A|B|\n|-|-|-|\n|50|0.345|0.445|\n|100|0.365|0.39|\n";
    agree(&[(
        text,
        "A clients 50 mean_s 0.345; B clients 50 mean_s 0.445; A clients 100 mean_s 0.365; B clients 100 mean_s 0.39",
    )]);
}

#[test]
fn a_unit_alone_at_the_end_of_a_caption_is_that_of_times() {
    let rows = "| 10 | 1.402 | 1.1 | 2.5 |\n| 20 | 2.5 | 2 | 3 |\n";
    for caption in [
        "実行時間(秒)",
        "所要時間（秒）",
        "クエリ実行時間（秒）",
        "测试结果（秒）",
        "결과 (초)",
        "Время выполнения (с)",
        "Zeit (s)",
        "Results (seconds)",
        "mysqlslap results (in seconds)",
        "All times in seconds",
        "Ergebnisse in Sekunden",
    ] {
        let table = format!("### {caption}\n\n| Clients | avg | min | max |\n|--|--|--|--|\n{rows}");
        agree(&[(
            &table,
            "clients 10 min_ms 1100 mean_ms 1402 max_ms 2500; clients 20 min_ms 2000 mean_ms 2500 max_ms 3000",
        )]);
    }
    let table = format!("### Average, min, max (μs)\n\n| Clients | avg | min | max |\n|--|--|--|--|\n{rows}");
    agree(&[(
        &table,
        "clients 10 min_ms 0.0011 mean_ms 0.001402 max_ms 0.0025; clients 20 min_ms 0.002 mean_ms 0.0025 max_ms 0.003",
    )]);
    // Beside a rate it may be of that, and with a unit of their own it is of something else.
    agree(&[
        ("### Results (60 s)\n\n| Clients | avg |\n|-|-|\n| 10 | 8 |\n", "clients 10 mean_ms 8"),
        ("### Results (s)\n\n| Clients | TPS | avg |\n|-|-|-|\n| 10 | 1000 | 8 |\n", "clients 10 tps 1000 mean_ms 8"),
        ("### Results (s)\n\n| Clients | avg (ms) |\n|-|-|\n| 10 | 8 |\n", "clients 10 mean_ms 8"),
    ]);
}

#[test]
fn the_unit_of_a_caption_is_that_of_times_of_targets_too() {
    let rows = "|Threads|A p99|B p99|\n|-|-|-|\n|8|900|1800|\n";
    let times = "A clients 8 p99_ms 0.9; B clients 8 p99_ms 1.8";
    for above in ["All latencies in µs\n\n", "## p99 latency (µs)\n\n", "单位：微秒\n\n"] {
        assert_eq!(shown(&format!("{above}{rows}")), times, "{above}");
    }
    for below in ["*Table 3: all latencies in µs*", "*All latencies in µs*"] {
        assert_eq!(shown(&format!("{rows}\n{below}\n")), times, "{below}");
    }
    let both =
        "(TPS in thousands, latency in µs)\n\n|Threads|A TPS|A p99|B TPS|B p99|\n|-|-|-|-|-|\n|8|1.0|900|1.1|1000|\n";
    assert_eq!(shown(both), "A clients 8 tps 1000 p99_ms 0.9; B clients 8 tps 1100 p99_ms 1");
    let own = "All latencies in µs\n\n|Threads|A p99 (ms)|B p99|\n|-|-|-|\n|8|900|1800|\n";
    assert_eq!(shown(own), "A clients 8 p99_ms 900; B clients 8 p99_ms 1.8");
}
