//! PostgreSQL: the extension `pg_stat_statements`. Its columns differ between versions, so they are read by name.

use super::{DigestRead, Source, digest};
use tenbin_driver::{Connection, Error};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Times are in milliseconds.
const UNIT_NS: f64 = 1e6;

/// The key of the row with the number of statements that were given up for others.
const DEALLOCATED: &str = "deallocated";

/// Checks that statements are counted, and makes the query for this version.
pub(super) async fn source(connection: &mut Connection) -> Result<Source, Problem> {
    let loaded = "SELECT setting FROM pg_settings WHERE name = 'pg_stat_statements.max'";
    let loaded = connection.table(loaded).await.map_err(|e| refused(&e))?;
    let Some(size) = loaded.scalar().map(str::to_owned) else {
        return Err(Problem::new(msg!("statements-not-counted"))
            .evidence(foreign("shared_preload_libraries: pg_stat_statements"))
            .hint(msg!("preload-pg-stat-statements")));
    };
    let views = "SELECT string_agg(table_name, ' ') FROM information_schema.views \
                 WHERE table_name IN ('pg_stat_statements', 'pg_stat_statements_info')";
    let views = connection.table(views).await.map_err(|e| refused(&e))?;
    let there: Vec<&str> = views.scalar().unwrap_or_default().split(' ').collect();
    if !there.contains(&"pg_stat_statements") {
        return Err(Problem::new(msg!("statements-not-counted"))
            .evidence(foreign("pg_extension: pg_stat_statements"))
            .hint(foreign("CREATE EXTENSION pg_stat_statements")));
    }
    Ok(Source { query: query(there.contains(&"pg_stat_statements_info")), size: Some(size) })
}

/// The query: key, database, text, and the counts in their order, as far as this server has them. Up to version 12 the
/// time is `total_time`.
fn query(info: bool) -> String {
    let statements = "SELECT 's' || s.userid || ' ' || s.dbid || ' ' || s.queryid || ' ' || coalesce(to_jsonb(s)->>'toplevel', ''), \
         d.datname::text, left(s.query, 600), s.calls::text, \
         coalesce(to_jsonb(s)->>'total_exec_time', to_jsonb(s)->>'total_time'), '0', s.rows::text \
         FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid";
    let lost = format!(
        " UNION ALL SELECT '{DEALLOCATED}', NULL, '', dealloc::text, '0', '0', '0' FROM pg_stat_statements_info"
    );
    format!("{statements}{}", if info { lost.as_str() } else { "" })
}

/// Adds one row.
pub(super) fn take(row: &[Option<String>], schema: &str, counted: &mut DigestRead) {
    let Some((key, statement)) = digest(row, schema, UNIT_NS) else { return };
    if key == DEALLOCATED {
        counted.lost = statement.counts.count;
    } else {
        counted.statements.insert(key, statement);
    }
}

pub(super) fn refused(error: &Error) -> Problem {
    let problem = error.problem(msg!("reading-statement-counters"));
    let denied = ["42501"].iter().any(|code| error.is(code));
    if denied { problem.hint(msg!("grant-pg-read-all-stats")) } else { problem }
}

pub(super) fn full(lost: u64, size: Option<&str>) -> Problem {
    let what = Problem::new(msg!("statement-table-evicted", lost));
    let size = size.map(|size| foreign(format!("pg_stat_statements.max = {size}")));
    Problem { evidence: size, ..what.hint(msg!("raise-pg-stat-statements-max")) }
}
