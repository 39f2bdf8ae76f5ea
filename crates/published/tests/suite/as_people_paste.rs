//! Tables as people paste them into articles, tickets and chats, each with the figures that are right.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{Published, audit, read};

fn codes(text: &str) -> Vec<String> {
    let read = read(text.as_bytes(), "x").unwrap_or_else(|problem| panic!("{problem:?}: {text}"));
    audit(&read).doubts.iter().map(|finding| finding.doubt.code.clone()).collect()
}

#[test]
fn tables_of_psql_keep_their_columns_below_an_empty_heading() {
    agree(&[
        (
            "             | pg15  | pg16\n-------------+-------+------\n clients=16  | 20112 | 20890\n clients=64  | 35521 | 36610\n",
            "pg15 clients 16 unstated 20112; pg16 clients 16 unstated 20890; pg15 clients 64 unstated 35521; pg16 clients 64 unstated 36610",
        ),
        (
            " db | threads |  tps\n----+---------+------\n a  |       8 | 1000\n    |      16 | 1800\n",
            "a clients 8 tps 1000; a clients 16 tps 1800",
        ),
        ("|a|b|\n--|--\n|8|100|\n", "nothing"),
        ("|threads|tps|\n--|--\n|8|100|\n", "clients 8 tps 100"),
    ]);
}

#[test]
fn means_beside_their_runs_are_checked_and_are_no_times() {
    let runs = |mean: &str| {
        format!("|Threads|Run 1|Run 2|Run 3|{mean}|\n|-|-|-|-|-|\n|8|1000|1020|1004|1008|\n|16|1800|1840|1814|")
    };
    let of_runs = "run=Run 1 clients 8 tps 1000; run=Run 2 clients 8 tps 1020; run=Run 3 clients 8 tps 1004; run=Run 1 clients 16 tps 1800; \
                   run=Run 2 clients 16 tps 1840; run=Run 3 clients 16 tps 1814";
    for mean in ["Mean", "Average", "Avg", "平均", "Average of 3 runs"] {
        for (last, doubts) in [("1818", 0), ("1918", 1)] {
            for (caption, kind) in [("", " unstated "), ("### TPS\n\n", " tps ")] {
                let text = format!("{caption}{}{last}|\n", runs(mean));
                assert_eq!(shown(&text), of_runs.replace(" tps ", kind), "{text}");
                assert_eq!(codes(&text), vec!["summary"; doubts], "{text}");
                assert!(!remarks(&text).contains(&"published-column-unknown".to_owned()), "{text}");
            }
        }
    }
    let median = format!("### TPS\n\n{}1814|\n", runs("Median").replace("1008", "1004"));
    assert_eq!((shown(&median).as_str(), codes(&median).len()), (of_runs, 0));
    // Of which it is said that they are rates.
    let rates = "Threads,TPS (run 1),TPS (run 2),TPS (avg)\n16,5012,5078,5045\n32,7200,7311,7900\n";
    let of_rates = "run=run 1 clients 16 tps 5012; run=run 2 clients 16 tps 5078; run=run 1 clients 32 tps 7200; run=run 2 clients 32 tps 7311";
    assert_eq!((shown(rates).as_str(), codes(rates)), (of_rates, vec!["summary".to_owned()]));
    // Beside other columns a mean is one of times.
    agree(&[("Threads,TPS,Avg\n8,1000,8\n", "clients 8 tps 1000 mean_ms 8")]);
}

#[test]
fn a_column_of_units_is_of_the_rates_beside_it() {
    agree(&[(
        "workload,db,threads,throughput,p50,p99,unit\nA,a,16,5200,2.1,12.0,ops/sec\nA,b,16,7100,1.7,9.9,ops/sec\n",
        "a clients 16 tps 5200 p50_ms 2.1 p99_ms 12; b clients 16 tps 7100 p50_ms 1.7 p99_ms 9.9",
    )]);
}

