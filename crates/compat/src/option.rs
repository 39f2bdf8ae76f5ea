//! An option of another tool as a row of a table: its name, the values it takes, its default and its support level.
//! Parser ([`super::parsed_args`]), `--help` ([`super::help`]) and the reference in `doc/compat/` are made from the tables.

use tenbin_words::units::binary_size;

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its long name, with `-`.
    pub name: &'static str,
    /// Its letter; a space if it has none.
    pub letter: char,
    /// The values it takes.
    pub takes: ValueType,
    /// What applies if it is not given.
    pub default: DefaultValue,
    /// Its heading in the help and in the reference; empty: none.
    pub group: &'static str,
    /// Which versions or programs have it; empty: all.
    pub of: &'static str,
    /// Its meaning in one line.
    pub meaning: &'static str,
    /// Its support level.
    pub support: SupportLevel,
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// `on` or `off`; without a value `on`.
    Bool,
    /// The same, usually without a value.
    Flag,
    /// The same, or one of these words in any case, with `-` or `_`.
    SwitchOr(&'static [&'static str]),
    /// No value: counts how often it is given.
    Times,
    /// An integer of 32 bits, as strtol(3) reads it: after blanks, and nothing is 0.
    Int,
    /// An integer from .. to, inclusive.
    Number(u64, u64),
    /// An integer from 0, optionally with K, M, G or T.
    Count,
    /// Bytes, written in the same way.
    Size,
    /// Seconds, also with a fraction, after blanks; nothing is 0.
    Seconds,
    /// A number, after blanks; nothing is 0.
    Double,
    Text,
    /// A text after `=`, or nothing: then [`super::parsed_args::NO_VALUE`].
    OptionalText,
    /// One of these.
    Word(&'static [&'static str]),
    List,
    File,
}

