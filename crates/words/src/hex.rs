//! Bytes in hexadecimal digits: digests of files, lines, names and requests.

use std::fmt::Write;

/// Two lower-case digits for each byte.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn each_byte_has_two_digits() {
        assert_eq!(super::hex(&[0, 0x0a, 0xff]), "000aff");
    }
}
