//! Converts one TOML value to the type of a key, or returns an error.

use super::source::{Diagnostic, Placed};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::nearest::nearest;
use tenbin_words::units;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A value and its position.
pub type Value<'a> = Spanned<DeValue<'a>>;

/// A table's keys in the order of the text.
pub fn in_order<'t, 'a>(table: &'t DeTable<'a>) -> Vec<(Spanned<&'t str>, &'t Value<'a>)> {
    let mut all: Vec<_> = table.iter().map(|(k, v)| (Spanned::new(k.span(), k.get_ref().as_ref()), v)).collect();
    all.sort_by_key(|(k, v)| (k.span().start, v.span().start));
    all
}

pub fn text<'v>(key: &str, value: &'v Value<'_>) -> Result<&'v str, Diagnostic> {
    match value.get_ref() {
        DeValue::String(s) if !s.trim().is_empty() => Ok(s),
        DeValue::String(_) => Err(Diagnostic::new(msg!("key-is-empty", key), msg!("give-value-or-remove", key))),
        other => {
            // What is switched on is not named.
            let written = scalar(value).filter(|_| !matches!(other, DeValue::Boolean(_)));
            Err(Diagnostic::new(
                msg!("key-is-a-text", key, kind = kind(other)),
                msg!("write-key", key, value = format_args!("\"{}\"", written.unwrap_or_else(|| "…".into()))),
            ))
        }
    }
}

/// One of a few words.
pub fn word<T: Copy>(key: &str, value: &Value<'_>, words: &[(&str, T)]) -> Result<T, Diagnostic> {
    let names: Vec<&str> = words.iter().map(|(name, _)| *name).collect();
    let word = text(key, value).map_err(|refusal| match scalar(value) {
        // `tls = true`
        Some(word) if names.contains(&word.as_str()) => {
            Diagnostic { hint: Some(msg!("write-key", key, value = format_args!("{word:?}"))), ..refusal }
        }
        _ => Diagnostic { hint: Some(msg!("use-one-of-all", names = names.join(", "))), ..refusal },
    })?;
    match words.iter().find(|(name, _)| *name == word) {
        Some((_, meant)) => Ok(*meant),
        None => Err(Diagnostic::new(
            msg!("key-cannot-be", key, value = format_args!("{word:?}")),
            match nearest(word, names.iter().copied()) {
                Some(near) => msg!("write-key", key, value = format_args!("{near:?}")),
                None => msg!("use-one-of-all", names = names.join(", ")),
            },
        )),
    }
}

/// The refusal of a key that the table `section` does not have; it names the key that was probably meant, or all.
pub fn unknown_key(key: &str, section: &str, keys: &[&str]) -> Diagnostic {
    Diagnostic::new(
        msg!("key-unknown", key = format_args!("{key:?}"), section = foreign(section)),
        match nearest(key, keys.iter().copied()) {
            Some(near) => msg!("write-it", near),
            None => msg!("use-one-of-all", names = keys.join(", ")),
        },
    )
}

/// An integer from `from` to `to`, inclusive.
pub fn count(key: &str, value: &Value<'_>, from: u64, to: u64) -> Result<u64, Diagnostic> {
    let DeValue::Integer(n) = value.get_ref() else {
        let kind = kind(value.get_ref());
        // `"16"`, `"10k"` and `1e6`.
        let meant = scalar(value).and_then(|text| units::count(&text)).filter(|n| (from..=to).contains(n));
        let hint = match meant {
            Some(meant) => msg!("write-key", key, value = meant),
            None => msg!("write-key-for-example", key, value = from.max(1)),
        };
        return Err(Diagnostic::new(msg!("key-is-a-whole-number", key, kind), hint));
    };
    match i128::from_str_radix(n.as_str(), n.radix()) {
        Ok(n) if n >= i128::from(from) && n <= i128::from(to) => Ok(n as u64),
        _ => Err(Diagnostic::new(msg!("key-cannot-be", key, value = n), msg!("give-whole-number", from, to))),
    }
}

/// `true` or `false`.
pub fn yes_or_no(key: &str, value: &Value<'_>) -> Result<bool, Diagnostic> {
    match value.get_ref() {
        DeValue::Boolean(yes) => Ok(*yes),
        other => Err(Diagnostic::new(
            msg!("key-is-true-or-false", key, kind = kind(other)),
            msg!("write-key", key, value = "true"),
        )),
    }
}

/// A number of at least zero.
pub fn number(key: &str, value: &Value<'_>) -> Result<f64, Diagnostic> {
    let number = match value.get_ref() {
        DeValue::Integer(n) => i128::from_str_radix(n.as_str(), n.radix()).map(|n| n as f64).ok(),
        DeValue::Float(f) => f.as_str().parse().ok(),
        other => {
            let what = msg!("key-is-a-number", key, kind = kind(other));
            // `"1000"`, and `"1000/s"` of a rate.
            let meant = scalar(value).and_then(|text| units::count(text.trim_end_matches("/s").trim_end()));
            let hint = match meant {
                Some(meant) => msg!("write-key", key, value = meant),
                None => msg!("write-key-for-example", key, value = "200"),
            };
            return Err(Diagnostic::new(what, hint));
        }
    };
    match number {
        Some(n) if n.is_finite() && n >= 0.0 => Ok(n),
        _ => Err(Diagnostic::new(
            msg!("key-cannot-be", key, value = scalar(value).unwrap_or_default()),
            msg!("give-number-from-zero", key),
        )),
    }
}

