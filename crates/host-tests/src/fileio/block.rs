//! Blocks that can be verified: random bytes, their position, and a checksum over both.

use tenbin_workload::Random;

/// Position and checksum at the end of a block.
const TRAILER: usize = 20;
/// The minimum length of a checked block in bytes.
pub(super) const SMALLEST: u64 = 32;

/// Fills a block for this position: `number` among the blocks of file `file`.
pub(super) fn fill(block: &mut [u8], file: usize, number: u64, random: &mut Random) {
    let (data, trailer) = block.split_at_mut(block.len() - TRAILER);
    for chunk in data.chunks_mut(8) {
        chunk.copy_from_slice(&random.word().to_le_bytes()[..chunk.len()]);
    }
    trailer[..8].copy_from_slice(&(file as u64).to_le_bytes());
    trailer[8..16].copy_from_slice(&number.to_le_bytes());
    let sum = crc32fast::hash(&block[..block.len() - 4]);
    let end = block.len() - 4;
    block[end..].copy_from_slice(&sum.to_le_bytes());
}

/// The error in a block that was read from this position; `None` if it is as it was written.
pub(super) fn wrong(block: &[u8], file: usize, number: u64) -> Option<String> {
    let (data, sum) = block.split_at(block.len() - 4);
    let (stored, checksum) = (u32::from_le_bytes(sum.try_into().ok()?), crc32fast::hash(data));
    if stored != checksum {
        return Some(format!("its bytes have the checksum {checksum:08x}, it says {stored:08x}"));
    }
    let word = |at: usize| data[data.len() - at..][..8].try_into().map(u64::from_le_bytes).unwrap_or(u64::MAX);
    let (of_file, of_number) = (word(16), word(8));
    ((of_file, of_number) != (file as u64, number))
        .then(|| format!("it is block {of_number} of test_file.{of_file}, whole but in the wrong place"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flipped_bit_and_every_wrong_place_is_seen() {
        let mut block = vec![0; 64];
        fill(&mut block, 3, 7, &mut Random::new(1, 1));
        assert_eq!(wrong(&block, 3, 7), None);
        for at in 0..64 {
            let mut other = block.clone();
            other[at] ^= 0x10;
            assert!(wrong(&other, 3, 7).is_some_and(|w| w.contains("checksum")), "byte {at}");
        }
        assert!(wrong(&block, 3, 8).is_some_and(|w| w.contains("block 7 of test_file.3")));
        assert!(wrong(&[0; 64], 0, 0).is_some(), "zeros are no checked block");
    }
}
