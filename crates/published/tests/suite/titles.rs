//! A title above a table, in each form that a table of text can have: it says what the figures are, and is no heading.

use crate::reading::{agree, shown};

const HEAD: [&str; 3] = ["threads", "Aurora", "RDS"];
const ROWS: [[&str; 3]; 2] = [["8", "1000", "800"], ["16", "1500", "1067"]];

/// The same table below a title, in all forms but Markdown.
fn forms(title: &str) -> Vec<String> {
    let lines = |separator: &str| {
        let rows = ROWS.iter().map(|row| row.join(separator));
        std::iter::once(HEAD.join(separator)).chain(rows).collect::<Vec<_>>().join("\n")
    };
    let cells = |tag: &str, row: &[&str]| row.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect::<String>();
    let body: String = ROWS.iter().map(|row| format!("<tr>{}</tr>", cells("td", row))).collect();
    let head = format!("<tr>{}</tr>", cells("th", &HEAD));
    let mut all = vec![
        format!("<table><caption>{title}</caption>{head}{body}</table>"),
        format!("<table><tr><th colspan=3>{title}</th></tr>{head}{body}</table>"),
        format!("<table><tr><td colspan=\"3\">{title}</td></tr>{head}{body}</table>"),
    ];
    for separator in [",", ";", "\t", ", "] {
        let table = lines(separator);
        all.push(format!("{title}\n{table}\n"));
        all.push(format!("{title}\n\n{table}\n"));
        all.push(format!("\"{title}\"\n{table}\n"));
        if separator.len() == 1 {
            all.push(format!("{title}{}\n{table}\n", separator.repeat(2)));
        }
    }
    all
}

#[test]
fn a_title_is_read_in_all_forms_as_in_markdown() {
    for title in [
        "TPS",
        "TPS by threads",
        "Throughput (TPS) by number of threads",
        "Average latency (ms)",
        "Latency by threads",
        "QPS vs threads",
        "sysbench TPS by threads",
        "スレッド数別TPS",
        "スレッド数ごとの平均応答時間 (ms)",
        "TPS (线程数)",
        "Aurora vs MySQL 5.7 sysbench",
        "Comparison of Aurora and RDS",
        "Results",
        "Queue length",
    ] {
        let head = format!("### {title}\n\n| {} |\n|--|--|--|\n", HEAD.join(" | "));
        let rows: String = ROWS.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect();
        let wanted = shown(&(head + &rows));
        for text in forms(title) {
            assert_eq!(shown(&text), wanted, "{text}");
        }
    }
    agree(&[
        (
            "TPS\n\nthreads,Aurora,RDS\n8,1000,800\n16,1500,1067\n",
            "Aurora clients 8 tps 1000; RDS clients 8 tps 800; Aurora clients 16 tps 1500; RDS clients 16 tps 1067",
        ),
        (
            "Throughput, higher is better\nthreads,Aurora,RDS\n8,1000,800\n",
            "Aurora clients 8 tps 1000; RDS clients 8 tps 800",
        ),
        (
            "sysbench on 8 cores\nTPS by threads\n\nthreads;Aurora;RDS\n8;1000;800\n",
            "Aurora clients 8 tps 1000; RDS clients 8 tps 800",
        ),
        ("TPS\n,A,B\n8,3000,5000\n", "A tps 3000; B tps 5000"),
        ("QPS vs threads\n\nthreads,A,B\n8,3000,5000\n", "A clients 8 qps 3000; B clients 8 qps 5000"),
        (
            "Aurora vs MySQL 5.7 sysbench\n\n並列数\tAurora\tMySQL 5.7\n1000\t9,132\t8,900\n2000\t8,849\t8,069\n",
            "Aurora clients 1000 unstated 9132; MySQL 5.7 clients 1000 unstated 8900; Aurora clients 2000 unstated 8849; MySQL 5.7 clients 2000 unstated 8069",
        ),
        ("TPS by threads\n\n,8,16\nAurora,1000,1500\n", "Aurora clients 8 tps 1000; Aurora clients 16 tps 1500"),
    ]);
}

