//! `--help` of both programs.

use super::arguments::{self, Forms};
use super::options::{LOAD, START};
use crate::grammar::Grammar;
use crate::help::lines;

/// tpcc_load's.
pub fn load() -> String {
    text("tpcc_load", "fills the nine tables", &LOAD, arguments::LOAD)
}

/// tpcc_start's.
pub fn start() -> String {
    let more = "\nRun directories go to ./runs, or where TENBIN_RUNS says.";
    text("tpcc_start", "drives the five transactions", &START, arguments::START) + more
}

fn text(program: &str, does: &str, grammar: &Grammar, forms: Forms) -> String {
    let mut text = format!(
        "{program}, answered by Tenbin {}: {does} as tpcc-mysql does, without its faults.\n\nUsage: {program} [OPTIONS]\n",
        env!("CARGO_PKG_VERSION")
    );
    forms.iter().for_each(|words| text += &format!("       {program} {}\n", words.join(" ").to_uppercase()));
    text += "\nOptions:\n";
    text += &lines(grammar.rows());
    text + "\nDifferences: doc/compat/tpcc-mysql.md"
}
