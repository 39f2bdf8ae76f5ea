//! Every option of tpcc_load and tpcc_start: the tables that parser, help and `doc/compat/tpcc-mysql.md` use.

use crate::grammar::{Grammar, Style};
use crate::option::ValueType::{self, Flag, Number, Text, Word};
use crate::option::{DefaultValue, OptionSpec};

/// tpcc_load's command line.
pub const LOAD: Grammar = Grammar { style: Style::Getopt, tables: &[LOAD_OPTIONS], first: &[] };

/// tpcc_start's command line.
pub const START: Grammar = Grammar { style: Style::Getopt, tables: &[START_OPTIONS], first: &[] };

/// A row of the tables; the letter ` ` and the default ``: none.
const fn row(
    letter: char,
    name: &'static str,
    takes: ValueType,
    default: &'static str,
    meaning: &'static str,
) -> OptionSpec {
    let default = if default.is_empty() { DefaultValue::None } else { DefaultValue::Value(default) };
    OptionSpec { letter, ..OptionSpec::new(name, takes, default, meaning) }
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
    "the server, or server:port; localhost and the letter l mean its socket unless a port is given",
);
const PORT: OptionSpec = row(
    'P',
    "port",
    Number(1, 65_535),
    "3306",
    "the port; together with localhost it means TCP (tpcc-mysql: the socket is used anyway)",
);
const USER: OptionSpec = row('u', "user", Text, "", "the account").by_default("the login name");
const PASSWORD: OptionSpec =
    row('p', "password", Text, "", "the password, never shown (tpcc-mysql: printed in clear text)")
        .by_default("MYSQL_PWD");
const HELP: OptionSpec = row('?', "help", Flag, "", "print this help (`--help` too)");
const VERSION: OptionSpec = row(' ', "version", Flag, "", "print the version");
const SSL_MODE: OptionSpec = row(
    ' ',
    "ssl-mode",
    Word(&["disabled", "preferred", "required", "verify-ca", "verify-identity"]),
    "preferred",
    "encryption of all connections: disabled, preferred, required, verify-ca or verify-identity (Tenbin only)",
);
const SSL_CA: OptionSpec = row(' ', "ssl-ca", Text, "", "file of the certificate authority (Tenbin only)");

/// tpcc_load's.
#[rustfmt::skip] // one row, one line: a table to read
const LOAD_OPTIONS: &[OptionSpec] = &[
    HELP,
    HOST,
    PORT,
    row('d', "database", Text, "", "the database; its tables are created if they do not exist"),
    USER,
    PASSWORD,
    row('w', "warehouses", Number(1, MOST), "", "number of warehouses"),
    row('l', "part", Number(1, 4), "", "load only part 1: items, 2: warehouse (with district and stock), 3: customer (with history) or 4: orders (with new_orders and order_line)"),
    row('m', "first-warehouse", Number(1, MOST), "1", "with a part: the first warehouse"),
    row('n', "last-warehouse", Number(1, u32::MAX as u64), "", "with a part: the last warehouse, at most -w (tpcc-mysql: warehouses beyond -w are loaded)").by_default("-w"),
    row('S', "socket", Text, "", "the server's socket (Tenbin only)"),
    row(' ', "streams", Number(1, 1024), "4", "number of connections that load concurrently (Tenbin only)"),
    row(' ', "seed", Number(0, u64::MAX), "0", "equal seeds give equal rows (Tenbin only)"),
    row(' ', "foreign-keys", Word(&["on", "off"]), "on", "add_fkey_idx.sql's ten foreign keys, in tables that Tenbin creates (Tenbin only)"),
    SSL_MODE,
    SSL_CA,
    VERSION,
];

/// tpcc_start's.
#[rustfmt::skip] // one row, one line: a table to read
const START_OPTIONS: &[OptionSpec] = &[
    HELP,
    HOST,
    PORT,
    row('S', "socket", Text, "", "the server's socket"),
    row('d', "database", Text, "tpcc", "the database; one named l is not special (tpcc-mysql: it means the socket)"),
    USER,
    PASSWORD,
    row('w', "warehouses", Number(1, MOST), "1", "number of warehouses to use; more than are loaded are refused (tpcc-mysql: transactions find nothing)"),
    row('c', "connections", Number(1, 1_000_000), "10", "number of connections, each a terminal without a home warehouse"),
    row('r', "ramp-up", SECONDS, "10", "seconds before the measurement, which are not counted (tpcc-mysql: maxima and percentiles include them)"),
    row('l', "measure", Number(1, 900_000), "20", "seconds of measurement, all of them (tpcc-mysql: only whole intervals, so none at all below -i)"),
    row('i', "interval", Number(1, 900_000), "10", "seconds between progress lines"),
    row('f', "report-file", Text, "", "a file with a line for each New-Order of the measurement: its whole seconds, and milliseconds"),
    row('t', "transaction-file", Text, "", "a file with a line for each committed New-Order: connection, end and start on the wall clock"),
    row('m', "schemas", Number(1, 1000), "", "use this many databases, -d followed by _0, _1, …; connections are assigned to them in turn"),
    row('o', "schema-offset", Number(0, 1_000_000), "0", "with -m: the number of the first database"),
    row('0', "limit-new-order", LIMIT, "5000", "limit of New-Order's response time in milliseconds (tpcc-mysql's default: 5)"),
    row('1', "limit-payment", LIMIT, "5000", "the same for Payment (tpcc-mysql's default: 5)"),
    row('2', "limit-order-status", LIMIT, "5000", "the same for Order-Status (tpcc-mysql's default: 5)"),
    row('3', "limit-delivery", LIMIT, "80000", "the same for Delivery (tpcc-mysql's default: 80)"),
    row('4', "limit-stock-level", LIMIT, "20000", "the same for Stock-Level (tpcc-mysql's default: 20)"),
    row(' ', "interval-format", Word(FORMS), "2016", "progress lines as of February 2016 and later, or as of 2012 (October 2011 to 2016), August 2011, or 2008 (Tenbin only)"),
    row(' ', "seed", Number(0, u64::MAX), "", "seed of all random choices (Tenbin only)").by_default("from the clock"),
    SSL_MODE,
    SSL_CA,
    VERSION,
];

/// The years of the formats of progress lines.
const FORMS: &[&str] = &["2008", "2011", "2012", "2016"];
