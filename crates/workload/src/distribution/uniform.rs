//! Every value equally likely.

use crate::Random;

/// `low + floor(u · n)` for a range of n values.
#[derive(Debug, Clone)]
pub struct Uniform {
    low: u32,
    values: u64,
}

impl Uniform {
    pub(super) fn new(low: u32, high: u32) -> Uniform {
        Uniform { low, values: u64::from(high - low) + 1 }
    }

    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        self.low.wrapping_add(random.below(self.values) as u32)
    }
}

#[cfg(test)]
mod tests {
    use crate::distribution::{DistributionKind, test::assert_formula};

    #[test]
    fn every_value_is_equally_likely() {
        for (low, high) in [(1, 2), (1, 10), (0, 99), (1, 10_000), (5, 2_000_000_000), (0, u32::MAX)] {
            let n = f64::from(high - low) + 1.0;
            assert_formula(DistributionKind::Uniform, low, high, |v| (v - f64::from(low) + 1.0) / n);
        }
    }

    #[test]
    fn both_ends_are_reached() {
        let sampler = DistributionKind::Uniform.over(3, 1002);
        let mut random = crate::Random::new(1, 1);
        let drawn: std::collections::HashSet<u32> = (0..20_000).map(|_| sampler.draw(&mut random)).collect();
        assert_eq!(drawn.len(), 1000);
    }
}
