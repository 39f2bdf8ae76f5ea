//! Every option of tpcc_load and tpcc_start, one row each: the values it takes, and its support level.

pub use crate::compat::support::SupportLevel;

/// One option.
#[derive(Debug, Clone, Copy)]
pub struct OptionSpec {
    /// Its letter; a space if it has none.
    pub letter: char,
    /// Its name in the table, and on the command line if it has no letter.
    pub name: &'static str,
    pub takes: ValueType,
    /// The default; empty: none.
    pub default: &'static str,
    /// Its meaning in one line.
    pub meaning: &'static str,
    pub support: SupportLevel,
}

/// The values it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueType {
    /// None.
    Nothing,
    /// An integer from .. to, inclusive.
    Number(u64, u64),
    Text,
    /// One of these.
    Word(&'static [&'static str]),
}

use SupportLevel::Means;
use ValueType::{Nothing, Number, Text, Word};

const fn row(
    letter: char,
    name: &'static str,
    takes: ValueType,
    default: &'static str,
    support: SupportLevel,
    meaning: &'static str,
) -> OptionSpec {
    OptionSpec { letter, name, takes, default, meaning, support }
}

/// Warehouse numbers have 16 bits in tpcc-mysql's tables.
const MOST: u64 = 32_767;

const SECONDS: ValueType = Number(0, 900_000);
const LIMIT: ValueType = Number(0, 86_400_000);

const HOST: OptionSpec = row(
    'h',
    "host",
    Text,
    "localhost",
    Means,
    "the server, or server:port; localhost and the letter l mean its socket unless a port is given",
);
const PORT: OptionSpec = row(
    'P',
    "port",
    Number(1, 65_535),
    "3306",
    Means,
    "the port; together with localhost it means TCP (tpcc-mysql: the socket is used anyway)",
);
const USER: OptionSpec = row('u', "user", Text, "the login name", Means, "the account");
const PASSWORD: OptionSpec =
    row('p', "password", Text, "MYSQL_PWD", Means, "the password, never shown (tpcc-mysql: printed in clear text)");
const HELP: OptionSpec = row('?', "help", Nothing, "", Means, "print this help (`--help` too)");
const VERSION: OptionSpec = row(' ', "version", Nothing, "", Means, "print the version");
const SSL_MODE: OptionSpec = row(
    ' ',
    "ssl-mode",
    Word(&["disabled", "preferred", "required", "verify-ca", "verify-identity"]),
    "preferred",
    Means,
    "encryption of all connections: disabled, preferred, required, verify-ca or verify-identity (Tenbin only)",
);
const SSL_CA: OptionSpec = row(' ', "ssl-ca", Text, "", Means, "file of the certificate authority (Tenbin only)");

/// tpcc_load's.
#[rustfmt::skip] // one row, one line: a table to read
pub const LOAD: &[OptionSpec] = &[
    HELP,
    HOST,
    PORT,
    row('d', "database", Text, "", Means, "the database; its tables are created if they do not exist"),
    USER,
    PASSWORD,
    row('w', "warehouses", Number(1, MOST), "", Means, "number of warehouses"),
    row('l', "part", Number(1, 4), "", Means, "load only part 1: items, 2: warehouse (with district and stock), 3: customer (with history) or 4: orders (with new_orders and order_line)"),
    row('m', "first-warehouse", Number(1, MOST), "1", Means, "with a part: the first warehouse"),
    row('n', "last-warehouse", Number(1, u32::MAX as u64), "-w", Means, "with a part: the last warehouse, at most -w (tpcc-mysql: warehouses beyond -w are loaded)"),
    row('S', "socket", Text, "", Means, "the server's socket (Tenbin only)"),
    row(' ', "streams", Number(1, 1024), "4", Means, "number of connections that load concurrently (Tenbin only)"),
    row(' ', "seed", Number(0, u64::MAX), "0", Means, "equal seeds give equal rows (Tenbin only)"),
    row(' ', "foreign-keys", Word(&["on", "off"]), "on", Means, "add_fkey_idx.sql's ten foreign keys, in tables that Tenbin creates (Tenbin only)"),
    SSL_MODE,
    SSL_CA,
    VERSION,
];

