//! The OLTP workloads of sysbench 1.0: the same tables, statements, order, protocol and counts.
//!
//! Eight of the eleven are lists of statement groups: [`event`] turns such a list and a seed into statements and
//! values (pure), [`transaction`] sends them. `oltp_insert` and `bulk_insert` write SQL text and
//! `select_random_*` have one statement with many values, so each of these has its own client.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod bulk_insert;
mod delete;
mod event;
mod insert;
mod legacy_0_4;
mod point_select;
mod random_points;
mod random_ranges;
mod read_only;
mod read_write;
mod reconnect;
mod select_random;
mod session;
mod sysbench;
mod transaction;
mod update_index;
mod update_non_index;
mod write_only;

use reconnect::RECONNECT;
use tenbin_workload::options::{OptionSpec, ValueType, row};
use tenbin_workload::{DatasetEntry, WorkloadEntry};

/// The workloads of this family. A new one is one new file and one line here.
pub const WORKLOADS: &[WorkloadEntry] = &[
    read_write::ENTRY,
    read_only::ENTRY,
    write_only::ENTRY,
    point_select::ENTRY,
    update_index::ENTRY,
    update_non_index::ENTRY,
    insert::ENTRY,
    delete::ENTRY,
    random_points::ENTRY,
    random_ranges::ENTRY,
    bulk_insert::ENTRY,
    legacy_0_4::ENTRY,
];

/// The kinds of data sets of this family.
pub const DATASETS: &[DatasetEntry] = &[sysbench::ENTRY, sysbench::bulk::ENTRY, sysbench::OF_0_4];

/// The default kind of data set of a plan.
pub const DEFAULT_DATASET: &str = sysbench::ENTRY.kind;

/// Options of all workloads of this family: the tables, and how statements are sent.
const COMMON: &[OptionSpec] = &[
    row(
        "tables",
        "1",
        ValueType::Count(1, 100_000),
        "number of tables sbtest1, sbtest2, …; each group of statements uses a random one",
    ),
    row("table_size", "10000", ValueType::Count(1, u32::MAX as u64), "rows per table: keys are drawn from 1 to this"),
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
    &[row("skip_trx", "off", ValueType::Switch, "no BEGIN and COMMIT: each statement is its own transaction")];

/// The number of statements of each reading kind in a transaction.
const READS: &[OptionSpec] = &[
    row("point_selects", "10", MANY, "SELECT of one row by id"),
    row("range_selects", "on", ValueType::Switch, "off: without the four range statements"),
    row("simple_ranges", "1", MANY, "SELECT of a range"),
    row("sum_ranges", "1", MANY, "SELECT SUM over a range"),
    row("order_ranges", "1", MANY, "SELECT of a range, sorted"),
    row("distinct_ranges", "1", MANY, "SELECT DISTINCT of a range, sorted"),
    row("range_size", "100", ValueType::Count(0, 2_147_483_647), "rows in a range"),
];

/// The number of statements of each writing kind in a transaction.
const WRITES: &[OptionSpec] =
    &[INDEX_UPDATES, NON_INDEX_UPDATES, row("delete_inserts", "1", MANY, "DELETE and INSERT of a row")];

const INDEX_UPDATES: OptionSpec = row("index_updates", "1", MANY, "UPDATE of the indexed column of a row");
const NON_INDEX_UPDATES: OptionSpec = row("non_index_updates", "1", MANY, "UPDATE of an unindexed column of a row");

const MANY: ValueType = ValueType::Count(0, 1_000_000);
