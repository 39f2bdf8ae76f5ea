//! Random numbers for orders and resampling: the same for the same seed, everywhere.

/// SplitMix64 (Steele, Lea and Flood 2014): sufficient for shuffling and resampling. What clients send is drawn by a better
/// generator, in the crate `client`.
#[derive(Debug, Clone)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// The next 64 bits.
    pub fn next_bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `n`; the bias of the multiplication is below 2⁻⁵⁰ for the short lists that it is used for.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_bits()) * n as u128) >> 64) as usize
    }

    /// Above 0, below 1.
    pub fn uniform(&mut self) -> f64 {
        ((self.next_bits() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// Normal with mean 0 and variance 1 (Box and Muller 1958), for simulations.
    pub fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}
