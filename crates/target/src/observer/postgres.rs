//! PostgreSQL's counters of the database in use, of checkpoints and of the write-ahead log, by a connection of our own.
//!
//! Which views there are and what is in them changes from version to version, so all of their numbers are asked for by name as they
//! are, and the chosen ones kept.

use super::Observer;
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Connector, Transport};
use tenbin_model::problem::Problem;

/// A view, what is put before the names of its numbers, and those that say why: work, waits, I/O, connections.
const VIEWS: &[(&str, &str, &[&str])] = &[
    (
        "pg_stat_database",
        "",
        &[
            "numbackends",
            "xact_commit",
            "xact_rollback",
            "blks_read",
            "blks_hit",
            "tup_returned",
            "tup_fetched",
            "tup_inserted",
            "tup_updated",
            "tup_deleted",
            "conflicts",
            "deadlocks",
            "temp_files",
            "temp_bytes",
            "sessions",
            "sessions_abandoned",
            "sessions_fatal",
            "sessions_killed",
        ],
    ),
    // To 16; from 17 on the checkpointer has a view of its own.
    (
        "pg_stat_bgwriter",
        "bgwriter_",
        &[
            "checkpoints_timed",
            "checkpoints_req",
            "buffers_checkpoint",
            "buffers_clean",
            "buffers_backend",
            "buffers_backend_fsync",
            "buffers_alloc",
            "maxwritten_clean",
        ],
    ),
    ("pg_stat_checkpointer", "checkpointer_", &["num_timed", "num_requested", "num_done", "buffers_written"]),
    // From 14 on.
    ("pg_stat_wal", "", &["wal_records", "wal_fpi", "wal_bytes", "wal_buffers_full", "wal_write", "wal_sync"]),
];

/// One server's counters.
pub struct Postgres {
    connector: Connector,
    /// A runtime, the connection that lives on it, and the question; made at the first look.
    open: Option<(tokio::runtime::Runtime, Connection, String)>,
}

impl Postgres {
    pub fn new(connector: Connector) -> Postgres {
        Postgres { connector, open: None }
    }

    fn open(&self) -> Result<(tokio::runtime::Runtime, Connection, String), Problem> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|e| Problem::new("the observer has no event loop").evidence(e.to_string()))?;
        let mut connection = runtime
            .block_on(self.connector.connect(Transport::Shared))
            .map_err(|e| e.problem("connecting to observe the server"))?;
        let names: Vec<String> = VIEWS.iter().map(|(view, ..)| format!("'{view}'")).collect();
        let there = format!(
            "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
             WHERE n.nspname = 'pg_catalog' AND c.relname IN ({})",
            names.join(", ")
        );
        let rows =
            runtime.block_on(connection.table(&there)).map_err(|e| e.problem("looking for the server's counters"))?;
        let there: Vec<&str> = rows.rows.iter().filter_map(|r| r.first()?.as_deref()).collect();
        Ok((runtime, connection, question(&there)))
    }
}

/// Asks for all chosen numbers of these views: name, value.
fn question(there: &[&str]) -> String {
    let parts = VIEWS.iter().filter(|(view, ..)| there.contains(view)).map(|(view, before, chosen)| {
        let keys: Vec<String> = chosen.iter().map(|name| format!("'{name}'")).collect();
        let own = if *view == "pg_stat_database" { " AND v.datname = current_database()" } else { "" };
        format!(
            "SELECT '{before}' || e.key, e.value FROM {view} v, jsonb_each_text(to_jsonb(v)) e WHERE e.key IN ({}){own}",
            keys.join(", ")
        )
    });
    parts.collect::<Vec<_>>().join(" UNION ALL ")
}

impl Observer for Postgres {
    fn name(&self) -> &str {
        "server.status"
    }

    fn connects(&self) -> bool {
        true
    }

    fn disconnect(&mut self) {
        if let Some((runtime, connection, _)) = self.open.take() {
            runtime.block_on(connection.close());
        }
    }

    fn look(&mut self) -> Result<BTreeMap<String, f64>, Problem> {
        let (runtime, mut connection, question) = match self.open.take() {
            Some(open) => open,
            None => self.open()?,
        };
        let table =
            runtime.block_on(connection.table(&question)).map_err(|e| e.problem("reading the server's status"))?;
        self.open = Some((runtime, connection, question));
        let number = |row: &Vec<Option<String>>| Some((row.first()?.clone()?, row.get(1)?.as_deref()?.parse().ok()?));
        Ok(table.rows.iter().filter_map(number).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_views_that_are_there_are_asked() {
        let asked = question(&["pg_stat_database", "pg_stat_wal"]);
        assert!(asked.contains("current_database()") && asked.contains("'wal_sync'"), "{asked}");
        assert!(!asked.contains("bgwriter"), "{asked}");
        assert_eq!(asked.matches(" UNION ALL ").count(), 1);
    }
}
