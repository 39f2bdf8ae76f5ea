//! `?` stands for a parameter in Tenbin's and sysbench's statements; PostgreSQL numbers them `$1`, `$2`, ….

/// The statement with a number for each `?` outside of quotes and comments. `??` is a plain `?`, an operator of
/// PostgreSQL.
pub fn numbered(sql: &str) -> String {
    let (mut out, mut rest, mut count) = (String::with_capacity(sql.len() + 16), sql, 0);
    while let Some(at) = rest.find(['?', '\'', '"', '-', '/', '$']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let plain = match rest.as_bytes() {
            [b'?', b'?', ..] => {
                out.push('?');
                rest = &rest[2..];
                continue;
            }
            [b'?', ..] => {
                count += 1;
                out.push_str(&format!("${count}"));
                rest = &rest[1..];
                continue;
            }
            [quote @ (b'\'' | b'"'), ..] => {
                // In E'…' a backslash escapes the following quote.
                let escapes = *quote == b'\'' && word_before(&out).eq_ignore_ascii_case("e");
                quoted(rest, *quote, escapes)
            }
            [b'-', b'-', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => comment(rest),
            [b'$', ..] if word_before(&out).is_empty() => dollar_quoted(rest).unwrap_or(1),
            _ => 1,
        };
        out.push_str(&rest[..plain]);
        rest = &rest[plain..];
    }
    out + rest
}

/// The letters, digits and underscores at the end of a text.
fn word_before(text: &str) -> &str {
    let begin = text.rfind(|c: char| !c.is_alphanumeric() && c != '_');
    &text[begin.map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8))..]
}

/// Bytes of a quoted text or name at the start of `text`. A doubled quote starts the next text at once, which is
/// equivalent.
fn quoted(text: &str, quote: u8, escapes: bool) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if escapes => at += 1,
            b if b == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Bytes of a comment, which may contain others.
fn comment(text: &str) -> usize {
    let (bytes, mut depth, mut at) = (text.as_bytes(), 0, 0);
    while at + 1 < bytes.len() {
        match &bytes[at..at + 2] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" if depth == 1 => return at + 2,
            b"*/" => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Bytes of `$tag$ … $tag$`; `None` if the dollar starts something else.
fn dollar_quoted(text: &str) -> Option<usize> {
    let end = 1 + text[1..].find('$')?;
    let tag = &text[1..end];
    let named = tag.chars().all(|c| c.is_alphanumeric() || c == '_') && !tag.starts_with(|c: char| c.is_ascii_digit());
    let mark = &text[..=end];
    named.then(|| text[end + 1..].find(mark).map_or(text.len(), |at| end + 1 + at + mark.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn marks_are_numbered_where_they_are_marks() {
        for (sql, wanted) in [
            ("SELECT c FROM sbtest1 WHERE id BETWEEN ? AND ?", "SELECT c FROM sbtest1 WHERE id BETWEEN $1 AND $2"),
            ("SELECT '?', \"?\", ?", "SELECT '?', \"?\", $1"),
            ("SELECT 'it''s ?', ?", "SELECT 'it''s ?', $1"),
            ("SELECT E'\\'?', ?, 'x\\', ?", "SELECT E'\\'?', $1, 'x\\', $2"),
            ("SELECT ? -- ?\n, ?", "SELECT $1 -- ?\n, $2"),
            ("SELECT 3-?, 4/?", "SELECT 3-$1, 4/$2"),
            ("/* ? /* ? */ ? */ SELECT ?", "/* ? /* ? */ ? */ SELECT $1"),
            ("SELECT $$?$$, $a$ ? $$ $a$, ?", "SELECT $$?$$, $a$ ? $$ $a$, $1"),
            ("SELECT j ?? 'a' AND x = ?", "SELECT j ? 'a' AND x = $1"),
            ("SELECT $1, $2", "SELECT $1, $2"),
            ("SELECT a$b$?", "SELECT a$b$$1"),
            ("SELECT 'open ?", "SELECT 'open ?"),
            ("SELECT 'ö?', ?", "SELECT 'ö?', $1"),
            ("BEGIN", "BEGIN"),
        ] {
            assert_eq!(numbered(sql), wanted);
        }
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(sql in "[?'\"$a1 /*\\-\\\\eEö\n]{0,40}") {
            let _ = numbered(&sql);
        }
    }
}
