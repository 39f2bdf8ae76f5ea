//! `mysqlslap --help`.

use super::options::GRAMMAR;
use crate::help::lines;

/// All options.
pub fn help(program: &str) -> String {
    let mut text = format!(
        "{program}, answered by Tenbin {}: the same options, block and CSV line, less overhead, and a run directory beside it.\n\n\
         Usage: {program} [OPTIONS]\n\nThese stand first:\n",
        env!("CARGO_PKG_VERSION")
    );
    text += &lines(GRAMMAR.first);
    text += "\nOptions:\n";
    text += &lines(GRAMMAR.rows());
    text += "\nRun directories go to ./runs, or where TENBIN_RUNS says. Differences: doc/compat/mysqlslap.md";
    text
}
