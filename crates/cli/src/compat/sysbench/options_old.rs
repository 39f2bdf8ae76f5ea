//! Options of sysbench 0.4 and 0.5.

use super::option::OptionGroup::Old as G;
use super::option::Since::Old;
use super::option::ValueType::{Bool, Int, Text};
use super::option::{OptionSpec, row};

const HANDLER: &str = "HANDLER statements are not sent by any workload here";
const PROCEDURE: &str = "stored procedures cannot be made for you; write a Lua script that calls yours";

/// Options of the program and of the test `oltp` of 0.4, and of the scripts of 0.5.
#[rustfmt::skip] // one row, one line: a table to read
pub const OLD: &[OptionSpec] = &[
    row(G, "init-rng", Bool, "off", Old, "a seed from the clock; without it 0.4 had the same numbers each time, as seed 1 has here"),
    row(G, "rand-init", Bool, "off", Old, "the same as init-rng"),
    row(G, "seed-rng", Int, "0", Old, "the same as rand-seed"),
    row(G, "tx-jitter", Int, "0", Old, "spread of the gaps between starts").inert("starts are drawn as sysbench 1.0 draws them (Poisson)"),
    row(G, "mysql-table-engine", Text, "innodb", Old, "the same as mysql-storage-engine"),
    row(G, "mysql-engine-trx", Text, "auto", Old, "whether the engine has transactions")
        .inert("BEGIN and COMMIT are sent to every engine; one without transactions takes them and does nothing"),
    row(G, "myisam-max-rows", Int, "1000000", Old, "MAX_ROWS of MyISAM tables").inert("no engine of today needs it"),
    row(G, "mysql-create-options", Text, "-", Old, "appended to CREATE TABLE").refused("tables are made in one known form"),
    row(G, "oltp-test-mode", Text, "complex", Old, "complex: transactions; simple: one SELECT; nontrx: single statements; sp: a stored procedure"),
    row(G, "oltp-reconnect-mode", Text, "session", Old, "session: never a new connection; transaction: after each (query and random are refused)"),
    row(G, "oltp-sp-name", Text, "-", Old, "a stored procedure").refused(PROCEDURE),
    row(G, "oltp-read-only", Bool, "off", Old, "none of the statements that write"),
    row(G, "oltp-write-only", Bool, "off", Old, "none of the statements that read"),
    row(G, "oltp-skip-trx", Bool, "off", Old, "no BEGIN and COMMIT"),
    row(G, "oltp-range-selects", Bool, "on", Old, "off: none of the SELECTs over ranges"),
    row(G, "oltp-range-size", Int, "100", Old, "rows in a range"),
    row(G, "oltp-point-selects", Int, "10", Old, "SELECTs of one row in an event"),
    row(G, "oltp-simple-ranges", Int, "1", Old, "plain SELECTs over ranges in an event"),
    row(G, "oltp-sum-ranges", Int, "1", Old, "sums over ranges in an event"),
    row(G, "oltp-order-ranges", Int, "1", Old, "sorted SELECTs over ranges in an event"),
    row(G, "oltp-distinct-ranges", Int, "1", Old, "distinct values of ranges in an event"),
    row(G, "oltp-index-updates", Int, "1", Old, "UPDATEs of the indexed column in an event"),
    row(G, "oltp-non-index-updates", Int, "1", Old, "UPDATEs of an unindexed column in an event"),
    row(G, "oltp-delete-inserts", Int, "1", Old, "pairs of DELETE and INSERT in an event"),
    row(G, "oltp-nontrx-mode", Text, "select", Old, "nontrx: select, update_key, update_nokey, insert or delete"),
    row(G, "oltp-auto-inc", Bool, "on", Old, "the server numbers the rows"),
    row(G, "oltp-connect-delay", Int, "10000", Old, "µs between a client's connecting and its first statement")
        .inert("all clients start together once the last one is connected"),
    row(G, "oltp-user-delay-min", Int, "0", Old, "least think time, µs").refused("clients do not think yet"),
    row(G, "oltp-user-delay-max", Int, "0", Old, "longest think time, µs").refused("clients do not think yet"),
    row(G, "oltp-table-name", Text, "sbtest", Old, "the one table's name"),
    row(G, "oltp-table-size", Int, "10000", Old, "its rows"),
    row(G, "oltp-tables-count", Int, "1", Old, "0.5: tables"),
    row(G, "oltp-dist-type", Text, "special", Old, "how keys are spread: uniform, gaussian or special"),
    row(G, "oltp-dist-iter", Int, "12", Old, "values that gaussian and special average"),
    row(G, "oltp-dist-pct", Int, "1", Old, "special: the hot band's part of the rows, per cent"),
    row(G, "oltp-dist-res", Int, "75", Old, "special: the hot band's part of the draws, per cent"),
    row(G, "oltp-point-select-mysql-handler", Bool, "off", Old, "HANDLER for point SELECTs").refused(HANDLER),
    row(G, "oltp-point-select-all-cols", Bool, "off", Old, "all columns in point SELECTs").refused("point SELECTs read the column c"),
    row(G, "oltp-secondary", Bool, "off", Old, "a plain index on id for the primary key"),
];