#[test]
fn titles_of_several_tables_are_the_figures_of_each() {
    let table =
        |title: &str, cells: [&str; 2]| format!("{title}\nthreads,Aurora,RDS\n8,{}\n16,{}\n", cells[0], cells[1]);
    for (rate, mean) in [("TPS", "Average latency (ms)"), ("TPS by threads", "Average latency (ms) by threads")] {
        let text = table(rate, ["1000,800", "1500,1067"]) + "\n" + &table(mean, ["8,10", "10.67,15"]);
        agree(&[(
            &text,
            "Aurora clients 8 tps 1000 mean_ms 8; RDS clients 8 tps 800 mean_ms 10; Aurora clients 16 tps 1500 mean_ms 10.67; RDS clients 16 tps 1067 mean_ms 15",
        )]);
    }
}

#[test]
fn a_title_names_the_figure_above_versions() {
    for versions in [["5.7", "8.0"], ["10.6", "10.11"]] {
        for (title, kind) in
            [("p95 latency (ms)", "p95_ms"), ("TPS", "tps"), ("Average latency (ms) by threads", "mean_ms")]
        {
            let lines = |separator: &str| {
                let rows = [["Threads", versions[0], versions[1]], ["8", "9.1", "8.2"], ["16", "12.5", "11.4"]];
                rows.map(|row| row.join(separator)).join("\n") + "\n"
            };
            let cells = |row: &str| row.split(',').map(|cell| format!("<td>{cell}")).collect::<String>();
            let page: String = lines(",").lines().map(|row| format!("<tr>{}", cells(row))).collect();
            let [a, b] = versions;
            let wanted = format!(
                "{a} clients 8 {kind} 9.1; {b} clients 8 {kind} 8.2; {a} clients 16 {kind} 12.5; {b} clients 16 {kind} 11.4"
            );
            for text in [
                format!("{title},,\n{}", lines(",")),
                format!("{title}\n{}", lines(",")),
                format!("{title}\t\t\n{}", lines("\t")),
                format!("<table><tr><th colspan=3>{title}{page}</table>"),
                format!("{title}\n{}", lines(" ")),
                format!("{title}\n\n{}", lines("   ")),
            ] {
                assert_eq!(shown(&text), wanted, "{text}");
            }
        }
    }
}

/// What stands over a part of the headings is one of them, and rows without headings have none.
#[test]
fn what_is_no_title_stays_a_heading() {
    agree(&[
        (",TPS,,\nThreads,1,8,64\nA,100,200,300\n", "A clients 1 tps 100; A clients 8 tps 200; A clients 64 tps 300"),
        ("Latency,,\navg (ms),p95 (ms),max (ms)\n8,12,80\n", "mean_ms 8 p95_ms 12 max_ms 80"),
        ("TPS\n1000\n1500\n", "tps 1000; tps 1500"),
        ("TPS\n8,1000\n16,1500\n", "nothing"),
    ]);
}

#[test]
fn a_title_of_something_else_is_no_time_of_transactions_and_no_throughput() {
    let table = "|Threads|A|B|\n|-|-|-|\n|8|31|35|\n|16|44|41|\n";
    for title in [
        "Ping avg (ms)",
        "Ping (ms)",
        "WAL sync (ms)",
        "Think time (ms)",
        "latency jitter (ms)",
        "SLA (ms)",
        "await (ms)",
        "Load average (1m)",
        "Threads connected max",
        "Max. Verbindungen",
        "최대 커넥션",
        "提交耗时(ms)",
        "락 대기 시간(ms)",
        "Отставание, мс",
        "Sperrwartezeit (ms)",
        "Target TPS",
        "目標TPS",
    ] {
        agree(&[(&format!("### {title}\n\n{table}"), "nothing")]);
    }
    for (title, figure) in [
        ("Response time (ms)", "mean_ms"),
        ("Latency, 64 connections (ms)", "mean_ms"),
        ("oltp_read_write (ms)", "mean_ms"),
        ("oltp_read_write, ms", "mean_ms"),
        ("Load test: TPS", "tps"),
        ("MySQL vs MariaDB (ms)", "mean_ms"),
        ("Select by PK (ms)", "mean_ms"),
        ("All times in ms", "mean_ms"),
    ] {
        let right = format!(
            "A clients 8 {figure} 31; B clients 8 {figure} 35; A clients 16 {figure} 44; B clients 16 {figure} 41"
        );
        agree(&[(&format!("### {title}\n\n{table}"), &right)]);
    }
}
