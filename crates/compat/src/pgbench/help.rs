//! `pgbench --help`.

use super::options::GROUPS;
use crate::help::lines;

/// All options.
pub fn help() -> String {
    let mut text = format!(
        "pgbench is a benchmarking tool for PostgreSQL; this one is Tenbin {}: the same options, statements and reports, and a run directory beside.\n\n\
         Usage:\n  pgbench [OPTION]... [DBNAME]\n",
        env!("CARGO_PKG_VERSION")
    );
    for (heading, rows) in GROUPS {
        text += &format!("\n{heading}:\n{}", lines(rows));
    }
    text += "\nRun directories go to ./runs, or where TENBIN_RUNS says. Differences: doc/compat/pgbench.md.\n\
             Report bugs to Tenbin, not to the authors of PostgreSQL.";
    text
}
