//! The rows of a reply, if they are requested: as text for inspection, as values for a transaction.

use crate::row_budget::RowBudget;
use crate::{Table, Value};
use tenbin_wire::postgres::reply::Rows;
use tenbin_wire::postgres::value::{self, Column, oid};

/// Keeps the rows of the first result set that has columns.
#[derive(Default)]
pub struct KeptRows {
    pub table: Table,
    pub budget: RowBudget,
    described: bool,
    over: bool,
}

impl Rows for KeptRows {
    const LOOKS: bool = true;

    fn columns(&mut self, body: &[u8]) {
        if self.over {
            return;
        }
        self.described = true;
        match value::columns(body) {
            Ok(all) if !self.budget.room_for(body, all.len()) => {}
            Ok(all) => self.table.columns = all.iter().map(|c| String::from_utf8_lossy(c.name).into_owned()).collect(),
            Err(_) => self.budget.broken = true,
        }
    }

    fn row(&mut self, body: &[u8]) {
        if self.over || !self.budget.room_for(body, self.table.columns.len()) {
            return;
        }
        match value::row(body) {
            Ok(values) if values.len() == self.table.columns.len() => {
                let text = |v: Option<&[u8]>| v.map(|v| String::from_utf8_lossy(v).into_owned());
                self.table.rows.push(values.into_iter().map(text).collect());
            }
            _ => self.budget.broken = true,
        }
    }

    fn end(&mut self) {
        self.over |= self.described;
    }
}

/// Keeps the rows of the first result set with columns of an SQL text, as text in one flat list, and the names of these if they are wanted.
pub struct Keep<'a> {
    pub rows: &'a mut crate::Rows,
    pub names: Option<&'a mut Vec<String>>,
    pub budget: RowBudget,
    pub over: bool,
}

impl Rows for Keep<'_> {
    const LOOKS: bool = true;

    fn columns(&mut self, body: &[u8]) {
        if self.over {
            return;
        }
        match value::columns(body) {
            Ok(all) => {
                self.rows.columns(all.len());
                if let Some(names) = self.names.as_mut().filter(|_| self.budget.room_for(body, all.len())) {
                    **names = all.iter().map(|c| String::from_utf8_lossy(c.name).into_owned()).collect();
                }
            }
            Err(_) => self.budget.broken = true,
        }
    }

    fn row(&mut self, body: &[u8]) {
        if self.over || !self.budget.room_for(body, self.rows.width()) {
            return;
        }
        match value::row(body) {
            Ok(values) if values.len() == self.rows.width() => {
                values.into_iter().for_each(|v| self.rows.push(v.map_or(Value::Null, Value::Text)));
            }
            _ => self.budget.broken = true,
        }
    }

    fn end(&mut self) {
        self.over |= self.rows.width() > 0;
    }
}

/// The memory of a result in addition to its rows, as a number of values.
const RESULT: usize = 8;

/// Keeps all results of an SQL text.
pub struct KeepAll<'a> {
    pub results: &'a mut crate::Results,
    /// The last one is not over.
    pub open: bool,
    pub budget: RowBudget,
}

impl Rows for KeepAll<'_> {
    const LOOKS: bool = true;

    fn columns(&mut self, body: &[u8]) {
        if !self.budget.room_for(&[], RESULT) {
            return;
        }
        self.open = true;
        let rows = self.results.begin();
        match value::columns(body) {
            Ok(all) => rows.columns(all.len()),
            Err(_) => self.budget.broken = true,
        }
    }

    fn row(&mut self, body: &[u8]) {
        let Some((rows, _)) = self.results.last() else { return };
        if !self.budget.room_for(body, rows.width()) {
            return;
        }
        let mut keep = Keep { rows, names: None, over: false, budget: RowBudget::default() };
        keep.row(body);
        self.budget.broken |= keep.budget.broken;
    }

    fn changed(&mut self, rows: u64) {
        if !self.open {
            if !self.budget.room_for(&[], RESULT) {
                return;
            }
            self.results.begin();
        }
        if let Some((_, changed)) = self.results.last() {
            *changed = rows;
        }
    }

    fn end(&mut self) {
        self.open = false;
    }
}

/// The type into which the text of a column is converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Int,
    Float,
    Text,
}

/// The kind of a column, from the server's description.
pub fn kind(column: &Column<'_>) -> Kind {
    match column.oid {
        oid::INT2 | oid::INT4 | oid::INT8 => Kind::Int,
        oid::FLOAT4 | oid::FLOAT8 => Kind::Float,
        _ => Kind::Text,
    }
}

/// Keeps the rows of a prepared statement, which come as text, as values.
pub struct Fetch<'a> {
    pub rows: &'a mut crate::Rows,
    pub kinds: &'a [Kind],
    pub budget: RowBudget,
}

impl Rows for Fetch<'_> {
    const LOOKS: bool = true;

    #[inline]
    fn row(&mut self, body: &[u8]) {
        if self.budget.room_for(body, self.kinds.len()) {
            self.budget.broken |= self.values(body).is_none();
        }
    }
}

impl Fetch<'_> {
    fn values(&mut self, body: &[u8]) -> Option<()> {
        let mut values = value::values(body).ok()?;
        for kind in self.kinds {
            let Some(text) = values.next()?.ok()? else {
                self.rows.push(Value::Null);
                continue;
            };
            let words = || std::str::from_utf8(text).ok();
            self.rows.push(match kind {
                Kind::Int => Value::Int(words()?.parse().ok()?),
                Kind::Float => Value::Float(words()?.parse().ok()?),
                Kind::Text => Value::Text(text),
            });
        }
        values.next().is_none().then_some(())
    }
}
