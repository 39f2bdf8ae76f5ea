//! `[gate]`: the limits of `tenbin gate` for runs of the plan.

use super::keys::Table;
use super::sections;
use super::source::{Diagnostic, Diagnostics, Placed};
use super::value::{self, Value};
use crate::gate::RegressionLimit;
use tenbin_words::msg;
use toml::de::DeTable;

/// Reads the table; every limit that cannot be read is reported at its place.
pub(super) fn gate(value: &Value<'_>, limits: &mut Vec<RegressionLimit>, complaints: &mut Diagnostics<'_>) {
    sections::each(Table::Gate, value, complaints, |key, _, value, complaints| {
        let Some(key) = key else { return };
        match each_limit(key.name, value) {
            Ok(read) => *limits = read,
            Err(refusals) => refusals.into_iter().for_each(|(place, refusal)| complaints.add(place, refusal)),
        }
    });
}

fn each_limit(name: &str, value: &Value<'_>) -> Result<Vec<RegressionLimit>, Vec<Placed>> {
    let example = || msg!("limit-of-plan-example");
    let no_text = |(place, refusal): Placed| vec![(place, Diagnostic { hint: Some(example()), ..refusal })];
    let texts = value::texts(name, value).map_err(no_text)?;
    if texts.is_empty() {
        let refusal = Diagnostic::new(msg!("key-is-empty", key = name), msg!("give-value-or-remove", key = name));
        return Err(vec![(value.span(), refusal)]);
    }
    let (mut read, mut refused) = (Vec::new(), Vec::new());
    for (text, at) in texts {
        match RegressionLimit::parse(text) {
            Ok(limit) => read.push(limit),
            Err(what) => refused.push((at.span(), Diagnostic::new(what, example()))),
        }
    }
    if refused.is_empty() { Ok(read) } else { Err(refused) }
}

/// The limits in the text of a stored plan; none if it has none, or cannot be read.
pub fn regression_limits(plan: &str) -> Vec<RegressionLimit> {
    let read = || {
        let plan = DeTable::parse(plan).ok()?;
        let gate = named(plan.get_ref(), "gate")?;
        each_limit("max_regression", named(gate.get_ref().as_table()?, "max_regression")?).ok()
    };
    read().unwrap_or_default()
}

fn named<'t, 'a>(table: &'t DeTable<'a>, wanted: &str) -> Option<&'t Value<'a>> {
    let found = table.iter().find(|(key, _)| key.get_ref().replace('-', "_") == wanted);
    found.map(|(_, value)| value)
}
