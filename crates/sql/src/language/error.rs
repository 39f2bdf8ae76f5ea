//! What can be wrong with a script, and what can go wrong while it is executed: as codes for programs, and in pgbench's words, which its name shows.
//! In the words of our catalogue they are in `told.rs`.

use super::number;
use std::fmt;

/// A mistake in a script.
#[derive(Debug, Clone, PartialEq)]
pub struct ScriptError {
    /// What is wrong.
    pub code: ScriptErrorCode,
    /// The name of the script.
    pub script: String,
    /// The line, counted from 1; for conditions the number of the command.
    pub line: u32,
    /// The text of the command that it is in; empty if it is in none.
    pub source: String,
    /// The place in this text, in bytes from 0.
    pub column: Option<usize>,
    /// The name of this command, without its backslash.
    pub command: Option<String>,
}

/// What is wrong with a script.
#[derive(Debug, Clone, PartialEq)]
pub enum ScriptErrorCode {
    /// There is no command in it.
    Empty,
    /// An expression that does not follow the grammar.
    Syntax,
    /// A character that no expression has.
    UnexpectedCharacter(char),
    /// A function that there is not.
    UnknownFunction(String),
    /// A function with a number of arguments that it does not take.
    WrongArguments(String),
    /// A function that takes one argument or more, without any.
    NoArgument(String),
    /// A whole number beyond 64 bits.
    IntOverflow(String),
    /// A number beyond a double.
    DoubleOverflow(String),
    /// An expression with more levels than can be evaluated.
    TooDeep,
    /// A backslash command that there is not.
    UnknownCommand,
    /// A command without an argument that it needs.
    MissingArgument,
    /// A command with an argument that it does not take.
    UnexpectedArgument,
    /// A command with more arguments than it takes.
    TooManyArguments,
    /// The time of `\sleep` is not a whole number.
    SleepTime(String),
    /// The unit of `\sleep` is not a unit.
    SleepUnit(String),
    /// `\gset` or `\aset` without a statement before it; the first line of the command that is there instead.
    NothingToStore(Option<String>),
    /// An `\if` without its end, or a part of one without its beginning.
    Condition(&'static str),
    /// A statement with more variables than a prepared statement may have.
    TooManyParameters(usize),
    /// More commands than can be counted by their numbers: how many, and the most.
    TooManyCommands(usize, usize),
    /// A comment is meant for Tenbin and does not begin with `-- tenbin:`.
    ExtraMark,
    /// A comment for Tenbin with a word that it does not know.
    UnknownExtra(String),
    /// A comment for Tenbin with a value that a word cannot have.
    ExtraValue {
        /// The word.
        name: String,
        /// Its value.
        value: String,
    },
    /// A word of a comment for Tenbin that says something else than one before it.
    ExtraContradicts(String),
    /// A comment for Tenbin that belongs to no statement.
    ExtraWithoutStatement(String),
}

impl ScriptErrorCode {
    /// What is wrong, in pgbench's words, and the detail that it shows in parentheses.
    fn sentence(&self) -> (String, Option<String>) {
        let plain = |text: &str| (text.to_owned(), None);
        let about = |text: &str, detail: &str| (text.to_owned(), Some(detail.to_owned()));
        match self {
            Self::Empty => plain("empty command list"),
            Self::Syntax => plain("syntax error"),
            Self::UnexpectedCharacter(c) => (String::from("unexpected character"), Some(c.to_string())),
            Self::UnknownFunction(name) => about("unexpected function name", name),
            Self::WrongArguments(name) => about("unexpected number of arguments", name),
            Self::NoArgument(name) => about("at least one argument expected", name),
            Self::IntOverflow(text) => about("bigint constant overflow", text),
            Self::DoubleOverflow(text) => about("double constant overflow", text),
            Self::TooDeep => plain("memory exhausted"),
            Self::UnknownCommand => plain("invalid command"),
            Self::MissingArgument => plain("missing argument"),
            Self::UnexpectedArgument => plain("unexpected argument"),
            Self::TooManyArguments => plain("too many arguments"),
            Self::SleepTime(text) => about("invalid sleep time, must be an integer", text),
            Self::SleepUnit(text) => about("unrecognized time unit, must be us, ms or s", text),
            Self::NothingToStore(before) => ("must follow an SQL command".to_owned(), before.clone()),
            Self::Condition(text) => plain(text),
            Self::TooManyParameters(most) => (format!("statement has too many arguments (maximum is {most})"), None),
            Self::TooManyCommands(commands, most) => {
                (format!("the scripts have {commands} commands (maximum is {most})"), None)
            }
            Self::ExtraMark => plain("a comment for Tenbin begins with -- tenbin:"),
            Self::UnknownExtra(name) => about("unrecognized word in a comment for Tenbin", name),
            Self::ExtraValue { name, value } => {
                (format!("invalid value for {name} in a comment for Tenbin"), Some(value.clone()))
            }
            Self::ExtraContradicts(name) => about("a comment for Tenbin contradicts one before it", name),
            Self::ExtraWithoutStatement(name) => about("a comment for Tenbin belongs to no statement", name),
        }
    }
}

impl ScriptError {
    /// The error as pgbench prints it, with the line and a mark under the place. Bytes of no character stand in it as in names (`bytes`).
    pub fn as_pgbench(&self) -> String {
        let (sentence, detail) = self.code.sentence();
        match &self.code {
            ScriptErrorCode::Empty => return format!("{sentence} for script \"{}\"", self.script),
            ScriptErrorCode::Condition(_) => {
                return format!("condition error in script \"{}\" command {}: {sentence}", self.script, self.line);
            }
            ScriptErrorCode::NothingToStore(_) => {
                let command = self.command.as_deref().unwrap_or("gset");
                let before = detail.map_or_else(String::new, |before| format!(" ({before})"));
                return format!("{}:{}: \\{command} {sentence}{before}", self.script, self.line);
            }
            ScriptErrorCode::TooManyCommands(..) => return sentence,
            ScriptErrorCode::TooManyParameters(_) => return format!("{sentence}: {}", self.source),
            _ => {}
        }
        let mut text = format!("{}:{}: {sentence}", self.script, self.line);
        if let Some(detail) = detail {
            text += &format!(" ({detail})");
        }
        if let Some(command) = &self.command {
            text += &format!(" in command \"{command}\"");
        }
        if !self.source.is_empty() {
            text += &format!("\n{}", self.source);
        }
        if let Some(column) = self.column {
            text += &format!("\n{}^ error found here", " ".repeat(super::bytes::place(&self.source, column)));
        }
        text
    }
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_pgbench())
    }
}

