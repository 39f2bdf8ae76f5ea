//! Every option of sysbench 1.0.20 and 1.1: the table used by parser, help and `doc/compat/sysbench.md`.

use super::option::OptionGroup::{Database, General, Log, Mysql, Oltp, Pgsql, Random};
use super::option::Since::{Both, From11, Ours, Until10};
use super::option::ValueType::{Bool, Double, File, Int, List, Seconds, Size, Text};
use super::option::{OptionSpec, row};
use super::options_old::OLD;

/// The option of this name among the general options.
pub fn global(name: &str) -> Option<&'static OptionSpec> {
    GLOBAL.iter().chain(OLD).find(|r| r.name == name)
}

/// All rows, in reading order.
#[cfg(test)]
pub fn all() -> impl Iterator<Item = &'static OptionSpec> {
    GLOBAL.iter().chain(OLTP).chain(OLD)
}

const NO_LIBRARY: &str = "Tenbin uses no client library whose calls could be traced";
const OWN_CIPHERS: &str = "TLS 1.2 and 1.3 are used with their secure ciphers only, from which the server chooses";

/// Options of the program, whatever the test.
#[rustfmt::skip] // one row, one line: a table to read
pub const GLOBAL: &[OptionSpec] = &[
    row(General, "threads", Int, "1", Both, "number of concurrent clients, each with its own connection"),
    row(General, "events", Int, "0", Both, "stop after this many events in all; 0: no limit"),
    row(General, "time", Seconds, "10", Both, "stop after this many seconds; 0: no limit"),
    row(General, "warmup-time", Seconds, "0", From11, "run this many seconds beforehand without counting"),
    row(General, "forced-shutdown", Text, "off", Both, "how long to wait after the limit for events in progress: seconds, or per cent of the limit; off: until they end"),
    row(General, "thread-stack-size", Size, "64K", Both, "stack size of a thread")
        .inert("clients are tasks, not threads, and have no stack of configurable size"),
    row(General, "thread-init-timeout", Int, "30", From11, "seconds that a login may take"),
    row(General, "rate", Int, "0", Both, "intended events per second of all clients together, Poisson; 0: as fast as possible"),
    row(General, "report-interval", Int, "0", Both, "seconds between progress lines; 0: none"),
    row(General, "report-checkpoints", List, "", Both, "seconds at which a full report is printed and all figures are reset"),
    row(General, "debug", Bool, "off", Both, "print all messages, and each client's figures at the end"),
    row(General, "validate", Bool, "off", Both, "verify what is read, if the test supports it (fileio)"),
    row(General, "help", Bool, "off", Both, "print this help"),
    row(General, "version", Bool, "off", Both, "print the version"),
    row(General, "config-file", File, "", Both, "read options from a file, one NAME=VALUE per line; the command line takes precedence"),
    row(General, "luajit-cmd", Text, "-", From11, "LuaJIT's compiler for scripts: on, off, or another command of luajit -j; built-in tests do not use Lua"),
    row(General, "tenbin-form", Text, "-", Ours, "the version whose reports and defaults are used: 1.0 or 1.1; by default 1.1 if an option is given that only 1.1 has, otherwise 1.0"),
    row(General, "tx-rate", Int, "0", Until10, "the same as rate"),
    row(General, "max-requests", Int, "0", Until10, "the same as events"),
    row(General, "max-time", Int, "0", Until10, "the same as time"),
    row(General, "num-threads", Int, "1", Until10, "the same as threads"),
    row(General, "test", Text, "-", Until10, "the test's name or script, instead of the first word"),

    row(Random, "rand-type", Text, "special", Both, "distribution of keys: uniform, gaussian, special, pareto or zipfian"),
    row(Random, "rand-spec-iter", Int, "12", Until10, "number of values that gaussian and special average"),
    row(Random, "rand-spec-pct", Int, "1", Until10, "special: the hot rows' share of all rows in per cent"),
    row(Random, "rand-spec-res", Int, "75", Until10, "special: the hot rows' share of all draws in per cent"),
    row(Random, "rand-seed", Int, "0", Both, "seed of all random numbers, including those of prepare; 0: from the clock"),
    row(Random, "rand-pareto-h", Double, "0.2", Both, "pareto: this share of the rows gets the remaining share of the draws"),
    row(Random, "rand-zipfian-exp", Double, "0.8", From11, "zipfian: the exponent"),

    row(Log, "verbosity", Int, "3", Both, "0: fatal errors only; 1: alerts; 2: warnings; 3: reports; 4: more; 5: everything"),
    row(Log, "percentile", List, "95", Both, "the percentile of latencies to report (several only in Tenbin: 95,99,99.9); 0: none"),
    row(Log, "histogram", Bool, "off", Both, "also print the histogram of latencies"),

    row(Database, "db-driver", Text, "mysql", Both, "mysql or pgsql"),
    row(Database, "db-ps-mode", Text, "auto", Both, "auto: prepared statements; disable: every statement as text"),
    row(Database, "db-debug", Bool, "off", Both, "print more about the database in reports")
        .inert("the run directory has each statement's count, times and errors anyway"),

    row(Mysql, "mysql-host", List, "localhost", Both, "hosts, used in turn; localhost is the Unix socket if there is one"),
    row(Mysql, "mysql-port", List, "3306", Both, "ports, each combined with every host"),
    row(Mysql, "mysql-socket", List, "-", Both, "Unix sockets, used in turn; hosts and ports are then not used"),
    row(Mysql, "mysql-user", Text, "sbtest", Both, "account"),
    row(Mysql, "mysql-password", Text, "", Both, "its password; it is not written to any file"),
    row(Mysql, "mysql-db", Text, "sbtest", Both, "schema"),
    row(Mysql, "mysql-ssl", Text, "off", Both, "TLS: off or on; or disabled, preferred, required, verify_ca, verify_identity"),
    row(Mysql, "mysql-ssl-key", File, "", From11, "file of the client certificate's private key"),
    row(Mysql, "mysql-ssl-ca", File, "", From11, "file of the certificate authority"),
    row(Mysql, "mysql-ssl-cert", File, "", From11, "file of the client certificate"),
    row(Mysql, "mysql-ssl-cipher", Text, "", Both, "the ciphers to offer").refused(OWN_CIPHERS),
    row(Mysql, "mysql-compression", Bool, "off", Both, "compress the protocol (zlib); it is an error if the server does not offer it"),
    row(Mysql, "mysql-compression-algorithms", Text, "zlib", From11, "compression algorithm: zlib, alone or in a list; zstd alone is refused"),
    row(Mysql, "mysql-debug", Bool, "off", Both, "trace the client library").inert(NO_LIBRARY),
    row(Mysql, "mysql-ignore-errors", List, "1213,1020,1205", Both, "error numbers of the server after which an event is restarted; or all"),
    row(Mysql, "mysql-dry-run", Bool, "off", Both, "connect to no server: every statement succeeds at once"),

    row(Pgsql, "pgsql-host", Text, "localhost", Both, "host, or the directory of a Unix socket"),
    row(Pgsql, "pgsql-port", Int, "5432", Both, "port"),
    row(Pgsql, "pgsql-user", Text, "sbtest", Both, "account"),
    row(Pgsql, "pgsql-password", Text, "", Both, "its password; it is not written to any file"),
    row(Pgsql, "pgsql-db", Text, "sbtest", Both, "database"),
    row(Pgsql, "pgsql-sslmode", Text, "prefer", From11, "TLS: disable, allow, prefer, require, verify-ca or verify-full"),
];

