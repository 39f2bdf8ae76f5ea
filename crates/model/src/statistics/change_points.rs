//! Changes of the level of a figure over many runs.
//!
//! Candidates are found by E-divisive (Matteson and James 2014): a segment is split where the energy distance between its two
//! parts is largest, and both parts are split again. Then the weakest is dropped until all that remain are significant by
//! Welch's t-test and large enough (as Hunter does: Fleming and others, ICPE 2023). There is no chance in it: the same series
//! gives the same changes.

use super::{deviation, mean};
use statrs::distribution::{ContinuousCDF, StudentsT};

/// A candidate may have ten times the chance of being none.
const CANDIDATE: f64 = 10.0;
/// The chance that a change is reported in a series that has none.
const ALPHA: f64 = 0.01;
/// The least number of values on each side of a change.
const LEAST: usize = 3;

/// A change of level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// The first value of the new level.
    pub at: usize,
    /// The mean of the values since the change before.
    pub before: f64,
    /// The mean of those up to the next one.
    pub after: f64,
    /// The chance of such a difference at one of the possible places without a change.
    pub p: f64,
}

/// The changes in a series, in order. `least`: smaller changes are not reported, as a share of the level before. A change needs some
/// values on both sides: with fewer than about ten in all, only large ones are found.
pub fn changes(series: &[f64], least: f64) -> Vec<Change> {
    let mut cuts = Vec::new();
    split(series, 0, &mut cuts);
    cuts.sort_unstable();
    loop {
        let all = of_cuts(series, &cuts);
        let size = |change: &Change| (change.after / change.before - 1.0).abs();
        let is_none = |change: &Change| change.p > ALPHA || size(change) < least;
        let weakest =
            all.iter().enumerate().filter(|(_, change)| is_none(change)).max_by(|a, b| a.1.p.total_cmp(&b.1.p));
        match weakest {
            None => return all,
            Some((place, _)) => _ = cuts.remove(place),
        }
    }
}

fn split(series: &[f64], offset: usize, cuts: &mut Vec<usize>) {
    let Some(at) = best_cut(series) else { return };
    if p_value(&series[..at], &series[at..]) > CANDIDATE * ALPHA {
        return;
    }
    cuts.push(offset + at);
    split(&series[..at], offset, cuts);
    split(&series[at..], offset + at, cuts);
}

/// The cut with the largest energy distance, weighted by the sizes of the parts.
fn best_cut(series: &[f64]) -> Option<usize> {
    let n = series.len();
    (n >= 2 * LEAST).then_some(())?;
    // Sums of distances within the left part, within the right part and between them, while the cut moves to the right.
    let to_all = |at: usize, all: &[f64]| all.iter().map(|x| (series[at] - x).abs()).sum::<f64>();
    let (mut left, mut between) = (0.0, 0.0);
    let mut right: f64 = (0..n).map(|at| to_all(at, &series[at + 1..])).sum();
    let mut best = (0.0, None);
    for cut in 1..n {
        let (to_left, to_right) = (to_all(cut - 1, &series[..cut - 1]), to_all(cut - 1, &series[cut..]));
        left += to_left;
        right -= to_right;
        between += to_right - to_left;
        let (a, b) = (cut as f64, (n - cut) as f64);
        if cut < LEAST || n - cut < LEAST {
            continue;
        }
        let pairs = |n: f64| (n * (n - 1.0) / 2.0).max(1.0);
        let distance = 2.0 * between / (a * b) - left / pairs(a) - right / pairs(b);
        let weighted = a * b / (a + b) * distance;
        if weighted > best.0 {
            best = (weighted, Some(cut));
        }
    }
    best.1
}

fn of_cuts(series: &[f64], cuts: &[usize]) -> Vec<Change> {
    let bound = |i: usize| if i == 0 { 0 } else { cuts.get(i - 1).copied().unwrap_or(series.len()) };
    let one = |i: usize| {
        let (before, after) = (&series[bound(i)..bound(i + 1)], &series[bound(i + 1)..bound(i + 2)]);
        Some(Change { at: bound(i + 1), before: mean(before)?, after: mean(after)?, p: p_value(before, after) })
    };
    (0..cuts.len()).filter_map(one).collect()
}

/// Welch's t-test (1947), two-sided, times the number of places at which the cut could be, because it is the best of them
/// (Bonferroni); 1 if a side is too short.
fn p_value(a: &[f64], b: &[f64]) -> f64 {
    let Some(((x, s), (y, t))) = mean(a).zip(deviation(a)).zip(mean(b).zip(deviation(b))) else { return 1.0 };
    let (u, v) = (s * s / a.len() as f64, t * t / b.len() as f64);
    if u + v <= 0.0 {
        return if x == y { 1.0 } else { 0.0 };
    }
    let freedom = (u + v).powi(2) / (u * u / (a.len() as f64 - 1.0) + v * v / (b.len() as f64 - 1.0));
    let t = (x - y).abs() / (u + v).sqrt();
    let p = StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(1.0, |of| 2.0 * (1.0 - of.cdf(t)));
    (p * places(a.len() + b.len())).min(1.0)
}

/// The number of places at which a cut could be.
fn places(n: usize) -> f64 {
    (n + 1).saturating_sub(2 * LEAST).max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix;

    fn series(seed: u64, levels: &[(usize, f64)]) -> Vec<f64> {
        let mut random = SplitMix(seed);
        levels.iter().flat_map(|(n, level)| vec![*level; *n]).map(|level| level + random.normal()).collect()
    }

    #[test]
    fn a_fall_and_a_recovery_are_found_where_they_are() {
        let changes = changes(&series(1, &[(30, 100.0), (20, 95.0), (25, 101.0)]), 0.02);
        let places: Vec<usize> = changes.iter().map(|change| change.at).collect();
        assert!(places.len() == 2 && places[0].abs_diff(30) <= 1 && places[1].abs_diff(50) <= 1, "{places:?}");
        assert!((changes[0].after / changes[0].before - 0.95).abs() < 0.01 && changes[0].p < 0.001);
    }

    #[test]
    fn a_steady_figure_has_no_changes() {
        let wrong = (0..200).filter(|seed| !changes(&series(*seed, &[(60, 100.0)]), 0.0).is_empty()).count();
        assert!(wrong <= 6, "{wrong} of 200");
        assert!(
            changes(&[], 0.02).is_empty()
                && changes(&[1.0; 50], 0.0).is_empty()
                && changes(&[1.0, 9.0], 0.0).is_empty()
        );
    }

    #[test]
    fn a_small_change_is_not_told() {
        let small = series(3, &[(60, 100.0), (60, 101.0)]);
        assert!(changes(&small, 0.02).is_empty());
        assert_eq!(changes(&small, 0.0).len(), 1);
        assert_eq!(changes(&[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0], 0.02)[0].at, 4);
    }
}
