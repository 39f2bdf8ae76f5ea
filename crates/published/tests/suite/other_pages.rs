//! Tables as pages, articles, notebooks and manuals have them: numbers as headings, scales above a table, LaTeX, reStructuredText, Mermaid, frames
//! as JSON, names of times, rows of sums, and signs of footnotes, each with the figures that are right.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{audit, read};

fn said(text: &str) -> Vec<String> {
    let read = read(text.as_bytes(), "x").unwrap_or_else(|problem| panic!("{problem:?}: {text}"));
    audit(&read).doubts.iter().map(|finding| finding.doubt.code.clone()).collect()
}

#[test]
fn a_name_before_numbers_in_the_second_row_of_headings_is_that_of_the_rows() {
    let of_clients = "5.7 clients 8 tps 1200 p95_ms 9.1; 8.0 clients 8 tps 1800 p95_ms 10; 5.7 clients 16 tps 1300 p95_ms 8.1; 8.0 clients 16 tps 1900 p95_ms 9";
    let of_servers = "A clients 8 tps 1200 p95_ms 9.1; A clients 16 tps 1800 p95_ms 10; B clients 8 tps 1300 p95_ms 8.1; B clients 16 tps 1900 p95_ms 9";
    let rows = "A,1200,1800,9.1,10\nB,1300,1900,8.1,9\n";
    agree(&[
        (",TPS,,p95 (ms),\nスレッド数,5.7,8.0,5.7,8.0\n8,1200,1800,9.1,10\n16,1300,1900,8.1,9\n", of_clients),
        (&format!(",TPS,,p95 (ms),\nDB,8,16,8,16\n{rows}"), of_servers),
        (&format!(",TPS,,p95 (ms),\nDB \\ threads,8,16,8,16\n{rows}"), of_servers),
        (&format!(",TPS,TPS,p95 (ms),p95 (ms)\nDB,8,16,8,16\n{rows}"), of_servers),
    ]);
    // The first row of figures has others.
    agree(&[(",TPS,,,p95 (ms),,\nA,8,16,32,8,16,31\nB,9,17,33,9,18,33\n", "A tps 8 p95_ms 8; B tps 9 p95_ms 9")]);
}

#[test]
fn a_number_above_figures_is_one_of_clients() {
    let below = "DB,TPS,p95 ms,TPS,p95 ms\nA,1200,9.1,1800,10\nB,1300,8.1,1900,9\n";
    let wanted = "A clients 8 tps 1200 p95_ms 9.1; A clients 16 tps 1800 p95_ms 10; B clients 8 tps 1300 p95_ms 8.1; B clients 16 tps 1900 p95_ms 9";
    for (above, is_assumed) in [(",8,,16,\n", true), (",Threads,,,\n,8,,16,\n", false), ("Threads,8,,16,\n", false)] {
        let text = format!("{above}{below}");
        assert_eq!(shown(&text), wanted, "{text}");
        assert_eq!(remarks(&text).contains(&"published-taken-as-clients".to_owned()), is_assumed, "{text}");
    }
    let corner = ",8,,16,\nThreads,TPS,p95 ms,TPS,p95 ms\nA,1200,9.1,1800,10\n";
    assert_eq!(shown(corner), "A clients 8 tps 1200 p95_ms 9.1; A clients 16 tps 1800 p95_ms 10");
}