/// A duration with its unit, or in seconds; milliseconds.
pub fn duration_ms(key: &str, value: &Value<'_>) -> Result<u64, Diagnostic> {
    match value.get_ref() {
        DeValue::String(s) => units::duration_ms(s).map_err(|e| {
            let hint = match units::duration_meant(s) {
                Some(meant) => msg!("write-key", key, value = format_args!("\"{meant}\"")),
                None => msg!("write-key-for-example", key, value = "\"60s\""),
            };
            Diagnostic::new(msg!("key-is-no-amount", key, why = e), hint)
        }),
        DeValue::Integer(_) | DeValue::Float(_) => {
            let n = scalar(value).unwrap_or_default();
            units::duration_ms(&n).map_err(|e| {
                Diagnostic::new(
                    msg!("key-is-no-amount", key, why = e),
                    msg!("write-key-for-example", key, value = "\"60s\""),
                )
            })
        }
        other => {
            let what = msg!("key-is-a-duration", key, kind = kind(other));
            Err(Diagnostic::new(what, msg!("write-key-for-example", key, value = "\"60s\"")))
        }
    }
}

/// A single value as text, for options and charts; `None` for lists, tables and dates.
pub fn scalar(value: &Value<'_>) -> Option<String> {
    match value.get_ref() {
        DeValue::String(s) => Some(s.to_string()),
        DeValue::Integer(n) => {
            Some(i128::from_str_radix(n.as_str(), n.radix()).map_or_else(|_| n.to_string(), |n| n.to_string()))
        }
        DeValue::Float(f) => Some(f.as_str().to_owned()),
        DeValue::Boolean(b) => Some(if *b { "on" } else { "off" }.to_owned()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => None,
    }
}

/// Options that take a list, and what is between its items in their value: a statement may end with a comment to the end of its line.
const LISTS: &[(&str, &str)] = &[("scripts", ", "), ("after_load", "\n;\n")];

/// An item as such a value has it. In names of files what separates them has a backslash before it.
fn item(option: &str, text: String) -> String {
    match option {
        "scripts" => text.replace(',', "\\,").replace(';', "\\;"),
        _ => text,
    }
}

/// Whether an option of this name takes a list. It is no slip of a key, however near it is to one (`scripts`, `script`).
pub fn is_list(option: &str) -> bool {
    LISTS.iter().any(|(name, _)| *name == option)
}

/// The value of an option of a workload, a data set or a server.
pub fn option(key: &str, value: &Value<'_>) -> Result<String, Diagnostic> {
    if let Some((_, between)) = LISTS.iter().find(|(name, _)| *name == key)
        && let DeValue::Array(items) = value.get_ref()
    {
        let items: Option<Vec<String>> = items.iter().map(|value| scalar(value).map(|text| item(key, text))).collect();
        if let Some(items) = items {
            return Ok(items.join(between));
        }
    }
    scalar(value).ok_or_else(|| {
        Diagnostic::new(
            msg!("key-takes-one-value", key, kind = kind(value.get_ref())),
            msg!("write-value-or-sweep", key),
        )
    })
}

/// The members of a table, in the plan's order.
pub fn members<'t, 'a>(key: &str, value: &'t Value<'a>) -> Result<Vec<(&'t str, &'t Value<'a>)>, Diagnostic> {
    let DeValue::Table(table) = value.get_ref() else {
        let what = msg!("section-is-a-table", section = key, kind = kind(value.get_ref()));
        return Err(Diagnostic::new(what, msg!("write-key", key, value = "{ name = value }")));
    };
    Ok(in_order(table).into_iter().map(|(name, value)| (*name.get_ref(), value)).collect())
}

/// A table of tables of scalars as the text that an option of that kind has: `[account]`, then a line for each of its keys, in the plan's order. Text is
/// taken as it is.
pub fn tables(key: &str, value: &Value<'_>) -> Result<String, Diagnostic> {
    let DeValue::Table(all) = value.get_ref() else { return option(key, value) };
    let mut text = String::new();
    for (name, table) in in_order(all) {
        let DeValue::Table(table) = table.get_ref() else {
            return Err(Diagnostic::new(msg!("key-takes-tables", key), msg!("write-table-section", key)));
        };
        text += &format!("[{}]\n", name.get_ref());
        for (field, value) in in_order(table) {
            text += &format!("{} = {}\n", field.get_ref(), option(field.get_ref(), value)?);
        }
    }
    Ok(text)
}

/// A list of texts, or a single text for a list of one.
pub fn texts<'v, 'a>(key: &str, value: &'v Value<'a>) -> Result<Vec<(&'v str, &'v Value<'a>)>, Placed> {
    let items = match value.get_ref() {
        DeValue::Array(items) => items.iter().collect(),
        _ => vec![value],
    };
    items.into_iter().map(|v| text(key, v).map(|s| (s, v)).map_err(|r| (v.span(), r))).collect()
}

/// The name of a value's type.
pub fn kind(value: &DeValue<'_>) -> Message {
    match value {
        DeValue::String(_) => msg!("a-text"),
        DeValue::Integer(_) => msg!("a-whole-number"),
        DeValue::Float(_) => msg!("a-number-with-fraction"),
        DeValue::Boolean(_) => msg!("true-or-false"),
        DeValue::Datetime(_) => msg!("a-date"),
        DeValue::Array(_) => msg!("a-list"),
        DeValue::Table(_) => msg!("a-table"),
    }
}
