//! The two kinds of command lines: letters as in getopt(3), and the positional arguments of 2008 to 2016, distinguished
//! by their number.

use super::option::{OptionSpec, ValueType};
use std::collections::BTreeMap;

/// The meanings of positional arguments by their number: the options' names, in order.
pub type Forms = &'static [&'static [&'static str]];

/// tpcc_load's positional arguments.
pub const LOAD: Forms = &[
    &["host", "database", "user", "password", "warehouses"],
    &["host", "database", "user", "password", "warehouses", "part", "first-warehouse", "last-warehouse"],
];

/// tpcc_start's positional arguments; the longer form has the cards of the five transactions, which have no letters.
pub const START: Forms = &[
    &["host", "database", "user", "password", "warehouses", "connections", "ramp-up", "measure"],
    &[
        "host",
        "database",
        "user",
        "password",
        "warehouses",
        "connections",
        "ramp-up",
        "measure",
        RATIO[0],
        RATIO[1],
        RATIO[2],
        RATIO[3],
        RATIO[4],
    ],
];

/// Positional arguments that are not options.
const RATIO: [&str; 5] = ["new-orders", "payments", "order-statuses", "deliveries", "stock-levels"];

/// The maximum of one share.
const MOST_CARDS: u64 = 1_000_000;

/// The arguments by option name.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct ParsedArgs {
    given: BTreeMap<&'static str, String>,
    /// Letters and long options in order, for the lines that print them.
    pub order: Vec<(&'static str, String)>,
    /// Shares of the five transactions.
    pub ratio: Vec<u64>,
}

impl ParsedArgs {
    pub fn has(&self, name: &str) -> bool {
        self.given.contains_key(name)
    }

    /// The value; empty if not given.
    pub fn text(&self, name: &str) -> &str {
        self.given.get(name).map_or("", String::as_str)
    }

    /// A number, which was checked when it was parsed.
    pub fn number(&self, name: &str, default: u64) -> u64 {
        self.given.get(name).and_then(|n| n.parse().ok()).unwrap_or(default)
    }
}

/// Parses arguments; the error is a line for standard error.
pub fn read(arguments: &[String], rows: &'static [OptionSpec], forms: Forms) -> Result<ParsedArgs, String> {
    let (mut args, mut words) = (ParsedArgs::default(), Vec::new());
    let mut rest = arguments.iter();
    while let Some(word) = rest.next() {
        if word == "--" {
            words.extend(rest.by_ref().cloned());
        } else if let Some(long) = word.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            let row = rows.iter().find(|r| r.name == name.replace('_', "-") && (r.letter == ' ' || r.letter == '?'));
            let row = row.ok_or_else(|| format!("unknown option '--{name}'"))?;
            let value = match (row.takes, value) {
                (ValueType::Nothing, _) => String::new(),
                (_, Some(value)) => value,
                (_, None) => rest.next().cloned().ok_or_else(|| missing(row))?,
            };
            take(row, value, &mut args)?;
        } else if let Some(letters) = word.strip_prefix('-').filter(|l| !l.is_empty()) {
            let mut letters = letters.chars();
            let letter = letters.next().unwrap_or(' ');
            let row = rows.iter().find(|r| r.letter == letter && letter != ' ');
            let row = row.ok_or_else(|| format!("unknown option '-{letter}'"))?;
            let value = match row.takes {
                ValueType::Nothing => String::new(),
                _ if !letters.as_str().is_empty() => letters.as_str().to_owned(),
                _ => rest.next().cloned().ok_or_else(|| missing(row))?,
            };
            take(row, value, &mut args)?;
        } else {
            words.push(word.clone());
        }
    }
    if !words.is_empty() {
        place(&words, rows, forms, &mut args)?;
    }
    Ok(args)
}

fn missing(row: &OptionSpec) -> String {
    let synopsis = row.synopsis();
    let args = synopsis.split(' ').next().unwrap_or_default();
    format!("option '{args}' wants a value: {synopsis} ({})", row.meaning)
}

fn take(row: &'static OptionSpec, value: String, args: &mut ParsedArgs) -> Result<(), String> {
    let value = row.checked(&value)?;
    args.order.push((row.name, value.clone()));
    args.given.insert(row.name, value);
    Ok(())
}

