//! `\shell` and `\setshell`: commands of the shell, and what the number is that one prints. Errors are pgbench's, which begin with the command's first word.

use std::ffi::OsString;
use std::io::Read;
use std::os::unix::ffi::OsStringExt;
use std::process::{Command, Stdio};
use tenbin_sql::language::{Argument, CommandKind, Machine, Names, Value, is_name};

/// The most of what a command prints that is read: the beginning of its first line.
const MOST_READ: u64 = 255;

/// Executes such a command, and waits for it.
pub(crate) fn run(command: &CommandKind, machine: &mut Machine, names: &Names) -> Result<(), String> {
    let (arguments, target) = match command {
        CommandKind::Shell { arguments } => (arguments, None),
        CommandKind::SetShell { slot, arguments, .. } => (arguments, Some(*slot)),
        _ => return Ok(()),
    };
    let name = arguments.first().map_or_else(String::new, |first| written(first, names));
    let line = line(&name, arguments, machine, names)?;
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(&line);
    let Some(slot) = target else {
        let run = shell.status().is_ok_and(|status| status.success());
        return if run { Ok(()) } else { Err(format!("{name}: could not launch shell command")) };
    };
    let printed = first_line(&mut shell).map_err(|_| format!("{name}: could not launch shell command"))?;
    if printed.is_empty() {
        return Err(format!("{name}: could not read result of shell command"));
    }
    let text = String::from_utf8_lossy(&printed);
    let value =
        number(&text).ok_or_else(|| format!("{name}: shell command must return an integer (not \"{text}\")"))?;
    let variable = names.name(slot);
    if !is_name(variable.as_bytes()) {
        return Err(format!("setshell: invalid variable name: \"{variable}\""));
    }
    machine.variables.set(slot, Value::Int(value.into()));
    Ok(())
}

/// An argument as it stands in the script.
fn written(argument: &Argument, names: &Names) -> String {
    match argument {
        Argument::Text(text) => text.clone(),
        Argument::Variable(slot) => format!(":{}", names.name(*slot)),
    }
}

/// The words of a command, joined.
fn line(name: &str, arguments: &[Argument], machine: &Machine, names: &Names) -> Result<OsString, String> {
    let mut words = Vec::new();
    for argument in arguments {
        let text = argument.text(&machine.variables, names, "shell");
        words.push(text.map_err(|_| format!("{name}: undefined variable \"{}\"", written(argument, names)))?);
    }
    Ok(OsString::from_vec(words.join(&b' ')))
}

/// The first line that a command prints, with its end; what it says beside that goes where ours goes.
fn first_line(shell: &mut Command) -> std::io::Result<Vec<u8>> {
    let mut child = shell.stdout(Stdio::piped()).spawn()?;
    let read = child.stdout.take().map(|out| tenbin_intake::bytes(out.take(MOST_READ), MOST_READ));
    child.wait()?;
    let mut line = read.unwrap_or(Ok(Vec::new()))?;
    if let Some(end) = line.iter().position(|byte| *byte == b'\n') {
        line.truncate(end + 1);
    }
    Ok(line)
}

/// A line as C's `strtol` reads it into an `int`, with white space around it: a line without anything is 0, and what is too large loses its upper half.
fn number(text: &str) -> Option<i32> {
    let inner = text.trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}');
    if inner.is_empty() {
        return Some(0);
    }
    let digits = inner.strip_prefix(['+', '-']).unwrap_or(inner);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let most = if inner.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(inner.parse().unwrap_or(most) as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_command_prints_is_a_number_as_c_reads_it() {
        for (text, value) in [
            ("42\n", Some(42)),
            (" -7 \n", Some(-7)),
            ("\n", Some(0)),
            ("99999999999\n", Some(1_215_752_191)),
            ("99999999999999999999", Some(-1)),
            ("-99999999999999999999", Some(0)),
            ("foo\n", None),
            ("1 2\n", None),
            ("-\n", None),
        ] {
            assert_eq!(number(text), value, "{text}");
        }
    }
}
