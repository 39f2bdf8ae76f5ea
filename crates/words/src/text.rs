//! Makes foreign text (from a server, a file, a foreign run directory) safe to display.
//!
//! Control characters, and format characters of Unicode that reorder or hide text,
//! are escaped as in JSON strings (`\n`, `\u001b`, `\u202e`), so that
//! JSON remains equivalent JSON. The function is idempotent.

use std::borrow::Cow;
use std::fmt::Write;

/// The text on one line: line breaks and tabs are escaped too. For names, messages of servers, cells of tables.
pub fn visible(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

/// The text with its line breaks and tabs: for text of several lines, such as the end of a log.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    // A log of 100 MB has nothing else, which is seen faster in many bytes at once.
    let is_plain =
        |bytes: &[u8]| bytes.iter().fold(true, |all, byte| all & matches!(byte, b' '..=b'~' | b'\n' | b'\t'));
    if text.as_bytes().chunks(4096).all(is_plain) {
        return Cow::Borrowed(text);
    }
    escaped(text, |c| is_hidden(c) && !matches!(c, '\n' | '\t'))
}

/// [`visible`] for owned text, which is returned unchanged if nothing has to be escaped.
pub fn into_visible(text: String) -> String {
    if text.chars().any(is_hidden) { visible(&text).into_owned() } else { text }
}

/// [`visible`], truncated to this many characters, because a server's version can be any text.
pub fn short(text: &str, characters: usize) -> String {
    let text = visible(text);
    match text.char_indices().nth(characters) {
        None => text.into_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// Whether a text has this pattern, in which `*` stands for any text.
pub fn is_like(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(first) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return rest.is_empty();
    }
    while let Some(part) = parts.next() {
        if parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

fn escaped(text: &str, hidden: impl Fn(char) -> bool) -> Cow<'_, str> {
    let Some(first) = text.find(&hidden) else { return Cow::Borrowed(text) };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        match c {
            c if !hidden(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| {
                // Writing to a string does not fail.
                let _ = write!(out, "\\u{unit:04x}");
            }),
        }
    }
    Cow::Owned(out)
}

/// Control characters (general category Cc), and those of Cf, Zl and Zp that affect how neighbouring characters are
/// displayed or are invisible themselves (Unicode 16, `DerivedGeneralCategory.txt`).
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_terminal_acts_upon_is_written_out() {
        for (text, line, lines) in [
            ("Duplicate entry 'é 日本'", "Duplicate entry 'é 日本'", "Duplicate entry 'é 日本'"),
            ("a\nb\tc\rd", "a\\nb\\tc\\rd", "a\nb\tc\\rd"),
            ("\x1b[2J\x1b]0;owned\x07", "\\u001b[2J\\u001b]0;owned\\u0007", "\\u001b[2J\\u001b]0;owned\\u0007"),
            // The same as one character, which terminals take for ESC [.
            ("\u{9b}31m", "\\u009b31m", "\\u009b31m"),
            ("\u{202e}gnp.exe\u{2066}", "\\u202egnp.exe\\u2066", "\\u202egnp.exe\\u2066"),
            ("a\u{2028}b\u{feff}\u{200b}", "a\\u2028b\\ufeff\\u200b", "a\\u2028b\\ufeff\\u200b"),
            ("\u{e0041}", "\\udb40\\udc41", "\\udb40\\udc41"),
        ] {
            assert_eq!((&*visible(text), &*visible_lines(text)), (line, lines));
            assert_eq!(into_visible(text.to_owned()), line);
        }
        assert!(matches!(visible("plain"), Cow::Borrowed(_)), "nothing is copied where nothing has to be");
        assert_eq!((short("日本語", 3), short("日本語\n", 3)), ("日本語".to_owned(), "日本語…".to_owned()));
    }

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, text) in
            [("a", "a"), ("a*", "a"), ("*", ""), ("a*c", "abc"), ("a*b*b", "abb"), ("*b*", "abc"), ("**", "x")]
        {
            assert!(is_like(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a", "ab"), ("", "a"), ("a*c", "ab"), ("ab*b", "ab"), ("a*b*b", "ab"), ("*é", "e")] {
            assert!(!is_like(pattern, text), "{pattern} {text}");
        }
    }

    proptest! {
        #[test]
        fn nothing_hidden_is_left_and_twice_is_once(text: String) {
            let once = visible(&text).into_owned();
            prop_assert!(!once.chars().any(is_hidden));
            prop_assert_eq!(visible(&once), once.as_str());
            prop_assert!(!visible_lines(&text).chars().any(|c| is_hidden(c) && c != '\n' && c != '\t'));
        }

        #[test]
        fn json_stays_the_same_json(text: String) {
            let json = serde_json::to_string_pretty(&[&text]).unwrap();
            prop_assert_eq!(serde_json::from_str::<[String; 1]>(&visible_lines(&json)).unwrap(), [text]);
        }
    }
}
