//! Every option of sysbench 1.0.20 and 1.1, and of 0.4 and 0.5: the tables that parser, help and
//! `doc/compat/sysbench.md` use.

use super::options_old::OLD;
use super::row::{BOTH, DATABASE, FROM_1_1, GENERAL, LOG, MYSQL, OF_OLTP, OURS, PGSQL, RANDOM, UNTIL_1_0, row};
use crate::grammar::{Grammar, Style};
use crate::option::OptionSpec;
use crate::option::ValueType::{Bool, Double, File, Int, List, Number, Seconds, Size, SwitchOr, Text};

/// The command line, without the options of tests.
pub const GRAMMAR: Grammar = Grammar { style: Style::Sysbench, tables: &[GLOBAL, OLD], first: &[] };

/// All rows, in reading order.
#[cfg(test)]
pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
    GLOBAL.iter().chain(OLTP).chain(OLD)
}

const NO_LIBRARY: &str = "Tenbin uses no client library whose calls could be traced";
/// The modes of 1.1, beside the switch of 1.0.
const TLS_MODES: &[&str] = &["disabled", "preferred", "required", "verify-ca", "verify-identity"];
const OWN_CIPHERS: &str = "TLS 1.2 and 1.3 are used with their secure ciphers only, from which the server chooses";

