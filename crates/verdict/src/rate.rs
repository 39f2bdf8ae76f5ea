//! Whether a load at a rate kept up with it: its starts took place in time, and what was in progress did not become more and more.
//!
//! A server in front of enough clients takes every start at once, and may all the same complete fewer than fall due: then the transactions
//! that have not ended grow in number as long as the load lasts. How many there are says nothing: in equilibrium it is the rate times the
//! response time (Little 1961), and with the first transactions of a load it grows to that. So the second half of the window is judged, as far as its
//! intervals show it.

use tenbin_model::summary::{Cell, Summary, TrialResult};
use tenbin_model::trial::{Arrivals, Schedule};

/// At least this share of the starts has to take place in time, and as many to end as fall due.
const HELD: f64 = 0.99;

/// By how many standard deviations the number in progress may grow by chance.
const BY_CHANCE: f64 = 3.0;

/// No number in progress is steadier than this: it is a whole one.
const LEAST_DEVIATION: f64 = 1.0;

/// The least share of the window that the part has that is judged: half of it, but for the length of an interval.
const LEAST_PART: f64 = 0.3;

/// How many starts had not ended before, and at the end of the window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Growth {
    /// What `before` is.
    pub since: Since,
    /// Before.
    pub before: u64,
    /// At the end.
    pub after: u64,
}

/// With what the starts that had not ended at the end of the window are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Since {
    /// Those in the middle of the window.
    Middle,
    /// Those at its start, where it is one interval after a warm-up of at least half its length.
    Start,
    /// What the rate and the response time come to in equilibrium (Little 1961), where there is neither.
    Equilibrium,
}

/// Whether a trial kept up with the starts that fell due: all but 1 % took place in time, whatever became of them, and as many ended as
/// fell due. It did not if a load host was lost, with the starts that it was to make. `None` in a closed loop.
pub fn is_held(trial: &TrialResult) -> Option<bool> {
    let Schedule::Open { .. } = trial.trial.load.schedule else { return None };
    let is_whole = trial.lost_hosts().next().is_none();
    Some(is_whole && began_in_time(trial) && growth(trial).is_none())
}

/// Whether some trial of a cell did not keep up with its rate: its times are those of fewer starts, or of a queue.
pub fn is_behind(summary: &Summary, cell: &Cell) -> bool {
    cell.trials.iter().filter_map(|number| summary.trial(*number)).any(|t| is_held(t) == Some(false))
}

/// Whether all but 1 % of the starts took place in time.
pub(crate) fn began_in_time(trial: &TrialResult) -> bool {
    trial.tally.accounting.share_begun(trial.trial.load.clients) >= HELD
}

/// How the starts that had not ended became more; `None` if that is no more than chance explains, or than may be late.
pub(crate) fn growth(trial: &TrialResult) -> Option<Growth> {
    let Schedule::Open { rate, arrivals, .. } = trial.trial.load.schedule else { return None };
    let course = trial.outstanding();
    let (_, after) = *course.last()?;
    let (since, before) = match earlier(trial, &course) {
        Some(earlier) => earlier,
        None => (Since::Equilibrium, in_equilibrium(trial, rate)?),
    };
    let grown = after.saturating_sub(before) as f64;
    // Of what falls due meanwhile and of what ends the numbers differ by chance, each as one of a Poisson process; even starts do not.
    let sources = if arrivals == Arrivals::Poisson { 2.0 } else { 1.0 };
    // Of very few, none in progress before does not mean that there never is one.
    let deviation = (sources * (before as f64 + after as f64) / 2.0).sqrt().max(LEAST_DEVIATION);
    let late = (1.0 - HELD) * trial.tally.accounting.scheduled as f64;
    (grown > late && grown > BY_CHANCE * deviation).then_some(Growth { since, before, after })
}

/// How many had not ended in the middle of the window, or else at its start; `None` if its intervals are too few to know it.
fn earlier(trial: &TrialResult, course: &[(u64, u64)]) -> Option<(Since, u64)> {
    let (from_ns, to_ns) = trial.window_ns;
    let (middle_ns, least_ns) = (from_ns.midpoint(to_ns), LEAST_PART * trial.measured_ns() as f64);
    let (end_ns, _) = *course.last()?;
    let long_before = course.iter().filter(|(at_ns, _)| end_ns.saturating_sub(*at_ns) as f64 >= least_ns);
    let (at_ns, before) = *long_before.min_by_key(|(at_ns, _)| at_ns.abs_diff(middle_ns))?;
    match at_ns > from_ns {
        true => Some((Since::Middle, before)),
        false => {
            let warmed_up = trial.warm_up_ns().is_some_and(|ns| ns >= trial.measured_ns() / 2);
            warmed_up.then_some((Since::Start, before))
        }
    }
}

/// How many are in progress at this rate if they do not become more, each for as long as those that ended; `None` if none did.
fn in_equilibrium(trial: &TrialResult, rate: f64) -> Option<u64> {
    let all = trial.tally.all_transactions();
    let ended = all.response.count() + all.failed_service.count();
    let mean_ns = (all.response.sum_ns() + all.failed_service.sum_ns()) / ended.max(1) as f64;
    (ended > 0).then_some((rate * mean_ns / 1e9).round() as u64)
}
