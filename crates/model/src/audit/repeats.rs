//! Doubts about the repeats of a cell as a whole.

use super::doubt;
use crate::conditions;
use crate::doubt::{Doubt, Verdict};
use crate::event::Phase;
use crate::figure;
use crate::msg;
use crate::problem::Problem;
use crate::statistics;
use crate::summary::{Cell, TrialResult};

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

/// Trials that ran on data which earlier trials of this run had changed. `all`: the trials of the run in their order.
pub(super) fn not_restored(cell: &Cell, all: &[TrialResult]) -> Option<Doubt> {
    let mine = all.iter().filter(|t| cell.trials.contains(&t.trial.number));
    let (changed, rows) = mine.filter_map(|t| changed_before(t, all)).max_by(|a, b| a.0.cmp(&b.0))?;
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

/// How many rows trials before this one have changed since the data were last restored, and how many rows there are.
fn changed_before(t: &TrialResult, all: &[TrialResult]) -> Option<(u64, f64)> {
    let rows: f64 = t.tables.get(conditions::ROWS)?.parse().ok().filter(|rows| *rows > 0.0)?;
    let restored = |t: &TrialResult| t.phases.iter().any(|(_, phase)| matches!(phase, Phase::Restore | Phase::Load));
    let same = |other: &&TrialResult| {
        other.trial.target.name == t.trial.target.name && other.trial.dataset == t.trial.dataset && other.begun
    };
    let mut changed = 0;
    for earlier in all.iter().filter(|other| other.trial.number <= t.trial.number).filter(same) {
        if restored(earlier) {
            changed = 0;
        }
        if earlier.trial.number < t.trial.number {
            changed += earlier.tally.queries().writes;
        }
    }
    (changed > 0).then_some((changed, rows))
}
