//! The random numbers of a trial: one generator per client, seeded from the trial's seed and the
//! client's number, and strings of random digits written directly into byte buffers.
//!
//! The generator is xoroshiro128++ (Blackman and Vigna, <https://prng.di.unimi.it/>), its state drawn by SplitMix64.
//! sysbench uses its sibling xoroshiro128+; the streams differ, the distributions do not.

/// One stream of random words. Equal seeds give equal streams on every machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random {
    s0: u64,
    s1: u64,
}

impl Random {
    /// The stream numbered `stream` (a client, a row) of the trial with this `seed`.
    #[inline]
    pub fn new(seed: u64, stream: u64) -> Random {
        // Hashing the seed first keeps (seed, stream + 1) away from (seed + 1, stream).
        let mut state = split_mix(seed) ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03);
        let mut next = || {
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            split_mix(state)
        };
        let (s0, s1) = (next(), next());
        // The all-zero state is the generator's only fixed point.
        Random { s0: s0 | u64::from(s0 | s1 == 0), s1 }
    }

    /// The next 64 random bits.
    #[inline]
    pub fn word(&mut self) -> u64 {
        let Random { s0, s1 } = *self;
        let out = s0.wrapping_add(s1).rotate_left(17).wrapping_add(s0);
        let mixed = s1 ^ s0;
        self.s0 = s0.rotate_left(49) ^ mixed ^ (mixed << 21);
        self.s1 = mixed.rotate_left(28);
        out
    }

    /// A real number in `[0, 1)`, one of 2⁵³ evenly spaced values.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// A whole number in `[0, n)`. Its bias is below n / 2⁶⁴.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.word()) * u128::from(n)) >> 64) as u64
    }

    /// A real number in `(0, ∞)` with mean 1: the gap between two random arrivals.
    #[inline]
    pub fn exponential(&mut self) -> f64 {
        -(1.0 - self.unit()).ln()
    }
}

/// SplitMix64's finaliser: every input bit reaches every output bit.
#[inline]
fn split_mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The form of a random string: `#` stands for a digit, `@` for a letter a–z, anything else for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    pieces: Vec<TemplatePart>,
    len: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TemplatePart {
    /// This many digits, at most [`DIGITS_PER_WORD`]: one random word.
    Digits(u8),
    Letter,
    Literal(u8),
}

/// A random word contains nineteen digits; with at most eleven the bias of a group stays below 10⁻⁸.
const DIGITS_PER_WORD: u8 = 11;

impl Template {
    /// Reads a form such as `###-###`.
    pub fn new(form: &str) -> Template {
        let mut pieces: Vec<TemplatePart> = Vec::new();
        for byte in form.bytes() {
            match (byte, pieces.last_mut()) {
                (b'#', Some(TemplatePart::Digits(n))) if *n < DIGITS_PER_WORD => *n += 1,
                (b'#', _) => pieces.push(TemplatePart::Digits(1)),
                (b'@', _) => pieces.push(TemplatePart::Letter),
                (other, _) => pieces.push(TemplatePart::Literal(other)),
            }
        }
        Template { pieces, len: form.len() }
    }

    /// Length of every string of this form, in bytes.
    #[expect(clippy::len_without_is_empty, reason = "an empty form is of no use to anybody")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Writes one such string over the first [`Template::len`] bytes of `out`, which must be large enough.
    #[inline]
    pub fn write(&self, random: &mut Random, out: &mut [u8]) {
        let mut rest = &mut out[..self.len];
        for piece in &self.pieces {
            let len = if let TemplatePart::Digits(n) = piece { usize::from(*n) } else { 1 };
            let (here, after) = rest.split_at_mut(len);
            match piece {
                TemplatePart::Digits(11) => {
                    if let Ok(eleven) = here.try_into() {
                        write_eleven(random.below(100_000_000_000), eleven);
                    }
                }
                TemplatePart::Digits(n) => {
                    let mut value = random.below(10u64.pow(u32::from(*n)));
                    for byte in here.iter_mut().rev() {
                        *byte = b'0' + (value % 10) as u8;
                        value /= 10;
                    }
                }
                TemplatePart::Letter => here[0] = b'a' + random.below(26) as u8,
                TemplatePart::Literal(byte) => here[0] = *byte,
            }
            rest = after;
        }
    }
}

/// Writes a number below 10¹¹ with all its leading zeros.
#[inline]
fn write_eleven(value: u64, out: &mut [u8; 11]) {
    let (high, low) = (value / 100_000_000, value % 100_000_000);
    out[0] = b'0' + (high / 100) as u8;
    out[1] = b'0' + (high / 10 % 10) as u8;
    out[2] = b'0' + (high % 10) as u8;
    out[3..].copy_from_slice(&eight_digits(low));
}