/// tpcc_start's.
#[rustfmt::skip] // one row, one line: a table to read
pub const START: &[OptionSpec] = &[
    HELP,
    HOST,
    PORT,
    row('S', "socket", Text, "", Means, "the server's socket"),
    row('d', "database", Text, "tpcc", Means, "the database; one named l is not special (tpcc-mysql: it means the socket)"),
    USER,
    PASSWORD,
    row('w', "warehouses", Number(1, MOST), "1", Means, "number of warehouses to use; more than are loaded are refused (tpcc-mysql: transactions find nothing)"),
    row('c', "connections", Number(1, 1_000_000), "10", Means, "number of connections, each a terminal without a home warehouse"),
    row('r', "ramp-up", SECONDS, "10", Means, "seconds before the measurement, which are not counted (tpcc-mysql: maxima and percentiles include them)"),
    row('l', "measure", Number(1, 900_000), "20", Means, "seconds of measurement, all of them (tpcc-mysql: only whole intervals, so none at all below -i)"),
    row('i', "interval", Number(1, 900_000), "10", Means, "seconds between progress lines"),
    row('f', "report-file", Text, "", Means, "a file with a line for each New-Order of the measurement: its whole seconds, and milliseconds"),
    row('t', "transaction-file", Text, "", Means, "a file with a line for each committed New-Order: connection, end and start on the wall clock"),
    row('m', "schemas", Number(1, 1000), "", Means, "use this many databases, -d followed by _0, _1, …; connections are assigned to them in turn"),
    row('o', "schema-offset", Number(0, 1_000_000), "0", Means, "with -m: the number of the first database"),
    row('0', "limit-new-order", LIMIT, "5000", Means, "limit of New-Order's response time in milliseconds (tpcc-mysql's default: 5)"),
    row('1', "limit-payment", LIMIT, "5000", Means, "the same for Payment (tpcc-mysql's default: 5)"),
    row('2', "limit-order-status", LIMIT, "5000", Means, "the same for Order-Status (tpcc-mysql's default: 5)"),
    row('3', "limit-delivery", LIMIT, "80000", Means, "the same for Delivery (tpcc-mysql's default: 80)"),
    row('4', "limit-stock-level", LIMIT, "20000", Means, "the same for Stock-Level (tpcc-mysql's default: 20)"),
    row(' ', "interval-format", Word(FORMS), "2016", Means, "progress lines as of February 2016 and later, or as of 2012 (October 2011 to 2016), August 2011, or 2008 (Tenbin only)"),
    row(' ', "seed", Number(0, u64::MAX), "from the clock", Means, "seed of all random choices (Tenbin only)"),
    SSL_MODE,
    SSL_CA,
    VERSION,
];

/// The years of the formats of progress lines.
pub const FORMS: &[&str] = &["2008", "2011", "2012", "2016"];

impl OptionSpec {
    /// Its syntax.
    pub fn synopsis(&self) -> String {
        let name = if self.letter == ' ' { format!("--{}", self.name) } else { format!("-{}", self.letter) };
        match self.takes {
            Nothing => name,
            Number(..) => format!("{name} N"),
            Text => format!("{name} TEXT"),
            Word(words) if words.len() > 4 => format!("{name} WORD"),
            Word(words) => format!("{name} {}", words.join("|")),
        }
    }

    /// The value, if it is valid.
    pub fn checked(&self, value: &str) -> Result<String, String> {
        let typed = if self.letter == ' ' { format!("--{}", self.name) } else { format!("-{}", self.letter) };
        let wrong = |what: String| Err(format!("{typed} ({}) cannot be {value:?}: it is {what}", self.name));
        if let SupportLevel::Refused(because) = self.support
            && value != self.default
        {
            return Err(format!("{typed} {value} is refused: {because}"));
        }
        match self.takes {
            Number(from, to) => match value.trim().parse::<u64>() {
                Ok(n) if (from..=to).contains(&n) => Ok(n.to_string()),
                _ if to == u64::MAX => wrong(format!("a whole number from {from}")),
                _ => wrong(format!("a whole number from {from} to {to}")),
            },
            Word(words) if !words.contains(&value) => wrong(format!("one of {}", words.join(", "))),
            _ => Ok(value.to_owned()),
        }
    }
}
