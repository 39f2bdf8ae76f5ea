//! The commands of a script: statements and backslash commands.

use super::error::EvalError;
use super::expression::Expression;
use super::extras::CommandExtras;
use super::names::{Names, Slot, Variables};
use super::number;
use super::template::SqlCommand;
use std::time::Duration;

/// A statement or a backslash command.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// The line on which it starts, from 1.
    pub line: u32,
    /// Its first line, as it is shown in reports.
    pub first_line: String,
    /// What it is.
    pub kind: CommandKind,
    /// What comments say about it.
    pub extras: CommandExtras,
}

/// What a command does.
#[derive(Debug, Clone, PartialEq)]
pub enum CommandKind {
    /// Sends a statement, or several in one text.
    Sql(SqlCommand),
    /// `\set name expression`
    Set {
        /// The variable.
        slot: Slot,
        /// Whether its name may be that of a variable: if not, the command fails when it is executed.
        valid: bool,
        /// Its value.
        expression: Expression,
    },
    /// `\setshell name command`: the whole number that a command of the shell prints.
    SetShell {
        /// The variable.
        slot: Slot,
        /// As for [`CommandKind::Set`].
        valid: bool,
        /// The command, to be joined by spaces.
        arguments: Vec<Argument>,
    },
    /// `\shell command`
    Shell {
        /// The command, to be joined by spaces.
        arguments: Vec<Argument>,
    },
    /// `\sleep time unit`
    Sleep {
        /// How long.
        amount: Argument,
        /// In which unit.
        unit: SleepUnit,
    },
    /// `\if`
    If(Expression),
    /// `\elif`
    Elif(Expression),
    /// `\else`
    Else,
    /// `\endif`
    EndIf,
    /// `\startpipeline`
    StartPipeline,
    /// `\syncpipeline`
    SyncPipeline,
    /// `\endpipeline`
    EndPipeline,
}

impl Command {
    /// The statement, if it is one.
    pub fn sql(&self) -> Option<&SqlCommand> {
        match &self.kind {
            CommandKind::Sql(sql) => Some(sql),
            _ => None,
        }
    }
}

/// An argument of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// A text.
    Text(String),
    /// The value of a variable.
    Variable(Slot),
}

/// The unit of `\sleep`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is what its name says")]
pub enum SleepUnit {
    Microseconds,
    Milliseconds,
    Seconds,
}

impl Argument {
    pub(super) fn new(word: &str, names: &mut Names) -> Argument {
        match word.strip_prefix(':') {
            // Two colons are one.
            Some(text) if text.starts_with(':') => Argument::Text(text.to_owned()),
            Some(name) => Argument::Variable(names.slot(name)),
            None => Argument::Text(word.to_owned()),
        }
    }

    /// Its text.
    pub fn text(&self, variables: &Variables, names: &Names, command: &'static str) -> Result<Vec<u8>, EvalError> {
        match self {
            Argument::Text(text) => Ok(super::bytes::bytes(text)),
            Argument::Variable(slot) => {
                let mut out = Vec::new();
                let name = || names.name(*slot).to_owned();
                let is_set = variables.write(*slot, &mut out);
                if is_set { Ok(out) } else { Err(EvalError::UndefinedArgument { command, name: name() }) }
            }
        }
    }

    /// The time of a `\sleep`.
    pub(super) fn time(&self, unit: SleepUnit, variables: &Variables, names: &Names) -> Result<Duration, EvalError> {
        let text = self.text(variables, names, "sleep")?;
        let name = match self {
            Argument::Text(text) => text.clone(),
            Argument::Variable(slot) => names.name(*slot).to_owned(),
        };
        let wrong = || EvalError::SleepTime { name, text: String::from_utf8_lossy(&text).into_owned() };
        let number = number::beginning(&text);
        if number == 0 && !text.first().is_some_and(u8::is_ascii_digit) {
            return Err(wrong());
        }
        let number = u64::try_from(number).unwrap_or(0);
        Ok(match unit {
            SleepUnit::Microseconds => Duration::from_micros(number),
            SleepUnit::Milliseconds => Duration::from_millis(number),
            SleepUnit::Seconds => Duration::from_secs(number),
        })
    }
}
