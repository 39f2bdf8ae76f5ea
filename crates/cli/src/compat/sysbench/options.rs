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

const NO_LIBRARY: &str = "there is no client library whose calls could be traced";
const OWN_CIPHERS: &str = "TLS 1.2 and 1.3 are spoken with their safe ciphers only; which one the server chooses";

/// Options of the program, whatever the test.
#[rustfmt::skip] // one row, one line: a table to read
pub const GLOBAL: &[OptionSpec] = &[
    row(General, "threads", Int, "1", Both, "concurrent clients, each with a connection of its own"),
    row(General, "events", Int, "0", Both, "end after so many events in all; 0: no limit"),
    row(General, "time", Seconds, "10", Both, "end after so many seconds; 0: no limit"),
    row(General, "warmup-time", Seconds, "0", From11, "drive so many seconds beforehand without counting"),
    row(General, "forced-shutdown", Text, "off", Both, "how long after the limit to wait for what is under way: seconds, or per cent of the limit; off: until it ends"),
    row(General, "thread-stack-size", Size, "64K", Both, "stack of a thread")
        .inert("clients are tasks, not threads: they have no stack that could be set"),
    row(General, "thread-init-timeout", Int, "30", From11, "seconds that a connection may take to be let in"),
    row(General, "rate", Int, "0", Both, "intended events per second of all clients together, Poisson; 0: as fast as they go"),
    row(General, "report-interval", Int, "0", Both, "a line of figures every so many seconds; 0: none"),
    row(General, "report-checkpoints", List, "", Both, "seconds at which a whole report is given and all figures begin anew"),
    row(General, "debug", Bool, "off", Both, "everything said, and each client's figures at the end"),
    row(General, "validate", Bool, "off", Both, "check what is read, where a test can (fileio)"),
    row(General, "help", Bool, "off", Both, "tell the options"),
    row(General, "version", Bool, "off", Both, "tell the version"),
    row(General, "config-file", File, "", Both, "read options from a file, one NAME=VALUE a line; the command line wins"),
    row(General, "luajit-cmd", Text, "-", From11, "a script's compiler: on, off, or another command of luajit -j; native tests have no Lua in them"),
    row(General, "tenbin-form", Text, "-", Ours, "1.0 or 1.1: whose reports and defaults; without it 1.1's where an option is given that only 1.1 has, else 1.0's"),
    row(General, "tx-rate", Int, "0", Until10, "the same as rate"),
    row(General, "max-requests", Int, "0", Until10, "the same as events"),
    row(General, "max-time", Int, "0", Until10, "the same as time"),
    row(General, "num-threads", Int, "1", Until10, "the same as threads"),
    row(General, "test", Text, "-", Until10, "the test's name or script, for the first word"),

    row(Random, "rand-type", Text, "special", Both, "how keys are spread: uniform, gaussian, special, pareto or zipfian"),
    row(Random, "rand-spec-iter", Int, "12", Until10, "values that gaussian and special average"),
    row(Random, "rand-spec-pct", Int, "1", Until10, "special: the hot band's part of the rows, per cent"),
    row(Random, "rand-spec-res", Int, "75", Until10, "special: the hot band's part of the draws, per cent"),
    row(Random, "rand-seed", Int, "0", Both, "seed of all random numbers, prepare's too; 0: from the clock"),
    row(Random, "rand-pareto-h", Double, "0.2", Both, "pareto: this part of the rows gets the rest of the draws"),
    row(Random, "rand-zipfian-exp", Double, "0.8", From11, "zipfian: its exponent"),

    row(Log, "verbosity", Int, "3", Both, "0: fatal errors only; 1: alerts; 2: warnings; 3: reports; 4: more; 5: everything"),
    row(Log, "percentile", List, "95", Both, "which percentile of latencies to tell (here also several: 95,99,99.9); 0: none"),
    row(Log, "histogram", Bool, "off", Both, "tell the latencies' histogram too"),

    row(Database, "db-driver", Text, "mysql", Both, "mysql or pgsql"),
    row(Database, "db-ps-mode", Text, "auto", Both, "auto: prepared statements; disable: every statement as text"),
    row(Database, "db-debug", Bool, "off", Both, "more about the database in reports")
        .inert("the run directory has each statement's count, times and errors anyway"),

    row(Mysql, "mysql-host", List, "localhost", Both, "hosts, in turn; localhost is the Unix socket where there is one"),
    row(Mysql, "mysql-port", List, "3306", Both, "ports, each with every host"),
    row(Mysql, "mysql-socket", List, "-", Both, "Unix sockets, in turn; hosts and ports are not used then"),
    row(Mysql, "mysql-user", Text, "sbtest", Both, "account"),
    row(Mysql, "mysql-password", Text, "", Both, "its password; it is written down nowhere"),
    row(Mysql, "mysql-db", Text, "sbtest", Both, "schema"),
    row(Mysql, "mysql-ssl", Text, "off", Both, "TLS: off or on; or disabled, preferred, required, verify_ca, verify_identity"),
    row(Mysql, "mysql-ssl-key", File, "", From11, "our key, for servers that ask for a certificate"),
    row(Mysql, "mysql-ssl-ca", File, "", From11, "the authority to trust"),
    row(Mysql, "mysql-ssl-cert", File, "", From11, "our certificate"),
    row(Mysql, "mysql-ssl-cipher", Text, "", Both, "ciphers to offer").refused(OWN_CIPHERS),
    row(Mysql, "mysql-compression", Bool, "off", Both, "compress what goes over the line (zlib); a server that does not offer it is an error"),
    row(Mysql, "mysql-compression-algorithms", Text, "zlib", From11, "how to compress: zlib, alone or in a list; zstd alone is refused"),
    row(Mysql, "mysql-debug", Bool, "off", Both, "trace the client library").inert(NO_LIBRARY),
    row(Mysql, "mysql-ignore-errors", List, "1213,1020,1205", Both, "the server's errors after which an event begins anew; or all"),
    row(Mysql, "mysql-dry-run", Bool, "off", Both, "talk to no server: every statement succeeds at once"),

    row(Pgsql, "pgsql-host", Text, "localhost", Both, "host, or the directory of a Unix socket"),
    row(Pgsql, "pgsql-port", Int, "5432", Both, "port"),
    row(Pgsql, "pgsql-user", Text, "sbtest", Both, "account"),
    row(Pgsql, "pgsql-password", Text, "", Both, "its password; it is written down nowhere"),
    row(Pgsql, "pgsql-db", Text, "sbtest", Both, "database"),
    row(Pgsql, "pgsql-sslmode", Text, "prefer", From11, "TLS: disable, allow, prefer, require, verify-ca or verify-full"),
];

