//! Rows for each figure of several loads, headings in three rows, JSON whose keys tell results apart, and words that are no figures.

use crate::reading::{agree, remarks};
use tenbin_published::{audit, read};

fn repeated(text: &str) -> bool {
    let read = read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}"));
    audit(&read).confirmed.iter().any(|message| message.is("published-repeated"))
}

#[test]
fn rows_of_figures_beside_what_tells_results_apart() {
    let text =
        "DB,Metric,1,8,64\nA,TPS,400,2500,8000\nA,p95 (ms),3,5,14\nB,TPS,420,2600,8200\nB,p95 (ms),3.1,5.2,14.4\n";
    agree(&[
        (
            text,
            "A clients 1 tps 400 p95_ms 3; A clients 8 tps 2500 p95_ms 5; A clients 64 tps 8000 p95_ms 14; B clients 1 tps 420 p95_ms 3.1; B clients 8 tps 2600 p95_ms 5.2; B clients 64 tps 8200 p95_ms 14.4",
        ),
        (
            "|Threads|Metric|A|B|\n|-|-|-|-|\n|8|TPS|1000|1100|\n||avg (ms)|8|7|\n|16|TPS|1500|1600|\n||avg (ms)|11|10|\n",
            "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 1100 mean_ms 7; A clients 16 tps 1500 mean_ms 11; B clients 16 tps 1600 mean_ms 10",
        ),
        (
            "server,metric,value\nA,TPS,1000\nA,avg (ms),8\nB,TPS,1100\nB,avg (ms),7\n",
            "A tps 1000 mean_ms 8; B tps 1100 mean_ms 7",
        ),
    ]);
    assert_eq!(remarks(text), ["published-taken-as-clients"]);
}

#[test]
fn headings_in_three_rows_are_joined() {
    agree(&[
        (
            "Threads,8,,16,\nServer,TPS,p95 (ms),TPS,p95 (ms)\nA,1000,12,1500,19\n",
            "A clients 8 tps 1000 p95_ms 12; A clients 16 tps 1500 p95_ms 19",
        ),
        (
            ",MySQL,,,,Maria,,,\n,ro,,rw,,ro,,rw,\nThreads,TPS,p95 (ms),TPS,p95 (ms),TPS,p95 (ms),TPS,p95 (ms)\n8,1000,11,500,21,1100,10,600,20\n",
            "MySQL ro clients 8 tps 1000 p95_ms 11; MySQL rw clients 8 tps 500 p95_ms 21; Maria ro clients 8 tps 1100 p95_ms 10; Maria rw clients 8 tps 600 p95_ms 20",
        ),
        (
            "\t5.7\t\t8.0\t\n\t1G\t8G\t1G\t8G\nthreads\tTPS\tTPS\tTPS\tTPS\n8\t100\t200\t110\t210\n",
            "5.7 1G clients 8 tps 100; 5.7 8G clients 8 tps 200; 8.0 1G clients 8 tps 110; 8.0 8G clients 8 tps 210",
        ),
    ]);
}

#[test]
fn figures_and_versions_in_the_corner_of_tables_of_clients() {
    let of = |corner: &str, kind: &str| {
        let text = format!("|{corner}|1|8|64|\n|-|-|-|-|\n|A|3|5|14|\n|B|4|6|15|\n");
        let row = |target: &str, all: [u32; 3]| {
            [1, 8, 64]
                .iter()
                .zip(all)
                .map(|(n, value)| format!("{target} clients {n} {kind} {value}"))
                .collect::<Vec<_>>()
                .join("; ")
        };
        agree(&[(&text, &format!("{}; {}", row("A", [3, 5, 14]), row("B", [4, 6, 15])))]);
    };
    of("Threads (TPS)", "tps");
    of("p95 (ms) / threads", "p95_ms");
    of("Latency p99 [ms]", "p99_ms");
    for heading in ["Kernel", "バージョン", "Version"] {
        let text = format!("|{heading}|1|4|16|\n|-|-|-|-|\n|5.4|400|800|1600|\n|6.1|420|840|1650|\n");
        let read = read(text.as_bytes(), "x").unwrap();
        assert_eq!(read.results.len(), 6, "{heading}");
        let names: Vec<String> =
            read.results.iter().map(|one| format!("{}{}", one.target_name(), one.group())).collect();
        assert!(names[0].contains("5.4") && names[5].contains("6.1"), "{heading} {names:?}");
    }
}

