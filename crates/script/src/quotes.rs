//! Typographic quotes in a script that was copied from a page: where the first one stands.

use tenbin_words::copied::is_quote;

/// The first one outside of texts and comments, with its line.
pub fn typographic(script: &str) -> Option<(usize, char)> {
    let mut rest = script;
    while let Some(c) = rest.chars().next() {
        if is_quote(c) {
            return Some((script[..script.len() - rest.len()].matches('\n').count() + 1, c));
        }
        rest = &rest[skipped(rest).max(c.len_utf8())..];
    }
    None
}

/// The length of the comment or text that begins here; 0 if none does.
fn skipped(rest: &str) -> usize {
    if let Some(comment) = rest.strip_prefix("--") {
        return 2 + long(comment).unwrap_or_else(|| comment.find('\n').unwrap_or(comment.len()));
    }
    match rest.as_bytes()[0] {
        quote @ (b'"' | b'\'') => short(rest, quote),
        b'[' => long(rest).unwrap_or(0),
        _ => 0,
    }
}

/// `"…"`, with escapes, to the end of the line at most.
fn short(rest: &str, quote: u8) -> usize {
    let bytes = rest.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != b'\n' {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    // An escape may stand before a letter of several bytes.
    (at.min(bytes.len())..=bytes.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(bytes.len())
}

/// `[[…]]`, `[=[…]=]`.
fn long(rest: &str) -> Option<usize> {
    let level = rest.strip_prefix('[')?.bytes().take_while(|byte| *byte == b'=').count();
    rest[1 + level..].starts_with('[').then_some(())?;
    let end = format!("]{}]", "=".repeat(level));
    Some(rest.find(&end).map_or(rest.len(), |at| at + end.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_found_where_they_are_no_part_of_a_text() {
        for (script, quote) in [
            ("db_query(“SELECT 1”)", Some((1, '“'))),
            ("-- it’s\nx = ‘on’", Some((2, '‘'))),
            ("x = \"“\" .. '’' -- “", None),
            ("x = [[\n“\n]] y = [==[ ]] “ ]==]\n--[[ ’\n]] z = ”", Some((5, '”'))),
            ("x = 'it\\'s “' y = \"\\\\\" z = “", Some((1, '“'))),
            ("x = 'open “\ny = “", Some((2, '“'))),
            ("x = 'a\\あ", None),
            ("", None),
        ] {
            assert_eq!(typographic(script), quote, "{script}");
        }
    }
}