#[test]
fn tables_in_many_languages_are_read() {
    agree(&[
        (
            "線程數\tQPS\tTPS\t平均延遲(ms)\t95%延遲(ms)\n16\t45820.12\t2291.01\t6.98\t9.22\n",
            "clients 16 tps 2291.01 qps 45820.12 mean_ms 6.98 p95_ms 9.22",
        ),
        (
            "|동시 접속|TPS|평균응답(ms)|최대(ms)|오류|\n|-|-|-|-|-|\n|10|1,250.5|7.99|45|0|\n",
            "clients 10 tps 1250.5 mean_ms 7.99 max_ms 45 failed 0",
        ),
        (
            "| Клиенты | TPS, тыс. | Средняя задержка, мс | 99-й перцентиль, мс |\n|-|-|-|-|\n| 8 | 9,6 | 0,83 | 1,9 |\n",
            "clients 8 tps 9600 mean_ms 0.83 p99_ms 1.9",
        ),
        (
            "Threads;Durchsatz (TPS);Mittlere Latenz (ms);P95 (ms)\n1;1.021,5;0,98;1,2\n64;12.120,7;5,28;11,4\n",
            "clients 1 tps 1021.5 mean_ms 0.98 p95_ms 1.2; clients 64 tps 12120.7 mean_ms 5.28 p95_ms 11.4",
        ),
        (
            "| 并发 | MySQL QPS(万) | TiDB QPS(万) | 提升 |\n|-|-|-|-|\n| 64 | 3.2 | 4.1 | 28% |\n",
            "MySQL clients 64 qps 32000; TiDB clients 64 qps 41000",
        ),
        (
            "|多重度|スループット(件/分)|平均(秒)|最大(秒)|\n|-|-|-|-|\n|10|1200|0.5|1.9|\n",
            "clients 10 tps 20 mean_ms 500 max_ms 1900",
        ),
        ("|スレッド数|処理件数|経過時間(秒)|件/秒|\n|-|-|-|-|\n|8|60000|60|1000|\n", "clients 8 tps 1000 seconds 60"),
    ]);
}

#[test]
fn the_forms_of_articles_and_tickets_are_read() {
    agree(&[
        (
            "| | MySQL 5.7.44 | MySQL 8.4.0 |\n|-|-|-|\n| 1 thread | 345.2 | 310.1 |\n| 16 threads | 4,102.7 | 3,911.0 |\n\nTPS, higher is better.\n",
            "MySQL 5.7.44 clients 1 tps 345.2; MySQL 8.4.0 clients 1 tps 310.1; MySQL 5.7.44 clients 16 tps 4102.7; MySQL 8.4.0 clients 16 tps 3911",
        ),
        (
            "threads | before (tps) | after (tps) | change\n-|-|-|-\n16 | 2100 | 2415 | +15%\n32 | 3050 | 3600 | +18%\n",
            "before clients 16 tps 2100; after clients 16 tps 2415; before clients 32 tps 3050; after clients 32 tps 3600",
        ),
        (
            "Here are the numbers (thousand QPS):\n\n| threads | 5.6 | 8.0 |\n|-|-|-|\n| 1 | 13 | 9 |\n| 1024 | 290 | 512 |\n",
            "5.6 clients 1 qps 13000; 8.0 clients 1 qps 9000; 5.6 clients 1024 qps 290000; 8.0 clients 1024 qps 512000",
        ),
        (
            "| Concurrency | Avg latency | p99 | req/s |\n|-|-|-|-|\n| 10 | 2.1ms | 6.2ms | 4,760 |\n| 1000 | 1.21s | 4.1s | 826 |\n",
            "clients 10 qps 4760 mean_ms 2.1 p99_ms 6.2; clients 1000 qps 826 mean_ms 1210 p99_ms 4100",
        ),
        (
            "| users | response time (s) | throughput (req/min) |\n|-|-|-|\n| 50 | 0.25 | 12000 |\n",
            "clients 50 tps 200 mean_ms 250",
        ),
        (
            "| Threads | ext4 | xfs |\n|-|-|-|\n| 16 | 3120 (±45) | 3220 (±38) |\n",
            "ext4 clients 16 unstated 3120; xfs clients 16 unstated 3220",
        ),
        (
            "| Threads | DB | TPS | p99 |\n|-|-|-|-|\n| 8 | MySQL | 1000 | 12 ms |\n|   | MariaDB | 1100 | 11 ms |\n",
            "MySQL clients 8 tps 1000 p99_ms 12; MariaDB clients 8 tps 1100 p99_ms 11",
        ),
        (
            "| | TPS | | Latency | |\n|-|-|-|-|-|\n| Threads | MySQL | PG | MySQL | PG |\n| 8 | 1000 | 1100 | 8.0 | 7.3 |\n",
            "MySQL clients 8 tps 1000 mean_ms 8; PG clients 8 tps 1100 mean_ms 7.3",
        ),
        (
            "Threads:      1      8     64\nTPS:        410   2890   6120\n95%(ms):   2.91   3.49  15.27\n",
            "clients 1 tps 410 p95_ms 2.91; clients 8 tps 2890 p95_ms 3.49; clients 64 tps 6120 p95_ms 15.27",
        ),
        (
            "| Cores | Linear | Actual TPS | Efficiency |\n|-|-|-|-|\n| 1 | 1000 | 1000 | 100% |\n| 4 | 4000 | 3700 | 92.5% |\n",
            "Cores=1 tps 1000; Cores=4 tps 3700",
        ),
        (
            "| Threads | Latency (avg/p95/p99) ms | TPS |\n|-|-|-|\n| 8 | 8.0/10.1/12.2 | 1000 |\n",
            "clients 8 tps 1000 mean_ms 8 p95_ms 10.1 p99_ms 12.2",
        ),
        (
            "sep=;\nThreads;TPS;Latency (ms)\n8;1000,5;8,0\n16;1800,2;8,89\n",
            "clients 8 tps 1000.5 mean_ms 8; clients 16 tps 1800.2 mean_ms 8.89",
        ),
        ("# sysbench 1.0.20\n# host: db1\nthreads,tps,avg_ms\n8,1000.5,8.0\n", "clients 8 tps 1000.5 mean_ms 8"),
        (
            "{\"data\":{\"values\":[{\"threads\":8,\"tps\":1000,\"db\":\"a\"},{\"threads\":8,\"tps\":1100,\"db\":\"b\"}]},\"mark\":\"line\"}",
            "a clients 8 tps 1000; b clients 8 tps 1100",
        ),
        ("- **8 threads**: 1200 TPS\n- **16 threads**: 2100 TPS\n", "clients 8 tps 1200; clients 16 tps 2100"),
    ]);
}

