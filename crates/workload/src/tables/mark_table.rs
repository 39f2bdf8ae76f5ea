//! The table of our mark: how it is created on each kind of server. Used by [`super::mark`].

use tenbin_driver::{Connection, Error};

/// The statement that creates the mark's table.
pub const CREATE: &str = "CREATE TABLE IF NOT EXISTS tenbin_mark(name VARCHAR(64) NOT NULL PRIMARY KEY, \
     dataset VARCHAR(64) NOT NULL, size_rows BIGINT NOT NULL, complete INTEGER NOT NULL, made_by VARCHAR(64) NOT NULL, \
     created VARCHAR(32) NOT NULL, options VARCHAR(1024) NOT NULL)";

/// Of the mark's table on MySQL and MariaDB: all names can be written, and names that differ are different.
const UTF8MB4: &str = "CHARACTER SET utf8mb4 COLLATE utf8mb4_bin";
/// The same on servers that do not have it.
const UTF8: &str = "CHARACTER SET utf8 COLLATE utf8_bin";
/// MySQL's error.
const UNKNOWN_CHARACTER_SET: u32 = 1115;

/// Creates the mark's table if it does not exist. Two concurrent calls may collide on PostgreSQL in spite of IF NOT
/// EXISTS: then the other has created it.
pub async fn create(c: &mut Connection) -> Result<(), Error> {
    let created = match c {
        // In the character set of the schema, names of tables may not be writable.
        Connection::Mysql(_) => match c.query(&format!("{CREATE} {UTF8MB4}")).await {
            Err(e) if e.number() == Some(UNKNOWN_CHARACTER_SET) => c.query(&format!("{CREATE} {UTF8}")).await,
            outcome => outcome,
        },
        _ => c.query(CREATE).await,
    };
    match created {
        Err(e) if matches!(e.sqlstate(), Some("23505" | "42P07" | "42710")) => Ok(()),
        outcome => outcome.map(|_| ()),
    }
}
