//! The distributions of keys, with sysbench's names and formulas.
//!
//! [`DistributionKind::over`] binds a [`DistributionKind`] to a range and computes its constants once, returning a
//! [`Sampler`] that draws without allocating. Both ends of a range are included. A new distribution is a new file,
//! a line in each `match` below and one in [`NAMES`].

mod gaussian;
mod pareto;
mod special;
mod uniform;
mod unique;
mod zipfian;

use crate::Random;
pub use unique::Unique;

/// The names of all distributions: the values of `rand_type`.
pub const NAMES: &[&str] = &["uniform", "gaussian", "special", "pareto", "zipfian"];

/// A distribution and its parameters, not yet bound to a range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DistributionKind {
    /// Every value equally likely.
    Uniform,
    /// The mean of `iterations` uniform values: a bell around the middle.
    Gaussian {
        /// How many uniform values are averaged; at least 1.
        iterations: u32,
    },
    /// Most draws fall into a narrow band in the middle, the rest on a bell.
    Special {
        /// As for the bell of [`DistributionKind::Gaussian`].
        iterations: u32,
        /// Width of the band, per cent of the range.
        percent: u32,
        /// Share of draws that go to the band, per cent; at most 100.
        share: u32,
    },
    /// Low values are hot: a share `h` of the values takes a share `1 − h` of the draws.
    Pareto {
        /// In (0, 1).
        h: f64,
    },
    /// Low values are hot: the value of rank r has weight r^−exponent.
    Zipfian {
        /// At least 0; 0 is uniform.
        exponent: f64,
    },
}

impl DistributionKind {
    /// Binds the shape to the values `low..=high`.
    pub fn over(self, low: u32, high: u32) -> Sampler {
        debug_assert!(low <= high, "a range needs at least one value");
        match self {
            DistributionKind::Uniform => Sampler::Uniform(uniform::Uniform::new(low, high)),
            DistributionKind::Gaussian { iterations } => {
                Sampler::Gaussian(gaussian::Gaussian::new(low, high, iterations))
            }
            DistributionKind::Special { iterations, percent, share } => {
                Sampler::Special(special::Special::new(low, high, iterations, percent, share))
            }
            DistributionKind::Pareto { h } => Sampler::Pareto(pareto::Pareto::new(low, high, h)),
            DistributionKind::Zipfian { exponent } => Sampler::Zipfian(zipfian::Zipfian::new(low, high, exponent)),
        }
    }
}

/// A distribution over one range, ready to draw from.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "each variant is its shape's")]
pub enum Sampler {
    Uniform(uniform::Uniform),
    Gaussian(gaussian::Gaussian),
    Special(special::Special),
    Pareto(pareto::Pareto),
    Zipfian(zipfian::Zipfian),
}

impl Sampler {
    /// One value of the range.
    #[inline]
    pub fn draw(&self, random: &mut Random) -> u32 {
        match self {
            Sampler::Uniform(d) => d.draw(random),
            Sampler::Gaussian(d) => d.draw(random),
            Sampler::Special(d) => d.draw(random),
            Sampler::Pareto(d) => d.draw(random),
            Sampler::Zipfian(d) => d.draw(random),
        }
    }
}

/// How the tests compare a sampler with its formula. All seeds are fixed, so a test that passes once always passes.
#[cfg(test)]
pub mod test {
    use super::*;

    /// Pearson's statistic of observed against expected counts.
    pub fn chi_square(observed: &[u64], expected: &[f64]) -> f64 {
        assert_eq!(observed.len(), expected.len());
        observed.iter().zip(expected).map(|(&o, &e)| (o as f64 - e).powi(2) / e).sum()
    }

    /// Fails when a chi-square of this many degrees of freedom would be as large as this less than once in 10⁵ times
    /// (Wilson and Hilferty's approximation; 4.26 is that quantile of the normal distribution).
    pub fn assert_fits(chi_square: f64, freedom: usize) {
        let f = freedom as f64;
        let spread = 2.0 / (9.0 * f);
        let limit = f * (1.0 - spread + 4.26 * spread.sqrt()).powi(3);
        assert!(chi_square < limit, "chi-square {chi_square:.1} with {freedom} degrees of freedom (limit {limit:.1})");
    }

