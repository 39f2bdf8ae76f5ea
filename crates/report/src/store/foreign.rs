//! JSON from a run directory, which may be anybody's: what a terminal would act upon, or what would pass for a line of
//! ours, is written out before anything is made of it.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tenbin_model::text::{visible, visible_lines};

/// Fields that have lines of their own, indented or in a frame wherever they are shown. Everything else is a name or a
/// word.
const OF_LINES: &[&str] = &["plan", "evidence", "hint", "mend", "facts", "options"];

/// Parses it, with its texts made visible.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    if harmless(bytes) {
        return serde_json::from_slice(bytes);
    }
    let mut value = serde_json::from_slice(bytes)?;
    written_out(&mut value, false);
    serde_json::from_value(value)
}

/// Whether no text in it can hold anything that has to be written out: a string of JSON has control characters only
/// behind a backslash, and others that matter begin with a byte of their own (of U+0080–U+00BF, U+0600–U+063F,
/// U+1800–U+2FFF, U+F000 and up).
fn harmless(bytes: &[u8]) -> bool {
    !bytes.iter().any(|b| matches!(b, b'\\' | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf0..))
}

fn written_out(value: &mut Value, lines: bool) {
    match value {
        Value::String(text) => {
            let shown = if lines { visible_lines(text) } else { visible(text) };
            if shown != text.as_str() {
                *text = shown.into_owned();
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|one| written_out(one, lines)),
        Value::Object(fields) => {
            let named = std::mem::take(fields).into_iter().map(|(name, mut value)| {
                written_out(&mut value, lines || OF_LINES.contains(&name.as_str()));
                (visible(&name).into_owned(), value)
            });
            *fields = named.collect::<Map<_, _>>();
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> String {
        parse::<Value>(text.as_bytes()).unwrap().to_string()
    }

    #[test]
    fn names_have_no_lines_and_nothing_acts_on_a_terminal() {
        let plain = r#"{"name":"weigh 日本","n":[1,2.5,true,null]}"#;
        assert!(harmless(plain.as_bytes()));
        assert_eq!(
            parsed(r#"{"name":"a\nverdict  VALID\u001b[2J","axes":[["k","\u009b31m"]]}"#),
            r#"{"name":"a\\nverdict  VALID\\u001b[2J","axes":[["k","\\u009b31m"]]}"#
        );
        assert_eq!(parsed("{\"name\":\"\u{202e}gpj\u{9b}x\"}"), r#"{"name":"\\u202egpj\\u009bx"}"#);
        assert_eq!(
            parsed(r#"{"plan":"a = 1\nb = 2\u0007","facts":{"a\nb":"c\nd"}}"#),
            r#"{"plan":"a = 1\nb = 2\\u0007","facts":{"a\\nb":"c\nd"}}"#
        );
    }

    #[test]
    fn whatever_is_written_out_is_looked_for() {
        for c in ('\u{80}'..=char::MAX).filter(|c| visible(c.encode_utf8(&mut [0; 4])).starts_with('\\')) {
            assert!(!harmless(c.to_string().as_bytes()), "{c:?}");
        }
    }
}
