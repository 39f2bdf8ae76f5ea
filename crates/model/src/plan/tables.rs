//! Tables of TOML: their values in order, their limits, and the positions that mistakes refer to.

use super::settings::server_value;
use super::source::{Diagnostic, Diagnostics};
use super::spelling::server_name;
use super::value::{self, Value, in_order};
use super::written::or_axis;
use std::collections::BTreeMap;
use std::ops::Range;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use toml::Spanned;
use toml::de::DeTable;
use toml::de::DeValue;

/// The first `most` of them; an error if there are more.
pub fn at_most<T>(
    mut all: Vec<T>,
    most: usize,
    what: Message,
    span: Range<usize>,
    complaints: &mut Diagnostics<'_>,
) -> Vec<T> {
    if all.len() > most {
        let what = msg!("more-than-most", all = all.len(), what, most);
        complaints.add(span, Diagnostic::new(what, msg!("keep-those-you-mean")));
        all.truncate(most);
    }
    all
}

/// The table that `value` should be.
pub fn table_of<'t, 'a>(
    what: &Message,
    value: &'t Value<'a>,
    complaints: &mut Diagnostics<'_>,
) -> Option<&'t DeTable<'a>> {
    table_like(what, msg!("see-tenbin-plan-example"), value, complaints)
}

/// The same with a hint of how it is written.
pub fn table_like<'t, 'a>(
    what: &Message,
    hint: Message,
    value: &'t Value<'a>,
    complaints: &mut Diagnostics<'_>,
) -> Option<&'t DeTable<'a>> {
    match value.get_ref() {
        DeValue::Table(table) => Some(table),
        other => {
            let what = msg!("section-is-a-table", section = what, kind = value::kind(other));
            complaints.add(value.span(), Diagnostic::new(what, hint));
            None
        }
    }
}

/// MySQL 8.4 has some 650 variables.
const MOST_VARIABLES: usize = 1000;

/// Server variables, of a target or of an experiment.
/// `axis`: the name of the axis that would vary them, without that of the variable.
pub fn server(value: &Value<'_>, axis: &str, into: &mut BTreeMap<String, String>, complaints: &mut Diagnostics<'_>) {
    let like = msg!("write-key", key = "server", value = "{ innodb_buffer_pool_size = \"1G\" }");
    let Some(variables) = table_like(&foreign("server"), like, value, complaints) else { return };
    for (name, value) in at_most(in_order(variables), MOST_VARIABLES, msg!("server-variables"), head(value), complaints)
    {
        match server_value(name.get_ref(), value) {
            Ok(text) => drop(into.insert(server_name(name.get_ref()), text)),
            Err(refusal) => {
                let axis = format!("{axis}.{}", server_name(name.get_ref()));
                complaints.add(value.span(), or_axis(refusal, &axis, value));
            }
        }
    }
}

/// The position of an error in a key's value: the value, or the key itself if the value is a table.
pub fn place_of(name: &Spanned<&str>, value: &Value<'_>) -> Range<usize> {
    if value.get_ref().is_table() { name.span() } else { value.span() }
}

/// The position of an error in an option, whether in its name or its value: from the name to the value.
pub fn telling(name: &Spanned<&str>, value: &Value<'_>) -> Range<usize> {
    name.span().start..place_of(name, value).end
}

/// The header of a table: the position of errors that concern the whole table.
pub fn head(value: &Value<'_>) -> Range<usize> {
    let span = value.span();
    span.start..span.start
}
