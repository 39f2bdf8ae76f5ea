//! Low values are hot: a share h of the values takes a share 1 − h of the draws (h = 0.2: "80/20").

use crate::Random;

/// `low + floor(n · u^p)` with `p = ln h / ln(1 − h)`.
#[derive(Debug, Clone)]
pub struct Pareto {
    low: u32,
    values: f64,
    power: f64,
}

impl Pareto {
    pub(super) fn new(low: u32, high: u32, h: f64) -> Pareto {
        Pareto { low, values: f64::from(high - low) + 1.0, power: h.ln() / (1.0 - h).ln() }
    }

    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        self.low.wrapping_add((self.values * random.unit().powf(self.power)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use crate::distribution::DistributionKind;
    use crate::distribution::test::assert_formula;

    #[test]
    fn draws_follow_the_power() {
        for (low, high, h) in
            [(1, 2, 0.2), (1, 10, 0.2), (1, 10_000, 0.2), (1, 10_000, 0.5), (0, 99, 0.05), (0, u32::MAX, 0.2)]
        {
            let n = f64::from(high - low) + 1.0;
            let p = f64::ln(h) / f64::ln(1.0 - h);
            assert_formula(DistributionKind::Pareto { h }, low, high, |v| {
                ((v - f64::from(low) + 1.0) / n).powf(1.0 / p)
            });
        }
    }
}
