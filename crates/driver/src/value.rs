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

/// A double as text, with the fewest digits that mean it, as PostgreSQL writes it: an exponent where it is very large or small.
pub fn float_text(value: f64) -> String {
    if value.is_infinite() {
        return if value < 0.0 { "-Infinity" } else { "Infinity" }.to_owned();
    }
    if !value.is_finite() || value == 0.0 || (1e-4..1e15).contains(&value.abs()) {
        return value.to_string();
    }
    let shortest = format!("{value:e}");
    let (digits, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    match exponent.strip_prefix('-') {
        Some(exponent) => format!("{digits}e-{exponent:0>2}"),
        None => format!("{digits}e+{exponent:0>2}"),
    }
}

/// The same as SQLite writes it: a whole number has a point, because what has none is an integer there.
pub fn real_text(value: f64) -> String {
    let text = float_text(value);
    if value.is_finite() && !text.contains(['.', 'e']) { format!("{text}.0") } else { text }
}

/// The same as MySQL and MariaDB write it: plain with 15 digits before the point or 14 zeros behind it.
pub fn double_text(value: f64) -> String {
    const PLAIN: std::ops::RangeInclusive<i32> = -15..=14;
    let shortest = format!("{value:e}");
    let exponent = shortest.split_once('e').and_then(|(_, exponent)| exponent.parse().ok());
    if exponent.is_none_or(|exponent| PLAIN.contains(&exponent)) { value.to_string() } else { shortest }
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

#[cfg(test)]
mod tests {
    use super::*;

    // As MariaDB 10.11 sends them.
    #[test]
    fn doubles_have_the_text_of_mysql() {
        for (value, text) in [
            (0.1, "0.1"),
            (3.0, "3"),
            (1e14, "100000000000000"),
            (123_456_789_012_345.0, "123456789012345"),
            (1e15, "1e15"),
            (1e20, "1e20"),
            (-1.5e300, "-1.5e300"),
            (0.00001, "0.00001"),
            (1e-15, "0.000000000000001"),
            (1e-16, "1e-16"),
        ] {
            assert_eq!(double_text(value), text);
        }
    }

    // As PostgreSQL 15 sends them; SQLite's where it has others.
    #[test]
    fn doubles_have_the_text_of_a_server() {
        for (value, text, real) in [
            (0.1, "0.1", "0.1"),
            (3.0, "3", "3.0"),
            (-0.0, "-0", "-0.0"),
            (0.0001, "0.0001", "0.0001"),
            (0.00001, "1e-05", "1e-05"),
            (1e15, "1e+15", "1e+15"),
            (123_456_789_012_345.0, "123456789012345", "123456789012345.0"),
            (-1.5e300, "-1.5e+300", "-1.5e+300"),
            (f64::NEG_INFINITY, "-Infinity", "-Infinity"),
            (f64::NAN, "NaN", "NaN"),
        ] {
            assert_eq!((&*float_text(value), &*real_text(value)), (text, real));
        }
    }
}
