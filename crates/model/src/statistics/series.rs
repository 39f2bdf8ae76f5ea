//! The formulas for one run's series of equal intervals, whose neighbours are not independent of one another.
//!
//! They say something about this run only. Claims about targets need several runs (see the parent module).

use crate::random::SplitMix;

use super::{Confidence, deviation, mean, t_factor};

/// The autocorrelation of a series at a lag; 0 if the series is constant or shorter than the lag.
pub fn autocorrelation(series: &[f64], lag: usize) -> f64 {
    let Some(centre) = mean(series) else { return 0.0 };
    let squares: f64 = series.iter().map(|x| (x - centre).powi(2)).sum();
    if squares <= 0.0 || lag >= series.len() {
        return 0.0;
    }
    series.iter().zip(&series[lag..]).map(|(a, b)| (a - centre) * (b - centre)).sum::<f64>() / squares
}

/// The autocorrelation time: this many values of the series say as much about its mean as one independent value. At least 1.
///
/// 1 + 2 Σ ρ(k), the sum cut by the initial positive sequence: pairs of neighbouring lags are added while they are positive
/// (Geyer 1992).
pub fn autocorrelation_time(series: &[f64]) -> f64 {
    // Σ over pairs (0, 1), (2, 3), …; τ = −1 + 2 Σ, because lag 0 counts once.
    let pairs = (0..series.len() / 4).map(|m| autocorrelation(series, 2 * m) + autocorrelation(series, 2 * m + 1));
    let sum: f64 = pairs.take_while(|pair| *pair > 0.0).sum();
    (2.0 * sum - 1.0).max(1.0)
}

/// The length of blocks for the circular block bootstrap, by the rule of Politis and White (2004) with the correction of
/// Patton, Politis and White (2009).
pub fn block_length(series: &[f64]) -> usize {
    let n = series.len();
    if n < 4 {
        return 1;
    }
    let lags = ((n as f64).log10().floor() as usize).max(5);
    let most = (n as f64).sqrt().ceil() as usize + lags;
    let small = 2.0 * ((n as f64).log10() / n as f64).sqrt();
    let rho: Vec<f64> = (0..=most + lags).map(|lag| autocorrelation(series, lag)).collect();
    let is_small_after = |m: usize| (1..=lags).all(|k| rho.get(m + k).is_none_or(|r| r.abs() < small));
    let m = (1..=most).find(|m| is_small_after(*m)).unwrap_or(most);
    let last = (2 * m).min(most);
    // A flat-top window: 1 up to half of the lags, then falling to 0.
    let weight = |k: usize| match k as f64 / last as f64 {
        t if t <= 0.5 => 1.0,
        t => 2.0 * (1.0 - t),
    };
    let both_sides = |of: &dyn Fn(usize) -> f64| 2.0 * (1..=last).map(|k| weight(k) * of(k)).sum::<f64>();
    let spectrum = 1.0 + both_sides(&|k| rho[k]);
    let slope = both_sides(&|k| k as f64 * rho[k]);
    let length = (2.0 * slope.powi(2) / (4.0 / 3.0 * spectrum.powi(2))).cbrt() * (n as f64).cbrt();
    let cap = (3.0 * (n as f64).sqrt()).min(n as f64 / 3.0).ceil();
    if length.is_finite() { length.round().clamp(1.0, cap.max(1.0)) as usize } else { 1 }
}

/// Resamples of a bootstrap.
const RESAMPLES: usize = 2000;

/// The mean of a series and its 95 % interval by the circular block bootstrap (Politis and Romano 1992): the same for the same
/// series. `None` of fewer than 10 values.
pub fn mean_of_series(series: &[f64]) -> Option<Confidence> {
    let n = series.len();
    let value = mean(series).filter(|_| n >= 10)?;
    let block = block_length(series);
    // Sums from the start, once around and on, so that the sum of a block is one subtraction.
    let mut until = Vec::with_capacity(2 * n + 1);
    until.push(0.0);
    for x in series.iter().chain(series) {
        until.push(until[until.len() - 1] + (x - value));
    }
    let mut random = SplitMix(n as u64);
    let mut means: Vec<f64> = (0..RESAMPLES)
        .map(|_| {
            let (mut sum, mut left) = (0.0, n);
            while left > 0 {
                let (from, length) = (random.below(n), block.min(left));
                sum += until[from + length] - until[from];
                left -= length;
            }
            value + sum / n as f64
        })
        .collect();
    means.sort_by(f64::total_cmp);
    let at = |p: f64| means[((means.len() - 1) as f64 * p).round() as usize];
    Some(Confidence { value, low: at(0.025), high: at(0.975) })
}

