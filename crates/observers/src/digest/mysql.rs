//! MySQL and MariaDB: `performance_schema.events_statements_summary_by_digest`, and
//! `prepared_statements_instances`, because executions of prepared statements are counted only there.

use super::{DigestRead, Source, digest, first_column};
use tenbin_driver::{Connection, Error};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The text of the row that counts all statements for which the table has no room.
const NO_ROOM: &str = "no room";

/// Times are in picoseconds.
const UNIT_NS: f64 = 1e-3;

const RESET: &str = "TRUNCATE TABLE performance_schema.events_statements_summary_by_digest";

/// Checks that statements are counted, and makes the query for this version.
pub(super) async fn source(connection: &mut Connection) -> Result<Source, Problem> {
    let on = connection.table("SELECT @@GLOBAL.performance_schema").await.map_err(|e| refused(&e))?;
    if on.scalar() != Some("1") {
        return Err(Problem::new(msg!("statements-not-counted"))
            .evidence(foreign("performance_schema = OFF"))
            .hint(msg!("start-with-performance-schema")));
    }
    let consumer = "SELECT enabled FROM performance_schema.setup_consumers WHERE name = 'statements_digest'";
    let consumer = connection.table(consumer).await.map_err(|e| refused(&e))?;
    if consumer.scalar() != Some("YES") {
        return Err(Problem::new(msg!("statements-not-counted"))
            .evidence(foreign("setup_consumers: statements_digest"))
            .hint(msg!("enable-digest-consumer")));
    }
    let tables = "SELECT table_name FROM information_schema.tables \
                  WHERE table_schema = 'performance_schema' AND table_name = 'prepared_statements_instances'";
    let tables = connection.table(tables).await.map_err(|e| refused(&e))?;
    let prepared = !first_column(&tables).is_empty();
    let size = connection.table("SELECT @@GLOBAL.performance_schema_digests_size").await;
    let size = size.ok().and_then(|table| table.scalar().map(str::to_owned));
    Ok(Source { query: query(prepared), size })
}

/// The query: key, schema, text, and the counts in their order.
fn query(prepared: bool) -> String {
    let by_digest = format!(
        "SELECT CONCAT('d', COALESCE(schema_name, ''), ' ', COALESCE(digest, '')), schema_name, \
         COALESCE(LEFT(digest_text, 600), '{NO_ROOM}'), count_star, sum_timer_wait, sum_errors, \
         sum_rows_sent + sum_rows_affected, sum_rows_examined, sum_no_index_used, sum_created_tmp_disk_tables \
         FROM performance_schema.events_statements_summary_by_digest"
    );
    // Of all connections together. A statement that is prepared again by another connection is the same one.
    let of_prepared = "SELECT CONCAT('p', COALESCE(MAX(t.processlist_db), ''), ' ', MAX(LEFT(p.sql_text, 600))), \
         MAX(t.processlist_db), MAX(LEFT(p.sql_text, 600)), SUM(p.count_execute), SUM(p.sum_timer_execute), SUM(p.sum_errors), \
         SUM(p.sum_rows_sent + p.sum_rows_affected), SUM(p.sum_rows_examined), SUM(p.sum_no_index_used), \
         SUM(p.sum_created_tmp_disk_tables) \
         FROM performance_schema.prepared_statements_instances p \
         LEFT JOIN performance_schema.threads t ON t.thread_id = p.owner_thread_id \
         GROUP BY t.processlist_db, LEFT(p.sql_text, 600)";
    if prepared { format!("{by_digest} UNION ALL {of_prepared}") } else { by_digest }
}

/// Adds one row.
pub(super) fn take(row: &[Option<String>], schema: &str, counted: &mut DigestRead) {
    let Some((key, statement)) = digest(row, schema, UNIT_NS) else { return };
    // The row without schema and digest counts what the table has no room for.
    if key == "d " && statement.text == NO_ROOM {
        counted.lost += statement.counts.count;
    }
    let of = match (key.starts_with('p'), statement.foreign) {
        (false, _) => &mut counted.statements,
        (true, false) => &mut counted.prepared,
        (true, true) => &mut counted.prepared_by_others,
    };
    of.insert(key, statement);
}

pub(super) fn refused(error: &Error) -> Problem {
    let problem = error.problem(msg!("reading-statement-counters"));
    let denied = ["1142", "1143", "1044", "1227"].iter().any(|code| error.is(code));
    if denied { problem.hint(msg!("grant-select-on-performance-schema")) } else { problem }
}

pub(super) fn full(lost: u64, size: Option<&str>) -> Problem {
    let what = Problem::new(msg!("statement-table-full", lost));
    let size = size.map(|size| foreign(format!("performance_schema_digests_size = {size}")));
    Problem { evidence: size, ..what.hint(foreign(RESET)) }
}
