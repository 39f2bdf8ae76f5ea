//! Executes the commands of a script for one client, one per step. What needs a connection, a clock or a process is returned to the caller.

use super::command::CommandKind;
use super::error::EvalError;
use super::evaluate::{DebugValue, Evaluation};
use super::expression::Expression;
use super::names::{Names, Variables};
use super::random::Generator;
use super::script::Script;
use super::template::Store;
use super::value::Value;
use std::time::Duration;

/// What a client has to do next; the number is the index of the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptStep {
    /// Nothing: a command was executed that needs nothing but the machine (`\set`, `\if`, …).
    Meta(usize),
    /// Send a statement.
    Sql(usize),
    /// Wait.
    Sleep(usize, Duration),
    /// Execute a command of the shell.
    Shell(usize),
    /// The same, and set a variable to what it prints.
    SetShell(usize),
    /// Send the statements that follow without waiting for replies.
    StartPipeline(usize),
    /// Mark a point that the server replies to, and go on without waiting.
    SyncPipeline(usize),
    /// Read all replies.
    EndPipeline(usize),
    /// The script is at its end.
    End,
}

/// Where an `\if` is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Branch {
    /// In a branch that is executed.
    Active,
    /// Before the first branch that is executed.
    Waiting,
    /// After it, or all of it is skipped.
    Done,
}

/// One client in the middle of a script.
#[derive(Debug)]
pub struct Machine {
    /// Its variables.
    pub variables: Variables,
    /// Where the random numbers of its functions come from.
    pub random: Generator,
    /// What `debug()` was called with since the caller took it away.
    pub debug: Vec<DebugValue>,
    next: usize,
    branches: Vec<Branch>,
}

/// The state with which a transaction began.
#[derive(Debug, Clone)]
pub struct Saved {
    variables: Variables,
    random: Generator,
}

impl Machine {
    /// A client with these variables.
    pub fn new(variables: Variables, random: Generator) -> Machine {
        Machine { variables, random, debug: Vec::new(), next: 0, branches: Vec::new() }
    }

    /// Goes to the beginning of a script.
    #[inline]
    pub fn begin(&mut self) {
        self.next = 0;
        self.branches.clear();
    }

    /// The index of the command that was executed last.
    pub fn last(&self) -> usize {
        self.next.saturating_sub(1)
    }

    /// Its state, for [`Self::restore`] before the transaction is tried again.
    pub fn save(&self) -> Saved {
        Saved { variables: self.variables.clone(), random: self.random.clone() }
    }

    /// [`Self::save`] into memory that is used again.
    pub fn save_into(&self, saved: &mut Saved) {
        saved.variables.clone_from(&self.variables);
        saved.random.clone_from(&self.random);
    }

    /// Goes back to a state.
    pub fn restore(&mut self, saved: &Saved) {
        self.variables.clone_from(&saved.variables);
        self.random.clone_from(&saved.random);
    }

    /// Executes the next command, or says what has to be done for it. Commands of branches that are not taken are passed over.
    #[inline]
    pub fn step(&mut self, script: &Script, names: &Names) -> Result<ScriptStep, EvalError> {
        while let Some(command) = script.commands.get(self.next) {
            let at = self.next;
            self.next += 1;
            let active = self.is_active();
            if let Some(holds) = self.condition(&command.kind, active, at, names)? {
                if holds {
                    return Ok(ScriptStep::Meta(at));
                }
                continue;
            }
            if !active {
                continue;
            }
            return match &command.kind {
                CommandKind::Sql(_) => Ok(ScriptStep::Sql(at)),
                CommandKind::Set { slot, valid, expression } => {
                    let value = self.value(expression, at, names)?;
                    if !valid {
                        let name = names.name(*slot).to_owned();
                        return Err(EvalError::InvalidName { command: "set", name });
                    }
                    self.variables.set(*slot, value);
                    Ok(ScriptStep::Meta(at))
                }
                CommandKind::Sleep { amount, unit } => {
                    Ok(ScriptStep::Sleep(at, amount.time(*unit, &self.variables, names)?))
                }
                CommandKind::Shell { .. } => Ok(ScriptStep::Shell(at)),
                CommandKind::SetShell { .. } => Ok(ScriptStep::SetShell(at)),
                CommandKind::StartPipeline => Ok(ScriptStep::StartPipeline(at)),
                CommandKind::SyncPipeline => Ok(ScriptStep::SyncPipeline(at)),
                CommandKind::EndPipeline => Ok(ScriptStep::EndPipeline(at)),
                CommandKind::If(_) | CommandKind::Elif(_) | CommandKind::Else | CommandKind::EndIf => continue,
            };
        }
        Ok(ScriptStep::End)
    }

    fn is_active(&self) -> bool {
        self.branches.last().is_none_or(|branch| *branch == Branch::Active)
    }

    /// Follows the parts of an `\if`; `None` if the command is not one of them. Whether it was executed, not passed over.
    fn condition(
        &mut self,
        kind: &CommandKind,
        active: bool,
        at: usize,
        names: &Names,
    ) -> Result<Option<bool>, EvalError> {
        let top = self.branches.last().copied();
        let next = match kind {
            CommandKind::If(_) if !active => Branch::Done,
            CommandKind::If(expression) => self.decide(expression, at, names)?,
            CommandKind::Elif(expression) if top == Some(Branch::Waiting) => self.decide(expression, at, names)?,
            CommandKind::Else if top == Some(Branch::Waiting) => Branch::Active,
            CommandKind::Elif(_) | CommandKind::Else => Branch::Done,
            CommandKind::EndIf => {
                self.branches.pop();
                return Ok(Some(self.is_active()));
            }
            _ => return Ok(None),
        };
        if !matches!(kind, CommandKind::If(_)) {
            self.branches.pop();
        }
        self.branches.push(next);
        Ok(Some(active || top == Some(Branch::Waiting) && !matches!(kind, CommandKind::If(_))))
    }

    fn decide(&mut self, expression: &Expression, at: usize, names: &Names) -> Result<Branch, EvalError> {
        Ok(if self.value(expression, at, names)?.is_true() { Branch::Active } else { Branch::Waiting })
    }

    /// The value of an expression of command `at`.
    #[inline]
    pub fn value(&mut self, expression: &Expression, at: usize, names: &Names) -> Result<Value, EvalError> {
        let Machine { variables, random, debug, .. } = self;
        Evaluation { variables, names, random, debug, command: at + 1 }.value(expression)
    }

    /// Stores one row of a result as `\gset` and `\aset` do; NULL is an empty text.
    pub fn stored<'a>(
        &mut self,
        store: &Store,
        names: &Names,
        columns: impl Iterator<Item = (&'a str, Option<&'a [u8]>)>,
    ) -> Result<(), EvalError> {
        for (column, value) in columns {
            let name = format!("{}{column}", store.prefix);
            if !super::names::is_name(name.as_bytes()) {
                return Err(EvalError::InvalidName { command: store.command(), name });
            }
            // A variable that no script mentions is not needed.
            if let Some(slot) = names.find(&name) {
                self.variables.set_text(slot, value.unwrap_or_default());
            }
        }
        Ok(())
    }
}
