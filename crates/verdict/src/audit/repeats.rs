//! Doubts about the repeats of a cell as a whole.

use super::doubt;
use std::collections::BTreeMap;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::event::Phase;
use tenbin_model::names::tables;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, TrialResult};
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The standard deviation of repeats may be this share of their mean (pyperf calls a benchmark beyond it unstable).
const SCATTER: f64 = 0.1;

pub(super) fn scatter(cell: &Cell) -> Option<Doubt> {
    let (mean, deviation) = (statistics::mean(&cell.tps)?, statistics::deviation(&cell.tps)?);
    (deviation > SCATTER * mean).then_some(())?;
    let each = |of: fn(f64, f64) -> f64| figure::grouped(cell.tps.iter().copied().reduce(of).unwrap_or(0.0));
    let (low, high, n, percent) = (each(f64::min), each(f64::max), cell.tps.len(), 100.0 * deviation / mean);
    doubt(
        Verdict::Degraded,
        "scatter",
        Problem::new(msg!("doubt-scatter"))
            .evidence(msg!("doubt-scatter-seen", low, high, n, percent = format_args!("{percent:.0}")))
            .hint(msg!("doubt-scatter-hint")),
    )
}

/// The share of the rows that earlier trials may have changed without the data being restored.
const CHANGED: f64 = 0.01;

/// Trials that ran on data which earlier trials had changed.
pub(super) fn not_restored(cell: &Cell, changes: &ChangesBefore) -> Option<Doubt> {
    let mine = cell.trials.iter().filter_map(|number| changes.0.get(number));
    let (changed, rows) = mine.copied().max_by_key(|(changed, _)| *changed)?;
    (changed as f64 > CHANGED * rows).then_some(())?;
    let (n, percent) = (figure::whole(i128::from(changed)), 100.0 * changed as f64 / rows);
    doubt(
        Verdict::Degraded,
        "not-restored",
        Problem::new(msg!("doubt-not-restored"))
            .evidence(msg!(
                "doubt-not-restored-seen",
                n,
                percent = format_args!("{percent:.0}"),
                limit = CHANGED * 100.0
            ))
            .hint(msg!("doubt-not-restored-hint", setting = "restore = \"before-run\"")),
    )
}

/// Of each trial, by number: how many changes of rows earlier trials of the run made on its target since the data were restored
/// or loaded, and how many rows there are. Trials without known rows are left out.
#[derive(Debug, Default)]
pub struct ChangesBefore(BTreeMap<u32, (u64, f64)>);

impl ChangesBefore {
    /// Of these trials, in the order in which they were run.
    pub fn of(all: &[TrialResult]) -> ChangesBefore {
        let mut changed: BTreeMap<(&str, &str), u64> = BTreeMap::new();
        let mut before = BTreeMap::new();
        for t in all.iter().filter(|t| t.begun) {
            let sum = changed.entry((&t.trial.target.name, &t.trial.dataset.name)).or_default();
            if t.phases.iter().any(|(_, phase)| matches!(phase, Phase::Restore | Phase::Load)) {
                *sum = 0;
            }
            let rows = t.tables.get(tables::ROWS).and_then(|rows| rows.parse::<f64>().ok());
            before.extend(rows.filter(|rows| *rows > 0.0).map(|rows| (t.trial.number, (*sum, rows))));
            *sum = sum.saturating_add(t.row_changes());
        }
        ChangesBefore(before)
    }
}
