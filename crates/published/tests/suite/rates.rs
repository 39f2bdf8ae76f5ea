//! Rates that are not the figure that is looked for: of a part, of something else, intended ones, and in thousands.

use crate::reading::{agree, remarks};
use tenbin_published::{audit, read};

#[test]
fn the_rate_of_a_part_is_neither_the_whole_nor_a_target() {
    for heading in ["Read QPS", "write_qps", "QPS (read)", "读QPS", "写QPS", "参照QPS", "SELECT QPS", "Insert TPS"]
    {
        let text = format!("threads,TPS,{heading}\n8,1000,500\n");
        agree(&[(&text, "clients 8 tps 1000")]);
        assert_eq!(remarks(&text), ["published-column-unknown"], "{heading}");
    }
    agree(&[
        ("threads,QPS (read),QPS (write),QPS (total)\n8,14000,6000,20000\n", "clients 8 qps 20000"),
        // Workloads.
        (
            "threads,read only TPS,point select TPS\n8,1000,5000\n",
            "read only clients 8 tps 1000; point select clients 8 tps 5000",
        ),
        (
            "threads,read/write TPS,read only TPS\n8,1000,5000\n",
            "read/write clients 8 tps 1000; read only clients 8 tps 5000",
        ),
        ("threads,Throughput (TPS)\n8,1000\n", "clients 8 tps 1000"),
    ]);
}

#[test]
fn percentiles_beside_the_median_of_a_rate_are_its_own() {
    agree(&[
        ("engine,threads,Median NOPM,P10,P90\nA,8,126418,109640,141021\nB,8,134695,109215,151464\n", "nothing"),
        // They can be times.
        ("threads,Max TPS,p50,p95\n8,9000,0.9,1.6\n", "clients 8 p50_ms 0.9 p95_ms 1.6"),
    ]);
}

#[test]
fn a_throughput_is_of_what_its_heading_counts() {
    for (counted, kind) in [
        ("queries/s", "qps"),
        ("QPS", "qps"),
        ("queries per second", "qps"),
        ("req/s", "qps"),
        ("req/sec", "qps"),
        ("requests/second", "qps"),
        ("requests per second", "qps"),
        ("ops/s", "qps"),
        ("ops/sec", "qps"),
        ("operations/second", "qps"),
        ("tx/s", "tps"),
        ("txn/s", "tps"),
        ("transactions/sec", "tps"),
        ("transactions per second", "tps"),
    ] {
        agree(&[(&format!("threads,Throughput ({counted})\n8,1000\n"), &format!("clients 8 {kind} 1000"))]);
        agree(&[(&format!("threads,Throughput (K{counted})\n8,1\n"), &format!("clients 8 {kind} 1000"))]);
    }
}

#[test]
fn statistics_of_a_rate_are_no_times_whatever_word_counts() {
    for (rate, kind) in [
        ("ops/s", "qps"),
        ("ops/sec", "qps"),
        ("ops_sec", "qps"),
        ("req/s", "qps"),
        ("requests per second", "qps"),
        ("queries/sec", "qps"),
        ("operations/second", "qps"),
        ("tx/s", "tps"),
        ("txns/sec", "tps"),
        ("transactions per second", "tps"),
    ] {
        let head = |statistic: &str| match rate.contains('_') {
            true => format!("{statistic}_{rate}"),
            false => format!("{statistic} {rate}"),
        };
        let text = format!(
            "threads,{},{},{},{}\n8,700,900,650,820\n16,800,950,750,920\n",
            head("avg"),
            head("max"),
            head("min"),
            head("p95")
        );
        agree(&[(&text, &format!("clients 8 {kind} 700; clients 16 {kind} 800"))]);
        for statistic in ["median", "95th percentile"] {
            agree(&[(&format!("threads,{}\n8,700\n16,800\n", head(statistic)), "nothing")]);
        }
    }
    // Times of one of them.
    agree(&[
        ("threads,avg query (s),max query (s)\n8,0.5,2\n", "clients 8 mean_ms 500 max_ms 2000"),
        ("threads,avg_query_s\n8,0.5\n", "clients 8 mean_ms 500"),
        ("threads,avg latency of requests (s)\n8,0.5\n", "clients 8 mean_ms 500"),
        ("threads,max transaction time (s)\n8,0.5\n", "clients 8 max_ms 500"),
    ]);
}

