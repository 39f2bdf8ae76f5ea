//! Options in `--help`.

use super::option::{OptionSpec, SupportLevel};

/// One option per line, the meanings in one column.
pub fn lines<'a>(rows: impl IntoIterator<Item = &'a OptionSpec>) -> String {
    table(rows, OptionSpec::synopsis)
}

/// The same with `-` in names that are written with `_`.
pub fn lines_with_hyphens<'a>(rows: impl IntoIterator<Item = &'a OptionSpec>) -> String {
    table(rows, |row| row.synopsis().replace('_', "-"))
}

/// The same with `_` in names.
pub fn lines_with_underscores<'a>(rows: impl IntoIterator<Item = &'a OptionSpec>) -> String {
    table(rows, |row| format!("--{}", row.synopsis().trim_start_matches("--").replace('-', "_")))
}

fn table<'a>(rows: impl IntoIterator<Item = &'a OptionSpec>, left: impl Fn(&OptionSpec) -> String) -> String {
    let rows: Vec<(String, &OptionSpec)> = rows.into_iter().map(|row| (left(row), row)).collect();
    // A few long ones do not push the meanings of all others to the right.
    let width = rows.iter().map(|(left, _)| left.len()).filter(|n| *n <= WIDEST).max().unwrap_or(0);
    rows.iter().map(|(left, row)| format!("  {left:width$}  {}\n", right(row))).collect()
}

const WIDEST: usize = 48;

fn right(row: &OptionSpec) -> String {
    let default = match row.default {
        super::option::DefaultValue::None => String::new(),
        _ => format!(" [{}]", row.default_text()),
    };
    let of = if row.of.is_empty() { String::new() } else { format!(" ({})", row.of) };
    let support = match row.support {
        SupportLevel::Full => String::new(),
        SupportLevel::Inert(because) => format!(" (no effect: {because})"),
        SupportLevel::Refused(because) => format!(" (refused: {because})"),
    };
    format!("{}{default}{of}{support}", row.meaning)
}
