//! The figures of CloudWatch in a trial: means over whole minutes, which come late.

use tenbin_model::names::cloud_metrics::{MINUTE_MS, OBSERVER};
use tenbin_model::readings::LOST;
use tenbin_model::summary::TrialResult;

const MINUTE_NS: u64 = MINUTE_MS * 1_000_000;

/// The figures of CloudWatch in a measured window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WindowFigures {
    /// The window contains no whole minute.
    NoMinute,
    /// CloudWatch cannot be read any more.
    Lost,
    /// The last whole minute is missing of these readings; of all if there are none.
    Missing(Vec<String>),
    /// All are there.
    Complete,
}

/// Whether the figures of all whole minutes of the window (nanoseconds since the start of the run) are there.
pub fn figures(t: &TrialResult, (from, to): (u64, u64)) -> WindowFigures {
    let none = || {
        if to.saturating_sub(from) < MINUTE_NS { WindowFigures::NoMinute } else { WindowFigures::Missing(Vec::new()) }
    };
    let Some(readings) = t.observations.get(OBSERVER) else { return none() };
    let last = readings.samples().last().map(|sample| sample.at_ns);
    if last.is_some() && readings.course(LOST).last().map(|(sample, _)| sample.at_ns) == last {
        return WindowFigures::Lost;
    }
    let newest = |name: &str| readings.course(name).map(|(sample, _)| sample.at_ns).max();
    let all: Vec<(String, u64)> = readings
        .specs()
        .into_iter()
        .filter_map(|spec| Some((newest(&spec.name)?, spec)))
        .map(|(at, spec)| (spec.name.into_owned(), at))
        .collect();
    let Some((_, known)) = all.first() else { return none() };
    // Minutes end at the same times of the clock of AWS.
    let end = to - to.saturating_sub(known % MINUTE_NS) % MINUTE_NS;
    if to < known % MINUTE_NS || end < from.saturating_add(MINUTE_NS) {
        return WindowFigures::NoMinute;
    }
    let missing: Vec<String> =
        all.into_iter().filter(|(_, at)| at.saturating_add(MINUTE_NS / 2) < end).map(|(name, _)| name).collect();
    if missing.is_empty() { WindowFigures::Complete } else { WindowFigures::Missing(missing) }
}
