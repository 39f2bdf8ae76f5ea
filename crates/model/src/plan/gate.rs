//! `[gate]`: the limits of `tenbin gate` for runs of the plan.

use super::Experiment;
use super::keys::Table;
use super::sections;
use super::source::{Diagnostic, Diagnostics, Placed};
use super::value::{self, Value};
use crate::absolute_limit::AbsoluteLimit;
use crate::gate::RegressionLimit;
use crate::gate_limits::GateLimits;
use crate::question::Question;
use std::ops::Range;
use tenbin_words::message::Message;
use tenbin_words::msg;
use toml::de::DeTable;

/// Reads the table; every limit that cannot be read, and every one of a figure that no load of the plan has, is reported at its
/// place.
pub(super) fn gate(value: &Value<'_>, experiments: &[Experiment], complaints: &mut Diagnostics<'_>) -> GateLimits {
    let mut limits = GateLimits::default();
    let questions = questions(experiments);
    // What a plan with mistakes has is not known.
    let of_none = |asks: &dyn Fn(Question) -> bool| !questions.is_empty() && !questions.iter().any(|q| asks(*q));
    sections::each(Table::Gate, value, complaints, |key, _, value, complaints| {
        let Some(key) = key else { return };
        match key.name {
            "max_regression" => {
                for (limit, span) in read(key.name, value, RegressionLimit::parse, complaints) {
                    if of_none(&|question| limit.applies(question)) {
                        complaints.add(span, not_had(&limit.figure.name()));
                    }
                    limits.max_regression.push(limit);
                }
            }
            "check" => {
                for (limit, span) in read(key.name, value, AbsoluteLimit::parse, complaints) {
                    if of_none(&|question| limit.applies(question)) {
                        complaints.add(span, not_had(&limit.to_string()));
                    }
                    limits.check.push(limit);
                }
            }
            _ => match value::word(key.name, value, &[("pass", false), ("fail", true)]) {
                Ok(fails) => limits.undecided_fails = fails,
                Err(refusal) => complaints.add(value.span(), refusal),
            },
        }
    });
    limits
}

/// What the loads of a plan ask.
fn questions(experiments: &[Experiment]) -> Vec<Question> {
    let of = |experiment: &Experiment| -> Vec<Question> {
        let searches = experiment.search.is_some();
        experiment.cells.iter().map(|cell| Question::of_load(&cell.spec.load, searches)).collect()
    };
    let mut all: Vec<Question> = experiments.iter().flat_map(of).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A limit that would never be checked would look as if it were held.
fn not_had(limit: &str) -> Diagnostic {
    Diagnostic::new(msg!("gate-figure-not-had", limit), msg!("gate-figures-of-loads"))
}

fn read<T>(
    name: &str,
    value: &Value<'_>,
    parse: fn(&str) -> Result<T, Message>,
    complaints: &mut Diagnostics<'_>,
) -> Vec<(T, Range<usize>)> {
    let (read, refused) = each_limit(name, value, parse);
    refused.into_iter().for_each(|(place, refusal)| complaints.add(place, refusal));
    read
}

type Read<T> = (Vec<(T, Range<usize>)>, Vec<Placed>);

fn each_limit<T>(name: &str, value: &Value<'_>, parse: fn(&str) -> Result<T, Message>) -> Read<T> {
    let example = || if name == "check" { msg!("check-of-plan-example") } else { msg!("limit-of-plan-example") };
    let texts = match value::texts(name, value) {
        Ok(texts) => texts,
        Err((place, refusal)) => {
            return (Vec::new(), vec![(place, Diagnostic { hint: Some(example()), ..refusal })]);
        }
    };
    if texts.is_empty() {
        let refusal = Diagnostic::new(msg!("key-is-empty", key = name), msg!("give-value-or-remove", key = name));
        return (Vec::new(), vec![(value.span(), refusal)]);
    }
    let (mut read, mut refused) = (Vec::new(), Vec::new());
    for (text, at) in texts {
        match parse(text) {
            Ok(limit) => read.push((limit, at.span())),
            Err(what) => refused.push((at.span(), Diagnostic::new(what, example()))),
        }
    }
    (read, refused)
}

/// The largest regressions in the text of a stored plan; none if it has none, or cannot be read.
pub fn regression_limits(plan: &str) -> Vec<RegressionLimit> {
    gate_limits(plan).max_regression
}

/// The limits in the text of a stored plan; none if it has none, or cannot be read.
pub fn gate_limits(plan: &str) -> GateLimits {
    fn all<T>(table: &DeTable<'_>, name: &str, parse: fn(&str) -> Result<T, Message>) -> Vec<T> {
        let Some((read, refused)) = named(table, name).map(|value| each_limit(name, value, parse)) else {
            return Vec::new();
        };
        if refused.is_empty() { read.into_iter().map(|(limit, _)| limit).collect() } else { Vec::new() }
    }
    let Ok(plan) = DeTable::parse(plan) else { return GateLimits::default() };
    let gate = named(plan.get_ref(), "gate").and_then(|gate| gate.get_ref().as_table());
    gate.map_or_else(GateLimits::default, |gate| GateLimits {
        max_regression: all(gate, "max_regression", RegressionLimit::parse),
        check: all(gate, "check", AbsoluteLimit::parse),
        undecided_fails: named(gate, "undecided").and_then(|word| word.get_ref().as_str()) == Some("fail"),
    })
}

fn named<'t, 'a>(table: &'t DeTable<'a>, wanted: &str) -> Option<&'t Value<'a>> {
    let entry = table.iter().find(|(key, _)| key.get_ref().replace('-', "_") == wanted);
    entry.map(|(_, value)| value)
}
