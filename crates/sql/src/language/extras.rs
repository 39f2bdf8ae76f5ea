//! Comments for Tenbin: `-- tenbin: name=pay prepare retry=3 expect="rows = 1" idle=5ms`. They say of the statement that follows, or that they are in,
//! what the language cannot, and the same file runs in pgbench. `retry` is about the transaction.

use super::error::ScriptErrorCode;
use super::expression::Expression;
use super::names::Names;
use super::value::Value;
use std::cmp::Ordering;
use std::time::Duration;

/// What a comment says about a statement.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CommandExtras {
    /// The name under which it is counted.
    pub name: Option<String>,
    /// Whether it is sent as a prepared statement (`prepare`) or as text (`text`); `None`: as the load says.
    pub prepare: Option<bool>,
    /// What its result must be.
    pub expect: Vec<Expectation>,
    /// How long the client waits after it.
    pub idle: Option<Duration>,
}

/// What comments say about the transaction.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptExtras {
    /// How often it is tried again after a conflict with another one.
    pub retry: Option<u32>,
}

/// What the result of a statement must be.
#[derive(Debug, Clone, PartialEq)]
pub struct Expectation {
    /// What is compared.
    pub subject: Subject,
    /// How.
    pub comparison: Comparator,
    /// With what.
    pub expression: Expression,
    /// How it is written.
    pub text: String,
}

/// What of a result is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// The number of rows returned or changed.
    Rows,
    /// The first column of the first row.
    Value,
}

