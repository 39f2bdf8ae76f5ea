//! What people publish, in the forms in which it is found: each with the figures that are right, or without those that would be wrong.

use tenbin_published::{Published, audit, read};

fn published(text: &str) -> Published {
    read(text.as_bytes(), "x").unwrap_or_else(|problem| panic!("{problem:?}: {text}"))
}

/// Each result as its target and its figures.
fn shown(text: &str) -> String {
    let one = |result: &tenbin_published::PublishedResult| {
        let figures = result.figures.iter().map(|(kind, (quantity, _))| format!("{} {}", kind.name(), quantity.value));
        result.target.iter().cloned().chain(figures).collect::<Vec<_>>().join(" ")
    };
    published(text).results.iter().map(one).collect::<Vec<_>>().join("; ")
}

fn verdict(text: &str) -> &'static str {
    audit(&published(text)).verdict_name()
}

fn codes(text: &str) -> Vec<String> {
    audit(&published(text)).doubts.iter().map(|finding| finding.doubt.code.clone()).collect()
}

#[test]
fn a_unit_or_a_statistic_decides_what_a_heading_means() {
    for (heads, figures) in [
        ("Average TPS,avg latency (ms)", "tps 900 mean_ms 8"),
        ("Avg QPS,p95 (ms)", "qps 900 p95_ms 8"),
        ("平均TPS,平均応答時間(ms)", "tps 900 mean_ms 8"),
        ("Max TPS,TPS", "tps 8"),
        ("TPS,purge_tps", "tps 900"),
        ("TPS,TPS per core", "tps 900"),
        ("TPS,p95 TPS", "tps 900"),
        ("latency avg,latency stddev", "mean_ms 900 deviation 8"),
        ("TPS,median latency", "tps 900 p50_ms 8"),
        ("TPS,Latency (ms) p95", "tps 900 p95_ms 8"),
        ("orders/min,avg_ms", "mean_ms 8"),
        ("Transactions/min,avg_ms", "tpm 900 mean_ms 8"),
        ("Throughput (requests/second),avg_ms", "qps 900 mean_ms 8"),
        ("NOTPM,TPM", "nopm 900 tpm 8"),
        ("QPS,90% Line", "qps 900 p90_ms 8"),
        ("Durchsatz,mittlere Latenz (ms)", "tps 900 mean_ms 8"),
        ("每秒事务数,平均延迟(ms)", "tps 900 mean_ms 8"),
        ("TPS,TP99(ms)", "tps 900 p99_ms 8"),
        ("초당 트랜잭션,평균 지연 시간(ms)", "tps 900 mean_ms 8"),
        ("Пропускная способность,Средняя задержка (мс)", "tps 900 mean_ms 8"),
    ] {
        let all = shown(&format!("threads,{heads}\n4,900,8\n"));
        assert_eq!(all.split_once("clients 4 ").map_or("", |(_, rest)| rest), figures, "{heads}");
    }
    // Words for clients.
    for head in ["线程数", "并发数", "스레드", "Клиентов", "Количество потоков", "Verbindungen", "スレッド数"]
    {
        assert_eq!(shown(&format!("{head},TPS\n4,900\n8,1000\n")), "clients 4 tps 900; clients 8 tps 1000", "{head}");
    }
    assert_eq!(shown("tables,16线程,32线程\n4,900,1000\n"), "clients 16 unstated 900; clients 32 unstated 1000");
    // Percentiles of a rate are no times.
    let of_rate = "target,Mean NOTPM,Std Dev,P5,P95\nA,126418,12613,109640,141021\nB,134695,14780,109215,151464\n";
    assert_eq!(shown(of_rate), "A nopm 126418 deviation 12613; B nopm 134695 deviation 14780");
}

