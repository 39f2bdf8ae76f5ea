//! Figures beside clients of which no word says what they are are no throughput, unless the title or the name of the file says so.

use crate::reading::{remarks, shown};
use tenbin_published::read;

const ROWS: &str = "|--|--|--|\n| 1 | 568 | 571 |\n| 8 | 2905 | 2790 |\n";

/// The same figures below these two headings.
fn figures(of: &str, a: &str, b: &str) -> String {
    let one = |name: &str, clients: u8, value: &str| format!("{name} clients {clients} {of} {value}");
    [one(a, 1, "568"), one(b, 1, "571"), one(a, 8, "2905"), one(b, 8, "2790")].join("; ")
}

#[test]
fn what_nothing_says_is_no_throughput() {
    for (a, b) in [("svctm", "await"), ("foo", "bar"), ("Zorps", "Blips"), ("A", "B"), ("MySQL 5.7", "MySQL 8.0")] {
        let text = format!("| Threads | {a} | {b} |\n{ROWS}");
        assert_eq!(
            (shown(&text), remarks(&text)),
            (figures("unstated", a, b), vec!["published-unstated-below".into()])
        );
        let stated = format!("TPS\n\n{text}");
        assert_eq!((shown(&stated), remarks(&stated)), (figures("tps", a, b), vec![]), "{stated}");
    }
    assert_eq!(
        shown("| Server | 8 threads | 16 threads |\n|--|--|--|\n| A | 568 | 900 |\n"),
        "A clients 8 unstated 568; A clients 16 unstated 900"
    );
}

#[test]
fn the_title_the_cells_and_the_name_of_the_file_say_what_figures_are() {
    let table = format!("| Threads | MySQL 5.7 | MySQL 8.0 |\n{ROWS}");
    let of = |kind| figures(kind, "MySQL 5.7", "MySQL 8.0");
    for above in [
        "# sysbench QPS\n\n## read only\n\n",
        "# QPS of MySQL\n\nWe ran sysbench.\n\n",
        "QPS of MySQL\n============\n\nread only\n---------\n\n",
        "QPS\n\n# Results\n\n",
        ".. table:: QPS\n   :widths: auto\n\n",
    ] {
        assert_eq!(shown(&format!("{above}{table}")), of("qps"), "{above}");
    }
    for above in [
        "# QPS\n\nText.\n\n# Results\n\n",
        "# QPS and latency\n\n## read only\n\n",
        "# Results\n\n",
        "```\n# QPS\n```\n\n## read only\n\n",
    ] {
        assert_eq!(shown(&format!("{above}{table}")), of("unstated"), "{above}");
    }
    let csv = "Threads,MySQL 5.7,MySQL 8.0\n1,568,571\n8,2905,2790\n";
    for (name, kind) in
        [("qps.csv", "qps"), ("mysql-tps-57.csv", "tps"), ("mysql.csv", "unstated"), ("p95.csv", "unstated")]
    {
        let published = read(csv.as_bytes(), name).expect("a table");
        let kinds: Vec<_> = published.results[0].figures.keys().map(|kind| kind.name()).collect();
        assert_eq!(kinds, ["clients", kind], "{name}");
    }
    assert_eq!(shown("Threads,A,B\n8,568 qps,571 qps\n"), "A clients 8 qps 568; B clients 8 qps 571");
    let page = "<html><h1>QPS of it</h1><h2>read only</h2><table><tr><th>Threads<th>A<th>B<tr><td>8<td>568<td>571</table></html>";
    assert_eq!(shown(page), "A clients 8 qps 568; B clients 8 qps 571");
}

#[test]
fn a_heading_of_clients_and_a_rate_says_what_rows_and_cells_are() {
    for corner in ["Threads / QPS", "QPS \\ Threads"] {
        let text = format!("| {corner} | foo | bar |\n{ROWS}");
        assert_eq!(shown(&text), figures("qps", "foo", "bar"), "{corner}");
    }
    assert!(!shown("| TPS / thread | A | B |\n|--|--|--|\n| 50.5 | 1 | 2 |\n| 40 | 3 | 4 |\n").contains("clients"));
}
