//! Comments for Tenbin: `-- tenbin: name=pay prepare retry=3 expect="rows = 1" idle=5ms`. They say of the statement that follows, or that they are in,
//! what the language cannot, and the same file runs in pgbench. `retry` is about the transaction.

use super::error::ScriptErrorCode;
use super::expression::Expression;
use super::names::Names;
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
        match (name, value) {
            ("name", Some(value)) if !value.is_empty() => command.name = Some(value.to_owned()),
            ("prepare", None) => command.prepare = Some(true),
            ("text", None) => command.prepare = Some(false),
            ("retry", Some(value)) => script.retry = Some(value.parse().map_err(|_| wrong())?),
            ("expect", Some(value)) => command.expect.push(expectation(value, names).ok_or_else(wrong)?),
            ("idle", Some(value)) => command.idle = Some(duration(value).ok_or_else(wrong)?),
            ("name" | "prepare" | "text" | "retry" | "expect" | "idle", _) => return Err(wrong()),
            _ => return Err(ScriptErrorCode::UnknownExtra(name.to_owned())),
        }
        of_statement |= name != "retry";
        rest = after.trim_start();
    }
    Ok(of_statement)
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
    let expression = Expression::parse(&rest[symbol.len()..], names).ok()?;
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
