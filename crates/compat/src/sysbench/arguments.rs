//! Arguments from the command line and from configuration files. As in sysbench the later of two values counts: a file's stand where its
//! `--config-file` does.

use super::options::GRAMMAR;
use super::row::{GENERAL, LOG, RANDOM};
use crate::option::{OptionSpec, ValueType, canonical};
use crate::parsed_args::{ParsedArgs, Source};

/// Parses the arguments after the name; `read` returns a configuration file's text. The error is the line that sysbench
/// prints on standard error before it exits with 1. Values that it reads later are in [`ParsedArgs::wrong`].
pub fn parse(arguments: &[String], read: impl Fn(&str) -> Result<String, String>) -> Result<ParsedArgs, String> {
    let none = || {
        let mut args = ParsedArgs::new(&GRAMMAR);
        args.goes_on = true;
        args
    };
    let mut args = none();
    args.read(arguments, Source::CommandLine)?;
    if let (_, Some(word)) = names_of_test(arguments) {
        return Err(unrecognized(word));
    }
    let path_of = |word: &String| {
        let (name, path) = word.strip_prefix("--")?.split_once('=')?;
        Some(path.to_owned()).filter(|path| canonical(name) == "config-file" && !path.is_empty())
    };
    if !arguments.iter().any(|word| path_of(word).is_some()) {
        return Ok(args);
    }
    let mut args = none();
    for word in arguments {
        args.read(std::slice::from_ref(word), Source::CommandLine)?;
        if let Some(path) = path_of(word) {
            let text = read(&path).map_err(|e| format!("cannot read the configuration file {path}: {e}"))?;
            args.read(&file(&text), Source::File)?;
        }
    }
    Ok(args)
}

/// How many options name the test up to the first word that is too many, and that word: after a test and a command nothing is accepted, and after an
/// option that names the test only the command.
pub fn names_of_test(arguments: &[String]) -> (usize, Option<&String>) {
    let (mut options, mut is_named, mut words) = (0, false, 0);
    for word in arguments {
        if let Some(option) = word.strip_prefix("--") {
            let value = option.split_once('=').filter(|(name, _)| canonical(name) == "test");
            options += usize::from(value.is_some());
            is_named |= value.is_some_and(|(_, test)| words == 0 && !test.is_empty());
        } else if words + usize::from(is_named) == 2 {
            return (options, Some(word));
        } else {
            words += 1;
        }
    }
    (options, None)
}

/// An error if sysbench would not come to its first line: numbers that it reads before that are wrong.
pub fn checked_first(args: &ParsedArgs) -> Result<(), String> {
    let is_first = |row: &OptionSpec| row.takes.is_number() && [GENERAL, RANDOM, LOG].contains(&row.group);
    let percentile = args.text("percentile");
    // One number in sysbench, several in Tenbin.
    let no_percentile = args.list("percentile").iter().any(|part| part.parse::<f64>().is_err());
    let no_percentile = no_percentile.then(|| format!("Invalid value for the 'percentile' option: '{percentile}'"));
    match args.wrong.iter().find(|(row, _)| is_first(row)).map(|(_, line)| line).or(no_percentile.as_ref()) {
        Some(line) if !args.on("version") && !args.on("help") => Err(line.clone()),
        _ => Ok(()),
    }
}

/// What is wrong with a value that sysbench reads after its first line; `by_machine`: by a test that has no database.
pub fn wrong(args: &ParsedArgs, by_machine: bool) -> Option<&str> {
    // Ciphers are only looked at on the way to an encrypted connection.
    let is_idle = |row: &OptionSpec| row.name == "mysql-ssl-cipher" && args.text("mysql-ssl") == "off";
    let is_read =
        |row: &OptionSpec| row.takes != ValueType::Size && !(by_machine && row.takes.is_number()) && !is_idle(row);
    args.wrong.iter().find(|(row, _)| is_read(row)).map(|(_, line)| line.as_str())
}

/// The line about a word that is neither a test nor a command.
pub fn unrecognized(word: &str) -> String {
    format!("Unrecognized command line argument: {word}")
}

