//! Names in a plan: the key that a name is or means, and the message about a name that is not a key.

use super::instead::{as_axis_of, instead};
use super::keys::{Key, LATER, Table, all, names, of};
use super::meant::OF_ADDRESS;
pub use super::meant::meant;
use super::source::Diagnostic;
use super::value::{self, Value};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::nearest::{nearest, nearly};
use toml::de::DeValue;

/// The meaning of a name in a table.
pub enum NameMatch {
    /// A key of the list.
    Key(&'static Key),
    /// An option, in a table that also takes other names.
    Option,
}

/// Looks a name up.
pub fn find(table: Table, name: &str) -> Result<NameMatch, Diagnostic> {
    find_for(table, name, None)
}

/// Looks a name up that was given a value, which a hint then carries over.
pub(super) fn find_for(table: Table, name: &str, value: Option<&Value<'_>>) -> Result<NameMatch, Diagnostic> {
    let canonical = name.replace('-', "_");
    if let Some(key) = of(table).find(|k| k.name == canonical || k.also.contains(&canonical.as_str())) {
        return Ok(NameMatch::Key(key));
    }
    if let Some(later) = LATER.iter().find(|l| l.table == table && l.name == canonical) {
        let thing = msg!("key-of", name = later.name, section = table.title());
        return Err(Diagnostic::not_yet(thing, later.reason(), msg!("take-out-key")));
    }
    if table.is_open() && (value::is_list(&canonical) || nearly(&canonical, names(table)).is_none()) {
        return Ok(NameMatch::Option);
    }
    Err(unknown(table, name, value))
}

fn unknown(table: Table, name: &str, value: Option<&Value<'_>>) -> Diagnostic {
    let what = msg!("key-unknown", key = format_args!("{name:?}"), section = table.title());
    if table == Table::Target
        && OF_ADDRESS.contains(&name)
        && let Some(address) = of(table).find(|key| key.name == "dsn")
    {
        return Diagnostic::new(what, address.hint(table));
    }
    let elsewhere = all().find(|k| !k.tables.contains(&table) && (k.name == name || k.also.contains(&name)));
    if elsewhere.is_none()
        && let Some(key) = meant(name).filter(|k| k.name != name)
    {
        return Diagnostic::new(what, value.map_or_else(|| key.hint(table), |value| instead(key, table, value)));
    }
    // Before what has this very name elsewhere, unless that is a value: `clients` is not a target's `client`, which is a place.
    let is_client = table == Table::Target && name == "clients";
    if let Some(near) = nearly(&name.replace('-', "_"), names(table)).filter(|_| elsewhere.is_some() && !is_client) {
        return Diagnostic::new(what, msg!("write-it", near = as_written(near, table, value)));
    }
    if let Some(axis) = elsewhere.zip(value).and_then(|(key, value)| as_axis_of(key, value)) {
        return Diagnostic::new(what, axis);
    }
    let hint = match (nearest(name, names(table)), elsewhere) {
        (Some(near), None) => msg!("write-it", near),
        (_, Some(key)) => {
            msg!("belongs-in-section", name, section = key.tables.last().map_or(foreign(""), |t| t.title()))
        }
        (None, None) => {
            let names = of(table).map(|k| k.name).collect::<Vec<_>>().join(", ");
            let is_scalar = value.and_then(value::scalar).is_some();
            // Its value may be a password.
            let server = format!("server = {{ {name} = \"…\" }}");
            match table {
                Table::Target if is_scalar => msg!("write-server-variable", server, names),
                _ => msg!("use-one-of-all", names),
            }
        }
    };
    Diagnostic::new(what, hint)
}

/// A key, or the heading of its first table: `[targets.a]`.
fn as_written(key: &str, table: Table, value: Option<&Value<'_>>) -> String {
    let first = match value.map(|value| value.get_ref()) {
        Some(DeValue::Table(inner)) if table == Table::Top => {
            inner.iter().find(|(_, value)| matches!(value.get_ref(), DeValue::Table(_))).map(|(name, _)| name.get_ref())
        }
        _ => None,
    };
    first.map_or_else(|| key.to_owned(), |name| format!("[{key}.{name}]"))
}
