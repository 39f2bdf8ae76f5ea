//! An option of sysbench as a row: the values it takes and its support level.

pub use crate::compat::support::SupportLevel;

use std::collections::BTreeMap;

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its name, with `-`.
    pub name: &'static str,
    /// Its group in the help and in the reference.
    pub group: OptionGroup,
    /// The values it takes.
    pub takes: ValueType,
    /// The default; empty: none.
    pub default: &'static str,
    /// Which versions have it.
    pub since: Since,
    /// Its meaning in one line.
    pub meaning: &'static str,
    /// Its support level.
    pub support: SupportLevel,
}

/// Options of a workload or data set, by name with `_`.
pub type Options = BTreeMap<String, String>;

/// Groups of options, in the order of the help.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OptionGroup {
    General,
    Random,
    Log,
    Database,
    Mysql,
    Pgsql,
    /// Of sysbench 0.4 and 0.5.
    Old,
    /// Of the tests named `oltp_*`.
    Oltp,
}

impl OptionGroup {
    pub const ALL: &[OptionGroup] = &[
        OptionGroup::General,
        OptionGroup::Random,
        OptionGroup::Log,
        OptionGroup::Database,
        OptionGroup::Mysql,
        OptionGroup::Pgsql,
        OptionGroup::Oltp,
        OptionGroup::Old,
    ];

    pub fn title(self) -> &'static str {
        match self {
            OptionGroup::General => "General options",
            OptionGroup::Random => "Random numbers",
            OptionGroup::Log => "Reports and messages",
            OptionGroup::Database => "Databases",
            OptionGroup::Mysql => "MySQL and MariaDB",
            OptionGroup::Pgsql => "PostgreSQL",
            OptionGroup::Old => "Options of sysbench 0.4 and 0.5",
            OptionGroup::Oltp => "Options of the oltp_* tests",
        }
    }
}

/// The values that an option takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// A whole number.
    Int,
    /// Seconds, also with a fraction (sysbench accepts only integers).
    Seconds,
    /// An integer, optionally with K, M, G or T.
    Size,
    /// A number.
    Double,
    /// `on` or `off`; without a value `on`.
    Bool,
    Text,
    List,
    File,
}

/// Which versions of sysbench have an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Since {
    /// 1.0.20 and 1.1.
    Both,
    /// 1.0.20 and before; removed in 1.1.
    Until10,
    /// 1.1 only.
    From11,
    /// 0.4 and 0.5 only.
    Old,
    /// Not an option of sysbench, but of Tenbin under this name.
    Ours,
}

#[cfg(test)]
impl Since {
    pub fn words(self) -> &'static str {
        match self {
            Since::Both => "1.0, 1.1",
            Since::Until10 => "1.0",
            Since::From11 => "1.1",
            Since::Old => "0.4, 0.5",
            Since::Ours => "Tenbin",
        }
    }
}

/// Creates a row of the tables.
pub const fn row(
    group: OptionGroup,
    name: &'static str,
    takes: ValueType,
    default: &'static str,
    since: Since,
    meaning: &'static str,
) -> OptionSpec {
    OptionSpec { name, group, takes, default, since, meaning, support: SupportLevel::Means }
}

impl OptionSpec {
    pub const fn inert(self, because: &'static str) -> OptionSpec {
        OptionSpec { support: SupportLevel::Inert(because), ..self }
    }

    pub const fn refused(self, because: &'static str) -> OptionSpec {
        OptionSpec { support: SupportLevel::Refused(because), ..self }
    }

    /// The option as the help shows it.
    pub fn synopsis(&self) -> String {
        let after = match self.takes {
            ValueType::Bool => "[=on|off]",
            ValueType::Int | ValueType::Seconds | ValueType::Double => "=N",
            ValueType::Size => "=SIZE",
            ValueType::Text => "=STRING",
            ValueType::List => "=[LIST,...]",
            ValueType::File => "=FILENAME",
        };
        format!("--{}{after}", self.name)
    }

    /// The default as the help shows it, with a space before it.
    pub fn bracket(&self) -> String {
        match (self.takes, self.default) {
            (ValueType::File, _) => String::new(),
            (ValueType::Text | ValueType::List, "-") => String::new(),
            (_, default) => format!(" [{default}]"),
        }
    }
}

/// The same name with `-` for every `_`: sysbench accepts both.
pub fn canonical(name: &str) -> String {
    name.replace('_', "-")
}

/// Whether a text is a valid value.
pub fn fits(takes: ValueType, value: &str) -> bool {
    match takes {
        ValueType::Int => value.parse::<i32>().is_ok(),
        ValueType::Seconds => value.parse::<f64>().is_ok_and(f64::is_finite),
        ValueType::Size => size(value).is_some(),
        ValueType::Double => value.parse::<f64>().is_ok(),
        ValueType::Bool => switch(value).is_some(),
        ValueType::Text | ValueType::List | ValueType::File => true,
    }
}

/// A switch's value.
pub fn switch(value: &str) -> Option<bool> {
    match value.to_ascii_lowercase().as_str() {
        "" | "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// A size with its suffix.
pub fn size(value: &str) -> Option<u64> {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit: u64 = match value[digits.len()..].to_ascii_uppercase().as_str() {
        "" => 1,
        "K" => 1 << 10,
        "M" => 1 << 20,
        "G" => 1 << 30,
        "T" => 1 << 40,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_as_sysbench_writes_them() {
        assert_eq!(["", "on", "1", "Yes", "off", "0", "maybe"].map(switch), {
            let (t, f) = (Some(true), Some(false));
            [t, t, t, t, f, f, None]
        });
        assert_eq!(
            ["16384", "4K", "2g", "1T", "3Q", "K", "99999999T"].map(size),
            [Some(16384), Some(4096), Some(2 << 30), Some(1 << 40), None, None, None]
        );
        assert!(fits(ValueType::Int, "-3") && !fits(ValueType::Int, "4294967296") && !fits(ValueType::Int, "1.5"));
        assert!(fits(ValueType::Seconds, "0.5") && !fits(ValueType::Seconds, "x") && !fits(ValueType::Seconds, "inf"));
    }
}
