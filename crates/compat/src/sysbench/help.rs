//! `--help`, and `help` of a native test.

use super::options::{GLOBAL, OLTP};
use super::row::GROUPS;
use super::{host, test};
use crate::help::{lines, lines_with_hyphens, lines_with_underscores};
use crate::option::OptionSpec;
use tenbin_workload::WorkloadEntry;

/// What `--help` prints.
pub fn general() -> String {
    let mut text = String::from(
        "Usage:\n  sysbench [options]... [testname] [command]\n\n\
         Commands implemented by most tests: prepare run cleanup help\n\n",
    );
    for group in GROUPS {
        let mut rows = GLOBAL.iter().filter(|row| row.group == *group).peekable();
        if rows.peek().is_some() {
            text += &format!("{group}:\n{}\n", lines(rows));
        }
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
    // Options of scripts are shown with `_`, as in Lua; those of tests that are not scripts with `-`.
    let of_script = rows.iter().all(|row| OLTP.iter().any(|o| o.name == row.name));
    format!("{name} options:\n{}", if of_script { lines_with_underscores(rows) } else { lines_with_hyphens(rows) })
}
