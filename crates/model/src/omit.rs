//! What is left out of events because its absence means the same.

/// Whether the number is zero.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
pub fn zero(number: &u64) -> bool {
    *number == 0
}
