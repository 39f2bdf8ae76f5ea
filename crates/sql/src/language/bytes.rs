//! Names and words of scripts that are not UTF-8: as text, and back to the same bytes.
//!
//! A byte that belongs to no character stands as one of the last 128 characters that there can be, which no language uses.

use std::borrow::Cow;

/// The character for byte 0.
const FIRST: u32 = 0x10_ff00;

/// The text of bytes.
pub(super) fn text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(FIRST + u32::from(*byte))));
    }
    Cow::Owned(text)
}

/// The bytes of a name or a word of a script, as they stand in it.
pub fn bytes(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        match u32::from(c).checked_sub(FIRST).and_then(|byte| u8::try_from(byte).ok()) {
            Some(byte) if byte >= 0x80 => bytes.push(byte),
            _ => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    bytes
}

/// The place among the bytes that [`text`] was made of of a place in it, in bytes too.
pub(super) fn place(text: &str, at: usize) -> usize {
    let start = text.floor_char_boundary(at);
    let before = bytes(&text[..start]).len();
    let of_character = text[start..].chars().next().map_or(0, |c| bytes(c.encode_utf8(&mut [0; 4])).len());
    before + (at - start).min(of_character.saturating_sub(1))
}

/// A text of [`text`] for readers: each such byte as `\\xE9`.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    let byte = |c: char| u32::from(c).checked_sub(FIRST).filter(|byte| (0x80..=0xff).contains(byte));
    if !text.chars().any(|c| byte(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match byte(c) {
            Some(byte) => shown.push_str(&format!("\\x{byte:02X}")),
            None => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// Bytes of a script for readers.
pub(crate) fn shown_bytes(bytes: &[u8]) -> String {
    shown(&text(bytes)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_text_and_come_back() {
        for given in [&b"caf\xe9 \xff\x80x"[..], "é日".as_bytes(), b"plain", b"\xe6\x97"] {
            assert_eq!(bytes(&text(given)), given);
        }
        assert_eq!(text("é".as_bytes()), "é");
    }

    #[test]
    fn places_are_those_of_the_bytes() {
        let given = b"caf\xe9 \xe6\x97\xa5x";
        let text = text(given);
        let places: Vec<usize> = (0..text.len()).map(|at| place(&text, at)).collect();
        assert_eq!(places, [0, 1, 2, 3, 3, 3, 3, 4, 5, 6, 7, 8]);
    }

    #[test]
    fn a_byte_of_no_character_is_shown_as_its_number() {
        assert_eq!(shown_bytes(b"caf\xe9 \xff"), "caf\\xE9 \\xFF");
        assert_eq!(shown_bytes("é日".as_bytes()), "é日");
    }
}
