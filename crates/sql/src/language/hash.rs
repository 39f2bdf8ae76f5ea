//! pgbench's functions that scatter whole numbers: two hashes, and a permutation of a range.

use super::random::Generator;

/// FNV-1a (Fowler, Noll, Vo) of the eight bytes of a number, lowest first, with a seed.
pub fn hash_fnv1a(value: i64, seed: i64) -> i64 {
    let start = 0xCBF2_9CE4_8422_2325 ^ seed as u64;
    let hash =
        value.to_le_bytes().iter().fold(start, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3));
    hash as i64
}

/// MurmurHash2 (Appleby, 64 bits) of the eight bytes of a number, with a seed.
pub fn hash_murmur2(value: i64, seed: i64) -> i64 {
    const MULTIPLIER: u64 = 0xC6A4_A793_5BD1_E995;
    let mut key = (value as u64).wrapping_mul(MULTIPLIER);
    key = (key ^ (key >> 47)).wrapping_mul(MULTIPLIER);
    let mut hash = seed as u64 ^ MULTIPLIER.wrapping_mul(8);
    hash = (hash ^ key).wrapping_mul(MULTIPLIER);
    hash = (hash ^ (hash >> 47)).wrapping_mul(MULTIPLIER);
    (hash ^ (hash >> 47)) as i64
}

/// The place of `value` in a random order of `0..size`, which the seed determines. `size` must be positive.
pub fn permute(value: i64, size: i64, seed: i64) -> i64 {
    if size < 2 {
        return 0;
    }
    let mut random = Generator::new(seed as u64);
    let size = size as u64;
    let bits = size.ilog2();
    let mask = (1 << bits) - 1;
    let scatter = |random: &mut Generator, index: u64| {
        let (factor, flips) = (random.word() & mask | 1, random.word() & mask);
        if index > mask {
            return index;
        }
        let mixed = (index.wrapping_mul(factor) ^ flips) & mask;
        (mixed << 1) & mask | mixed >> (bits - 1)
    };
    let mut index = value as u64 % size;
    // Each half that the mask covers, the lower and the upper one, overlap: together they reach every place.
    for _ in 0..6 {
        index = scatter(&mut random, index);
        index = size - 1 - scatter(&mut random, size - 1 - index);
        let shift = random.within(size - 1);
        index = ((u128::from(index) + u128::from(shift)) % u128::from(size)) as u64;
    }
    index as i64
}
