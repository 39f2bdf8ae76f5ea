//! sysbench 1.0's default: most draws fall into a narrow band in the middle, the rest on a bell.
//!
//! With t = high − low and one u for both decisions: below `(100 − share)/100` the draw is `low + t · mean of uniform
//! values`; otherwise `low + floor(u·(d + 1) + t/2 − d/2)` with `d = t · percent/100`. Because u is large in the second
//! case, only the upper part of the band is ever hit: with the defaults 75 % of the draws fall on about 0.75 % of the
//! values. That is how sysbench 1.0.20 behaves (checked against its own draws), so it is kept.

use super::gaussian::sum;
use crate::Random;

/// The band and the bell.
#[derive(Debug, Clone)]
pub struct Special {
    low: u32,
    /// Below this u falls on the bell.
    bell: f64,
    bell_scale: f64,
    iterations: u32,
    band_width: f64,
    band_start: f64,
}

impl Special {
    pub(super) fn new(low: u32, high: u32, iterations: u32, percent: u32, share: u32) -> Special {
        let t = f64::from(high - low);
        let d = t * f64::from(percent) / 100.0;
        Special {
            low,
            bell: f64::from(100 - share.min(100)) / 100.0,
            bell_scale: t / f64::from(iterations),
            iterations,
            band_width: d + 1.0,
            band_start: t / 2.0 - d / 2.0,
        }
    }

    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        let u = random.unit();
        let offset = if u < self.bell {
            sum(random, self.iterations) * self.bell_scale
        } else {
            u * self.band_width + self.band_start
        };
        self.low.wrapping_add(offset as u32)
    }
}

#[cfg(test)]
mod tests {
    use crate::distribution::DistributionKind;
    use crate::distribution::test::{assert_formula, irwin_hall};

    fn below(low: u32, high: u32, iterations: u32, percent: u32, share: u32) -> impl Fn(f64) -> f64 {
        move |v| {
            let t = f64::from(high - low);
            let d = t * f64::from(percent) / 100.0;
            let bell = 1.0 - f64::from(share) / 100.0;
            let x = v - f64::from(low) + 1.0;
            let on_bell = if t == 0.0 { 1.0 } else { irwin_hall(iterations, x / t * f64::from(iterations)) };
            let in_band = ((x - (t / 2.0 - d / 2.0)) / (d + 1.0)).clamp(bell, 1.0) - bell;
            bell * on_bell + in_band
        }
    }

    #[test]
    fn draws_follow_band_and_bell() {
        for (low, high, iterations, percent, share) in [
            (1, 2, 12, 1, 75),
            (1, 3, 12, 1, 75),
            (1, 10, 12, 1, 75),
            (1, 250, 12, 1, 75),
            (1, 10_000, 12, 1, 75),
            (100, 1099, 5, 20, 50),
            (1, 1000, 12, 1, 0),
            (0, u32::MAX, 12, 1, 75),
        ] {
            let shape = DistributionKind::Special { iterations, percent, share };
            assert_formula(shape, low, high, below(low, high, iterations, percent, share));
        }
    }

    #[test]
    fn the_formula_is_that_of_sysbench() {
        // Shares that sysbench 1.0.20 itself drew (`sysbench.rand.special`, 400 000 draws of 1…1000; of 1…3, 100 000).
        let f = below(1, 1000, 12, 1, 75);
        for (value, drawn) in [(498.0, 27_828.0), (499.0, 36_727.0), (505.0, 36_957.0), (506.0, 18_521.0)] {
            let expected: f64 = (f(value) - f(value - 1.0)) * 400_000.0;
            assert!((expected - drawn).abs() < 5.0 * expected.sqrt(), "{value}: {expected} against {drawn}");
        }
        let f = below(1, 3, 12, 1, 75);
        for (value, drawn) in [(1.0, 12_485.0), (2.0, 86_560.0), (3.0, 955.0)] {
            let expected: f64 = (f(value) - f(value - 1.0)) * 100_000.0;
            assert!((expected - drawn).abs() < 5.0 * expected.sqrt(), "{value}: {expected} against {drawn}");
        }
    }
}
