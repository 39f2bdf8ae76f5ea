//! The C library's `random()` in a process that never calls `srandom()`: the additive feedback generator that glibc's
//! manual and source describe (31 words, `r[i] = r[i-3] + r[i-31]`, seed 1). mysqlslap generates its texts before it
//! seeds, so they are the same in every process on one platform; this generator makes them the same here.

/// The generator.
#[derive(Debug, Clone)]
pub struct Glibc {
    words: [u32; 31],
    at: usize,
}

impl Default for Glibc {
    fn default() -> Self {
        let mut words = [1u32; 31];
        for i in 1..31 {
            words[i] = (16_807 * u64::from(words[i - 1]) % 2_147_483_647) as u32;
        }
        // The first three words are repeated, and ten rounds are discarded, before the first value.
        let mut random = Glibc { words, at: 3 };
        for _ in 0..310 {
            random.next();
        }
        random
    }
}

impl Glibc {
    /// The next value, 0 to 2³¹ − 1.
    pub fn next(&mut self) -> u32 {
        let before = |n: usize| (self.at + 31 - n) % 31;
        let word = self.words[self.at].wrapping_add(self.words[before(3)]);
        self.words[self.at] = word;
        self.at = (self.at + 1) % 31;
        word >> 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_values_are_those_of_every_c_program() {
        // From a C program that calls random() five times (glibc 2.36).
        let mut random = Glibc::default();
        let first: Vec<u32> = (0..5).map(|_| random.next()).collect();
        assert_eq!(first, [1_804_289_383, 846_930_886, 1_681_692_777, 1_714_636_915, 1_957_747_793]);
    }
}
