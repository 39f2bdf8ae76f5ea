//! `--help` of both programs.

use super::option::{LOAD, OptionSpec, START};
use super::parsed_args;

/// tpcc_load's.
pub fn load() -> String {
    text("tpcc_load", "fills the nine tables", LOAD, parsed_args::LOAD)
}

/// tpcc_start's.
pub fn start() -> String {
    let more = "\nRun directories go to ./runs, or where TENBIN_RUNS says.";
    text("tpcc_start", "drives the five transactions", START, parsed_args::START) + more
}

fn text(program: &str, does: &str, rows: &[OptionSpec], forms: parsed_args::Forms) -> String {
    let mut text = format!(
        "{program}, answered by Tenbin {}: {does} as tpcc-mysql does, without its faults.\n\nUsage: {program} [OPTIONS]\n",
        env!("CARGO_PKG_VERSION")
    );
    forms.iter().for_each(|words| text += &format!("       {program} {}\n", words.join(" ").to_uppercase()));
    text += "\nOptions:\n";
    rows.iter().for_each(|row| text += &line(row));
    text + "\nDifferences: doc/compat/tpcc-mysql.md"
}

fn line(row: &OptionSpec) -> String {
    let default = if row.default.is_empty() { String::new() } else { format!(" [{}]", row.default) };
    format!("  {:<40} {}{default}{}\n", row.synopsis(), row.meaning, row.support.note())
}