#[test]
fn shares_comparisons_and_several_numbers_are_no_targets() {
    for (table, results) in [
        ("|threads|TPS|errors|\n|-|-|-|\n|8|900|0%|\n|16|950|0.01%|\n", "clients 8 tps 900; clients 16 tps 950"),
        ("|threads|A|B|Diff|\n|-|-|-|-|\n|8|568|571|+0.5%|\n", "A clients 8 unstated 568; B clients 8 unstated 571"),
        (
            "|threads|A|B|Improvement|\n|-|-|-|-|\n|8|568|571|1.01|\n",
            "A clients 8 unstated 568; B clients 8 unstated 571",
        ),
        ("|threads|TPS|min/avg/max|\n|-|-|-|\n|8|900|1.1 / 2.2 / 3.3|\n", "clients 8 tps 900"),
        (
            " threads |  tps  | avg_ms \n---------+-------+--------\n       8 |   900 |    8.8\n(1 row)\n",
            "clients 8 tps 900 mean_ms 8.8",
        ),
        ("threads,TPS,\"avg latency\n(ms)\"\n8,900,8.8\n", "clients 8 tps 900 mean_ms 8.8"),
        (
            ",A,,B,\nthreads,TPS,avg (ms),TPS,avg (ms)\n8,900,8.8,950,8.4\n",
            "A clients 8 tps 900 mean_ms 8.8; B clients 8 tps 950 mean_ms 8.4",
        ),
        (
            "<html><h1>x</h1><table><tr><th>threads<th>TPS<th>avg (ms)<tr><td>8<td>900<td>8.8</table>",
            "clients 8 tps 900 mean_ms 8.8",
        ),
    ] {
        assert_eq!(shown(table), results, "{table}");
    }
}

#[test]
fn what_was_not_checked_is_not_confirmed() {
    assert_eq!(verdict("threads,A,B\n8,900,950\n16,990,999\n"), "UNCHECKED");
    assert_eq!(verdict("threads,TPS,avg_ms\n8,1000,8.0\n"), "VALID");
    // A column of clients that cannot be understood: no repeats.
    let repeats = |text: &str| audit(&published(text)).confirmed.iter().any(|message| message.is("published-repeated"));
    assert!(!repeats("xyzzy,TPS,QPS\n8,100,2000\n16,190,3800\n"));
    assert!(repeats("threads,TPS,QPS\n8,100,2000\n8,104,2080\n"));
}

#[test]
fn what_cannot_be_is_found_without_a_mean() {
    assert_eq!(codes("threads,TPS,QPS\n8,40000,2000\n16,60000,3000\n"), ["part-and-whole"]);
    assert_eq!(codes("target,NOPM,TPM\na,5000,2000\n"), ["part-and-whole"]);
    assert_eq!(codes("threads,tps,max_ms\n64,1000,5\n128,1200,6\n"), ["implied-mean"]);
    assert_eq!(codes("threads,tps,p99_ms\n64,30000,1\n"), ["implied-mean"]);
    assert_eq!(codes("threads,tps,p99_ms\n64,30000,4\n"), [""; 0]);
}

/// A report of sysbench in words of our own around its labels; `between`: more lines of the settings.
fn sysbench(threads: u32, tps: f64, between: &str) -> String {
    let n = (tps * 100.0).round();
    let mean = 1e3 * f64::from(threads) / tps;
    format!(
        "Running the test with following options:\nNumber of threads: {threads}\n{between}\nSQL statistics:\n    queries performed:\n        read: {n}\n        write: 0\n        other: 0\n        total: {n}\n    transactions: {n} ({tps:.2} per sec.)\n    queries: {n} ({tps:.2} per sec.)\n    ignored errors: 0 (0.00 per sec.)\nGeneral statistics:\n    total time: 100.0000s\n    total number of events: {n}\nLatency (ms):\n         min: 0.10\n         avg: {mean:.2}\n         max: 900.00\n         95th percentile: {:.2}\n         sum: {:.2}\nThreads fairness:\n    events (avg/stddev): {:.4}/1.00\n    execution time (avg/stddev): 100.0000/0.00\n",
        mean * 1.5,
        mean * n,
        n / f64::from(threads)
    )
}

#[test]
fn true_logs_are_valid_in_whatever_they_are_wrapped() {
    let log = sysbench(16, 3480.0, "");
    let clients = |text: &str| published(text).results[0].get(tenbin_published::FigureKind::Clients);
    for wrapped in [
        log.clone(),
        log.lines().map(|line| format!("bench-1  | {line}\n")).collect(),
        log.lines().map(|line| format!("2025-01-02T03:04:05.1234567Z {line}\n")).collect(),
        log.lines().map(|line| format!("[2025-01-02 03:04:05] {line}\n")).collect(),
        log.lines().map(|line| format!("> {line}\n")).collect(),
        log.lines().map(|line| format!("\u{1b}[32m{line}\u{1b}[0m\n")).collect(),
        log.lines()
            .map(|line| format!("{}\n", serde_json::json!({"log": format!("{line}\n"), "stream": "stdout"})))
            .collect(),
    ] {
        assert_eq!((verdict(&wrapped), clients(&wrapped)), ("VALID", Some(16.0)), "{wrapped}");
    }
    // An aborted run leaves nothing to the next.
    let aborted = format!(
        "Running the test with following options:\nNumber of threads: 16\n[ 10s ] thds: 16 tps: 1.00 qps: 2\nFATAL: x\n{}",
        sysbench(1, 568.0, "")
    );
    assert_eq!((verdict(&aborted), clients(&aborted)), ("VALID", Some(1.0)));
    // At a rate the times include the wait, and clients are idle.
    let at_a_rate = audit(&published(&sysbench(250, 500.0, "Target transaction rate: 500/sec")));
    assert!(!at_a_rate.confirmed.iter().any(|message| message.is("published-little-holds")));
    assert_eq!(at_a_rate.doubts, []);
}

