//! `[refutes]`: the limit that a run of the plan puts to the test.

use super::keys::{self, Table};
use super::sections;
use super::source::{Diagnostic, Diagnostics};
use super::value::{self, Value};
use crate::bottleneck::Bottleneck;
use crate::dsn::redact;
use crate::tested_limit::{Expectation, TestedLimit, limit_names, limit_of};
use tenbin_words::msg;
use toml::de::DeTable;

/// What was read so far.
#[derive(Default)]
struct Draft {
    limit: Option<Option<Bottleneck>>,
    changes: String,
    expects: Option<Expectation>,
    run: String,
    trial: u32,
}

/// Reads the table.
pub(super) fn refutes(value: &Value<'_>, tested: &mut Option<TestedLimit>, complaints: &mut Diagnostics<'_>) {
    let (mut draft, mut refused) = (Draft::default(), false);
    sections::each(Table::Refutes, value, complaints, |key, _, value, complaints| {
        let Some(key) = key else { return };
        if let Err(refusal) = draft.set(key.name, value) {
            refused = true;
            complaints.add(value.span(), refusal);
        }
    });
    if refused {
        return;
    }
    match draft.finish() {
        Ok(whole) => *tested = Some(whole),
        Err(lacks) => {
            let key = keys::of(Table::Refutes).find(|key| key.name == lacks);
            let hint = key.map_or_else(|| msg!("take-out-key"), |key| key.hint(Table::Refutes));
            complaints.missing(value.span(), Diagnostic::new(msg!("refutes-lacks", key = lacks), hint));
        }
    }
}

impl Draft {
    fn set(&mut self, name: &str, value: &Value<'_>) -> Result<(), Diagnostic> {
        let text = || value::text(name, value).map(redact);
        match name {
            "limit" => {
                let words: Vec<(&str, Option<Bottleneck>)> =
                    limit_names().filter_map(|name| Some((name, limit_of(name)?))).collect();
                self.limit = Some(value::word(name, value, &words)?);
            }
            "expects" => {
                let text = value::text(name, value)?;
                let what = || msg!("key-cannot-be", key = name, value = format_args!("{text:?}"));
                let hint = || msg!("write-key", key = name, value = "\"tps >= 1.05\"");
                self.expects = Some(Expectation::parse(text).ok_or_else(|| Diagnostic::new(what(), hint()))?);
            }
            "changes" => self.changes = text()?,
            "run" => self.run = text()?,
            _ => self.trial = value::count(name, value, 0, u64::from(u32::MAX))? as u32,
        }
        Ok(())
    }

    /// All of it, or the key that is missing.
    fn finish(self) -> Result<TestedLimit, &'static str> {
        let Draft { limit, changes, expects, run, trial } = self;
        Ok(TestedLimit { limit: limit.ok_or("limit")?, changes, expects: expects.ok_or("expects")?, run, trial })
    }
}

/// What the text of a stored plan puts to the test; `None` if nothing, or it cannot be read.
pub fn tested_limit(plan: &str) -> Option<TestedLimit> {
    // Most plans test nothing, and this is asked of every trial.
    plan.contains("refutes").then_some(())?;
    let plan = DeTable::parse(plan).ok()?;
    let (_, table) = plan.get_ref().iter().find(|(key, _)| key.get_ref() == "refutes")?;
    let mut draft = Draft::default();
    for (name, value) in table.get_ref().as_table()? {
        draft.set(name.get_ref(), value).ok()?;
    }
    draft.finish().ok()
}
