//! A bell curve around the middle: the mean of several uniform values (a Bates distribution).

use crate::Random;

/// `low + floor(n · mean of the iterations)` for a range of n values.
#[derive(Debug, Clone)]
pub struct Gaussian {
    low: u32,
    scale: f64,
    iterations: u32,
}

impl Gaussian {
    pub(super) fn new(low: u32, high: u32, iterations: u32) -> Gaussian {
        let values = f64::from(high - low) + 1.0;
        Gaussian { low, scale: values / f64::from(iterations), iterations }
    }

    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        self.low.wrapping_add((sum(random, self.iterations) * self.scale) as u32)
    }
}

/// The sum of this many uniform values.
#[inline]
pub(super) fn sum(random: &mut Random, iterations: u32) -> f64 {
    (0..iterations).map(|_| random.unit()).sum()
}

#[cfg(test)]
mod tests {
    use crate::distribution::DistributionKind;
    use crate::distribution::test::{assert_formula, irwin_hall};

    #[test]
    fn draws_follow_the_mean_of_uniform_values() {
        for (low, high, iterations) in
            [(1, 2, 12), (1, 10, 12), (1, 10_000, 12), (1, 10_000, 1), (0, 99, 3), (0, u32::MAX, 12)]
        {
            let n = f64::from(high - low) + 1.0;
            assert_formula(DistributionKind::Gaussian { iterations }, low, high, |v| {
                irwin_hall(iterations, (v - f64::from(low) + 1.0) / n * f64::from(iterations))
            });
        }
    }
}
