//! Stored runs that have trials in common: a run that continues another one (`--resume`, `--redo`) begins with its trials, as they were
//! measured. The two are no independent measurements of the same thing.

use crate::record::RecordState;
use crate::summary::{Summary, TrialResult};
use std::collections::BTreeSet;

/// What two measurements do not have alike: the number and the seed of the trial, when its measured window began and ended, nanoseconds
/// since the start of the run, the CPU time of the client in it, and how many starts there were and completed.
type Measurement = (u32, u64, (u64, u64), u64, (u64, u64));

/// That of a trial; `None` of one in which nothing was measured.
fn measurement(t: &TrialResult) -> Option<Measurement> {
    let counted = (t.tally.accounting.scheduled, t.tally.accounting.completed);
    let is_measured = t.state.is_some() && t.measured_ns() > 0 && counted.1 > 0;
    is_measured.then_some((t.trial.number, t.trial.seed, t.window_ns, t.client_cpu_ns, counted))
}

/// Those of a run; none if its files are not as they were written, for which it is INVALID.
fn measurements(run: &Summary) -> BTreeSet<Measurement> {
    let is_whole = run.record.state != RecordState::Altered;
    run.trials.iter().filter(|_| is_whole).filter_map(measurement).collect()
}

/// The number of trials that both runs have, as they were measured once.
pub fn common_trials(a: &Summary, b: &Summary) -> usize {
    let of_b = measurements(b);
    measurements(a).intersection(&of_b).count()
}

/// Of runs in the order of time: whether a later one has trials of it.
pub fn are_continued(runs: &[Summary]) -> Vec<bool> {
    let mut later = BTreeSet::new();
    let mut continued: Vec<bool> = runs
        .iter()
        .rev()
        .map(|run| {
            let own = measurements(run);
            let is_continued = own.iter().any(|one| later.contains(one));
            later.extend(own);
            is_continued
        })
        .collect();
    continued.reverse();
    continued
}
