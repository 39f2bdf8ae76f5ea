//! Tables that are several tables at once: systems side by side, several figures in a cell, units that say which figure it is, YAML.

use crate::reading::{agree, remarks};
use tenbin_published::{audit, read};

fn verdict(text: &str) -> &'static str {
    audit(&read(text.as_bytes(), "x").unwrap_or_else(|why| panic!("{why:?}: {text}"))).verdict_name()
}

const TWO: &str = "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 800 mean_ms 10; A clients 16 tps 1600 mean_ms 10; B clients 16 tps 1280 mean_ms 12.5";

#[test]
fn a_word_beside_each_name_is_no_part_of_the_names() {
    let text = "threads,A TPS,B TPS,A grumpf latency (ms),B grumpf latency (ms)\n8,1000,800,8,10\n";
    agree(&[
        (text, "A clients 8 tps 1000; B clients 8 tps 800"),
        (
            "threads,A TPS,B TPS,A tuned TPS,B tuned TPS\n8,1000,800,1200,900\n",
            "A clients 8 tps 1000; B clients 8 tps 800; A tuned clients 8 tps 1200; B tuned clients 8 tps 900",
        ),
        (
            "threads,A TPS,B TPS,A Mittl. Latenz (ms),B Mittl. Latenz (ms)\n8,1000,800,8,10\n",
            "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 800 mean_ms 10",
        ),
    ]);
    assert_eq!(remarks(text), ["published-column-unknown", "published-column-unknown"]);
    for heading in [
        "Load average (1m)",
        "Ping avg (ms)",
        "Max. Verbindungen",
        "최대 커넥션",
        "Expected TPS",
        "目標TPS",
        "Ziel-TPS",
        "TPS low",
        "Spitzen-TPS",
        "1コアあたりTPS",
        "单核TPS",
    ] {
        let text = format!(
            "|threads|A TPS|A avg (ms)|B TPS|B avg (ms)|A {heading}|B {heading}|\n|-|-|-|-|-|-|-|\n|8|1000|8|800|10|30|40|\n"
        );
        let of_one = format!("|threads|A TPS|A avg (ms)|A {heading}|\n|-|-|-|-|\n|8|1000|8|30|\n");
        agree(&[
            (&text, "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 800 mean_ms 10"),
            (&of_one, "A clients 8 tps 1000 mean_ms 8"),
        ]);
    }
    // At a rate the clients wait, and Little's law says nothing.
    let at_rate = "threads,A TPS,A avg (ms),B TPS,B avg (ms),A target TPS,B target TPS\n8,1000,2,800,3,1000,800\n";
    assert_eq!(verdict(at_rate), "UNCHECKED");
}

#[test]
fn systems_side_by_side_are_targets_each_with_its_own_clients() {
    let rows = "8,1000,8.0,8,800,10.0\n16,1600,10.0,16,1280,12.5\n";
    let heads = "threads,TPS,avg (ms),threads,TPS,avg (ms)\n";
    let apart = "8,1000,8.0,,8,800,10.0\n16,1600,10.0,,16,1280,12.5\n";
    agree(&[
        (&format!("A,,,B,,\n{heads}{rows}"), TWO),
        (&format!("A,A,A,B,B,B\n{heads}{rows}"), TWO),
        (&format!("A,,,,B,,\nthreads,TPS,avg (ms),,threads,TPS,avg (ms)\n{apart}"), TWO),
        (&format!("threads,A TPS,A avg (ms),threads,B TPS,B avg (ms)\n{rows}"), TWO),
        (
            &format!(
                "<table><tr><th colspan=3>A<th colspan=3>B</tr><tr><th>{}</tr><tr><td>{}</table>",
                "threads<th>TPS<th>avg (ms)<th>threads<th>TPS<th>avg (ms)", "8<td>1000<td>8<td>8<td>800<td>10"
            ),
            "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 800 mean_ms 10",
        ),
        // A table that was set in two columns, and one of two groups without names.
        (
            "threads,TPS,threads,TPS\n8,1000,64,3200\n16,1600,,\n",
            "clients 8 tps 1000; clients 64 tps 3200; clients 16 tps 1600",
        ),
        ("threads,TPS,threads,TPS\n8,1000,8,800\n", "columns=1–2 clients 8 tps 1000; columns=3–4 clients 8 tps 800"),
        ("Read only,,Read write,\nthreads,TPS,threads,TPS\n8,1000,8,800\n", "clients 8 tps 1000; clients 8 tps 800"),
        // Groups that have not the same figures.
        ("threads,TPS,threads,QPS\n8,1000,8,800\n", "clients 8 tps 1000 qps 800"),
    ]);
}

