//! The formulas for a comparison, with their sources.
//!
//! The unit is the run: two seconds of one run are more similar than two runs, so confidence intervals are computed
//! from the spread between repeats, never from the seconds within one (Kalibera & Jones, ISMM 2013).

pub mod change_points;
pub mod duet;
pub mod scalability;
pub mod series;
pub mod steady;

use statrs::distribution::{ContinuousCDF, FisherSnedecor, StudentsT};

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

/// Student's t: the two-sided 95 % factor for this many degrees of freedom.
pub fn t95(freedom: f64) -> f64 {
    t_factor(freedom, ALPHA)
}

/// The chance of a wrong claim that an interval leaves: 5 %.
pub const ALPHA: f64 = 0.05;

/// Student's t: the two-sided factor that leaves the chance `alpha` outside, for this many degrees of freedom.
pub fn t_factor(freedom: f64, alpha: f64) -> f64 {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).map_or(f64::INFINITY, |t| t.inverse_cdf(1.0 - alpha / 2.0))
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

/// The mean of repeats with its t-interval, and the chance `alpha` that it does not contain the true mean; `None` of fewer than two. The standard error is at
/// least the share `least` of the mean.
pub fn mean_confidence(values: &[f64], least: f64, alpha: f64) -> Option<Confidence> {
    let value = mean(values)?;
    let error = (deviation(values)? / (values.len() as f64).sqrt()).max(least * value.abs());
    let half = t_factor(values.len() as f64 - 1.0, alpha) * error;
    Some(Confidence { value, low: value - half, high: value + half })
}

/// The logarithm of a ratio in one cell, and how much it differs from run to run.
#[derive(Debug, Clone, PartialEq)]
pub struct LogRatio {
    /// The estimate from all runs.
    pub centre: f64,
    /// What single pairs of runs say: their own logarithms, or the pseudo-values of [`LogRatio::of_merged`].
    pub runs: Vec<f64>,
}

impl LogRatio {
    /// Of a figure that each run has by itself, from pairs A, B of runs close together in time: the mean of ln(B/A). `None` if a
    /// member is zero or negative, because the rest would be compared without the worst; and of no pairs.
    pub fn of_pairs(pairs: &[(f64, f64)]) -> Option<LogRatio> {
        let log = |(a, b): &(f64, f64)| (*a > 0.0 && *b > 0.0).then(|| (b / a).ln());
        let runs = pairs.iter().map(log).collect::<Option<Vec<f64>>>()?;
        Some(LogRatio { centre: mean(&runs)?, runs })
    }

    /// The same with a standard error of at least this; unchanged of one run, which has none.
    #[must_use]
    pub fn with_least_error(self, error: f64) -> LogRatio {
        let (n, spread) = (self.runs.len(), deviation(&self.runs));
        match spread {
            Some(spread) if n > 1 && spread / (n as f64).sqrt() < error => {
                LogRatio { runs: duet::values(self.centre, error, n), ..self }
            }
            _ => self,
        }
    }

    /// Of a figure of all runs together, as a percentile of merged histograms, by the jackknife (Tukey 1958): `all` is B/A of
    /// all n pairs, and `without` has the same of all pairs but one. The pseudo-values n·θ − (n−1)·θ₍ᵢ₎ stand for the runs.
    pub fn of_merged(all: f64, without: &[f64]) -> Option<LogRatio> {
        let is_ratio = |r: &f64| r.is_finite() && *r > 0.0;
        if !is_ratio(&all) || !without.iter().all(is_ratio) {
            return None;
        }
        let (n, centre) = (without.len() as f64, all.ln());
        let runs = match without.len() {
            0 | 1 => vec![centre],
            _ => without.iter().map(|r| n * centre - (n - 1.0) * r.ln()).collect(),
        };
        Some(LogRatio { centre, runs })
    }
}

/// Compares B with A over cells: the ratio B/A and its interval, which leaves the chance `alpha` outside.
///
/// Logarithms are averaged over the cells; their spread is pooled within cells, because the effect may differ from cell to
/// cell. With one pair per cell there is no spread and thus no interval. The unit is the run.
pub fn pooled_ratio(cells: &[LogRatio], alpha: f64) -> Option<(f64, Option<Confidence>)> {
    let centre = mean(&cells.iter().map(|cell| cell.centre).collect::<Vec<_>>())?;
    let (squares, freedom) = within(cells);
    let confidence = (freedom > 0).then(|| {
        let variance = squares / freedom as f64;
        // The variance of a mean of cell means: each cell's own mean has variance/n.
        let of_mean =
            cells.iter().map(|cell| variance / cell.runs.len() as f64).sum::<f64>() / (cells.len() as f64).powi(2);
        let half = t_factor(freedom as f64, alpha) * of_mean.sqrt();
        Confidence { value: centre.exp(), low: (centre - half).exp(), high: (centre + half).exp() }
    });
    Some((centre.exp(), confidence))
}

/// This many cells show how large the spread between two pairs of runs may be.
const ENOUGH_CELLS: usize = 4;

