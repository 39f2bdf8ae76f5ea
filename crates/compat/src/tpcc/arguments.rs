//! The two kinds of command lines: options as in getopt(3), and the positional arguments of 2008 to 2016, distinguished
//! by their number.

use crate::grammar::Grammar;
use crate::parsed_args::{ParsedArgs, Source};

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

/// The arguments.
#[derive(Debug, Clone)]
pub struct Arguments {
    pub args: ParsedArgs,
    /// Shares of the five transactions; empty: not given.
    pub ratio: Vec<u64>,
}

/// Parses arguments; the error is a line for standard error.
pub fn read(arguments: &[String], grammar: &'static Grammar, forms: Forms) -> Result<Arguments, String> {
    let mut args = ParsedArgs::new(grammar);
    args.read(arguments, Source::CommandLine)?;
    let words = std::mem::take(&mut args.words);
    let mut arguments = Arguments { args, ratio: Vec::new() };
    // `… -l 200 - > out.log`, as in many instructions, is passed over.
    if words.iter().any(|word| word != "-") {
        place(&words, grammar, forms, &mut arguments)?;
    }
    Ok(arguments)
}

/// Assigns positional arguments.
fn place(words: &[String], grammar: &Grammar, forms: Forms, arguments: &mut Arguments) -> Result<(), String> {
    let Some(form) = forms.iter().find(|f| f.len() == words.len()) else {
        let known: Vec<String> = forms.iter().map(|f| format!("{} ({})", f.len(), f.join(" "))).collect();
        let counted = if words.len() == 1 { "1 word".to_owned() } else { format!("{} words", words.len()) };
        return Err(format!("{counted} without a letter: there must be none, or {}", known.join(", or ")));
    };
    for (name, word) in form.iter().zip(words) {
        if RATIO.contains(name) {
            let share = word.parse::<u64>().ok().filter(|n| *n <= MOST_CARDS);
            arguments.ratio.push(share.ok_or_else(|| {
                format!("{word:?} is no share of a transaction ({name}): it is a whole number from 0 to {MOST_CARDS}")
            })?);
            continue;
        }
        let Some(row) = grammar.find(name) else { continue };
        if arguments.args.has(name) {
            return Err(format!("{name} is given twice: as -{} and as a word", row.letter));
        }
        let value = grammar.checked(row, Some(word))?;
        arguments.args.set(name, value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::options;
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(|w| if w == "''" { String::new() } else { w.to_owned() }).collect()
    }

    fn load(line: &str) -> Result<Arguments, String> {
        read(&words(line), &options::LOAD, LOAD)
    }

    fn start(line: &str) -> Result<Arguments, String> {
        read(&words(line), &options::START, START)
    }

    #[test]
    fn the_published_lines() {
        let t = load("localhost tpcc root '' 500").unwrap();
        assert_eq!((t.args.text("host"), t.args.text("database"), t.args.text("user")), ("localhost", "tpcc", "root"));
        assert_eq!((t.args.has("password"), t.args.text("password"), t.args.number("warehouses")), (true, "", 500));
        assert!(t.args.order.is_empty(), "words are not repeated");
        let t = start("-d tpcc -u root -p '' -w 500 -c 16 -r 300 -l 3600").unwrap();
        assert_eq!(["warehouses", "connections", "ramp-up", "measure"].map(|n| t.args.number(n)), [500, 16, 300, 3600]);
        assert_eq!((t.args.order[2].0.name, t.args.order[2].1.as_str()), ("password", ""));
        let t = start("db:3307 tpcc root pw 10 4 0 60 45 43 4 4 4").unwrap();
        assert_eq!((t.ratio.as_slice(), t.args.number("measure")), ([45, 43, 4, 4, 4].as_slice(), 60));
        let t = load("-h127.0.0.1 -d tpcc -u root -p -w -w 3 -l 2 -m 1 -n 100").unwrap();
        assert_eq!(
            (t.args.text("password"), t.args.text("host")),
            ("-w", "127.0.0.1"),
            "getopt takes whatever comes next"
        );
        let t = start("-d tpcc1000 -u root -p pw -w 20 -c 128 -r 120 -l 200 -").unwrap();
        assert_eq!((t.args.number("connections"), t.args.number("measure")), (128, 200));
        let t = start("-i 5 --interval-format 2008 -f /x localhost tpcc root -- '' 1 2 3 4").unwrap();
        assert_eq!(
            (t.args.number("interval"), t.args.number("measure"), t.args.text("interval-format")),
            (5, 4, "2008")
        );
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (line, error) in [
            ("-x 1", "unknown option '-x'"),
            ("--nonsense", "unknown option '--nonsense'"),
            ("-w", "option -w (warehouses) wants a value: -w, --warehouses=N (number"),
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
            assert!(wrong.contains(error), "{line}: {wrong}");
        }
    }
}
