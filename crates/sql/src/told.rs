//! Mistakes in scripts, and failures of their commands, in the words of the catalogue.

use crate::codes::{COMMAND_FAILED, EXPECTATION_FAILED};
use crate::language::{EvalError, ScriptError, ScriptErrorCode, shown};
use tenbin_driver::{Class, Error};
use tenbin_words::copied;
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
        (source, None) => problem.evidence(foreign(shown(source))),
        (source, Some(column)) => problem.evidence(foreign(marked(source, column))),
    };
    problem.hint(hint(&error.code))
}

/// The line that a place is in, and a mark under it.
fn marked(source: &str, column: usize) -> String {
    let before = &source[..source.floor_char_boundary(column)];
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = source[start..].lines().next().unwrap_or_default();
    let before = shown(&before[start..]).chars().count();
    format!("{}\n{}^", shown(line), " ".repeat(before))
}

fn what(code: &ScriptErrorCode) -> Message {
    match code {
        ScriptErrorCode::Empty => msg!("sql-script-empty"),
        ScriptErrorCode::Syntax => msg!("sql-syntax"),
        ScriptErrorCode::UnexpectedCharacter(c) => msg!("sql-unexpected-character", character = shown(&c.to_string())),
        ScriptErrorCode::UnknownFunction(name) => msg!("sql-unknown-function", name = shown(name)),
        ScriptErrorCode::WrongArguments(name) => msg!("sql-wrong-arguments", name = shown(name)),
        ScriptErrorCode::NoArgument(name) => msg!("sql-no-argument", name = shown(name)),
        ScriptErrorCode::IntOverflow(text) | ScriptErrorCode::DoubleOverflow(text) => {
            msg!("sql-number-too-large", text = shown(text))
        }
        ScriptErrorCode::TooDeep => msg!("sql-expression-too-deep"),
        ScriptErrorCode::UnknownCommand => msg!("sql-unknown-command"),
        ScriptErrorCode::MissingArgument => msg!("sql-missing-argument"),
        ScriptErrorCode::UnexpectedArgument | ScriptErrorCode::TooManyArguments => msg!("sql-too-many-arguments"),
        ScriptErrorCode::SleepTime(text) => msg!("sql-sleep-time", text = shown(text)),
        ScriptErrorCode::SleepUnit(text) => msg!("sql-sleep-unit", text = shown(text)),
        ScriptErrorCode::NothingToStore(_) => msg!("sql-nothing-to-store"),
        ScriptErrorCode::Condition(text) => foreign(shown(text)),
        ScriptErrorCode::TooManyParameters(most) => msg!("sql-too-many-parameters", most),
        ScriptErrorCode::TooManyCommands(commands, most) => msg!("sql-too-many-names", names = commands, most),
        ScriptErrorCode::ExtraMark => msg!("sql-comment-mark"),
        ScriptErrorCode::UnknownExtra(name) => msg!("sql-unknown-word-in-comment", name = shown(name)),
        ScriptErrorCode::ExtraValue { name, value } => {
            msg!("sql-wrong-value-in-comment", name = shown(name), value = shown(value))
        }
        ScriptErrorCode::ExtraContradicts(name) => msg!("sql-comment-contradicts", name = shown(name)),
        ScriptErrorCode::ExtraWithoutStatement(name) => msg!("sql-comment-without-statement", name),
    }
}

fn hint(code: &ScriptErrorCode) -> Message {
    match code {
        ScriptErrorCode::Empty => msg!("sql-write-a-statement"),
        ScriptErrorCode::UnknownFunction(_) => msg!("sql-use-function"),
        ScriptErrorCode::UnknownCommand => msg!("sql-use-command"),
        ScriptErrorCode::ExtraMark
        | ScriptErrorCode::UnknownExtra(_)
        | ScriptErrorCode::ExtraValue { .. }
        | ScriptErrorCode::ExtraContradicts(_)
        | ScriptErrorCode::ExtraWithoutStatement(_) => {
            msg!("sql-comment-example")
        }
        _ => msg!("correct-line"),
    }
}

/// Why a command of a script could not be executed, as the error of its transaction.
pub(crate) fn failure(script: &str, line: u32, error: &EvalError) -> Error {
    let failed =
        Error::new(Class::Sql, msg!("sql-command-failed", script, line, why = why(error))).state(*COMMAND_FAILED);
    match error {
        EvalError::UndefinedVariable(_) | EvalError::UndefinedArgument { .. } => failed.hint(msg!("sql-set-before")),
        EvalError::InvalidName { .. } => failed.hint(msg!("sql-name-the-column")),
        // Other values may be right.
        EvalError::DivisionByZero | EvalError::EmptyRange => failed,
        _ => failed.hint(msg!("correct-script-line")),
    }
}

