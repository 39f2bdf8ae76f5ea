//! What one transaction cost the server: counters over the measured window, divided by the completed transactions.

use super::evidence::Evidence;
use tenbin_model::names::observer;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// What one transaction cost of one thing.
#[derive(Debug, Clone, PartialEq)]
pub struct OperationCost {
    /// Its name in JSON.
    pub code: &'static str,
    /// `µs`, `bytes`, …; empty for a plain number.
    pub unit: &'static str,
    /// What it is.
    pub label: Message,
    /// For one completed transaction.
    pub per_operation: f64,
    /// For one second of the window.
    pub per_second: f64,
    /// The readings of which it is the sum.
    pub readings: &'static [&'static str],
}

/// One line of the list: what, and where it is read.
struct CostSpec {
    code: &'static str,
    unit: &'static str,
    label: fn() -> Message,
    factor: f64,
    /// The first of these of which all readings are there: `process/…` of the server's processes, `status/…` of its status.
    sources: &'static [&'static [&'static str]],
}

const fn cost(
    code: &'static str,
    unit: &'static str,
    label: fn() -> Message,
    sources: &'static [&'static [&'static str]],
) -> CostSpec {
    CostSpec { code, unit, label, factor: 1.0, sources }
}

/// All costs, in the order in which they are shown.
const COSTS: &[CostSpec] = &[
    CostSpec {
        factor: 1e6,
        ..cost("cpu", "µs", || msg!("cost-cpu"), &[&["process/cpu_user_s", "process/cpu_system_s"]])
    },
    CostSpec { factor: 1e6, ..cost("cpu_wait", "µs", || msg!("cost-cpu-wait"), &[&["process/run_delay_s"]]) },
    cost(
        "rows_read",
        "",
        || msg!("cost-rows-read"),
        &[&["status/innodb_rows_read"], &["status/rows_read"], &["status/tup_fetched"]],
    ),
    cost(
        "rows_changed",
        "",
        || msg!("cost-rows-changed"),
        &[
            &["status/innodb_rows_inserted", "status/innodb_rows_updated", "status/innodb_rows_deleted"],
            &["status/handler_write", "status/handler_update", "status/handler_delete"],
            &["status/tup_inserted", "status/tup_updated", "status/tup_deleted"],
        ],
    ),
    cost(
        "page_requests",
        "pages",
        || msg!("cost-page-requests"),
        &[&["status/innodb_buffer_pool_read_requests"], &["status/blks_hit", "status/blks_read"]],
    ),
    cost(
        PAGES_READ,
        "pages",
        || msg!("cost-pages-read"),
        &[&["status/innodb_buffer_pool_reads"], &["status/blks_read"]],
    ),
    cost("disk_read_bytes", "bytes", || msg!("cost-disk-read"), &[&["process/disk_read_bytes"]]),
    cost("disk_written_bytes", "bytes", || msg!("cost-disk-written"), &[&["process/disk_write_bytes"]]),
    cost("log_bytes", "bytes", || msg!("cost-log-bytes"), &[&["status/innodb_os_log_written"], &["status/wal_bytes"]]),
    cost(
        "binlog_bytes",
        "bytes",
        || msg!("cost-binlog-bytes"),
        &[&["status/binlog_bytes_written"], &["binlog/binlog_written_bytes"]],
    ),
    // InnoDB's flushes of data files contain those of the redo log.
    cost(SYNCS, "", || msg!("cost-syncs"), &[&["status/innodb_data_fsyncs"], &["status/wal_sync"]]),
    cost("row_lock_waits", "", || msg!("cost-row-lock-waits"), &[&["status/innodb_row_lock_waits"]]),
    cost("row_lock_time", "ms", || msg!("cost-row-lock-time"), &[&["status/innodb_row_lock_time"]]),
    cost("deadlocks", "", || msg!("cost-deadlocks"), &[&["status/innodb_deadlocks"], &["status/deadlocks"]]),
    cost("tmp_tables", "", || msg!("cost-tmp-tables"), &[&["status/created_tmp_tables"]]),
    cost(
        "tmp_disk_tables",
        "",
        || msg!("cost-tmp-disk-tables"),
        &[&["status/created_tmp_disk_tables"], &["status/temp_files"]],
    ),
    cost("sort_rows", "", || msg!("cost-sort-rows"), &[&["status/sort_rows"]]),
    cost("bytes_received", "bytes", || msg!("cost-bytes-received"), &[&["status/bytes_received"]]),
    cost("bytes_sent", "bytes", || msg!("cost-bytes-sent"), &[&["status/bytes_sent"]]),
];

/// The codes of those that rules use.
pub(super) const PAGES_READ: &str = "pages_read";
pub(super) const SYNCS: &str = "syncs";

/// What one transaction cost. What is not known is missing.
pub(super) fn costs(e: &Evidence<'_>) -> Vec<OperationCost> {
    COSTS.iter().filter_map(|spec| one(e, spec)).collect()
}

/// One of them, per second.
pub(super) fn per_second(e: &Evidence<'_>, code: &str) -> Option<f64> {
    Some(one(e, COSTS.iter().find(|spec| spec.code == code)?)?.per_second)
}

fn one(e: &Evidence<'_>, spec: &CostSpec) -> Option<OperationCost> {
    let read = |name: &&str| match name.split_once('/')? {
        ("process", name) => e.process(name),
        ("binlog", name) => e.rate(observer::SERVER_BINLOG, name),
        (_, name) => e.status(name),
    };
    let sum = |readings: &&[&str]| readings.iter().map(read).sum::<Option<f64>>();
    let (readings, value) = spec.sources.iter().find_map(|source| Some((*source, sum(source)?)))?;
    let per_second = value * spec.factor;
    let per_operation = per_second / e.tps;
    Some(OperationCost { code: spec.code, unit: spec.unit, label: (spec.label)(), per_operation, per_second, readings })
}
