//! Rows as text: tuples of INSERT statements, and lines of `COPY` and `LOAD DATA`.

use super::generator::{Field, Generator};
use super::tables::{Filled, FilledTables};
use std::borrow::Cow;
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

/// The columns of a table.
fn columns(table: &Filled, dialect: Dialect) -> String {
    table.columns.iter().map(|(name, _)| spelled(table, name, dialect)).collect::<Vec<_>>().join(", ")
}

/// The name of a table or of one of its columns as its file and statements have it.
pub(crate) fn spelled<'a>(table: &Filled, name: &'a str, dialect: Dialect) -> Cow<'a, str> {
    match table.quoted.get(name) {
        Some(letters) => Cow::Owned(dialect.quoting().name(letters)),
        None => written(name, dialect),
    }
}

/// A name as statements have it: without quotes, so that it gets the case that the database gives it, unless it is one that needs them.
pub(crate) fn written(name: &str, dialect: Dialect) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii();
    let is_quoted = name.contains(['"', '`', '.']);
    let needs_quotes = !name.chars().all(plain)
        || name.starts_with(|c: char| c.is_ascii_digit())
        || RESERVED.contains(&name.to_ascii_lowercase().as_str());
    if is_quoted || !needs_quotes { Cow::Borrowed(name) } else { Cow::Owned(dialect.quoting().name(name)) }
}

/// Words that one of the databases reserves and that are names of tables and columns now and then (MySQL manual 9.3, PostgreSQL manual
/// appendix C, <https://www.sqlite.org/lang_keywords.html>). With quotes they are the same names in the other databases.
const RESERVED: &[&str] = &[
    "all",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "between",
    "both",
    "by",
    "call",
    "case",
    "change",
    "character",
    "check",
    "collate",
    "column",
    "condition",
    "constraint",
    "create",
    "cross",
    "cube",
    "current_date",
    "current_time",
    "current_timestamp",
    "current_user",
    "database",
    "databases",
    "default",
    "delete",
    "desc",
    "describe",
    "distinct",
    "div",
    "do",
    "drop",
    "each",
    "else",
    "end",
    "exists",
    "explain",
    "false",
    "fetch",
    "float",
    "for",
    "force",
    "foreign",
    "freeze",
    "from",
    "full",
    "fulltext",
    "function",
    "generated",
    "grant",
    "group",
    "grouping",
    "groups",
    "having",
    "if",
    "ignore",
    "in",
    "index",
    "inner",
    "insert",
    "interval",
    "into",
    "is",
    "join",
    "key",
    "keys",
    "kill",
    "lateral",
    "lead",
    "leading",
    "left",
    "like",
    "limit",
    "lines",
    "load",
    "lock",
    "match",
    "mod",
    "natural",
    "not",
    "null",
    "of",
    "offset",
    "on",
    "only",
    "option",
    "or",
    "order",
    "out",
    "outer",
    "over",
    "partition",
    "placing",
    "primary",
    "procedure",
    "purge",
    "range",
    "rank",
    "read",
    "recursive",
    "references",
    "release",
    "rename",
    "repeat",
    "replace",
    "require",
    "returning",
    "right",
    "row",
    "rows",
    "schema",
    "select",
    "session_user",
    "set",
    "show",
    "signal",
    "some",
    "spatial",
    "sql",
    "starting",
    "symmetric",
    "system",
    "table",
    "then",
    "to",
    "trailing",
    "transaction",
    "trigger",
    "true",
    "union",
    "unique",
    "unlock",
    "update",
    "usage",
    "use",
    "user",
    "using",
    "values",
    "varying",
    "verbose",
    "when",
    "where",
    "while",
    "window",
    "with",
    "write",
];

/// The beginning of a statement that inserts into a table.
pub(crate) fn head(table: &Filled, dialect: Dialect) -> String {
    format!("INSERT INTO {} ({}) VALUES ", spelled(table, &table.name, dialect), columns(table, dialect))
}

/// The statement that takes the lines of a table.
pub(crate) fn takes_lines(table: &Filled, dialect: Dialect) -> String {
    let name = spelled(table, &table.name, dialect);
    if dialect == Dialect::Postgres {
        return format!("COPY {name} ({}) FROM STDIN", columns(table, dialect));
    }
    // Bytes are sent in hexadecimal digits, because the lines are UTF-8.
    let is_bytes = |generator: &Generator| generator.makes_bytes();
    let mut sets = Vec::new();
    let listed: Vec<String> = table
        .columns
        .iter()
        .enumerate()
        .map(|(at, (name, generator))| match is_bytes(generator) {
            false => written(name, dialect).into_owned(),
            true => {
                sets.push(format!("{} = UNHEX(@b{at})", written(name, dialect)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_need_quotes_get_them() {
        let of = |name: &str| [Dialect::Mysql, Dialect::Postgres].map(|dialect| written(name, dialect).into_owned());
        assert_eq!(of("Account"), ["Account", "Account"]);
        assert_eq!(of("order"), ["`order`", "\"order\""]);
        assert_eq!(of("2020_sales"), ["`2020_sales`", "\"2020_sales\""]);
        assert_eq!(of("a b"), ["`a b`", "\"a b\""]);
        assert_eq!(of("public.order"), ["public.order", "public.order"]);
        assert_eq!(of("\"order\""), ["\"order\"", "\"order\""]);
    }
}
