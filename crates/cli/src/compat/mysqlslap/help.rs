//! `mysqlslap --help`.

use super::option::{FILES, OPTIONS, OptionGroup, OptionSpec};

/// All options.
pub fn help(program: &str) -> String {
    let mut text = format!(
        "{program}, answered by Tenbin {}: the same options, block and CSV line, less overhead, and a run directory beside it.\n\n\
         Usage: {program} [OPTIONS]\n\nThese stand first:\n",
        env!("CARGO_PKG_VERSION")
    );
    FILES.iter().for_each(|row| text += &line(row));
    text += "\nOptions:\n";
    OPTIONS.iter().for_each(|row| text += &line(row));
    text += "\nRun directories go to ./runs, or where TENBIN_RUNS says. Differences: doc/compat/mysqlslap.md";
    text
}

fn line(row: &OptionSpec) -> String {
    let default = if row.default.is_empty() { String::new() } else { format!(" [{}]", row.default) };
    let of = if row.of == OptionGroup::Both { String::new() } else { format!(" ({})", row.of.name()) };
    format!("  {:<46} {}{default}{of}{}\n", row.synopsis(), row.meaning, row.support.note())
}
