//! Headings whose words, units or rows are other than usual: each with the figures that are right, or without those that would be wrong.

use crate::reading::{agree, shown};

#[test]
fn a_unit_or_scale_in_a_heading_or_cell_counts() {
    agree(&[
        ("threads,QPS (k)\n8,12.5\n", "clients 8 qps 12500"),
        ("线程,QPS(万)\n8,1.25\n", "clients 8 qps 12500"),
        ("threads,TPS (thousands)\n8,1.5\n", "clients 8 tps 1500"),
        ("threads,Throughput (tpmC)\n8,52000\n", "clients 8 nopm 52000"),
        ("threads,Throughput (TPM)\n8,52000\n", "clients 8 tpm 52000"),
        ("threads,Throughput (QPS)\n8,52000\n", "clients 8 qps 52000"),
        ("threads,Throughput (MB/s),TPS\n8,120,900\n", "clients 8 tps 900"),
        ("threads,Throughput (MB/s)\n8,120\n", "nothing"),
        ("threads,throughput\n8,60000/min\n", "clients 8 tps 1000"),
        ("threads,throughput\n8,1200 tx/s\n", "clients 8 tps 1200"),
        ("threads,throughput\n8,1.2万\n", "clients 8 tps 12000"),
        ("threads,throughput,avg_ms\n8,120 MB/s,8\n", "clients 8 mean_ms 8"),
        ("threads,throughput,avg_ms\n8,900-1100,8\n", "clients 8 mean_ms 8"),
        ("threads,TPS,P99 latency in microseconds\n8,1000,950\n", "clients 8 tps 1000 p99_ms 0.95"),
        (
            "All latencies in µs.\n\n|threads|TPS|avg|p99|\n|-|-|-|-|\n|8|1000|8000|9500|\n",
            "clients 8 tps 1000 mean_ms 8 p99_ms 9.5",
        ),
        ("Threads;TPS;Latenz (ms)\n8;12.345;9,5\n", "clients 8 tps 12345 mean_ms 9.5"),
    ]);
}

#[test]
fn percentiles_are_known_in_every_spelling_and_other_percentages_are_none() {
    for heading in [
        "latency_95p_ms",
        "95pct (ms)",
        "pct95 (ms)",
        "95-й перцентиль (мс)",
        "99. Perzentil",
        "95백분위",
        "95线",
        "第95百分位",
        "TP95",
    ] {
        let percentile = if heading.contains("99") { "p99_ms" } else { "p95_ms" };
        agree(&[(&format!("threads,TPS,{heading}\n8,1000,9.5\n"), &format!("clients 8 tps 1000 {percentile} 9.5"))]);
    }
    agree(&[
        ("threads,TPS,95% CI\n8,1000,12\n", "clients 8 tps 1000"),
        ("threads,TPS,95%信頼区間\n8,1000,12\n", "clients 8 tps 1000"),
        ("threads,TPS,99%\n8,1000,12\n", "clients 8 tps 1000 p99_ms 12"),
    ]);
}

#[test]
fn figures_of_something_else_are_left_out() {
    agree(&[
        ("threads,TPS,Read latency (ms)\n8,1000,12\n", "clients 8 tps 1000"),
        ("threads,TPS,Disk latency (ms)\n8,1000,12\n", "clients 8 tps 1000"),
        ("threads,A TPS,B TPS,A $/TPS\n8,1000,900,0.2\n", "A clients 8 tps 1000; B clients 8 tps 900"),
        ("threads,A TPS,B TPS,B TPS\n8,1000,900,800\n", "A clients 8 tps 1000; B clients 8 tps 900"),
        ("warehouses,NOPM,$/tpmC\n8,1000,0.5\n", "warehouses=8 nopm 1000"),
        ("threads,TPS,TPS loss\n8,1000,5\n", "clients 8 tps 1000"),
        ("### CPU usage\n\n|threads|MySQL|MariaDB|\n|-|-|-|\n|8|50|60|\n", "nothing"),
    ]);
}

#[test]
fn times_of_parts_beside_the_rate_of_all_are_no_targets() {
    let two = "clients 8 tps 1000; clients 16 tps 1500";
    for heads in [
        "Lookup latency (ms),Join latency (ms)",
        "Latenz Suche (ms),Latenz Bericht (ms)",
        "p99 latency A (ms),p99 latency B (ms)",
    ] {
        let text = format!("threads,TPS,{heads}\n8,1000,0.6,2.3\n16,1500,3.0,9.2\n");
        agree(&[(&text, two)]);
    }
    agree(&[(
        "threads,A TPS,B TPS,A latency (ms),B latency (ms)\n8,1000,900,8,9\n",
        "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 900 mean_ms 9",
    )]);
}

#[test]
fn functions_of_a_rate_are_no_rates() {
    for heading in ["log(TPS)", "log10(TPS)", "TPS (log2)", "ln TPS", "TPS index", "1/TPS", "Norm. QPS"] {
        agree(&[(&format!("threads,{heading},avg (ms)\n8,1.5,8\n"), "clients 8 mean_ms 8")]);
    }
    agree(&[(
        "threads,Index read TPS,Non-index read TPS\n8,900,700\n",
        "Index read clients 8 tps 900; Non-index read clients 8 tps 700",
    )]);
}

