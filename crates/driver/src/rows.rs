//! Rows that a transaction uses. They are kept in reused buffers, so that reading a row allocates nothing after
//! the first time. Rows that are not needed are skipped instead ([`crate::Connection::execute`]).

use crate::Value;

/// The rows of one reply, as [`crate::Connection::fetch`] leaves them.
#[derive(Debug, Default)]
pub struct Rows {
    /// Columns of each row.
    width: usize,
    cells: Vec<RowValue>,
    bytes: Vec<u8>,
    /// Types of the columns from the server's description; used by the driver while reading.
    pub(crate) kinds: Vec<(u8, bool, u8)>,
}

/// All results of one SQL text, in their order; their memory is reused.
#[derive(Debug, Default)]
pub struct Results {
    all: Vec<(Rows, u64)>,
    /// The number of results of the last text.
    used: usize,
}

impl Results {
    /// The number of results.
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The rows of a result, and the number of rows that it changed.
    pub fn get(&self, result: usize) -> Option<(&Rows, u64)> {
        self.all[..self.used].get(result).map(|(rows, changed)| (rows, *changed))
    }

    pub(crate) fn clear(&mut self) {
        self.used = 0;
    }

    /// The next one, empty.
    pub(crate) fn begin(&mut self) -> &mut Rows {
        if self.used == self.all.len() {
            self.all.push(<(Rows, u64)>::default());
        }
        self.used += 1;
        let (rows, changed) = &mut self.all[self.used - 1];
        rows.clear();
        *changed = 0;
        rows
    }

    /// The result that was started last.
    pub(crate) fn last(&mut self) -> Option<&mut (Rows, u64)> {
        self.all[..self.used].last_mut()
    }
}

#[derive(Debug, Clone, Copy)]
enum RowValue {
    Null,
    Int(i64),
    Float(f64),
    Text { from: usize, to: usize },
}

impl Rows {
    /// The number of rows.
    pub fn len(&self) -> usize {
        self.cells.len().checked_div(self.width).unwrap_or(0)
    }

    /// Columns of each row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// A value, counted from 0; `None` where there is no such row or column.
    pub fn get(&self, row: usize, column: usize) -> Option<Value<'_>> {
        if column >= self.width {
            return None;
        }
        Some(match *self.cells.get(row * self.width + column)? {
            RowValue::Null => Value::Null,
            RowValue::Int(n) => Value::Int(n),
            RowValue::Float(x) => Value::Float(x),
            RowValue::Text { from, to } => Value::Text(&self.bytes[from..to]),
        })
    }

    /// An integer; `None` for NULL and other types.
    pub fn int(&self, row: usize, column: usize) -> Option<i64> {
        match self.get(row, column)? {
            Value::Int(n) => Some(n),
            Value::Text(text) => decimal(text, 0),
            Value::Null | Value::Float(_) => None,
        }
    }

    /// Text or bytes; `None` for NULL and for numbers.
    pub fn text(&self, row: usize, column: usize) -> Option<&[u8]> {
        match self.get(row, column)? {
            Value::Text(text) => Some(text),
            Value::Null | Value::Int(_) | Value::Float(_) => None,
        }
    }

    /// A decimal number as an integer multiple of 10⁻ˢᶜᵃˡᵉ, exactly: "12.3" at scale 2 is 1230. `None` for NULL, for
    /// floats, and for values with more decimals than requested.
    pub fn decimal(&self, row: usize, column: usize, scale: u32) -> Option<i64> {
        match self.get(row, column)? {
            Value::Int(n) => n.checked_mul(10i64.checked_pow(scale)?),
            Value::Text(text) => decimal(text, scale),
            Value::Null | Value::Float(_) => None,
        }
    }

    /// Removes the rows and keeps the memory.
    pub(crate) fn clear(&mut self) {
        let Rows { width, cells, bytes, kinds } = self;
        *width = 0;
        cells.clear();
        bytes.clear();
        kinds.clear();
    }

    /// Sets the number of columns of the rows that follow.
    pub(crate) fn columns(&mut self, width: usize) {
        self.width = width;
    }

    /// Appends one value; rows fill from left to right.
    pub(crate) fn push(&mut self, value: Value<'_>) {
        self.cells.push(match value {
            Value::Null => RowValue::Null,
            Value::Int(n) => RowValue::Int(n),
            Value::Float(x) => RowValue::Float(x),
            Value::Text(text) => {
                let from = self.bytes.len();
                self.bytes.extend_from_slice(text);
                RowValue::Text { from, to: self.bytes.len() }
            }
        });
    }
}

/// Reads `-12.34` as an integer multiple of 10⁻ˢᶜᵃˡᵉ. Beyond the scale only zeros are accepted.
fn decimal(text: &[u8], scale: u32) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let (whole, rest) = match digits.iter().position(|b| *b == b'.') {
        Some(at) => (&digits[..at], &digits[at + 1..]),
        None => (digits, &[][..]),
    };
    if whole.is_empty() && rest.is_empty() {
        return None;
    }
    let scale = scale as usize;
    let (kept, over) = rest.split_at(rest.len().min(scale));
    if over.iter().any(|b| *b != b'0') {
        return None;
    }
    let zeros = std::iter::repeat_n(&b'0', scale - kept.len());
    let mut value = 0i64;
    for byte in whole.iter().chain(kept).chain(zeros) {
        let digit = byte.is_ascii_digit().then(|| i64::from(byte - b'0'))?;
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_exact_or_nothing() {
        let table: [(&str, u32, Option<i64>); 12] = [
            ("12.3", 2, Some(1230)),
            ("-10.00", 2, Some(-1000)),
            ("0.1234", 4, Some(1234)),
            ("0.1234", 2, None),
            ("0.1200", 2, Some(12)),
            (".5", 1, Some(5)),
            ("7", 0, Some(7)),
            ("7.", 2, Some(700)),
            ("", 2, None),
            ("-", 0, None),
            ("1e3", 2, None),
            ("99999999999999999999", 0, None),
        ];
        for (text, scale, wanted) in table {
            assert_eq!(decimal(text.as_bytes(), scale), wanted, "{text} at scale {scale}");
        }
    }

    #[test]
    fn rows_are_read_by_place() {
        let mut rows = Rows::default();
        assert!(rows.is_empty() && rows.get(0, 0).is_none());
        rows.columns(2);
        for value in [Value::Int(1), Value::Text(b"BAR"), Value::Null, Value::Text(b"3.50")] {
            rows.push(value);
        }
        assert_eq!((rows.len(), rows.int(0, 0), rows.text(0, 1)), (2, Some(1), Some(&b"BAR"[..])));
        assert_eq!((rows.int(1, 0), rows.decimal(1, 1, 2), rows.get(1, 0)), (None, Some(350), Some(Value::Null)));
        assert_eq!((rows.get(2, 0), rows.get(0, 2)), (None, None));
        rows.clear();
        assert_eq!(rows.len(), 0);
    }
}
