//! MySQL's and MariaDB's status counters, over a separate connection.
//!
//! What MySQL has in `information_schema.INNODB_METRICS` only, and MariaDB as a status variable, is recorded under the name
//! of the latter, so that the two can be compared.

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Error, Table};
use tenbin_model::names::observer;
use tenbin_model::reading::{ReadingKind, ReadingSpec, Whose};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: observer::SERVER_STATUS,
    readings,
    connects: true,
    make: |subject| {
        let mysql = subject.connector.dsn().scheme.kind().has_mysql_status;
        mysql.then(|| Box::new(StatusCounters { session: ObserverSession::new(subject) }) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

fn readings(_: &Subject) -> Vec<ReadingSpec> {
    let unit = |name: &str| UNITS.iter().find(|unit| unit.0 == name).map_or("", |unit| unit.1);
    let counters = COUNTERS.iter().map(|name| ReadingSpec::counter(*name, unit(name), Whose::Server));
    let counters = counters.chain(ADDED.iter().map(|(name, unit)| ReadingSpec::counter(*name, unit, Whose::Server)));
    let gauges = GAUGES.iter().map(|name| ReadingSpec::gauge(*name, "", Whose::Server));
    let innodb = INNODB.iter().map(|metric| match metric.kind {
        ReadingKind::Counter => ReadingSpec::counter(metric.name, metric.unit, Whose::Server),
        ReadingKind::Gauge => ReadingSpec::gauge(metric.name, metric.unit, Whose::Server),
    });
    counters.chain(gauges).chain(innodb).collect()
}

/// A figure of InnoDB.
pub(super) struct InnodbMetric {
    /// The name of the status variable, in lower case.
    pub name: &'static str,
    kind: ReadingKind,
    unit: &'static str,
    /// Its name in `INNODB_METRICS`, if it is enabled there by default, and not a status variable of every server.
    metric: Option<&'static str>,
}

const fn counter(name: &'static str, unit: &'static str) -> InnodbMetric {
    InnodbMetric { name, kind: ReadingKind::Counter, unit, metric: None }
}

const fn gauge(name: &'static str, unit: &'static str) -> InnodbMetric {
    InnodbMetric { kind: ReadingKind::Gauge, ..counter(name, unit) }
}

/// The state of InnoDB: debts (purge, dirty pages, checkpoint), pages read and written, waits for locks and log.
/// `innodb_ibuf_size` is not among them: MariaDB 10.11 shows 34840774705153 on a new server.
pub(super) const INNODB: &[InnodbMetric] = &[
    InnodbMetric { metric: Some("trx_rseg_history_len"), ..gauge("innodb_history_list_length", "") },
    gauge(CHECKPOINT_AGE, "bytes"),
    gauge("innodb_checkpoint_max_age", "bytes"),
    gauge("innodb_buffer_pool_bytes_dirty", "bytes"),
    gauge("innodb_buffer_pool_pages_free", "pages"),
    counter("innodb_buffer_pool_pages_flushed", "pages"),
    counter("innodb_buffer_pool_write_requests", ""),
    counter("innodb_data_reads", ""),
    counter("innodb_data_writes", ""),
    counter("innodb_pages_created", "pages"),
    counter("innodb_pages_read", "pages"),
    counter("innodb_pages_written", "pages"),
    counter("innodb_log_write_requests", ""),
    counter("innodb_log_writes", ""),
    gauge("innodb_row_lock_current_waits", ""),
    InnodbMetric { metric: Some("lock_deadlocks"), ..counter("innodb_deadlocks", "") },
    InnodbMetric { metric: Some("lock_timeouts"), ..counter("innodb_lock_timeouts", "") },
    InnodbMetric { metric: Some("ibuf_merges"), ..counter("innodb_ibuf_merges", "") },
];

/// How much of the redo log is not covered by a checkpoint. MySQL has it from 8.0.30 on, as two positions.
const CHECKPOINT_AGE: &str = "innodb_checkpoint_age";
const CURRENT_LSN: &str = "innodb_redo_log_current_lsn";
const CHECKPOINT_LSN: &str = "innodb_redo_log_checkpoint_lsn";

/// The counters with explanatory value: work, waits, I/O, connections. Their names are the server's, in lower case.
const COUNTERS: &[&str] = &[
    "aborted_clients",
    "aborted_connects",
    "bytes_received",
    "bytes_sent",
    "com_commit",
    "com_delete",
    "com_insert",
    "com_rollback",
    "com_select",
    "com_stmt_execute",
    "com_stmt_prepare",
    "com_update",
    "connections",
    "created_tmp_disk_tables",
    "created_tmp_tables",
    "handler_read_next",
    "handler_read_rnd_next",
    "innodb_buffer_pool_read_requests",
    "innodb_buffer_pool_reads",
    "innodb_buffer_pool_wait_free",
    "innodb_data_fsyncs",
    "innodb_data_read",
    "innodb_data_written",
    "innodb_log_waits",
    "innodb_os_log_fsyncs",
    "innodb_os_log_written",
    "innodb_row_lock_time",
    "innodb_row_lock_waits",
    "innodb_rows_deleted",
    "innodb_rows_inserted",
    "innodb_rows_read",
    "innodb_rows_updated",
    "queries",
    "questions",
    "select_scan",
    "slow_queries",
    "sort_rows",
    "uptime",
];

/// Counters that came later, with their units: the binary log, sorts, refused connections, and waits for replicas.
pub(super) const ADDED: &[(&str, &str)] = &[
    ("binlog_bytes_written", "bytes"),
    ("binlog_commits", ""),
    ("binlog_group_commits", ""),
    ("connection_errors_max_connections", ""),
    ("handler_delete", ""),
    ("handler_update", ""),
    ("handler_write", ""),
    ("rows_read", ""),
    ("rpl_semi_sync_master_tx_wait_time", "µs"),
    ("rpl_semi_sync_source_tx_wait_time", "µs"),
    ("sort_merge_passes", ""),
    ("threads_created", ""),
];

/// The units of those that are not plain numbers.
const UNITS: &[(&str, &str)] = &[
    ("bytes_received", "bytes"),
    ("bytes_sent", "bytes"),
    ("innodb_data_read", "bytes"),
    ("innodb_data_written", "bytes"),
    ("innodb_os_log_written", "bytes"),
    ("innodb_row_lock_time", "ms"),
    ("uptime", "s"),
];

/// The gauges among them.
const GAUGES: &[&str] =
    &["innodb_buffer_pool_pages_dirty", "prepared_stmt_count", "threads_connected", "threads_running"];

/// One server's counters.
struct StatusCounters {
    /// With the query for the metrics of InnoDB that are no status variables of this server; empty if there are none.
    session: ObserverSession<String>,
}

/// The query for what this server has in `INNODB_METRICS` only. An account without the privilege PROCESS, and a server
/// without that table, have none of it.
async fn metrics_query(connection: &mut Connection) -> Result<String, Problem> {
    let missing: Vec<String> = INNODB.iter().filter_map(|m| Some(format!("'{}'", m.metric?))).collect();
    let query = format!(
        "SELECT name, count FROM information_schema.innodb_metrics WHERE status = 'enabled' AND name IN ({})",
        missing.join(", ")
    );
    // MariaDB has all of them as status variables.
    let is_mariadb = connection.server_version().contains("MariaDB");
    Ok(if !is_mariadb && connection.table(&query).await.is_ok() { query } else { String::new() })
}

impl Observer for StatusCounters {
    fn disconnect(&mut self) {
        self.session.close();
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let (status, metrics) = self.session.ask(metrics_query, async |connection, query| {
            let failed = |e: Error| e.problem(msg!("reading-server-status"));
            let status = connection.table("SHOW GLOBAL STATUS").await.map_err(failed)?;
            let metrics = match query.as_str() {
                "" => Table::default(),
                query => connection.table(query).await.map_err(failed)?,
            };
            Ok((status, metrics))
        })?;
        Ok(values(&numbers(&status), &numbers(&metrics)).into())
    }
}

/// Names in lower case, and their values.
fn numbers(table: &Table) -> BTreeMap<String, f64> {
    let number = |row: &Vec<Option<String>>| {
        let name = row.first()?.as_deref()?.to_lowercase();
        Some((name, row.get(1)?.as_deref()?.parse().ok()?))
    };
    table.rows.iter().filter_map(number).collect()
}

/// The chosen readings, of status variables and of InnoDB's metrics.
fn values(status: &BTreeMap<String, f64>, metrics: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let names = COUNTERS
        .iter()
        .chain(GAUGES)
        .copied()
        .chain(ADDED.iter().map(|(name, _)| *name))
        .chain(INNODB.iter().map(|metric| metric.name));
    let mut values: BTreeMap<String, f64> =
        names.filter_map(|name| Some((name.to_owned(), *status.get(name)?))).collect();
    for metric in INNODB {
        if let Some(value) = metric.metric.and_then(|name| metrics.get(name)) {
            values.entry(metric.name.to_owned()).or_insert(*value);
        }
    }
    if let Some((current, checkpoint)) = status.get(CURRENT_LSN).zip(status.get(CHECKPOINT_LSN)) {
        values.insert(CHECKPOINT_AGE.to_owned(), current - checkpoint);
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(all: &[(&str, f64)]) -> BTreeMap<String, f64> {
        all.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
    }

    #[test]
    fn both_servers_have_the_same_names() {
        let mariadb =
            of(&[("innodb_history_list_length", 7.0), ("innodb_checkpoint_age", 9.0), ("innodb_ibuf_size", 3e13)]);
        assert_eq!(
            values(&mariadb, &BTreeMap::new()),
            of(&[("innodb_history_list_length", 7.0), ("innodb_checkpoint_age", 9.0)])
        );
        let mysql = of(&[(CURRENT_LSN, 19_507_129.0), (CHECKPOINT_LSN, 19_507_120.0), ("uptime", 5.0)]);
        let metrics = of(&[("trx_rseg_history_len", 7.0)]);
        assert_eq!(
            values(&mysql, &metrics),
            of(&[("innodb_history_list_length", 7.0), ("innodb_checkpoint_age", 9.0), ("uptime", 5.0)])
        );
    }
}
