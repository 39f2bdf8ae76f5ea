//! Random numbers for simulated runs: SplitMix64 (Steele, Lea and Flood 2014), the same everywhere.

pub struct Random(pub u64);

impl Random {
    /// Above 0, below 1.
    pub fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((z ^ (z >> 31)) >> 11) as f64 + 0.5) / (53f64).exp2()
    }
}