#[test]
fn several_response_times_in_a_cell_are_columns() {
    let wanted = "clients 8 tps 1000 mean_ms 8 p95_ms 12 max_ms 80";
    agree(&[
        ("|threads|TPS|Latency (avg/p95/max) ms|\n|-|-|-|\n|8|1000|8.0/12.0/80|\n", wanted),
        ("|threads|TPS|avg/p95/max latency (ms)|\n|-|-|-|\n|8|1000|8.0 / 12.0 / 80|\n", wanted),
        // Of what, and which of them it is, is not said.
        ("|threads|TPS|min/avg/max|\n|-|-|-|\n|8|1000|1/2/3|\n", "clients 8 tps 1000"),
        ("|threads|TPS|Latency (ms)|\n|-|-|-|\n|8|1000|1/2/3|\n", "clients 8 tps 1000"),
        ("|threads|TPS|Latency (avg/p95) ms|\n|-|-|-|\n|8|1000|1/2/3|\n", "clients 8 tps 1000"),
    ]);
}

#[test]
fn a_unit_says_which_figure_a_row_has() {
    let table = |rows: &str| format!("Benchmark,Result,Unit\n{rows}");
    agree(&[
        (&table("Threads,16,\nTPS,1600,tps\nLatency avg,10000,us\n"), "clients 16 tps 1600 mean_ms 10"),
        (&table("oltp_read_only,25000,QPS\noltp_write_only,3000,TPS\n"), "qps 25000; tps 3000"),
        (&table("a,25000,QPS\nb,3,ms\n"), "qps 25000"),
        (&table("a,25000,MB/s\nb,3,GB\n"), "nothing"),
    ]);
    assert_eq!(remarks(&table("a,25000,QPS\nb,3,ms\n")), ["published-row-unknown"]);
}

#[test]
fn yaml_is_read_as_json_is() {
    let map = |n: usize, tps: usize| format!("{n}: {{tps: {tps}}}");
    agree(&[
        (
            &format!("a:\n  {}\n  {}\nb:\n  {}\n  {}\n", map(8, 1000), map(16, 1600), map(8, 800), map(16, 1280)),
            "a clients 8 tps 1000; a clients 16 tps 1600; b clients 8 tps 800; b clients 16 tps 1280",
        ),
        (
            "a:\n- threads: 8\n  tps: 1000\n- threads: 16\n  tps: 1600\nb:\n- threads: 8\n  tps: 800\n",
            "a clients 8 tps 1000; a clients 16 tps 1600; b clients 8 tps 800",
        ),
        ("threads: [8, 16]\ntps: [1000, 1600]\n", "clients 8 tps 1000; clients 16 tps 1600"),
        (
            "config:\n  threads: 8\nresult:\n  tps: 1000\n  latency_ms:\n    p95: 12.5\n",
            "clients 8 tps 1000 p95_ms 12.5",
        ),
        ("threads: 8\ntps: 1000\n---\nthreads: 16\ntps: 1600\n", "clients 8 tps 1000; clients 16 tps 1600"),
        ("threads: 8\n\n# of 60 s\nTPS: 1000\navg latency: 8.0 ms\n", "clients 8 tps 1000 mean_ms 8"),
        ("kind: Service\nspec:\n  ports:\n  - port: 3306\n", "nothing"),
    ]);
}

