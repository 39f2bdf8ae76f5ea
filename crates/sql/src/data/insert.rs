//! Rows as the text of INSERT statements.

use super::generator::Field;
use super::tables::{Filled, FilledTables};
use std::io::Write as _;
use tenbin_driver::Quoting;
use tenbin_workload::tables::dialect::Dialect;

/// The beginning of a statement that inserts into a table.
pub(crate) fn head(table: &Filled, dialect: Dialect) -> String {
    let columns: Vec<String> = table.columns.iter().map(|(name, _)| name.clone()).collect();
    // As they are written, so that names without quotes have the case that the database gives them.
    let _ = dialect;
    format!("INSERT INTO {} ({}) VALUES ", table.name, columns.join(", "))
}

/// Appends a row in parentheses.
pub(crate) fn push_row(
    tables: &FilledTables,
    table: &Filled,
    row: u64,
    seed: u64,
    (dialect, quoting): (Dialect, Quoting),
    out: &mut Vec<u8>,
) {
    out.push(b'(');
    for column in 0..table.columns.len() {
        if column > 0 {
            out.push(b',');
        }
        match tables.value(table, column, row, seed) {
            Field::Null => out.extend_from_slice(b"NULL"),
            Field::Int(value) => _ = write!(out, "{value}"),
            Field::Digits(digits) => out.extend_from_slice(digits.as_bytes()),
            Field::Text(text) => quoting.push_text(text.as_bytes(), out),
            Field::Bytes(bytes) => {
                out.extend_from_slice(if dialect == Dialect::Postgres { b"'\\x" } else { b"X'" });
                out.extend_from_slice(tenbin_words::hex::hex(&bytes).as_bytes());
                out.push(b'\'');
            }
        }
    }
    out.push(b')');
}
