//! A typed table: CSV, Parquet and the objects of JSON are written from it. The name, the unit and the type of a column are
//! part of its definition and never depend on the values, so that tables of several runs can be read together.

use std::borrow::Cow;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// The definition of the columns, and the rows.
pub struct Table<R> {
    /// In order.
    pub columns: Vec<Column<R>>,
    /// In order.
    pub rows: Vec<R>,
}

/// A column of a table with rows of type `R`.
pub struct Column<R> {
    /// Its name.
    pub name: Cow<'static, str>,
    /// `ms`, `s`, `1/s`; empty if it has none.
    pub unit: &'static str,
    pub(super) cells: Cells<R>,
}

/// The type of a column, and how a cell is made of a row. A cell without a value is an empty field of CSV, and null elsewhere.
pub(super) enum Cells<R> {
    Whole(fn(&R) -> Option<i64>),
    Number(Digits, fn(&R) -> Option<f64>),
    Flag(fn(&R) -> Option<bool>),
    Text(for<'r> fn(&'r R) -> Option<Cow<'r, str>>),
    /// Names with values: an object of JSON, and elsewhere its text.
    Object(fn(&R) -> serde_json::Value),
    /// The value of the axis with this key of the plan, read as the type that the key has.
    Axis(String, ColumnType, for<'r> fn(&'r R, &str) -> Option<&'r str>),
}

/// How many digits a number has in CSV. In the other formats it is not rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Digits {
    /// After the decimal point.
    Decimals(usize),
    /// Significant ones.
    Significant(i32),
    /// As many as are needed to read the same number back.
    Shortest,
}

/// The type of a column: in Parquet INT64, DOUBLE, BOOLEAN and UTF-8 text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnType {
    /// An integer.
    Whole,
    /// A number with a fraction.
    Number,
    /// Yes or no.
    Flag,
    /// Anything else.
    Text,
}

/// A cell.
pub(super) enum Value<'r> {
    Whole(i64),
    Number(f64),
    Flag(bool),
    Text(Cow<'r, str>),
    Object(serde_json::Value),
}

impl ColumnType {
    /// The name for documents.
    pub fn name(self) -> &'static str {
        match self {
            ColumnType::Whole => "integer",
            ColumnType::Number => "number",
            ColumnType::Flag => "boolean",
            ColumnType::Text => "text",
        }
    }
}

impl<R> Column<R> {
    pub(super) fn new(name: &'static str, unit: &'static str, cells: Cells<R>) -> Self {
        Column { name: Cow::Borrowed(name), unit, cells }
    }

    /// Its type.
    pub fn column_type(&self) -> ColumnType {
        match &self.cells {
            Cells::Whole(_) => ColumnType::Whole,
            Cells::Number(..) => ColumnType::Number,
            Cells::Flag(_) => ColumnType::Flag,
            Cells::Text(_) | Cells::Object(_) => ColumnType::Text,
            Cells::Axis(_, of_key, _) => *of_key,
        }
    }

    pub(super) fn value<'r>(&self, row: &'r R) -> Option<Value<'r>> {
        match &self.cells {
            Cells::Whole(of) => of(row).map(Value::Whole),
            Cells::Number(_, of) => of(row).map(Value::Number),
            Cells::Flag(of) => of(row).map(Value::Flag),
            Cells::Text(of) => of(row).map(Value::Text),
            Cells::Object(of) => Some(Value::Object(of(row))),
            Cells::Axis(key, of_key, of) => {
                let text = of(row, key)?;
                match of_key {
                    ColumnType::Whole => text.parse().ok().map(Value::Whole),
                    ColumnType::Number => text.parse().ok().map(Value::Number),
                    ColumnType::Flag | ColumnType::Text => Some(Value::Text(text.into())),
                }
            }
        }
    }

    /// The field of a row in CSV.
    fn field<'r>(&self, row: &'r R) -> Cow<'r, str> {
        let digits = if let Cells::Number(digits, _) = self.cells { digits } else { Digits::Shortest };
        match self.value(row) {
            None => "".into(),
            Some(Value::Whole(n)) => n.to_string().into(),
            Some(Value::Number(n)) => digits.write(n).into(),
            Some(Value::Flag(yes)) => if yes { "yes" } else { "no" }.into(),
            Some(Value::Text(text)) => harmless(text),
            Some(Value::Object(object)) => harmless(object.to_string().into()),
        }
    }

    /// The value of a row in JSON.
    pub(super) fn json(&self, row: &R) -> serde_json::Value {
        match self.value(row) {
            None => serde_json::Value::Null,
            Some(Value::Whole(n)) => n.into(),
            Some(Value::Number(n)) => n.into(),
            Some(Value::Flag(yes)) => yes.into(),
            Some(Value::Text(text)) => text.into_owned().into(),
            Some(Value::Object(object)) => object,
        }
    }
}

