//! Parameters sent to a database, and results.

/// One parameter of a prepared statement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value<'a> {
    /// SQL NULL.
    Null,
    /// A 64-bit integer.
    Int(i64),
    /// A double.
    Float(f64),
    /// Text or bytes.
    Text(&'a [u8]),
}

/// A result with its rows. Not for the hot path (inspection, observers).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Table {
    /// Column names in order.
    pub columns: Vec<String>,
    /// Rows in order; a value as text, `None` for NULL.
    pub rows: Vec<Vec<Option<String>>>,
}

impl Table {
    /// The value in the first row and column, if there is one and it is not NULL.
    pub fn scalar(&self) -> Option<&str> {
        self.rows.first()?.first()?.as_deref()
    }
}

/// The source of the bytes of a bulk load: created in memory, chunk by chunk.
pub trait Source {
    /// Appends the next chunk to `out` (some 100 KiB are good); leaves it unchanged if there are no more.
    fn fill(&mut self, out: &mut Vec<u8>);
}
