//! One table in every form in which tables are published: the same figures are read of each.

use tenbin_published::{FigureKind, read};

/// Clients, transactions per second, mean and 95th percentile in milliseconds.
const ROWS: [[&str; 4]; 3] =
    [["8", "1000", "8.0", "12.5"], ["16", "1500", "10.67", "16.5"], ["32", "1600", "20.0", "31.0"]];
const HEADINGS: [&str; 4] = ["Threads", "TPS", "Avg latency (ms)", "p95 (ms)"];

#[track_caller]
fn figures(name: &str, text: &str) {
    let all = read(text.as_bytes().to_vec(), name).unwrap_or_else(|why| panic!("{name}: {why:?}\n{text}"));
    let kinds = [FigureKind::Clients, FigureKind::Tps, FigureKind::Mean, FigureKind::Percentile(9500)];
    let figures: Vec<Vec<Option<f64>>> =
        all.results.iter().map(|result| kinds.iter().map(|kind| result.get(*kind)).collect()).collect();
    let wanted: Vec<Vec<Option<f64>>> =
        ROWS.iter().map(|row| row.iter().map(|cell| cell.parse().ok()).collect()).collect();
    assert_eq!(figures, wanted, "{name}\n{text}");
    assert!(all.results.iter().all(|result| result.target.is_none() && result.workload.is_none()), "{name}");
}

/// The rows with this in front of them, between their cells, and behind them.
fn rows(before: &str, between: &str, behind: &str) -> String {
    ROWS.map(|row| format!("{before}{}{behind}\n", row.join(between))).concat()
}

/// The headings and rows with their cells in columns of the same width.
fn columns(between: &str) -> Vec<String> {
    let line = |cells: &[&str; 4]| cells.map(|cell| format!("{cell:<16}")).join(between);
    [HEADINGS].iter().chain(&ROWS).map(line).collect()
}

#[test]
fn markup_of_wikis_and_documents() {
    let head = |between: &str| HEADINGS.join(between);
    let mediawiki =
        format!("{{| class=\"wikitable\"\n|+ Read only\n! {}\n{}|}}\n", head(" !! "), rows("|-\n| ", " || ", ""));
    figures("mediawiki", &mediawiki);
    let lines = format!("{{|\n! {}\n{}|}}\n", head("\n! "), rows("|-\n| align=right | ", "\n| align=right | ", ""));
    figures("mediawiki with a line for each cell", &lines);
    figures("asciidoc", &format!(".Read only\n[cols=\"4*\"]\n|===\n|{}\n\n{}|===\n", head(" |"), rows("|", " |", "")));
    figures("jira", &format!("h2. Read only\n||{}||\n{}", head("||"), rows("|", "|", "|")));
    figures("textile", &format!("|_. {} |\n{}", head(" |_. "), rows("|>. ", " |>. ", " |")));
    figures("dokuwiki", &format!("^ {} ^\n{}", head(" ^ "), rows("| ", " | ", " |")));
    figures("org", &format!("| {} |\n|---+---+---+---|\n{}", head(" | "), rows("| ", " | ", " |")));
    figures("bars alone", &format!("|{}|\n{}", head("|"), rows("|", "|", "|")));
    let latex = format!(
        "\\begin{{table}}\n\\begin{{tabular}}{{|r|rrr|}}\n\\hline\n{} \\\\ \\hline\n{}\\hline\n\\end{{tabular}}\n\\end{{table}}\n",
        head(" & "),
        rows("", " & ", " \\\\")
    );
    figures("latex", &latex);
    let forum = format!(
        "[table][tr][th]{}[/th][/tr]{}[/table]",
        head("[/th][th]"),
        rows("[tr][td]", "[/td][td]", "[/td][/tr]")
    );
    figures("forum", &forum);
}

