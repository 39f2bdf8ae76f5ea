//! The rows of a reply, if they are requested: as text for inspection, as values for a transaction.

use crate::row_budget::RowBudget;
use crate::{Table, Value};
use tenbin_wire::mysql::bytes::Bytes;
use tenbin_wire::mysql::moment::MomentText;
use tenbin_wire::mysql::reply::Rows;
use tenbin_wire::mysql::value::{Binary, kind, text_row, value};

/// The type of a column, whether it is unsigned, and its decimals.
pub type ColumnKind = (u8, bool, u8);

/// The flag of an unsigned column, in the first byte of its flags.
const UNSIGNED: u8 = 32;

/// The kind of a column according to its definition.
pub fn kind_of(definition: &[u8]) -> Option<ColumnKind> {
    // It ends with the type, two bytes of flags, the decimals and two unused bytes.
    let [kind, flags, _, decimals, ..] = definition.last_chunk::<6>()?;
    Some((*kind, flags & UNSIGNED != 0, *decimals))
}

/// The name of a column according to its definition.
pub fn name_of(definition: &[u8]) -> Result<&[u8], tenbin_wire::mysql::Fault> {
    // Catalogue, schema, table, original table, name.
    let mut b = Bytes::new(definition, "column");
    (0..5).try_fold(&[][..], |_, _| b.lenenc_str())
}

/// The columns of a prepared statement's first result set, as the server has last defined them, during an execution: definitions that
/// the client has received are left out, whether or not their rows were of interest then.
pub struct KnownColumns<'a> {
    pub kinds: &'a mut Vec<ColumnKind>,
    pub received: &'a mut ReceivedColumns,
}

/// Definitions of columns that are being received.
#[derive(Debug, Default)]
pub struct ReceivedColumns {
    kinds: Vec<ColumnKind>,
    /// The first result is complete.
    over: bool,
}

impl ReceivedColumns {
    /// Before an execution.
    #[inline]
    pub fn clear(&mut self) {
        self.over = false;
        self.kinds.clear();
    }
}

/// Executes without an interest in the rows.
impl Rows for KnownColumns<'_> {
    #[cold]
    fn column(&mut self, definition: &[u8]) {
        if !self.received.over {
            // One that cannot be read is as good as none: rows are then refused by their number of values.
            self.received.kinds.extend(kind_of(definition));
        }
    }

    #[inline]
    fn cached(&mut self, columns: usize) -> bool {
        !self.received.over && columns == self.kinds.len()
    }

    #[inline]
    fn defined(&mut self) {
        if !self.received.kinds.is_empty() {
            std::mem::swap(self.kinds, &mut self.received.kinds);
            self.received.kinds.clear();
        }
    }

    #[inline]
    fn end(&mut self) {
        self.received.over = true;
    }
}

/// Keeps the rows of a prepared statement's first result set as values.
pub struct Fetch<'a, 'b> {
    pub rows: &'a mut crate::Rows,
    pub known: &'a mut KnownColumns<'b>,
    pub budget: RowBudget,
}

impl Rows for Fetch<'_, '_> {
    fn column(&mut self, definition: &[u8]) {
        if self.known.received.over {
            return;
        }
        self.budget.broken |= kind_of(definition).is_none();
        if self.budget.room_for(&[], 1) {
            self.known.column(definition);
        }
    }

    #[inline]
    fn cached(&mut self, columns: usize) -> bool {
        self.known.cached(columns) && {
            self.begin();
            true
        }
    }

    fn defined(&mut self) {
        // After the first result the rows keep the columns of the first.
        if !self.known.received.over && !self.known.received.kinds.is_empty() {
            self.known.defined();
            self.begin();
        }
    }

    #[inline]
    fn end(&mut self) {
        self.known.end();
    }

    #[inline]
    fn row(&mut self, row: &[u8]) {
        if !self.known.received.over && self.budget.room_for(row, self.rows.kinds.len()) && self.values(row).is_err() {
            self.budget.broken = true;
        }
    }
}

impl Fetch<'_, '_> {
    /// The rows have the columns that are known.
    #[inline]
    fn begin(&mut self) {
        self.rows.kinds.clone_from(self.known.kinds);
        self.rows.columns(self.known.kinds.len());
    }