/// Options of the program, whatever the test.
#[rustfmt::skip] // one row, one line: a table to read
pub const GLOBAL: &[OptionSpec] = &[
    row(GENERAL, "threads", Int, "1", BOTH, "number of concurrent clients, each with its own connection"),
    row(GENERAL, "events", Int, "0", BOTH, "stop after this many events in all; 0: no limit"),
    row(GENERAL, "time", Seconds, "10", BOTH, "stop after this many seconds; 0: no limit"),
    row(GENERAL, "warmup-time", Seconds, "0", FROM_1_1, "run this many seconds beforehand without counting"),
    row(GENERAL, "forced-shutdown", Text, "off", BOTH, "how long to wait after the limit for events in progress: seconds, or per cent of the limit; off: until they end"),
    row(GENERAL, "thread-stack-size", Size, "64K", BOTH, "stack size of a thread")
        .inert("clients are tasks, not threads, and have no stack of configurable size"),
    row(GENERAL, "thread-init-timeout", Int, "30", FROM_1_1, "seconds that a login may take"),
    row(GENERAL, "rate", Int, "0", BOTH, "intended events per second of all clients together, Poisson; 0: as fast as possible"),
    row(GENERAL, "report-interval", Int, "0", BOTH, "seconds between progress lines; 0: none"),
    row(GENERAL, "report-checkpoints", List, "", BOTH, "seconds at which a full report is printed and all figures are reset"),
    row(GENERAL, "debug", Bool, "off", BOTH, "print all messages, and each client's figures at the end"),
    row(GENERAL, "validate", Bool, "off", BOTH, "verify what is read, if the test supports it (fileio)"),
    row(GENERAL, "help", Bool, "off", BOTH, "print this help"),
    row(GENERAL, "version", Bool, "off", BOTH, "print the version"),
    row(GENERAL, "config-file", File, "", BOTH, "read options from a file, one NAME=VALUE per line; the later of two values counts"),
    row(GENERAL, "luajit-cmd", Text, "-", FROM_1_1, "LuaJIT's compiler for scripts: on, off, or another command of luajit -j; built-in tests do not use Lua"),
    row(GENERAL, "tenbin-form", Text, "-", OURS, "the version whose reports and defaults are used: 1.0 or 1.1; by default 1.1 if an option is given that only 1.1 has, otherwise 1.0"),
    row(GENERAL, "tx-rate", Int, "0", UNTIL_1_0, "the same as rate"),
    row(GENERAL, "max-requests", Int, "0", UNTIL_1_0, "the same as events"),
    row(GENERAL, "max-time", Int, "0", UNTIL_1_0, "the same as time"),
    row(GENERAL, "num-threads", Int, "1", UNTIL_1_0, "the same as threads"),
    row(GENERAL, "test", Text, "-", UNTIL_1_0, "the test's name or script, instead of the first word"),

    row(RANDOM, "rand-type", Text, "special", BOTH, "distribution of keys: uniform, gaussian, special, pareto or zipfian"),
    row(RANDOM, "rand-spec-iter", Int, "12", UNTIL_1_0, "number of values that gaussian and special average"),
    row(RANDOM, "rand-spec-pct", Int, "1", UNTIL_1_0, "special: the hot rows' share of all rows in per cent"),
    row(RANDOM, "rand-spec-res", Int, "75", UNTIL_1_0, "special: the hot rows' share of all draws in per cent"),
    row(RANDOM, "rand-seed", Int, "0", BOTH, "seed of all random numbers, including those of prepare; 0: from the clock"),
    row(RANDOM, "rand-pareto-h", Double, "0.2", BOTH, "pareto: this share of the rows gets the remaining share of the draws"),
    row(RANDOM, "rand-zipfian-exp", Double, "0.8", FROM_1_1, "zipfian: the exponent"),

    row(LOG, "verbosity", Int, "3", BOTH, "0: fatal errors only; 1: alerts; 2: warnings; 3: reports; 4: more; 5: everything"),
    row(LOG, "percentile", List, "95", BOTH, "the percentile of latencies to report (several only in Tenbin: 95,99,99.9); 0: none"),
    row(LOG, "histogram", Bool, "off", BOTH, "also print the histogram of latencies"),

    row(DATABASE, "db-driver", Text, "mysql", BOTH, "mysql or pgsql"),
    row(DATABASE, "db-ps-mode", Text, "auto", BOTH, "auto: prepared statements; disable: every statement as text"),
    row(DATABASE, "db-debug", Bool, "off", BOTH, "print more about the database in reports")
        .inert("the run directory has each statement's count, times and errors anyway"),

    row(MYSQL, "mysql-host", List, "localhost", BOTH, "hosts, used in turn; localhost, also in a list, is the Unix socket"),
    row(MYSQL, "mysql-port", List, "3306", BOTH, "ports, each combined with every host"),
    row(MYSQL, "mysql-socket", List, "-", BOTH, "Unix sockets, used in turn; hosts and ports are then not used"),
    row(MYSQL, "mysql-user", Text, "sbtest", BOTH, "account"),
    row(MYSQL, "mysql-password", Text, "", BOTH, "its password; it is not written to any file"),
    row(MYSQL, "mysql-db", Text, "sbtest", BOTH, "schema"),
    row(MYSQL, "mysql-ssl", SwitchOr(TLS_MODES), "off", BOTH, "TLS: off or on; or disabled, preferred, required, verify_ca, verify_identity"),
    row(MYSQL, "mysql-ssl-key", File, "", FROM_1_1, "file of the client certificate's private key"),
    row(MYSQL, "mysql-ssl-ca", File, "", FROM_1_1, "file of the certificate authority"),
    row(MYSQL, "mysql-ssl-cert", File, "", FROM_1_1, "file of the client certificate"),
    row(MYSQL, "mysql-ssl-cipher", Text, "", BOTH, "the ciphers to offer").refused(OWN_CIPHERS),
    row(MYSQL, "mysql-compression", Bool, "off", BOTH, "compress the protocol (zlib); it is an error if the server does not offer it"),
    row(MYSQL, "mysql-compression-algorithms", Text, "zlib", FROM_1_1, "compression algorithm: zlib, alone or in a list; zstd alone is refused"),
    row(MYSQL, "mysql-debug", Bool, "off", BOTH, "trace the client library").inert(NO_LIBRARY),
    row(MYSQL, "mysql-ignore-errors", List, "1213,1020,1205", BOTH, "error numbers of the server after which an event is restarted; or all"),
    row(MYSQL, "mysql-dry-run", Bool, "off", BOTH, "connect to no server: every statement succeeds at once"),

    row(PGSQL, "pgsql-host", Text, "localhost", BOTH, "host, or the directory of a Unix socket"),
    row(PGSQL, "pgsql-port", Int, "5432", BOTH, "port"),
    row(PGSQL, "pgsql-user", Text, "sbtest", BOTH, "account"),
    row(PGSQL, "pgsql-password", Text, "", BOTH, "its password; it is not written to any file"),
    row(PGSQL, "pgsql-db", Text, "sbtest", BOTH, "database"),
    row(PGSQL, "pgsql-sslmode", Text, "prefer", FROM_1_1, "TLS: disable, allow, prefer, require, verify-ca or verify-full"),
];

