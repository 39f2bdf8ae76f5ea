//! Mistakes in scripts, and failures of their commands, in the words of the catalogue.

use crate::codes::COMMAND_FAILED;
use crate::language::{EvalError, ScriptError, ScriptErrorCode};
use tenbin_driver::{Class, Error};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A mistake in a script: where, what, the line with a mark under the place, and how to mend it.
pub(crate) fn mistake(error: &ScriptError) -> Problem {
    let (script, line) = (&error.script, error.line);
    let what = what(&error.code);
    let problem = Problem::new(match error.code {
        ScriptErrorCode::Empty | ScriptErrorCode::Condition(_) => msg!("sql-script-wrong", script, what),
        _ => msg!("sql-script-wrong-at-line", script, line, what),
    });
    let problem = match (&error.source, error.column) {
        (source, _) if source.is_empty() => problem,
        (source, None) => problem.evidence(foreign(source)),
        (source, Some(column)) => problem.evidence(foreign(marked(source, column))),
    };
    problem.hint(hint(&error.code))
}

/// The line that a place is in, and a mark under it.
fn marked(source: &str, column: usize) -> String {
    let before = &source.as_bytes()[..column.min(source.len())];
    let start = before.iter().rposition(|c| *c == b'\n').map_or(0, |at| at + 1);
    let line = source[start..].lines().next().unwrap_or_default();
    format!("{line}\n{}^", " ".repeat(column - start))
}

fn what(code: &ScriptErrorCode) -> Message {
    match code {
        ScriptErrorCode::Empty => msg!("sql-script-empty"),
        ScriptErrorCode::Syntax => msg!("sql-syntax"),
        ScriptErrorCode::UnexpectedCharacter(c) => msg!("sql-unexpected-character", character = c.to_string()),
        ScriptErrorCode::UnknownFunction(name) => msg!("sql-unknown-function", name),
        ScriptErrorCode::WrongArguments(name) => msg!("sql-wrong-arguments", name),
        ScriptErrorCode::NoArgument(name) => msg!("sql-no-argument", name),
        ScriptErrorCode::IntOverflow(text) | ScriptErrorCode::DoubleOverflow(text) => {
            msg!("sql-number-too-large", text)
        }
        ScriptErrorCode::TooDeep => msg!("sql-expression-too-deep"),
        ScriptErrorCode::UnknownCommand => msg!("sql-unknown-command"),
        ScriptErrorCode::MissingArgument => msg!("sql-missing-argument"),
        ScriptErrorCode::UnexpectedArgument | ScriptErrorCode::TooManyArguments => msg!("sql-too-many-arguments"),
        ScriptErrorCode::SleepTime(text) => msg!("sql-sleep-time", text),
        ScriptErrorCode::SleepUnit(text) => msg!("sql-sleep-unit", text),
        ScriptErrorCode::NothingToStore => msg!("sql-nothing-to-store"),
        ScriptErrorCode::Condition(text) => foreign(text),
        ScriptErrorCode::NotUtf8 => msg!("sql-command-not-utf-8"),
        ScriptErrorCode::TooManyParameters(most) => msg!("sql-too-many-parameters", most),
        ScriptErrorCode::UnknownExtra(name) => msg!("sql-unknown-word-in-comment", name),
        ScriptErrorCode::ExtraValue { name, value } => msg!("sql-wrong-value-in-comment", name, value),
        ScriptErrorCode::ExtraWithoutStatement(name) => msg!("sql-comment-without-statement", name),
    }
}

fn hint(code: &ScriptErrorCode) -> Message {
    match code {
        ScriptErrorCode::Empty => msg!("sql-write-a-statement"),
        ScriptErrorCode::UnknownFunction(_) => msg!("sql-use-function"),
        ScriptErrorCode::UnknownCommand => msg!("sql-use-command"),
        ScriptErrorCode::UnknownExtra(_)
        | ScriptErrorCode::ExtraValue { .. }
        | ScriptErrorCode::ExtraWithoutStatement(_) => {
            msg!("sql-comment-example")
        }
        _ => msg!("correct-line"),
    }
}

/// Why a command of a script could not be executed, as the error of its transaction.
pub(crate) fn failure(script: &str, line: u32, error: &EvalError) -> Error {
    Error::new(Class::Sql, msg!("sql-command-failed", script, line, why = why(error))).state(*COMMAND_FAILED)
}

/// The same as a problem, for a script that is looked at beforehand.
pub(crate) fn failure_beforehand(script: &str, line: u32, error: &EvalError) -> Problem {
    Problem::new(msg!("sql-command-failed", script, line, why = why(error))).hint(msg!("correct-line"))
}

fn why(error: &EvalError) -> Message {
    match error {
        EvalError::UndefinedVariable(name) | EvalError::UndefinedArgument { name, .. } => {
            msg!("sql-variable-without-value", name)
        }
        EvalError::MalformedVariable { name, text } => msg!("sql-variable-malformed", name, text),
        EvalError::DivisionByZero => msg!("sql-division-by-zero"),
        EvalError::EmptyRange => msg!("sql-empty-range"),
        EvalError::InvalidName { name, .. } => msg!("sql-invalid-name", name),
        // The words of pgbench, which are known from its manual.
        other => foreign(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Dialect, Names, Script};

    #[test]
    fn a_mistake_is_shown_with_its_place() {
        let told = |text: &str| {
            let error =
                Script::parse("pay.sql", text.as_bytes(), Dialect::Postgres, &mut Names::default()).unwrap_err();
            mistake(&error).to_string()
        };
        let place = told("select 1;\n\\set x \\\n foo(1)\n");
        assert!(place.contains("pay.sql, line 2: there is no function foo") && place.contains(" foo(1)"), "{place}");
        assert!(
            told("-- tenbin: expct=1\nselect 1;")
                .contains("pay.sql, line 1: the comment for Tenbin has the unknown word expct")
        );
        assert!(told("\\if true\nselect 1;").contains("\\if without matching \\endif"));
        assert!(told("").contains("it has no statement"));
    }
}