#[test]
fn a_scale_above_a_table_is_that_of_the_rate_that_its_headings_name() {
    for caption in [
        "TPS in thousands",
        "All TPS figures are in thousands.",
        "Values are kTPS",
        "TPS (k)",
        "単位: 千TPS",
        "単位は千TPS",
        "（単位：千件/秒）",
        "单位：千TPS",
        "Throughput, thousands of transactions per second",
    ] {
        agree(&[
            (
                &format!("### {caption}\n\n|Threads|TPS|\n|-|-|\n|8|1.2|\n|16|2.1|\n"),
                "clients 8 tps 1200; clients 16 tps 2100",
            ),
            (
                &format!("{caption}\n\n|Threads|A|B|\n|-|-|-|\n|8|1.2|1.4|\n"),
                "A clients 8 tps 1200; B clients 8 tps 1400",
            ),
        ]);
    }
    let both = "clients 8 tps 1120 mean_ms 7.14; clients 64 tps 3100 mean_ms 20.6";
    let table = "|Threads|TPS|avg latency|\n|-|-|-|\n|8|1.12|0.00714|\n|64|3.10|0.0206|\n";
    for caption in [
        "All TPS figures are in thousands; latencies are in seconds.",
        "TPS in thousands, latency in seconds.",
        "（単位: tps は千件/秒、応答時間は秒）",
    ] {
        agree(&[(&format!("{caption}\n\n{table}"), both)]);
    }
    agree(&[
        (&format!("{table}\nTPS in thousands, latency in seconds.\n"), both),
        // A cell that says it itself, and what is a size.
        ("TPS in thousands\n\n|Threads|TPS|\n|-|-|\n|8|1.2k|\n", "clients 8 tps 1200"),
        ("TPS (10 million rows)\n\n|Threads|TPS|\n|-|-|\n|8|1200|\n", "clients 8 tps 1200"),
        ("TPS on instance M\n\n|Threads|TPS|\n|-|-|\n|8|1200|\n", "clients 8 tps 1200"),
    ]);
    for caption in ["Unit: thousand", "All values in thousands", "単位：千", "Results\n\n单位：千"] {
        agree(&[(&format!("{caption}\n\n|Threads|TPS|\n|-|-|\n|8|1.2|\n"), "clients 8 tps 1200")]);
    }
    for heading in ["TPS (000's)", "10^3 TPS", "TPS[単位:千件/秒]", "TPS (千件/秒)", "スループット(千件/秒)"]
    {
        agree(&[(&format!("threads,{heading}\n8,1.2\n"), "clients 8 tps 1200")]);
    }
    agree(&[
        ("threads,TPS (万件/秒)\n8,1.2\n", "clients 8 tps 12000"),
        ("threads,TPS (百万件/秒)\n8,1.2\n", "clients 8 tps 1200000"),
        ("threads,TPS (1万件)\n8,1200\n", "clients 8 tps 1200"),
    ]);
}

#[test]
fn lines_within_a_cell_of_latex_end_no_row_and_units_are_kept() {
    let table = |head: &str, rows: &str| {
        format!(
            "\\begin{{tabular}}{{@{{}}rS[table-format=5.1]r@{{}}}}\n\\toprule\n{head} \\\\ \\hline\n{rows}\\end{{tabular}}\n"
        )
    };
    let rows = "8 & 11.2 & 1.31 \\\\\n64 & 31.0 & 4.1 \\\\\n";
    let wanted = "clients 8 tps 11200 p95_ms 1.31; clients 64 tps 31000 p95_ms 4.1";
    for head in [
        "Threads & \\makecell{TPS\\\\(k)} & \\makecell{p95\\\\(ms)}",
        "{Threads} & {\\makecell{TPS\\\\(10\\textsuperscript{3})}} & {p95 (\\si{\\milli\\second})}",
        "Threads & \\shortstack{Throughput\\\\(kTPS)} & \\thead{p95\\\\latency (ms)}",
        "Threads & \\begin{tabular}[c]{@{}c@{}}TPS\\\\ (k)\\end{tabular} & \\begin{tabular}[c]{@{}c@{}}p95\\\\ (ms)\\end{tabular}",
    ] {
        agree(&[(&table(head, rows), wanted)]);
    }
    let units = "8 & 1120 & \\SI{7.14}{\\milli\\second} \\\\\n64 & 3100 & \\SI{0.0206}{\\second} \\\\\n128 & 3100 & \\qty{41290}{\\us} \\\\\n";
    agree(&[(
        &table("Threads & TPS & avg", units),
        "clients 8 tps 1120 mean_ms 7.14; clients 64 tps 3100 mean_ms 20.6; clients 128 tps 3100 mean_ms 41.29",
    )]);
    let unknown = table("Threads & TPS & avg", "8 & 1120 & \\SI{7.14}{\\fortnight} \\\\\n");
    assert_eq!(shown(&unknown), "clients 8 tps 1120");
}

#[test]
fn directives_of_restructuredtext_are_tables() {
    let csv = ".. csv-table:: pgbench\n   :header: \"Clients\", \"TPS\", \"avg (ms)\"\n   :widths: 10, 10, 10\n\n   8, \"12,000\", 0.67\n   16, \"20,100\", 0.80\n";
    let list = ".. list-table:: pgbench\n   :header-rows: 1\n\n   * - Clients\n     - TPS\n     - avg (ms)\n   * - 8\n     - 12000\n     - 0.67\n   * - 16\n     - 20100\n     - 0.80\n";
    let wanted = "clients 8 tps 12000 mean_ms 0.67; clients 16 tps 20100 mean_ms 0.8";
    agree(&[
        (csv, wanted),
        (&csv.replace('"', "").replace("12,000", "12000").replace("20,100", "20100"), wanted),
        (list, wanted),
        (&format!("Results\n=======\n\nSome text.\n\n{list}\nMore text.\n"), wanted),
        (
            ".. list-table::\n   :header-rows: 1\n\n   * - Threads\n     - 8.0.36\n     - 8.4.0\n   * - 8\n     - 1200\n     - 1300\n   * - 16\n     - 2010\n     - 2110\n",
            "8.0.36 clients 8 unstated 1200; 8.4.0 clients 8 unstated 1300; 8.0.36 clients 16 unstated 2010; 8.4.0 clients 16 unstated 2110",
        ),
    ]);
}