/// Half the interval of the mean of a series, by batch means (Schmeiser 1982), which leaves the chance `alpha` outside. The
/// number of batches is halved until neighbouring batches do not depend on one another (von Neumann's ratio, 5 %); `None` if
/// fewer than 10 are left: the series is too short.
pub fn half_by_batches(series: &[f64], alpha: f64) -> Option<f64> {
    let mut count = 40;
    while count >= 10 {
        let size = series.len() / count;
        if size > 0 {
            let batches = batch_means(&series[series.len() - count * size..], size);
            if !is_dependent(&batches) {
                let (n, s) = (batches.len() as f64, deviation(&batches)?);
                return Some(t_factor(n - 1.0, alpha) * s / n.sqrt());
            }
        }
        count /= 2;
    }
    None
}

/// Means of this many values each; a rest at the end is left out.
pub fn batch_means(series: &[f64], size: usize) -> Vec<f64> {
    series.chunks_exact(size.max(1)).filter_map(mean).collect()
}

/// Whether neighbours are closer to one another than to the rest (von Neumann 1941), at 5 %.
fn is_dependent(batches: &[f64]) -> bool {
    let Some(centre) = mean(batches) else { return false };
    let squares: f64 = batches.iter().map(|x| (x - centre).powi(2)).sum();
    if squares <= 0.0 {
        return false;
    }
    let steps: f64 = batches.windows(2).map(|pair| (pair[0] - pair[1]).powi(2)).sum();
    let n = batches.len() as f64;
    1.0 - steps / (2.0 * squares) > 1.645 * ((n - 2.0) / (n * n - 1.0)).sqrt()
}

/// Values per batch of [`warmup`].
pub const BATCH: usize = 5;
/// The least number of batches that [`warmup`] judges.
pub const LEAST_BATCHES: usize = 20;

/// Where the warm-up in a series ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warmup {
    /// After this many values; 0: there is none.
    Until(usize),
    /// Not within the first half.
    NotEnded,
}

/// The end of the warm-up by MSER-5 (White 1997; Spratt 1998): the cut that makes the standard error of the mean of the rest
/// smallest, on means of five values. `None` of fewer than 100 values.
pub fn warmup(series: &[f64]) -> Option<Warmup> {
    warmup_by(series, BATCH)
}

/// The same on means of this many values each; `None` of fewer than 20 means.
pub fn warmup_by(series: &[f64], batch: usize) -> Option<Warmup> {
    let batches = batch_means(series, batch);
    let k = batches.len();
    (k >= LEAST_BATCHES).then_some(())?;
    // From the end, so that each cut adds one value to mean and squares (Welford 1962).
    let (mut n, mut centre, mut squares) = (0.0, 0.0, 0.0);
    let mut best = (f64::INFINITY, 0);
    for cut in (0..k).rev() {
        n += 1.0;
        let step = batches[cut] - centre;
        centre += step / n;
        squares += step * (batches[cut] - centre);
        if cut <= k / 2 && squares / (n * n) <= best.0 {
            best = (squares / (n * n), cut);
        }
    }
    Some(if best.1 >= k / 2 { Warmup::NotEnded } else { Warmup::Until(best.1 * batch.max(1)) })
}

/// A change of level over a whole series.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drift {
    /// From the start to the end of the series, as a share of its mean.
    pub share: f64,
    /// Half of its 95 % interval.
    pub half: f64,
    /// Whether the slope's 95 % interval excludes 0.
    pub is_certain: bool,
}

