//! Determines from when on a run is in a steady state, from New-Orders in intervals of ten seconds ("stretches").
//!
//! The reference is the second half: its mean, and the variation of its stretches. The steady part starts with the
//! first stretch from which on every minute (of six stretches) is within 5 % of that mean, or within what the variation
//! from one stretch to the next explains: three standard errors of six. A run that settles only in its second half is
//! not steady.

use super::names::TransactionType;
use crate::event::Phase;
use crate::statistics;
use crate::summary::{Point, TrialResult};

/// The length of a stretch.
const STRETCH_NS: u64 = 10_000_000_000;

/// Stretches that are considered together.
const WINDOW: usize = 6;

/// The minimum number of stretches.
const LEAST: usize = 2 * WINDOW;

/// How far a window may be from the mean of the second half.
const NEAR: f64 = 0.05;

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
    /// So many seconds after the start of measuring: the latest of all repeats.
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
pub(super) fn steady(trials: &[&TrialResult]) -> Option<Steady> {
    let series: Vec<Vec<Stretch>> = trials.iter().map(|t| stretches(t.series.points())).collect();
    let begins: Vec<Option<usize>> =
        series.iter().map(|s| at_rest(&s.iter().map(Stretch::nopm).collect::<Vec<_>>())).collect();
    let from = if series.iter().any(|s| s.len() < LEAST) {
        From::TooShort
    } else if begins.iter().any(Option::is_none) {
        From::Never
    } else {
        let latest = series.iter().zip(&begins).filter_map(|(s, at)| Some(s.get((*at)?)?.from_s));
        From::At(latest.fold(0.0, f64::max))
    };
    let first = |at: Option<usize>| if matches!(from, From::At(_)) { at.unwrap_or(0) } else { 0 };
    let part: Vec<Stretch> =
        series.iter().zip(&begins).flat_map(|(s, at)| s.iter().skip(first(*at)).copied()).collect();
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

/// The index of the first stretch of the steady part.
fn at_rest(values: &[f64]) -> Option<usize> {
    if values.len() < LEAST {
        return None;
    }
    let half = values.len() / 2;
    let (rest, scatter) = (statistics::mean(&values[half..])?, scatter(&values[half..]));
    let near = (NEAR * rest).max(3.0 * scatter / (WINDOW as f64).sqrt());
    let kept = |window: &[f64]| statistics::mean(window).is_some_and(|mean| (mean - rest).abs() <= near);
    let last_astray = values.windows(WINDOW).rposition(|window| !kept(window));
    // Only the first stretch of a deviating window is excluded; later windows decide about the others.
    let first = last_astray.map_or(0, |at| at + 1);
    (rest > 0.0 && first <= half).then_some(first)
}

/// The variation between neighbouring stretches, as a standard deviation, which is not affected by a trend.
fn scatter(values: &[f64]) -> f64 {
    let steps = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
    (steps.sum::<f64>() / (2.0 * values.len().saturating_sub(1).max(1) as f64)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variation of ±2 %, the same each time.
    fn scattered(mean: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| mean * (1.0 + 0.02 * ((i * 37 % 11) as f64 / 5.0 - 1.0))).collect()
    }

    #[test]
    fn a_ramp_is_left_out_and_the_rest_is_not() {
        let ramp = [100.0, 300.0, 500.0, 700.0, 900.0];
        let values: Vec<f64> = ramp.into_iter().chain(scattered(1000.0, 40)).collect();
        let first = at_rest(&values).unwrap();
        assert!((3..=5).contains(&first), "{first}");
        assert_eq!(at_rest(&scattered(1000.0, 45)), Some(0));
    }

    #[test]
    fn what_does_not_come_to_rest_is_not_called_steady() {
        let rising: Vec<f64> = (0..60).map(|i| 500.0 + 10.0 * f64::from(i)).collect();
        assert_eq!(at_rest(&rising), None);
        let late: Vec<f64> = scattered(500.0, 35).into_iter().chain(scattered(1000.0, 25)).collect();
        assert_eq!(at_rest(&late), None, "at rest only in the last half");
        assert_eq!(at_rest(&scattered(1000.0, LEAST - 1)), None, "too few to tell");
        assert_eq!(at_rest(&[0.0; 30]), None, "nothing at all is no rest");
    }
}
