//! Values as they are written in a plan, for hints that carry them over; and lists of values as an axis of the matrix.

use super::source::Diagnostic;
use super::value::{self, Value};
use crate::dsn::redact;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use toml::de::{DeTable, DeValue};

/// The axis that varies an option over a list of values.
pub fn as_axis_of_option(name: &str, value: &Value<'_>) -> Option<Message> {
    as_axis(name, value, |item| value::scalar(item).and_then(|_| literal(item)))
}

/// The axis of this name over the items of a list, as `write` writes each; `None` if it is no list or an item is not taken.
pub fn as_axis(name: &str, value: &Value<'_>, write: impl Fn(&Value<'_>) -> Option<String>) -> Option<Message> {
    let DeValue::Array(items) = value.get_ref() else { return None };
    let items: Vec<String> = items.iter().map(write).collect::<Option<_>>()?;
    let (key, values) = (format!("\"{name}\""), format!("[{}]", items.join(", ")));
    (!items.is_empty()).then(|| msg!("write-key-in", key, value = values, section = foreign("[experiment.matrix]")))
}

/// The list that one value stands for: of a text each part between commas, as a number if it is one; of `1..64` and `1-64` the range.
pub fn as_list(value: &Value<'_>) -> Option<String> {
    let DeValue::String(text) = value.get_ref() else { return literal(value).map(|one| format!("[{one}]")) };
    let ends = ["..=", "..", "-"].iter().find_map(|between| text.split_once(between));
    if let Some((Ok(from), Ok(to))) = ends.map(|(from, to)| (from.trim().parse::<u64>(), to.trim().parse::<u64>())) {
        return Some(format!("{{ from = {from}, to = {to}, times = 2 }}"));
    }
    let item = |item: &str| match item.parse::<f64>() {
        Ok(_) => item.to_owned(),
        Err(_) => toml::Value::String(redact(item)).to_string(),
    };
    Some(format!("[{}]", text.split(',').map(str::trim).map(item).collect::<Vec<_>>().join(", ")))
}

/// A value as it is written in a plan; `None` for tables and dates.
pub fn literal(value: &Value<'_>) -> Option<String> {
    Some(match value.get_ref() {
        DeValue::String(text) => toml::Value::String(redact(text)).to_string(),
        DeValue::Boolean(yes) => yes.to_string(),
        DeValue::Array(items) => {
            format!("[{}]", items.iter().map(literal).collect::<Option<Vec<_>>>()?.join(", "))
        }
        _ => value::scalar(value)?,
    })
}

/// The value of the first key in this beginning of a text, and what `take` makes of it. The value may run over several lines.
pub fn with_first_value<T>(text: &str, take: impl Fn(&Value<'_>) -> T) -> Option<T> {
    let ends = text.match_indices('\n').map(|(at, _)| at).chain([text.len()]).take(MOST_LINES);
    ends.filter_map(|end| DeTable::parse(&text[..end]).ok())
        .find_map(|table| table.get_ref().iter().next().map(|(_, value)| take(value)))
}

/// No value of a key is longer than this many lines.
const MOST_LINES: usize = 100;

/// The refusal of an option's value, with the axis of the matrix as the hint if it is a list of values.
pub fn or_axis(refusal: Diagnostic, name: &str, value: &Value<'_>) -> Diagnostic {
    Diagnostic { hint: as_axis_of_option(name, value).or(refusal.hint), ..refusal }
}
