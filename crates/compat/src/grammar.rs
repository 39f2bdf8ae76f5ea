//! What a tool accepts: its options and how they are written, which option a name means, which values it takes, and what is wrong with others.

use super::option::{DefaultValue, OptionSpec, SupportLevel, ValueType, canonical, switch};

/// What a tool accepts.
#[derive(Debug)]
pub struct Grammar {
    pub style: Style,
    /// Its options, in the order in which they are searched.
    pub tables: &'static [&'static [OptionSpec]],
    /// Options that are only accepted before all others, and are read elsewhere.
    pub first: &'static [OptionSpec],
}

/// How options are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `--name`, `--name=value`; unknown options are kept for the test.
    Sysbench,
    /// As in getopt(3): also `--name value`, `-xvalue`, `-x value`, combined letters.
    Getopt,
    /// As in MySQL's programs: the same with unique prefixes of names, `--skip-`, `--disable-`, `--enable-` and
    /// `--loose-`.
    Mysql,
}

/// Why arguments are not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentError {
    pub kind: ArgumentErrorKind,
    /// A line for the user.
    pub text: String,
    /// The argument as it was typed; of combined letters the one that it is about, as `-x`.
    pub argument: String,
    /// The whole name of the option, if one is meant.
    pub option: Option<&'static str>,
}

impl ArgumentError {
    /// The same about this option.
    pub fn of(self, row: &OptionSpec) -> ArgumentError {
        ArgumentError { option: Some(row.name), ..self }
    }

    /// The same about this argument, unless a part of it is named already.
    pub fn at(self, argument: &str) -> ArgumentError {
        match self.argument.is_empty() {
            true => ArgumentError { argument: argument.to_owned(), ..self },
            false => self,
        }
    }
}

/// What is wrong with an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentErrorKind {
    /// No option has this name.
    Unknown,
    /// No option has this name, which was given a value.
    UnknownVariable,
    /// Several options begin with this name.
    Ambiguous,
    /// The option takes no value.
    TakesNoValue,
    /// The option is given without its value.
    NoValue,
    /// A number has a suffix that is not one of numbers.
    Suffix,
    /// A number is below 0, or too large.
    OutOfRange,
    /// A value is not accepted for another reason.
    Value,
}

impl ArgumentErrorKind {
    /// The error of this kind with a line for the user.
    pub fn with(self, text: impl Into<String>) -> ArgumentError {
        ArgumentError { kind: self, text: text.into(), argument: String::new(), option: None }
    }

    /// The kind of error that this value of a number is.
    fn of_value(takes: ValueType, value: &str) -> ArgumentErrorKind {
        if !matches!(takes, ValueType::Count | ValueType::Size) {
            return ArgumentErrorKind::Value;
        }
        let value = value.trim_start();
        let digits = value.strip_prefix('-').unwrap_or(value);
        match digits.trim_start_matches(|c: char| c.is_ascii_digit()) {
            "" | "k" | "K" | "m" | "M" | "g" | "G" | "t" | "T" if !digits.is_empty() => ArgumentErrorKind::OutOfRange,
            _ => ArgumentErrorKind::Suffix,
        }
    }
}

impl From<ArgumentError> for String {
    fn from(error: ArgumentError) -> String {
        error.text
    }
}

