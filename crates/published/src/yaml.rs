//! A text that is YAML as a whole, as a value of the same form as JSON: mappings, lists, both in braces and brackets, plain and quoted
//! scalars, comments, several documents. What else YAML has (anchors, tags, block scalars, keys of several lines) makes it none.
//!
//! Lists of results within another text are read in `drawn/yaml.rs`.

use serde_json::{Map, Value};

/// A larger text is not read: its values take many times its size.
const MOST_BYTES: usize = 16 << 20;
/// Deeper values are those of something else.
const DEEPEST: usize = 24;

/// The value of a text, a list if it has several documents, or `None` if it is no such text or has a single scalar only.
pub fn value(text: &str) -> Option<Value> {
    if text.len() > MOST_BYTES || !may_be(text) {
        return None;
    }
    let mut documents = Vec::new();
    let mut lines = Vec::new();
    for line in text.lines() {
        if line == "---" || line.starts_with("--- ") || line == "..." {
            documents.extend((!lines.is_empty()).then(|| document(&std::mem::take(&mut lines))));
            continue;
        }
        let content = without_comment(line);
        let begins = content.len() - content.trim_start_matches(' ').len();
        let content = content.trim();
        if !content.is_empty() {
            lines.push(Line { begins, content });
        }
    }
    documents.extend((!lines.is_empty()).then(|| document(&lines)));
    let mut all: Vec<Value> = documents.into_iter().collect::<Option<_>>()?;
    if all.len() > 1 { Some(Value::Array(all)) } else { all.pop() }
}

/// Most texts are known by their first line to be something else.
fn may_be(text: &str) -> bool {
    let mut lines = text.lines().map(|line| without_comment(line).trim());
    let first = lines.find(|line| !line.is_empty() && *line != "---").unwrap_or("");
    entry(first).is_some() || item(first).is_some()
}

#[derive(Clone, Copy)]
struct Line<'t> {
    begins: usize,
    content: &'t str,
}