impl std::error::Error for ScriptError {}

/// Why a command could not be executed.
#[derive(Debug, Clone, PartialEq)]
pub enum EvalError {
    /// A variable that is not set.
    UndefinedVariable(String),
    /// A variable whose text is no value.
    MalformedVariable {
        /// Its name.
        name: String,
        /// Its text.
        text: String,
    },
    /// The text of a variable is a whole number beyond 64 bits.
    TextOutOfRange(String),
    /// The text of a variable is a sign only.
    TextNotInt(String),
    /// A value that cannot be used as another type.
    Coercion {
        /// Its type.
        from: &'static str,
        /// The type that is needed.
        to: &'static str,
    },
    /// A double that is no whole number of 64 bits.
    DoubleNotInt(f64),
    /// The result of an operation (`add`, `sub`, `mul`, `div`) is beyond 64 bits.
    IntOutOfRange(&'static str),
    /// A division by 0.
    DivisionByZero,
    /// A function with more arguments than one may have.
    TooManyArguments,
    /// A random number of no range.
    EmptyRange,
    /// A random number of a range beyond 63 bits.
    RangeTooLarge,
    /// The parameter of a normal distribution.
    GaussianParameter(f64),
    /// The parameter of an exponential distribution.
    ExponentialParameter(f64),
    /// The parameter of a Zipf distribution.
    ZipfianParameter(f64),
    /// The size of a permutation.
    PermuteSize,
    /// The name of a variable that a command sets.
    InvalidName {
        /// The command: `set`, `setshell`, `gset`, `aset`.
        command: &'static str,
        /// The name.
        name: String,
    },
    /// The time of `\sleep` is not a whole number.
    SleepTime {
        /// The variable.
        name: String,
        /// Its text.
        text: String,
    },
    /// An argument of `\sleep`, `\shell` or `\setshell` is a variable that is not set.
    UndefinedArgument {
        /// The command.
        command: &'static str,
        /// The variable.
        name: String,
    },
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UndefinedVariable(name) => write!(f, "undefined variable \"{name}\""),
            Self::MalformedVariable { name, text } => write!(f, "malformed variable \"{name}\" value: \"{text}\""),
            Self::TextOutOfRange(text) => write!(f, "value \"{text}\" is out of range for type bigint"),
            Self::TextNotInt(text) => write!(f, "invalid input syntax for type bigint: \"{text}\""),
            Self::Coercion { from, to } => write!(f, "cannot coerce {from} to {to}"),
            Self::DoubleNotInt(value) if value.is_finite() => write!(f, "double to int overflow for {value:.6}"),
            Self::DoubleNotInt(value) => write!(f, "double to int overflow for {}", number::double(*value)),
            Self::IntOutOfRange(operation) => write!(f, "bigint {operation} out of range"),
            Self::DivisionByZero => f.write_str("division by zero"),
            Self::TooManyArguments => {
                write!(f, "too many function arguments, maximum is {}", super::function::MOST_ARGUMENTS)
            }
            Self::EmptyRange => f.write_str("empty range given to random"),
            Self::RangeTooLarge => f.write_str("random range is too large"),
            Self::GaussianParameter(value) => {
                write!(f, "gaussian parameter must be at least 2.000000 (not {value:.6})")
            }
            Self::ExponentialParameter(value) => {
                write!(f, "exponential parameter must be greater than zero (not {value:.6})")
            }
            Self::ZipfianParameter(value) => {
                write!(f, "zipfian parameter must be in range [1.001, 1000] (not {value:.6})")
            }
            Self::PermuteSize => f.write_str("permute size parameter must be greater than zero"),
            Self::InvalidName { command, name } => write!(f, "{command}: invalid variable name: \"{name}\""),
            Self::SleepTime { name, text } => write!(f, "sleep: invalid sleep time \"{text}\" for variable \"{name}\""),
            Self::UndefinedArgument { command, name } => write!(f, "{command}: undefined variable \"{name}\""),
        }
    }
}

impl std::error::Error for EvalError {}