#[test]
fn keys_of_json_tell_results_apart() {
    let one = |tps: u32, ms: f64| format!("{{\"tps\":{tps},\"avg_ms\":{ms}}}");
    let (a, b) = (one(1000, 8.0), one(1500, 10.67));
    let plain = "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67";
    agree(&[
        (&format!("{{\"8\":{a},\"16\":{b}}}"), plain),
        (&format!("{{\"threads_8\":{a},\"threads_16\":{b}}}"), plain),
        (&format!("{{\"mysql\":{a},\"pg\":{b}}}"), "mysql tps 1000 mean_ms 8; pg tps 1500 mean_ms 10.67"),
        (
            &format!("{{\"x-1\":{{\"8\":{a},\"16\":{b}}},\"y-2\":{{\"8\":{a},\"16\":{b}}}}}"),
            "x-1 clients 8 tps 1000 mean_ms 8; x-1 clients 16 tps 1500 mean_ms 10.67; y-2 clients 8 tps 1000 mean_ms 8; y-2 clients 16 tps 1500 mean_ms 10.67",
        ),
        (
            "{\"threads\":8,\"tps\":{\"mean\":1000,\"p95\":1100,\"min\":800},\"latency_ms\":{\"mean\":8.0,\"p99\":12.5}}",
            "clients 8 tps 1000 mean_ms 8 p99_ms 12.5",
        ),
        (
            "{\"latency\":{\"p50\":7100,\"mean\":8000,\"unit\":\"us\"},\"throughput\":{\"value\":1000,\"unit\":\"tps\"},\"concurrency\":8}",
            "clients 8 tps 1000 mean_ms 8 p50_ms 7.1",
        ),
        (
            "{\"summary\":{\"threads\":\"8\",\"transactions\":{\"total\":60000,\"per_second\":\"1000.0\"},\"latency\":{\"avg_ms\":8,\"p99_ms\":null}}}",
            "clients 8 tps 1000 mean_ms 8 transactions 60000",
        ),
        (
            "[{\"db\":\"A\",\"runs\":[{\"threads\":8,\"tps\":1}]},{\"db\":\"B\",\"runs\":[{\"threads\":8,\"tps\":2}]}]",
            "A clients 8 tps 1; B clients 8 tps 2",
        ),
    ]);
    let of_runs = |runs: &str| format!("{{\"config\":{{\"threads\":8,\"time\":60}},\"runs\":[{runs}]}}");
    assert!(repeated(&of_runs(&format!("{a},{a}").replace("\"tps\":1000", "\"tps\":1001"))));
    assert!(!repeated(&format!("{{\"mysql\":{{\"runs\":[{a}]}},\"pg\":{{\"runs\":[{a}]}}}}")));
}

#[test]
fn clients_that_pause_are_no_closed_loop_and_those_of_a_part_are_not_all() {
    let paused = "|Threads|TPS|think time (ms)|avg (ms)|\n|-|-|-|-|\n|100|990|100|1.01|\n|200|1960|100|2.04|\n";
    assert_eq!(audit(&read(paused.as_bytes(), "x").unwrap()).doubts, []);
    agree(&[
        (
            "|Threads per client|Clients|TPS|\n|-|-|-|\n|4|8|1000|\n|4|16|1500|\n",
            "clients 8 tps 1000; clients 16 tps 1500",
        ),
        ("|設定|TPS|比率|\n|-|-|-|\n|旧|1000|100%|\n|新|1500|150%|\n", "旧 tps 1000; 新 tps 1500"),
        (
            "|Parameter|Value|TPS|\n|-|-|-|\n|sync_binlog|0|1000|\n|sync_binlog|1|500|\n",
            "Parameter=sync_binlog Value=0 tps 1000; Parameter=sync_binlog Value=1 tps 500",
        ),
        (
            "|run|tps|\n|-|-|\n|1|1000|\n|2|1010|\n|3|990|\n|Median|1000|\n",
            "run=1 tps 1000; run=2 tps 1010; run=3 tps 990",
        ),
        (
            "|Threads|binlog off|binlog on|\n|-|-|-|\n|8|2500|1500|\n|16|3500|2500|\n",
            "binlog off clients 8 unstated 2500; binlog on clients 8 unstated 1500; binlog off clients 16 unstated 3500; binlog on clients 16 unstated 2500",
        ),
        (
            "||A|B|\n|-|-|-|\n|transactions|120000 (2000.00 per sec.)|126000 (2100.00 per sec.)|\n|avg latency|8.00|7.62|\n",
            "A tps 2000 mean_ms 8 transactions 120000; B tps 2100 mean_ms 7.62 transactions 126000",
        ),
    ]);
}

#[test]
fn a_heading_that_several_tables_have_is_remarked_once() {
    let table = "|Threads|TPS|Zorp|\n|-|-|-|\n|8|1000|x7|\n|16|1500|x9|\n";
    assert_eq!(remarks(table), ["published-column-unknown"]);
    assert_eq!(remarks(&format!("{table}\nThe second day:\n\n{table}")), ["published-column-unknown"]);
}
