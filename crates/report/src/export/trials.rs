//! The table of trials: one row per trial, in order of execution.

use super::columns::{self, Measured, OfTrial};
use super::durability_code;
use super::response::RESPONSE;
use super::run_name::RunName;
use super::table::{Cells, Column, ColumnType, Digits, Table, seconds, whole};
use serde_json::json;
use std::borrow::Cow;
use std::path::Path;
use tenbin_model::counted::truncated;
use tenbin_model::event::EndState;
use tenbin_model::histogram::Histogram;
use tenbin_model::plan::keys::{self, KeyType};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tally::{Accounting, TransactionTally};
use tenbin_model::tpcc;
use tenbin_verdict::durability;
use tenbin_verdict::judged_trial::JudgedTrial;

/// A trial, and its run.
pub struct TrialRow<'s> {
    pub(super) summary: &'s Summary,
    pub(super) result: &'s TrialResult,
    pub(super) run: RunName,
    /// All transactions of the measured window.
    pub(super) all: TransactionTally,
}

/// One row per trial. `dir`: the directory or bundle that the run was read from, which is its name.
pub fn table<'s>(summary: &'s Summary, dir: Option<&Path>) -> Table<TrialRow<'s>> {
    let run = RunName::of(summary, dir);
    let rows = summary.trials.iter().map(|result| row(summary, result, &run)).collect();
    let mut columns = which();
    columns.extend(axes(summary).into_iter().map(axis));
    columns.extend(result());
    columns.extend(context());
    Table { columns, rows }
}

/// The row of one trial.
pub(super) fn row<'s>(summary: &'s Summary, result: &'s TrialResult, run: &RunName) -> TrialRow<'s> {
    TrialRow { summary, result, run: run.clone(), all: result.tally.all_starts() }
}

/// The columns that are values of a trial in JSON too. Times and numbers of transactions are objects there.
pub(super) fn in_json<'s>() -> impl Iterator<Item = Column<TrialRow<'s>>> {
    let nested = |name: &str| RESPONSE.iter().any(|(of, _)| *of == name) || NESTED.contains(&name);
    which().into_iter().chain(result()).chain(context()).filter(move |column| !nested(&column.name))
}

/// The columns that JSON has in `accounting` and `standstill`, and `state`, which is null there for an unfinished trial.
const NESTED: [&str; 10] = [
    "begun_before",
    "scheduled",
    "completed",
    "failed",
    "skipped",
    "open",
    "carried",
    "carried_failed",
    "longest_standstill_s",
    "state",
];

/// The keys that an axis of the plan varies, in the order in which the trials have them.
fn axes(summary: &Summary) -> Vec<String> {
    let mut axes: Vec<String> = Vec::new();
    for (key, _) in summary.trials.iter().flat_map(|t| &t.trial.axes) {
        if !axes.contains(key) {
            axes.push(key.clone());
        }
    }
    axes
}

/// A column for an axis. Its type is that of the key; options of workloads and variables of servers are text.
fn axis<'s>(name: String) -> Column<TrialRow<'s>> {
    let key = keys::of_axis(&name);
    let of_key = match key.map(|key| key.takes) {
        Some(KeyType::Whole(_)) => ColumnType::Whole,
        Some(KeyType::Number) => ColumnType::Number,
        _ => ColumnType::Text,
    };
    Column { name: Cow::Owned(name), unit: "", cells: Cells::Axis(of_key, axis_value) }
}

fn axis_value<'r>(row: &'r TrialRow<'_>, name: &str) -> Option<&'r str> {
    row.result.trial.axes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// Which trial it is.
fn which<'s>() -> Vec<Column<TrialRow<'s>>> {
    let mut all = columns::of_trial();
    let experiment = Cells::Text(|r: &TrialRow<'_>| Some(r.result.trial.experiment.as_str().into()));
    all.insert(2, Column::new("experiment", "", experiment));
    all
}

/// What was measured.
fn result<'s>() -> Vec<Column<TrialRow<'s>>> {
    let three = Digits::Decimals(3);
    columns::joined([
        vec![
            Column::new("state", "", Cells::Text(|r| Some(r.result.state.map_or("unfinished", EndState::name).into()))),
            Column::new("verdict", "", Cells::Text(|r| Some(r.result.verdict().name().into()))),
            Column::new("measured_s", "s", Cells::Number(three, |r| Some(seconds(r.result.measured_ns())))),
            Column::new("tps", "1/s", Cells::Number(three, |r| Some(r.result.tps()))),
            Column::new("qps", "1/s", Cells::Number(three, |r| Some(r.result.qps()))),
        ],
        columns::times(),
        columns::starts(),
        vec![
            Column::new("retries", "", Cells::Whole(|r| whole(r.all.retries))),
            Column::new("reconnects", "", Cells::Whole(|r| whole(r.result.tally.reconnects))),
            Column::new("truncated", "", Cells::Flag(|r| truncated(r.result))),
            Column::new("clients_at_end", "", Cells::Whole(|r| r.result.clients_at_end().map(i64::from))),
            Column::new(
                "unavailable_client_s",
                "s",
                Cells::Number(three, |r| Some(seconds(r.result.tally.unavailable_ns))),
            ),
            Column::new(
                "longest_standstill_s",
                "s",
                Cells::Number(three, |r| Some(r.result.standstill().map_or(0.0, |s| seconds(s.longest_ns)))),
            ),
        ],
    ])
}

/// Under which conditions.
fn context<'s>() -> Vec<Column<TrialRow<'s>>> {
    vec![
        Column::new("workload", "", Cells::Text(|r| Some(r.result.trial.load.workload.as_str().into()))),
        Column::new("options", "", Cells::Object(|r| json!(r.result.trial.load.options))),
        Column::new("dataset", "", Cells::Object(|r| json!(r.result.trial.dataset))),
        Column::new("server_version", "", Cells::Text(|r| r.server_version().map(Cow::Borrowed))),
        Column::new("settings", "", Cells::Object(|r| json!(r.result.trial.target.server))),
        Column::new("profile", "", Cells::Text(|r| tpcc::profile(&r.result.trial).map(Cow::Borrowed))),
        Column::new("engine", "", Cells::Text(|r| durability::engine(r.result).map(Cow::Borrowed))),
        Column::new("durability", "", Cells::Text(|r| Some(durability_code(r.summary, r.result).into()))),
        Column::new("scale", "", Cells::Number(Digits::Shortest, |r| r.result.trial.scale)),
    ]
}

impl TrialRow<'_> {
    /// The version of the server, as it says it.
    fn server_version(&self) -> Option<&str> {
        self.summary.target_facts(&self.result.trial)?.get("version").map(String::as_str)
    }
}

impl OfTrial for TrialRow<'_> {
    fn run(&self) -> &RunName {
        &self.run
    }
    fn trial(&self) -> &TrialResult {
        self.result
    }
}

impl Measured for TrialRow<'_> {
    fn response(&self) -> &Histogram {
        &self.all.response
    }
    fn accounting(&self) -> &Accounting {
        &self.result.tally.accounting
    }
}
