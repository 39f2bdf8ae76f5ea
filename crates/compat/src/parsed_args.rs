//! Parses a command line by the tables of options, in the grammar of the tool.
//!
//! The prefixes of names that MySQL's programs know are in [`mysql_prefixes`].

use super::grammar::{ArgumentError, ArgumentErrorKind, Grammar, Style};
use super::option::{DefaultValue, OptionSpec, SupportLevel, ValueType, canonical, switch};
use crate::mysql_prefixes;
use std::collections::{BTreeMap, BTreeSet};

/// The value of an [`ValueType::OptionalText`] that was given without one.
pub const NO_VALUE: &str = "\0";

/// Where arguments come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    CommandLine,
    File,
}

/// The arguments. Of an option that is given several times the last value counts.
#[derive(Debug, Clone)]
pub struct ParsedArgs {
    grammar: &'static Grammar,
    given: BTreeMap<&'static str, String>,
    from_file: BTreeSet<&'static str>,
    /// The arguments as typed.
    pub typed: Vec<String>,
    /// Options with their values in order.
    pub order: Vec<(&'static OptionSpec, String)>,
    /// Arguments that are not options.
    pub words: Vec<String>,
    /// Options that are in no table; only with [`Style::Sysbench`].
    pub unknown: Vec<UnknownOption>,
    /// Options that have no effect.
    pub notes: Vec<String>,
    /// What MySQL's programs say while they read, in their words.
    pub remarks: Vec<Remark>,
    /// Whether reading goes on after a value that is not accepted, which is then in [`Self::wrong`].
    pub goes_on: bool,
    /// Options whose values are not accepted, with a line for the user.
    pub wrong: Vec<(&'static OptionSpec, String)>,
    /// Options that the test declares itself, with `-`: those of the tables that have these names are others.
    pub declared: BTreeSet<String>,
    /// The programs whose options an abbreviation may mean, as in [`OptionSpec::of`], the likeliest first; empty: any.
    pub programs: &'static [&'static str],
}

/// What MySQL's programs say of an argument that they read nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remark {
    /// An abbreviation was taken for an option.
    Info(String),
    /// An argument was ignored though it was meant for this program.
    Warning(String),
}

impl Remark {
    /// The line of a program of this name.
    pub fn line(&self, program: &str) -> String {
        match self {
            Remark::Info(text) => format!("Info: {text}"),
            Remark::Warning(text) => format!("Warning: {program}: {text}"),
        }
    }
}

/// An option that is in no table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOption {
    /// With `-`.
    pub name: String,
    /// `None` without `=`.
    pub value: Option<String>,
    /// The argument without the leading `--`.
    pub text: String,
    /// Whether it is in a file, which may be for several tests: a test that does not know it ignores it.
    pub from_file: bool,
}