/// Compares B with A in one of several cells, by its own pairs of runs. Two pairs say next to nothing about the spread between
/// them: an interval by Student's t with one degree of freedom is 13 times as wide as the standard error, and with the level
/// that several cells need, a hundred times. Of four cells or more with two pairs each the largest spread stands for all of
/// them, with two degrees of freedom. In simulated runs this errs in 5 % if the cells are alike, and no more often than the
/// cell's own spread does if the runs of one cell differ four times as much as those of the others; the spread pooled over all
/// cells errs in 10 % then.
pub fn ratio_in_cell(cells: &[LogRatio], at: usize, alpha: f64) -> Option<(f64, Option<Confidence>)> {
    let cell = cells.get(at)?;
    let variances: Vec<f64> =
        cells.iter().filter(|cell| cell.runs.len() == 2).map(|cell| within(std::slice::from_ref(cell)).0).collect();
    if cell.runs.len() != 2 || variances.len() < ENOUGH_CELLS {
        return pooled_ratio(std::slice::from_ref(cell), alpha);
    }
    let largest = variances.into_iter().fold(0.0, f64::max);
    let half = t_factor(2.0, alpha) * (largest / 2.0).sqrt();
    let (value, low, high) = (cell.centre.exp(), (cell.centre - half).exp(), (cell.centre + half).exp());
    Some((value, Some(Confidence { value, low, high })))
}

/// The sum of squares within cells, and its degrees of freedom.
fn within(cells: &[LogRatio]) -> (f64, usize) {
    let of = |cell: &LogRatio| {
        let centre = mean(&cell.runs).unwrap_or_default();
        cell.runs.iter().map(|x| (x - centre).powi(2)).sum::<f64>()
    };
    (cells.iter().map(of).sum(), cells.iter().map(|cell| cell.runs.len().saturating_sub(1)).sum())
}

/// Whether the ratio differs between cells by more than its spread between runs explains: the F-test of a one-way analysis of
/// variance (Fisher 1925), which errs with the chance `alpha`. `None` if there is one cell, or no spread between runs.
pub fn cells_differ(cells: &[LogRatio], alpha: f64) -> Option<bool> {
    let (squares, freedom) = within(cells);
    if cells.len() < 2 || freedom == 0 {
        return None;
    }
    let runs: f64 = cells.iter().map(|cell| cell.runs.len() as f64).sum();
    let whole = cells.iter().map(|cell| cell.centre * cell.runs.len() as f64).sum::<f64>() / runs;
    let between: f64 = cells.iter().map(|cell| cell.runs.len() as f64 * (cell.centre - whole).powi(2)).sum();
    let (of_cells, of_runs) = ((cells.len() - 1) as f64, freedom as f64);
    let f = (between / of_cells) / (squares / of_runs).max(f64::MIN_POSITIVE);
    FisherSnedecor::new(of_cells, of_runs).ok().map(|test| 1.0 - test.cdf(f) < alpha)
}

/// The standard deviation of the logarithms of ratios between runs, pooled within cells as in [`pooled_ratio`]; `None` of
/// one pair per cell.
pub fn pooled_deviation(cells: &[LogRatio]) -> Option<f64> {
    let (squares, freedom) = within(cells);
    (freedom > 0).then(|| (squares / freedom as f64).sqrt())
}