const NO_REDSHIFT: &str = "Redshift is not supported; sysbench's own code for it never ran";

/// Options of the tests named `oltp_*`, `select_random_*` and `bulk_insert`.
#[rustfmt::skip]
pub const OLTP: &[OptionSpec] = &[
    row(Oltp, "auto-inc", Bool, "on", Both, "the server generates the ids; off: the client does"),
    row(Oltp, "create-secondary", Bool, "on", Both, "create an index on k, after the rows"),
    row(Oltp, "create-table-options", Text, "", From11, "appended to CREATE TABLE; the tables are then created by the script of that name, one thread per table"),
    row(Oltp, "delete-inserts", Int, "1", Both, "number of pairs of DELETE and INSERT per event"),
    row(Oltp, "distinct-ranges", Int, "1", Both, "number of SELECT DISTINCTs over ranges per event"),
    row(Oltp, "index-updates", Int, "1", Both, "number of UPDATEs of the indexed column per event"),
    row(Oltp, "mysql-storage-engine", Text, "innodb", Both, "the tables' storage engine"),
    row(Oltp, "non-index-updates", Int, "1", Both, "number of UPDATEs of an unindexed column per event"),
    row(Oltp, "order-ranges", Int, "1", Both, "number of sorted SELECTs over ranges per event"),
    row(Oltp, "pgsql-variant", Text, "-", Both, "the variant of PostgreSQL").refused(NO_REDSHIFT),
    row(Oltp, "point-selects", Int, "10", Both, "number of SELECTs of one row per event (oltp_point_select: always one)"),
    row(Oltp, "range-selects", Bool, "on", Both, "off: no SELECTs over ranges"),
    row(Oltp, "range-size", Int, "100", Both, "number of rows in a range"),
    row(Oltp, "reconnect", Int, "0", From11, "reconnect after this many events of a client, within the last of them; 0: never"),
    row(Oltp, "secondary", Bool, "off", Both, "a secondary index on id instead of the primary key"),
    row(Oltp, "simple-ranges", Int, "1", Both, "number of plain SELECTs over ranges per event"),
    row(Oltp, "skip-trx", Bool, "off", Both, "no BEGIN and COMMIT"),
    row(Oltp, "sum-ranges", Int, "1", Both, "number of sums over ranges per event"),
    row(Oltp, "table-size", Int, "10000", Both, "number of rows per table"),
    row(Oltp, "tables", Int, "1", Both, "number of tables"),
    row(Oltp, "random-points", Int, "10", Both, "select_random_points: number of values in the IN list"),
    row(Oltp, "number-of-ranges", Int, "10", Both, "select_random_ranges: number of ranges in the statement"),
    row(Oltp, "delta", Int, "5", Both, "select_random_ranges: width of a range"),
];