#[test]
fn minutes_and_seconds_are_read_where_it_is_sure_that_they_are() {
    let rows = |n: u32| format!("|8|10:00|{}|1000|\n|16|20:00|{}|1600|\n", 1000 * 60 * n, 2 * 1600 * 60 * n);
    let table = |head: &str, rows: &str| format!("|Clients|{head}|Transactions|TPS|\n|-|-|-|-|\n{rows}");
    for (head, n) in [("Duration", 10), ("Duration", 600), ("Time (mm:ss)", 10)] {
        let (a, b) = (60 * n, 120 * n);
        agree(&[(
            &table(head, &rows(n)),
            &format!(
                "clients 8 tps 1000 seconds {a} transactions {}; clients 16 tps 1600 seconds {b} transactions {}",
                1000 * a,
                1600 * b
            ),
        )]);
        assert_eq!(verdict(&table(head, &rows(n))), "VALID", "{head} {n}");
    }
    agree(&[
        ("threads,elapsed (mm:ss)\n1,12:34\n8,03:05\n", "clients 1 seconds 754; clients 8 seconds 185"),
        ("threads,elapsed\n1,1:02:34\n8,03:05\n", "clients 1 seconds 3754; clients 8 seconds 185"),
        ("threads,TPS,elapsed\n1,10,12:34\n8,20,03:05\n", "clients 1 tps 10; clients 8 tps 20"),
        ("time,TPS\n12:34,10\n12:35,20\n", "tps 10; tps 20"),
    ]);
    let text = remarks("threads,TPS,elapsed\n1,10,12:34\n8,20,03:05\n");
    assert!(text.iter().any(|id| id == "published-clock-open"), "{text:?}");
}

#[test]
fn which_value_is_the_better_one_is_no_target() {
    agree(&[
        ("threads,TPS (higher is better),avg ms (lower is better)\n8,1000,8\n", "clients 8 tps 1000 mean_ms 8"),
        ("スレッド数,TPS（高いほど良い）\n8,1000\n16,1600\n", "clients 8 tps 1000; clients 16 tps 1600"),
    ]);
}

#[test]
fn a_workload_that_is_named_has_its_number_of_statements() {
    let codes = |text: &str| -> Vec<String> {
        audit(&read(text.as_bytes(), "x").unwrap()).doubts.iter().map(|finding| finding.doubt.code.clone()).collect()
    };
    let table = |name: &str, queries: u32| {
        format!("workload,threads,TPS,QPS\n{name},8,1000,{}\n{name},16,1500,{}\n", 1000 * queries, 1500 * queries)
    };
    for (name, queries) in [
        ("oltp_read_write", 20),
        ("oltp_read_write", 18),
        ("oltp_read_only", 16),
        ("oltp_write_only", 6),
        ("oltp_point_select", 1),
        ("sysbench oltp-update-index", 1),
        ("TPC-C", 28),
        ("oltp", 3),
    ] {
        assert_eq!(codes(&table(name, queries)), [""; 0], "{name} {queries}");
    }
    for (name, queries) in [("oltp_read_write", 16), ("oltp_point_select", 5), ("oltp_update_non_index", 2)] {
        assert_eq!(codes(&table(name, queries)), ["known-workload"], "{name} {queries}");
    }
    let above = |name: &str| format!("# {name}\n\n|threads|TPS|QPS|\n|-|-|-|\n|8|1000|5000|\n|16|1500|7500|\n");
    assert_eq!(codes(&above("oltp_point_select")), ["known-workload"]);
    assert_eq!(codes(&above("oltp_point_select and oltp_read_only")), [""; 0]);
    // With the options that stand beside its name, or a word that changes it.
    let of_options =
        |name: &str, queries: u32| table(&format!("oltp_read_only {name}"), queries).replace("workload", "test");
    for (options, queries) in [
        ("(range_selects=off)", 12),
        ("--range-selects=off --skip-trx", 10),
        ("--skip-trx", 14),
        ("--point-selects=1", 7),
        ("--point_selects=100 --range_selects=0", 102),
        ("--distinct-ranges=0", 15),
        ("without range queries", 12),
        ("(custom)", 5),
    ] {
        assert_eq!(codes(&of_options(options, queries)), [""; 0], "{options}");
    }
    for (options, queries) in [("(range_selects=off)", 16), ("--point-selects=1", 16), ("--point-selects=20", 16)] {
        assert_eq!(codes(&of_options(options, queries)), ["known-workload"], "{options}");
    }
    let twelve = |above: &str| format!("{above}\n\n|threads|TPS|QPS|\n|-|-|-|\n|16|3200|38400|\n|32|4200|50400|\n");
    for above in [
        "```\nsysbench oltp_read_only --range_selects=off --threads=N run\n```",
        "Ran `oltp_read_only` without range queries.",
        "sysbench oltp_read_only with range_selects=off",
    ] {
        assert_eq!(codes(&twelve(above)), [""; 0], "{above}");
    }
    assert_eq!(codes(&twelve("sysbench oltp_read_only --threads=N run")), ["known-workload"]);
    let changed = table("oltp_read_write --index-updates=5", 24);
    assert_eq!(codes(&changed), [""; 0]);
}
