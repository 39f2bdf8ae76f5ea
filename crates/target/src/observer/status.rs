//! MySQL's and MariaDB's status counters, by a connection of our own.

use super::Observer;
use std::collections::BTreeMap;
use std::time::Duration;
use tenbin_driver::{Connection, Connector, Table, Transport};
use tenbin_model::problem::Problem;

/// The counters that say why: work, waits, I/O, connections. Their names are the server's, in lower case.
const CHOSEN: &[&str] = &[
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
    "innodb_buffer_pool_pages_dirty",
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
    "prepared_stmt_count",
    "queries",
    "questions",
    "select_scan",
    "slow_queries",
    "sort_rows",
    "threads_connected",
    "threads_running",
    "uptime",
];

/// How long a look may take. A server that has fallen silent must not hold the run.
const PATIENCE: Duration = Duration::from_secs(5);

/// One server's counters.
pub struct Status {
    connector: Connector,
    /// A runtime and the connection that lives on it; opened at the first look.
    open: Option<(tokio::runtime::Runtime, Connection)>,
}

impl Status {
    pub fn new(connector: Connector) -> Status {
        Status { connector, open: None }
    }
}

/// One look; over a new connection when there is none.
async fn read(connector: &Connector, open: Option<Connection>) -> Result<(Table, Connection), Problem> {
    let mut connection = match open {
        Some(connection) => connection,
        None => {
            connector.connect(Transport::Shared).await.map_err(|e| e.problem("connecting to observe the server"))?
        }
    };
    let table = connection.table("SHOW GLOBAL STATUS").await.map_err(|e| e.problem("reading the server's status"))?;
    Ok((table, connection))
}

impl Observer for Status {
    fn name(&self) -> &str {
        "server.status"
    }

    fn connects(&self) -> bool {
        true
    }

    fn disconnect(&mut self) {
        if let Some((runtime, connection)) = self.open.take() {
            runtime.block_on(connection.close());
        }
    }

    fn look(&mut self) -> Result<BTreeMap<String, f64>, Problem> {
        // Whatever goes wrong, the next look begins with a new connection: the server may have come back.
        let (runtime, connection) = match self.open.take() {
            Some((runtime, connection)) => (runtime, Some(connection)),
            None => {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build()
                    .map_err(|e| Problem::new("the observer has no event loop").evidence(e.to_string()))?;
                (runtime, None)
            }
        };
        let (table, connection) = runtime.block_on(async {
            tokio::time::timeout(PATIENCE, read(&self.connector, connection)).await.unwrap_or_else(|_| {
                let waited = format!("the server did not tell its status within {} s", PATIENCE.as_secs());
                Err(Problem::new(waited).mend("SHOW PROCESSLIST tells what it is busy with"))
            })
        })?;
        self.open = Some((runtime, connection));
        Ok(table
            .rows
            .iter()
            .filter_map(|row| {
                let name = row.first()?.as_deref()?.to_lowercase();
                let value = row.get(1)?.as_deref()?.parse().ok()?;
                CHOSEN.contains(&name.as_str()).then_some((name, value))
            })
            .collect())
    }
}
