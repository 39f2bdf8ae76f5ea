//! The size of a table as its server reports it, for tables that are filled until they have a size.

use super::insert::written;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use tenbin_driver::{Connection, Error};
use tenbin_workload::tables::dialect::Dialect;

/// Looks at the size of a table now and then while it is filled.
#[derive(Debug)]
pub(crate) struct SizeLook {
    /// Bytes that it is to have.
    wanted: u64,
    /// What the server reports for an empty table; of SQLite what is in the file before it.
    before: u64,
    /// At this many rows it is looked at again.
    next: AtomicU64,
}

/// There is a look at the latest when this share of what is left has been added.
const SHARE_OF_REST: u64 = 2;

impl SizeLook {
    /// Begins with an empty table; `None` if the server does not report the size of a table.
    pub(crate) async fn begin(
        dialect: Dialect,
        table: &str,
        wanted: u64,
        c: &mut Connection,
    ) -> Result<Option<SizeLook>, Error> {
        let Some(bytes) = bytes_of(dialect, table, c).await? else { return Ok(None) };
        // Of a file, what is in it already does not count; of a table its pages do.
        let before = if dialect == Dialect::Sqlite { bytes } else { 0 };
        Ok(Some(SizeLook { wanted, before, next: AtomicU64::new(0) }))
    }

    /// Whether the size is to be looked at when this many rows are loaded.
    pub(crate) fn is_due(&self, rows: u64) -> bool {
        rows >= self.next.load(Relaxed)
    }

    /// Takes the size that the server reported with this many rows loaded. Whether it is enough.
    pub(crate) fn seen(&self, bytes: u64, rows: u64) -> bool {
        let bytes = bytes.saturating_sub(self.before);
        if bytes >= self.wanted {
            return true;
        }
        let left = u128::from(self.wanted - bytes) * u128::from(rows) / u128::from(bytes.max(1));
        // The first pages of a table say little about its rows: never more than twice as many without another look.
        let step = (left / u128::from(SHARE_OF_REST)).min(u128::from(rows));
        self.next.fetch_max(rows.saturating_add(step as u64), Relaxed);
        false
    }
}

/// The bytes of a table with its indexes, as the server reports them now: PostgreSQL exactly, MySQL and MariaDB by the pages that InnoDB has given it, SQLite by
/// the pages in use of the whole file. `None` if it reports nothing.
pub(crate) async fn bytes_of(dialect: Dialect, table: &str, c: &mut Connection) -> Result<Option<u64>, Error> {
    let sql = match dialect {
        Dialect::Postgres => format!("SELECT pg_total_relation_size({})", c.quoting().text(&written(table, dialect))),
        // The pages of tables that were dropped are filled again, before the file grows.
        Dialect::Sqlite => "SELECT (page_count - freelist_count) * page_size \
                            FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
            .to_owned(),
        Dialect::Mysql if !matches!(c, Connection::Mysql(_)) => return Ok(None),
        Dialect::Mysql => {
            // Both fail where there is no such variable, or the table is of another engine; the size is then that of the last statistics.
            let _ = c.query("SET SESSION information_schema_stats_expiry = 0").await;
            let _ = c.table(&format!("ANALYZE NO_WRITE_TO_BINLOG TABLE {}", written(table, dialect))).await;
            let name = table.rsplit('.').next().unwrap_or(table).trim_matches('`');
            let name = c.quoting().text(name);
            format!(
                "SELECT DATA_LENGTH + INDEX_LENGTH FROM information_schema.TABLES \
                 WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = {name}"
            )
        }
    };
    let answer = c.table(&sql).await?;
    Ok(answer.scalar().and_then(|text| text.parse().ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_come_closer_towards_the_end() {
        let look = SizeLook { wanted: 1000, before: 0, next: AtomicU64::new(0) };
        let (mut rows, mut looks) = (0, Vec::new());
        // A row has 1 byte, and a piece 10 rows.
        let end = loop {
            rows += 10;
            if look.is_due(rows) {
                looks.push(rows);
                if look.seen(rows, rows) {
                    break rows;
                }
            }
        };
        assert_eq!(end, 1000);
        assert_eq!(looks[..6], [10, 20, 40, 80, 160, 320]);
        assert!(looks.len() < 20, "{looks:?}");
        let file = SizeLook { wanted: 100, before: 5000, next: AtomicU64::new(0) };
        assert!(!file.seen(5099, 10) && file.seen(5100, 10), "what was in the file before does not count");
    }
}
