//! The steady state of a run of TPC-C in stretches of ten seconds: from when on, by the rule that all trials have
//! ([`steady`](mod@crate::steady)), and the New-Orders in it.

use crate::steady;
use tenbin_model::event::Phase;
use tenbin_model::statistics;
use tenbin_model::statistics::steady::SteadyFrom;
use tenbin_model::summary::{Point, TrialResult};
use tenbin_model::tpcc::{TransactionType, WORKLOAD};

/// The length of a stretch.
const STRETCH_NS: u64 = 10_000_000_000;

/// The most that the edges of intervals may be off.
const HALF_A_SECOND: f64 = 0.5;

/// The minimum number of stretches.
const LEAST: usize = 12;

/// One stretch of one trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Its start, in seconds since the start of measuring.
    pub from_s: f64,
    /// Its length, seconds.
    pub seconds: f64,
    /// Completed New-Orders.
    pub orders: u64,
}

impl Stretch {
    /// New-Orders per minute.
    pub fn nopm(&self) -> f64 {
        self.orders as f64 * 60.0 / self.seconds
    }
}

/// The start of the steady state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum From {
    /// This many seconds after the start of measuring: the latest of all repeats.
    At(f64),
    /// At least one repeat did not settle in its first half.
    Never,
    /// Shorter than two minutes: too short to tell.
    TooShort,
}

/// The steady part of all repeats; if there is none or it is unknown, the whole run.
#[derive(Debug, Clone, PartialEq)]
pub struct Steady {
    /// From when on.
    pub from: From,
    /// Completed New-Orders in it.
    pub orders: u64,
    /// Its length, seconds, of all repeats together.
    pub seconds: f64,
    /// Mean of the New-Orders per minute of its stretches.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// Every stretch of every repeat, steady or not.
    pub series: Vec<Vec<Stretch>>,
}

/// Evaluates all repeats of a cell; `None` with fewer than two stretches.
pub(super) fn of_repeats(trials: &[&TrialResult]) -> Option<Steady> {
    let series: Vec<Vec<Stretch>> = trials.iter().map(|t| stretches(t.series.points())).collect();
    let begins: Vec<Option<SteadyFrom>> = trials.iter().map(|t| steady::of_trial(t)).collect();
    let from = if series.iter().any(|s| s.len() < LEAST) || begins.iter().any(Option::is_none) {
        From::TooShort
    } else if begins.contains(&Some(SteadyFrom::Never)) {
        From::Never
    } else {
        From::At(trials.iter().zip(&begins).map(|(t, begin)| begin_s(t, begin)).fold(0.0, f64::max))
    };
    let is_steady = |at: usize, stretch: &&Stretch| {
        !matches!(from, From::At(_)) || stretch.from_s + HALF_A_SECOND >= begin_s(trials[at], &begins[at])
    };
    let of_run = |(at, s): (usize, &Vec<Stretch>)| s.iter().filter(|stretch| is_steady(at, stretch)).copied().collect();
    let part: Vec<Stretch> = series.iter().enumerate().flat_map::<Vec<Stretch>, _>(of_run).collect();
    let each: Vec<f64> = part.iter().map(Stretch::nopm).collect();
    Some(Steady {
        from,
        orders: part.iter().map(|s| s.orders).sum(),
        seconds: part.iter().map(|s| s.seconds).sum(),
        mean: statistics::mean(&each)?,
        deviation: statistics::deviation(&each)?,
        series,
    })
}

/// The measured window of a trial in stretches; a shorter rest at its end is ignored.
fn stretches(points: impl Iterator<Item = Point>) -> Vec<Stretch> {
    let (mut all, mut begin_ns, mut from_ns, mut orders) = (Vec::new(), None, None, 0);
    for point in points.filter(|p| p.phase == Phase::Measure) {
        let begin = *begin_ns.get_or_insert(point.from_ns);
        let start = *from_ns.get_or_insert(point.from_ns);
        orders += point.completed.get(TransactionType::NewOrder.name()).copied().unwrap_or(0);
        let long = point.to_ns.saturating_sub(start);
        if long >= STRETCH_NS {
            all.push(Stretch { from_s: (start - begin) as f64 / 1e9, seconds: long as f64 / 1e9, orders });
            (from_ns, orders) = (None, 0);
        }
    }
    all
}

/// From when on a repeat is steady, seconds after the start of measuring.
fn begin_s(t: &TrialResult, begin: &Option<SteadyFrom>) -> f64 {
    steady_from_s(t, begin.map_or(0.0, |begin| begin.seconds()))
}

/// The start of the steady part of any trial as it is reported: of TPC-C that of a stretch.
pub fn steady_from_s(t: &TrialResult, from_s: f64) -> f64 {
    let stretch_s = STRETCH_NS as f64 / 1e9;
    if t.trial.load.workload == WORKLOAD { (from_s / stretch_s).ceil() * stretch_s } else { from_s }
}
