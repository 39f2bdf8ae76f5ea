//! Random strings of the population (clause 4.3.2.2), written directly into byte buffers.

use tenbin_workload::Random;

const LETTERS: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// What 10 % of items and stock rows contain in their data.
pub(super) const ORIGINAL: &[u8; 8] = b"ORIGINAL";

/// A number from `from` to `to`, both included.
#[inline]
pub(super) fn between(random: &mut Random, from: u64, to: u64) -> u64 {
    from + random.below(to - from + 1)
}

/// An a-string: `from` to `to` letters and digits, all lengths equally likely.
#[inline]
pub(super) fn alphanumeric(random: &mut Random, from: usize, to: usize, out: &mut Vec<u8>) {
    let len = between(random, from as u64, to as u64) as usize;
    exactly(random, len, LETTERS, out);
}

/// An n-string of `len` digits.
#[inline]
pub(super) fn digits(random: &mut Random, len: usize, out: &mut Vec<u8>) {
    exactly(random, len, b"0123456789", out);
}

/// Two capital letters: a state.
#[inline]
pub(super) fn state(random: &mut Random, out: &mut Vec<u8>) {
    exactly(random, 2, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", out);
}

/// i_data and s_data (clause 4.3.3.1): 26 to 50 characters; one row in ten contains "ORIGINAL" at a random position.
pub(super) fn data(random: &mut Random, out: &mut Vec<u8>) {
    let start = out.len();
    alphanumeric(random, 26, 50, out);
    if random.below(10) == 0 {
        let at = start + random.below((out.len() - start - ORIGINAL.len()) as u64 + 1) as usize;
        out[at..at + ORIGINAL.len()].copy_from_slice(ORIGINAL);
    }
}

/// `len` characters of `set`: four from each random word, with a bias below 0.1 %.
#[inline]
fn exactly<const N: usize>(random: &mut Random, len: usize, set: &[u8; N], out: &mut Vec<u8>) {
    let start = out.len();
    out.resize(start + len, 0);
    for four in out[start..].chunks_mut(4) {
        let mut word = random.word();
        for byte in four {
            *byte = set[((word & 0xFFFF) as usize * N) >> 16];
            word >>= 16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    /// Fails if counts that should be equal differ by more than chance explains once in 10⁵ draws (Pearson's
    /// chi-square).
    fn assert_even(counts: &[u64]) {
        let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        let chi_square: f64 = counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
        let chance = ChiSquared::new(counts.len() as f64 - 1.0).unwrap().sf(chi_square);
        assert!(chance > 1e-5, "{counts:?} are equal with a probability of {chance:.1e}");
    }

    #[test]
    fn lengths_and_characters_are_even() {
        let (mut random, mut lengths, mut letters) = (Random::new(1, 1), vec![0u64; 6], vec![0u64; 62]);
        let mut out = Vec::new();
        for _ in 0..20_000 {
            out.clear();
            alphanumeric(&mut random, 5, 10, &mut out);
            lengths[out.len() - 5] += 1;
            for byte in &out {
                letters[LETTERS.iter().position(|l| l == byte).unwrap()] += 1;
            }
        }
        assert_even(&lengths);
        assert_even(&letters);
    }

    #[test]
    fn one_in_ten_is_original_anywhere() {
        let (mut random, mut out) = (Random::new(2, 2), Vec::new());
        let (mut original, mut first, mut last) = (0, 0, 0);
        for _ in 0..50_000 {
            out.clear();
            data(&mut random, &mut out);
            assert!((26..=50).contains(&out.len()));
            if let Some(at) = out.windows(8).position(|w| w == ORIGINAL) {
                original += 1;
                first += u32::from(at == 0);
                last += u32::from(at == out.len() - 8);
            }
        }
        assert!((4_700..5_300).contains(&original), "{original} of 50,000");
        assert!(first > 50 && last > 50, "at both ends too: {first}, {last}");
    }
}
