//! From when on a trial is steady, by the rule of [`statistics::steady`](mod@tenbin_model::statistics::steady).

use tenbin_model::counted;
use tenbin_model::event::Phase;
use tenbin_model::statistics::steady::{self, SteadyFrom};
use tenbin_model::summary::TrialResult;
use tenbin_model::trial::Schedule;

/// Throughput of a closed loop in the intervals of the window, and their length in seconds; a shorter last one is left out.
pub fn course(t: &TrialResult) -> Option<(Vec<f64>, f64)> {
    let load = &t.trial.load;
    (load.schedule == Schedule::Closed && counted::expected(load).is_none() && t.trial.interval_ms > 0).then_some(())?;
    let seconds = t.trial.interval_ms as f64 / 1e3;
    // While the last transactions are waited for, fewer complete, because none begin.
    let due_to_ns = t.window_ns.0.saturating_add(t.planned_ns());
    let begins = |from_ns: u64| load.drain_ms == 0 || from_ns < due_to_ns;
    let measured = t.series.rates().filter(|p| p.phase == Phase::Measure && begins(p.from_ns));
    let whole = measured.filter(|p| p.to_ns.saturating_sub(p.from_ns) as f64 / 1e9 > 0.9 * seconds);
    Some((whole.map(|p| p.tps).collect(), seconds))
}

/// From when on a trial is steady. `None` if it is not a closed loop, or too short to tell.
pub fn of_trial(t: &TrialResult) -> Option<SteadyFrom> {
    let (values, seconds) = course(t)?;
    steady::of_values(&values, seconds)
}
