//! Values on their way: of variables as parameters, of results as the texts that variables hold. Used by [`crate::client`].

use crate::language::Value;
use tenbin_driver::{double_text, float_text, real_text};
use tenbin_model::dsn::Scheme;

/// A value as a parameter. Where a boolean is a number, as in MySQL, the word would be compared as 0.
pub(crate) fn value_of(value: Value, scheme: Scheme) -> tenbin_driver::Value<'static> {
    match value {
        Value::Null => tenbin_driver::Value::Null,
        Value::Bool(value) if !scheme.kind().has_booleans => tenbin_driver::Value::Int(i64::from(value)),
        Value::Bool(value) => tenbin_driver::Value::Text(if value { b"true" } else { b"false" }),
        Value::Int(value) => tenbin_driver::Value::Int(value),
        Value::Double(value) => double_value(value),
    }
}

/// A double as what its text says, which is what is sent without parameters, as under pgbench: of 15 digits, and a whole number if it has no fraction.
fn double_value(value: f64) -> tenbin_driver::Value<'static> {
    let mut text = Vec::with_capacity(24);
    Value::Double(value).write(&mut text);
    let text = String::from_utf8_lossy(&text);
    match text.parse() {
        Ok(whole) => tenbin_driver::Value::Int(whole),
        Err(_) => tenbin_driver::Value::Float(text.parse().unwrap_or(value)),
    }
}

/// A variable's text as a parameter. Where a parameter has the type that it is sent with and no column or operator gives it another, as in SQLite, a
/// number in it is sent as one: it is compared as under pgbench, which writes it into the statement. `007` is a text, and so is `12e3`: with an exponent
/// only what `\gset` has read of a double is a number.
pub(crate) fn text_value(text: &[u8], scheme: Scheme) -> tenbin_driver::Value<'_> {
    let as_text = tenbin_driver::Value::Text(text);
    match scheme {
        Scheme::Sqlite => {}
        Scheme::Mysql | Scheme::Postgres | Scheme::Null | Scheme::Host => return as_text,
    }
    let Ok(words) = std::str::from_utf8(text) else { return as_text };
    let unsigned = words.strip_prefix('-').unwrap_or(words);
    let is_number = unsigned.starts_with(|c: char| c.is_ascii_digit())
        && unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
        && (!unsigned.starts_with('0') || unsigned == "0" || unsigned.starts_with("0."));
    let is_of_double = |value: f64| value.is_finite() && words.contains('e') && real_text(value) == words;
    match (words.parse(), words.parse()) {
        (Ok(value), _) if is_number => tenbin_driver::Value::Int(value),
        (_, Ok(value)) if is_number || is_of_double(value) => tenbin_driver::Value::Float(value),
        _ => as_text,
    }
}

/// The text of a value of a result, as the database sends it where it sends text; nothing for NULL.
pub(crate) fn text_of(value: tenbin_driver::Value<'_>, scheme: Scheme) -> Option<Vec<u8>> {
    match value {
        tenbin_driver::Value::Null => None,
        tenbin_driver::Value::Int(value) => Some(value.to_string().into_bytes()),
        tenbin_driver::Value::Float(value) => Some(match scheme {
            Scheme::Sqlite => real_text(value).into_bytes(),
            Scheme::Mysql => double_text(value).into_bytes(),
            Scheme::Postgres | Scheme::Null | Scheme::Host => float_text(value).into_bytes(),
        }),
        tenbin_driver::Value::Text(text) => Some(text.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_was_stored_is_a_number_to_sqlite() {
        use tenbin_driver::Value::{Float, Int, Text};
        for (text, wanted) in [
            ("5", Int(5)),
            ("-2.5", Float(-2.5)),
            ("1e+20", Float(1e20)),
            ("-1.5e-07", Float(-1.5e-7)),
            ("12e3", Text(b"12e3")),
            ("1e999", Text(b"1e999")),
            ("007", Text(b"007")),
        ] {
            assert_eq!(text_value(text.as_bytes(), Scheme::Sqlite), wanted);
            assert_eq!(text_value(text.as_bytes(), Scheme::Mysql), Text(text.as_bytes()));
        }
        for (scheme, wanted) in [(Scheme::Sqlite, "1e+20"), (Scheme::Mysql, "1e20"), (Scheme::Postgres, "1e+20")] {
            assert_eq!(text_of(Float(1e20), scheme), Some(wanted.as_bytes().to_vec()));
        }
    }
}