#[test]
fn units_below_the_headings_and_in_cells_are_those_of_the_figures() {
    agree(&[
        ("threads,TPS,avg,p95\n,1/s,ms,ms\n8,700,9,12\n", "clients 8 tps 700 mean_ms 9 p95_ms 12"),
        ("threads,#,avg\n#,n,us\n8,1,900\n", "clients 8 mean_ms 0.9"),
        (
            "|threads|Throughput|p50|\n|-|-|-|\n|8|**269 req/s**|57 ms|\n|16|300 req/s|60 ms|\n",
            "clients 8 qps 269 p50_ms 57; clients 16 qps 300 p50_ms 60",
        ),
        ("|Metric|Value|\n|-|-|\n|Throughput|700 ops/s|\n|p50|8 ms|\n", "qps 700 p50_ms 8"),
        ("|threads|Throughput|\n|-|-|\n|8|700 tx/s|\n", "clients 8 tps 700"),
        ("|Metric|Unit|A|B|\n|-|-|-|-|\n|Throughput|ktps|12.5|9.1|\n", "A tps 12500; B tps 9100"),
        ("|threads|TPS|avg|\n|-|-|-|\n|8|41,309|0\\.775 ms|\n", "clients 8 tps 41309 mean_ms 0.775"),
        ("|threads|TPS|\n|-|-|\n|8|15’000|\n", "clients 8 tps 15000"),
        ("|threads|Avg TPS|Avg Mean Latency (µs)|\n|-|-|-|\n|8|700|900|\n", "clients 8 tps 700 mean_ms 0.9"),
        (
            "Label,样本,平均值,最小值,最大值,吞吐量\n查询,600,45,5,300,10.5\n总体,600,45,5,300,10.5\n",
            "tps 10.5 min_ms 5 mean_ms 45 max_ms 300",
        ),
    ]);
}

#[test]
fn a_refused_table_is_refused_by_its_columns() {
    for heading in ["TPS (median)", "TPS w/ binlog", "QPS (8 vCPU)"] {
        let text = format!("|Threads|{heading}|\n|-|-|\n|8|700|\n|16|900|\n");
        let problem = tenbin_published::read(text.as_bytes(), "x").unwrap_err();
        let why = problem.evidence.map(|why| why.english().to_owned()).unwrap_or_default();
        assert!(why.contains(heading), "{heading}: {why}");
    }
}

#[test]
fn headings_are_put_together_from_words() {
    for heading in ["tx/sec", "Transactions / second", "Transactions per sec.", "trans/s"] {
        agree(&[(&format!("threads,{heading}\n8,1000\n"), "clients 8 tps 1000")]);
    }
    for heading in ["lat avg (ms)", "Avg. Response Time (ms)", "平均RT(ms)"] {
        agree(&[(&format!("threads,TPS,{heading}\n8,1000,8\n"), "clients 8 tps 1000 mean_ms 8")]);
    }
    for heading in
        ["Concurrent users", "No. of threads", "同時接続数", "并发线程", "sessions", "Number of active connections"]
    {
        agree(&[(&format!("{heading},TPS\n8,1000\n"), "clients 8 tps 1000")]);
    }
}

#[test]
fn numbers_across_are_clients_only_where_they_are() {
    agree(&[
        (
            "|Threads|8|16|\n|-|-|-|\n|TPS|1000|1500|\n|avg (ms)|8.0|10.7|\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.7",
        ),
        (
            "|clients|13|14|15|\n|-|-|-|-|\n|8|900|950|990|\n",
            "13 clients 8 unstated 900; 14 clients 8 unstated 950; 15 clients 8 unstated 990",
        ),
        (
            "### TPS\n\n|Warehouses|100|500|\n|-|-|-|\n|MySQL|1000|900|\n",
            "MySQL Warehouses=100 tps 1000; MySQL Warehouses=500 tps 900",
        ),
        ("### TPS\n\n|Threads|Avg|Min|Max|\n|-|-|-|-|\n|8|1000|900|1100|\n", "clients 8 tps 1000"),
    ]);
}

#[test]
fn rows_that_do_not_fit_their_headings_are_left_out() {
    agree(&[
        ("threads,TPS,avg\n8,1,000,8.0\n16,1500,10.6\n", "clients 16 tps 1500 mean_ms 10.6"),
        (
            "Threads   Avg TPS   Avg Latency (ms)\n8         1000      8.0\n16        1500      10.6\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.6",
        ),
        (
            "Threads  TPS   avg_ms\n8        1000  8.0\n16             12.0\n32       1900  16.8\n",
            "clients 8 tps 1000 mean_ms 8; clients 32 tps 1900 mean_ms 16.8",
        ),
    ]);
}

#[test]
fn headings_in_two_rows_are_read_with_the_figures_above_or_below() {
    agree(&[
        (
            "threads,TPS,,平均応答時間(ms),\n,旧,新,旧,新\n8,1000,1100,8.0,7.3\n",
            "旧 clients 8 tps 1000 mean_ms 8; 新 clients 8 tps 1100 mean_ms 7.3",
        ),
        (
            "threads,TPS,Latency,Latency\n,,avg (ms),p95 (ms)\n8,1000,8.0,9.5\n",
            "clients 8 tps 1000 mean_ms 8 p95_ms 9.5",
        ),
    ]);
}

/// Each took time that grew with the fourth power of its words.
#[test]
fn a_sentence_in_a_cell_takes_no_time() {
    let sentence = "the latency of each transaction per second ".repeat(100);
    assert_eq!(shown(&format!("threads,TPS,{sentence}\n8,1000,{sentence}\n")), "clients 8 tps 1000");
}