/// Assigns positional arguments.
fn place(words: &[String], rows: &'static [OptionSpec], forms: Forms, args: &mut ParsedArgs) -> Result<(), String> {
    let Some(form) = forms.iter().find(|f| f.len() == words.len()) else {
        let known: Vec<String> = forms.iter().map(|f| format!("{} ({})", f.len(), f.join(" "))).collect();
        let counted = if words.len() == 1 { "1 word".to_owned() } else { format!("{} words", words.len()) };
        return Err(format!("{counted} without a letter: there must be none, or {}", known.join(", or ")));
    };
    for (name, word) in form.iter().zip(words) {
        if RATIO.contains(name) {
            let share = word.parse::<u64>().ok().filter(|n| *n <= MOST_CARDS);
            args.ratio.push(share.ok_or_else(|| {
                format!("{word:?} is no share of a transaction ({name}): it is a whole number from 0 to {MOST_CARDS}")
            })?);
            continue;
        }
        let Some(row) = rows.iter().find(|r| r.name == *name) else { continue };
        if args.has(name) {
            return Err(format!("{name} is given twice: as -{} and as a word", row.letter));
        }
        args.given.insert(row.name, row.checked(word)?);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::option;
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(|w| if w == "''" { String::new() } else { w.to_owned() }).collect()
    }

    fn load(line: &str) -> Result<ParsedArgs, String> {
        read(&words(line), option::LOAD, LOAD)
    }

    fn start(line: &str) -> Result<ParsedArgs, String> {
        read(&words(line), option::START, START)
    }

    #[test]
    fn the_published_lines() {
        let t = load("localhost tpcc root '' 500").unwrap();
        assert_eq!((t.text("host"), t.text("database"), t.text("user")), ("localhost", "tpcc", "root"));
        assert_eq!((t.has("password"), t.text("password"), t.number("warehouses", 0)), (true, "", 500));
        assert!(t.order.is_empty(), "words are not repeated");
        let t = start("-d tpcc -u root -p '' -w 500 -c 16 -r 300 -l 3600").unwrap();
        assert_eq!(["warehouses", "connections", "ramp-up", "measure"].map(|n| t.number(n, 0)), [500, 16, 300, 3600]);
        assert_eq!(t.order[2], ("password", String::new()));
        let t = start("db:3307 tpcc root pw 10 4 0 60 45 43 4 4 4").unwrap();
        assert_eq!((t.ratio.as_slice(), t.number("measure", 0)), ([45, 43, 4, 4, 4].as_slice(), 60));
        let t = load("-h127.0.0.1 -d tpcc -u root -p -w -w 3 -l 2 -m 1 -n 100").unwrap();
        assert_eq!((t.text("password"), t.text("host")), ("-w", "127.0.0.1"), "getopt takes whatever comes next");
        let t = start("-i 5 --interval-format 2008 -f /x localhost tpcc root -- '' 1 2 3 4").unwrap();
        assert_eq!((t.number("interval", 0), t.number("measure", 0), t.text("interval-format")), (5, 4, "2008"));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (line, told) in [
            ("-x 1", "unknown option '-x'"),
            ("--nonsense", "unknown option '--nonsense'"),
            ("--host x", "unknown option '--host'"),
            ("-w", "option '-w' wants a value"),
            ("-w ten", "-w (warehouses) cannot be \"ten\": it is a whole number from 1 to 32767"),
            ("-w 0", "from 1 to 32767"),
            ("-w 40000", "from 1 to 32767"),
            ("-i 0", "from 1"),
            ("-m 0", "from 1 to 1000"),
            ("--interval-format=2010", "one of 2008, 2011, 2012, 2016"),
            ("tpcc", "1 word without a letter"),
            ("a b c d 1 2 3 4 5", "9 words without a letter: there must be none, or 8 (host database"),
            ("-w 1 a b c d 1 2 3 4", "warehouses is given twice"),
            ("a b c d 1 2 3 4 1 2 3 4 x", "\"x\" is no share of a transaction (stock-levels)"),
        ] {
            let wrong = start(line).unwrap_err();
            assert!(wrong.contains(told), "{line}: {wrong}");
        }
    }
}
