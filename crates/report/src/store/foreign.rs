//! Parses JSON of a run directory, which may come from someone else. Characters that a terminal interprets, and line
//! breaks by which text could imitate Tenbin's output, are replaced by escape sequences.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tenbin_words::text::{visible, visible_lines};

/// Fields that may contain line breaks, because they are always shown indented or in a frame. All others are names or
/// single words.
const OF_LINES: &[&str] = &["plan", "evidence", "hint", "facts", "options"];

/// Parses JSON, and replaces the characters described above in all its texts.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> serde_json::Result<T> {
    if harmless(bytes) {
        return serde_json::from_slice(bytes);
    }
    let mut value = serde_json::from_slice(bytes)?;
    escape(&mut value, false);
    serde_json::from_value(value)
}

/// Whether none of the texts can contain a character to replace: in a JSON string, control characters follow a
/// backslash, and the others (in U+0080–U+00BF, U+0600–U+063F, U+1800–U+2FFF, U+F000 and up) begin with one of these
/// bytes.
fn harmless(bytes: &[u8]) -> bool {
    !bytes.iter().any(|b| matches!(b, b'\\' | 0xc2 | 0xd8 | 0xe1 | 0xe2 | 0xef | 0xf0..))
}

fn escape(value: &mut Value, lines: bool) {
    match value {
        Value::String(text) => {
            let shown = if lines { visible_lines(text) } else { visible(text) };
            if shown != text.as_str() {
                *text = shown.into_owned();
            }
        }
        Value::Array(all) => all.iter_mut().for_each(|one| escape(one, lines)),
        Value::Object(fields) => {
            let escaped = std::mem::take(fields).into_iter().map(|(name, mut value)| {
                escape(&mut value, lines || OF_LINES.contains(&name.as_str()));
                (visible(&name).into_owned(), value)
            });
            *fields = escaped.collect::<Map<_, _>>();
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
    fn line_breaks_of_names_and_control_characters_are_escaped() {
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
    fn every_character_to_replace_is_recognized() {
        for c in ('\u{80}'..=char::MAX).filter(|c| visible(c.encode_utf8(&mut [0; 4])).starts_with('\\')) {
            assert!(!harmless(c.to_string().as_bytes()), "{c:?}");
        }
    }
}
