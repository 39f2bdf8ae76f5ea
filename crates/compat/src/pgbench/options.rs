//! Every option of pgbench: the table that parser, help and `doc/compat/pgbench.md` use. Values are checked in pgbench's words by [`super::arguments`].

use crate::grammar::{Grammar, Style};
use crate::option::ValueType::{self, Flag, Text};
use crate::option::{DefaultValue, OptionSpec};

/// pgbench's command line.
pub const GRAMMAR: Grammar =
    Grammar { style: Style::Getopt, tables: &[INITIALIZATION, WHAT, BENCHMARK, COMMON], first: &[] };

/// The same from 17 on, where the letter d is that of `--dbname`.
pub const GRAMMAR_FROM_17: Grammar =
    Grammar { style: Style::Getopt, tables: &[INITIALIZATION, WHAT, BENCHMARK, &COMMON_FROM_17], first: &[] };

/// Headings of the help, with the rows below them.
pub const GROUPS: [(&str, &[OptionSpec]); 4] = [
    ("Initialization options", INITIALIZATION),
    ("Options to select what to run", WHAT),
    ("Benchmarking options", BENCHMARK),
    ("Common options", COMMON),
];

/// A row of the table; the letter ` ` and the default ``: none.
const fn row(
    letter: char,
    name: &'static str,
    takes: ValueType,
    default: &'static str,
    of: &'static str,
    meaning: &'static str,
) -> OptionSpec {
    let default = if default.is_empty() { DefaultValue::None } else { DefaultValue::Value(default) };
    OptionSpec { letter, of, ..OptionSpec::new(name, takes, default, meaning) }
}

const TENBIN: &str = "Tenbin";
const FROM_18: &str = "18 and later";
const FROM_19: &str = "19";
const FROM_17: &str = "17 and later";

/// Those whose options an abbreviation may mean, the likeliest first.
pub const PROGRAMS: &[&str] = &["", FROM_17, FROM_18, FROM_19, TENBIN];

/// The options of 15 that begin like another, in the order in which getopt(3) lists them.
pub const LISTED: &str = "client connect debug define file fillfactor initialize init-steps log latency-limit port progress protocol \
     report-per-command rate scale select-only skip-some-updates time transactions username vacuum-all unlogged-tables tablespace \
     index-tablespace sampling-rate progress-timestamp log-prefix foreign-keys random-seed show-script partitions partition-method \
     failures-detailed verbose-errors";

#[rustfmt::skip] // one row, one line: a table to read
const INITIALIZATION: &[OptionSpec] = &[
    row('i', "initialize", Flag, "", "", "create the tables and fill them, instead of a run"),
    row('I', "init-steps", Text, "dtgvp", "", "steps of that: d drops tables, t creates them, g fills them from here, G on the server, v vacuums, p adds primary keys, f foreign keys"),
    row('F', "fillfactor", Text, "100", "", "how full pages of tables are, percent, from 10"),
    row(' ', "foreign-keys", Flag, "", "", "the step f too"),
    row(' ', "index-tablespace", Text, "", "", "the tablespace of indexes"),
    row(' ', "partition-method", Text, "range", "", "range or hash, with --partitions"),
    row(' ', "partitions", Text, "0", "", "the number of parts of pgbench_accounts"),
    row('q', "quiet", Flag, "", "", "a line of progress every 5 seconds only"),
    row(' ', "tablespace", Text, "", "", "the tablespace of tables"),
    row(' ', "unlogged-tables", Flag, "", "", "tables that are not logged, and empty after a crash"),
    row(' ', "allow-drop", Flag, "", TENBIN, "drop, empty or change tables that Tenbin did not create (pgbench: always)"),
];

#[rustfmt::skip]
const WHAT: &[OptionSpec] = &[
    row('b', "builtin", Text, "", "", "a built-in script, or the beginning of its name, with its weight: tpcb-like@2; list: show them"),
    row('f', "file", Text, "", "", "a script in a file, with its weight: pay.sql@3; - is standard input"),
    row('N', "skip-some-updates", Flag, "", "", "as -b simple-update"),
    row('S', "select-only", Flag, "", "", "as -b select-only"),
];

