//! Texts that were copied from a page of the web, or typed with an input method: they have typographic quotes, no-break and full-width spaces. Which
//! characters they are, where the first one stands in a plan, and the command that puts the others in their place.

use crate::message::{Message, foreign};
use crate::msg;
use crate::shell;

/// Those that pages show in place of `"` and `'`, and of a space.
const DOUBLE: &str = "“”„″";
const SINGLE: &str = "‘’‚′";
const SPACE: char = '\u{a0}';
/// The space of Japanese and Chinese input methods.
const WIDE_SPACE: char = '\u{3000}';

/// Whether it is a quote that no program reads as one.
pub fn is_quote(c: char) -> bool {
    DOUBLE.contains(c) || SINGLE.contains(c)
}

/// Whether it stands for a character that programs read.
pub fn is_copied(c: char) -> bool {
    is_quote(c) || c == SPACE || c == WIDE_SPACE
}

/// What such a character is, in words.
pub fn words(c: char) -> Message {
    match c {
        SPACE => msg!("copied-space"),
        WIDE_SPACE => msg!("copied-wide-space"),
        _ => msg!("copied-quote", quote = foreign(c)),
    }
}

/// The command that puts the characters of programs in their place.
pub fn mending(path: &str) -> String {
    format!("sed -i \"s/[{DOUBLE}]/\\\"/g; s/[{SINGLE}]/'/g; s/[{SPACE}{WIDE_SPACE}]/ /g\" {}", shell::word(path))
}

/// The first such character of a text in TOML, outside of its texts and comments.
pub fn in_toml(text: &str) -> Option<(usize, char)> {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if is_copied(c) {
            return Some((at, c));
        }
        at += skipped(&text[at..]).max(c.len_utf8());
    }
    None
}

/// The length of the comment or text of TOML that begins here; 0 if none does.
fn skipped(rest: &str) -> usize {
    let line = rest.find('\n').unwrap_or(rest.len());
    let until = |mark: &str| rest[mark.len()..].find(mark).map_or(rest.len(), |at| at + 2 * mark.len());
    match rest.as_bytes() {
        [b'#', ..] => line,
        [b'"', b'"', b'"', ..] => until("\"\"\""),
        [b'\'', b'\'', b'\'', ..] => until("'''"),
        [b'\'', ..] => rest[1..line].find('\'').map_or(line, |at| at + 2),
        [b'"', ..] => {
            let mut escaped = false;
            let end = rest[1..line].find(|c: char| {
                let is_end = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                is_end
            });
            end.map_or(line, |at| at + 2)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_copied_is_found_where_it_is_no_part_of_a_text() {
        for (text, found) in [
            ("name = “a”", Some((7, '“'))),
            ("# it’s\nname = ‘a’", Some((16, '‘'))),
            ("name = \"“\" # ”", None),
            ("name = \"\\\"“\"\nx\u{a0}= 1", Some((16, '\u{a0}'))),
            ("name = '”'\ntext = \"\"\"\n“\n\"\"\"\nx = '''\n’'''", None),
            ("name = \"open “\nx = “a", Some((21, '“'))),
            ("name = \"\u{3000}\"\u{3000}", Some((12, '\u{3000}'))),
            ("", None),
        ] {
            assert_eq!(in_toml(text), found, "{text}");
        }
    }
}
