//! PostgreSQL's counters of the current database, of checkpoints and of the write-ahead log, over a separate
//! connection.
//!
//! The views and their columns differ between versions, so all numeric columns are read by name, and the
//! selected ones are kept.

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::BTreeMap;
use tenbin_driver::Connection;
use tenbin_model::names::observer;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: observer::SERVER_STATUS,
    readings,
    connects: true,
    make: |subject| {
        let postgres = subject.connector.dsn().scheme.kind().has_statistics_views;
        postgres.then(|| Box::new(Postgres { session: ObserverSession::new(subject) }) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

fn readings(_: &Subject) -> Vec<ReadingSpec> {
    let all = VIEWS.iter().flat_map(|(_, before, names)| names.iter().map(move |name| format!("{before}{name}")));
    let all = all.chain(OTHERS.iter().map(|name| format!("{OTHER_DATABASES}{name}")));
    all.map(|name| match name.as_str() {
        "numbackends" => ReadingSpec::gauge(name, "", Whose::Server),
        "temp_bytes" | "wal_bytes" => ReadingSpec::counter(name, "bytes", Whose::Server),
        _ => ReadingSpec::counter(name, "", Whose::Server),
    })
    .chain([ReadingSpec::gauge(PARALLEL_WORKERS, "", Whose::Server).label("parallel workers", "並列ワーカー")])
    .collect()
}

/// A view, the prefix for the names of its columns, and the columns with explanatory value: work, waits, I/O,
/// connections.
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
    // Up to 16; from 17 on the checkpointer has its own view.
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

/// Summed over all other databases, with a prefix: whether somebody else is at work on the server.
const OTHERS: &[&str] = &["xact_commit", "xact_rollback"];
const OTHER_DATABASES: &str = "other_databases_";

/// How many parallel workers are at work in this database: each counts transactions of its own.
const PARALLEL_WORKERS: &str = "parallel_workers";

/// One server's counters.
struct Postgres {
    /// With the query for the views that this server has.
    session: ObserverSession<String>,
}

/// The query for the views that a server has.
async fn its_question(connection: &mut Connection) -> Result<String, Problem> {
    let names: Vec<String> = VIEWS.iter().map(|(view, ..)| format!("'{view}'")).collect();
    let there = format!(
        "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace \
         WHERE n.nspname = 'pg_catalog' AND c.relname IN ({})",
        names.join(", ")
    );
    let rows = connection.table(&there).await.map_err(|e| e.problem(msg!("looking-for-server-counters")))?;
    let there: Vec<&str> = rows.rows.iter().filter_map(|r| r.first()?.as_deref()).collect();
    Ok(question(&there))
}

/// The name of the server's clock in the query, seconds since 1970.
const CLOCK: &str = "clock";

/// A query for all selected columns of these views and the server's clock: name, value.
fn question(there: &[&str]) -> String {
    let parts = VIEWS.iter().filter(|(view, ..)| there.contains(view)).map(|(view, before, chosen)| {
        let keys: Vec<String> = chosen.iter().map(|name| format!("'{name}'")).collect();
        let own = if *view == "pg_stat_database" { " AND v.datname = current_database()" } else { "" };
        format!(
            "SELECT '{before}' || e.key, e.value FROM {view} v, jsonb_each_text(to_jsonb(v)) e WHERE e.key IN ({}){own}",
            keys.join(", ")
        )
    });
    let clock = format!("SELECT '{CLOCK}', extract(epoch FROM clock_timestamp())::text");
    let others = OTHERS.iter().filter(|_| there.contains(&"pg_stat_database")).map(|name| {
        let from = "pg_stat_database WHERE datname <> current_database()";
        format!("SELECT '{OTHER_DATABASES}{name}', coalesce(sum({name}), 0)::text FROM {from}")
    });
    // Versions before 10 do not have the column.
    let workers = format!(
        "SELECT '{PARALLEL_WORKERS}', count(*)::text FROM pg_stat_activity a \
         WHERE a.datname = current_database() AND to_jsonb(a) ->> 'backend_type' = 'parallel worker'"
    );
    [clock, workers].into_iter().chain(parts).chain(others).collect::<Vec<_>>().join(" UNION ALL ")
}

impl Observer for Postgres {
    fn disconnect(&mut self) {
        self.session.close();
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let table = self.session.ask(its_question, async |connection, question| {
            connection.table(question).await.map_err(|e| e.problem(msg!("reading-server-status")))
        })?;
        let number = |row: &Vec<Option<String>>| Some((row.first()?.clone()?, row.get(1)?.as_deref()?.parse().ok()?));
        let mut values: BTreeMap<String, f64> = table.rows.iter().filter_map(number).collect();
        let source_unix_ns = values.remove(CLOCK).map(|s| (s * 1e9) as u64);
        Ok(Sample { values, source_unix_ns, ..Sample::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_views_that_are_there_are_asked() {
        let query = question(&["pg_stat_database", "pg_stat_wal"]);
        assert!(query.contains("current_database()") && query.contains("'wal_sync'"), "{query}");
        assert!(!query.contains("bgwriter"), "{query}");
        assert_eq!(query.matches(" UNION ALL ").count(), 5);
        assert!(query.contains("'other_databases_xact_commit'"), "{query}");
        assert_eq!(question(&[]).matches("SELECT").count(), 2, "the clock and the parallel workers");
    }
}