/// An option, how long its abbreviation is, and its value.
type OptionMatch = (&'static OptionSpec, Option<usize>, Option<String>);

impl ParsedArgs {
    /// No arguments yet.
    pub fn new(grammar: &'static Grammar) -> ParsedArgs {
        ParsedArgs {
            grammar,
            given: BTreeMap::new(),
            from_file: BTreeSet::new(),
            typed: Vec::new(),
            order: Vec::new(),
            words: Vec::new(),
            unknown: Vec::new(),
            notes: Vec::new(),
            remarks: Vec::new(),
            goes_on: false,
            wrong: Vec::new(),
            declared: BTreeSet::new(),
            programs: &[],
        }
    }

    /// Parses arguments, which take precedence over those before; the error is a line for the user.
    pub fn read(&mut self, arguments: &[String], source: Source) -> Result<(), ArgumentError> {
        let sysbench = self.grammar.style == Style::Sysbench;
        if source == Source::CommandLine {
            self.typed.extend_from_slice(arguments);
        }
        let mut rest = arguments.iter();
        while let Some(word) = rest.next() {
            if word == "--" && !sysbench {
                self.words.extend(rest.by_ref().cloned());
            } else if let Some(long) = word.strip_prefix("--") {
                self.long(long, &mut rest, source).map_err(|wrong| wrong.at(word))?;
            } else if let Some(letters) = word.strip_prefix('-').filter(|l| !l.is_empty() && !sysbench) {
                self.letters(letters, &mut rest, source).map_err(|wrong| wrong.at(word))?;
            } else {
                self.words.push(word.clone());
            }
        }
        Ok(())
    }

    fn long<'a>(
        &mut self,
        text: &str,
        rest: &mut impl Iterator<Item = &'a String>,
        source: Source,
    ) -> Result<(), ArgumentError> {
        let (typed, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (text, None),
        };
        let name = canonical(typed);
        let mysql = self.grammar.style == Style::Mysql;
        let sysbench = self.grammar.style == Style::Sysbench;
        let (option, is_loose) = match self.grammar.named(&name, value.as_deref().filter(|_| mysql), self.programs) {
            Ok((row, is_prefix)) => (Ok((row, is_prefix.then_some(name.len()), value.clone())), false),
            Err(why) if mysql => self.prefixed(&name, value.as_deref(), why),
            Err(why) => (Err(why), false),
        };
        match option {
            Ok((row, _, Some(_))) if !sysbench && row.takes_no_value() => {
                let what = if mysql { "cannot take an argument" } else { "takes no value" };
                let text = format!("option '--{}' {what}", row.name);
                Err(ArgumentErrorKind::TakesNoValue.with(text).of(row))
            }
            Ok((row, abbreviated, value)) => {
                if let Some(length) = abbreviated.filter(|_| mysql) {
                    // As it was typed, behind prefixes such as `skip-`.
                    let prefix = &typed[typed.len() - length..];
                    self.remarks.push(Remark::Info(format!(
                        "Using unique option prefix '{prefix}' is error-prone and can break in the future. Please use the full name '{}' instead.",
                        row.name
                    )));
                }
                if let Some(text) = value.as_deref().filter(|text| mysql && row.takes.is_switch() && !is_boolean(text))
                {
                    let text = format!("ignoring option '--{}' due to invalid value '{text}'", row.name);
                    self.remarks.push(Remark::Warning(text));
                    return Ok(());
                }
                let value = self.following(row, value, rest)?;
                self.take(row, value, source)
            }
            Err(why) if is_loose && why.kind == ArgumentErrorKind::Unknown => {
                self.remarks.push(Remark::Warning(match value {
                    Some(_) => format!("unknown variable '{text}'"),
                    None => format!("unknown option '--{text}'"),
                }));
                Ok(())
            }
            Err(_) if self.grammar.style == Style::Sysbench => {
                let from_file = source != Source::CommandLine;
                // A test's options of the command line count, wherever the file stands.
                let is_typed = self.unknown.iter().any(|other| !other.from_file && other.name == name);
                if from_file && is_typed {
                    return Ok(());
                }
                self.unknown.retain(|other| from_file || !other.from_file || other.name != name);
                self.unknown.push(UnknownOption { name, value, text: text.to_owned(), from_file });
                Ok(())
            }
            Err(why) if why.kind == ArgumentErrorKind::Unknown && value.is_some() && mysql => {
                Err(ArgumentErrorKind::UnknownVariable.with(format!("unknown variable '{text}'")))
            }
            Err(why) => Err(why),
        }
    }

    /// The option that a name means after prefixes, or else `why` there is none; and whether there need not be any.
    fn prefixed(
        &self,
        name: &str,
        value: Option<&str>,
        why: ArgumentError,
    ) -> (Result<OptionMatch, ArgumentError>, bool) {
        let mut is_loose = false;
        for prefixed in mysql_prefixes::of(name) {
            is_loose = prefixed.is_loose;
            match self.grammar.named(prefixed.rest, value, self.programs) {
                Ok((row, is_prefix)) => {
                    let value = prefixed.value(value, row.name.starts_with("password"));
                    return (Ok((row, is_prefix.then_some(prefixed.rest.len()), value)), is_loose);
                }
                Err(why) if why.kind == ArgumentErrorKind::Ambiguous => return (Err(why), is_loose),
                Err(_) => {}
            }
        }
        (Err(why), is_loose)
    }

    fn letters<'a>(
        &mut self,
        text: &str,
        rest: &mut impl Iterator<Item = &'a String>,
        source: Source,
    ) -> Result<(), ArgumentError> {
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            let row = self.grammar.rows().find(|row| row.letter == letter && letter != ' ');
            let at = format!("-{letter}");
            let unknown = || ArgumentErrorKind::Unknown.with(format!("unknown option '{at}'")).at(&at);
            let row = row.ok_or_else(unknown)?;
            if row.takes.is_switch() || row.takes == ValueType::Times {
                self.take(row, None, source)?;
                continue;
            }
            let value = Some(letters.as_str().to_owned()).filter(|value| !value.is_empty());
            let mysql = self.grammar.style == Style::Mysql;
            let following = self.following(row, value, rest).map_err(|why| match mysql {
                // As it was typed.
                true => why.kind.with(format!("option '{at}' requires an argument")),
                false => why,
            });
            let value = following.map_err(|why| why.at(&at))?;
            return self.take(row, value, source);
        }
        Ok(())
    }

    /// The value, or else the next argument if the option wants one.
    fn following<'a>(
        &self,
        row: &OptionSpec,
        value: Option<String>,
        rest: &mut impl Iterator<Item = &'a String>,
    ) -> Result<Option<String>, ArgumentError> {
        if value.is_some() || !row.takes.wants_value() || self.grammar.style == Style::Sysbench {
            return Ok(value);
        }
        let missing = || {
            if self.grammar.style == Style::Mysql {
                return ArgumentErrorKind::NoValue
                    .with(format!("option '--{}' requires an argument", row.name))
                    .of(row);
            }
            let text = format!("option {} wants a value: {} ({})", row.named(), row.synopsis(), row.meaning);
            ArgumentErrorKind::NoValue.with(text).of(row)
        };
        Ok(Some(rest.next().cloned().ok_or_else(missing)?))
    }

    fn take(&mut self, row: &'static OptionSpec, value: Option<String>, source: Source) -> Result<(), ArgumentError> {
        let value = match (row.takes, &value) {
            (ValueType::Times, None) => (self.number(row.name) + 1).to_string(),
            (ValueType::OptionalText, None) => self.grammar.checked(row, Some(NO_VALUE))?,
            _ => match self.grammar.checked_from(row, value.as_deref(), source == Source::CommandLine) {
                Err(error) if self.goes_on => {
                    self.wrong.push((row, error.text));
                    return Ok(());
                }
                checked => checked?,
            },
        };
        if let SupportLevel::Inert(because) = row.support {
            self.notes.push(format!("--{} changes nothing: {because}", row.name));
        }
        self.order.push((row, value.clone()));
        match source {
            Source::CommandLine => _ = self.from_file.remove(row.name),
            Source::File => _ = self.from_file.insert(row.name),
        }
        self.given.insert(row.name, value);
        Ok(())
    }

    /// Leaves an option of this name to the test, which has declared it: for the program it is not given.
    pub fn leave_to_test(&mut self, name: &str) {
        self.declared.insert(name.to_owned());
        let is_it = |text: &&str| canonical(text.split_once('=').map_or(*text, |(typed, _)| typed)) == name;
        let typed = self.typed.iter().rev().filter_map(|word| word.strip_prefix("--")).find(is_it).map(str::to_owned);
        let in_file = self.given.get(name).filter(|_| self.from_file.contains(name)).map(|v| format!("{name}={v}"));
        let from_file = typed.is_none();
        self.given.retain(|given, _| *given != name);
        self.from_file.retain(|given| *given != name);
        self.order.retain(|(row, _)| row.name != name);
        self.wrong.retain(|(row, _)| row.name != name);
        if let Some(text) = typed.or(in_file)
            && self.unknown.iter().all(|other| other.name != name)
        {
            let value = text.split_once('=').map(|(_, value)| value.to_owned());
            self.unknown.push(UnknownOption { name: name.to_owned(), value, text, from_file });
        }
    }

    /// Sets an option of the tables.
    pub fn set(&mut self, name: &str, value: String) {
        if let Some(row) = self.grammar.find(name) {
            self.given.insert(row.name, value);
        }
    }

    /// Sets an option of the tables that is not given.
    pub fn set_default(&mut self, name: &str, value: impl Into<String>) {
        if !self.has(name) {
            self.set(name, value.into());
        }
    }

    /// Removes an option, and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        self.given.remove(name)
    }

    /// Whether the option was given.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Whether it was given on the command line itself.
    pub fn has_here(&self, name: &str) -> bool {
        self.has(name) && !self.from_file.contains(name)
    }

    /// The value, if the option was given.
    pub fn given(&self, name: &str) -> Option<&str> {
        self.given.get(name).map(String::as_str)
    }

    /// All options that were given, with their values.
    pub fn all(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.given.iter().map(|(name, value)| (*name, value.as_str()))
    }

    /// The value, or the default; empty if there is none.
    pub fn text(&self, name: &str) -> &str {
        self.given(name).unwrap_or_else(|| match self.grammar.find(name).map(|row| row.default) {
            Some(DefaultValue::Value(value)) => value,
            _ => "",
        })
    }

    /// Whether a switch is on.
    pub fn on(&self, name: &str) -> bool {
        let value = self.text(name);
        !value.is_empty() && switch(value) == Some(true)
    }

    /// A whole number from 0, which was checked when it was parsed; 0 if there is none.
    pub fn number(&self, name: &str) -> u64 {
        self.text(name).parse().unwrap_or(0)
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or(0)
    }

    /// A number.
    pub fn float(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(0.0)
    }

    /// A list without empty members.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.text(name).split(',').map(str::trim).filter(|part| !part.is_empty()).collect()
    }
}