/// The same of a command that cannot stand where it does.
pub(crate) fn misplaced(script: &str, line: u32, why: Message) -> Error {
    let failed = Error::new(Class::Sql, msg!("sql-command-failed", script, line, why)).state(*COMMAND_FAILED);
    failed.hint(msg!("correct-script-line"))
}

/// A variable without a value, as the error of the statement that has it as a parameter.
pub(crate) fn without_value(name: &str) -> Error {
    let error = Error::new(Class::Sql, msg!("sql-variable-without-value", name)).state(*COMMAND_FAILED);
    error.hint(msg!("sql-set-before"))
}

/// How the statement that failed was sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sent {
    /// Values went as parameters.
    pub(crate) as_parameters: bool,
    /// The session may only read, because no statement is seen to write.
    pub(crate) reading_only: bool,
}

/// An error with the line of the script that its statement stands in. Failures of commands name it themselves.
pub(crate) fn at_line(script: &str, line: u32, error: Error, sent: Sent) -> Error {
    let is_of_connection = matches!(error.class(), Class::Lost | Class::Refused | Class::Protocol);
    let is_ours = |code: &&[u8; 5]| error.sqlstate().is_some_and(|state| state.as_bytes() == &code[..]);
    if error.what().id() == Some("sql-variable-without-value") {
        return error.at(msg!("sql-script-line", script, line));
    }
    if is_of_connection || [COMMAND_FAILED, EXPECTATION_FAILED].iter().any(is_ours) {
        return error;
    }
    let is_mistake = is_mistake(&error);
    // Servers show where they do not understand it, and take such characters for names.
    let copied = error.message().chars().find(|c| copied::is_copied(*c));
    let error = error.at(msg!("sql-script-line", script, line));
    match copied.filter(|_| is_mistake) {
        Some(c) => error.hint(msg!("sql-copied", character = copied::words(c), command = copied::mending(script))),
        None if sent.as_parameters && is_of_type(&error) => {
            let of_types = msg!("sql-say-type-or-text");
            // A function is looked for by its name and by the types of its arguments.
            let is_unknown = error.sqlstate() == Some(UNDEFINED_FUNCTION);
            error.hint(match is_unknown {
                true => msg!("sql-correct-or", correct = msg!("correct-script-line"), otherwise = of_types),
                false => of_types,
            })
        }
        None if sent.reading_only && is_of_reading(&error) => error.hint(msg!("sql-permit-writing")),
        None if is_mistake => error.hint(msg!("correct-script-line")),
        None => error,
    }
}

/// Whether the server does not understand a statement, or does not know what it names: executed again it fails again.
fn is_mistake(error: &Error) -> bool {
    /// MySQL's: a syntax error, unknown tables, columns, schemas, functions and procedures, ambiguous columns, a number of columns
    /// and values that differ, an invalid use of a group function (MySQL error reference).
    const OF_MYSQL: [u32; 11] = [1049, 1051, 1052, 1054, 1064, 1109, 1111, 1136, 1146, 1149, 1305];
    /// SQLite's `SQLITE_ERROR`, as which it reports all of these.
    const OF_SQLITE: u32 = 1;
    let by_number = |number| OF_MYSQL.contains(&number) || number == OF_SQLITE;
    // Class 42 of SQL states: syntax error or access rule violation (SQL:2016, table 38); 42501 is a matter of rights.
    let by_state = |state: &str| state.starts_with("42") && state != "42501";
    match error.number() {
        Some(number) => by_number(number),
        None => error.class() == Class::Sql && error.sqlstate().is_some_and(by_state),
    }
}

/// PostgreSQL's state of a function or operator that there is not (Appendix A of its manual).
const UNDEFINED_FUNCTION: &str = "42883";

/// Whether PostgreSQL cannot tell the type of a parameter, or takes another one for it than the text of its value would have.
fn is_of_type(error: &Error) -> bool {
    const STATES: [&str; 6] = ["22P02", "42725", "42804", UNDEFINED_FUNCTION, "42P08", "42P18"];
    error.number().is_none() && error.sqlstate().is_some_and(|state| STATES.contains(&state))
}

/// Whether a statement would write where only reading is permitted: MySQL's number, SQLite's, PostgreSQL's state.
fn is_of_reading(error: &Error) -> bool {
    [Some(1792), Some(8)].contains(&error.number()) || error.sqlstate() == Some("25006")
}

/// The same as a problem, for a script that is looked at beforehand.
pub(crate) fn failure_beforehand(script: &str, line: u32, error: &EvalError) -> Problem {
    Problem::new(msg!("sql-command-failed", script, line, why = why(error))).hint(msg!("correct-line"))
}

