//! Tables as they are copied from pages and reports: cells that others cover, notes behind rows, columns of words, and figures that nobody measured.

use crate::reading::remarks;
use tenbin_published::{Published, PublishedResult, audit, read};

fn published(text: &str) -> Published {
    read(text.as_bytes(), "x").unwrap_or_else(|problem| panic!("{problem:?}: {text}"))
}

/// Each result as `target|workload: figures`.
fn shown(text: &str) -> String {
    let one = |result: &PublishedResult| {
        let figures = result.figures.iter().map(|(kind, (quantity, _))| format!("{} {}", kind.name(), quantity.value));
        let (target, workload) = (result.target.as_deref(), result.workload.as_deref());
        let figures = figures.collect::<Vec<_>>().join(" ");
        format!("{}|{}: {figures}", target.unwrap_or_default(), workload.unwrap_or_default())
    };
    published(text).results.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn why_not(text: &str) -> String {
    let problem = read(text.as_bytes(), "x").expect_err(text);
    problem.evidence.map_or_else(String::new, |why| why.english().to_owned())
}

#[test]
fn headings_of_merged_cells_stand_above_their_columns() {
    let two = "A|: clients 8 tps 100 p95_ms 9; B|: clients 8 tps 200 p95_ms 4";
    assert_eq!(shown("Threads\tA\tB\nTPS\tp95 (ms)\tTPS\tp95 (ms)\n8\t100\t9\t200\t4\n"), two);
    let titled = "Results\nThreads\tA\tB\nTPS\tp95 (ms)\tTPS\tp95 (ms)\n8\t100\t9\t200\t4\n";
    assert_eq!(shown(titled), two);
    let by_figure = "多重度\tTPS\tResponse time p90 (ms)\nA\tB\tA\tB\n1\t9.9\t8.1\t93.2\t120\n4\t37.9\t30\t95\t130\n";
    assert_eq!(
        shown(by_figure),
        "A|: clients 1 tps 9.9 p90_ms 93.2; B|: clients 1 tps 8.1 p90_ms 120; A|: clients 4 tps 37.9 p90_ms 95; B|: clients 4 tps 30 p90_ms 130"
    );
    // What stands above which of them is not known.
    for text in [
        "Threads\tA\tB\nTPS\tp95 (ms)\tp99 (ms)\tTPS\tp95 (ms)\n8\t100\t9\t12\t200\t4\n",
        "Threads,TPS,p99 (ms)\n8,100,200,9,4\n16,150,280,12,6\n",
    ] {
        assert!(read(text.as_bytes(), "x").is_err(), "{text}{}", shown(text));
    }
    assert!(why_not("Threads,TPS,p99 (ms)\n8,100,200,9,4\n").contains("5 cells below 3 headings"));
}

#[test]
fn a_note_behind_a_row_takes_nothing_from_it() {
    let row = "| 100 | 4300 | 280 | 800 | ← so\n";
    let text = format!("| Clients | TPS | p50 (ms) | p90 (ms) |\n|--|--|--|--|\n| 10 | 800 | 80 | 120 |\n{row}");
    assert_eq!(
        shown(&text),
        "|: clients 10 tps 800 p50_ms 80 p90_ms 120; |: clients 100 tps 4300 p50_ms 280 p90_ms 800"
    );
    // The comma of a thousand, which no quotes hold together.
    assert!(remarks("threads,tps,avg_ms\n8,1,000,8.0\n16,1500,10.67\n").contains(&"published-row-left-out".to_owned()));
}

#[test]
fn names_in_headings_keep_their_signs() {
    let text = "Threads,r5.large TPS,node-pg TPS,TPS (workers=2)\n8,100,200,300\n";
    assert_eq!(shown(text), "r5.large|: clients 8 tps 100; node-pg|: clients 8 tps 200; workers=2|: clients 8 tps 300");
}

#[test]
fn a_table_may_have_one_figure_only() {
    assert_eq!(shown("| | A | B |\n|--|--|--|\n| TPS | 829 | 4099 |\n"), "A|: tps 829; B|: tps 4099");
    assert_eq!(shown("| | A | B |\n|--|--|--|\n| p95 (ms) | 8.1 | 4.2 |\n"), "A|: p95_ms 8.1; B|: p95_ms 4.2");
    assert!(read("| | A | B |\n|--|--|--|\n| Latency | 8.1 | 4.2 |\n".as_bytes(), "x").is_err());
}

#[test]
fn the_only_words_of_a_table_may_be_workloads() {
    let of = |heading: &str, name: &str| shown(&format!("{heading},threads,TPS\n{name},8,1000\n{name} 2,8,1500\n"));
    for heading in [
        "Test scenario",
        "Test case",
        "Query type",
        "Access pattern",
        "Load profile",
        "压测场景",
        "读写模式",
        "テスト種別",
        "시나리오",
        "테스트 유형",
        "Тип нагрузки",
        "Testfall",
    ] {
        assert_eq!(of(heading, "X"), "|X: clients 8 tps 1000; |X 2: clients 8 tps 1500", "{heading}");
    }
    let text = "What,threads,TPS\noltp_read_only,8,1000\nread write,8,1500\n";
    assert_eq!(shown(text), "|oltp_read_only: clients 8 tps 1000; |read write: clients 8 tps 1500");
    for heading in [
        "Test server",
        "测试环境",
        "テスト環境",
        "테스트 서버",
        "тестовый стенд",
        "Instance type",
        "What",
        "환경",
        "Среда",
    ] {
        assert_eq!(of(heading, "X"), "X|: clients 8 tps 1000; X 2|: clients 8 tps 1500", "{heading}");
    }
}

#[test]
fn words_about_how_busy_something_was_name_no_target() {
    for heading in ["CPU load", "CPU 利用率趋势", "CPU utilization", "Disk pressure", "CPU 사용률"] {
        let text = format!("threads,TPS,{heading}\n8,1000,low\n16,1500,high\n");
        assert_eq!(shown(&text), "|: clients 8 tps 1000; |: clients 16 tps 1500", "{heading}");
    }
    assert!(shown("threads,TPS,CPU model\n8,1000,a\n16,1500,b\n").starts_with("a|"));
}

#[test]
fn clients_may_stand_beside_the_threads_of_the_tool() {
    let text =
        "|DB / TPS|clients: 10<br />threads: 4|clients: 30<br />threads: 4|\n|--|--|--|\n|A|856|2714|\n|B|900|2800|\n";
    assert_eq!(
        shown(text),
        "A|: clients 10 tps 856; A|: clients 30 tps 2714; B|: clients 10 tps 900; B|: clients 30 tps 2800"
    );
    let rows = "| Load | TPS |\n|--|--|\n| -c 10 -j 2 | 500 |\n| -c 20 -j 2 | 900 |\n";
    assert_eq!(shown(rows), "|: clients 10 tps 500; |: clients 20 tps 900");
    let threads = "| Threads | QPS |\n|--|--|\n| 1T | 302 |\n| **4T** | 779 |\n";
    assert_eq!(shown(threads), "|: clients 1 qps 302; |: clients 4 qps 779");
}

#[test]
fn a_cell_of_several_numbers_is_said() {
    let text = "| clients | tps |\n|--|--|\n| 1 | 318 |\n| 2 | 286.7 / 285.1 / 282.4 |\n";
    assert_eq!((shown(text).as_str(), remarks(text)), ("|: clients 1 tps 318", vec!["published-no-number".to_owned()]));
}

#[test]
fn a_percentile_of_zero_beside_longer_times_was_not_measured() {
    let text = "| Metric | Value |\n|--|--|\n| TPS | 10 |\n| Min | 8.1 ms |\n| Avg | 13.7 ms |\n| P95 | 20.4 ms |\n| P99 | 0.00 ms |\n";
    assert_eq!(shown(text), "|: tps 10 min_ms 8.1 mean_ms 13.7 p95_ms 20.4");
    assert_eq!(remarks(text), ["published-not-measured"]);
    // A whole column of them is doubted.
    let column = "threads,TPS,avg (ms),p99 (ms)\n8,1000,8.0,0\n16,1500,10.67,0\n";
    assert!(audit(&published(column)).doubts.iter().any(|doubt| doubt.doubt.code == "zeros"));
}

#[test]
fn a_title_within_a_frame_says_what_its_figures_are() {
    let text = "Best: 255 TPS, 17.04 ms\n\n┌───────────────────────────┐\n│ TPS Comparison            │\n├───────────────────────────┤\n│ Config │ Min │ Avg │ Max  │\n├───────────────────────────┤\n│ a      │ 100 │ 120 │ 140  │\n│ b      │ 200 │ 180 │ 240  │\n└───────────────────────────┘\n";
    let read = published(text);
    assert!(
        read.results.iter().all(|result| result.get(tenbin_published::FigureKind::Min).is_none()),
        "{}",
        shown(text)
    );
    assert!(audit(&read).doubts.is_empty(), "{:?}", audit(&read).doubts);
}

#[test]
fn a_column_without_digits_compares_nothing() {
    let text = "threads,a TPS,b TPS,a err\n16,10653,1846,0\n32,11436,1879,0\n128,10885,1714,0\n";
    assert!(!audit(&published(text)).confirmed.iter().any(|all| all.is("published-comparisons-hold")));
    let ratio = "threads,a TPS,b TPS,x\n16,1000,1500,1.50\n32,1100,1540,1.40\n128,1200,2400,2.00\n";
    assert!(audit(&published(ratio)).confirmed.iter().any(|all| all.is("published-comparisons-hold")));
}

#[test]
fn why_a_table_is_not_read_is_said() {
    let why = why_not("| Clients | TPS |\n|--|--|\n| 1 | 181 |\n| 8 | 1.172 |\n");
    assert!(why.contains("1.172") && why.contains("two ways"), "{why}");
    let with_spread = "| Threads | TPS (±) |\n|--|--|\n| 8 | 1000 ± 12 |\n| 16 | 1500 ± 20 |\n";
    assert_eq!(shown(with_spread), "|: clients 8 tps 1000; |: clients 16 tps 1500");
}

#[test]
fn signs_of_a_text_are_no_reason() {
    let why = why_not("# tool\n\n- a: fast\n- b: simple\n\n$ tool --tps=1 run\n$ tool --tps=2 run\n");
    assert!(!why.contains("“$”") && !why.contains("“-”"), "{why}");
}

#[test]
fn throughput_of_something_else_is_no_figure() {
    let of = |what: &str| shown(&format!("threads,Throughput ({what}),p95 (ms)\n8,1000,12\n16,1500,13\n"));
    for what in ["tok/s", "tokens/sec", "images/s", "keys/s", "docs/second", "acq+rel/s"] {
        assert_eq!(of(what), "|: clients 8 p95_ms 12; |: clients 16 p95_ms 13", "{what}");
    }
    for what in ["1/s", "per second", "inserts/s", "commits/s", "events/s", "件/秒", "个/秒", "次/秒", "건/초"]
    {
        assert_eq!(of(what), "|: clients 8 tps 1000 p95_ms 12; |: clients 16 tps 1500 p95_ms 13", "{what}");
    }
    assert!(of("оп/с").contains("1000"));
    let cells = "| Clients | Throughput |\n|--|--|\n| Idle | — |\n| 25 | 585 req/s |\n| 200 | 2048 rps |\n";
    assert_eq!(shown(cells), "|: clients 25 qps 585; |: clients 200 qps 2048");
}

#[test]
fn how_long_it_took_in_seconds_is_no_response_time_beside_milliseconds() {
    let text = |heading: &str| {
        format!("并发,QPS,p50(ms),p95(ms),{heading}\n10,158,62.75,63.69,6.32\n20,159,120.5,140.2,6.30\n")
    };
    assert!(shown(&text("耗时(s)")).starts_with("|: clients 10 qps 158 p50_ms 62.75 p95_ms 63.69 seconds 6.32"));
    assert!(shown(&text("平均耗时(s)")).contains("mean_ms 6320"));
}

#[test]
fn names_that_programs_give_are_words() {
    let json =
        "[{\"threads\":8,\"requestsPerSec\":1000,\"avgLatencyMs\":8.0,\"p95Latency\":12,\"duration\":989999944}]";
    assert_eq!(shown(json), "|: clients 8 qps 1000 mean_ms 8 p95_ms 12");
    assert!(shown("threads,MySQL,MaxScale\n8,100,200\n16,200,300\n").contains("; MaxScale|: clients 8 unstated 200;"));
}

#[test]
fn the_total_of_one_row_is_no_copy_of_it() {
    let text = "Type,Name,Requests/s,Average Response Time\nGET,/a,98.2,13.5\n,Aggregated,98.2,13.5\n";
    assert_eq!((shown(text).matches("qps").count(), audit(&published(text)).doubts.len()), (1, 0));
}

#[test]
fn times_beside_workloads_are_those_of_the_products_above_them() {
    let text = "| Benchmark | MySQL (ms) | Dolt (ms) | Multiplier |\n|--|--|--|--|\n| point_select | 0.20 | 0.27 | 1.35x |\n| read_only | 38.20 | 5.28 | 0.14x (faster!) |\n";
    assert_eq!(
        shown(text),
        "MySQL|point_select: mean_ms 0.2; Dolt|point_select: mean_ms 0.27; MySQL|read_only: mean_ms 38.2; Dolt|read_only: mean_ms 5.28"
    );
}

#[test]
fn a_share_with_its_counts_is_no_word() {
    let text =
        "| -- | TPS | 成功率 |\n|--|--|--|\n| A | 24.98 | 36.94%(3322/5670) |\n| B | 22.71 | 89.48%(7317/860) |\n";
    assert_eq!(shown(text), "A|: tps 24.98; B|: tps 22.71");
}

#[test]
fn a_row_may_be_the_rate_without_the_time_of_connecting() {
    let rows = "| number of clients | 1 | 1 |\n| number of transactions | 1000 | 1000 |\n| latency average (ms) | 8.5 | 13.6 |\n| tps (including connections) | 110.5 | 70.1 |\n| tps (excluding connections) | 117.05 | 73.74 |\n";
    let text = format!("|  | A | B |\n|--|--|--|\n{rows}");
    assert_eq!(
        shown(&text),
        "A|: clients 1 tps 117.05 mean_ms 8.5 transactions 1000; B|: clients 1 tps 73.74 mean_ms 13.6 transactions 1000"
    );
}

#[test]
fn sizes_are_no_targets() {
    let text = "| Instance Specification | Storage Capacity | Clients | TPS |\n|--|--|--|--|\n| 2-core, 4 GB | 200 GB | 8 | 816 |\n| 8-core, 32 GB | 700 GB | 16 | 3768 |\n";
    assert_eq!(shown(text), "2-core, 4 GB|: clients 8 tps 816; 8-core, 32 GB|: clients 16 tps 3768");
}

#[test]
fn rows_of_figures_may_have_names_beside_them() {
    let read = "| Metric | A | B |\n|--|--|--|\n| Read TPS | 100 | 200 |\n| Write TPS | 50 | 60 |\n";
    assert_eq!(shown(read), "A|Read: tps 100; A|Write: tps 50; B|Read: tps 200; B|Write: tps 60");
    let text = "| Metric | Value |\n|--|--|\n| Threads | 8 |\n| MySQL QPS | 100 |\n| MySQL p95 latency (ms) | 10 |\n| MariaDB QPS | 50 |\n| MariaDB p95 latency (ms) | 20 |\n";
    assert_eq!(shown(text), "MySQL|: clients 8 qps 100 p95_ms 10; MariaDB|: clients 8 qps 50 p95_ms 20");
    // The rates of parts beside that of all, and times of something else.
    let parts = "| Metric | Value |\n|--|--|\n| TPS | 100 |\n| Read TPS | 70 |\n| Commit latency (ms) | 3 |\n";
    assert_eq!(shown(parts), "|: tps 100");
}

#[test]
fn a_percentile_in_a_row_is_no_mean() {
    for rows in [
        "| commit avg | 5 ms | 4 ms |\n| commit p95 | 9 ms | 7 ms |\n",
        "| read p99 | 9 ms | 7 ms |\n| write p99 | 19 ms | 17 ms |\n",
    ] {
        let text = format!("| Step | A | B |\n|--|--|--|\n{rows}");
        assert!(read(text.as_bytes(), "x").is_err(), "{}", shown(&text));
    }
    let of_queries = "| Step | A | B |\n|--|--|--|\n| lookup | 9 ms | 7 ms |\n| max price | 19 ms | 17 ms |\n";
    assert!(shown(of_queries).contains("mean_ms 19"));
}

#[test]
fn shares_in_the_first_column_are_no_percentiles() {
    let text = "Change,Server,Clients,TPS,Mean (ms)\n+1%,A,1,1529,0.65\n+6%,A,2,3076,0.65\n+5%,A,4,6153,0.65\n";
    assert_eq!(
        shown(text),
        "A|: clients 1 tps 1529 mean_ms 0.65; A|: clients 2 tps 3076 mean_ms 0.65; A|: clients 4 tps 6153 mean_ms 0.65"
    );
    let of_reads = "| Read % | TPS | Latency (ms) |\n|--|--|--|\n| 50% | 900 | 9 |\n| 95% | 1500 | 7 |\n";
    assert!(shown(of_reads).contains("tps 900 mean_ms 9"), "{}", shown(of_reads));
    let percentiles = "| Percentile | Latency (ms) |\n|--|--|\n| 50% | 5 |\n| 95% | 9 |\n";
    assert_eq!(shown(percentiles), "|: p50_ms 5 p95_ms 9");
}
