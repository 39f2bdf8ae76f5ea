//! A text that is YAML as a whole, as a value of the same form as JSON, in which numbers stay as they are written: their digits say how they were
//! rounded. Anchors and tags make it none.
//!
//! Lists of results within another text are read in `drawn/yaml.rs`.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};

/// A larger text is not read: its values take many times its size.
const MOST_BYTES: usize = 16 << 20;
/// Deeper values are those of something else.
const DEEPEST: usize = 24;

/// The value of a text, a list if it has several documents, or `None` if it is no such text or has a scalar alone.
pub fn value(text: &str) -> Option<Value> {
    if text.len() > MOST_BYTES || !may_be(text) {
        return None;
    }
    let mut documents = Vec::new();
    let mut open: Vec<OpenValue> = Vec::new();
    for event in Parser::new_from_str(text) {
        let value = match event.ok()?.0 {
            Event::SequenceStart(0, None) => {
                open.push(OpenValue::List(Vec::new()));
                None
            }
            Event::MappingStart(0, None) => {
                open.push(OpenValue::Mapping(Map::new(), None));
                None
            }
            Event::SequenceEnd | Event::MappingEnd => Some(open.pop()?.closed()?),
            Event::Scalar(text, ScalarStyle::Plain, 0, None) if NULLS.contains(&&*text) => Some(Value::Null),
            Event::Scalar(text, _, 0, None) => Some(Value::String(text.into_owned())),
            Event::Alias(_) | Event::Scalar(..) | Event::SequenceStart(..) | Event::MappingStart(..) => return None,
            _ => None,
        };
        let Some(value) = value else {
            if open.len() > DEEPEST {
                return None;
            }
            continue;
        };
        match open.last_mut() {
            Some(within) => within.take(value)?,
            None => documents.push(Some(value).filter(|value| value.is_array() || value.is_object())?),
        }
    }
    if documents.len() > 1 { Some(Value::Array(documents)) } else { documents.pop() }
}

const NULLS: [&str; 5] = ["", "~", "null", "Null", "NULL"];

/// A list or mapping that is being read.
enum OpenValue {
    List(Vec<Value>),
    /// With the key whose value comes next.
    Mapping(Map<String, Value>, Option<String>),
}

impl OpenValue {
    /// Adds the next value; nothing if it cannot be a key, or is the same key again: a mistake, or another text.
    fn take(&mut self, value: Value) -> Option<()> {
        match self {
            OpenValue::List(all) => all.push(value),
            OpenValue::Mapping(all, key) => match (key.take(), value) {
                (Some(known), value) => all.insert(known, value).is_none().then_some(())?,
                (None, Value::String(text)) => *key = Some(text),
                (None, _) => return None,
            },
        }
        Some(())
    }

    fn closed(self) -> Option<Value> {
        match self {
            OpenValue::List(all) => Some(Value::Array(all)),
            OpenValue::Mapping(all, key) => key.is_none().then_some(Value::Object(all)),
        }
    }
}

/// Most texts are known by their first line to be something else.
fn may_be(text: &str) -> bool {
    let mut lines = text.lines().map(|line| line.split(" #").next().unwrap_or_default().trim());
    let first = lines.find(|line| !line.is_empty() && !line.starts_with('#') && *line != "---").unwrap_or("");
    first == "-" || first.starts_with("- ") || first.ends_with(':') || first.contains(": ")
}

#[cfg(test)]
mod tests {
    use super::value;

    #[test]
    fn a_text_of_yaml_is_a_value() {
        for (text, json) in [
            (
                "a: 1\nb:\n  c: x y # z\n  d: [1.50, '2', {e: 3}]\n",
                r#"{"a":"1","b":{"c":"x y","d":["1.50","2",{"e":"3"}]}}"#,
            ),
            ("---\n- a: 1\n  b: 2\n-   a: 3\n    b: null\n", r#"[{"a":"1","b":"2"},{"a":"3","b":null}]"#),
            (
                "a:\n- 1\n- b: 2\n  c:\n    - 3\nd:\n  8: {t: 1}\n",
                r#"{"a":["1",{"b":"2","c":["3"]}],"d":{"8":{"t":"1"}}}"#,
            ),
            ("a: 1\n---\na: 2\n", r#"[{"a":"1"},{"a":"2"}]"#),
            ("# x\n\"a b\": 'c: d'\ne:\n", r#"{"a b":"c: d","e":null}"#),
        ] {
            assert_eq!(value(text).map(|value| value.to_string()).as_deref(), Some(json), "{text}");
        }
    }

    #[test]
    fn other_texts_and_what_is_not_read_of_yaml_are_none() {
        for text in [
            "",
            "threads,tps\n8,1000\n",
            "a: 1\na: 2\n",
            "a: &x 1\nb: *x\n",
            "a: 1\nMySQL was faster.\n",
            "a: 'x\nb: 2\n",
            "- threads: 8, tps: 1000\n",
            "a: [1, 2\n",
            "a:\n    b: 1\n  c: 2\n",
            "| a: | b |\n|--|--|\n",
            "12:30\n",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        let deep: String = (0..3000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
        assert_eq!(value(&deep), None);
        assert_eq!(value(&format!("a: {}", "[".repeat(100_000))), None);
    }
}