fn why(error: &EvalError) -> Message {
    match error {
        EvalError::UndefinedVariable(name) | EvalError::UndefinedArgument { name, .. } => {
            msg!("sql-variable-without-value", name = shown(name))
        }
        EvalError::MalformedVariable { name, text } => {
            msg!("sql-variable-malformed", name = shown(name), text = shown(text))
        }
        EvalError::DivisionByZero => msg!("sql-division-by-zero"),
        EvalError::EmptyRange => msg!("sql-empty-range"),
        EvalError::InvalidName { name, .. } => msg!("sql-invalid-name", name = shown(name)),
        // The words of pgbench, which are known from its manual.
        other => foreign(shown(&other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Dialect, Names, Script};

    #[test]
    fn a_statement_that_was_copied_from_a_page_is_told_so() {
        let hint = |text: &str, number| {
            let error = Error::new(Class::Sql, foreign(text)).code(number);
            let sent = Sent { as_parameters: false, reading_only: false };
            at_line("pay.sql", 3, error, sent).hint_message().map(|hint| hint.english().to_owned()).unwrap_or_default()
        };
        let copied = hint("Unknown column '“a”' in 'SELECT'", 1054);
        assert!(
            copied.starts_with("“ is a typographic quote as pages of the web show them, and SQL reads only"),
            "{copied}"
        );
        assert!(copied.contains(": sed -i ") && copied.ends_with(" pay.sql"), "{copied}");
        assert!(hint("near '\u{a0}SELECT 1' at line 1", 1064).starts_with("there is a no-break space"));
        assert_eq!(hint("near 'SELEC 1' at line 1", 1064), "correct the script at that line");
        assert_eq!(hint("Duplicate entry '“a”' for key 'k'", 1062), "", "it was understood");
    }

    #[test]
    fn an_error_that_comes_back_has_a_hint_that_mends_it() {
        let hint = |error: Error, as_parameters, reading_only| {
            let error = at_line("pay.sql", 3, error, Sent { as_parameters, reading_only });
            error.hint_message().map(|hint| hint.id().unwrap_or_default().to_owned()).unwrap_or_default()
        };
        let state = |state: &[u8; 5]| Error::new(Class::Sql, foreign("x")).state(*state);
        for code in [b"22P02", b"42725", b"42P18"] {
            assert_eq!(hint(state(code), true, false), "sql-say-type-or-text");
        }
        assert_eq!(hint(state(b"42883"), true, false), "sql-correct-or");
        assert_eq!(hint(state(b"22P02"), false, false), "");
        assert_eq!(hint(state(b"42601"), true, false), "correct-script-line");
        assert_eq!(hint(state(b"25006"), false, true), "sql-permit-writing");
        assert_eq!(hint(Error::new(Class::Sql, foreign("x")).code(1792), true, true), "sql-permit-writing");
        assert_eq!(hint(Error::new(Class::Sql, foreign("x")).code(1792), true, false), "");
        let of = |error: &EvalError| {
            failure("pay.sql", 3, error).hint_message().and_then(|hint| hint.id()).map(str::to_owned)
        };
        assert_eq!(of(&EvalError::UndefinedVariable("y".to_owned())).as_deref(), Some("sql-set-before"));
        assert_eq!(of(&EvalError::DivisionByZero), None);
        let lost = at_line("pay.sql", 3, without_value("y"), Sent { as_parameters: true, reading_only: true });
        assert_eq!(lost.place().map(|place| place.english().to_owned()).as_deref(), Some("pay.sql, line 3"));
    }

    #[test]
    fn a_mistake_is_shown_with_its_place() {
        let message_of = |text: &str| {
            let error =
                Script::parse("pay.sql", text.as_bytes(), Dialect::Postgres, &mut Names::default()).unwrap_err();
            mistake(&error).to_string()
        };
        let message = message_of("select 1;\n\\set x \\\n foo(1)\n");
        assert!(
            message.contains("pay.sql, line 2: there is no function foo") && message.contains(" foo(1)"),
            "{message}"
        );
        assert!(
            message_of("-- tenbin: expct=1\nselect 1;")
                .contains("pay.sql, line 1: the comment for Tenbin has the unknown word expct")
        );
        assert!(message_of("\\if true\nselect 1;").contains("\\if without matching \\endif"));
        assert!(message_of("").contains("it has no statement"));
        let script = b"\\set x caf\xe9(1)\n";
        let error = Script::parse("pay.sql", script, Dialect::Postgres, &mut Names::default()).unwrap_err();
        let message = mistake(&error).to_string();
        assert!(message.contains("caf\\xE9(1)") && !message.contains('\u{10ffe9}'), "{message}");
        // The mark is where the last letter of the name begins.
        let mark = |line: &str| message.lines().find_map(|l| l.find(line)).unwrap();
        assert_eq!(mark("^"), mark("\\set") + "\\set x caf".len(), "{message}");
    }
}
