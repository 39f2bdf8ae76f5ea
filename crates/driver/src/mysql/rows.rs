//! The rows of a reply, if they are requested: as text for inspection, as values for a transaction.

use crate::row_budget::RowBudget;
use crate::{Table, Value};
use tenbin_wire::mysql::bytes::Bytes;
use tenbin_wire::mysql::reply::Rows;
use tenbin_wire::mysql::value::{Binary, text_row, value};

/// Keeps the rows of a prepared statement's first result set as values.
pub struct Fetch<'a> {
    pub rows: &'a mut crate::Rows,
    /// The first result is complete.
    pub over: bool,
    pub seen: RowBudget,
}

impl Rows for Fetch<'_> {
    #[inline]
    fn column(&mut self, definition: &[u8]) {
        if self.over {
            return;
        }
        // A definition ends with the type, two bytes of flags, the decimals and two unused bytes.
        let Some([kind, flags, ..]) = definition.last_chunk::<6>() else {
            self.seen.broken = true;
            return;
        };
        if !self.seen.room_for(&[], 1) {
            return;
        }
        self.rows.kinds.push((*kind, flags & UNSIGNED != 0));
        self.rows.columns(self.rows.kinds.len());
    }

    fn end(&mut self) {
        self.over = true;
    }

    #[inline]
    fn row(&mut self, row: &[u8]) {
        if !self.over && self.seen.room_for(row, self.rows.kinds.len()) && self.values(row).is_err() {
            self.seen.broken = true;
        }
    }
}

/// The flag of an unsigned column, in the first byte of its flags.
const UNSIGNED: u8 = 32;

impl Fetch<'_> {
    #[inline]
    fn values(&mut self, row: &[u8]) -> Result<(), tenbin_wire::mysql::Fault> {
        let mut bytes = Bytes::new(row, "row");
        bytes.u8()?;
        let nulls = bytes.take((self.rows.kinds.len() + 2).div_ceil(8))?;
        for at in 0..self.rows.kinds.len() {
            let (kind, unsigned) = self.rows.kinds[at];
            let value = match nulls[(at + 2) / 8] & (1 << ((at + 2) % 8)) {
                0 => value(&mut bytes, kind, unsigned)?,
                _ => Binary::Null,
            };
            self.rows.push(match value {
                Binary::Null => Value::Null,
                Binary::Int(n) => Value::Int(n),
                Binary::Float(x) => Value::Float(x),
                Binary::Text(text) | Binary::Moment(text) => Value::Text(text),
            });
        }
        if bytes.is_empty() { Ok(()) } else { Err(bytes.fault()) }
    }
}

/// Keeps the rows of the first result set of an SQL text in one flat list.
pub struct Keep<'a> {
    pub rows: &'a mut crate::Rows,
    pub over: bool,
    pub seen: RowBudget,
}

impl Rows for Keep<'_> {
    fn column(&mut self, _definition: &[u8]) {
        if !self.over {
            self.rows.columns(self.rows.width() + 1);
        }
    }

    fn end(&mut self) {
        self.over = true;
    }

    fn row(&mut self, row: &[u8]) {
        if self.over || !self.seen.room_for(row, self.rows.width()) {
            return;
        }
        let mut values = 0;
        for value in text_row(row) {
            match value {
                // More values than columns: not a valid row, and not kept.
                _ if values == self.rows.width() => {
                    self.seen.broken = true;
                    return;
                }
                Ok(value) => self.rows.push(value.map_or(Value::Null, Value::Text)),
                Err(_) => self.seen.broken = true,
            }
            values += 1;
        }
        self.seen.broken |= values != self.rows.width();
    }
}

/// The memory of a result in addition to its rows, as a number of values.
const RESULT: usize = 8;

/// Keeps all results of an SQL text.
pub struct KeepAll<'a> {
    pub results: &'a mut crate::Results,
    /// Column definitions of the last one are still being received.
    pub open: bool,
    pub seen: RowBudget,
}

impl Rows for KeepAll<'_> {
    fn column(&mut self, _definition: &[u8]) {
        if !self.open {
            if !self.seen.room_for(&[], RESULT) {
                return;
            }
            self.open = true;
            self.results.begin();
        }
        if let Some((rows, _)) = self.results.last() {
            rows.columns(rows.width() + 1);
        }
    }

    fn end(&mut self) {
        self.open = false;
    }

    fn changed(&mut self, rows: u64) {
        if !self.seen.room_for(&[], RESULT) {
            return;
        }
        self.results.begin();
        if let Some((_, changed)) = self.results.last() {
            *changed = rows;
        }
    }

    fn row(&mut self, row: &[u8]) {
        let Some((rows, _)) = self.results.last() else { return };
        if !self.seen.room_for(row, rows.width()) {
            return;
        }
        let mut keep = Keep { rows, over: false, seen: RowBudget::default() };
        keep.row(row);
        self.seen.broken |= keep.seen.broken;
    }
}

/// Keeps the rows of the first result set.
#[derive(Default)]
pub struct KeptRows {
    pub table: Table,
    pub seen: RowBudget,
    /// The first result is complete.
    over: bool,
}

impl Rows for KeptRows {
    fn column(&mut self, definition: &[u8]) {
        if self.over {
            return;
        }
        // Catalogue, schema, table, original table, name.
        let mut b = Bytes::new(definition, "column");
        let name = (0..5).try_fold(&[][..], |_, _| b.lenenc_str());
        self.seen.broken |= name.is_err();
        if !self.seen.room_for(name.unwrap_or(&[]), 1) {
            return;
        }
        self.table.columns.push(String::from_utf8_lossy(name.unwrap_or(&[])).into_owned());
    }

    fn end(&mut self) {
        self.over = true;
    }

    fn row(&mut self, row: &[u8]) {
        if self.over || !self.seen.room_for(row, self.table.columns.len()) {
            return;
        }
        let values: Result<Vec<_>, _> = text_row(row).take(self.table.columns.len() + 1).collect();
        match values {
            Ok(values) if values.len() == self.table.columns.len() => {
                let text = |v: Option<&[u8]>| v.map(|v| String::from_utf8_lossy(v).into_owned());
                self.table.rows.push(values.into_iter().map(text).collect());
            }
            _ => self.seen.broken = true,
        }
    }
}
