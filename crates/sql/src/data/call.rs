//! How generators are written: a name and arguments in parentheses, which may be left out: `name`, `ref("account.id", zipfian(1.2))`.

use tenbin_words::message::Message;
use tenbin_words::msg;

/// A call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Argument>,
}

/// One of its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Argument {
    /// A number as it is written.
    Number(String),
    Text(String),
    Call(Call),
}

/// The most levels of calls within calls.
const DEEPEST: usize = 8;

impl Call {
    /// Reads a whole text.
    pub(crate) fn parse(text: &str) -> Result<Call, Message> {
        let mut rest = text.trim();
        let call = call(&mut rest, 0)?;
        if rest.trim().is_empty() { Ok(call) } else { Err(msg!("sql-call-wrong", text)) }
    }

    /// Reads the call with which a text begins, and returns the rest.
    pub(crate) fn beginning(text: &str) -> Result<(Call, &str), Message> {
        let mut rest = text.trim_start();
        let call = call(&mut rest, 0)?;
        Ok((call, rest))
    }

    fn wrong(&self, at: usize) -> Message {
        msg!("sql-argument-wrong", name = self.name, at = at + 1)
    }

    /// Fails if there are more arguments.
    pub(crate) fn at_most(&self, most: usize) -> Result<(), Message> {
        if self.arguments.len() > most { Err(msg!("sql-wrong-arguments", name = self.name)) } else { Ok(()) }
    }

    /// A whole number.
    pub(crate) fn whole(&self, at: usize) -> Result<i64, Message> {
        match self.arguments.get(at) {
            Some(Argument::Number(text)) => text.replace('_', "").parse().map_err(|_| self.wrong(at)),
            _ => Err(self.wrong(at)),
        }
    }

    /// The same, if it is given.
    pub(crate) fn whole_or(&self, at: usize, otherwise: i64) -> Result<i64, Message> {
        if at < self.arguments.len() { self.whole(at) } else { Ok(otherwise) }
    }

    /// A whole number from 0.
    pub(crate) fn count(&self, at: usize) -> Result<u64, Message> {
        u64::try_from(self.whole(at)?).map_err(|_| self.wrong(at))
    }

    /// The same, if it is given.
    pub(crate) fn count_or(&self, at: usize, otherwise: u64) -> Result<u64, Message> {
        if at < self.arguments.len() { self.count(at) } else { Ok(otherwise) }
    }

    /// A number, if it is given.
    pub(crate) fn number(&self, at: usize) -> Result<Option<f64>, Message> {
        match self.arguments.get(at) {
            None => Ok(None),
            Some(Argument::Number(text)) => {
                let value: f64 = text.replace('_', "").parse().map_err(|_| self.wrong(at))?;
                if value.is_finite() { Ok(Some(value)) } else { Err(self.wrong(at)) }
            }
            Some(_) => Err(self.wrong(at)),
        }
    }

    /// A number.
    pub(crate) fn number_of(&self, at: usize) -> Result<f64, Message> {
        self.number(at)?.ok_or_else(|| self.wrong(at))
    }

    /// A number from 0 to 1, if it is given.
    pub(crate) fn share_or(&self, at: usize, otherwise: f64) -> Result<f64, Message> {
        let share = self.number(at)?.unwrap_or(otherwise);
        if (0.0..=1.0).contains(&share) { Ok(share) } else { Err(self.wrong(at)) }
    }

    /// A text in quotes.
    pub(crate) fn text_of(&self, at: usize) -> Result<&str, Message> {
        match self.arguments.get(at) {
            Some(Argument::Text(text)) => Ok(text),
            _ => Err(self.wrong(at)),
        }
    }

    /// The same, if it is given.
    pub(crate) fn text_or<'a>(&'a self, at: usize, otherwise: &'a str) -> Result<&'a str, Message> {
        if at < self.arguments.len() { self.text_of(at) } else { Ok(otherwise) }
    }

    /// A text in quotes or a number as it is written.
    pub(crate) fn text(&self, at: usize) -> Result<String, Message> {
        match self.arguments.get(at) {
            Some(Argument::Text(text) | Argument::Number(text)) => Ok(text.clone()),
            _ => Err(self.wrong(at)),
        }
    }
}

fn call(rest: &mut &str, depth: usize) -> Result<Call, Message> {
    let wrong = |text: &str| msg!("sql-call-wrong", text);
    let name = word(rest);
    if name.is_empty() || depth > DEEPEST {
        return Err(wrong(rest));
    }
    let mut call = Call { name: name.to_ascii_lowercase(), arguments: Vec::new() };
    let Some(inner) = rest.trim_start().strip_prefix('(') else { return Ok(call) };
    *rest = inner.trim_start();
    loop {
        if let Some(after) = rest.strip_prefix(')') {
            *rest = after.trim_start();
            return Ok(call);
        }
        if !call.arguments.is_empty() {
            *rest = rest.strip_prefix(',').ok_or_else(|| wrong(rest))?.trim_start();
        }
        call.arguments.push(argument(rest, depth)?);
        *rest = rest.trim_start();
    }
}

fn argument(rest: &mut &str, depth: usize) -> Result<Argument, Message> {
    let wrong = |text: &str| msg!("sql-call-wrong", text);
    let Some(first) = rest.chars().next() else { return Err(wrong(rest)) };
    if first == '"' || first == '\'' {
        let (text, after) = rest[1..].split_once(first).ok_or_else(|| wrong(rest))?;
        *rest = after;
        return Ok(Argument::Text(text.to_owned()));
    }
    if first.is_ascii_digit() || ['-', '+', '.'].contains(&first) {
        let end = rest.find(|c: char| [',', ')'].contains(&c) || c.is_whitespace()).unwrap_or(rest.len());
        let (text, after) = rest.split_at(end);
        *rest = after;
        return Ok(Argument::Number(text.to_owned()));
    }
    call(rest, depth + 1).map(Argument::Call)
}

fn word<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    *rest = after;
    name
}