#[test]
fn what_is_no_result_of_a_database_is_not_read_as_one() {
    for text in [
        "### CPU usage\n\n| Threads | MySQL | PG |\n|-|-|-|\n| 8 | 45 | 51 |\n",
        "### Memory (GB)\n\n| Threads | MySQL | PG |\n|-|-|-|\n| 8 | 4.5 | 5.1 |\n",
        "| Rows inserted | MySQL | PG |\n|-|-|-|\n| 100000 | 12.3 | 10.1 |\n",
        "| threads | reads/s | writes/s |\n|-|-|-|\n| 8 | 9000 | 2000 |\n",
        "| Threads | TPS (min-max) |\n|-|-|\n| 8 | 1000 (980-1020) |\n",
        "| Threads | MySQL 8.0 | MySQL 8.4 |\n|-|-|-|\n| 8 | 1000 → 1200 | 1100 → 1300 |\n",
        "goos: linux\nBenchmarkInsert/threads-8-16  5000  234567 ns/op  512 B/op\nPASS\n",
        "bench_tps{db=\"mysql\",threads=\"8\"} 1000\nbench_tps{db=\"mysql\",threads=\"16\"} 1800\n",
        "Running 30s test\n  12 threads and 400 connections\n  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency    12.91ms   15.33ms 350.29ms   94.47%\nRequests/sec:  37150.60\n",
    ] {
        assert_eq!(shown(text), "nothing", "{text}");
    }
    agree(&[
        ("| # | DB | TPS |\n|-|-|-|\n| 1 | PG | 3000 |\n| 2 | MySQL | 2500 |\n", "PG tps 3000; MySQL tps 2500"),
        ("| load (TPS) | p99 ms |\n|-|-|\n| 1000 | 5 |\n| 2000 | 9 |\n", "p99_ms 5; p99_ms 9"),
        ("| Target QPS | Actual QPS | p99 ms |\n|-|-|-|\n| 5000 | 4200 | 90 |\n", "qps 4200 p99_ms 90"),
        ("| Day | TPS peak | TPS avg |\n|-|-|-|\n| Mon | 5000 | 2100 |\n", "Mon tps 2100"),
        ("| Threads | TPS | tps/thread |\n|-|-|-|\n| 8 | 1000 | 125 |\n", "clients 8 tps 1000"),
    ]);
}

