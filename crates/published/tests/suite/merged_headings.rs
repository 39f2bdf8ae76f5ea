//! Headings in two rows, of which the upper one has a figure over several columns: in each form of tables, and with what people write below it.

use crate::reading::{agree, remarks, shown};

/// The same table in all forms. Its first two rows are headings: of the upper one each cell is over as many columns as there are names, and the first
/// one over both rows.
fn forms(first: &str, figures: &[&str], names: &[&str], rows: &[&[&str]]) -> Vec<String> {
    let span = names.len();
    let lines = |separator: &str, begin: &str, end: &str| {
        let above = figures.iter().map(|figure| format!("{figure}{}", separator.repeat(span - 1)));
        let above: Vec<String> = std::iter::once(first.to_owned()).chain(above).collect();
        let below: Vec<&str> = std::iter::once("").chain(figures.iter().flat_map(|_| names.iter().copied())).collect();
        let rows = rows.iter().map(|row| row.join(separator));
        let all = [above.join(separator), below.join(separator)].into_iter().chain(rows);
        all.map(|line| format!("{begin}{line}{end}\n")).collect::<Vec<String>>()
    };
    let mut markdown = lines("|", "|", "|");
    markdown.insert(1, format!("|{}\n", "--|".repeat(1 + span * figures.len())));
    let cells = |open: &str, cells: &mut dyn Iterator<Item = &&str>| {
        cells.map(|cell| format!("{open}{cell}")).collect::<String>()
    };
    let below = |open: &str| figures.iter().map(|_| cells(open, &mut names.iter())).collect::<String>();
    let body = |row: &str, open: &str| {
        rows.iter().map(|cells_of| format!("{row}{}", cells(open, &mut cells_of.iter()))).collect::<String>()
    };
    let html = |span: &str| figures.iter().map(|figure| format!("<th {span}>{figure}")).collect::<String>();
    let html = format!(
        "<table><tr><th rowspan=2>{first}{}<tr>{}{}</table>",
        html(&format!("colspan={span}")),
        below("<th>"),
        body("<tr>", "<td>")
    );
    let wiki: String = figures.iter().map(|figure| format!("! colspan={span} | {figure}\n")).collect();
    let wiki = format!("{{|\n! rowspan=2 | {first}\n{wiki}|-\n{}{}\n|}}\n", below("\n! "), body("\n|-", "\n| "));
    let asciidoc: String = figures.iter().map(|figure| format!(" {span}+|{figure}")).collect();
    let asciidoc = format!("|===\n.2+|{first}{asciidoc}\n\n{}\n{}\n|===\n", below(" |"), body("\n", " |"));
    let dokuwiki: String = figures.iter().map(|figure| format!(" {figure} {}", "^".repeat(span))).collect();
    let dokuwiki = format!(
        "^ {first} ^{dokuwiki}\n^ ::: {} ^\n{}",
        below(" ^ "),
        rows.iter().map(|row| format!("| {} |\n", row.join(" | "))).collect::<String>()
    );
    let latex: String = figures.iter().map(|figure| format!(" & \\multicolumn{{{span}}}{{c}}{{{figure}}}")).collect();
    let latex = format!(
        "\\begin{{tabular}}{{rrrrr}}\n{first}{latex} \\\\\n{} \\\\\n{}\\end{{tabular}}\n",
        below(" & "),
        rows.iter().map(|row| format!("{} \\\\\n", row.join(" & "))).collect::<String>()
    );
    let csv = lines(",", "", "").concat();
    vec![csv, lines("\t", "", "").concat(), markdown.concat(), html, wiki, asciidoc, dokuwiki, latex]
}

#[test]
fn a_workload_over_the_clients_of_the_rows_leaves_them_clients() {
    agree(&[(
        "point select,MySQL 5.7.25,MySQL 8.0.15,\nthreads,throughput,throughput,throughput ratio\n1,3000,2500,1.2\n4,9000,8000,1.125\n",
        "MySQL 5.7.25 clients 1 tps 3000; MySQL 8.0.15 clients 1 tps 2500; MySQL 5.7.25 clients 4 tps 9000; MySQL 8.0.15 clients 4 tps 8000",
    )]);
}

