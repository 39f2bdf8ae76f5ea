//! Export of the course of each trial: a table with one row per reporting interval.

use super::columns::{self, OfTrial};
use super::readings::since_window;
use super::run_name::RunName;
use super::table::{Cells, Column, Digits, Table, milliseconds, seconds, whole};
use std::path::Path;
use tenbin_model::summary::{Point, Summary, TrialResult};
use tenbin_verdict::question::TimesOf;

/// A reporting interval.
pub struct SeriesRow<'s> {
    run: RunName,
    trial: &'s TrialResult,
    point: Point,
}

/// One row per interval, warm-up included, ordered by trial and time. The trials are described in the table of trials, with the
/// same names of runs and numbers.
pub fn table<'s>(summary: &'s Summary, dir: Option<&Path>) -> Table<SeriesRow<'s>> {
    let run = RunName::of(summary, dir);
    let mut rows = Vec::new();
    for trial in &summary.trials {
        rows.extend(trial.series.points().map(|point| SeriesRow { run: run.clone(), trial, point }));
    }
    Table { columns: columns(), rows }
}

fn columns<'s>() -> Vec<Column<SeriesRow<'s>>> {
    let (three, six) = (Digits::Decimals(3), Digits::Decimals(6));
    columns::joined([
        columns::of_trial(),
        vec![
            Column::new("phase", "", Cells::Text(|r| Some(r.point.phase.name().into()))),
            Column::new("from_s", "s", Cells::Number(three, |r| Some(seconds(r.point.from_ns)))),
            Column::new("to_s", "s", Cells::Number(three, |r| Some(seconds(r.point.to_ns)))),
            // Negative before the measured window.
            Column::new("window_s", "s", Cells::Number(three, |r| since_window(r.trial, r.point.from_ns))),
            Column::new("clients", "", Cells::Whole(|r| whole(r.point.clients.into()))),
            Column::new("tps", "1/s", Cells::Number(three, |r| Some(r.point.tps))),
            Column::new("failed", "", Cells::Whole(|r| whole(r.point.failed))),
            Column::new("times_of", "", Cells::Text(|r| Some(TimesOf::trial(r.trial).code().into()))),
            Column::new("mean_ms", "ms", Cells::Number(six, |r| time(&r.point, r.point.mean_ns))),
            Column::new("p95_ms", "ms", Cells::Number(six, |r| time(&r.point, r.point.p95_ns as f64))),
            Column::new("p99_ms", "ms", Cells::Number(six, |r| time(&r.point, r.point.p99_ns as f64))),
            Column::new("service_p99_ms", "ms", Cells::Number(six, |r| time(&r.point, r.point.service_p99_ns as f64))),
            Column::new("wait_p99_ms", "ms", Cells::Number(six, |r| time(&r.point, r.point.wait_p99_ns as f64))),
            Column::new("max_ms", "ms", Cells::Number(six, |r| time(&r.point, r.point.max_ns as f64))),
            Column::new("scale", "", Cells::Number(Digits::Shortest, |r| r.trial.trial.scale)),
        ],
    ])
}

/// A time of an interval, in milliseconds; none if nothing completed in it.
fn time(point: &Point, ns: f64) -> Option<f64> {
    (point.max_ns > 0).then(|| milliseconds(ns))
}

impl OfTrial for SeriesRow<'_> {
    fn run(&self) -> &RunName {
        &self.run
    }
    fn trial(&self) -> &TrialResult {
        self.trial
    }
}