#[test]
fn operations_beside_a_rate_or_a_time_are_a_number_of_them() {
    let table = |heads: &str, cells: &str| format!("threads,{heads}\n8,{cells}\n");
    for (heads, cells, figures) in [
        ("Ops,Ops/sec", "9000,450", "qps 450"),
        ("Ops/sec,Ops", "450,9000", "qps 450"),
        ("total_ops,ops_per_sec,p99_ms", "9000,450,30", "qps 450 p99_ms 30"),
        ("Total ops,kops/s", "9000000,450", "qps 450000"),
        ("Ops,Throughput (ops/s)", "9000,450", "qps 450"),
        ("Ops,Duration (s)", "9000,20", "seconds 20"),
        ("Number of ops,TPS", "9000,450", "tps 450"),
        // A rate.
        ("OPS", "450", "qps 450"),
        ("OPS,p99 (ms)", "450,30", "qps 450 p99_ms 30"),
        ("Read OPS,Write OPS,Total OPS", "300,150,450", "qps 450"),
    ] {
        agree(&[(&table(heads, cells), &format!("clients 8 {figures}"))]);
    }
    agree(&[
        ("threads,Total ops,p99 (ms)\n8,9000,30\n", "clients 8 p99_ms 30"),
        ("Metric,A\nOps,9000\nDuration (s),20\nOps/sec,450\n", "qps 450 seconds 20"),
    ]);
    assert_eq!(remarks(&table("Ops,Ops/sec", "9000,450")), ["published-column-unknown"]);
}

#[test]
fn transactions_of_one_operation_are_a_workload() {
    let groups = |text: &str| read(text.as_bytes(), "x").unwrap().groups();
    let two = "server,threads,Read TPS,Write TPS\nA,8,1000,200\nB,8,1100,210\n";
    agree(&[(two, "A clients 8 tps 1000; A clients 8 tps 200; B clients 8 tps 1100; B clients 8 tps 210")]);
    assert_eq!(groups(two), ["Read", "Write"]);
    assert_eq!(groups("threads,Insert TPS\n8,1000\n"), ["Insert"]);
    assert_eq!(read("threads,Read TPS,Write TPS\n8,1,2\n".as_bytes(), "x").unwrap().targets(), [""; 0]);
}

#[test]
fn words_above_a_table_that_name_another_rate_or_a_time_of_their_own_say_nothing_of_its_figures() {
    let table = |caption: &str| format!("## {caption}\n\n|threads|A|B|\n|-|-|-|\n|8|40|41|\n|64|112|90|\n");
    for caption in [
        "Errors per second",
        "Disk writes (MB/s)",
        "Rows inserted per second",
        "Context switches per second",
        "fsyncs/s",
        "Page reads/sec",
        "WAL bytes/s",
        "Checkpoints per minute",
        "每秒写入量(MB/s)",
        "Anzahl Fehler pro Sekunde",
        "1秒あたりのエラー数",
    ] {
        agree(&[(&table(caption), "nothing")]);
    }
    let of = |kind: &str| {
        format!("A clients 8 {kind} 40; B clients 8 {kind} 41; A clients 64 {kind} 112; B clients 64 {kind} 90")
    };
    for (caption, kind) in [
        ("Higher is better, run time 300 s", "unstated"),
        ("Transactions per second", "tps"),
        ("Queries/s", "qps"),
        ("Elapsed time (s) for all inserts", "mean_s"),
        ("Seconds to run all queries", "mean_s"),
        ("Time per query (ms)", "mean_ms"),
        ("All latencies in ms", "mean_ms"),
    ] {
        agree(&[(&table(caption), &of(kind))]);
    }
}

