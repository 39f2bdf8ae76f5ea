//! JSON of templates: texts within it, and whether a row is JSON at all. Used by [`super::generator`].

use std::fmt::Write as _;

/// The most levels of arrays and objects that are looked into.
const DEEPEST: usize = 100;

/// Appends a text, in quotes unless it stands within some.
pub(crate) fn push_text(text: &str, is_quoted: bool, out: &mut String) {
    let quote = if is_quoted { "" } else { "\"" };
    out.push_str(quote);
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if (c as u32) < 0x20 => _ = write!(out, "\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out.push_str(quote);
}

/// Whether what follows some JSON stands within quotes, if this is so of its beginning.
pub(crate) fn is_within_text(json: &str, mut is_within: bool) -> bool {
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => is_within = !is_within,
            // What it escapes ends nothing.
            b'\\' if is_within => _ = bytes.next(),
            _ => {}
        }
    }
    is_within
}

/// Whether a text is one value of JSON (RFC 8259).
pub(crate) fn is_json(text: &str) -> bool {
    value(text.as_bytes(), 0).is_some_and(|rest| space(rest).is_empty())
}

fn space(bytes: &[u8]) -> &[u8] {
    let count = bytes.iter().take_while(|byte| b" \t\n\r".contains(byte)).count();
    &bytes[count..]
}

/// Each of these returns what follows what it reads, if that is there.
fn value(bytes: &[u8], depth: usize) -> Option<&[u8]> {
    let bytes = space(bytes);
    match bytes.first()? {
        b'{' | b'[' if depth >= DEEPEST => None,
        b'{' => list(&bytes[1..], b'}', |item| {
            let rest = space(text(space(item))?).strip_prefix(b":")?;
            value(rest, depth + 1)
        }),
        b'[' => list(&bytes[1..], b']', |item| value(item, depth + 1)),
        b'"' => text(bytes),
        b'-' | b'0'..=b'9' => number(bytes),
        _ => [&b"true"[..], b"false", b"null"].into_iter().find_map(|word| bytes.strip_prefix(word)),
    }
}

fn list(bytes: &[u8], end: u8, item: impl Fn(&[u8]) -> Option<&[u8]>) -> Option<&[u8]> {
    let mut rest = space(bytes);
    if rest.first() == Some(&end) {
        return Some(&rest[1..]);
    }
    loop {
        rest = space(item(rest)?);
        match rest.first()? {
            b',' => rest = &rest[1..],
            last if *last == end => return Some(&rest[1..]),
            _ => return None,
        }
    }
}

fn text(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.strip_prefix(b"\"")?;
    loop {
        rest = match rest {
            [b'"', rest @ ..] => return Some(rest),
            [b'\\', b'u', a, b, c, d, rest @ ..] if [a, b, c, d].iter().all(|digit| digit.is_ascii_hexdigit()) => rest,
            [b'\\', b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't', rest @ ..] => rest,
            [b'\\', ..] | [0..=0x1F, ..] | [] => return None,
            [_, rest @ ..] => rest,
        }
    }
}

fn number(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let mut rest = match rest {
        [b'0', rest @ ..] => rest,
        rest => digits(rest)?,
    };
    if let [b'.', fraction @ ..] = rest {
        rest = digits(fraction)?;
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        rest = digits(exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent))?;
    }
    Some(rest)
}

fn digits(bytes: &[u8]) -> Option<&[u8]> {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (count > 0).then(|| &bytes[count..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_json_is_told_from_what_is_not() {
        for text in
            ["{}", " [1, -0.5, 2e-7, 10, null , true,false] ", r#"{"a": {"b": []}, "c": "x\n\"\u00e9 é"}"#, "\"\"", "0"]
        {
            assert!(is_json(text), "{text}");
        }
        for text in [
            "",
            "{",
            "{]",
            "{\"a\": 1,}",
            "[1,]",
            "[1 2]",
            "01",
            "1.",
            "-",
            "+1",
            "1e",
            "nul",
            "{a: 1}",
            "{\"a\" 1}",
            "\"a",
            "\"\n\"",
            r#""\x22""#,
            r#""\u12""#,
            "1 1",
            "'a'",
            "NaN",
        ] {
            assert!(!is_json(text), "{text}");
        }
        assert!(!is_json(&"[".repeat(1_000_000)), "as deep as it is");
    }

    #[test]
    fn quotes_open_and_close_texts() {
        for (json, wanted) in
            [("{\"a\": ", false), ("{\"a\": \"x", true), (r#"{"a": "x\""#, true), (r#"{"a": "x\\""#, false)]
        {
            assert_eq!(is_within_text(json, false), wanted, "{json}");
            assert_eq!(is_within_text(&format!("y\", {json}"), true), wanted, "{json}");
        }
    }
}