/// Eight digits at once: split in halves within one 64-bit word, three times (lanes of 32, 16 and 8 bits).
#[inline]
fn eight_digits(value: u64) -> [u8; 8] {
    let fours = (value / 10_000) | ((value % 10_000) << 32);
    // 10486 / 2²⁰ is 1/100 for every value up to 9999; 103 / 2¹⁰ is 1/10 up to 99.
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let twos = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    let ones = tens | ((twos - 10 * tens) << 8);
    (ones | 0x3030_3030_3030_3030).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use statrs::distribution::{ChiSquared, ContinuousCDF};

    /// Fails if counts that should be equal differ by more than chance explains in one of 10⁵ draws (Pearson's
    /// chi-square).
    fn assert_even(counts: &[u64]) {
        let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
        let chi_square: f64 = counts.iter().map(|&n| (n as f64 - expected).powi(2) / expected).sum();
        let chance = ChiSquared::new(counts.len() as f64 - 1.0).unwrap().sf(chi_square);
        assert!(chance > 1e-5, "{counts:?} are equal with a probability of {chance:.1e}");
    }

    #[test]
    fn equal_seeds_give_equal_streams_and_different_ones_do_not() {
        let draw = |seed, stream| {
            let mut r = Random::new(seed, stream);
            [r.word(), r.word(), r.word()]
        };
        assert_eq!(draw(7, 3), draw(7, 3));
        let mut seen = std::collections::HashSet::new();
        for seed in 0..40 {
            for stream in 0..40 {
                assert!(seen.insert(draw(seed, stream)), "seed {seed} stream {stream} repeats another's stream");
            }
        }
    }

    #[test]
    fn the_stream_is_written_down() {
        // A change here changes every trial ever stored: it needs a new format number, not a new snapshot.
        let mut r = Random::new(42, 0);
        insta::assert_snapshot!(
            format!("{:016x} {:016x} {:016x}", r.word(), r.word(), r.word()),
            @"803f9e013887bbba 3a25379b3d69e221 cf7df96e999bf2d9"
        );
    }

    #[test]
    fn units_and_bits_are_even() {
        let mut r = Random::new(1, 1);
        let mut counts = vec![0u64; 100];
        let mut ones = [0u32; 64];
        for _ in 0..200_000 {
            let u = r.unit();
            assert!((0.0..1.0).contains(&u));
            counts[(u * 100.0) as usize] += 1;
            let w = r.word();
            (0..64).for_each(|b| ones[b] += (w >> b & 1) as u32);
        }
        assert_even(&counts);
        // Six standard deviations of a fair coin thrown 200 000 times are 1342.
        assert!(ones.iter().all(|&n| n.abs_diff(100_000) < 1342), "{ones:?}");
    }

    #[test]
    fn first_words_of_neighbouring_streams_are_even() {
        // Rows of a table are streams 1, 2, 3, …: their first words must be as random as one stream's.
        let mut counts = vec![0u64; 256];
        (0..256_000u64).for_each(|row| counts[(Random::new(9, row).word() >> 56) as usize] += 1);
        assert_even(&counts);
    }

    #[test]
    fn eight_digits_are_those_of_format() {
        for value in (0..100_000_000u64).step_by(9973).chain([0, 1, 9, 10, 99, 9999, 10_000, 99_999_999]) {
            assert_eq!(std::str::from_utf8(&eight_digits(value)).unwrap(), format!("{value:08}"));
        }
        let mut eleven = [0; 11];
        for value in [0, 1, 99_999_999, 100_000_000, 12_345_678_901, 99_999_999_999] {
            write_eleven(value, &mut eleven);
            assert_eq!(std::str::from_utf8(&eleven).unwrap(), format!("{value:011}"));
        }
    }

    #[test]
    fn templates_keep_their_form_and_every_digit_is_equally_likely() {
        let template = Template::new("x##########################-@@.###########-#");
        let mut counts = [[0u64; 10]; 38];
        let mut letters = [0u64; 26];
        let mut r = Random::new(3, 3);
        let mut out = vec![0; template.len()];
        for _ in 0..20_000 {
            template.write(&mut r, &mut out);
            let (mut digit, form) = (0, "x##########################-@@.###########-#");
            for (f, b) in form.bytes().zip(&out) {
                match f {
                    b'#' => {
                        counts[digit][usize::from(b - b'0')] += 1;
                        digit += 1;
                    }
                    b'@' => letters[usize::from(b - b'a')] += 1,
                    _ => assert_eq!(f, *b),
                }
            }
        }
        counts.iter().for_each(|c| assert_even(c));
        assert_even(&letters);
    }
}