#[rustfmt::skip]
const BENCHMARK: &[OptionSpec] = &[
    row('c', "client", Text, "1", "", "number of clients, each with a connection"),
    row('C', "connect", Flag, "", "", "a new connection for each transaction"),
    row('D', "define", Text, "", "", "set a variable: name=value"),
    row('j', "jobs", Text, "1", "", "number of threads; if it is not given, Tenbin decides how many run the clients, and the report says 1"),
    row('l', "log", Flag, "", "", "write a line for each transaction to a file for each of these threads"),
    row('L', "latency-limit", Text, "", "", "milliseconds above which transactions are counted as late; with --rate those that would start later are skipped"),
    row('M', "protocol", Text, "simple", "", "simple, extended or prepared"),
    row('n', "no-vacuum", Flag, "", "", "do not vacuum before the run, or in -i"),
    row('P', "progress", Text, "", "", "seconds between two lines of progress"),
    row('r', "report-per-command", Flag, "", "", "times, failures and retries of each command"),
    row('R', "rate", Text, "", "", "transactions per second, with starts at random times"),
    row('s', "scale", Text, "1", "", "with -i: the number of branches; in a run: the variable :scale of scripts in files"),
    row('t', "transactions", Text, "10", "", "number of transactions of each client"),
    row('T', "time", Text, "", "", "seconds of the run"),
    row('v', "vacuum-all", Flag, "", "", "vacuum pgbench_accounts too"),
    row(' ', "aggregate-interval", Text, "", "", "with -l: seconds that a line of sums covers"),
    row(' ', "continue-on-error", Flag, "", FROM_19, "go on after errors of any kind, which are counted as other failures"),
    row(' ', "exit-on-abort", Flag, "", FROM_18, "end the run when a client ends early"),
    row(' ', "failures-detailed", Flag, "", "", "failures by their kinds"),
    row(' ', "log-prefix", Text, "pgbench_log", "", "with -l: the beginning of the names of files"),
    row(' ', "max-tries", Text, "1", "", "attempts of a transaction after serialization failures and deadlocks; 0: without limit"),
    row(' ', "progress-timestamp", Flag, "", "", "with -P: the time of day, seconds since 1970"),
    row(' ', "random-seed", Text, "time", "", "a number, time or rand"),
    row(' ', "sampling-rate", Text, "", "", "with -l: the share of transactions that have a line"),
    row(' ', "show-script", Text, "", "", "print a built-in script"),
    row(' ', "verbose-errors", Flag, "", "", "print every error, and what follows from it"),
];

const COMMON_FROM_17: [OptionSpec; COMMON.len()] = {
    let mut rows = [COMMON[0]; COMMON.len()];
    let mut at = 0;
    while at < COMMON.len() {
        rows[at] = COMMON[at];
        at += 1;
    }
    [rows[0].letter, rows[1].letter] = [' ', 'd'];
    rows
};

/// That of `--debug` and that of `--dbname` come first.
#[rustfmt::skip]
const COMMON: &[OptionSpec] = &[
    row('d', "debug", Flag, "", "", "print every step of every client; from 17 on -d is --dbname"),
    row(' ', "dbname", Text, "", FROM_17, "the database"),
    row('h', "host", Text, "", "", "the server, or the directory of its socket").by_default("PGHOST"),
    row('p', "port", Text, "", "", "its port").by_default("PGPORT, or 5432"),
    row('U', "username", Text, "", "", "the account").by_default("PGUSER, or the login name"),
    row('V', "version", Flag, "", "", "print the version"),
    row('?', "help", Flag, "", "", "print this help"),
    row(' ', "tenbin-form", Text, "15", TENBIN, "the version whose options and reports these are: 12 to 19"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_letter_has_one_meaning_in_each_form() {
        let of =
            |grammar: &Grammar| grammar.rows().filter(|row| row.letter == 'd').map(|row| row.name).collect::<Vec<_>>();
        assert_eq!((of(&GRAMMAR), of(&GRAMMAR_FROM_17)), (vec!["debug"], vec!["dbname"]));
    }
}