#[test]
fn nothing_is_assumed_of_figures_below_words_that_are_not_understood() {
    let table = |caption: &str| format!("### {caption}\n\n|threads|A|B|\n|-|-|-|\n|8|40|41|\n|64|112|90|\n");
    let of = |kind: &str| {
        format!("A clients 8 {kind} 40; B clients 8 {kind} 41; A clients 64 {kind} 112; B clients 64 {kind} 90")
    };
    for caption in [
        // Times of something else, or statistics of them.
        "Replica lag (ms)",
        "CPU time per query (µs)",
        "WAL fsync latency (ms)",
        "Commit latency (ms)",
        "GC pauses (ms)",
        "Lock waits (ms)",
        "Response time stddev (ms)",
        "Latency increase (ms)",
        "p99 of latency (ms) at 500 TPS",
        "99パーセンタイルの応答時間(ms)",
        "ディスク遅延(ms)",
        "复制延迟(ms)",
        // Rates that are no result.
        "Peak TPS",
        "TPS per core",
        "Normalized TPS",
        "归一化 QPS",
        "Stddev of TPS",
        "TPS drop",
        // Something else, known or not.
        "Queue depth",
        "Number of aborts",
        "Buffer pool hit ratio",
        "Power draw",
        "Errors",
        "Gremlins",
        "Load avg (1m)",
        "Table size",
        "Threads running",
        "エラー件数",
        "죽은 연결",
    ] {
        agree(&[(&table(caption), "nothing")]);
    }
    for (caption, kind) in [
        ("Results", "unstated"),
        ("Read only", "unstated"),
        ("oltp_read_write, 10 tables", "unstated"),
        ("MySQL 8.4", "unstated"),
        ("A benchmark on Debian", "unstated"),
        ("By number of threads", "unstated"),
        ("Buffer pool 24 GB", "unstated"),
        ("Without binlog", "unstated"),
        ("IO-bound workload, 10 million rows", "unstated"),
        ("The following table shows the results", "unstated"),
        ("読み取りのみ", "unstated"),
        ("测试结果", "unstated"),
        ("ベンチマーク結果", "unstated"),
        ("Load average", "unstated"),
        ("TPS (median of 3 runs)", "tps"),
        ("QPS per number of threads", "qps"),
        ("Latency (ms)", "mean_ms"),
        ("Read only: average latency (ms)", "mean_ms"),
    ] {
        agree(&[(&table(caption), &of(kind))]);
    }
    // Beside a table of throughput they are no figures of its results.
    let two = format!("{}\n{}", table("TPS"), table("Gremlins"));
    agree(&[(&two, &of("tps"))]);
    assert!(remarks(&two).contains(&"published-caption-unknown".to_owned()));
    let problem = read(table("Gremlins").as_bytes(), "x").unwrap_err();
    assert!(problem.evidence.is_some_and(|why| why.is("published-caption-unknown")), "the reason names the words");
}

#[test]
fn a_rate_that_was_asked_for_is_no_result() {
    for heading in [
        "Target TPS",
        "Offered load (tps)",
        "Requested TPS",
        "Expected TPS",
        "Target QPS",
        "目標TPS",
        "目标TPS",
        "Target rate",
        "Rate (tps)",
    ] {
        let text = format!("{heading},threads,Achieved TPS,avg (ms)\n500,64,500,4.1\n1000,64,999,4.9\n");
        agree(&[(&text, "clients 64 tps 500 mean_ms 4.1; clients 64 tps 999 mean_ms 4.9")]);
        // The clients were idle.
        assert_eq!(audit(&read(text.as_bytes(), "x").unwrap()).doubts, [], "{heading}");
    }
}

#[test]
fn a_heading_may_say_times_a_thousand() {
    for (heading, value) in [
        ("QPS x1000", 20_000),
        ("QPS (×1000)", 20_000),
        ("QPS (x10^3)", 20_000),
        ("QPS x 1,000", 20_000),
        ("QPS (x 1000000)", 20_000_000),
        ("QPS", 20),
    ] {
        agree(&[(&format!("threads;{heading}\n8;20\n"), &format!("clients 8 qps {value}"))]);
    }
    agree(&[(
        "|threads|MySQL x100 TPS|A TPS|\n|-|-|-|\n|8|10|20|\n",
        "MySQL x100 clients 8 tps 10; A clients 8 tps 20",
    )]);
}

#[test]
fn of_two_rates_the_one_without_the_time_of_connecting_is_read() {
    agree(&[
        (
            r#"{"clients": 4, "tps_including_connections": 490.5, "tps_excluding_connections": 500, "avg_ms": 8}"#,
            "clients 4 tps 500 mean_ms 8",
        ),
        (
            "clients,tps (incl. connecting),tps (excl. connecting)\n4,490.5,500\n32,880,900\n",
            "clients 4 tps 500; clients 32 tps 900",
        ),
        ("clients,TPS including connections establishing,avg ms\n4,490.5,8\n", "clients 4 tps 490.5 mean_ms 8"),
    ]);
}