#[test]
fn lists_and_frames_are_read_as_tables_are() {
    let page = "<html><head><title>1 TPS</title><script>var tps = 5;</script></head><body><ul><li>8 threads: 1000 TPS</li><li>16 threads: 1800 TPS</li></ul></body></html>";
    agree(&[
        (page, "clients 8 tps 1000; clients 16 tps 1800"),
        (
            "   threads     tps  p95_ms\n0        8  1000.5    9.10\n1       16  1800.2   10.30\n",
            "clients 8 tps 1000.5 p95_ms 9.1; clients 16 tps 1800.2 p95_ms 10.3",
        ),
        (
            "    threads      tps\n0         1    120.5\n1         2    235.5\n..      ...      ...\n9       512   9900.1\n\n[10 rows x 2 columns]\n",
            "clients 1 tps 120.5; clients 2 tps 235.5; clients 512 tps 9900.1",
        ),
        (
            "db       mariadb_tps   mysql_tps\nthreads                         \n8             1100.2      1000.5\n16            1900.3      1800.2\n",
            "mariadb clients 8 tps 1100.2; mysql clients 8 tps 1000.5; mariadb clients 16 tps 1900.3; mysql clients 16 tps 1800.2",
        ),
        (
            "                  tps\ndb      threads        \nmysql   8      1000.5\n        16     1800.2\nmariadb 8      1100.2\n",
            "mysql clients 8 tps 1000.5; mysql clients 16 tps 1800.2; mariadb clients 8 tps 1100.2",
        ),
        (
            "         tps p95_ms\nMySQL 1000.5    9.1\nPG 17 1800.2   10.3\n",
            "MySQL tps 1000.5 p95_ms 9.1; PG 17 tps 1800.2 p95_ms 10.3",
        ),
    ]);
}

#[test]
fn runs_whose_names_have_the_number_of_clients_are_one_curve() {
    let slap = |name: &str, clients: u32| {
        format!(
            "### {name}\nBenchmark\n\tAverage number of seconds to run all queries: 5.5 seconds\n\tNumber of clients running queries: {clients}\n\tAverage number of queries per client: 100\n\n"
        )
    };
    for sign in [" ", "/", "-", "_"] {
        let text: String =
            ["a", "b"].iter().flat_map(|name| [8, 16].map(|n| slap(&format!("{name}{sign}{n}"), n))).collect();
        let read: Published = read(text.as_bytes(), "x.log").unwrap();
        let targets: Vec<&str> = read.results.iter().map(|result| result.target_name()).collect();
        assert_eq!(targets, ["a", "a", "b", "b"], "{text}");
    }
}

#[test]
fn several_statistics_below_one_unit_are_figures_and_a_rate_per_minute_is_no_time() {
    agree(&[
        (
            "|Threads|TPS|min/avg/max (ms)|\n|-|-|-|\n|8|1000|1.2/8.0/40|\n|16|1500|1.3/10.67/60|\n",
            "clients 8 tps 1000 min_ms 1.2 mean_ms 8 max_ms 40; clients 16 tps 1500 min_ms 1.3 mean_ms 10.67 max_ms 60",
        ),
        ("|Threads|TPS|TPS (min/max)|\n|-|-|-|\n|8|1000|900/1100|\n", "clients 8 tps 1000"),
    ]);
    for caption in ["処理件数(件/分)", "エラー件数(件/分)"] {
        let text = format!("### {caption}\n\n|多重度|A|B|\n|-|-|-|\n|1|6000|7200|\n");
        assert!(!shown(&text).contains("_s ") && !shown(&text).contains("_ms "), "{caption}: {}", shown(&text));
    }
}