/// The drift of a series: the slope by Theil and Sen over at most 100 means, and by least squares whether it is certain,
/// whose standard error takes the autocorrelation of the residuals into account. `None` of fewer than 20 values.
pub fn drift(series: &[f64]) -> Option<Drift> {
    let means = batch_means(series, series.len().div_ceil(100));
    let (n, centre) = (means.len() as f64, mean(&means)?);
    (means.len() >= LEAST_BATCHES && centre > 0.0).then_some(())?;
    let points: Vec<(f64, f64)> = means.iter().enumerate().map(|(at, y)| (at as f64, *y)).collect();
    let slope = super::theil_sen(&points)?;
    let middle = (n - 1.0) / 2.0;
    let spread: f64 = points.iter().map(|(x, _)| (x - middle).powi(2)).sum();
    let straight = points.iter().map(|(x, y)| (x - middle) * (y - centre)).sum::<f64>() / spread;
    let residuals: Vec<f64> = points.iter().map(|(x, y)| y - centre - straight * (x - middle)).collect();
    let variance = residuals.iter().map(|r| r * r).sum::<f64>() / (n - 2.0);
    let time = autocorrelation_time(&residuals);
    let half = t_factor((n / time - 2.0).max(1.0), super::ALPHA) * (variance * time / spread).sqrt();
    let share = slope * n / centre;
    Some(Drift {
        share,
        half: half * n / centre,
        is_certain: straight.abs() > half && slope.signum() == straight.signum(),
    })
}

/// The correlation with itself from which on a series is said to oscillate.
const OSCILLATES: f64 = 0.3;