#[test]
fn what_clients_of_databases_draw() {
    let (unicode, spaced) = (columns(" │ "), columns("  "));
    let rule = [(); 4].map(|()| "─".repeat(18)).join("┼");
    figures(
        "psql, linestyle unicode",
        &format!("{}\n{rule}\n{}(3 rows)\n", unicode[0], unicode[1..].join("\n") + "\n"),
    );
    let boxed = |line: &String| format!("│ {line} │\n");
    let [top, types, middle, end] =
        ["┌┬┐", "", "├┼┤", "└┴┘"].map(|signs| match signs.chars().collect::<Vec<_>>()[..] {
            [left, mid, right] => format!("{left}{}{right}\n", [(); 4].map(|()| "─".repeat(18)).join(&mid.to_string())),
            _ => boxed(&["int64", "double", "double", "double"].map(|name| format!("{name:<16}")).join(" │ ")),
        });
    let body: String = unicode[1..].iter().map(boxed).collect();
    figures("box of sqlite3", &format!("{top}{}{middle}{body}{end}", boxed(&unicode[0])));
    figures("box of DuckDB", &format!("{top}{}{types}{middle}{body}{end}", boxed(&unicode[0])));
    let dashes = [(); 4].map(|()| "-".repeat(16)).join("  ");
    figures(
        "columns below a rule",
        &format!("{}\n{dashes}\n{}\n\n3 rows selected.\n", spaced[0], spaced[1..].join("\n")),
    );
    let equals = dashes.replace('-', "=");
    figures("reStructuredText", &format!("{equals}\n{}\n{equals}\n{}\n{equals}\n", spaced[0], spaced[1..].join("\n")));
    figures("psql -A", &format!("{}\n{}(3 rows)\n", HEADINGS.join("|"), rows("", "|", "")));
    let stars = "*".repeat(27);
    let record = |head: &dyn Fn(usize) -> String, between: &str| -> String {
        let lines = |row: &[&str; 4]| -> String {
            HEADINGS.iter().zip(row).map(|(name, cell)| format!("{name:>16}{between}{cell}\n")).collect()
        };
        ROWS.iter().enumerate().map(|(at, row)| head(at + 1) + &lines(row)).collect()
    };
    figures("psql, \\x", &record(&|n| format!("-[ RECORD {n} ]----+------\n"), " | "));
    figures("mysql, \\G", &(record(&|n| format!("{stars} {n}. row {stars}\n"), ": ") + "3 rows in set (0.00 sec)\n"));
}

#[test]
fn what_programs_print() {
    let names = ["threads", "tps", "avg_ms", "p95_ms"];
    let lines = |pair: &dyn Fn(&str, &str) -> String, between: &str| -> Vec<String> {
        ROWS.map(|row| names.iter().zip(row).map(|(name, cell)| pair(name, cell)).collect::<Vec<_>>().join(between))
            .to_vec()
    };
    let objects: Vec<String> = lines(&|name, cell| format!("\"{name}\": {cell}"), ", ")
        .into_iter()
        .map(|pairs| format!("{{{pairs}}}"))
        .collect();
    figures("json", &format!("[{}]", objects.join(",\n")));
    figures("json within", &format!("{{\"host\": \"a\", \"results\": [{}]}}", objects.join(",")));
    figures("lines of json", &objects.join("\n"));
    figures("names and values", &lines(&|name, cell| format!("{name}={cell}"), " ").join("\n"));
    let items = |indent: &str| -> String {
        lines(&|name, cell| format!("{indent}  {name}: {cell}\n"), "")
            .iter()
            .map(|row| row.replacen("  t", "- t", 1))
            .collect()
    };
    figures("yaml", &items(""));
    figures("yaml within", &format!("host: a\nresults:\n{}", items("  ")));
    let pairs = lines(&|name, cell| format!("{name}: {cell}"), ", ");
    let flow = pairs.iter().map(|pairs| format!("- {{{pairs}}}\n"));
    figures("yaml on lines", &flow.collect::<String>());
    figures("names with colons", &lines(&|name, cell| format!("{name}: {cell}"), ", ").join("\n"));
}

#[test]
fn commas_within_columns_that_blanks_separate_separate_nothing() {
    use crate::reading::agree;
    agree(&[
        (
            "threads   avg latency (ms)   TPS\n8         3.531              2,265.79\n16        4.121              3,882.29\n",
            "clients 8 tps 2265.79 mean_ms 3.531; clients 16 tps 3882.29 mean_ms 4.121",
        ),
        (
            "Threads   A Latenz, ms   B Latenz, ms   A TPS   B TPS\n8         8,0            10,0           1000    800\n",
            "A clients 8 tps 1000 mean_ms 8; B clients 8 tps 800 mean_ms 10",
        ),
        (
            "Sysbench results (TPS)\n\nserver      1      8\nA         100    800\nB         110    820\n",
            "A clients 1 tps 100; A clients 8 tps 800; B clients 1 tps 110; B clients 8 tps 820",
        ),
        (
            "Threads TPS Avg latency (ms)\n8 1,000 8.0\n16 1,600 10.0\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1600 mean_ms 10",
        ),
        // It is not known where the headings end: `TPS Avg | Max | latency` or `TPS | Avg | Max latency`.
        ("Threads TPS Avg Max latency\n8 1000 8.0 90\n", "nothing"),
        (
            "threads,  tps,  avg_ms\n8,  1000,  8.0\n16,  1600,  10\n",
            "clients 8 tps 1000 mean_ms 8; clients 16 tps 1600 mean_ms 10",
        ),
    ]);
}