/// How many repeats of each of this many cells make half the t-interval of [`pooled_ratio`], on the logarithmic scale, at
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
        let c = mean_confidence(&[99.0, 101.0], 0.0, ALPHA).expect("two values");
        assert!(((c.high - c.value) - 12.706).abs() < 0.01, "{c:?}");
    }

    /// [`pooled_ratio`] at 95 %, from one slice of pairs A, B per cell.
    fn paired_ratio(cells: &[Vec<(f64, f64)>]) -> Option<(f64, Option<Confidence>)> {
        let cells: Option<Vec<LogRatio>> = cells.iter().map(|pairs| LogRatio::of_pairs(pairs)).collect();
        pooled_ratio(&cells?, ALPHA)
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
    fn a_merged_figure_has_the_interval_of_its_runs() {
        // A figure that is a mean of the runs' logarithms: the jackknife gives their own interval.
        let logs: [f64; 4] = [0.1, 0.3, 0.2, 0.6];
        let mean_of = |without: Option<usize>| {
            let kept: Vec<f64> = (0..4).filter(|i| Some(*i) != without).map(|i| logs[i]).collect();
            mean(&kept).unwrap_or_default().exp()
        };
        let merged = LogRatio::of_merged(mean_of(None), &[0, 1, 2, 3].map(|i| mean_of(Some(i)))).expect("ratios");
        let pairs = LogRatio::of_pairs(&logs.map(|l| (1.0, l.exp()))).expect("pairs");
        let interval = |of: LogRatio| pooled_ratio(&[of], ALPHA).expect("a ratio").1.expect("an interval");
        let (a, b) = (interval(merged), interval(pairs));
        assert!((a.low - b.low).abs() < 1e-9 && (a.high - b.high).abs() < 1e-9, "{a:?} {b:?}");
        assert_eq!(LogRatio::of_merged(f64::NAN, &[1.0]), None);
        assert_eq!(LogRatio::of_merged(2.0, &[0.0, 1.0]), None);
        let one = LogRatio::of_merged(2.0, &[f64::INFINITY]);
        assert_eq!(one, None);
    }

    #[test]
    fn cells_differ_if_their_runs_do_not_explain_it() {
        let cell = |runs: &[f64]| LogRatio { centre: mean(runs).unwrap_or_default(), runs: runs.to_vec() };
        // R: summary(aov(x ~ g)) of these: F = 24.5, p = 0.0389 with 1 and 2 degrees of freedom.
        let near = [cell(&[0.0, 0.2]), cell(&[0.7, 0.9])];
        assert_eq!((cells_differ(&near, 0.05), cells_differ(&near, 0.01)), (Some(true), Some(false)));
        assert_eq!(cells_differ(&[cell(&[0.0, 0.2]), cell(&[0.1, 0.3])], 0.05), Some(false));
        assert_eq!(cells_differ(&[cell(&[0.1]), cell(&[0.9])], 0.05), None);
        assert_eq!(cells_differ(&[cell(&[0.1, 0.2])], 0.05), None);
        assert_eq!(cells_differ(&[cell(&[0.1, 0.1]), cell(&[0.9, 0.9])], 0.01), Some(true));
    }

    #[test]
    fn a_cell_of_two_pairs_has_the_largest_spread_of_all_cells() {
        let cell = |runs: &[f64]| LogRatio { centre: mean(runs).unwrap_or_default(), runs: runs.to_vec() };
        let width = |cells: &[LogRatio], at: usize| {
            let i = ratio_in_cell(cells, at, 0.05).expect("a ratio").1.expect("an interval");
            (i.high / i.low).ln() / 2.0
        };
        let four = [cell(&[1.0, 1.1]), cell(&[1.5, 1.56]), cell(&[1.8, 1.96]), cell(&[0.9, 0.9])];
        // The variance of the third one is 0.0128; Student's table, 2 degrees of freedom: 4.303.
        for at in 0..4 {
            assert!((width(&four, at) - 4.303 * (0.0128_f64 / 2.0).sqrt()).abs() < 1e-3, "{}", width(&four, at));
        }
        assert!((width(&four[..3], 1) - 12.706 * (0.0018_f64 / 2.0).sqrt()).abs() < 1e-3, "three cells are too few");
        let more = [cell(&[1.0, 1.1, 1.2]), four[0].clone(), four[1].clone(), four[2].clone()];
        assert!((width(&more, 0) - 4.303 * (0.01_f64 / 3.0).sqrt()).abs() < 1e-3, "three pairs have their own");
        assert_eq!(ratio_in_cell(&[cell(&[1.0])], 0, 0.05).expect("a ratio").1, None);
    }

    #[test]
    fn an_interval_of_several_comparisons_is_wider() {
        let cells = [LogRatio { centre: 0.1, runs: vec![0.05, 0.15, 0.1] }];
        let width = |alpha| {
            let i = pooled_ratio(&cells, alpha).expect("a ratio").1.expect("an interval");
            i.high.ln() - i.low.ln()
        };
        // Student's table, 2 degrees of freedom: 4.303 and 6.205.
        assert!((width(0.025) / width(0.05) - 6.205 / 4.303).abs() < 0.001);
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
        assert_eq!(paired_ratio(&[vec![(1.0, 2.0), (1.0, 0.0)]]), None, "and not 2");
    }

    #[test]
    fn more_repeats_make_the_interval_as_narrow_as_asked() {
        // Five pairs of one cell, 10 % apart from one another: 2.776 × s / √5 is far more than 5 %.
        let of = |pairs: &[(f64, f64)]| LogRatio::of_pairs(pairs).expect("pairs");
        let five = of(&[(1.0, 1.0), (1.0, 1.1), (1.0, 0.9), (1.0, 1.2), (1.0, 0.95)]);
        let deviation = pooled_deviation(&[five]).expect("a spread");
        assert!((deviation - 0.1149).abs() < 0.0005, "{deviation}");
        let n = repeats_for(deviation, 1, 0.05);
        let half = |n: usize| t95(n as f64 - 1.0) * deviation / (n as f64).sqrt();
        assert!(half(n) <= 0.05 && half(n - 1) > 0.05, "{n}: {} and {}", half(n), half(n - 1));
        assert!(repeats_for(deviation, 4, 0.05) < n, "cells add up");
        assert_eq!(repeats_for(0.0, 1, 0.05), 2);
        assert_eq!(repeats_for(1e9, 1, 0.05), 100_000);
        assert_eq!(pooled_deviation(&[of(&[(1.0, 2.0)]), of(&[(1.0, 2.0)])]), None);
    }

    #[test]
    fn medians() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Some(2.5));
    }
}