#[test]
fn runs_of_different_transactions_are_no_repeats() {
    let log =
        |writes: u32| sysbench(16, 3480.0, "").replace("        write: 0\n", &format!("        write: {writes}\n"));
    let repeated =
        |text: &str| audit(&published(text)).confirmed.iter().any(|message| message.is("published-repeated"));
    assert!(repeated(&[log(0), log(0)].concat()) && repeated(&[log(348_000), log(348_500)].concat()));
    assert!(!repeated(&[log(0), log(348_000)].concat()));
}

#[test]
fn pgbench_connects_within_its_time_and_its_scales_are_no_repeats() {
    let report = |more: &str, tps: &str| {
        format!(
            "transaction type: <builtin: select only>\nscaling factor: 1\nquery mode: simple\nnumber of clients: 500\nduration: 30 s\nnumber of transactions actually processed: 420260\nlatency average = 31.212 ms\n{more}{tps}\n"
        )
    };
    let new = report("initial connection time = 3766.000 ms\n", "tps = 16019.4 (without initial connection time)");
    assert_eq!(verdict(&new), "VALID");
    let each = report("average connection time = 13 ms\n", "tps = 14008.7 (including reconnection times)");
    assert!(shown(&each).contains("tps 14008.7"), "{}", shown(&each));
    let two = new.clone() + &new.replace("scaling factor: 1", "scaling factor: 7").replace("16019.4", "16020.4");
    assert!(!audit(&published(&two)).confirmed.iter().any(|message| message.is("published-repeated")));
    let hammer =
        "Vuser 1:4 Active Virtual Users configured\nVuser 1:TEST RESULT : System achieved 2436 MySQL TPM at 824 NOPM\n";
    assert_eq!(shown(hammer), "clients 4 nopm 824 tpm 2436");
}

#[test]
fn a_mean_over_a_step_is_of_neither_side() {
    let log = |rates: &dyn Fn(u32) -> f64| {
        let periods: String =
            (1..=60).map(|n| format!("[ {}s ] thds: 16 tps: {:.2} qps: 1\n", 10 * n, rates(n))).collect();
        let mean = (1..=60).map(rates).sum::<f64>() / 60.0;
        sysbench(16, mean, "")
            .replace("total time: 100.0000s", "total time: 600.0000s")
            .replace("SQL statistics:", &format!("{periods}SQL statistics:"))
    };
    let has_step = |text: &str| codes(text).contains(&"step".to_owned());
    assert!(has_step(&log(&|n| if n < 15 { 4700.0 } else { 1900.0 } + f64::from(n % 3) * 20.0)));
    assert!(!has_step(&log(&|n| 4700.0 + f64::from(n % 5) * 300.0)), "it scatters");
    assert!(!has_step(&log(&|n| 4700.0 - f64::from(n) * 30.0)), "it drifts");
}

#[test]
fn a_step_of_a_short_run_is_a_large_one() {
    let codes_of = |rates: &[f64]| {
        let periods: String =
            (1..).zip(rates).map(|(n, rate)| format!("[ {}s ] thds: 16 tps: {rate:.2} qps: 1\n", 10 * n)).collect();
        let mean = rates.iter().sum::<f64>() / rates.len() as f64;
        let seconds = format!("total time: {}.0000s", 10 * rates.len());
        codes(
            &sysbench(16, mean, "")
                .replace("total time: 100.0000s", &seconds)
                .replace("SQL statistics:", &format!("{periods}SQL statistics:")),
        )
    };
    let has_step = |rates: &[f64]| codes_of(rates).contains(&"step".to_owned());
    assert!(has_step(&[4600.0, 4610.0, 1200.0, 1190.0, 1210.0, 1200.0]));
    assert!(has_step(&[4600.0, 4610.0, 4590.0, 4600.0, 1190.0, 1210.0]));
    for others in [
        &[4600.0, 4610.0, 3200.0, 3190.0, 3210.0, 3200.0][..],
        &[4600.0, 1200.0, 1190.0, 1210.0, 1200.0, 1200.0],
        &[4600.0, 3900.0, 3000.0, 2200.0, 1500.0, 900.0],
        &[4600.0, 4610.0, 1200.0, 1190.0],
    ] {
        assert!(!has_step(others), "{others:?}");
    }
}

