//! Whether a value is what an expectation says: whole numbers and decimals are compared by their digits, not as doubles, in which the last of them is lost.

use crate::language::{Comparator, Value};
use std::cmp::Ordering;

/// Whether the comparison holds between the text of a value and the result of an expression.
pub(crate) fn holds(value: &[u8], comparison: Comparator, wanted: Value) -> bool {
    let text = std::str::from_utf8(value).unwrap_or_default().trim();
    let order = match wanted {
        Value::Null => None,
        Value::Bool(wanted) => truth(text).map(|truth| truth.cmp(&wanted)),
        Value::Int(wanted) => by_digits(text, wanted).or_else(|| as_doubles(text, wanted as f64)),
        Value::Double(wanted) => as_doubles(text, wanted),
    };
    order.is_some_and(|order| comparison.holds(order))
}

/// A truth value, as the databases write it.
fn truth(text: &str) -> Option<bool> {
    match text {
        "1" | "t" | "true" => Some(true),
        "0" | "f" | "false" => Some(false),
        _ => None,
    }
}

fn as_doubles(text: &str, wanted: f64) -> Option<Ordering> {
    text.parse::<f64>().ok()?.partial_cmp(&wanted)
}

/// The order of a decimal number and a whole one; nothing if the text is something else, or longer than numbers are.
fn by_digits(text: &str, wanted: i64) -> Option<Ordering> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let order = whole.parse::<i128>().ok()?.cmp(&i128::from(wanted));
    let beyond = if whole.starts_with('-') { Ordering::Less } else { Ordering::Greater };
    let has_fraction = fraction.bytes().any(|byte| byte != b'0');
    Some(if has_fraction { order.then(beyond) } else { order })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_compared_to_their_last_digit() {
        use Comparator::{Equal, Greater, GreaterOrEqual, Less, NotEqual};
        for (text, comparison, wanted, result) in [
            ("9007199254740993", Equal, Value::Int(9_007_199_254_740_992), false),
            ("9007199254740993", Greater, Value::Int(9_007_199_254_740_992), true),
            ("18446744073709551615", Greater, Value::Int(i64::MAX), true),
            ("12345678901234567.25", Equal, Value::Int(12_345_678_901_234_567), false),
            ("-0.5", Less, Value::Int(0), true),
            ("-1.5", Greater, Value::Int(-2), true),
            ("5.000", Equal, Value::Int(5), true),
            ("1e2", Equal, Value::Int(100), true),
            ("1.50", Equal, Value::Double(1.5), true),
            ("0.25", GreaterOrEqual, Value::Double(0.25), true),
            ("t", Equal, Value::Bool(true), true),
            ("0", NotEqual, Value::Bool(true), true),
            ("a word", NotEqual, Value::Int(1), false),
            ("", Equal, Value::Int(0), false),
            ("1", Equal, Value::Null, false),
        ] {
            assert_eq!(holds(text.as_bytes(), comparison, wanted), result, "{text} {comparison:?} {wanted:?}");
        }
    }
}