const NO_REDSHIFT: &str = "Redshift is no target of Tenbin's; sysbench's own code for it never ran";

/// Options of the tests named `oltp_*`, `select_random_*` and `bulk_insert`.
#[rustfmt::skip]
pub const OLTP: &[OptionSpec] = &[
    row(Oltp, "auto-inc", Bool, "on", Both, "the server numbers the rows; off: the client does"),
    row(Oltp, "create-secondary", Bool, "on", Both, "an index on k, made after the rows"),
    row(Oltp, "create-table-options", Text, "", From11, "appended to CREATE TABLE; the tables are then made by the script of that name, one thread to a table"),
    row(Oltp, "delete-inserts", Int, "1", Both, "pairs of DELETE and INSERT in an event"),
    row(Oltp, "distinct-ranges", Int, "1", Both, "distinct values of ranges in an event"),
    row(Oltp, "index-updates", Int, "1", Both, "UPDATEs of the indexed column in an event"),
    row(Oltp, "mysql-storage-engine", Text, "innodb", Both, "the tables' storage engine"),
    row(Oltp, "non-index-updates", Int, "1", Both, "UPDATEs of an unindexed column in an event"),
    row(Oltp, "order-ranges", Int, "1", Both, "sorted SELECTs over ranges in an event"),
    row(Oltp, "pgsql-variant", Text, "-", Both, "a relative of PostgreSQL").refused(NO_REDSHIFT),
    row(Oltp, "point-selects", Int, "10", Both, "SELECTs of one row in an event (oltp_point_select: always one)"),
    row(Oltp, "range-selects", Bool, "on", Both, "off: none of the SELECTs over ranges"),
    row(Oltp, "range-size", Int, "100", Both, "rows in a range"),
    row(Oltp, "reconnect", Int, "0", From11, "a new connection after so many events of a client, within the last of them; 0: none"),
    row(Oltp, "secondary", Bool, "off", Both, "a plain index on id for the primary key"),
    row(Oltp, "simple-ranges", Int, "1", Both, "plain SELECTs over ranges in an event"),
    row(Oltp, "skip-trx", Bool, "off", Both, "no BEGIN and COMMIT"),
    row(Oltp, "sum-ranges", Int, "1", Both, "sums over ranges in an event"),
    row(Oltp, "table-size", Int, "10000", Both, "rows of a table"),
    row(Oltp, "tables", Int, "1", Both, "tables"),
    row(Oltp, "random-points", Int, "10", Both, "select_random_points: values in the IN list"),
    row(Oltp, "number-of-ranges", Int, "10", Both, "select_random_ranges: ranges in the statement"),
    row(Oltp, "delta", Int, "5", Both, "select_random_ranges: width of a range"),
];
