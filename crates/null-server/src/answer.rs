//! From a statement's text to the bytes that answer it. Bytes are made once per kind of statement and shared.

use crate::Options;
use crate::encode::{self, Column, Kind, Protocol};
use crate::shape::{self, HowMany, StatementShape};
use crate::supplier;
use std::collections::HashMap;
use std::rc::Rc;

/// Ready-made answers by kind of statement.
#[derive(Debug)]
pub struct Answers {
    rows: u32,
    table_size: u64,
    made: HashMap<Key, Rc<[u8]>>,
    /// OK, one row changed.
    pub changed: Rc<[u8]>,
    /// OK, nothing changed.
    pub done: Rc<[u8]>,
    /// The injected error.
    pub injected: Rc<[u8]>,
}

/// What decides a result set's bytes: its columns as written, rows, protocol, and whether EOF packets are left out.
type Key = (Box<str>, HowMany, Protocol, bool);

/// Texts may differ without end; beyond this many kinds the store starts anew.
const MOST_KINDS: usize = 4096;

impl Answers {
    /// Makes those that every client needs.
    pub fn new(options: &Options) -> Answers {
        let (state, message) = injected(options.error_code);
        Answers {
            rows: options.rows,
            table_size: options.table_size,
            made: HashMap::new(),
            changed: encode::ok(1, 1).into(),
            done: encode::ok(1, 0).into(),
            injected: encode::error(1, options.error_code, state, message).into(),
        }
    }

    /// The rows of a SELECT from a table.
    pub fn rows(&mut self, columns: &str, rows: HowMany, protocol: Protocol, eofless: bool) -> Rc<[u8]> {
        // A key borrowed from the statement would save this small copy, at the price of a hand-made table.
        let key = (Box::from(columns), rows, protocol, eofless);
        if let Some(bytes) = self.made.get(&key) {
            return bytes.clone();
        }
        if self.made.len() >= MOST_KINDS {
            self.made.clear();
        }
        let columns: Vec<(Column, Filler)> = self.columns(columns);
        let number = match rows {
            HowMany::One => 1,
            HowMany::Range => self.rows,
            HowMany::Listed(n) => n,
        };
        let (columns, fillers): (Vec<Column>, Vec<Filler>) = columns.into_iter().unzip();
        let table: Vec<_> = (1..=number).map(|r| fillers.iter().map(|f| Some(f.value(r))).collect()).collect();
        let bytes: Rc<[u8]> = encode::result_set(&columns, &table, protocol, eofless).into();
        self.made.insert(key, bytes.clone());
        bytes
    }

    /// The answer to `COM_STMT_PREPARE`, its number still to be set.
    pub fn prepared(&self, sql: &str, eofless: bool) -> Vec<u8> {
        let columns = match shape::shape(sql) {
            StatementShape::Rows { columns, .. } => self.columns(columns).into_iter().map(|(c, _)| c).collect(),
            StatementShape::Catalogue { columns, table } => crate::system::catalogue(columns, table).0,
            StatementShape::Expressions(text) => crate::system::expressions(text).map(|(c, _)| c).unwrap_or_default(),
            _ => Vec::new(),
        };
        encode::prepared(&columns, shape::parameters(sql), eofless)
    }

    /// Name, type and content of each column, guessed from how it is written.
    fn columns(&self, list: &str) -> Vec<(Column, Filler)> {
        let list = if shape::starts(list, "DISTINCT ") { &list[9..] } else { list };
        let list = if list == "*" { "id, k, c, pad" } else { list };
        let column = |item: &str| {
            let (expression, name) = match shape::find(item, " AS ") {
                Some(at) => (item[..at].trim(), item[at + 4..].trim()),
                None => (item, item),
            };
            let name = name.rsplit('.').next().unwrap_or(name).trim_matches('`');
            let is = |prefix| shape::starts(expression, prefix);
            let bare = expression.rsplit('.').next().unwrap_or(expression).trim_matches('`').to_ascii_lowercase();
            let (kind, filler) = match bare.as_str() {
                _ if is("COUNT(") || is("MAX(") => (Kind::Int, Filler::Same(self.table_size)),
                _ if is("MIN(") => (Kind::Int, Filler::Same(1)),
                _ if is("SUM(") || is("AVG(") => (Kind::Decimal, Filler::Same(501_250)),
                "id" | "k" => (Kind::Int, Filler::RowNumber),
                number if number.parse::<i64>().is_ok() => (Kind::Int, Filler::RowNumber),
                "pad" => (Kind::Text, Filler::Groups(5)),
                _ => match supplier::column(expression) {
                    Some((kind, "")) => (kind, Filler::RowNumber),
                    Some((kind, content)) => (kind, Filler::Word(content)),
                    None => (Kind::Text, Filler::Groups(10)),
                },
            };
            (Column { name: name.to_owned(), kind }, filler)
        };
        shape::split(list).map(column).collect()
    }
}

/// What stands in a column.
#[derive(Debug, Clone, Copy)]
enum Filler {
    Same(u64),
    RowNumber,
    Word(&'static str),
    /// This many groups of eleven digits joined by `-`, as sysbench's `c` (10) and `pad` (5).
    Groups(u32),
}

impl Filler {
    fn value(self, row: u32) -> String {
        match self {
            Filler::Same(n) => n.to_string(),
            Filler::RowNumber => row.to_string(),
            Filler::Word(word) => word.to_owned(),
            Filler::Groups(n) => (0..n).map(|g| format!("{:011}", row * 10 + g)).collect::<Vec<_>>().join("-"),
        }
    }
}

/// SQLSTATE and text of an error that clients may be tested with (numbers from the servers' error reference).
fn injected(code: u16) -> (&'static str, &'static str) {
    match code {
        1020 => ("HY000", "Record has changed since last read in table 'sbtest1'"),
        1040 => ("08004", "Too many connections"),
        1062 => ("23000", "Duplicate entry '1' for key 'PRIMARY'"),
        1064 => ("42000", "You have an error in your SQL syntax"),
        1146 => ("42S02", "Table 'sbtest.sbtest1' doesn't exist"),
        1205 => ("HY000", "Lock wait timeout exceeded; try restarting transaction"),
        1213 => ("40001", "Deadlock found when trying to get lock; try restarting transaction"),
        1290 => ("HY000", "The server is running with the --read-only option so it cannot execute this statement"),
        _ => ("HY000", "Injected by the null server"),
    }
}