#[test]
fn names_below_one_figure_are_what_was_compared() {
    let rows: [&[&str]; 2] = [&["8", "1000", "1100"], &["16", "1500", "1600"]];
    for (figure, kind) in
        [("TPS", "tps"), ("QPS", "qps"), ("p95 (ms)", "p95_ms"), ("TpmC", "nopm"), ("平均応答時間 (ms)", "mean_ms")]
    {
        let wanted = format!(
            "MySQL clients 8 {kind} 1000; PostgreSQL clients 8 {kind} 1100; MySQL clients 16 {kind} 1500; PostgreSQL clients 16 {kind} 1600"
        );
        for text in forms("Threads", &[figure], &["MySQL", "PostgreSQL"], &rows) {
            assert_eq!(shown(&text), wanted, "{text}");
        }
    }
    for text in forms("Threads", &["TPS"], &["MySQL 8.0", "MariaDB", "PostgreSQL"], &[&["8", "1000", "1100", "1200"]]) {
        let wanted = "MySQL 8.0 clients 8 tps 1000; MariaDB clients 8 tps 1100; PostgreSQL clients 8 tps 1200";
        assert_eq!(shown(&text), wanted, "{text}");
    }
}

#[test]
fn numbers_below_figures_are_versions_years_or_clients() {
    let rows: [&[&str]; 2] = [&["8", "1000", "1100", "8", "7.27"], &["16", "1500", "1600", "10.67", "10"]];
    for names in [["5.7", "8.0"], ["10.6", "10.11"], ["2019", "2023"], ["15", "17"]] {
        let [a, b] = names;
        let wanted = format!(
            "{a} clients 8 tps 1000 mean_ms 8; {b} clients 8 tps 1100 mean_ms 7.27; {a} clients 16 tps 1500 mean_ms 10.67; {b} clients 16 tps 1600 mean_ms 10"
        );
        for text in forms("Threads", &["TPS", "avg (ms)"], &names, &rows) {
            assert_eq!(shown(&text), wanted, "{text}");
        }
    }
    let of_servers: [&[&str]; 2] = [&["A", "1000", "1500", "8", "10.67"], &["B", "1100", "1600", "7.27", "10"]];
    let wanted = "A clients 8 tps 1000 mean_ms 8; A clients 16 tps 1500 mean_ms 10.67; B clients 8 tps 1100 mean_ms 7.27; B clients 16 tps 1600 mean_ms 10";
    for names in [["8", "16"], ["8 threads", "16 threads"]] {
        for text in forms("Server", &["TPS", "avg (ms)"], &names, &of_servers) {
            assert_eq!(shown(&text), wanted, "{text}");
            let is_assumed = remarks(&text).contains(&"published-taken-as-clients".to_owned());
            assert_eq!(is_assumed, names[0] == "8", "{text}");
        }
    }
    agree(&[
        (
            "Warehouses,RDS (TpmC),,,ioDrive (TpmC),,\n,50,100,200,50,100,200\n10,1,2,3,4,5,6\n",
            "RDS Warehouses=10 clients 50 nopm 1; RDS Warehouses=10 clients 100 nopm 2; RDS Warehouses=10 clients 200 nopm 3; ioDrive Warehouses=10 clients 50 nopm 4; ioDrive Warehouses=10 clients 100 nopm 5; ioDrive Warehouses=10 clients 200 nopm 6",
        ),
        ("Threads,TPS,Latency (ms),,\n,,50,95,99\n8,1000,7,12,20\n", "clients 8 tps 1000 p50_ms 7 p95_ms 12 p99_ms 20"),
    ]);
}

#[test]
fn a_column_without_anything_is_none() {
    let text = "DB,TPS,,,\n,1,8,64\nA,100,800,2000\n";
    assert_eq!(shown(text), "A clients 1 tps 100; A clients 8 tps 800; A clients 64 tps 2000");
    assert_eq!(remarks(text), ["published-taken-as-clients"]);
}

/// What may be a heading is no result, whatever it is.
#[test]
fn a_row_that_repeats_its_heading_is_no_result() {
    agree(&[
        ("Threads,TPS,CPU\n,12,%\n8,1000,50\n", "clients 8 tps 1000"),
        ("Threads,TPS\nThreads,12\n8,1000\n", "clients 8 tps 1000"),
    ]);
    assert!(remarks("Threads,TPS\n,12\n8,1000\n").contains(&"published-row-unknown".to_owned()));
}
