//! Rows as text: tuples of INSERT statements, and lines of `COPY` and `LOAD DATA`.

use super::generator::{Field, Generator};
use super::tables::{Filled, FilledTables};
use std::io::Write as _;
use std::ops::Range;
use tenbin_driver::{Quoting, Source};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::stream::{Allows, CHUNK, Counted, InsertMethod, LINES};

/// How rows are sent to a MySQL server. Below lock mode 2 InnoDB holds the AUTO-INC lock of a table to the end of a `LOAD DATA`, so that several streams
/// would wait for one another.
pub(crate) fn on_mysql(allows: &Allows, streams: u32) -> InsertMethod {
    let alone = streams <= 1 || allows.lock_mode.as_deref() == Some("2");
    match allows.local && alone {
        true => InsertMethod::LoadData(allows.statement),
        false => InsertMethod::Insert(allows.statement),
    }
}

/// The columns of a table, as they are written, so that names without quotes have the case that the database gives them.
fn columns(table: &Filled) -> String {
    table.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
}

/// The beginning of a statement that inserts into a table.
pub(crate) fn head(table: &Filled) -> String {
    format!("INSERT INTO {} ({}) VALUES ", table.name, columns(table))
}

/// The statement that takes the lines of a table.
pub(crate) fn takes_lines(table: &Filled, dialect: Dialect) -> String {
    let name = &table.name;
    if dialect == Dialect::Postgres {
        return format!("COPY {name} ({}) FROM STDIN", columns(table));
    }
    // Bytes are sent in hexadecimal digits, because the lines are UTF-8.
    let is_bytes = |generator: &Generator| generator.makes_bytes();
    let mut sets = Vec::new();
    let listed: Vec<String> = table
        .columns
        .iter()
        .enumerate()
        .map(|(at, (name, generator))| match is_bytes(generator) {
            false => name.clone(),
            true => {
                sets.push(format!("{name} = UNHEX(@b{at})"));
                format!("@b{at}")
            }
        })
        .collect();
    let set = if sets.is_empty() { String::new() } else { format!(" SET {}", sets.join(", ")) };
    format!(
        "LOAD DATA LOCAL INFILE 'tenbin' INTO TABLE {name} CHARACTER SET utf8mb4 {LINES} ({}){set}",
        listed.join(", ")
    )
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

/// Appends a row as a line: `COPY` and `LOAD DATA` have the same form, but bytes are digits of a text for PostgreSQL, and for MySQL a text of digits.
pub(crate) fn push_line(
    tables: &FilledTables,
    table: &Filled,
    row: u64,
    seed: u64,
    dialect: Dialect,
    out: &mut Vec<u8>,
) {
    for column in 0..table.columns.len() {
        if column > 0 {
            out.push(b'\t');
        }
        match tables.value(table, column, row, seed) {
            Field::Null => out.extend_from_slice(b"\\N"),
            Field::Int(value) => _ = write!(out, "{value}"),
            Field::Digits(digits) => out.extend_from_slice(digits.as_bytes()),
            Field::Text(text) => push_escaped(text.as_bytes(), out),
            Field::Bytes(bytes) => {
                if dialect == Dialect::Postgres {
                    out.extend_from_slice(b"\\\\x");
                }
                out.extend_from_slice(tenbin_words::hex::hex(&bytes).as_bytes());
            }
        }
    }
    out.push(b'\n');
}

/// Appends a text in which nothing is the end of a field or of a line.
fn push_escaped(text: &[u8], out: &mut Vec<u8>) {
    for &byte in text {
        match byte {
            b'\t' => out.extend_from_slice(b"\\t"),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\\' => out.extend_from_slice(b"\\\\"),
            other => out.push(other),
        }
    }
}

/// Lines of rows, made on request of the connection.
pub(crate) struct RowLines<'a> {
    pub(crate) tables: &'a FilledTables,
    pub(crate) table: &'a Filled,
    pub(crate) rows: Range<u64>,
    pub(crate) seed: u64,
    pub(crate) dialect: Dialect,
    pub(crate) counted: &'a Counted<'a>,
}

impl Source for RowLines<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) {
        let mut made = 0;
        while out.len() < CHUNK
            && let Some(row) = self.rows.next()
        {
            push_line(self.tables, self.table, row, self.seed, self.dialect, out);
            made += 1;
        }
        if made > 0 {
            self.counted.sent(made);
        }
    }
}
