//! Tables of nothing but numbers: targets by clients, or clients by targets.

use crate::reading::{agree, remarks, shown};
use tenbin_published::{FigureKind, Published, audit, read};
use tenbin_words::language::Language;

fn of(text: &str) -> Published {
    read(text.as_bytes(), "x.csv").unwrap_or_else(|problem| panic!("{problem:?}"))
}

/// `target (workload) clients: figure value` for each result, then what is said of the reading.
fn said(text: &str) -> String {
    let read = of(text);
    let one = |result: &tenbin_published::PublishedResult| {
        let figures = result.figures.iter().filter(|(kind, _)| **kind != FigureKind::Clients);
        let figures: Vec<String> = figures.map(|(kind, (q, _))| format!("{} {}", kind.name(), q.value)).collect();
        let clients = result.get(FigureKind::Clients).map_or("-".to_owned(), |n| n.to_string());
        let others = result.group();
        format!("{} [{others}] {clients}: {}", result.target_name(), figures.join(" "))
    };
    let remarks = read.remarks.iter().map(|remark| remark.english().to_owned());
    read.results.iter().map(one).chain(remarks).collect::<Vec<_>>().join("\n")
}

#[test]
fn columns_of_numbers_of_clients_have_the_figure_that_is_said() {
    insta::assert_snapshot!(said("threads,1,8,16\nmariadb,227,1639.6,2803\npostgres,190,,\"2,500\"\n"), @"
    mariadb [] 1: unstated 227
    mariadb [] 8: unstated 1639.6
    mariadb [] 16: unstated 2803
    postgres [] 1: unstated 190
    postgres [] 16: unstated 2500
    the table does not say what its figures are: those below 1, 8, 16 are shown as they stand, and are taken as no throughput; to say it above the table, as TPS or QPS: (echo TPS; echo; cat x.csv) | tenbin audit -
    ");
    insta::assert_snapshot!(
        said("TPS by number of threads,,,\n,1,8,16\nmariadb,227,1639.6,2803\n"), @"
    mariadb [] 1: tps 227
    mariadb [] 8: tps 1639.6
    mariadb [] 16: tps 2803
    "
    );
    insta::assert_snapshot!(
        said("## Mean response time (ms)\n\n| server | workload | 16 | 64 |\n|---|---|---|---|\n| a | read only | 5 | 7 |\n| a | write | 9 | 1 s |\n"), @"
    a [read only] 16: mean_ms 5
    a [read only] 64: mean_ms 7
    a [write] 16: mean_ms 9
    a [write] 64: mean_ms 1000
    the headings 16, 64 are taken as numbers of clients: no word of the table says what they are
    "
    );
}

#[test]
fn columns_of_targets_beside_clients_have_the_figure_that_is_said() {
    insta::assert_snapshot!(said("threads,mariadb,postgres 17\n1,227,190\n8,1639.6,1500\n"), @"
    mariadb [] 1: unstated 227
    postgres 17 [] 1: unstated 190
    mariadb [] 8: unstated 1639.6
    postgres 17 [] 8: unstated 1500
    the table does not say what its figures are: those below mariadb, postgres 17 are shown as they stand, and are taken as no throughput; to say it above the table, as TPS or QPS: (echo TPS; echo; cat x.csv) | tenbin audit -
    ");
    let japanese: Vec<String> =
        of("同時実行数;A社;B社\n1;227;190\n").remarks.iter().map(|remark| remark.text(Language::Japanese)).collect();
    insta::assert_snapshot!(japanese.join("\n"), @"表には値の種類が書かれていません。A社、B社 の列の値はそのまま示し、スループットとはみなしません。表の上に種類(TPS、QPS など)を書くには: (echo TPS; echo; cat x.csv) | tenbin audit -");
}

#[test]
fn such_tables_are_audited() {
    let result_of = |table: &str| {
        let audited = audit(&of(table)).doubts;
        audited.iter().map(|finding| finding.doubt.problem.what.english().to_owned()).collect::<Vec<_>>().join("\n")
    };
    let of_two = |first: &str, b: &str| format!("threads,1,8,16\na,{first},1639.61,2803.52\nb,190,{b}\n");
    assert_eq!(result_of(&of_two("227", "1500.23,2500.34")), "");
    assert_eq!(result_of(&of_two("-5", "1500.23,2500.34")), "figures are below zero: 1");
    // Little's law, with the mean response times in a second table.
    let with_means = |mean: &str| {
        format!(
            "TPS by threads\n\n| target | 8 | 16 |\n|---|---|---|\n| a | 100 | 200 |\n\nMean (ms) by threads\n\n| target | 8 | 16 |\n|---|---|---|\n| a | 80 | {mean} |\n"
        )
    };
    assert_eq!(result_of(&with_means("80")), "");
    assert_eq!(
        result_of(&with_means("160")),
        "the clients would have been in more transactions at once than there were clients"
    );
}

#[test]
fn what_may_be_something_else_is_not_taken_for_it() {
    for text in [
        // Repeats, years, percentiles, steps that are no clients.
        "target,1,2,3\na,10,20,30\nb,11,21,31\n",
        "target,2022,2023,2024\na,10,20,30\n",
        "target,50,95,99\na,10,20,30\n",
        "target,16,8\na,10,20\n",
        "target,0.5,1.5\na,10,20\n",
        // Nothing is known of a single column beside the clients.
        "threads,price\n1,10\n2,20\n",
        "threads,1,8\na,many,few\n",
        "threads,1,8\n",
    ] {
        let problem = read(text.as_bytes(), "x.csv").err().unwrap_or_else(|| panic!("{text}: {}", said(text)));
        assert!(problem.evidence.is_some() && problem.hint.is_some(), "{text}");
    }
    // A figure that is named is what it says, and the numbers beside it are not clients.
    insta::assert_snapshot!(said("threads,tps,price,rent\n1,227,5,6\n"), @"
     [] 1: tps 227
    the column “price” is not understood: it is shown, and not checked
    the column “rent” is not understood: it is shown, and not checked
    ");
}

/// E4 as its author had it: clients down, queries across, and the figure in the words above.
#[test]
fn times_by_clients_and_queries_are_times() {
    insta::assert_snapshot!(said("1クエリーあたりの所要時間(ms)\n\nクライアント数/クエリー | 1,000 | 10,000 |\n---|---|---|\n1 | 0.616 | 0.6807 |\n10 | 1.402 | 1.1581 |\n"), @"
     [クエリー 1,000] 1: mean_ms 0.616
     [クエリー 10,000] 1: mean_ms 0.6807
     [クエリー 1,000] 10: mean_ms 1.402
     [クエリー 10,000] 10: mean_ms 1.1581
    ");
    insta::assert_snapshot!(said("Seconds to run all queries\n\n| clients / queries | 1,000 | 10,000 |\n|---|---|---|\n| 1 | 0.616 | 6.807 |\n| 10 | 1.402 | 11.581 |\n"), @"
     [queries 1,000] 1: mean_s 0.616
     [queries 10,000] 1: mean_s 6.807
     [queries 1,000] 10: mean_s 1.402
     [queries 10,000] 10: mean_s 11.581
    ");
    // Without such words it is not known what they are, and not assumed.
    let problem =
        read("| clients / queries | 1,000 | 10,000 |\n|---|---|---|\n| 1 | 0.616 | 6.807 |\n".as_bytes(), "x.md");
    assert!(problem.is_err(), "{problem:?}");
}

/// E3 as its author had it: a row for each figure, an empty first heading, and no word that says so.
#[test]
fn figures_in_rows_are_read_without_a_heading() {
    let text = "|Fusion-IO|hi1.4xlarge\n-|-|-\ntotal|2288758|1444417\navg|8445.6|5330.0\nstddev|245.7|132.8\n";
    insta::assert_snapshot!(said(text), @"
    Fusion-IO [] -: per_period 8445.6 total 2288758 deviation 245.7
    hi1.4xlarge [] -: per_period 5330 total 1444417 deviation 132.8
    ");
    let confirmed: Vec<String> = audit(&of(text)).confirmed.iter().map(|c| c.english().to_owned()).collect();
    insta::assert_snapshot!(confirmed.join("\n"), @"total / mean per period = 271 periods in all 2 results; the table does not say how long a period is");
}

/// The doubts, and the verdict.
fn judged(text: &str) -> (Vec<String>, &'static str) {
    let audited = audit(&of(text));
    (audited.doubts.iter().map(|finding| finding.doubt.code.clone()).collect(), audited.verdict_name())
}

#[test]
fn numbers_beside_the_name_of_something_else_are_no_clients() {
    for name in [
        "Nodes",
        "vCPUs",
        "CPU cores",
        "CPU",
        "Instances",
        "Shards",
        "Memory (GB)",
        "Batch size",
        "Warehouses",
        "Something",
        "Duration (s)",
        "ノード数",
    ] {
        let figures = "|TPS|10,000|19,500|28,900|\n|Average latency (ms)|12.8|13.1|13.3|\n";
        let text = format!("|{name}|3|6|9|\n|-|-|-|-|\n{figures}");
        let three = format!(
            "{name}=3 tps 10000 mean_ms 12.8; {name}=6 tps 19500 mean_ms 13.1; {name}=9 tps 28900 mean_ms 13.3"
        );
        agree(&[(&text, &three), (&format!("{text}|CPU (%)|40%|50%|60%|\n"), &three)]);
        assert_eq!(judged(&text), (vec![], "UNCHECKED"), "{name}");
        assert!(!remarks(&text).contains(&"published-taken-as-clients".to_owned()), "{name}");
    }
    agree(&[
        (
            "|DB / vCPUs|4|16|\n|-|-|-|\n|TPS|100|300|\n|p95 (ms)|9|8|\n",
            "vCPUs=4 tps 100 p95_ms 9; vCPUs=16 tps 300 p95_ms 8",
        ),
        ("|Nodes|3|6|\n|-|-|-|\n|TPS|100|200|\n", "Nodes=3 tps 100; Nodes=6 tps 200"),
        (
            "## TPS\n\n|Nodes|3|6|\n|-|-|-|\n|A|100|200|\n|B|90|80|\n",
            "A Nodes=3 tps 100; A Nodes=6 tps 200; B Nodes=3 tps 90; B Nodes=6 tps 80",
        ),
        ("|Nodes|3|6|\n|-|-|-|\n|A|100|200|\n", "nothing"),
        // The heading is above the names.
        ("|Engine|8|64|\n|-|-|-|\n|A|100|200|\n", "Engine=A clients 8 unstated 100; Engine=A clients 64 unstated 200"),
        ("|CPU model|8|64|\n|-|-|-|\n|A|100|200|\n", "A clients 8 unstated 100; A clients 64 unstated 200"),
        ("|Solution|8|64|\n|-|-|-|\n|A|100|200|\n", "A clients 8 unstated 100; A clients 64 unstated 200"),
    ]);
}

#[test]
fn versions_in_the_headings_are_what_was_compared() {
    for name in ["PostgreSQL version", "PostgreSQL"] {
        let table = |rows: &str| format!("|{name}|13|15|17|\n|-|-|-|-|\n{rows}");
        let rows = table("|read-only|9500|10200|10900|\n|read-write|2500|2600|2700|\n");
        agree(&[
            (&rows, "nothing"),
            (
                &format!("## TPS\n\n{rows}"),
                "PostgreSQL 13 tps 9500; PostgreSQL 15 tps 10200; PostgreSQL 17 tps 10900; PostgreSQL 13 tps 2500; PostgreSQL 15 tps 2600; PostgreSQL 17 tps 2700",
            ),
        ]);
        let figures = table("|TPS|9500|10200|10900|\n|avg (ms)|8.4|7.8|7.3|\n");
        agree(&[(
            &figures,
            "PostgreSQL 13 tps 9500 mean_ms 8.4; PostgreSQL 15 tps 10200 mean_ms 7.8; PostgreSQL 17 tps 10900 mean_ms 7.3",
        )]);
        assert_eq!((judged(&figures), remarks(&figures)), ((vec![], "UNCHECKED"), vec![]), "{name}");
    }
    agree(&[
        ("|MySQL|5.6|5.7|8.0|\n|-|-|-|-|\n|TPS|9|8|7|\n", "MySQL 5.6 tps 9; MySQL 5.7 tps 8; MySQL 8.0 tps 7"),
        (
            "|Version|13|15|\n|-|-|-|\n|TPS|9|8|\n|p95 (ms)|3|4|\n",
            "Version=13 tps 9 p95_ms 3; Version=15 tps 8 p95_ms 4",
        ),
        // Threads of one server, and clients beside versions.
        (
            "|MySQL|8|16|32|\n|-|-|-|-|\n|TPS|9|8|7|\n|p95 (ms)|3|4|5|\n",
            "clients 8 tps 9 p95_ms 3; clients 16 tps 8 p95_ms 4; clients 32 tps 7 p95_ms 5",
        ),
        (
            "|Version|4|16|\n|-|-|-|\n|13.2|9|8|\n",
            "Version=13.2 clients 4 unstated 9; Version=13.2 clients 16 unstated 8",
        ),
    ]);
    let of_clients = "|MySQL version|4|16|\n|-|-|-|\n|5.7|9|8|\n|8.0|7|6|\n";
    assert_eq!(of(of_clients).results[3].get(FigureKind::Clients), Some(16.0));
}

#[test]
fn clients_that_are_assumed_are_no_evidence_unless_most_products_are_theirs() {
    let table = |means: [&str; 4]| {
        format!(
            "|Server|4|8|16|64|\n|-|-|-|-|-|\n|TPS|1000|2000|4000|8000|\n|Average latency (ms)|{}|\n",
            means.join("|")
        )
    };
    assert_eq!(judged(&table(["12", "13", "14", "15"])), (vec![], "UNCHECKED"));
    assert_eq!(judged(&table(["4", "4", "4", "8"])), (vec![], "VALID"));
    assert_eq!(judged(&table(["4", "4", "4", "80"])), (vec!["littles-law".to_owned()], "INVALID"));
    let text = table(["12", "13", "14", "15"]).replace("Server", "Threads");
    assert_eq!(judged(&text), (vec!["littles-law".to_owned()], "INVALID"));
    assert_eq!(judged(&format!("## Results by threads\n\n{}", table(["12", "13", "14", "15"]))).1, "INVALID");
}

#[test]
fn columns_of_clients_beside_numbers_of_something_else_are_told_by_the_corner() {
    let pairs = [
        ("Warehouses", "Threads", " \\ "),
        ("倉庫数", "接続数", "/"),
        ("仓库数", "并发数", "\\"),
        ("scale", "clients", "/"),
        ("tables", "threads", " \\ "),
    ];
    for (other, clients, between) in pairs {
        for (title, kind) in [("TpmC", "nopm"), ("TPS", "tps"), ("p95 latency (ms)", "p95_ms")] {
            let rows = [["10", "100", "200", "300"], ["20", "150", "250", "350"]];
            let forms = |first: &str| {
                let head = [first, "50", "100", "200"];
                let html = |row: &[&str; 4]| format!("<tr>{}", row.map(|cell| format!("<td>{cell}")).concat());
                let body: String = rows.iter().map(html).collect();
                let lines = |separator: &str| {
                    std::iter::once(&head).chain(&rows).map(|row| row.join(separator) + "\n").collect::<Vec<_>>()
                };
                let mut markdown = lines("|");
                markdown.insert(1, "--|--|--|--\n".to_owned());
                [
                    format!("{title}\n{}", lines(",").concat()),
                    format!("### {title}\n\n{}", markdown.concat()),
                    format!("<table><caption>{title}</caption>{}{body}</table>", html(&head)),
                ]
            };
            let [a, b] = [("10", ["100", "200", "300"]), ("20", ["150", "250", "350"])];
            let of = |axis: &dyn Fn(&str, &str) -> String| {
                let one = |(row, values): &(&str, [&str; 3])| {
                    let columns = ["50", "100", "200"].iter().zip(values);
                    columns.map(|(column, value)| format!("{} {kind} {value}", axis(row, column))).collect::<Vec<_>>()
                };
                [one(&a), one(&b)].concat().join("; ")
            };
            for text in forms(&format!("{other}{between}{clients}")) {
                assert_eq!(shown(&text), of(&|row, column| format!("{other}={row} clients {column}")), "{text}");
            }
            for text in forms(&format!("{clients}{between}{other}")) {
                assert_eq!(shown(&text), of(&|row, column| format!("{other}={column} clients {row}")), "{text}");
            }
        }
        let without = format!("|{other} \\ {clients}|50|100|\n|-|-|-|\n|10|100|200|\n");
        let wanted = format!("{other}=10 clients 50 unstated 100; {other}=10 clients 100 unstated 200");
        assert_eq!((shown(&without), remarks(&without)), (wanted, vec!["published-unstated-below".to_owned()]));
        assert_eq!(shown(&format!("|{clients} \\ {other}|50|100|\n|-|-|-|\n|10|100|200|\n")), "nothing");
    }
}

#[test]
fn a_heading_above_names_that_says_what_the_figures_are_makes_them_no_throughput() {
    let table = |corner: &str| format!("|{corner}|8 threads|16 threads|\n|-|-|-|\n|MySQL|31|35|\n|MariaDB|44|41|\n");
    for corner in [
        "CPU sys",
        "CPU %",
        "Lock waits/s",
        "Disk read latency (ms)",
        "await (ms)",
        "Memory used (GB)",
        "TPS/thread",
        "Rollback rate",
        "Max used connections",
        "標準偏差",
        "ディスク待ち(ms)",
        "单核TPS",
        "复制延迟(s)",
    ] {
        let across = format!("|{corner}|MySQL|MariaDB|\n|-|-|-|\n|8 threads|31|35|\n|16 threads|44|41|\n");
        agree(&[(&table(corner), "nothing"), (&across, "nothing")]);
    }
    let right = |kind: &str| {
        format!(
            "MySQL clients 8 {kind} 31; MySQL clients 16 {kind} 35; MariaDB clients 8 {kind} 44; MariaDB clients 16 {kind} 41"
        )
    };
    for (corner, kind) in [
        ("Server", "unstated"),
        ("DB", "unstated"),
        ("数据库", "unstated"),
        ("Product", "unstated"),
        ("TPS", "tps"),
        ("", "unstated"),
    ] {
        agree(&[(&table(corner), &right(kind))]);
    }
}
