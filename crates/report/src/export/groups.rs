//! Export of groups of clients that ran together: a table with one row per group of each trial, and the same for JSON.

use super::columns::{self, Measured, OfTrial};
use super::response::{Times, json as response};
use super::run_name::RunName;
use super::table::{Cells, Column, Digits, Table, whole};
use serde_json::{Value, json};
use std::path::Path;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tally::Accounting;
use tenbin_verdict::client_groups::{self, GroupResult};
use tenbin_verdict::comparison::RatioInCell;
use tenbin_verdict::group_ratios::{self, GroupRatios};

/// A group of a trial.
pub struct GroupRow<'s> {
    run: RunName,
    trial: &'s TrialResult,
    group: GroupResult,
    times: Option<Times>,
}

/// One row per group, ordered by trial. The trials are described in the table of trials, with the same names of runs and
/// numbers.
pub fn table<'s>(summary: &'s Summary, dir: Option<&Path>) -> Table<GroupRow<'s>> {
    let run = RunName::of(summary, dir);
    let mut rows = Vec::new();
    for trial in &summary.trials {
        let of_trial = client_groups::of_trial(trial).into_iter();
        let row = |group: GroupResult| {
            let times = Times::of(&group.figures.all.response);
            GroupRow { run: run.clone(), trial, group, times }
        };
        rows.extend(of_trial.map(row));
    }
    Table { columns: columns(), rows }
}

fn columns<'s>() -> Vec<Column<GroupRow<'s>>> {
    let three = Digits::Decimals(3);
    columns::joined([
        columns::of_trial(),
        vec![
            Column::new("group", "", Cells::Text(|r| Some(r.group.name.as_str().into()))),
            Column::new("clients", "", Cells::Whole(|r| whole(r.group.clients.into()))),
            Column::new("rate", "1/s", Cells::Number(Digits::Shortest, |r| r.group.rate)),
            Column::new("tps", "1/s", Cells::Number(three, |r| Some(r.measured()?.tps))),
        ],
        columns::times(),
        columns::starts(),
        vec![
            Column::new("retries", "", Cells::Whole(|r| whole(r.measured()?.figures.all.retries))),
            Column::new("errors", "", Cells::Whole(|r| whole(r.measured()?.figures.errors.values().sum()))),
            Column::new("scale", "", Cells::Number(Digits::Shortest, |r| r.trial.trial.scale)),
        ],
    ])
}

impl GroupRow<'_> {
    /// Its figures; `None` if nothing was measured.
    fn measured(&self) -> Option<&GroupResult> {
        self.trial.is_measured().then_some(&self.group)
    }
}

impl OfTrial for GroupRow<'_> {
    fn run(&self) -> &RunName {
        &self.run
    }
    fn trial(&self) -> &TrialResult {
        self.trial
    }
}

impl Measured for GroupRow<'_> {
    fn times(&self) -> Option<&Times> {
        self.times.as_ref()
    }
    fn accounting(&self) -> Option<&Accounting> {
        Some(&self.measured()?.figures.accounting)
    }
}

/// The groups of a trial by name; empty if it has none.
pub(super) fn json(t: &TrialResult) -> Value {
    let one = |g: GroupResult| {
        let (all, measured) = (&g.figures.all, t.is_measured());
        let accounting = measured.then(|| super::accounting(&g.figures.accounting));
        let value = json!({
            "clients": g.clients, "rate": g.rate, "tps": measured.then_some(g.tps), "accounting": accounting,
            "response": response(&all.response), "service": response(&all.service), "wait": response(&all.wait),
            "retries": measured.then_some(all.retries), "errors": g.figures.errors,
        });
        (g.name, value)
    };
    Value::Object(client_groups::of_trial(t).into_iter().map(one).collect())
}

/// The ratios of groups to those of the base, as JSON.
pub(super) fn comparisons(summary: &Summary) -> Vec<Value> {
    let ratio =
        |of: Option<RatioInCell>| of.map(|r| json!({ "ratio": r.ratio, "confidence": r.confidence, "pairs": r.pairs }));
    let one = |((cell, target, group), r): ((u32, String, String), GroupRatios)| {
        json!({
            "cell": cell, "target": target, "group": group, "base": r.base, "tps": ratio(r.tps), "p99": ratio(r.p99),
        })
    };
    group_ratios::all(summary).into_iter().map(one).collect()
}
