//! Options of sysbench 0.4 and 0.5.

use super::row::{OF_OLD as G, OLD_ONLY, row};
use crate::option::OptionSpec;
use crate::option::ValueType::{Bool, Int, Number, Text};

const HANDLER: &str = "no workload of Tenbin sends HANDLER statements";
const PROCEDURE: &str = "Tenbin does not create stored procedures; write a Lua script that calls yours";

/// Options of the program and of the test `oltp` of 0.4, and of the scripts of 0.5.
#[rustfmt::skip] // one row, one line: a table to read
pub const OLD: &[OptionSpec] = &[
    row(G, "init-rng", Bool, "off", OLD_ONLY, "take the seed from the clock; without it 0.4 used the same numbers each time, as Tenbin does with seed 1"),
    row(G, "rand-init", Bool, "off", OLD_ONLY, "the same as init-rng"),
    row(G, "seed-rng", Int, "0", OLD_ONLY, "the same as rand-seed"),
    row(G, "tx-jitter", Int, "0", OLD_ONLY, "variation of the intervals between starts").inert("starts are distributed as in sysbench 1.0 (Poisson)"),
    row(G, "mysql-table-engine", Text, "innodb", OLD_ONLY, "the same as mysql-storage-engine"),
    row(G, "mysql-engine-trx", Text, "auto", OLD_ONLY, "whether the engine has transactions")
        .inert("BEGIN and COMMIT are sent for every engine; one without transactions ignores them"),
    row(G, "myisam-max-rows", Int, "1000000", OLD_ONLY, "MAX_ROWS of MyISAM tables of 0.4"),
    row(G, "mysql-create-options", Text, "-", OLD_ONLY, "0.4: appended to CREATE TABLE"),
    row(G, "oltp-test-mode", Text, "complex", OLD_ONLY, "complex: transactions; simple: one SELECT; nontrx: single statements; sp: a stored procedure"),
    row(G, "oltp-reconnect-mode", Text, "session", OLD_ONLY, "session: never reconnect; transaction: after each transaction (query and random are refused)"),
    row(G, "oltp-sp-name", Text, "-", OLD_ONLY, "a stored procedure").refused(PROCEDURE),
    row(G, "oltp-read-only", Bool, "off", OLD_ONLY, "no statements that write"),
    row(G, "oltp-write-only", Bool, "off", OLD_ONLY, "no statements that read"),
    row(G, "oltp-skip-trx", Bool, "off", OLD_ONLY, "no BEGIN and COMMIT"),
    row(G, "oltp-range-selects", Bool, "on", OLD_ONLY, "off: no SELECTs over ranges"),
    row(G, "oltp-range-size", Int, "100", OLD_ONLY, "number of rows in a range"),
    row(G, "oltp-point-selects", Int, "10", OLD_ONLY, "number of SELECTs of one row per event"),
    row(G, "oltp-simple-ranges", Int, "1", OLD_ONLY, "number of plain SELECTs over ranges per event"),
    row(G, "oltp-sum-ranges", Int, "1", OLD_ONLY, "number of sums over ranges per event"),
    row(G, "oltp-order-ranges", Int, "1", OLD_ONLY, "number of sorted SELECTs over ranges per event"),
    row(G, "oltp-distinct-ranges", Int, "1", OLD_ONLY, "number of SELECT DISTINCTs over ranges per event"),
    row(G, "oltp-index-updates", Int, "1", OLD_ONLY, "number of UPDATEs of the indexed column per event"),
    row(G, "oltp-non-index-updates", Int, "1", OLD_ONLY, "number of UPDATEs of an unindexed column per event"),
    row(G, "oltp-delete-inserts", Int, "1", OLD_ONLY, "number of pairs of DELETE and INSERT per event"),
    row(G, "oltp-nontrx-mode", Text, "select", OLD_ONLY, "nontrx: select, update_key, update_nokey, insert or delete"),
    row(G, "oltp-auto-inc", Bool, "on", OLD_ONLY, "the server generates the ids"),
    row(G, "oltp-connect-delay", Int, "10000", OLD_ONLY, "µs between a client's login and its first statement")
        .inert("all clients start together after the last one has connected"),
    row(G, "oltp-user-delay-min", Int, "0", OLD_ONLY, "minimum think time in µs").refused("think times are not supported"),
    row(G, "oltp-user-delay-max", Int, "0", OLD_ONLY, "maximum think time in µs").refused("think times are not supported"),
    row(G, "oltp-table-name", Text, "sbtest", OLD_ONLY, "the name of the only table of 0.4 (the tables of 0.5 are sbtest1, sbtest2, …)"),
    row(G, "oltp-table-size", Number(0, u32::MAX as u64), "10000", OLD_ONLY, "its number of rows"),
    row(G, "oltp-tables-count", Int, "1", OLD_ONLY, "0.5: number of tables"),
    row(G, "oltp-dist-type", Text, "special", OLD_ONLY, "distribution of keys: uniform, gaussian or special"),
    row(G, "oltp-dist-iter", Int, "12", OLD_ONLY, "number of values that gaussian and special average"),
    row(G, "oltp-dist-pct", Int, "1", OLD_ONLY, "special: the hot rows' share of all rows in per cent"),
    row(G, "oltp-dist-res", Int, "75", OLD_ONLY, "special: the hot rows' share of all draws in per cent"),
    row(G, "oltp-point-select-mysql-handler", Bool, "off", OLD_ONLY, "HANDLER for point SELECTs").refused(HANDLER),
    row(G, "oltp-point-select-all-cols", Bool, "off", OLD_ONLY, "read all columns in point SELECTs").refused("point SELECTs read the column c"),
    row(G, "oltp-secondary", Bool, "off", OLD_ONLY, "a secondary index on id instead of the primary key"),
];
