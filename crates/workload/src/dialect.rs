//! Where databases differ in what they are told: everything a workload or a dataset needs to know about a dialect.
//!
//! PostgreSQL comes here as one more variant: `SERIAL`, no quoted default for `k`, `BEGIN` as for MySQL.

use tenbin_model::dsn::Scheme;

/// Which SQL a database understands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// MySQL, MariaDB; also what the null driver is told.
    Mysql,
    /// SQLite.
    Sqlite,
}

impl Dialect {
    /// The dialect of a kind of database.
    pub fn of(scheme: Scheme) -> Dialect {
        match scheme {
            Scheme::Sqlite => Dialect::Sqlite,
            _ => Dialect::Mysql,
        }
    }

    /// What begins a transaction. MySQL cannot prepare it, so it is always sent as text.
    ///
    /// SQLite takes its one write lock at the first write of a deferred transaction, and there it cannot wait without
    /// risking a deadlock: it fails at once when another client has written since. So one that will write says so.
    pub fn begin(self, writes: bool) -> &'static str {
        match self {
            Dialect::Sqlite if writes => "BEGIN IMMEDIATE",
            _ => "BEGIN",
        }
    }

    /// Whether an id of 0 in an INSERT asks for the next one (MySQL) or the column must be left out.
    pub fn zero_id_is_next(self) -> bool {
        self == Dialect::Mysql
    }
}
