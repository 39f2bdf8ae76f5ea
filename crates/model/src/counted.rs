//! The number of transactions that ends a trial, and whether time cut it off before; and which instant of a transaction decides
//! whether the measured window contains it. Pure.

use crate::event::EndState;
use crate::summary::{Cell, Summary, TrialResult};
use crate::tally::CountedBy;
use crate::trial::{ClientGroup, Load, Schedule};

/// Which instant of a transaction decides in which phase it is counted (doc/decision/0033).
pub fn by(load: &Load) -> CountedBy {
    by_schedule(load, load.schedule)
}

/// The same for the transactions of one group of its clients.
pub fn group_by(load: &Load, group: &ClientGroup) -> CountedBy {
    by_schedule(load, group.schedule)
}

fn by_schedule(load: &Load, schedule: Schedule) -> CountedBy {
    match schedule {
        Schedule::Closed if load.operations.is_none() && load.drain_ms == 0 => CountedBy::End,
        _ => CountedBy::Start,
    }
}

/// The total number of transactions that ends the trial; `None` if only time ends it, or clients end by themselves.
pub fn expected(load: &Load) -> Option<u64> {
    let option = |name: &str| load.options.get(name).and_then(|n| n.parse::<u64>().ok()).filter(|n| *n > 0);
    let each = option("queries_per_client").map(|n| n * u64::from(load.clients));
    load.operations.or(option("queries")).or(each)
}

/// Whether fewer transactions ended than the number that was to end the trial: time cut it off, or its clients left.
pub fn is_short(t: &TrialResult) -> bool {
    let starts = &t.tally.accounting;
    let ended = starts.completed.saturating_add(starts.failed).saturating_add(starts.skipped);
    expected(&t.trial.load).is_some_and(|n| ended < n)
}

/// Whether the trial was cut off by `max_cell_time` or `measure` before the number was reached. After failures clients may have left before.
pub fn truncated(t: &TrialResult) -> bool {
    let is_over = t.planned_ns() >= t.trial.measure_ms.saturating_mul(1_000_000) || t.trial.measure_until.is_some();
    t.state == Some(EndState::Complete) && is_short(t) && (is_over || t.tally.accounting.failed == 0)
}

/// Whether any trial of the cell was.
pub fn truncated_cell(summary: &Summary, cell: &Cell) -> bool {
    cell.trials.iter().filter_map(|n| summary.trial(*n)).any(truncated)
}
