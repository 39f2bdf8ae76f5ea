//! `--help`, and `help` of a native test.

use super::option::{Fate, Group, Row, Since};
use super::options::{GLOBAL, OLTP};
use super::{host, test};
use tenbin_workload::Entry;

/// What `--help` prints.
pub fn general() -> String {
    let mut text = String::from(
        "Usage:\n  sysbench [options]... [testname] [command]\n\n\
         Commands implemented by most tests: prepare run cleanup help\n\n",
    );
    for group in Group::ALL.iter().filter(|g| !matches!(g, Group::Oltp | Group::Old)) {
        let rows: Vec<&Row> = GLOBAL.iter().filter(|r| r.group == *group).collect();
        text += &format!("{}:\n{}\n", group.title(), table(&rows, false));
    }
    text +=
        "Compiled-in database drivers:\n  mysql - MySQL driver\n  pgsql - PostgreSQL driver\n\nCompiled-in tests:\n";
    let (hosts, others): (Vec<&Entry>, _) = test::natives().partition(|e| host::is(e));
    let listed = |all: &[&Entry]| all.iter().map(|e| format!("  {} - {}\n", e.name, e.about)).collect::<String>();
    text += &listed(&hosts);
    text += "\nTests that are native here and scripts elsewhere:\n";
    text += &listed(&others);
    text += "\nSee 'sysbench <testname> help' for a list of options for each test.\n";
    text
}

/// What `sysbench TEST help` prints below the banner.
pub fn of_test(name: &str, rows: &[Row]) -> String {
    let rows: Vec<&Row> = rows.iter().collect();
    let oltp = rows.iter().all(|r| OLTP.iter().any(|o| o.name == r.name));
    format!("{name} options:\n{}", table(&rows, oltp))
}

/// One row a line, the meanings in one column. Options of scripts are shown with `_`, as Lua has them.
fn table(rows: &[&Row], underscores: bool) -> String {
    let left = |row: &Row| {
        let synopsis = row.synopsis();
        let (dash, line) = if underscores { ('-', "_") } else { ('_', "-") };
        format!("--{}", synopsis[2..].replace(dash, line))
    };
    let width = rows.iter().map(|r| left(r).len()).max().unwrap_or(0);
    let line = |row: &&Row| {
        let fate = match row.fate {
            Fate::Means if row.since == Since::From11 => " (of 1.1)",
            Fate::Means => "",
            Fate::Inert(_) => " (without effect)",
            Fate::Refused(_) => " (refused)",
        };
        format!("  {:width$} {}{fate}{}\n", left(row), row.meaning, row.bracket())
    };
    rows.iter().map(line).collect()
}
