//! The formulas for a comparison, with their sources.
//!
//! The unit is the run: two seconds of one run are more similar than two runs, so confidence intervals are computed
//! from the spread between repeats, never from the seconds within one (Kalibera & Jones, ISMM 2013).

use statrs::distribution::{ContinuousCDF, StudentsT};

/// The arithmetic mean; `None` of nothing.
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The sample standard deviation (n − 1); `None` of fewer than two.
pub fn deviation(values: &[f64]) -> Option<f64> {
    let centre = mean(values)?;
    (values.len() > 1)
        .then(|| (values.iter().map(|v| (v - centre).powi(2)).sum::<f64>() / (values.len() - 1) as f64).sqrt())
}

/// The median; `None` of nothing.
pub fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let half = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        n if n % 2 == 1 => Some(sorted[half]),
        _ => Some((sorted[half - 1] + sorted[half]) / 2.0),
    }
}

/// The slope of the line through these points: the median of the slopes of all pairs (Theil 1950, Sen 1968), which a
/// minority of outliers does not change. `None` if there are fewer than three different positions.
pub fn theil_sen(points: &[(f64, f64)]) -> Option<f64> {
    let pair = |(at, a): (usize, &(f64, f64))| {
        let later = points[at + 1..].iter().filter(|b| b.0 != a.0);
        later.map(|b| (b.1 - a.1) / (b.0 - a.0)).collect::<Vec<_>>()
    };
    let slopes: Vec<f64> = points.iter().enumerate().flat_map(pair).collect();
    if slopes.len() < 3 { None } else { median(&slopes) }
}

/// Student's t: the two-sided 95 % factor for so many degrees of freedom.
pub fn t95(freedom: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(12.706, |t| t.inverse_cdf(0.975))
}

/// A value with its 95 % confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Confidence {
    /// The estimate.
    pub value: f64,
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// The mean of repeats with its t-interval; `None` of fewer than two.
pub fn mean_confidence(values: &[f64]) -> Option<Confidence> {
    let value = mean(values)?;
    let half = t95(values.len() as f64 - 1.0) * deviation(values)? / (values.len() as f64).sqrt();
    Some(Confidence { value, low: value - half, high: value + half })
}

/// Compares B with A over pairs of runs close together in time: the ratio B/A, with one slice of pairs per cell.
///
/// Logarithms of the ratios are averaged within each cell and over the cells; their spread is pooled within cells,
/// because the effect may differ from cell to cell. With one pair per cell there is no spread and thus no interval.
/// Pairs with a zero or negative member are ignored.
pub fn paired_ratio(cells: &[Vec<(f64, f64)>]) -> Option<(f64, Option<Confidence>)> {
    let logs: Vec<Vec<f64>> = cells
        .iter()
        .map(|pairs| pairs.iter().filter(|(a, b)| *a > 0.0 && *b > 0.0).map(|(a, b)| (b / a).ln()).collect::<Vec<_>>())
        .filter(|l| !l.is_empty())
        .collect();
    let means: Vec<f64> = logs.iter().filter_map(|l| mean(l)).collect();
    let centre = mean(&means)?;
    let freedom: usize = logs.iter().map(|l| l.len() - 1).sum();
    let confidence = (freedom > 0).then(|| {
        let squares: f64 = logs.iter().zip(&means).map(|(l, m)| l.iter().map(|x| (x - m).powi(2)).sum::<f64>()).sum();
        let variance = squares / freedom as f64;
        // The variance of a mean of cell means: each cell's own mean has variance/n.
        let of_mean = logs.iter().map(|l| variance / l.len() as f64).sum::<f64>() / (logs.len() as f64).powi(2);
        let half = t95(freedom as f64) * of_mean.sqrt();
        Confidence { value: centre.exp(), low: (centre - half).exp(), high: (centre + half).exp() }
    });
    Some((centre.exp(), confidence))
}

/// The standard deviation of the logarithms of the pairs' ratios, pooled within cells as in [`paired_ratio`]; `None` of
/// one pair per cell.
pub fn pooled_deviation(cells: &[Vec<(f64, f64)>]) -> Option<f64> {
    let logs = cells
        .iter()
        .map(|pairs| pairs.iter().filter(|(a, b)| *a > 0.0 && *b > 0.0).map(|(a, b)| (b / a).ln()).collect::<Vec<_>>());
    let (squares, freedom) = logs
        .filter_map(|l| Some((mean(&l)?, l)))
        .fold((0.0, 0), |(s, f), (m, l)| (s + l.iter().map(|x| (x - m).powi(2)).sum::<f64>(), f + l.len() - 1));
    (freedom > 0).then(|| (squares / freedom as f64).sqrt())
}

