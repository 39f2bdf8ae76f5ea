//! The grammar of MySQL's programs: long options, unique prefixes of them, combined letters, `--skip-` and `--enable-`.

use super::option::{FILES, OPTIONS, OptionSpec, SupportLevel, ValueType};
use std::collections::{BTreeMap, BTreeSet};

/// The value of an option that may have a value and was given without one.
pub const NO_VALUE: &str = "\0";

/// The arguments by option name; the last one counts.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ParsedArgs {
    given: BTreeMap<&'static str, String>,
    /// Options on the command line itself.
    here: BTreeSet<&'static str>,
    /// The command line is being read, not files.
    on_line: bool,
    /// Notes.
    pub notes: Vec<String>,
}

impl ParsedArgs {
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Arguments read from now on are on the command line, not in a file.
    pub fn command_line(&mut self) {
        self.on_line = true;
    }

    /// Whether it is on the command line itself, which decides between socket and TCP.
    pub fn has_here(&self, name: &str) -> bool {
        self.here.contains(name)
    }

    /// The value; empty if not given.
    pub fn text(&self, name: &str) -> &str {
        self.given.get(name).map_or("", String::as_str)
    }

    pub fn on(&self, name: &str) -> bool {
        self.text(name) == "1"
    }

    pub fn set(&mut self, name: &'static str, value: String) {
        self.given.insert(name, value);
    }

    /// A number, which was checked when it was parsed.
    pub fn number(&self, name: &str, default: u64) -> u64 {
        self.given.get(name).and_then(|n| n.parse().ok()).unwrap_or(default)
    }
}

/// Parses arguments; `lenient`: they come from a file's group for all clients, which may contain unknown options.
pub fn read(arguments: &[String], lenient: bool, args: &mut ParsedArgs) -> Result<(), String> {
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            break;
        }
        if let Some(long) = word.strip_prefix("--") {
            match find_long(long, args) {
                Ok((row, value)) => {
                    let value = match (row.takes, value) {
                        (ValueType::Text | ValueType::Number, None) => {
                            Some(rest.next().cloned().ok_or_else(|| format!("option '--{}' wants a value", row.name))?)
                        }
                        (_, value) => value,
                    };
                    take(row, value, args)?;
                }
                Err(_) if lenient => {}
                Err(wrong) => return Err(wrong),
            }
        } else if let Some(letters) = word.strip_prefix('-').filter(|l| !l.is_empty()) {
            let mut letters = letters.chars();
            while let Some(letter) = letters.next() {
                let row = OPTIONS
                    .iter()
                    .find(|r| r.letter == letter && letter != ' ')
                    .ok_or_else(|| format!("unknown option '-{letter}'"))?;
                let value = match row.takes {
                    ValueType::Flag | ValueType::Times => None,
                    ValueType::Maybe => Some(letters.as_str().to_owned()).filter(|v| !v.is_empty()),
                    ValueType::Text | ValueType::Number if letters.as_str().is_empty() => {
                        Some(rest.next().cloned().ok_or_else(|| format!("option '-{letter}' wants a value"))?)
                    }
                    ValueType::Text | ValueType::Number => Some(letters.as_str().to_owned()),
                };
                let whole = row.takes != ValueType::Flag && row.takes != ValueType::Times;
                take(row, value, args)?;
                if whole {
                    break;
                }
            }
        } else {
            args.notes.push(format!("{word:?} is no option and is passed over, as mysqlslap does"));
        }
    }
    Ok(())
}

fn find_long(long: &str, args: &mut ParsedArgs) -> Result<(&'static OptionSpec, Option<String>), String> {
    let (name, value) = match long.split_once('=') {
        Some((name, value)) => (name, Some(value.to_owned())),
        None => (long, None),
    };
    let name = name.replace('_', "-");
    let plain = name.strip_prefix("loose-").unwrap_or(&name);
    if let Ok(row) = by_name(plain, args) {
        return Ok((row, value));
    }
    for (prefix, on) in [("skip-", "0"), ("disable-", "0"), ("enable-", "1")] {
        if let Some(row) = plain.strip_prefix(prefix).and_then(|bare| by_name(bare, args).ok())
            && row.takes == ValueType::Flag
        {
            return Ok((row, Some(on.to_owned())));
        }
    }
    by_name(plain, args).map(|row| (row, value))
}