/// The period of an oscillation, in values: the lag of the highest peak of the autocorrelation after it was negative. `None` if
/// there is none. Series of which a third is shorter than the period have too few periods for a mean.
pub fn period(series: &[f64]) -> Option<usize> {
    let most = series.len() / 2;
    let rho: Vec<f64> = (0..=most.min(2000)).map(|lag| autocorrelation(series, lag)).collect();
    let negative = rho.iter().position(|r| *r < 0.0)?;
    let (lag, peak) = rho.iter().enumerate().skip(negative).max_by(|a, b| a.1.total_cmp(b.1))?;
    (*peak > OSCILLATES).then_some(lag)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Normal noise with this autocorrelation of neighbours, around 0 with variance 1 / (1 − φ²).
    fn noise(seed: u64, n: usize, phi: f64) -> Vec<f64> {
        let mut random = SplitMix(seed);
        let mut last = 0.0;
        let mut all = Vec::new();
        for _ in 0..n + 100 {
            last = phi * last + random.normal();
            all.push(last);
        }
        all.split_off(100)
    }

    fn around(level: f64, noise: &[f64]) -> Vec<f64> {
        noise.iter().map(|x| level + x).collect()
    }

    #[test]
    fn the_block_of_an_autoregressive_series_is_the_published_one() {
        // Politis and White's rule at φ = 0.8 and n = 600: 25 to 31 in the mean of several series; τ = (1 + φ) / (1 − φ) = 9.
        let all: Vec<Vec<f64>> = (0..50).map(|seed| noise(seed, 600, 0.8)).collect();
        let blocks: Vec<f64> = all.iter().map(|s| block_length(s) as f64).collect();
        let times: Vec<f64> = all.iter().map(|s| autocorrelation_time(s)).collect();
        let (block, time) = (mean(&blocks).expect("blocks"), mean(&times).expect("times"));
        assert!((22.0..=34.0).contains(&block), "{block}");
        assert!((7.0..=11.0).contains(&time), "{time}");
        let white = noise(1, 600, 0.0);
        assert!(block_length(&white) <= 6 && autocorrelation_time(&white) < 1.6);
        assert_eq!((block_length(&[1.0; 100]), autocorrelation_time(&[1.0; 100])), (1, 1.0));
    }

    #[test]
    fn intervals_of_dependent_series_cover_their_mean() {
        type Interval = Option<(f64, f64)>;
        let covered = |of: &dyn Fn(&[f64]) -> Interval| {
            let all = (0..400).filter_map(|seed| of(&around(100.0, &noise(1000 + seed, 600, 0.8))));
            let hits: Vec<bool> = all.map(|(low, high)| low <= 100.0 && 100.0 <= high).collect();
            assert!(hits.len() > 340, "{} of 400 have an interval", hits.len());
            hits.iter().filter(|hit| **hit).count() as f64 / hits.len() as f64
        };
        let bootstrap = covered(&|s| mean_of_series(s).map(|c| (c.low, c.high)));
        assert!((0.88..=0.98).contains(&bootstrap), "{bootstrap}");
        let batches = covered(&|s| {
            let (centre, half) = (mean(s)?, half_by_batches(s, 0.05)?);
            Some((centre - half, centre + half))
        });
        assert!((0.88..=0.98).contains(&batches), "{batches}");
        assert_eq!(mean_of_series(&[1.0; 9]), None);
        assert_eq!(mean_of_series(&[5.0; 20]), Some(Confidence { value: 5.0, low: 5.0, high: 5.0 }));
        assert_eq!(half_by_batches(&[1.0; 9], 0.05), None);
    }

    #[test]
    fn a_warm_up_is_cut_where_it_ends() {
        for (seed, (length, ends)) in [(1200, 300), (600, 60), (3600, 900), (600, 200)].into_iter().enumerate() {
            let noise = noise(seed as u64, length, 0.3);
            let level = |at: usize| if at < ends { 600.0 } else { 1000.0 };
            let series: Vec<f64> = noise.iter().enumerate().map(|(at, x)| level(at) + 20.0 * x).collect();
            let Some(Warmup::Until(cut)) = warmup(&series) else { panic!("{length} {ends}: no end") };
            assert!(cut.abs_diff(ends) <= ends / 10, "{length} {ends}: {cut}");
        }
        // Filling a buffer pool: e⁻³ of the difference is left after three times the time constant.
        let noise = noise(7, 1200, 0.3);
        let fills = |at: usize| 1000.0 - 600.0 * (-(at as f64) / 60.0).exp();
        let series: Vec<f64> = noise.iter().enumerate().map(|(at, x)| fills(at) + 10.0 * x).collect();
        let Some(Warmup::Until(cut)) = warmup(&series) else { panic!("no end") };
        assert!((120..=360).contains(&cut), "{cut}");
        assert_eq!(warmup(&[1.0; 99]), None);
        assert_eq!(warmup(&[1.0; 100]), Some(Warmup::Until(0)));
        let rising: Vec<f64> = (0..600).map(f64::from).collect();
        assert_eq!(warmup(&rising), Some(Warmup::NotEnded));
    }

    #[test]
    fn steady_series_have_no_warm_up_and_no_drift() {
        let (mut cuts, mut drifts) = (0, 0);
        for seed in 0..200 {
            let series = around(100.0, &noise(seed, 600, 0.5));
            cuts += u32::from(!matches!(warmup(&series), Some(Warmup::Until(cut)) if cut <= 150));
            drifts += u32::from(drift(&series).is_some_and(|d| d.is_certain));
        }
        assert!(cuts <= 20, "MSER alone cuts too much now and then: {cuts} of 200");
        assert!(drifts <= 20, "{drifts} of 200 at 5 %");
    }

    #[test]
    fn a_slope_is_told_with_its_size() {
        let noise = noise(3, 600, 0.5);
        let series: Vec<f64> = noise.iter().enumerate().map(|(at, x)| 1000.0 + at as f64 * 0.2 + 10.0 * x).collect();
        let drift = drift(&series).expect("long enough");
        assert!(drift.is_certain && (drift.share - 0.113).abs() < 0.03, "{drift:?}");
        assert_eq!(super::drift(&[1.0; 10]), None);
        assert_eq!(super::drift(&[0.0; 100]), None);
    }

    #[test]
    fn a_wave_has_its_period() {
        let noise = noise(5, 600, 0.0);
        let wave = |at: usize| 1000.0 + 100.0 * (at as f64 * std::f64::consts::TAU / 60.0).sin();
        let series: Vec<f64> = noise.iter().enumerate().map(|(at, x)| wave(at) + 20.0 * x).collect();
        let length = period(&series).expect("a wave");
        assert!(length.abs_diff(60) <= 2, "{length}");
        assert_eq!(period(&around(100.0, &noise)), None);
        assert_eq!(period(&[1.0; 50]), None);
    }
}