/// The values that MySQL's programs take for a switch.
fn is_boolean(text: &str) -> bool {
    ["on", "true", "1", "off", "false", "0"].iter().any(|word| text.eq_ignore_ascii_case(word))
}

/// The only one of these words that begins with a text, or equals it, whatever their case, as MySQL's programs complete values.
pub fn completed<'w>(text: &str, words: &[&'w str]) -> Option<&'w str> {
    let text = text.to_ascii_lowercase().replace('_', "-");
    if let Some(word) = words.iter().find(|word| **word == text) {
        return Some(word);
    }
    let mut matches = words.iter().filter(|word| !text.is_empty() && word.starts_with(&text));
    matches.next().filter(|_| matches.next().is_none()).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mysqlslap::options::GRAMMAR;

    fn args(line: &str) -> Result<ParsedArgs, ArgumentError> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let mut args = ParsedArgs::new(&GRAMMAR);
        args.read(&words, Source::CommandLine).map(|()| args)
    }

    #[test]
    fn words_are_taken_as_mysqls_programs_take_them() {
        let t = args("-a -c 1,2 -uapp -psecret --number_of_queries=2K --iterations 3 -vvv --skip-ssl --csv").unwrap();
        assert!(t.on("auto-generate-sql") && !t.on("ssl") && t.has("ssl"));
        assert_eq!([t.text("concurrency"), t.text("user"), t.text("password")], ["1,2", "app", "secret"]);
        assert_eq!((t.number("number-of-queries"), t.number("iterations"), t.number("verbose")), (2048, 3, 3));
        assert_eq!(t.text("csv"), NO_VALUE, "given, without a file");
        assert_eq!(args("--iter=2").unwrap().number("iterations"), 2, "a unique beginning");
        assert_eq!(args("word -- -a").unwrap().words, ["word", "-a"]);
        let mut t = args("--iterations=2").unwrap();
        t.read(&["--iterations=3".to_owned()], Source::File).unwrap();
        assert!(t.number("iterations") == 3 && !t.has_here("iterations"));
    }

    #[test]
    fn an_abbreviation_means_an_option_of_the_program() {
        let of = |programs: &'static [&'static str], word: &str| {
            let mut args = ParsedArgs { programs, ..ParsedArgs::new(&GRAMMAR) };
            args.read(&[word.to_owned()], Source::CommandLine).map(|()| args)
        };
        let (mysql, mariadb): (&[&str], &[&str]) = (&["MySQL"], &["MariaDB"]);
        assert!(of(mariadb, "--comp=1").unwrap().on("compress"));
        assert_eq!(
            of(mysql, "--comp=1").unwrap_err().text,
            "ambiguous option '--comp=1' (compress, compression-algorithms)"
        );
        assert!(of(mysql, "--compression-a=zlib").is_ok() && of(mariadb, "--compression-a=zlib").is_err());
        assert!(of(mariadb, "--compression-algorithms=zlib").is_ok(), "the whole name is of any");
        // A name that both programs have.
        let either: &[&str] = &["MySQL", "MariaDB"];
        assert!(of(either, "--comp=1").unwrap().on("compress"));
        assert_eq!(of(either, "--init=SELECT 1").unwrap().text("init-command"), "SELECT 1");
        assert_eq!(of(either, "--auto").unwrap_err().kind, ArgumentErrorKind::Ambiguous);
    }

    /// As MariaDB 10.11's program says it.
    #[test]
    fn an_abbreviation_is_told() {
        let t = args("--number_of=3 --skip-sil --loose-iter=2 --loose-foo --iterations=3").unwrap();
        let told = |prefix: &str, name: &str| {
            format!(
                "Info: Using unique option prefix '{prefix}' is error-prone and can break in the future. \
                 Please use the full name '{name}' instead."
            )
        };
        assert_eq!(
            t.remarks.iter().map(|remark| remark.line("mysqlslap")).collect::<Vec<_>>(),
            [
                told("number_of", "number-of-queries"),
                told("sil", "silent"),
                told("iter", "iterations"),
                "Warning: mysqlslap: unknown option '--loose-foo'".to_owned(),
            ]
        );
        assert_eq!(
            args("--auto=1").unwrap_err().text,
            "ambiguous option '--auto=1' (auto-generate-sql, auto-generate-sql-write-number)"
        );
    }

    #[test]
    fn programs_with_getopt_complete_names_and_sysbench_does_not() {
        let of = |grammar, word: &str| {
            let mut args = ParsedArgs::new(grammar);
            args.read(&[word.to_owned()], Source::CommandLine).map(|()| args)
        };
        let pgbench = &crate::pgbench::options::GRAMMAR;
        assert_eq!(of(pgbench, "--clie=3").unwrap().text("client"), "3");
        assert_eq!(of(pgbench, "--h=db").unwrap().text("host"), "db", "--help is a whole word");
        assert_eq!(of(pgbench, "--pro=3").unwrap_err().kind, ArgumentErrorKind::Ambiguous);
        assert_eq!(of(&crate::sysbench::options::GRAMMAR, "--thre=3").unwrap().unknown[0].name, "thre");
    }

    #[test]
    fn values_are_completed() {
        let words = ["tcp", "socket", "pipe", "disabled", "preferred"];
        let of = |text: &str| completed(text, &words).unwrap_or("");
        assert_eq!(["t", "TC", "sock", "DIS", "p", "", "x"].map(of), ["tcp", "tcp", "socket", "disabled", "", "", ""]);
        assert_eq!(completed("verify_c", &["verify-ca", "verify-identity"]), Some("verify-ca"));
        assert_eq!(completed("a", &["a", "ab"]), Some("a"));
    }

    #[test]
    fn what_mysqls_programs_ignore_is_ignored_with_a_warning() {
        let t = args("--silent=yes --compress=2 --loose-nonsense=1 --loose-silent=ON").unwrap();
        assert!(t.on("silent") && !t.has("compress"));
        assert_eq!(
            t.remarks,
            [
                "ignoring option '--silent' due to invalid value 'yes'",
                "ignoring option '--compress' due to invalid value '2'",
                "unknown variable 'loose-nonsense=1'",
            ]
            .map(|text| Remark::Warning(text.to_owned()))
        );
    }

    #[test]
    fn what_is_wrong_is_told() {
        assert_eq!(args("--nonsense").unwrap_err().text, "unknown option '--nonsense'");
        assert_eq!(args("-a --no-defaults").unwrap_err().text, "option '--no-defaults' stands before all others");
        assert!(args("--auto -a").unwrap_err().text.starts_with("ambiguous option '--auto'"));
        assert!(args("--number-of-queries=x").unwrap_err().text.contains("whole number"));
        assert_eq!(args("--iterations").unwrap_err().text, "option '--iterations' requires an argument");
        assert_eq!(args("-i").unwrap_err().text, "option '-i' requires an argument");
        let wrong = args("--iterations=x").unwrap_err().text;
        assert!(wrong.starts_with("Error while setting value 'x' to 'iterations': it is a whole number"), "{wrong}");
        assert_eq!(args("--nonsense=1").unwrap_err().text, "unknown variable 'nonsense=1'");
        assert_eq!(args("--skip-verbose").unwrap_err().text, "option '--verbose' cannot take an argument");
        assert!(args("--ssl-cipher=AES").unwrap_err().text.contains("is refused: only TLS 1.2"));
        assert!(args("--ssl-session-data-continue-on-failed-reuse=0").is_ok());
        assert!(args("-Q").unwrap_err().text.contains("'-Q'"));
        for (line, kind) in [
            ("--nonsense", ArgumentErrorKind::Unknown),
            ("-Q", ArgumentErrorKind::Unknown),
            ("--skip-nonsense", ArgumentErrorKind::Unknown),
            ("--nonsense=1", ArgumentErrorKind::UnknownVariable),
            ("--auto=1", ArgumentErrorKind::Ambiguous),
            ("--help=1", ArgumentErrorKind::TakesNoValue),
            ("--verbose=2", ArgumentErrorKind::TakesNoValue),
            ("--iterations", ArgumentErrorKind::NoValue),
            ("-c", ArgumentErrorKind::NoValue),
            ("--iterations=3x", ArgumentErrorKind::Suffix),
            ("-ix", ArgumentErrorKind::Suffix),
            ("--port=-1", ArgumentErrorKind::OutOfRange),
            ("--iterations=99999999999999999999999", ArgumentErrorKind::OutOfRange),
            ("--ssl-cipher=AES", ArgumentErrorKind::Value),
        ] {
            assert_eq!(args(line).unwrap_err().kind, kind, "{line}");
        }
    }
}