fn document(lines: &[Line<'_>]) -> Option<Value> {
    let mut at = 0;
    let value = block(lines, &mut at, lines.first()?.begins, 0)?;
    (at == lines.len() && !is_scalar(&value)).then_some(value)
}

fn is_scalar(value: &Value) -> bool {
    !value.is_array() && !value.is_object()
}

/// The mapping or list whose entries begin at this column.
fn block(lines: &[Line<'_>], at: &mut usize, begins: usize, depth: usize) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    match item(lines.get(*at)?.content) {
        Some(_) => list(lines, at, begins, depth),
        None => mapping(lines, at, begins, depth, None),
    }
}

fn list(lines: &[Line<'_>], at: &mut usize, begins: usize, depth: usize) -> Option<Value> {
    let mut all = Vec::new();
    while let Some(line) = lines.get(*at).filter(|line| line.begins == begins) {
        let Some(content) = item(line.content) else { break };
        *at += 1;
        // How far the content of the item is indented.
        let inner = begins + line.content.len() - content.len();
        let value = match content {
            "" => match lines.get(*at).filter(|next| next.begins > begins) {
                Some(next) => block(lines, at, next.begins, depth + 1)?,
                None => Value::Null,
            },
            content if entry(content).is_some() => mapping(lines, at, inner, depth + 1, Some(content))?,
            content => flow(content)?,
        };
        all.push(value);
    }
    Some(Value::Array(all))
}

/// A mapping; its first entry may stand behind the dash of an item.
fn mapping(lines: &[Line<'_>], at: &mut usize, begins: usize, depth: usize, mut first: Option<&str>) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    let mut all = Map::new();
    loop {
        let content = match first.take() {
            Some(content) => content,
            None => match lines.get(*at).filter(|line| line.begins == begins && item(line.content).is_none()) {
                Some(line) => {
                    *at += 1;
                    line.content
                }
                None => break,
            },
        };
        let (key, value) = entry(content)?;
        let value = match value {
            "" => match lines.get(*at) {
                Some(next) if next.begins > begins => block(lines, at, next.begins, depth + 1)?,
                // A list may begin below its key.
                Some(next) if next.begins == begins && item(next.content).is_some() => {
                    list(lines, at, begins, depth + 1)?
                }
                _ => Value::Null,
            },
            value => flow(value)?,
        };
        // The same key twice is a mistake, or another text.
        if all.insert(key, value).is_some() {
            return None;
        }
    }
    Some(Value::Object(all))
}

/// What stands behind the dash of an item.
fn item(content: &str) -> Option<&str> {
    if content == "-" {
        return Some("");
    }
    content.strip_prefix("- ").map(str::trim_start)
}

/// `key: value` or `key:`; the value may be empty.
fn entry(content: &str) -> Option<(String, &str)> {
    if let Some(quote @ ('"' | '\'')) = content.chars().next() {
        let (key, rest) = content[1..].split_once(quote)?;
        let value = rest.trim_start().strip_prefix(':')?;
        return (value.is_empty() || value.starts_with(' ')).then(|| (key.to_owned(), value.trim()));
    }
    let (key, value) = match content.split_once(": ") {
        Some((key, value)) => (key, value.trim()),
        None => (content.strip_suffix(':')?, ""),
    };
    let key = key.trim();
    let is_key = !key.is_empty()
        && !key.starts_with(['{', '[', '&', '*', '!', '|', '>', '%', '@', '`', '?', ','])
        && !key.contains(['|', '\t']);
    is_key.then(|| (key.to_owned(), value))
}

/// A value in one line: a scalar, or a list or mapping in brackets.
fn flow(text: &str) -> Option<Value> {
    let mut rest = text;
    let value = flow_value(&mut rest, 0, false)?;
    rest.trim().is_empty().then_some(value)
}

fn flow_value(rest: &mut &str, depth: usize, is_within: bool) -> Option<Value> {
    if depth > DEEPEST {
        return None;
    }
    *rest = rest.trim_start();
    match rest.chars().next()? {
        '[' => {
            let mut all = Vec::new();
            separated(rest, ']', &mut |rest| {
                all.push(flow_value(rest, depth + 1, true)?);
                Some(())
            })?;
            Some(Value::Array(all))
        }
        '{' => {
            let mut all = Map::new();
            separated(rest, '}', &mut |rest| {
                let key = match quoted(rest)? {
                    Some(key) => key,
                    None => {
                        let end = rest.find([':', ',', '}'])?;
                        let key = rest[..end].trim().to_owned();
                        *rest = &rest[end..];
                        key
                    }
                };
                *rest = rest.trim_start().strip_prefix(':')?;
                let value = flow_value(rest, depth + 1, true)?;
                all.insert(key, value).is_none().then_some(())
            })?;
            Some(Value::Object(all))
        }
        '&' | '*' | '!' | '|' | '>' | '@' | '`' | '%' => None,
        _ => {
            if let Some(text) = quoted(rest)? {
                return Some(Value::String(text));
            }
            let end = if is_within { rest.find([',', ']', '}']).unwrap_or(rest.len()) } else { rest.len() };
            let text = rest[..end].trim();
            *rest = &rest[end..];
            (!text.contains(": ")).then(|| scalar(text))
        }
    }
}

/// The members between brackets, which are taken off.
fn separated(rest: &mut &str, end: char, member: &mut dyn FnMut(&mut &str) -> Option<()>) -> Option<()> {
    *rest = rest[1..].trim_start();
    loop {
        if let Some(after) = rest.strip_prefix(end) {
            *rest = after;
            return Some(());
        }
        member(rest)?;
        *rest = rest.trim_start();
        match rest.strip_prefix(',') {
            Some(after) => *rest = after.trim_start(),
            None if rest.starts_with(end) => {}
            None => return None,
        }
    }
}

/// The text in quotes that comes next, if a quote does; it is taken off. Nothing if the quote is left open.
fn quoted(rest: &mut &str) -> Option<Option<String>> {
    let Some(quote @ ('"' | '\'')) = rest.chars().next() else { return Some(None) };
    let (text, after) = rest[1..].split_once(quote)?;
    *rest = after;
    Some(Some(text.to_owned()))
}

/// Numbers stay as they are written: their digits say how they were rounded.
fn scalar(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        text => Value::String(text.to_owned()),
    }
}

/// A line without the comment that begins it or stands behind a blank, unless quotes are in it.
fn without_comment(line: &str) -> &str {
    if line.trim_start().starts_with('#') {
        return "";
    }
    match line.split_once(" #") {
        Some((before, _)) if !before.contains(['"', '\'']) => before,
        _ => line,
    }
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
            "a: |\n  b\n",
            "a: 1\nMySQL was faster.\n",
            "a: 'x\nb: 2\n",
            "- threads: 8, tps: 1000\n",
            "a: [1, 2\n",
            "a:\n    b: 1\n  c: 2\n",
            "| a: | b |\n|--|--|\n",
            "- one\n  two\n",
            "12:30\n",
        ] {
            assert_eq!(value(text), None, "{text}");
        }
        let deep: String = (0..3000).map(|n| format!("{}a:\n", " ".repeat(n))).collect();
        assert_eq!(value(&deep), None);
        assert_eq!(value(&format!("a: {}", "[".repeat(100_000))), None);
    }
}
