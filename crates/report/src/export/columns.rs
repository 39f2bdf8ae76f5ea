//! Columns that several tables have: which trial a row is of, its response times, and what became of its starts.

use super::response::Times;
use super::run_name::RunName;
use super::table::{Cells, Column, Digits, whole};
use tenbin_model::summary::TrialResult;
use tenbin_model::tally::Accounting;

/// A row of a trial.
pub(super) trait OfTrial {
    fn run(&self) -> &RunName;
    fn trial(&self) -> &TrialResult;
}

/// A row with transactions.
pub(super) trait Measured {
    /// The response times; `None` if nothing has any.
    fn times(&self) -> Option<&Times>;
    /// `None` if nothing was measured.
    fn accounting(&self) -> Option<&Accounting>;
}

/// Columns one after another.
pub(super) fn joined<R, const N: usize>(parts: [Vec<Column<R>>; N]) -> Vec<Column<R>> {
    parts.into_iter().flatten().collect()
}

/// Which trial it is; the table of trials describes it.
pub(super) fn of_trial<R: OfTrial>() -> Vec<Column<R>> {
    vec![
        Column::new("run", "", Cells::Text(|r| Some(r.run().of_trial(r.trial()).into()))),
        Column::new("trial", "", Cells::Whole(|r| whole(r.trial().trial.number.into()))),
        Column::new("target", "", Cells::Text(|r| Some(r.trial().trial.target.name.as_str().into()))),
        Column::new("cell", "", Cells::Whole(|r| whole(r.trial().trial.cell.into()))),
        Column::new("repeat", "", Cells::Whole(|r| whole(r.trial().trial.repeat.into()))),
    ]
}

/// The response times; none if nothing has any.
pub(super) fn times<R: Measured>() -> Vec<Column<R>> {
    let four = Digits::Decimals(4);
    vec![
        Column::new("mean_ms", "ms", Cells::Number(four, |r| time(r, "mean_ms"))),
        Column::new("p50_ms", "ms", Cells::Number(four, |r| time(r, "p50_ms"))),
        Column::new("p95_ms", "ms", Cells::Number(four, |r| time(r, "p95_ms"))),
        Column::new("p99_ms", "ms", Cells::Number(four, |r| time(r, "p99_ms"))),
        Column::new("max_ms", "ms", Cells::Number(four, |r| time(r, "max_ms"))),
    ]
}

/// What became of the starts; none if nothing was measured.
pub(super) fn starts<R: Measured>() -> Vec<Column<R>> {
    vec![
        Column::new("begun_before", "", Cells::Whole(|r| whole(r.accounting()?.begun_before))),
        Column::new("scheduled", "", Cells::Whole(|r| whole(r.accounting()?.scheduled))),
        Column::new("completed", "", Cells::Whole(|r| whole(r.accounting()?.completed))),
        Column::new("failed", "", Cells::Whole(|r| whole(r.accounting()?.failed))),
        Column::new("skipped", "", Cells::Whole(|r| whole(r.accounting()?.skipped))),
        Column::new("open", "", Cells::Whole(|r| Some(r.accounting()?.open))),
        Column::new("carried", "", Cells::Whole(|r| whole(r.accounting()?.carried))),
        Column::new("carried_failed", "", Cells::Whole(|r| whole(r.accounting()?.carried_failed))),
    ]
}

fn time(row: &impl Measured, name: &str) -> Option<f64> {
    row.times()?.named(name)
}
