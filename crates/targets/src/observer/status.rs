//! MySQL's and MariaDB's status counters, over a separate connection.

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, PATIENCE, Sample};
use std::collections::BTreeMap;
use tenbin_model::dsn::Scheme;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::reading::{ReadingSpec, Whose};

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: "server.status",
    readings,
    period: None,
    patience: PATIENCE,
    connects: true,
    make: |subject| {
        let mysql = subject.connector.dsn().scheme == Scheme::Mysql;
        mysql.then(|| Box::new(Status { session: ObserverSession::new(&subject.connector) }) as Box<dyn Observer>)
    },
};

fn readings() -> Vec<ReadingSpec> {
    let unit = |name: &str| UNITS.iter().find(|unit| unit.0 == name).map_or("", |unit| unit.1);
    let counters = COUNTERS.iter().map(|name| ReadingSpec::counter(*name, unit(name), Whose::Server));
    counters.chain(GAUGES.iter().map(|name| ReadingSpec::gauge(*name, "", Whose::Server))).collect()
}

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
    "innodb_deadlocks",
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
struct Status {
    session: ObserverSession<()>,
}

impl Observer for Status {
    fn disconnect(&mut self) {
        self.session.close();
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let table = self.session.ask(
            async |_| Ok(()),
            async |connection, ()| {
                connection.table("SHOW GLOBAL STATUS").await.map_err(|e| e.problem(msg!("reading-server-status")))
            },
        )?;
        let read = table.rows.iter().filter_map(|row| {
            let name = row.first()?.as_deref()?.to_lowercase();
            let value = row.get(1)?.as_deref()?.parse().ok()?;
            let chosen = COUNTERS.contains(&name.as_str()) || GAUGES.contains(&name.as_str());
            chosen.then_some((name, value))
        });
        Ok(read.collect::<BTreeMap<_, _>>().into())
    }
}
