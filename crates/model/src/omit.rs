//! What is left out of events because its absence means the same.

/// Whether the number is zero.
pub fn zero(number: &u64) -> bool {
    *number == 0
}
