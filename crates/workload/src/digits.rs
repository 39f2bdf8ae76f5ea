//! Appends integers as decimal text to a buffer, for statements and rows.

/// Appends `value` in decimal.
#[inline]
pub fn push(out: &mut Vec<u8>, value: impl itoa::Integer) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}