/// How two numbers are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is what its name says")]
pub enum Comparator {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// Longer ones first.
const COMPARISONS: &[(&str, Comparator)] = &[
    ("<=", Comparator::LessOrEqual),
    (">=", Comparator::GreaterOrEqual),
    ("<>", Comparator::NotEqual),
    ("!=", Comparator::NotEqual),
    ("=", Comparator::Equal),
    ("<", Comparator::Less),
    (">", Comparator::Greater),
];

impl Comparator {
    /// Whether it holds for two values in this order.
    pub fn holds(self, order: Ordering) -> bool {
        match self {
            Comparator::Equal => order.is_eq(),
            Comparator::NotEqual => order.is_ne(),
            Comparator::Less => order.is_lt(),
            Comparator::LessOrEqual => order.is_le(),
            Comparator::Greater => order.is_gt(),
            Comparator::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// The words of a comment, if it is one for Tenbin: what follows `tenbin:`.
pub(super) fn of_comment(comment: &[u8]) -> Option<&[u8]> {
    let text = comment.strip_prefix(b"--").or_else(|| comment.strip_prefix(b"#"))?.trim_ascii();
    text.strip_prefix(b"tenbin:")
}

/// The words that a comment may have.
const WORDS: [&str; 6] = ["name", "prepare", "text", "retry", "expect", "idle"];

/// Whether a comment is meant for Tenbin and does not begin as one: `/* tenbin: … */`, `-- Tenbin: …`, `-- tenbin expect=…`.
pub(super) fn is_misspelt(comment: &[u8]) -> bool {
    let text = String::from_utf8_lossy(comment);
    let inner = text.trim_start_matches(['-', '#', '/', '*', '!']).trim_end_matches(['*', '/']).trim();
    let Some((mark, rest)) = inner.split_at_checked("tenbin".len()) else { return false };
    if !mark.eq_ignore_ascii_case("tenbin") || of_comment(comment).is_some() {
        return false;
    }
    let words = rest.trim_start().trim_start_matches(':').trim_start();
    if rest.starts_with(|c: char| c.is_alphanumeric() || "_-./".contains(c)) || words.is_empty() {
        return false;
    }
    // Without a colon and a value it may be a sentence about Tenbin.
    let (name, value, after) = word(words);
    let is_all = after.trim().is_empty() || rest.trim_start().starts_with(':');
    WORDS.iter().any(|known| name.eq_ignore_ascii_case(known)) && (value.is_some() || is_all)
}

/// Reads the words of a comment into what they are about. Returns whether one of them is about a statement.
pub(super) fn read(
    words: &str,
    names: &mut Names,
    command: &mut CommandExtras,
    script: &mut ScriptExtras,
) -> Result<bool, ScriptErrorCode> {
    let mut of_statement = false;
    let mut rest = words.trim();
    while !rest.is_empty() {
        let (name, value, after) = word(rest);
        let wrong =
            || ScriptErrorCode::ExtraValue { name: name.to_owned(), value: value.unwrap_or_default().to_owned() };
        let agrees = match (name, value) {
            ("name", Some(value)) if !value.is_empty() => set(&mut command.name, value.to_owned()),
            ("prepare", None) => set(&mut command.prepare, true),
            ("text", None) => set(&mut command.prepare, false),
            ("retry", Some(value)) => set(&mut script.retry, value.parse().map_err(|_| wrong())?),
            ("expect", Some(value)) => {
                command.expect.push(expectation(value, names).ok_or_else(wrong)?);
                true
            }
            ("idle", Some(value)) => set(&mut command.idle, duration(value).ok_or_else(wrong)?),
            (name, _) if WORDS.contains(&name) => return Err(wrong()),
            _ => return Err(ScriptErrorCode::UnknownExtra(name.to_owned())),
        };
        if !agrees {
            return Err(ScriptErrorCode::ExtraContradicts(name.to_owned()));
        }
        of_statement |= name != "retry";
        rest = after.trim_start();
    }
    Ok(of_statement)
}

/// Sets what a word says, unless one before it has said something else.
fn set<T: PartialEq>(place: &mut Option<T>, value: T) -> bool {
    let agrees = place.as_ref().is_none_or(|before| *before == value);
    *place = Some(value);
    agrees
}

/// The first word, its value (which may be in double quotes) and what follows.
fn word(text: &str) -> (&str, Option<&str>, &str) {
    let end = text.find(|c: char| c == '=' || c.is_whitespace()).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let Some(value) = rest.strip_prefix('=') else { return (name, None, rest) };
    if let Some((value, after)) = value.strip_prefix('"').and_then(|quoted| quoted.split_once('"')) {
        return (name, Some(value), after);
    }
    let end = value.find(char::is_whitespace).unwrap_or(value.len());
    let (value, after) = value.split_at(end);
    (name, Some(value), after)
}

fn expectation(text: &str, names: &mut Names) -> Option<Expectation> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_alphabetic())?;
    let subject = match &text[..end] {
        "rows" => Subject::Rows,
        "value" => Subject::Value,
        _ => return None,
    };
    let rest = text[end..].trim_start();
    let (symbol, comparison) = COMPARISONS.iter().find(|(symbol, _)| rest.starts_with(symbol))?;
    // Nothing is equal to NULL, or is not.
    let expression = Expression::parse(&rest[symbol.len()..], names)
        .ok()
        .filter(|expression| *expression != Expression::Constant(Value::Null))?;
    Some(Expectation { subject, comparison: *comparison, expression, text: text.to_owned() })
}

fn duration(text: &str) -> Option<Duration> {
    let end = text.find(|c: char| !c.is_ascii_digit())?;
    let number: u64 = text[..end].parse().ok()?;
    match &text[end..] {
        "us" => Some(Duration::from_micros(number)),
        "ms" => Some(Duration::from_millis(number)),
        "s" => Some(Duration::from_secs(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::language::{Dialect, Names, Script, ScriptErrorCode};

    /// What it says would be passed over: checks that are never made.
    #[test]
    fn a_comment_that_is_meant_for_tenbin_begins_with_its_mark_to_the_letter() {
        let read = |text: &str| {
            let script = Script::parse("x.sql", text.as_bytes(), Dialect::Mysql, &mut Names::default());
            script.map_err(|error| error.code)
        };
        for comment in [
            "/* tenbin: expect=\"rows = 5\" */",
            "-- Tenbin: expect=\"rows = 5\"",
            "-- tenbin expect=\"rows = 5\"",
            "-- tenbin : text",
            "# TENBIN: prepare",
            "/* tenbin retry=3 */",
            "-- tenbin: EXPECT=\"rows = 5\"",
            "-- tenbin: expect=\"value = null\"",
        ] {
            assert!(read(&format!("{comment}\nSELECT 1;")).is_err(), "{comment}");
            assert!(read(&format!("SELECT 1 {comment}\n;")).is_err(), "{comment}");
        }
        assert_eq!(read("/* tenbin: text */ SELECT 1;"), Err(ScriptErrorCode::ExtraMark));
        for (text, word) in [
            ("-- tenbin: prepare text\nSELECT 1;", "text"),
            ("-- tenbin: text\nSELECT 1; -- tenbin: prepare", "prepare"),
            ("-- tenbin: name=a\n-- tenbin: name=b\nSELECT 1;", "name"),
            ("-- tenbin: idle=5ms\nSELECT 1; -- tenbin: idle=6ms", "idle"),
            ("-- tenbin: retry=3\nSELECT 1;\n-- tenbin: retry=4\nSELECT 2;", "retry"),
        ] {
            assert_eq!(read(text), Err(ScriptErrorCode::ExtraContradicts(word.to_owned())), "{text}");
        }
        assert!(read("-- tenbin: text retry=3\nSELECT 1;\n-- tenbin: prepare retry=3\nSELECT 2;").is_ok());
        for comment in [
            "-- tenbin: expect=\"rows = 5\"",
            "-- Tenbin names its tables",
            "/* tenbin text mode is used below */",
            "-- tenbin: retry=3",
            "-- tenbin-5: text",
            "-- for tenbin: text",
            "-- tenbin",
        ] {
            assert!(read(&format!("{comment}\nSELECT 1;")).is_ok(), "{comment}");
        }
    }
}
