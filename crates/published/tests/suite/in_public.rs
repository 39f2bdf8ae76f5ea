//! Forms that were found in public documents and read wrongly: names of settings and pictures above tables, comparisons beside names of figures, courses by
//! moments, means of several runs, blocks of lines.

use tenbin_published::{Published, PublishedResult, audit, read};

fn published(text: &str) -> Published {
    read(text.as_bytes(), "x").unwrap_or_else(|problem| panic!("{problem:?}: {text}"))
}

/// Each result as what tells it apart, and its figures.
fn shown(text: &str) -> String {
    let one = |result: &PublishedResult| {
        let axes = result.axes.iter().map(|(_, value)| value.clone());
        let names = result.target.iter().cloned().chain(result.workload.clone()).chain(axes);
        let figures = result.figures.iter().map(|(kind, (quantity, _))| format!("{} {}", kind.name(), quantity.value));
        names.chain(figures).collect::<Vec<_>>().join(" ")
    };
    published(text).results.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn codes(text: &str) -> Vec<String> {
    audit(&published(text)).doubts.iter().map(|finding| finding.doubt.code.clone()).collect()
}

#[test]
fn the_name_of_a_setting_in_marks_of_code_names_no_figure() {
    let table = "\n\n| Row width | Point | Scan |\n|--|--|--|\n| 1KB | 13900 | 2500 |\n| 2KB | 11400 | 1240 |\n";
    for above in ["### `min-blob-size` and its effect", "Effect of `max_write_rate`"] {
        let text = format!("{above}{table}");
        let read = read(text.as_bytes(), "x").map(|all| all.results.len());
        assert!(!read.is_ok_and(|n| n > 0), "{above}");
    }
    let rates = "Point 1KB qps 13900; Scan 1KB qps 2500; Point 2KB qps 11400; Scan 2KB qps 1240";
    assert_eq!(shown(&format!("QPS for each `min-blob-size`{table}")), rates);
    assert_eq!(shown(&format!("QPS by width ![](qps_files/chart-1.png){table}")), rates);
}

#[test]
fn escapes_and_emphasis_within_cells_are_no_part_of_names() {
    let text = "| Test | MySQL TPS | Other TPS |\n|--|--|--|\n| oltp\\_insert | 410\\.5 | 380 |\n| flush = **OFF** (x) | 500 | 420 |\n";
    let all = shown(text);
    assert!(
        all.starts_with("MySQL oltp_insert tps 410.5; Other oltp_insert tps 380; MySQL flush = OFF (x) tps 500"),
        "{all}"
    );
}

#[test]
fn what_compares_others_is_no_result() {
    let beside = "Latency (ms)\n\n| Read tests | A | B | Multiple |\n|--|--|--|--|\n| scan | 2.0 | 4.0 | 2 |\n| join | 5.0 | 20.0 | 4 |\n| reads_multiplier | | | 3 |\n";
    assert_eq!(shown(beside), "A scan mean_ms 2; B scan mean_ms 4; A join mean_ms 5; B join mean_ms 20");
    // The figure stands above the names.
    let corner = "| TPC-C TPS Tests | A | B | Multiple |\n|--|--|--|--|\n| scale factor 1 | 98.02 | 40.45 | 2.4 |\n| scale factor 10 | 90.5 | 45.2 | 2.0 |\n";
    assert_eq!(
        shown(corner),
        "A scale factor 1 tps 98.02; B scale factor 1 tps 40.45; A scale factor 10 tps 90.5; B scale factor 10 tps 45.2"
    );
    // A word that says more about clients compares nothing.
    let threads = "Test,Single thread TPS,Multiple threads TPS\nread,100,900\nwrite,50,400\n";
    assert!(shown(threads).contains("900"), "{}", shown(threads));
    let rows = "QPS\n\n| Workload | DB | 32 | 64 |\n|--|--|--|--|\n| point | A | 1000 | 1800 |\n| | B | 500 | 1000 |\n| | 比值 | 2.0 | 1.8 |\n";
    assert_eq!(published(rows).results.len(), 4, "{}", shown(rows));
}

#[test]
fn names_of_figures_beside_names_of_workloads_are_results_of_each() {
    let text = "| 指标 | 场景 | 优化前 | 优化后 | 提升 (%) |\n|--|--|--|--|--|\n| TPS | 只读 | 1000 | 1100 | 10 |\n| TPS | 读写 | 500 | 600 | 20 |\n| P99 (ms) | 只读 | 20 | 18 | -10 |\n| P99 (ms) | 读写 | 40 | 35 | -12.5 |\n";
    let wanted = "优化前 只读 tps 1000 p99_ms 20; 优化后 只读 tps 1100 p99_ms 18; 优化前 读写 tps 500 p99_ms 40; 优化后 读写 tps 600 p99_ms 35";
    assert_eq!(shown(text), wanted);
    assert!(codes(text).is_empty());
    // A unit of thousands, cells that repeat what is above them, and a figure that is not read.
    let scaled = "| Metric | Workload | A | B | Diff (%) |\n|--|--|--|--|--|\n| QPS (K/s) | read | 8.0 | 9.4 | 17.5 |\n| | write | 4.0 | 4.4 | 10 |\n| Average latency (ms) | read | 4 | 3.2 | -20 |\n| | write | 8 | 7.2 | -10 |\n| Zorps | read | 1 | 2 | 100 |\n";
    let wanted = "A read qps 8000 mean_ms 4; B read qps 9400 mean_ms 3.2; A write qps 4000 mean_ms 8; B write qps 4400 mean_ms 7.2";
    assert_eq!(shown(scaled), wanted);
    // Without a column that tells them apart the first row has the figure.
    let twice = "Metric,A,B,Change (%)\nTPS,100,110,10\nTPS,200,240,20\nP99 (ms),9,8,-11\n";
    assert_eq!(shown(twice), "A tps 100 p99_ms 9; B tps 110 p99_ms 8");
}

#[test]
fn rows_of_moments_are_the_course_of_a_run() {
    let mut text = "timestamp,questions,qps,tps,threads_running\n".to_owned();
    for second in 10..40_u32 {
        let tps = 1000 + 37 * (second % 7);
        text += &format!("2026-04-05 00:17:{second},{},{},{tps},4\n", second * 3000, tps * 3 - 100 * (second % 3));
    }
    let all = published(&text);
    assert!(
        all.results.iter().all(|result| result.is_of_course && result.axes.is_empty()),
        "{:?}",
        all.results[0].axes
    );
    assert!(codes(&text).is_empty(), "{:?}", codes(&text));
    // Runs of some minutes, each begun when the one before had ended, are repeats.
    let runs = "timestamp,threads,tps\n2026-04-05 00:10:00,8,1000\n2026-04-05 00:15:00,8,1010\n2026-04-05 00:20:00,8,990\n2026-04-05 00:25:00,8,1005\n2026-04-05 00:30:00,8,1001\n";
    assert!(published(runs).results.iter().all(|result| !result.is_of_course));
}

#[test]
fn means_of_several_unequal_runs_are_not_called_impossible() {
    let text = "profile,rounds,clients,tps_avg,tps_median,latency_ms_avg\nread,5,8,27700,27728,0.289\nwrite,5,8,350,476,118.5\n";
    let audited = audit(&published(text));
    assert_eq!(audited.verdict_name(), "DEGRADED");
    // One run each.
    let single = text.replace(",5,8,", ",1,8,");
    assert_eq!(audit(&published(&single)).verdict_name(), "INVALID");
}

#[test]
fn lists_of_json_are_no_targets() {
    let text = "{\"results\": {\"tps_list\": [100.5, 101.5], \"latency_ms_list\": [9.9, 9.8], \"tps_avg\": 101}}";
    assert_eq!(shown(text), "tps 100.5 mean_ms 9.9; tps 101.5 mean_ms 9.8");
}

#[test]
fn short_names_of_clients_are_known() {
    assert_eq!(
        shown("| -c | -j | tps |\n|--|--|--|\n| 8 | 2 | 900 |\n| 16 | 4 | 1500 |\n"),
        "clients 8 tps 900; clients 16 tps 1500"
    );
    assert_eq!(shown("c,j,tps\n8,2,900\n16,4,1500\n"), "clients 8 tps 900; clients 16 tps 1500");
    let table = "TPS\n\n| DB | 8T | 16T |\n|--|--|--|\n| A | 900 | 1500 |\n";
    assert_eq!(shown(table), "A clients 8 tps 900; A clients 16 tps 1500");
    assert!(published(table).remarks.iter().any(|remark| remark.is("published-taken-as-clients")));
    // Sizes.
    let sizes = shown(&table.replace("DB", "Storage size"));
    assert!(!sizes.contains("clients"), "{sizes}");
    assert_eq!(shown("DB,Tx/min\nA,60000\nB,72000\n"), "A tpm 60000; B tpm 72000");
}

#[test]
fn rates_per_hour_and_totals_of_something_are_not_read() {
    let text =
        "DBMS,threads,Throughput [SF/h],Throughput@Size,Throughput(ops/sec)\nA,8,75.6,9504,2625\nB,8,76.1,9600,2642\n";
    assert_eq!(shown(text), "A clients 8 qps 2625; B clients 8 qps 2642");
    // What stands beside one of them is no throughput.
    let alone = "DBMS,threads,load_s,pods,time [s],Throughput [SF/h]\nA,8,43,2,25,75.6\nB,8,45,2,26,76.1\n";
    assert!(!shown(alone).contains("tps"), "{}", shown(alone));
    assert!(!shown(alone).contains("seconds 43"), "{}", shown(alone));
    assert!(
        read("      total  used  free\nMem:  131897656  1200  9000\nSwap:  1024  0  1024\n".as_bytes(), "x").is_err()
    );
}

#[test]
fn of_several_columns_of_clients_one_has_them() {
    // The number of a client, and the threads of all of them.
    assert_eq!(shown("DB,client,threads,tps\nA,1,64,900\nB,2,64,950\n").matches("clients 64").count(), 2);
    // A row that compares has none.
    let compared = "| DB | 사용자 수 | TPS | 평가 |\n|--|--|--|--|\n| A | 100명 | 514.6 | 빠름 |\n| B | 1명 | 98.9 | 느림 |\n| 비교 | - | 5.2배 | |\n";
    assert_eq!(shown(compared), "A clients 100 tps 514.6; B clients 1 tps 98.9");
    // The threads of pgbench, and its clients.
    let pgbench = "threads,clients,tps,latency_avg_ms\n4,16,1600,10.0\n4,32,2000,16.0\n";
    assert_eq!(shown(pgbench).matches("clients 16 ").count(), 1, "{}", shown(pgbench));
    assert!(codes(pgbench).is_empty());
}

#[test]
fn a_target_in_numbers_beside_names_is_a_rate() {
    let text = "connection,threads,target,qps,Latency Distribution.Average Latency (microseconds)\npg-1,8,2048,1900,4000\npg-2,8,4096,2600,3000\n";
    assert_eq!(shown(text), "pg-1 clients 8 qps 1900 mean_ms 4; pg-2 clients 8 qps 2600 mean_ms 3");
    assert!(published(text).results.iter().all(|result| result.is_open_loop));
}

#[test]
fn tpmc_names_what_it_counts() {
    let text = "| | V1 | V2 |\n|--|--|--|\n| tpmC (NewOrders) | 293350.8 | 289711.9 |\n| tpmTOTAL | 652025.0 | 644025.6 |\n| Transaction Count | 3260125 | 3221995 |\n";
    let wanted = "V1 nopm 293350.8 tpm 652025 transactions 3260125; V2 nopm 289711.9 tpm 644025.6 transactions 3221995";
    assert_eq!(shown(text), wanted);
    assert_eq!(shown(&text.replace("| | V1", "| Metric | V1")), wanted);
    // A row of something that is not read stands beside it.
    let loaded = "| | V1 | V2 | Improvement |\n|--|--|--|--|\n| tpmC | 333584 | 456300 | 36.79% |\n| Load data (s) | 1174 | 996 | 15.16% |\n";
    assert_eq!(shown(loaded), "V1 nopm 333584; V2 nopm 456300");
}

#[test]
fn a_word_of_a_sentence_is_above_no_variables() {
    let text = "To set it you need an environment variable first\nof your own which the program then reads\nand that is all of it we say\n";
    assert!(read(text.as_bytes(), "x").is_err());
}

#[test]
fn names_of_ycsb_in_a_table_are_no_log() {
    let text = "| | A | B |\n|--|--|--|\n| [OVERALL], RunTime(ms) | 44214 | 72497 |\n| [OVERALL], Throughput(ops/sec) | 11308 | 6896 |\n| [INSERT], AverageLatency(us) | 8622 | 14022 |\n";
    assert_eq!(shown(text), "A qps 11308 seconds 44.214; B qps 6896 seconds 72.497");
}

#[test]
fn statements_of_transactions_that_failed_are_counted() {
    let text = "threads,tps,qps,errors/s\n180,409.87,14625,32.29\n240,396.65,14381,41.59\n300,380.10,13562,0\n";
    assert!(!codes(text).contains(&"queries-per-transaction".to_owned()), "{:?}", codes(text));
    let sure = text.replace("32.29", "0").replace("41.59", "0");
    assert!(codes(&sure).contains(&"queries-per-transaction".to_owned()));
}

#[test]
fn a_letter_before_a_statistic_is_no_unit() {
    let text = "Threads,Throughput,S-Avg,S-P99\n6,120,50.0,53.5\n12,240,50.1,58.1\n";
    assert_eq!(shown(text), "clients 6 tps 120; clients 12 tps 240");
    assert_eq!(
        shown("threads,tps,ms_avg\n8,1000,8.0\n16,1500,10.7\n"),
        "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.7"
    );
}

#[test]
fn words_above_names_of_figures_are_known() {
    for head in ["Measure", "지표", "Показатель", "Kennzahl", "性能指标", "測定項目"] {
        let text = format!(
            "| {head} | before | after | change |\n|--|--|--|--|\n| TPS | 100 | 110 | +10% |\n| p95 (ms) | 9 | 8 | -11% |\n"
        );
        assert_eq!(shown(&text), "before tps 100 p95_ms 9; after tps 110 p95_ms 8", "{head}");
    }
}

#[test]
fn blocks_of_lines_are_a_result_each() {
    let text = "Threads: 16\nTransactions: 60012 (1000.2 per sec.)\nAvg latency: 16.00ms\n\nThreads: 32\nTransactions: 90018 (1500.3 per sec.)\nAvg latency: 21.33ms\n";
    assert_eq!(
        shown(text),
        "clients 16 tps 1000.2 mean_ms 16 transactions 60012; clients 32 tps 1500.3 mean_ms 21.33 transactions 90018"
    );
}

#[test]
fn whole_numbers_that_grow_before_the_targets_are_what_was_changed() {
    for heading in ["bp", "dirty"] {
        let text = format!(
            "Results in NOTPM\n\n| {heading} | driveA | driveB | driveC |\n|--|--|--|--|\n| 5 | 42427.5 | 1931.4 | 14709.2 |\n| 15 | 78991.5 | 2750.4 | 31655.2 |\n"
        );
        let all = shown(&text);
        assert!(all.starts_with("driveA 5 nopm 42427.5; driveB 5 nopm 1931.4; driveC 5 nopm 14709.2"), "{all}");
    }
}

#[test]
fn the_workload_of_rows_has_its_chinese_words() {
    let text = "| 工作负载 | 线程数 | TPS |\n|--|--|--|\n| 甲 | 8 | 410 |\n| 乙 | 8 | 380 |\n";
    assert_eq!(shown(text), "甲 clients 8 tps 410; 乙 clients 8 tps 380");
}