impl Digits {
    fn write(self, n: f64) -> String {
        match self {
            Digits::Decimals(places) => format!("{n:.places$}"),
            Digits::Significant(_) if n == 0.0 => "0".into(),
            Digits::Significant(digits) => {
                let places = (digits - 1 - n.abs().log10().floor() as i32).clamp(0, 9) as usize;
                format!("{n:.places$}")
            }
            Digits::Shortest => n.to_string(),
        }
    }
}

impl<R> Table<R> {
    /// The table as CSV (RFC 4180, but with line feeds).
    pub fn csv(&self) -> Result<String, Problem> {
        let head = self.columns.iter().map(|column| harmless(column.name.as_ref().into())).collect();
        let rows = self.rows.iter().map(|row| self.columns.iter().map(|column| column.field(row)).collect());
        csv_of(std::iter::once(head).chain(rows))
    }
}

/// A count as a value of a column.
pub(super) fn whole(n: u64) -> Option<i64> {
    Some(i64::try_from(n).unwrap_or(i64::MAX))
}

/// Nanoseconds in seconds.
pub(super) fn seconds(ns: u64) -> f64 {
    ns as f64 / 1e9
}

/// Nanoseconds in milliseconds.
pub(super) fn milliseconds(ns: f64) -> f64 {
    ns / 1e6
}

/// Text as a field of CSV. A semicolon is quoted too: it separates fields where the comma is the decimal sign.
pub fn quoted(text: Cow<'_, str>) -> Cow<'_, str> {
    match text.contains([',', ';', '"', '\n', '\r']) {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => text,
    }
}

/// Records of text as CSV.
pub fn csv_of<'t>(records: impl Iterator<Item = Vec<Cow<'t, str>>>) -> Result<String, Problem> {
    let failed = |error: &dyn std::fmt::Display| Problem::new(msg!("table-not-written")).evidence(foreign(error));
    let mut writer = csv::WriterBuilder::new().quote_style(csv::QuoteStyle::Never).from_writer(Vec::new());
    for record in records {
        let fields = record.into_iter().map(quoted).collect::<Vec<_>>();
        writer.write_record(fields.iter().map(|field| field.as_bytes())).map_err(|e| failed(&e))?;
    }
    let bytes = writer.into_inner().map_err(|e| failed(&e))?;
    String::from_utf8(bytes).map_err(|e| failed(&e))
}

/// Text that no spreadsheet evaluates. They evaluate text that begins with one of these signs, or with their full-width forms; a
/// leading apostrophe prevents this (OWASP, "CSV Injection"). Where the comma is the decimal sign, a semicolon separates fields,
/// quoted or not, so that what follows one is treated in the same way. Numbers are not changed.
pub fn harmless(text: Cow<'_, str>) -> Cow<'_, str> {
    let text = match visible(&text) {
        Cow::Borrowed(_) => text,
        Cow::Owned(visible) => Cow::Owned(visible),
    };
    let is_formula = |part: &str| {
        let part = part.trim_start();
        part.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) && part.parse::<f64>().is_err()
    };
    if !text.split(';').any(is_formula) {
        return text;
    }
    let parts = text.split(';').map(|part| if is_formula(part) { format!("'{part}") } else { part.to_owned() });
    Cow::Owned(parts.collect::<Vec<_>>().join(";"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreadsheets_evaluate_nothing() {
        let harmless = |text: &str| harmless(text.to_owned().into()).into_owned();
        for formula in ["=1+1", "+1+1", "-1+x", "@sum", "＝1+1", "＋1", "－1", "＠sum", " =1"] {
            assert_eq!(harmless(formula), format!("'{formula}"));
        }
        assert_eq!(
            harmless("a;=1+1;b"),
            "a;'=1+1;b",
            "a semicolon separates fields where the comma is the decimal sign"
        );
        assert_eq!([harmless("-1.5"), harmless("a,b"), harmless("a;b")], ["-1.5", "a,b", "a;b"]);
    }

    #[test]
    fn a_field_with_signs_of_csv_is_quoted() {
        let record = ["a,b", "a\"b", "-1.5", ""].map(Cow::Borrowed).to_vec();
        assert_eq!(csv_of([record].into_iter()).unwrap(), "\"a,b\",\"a\"\"b\",-1.5,\n");
        let record = ["a;b", "a\r\nb", " c"].map(Cow::Borrowed).to_vec();
        assert_eq!(csv_of([record].into_iter()).unwrap(), "\"a;b\",\"a\r\nb\", c\n");
        assert_eq!(csv_of([vec![Cow::Borrowed("")]].into_iter()).unwrap(), "\"\"\n", "a line without fields is none");
    }

    #[test]
    fn rates_have_six_digits() {
        let write = |n| Digits::Significant(6).write(n);
        assert_eq!(
            [0.0, 0.00123456789, 12.0, 123_456.78, 9_876_543.2].map(write),
            ["0", "0.00123457", "12.0000", "123457", "9876543"]
        );
    }
}
