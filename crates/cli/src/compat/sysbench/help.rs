//! `--help`, and `help` of a native test.

use super::option::{OptionGroup, OptionSpec, Since, SupportLevel};
use super::options::{GLOBAL, OLTP};
use super::{host, test};
use tenbin_workload::WorkloadEntry;

/// What `--help` prints.
pub fn general() -> String {
    let mut text = String::from(
        "Usage:\n  sysbench [options]... [testname] [command]\n\n\
         Commands implemented by most tests: prepare run cleanup help\n\n",
    );
    for group in OptionGroup::ALL.iter().filter(|g| !matches!(g, OptionGroup::Oltp | OptionGroup::Old)) {
        let rows: Vec<&OptionSpec> = GLOBAL.iter().filter(|r| r.group == *group).collect();
        text += &format!("{}:\n{}\n", group.title(), table(&rows, false));
    }
    text +=
        "Compiled-in database drivers:\n  mysql - MySQL driver\n  pgsql - PostgreSQL driver\n\nCompiled-in tests:\n";
    let (hosts, others): (Vec<&WorkloadEntry>, _) = test::natives().partition(|e| host::is(e));
    let listed =
        |all: &[&WorkloadEntry]| all.iter().map(|e| format!("  {} - {}\n", e.name, e.about)).collect::<String>();
    text += &listed(&hosts);
    text += "\nTests that are native here and scripts elsewhere:\n";
    text += &listed(&others);
    text += "\nSee 'sysbench <testname> help' for a list of options for each test.\n";
    text
}

/// What `sysbench TEST help` prints below the banner.
pub fn of_test(name: &str, rows: &[OptionSpec]) -> String {
    let rows: Vec<&OptionSpec> = rows.iter().collect();
    let oltp = rows.iter().all(|r| OLTP.iter().any(|o| o.name == r.name));
    format!("{name} options:\n{}", table(&rows, oltp))
}

/// One row per line, the meanings in one column. Options of scripts are shown with `_`, as in Lua.
fn table(rows: &[&OptionSpec], underscores: bool) -> String {
    let left = |row: &OptionSpec| {
        let synopsis = row.synopsis();
        let (dash, line) = if underscores { ('-', "_") } else { ('_', "-") };
        format!("--{}", synopsis[2..].replace(dash, line))
    };
    let width = rows.iter().map(|r| left(r).len()).max().unwrap_or(0);
    let line = |row: &&OptionSpec| {
        let support = match row.support {
            SupportLevel::Means if row.since == Since::From11 => " (of 1.1)",
            SupportLevel::Means => "",
            SupportLevel::Inert(_) => " (without effect)",
            SupportLevel::Refused(_) => " (refused)",
        };
        format!("  {:width$} {}{support}{}\n", left(row), row.meaning, row.bracket())
    };
    rows.iter().map(line).collect()
}