#[test]
fn names_and_spreads_as_articles_write_them() {
    agree(&[
        (
            "|Percentile|MySQL (ms)|PG (ms)|\n|-|-|-|\n|p50|8|7|\n|p95|12|11|\n|p99|20|19|\n",
            "MySQL p50_ms 8 p95_ms 12 p99_ms 20; PG p50_ms 7 p95_ms 11 p99_ms 19",
        ),
        (
            "|Isolation|RC|RR|\n|-|-|-|\n|TPS|1000|900|\n|p95 (ms)|12|14|\n",
            "RC tps 1000 p95_ms 12; RR tps 900 p95_ms 14",
        ),
        (
            "config | threads | tps (mean ± sd)\n-|-|-\nA | 8 | 1000 ± 20\nB | 8 | 1100 ± 25\n",
            "A clients 8 tps 1000; B clients 8 tps 1100",
        ),
        (
            "|TPS|c=8|c=16|\n|-|-|-|\n|MySQL|1000|1500|\n|PG|1200|1700|\n",
            "MySQL clients 8 tps 1000; MySQL clients 16 tps 1500; PG clients 8 tps 1200; PG clients 16 tps 1700",
        ),
        (
            "TPS\n\n|Version|c=1|c=8|\n|-|-|-|\n|PG 15|400|2500|\n|PG 16|410|2600|\n",
            "Version=PG 15 clients 1 tps 400; Version=PG 15 clients 8 tps 2500; Version=PG 16 clients 1 tps 410; Version=PG 16 clients 8 tps 2600",
        ),
        (
            "TPS by threads\n\n|Server|8T|16T|\n|-|-|-|\n|A|1000|1800|\n|B|1010|1790|\n",
            "A clients 8 tps 1000; A clients 16 tps 1800; B clients 8 tps 1010; B clients 16 tps 1790",
        ),
        // The second table of a file has figures of its own.
        (
            "threads,tps\n1,227\n8,1639\n\nthreads,latency\n1,4.4\n8,4.88\n",
            "clients 1 tps 227 mean_ms 4.4; clients 8 tps 1639 mean_ms 4.88",
        ),
        (
            "|Threads|TPS|\n|-|-|\n|8|1000|\n|16|1500|\n|Threads|Latency (ms)|\n|8|8.0|\n|16|10.67|\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67",
        ),
        // Numbers of rows name nothing.
        (
            "|#|Engine|1 client|8 clients|\n|-|-|-|-|\n|1|InnoDB|400|3000|\n|2|MyRocks|420|3100|\n",
            "Engine=InnoDB clients 1 unstated 400; Engine=InnoDB clients 8 unstated 3000; Engine=MyRocks clients 1 unstated 420; Engine=MyRocks clients 8 unstated 3100",
        ),
        // Sizes, for all that is said.
        ("|Table|1T|2T|4T|\n|-|-|-|-|\n|A|1000|900|800|\n", "nothing"),
        (
            "threads 8 tps 1000 avg 8.0\nthreads 16 tps 1500 avg 10.67\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1500 mean_ms 10.67",
        ),
        ("|Threads|TPS|99th (ms)|Err|\n|-|-|-|-|\n|8|1000|20|0|\n", "clients 8 tps 1000 p99_ms 20 failed 0"),
        (
            "|Threads|TPS (95% CI)|p95 (ms)|\n|-|-|-|\n|8|1000 ± 12|12.0|\n|16|1500 [1480, 1520]|19.0|\n",
            "clients 8 tps 1000 p95_ms 12; clients 16 tps 1500 p95_ms 19",
        ),
        // Half the width of an interval, and not a mean.
        (
            "|Threads|TPS (95% CI)|p95 (ms)|\n|-|-|-|\n|8|12|12.0|\n|16|20|19.0|\n",
            "clients 8 p95_ms 12; clients 16 p95_ms 19",
        ),
        ("|Threads|TPS|TPS (95% CI)|\n|-|-|-|\n|8|1000|990 ± 12|\n", "clients 8 tps 1000"),
        // A spread without a mean beside it, and a share.
        ("|Threads|TPS|± TPS|\n|-|-|-|\n|8|1000|20|\n", "clients 8 tps 1000"),
    ]);
}

/// What was measured of one and what was measured of another are no figures of one result.
#[test]
fn tables_of_two_products_or_workloads_are_not_joined() {
    for (one, other) in [("MySQL", "MariaDB"), ("oltp_read_only", "oltp_write_only"), ("MySQL 8.0", "MySQL 8.4")] {
        let text = |one: &str, other: &str| {
            format!("## {one}\n\n|Threads|TPS|\n|-|-|\n|8|1000|\n\n## {other}\n\n|Threads|p95 (ms)|\n|-|-|\n|8|12|\n")
        };
        let apart = read(text(one, other).as_bytes(), "x").unwrap();
        assert_eq!(apart.results.len(), 2, "{one} {other}");
        let joined = read(text(one, &format!("{one} latency")).as_bytes(), "x").unwrap();
        assert_eq!(joined.results.len(), 1, "{one}");
    }
}
