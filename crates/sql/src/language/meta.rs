//! Backslash commands: their words and what they mean.

use super::command::{Argument, CommandKind, SleepUnit};
use super::error::ScriptErrorCode;
use super::expression::Expression;
use super::names::{Names, is_name};
use super::number::{self, Whole};
use super::template::Store;

/// What a backslash command is.
#[derive(Debug)]
pub(super) enum Meta {
    /// A command of its own.
    Command(CommandKind),
    /// One that belongs to the statement before.
    Store(Store),
    /// A backslash alone, which is passed over.
    Nothing,
}

/// A mistake in a command, with its place in the text.
pub(super) type Mistake = (ScriptErrorCode, Option<usize>);

/// The words of a command, with their places. A backslash at the end of a line is white space.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let continues = c == '\\' && (text[at + 1..].starts_with('\n') || text[at + 1..].starts_with("\r\n"));
        let space = c.is_ascii_whitespace() || c == '\u{b}' || continues;
        match (space, start) {
            (true, Some(from)) => {
                words.push((from, &text[from..at]));
                start = None;
            }
            (false, None) => start = Some(at),
            _ => {}
        }
    }
    if let Some(from) = start {
        words.push((from, &text[from..]));
    }
    words
}

/// The name of the command in a text that begins with its backslash, from which white space may separate it.
pub(super) fn name(text: &str) -> String {
    words(&text[1..]).first().map_or("", |(_, word)| *word).to_owned()
}

/// Reads a command.
pub(super) fn parse(text: &str, names: &mut Names) -> Result<Meta, Mistake> {
    let mut words = words(&text[1..]);
    words.iter_mut().for_each(|(at, _)| *at += 1);
    if words.is_empty() {
        return Ok(Meta::Nothing);
    }
    let (at, name) = words.remove(0);
    let behind = at + name.len();
    let no_more = |most: usize, code: ScriptErrorCode| -> Result<(), Mistake> {
        words.get(most).map_or(Ok(()), |(at, _)| {
            let position = (code != ScriptErrorCode::UnexpectedArgument).then_some(*at);
            Err((code, position))
        })
    };
    let too_many = |most: usize| -> Result<(), Mistake> {
        words.get(most).map_or(Ok(()), |_| Err((ScriptErrorCode::TooManyArguments, None)))
    };
    let at_least = |least: usize| -> Result<(), Mistake> {
        if words.len() < least { Err((ScriptErrorCode::MissingArgument, None)) } else { Ok(()) }
    };
    let plain = |kind: CommandKind| no_more(0, ScriptErrorCode::UnexpectedArgument).map(|()| kind);
    let kind = match &*name.to_ascii_lowercase() {
        "set" => {
            at_least(1)?;
            let (at, word) = words[0];
            let expression = expression(text, at + word.len(), names)?;
            CommandKind::Set { slot: names.slot(word), valid: is_name(word.as_bytes()), expression }
        }
        "if" => CommandKind::If(expression(text, behind, names)?),
        "elif" => CommandKind::Elif(expression(text, behind, names)?),
        "else" => plain(CommandKind::Else)?,
        "endif" => plain(CommandKind::EndIf)?,
        "startpipeline" => plain(CommandKind::StartPipeline)?,
        "syncpipeline" => plain(CommandKind::SyncPipeline)?,
        "endpipeline" => plain(CommandKind::EndPipeline)?,
        "sleep" => {
            at_least(1)?;
            no_more(2, ScriptErrorCode::TooManyArguments)?;
            sleep(&words, names)?
        }
        "shell" => {
            at_least(1)?;
            CommandKind::Shell { arguments: words.iter().map(|(_, word)| Argument::new(word, names)).collect() }
        }
        "setshell" => {
            at_least(2)?;
            let (_, word) = words[0];
            let arguments = words[1..].iter().map(|(_, word)| Argument::new(word, names)).collect();
            CommandKind::SetShell { slot: names.slot(word), valid: is_name(word.as_bytes()), arguments }
        }
        "gset" | "aset" => {
            too_many(1)?;
            let prefix = words.first().map_or("", |(_, word)| *word).to_owned();
            return Ok(Meta::Store(Store { prefix, every: name.eq_ignore_ascii_case("aset") }));
        }
        _ => return Err((ScriptErrorCode::UnknownCommand, None)),
    };
    Ok(Meta::Command(kind))
}

fn expression(text: &str, from: usize, names: &mut Names) -> Result<Expression, Mistake> {
    Expression::parse(&text[from..], names).map_err(|(code, at)| (code, Some((from + at).min(text.len()))))
}

fn sleep(words: &[(usize, &str)], names: &mut Names) -> Result<CommandKind, Mistake> {
    let (at, word) = words[0];
    // A unit may stand directly after the number.
    let digits = word.trim_start_matches(['+', '-']).trim_start_matches(|c: char| c.is_ascii_digit());
    let number = &word[..word.len() - digits.len()];
    let glued = words.len() == 1 && !digits.is_empty() && number.ends_with(|c: char| c.is_ascii_digit());
    let (time, unit, unit_at) = match words.get(1) {
        Some((at, unit)) => (word, *unit, *at),
        None if glued => (number, digits, at + number.len()),
        None => (word, "s", at),
    };
    let amount = Argument::new(time, names);
    if let Argument::Text(text) = &amount
        && !matches!(number::whole(text.as_bytes()), Whole::Int(_))
    {
        return Err((ScriptErrorCode::SleepTime(text.clone()), Some(at)));
    }
    let unit = match &*unit.to_ascii_lowercase() {
        "us" => SleepUnit::Microseconds,
        "ms" => SleepUnit::Milliseconds,
        "s" => SleepUnit::Seconds,
        _ => return Err((ScriptErrorCode::SleepUnit(unit.to_owned()), Some(unit_at))),
    };
    Ok(CommandKind::Sleep { amount, unit })
}
