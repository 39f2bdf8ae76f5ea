//! Exports of what observers read: a table with one row per value, and for JSON the figures of each reading in the measured
//! window.

use super::columns::{self, OfTrial};
use super::run_name::RunName;
use super::table::{Cells, Column, Digits, Table, seconds};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::path::Path;
use std::rc::Rc;
use tenbin_model::observed::{self, Figures, ObservedReading};
use tenbin_model::reading::ReadingSpec;
use tenbin_model::summary::{Summary, TrialResult};

/// A value of a reading.
pub struct ReadingRow<'s> {
    run: RunName,
    trial: &'s TrialResult,
    observer: &'s str,
    spec: Rc<ReadingSpec>,
    value: observed::Value,
}

/// One row per value (long form), ordered by trial, observer, reading and time. The trials are described in the table of
/// trials, with the same names of runs and numbers.
pub fn table<'s>(summary: &'s Summary, dir: Option<&Path>) -> Table<ReadingRow<'s>> {
    let run = RunName::of(summary, dir);
    let mut rows = Vec::new();
    for trial in &summary.trials {
        for reading in trial.observed() {
            let spec = Rc::new(reading.spec.clone());
            let row = |value| ReadingRow {
                run: run.clone(),
                trial,
                observer: reading.observer,
                spec: Rc::clone(&spec),
                value,
            };
            rows.extend(reading.values().map(row));
        }
    }
    Table { columns: columns(), rows }
}

fn columns<'s>() -> Vec<Column<ReadingRow<'s>>> {
    let three = Digits::Decimals(3);
    columns::joined([
        columns::of_trial(),
        vec![
            Column::new("observer", "", Cells::Text(|r| Some(r.observer.into()))),
            Column::new("reading", "", Cells::Text(|r| Some(Cow::Borrowed(&*r.spec.name)))),
            Column::new("kind", "", Cells::Text(|r| Some(r.spec.kind.name().into()))),
            Column::new("unit", "", Cells::Text(|r| Some(Cow::Borrowed(&*r.spec.unit)))),
            Column::new("whose", "", Cells::Text(|r| Some(r.spec.whose.name().into()))),
            Column::new("phase", "", Cells::Text(|r| r.trial.phase_at(r.value.at_ns).map(|phase| phase.name().into()))),
            Column::new("at_s", "s", Cells::Number(three, |r| Some(seconds(r.value.at_ns)))),
            Column::new("window_s", "s", Cells::Number(three, |r| since_window(r.trial, r.value.at_ns))),
            Column::new("source_time", "", Cells::Text(source_time)),
            Column::new("value", "", Cells::Number(Digits::Shortest, |r| Some(r.value.value))),
            Column::new("per_second", "1/s", Cells::Number(Digits::Significant(6), |r| r.value.per_second)),
            Column::new("scale", "", Cells::Number(Digits::Shortest, |r| r.trial.trial.scale)),
        ],
    ])
}

impl OfTrial for ReadingRow<'_> {
    fn run(&self) -> &RunName {
        &self.run
    }
    fn trial(&self) -> &TrialResult {
        self.trial
    }
}

/// Seconds since the start of the measured window, negative before it; `None` if nothing was measured.
pub(super) fn since_window(trial: &TrialResult, at_ns: u64) -> Option<f64> {
    (trial.measured_ns() > 0).then(|| (i128::from(at_ns) - i128::from(trial.window_ns.0)) as f64 / 1e9)
}

fn source_time<'r>(row: &'r ReadingRow<'_>) -> Option<Cow<'r, str>> {
    let at = jiff::Timestamp::from_nanosecond(i128::from(row.value.source_unix_ns?)).ok()?;
    Some(at.to_string().into())
}

/// Each reading of a trial with its figures in the measured window.
pub(super) fn json(t: &TrialResult) -> Vec<Value> {
    t.observed().iter().map(one).collect()
}

fn one(reading: &ObservedReading<'_>) -> Value {
    let spec = &reading.spec;
    let mut value = json!({
        "observer": reading.observer, "name": spec.name, "kind": spec.kind, "unit": spec.unit, "whose": spec.whose,
        "label": spec.label,
    });
    match reading.figures() {
        Some(Figures::Counter { change, per_second, seconds }) => {
            (value["change"], value["per_second"], value["seconds"]) =
                (json!(change), json!(per_second), json!(seconds));
        }
        Some(Figures::Gauge { mean, min, max }) => {
            (value["mean"], value["min"], value["max"]) = (json!(mean), json!(min), json!(max));
        }
        None => {}
    }
    value
}
