//! Parses sysbench's command line and checks it against the general options. Unknown options
//! are kept for the test.

use super::option::{self, OptionSpec, SupportLevel, ValueType, canonical};
use super::options;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What was typed.
#[derive(Debug, Clone, Default)]
pub struct ParsedArgs {
    /// The first word that is not an option.
    pub test: Option<String>,
    /// The second.
    pub command: Option<String>,
    /// All words.
    pub words: Vec<String>,
    /// General options, by name with `-`.
    pub given: BTreeMap<String, String>,
    /// Other options, which only the test may know, in order.
    pub others: Vec<Other>,
    /// Which of `given` are only in the configuration file.
    pub shared: BTreeSet<String>,
}

/// An option that is not in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Other {
    /// With `-`.
    pub name: String,
    /// `None` without `=`.
    pub value: Option<String>,
    /// The argument without the leading `--`.
    pub text: String,
    /// Whether it is in the configuration file, which may be for several tests: a test that does not know it ignores
    /// it.
    pub shared: bool,
}

/// Why a command line is rejected; sysbench prints it on standard error and exits with 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsageError(pub String);

impl fmt::Display for UsageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Parses the arguments after the name; `read` returns a configuration file's text.
pub fn parse(arguments: &[String], read: impl Fn(&str) -> Result<String, String>) -> Result<ParsedArgs, UsageError> {
    let mut args = ParsedArgs { words: arguments.to_vec(), ..ParsedArgs::default() };
    for argument in arguments {
        match argument.strip_prefix("--") {
            Some(text) => args.take(text)?,
            None if args.test.is_none() => args.test = Some(argument.clone()),
            None if args.command.is_none() => args.command = Some(argument.clone()),
            None => return Err(UsageError(format!("Unrecognized command line argument: {argument}"))),
        }
    }
    if let Some(path) = args.given.get("config-file").filter(|p| !p.is_empty()).cloned() {
        let text = read(&path).map_err(|e| UsageError(format!("cannot read the configuration file {path}: {e}")))?;
        args = args.over(file(&text)?);
    }
    Ok(args)
}

/// A configuration file's lines. Blanks around the parts, quotes around a value and comments are removed; a line
/// without `=` is skipped, as in sysbench.
fn file(text: &str) -> Result<ParsedArgs, UsageError> {
    let mut args = ParsedArgs::default();
    for line in text.lines().map(str::trim).filter(|l| !l.starts_with('#')) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let value = value.trim();
        let value = match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => value[1..].split(quote).next().unwrap_or_default(),
            None => value.split('#').next().unwrap_or_default().trim_end(),
        };
        let name = name.trim().trim_start_matches("--");
        if name != "config-file" {
            args.take(&format!("{name}={value}"))?;
        }
    }
    Ok(args)
}

impl ParsedArgs {
    fn take(&mut self, text: &str) -> Result<(), UsageError> {
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let name = canonical(name);
        let Some(row) = options::global(&name) else {
            self.others.push(Other { name, value: value.map(str::to_owned), text: text.to_owned(), shared: false });
            return Ok(());
        };
        let value = checked(row, value)?;
        self.given.insert(name, value);
        Ok(())
    }

    /// These arguments, supplemented by `below`.
    fn over(self, below: ParsedArgs) -> ParsedArgs {
        let shared = below.given.keys().filter(|name| !self.given.contains_key(*name)).cloned().collect();
        let given = below.given.into_iter().chain(self.given).collect();
        let mine = |other: &Other| self.others.iter().any(|o| o.name == other.name);
        let below = below.others.into_iter().filter(|o| !mine(o)).map(|o| Other { shared: true, ..o });
        let others = below.chain(self.others.iter().cloned()).collect();
        ParsedArgs { given, others, shared, ..self }
    }

    /// Whether the option was given.
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// Its value, or the default.
    pub fn text(&self, name: &str) -> &str {
        match self.given.get(name) {
            Some(value) => value,
            None => options::global(name).map_or("", |row| if row.default == "-" { "" } else { row.default }),
        }
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> i64 {
        self.text(name).parse().unwrap_or(0)
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(0.0)
    }

    /// A switch.
    pub fn on(&self, name: &str) -> bool {
        option::switch(self.text(name)).unwrap_or(false)
    }

    /// A list without empty members.
    pub fn list(&self, name: &str) -> Vec<&str> {
        self.text(name).split(',').map(str::trim).filter(|part| !part.is_empty()).collect()
    }
}

/// The value, checked against its type and the support level.
pub fn checked(row: &OptionSpec, value: Option<&str>) -> Result<String, UsageError> {
    let value = match (value, row.takes) {
        (None, ValueType::Bool) => "on",
        (value, _) => value.unwrap_or(""),
    };
    let name = canonical(row.name);
    if !option::fits(row.takes, value) {
        return Err(UsageError(format!("Invalid value for the '{name}' option: '{value}'")));
    }
    let idle = value.is_empty() || value == row.default || option::switch(value) == Some(false);
    if let (SupportLevel::Refused(because), false) = (row.support, idle) {
        return Err(UsageError(format!("--{name}={value} is refused: {because}")));
    }
    Ok(value.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Result<ParsedArgs, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        parse(&words, |path| match path {
            "cfg" => {
                Ok("# a comment\nthreads = 3\nhistogram=off\ntable-size=\"77\"  # rows\nno value\ntime=5\n".into())
            }
            other => Err(format!("{other} is not there")),
        })
        .map_err(|wrong| wrong.0)
    }

    #[test]
    fn options_stand_anywhere_and_names_take_either_dash() {
        let t =
            args("--threads=4 oltp_read_write --table_size=5 run --report_interval=1 --histogram --tables=2").unwrap();
        assert_eq!((t.test.as_deref(), t.command.as_deref()), (Some("oltp_read_write"), Some("run")));
        assert_eq!((t.int("threads"), t.int("report-interval"), t.on("histogram"), t.int("time")), (4, 1, true, 10));
        let others: Vec<_> = t.others.iter().map(|o| (o.name.as_str(), o.text.as_str())).collect();
        assert_eq!(others, [("table-size", "table_size=5"), ("tables", "tables=2")]);
    }

    #[test]
    fn what_is_wrong_is_told_in_sysbenchs_form() {
        assert_eq!(args("cpu run x").unwrap_err(), "Unrecognized command line argument: x");
        assert_eq!(args("cpu --time=x run").unwrap_err(), "Invalid value for the 'time' option: 'x'");
        assert_eq!(args("cpu --debug=maybe run").unwrap_err(), "Invalid value for the 'debug' option: 'maybe'");
        assert_eq!(args("cpu --threads run").unwrap_err(), "Invalid value for the 'threads' option: ''");
        assert!(args("x --mysql-ssl-cipher=AES run").unwrap_err().starts_with("--mysql-ssl-cipher=AES is refused: "));
        assert!(args("x --config-file=none").unwrap_err().contains("none is not there"));
    }

    #[test]
    fn a_file_gives_what_the_command_line_leaves_open() {
        let t = args("oltp_read_only --config-file=cfg --time=7 run").unwrap();
        assert_eq!((t.int("threads"), t.int("time"), t.on("histogram")), (3, 7, false));
        assert_eq!(t.others[0].value.as_deref(), Some("77"), "options of tests count too");
        assert!(t.others[0].shared && t.shared.contains("threads") && !t.shared.contains("time"));
        let t = args("oltp_read_only --config-file=cfg --table-size=8").unwrap();
        assert_eq!(t.others.len(), 1);
        assert_eq!(t.others[0].value.as_deref(), Some("8"));
    }
}
