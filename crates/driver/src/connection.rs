//! One open connection: prepare, execute, query, bulk load. Rows are skipped unless asked for.

use crate::null::NullConnection;
use crate::{Error, Reply, Source, Table, Value};

/// A statement prepared on one connection; meaningless on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prepared(pub(crate) u32);

/// One open connection.
#[derive(Debug)]
pub enum Connection {
    /// Answers at once.
    Null(NullConnection),
}

impl Connection {
    /// Prepares a statement with `?` for parameters.
    pub async fn prepare(&mut self, _sql: &str) -> Result<Prepared, Error> {
        match self {
            Connection::Null(_) => Ok(Prepared(0)),
        }
    }

    /// Executes a prepared statement and reads its answer to the last row.
    #[inline]
    pub async fn execute(&mut self, _statement: Prepared, _values: &[Value<'_>]) -> Result<Reply, Error> {
        match self {
            Connection::Null(c) => c.answer().await,
        }
    }

    /// Sends SQL text and reads its answer to the last row of the last result set.
    #[inline]
    pub async fn query(&mut self, _sql: &str) -> Result<Reply, Error> {
        match self {
            Connection::Null(c) => c.answer().await,
        }
    }

    /// Sends SQL text and keeps the rows of its (first) result set. Not for the hot path.
    pub async fn table(&mut self, _sql: &str) -> Result<Table, Error> {
        match self {
            Connection::Null(_) => Ok(Table::default()),
        }
    }

    /// Sends a `LOAD DATA LOCAL INFILE …` statement and streams `source` when the server asks for it.
    pub async fn load_local(&mut self, _sql: &str, _source: &mut dyn Source) -> Result<Reply, Error> {
        match self {
            Connection::Null(c) => c.answer().await,
        }
    }

    /// The server's version as it calls itself; empty where there is none.
    pub fn server_version(&self) -> &str {
        match self {
            Connection::Null(_) => "",
        }
    }

    /// Says goodbye.
    pub async fn close(self) {}
}
