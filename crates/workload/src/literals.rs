//! Writes values into the text of statements that are not prepared.

use crate::digits;
use std::fmt::Write as _;
use tenbin_driver::{Quoting, Value};

/// Replaces each `?` by a value.
pub fn fill_in(sql: &[u8], values: &[Value<'_>], quoting: Quoting, out: &mut Vec<u8>) {
    let mut values = values.iter();
    for &byte in sql {
        match (byte == b'?').then(|| values.next()).flatten() {
            None => out.push(byte),
            Some(Value::Null) => out.extend_from_slice(b"NULL"),
            Some(Value::Int(n)) => digits::push(out, *n),
            Some(Value::Float(x)) => {
                let mut text = String::new();
                // Writing to a String cannot fail.
                let _ = write!(text, "{x:?}");
                out.extend_from_slice(text.as_bytes());
            }
            Some(Value::Text(text)) => quoting.push_text(text, out),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stand_in_for_question_marks() {
        let text = |quoting| {
            let mut out = Vec::new();
            let values =
                [Value::Int(-7), Value::Text(b"it's a \\"), Value::Null, Value::Float(1.5), Value::Int(i64::MIN)];
            fill_in(b"INSERT INTO t VALUES (?, ?, ?, ?, ?)", &values, quoting, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(text(Quoting::MYSQL), "INSERT INTO t VALUES (-7, 'it''s a \\\\', NULL, 1.5, -9223372036854775808)");
        assert_eq!(
            text(Quoting::MYSQL_WITHOUT_ESCAPES),
            "INSERT INTO t VALUES (-7, 'it''s a \\', NULL, 1.5, -9223372036854775808)"
        );
    }
}
