//! From when on throughput is steady, by one rule: for the sentence on TPC-C, for the doubt that a part of the window was
//! warm-up, for the mark in the charts, and for a warm-up that ends by itself.
//!
//! The rule is MSER-5: the cut that makes the standard error of the mean of the rest smallest. What follows the cut and is
//! still far from the second half is cut, too, so that no steady part begins on a collapse.

use super::series::{self, BATCH, LEAST_BATCHES, Warmup};
use crate::statistics;

/// A cut that changes the mean by less is chance: the rule cuts a little of most series.
pub const MATTERS: f64 = 0.02;
/// The most that throughput may change from the start of the steady part to its end.
pub const DRIFT: f64 = 0.05;
/// How far from the mean of the second half the first values may be: this share of it, …
const NEAR: f64 = 0.05;
/// … or this many standard deviations of its values.
const DEVIATIONS: f64 = 3.0;

/// How many values at the start are warm-up; [`Warmup::NotEnded`] if that is not known to end within the first half. `None` of
/// fewer than 20 values.
pub fn begins(values: &[f64]) -> Option<Warmup> {
    // Means of five values, or of fewer while there are few: at least 20 of them.
    let batch = (values.len() / LEAST_BATCHES).clamp(1, BATCH);
    let Warmup::Until(cut) = series::warmup_by(values, batch)? else { return Some(Warmup::NotEnded) };
    let half = values.len() / 2;
    let later = series::batch_means(&values[half..], batch);
    let (rest, deviation) = (statistics::mean(&later)?, statistics::deviation(&later)?);
    let near = (NEAR * rest).max(DEVIATIONS * deviation);
    let is_astray = |batch: &&[f64]| statistics::mean(batch).is_none_or(|mean| (mean - rest).abs() > near);
    let astray = values[cut..].chunks(batch).take_while(is_astray).count();
    let first = cut + astray * batch;
    Some(if first >= half { Warmup::NotEnded } else { Warmup::Until(first) })
}

/// The same, and 0 if the rest has the mean of all.
pub fn begins_notably(values: &[f64]) -> Option<Warmup> {
    let warmup = begins(values)?;
    let Warmup::Until(first) = warmup else { return Some(warmup) };
    let means = statistics::mean(values).zip(statistics::mean(&values[first..]));
    let matters = means.is_some_and(|(whole, rest)| rest > 0.0 && (whole / rest - 1.0).abs() > MATTERS);
    Some(Warmup::Until(if matters { first } else { 0 }))
}

/// From when on a trial is steady.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SteadyFrom {
    /// This many seconds after the start of measuring.
    At(f64),
    /// Not within the first half of the window.
    Never,
}

impl SteadyFrom {
    /// Seconds after the start of measuring; 0 if it never is.
    pub fn seconds(&self) -> f64 {
        match self {
            SteadyFrom::At(seconds) => *seconds,
            SteadyFrom::Never => 0.0,
        }
    }
}

/// From when on throughput in intervals of this length is steady. `None` of fewer than 20.
pub fn of_values(values: &[f64], seconds: f64) -> Option<SteadyFrom> {
    let Warmup::Until(first) = begins_notably(values)? else { return Some(SteadyFrom::Never) };
    let rest = &values[first..];
    let drifts = series::drift(rest).is_some_and(|drift| drift.is_certain && drift.share.abs() > DRIFT);
    if drifts || statistics::mean(rest).is_none_or(|mean| mean <= 0.0) {
        return Some(SteadyFrom::Never);
    }
    Some(SteadyFrom::At(first as f64 * seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variation of ±2 %, the same each time.
    fn scattered(mean: f64, n: usize) -> Vec<f64> {
        (0..n).map(|i| mean * (1.0 + 0.02 * ((i * 37 % 11) as f64 / 5.0 - 1.0))).collect()
    }

    fn joined(parts: &[&[f64]]) -> Vec<f64> {
        parts.concat()
    }

    #[test]
    fn a_ramp_is_left_out_and_the_rest_is_not() {
        let ramp = [100.0, 300.0, 500.0, 700.0, 900.0];
        let Some(Warmup::Until(first)) = begins(&joined(&[&ramp, &scattered(1000.0, 40)])) else { panic!("no end") };
        assert!((4..=6).contains(&first), "{first}");
        assert_eq!(begins_notably(&scattered(1000.0, 45)), Some(Warmup::Until(0)));
    }

    /// As the report of a real run had it: 60 s of a ramp, ten seconds in which hardly anything completed, and then 400 a second.
    #[test]
    fn no_steady_part_begins_on_a_collapse() {
        for length in [120, 300, 900] {
            let (ramp, collapse) = (scattered(330.0, 60), scattered(78.0, 10));
            let values = joined(&[&ramp, &collapse, &scattered(400.0, length)]);
            let Some(Warmup::Until(first)) = begins(&values) else { panic!("{length}") };
            assert!((70..=95).contains(&first), "{length}: {first}");
        }
        // One that is the very first of what MSER keeps.
        let values = joined(&[&scattered(78.0, 5), &scattered(400.0, 400)]);
        let Some(Warmup::Until(first)) = begins(&values) else { panic!("no end") };
        assert!((5..=40).contains(&first), "{first}");
    }

    #[test]
    fn what_does_not_come_to_rest_is_not_called_steady() {
        let late = joined(&[&scattered(500.0, 35), &scattered(1000.0, 25)]);
        assert_eq!(of_values(&late, 1.0), Some(SteadyFrom::Never), "at rest only in the last half");
        assert_eq!(of_values(&scattered(1000.0, LEAST_BATCHES - 1), 1.0), None, "too few to tell");
        assert_eq!(of_values(&[0.0; 60], 1.0), Some(SteadyFrom::Never), "nothing at all is no rest");
        assert_eq!(of_values(&scattered(1000.0, 60), 10.0), Some(SteadyFrom::At(0.0)));
        let rising: Vec<f64> = (0..600).map(f64::from).collect();
        assert_eq!(begins(&rising), Some(Warmup::NotEnded));
    }
}
