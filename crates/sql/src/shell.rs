//! `\shell` and `\setshell`: commands of the shell, only where the load permits them.

use crate::language::{Argument, Command, CommandKind, EvalError, Machine, Names, Value};
use crate::told;
use std::process::Stdio;
use tenbin_driver::{Class, Error};
use tenbin_words::message::foreign;
use tenbin_words::msg;

/// Executes such a command, and waits for it.
pub(crate) fn run(script: &str, command: &Command, machine: &mut Machine, names: &Names) -> Result<(), Error> {
    let (arguments, slot) = match &command.kind {
        CommandKind::Shell { arguments } => (arguments, None),
        CommandKind::SetShell { slot, valid: false, .. } => {
            let error = EvalError::InvalidName { command: "setshell", name: names.name(*slot).to_owned() };
            return Err(told::failure(script, command.line, &error));
        }
        CommandKind::SetShell { slot, arguments, .. } => (arguments, Some(*slot)),
        _ => return Ok(()),
    };
    let text = text(arguments, machine, names).map_err(|error| told::failure(script, command.line, &error))?;
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", text.as_str()]).stdin(Stdio::null()).stdout(if slot.is_some() {
        Stdio::piped()
    } else {
        Stdio::null()
    });
    let refused =
        |error: std::io::Error| Error::new(Class::Sql, msg!("command-failed", command = text)).advice(foreign(error));
    let Some(slot) = slot else {
        let status = shell.status().map_err(refused)?;
        return match status.success() {
            true => Ok(()),
            false => Err(Error::new(Class::Sql, msg!("command-failed", command = text))),
        };
    };
    let printed = tenbin_intake::output(&mut shell, 1 << 16).map_err(refused)?;
    let printed = String::from_utf8_lossy(&printed.stdout).trim().to_owned();
    match printed.parse() {
        Ok(value) => {
            machine.variables.set(slot, Value::Int(value));
            Ok(())
        }
        Err(_) => Err(Error::new(Class::Sql, msg!("sql-shell-no-number", command = text, printed))),
    }
}

/// The words of the command with spaces between them, and values in place of variables.
fn text(arguments: &[Argument], machine: &Machine, names: &Names) -> Result<String, EvalError> {
    let mut words = Vec::new();
    for argument in arguments {
        words.push(argument.text(&machine.variables, names, "shell")?);
    }
    Ok(String::from_utf8_lossy(&words.join(&b' ')).into_owned())
}
