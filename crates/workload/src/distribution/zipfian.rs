//! Low values are hot: the value of rank r = 1, 2, … has weight r^−s. Hot values lie side by side, as in sysbench 1.1.
//!
//! Drawn by rejection-inversion (W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates from monotone
//! discrete distributions", ACM TOMACS 6(3), 1996): a constant number of operations for any range, no tables.

use crate::Random;

/// The constants of the method for ranks 1…n.
#[derive(Debug, Clone)]
pub struct Zipfian {
    low: u32,
    ranks: f64,
    exponent: f64,
    /// H(1.5) − 1, the integral's lower end, moved so that rank 1 is exact.
    integral_low: f64,
    /// H(n + 0.5).
    integral_high: f64,
    /// Ranks this close above their inverse are accepted without computing the weight.
    sure: f64,
}

impl Zipfian {
    pub(super) fn new(low: u32, high: u32, exponent: f64) -> Zipfian {
        let ranks = f64::from(high - low) + 1.0;
        Zipfian {
            low,
            ranks,
            exponent,
            integral_low: integral(1.5, exponent) - 1.0,
            integral_high: integral(ranks + 0.5, exponent),
            sure: 2.0 - inverse(integral(2.5, exponent) - weight(2.0, exponent), exponent),
        }
    }

    #[inline]
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        loop {
            let u = self.integral_high + random.unit() * (self.integral_low - self.integral_high);
            let x = inverse(u, self.exponent);
            let rank = (x + 0.5).floor().clamp(1.0, self.ranks);
            if rank - x <= self.sure || u >= integral(rank + 0.5, self.exponent) - weight(rank, self.exponent) {
                return self.low.wrapping_add((rank - 1.0) as u32);
            }
        }
    }
}

/// h(x) = x^−s.
#[inline]
fn weight(x: f64, s: f64) -> f64 {
    (-s * x.ln()).exp()
}

/// H(x) = ∫₁ˣ h = (x^(1−s) − 1)/(1 − s), which is ln x at s = 1.
#[inline]
fn integral(x: f64, s: f64) -> f64 {
    let ln = x.ln();
    exp_m1_over((1.0 - s) * ln) * ln
}

/// H⁻¹.
#[inline]
fn inverse(y: f64, s: f64) -> f64 {
    // Below −1 only through rounding.
    let t = (y * (1.0 - s)).max(-1.0);
    (ln_1p_over(t) * y).exp()
}

/// (eˣ − 1)/x, also at 0.
#[inline]
fn exp_m1_over(x: f64) -> f64 {
    if x.abs() > 1e-8 { x.exp_m1() / x } else { 1.0 + x / 2.0 }
}

/// ln(1 + x)/x, also at 0.
#[inline]
fn ln_1p_over(x: f64) -> f64 {
    if x.abs() > 1e-8 { x.ln_1p() / x } else { 1.0 - x / 2.0 }
}

#[cfg(test)]
mod tests {
    use crate::distribution::DistributionKind;
    use crate::distribution::test::assert_formula;

    #[test]
    fn draws_follow_the_weights() {
        for (low, high, exponent) in [
            (1, 2, 0.8),
            (1, 10, 0.8),
            (1, 10_000, 0.8),
            (1, 10_000, 0.0),
            (1, 10_000, 1.0),
            (1, 1000, 1.5),
            (7, 5000, 3.0),
            (0, 1_000_000, 0.99),
        ] {
            let ranks = high - low + 1;
            let mut sums = vec![0.0; ranks as usize + 1];
            for rank in 1..=ranks as usize {
                sums[rank] = sums[rank - 1] + (rank as f64).powf(-exponent);
            }
            let total = sums[ranks as usize];
            assert_formula(DistributionKind::Zipfian { exponent }, low, high, |v| {
                sums[(v - f64::from(low)) as usize + 1] / total
            });
        }
    }

    #[test]
    fn the_full_range_follows_the_integral() {
        // 2³² ranks cannot be summed here; the first 10⁶ are, the rest by Euler and Maclaurin's formula.
        let s = 0.8f64;
        let mut sums = vec![0.0];
        for rank in 1..=1_000_000u32 {
            sums.push(sums[rank as usize - 1] + f64::from(rank).powf(-s));
        }
        let (m, from) = (1e6f64, sums[1_000_000]);
        let sum = |r: f64| {
            if r <= m {
                sums[r as usize]
            } else {
                from + (r.powf(1.0 - s) - m.powf(1.0 - s)) / (1.0 - s) + (r.powf(-s) - m.powf(-s)) / 2.0
            }
        };
        let total = sum(f64::from(u32::MAX) + 1.0);
        assert_formula(DistributionKind::Zipfian { exponent: s }, 0, u32::MAX, |v| sum(v + 1.0) / total);
    }
}