/// How many repeats of each of so many cells make half the t-interval of [`paired_ratio`], on the logarithmic scale, at
/// most `half`. At most 100,000.
pub fn repeats_for(deviation: f64, cells: usize, half: f64) -> usize {
    let cells = cells.max(1);
    let enough = |n: usize| t95((cells * (n - 1)) as f64) * deviation / ((cells * n) as f64).sqrt() <= half;
    let mut high = 2;
    while high < 100_000 && !enough(high) {
        high *= 2;
    }
    let (mut low, mut high) = (1, high.min(100_000));
    while high - low > 1 {
        let middle = low.midpoint(high);
        if enough(middle) { high = middle } else { low = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slope_does_not_depend_on_a_minority() {
        let mut points: Vec<(f64, f64)> = (0..20).map(|x| (f64::from(x), 3.0 + 0.25 * f64::from(x))).collect();
        points[4].1 = 1000.0;
        points[15].1 = -500.0;
        assert_eq!(theil_sen(&points), Some(0.25));
        assert_eq!(theil_sen(&[(1.0, 1.0), (1.0, 2.0), (2.0, 3.0)]), None);
        assert_eq!(theil_sen(&[]), None);
    }

    #[test]
    fn t_of_few_runs_is_wide() {
        // Student's table.
        assert!((t95(1.0) - 12.706).abs() < 0.001);
        assert!((t95(4.0) - 2.776).abs() < 0.001);
        assert!((t95(30.0) - 2.042).abs() < 0.001);
    }

    #[test]
    fn two_runs_two_percent_apart_say_little() {
        // 6.35 × |x1 − x2|: the effect of small samples.
        let c = mean_confidence(&[99.0, 101.0]).expect("two values");
        assert!(((c.high - c.value) - 12.706).abs() < 0.01, "{c:?}");
    }

    #[test]
    fn a_constant_ratio_has_no_width() {
        let (ratio, confidence) =
            paired_ratio(&[vec![(1.0, 2.0), (3.0, 6.0)], vec![(10.0, 20.0), (5.0, 10.0)]]).expect("pairs");
        assert!((ratio - 2.0).abs() < 1e-12);
        let c = confidence.expect("four pairs in two cells leave two degrees of freedom");
        assert!((c.high - c.low).abs() < 1e-9);
    }

    #[test]
    fn cells_that_differ_do_not_widen_the_interval() {
        let (ratio, confidence) =
            paired_ratio(&[vec![(1.0, 2.0), (1.0, 2.0)], vec![(1.0, 8.0), (1.0, 8.0)]]).expect("pairs");
        assert!((ratio - 4.0).abs() < 1e-9);
        let c = confidence.expect("interval");
        assert!((c.high - c.low).abs() < 1e-9);
        assert_eq!(paired_ratio(&[vec![(1.0, 2.0)]]).expect("a pair").1, None);
        assert_eq!(paired_ratio(&[vec![(0.0, 2.0)]]), None);
    }

    #[test]
    fn more_repeats_make_the_interval_as_narrow_as_asked() {
        // Five pairs of one cell, 10 % apart from one another: 2.776 × s / √5 is far more than 5 %.
        let deviation =
            pooled_deviation(&[vec![(1.0, 1.0), (1.0, 1.1), (1.0, 0.9), (1.0, 1.2), (1.0, 0.95)]]).expect("a spread");
        assert!((deviation - 0.1149).abs() < 0.0005, "{deviation}");
        let n = repeats_for(deviation, 1, 0.05);
        let half = |n: usize| t95(n as f64 - 1.0) * deviation / (n as f64).sqrt();
        assert!(half(n) <= 0.05 && half(n - 1) > 0.05, "{n}: {} and {}", half(n), half(n - 1));
        assert!(repeats_for(deviation, 4, 0.05) < n, "cells add up");
        assert_eq!(repeats_for(0.0, 1, 0.05), 2);
        assert_eq!(repeats_for(1e9, 1, 0.05), 100_000);
        assert_eq!(pooled_deviation(&[vec![(1.0, 2.0)], vec![(1.0, 2.0)]]), None);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
