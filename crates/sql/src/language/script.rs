//! A script: its statements and backslash commands in a list.

use super::command::{Command, CommandKind};
use super::error::{ScriptError, ScriptErrorCode};
use super::extras::{self, CommandExtras, ScriptExtras};
use super::lexer::{End, Lexer, Scanned};
use super::meta::{self, Meta};
use super::names::Names;
use super::template::SqlCommand;
use tenbin_workload::tables::dialect::Dialect;

/// A script.
#[derive(Debug, Clone, PartialEq)]
pub struct Script {
    /// Its name in messages.
    pub name: String,
    /// What a client does in a transaction, in order.
    pub commands: Vec<Command>,
    /// What comments say about the transaction.
    pub extras: ScriptExtras,
}

impl Script {
    /// Parses a script. `name` is used in messages; `names` gets the variables that it mentions.
    pub fn parse(name: &str, text: &[u8], dialect: Dialect, names: &mut Names) -> Result<Script, ScriptError> {
        let mut parser = Parser {
            script: Script { name: name.to_owned(), commands: Vec::new(), extras: ScriptExtras::default() },
            lexer: Lexer::new(text, dialect),
            names,
            next: (CommandExtras::default(), None),
        };
        loop {
            let scanned = parser.lexer.statement();
            let end = scanned.end;
            parser.statement(scanned)?;
            match end {
                End::Delimiter => {}
                End::Backslash => parser.backslash()?,
                End::Text => break,
            }
        }
        let Parser { script, next, .. } = parser;
        if let (_, Some((line, word))) = next {
            return Err(script.error(ScriptErrorCode::ExtraWithoutStatement(word), line));
        }
        if script.commands.is_empty() {
            return Err(script.error(ScriptErrorCode::Empty, 0));
        }
        script.check_conditions()?;
        Ok(script)
    }

    fn error(&self, code: ScriptErrorCode, line: u32) -> ScriptError {
        ScriptError { code, script: self.name.clone(), line, source: String::new(), column: None, command: None }
    }

    /// Every `\if` has its end, and every part of one its beginning.
    fn check_conditions(&self) -> Result<(), ScriptError> {
        let mut open: Vec<bool> = Vec::new();
        let wrong = |text, at: usize| Err(self.error(ScriptErrorCode::Condition(text), at as u32 + 1));
        for (at, command) in self.commands.iter().enumerate() {
            match (&command.kind, open.last().copied()) {
                (CommandKind::If(_), _) => open.push(false),
                (CommandKind::Elif(_), None) => return wrong("\\elif without matching \\if", at),
                (CommandKind::Elif(_), Some(true)) => return wrong("\\elif after \\else", at),
                (CommandKind::Else, None) => return wrong("\\else without matching \\if", at),
                (CommandKind::Else, Some(true)) => return wrong("\\else after \\else", at),
                (CommandKind::Else, Some(false)) => {
                    open.pop();
                    open.push(true);
                }
                (CommandKind::EndIf, None) => return wrong("\\endif without matching \\if", at),
                (CommandKind::EndIf, Some(_)) => {
                    open.pop();
                }
                _ => {}
            }
        }
        if open.is_empty() { Ok(()) } else { wrong("\\if without matching \\endif", self.commands.len()) }
    }
}

struct Parser<'a> {
    script: Script,
    lexer: Lexer<'a>,
    names: &'a mut Names,
    /// What comments say about the next statement, and the first word of it with its line.
    next: (CommandExtras, Option<(u32, String)>),
}

impl Parser<'_> {
    fn statement(&mut self, scanned: Scanned) -> Result<(), ScriptError> {
        for (comment, line, follows) in &scanned.comments {
            self.comment(comment, *line, *follows)?;
        }
        if scanned.text.trim_ascii().is_empty() {
            return Ok(());
        }
        let mut sql = SqlCommand::new(scanned.text, scanned.opaque, scanned.joints, self.names);
        (sql.open, sql.executable) = (scanned.open, scanned.executable);
        let (extras, _) = std::mem::take(&mut self.next);
        let first_line = sql.first_line();
        self.script.commands.push(Command { line: scanned.line, first_line, kind: CommandKind::Sql(sql), extras });
        Ok(())
    }

    /// A comment, which belongs to the statement before if it follows it on its line.
    fn comment(&mut self, comment: &[u8], line: u32, follows: bool) -> Result<(), ScriptError> {
        if extras::is_misspelt(comment) {
            let error = self.script.error(ScriptErrorCode::ExtraMark, line);
            return Err(ScriptError { source: super::bytes::shown_bytes(comment), ..error });
        }
        let Some(words) = extras::of_comment(comment) else { return Ok(()) };
        let words = String::from_utf8_lossy(words);
        let Script { commands, extras, .. } = &mut self.script;
        let before = commands.last_mut().filter(|command| follows && command.sql().is_some());
        let belongs_before = before.is_some();
        let target = before.map_or(&mut self.next.0, |command| &mut command.extras);
        match extras::read(&words, self.names, target, extras) {
            Ok(true) if !belongs_before => {
                self.next.1.get_or_insert_with(|| (line, words.trim().to_owned()));
                Ok(())
            }
            Ok(_) => Ok(()),
            Err(code) => {
                Err(ScriptError { source: super::bytes::shown_bytes(comment), ..self.script.error(code, line) })
            }
        }
    }

    fn backslash(&mut self) -> Result<(), ScriptError> {
        let (text, line) = self.lexer.backslash();
        let text = &*super::bytes::text(text);
        let name = meta::name(text);
        let meta = meta::parse(text, self.names).map_err(|(code, column)| ScriptError {
            // As in pgbench, nothing is shown of a command without anything to set.
            source: match code == ScriptErrorCode::MissingArgument && name.eq_ignore_ascii_case("set") {
                true => String::new(),
                false => text.to_owned(),
            },
            column,
            command: Some(name.clone()),
            ..self.script.error(code, line)
        })?;
        match meta {
            Meta::Nothing => {}
            Meta::Command(kind) => {
                let first_line = super::bytes::shown(text.lines().next().unwrap_or_default()).into_owned();
                self.script.commands.push(Command { line, first_line, kind, extras: CommandExtras::default() });
            }
            Meta::Store(store) => match self.script.commands.last_mut() {
                Some(Command { kind: CommandKind::Sql(sql), .. }) if sql.store.is_none() => sql.store = Some(store),
                before => {
                    let before = before.filter(|command| command.sql().is_none());
                    let before = before.map(|command| command.first_line.clone());
                    let error = self.script.error(ScriptErrorCode::NothingToStore(before), line);
                    return Err(ScriptError { command: Some(name), ..error });
                }
            },
        }
        Ok(())
    }
}
