//! Finding signs in a log of 100 MB: faster than the standard library, and without a look at each line.

use memchr::{memchr, memmem, memrchr};

/// Whether a text contains this.
pub(super) fn has(text: &str, sign: &str) -> bool {
    memmem::find(text.as_bytes(), sign.as_bytes()).is_some()
}

/// How often a text contains this.
pub(super) fn count(text: &str, sign: &str) -> usize {
    memmem::find_iter(text.as_bytes(), sign.as_bytes()).count()
}

/// The lines that contain one of these, in their order.
pub(super) fn lines_with<'t>(text: &'t str, signs: &[&str]) -> Vec<&'t str> {
    let bytes = text.as_bytes();
    let begin = |at: usize| memrchr(b'\n', &bytes[..at]).map_or(0, |end| end + 1);
    let mut begins: Vec<usize> =
        signs.iter().flat_map(|sign| memmem::find_iter(bytes, sign.as_bytes()).map(begin)).collect();
    begins.sort_unstable();
    begins.dedup();
    let line = |begin: usize| &text[begin..memchr(b'\n', &bytes[begin..]).map_or(text.len(), |length| begin + length)];
    begins.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::lines_with;

    #[test]
    fn lines_are_found_once_and_in_order() {
        let text = "b 1\nnone\na 2 a b\n\nx b";
        assert_eq!(lines_with(text, &["a", "b"]), ["b 1", "a 2 a b", "x b"]);
        assert!(lines_with(text, &["c"]).is_empty() && lines_with("", &["c"]).is_empty());
    }
}
