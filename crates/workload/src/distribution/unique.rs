//! Values that look random and never repeat: a permutation of all 32-bit numbers.
//!
//! The permutation is Preshing's: quadratic residues of a prime p ≡ 3 (mod 4) just below 2³², the few numbers from p on
//! mapped to themselves, twice with an offset between. Clients use every n-th element of one sequence, so that they
//! never collide and share nothing.

use crate::Random;

const PRIME: u64 = 4_294_967_291;

/// One client's share of the sequence.
#[derive(Debug, Clone)]
pub struct Unique {
    place: u32,
    step: u32,
    offset: u32,
}

impl Unique {
    /// The share of client `number` (from 0) of `of` in the sequence of the trial with this `seed`.
    pub fn new(number: u32, of: u32, seed: u64) -> Unique {
        let mut random = Random::new(seed, u64::MAX);
        let start = random.word() as u32;
        Unique { place: start.wrapping_add(number), step: of.max(1), offset: random.word() as u32 }
    }

    /// The next value. Repeats after 2³² draws of all clients together.
    #[inline]
    pub fn draw(&mut self) -> u32 {
        let value = permute(permute(self.place).wrapping_add(self.offset) ^ 0x5BF0_3635);
        self.place = self.place.wrapping_add(self.step);
        value
    }
}

/// A one-to-one mapping of the 32-bit numbers onto themselves.
#[inline]
fn permute(x: u32) -> u32 {
    let x = u64::from(x);
    if x >= PRIME {
        return x as u32;
    }
    let residue = x * x % PRIME;
    (if x <= PRIME / 2 { residue } else { PRIME - residue }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distribution::test::{assert_fits, chi_square};

    #[test]
    fn a_million_values_of_three_clients_never_repeat_and_are_even() {
        let mut clients: Vec<Unique> = (0..3).map(|n| Unique::new(n, 3, 99)).collect();
        let mut seen = std::collections::HashSet::new();
        let mut counts = vec![0u64; 256];
        for context in 0..1_000_000 {
            let value = clients[context % 3].draw();
            assert!(seen.insert(value), "{value} came twice");
            counts[(value >> 24) as usize] += 1;
        }
        assert_fits(chi_square(&counts, &[1_000_000.0 / 256.0; 256]), 255);
    }

    #[test]
    fn the_mapping_is_one_to_one_where_it_could_fail() {
        let near = |x: u64| (x.saturating_sub(50_000)..(x + 50_000).min(1 << 32)).map(|v| permute(v as u32));
        let all: Vec<u32> = near(0).chain(near(PRIME / 2)).chain(near(PRIME)).collect();
        let distinct: std::collections::HashSet<u32> = all.iter().copied().collect();
        assert_eq!(all.len(), distinct.len());
    }
}
