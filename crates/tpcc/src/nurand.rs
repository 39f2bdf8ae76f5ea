//! The specification's uneven random numbers (clause 2.1.6) and last names (clause 4.3.2.3).
//!
//! NURand's constant C is drawn once per field. The one for last names that the tables were loaded with (C-Load) is
//! kept with the data, because that of a run (C-Run) must have an allowed distance from it (clause 2.1.6.1): the hot
//! names of the run must not be the most frequent ones of the population.

use tenbin_workload::Random;

/// Largest distance between C-Load and C-Run for last names, and smallest.
pub(super) const C_DELTA: std::ops::RangeInclusive<u64> = 65..=119;

/// Distances within [`C_DELTA`] that are not allowed.
pub(super) const C_DELTA_NOT: [u64; 2] = [96, 112];

/// A of NURand for last names, customers and items.
pub(super) const A_LAST: u64 = 255;
const A_CUSTOMER: u64 = 1023;
const A_ITEM: u64 = 8191;

/// The streams of the generator that constants are drawn from, far from those of rows and clients.
const LOAD_STREAM: u64 = 0xC10A_D000_0000_0001;
const RUN_STREAM: u64 = 0xC10A_D000_0000_0002;

/// The constants of one run, used by all its terminals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Constants {
    pub(super) last: u64,
    pub(super) customer: u64,
    pub(super) item: u64,
}

/// C-Load for last names of the population with this seed.
pub(super) fn c_load(seed: u64) -> u64 {
    Random::new(seed, LOAD_STREAM).below(A_LAST + 1)
}

impl Constants {
    /// Draws a run's constants; the one for last names at an allowed distance from `c_load` if that is known.
    pub(super) fn of_run(seed: u64, c_load: Option<u64>) -> Constants {
        let mut random = Random::new(seed, RUN_STREAM);
        let last = loop {
            let drawn = random.below(A_LAST + 1);
            if c_load.is_none_or(|loaded| allowed(loaded, drawn)) {
                break drawn;
            }
        };
        Constants { last, customer: random.below(A_CUSTOMER + 1), item: random.below(A_ITEM + 1) }
    }

    /// A last name's number, 0 to 999.
    pub(super) fn last_name(&self, random: &mut Random) -> u64 {
        nurand(random, A_LAST, self.last, 0, 999)
    }

    /// A customer's number, 1 to 3,000.
    pub(super) fn customer(&self, random: &mut Random) -> u64 {
        nurand(random, A_CUSTOMER, self.customer, 1, 3000)
    }

    /// An item's number, 1 to 100,000.
    pub(super) fn item(&self, random: &mut Random) -> u64 {
        nurand(random, A_ITEM, self.item, 1, 100_000)
    }
}

/// Whether a run may use `run` on tables loaded with `load`.
pub(super) fn allowed(load: u64, run: u64) -> bool {
    let distance = load.abs_diff(run);
    C_DELTA.contains(&distance) && !C_DELTA_NOT.contains(&distance)
}

/// NURand(A, x, y) with constant `c`.
pub(super) fn nurand(random: &mut Random, a: u64, c: u64, x: u64, y: u64) -> u64 {
    let low = random.below(a + 1);
    let span = y - x + 1;
    (((low | (x + random.below(span))) + c) % span) + x
}

const SYLLABLES: [&str; 10] = ["BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING"];

/// Appends the last name of this number (0 to 999): one syllable for each of its three digits.
pub(super) fn last_name(number: u64, out: &mut Vec<u8>) {
    for digit in [number / 100 % 10, number / 10 % 10, number % 10] {
        out.extend_from_slice(SYLLABLES[digit as usize].as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The share of draws that go to the hottest tenth of `span` values.
    fn hottest_tenth(span: usize, mut draw: impl FnMut() -> usize) -> f64 {
        let mut counts = vec![0u32; span];
        let draws = 1_000_000;
        (0..draws).for_each(|_| counts[draw()] += 1);
        counts.sort_unstable_by(|a, b| b.cmp(a));
        f64::from(counts[..span / 10].iter().sum::<u32>()) / f64::from(draws)
    }

    #[test]
    fn names_are_the_specifications() {
        let name = |n| {
            let mut out = Vec::new();
            last_name(n, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!([name(0), name(371), name(999)], ["BARBARBAR", "PRICALLYOUGHT", "EINGEINGEING"]);
        assert_eq!((0..1000).map(|n| name(n).len()).max(), Some(15));
        let all: std::collections::BTreeSet<String> = (0..1000).map(name).collect();
        assert_eq!(all.len(), 1000);
    }

    #[test]
    fn the_skew_is_there() {
        // Shares of a simulation of NURand as the clause writes it: customers .62, items .74, last names .55.
        let mut random = Random::new(1, 1);
        let c = Constants::of_run(1, Some(c_load(1)));
        let shares = [
            hottest_tenth(1000, || c.last_name(&mut random) as usize),
            hottest_tenth(3000, || c.customer(&mut random) as usize - 1),
            hottest_tenth(100_000, || c.item(&mut random) as usize - 1),
        ];
        for (share, wanted) in shares.iter().zip([0.55, 0.62, 0.74]) {
            assert!((share - wanted).abs() < 0.03, "{shares:?}");
        }
    }

    #[test]
    fn a_run_keeps_its_distance_from_the_load() {
        for seed in 0..2000 {
            let load = c_load(seed);
            assert!(load <= A_LAST);
            let run = Constants::of_run(seed ^ 77, Some(load));
            let distance = load.abs_diff(run.last);
            assert!((65..=119).contains(&distance) && distance != 96 && distance != 112, "{load} {run:?}");
        }
        assert_eq!(Constants::of_run(5, Some(7)), Constants::of_run(5, Some(7)));
    }
}