/// What applies if an option is not given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    None,
    /// This value.
    Value(&'static str),
    /// A value that is only known at run time, described.
    Described(&'static str),
}

/// The support level of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SupportLevel {
    /// It has its usual meaning.
    Full,
    /// It is accepted and changes nothing, for this reason.
    Inert(&'static str),
    /// It is refused, for this reason. A value that is equivalent to omitting it is accepted.
    Refused(&'static str),
}

impl OptionSpec {
    /// An option with a long name only, of all versions, fully supported.
    pub const fn new(name: &'static str, takes: ValueType, default: DefaultValue, meaning: &'static str) -> OptionSpec {
        OptionSpec { name, letter: ' ', takes, default, group: "", of: "", meaning, support: SupportLevel::Full }
    }

    /// With a default that is described.
    pub const fn by_default(self, described: &'static str) -> OptionSpec {
        OptionSpec { default: DefaultValue::Described(described), ..self }
    }

    /// Accepted without effect.
    pub const fn inert(self, because: &'static str) -> OptionSpec {
        OptionSpec { support: SupportLevel::Inert(because), ..self }
    }

    /// Refused.
    pub const fn refused(self, because: &'static str) -> OptionSpec {
        OptionSpec { support: SupportLevel::Refused(because), ..self }
    }

    /// Its syntax: `-c, --concurrency=TEXT`.
    pub fn synopsis(&self) -> String {
        let letter = if self.letter == ' ' { String::new() } else { format!("-{}, ", self.letter) };
        let value = match self.takes {
            ValueType::Bool => "[=on|off]".to_owned(),
            ValueType::Flag | ValueType::Times => String::new(),
            ValueType::Int | ValueType::Number(..) | ValueType::Count | ValueType::Seconds | ValueType::Double => {
                "=N".to_owned()
            }
            ValueType::Size => "=SIZE".to_owned(),
            ValueType::Text => "=STRING".to_owned(),
            ValueType::OptionalText | ValueType::SwitchOr(_) => "[=STRING]".to_owned(),
            ValueType::Word(words) if words.len() > 4 => "=WORD".to_owned(),
            ValueType::Word(words) => format!("={}", words.join("|")),
            ValueType::List => "=[LIST,...]".to_owned(),
            ValueType::File => "=FILENAME".to_owned(),
        };
        format!("{letter}--{}{value}", self.name)
    }

    /// How messages name it: by the letter if it has one.
    pub fn named(&self) -> String {
        if self.letter == ' ' { format!("--{}", self.name) } else { format!("-{} ({})", self.letter, self.name) }
    }

    /// Whether MySQL's programs accept no value, not even one of a switch.
    pub fn takes_no_value(&self) -> bool {
        self.takes == ValueType::Times || self.takes.is_switch() && self.default == DefaultValue::None
    }

    /// The default as text; empty if there is none.
    pub fn default_text(&self) -> &'static str {
        match self.default {
            DefaultValue::None => "",
            DefaultValue::Value(text) | DefaultValue::Described(text) => text,
        }
    }
}

impl ValueType {
    /// Whether it is on or off.
    pub fn is_switch(self) -> bool {
        matches!(self, ValueType::Bool | ValueType::Flag)
    }

    /// Whether its bare name stands for `on`.
    pub fn is_on_alone(self) -> bool {
        self.is_switch() || matches!(self, ValueType::SwitchOr(_))
    }

    /// Whether it is a number.
    pub fn is_number(self) -> bool {
        matches!(self, ValueType::Int | ValueType::Number(..) | ValueType::Seconds | ValueType::Double)
    }

    /// Whether the option is followed by a value.
    pub fn wants_value(self) -> bool {
        !(self.is_on_alone() || matches!(self, ValueType::Times | ValueType::OptionalText))
    }

    /// The value in canonical spelling: `on` and `off`, sizes in bytes; otherwise a description of valid ones.
    pub fn read(self, value: &str) -> Result<String, String> {
        let is = |valid: bool, wanted: &str| if valid { Ok(value.to_owned()) } else { Err(wanted.to_owned()) };
        match self {
            ValueType::Bool | ValueType::Flag => {
                let on = switch(value).ok_or("on or off")?;
                Ok(if on { "on" } else { "off" }.to_owned())
            }
            ValueType::SwitchOr(words) => {
                let word = value.to_ascii_lowercase().replace('_', "-");
                match switch(&word) {
                    Some(on) => Ok(if on { "on" } else { "off" }.to_owned()),
                    None if words.contains(&word.as_str()) => Ok(word),
                    None => Err(format!("on, off, or one of {}", words.join(", "))),
                }
            }
            ValueType::Int => {
                number_text(value).parse::<i32>().map(|n| n.to_string()).map_err(|_| "a whole number".to_owned())
            }
            ValueType::Times => is(value.parse::<u32>().is_ok(), "a whole number from 0"),
            ValueType::Number(from, to) => match value.trim().parse::<u64>() {
                Ok(n) if (from..=to).contains(&n) => Ok(n.to_string()),
                _ if to == u64::MAX => Err(format!("a whole number from {from}")),
                _ => Err(format!("a whole number from {from} to {to}")),
            },
            ValueType::Count => binary_size(number_text(value))
                .map(|count| count.to_string())
                .ok_or_else(|| "a whole number from 0, optionally with K, M, G or T".to_owned()),
            // What follows the first letter of the unit has no meaning, as in sysbench.
            ValueType::Size => binary_size(first_letter(value))
                .map(|bytes| bytes.to_string())
                .ok_or_else(|| "a whole number from 0, optionally with K, M, G or T".to_owned()),
            ValueType::Seconds | ValueType::Double => match number_text(value) {
                text if text.parse::<f64>().is_ok_and(f64::is_finite) => Ok(text.to_owned()),
                _ if self == ValueType::Seconds => Err("a number of seconds".to_owned()),
                _ => Err("a number".to_owned()),
            },
            ValueType::Word(words) => is(words.contains(&value), &format!("one of {}", words.join(", "))),
            ValueType::Text | ValueType::OptionalText | ValueType::List | ValueType::File => Ok(value.to_owned()),
        }
    }
}

/// What a C library reads as a number: blanks before it are skipped, and an empty text, as from an unset variable of a shell, is 0.
fn number_text(value: &str) -> &str {
    if value.is_empty() { "0" } else { value.trim_start() }
}

/// A size up to the first letter of its unit.
fn first_letter(value: &str) -> &str {
    let unit = value.char_indices().find(|(_, c)| c.is_ascii_alphabetic());
    unit.map_or(value, |(at, letter)| &value[..at + letter.len_utf8()])
}

/// The same name with `-` for every `_`: all these tools accept both.
pub fn canonical(name: &str) -> String {
    name.replace('_', "-")
}

/// A switch's value.
pub fn switch(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "" | "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_the_tools_write_them() {
        let read = |takes: ValueType, value: &str| takes.read(value).unwrap_or_else(|wanted| format!("not {wanted}"));
        assert_eq!(
            ["", "on", "1", "Yes", "off", "0"].map(|v| read(ValueType::Bool, v)),
            ["on", "on", "on", "on", "off", "off"]
        );
        assert_eq!(
            ["16384", "4K", "2g", "1T", "10GB", "1MiB", "1mb"].map(|v| read(ValueType::Size, v)),
            ["16384", "4096", "2147483648", "1099511627776", "10737418240", "1048576", "1048576"]
        );
        let wrong = [
            (ValueType::Bool, "maybe"),
            (ValueType::Size, "3Q"),
            (ValueType::Size, "K"),
            (ValueType::Size, "99999999T"),
            (ValueType::Int, "4294967296"),
            (ValueType::Int, "1.5"),
            (ValueType::Seconds, "x"),
            (ValueType::Seconds, "inf"),
            (ValueType::Number(1, 4), "5"),
            (ValueType::Word(&["a", "b"]), "c"),
        ];
        for (takes, value) in wrong {
            assert!(takes.read(value).is_err(), "{takes:?} {value}");
        }
        assert_eq!(["-3", " 4", "+5", "", "007"].map(|v| read(ValueType::Int, v)), ["-3", "4", "5", "0", "7"]);
        assert_eq!(["0.5", " 2", ""].map(|v| read(ValueType::Seconds, v)), ["0.5", "2", "0"]);
        for value in ["4 ", " ", "4x"] {
            assert!(ValueType::Int.read(value).is_err() && ValueType::Double.read(value).is_err(), "{value:?}");
        }
    }
}