    #[inline]
    fn values(&mut self, row: &[u8]) -> Result<(), tenbin_wire::mysql::Fault> {
        let mut bytes = Bytes::new(row, "row");
        bytes.u8()?;
        let nulls = bytes.take((self.rows.kinds.len() + 2).div_ceil(8))?;
        for at in 0..self.rows.kinds.len() {
            let (kind, unsigned, decimals) = self.rows.kinds[at];
            let value = match nulls[(at + 2) / 8] & (1 << ((at + 2) % 8)) {
                0 => value(&mut bytes, kind, unsigned)?,
                _ => Binary::Null,
            };
            match value {
                Binary::Null => self.rows.push(Value::Null),
                // What has no place in a signed number is text, as decimals are.
                Binary::Int(n) if unsigned && n < 0 => self.rows.push(Value::Text((n as u64).to_string().as_bytes())),
                Binary::Int(n) => self.rows.push(Value::Int(n)),
                Binary::Float(x) if kind == kind::FLOAT => self.rows.push(Value::Float(as_written(x))),
                Binary::Float(x) => self.rows.push(Value::Float(x)),
                Binary::Text(text) => self.rows.push(Value::Text(text)),
                Binary::Moment(fields) => {
                    self.rows.push(Value::Text(MomentText::of(kind, decimals, fields)?.bytes()));
                }
            }
        }
        if bytes.is_empty() { Ok(()) } else { Err(bytes.fault()) }
    }
}

/// A FLOAT as the server writes it: with six significant digits, not those of its 32 bits as a double (0.1, not 0.10000000149011612).
fn as_written(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// Keeps the rows of the first result set of an SQL text in one flat list, and the names of its columns if they are wanted.
pub struct Keep<'a> {
    pub rows: &'a mut crate::Rows,
    pub names: Option<&'a mut Vec<String>>,
    pub over: bool,
    pub budget: RowBudget,
}

impl Rows for Keep<'_> {
    fn column(&mut self, definition: &[u8]) {
        if self.over {
            return;
        }
        self.rows.columns(self.rows.width() + 1);
        if let Some(names) = &mut self.names {
            let name = name_of(definition);
            self.budget.broken |= name.is_err();
            if self.budget.room_for(name.unwrap_or(&[]), 1) {
                names.push(String::from_utf8_lossy(name.unwrap_or(&[])).into_owned());
            }
        }
    }

    fn end(&mut self) {
        self.over = true;
    }

    fn row(&mut self, row: &[u8]) {
        if self.over || !self.budget.room_for(row, self.rows.width()) {
            return;
        }
        let mut values = 0;
        for value in text_row(row) {
            match value {
                // More values than columns: not a valid row, and not kept.
                _ if values == self.rows.width() => {
                    self.budget.broken = true;
                    return;
                }
                Ok(value) => self.rows.push(value.map_or(Value::Null, Value::Text)),
                Err(_) => self.budget.broken = true,
            }
            values += 1;
        }
        self.budget.broken |= values != self.rows.width();
    }
}

/// The memory of a result in addition to its rows, as a number of values.
const RESULT: usize = 8;

/// Keeps all results of an SQL text.
pub struct KeepAll<'a> {
    pub results: &'a mut crate::Results,
    /// Column definitions of the last one are still being received.
    pub open: bool,
    pub budget: RowBudget,
}

impl Rows for KeepAll<'_> {
    fn column(&mut self, _definition: &[u8]) {
        if !self.open {
            if !self.budget.room_for(&[], RESULT) {
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
        if !self.budget.room_for(&[], RESULT) {
            return;
        }
        self.results.begin();
        if let Some((_, changed)) = self.results.last() {
            *changed = rows;
        }
    }

    fn row(&mut self, row: &[u8]) {
        let Some((rows, _)) = self.results.last() else { return };
        if !self.budget.room_for(row, rows.width()) {
            return;
        }
        let mut keep = Keep { rows, names: None, over: false, budget: RowBudget::default() };
        keep.row(row);
        self.budget.broken |= keep.budget.broken;
    }
}

/// Keeps the rows of the first result set.
#[derive(Default)]
pub struct KeptRows {
    pub table: Table,
    pub budget: RowBudget,
    /// The first result is complete.
    over: bool,
}

impl Rows for KeptRows {
    fn column(&mut self, definition: &[u8]) {
        if self.over {
            return;
        }
        let name = name_of(definition);
        self.budget.broken |= name.is_err();
        if !self.budget.room_for(name.unwrap_or(&[]), 1) {
            return;
        }
        self.table.columns.push(String::from_utf8_lossy(name.unwrap_or(&[])).into_owned());
    }

    fn end(&mut self) {
        self.over = true;
    }

    fn row(&mut self, row: &[u8]) {
        if self.over || !self.budget.room_for(row, self.table.columns.len()) {
            return;
        }
        let values: Result<Vec<_>, _> = text_row(row).take(self.table.columns.len() + 1).collect();
        match values {
            Ok(values) if values.len() == self.table.columns.len() => {
                let text = |v: Option<&[u8]>| v.map(|v| String::from_utf8_lossy(v).into_owned());
                self.table.rows.push(values.into_iter().map(text).collect());
            }
            _ => self.budget.broken = true,
        }
    }
}
