//! From when on a run is steady: New-Orders in stretches of ten seconds, and a plain look at where they come to rest.
//!
//! The last half says what rest is: its mean, and how far its stretches scatter. The steady part begins with the first
//! stretch from which on every minute (of six stretches) keeps within 5 % of that mean, or within what the scatter from one
//! stretch to the next explains: three standard errors of six. A run that does so only in its last half is not called steady.

use crate::event::Phase;
use crate::statistics;
use crate::summary::{Point, TrialResult};

/// How long a stretch is.
const STRETCH_NS: u64 = 10_000_000_000;

/// Stretches that are looked at together.
const WINDOW: usize = 6;

/// The fewest stretches that tell.
const LEAST: usize = 2 * WINDOW;

/// How far a window may be from the mean of the last half.
const NEAR: f64 = 0.05;

/// One stretch of one trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stretch {
    /// Its begin, seconds after the measuring began.
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

/// From when on it is steady.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum From {
    /// From so many seconds after the measuring began: the latest of all repeats.
    At(f64),
    /// At least one repeat did not come to rest in its first half.
    Never,
    /// Below two minutes nobody can tell.
    TooShort,
}

/// The steady part of all repeats; where there is none, or nobody can tell, all of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Steady {
    /// From when on.
    pub from: From,
    /// Completed New-Orders in it.
    pub orders: u64,
    /// Its length, seconds, of all repeats together.
    pub seconds: f64,
    /// New-Orders per minute of its stretches: mean.
    pub mean: f64,
    /// And standard deviation.
    pub deviation: f64,
    /// Every stretch of every repeat, steady or not.
    pub series: Vec<Vec<Stretch>>,
}

/// Looks at all repeats of a cell; `None` below two stretches.
pub(super) fn steady(trials: &[&TrialResult]) -> Option<Steady> {
    let series: Vec<Vec<Stretch>> = trials.iter().map(|t| stretches(&t.series)).collect();
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

/// The measured window of a trial in stretches; what is left at its end is too short to be one.
fn stretches(points: &[Point]) -> Vec<Stretch> {
    let (mut all, mut begin_ns, mut from_ns, mut orders) = (Vec::new(), None, None, 0);
    for point in points.iter().filter(|p| p.phase == Phase::Measure) {
        let begin = *begin_ns.get_or_insert(point.from_ns);
        let start = *from_ns.get_or_insert(point.from_ns);
        orders += point.completed.get("new_order").copied().unwrap_or(0);
        let long = point.to_ns.saturating_sub(start);
        if long >= STRETCH_NS {
            all.push(Stretch { from_s: (start - begin) as f64 / 1e9, seconds: long as f64 / 1e9, orders });
            (from_ns, orders) = (None, 0);
        }
    }
    all
}

/// The place of the first stretch of the steady part.
fn at_rest(values: &[f64]) -> Option<usize> {
    if values.len() < LEAST {
        return None;
    }
    let half = values.len() / 2;
    let (rest, scatter) = (statistics::mean(&values[half..])?, scatter(&values[half..]));
    let near = (NEAR * rest).max(3.0 * scatter / (WINDOW as f64).sqrt());
    let kept = |window: &[f64]| statistics::mean(window).is_some_and(|mean| (mean - rest).abs() <= near);
    let last_astray = values.windows(WINDOW).rposition(|window| !kept(window));
    // The first stretch of a window that is astray is; whether the others are, the windows after it tell.
    let first = last_astray.map_or(0, |at| at + 1);
    (rest > 0.0 && first <= half).then_some(first)
}

/// How far neighbours are apart by chance, as a standard deviation: a trend is no scatter.
fn scatter(values: &[f64]) -> f64 {
    let steps = values.windows(2).map(|pair| (pair[1] - pair[0]).powi(2));
    (steps.sum::<f64>() / (2.0 * values.len().saturating_sub(1).max(1) as f64)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Scatter of ±2 %, the same each time.
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