#[test]
fn a_chart_of_mermaid_is_its_values_and_other_code_is_no_table() {
    let chart = |series: &str| {
        format!(
            "# Results\n\n```mermaid\nxychart-beta\n    title \"of A\"\n    x-axis \"threads\" [1, 8, 64]\n    y-axis \"TPS\" 0 --> 10000\n{series}```\n"
        )
    };
    agree(&[
        (&chart("    bar [412, 2905, 6120]\n"), "clients 1 tps 412; clients 8 tps 2905; clients 64 tps 6120"),
        (
            &chart("    line [412, 2905, 6120]\n    line \"B\" [502, 3905, 9120]\n"),
            "line 1 clients 1 tps 412; B clients 1 tps 502; line 1 clients 8 tps 2905; B clients 8 tps 3905; line 1 clients 64 tps 6120; B clients 64 tps 9120",
        ),
        ("```python\nthreads, tps = 8, 1000\nplot(x, [1, 2, 3])\n```\n", "nothing"),
        ("```\nthreads,tps\n8,1000\n```\n", "clients 8 tps 1000"),
    ]);
}

#[test]
fn lists_beside_objects_frames_and_histograms_of_json() {
    agree(&[
        (
            r#"{"threads":[8,16],"a":{"tps":[1000,1800],"p95":[9,10]},"b":{"tps":[1100,1900],"p95":[8,9]}}"#,
            "a clients 8 tps 1000 p95_ms 9; a clients 16 tps 1800 p95_ms 10; b clients 8 tps 1100 p95_ms 8; b clients 16 tps 1900 p95_ms 9",
        ),
        (
            r#"{"columns":["threads","tps","avg_ms"],"index":[0,1],"data":[[8,1000,8.0],[16,1800,8.89]]}"#,
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1800 mean_ms 8.89",
        ),
        (
            r#"{"threads":{"0":8,"1":16},"tps":{"0":1000,"1":1800},"avg_ms":{"0":8.0,"1":8.89}}"#,
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1800 mean_ms 8.89",
        ),
        (
            r#"{"threads":16,"duration_s":60,"transactions":108000,"errors":0,"latency_histogram":[[1,5],[2,10]],"p50_us":8000,"p99_us":20000}"#,
            "clients 16 p50_ms 8 p99_ms 20 seconds 60 transactions 108000 failed 0",
        ),
        (
            r#"{"ALL STATS":{"Runtime":{"Total duration":60000,"Time unit":"MILLISECONDS"},"Totals":{"Ops/sec":100000.5,"KB/sec":5,"Average Latency":2.0,"Percentile Latencies":{"p99.00":4.1}}},"configuration":{"threads":4,"clients":50}}"#,
            "clients 200 qps 100000.5 mean_ms 2 p99_ms 4.1 seconds 60",
        ),
    ]);
}

#[test]
fn names_of_times_are_no_targets() {
    for headings in [
        "処理時間(秒)|1クエリあたり(ms)",
        "wall clock (s)|per query (ms)",
        "load time (s)|index time (s)",
        "query time (ms)|connect time (ms)",
        "prepare (s)|run (s)",
        "1件あたり(ms)|全体(秒)",
        "平均秒|1クライアント1クエリあたりmsec",
    ] {
        let text = format!("|threads|{headings}|\n|-|-|-|\n|10|12.3|1.23|\n|50|61.0|1.22|\n");
        let is_target = |text: &str| match read(text.as_bytes(), "x") {
            Ok(read) => read.results.iter().any(|result| result.target.is_some()),
            Err(_) => false,
        };
        assert!(!is_target(&text), "{text}: {}", shown(&text));
    }
    let beside = "|threads|lag (s)|fsync (ms)|A|B|\n|-|-|-|-|-|\n|10|0.3|1.23|800|900|\n|50|0.5|1.22|1800|1900|\n";
    assert_eq!(
        shown(beside),
        "A clients 10 unstated 800; B clients 10 unstated 900; A clients 50 unstated 1800; B clients 50 unstated 1900"
    );
    let targets = "|threads|A (ms)|B time (ms)|\n|-|-|-|\n|10|12.3|1.23|\n";
    assert_eq!(shown(targets), "A clients 10 mean_ms 12.3; B time clients 10 mean_ms 1.23");
}