    /// Draws from `shape` over `low..=high` and compares the counts with `below`: the formula's probability that a
    /// draw is at most its argument. Neighbouring values share a bin until each expects 20 draws.
    pub fn assert_formula(shape: DistributionKind, low: u32, high: u32, below: impl Fn(f64) -> f64) {
        const DRAWS: u64 = 400_000;
        let sampler = shape.over(low, high);
        let mut random = Random::new(2024, u64::from(low) ^ u64::from(high) << 8);
        let mut drawn: Vec<u32> = (0..DRAWS).map(|_| sampler.draw(&mut random)).collect();
        drawn.sort_unstable();
        assert!(low <= drawn[0] && drawn[drawn.len() - 1] <= high);
        assert!((below(f64::from(high)) - 1.0).abs() < 1e-9, "the formula does not end at 1");

        let values = u64::from(high - low) + 1;
        let step = (values / 2000).max(1);
        let (mut observed, mut expected) = (Vec::new(), Vec::new());
        let (mut from, mut last, mut taken) = (low, 0.0, 0);
        while u64::from(from) <= u64::from(high) {
            let to = (u64::from(from) + step - 1).min(u64::from(high)) as u32;
            let reached = below(f64::from(to));
            let expect = (reached - last) * DRAWS as f64;
            if expect >= 20.0 || to == high {
                let count = drawn[taken..].partition_point(|&v| v <= to) as u64;
                taken += count as usize;
                if expect < 20.0 && !observed.is_empty() {
                    *observed.last_mut().unwrap() += count;
                    *expected.last_mut().unwrap() += expect;
                } else {
                    observed.push(count);
                    expected.push(expect);
                }
                last = reached;
            }
            if to == high {
                break;
            }
            from = to + 1;
        }
        if observed.len() > 1 {
            assert_fits(chi_square(&observed, &expected), observed.len() - 1);
        }
        // Kolmogorov–Smirnov over the single values, where bins are coarse: 2.5/√n is passed once in 10⁵ times.
        let distance = drawn
            .chunk_by(|a, b| a == b)
            .scan(0, |count, run| {
                *count += run.len();
                Some((*count as f64 / DRAWS as f64 - below(f64::from(run[0]))).abs())
            })
            .fold(0.0, f64::max);
        assert!(distance < 2.5 / (DRAWS as f64).sqrt(), "distance {distance:.5} from the formula");
    }

    /// The probability that the sum of `n` uniform values is at most `x` (Irwin and Hall). Exact enough to n = 15.
    pub fn irwin_hall(n: u32, x: f64) -> f64 {
        if x <= 0.0 {
            return 0.0;
        }
        // The upper half by symmetry: the alternating sum loses digits there.
        if x > f64::from(n) / 2.0 {
            return 1.0 - irwin_hall(n, f64::from(n) - x);
        }
        let (mut sum, mut choose) = (0.0, 1.0);
        for k in 0..=x as u32 {
            sum += choose * (x - f64::from(k)).powi(n as i32);
            choose *= -(f64::from(n - k)) / f64::from(k + 1);
        }
        sum / (1..=n).map(f64::from).product::<f64>()
    }

    #[test]
    fn a_range_of_one_value_gives_that_value() {
        for shape in [
            DistributionKind::Uniform,
            DistributionKind::Gaussian { iterations: 12 },
            DistributionKind::Special { iterations: 12, percent: 1, share: 75 },
            DistributionKind::Pareto { h: 0.2 },
            DistributionKind::Zipfian { exponent: 0.8 },
        ] {
            for only in [0, 1, 77, u32::MAX] {
                let sampler = shape.over(only, only);
                let mut random = Random::new(1, 2);
                (0..1000).for_each(|_| assert_eq!(sampler.draw(&mut random), only, "{shape:?}"));
            }
        }
    }
}