/// A configuration file's lines as arguments. Blanks around the parts, quotes around a value and comments are removed; a
/// line without `=` is skipped, as in sysbench.
fn file(text: &str) -> Vec<String> {
    let mut arguments = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.starts_with('#')) {
        let Some((name, value)) = line.split_once('=') else { continue };
        let value = value.trim();
        let value = match value.chars().next().filter(|c| matches!(c, '"' | '\'')) {
            Some(quote) => value[1..].split(quote).next().unwrap_or_default(),
            None => without_comment(value),
        };
        let name = name.trim().trim_start_matches("--");
        if name != "config-file" {
            arguments.push(format!("--{name}={value}"));
        }
    }
    arguments
}

/// A value without the comment after it, which begins at the value's start or after a blank: a `#` within a word is part of it.
fn without_comment(value: &str) -> &str {
    let begins = |at: &usize| value[..*at].chars().next_back().is_none_or(char::is_whitespace);
    let comment = value.match_indices('#').map(|(at, _)| at).find(begins);
    value[..comment.unwrap_or(value.len())].trim_end()
}

/// The test's name or script.
pub fn test(args: &ParsedArgs) -> Option<&str> {
    args.words.first().map(String::as_str)
}

/// The test's command.
pub fn command(args: &ParsedArgs) -> Option<&str> {
    args.words.get(1).map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Result<ParsedArgs, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let parsed = parse(&words, |path| match path {
            "cfg" => {
                Ok("# a comment\nthreads = 3\nhistogram=off\ntable-size=\"77\"  # rows\nno value\ntime=5\n".into())
            }
            "more" => Ok("threads = 4\nreport-interval=1\n".into()),
            other => Err(format!("{other} is not there")),
        })?;
        checked_first(&parsed).map(|()| parsed)
    }

    #[test]
    fn options_stand_anywhere_and_names_take_either_dash() {
        let t =
            args("--threads=4 oltp_read_write --table_size=5 run --report_interval=1 --histogram --tables=2").unwrap();
        assert_eq!((test(&t), command(&t)), (Some("oltp_read_write"), Some("run")));
        assert_eq!((t.int("threads"), t.int("report-interval"), t.on("histogram"), t.int("time")), (4, 1, true, 10));
        let others: Vec<_> = t.unknown.iter().map(|o| (o.name.as_str(), o.text.as_str())).collect();
        assert_eq!(others, [("table-size", "table_size=5"), ("tables", "tables=2")]);
    }

    #[test]
    fn what_is_wrong_is_told_in_sysbenchs_form() {
        assert_eq!(args("cpu run x").unwrap_err(), "Unrecognized command line argument: x");
        assert_eq!(args("--test=cpu run x y").unwrap_err(), "Unrecognized command line argument: x");
        assert_eq!(args("--test= cpu run x").unwrap_err(), "Unrecognized command line argument: x");
        // The later of two names counts, and each such option is told up to what is wrong.
        assert!(args("cpu run --test=memory").is_ok());
        let told = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            names_of_test(&words).0
        };
        assert_eq!(["a b c --test=cpu", "--test=cpu --test=x run", "cpu run"].map(told), [0, 2, 0]);
        assert_eq!(args("cpu --time=x run").unwrap_err(), "Invalid value for the 'time' option: 'x'");
        assert_eq!(
            args("cpu --report-interval=x run").unwrap_err(),
            "Invalid value for the 'report_interval' option: 'x'"
        );
        assert_eq!(args("cpu --debug=maybe --rate=x run").unwrap_err(), "Invalid value for the 'rate' option: 'x'");
        let later = |line: &str| wrong(&args(line).unwrap(), line.starts_with("cpu")).unwrap_or_default().to_owned();
        assert_eq!(later("cpu --debug=maybe run"), "invalid option: --debug=maybe");
        for option in ["--histogram=", "--debug=", "--mysql-ssl=", "--mysql-ssl=maybe", "--version=", "--db-debug="] {
            assert_eq!(later(&format!("cpu {option} run")), format!("invalid option: {option}"));
        }
        for option in ["--debug=yes", "--histogram=ON", "--validate=True"] {
            assert_eq!(later(&format!("cpu {option} run")), format!("invalid option: {option}"));
        }
        assert!(args("--debug=true --validate=1 --histogram=off cpu run").unwrap().wrong.is_empty());
        assert_eq!(args("cpu --percentile=95,x run").unwrap_err(), "Invalid value for the 'percentile' option: '95,x'");
        assert!(args("--version --time=x").is_ok(), "nothing is run");
        assert_eq!(later("x --pgsql-port=x run"), "Invalid value for the 'pgsql_port' option: 'x'");
        assert_eq!(later("cpu --pgsql-port=x run"), "", "it has no database");
        assert!(later("x --mysql-ssl --mysql-ssl-cipher=AES run").starts_with("--mysql-ssl-cipher is refused: "));
        assert_eq!(later("x --mysql-ssl-cipher=AES run"), "", "no connection is encrypted");
        assert!(args("x --config-file=none").unwrap_err().contains("none is not there"));
    }

    /// As sysbench 1.0.20 reads them.
    #[test]
    fn a_number_without_a_value_is_0_and_a_switch_is_on() {
        let t = args("cpu --time --threads= --percentile --rand-pareto-h= --histogram --mysql-ssl --mysql-db= run");
        let t = t.unwrap();
        assert_eq!((t.int("time"), t.int("threads"), t.float("rand-pareto-h")), (0, 0, 0.0));
        assert!(t.on("histogram") && t.text("mysql-ssl") == "on" && t.text("mysql-db").is_empty());
        assert!(t.list("percentile").is_empty() && t.wrong.is_empty());
        let modes = ["off", "0", "VERIFY_CA", "Preferred"].map(|mode| args(&format!("x --mysql-ssl={mode}")).unwrap());
        assert_eq!(modes.each_ref().map(|t| t.text("mysql-ssl")), ["off", "off", "verify-ca", "preferred"]);
    }

    /// As sysbench 1.0.20 reads them.
    #[test]
    fn a_comment_begins_after_a_blank() {
        for (value, read) in
            [("s#3 # c", "s#3"), ("h\t# tab", "h"), ("#lead", ""), ("'q#w' # x", "q#w"), ("a#b#c", "a#b#c")]
        {
            assert_eq!(file(&format!("mysql-password = {value}")), [format!("--mysql-password={read}")], "{value}");
        }
    }

    #[test]
    fn a_file_gives_what_the_command_line_leaves_open() {
        let t = args("oltp_read_only --config-file=cfg --time=7 run").unwrap();
        assert_eq!((t.int("threads"), t.int("time"), t.on("histogram")), (3, 7, false));
        assert_eq!(t.unknown[0].value.as_deref(), Some("77"), "options of tests count too");
        assert!(t.unknown[0].from_file && !t.has_here("threads") && t.has_here("time"));
        let t = args("oltp_read_only --config-file=cfg --table-size=8").unwrap();
        assert_eq!(t.unknown.len(), 1);
        assert_eq!(t.unknown[0].value.as_deref(), Some("8"));
        let t = args("oltp_read_only --config-file=cfg --config-file=more --time=7").unwrap();
        assert_eq!((t.int("threads"), t.int("time"), t.int("report-interval")), (4, 7, 1), "each of several files");
    }

    /// As sysbench 1.0.20, which loses a file's options of tests.
    #[test]
    fn the_later_of_two_values_counts() {
        let t = args("oltp_read_only --threads=9 --config-file=cfg --time=7 run").unwrap();
        assert_eq!((t.int("threads"), t.int("time"), t.has_here("threads")), (3, 7, false));
        let t = args("oltp_read_only --config-file=more --threads=9 --config_file=cfg --threads=8").unwrap();
        assert_eq!(t.int("threads"), 8);
        let t = args("oltp_read_only --table-size=8 --config-file=cfg").unwrap();
        let others: Vec<_> = t.unknown.iter().map(|option| option.value.as_deref()).collect();
        assert_eq!(others, [Some("8")], "tests have those of the command line");
    }
}
