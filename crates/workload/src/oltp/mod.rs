//! The workloads that people know from sysbench 1.0: same tables, statements, order, protocol and counts.
//!
//! Eight of the eleven are lists of statement groups: [`event`] turns such a list and a seed into statements and
//! values (pure), [`transaction`] sends them. `oltp_insert` and `bulk_insert` write SQL text of their own and
//! `select_random_*` have one statement with many values, so each of these has its own client.

pub(crate) mod bulk_insert;
pub(crate) mod delete;
mod event;
pub(crate) mod insert;
pub(crate) mod legacy_0_4;
pub(crate) mod point_select;
pub(crate) mod random_points;
pub(crate) mod random_ranges;
pub(crate) mod read_only;
pub(crate) mod read_write;
mod reconnect;
mod select_random;
pub(crate) mod session;
mod transaction;
pub(crate) mod update_index;
pub(crate) mod update_non_index;
pub(crate) mod write_only;

use crate::options::{OptionSpec, ValueType, row};
use reconnect::RECONNECT;

/// Where the tables are and how statements are sent; every workload here has these.
const COMMON: &[OptionSpec] = &[
    row("tables", "1", ValueType::Count(1, 100_000), "tables sbtest1, sbtest2, …; each group of statements draws one"),
    row("table_size", "10000", ValueType::Count(1, 2_147_483_647), "rows per table: keys are drawn from 1 to this"),
    PS_MODE,
    RECONNECT,
];

const PS_MODE: OptionSpec = row(
    "ps_mode",
    "auto",
    ValueType::Word(&["auto", "disable"]),
    "auto: prepared statements; disable: every statement as text",
);

const SKIP_TRX: &[OptionSpec] =
    &[row("skip_trx", "off", ValueType::Switch, "no BEGIN and COMMIT: each statement on its own")];

/// How many statements of each reading kind one transaction has.
const READS: &[OptionSpec] = &[
    row("point_selects", "10", MANY, "SELECT of one row by id"),
    row("range_selects", "on", ValueType::Switch, "off: none of the four range statements"),
    row("simple_ranges", "1", MANY, "SELECT of a range"),
    row("sum_ranges", "1", MANY, "SELECT SUM over a range"),
    row("order_ranges", "1", MANY, "SELECT of a range, sorted"),
    row("distinct_ranges", "1", MANY, "SELECT DISTINCT of a range, sorted"),
    row("range_size", "100", ValueType::Count(1, 2_147_483_647), "rows in a range"),
];

/// How many statements of each writing kind one transaction has.
const WRITES: &[OptionSpec] =
    &[INDEX_UPDATES, NON_INDEX_UPDATES, row("delete_inserts", "1", MANY, "DELETE and INSERT of a row")];

const INDEX_UPDATES: OptionSpec = row("index_updates", "1", MANY, "UPDATE of the indexed column of a row");
const NON_INDEX_UPDATES: OptionSpec = row("non_index_updates", "1", MANY, "UPDATE of an unindexed column of a row");

const MANY: ValueType = ValueType::Count(0, 1_000_000);