fn by_name(name: &str, args: &mut ParsedArgs) -> Result<&'static OptionSpec, String> {
    if let Some(row) = OPTIONS.iter().find(|r| r.name == name) {
        return Ok(row);
    }
    let begin: Vec<&OptionSpec> = OPTIONS.iter().filter(|r| r.name.starts_with(name)).collect();
    match begin.as_slice() {
        [] if FILES.iter().any(|r| r.name == name) => Err(format!("option '--{name}' stands before all others")),
        [] => Err(format!("unknown option '--{name}'")),
        [row] => {
            args.notes.push(format!("--{name} is taken for --{}", row.name));
            Ok(row)
        }
        [first, second, ..] => Err(format!("ambiguous option '--{name}' ({}, {}, …)", first.name, second.name)),
    }
}

fn take(row: &'static OptionSpec, value: Option<String>, args: &mut ParsedArgs) -> Result<(), String> {
    if let SupportLevel::Refused(because) = row.support {
        // Switched off, it is what Tenbin does anyway.
        if row.takes == ValueType::Flag && value.as_deref().is_some_and(off) {
            return Ok(());
        }
        return Err(format!("--{} is refused: {because}", row.name));
    }
    if let SupportLevel::Inert(because) = row.support {
        args.notes.push(format!("--{} changes nothing: {because}", row.name));
    }
    let value = match (row.takes, value) {
        (ValueType::Flag, value) => if value.as_deref().is_some_and(off) { "0" } else { "1" }.to_owned(),
        (ValueType::Times, Some(value)) => value,
        (ValueType::Times, None) => (args.number(row.name, 0) + 1).to_string(),
        (ValueType::Number, Some(value)) => number(row.name, &value)?,
        (ValueType::Maybe, None) => NO_VALUE.to_owned(),
        (_, value) => value.unwrap_or_default(),
    };
    args.given.insert(row.name, value);
    if args.on_line {
        args.here.insert(row.name);
    }
    Ok(())
}

fn off(value: &str) -> bool {
    matches!(value.to_ascii_lowercase().as_str(), "0" | "off" | "false")
}

/// An integer, optionally with K, M or G as everywhere in MySQL.
fn number(name: &str, value: &str) -> Result<String, String> {
    let (digits, unit) = match value.char_indices().last() {
        Some((at, 'k' | 'K')) => (&value[..at], 1u64 << 10),
        Some((at, 'm' | 'M')) => (&value[..at], 1 << 20),
        Some((at, 'g' | 'G')) => (&value[..at], 1 << 30),
        _ => (value, 1),
    };
    let wrong = || format!("--{name} cannot be '{value}': it is a whole number from 0, with K, M or G behind it");
    let n = digits.parse::<u64>().ok().and_then(|n| n.checked_mul(unit)).ok_or_else(wrong)?;
    Ok(n.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Result<ParsedArgs, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut args = ParsedArgs::default();
        read(&words, false, &mut args).map(|()| args)
    }

    #[test]
    fn words_are_taken_as_mysqls_programs_take_them() {
        let t = args("-a -c 1,2 -uapp -psecret --number_of_queries=2K --iterations 3 -vvv --skip-ssl --csv").unwrap();
        assert!(t.on("auto-generate-sql") && !t.on("ssl") && t.has("ssl"));
        assert_eq!([t.text("concurrency"), t.text("user"), t.text("password")], ["1,2", "app", "secret"]);
        assert_eq!((t.number("number-of-queries", 0), t.number("iterations", 1), t.number("verbose", 0)), (2048, 3, 3));
        assert_eq!(t.text("csv"), "\0", "given, without a file");
        assert_eq!(args("--iter=2").unwrap().number("iterations", 1), 2, "a unique beginning");
        assert_eq!(args("word").unwrap().notes.len(), 1);
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(args("--nonsense").unwrap_err(), "unknown option '--nonsense'");
        assert_eq!(args("-a --no-defaults").unwrap_err(), "option '--no-defaults' stands before all others");
        assert!(args("--auto -a").unwrap_err().starts_with("ambiguous option '--auto'"));
        assert!(args("--number-of-queries=x").unwrap_err().contains("whole number"));
        assert!(args("--iterations").unwrap_err().contains("wants a value"));
        assert!(args("--ssl-cipher=AES").unwrap_err().contains("is refused: only TLS 1.2"));
        assert!(args("--ssl-session-data-continue-on-failed-reuse=0").is_ok());
        assert!(args("-Q").unwrap_err().contains("'-Q'"));
    }
}