impl Grammar {
    /// All options.
    pub fn rows(&self) -> impl Iterator<Item = &'static OptionSpec> {
        self.tables.iter().flat_map(|table| table.iter())
    }

    /// The option of this name.
    pub fn find(&self, name: &str) -> Option<&'static OptionSpec> {
        self.rows().find(|row| row.name == name)
    }

    /// The value of an option, checked against its type and the support level.
    pub fn checked(&self, row: &OptionSpec, value: Option<&str>) -> Result<String, ArgumentError> {
        let text = match (value, row.takes) {
            (None, takes) if takes.is_on_alone() => "on",
            (value, _) => value.unwrap_or(""),
        };
        // Of sysbench's switches only the bare name is on: an unset variable of a shell does not turn them on.
        let is_empty_switch = self.style == Style::Sysbench && row.takes.is_on_alone() && value == Some("");
        let read = if is_empty_switch { Err("on or off".to_owned()) } else { row.takes.read(text) };
        let read = read.map_err(|wanted| {
            ArgumentErrorKind::of_value(row.takes, text).with(match self.style {
                // The text that scripts expect.
                Style::Sysbench if row.takes.is_on_alone() => {
                    format!("invalid option: --{}={text}", canonical(row.name))
                }
                Style::Sysbench => {
                    format!("Invalid value for the '{}' option: '{text}'", row.name.replace('-', "_"))
                }
                Style::Mysql if matches!(row.takes, ValueType::Count | ValueType::Size) => {
                    format!("Error while setting value '{text}' to '{}': it is {wanted}", row.name)
                }
                _ => format!("{} cannot be {text:?}: it is {wanted}", row.named()),
            })
        })?;
        let as_omitted = text.is_empty()
            || matches!(row.default, DefaultValue::Value(default) if default == text)
            || row.takes.is_switch() && switch(text) == Some(false);
        match row.support {
            // Without the value, which may be a password.
            SupportLevel::Refused(because) if !as_omitted => {
                Err(ArgumentErrorKind::Value.with(format!("--{} is refused: {because}", canonical(row.name))))
            }
            _ => Ok(read),
        }
    }

    /// The same of a value that was `typed`: sysbench's command line knows `on`, `true` and `1` for a switch, with their opposites, in lower case;
    /// in its files, where any value turns it on, more is understood.
    pub fn checked_from(&self, row: &OptionSpec, value: Option<&str>, typed: bool) -> Result<String, ArgumentError> {
        let is_known = |text: &str| ["on", "true", "1", "off", "false", "0"].contains(&text);
        match value.filter(|text| typed && self.style == Style::Sysbench && row.takes.is_switch() && !is_known(text)) {
            Some(text) => {
                Err(ArgumentErrorKind::Value.with(format!("invalid option: --{}={text}", canonical(row.name))))
            }
            None => self.checked(row, value),
        }
    }

    /// The option of this name, or with this unique prefix among those of one of these programs, of which the first counts; and whether the name is
    /// such a prefix. Its value is for the error of MySQL's programs.
    pub(crate) fn named(
        &self,
        name: &str,
        value: Option<&str>,
        programs: &[&str],
    ) -> Result<(&'static OptionSpec, bool), ArgumentError> {
        if let Some(row) = self.find(name) {
            return Ok((row, false));
        }
        // getopt(3) does not know them: programs look for them before.
        let is_whole = |row: &OptionSpec| self.style == Style::Getopt && ["help", "version"].contains(&row.name);
        let completes = |row: &OptionSpec| {
            self.style != Style::Sysbench && !name.is_empty() && row.name.starts_with(name) && !is_whole(row)
        };
        let of = |program: Option<&str>| -> Vec<&'static OptionSpec> {
            let has = |row: &OptionSpec| row.of.is_empty() || program.is_none_or(|program| row.of == program);
            self.rows().filter(|row| completes(row) && has(row)).collect()
        };
        let all: Vec<_> = match programs {
            [] => vec![of(None)],
            programs => programs.iter().map(|program| of(Some(*program))).collect(),
        };
        let prefixed = all.iter().find(|rows| rows.len() == 1).or_else(|| all.iter().find(|rows| !rows.is_empty()));
        match prefixed.map_or(&[][..], Vec::as_slice) {
            [] if self.first.iter().any(|row| row.name == name) => {
                Err(ArgumentErrorKind::Unknown.with(format!("option '--{name}' stands before all others")))
            }
            [] => Err(ArgumentErrorKind::Unknown.with(format!("unknown option '--{name}'"))),
            [row] => Ok((row, true)),
            [first, .., last] => {
                let value = value.map_or_else(String::new, |value| format!("={value}"));
                let text = format!("ambiguous option '--{name}{value}' ({}, {})", first.name, last.name);
                Err(ArgumentErrorKind::Ambiguous.with(text))
            }
        }
    }
}