#[test]
fn rows_that_sum_up_those_above_them_are_no_results() {
    let of_servers = "A clients 8 tps 1200; A clients 16 tps 1800; A clients 32 tps 2100";
    let of_clients = "clients 8 tps 1200; clients 16 tps 1800; clients 32 tps 2100";
    for name in [
        "Total",
        "Sum",
        "Max",
        "Min",
        "Peak",
        "Best",
        "All",
        "Geomean",
        "Harmonic mean",
        "Score",
        "Stddev",
        "Average",
        "合計",
        "总计",
        "最大",
    ] {
        agree(&[
            (&format!("|DB|Threads|TPS|\n|-|-|-|\n|A|8|1200|\n|A|16|1800|\n|A|32|2100|\n|{name}||1700|\n"), of_servers),
            (
                &format!("|Threads|TPS|\n|-|-|\n|8|1200|\n|16|1800|\n|32|2100|\n|{name}|1700|\n|Median|1800|\n"),
                of_clients,
            ),
        ]);
    }
    // Without clients of their own they may be names.
    agree(&[("|DB|TPS|\n|-|-|\n|A|1200|\n|Best|1800|\n", "A tps 1200; Best tps 1800")]);
}

#[test]
fn clients_of_each_of_several_are_multiplied() {
    for (headings, rows, wanted) in [
        ("threads,connections per thread", ["4,50,100000,2.0", "8,50,160000,2.5"], [200, 400]),
        ("clients,threads per client", ["2,16,4000,8.0", "4,16,7000,9.14"], [32, 64]),
        ("client machines,threads", ["2,16,4000,8.0", "4,16,7000,9.14"], [32, 64]),
        ("processes,threads", ["2,16,4000,8.0", "4,16,7000,9.14"], [32, 64]),
        ("sysbench instances,threads", ["2,16,4000,8.0", "4,16,7000,9.14"], [32, 64]),
        ("tenants,threads", ["2,16,4000,8.0", "4,16,7000,9.14"], [32, 64]),
    ] {
        let text = format!("{headings},tps,avg (ms)\n{}\n{}\n", rows[0], rows[1]);
        let clients: Vec<String> =
            shown(&text).split("; ").filter_map(|one| one.split(" tps").next().map(str::to_owned)).collect();
        assert_eq!(clients, wanted.map(|n| format!("clients {n}")), "{text}: {}", shown(&text));
        assert_eq!(said(&text), [""; 0], "{text}");
        assert!(remarks(&text).contains(&"published-clients-multiplied".to_owned()), "{text}");
    }
    // Other numbers beside the clients multiply nothing.
    agree(&[(
        "tables,threads,tps,avg (ms)\n2,16,2000,8.0\n4,16,1750,9.14\n",
        "tables=2 clients 16 tps 2000 mean_ms 8; tables=4 clients 16 tps 1750 mean_ms 9.14",
    )]);
}

#[test]
fn signs_of_footnotes_are_no_targets_and_no_digits() {
    for sign in [
        "(1)",
        "（※1）",
        "¹",
        "①",
        "ᵃ",
        "注1",
        "（注1）",
        " (a)",
        " (see note 1)",
        "<sup>1</sup>",
        "[1]",
        "*",
        "†",
        "※1",
    ] {
        let text = format!("|Threads|TPS{sign}|p95 ms{sign}|\n|-|-|-|\n|8|1,200|9.1|\n|16|2,010|13.2|\n");
        assert_eq!(shown(&text), "clients 8 tps 1200 p95_ms 9.1; clients 16 tps 2010 p95_ms 13.2", "{text}");
    }
    for sign in ["¹", "①", "[1]", "※1", "(1)", "†", "^1^"] {
        let text = format!("|Threads|TPS|p95 ms|\n|-|-|-|\n|8|1,200|9.1|\n|16|2,010{sign}|13.2{sign}|\n");
        assert_eq!(shown(&text), "clients 8 tps 1200 p95_ms 9.1; clients 16 tps 2010 p95_ms 13.2", "{text}");
    }
    agree(&[
        // Two runs, powers and products.
        ("threads,TPS ×10³\n8,1.2\n", "clients 8 tps 1200"),
        ("threads,TPS\n128 * 3,1200\n", "clients 384 tps 1200"),
        ("threads,p99_9 (ms)\n8,20\n", "clients 8 p99.9_ms 20"),
    ]);
}

#[test]
fn a_page_of_tenbin_is_refused_wherever_its_characters_end() {
    for before in 0..2 {
        let words = format!("{}{}", "x".repeat(before), "é".repeat(3000));
        let page = format!(
            "<html><meta name=\"generator\" content=\"Tenbin 1\"><p>{words}</p><table><tr><td>threads<td>TPS<tr><td>8<td>1000</table></html>"
        );
        let why = read(page.as_bytes(), "x").unwrap_err();
        assert_eq!(why.code(), Some("published-own-page"), "{before}");
    }
}
