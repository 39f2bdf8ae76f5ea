//! Whether a load at a rate kept up with it: its starts took place in time, and what was in progress did not become more and more.
//!
//! A server in front of enough clients takes every start at once, and may all the same complete fewer than fall due: then the transactions
//! that have not ended grow in number as long as the load lasts. How many there are says nothing: in equilibrium it is the rate times the
//! response time (Little 1961), and with the first transactions of a load it grows to that. So the second half of the window is judged.

use tenbin_model::summary::TrialResult;
use tenbin_model::trial::{Arrivals, Schedule};

/// At least this share of the starts has to take place in time, and as many to end as fall due.
const HELD: f64 = 0.99;

/// By how many standard deviations the number in progress may grow by chance.
const BY_CHANCE: f64 = 3.0;

/// The least share of the window that the part has that is judged: half of it, but for the length of an interval.
const LEAST_PART: f64 = 0.4;

/// How many starts had not ended in the middle of the window, and at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Growth {
    /// In the middle.
    pub before: u64,
    /// At the end.
    pub after: u64,
}

/// Whether a trial kept up with the starts that fell due: all but 1 % took place in time, whatever became of them, and as many ended as
/// fell due. It did not if a load host was lost, with the starts that it was to make. `None` in a closed loop.
pub fn is_held(trial: &TrialResult) -> Option<bool> {
    let Schedule::Open { .. } = trial.trial.load.schedule else { return None };
    let is_whole = trial.lost_hosts().next().is_none();
    Some(is_whole && began_in_time(trial) && growth(trial).is_none())
}

/// Whether all but 1 % of the starts took place in time.
pub(crate) fn began_in_time(trial: &TrialResult) -> bool {
    trial.tally.accounting.share_begun(trial.trial.load.clients) >= HELD
}

/// How the starts that had not ended became more in the second half of the window; `None` if that is no more than chance explains, or
/// than may be late.
pub(crate) fn growth(trial: &TrialResult) -> Option<Growth> {
    let Schedule::Open { arrivals, .. } = trial.trial.load.schedule else { return None };
    let (course, (from_ns, to_ns)) = (trial.outstanding(), trial.window_ns);
    let middle_ns = from_ns.midpoint(to_ns);
    let (at_ns, before) = *course.iter().min_by_key(|(at_ns, _)| at_ns.abs_diff(middle_ns))?;
    let (end_ns, after) = *course.last()?;
    (end_ns.saturating_sub(at_ns) as f64 >= LEAST_PART * trial.measured_ns() as f64).then_some(())?;
    let grown = after.saturating_sub(before) as f64;
    // Of what falls due meanwhile and of what ends the numbers differ by chance, each as one of a Poisson process; even starts do not.
    let sources = if arrivals == Arrivals::Poisson { 2.0 } else { 1.0 };
    let deviation = (sources * before.midpoint(after) as f64).sqrt();
    let late = (1.0 - HELD) * trial.tally.accounting.scheduled as f64;
    (grown > late && grown > BY_CHANCE * deviation).then_some(Growth { before, after })
}
