//! Random choices of a case, all from its seed.

use std::time::Duration;

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug, Clone)]
pub struct Draw(u64);

impl Draw {
    /// Of a seed, and of what is chosen with it.
    pub fn new(seed: u64, stream: u64) -> Draw {
        let mut draw = Draw(seed ^ stream.wrapping_mul(0xd134_2543_de82_ef95));
        draw.word();
        draw
    }

    pub fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `from <= n < to`.
    pub fn between(&mut self, from: u64, to: u64) -> u64 {
        from + self.word() % (to - from)
    }

    pub fn ms(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(self.between(from, to))
    }

    pub fn chance(&mut self, permille: u64) -> bool {
        self.between(0, 1000) < permille
    }
}