/// Two of three rows suffice where the heading names the figure that is compared.
#[test]
fn a_comparison_that_names_its_figure_is_of_no_other() {
    let table = |heading: &str, cells: [&str; 3]| {
        let rows = [(8, 1000, 2170, 8.0, 3.69), (16, 1500, 1650, 10.67, 9.7), (32, 1600, 2000, 20.0, 16.0)];
        let rows = rows.iter().zip(cells);
        let rows = rows.map(|((n, a, b, x, y), cell)| format!("|{n}|{a}|{b}|{x}|{y}|{cell}|\n"));
        format!("|threads|A TPS|B TPS|A avg (ms)|B avg (ms)|{heading}|\n|-|-|-|-|-|-|\n{}", rows.collect::<String>())
    };
    let is_doubted = |text: &str| codes(text).contains(&"comparison".to_owned());
    for heading in ["TPS ratio", "TPS 提升"] {
        assert!(!is_doubted(&table(heading, ["2.17", "1.10", "1.25"])), "{heading}");
        assert!(is_doubted(&table(heading, ["12.17", "1.10", "1.25"])), "{heading}");
    }
    let merged = "|threads|TPS|||\n|-|-|-|-|\n||A|B|提升|\n|8|1000|1100|10%|\n|16|1500|1650|20%|\n|32|1600|2000|25%|\n";
    assert!(is_doubted(merged) && !is_doubted(&merged.replace("20%", "10%")), "{merged}");
}

/// Comparisons beside their figures, in the forms in which people write them: right ones are confirmed, one that does not follow is
/// doubted.
#[test]
fn comparisons_follow_from_their_figures() {
    let table = |heading: &str, cells: [&str; 4]| {
        let rows = [(8, 568.0, 571.0), (16, 900.0, 1350.0), (32, 1000.0, 1510.0), (64, 1200.0, 1080.0)];
        let rows = rows.iter().zip(cells).map(|((n, a, b), cell)| format!("|{n}|{a}|{b}|{cell}|\n"));
        format!("|threads|A|B|{heading}|\n|-|-|-|-|\n{}", rows.collect::<String>())
    };
    let is_doubted = |text: &str| codes(text).contains(&"comparison".to_owned());
    for (heading, cells) in [
        ("Diff", ["+0.5%", "+50%", "+51%", "-10%"]),
        ("Improvement", ["1.01", "1.50", "1.51", "0.90"]),
        ("B/A", ["1.01x", "1.5x", "1.51x", "0.9x"]),
        ("A/B", ["0.995", "0.667", "0.662", "1.111"]),
        ("Ratio", ["100.5 %", "150 %", "151 %", "90 %"]),
    ] {
        let text = table(heading, cells);
        assert!(!is_doubted(&text), "{text}");
        let confirmed = format!("{:?}", audit(&published(&text)).confirmed);
        assert!(confirmed.contains("published-comparisons-hold"), "{text} {confirmed}");
        let mut wrong = cells;
        wrong[2] = match cells[2] {
            "+51%" => "+15%",
            "151 %" => "115 %",
            "0.662" => "0.866",
            "1.51x" => "1.15x",
            _ => "1.15",
        };
        assert!(is_doubted(&table(heading, wrong)), "{heading} {wrong:?}");
    }
    // A column of something else says nothing of the two.
    for cells in [["12", "15", "18", "40"], ["1.2", "1.9", "0.3", "7"], ["–", "", "x", "1.01"]] {
        let text = table("load", cells);
        let printed = format!("{:?}", audit(&published(&text)));
        assert!(!is_doubted(&text) && !printed.contains("comparisons-hold"), "{printed}");
    }
}

#[test]
fn a_column_of_zeros_was_not_measured() {
    let zeros = "threads,TPS,avg (ms),p99 (ms)\n8,900,8.9,0.00\n16,1000,16,0.00\n";
    assert!(codes(zeros).contains(&"zeros".to_owned()), "{:?}", codes(zeros));
    for right in [
        "threads,TPS,avg (ms),errors\n8,900,8.9,0\n16,1000,16,0\n",
        "threads,TPS,avg (ms),p99 (ms)\n8,900,8.9,0.00\n16,1000,16,20\n",
    ] {
        assert!(!codes(right).contains(&"zeros".to_owned()), "{right} {:?}", codes(right));
    }
}
