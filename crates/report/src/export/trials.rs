//! The table of trials: one row per trial, in order of execution.

use super::columns::{self, Measured, OfTrial};
use super::durability_code;
use super::response::{RESPONSE, Times};
use super::run_name::RunName;
use super::table::{Cells, Column, ColumnType, Digits, Table, seconds, whole};
use serde_json::json;
use std::borrow::Cow;
use std::path::Path;
use tenbin_model::axis;
use tenbin_model::counted::truncated;
use tenbin_model::event::EndState;
use tenbin_model::plan::keys::{self, KeyType};
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::tally::{Accounting, TransactionTally};
use tenbin_model::tpcc;
use tenbin_verdict::durability;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question::{self, TimesOf};
use tenbin_verdict::tpcc_result;

/// A trial, and its run.
pub struct TrialRow<'s> {
    summary: &'s Summary,
    result: &'s TrialResult,
    run: RunName,
    /// Of the transactions by which it is judged.
    times: Option<Times>,
    /// Of all transactions of the measured window.
    retries: u64,
}

/// One row per trial. `dir`: the directory or bundle that the run was read from, which is its name.
pub fn table<'s>(summary: &'s Summary, dir: Option<&Path>) -> Table<TrialRow<'s>> {
    let run = RunName::of(summary, dir);
    let rows =
        summary.trials.iter().map(|result| row(summary, result, &question::transactions(result), &run)).collect();
    let mut columns = which();
    let after = result().into_iter().chain(context()).collect::<Vec<_>>();
    let is_taken = |name: &str| columns.iter().chain(&after).any(|column| column.name == name);
    let of_axes = axes(summary).into_iter().map(|key| axis(key, is_taken)).collect::<Vec<_>>();
    columns.extend(of_axes.into_iter().chain(after));
    Table { columns, rows }
}

/// The row of one trial. `judged`: the transactions whose times are those of the trial.
pub(super) fn row<'s>(
    summary: &'s Summary,
    result: &'s TrialResult,
    judged: &TransactionTally,
    run: &RunName,
) -> TrialRow<'s> {
    let retries = result.tally.transactions.values().fold(0, |sum: u64, of| sum.saturating_add(of.retries));
    TrialRow { summary, result, run: run.clone(), times: Times::of(&judged.response), retries }
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

/// The keys that an axis of the plan varies, in the order in which the trials have them. Experiment and target have columns anyway.
fn axes(summary: &Summary) -> Vec<String> {
    let mut axes: Vec<String> = Vec::new();
    for (key, _) in summary.trials.iter().flat_map(|t| &t.trial.axes) {
        if !axes.contains(key) && ![axis::EXPERIMENT, axis::TARGET].contains(&key.as_str()) {
            axes.push(key.clone());
        }
    }
    axes
}

/// A column for an axis; if another one has its name, with a prefix. Its type is that of the key; options of workloads and variables of
/// servers are text.
fn axis<'s>(key: String, is_taken: impl Fn(&str) -> bool) -> Column<TrialRow<'s>> {
    let of_key = match keys::of_axis(&key).map(|key| key.takes) {
        Some(KeyType::Whole(_)) => ColumnType::Whole,
        Some(KeyType::Number) => ColumnType::Number,
        _ => ColumnType::Text,
    };
    let name = if is_taken(&key) { format!("axis.{key}") } else { key.clone() };
    Column { name: Cow::Owned(name), unit: "", cells: Cells::Axis(key, of_key, axis_value) }
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

/// What was measured; nothing of a trial that did not come to it.
fn result<'s>() -> Vec<Column<TrialRow<'s>>> {
    let three = Digits::Decimals(3);
    columns::joined([
        vec![
            Column::new("state", "", Cells::Text(|r| Some(r.result.state.map_or("unfinished", EndState::name).into()))),
            Column::new("verdict", "", Cells::Text(|r| r.result.is_judged().then(|| r.result.verdict().name().into()))),
            Column::new("measured_s", "s", Cells::Number(three, |r| Some(seconds(r.measured()?.measured_ns())))),
            Column::new("tps", "1/s", Cells::Number(three, |r| r.measured().map(question::tps))),
            Column::new("qps", "1/s", Cells::Number(three, |r| r.measured().map(question::qps))),
            Column::new("tps_of", "", Cells::Text(|r| Some(question::tps_of(r.measured()?).into()))),
            Column::new("nopm", "1/min", Cells::Number(three, |r| new_orders(r.measured()?))),
            Column::new("times_of", "", Cells::Text(|r| Some(TimesOf::trial(r.measured()?).code().into()))),
        ],
        columns::times(),
        columns::starts(),
        vec![
            Column::new("retries", "", Cells::Whole(|r| r.measured().and(whole(r.retries)))),
            Column::new("reconnects", "", Cells::Whole(|r| whole(r.measured()?.tally.reconnects))),
            Column::new("truncated", "", Cells::Flag(|r| r.measured().map(truncated))),
            Column::new("clients_at_end", "", Cells::Whole(|r| r.measured()?.clients_at_end().map(i64::from))),
            Column::new(
                "unavailable_client_s",
                "s",
                Cells::Number(three, |r| Some(seconds(r.measured()?.tally.unavailable_ns))),
            ),
            Column::new(
                "longest_standstill_s",
                "s",
                Cells::Number(three, |r| Some(r.measured()?.standstill().map_or(0.0, |s| seconds(s.longest_ns)))),
            ),
        ],
    ])
}

/// New-Orders per minute; none of other loads than TPC-C, and of one whose mix has none.
fn new_orders(result: &TrialResult) -> Option<f64> {
    tpcc_result::new_orders_per_minute(result).filter(|_| TimesOf::trial(result) == TimesOf::NewOrders)
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
    /// Its result; `None` if nothing was measured.
    fn measured(&self) -> Option<&TrialResult> {
        Some(self.result).filter(|result| result.is_measured())
    }

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
    fn times(&self) -> Option<&Times> {
        self.times.as_ref()
    }
    fn accounting(&self) -> Option<&Accounting> {
        Some(&self.measured()?.tally.accounting)
    }
}