const NO_REDSHIFT: &str = "Redshift is not supported; sysbench's own code for it never ran";

/// Options of the tests named `oltp_*`, `select_random_*` and `bulk_insert`.
#[rustfmt::skip]
pub const OLTP: &[OptionSpec] = &[
    row(OF_OLTP, "auto-inc", Bool, "on", BOTH, "the server generates the ids; off: the client does"),
    row(OF_OLTP, "create-secondary", Bool, "on", BOTH, "create an index on k, after the rows"),
    row(OF_OLTP, "create-table-options", Text, "", FROM_1_1, "appended to CREATE TABLE; the tables are then created by the script of that name, one thread per table"),
    row(OF_OLTP, "delete-inserts", Int, "1", BOTH, "number of pairs of DELETE and INSERT per event"),
    row(OF_OLTP, "distinct-ranges", Int, "1", BOTH, "number of SELECT DISTINCTs over ranges per event"),
    row(OF_OLTP, "index-updates", Int, "1", BOTH, "number of UPDATEs of the indexed column per event"),
    row(OF_OLTP, "mysql-storage-engine", Text, "innodb", BOTH, "the tables' storage engine"),
    row(OF_OLTP, "non-index-updates", Int, "1", BOTH, "number of UPDATEs of an unindexed column per event"),
    row(OF_OLTP, "order-ranges", Int, "1", BOTH, "number of sorted SELECTs over ranges per event"),
    row(OF_OLTP, "pgsql-variant", Text, "-", BOTH, "the variant of PostgreSQL").refused(NO_REDSHIFT),
    row(OF_OLTP, "point-selects", Int, "10", BOTH, "number of SELECTs of one row per event (oltp_point_select: always one)"),
    row(OF_OLTP, "range-selects", Bool, "on", BOTH, "off: no SELECTs over ranges"),
    row(OF_OLTP, "range-size", Int, "100", BOTH, "number of rows in a range"),
    row(OF_OLTP, "reconnect", Int, "0", FROM_1_1, "reconnect after this many events of a client, within the last of them; 0: never"),
    row(OF_OLTP, "secondary", Bool, "off", BOTH, "a secondary index on id instead of the primary key"),
    row(OF_OLTP, "simple-ranges", Int, "1", BOTH, "number of plain SELECTs over ranges per event"),
    row(OF_OLTP, "skip-trx", Bool, "off", BOTH, "no BEGIN and COMMIT"),
    row(OF_OLTP, "sum-ranges", Int, "1", BOTH, "number of sums over ranges per event"),
    row(OF_OLTP, "table-size", Number(0, u32::MAX as u64), "10000", BOTH, "number of rows per table"),
    row(OF_OLTP, "tables", Int, "1", BOTH, "number of tables"),
    row(OF_OLTP, "random-points", Int, "10", BOTH, "select_random_points: number of values in the IN list"),
    row(OF_OLTP, "number-of-ranges", Int, "10", BOTH, "select_random_ranges: number of ranges in the statement"),
    row(OF_OLTP, "delta", Int, "5", BOTH, "select_random_ranges: width of a range"),
];
