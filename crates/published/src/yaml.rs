//! A text that is YAML as a whole, as a value of the same form as JSON, in which numbers stay as they are written: their digits say how they were
//! rounded. Anchors and tags make it none, except in files of configuration.
//!
//! Lists of results within another text are read in `drawn/yaml.rs`.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A larger text is not read: its values take many times its size.
const MOST_BYTES: usize = 16 << 20;
/// Deeper values are those of something else.
const DEEPEST: usize = 24;

/// With its anchors a text may be a million times as large: this many values are copied at most.
const MOST_COPIED: usize = 100_000;

/// The value of a text, a list if it has several documents, or `None` if it is no such text or has a scalar alone.
pub fn value(text: &str) -> Option<Value> {
    read(text, false)
}

/// [`value`] of a file of configuration: what an anchor names stands where it is referred to, a map has what it merges in (`<<`), and a
/// scalar with a tag of its own (`!Ref` of CloudFormation) is null, because what it means is not known.
pub fn configuration(text: &str) -> Option<Value> {
    read(text, true)
}

fn read(text: &str, has_anchors: bool) -> Option<Value> {
    if text.len() > MOST_BYTES || !may_be(text) {
        return None;
    }
    let mut documents = Vec::new();
    let mut open: Vec<(OpenValue, usize)> = Vec::new();
    let (mut anchors, mut copied) = (BTreeMap::<usize, Value>::new(), 0);
    for event in Parser::new_from_str(text) {
        let event = event.ok()?.0;
        let has_own = match &event {
            Event::SequenceStart(anchor, tag) | Event::MappingStart(anchor, tag) => *anchor > 0 || tag.is_some(),
            Event::Scalar(_, _, anchor, tag) => *anchor > 0 || tag.is_some(),
            Event::Alias(_) => true,
            _ => false,
        };
        if has_own && !has_anchors {
            return None;
        }
        let (value, anchor) = match event {
            Event::SequenceStart(anchor, _) => {
                open.push((OpenValue::List(Vec::new()), anchor));
                (None, 0)
            }
            Event::MappingStart(anchor, _) => {
                open.push((OpenValue::Mapping(Map::new(), None, Vec::new()), anchor));
                (None, 0)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let (value, anchor) = open.pop()?;
                (Some(value.closed()?), anchor)
            }
            Event::Scalar(_, _, anchor, Some(_)) => (Some(Value::Null), anchor),
            Event::Scalar(text, ScalarStyle::Plain, anchor, None) if NULLS.contains(&&*text) => {
                (Some(Value::Null), anchor)
            }
            Event::Scalar(text, _, anchor, None) => (Some(Value::String(text.into_owned())), anchor),
            Event::Alias(anchor) => {
                let value = anchors.get(&anchor)?.clone();
                copied += size(&value);
                (Some(value), 0)
            }
            _ => (None, 0),
        };
        if copied > MOST_COPIED || open.len() > DEEPEST {
            return None;
        }
        let Some(value) = value else { continue };
        if anchor > 0 {
            copied += size(&value);
            anchors.insert(anchor, value.clone());
        }
        match open.last_mut() {
            Some((within, _)) => within.take(value, has_anchors)?,
            None => documents.push(Some(value).filter(|value| value.is_array() || value.is_object())?),
        }
    }
    if documents.len() > 1 { Some(Value::Array(documents)) } else { documents.pop() }
}

/// The values within a value, and itself.
fn size(value: &Value) -> usize {
    match value {
        Value::Array(all) => 1 + all.iter().map(size).sum::<usize>(),
        Value::Object(all) => 1 + all.values().map(size).sum::<usize>(),
        _ => 1,
    }
}

/// The key of what a map merges in (YAML 1.1, "Merge Key").
const MERGE: &str = "<<";
const NULLS: [&str; 5] = ["", "~", "null", "Null", "NULL"];

/// A list or mapping that is being read.
enum OpenValue {
    List(Vec<Value>),
    /// With the key whose value comes next, and what it merges in.
    Mapping(Map<String, Value>, Option<String>, Vec<Value>),
}

impl OpenValue {
    /// Adds the next value; nothing if it cannot be a key, or is the same key again: a mistake, or another text.
    fn take(&mut self, value: Value, has_anchors: bool) -> Option<()> {
        match self {
            OpenValue::List(all) => all.push(value),
            OpenValue::Mapping(all, key, merged) => match (key.take(), value) {
                (Some(known), Value::Array(values)) if has_anchors && known == MERGE => merged.extend(values),
                (Some(known), value) if has_anchors && known == MERGE => merged.push(value),
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
            OpenValue::Mapping(mut all, key, merged) => {
                // Its own values come before those that it merges in, and the first of several before the others.
                for (key, value) in merged.into_iter().filter_map(|value| value.as_object().cloned()).flatten() {
                    all.entry(key).or_insert(value);
                }
                key.is_none().then_some(Value::Object(all))
            }
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
    use super::{configuration, value};

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
    fn a_file_of_configuration_may_have_anchors_and_tags() {
        for (text, json) in [
            ("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n", Some(r#"{"a":{"b":"1","c":"2"},"d":{"b":"1","c":"3"}}"#)),
            ("a: &x [1]\nb: *x\n", Some(r#"{"a":["1"],"b":["1"]}"#)),
            ("a: !Ref X\nb: !Sub '${Y}'\n", Some(r#"{"a":null,"b":null}"#)),
            ("a: *x\n", None),
        ] {
            let wanted: Option<serde_json::Value> = json.map(|json| serde_json::from_str(json).unwrap());
            assert_eq!(configuration(text), wanted, "{text}");
        }
        // Each level has ten times the one before.
        let ten = |n: usize| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(","));
        let bomb: String = ["a0: &a0 [1]\n".to_owned()].into_iter().chain((1..12).map(ten)).collect();
        assert_eq!(configuration(&bomb), None);
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
