//! pgbench's random numbers, to the bit (as of version 15): the generator, how seeds of clients and threads follow from one, how a script is chosen.
//!
//! The generator is xoroshiro128** (Blackman and Vigna, <https://prng.di.unimi.it/>), its state drawn by SplitMix64. Unlike [`tenbin_workload::Random`]
//! it exists to give the same values as another tool.

use std::f64::consts::PI;

/// One stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator {
    s0: u64,
    s1: u64,
}

impl Generator {
    /// The stream of this seed.
    pub fn new(seed: u64) -> Generator {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            mixed ^ (mixed >> 31)
        };
        let (s0, s1) = (next(), next());
        Generator { s0, s1 }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        let Generator { s0, s1 } = *self;
        let mixed = s1 ^ s0;
        self.s0 = s0.rotate_left(24) ^ mixed ^ (mixed << 16);
        self.s1 = mixed.rotate_left(37);
        s0.wrapping_mul(5).rotate_left(7).wrapping_mul(9)
    }

    /// A number in `0..=width`: as many upper bits as `width` has, again while they are above it.
    #[inline]
    pub fn within(&mut self, width: u64) -> u64 {
        if width == 0 {
            return 0;
        }
        let shift = width.leading_zeros();
        loop {
            let value = self.word() >> shift;
            if value <= width {
                return value;
            }
        }
    }

    /// A whole number in `low..=high`; `low` without a draw if there is no other.
    #[inline]
    pub fn whole(&mut self, low: i64, high: i64) -> i64 {
        let width = if high > low { high.wrapping_sub(low) as u64 } else { 0 };
        low.wrapping_add(self.within(width) as i64)
    }

    /// A real number in `[0, 1)`, one of 2⁵² evenly spaced values.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 12) as f64 * (1.0 / (1u64 << 52) as f64)
    }

    /// A real number in `(0, 1]`.
    #[inline]
    fn positive(&mut self) -> f64 {
        1.0 - self.unit()
    }

    /// A whole number in `low..=high`, exponentially distributed and cut off so that the density at the upper end is e^−`parameter` of that at the lower.
    pub fn exponential(&mut self, low: i64, high: i64, parameter: f64) -> i64 {
        let cut = (-parameter).exp();
        let uniform = self.positive();
        let share = -(cut + (1.0 - cut) * uniform).ln() / parameter;
        at(low, high, share)
    }

    /// A whole number in `low..=high`, normally distributed around their middle, which the ends are `parameter` standard deviations away from.
    pub fn gaussian(&mut self, low: i64, high: i64, parameter: f64) -> i64 {
        loop {
            let (first, second) = (self.positive(), self.positive());
            let deviation = (-2.0 * first.ln()).sqrt() * (2.0 * PI * second).sin();
            if deviation >= -parameter && deviation < parameter {
                return at(low, high, (deviation + parameter) / (parameter * 2.0));
            }
        }
    }

    /// A whole number in `low..=high`, Zipf distributed from the lower end, by rejection (Devroye, "Non-Uniform Random Variate Generation", page 550).
    pub fn zipfian(&mut self, low: i64, high: i64, exponent: f64) -> i64 {
        let n = high.wrapping_sub(low).wrapping_add(1) as f64;
        low.wrapping_add(self.zipf(n, exponent) - 1)
    }

    fn zipf(&mut self, n: f64, exponent: f64) -> i64 {
        if n <= 1.0 {
            return 1;
        }
        let b = 2f64.powf(exponent - 1.0);
        loop {
            let (u, v) = (self.unit(), self.unit());
            let x = u.powf(-1.0 / (exponent - 1.0)).floor();
            let t = (1.0 + 1.0 / x).powf(exponent - 1.0);
            if v * x * (t - 1.0) / (b - 1.0) <= t / b && x <= n {
                return x as i64;
            }
        }
    }

    /// The microseconds until the next start of a load with a rate, of which there is one each `mean_us` on average.
    pub fn gap_us(&mut self, mean_us: f64) -> i64 {
        (-self.positive().ln() * mean_us + 0.5) as i64
    }
}

/// The whole number at a share, below 1, of a range.
#[inline]
fn at(low: i64, high: i64, share: f64) -> i64 {
    let width = high.wrapping_sub(low).wrapping_add(1) as f64;
    low.wrapping_add((width * share) as i64)
}

/// The seeds that follow from one, in pgbench's order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seeds {
    /// Of each client: its functions.
    pub clients: Vec<u64>,
    /// The value of `:default_seed`.
    pub default_seed: i64,
    /// Of each thread.
    pub threads: Vec<ThreadSeeds>,
}

/// The seeds of one thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ThreadSeeds {
    /// The choice of scripts.
    pub choice: u64,
    /// The starts of transactions of a load with a rate.
    pub throttle: u64,
    /// Which transactions a log has.
    pub sample: u64,
}

impl Seeds {
    /// Those of a run with this seed. If the user has set `:default_seed`, none is drawn for it.
    pub fn draw(seed: u64, clients: u32, threads: u32, default_seed: Option<i64>) -> Seeds {
        let mut base = Generator::new(seed);
        let clients = (0..clients).map(|_| base.word()).collect();
        let default_seed = default_seed.unwrap_or_else(|| base.word() as i64);
        let mut thread = |_| ThreadSeeds { choice: base.word(), throttle: base.word(), sample: base.word() };
        Seeds { clients, default_seed, threads: (0..threads).map(&mut thread).collect() }
    }
}

/// Which of several scripts, each with a weight, is next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    weights: Vec<i64>,
    total: i64,
}

impl Choice {
    /// Among as many scripts as there are weights; at least one must be above 0, and their sum below 2⁶³.
    pub fn new(weights: &[i64]) -> Choice {
        Choice { weights: weights.to_vec(), total: weights.iter().sum() }
    }

    /// The index of the next one. Nothing is drawn where there is one script.
    #[inline]
    pub fn next(&self, random: &mut Generator) -> usize {
        if self.weights.len() < 2 {
            return 0;
        }
        let mut rest = random.whole(0, self.total - 1);
        for (index, weight) in self.weights.iter().enumerate() {
            rest -= weight;
            if rest < 0 {
                return index;
            }
        }
        self.weights.len() - 1
    }
}
