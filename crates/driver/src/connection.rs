//! One open connection: prepare, execute, query, bulk load. Rows are skipped unless asked for.

use crate::mysql::MysqlConnection;
use crate::null::NullConnection;
use crate::postgres::PostgresConnection;
use crate::sqlite::SqliteConnection;
use crate::{Class, Command, Error, MemoryRange, PipelinedReply, Quoting, Reply, Results, Rows, Source, Table, Value};
use std::time::Duration;
use tenbin_words::msg;

/// A statement prepared on one connection; not valid on another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Prepared(pub(crate) u32);

/// One open connection.
#[derive(Debug)]
pub enum Connection {
    /// Answers at once.
    Null(NullConnection),
    /// An embedded database.
    Sqlite(Box<SqliteConnection>),
    /// A server with the MySQL protocol.
    Mysql(Box<MysqlConnection>),
    /// A server with the PostgreSQL protocol.
    Postgres(Box<PostgresConnection>),
}

impl Connection {
    /// Prepares a statement with `?` for parameters.
    pub async fn prepare(&mut self, sql: &str) -> Result<Prepared, Error> {
        match self {
            Connection::Null(_) => Ok(Prepared(0)),
            Connection::Sqlite(c) => c.prepare(sql).map(Prepared),
            Connection::Mysql(c) => c.prepare(sql.as_bytes(), None).await.map(Prepared),
            Connection::Postgres(c) => c.prepare(sql, None).await.map(Prepared),
        }
    }

    /// [`Self::prepare`] for bytes that need not be UTF-8.
    pub async fn prepare_bytes(&mut self, sql: &[u8]) -> Result<Prepared, Error> {
        match (self, std::str::from_utf8(sql)) {
            (Connection::Mysql(c), _) => c.prepare(sql, None).await.map(Prepared),
            (other, Ok(sql)) => other.prepare(sql).await,
            (_, Err(_)) => Err(not_utf8()),
        }
    }

    /// [`Self::prepare_bytes`] that returns the names of the columns too, as far as the server describes them before the execution: MySQL does not
    /// for `CALL`.
    pub async fn prepare_named(&mut self, sql: &[u8]) -> Result<(Prepared, Vec<String>), Error> {
        let mut names = Vec::new();
        let prepared = match (self, std::str::from_utf8(sql)) {
            (Connection::Mysql(c), _) => c.prepare(sql, Some(&mut names)).await?,
            (_, Err(_)) => return Err(not_utf8()),
            (Connection::Null(_), _) => 0,
            (Connection::Sqlite(c), Ok(sql)) => {
                let statement = c.prepare(sql)?;
                names = c.names(statement);
                statement
            }
            (Connection::Postgres(c), Ok(sql)) => c.prepare(sql, Some(&mut names)).await?,
        };
        Ok((Prepared(prepared), names))
    }

    /// Sends SQL text, which need not be UTF-8, and keeps all its results. Only the file named by a LOAD DATA LOCAL
    /// INFILE in the text is sent to the server.
    #[inline]
    pub async fn query_all(&mut self, sql: &[u8], results: &mut Results) -> Result<Reply, Error> {
        results.clear();
        match self {
            Connection::Mysql(c) => c.query_all(sql, results).await,
            Connection::Postgres(c) => c.query_all(sql, results).await,
            Connection::Null(c) => c.answer().await,
            Connection::Sqlite(c) => {
                let sql = std::str::from_utf8(sql).map_err(|_| not_utf8())?;
                let reply = c.query_rows(sql, results.begin(), None)?;
                if let Some((_, changed)) = results.last() {
                    *changed = reply.affected;
                }
                Ok(reply)
            }
        }
    }

    /// The reply to any statement if nothing is sent and nothing waits (the null driver without a delay): then no
    /// future is needed to have it.
    #[inline]
    pub fn reply_at_once(&self) -> Option<Reply> {
        match self {
            Connection::Null(c) => c.reply_at_once(),
            _ => None,
        }
    }

    /// Executes a prepared statement and reads the reply to the last row.
    #[inline]
    pub async fn execute(&mut self, statement: Prepared, values: &[Value<'_>]) -> Result<Reply, Error> {
        match self {
            Connection::Null(c) => c.answer().await,
            Connection::Sqlite(c) => c.execute(statement.0, values),
            Connection::Mysql(c) => c.execute(statement.0, values).await,
            Connection::Postgres(c) => c.execute(statement.0, values).await,
        }
    }

    /// Executes a prepared statement and keeps the rows of its (first) result in `rows`, whose memory is reused.
    #[inline]
    pub async fn fetch(&mut self, statement: Prepared, values: &[Value<'_>], rows: &mut Rows) -> Result<Reply, Error> {
        rows.clear();
        match self {
            Connection::Null(c) => c.answer().await,
            Connection::Sqlite(c) => c.fetch(statement.0, values, rows),
            Connection::Mysql(c) => c.fetch(statement.0, values, rows).await,
            Connection::Postgres(c) => c.fetch(statement.0, values, rows).await,
        }
    }

    /// Sends SQL text and reads the reply to the last row of the last result set.
    #[inline]
    pub async fn query(&mut self, sql: &str) -> Result<Reply, Error> {
        match self {
            Connection::Null(c) => c.answer().await,
            Connection::Sqlite(c) => c.query(sql),
            Connection::Mysql(c) => c.query(sql).await,
            Connection::Postgres(c) => c.query(sql).await,
        }
    }

    /// [`Self::query`] for bytes that need not be UTF-8, such as those of query files.
    #[inline]
    pub async fn query_bytes(&mut self, sql: &[u8]) -> Result<Reply, Error> {
        match self {
            Connection::Mysql(c) => c.query_bytes(sql).await,
            Connection::Postgres(c) => c.query_bytes(sql).await,
            other => match std::str::from_utf8(sql) {
                Ok(sql) => other.query(sql).await,
                Err(_) => Err(not_utf8()),
            },
        }
    }

    /// Sends SQL text and keeps the rows of its (first) result set. Not for the hot path.
    pub async fn table(&mut self, sql: &str) -> Result<Table, Error> {
        match self {
            Connection::Null(_) => Ok(Table::default()),
            Connection::Sqlite(c) => c.table(sql),
            Connection::Mysql(c) => c.table(sql).await,
            Connection::Postgres(c) => c.table(sql).await,
        }
    }

    /// The rows of [`Self::table`]; `None` if the server refuses the statement: the account may not execute it, or its version does not know it.
    pub async fn rows_if_visible(&mut self, sql: &str) -> Result<Option<Vec<Vec<Option<String>>>>, Error> {
        match self.table(sql).await {
            Ok(table) => Ok(Some(table.rows)),
            Err(e) if matches!(e.class(), Class::Sql | Class::Refused) => Ok(None),
            Err(e) => Err(e),
        }
    }

    /// [`Self::query`] that keeps the rows of the (first) result set in `rows`, whose memory is reused.
    #[inline]
    pub async fn query_rows(&mut self, sql: &str, rows: &mut Rows) -> Result<Reply, Error> {
        rows.clear();
        match self {
            Connection::Null(c) => c.answer().await,
            Connection::Sqlite(c) => c.query_rows(sql, rows, None),
            Connection::Mysql(c) => c.query_rows(sql, rows, None).await,
            Connection::Postgres(c) => c.query_rows(sql, rows, None).await,
        }
    }

    /// [`Self::query_rows`] that returns the names of the columns too.
    pub async fn query_named(&mut self, sql: &str, rows: &mut Rows) -> Result<(Reply, Vec<String>), Error> {
        rows.clear();
        let mut names = Vec::new();
        let reply = match self {
            Connection::Null(c) => c.answer().await?,
            Connection::Sqlite(c) => c.query_rows(sql, rows, Some(&mut names))?,
            Connection::Mysql(c) => c.query_rows(sql, rows, Some(&mut names)).await?,
            Connection::Postgres(c) => c.query_rows(sql, rows, Some(&mut names)).await?,
        };
        Ok((reply, names))
    }

    /// Deallocates a prepared statement, which must not be executed again.
    pub async fn forget(&mut self, statement: Prepared) -> Result<(), Error> {
        match self {
            Connection::Null(_) => Ok(()),
            Connection::Sqlite(c) => c.forget(statement.0),
            Connection::Mysql(c) => c.forget(statement.0).await,
            Connection::Postgres(c) => c.forget(statement.0).await,
        }
    }

    /// Whether [`Self::send`] is supported: several statements may be sent before the first reply.
    pub fn sends_ahead(&self) -> bool {
        match self {
            Connection::Null(_) | Connection::Postgres(_) => true,
            Connection::Sqlite(_) => false,
            Connection::Mysql(c) => c.sends_ahead(),
        }
    }

    /// Sends several statements in one piece; [`Self::answer`] then reads their replies one after the other, and all
    /// must be read before anything else is sent. If it fails with [`Class::Sql`], nothing was sent.
    #[inline]
    pub async fn send(&mut self, commands: &[Command<'_>]) -> Result<(), Error> {
        match self {
            Connection::Null(_) => Ok(()),
            Connection::Sqlite(_) => Err(Error::new(Class::Sql, msg!("sqlite-sends-nothing-ahead"))),
            Connection::Mysql(c) => c.send(commands).await,
            Connection::Postgres(c) => c.send(commands).await,
        }
    }

    /// Reads the next reply to the statements of [`Self::send`]; `rows` receives those of a [`Command::Fetch`] and is
    /// empty after any other. After an error the remaining replies must still be read, unless it is [`Class::Lost`].
    #[inline]
    pub async fn answer(&mut self, rows: &mut Rows) -> Result<Reply, Error> {
        rows.clear();
        match self {
            Connection::Null(c) => c.answer().await,
            Connection::Sqlite(_) => Err(Error::new(Class::Sql, msg!("sqlite-owes-no-answer"))),
            Connection::Mysql(c) => c.answer(rows).await,
            Connection::Postgres(c) => c.answer(rows).await,
        }
    }

    /// Whether [`Self::pipelined`] is supported: the protocol has pipelines.
    pub fn has_pipelines(&self) -> bool {
        matches!(self, Connection::Postgres(_))
    }

    /// Executes statements, each a single one, that are sent in one piece and are a transaction, unless some of them begin or end one. Their rows are
    /// skipped. `replies` receives those that were executed: after an error the server skips the rest.
    pub async fn pipelined(
        &mut self,
        commands: &[Command<'_>],
        replies: &mut Vec<PipelinedReply>,
    ) -> Result<(), Error> {
        match self {
            Connection::Postgres(c) => c.pipelined(commands, replies).await,
            _ => Err(Error::new(Class::Sql, msg!("no-pipelines"))),
        }
    }

    /// Sends a `LOAD DATA LOCAL INFILE …` (MySQL) or `COPY … FROM STDIN` (PostgreSQL) statement and streams `source`
    /// when the server requests it.
    pub async fn load_local(&mut self, sql: &str, source: &mut dyn Source) -> Result<Reply, Error> {
        match self {
            Connection::Null(c) => c.answer().await,
            Connection::Sqlite(_) => Err(Error::new(Class::Sql, msg!("sqlite-has-no-load-data"))),
            Connection::Mysql(c) => c.load_local(sql, source).await,
            Connection::Postgres(c) => c.load_local(sql, source).await,
        }
    }

    /// The memory that a statement uses, as far as it stays where it is.
    pub fn memory(&self) -> Vec<MemoryRange> {
        match self {
            Connection::Mysql(c) => c.memory(),
            Connection::Postgres(c) => vec![MemoryRange::of(&**c)],
            Connection::Null(_) | Connection::Sqlite(_) => Vec::new(),
        }
    }

    /// The version that the server reports; empty if there is none.
    pub fn server_version(&self) -> &str {
        match self {
            Connection::Null(_) => "",
            Connection::Sqlite(c) => c.version(),
            Connection::Mysql(c) => c.version(),
            Connection::Postgres(c) => c.version(),
        }
    }

    /// The server's number of this connection, as it shows it in its list of sessions (`CONNECTION_ID()`,
    /// `pg_backend_pid()`), unless a proxy has numbers of its own.
    pub fn number(&self) -> Option<u32> {
        let number = match self {
            Connection::Mysql(c) => c.number(),
            Connection::Postgres(c) => c.number(),
            Connection::Null(_) | Connection::Sqlite(_) => 0,
        };
        (number > 0).then_some(number)
    }

    /// TLS version and cipher if the connection is encrypted.
    pub fn encrypted(&self) -> Option<&str> {
        match self {
            Connection::Mysql(c) => c.encrypted(),
            Connection::Postgres(c) => c.encrypted(),
            Connection::Null(_) | Connection::Sqlite(_) => None,
        }
    }

    /// How names and texts are quoted in its statements.
    #[inline]
    pub fn quoting(&self) -> Quoting {
        match self {
            Connection::Mysql(c) if !c.backslash_escapes() => Quoting::MYSQL_WITHOUT_ESCAPES,
            Connection::Mysql(_) | Connection::Null(_) => Quoting::MYSQL,
            Connection::Postgres(_) => Quoting::POSTGRES,
            Connection::Sqlite(_) => Quoting::SQLITE,
        }
    }

    /// Closes the connection in order.
    pub async fn close(self) {
        match self {
            Connection::Mysql(c) => c.close().await,
            Connection::Postgres(c) => c.close().await,
            Connection::Null(_) | Connection::Sqlite(_) => {}
        }
    }

    /// Closes the connection in order and waits, for at most half a second, until the server has closed it too: a server counts a session among
    /// those of its account until then, and the next one could be one too many. Needs the runtime of tokio.
    pub async fn leave(self) {
        let closed = async {
            match self {
                Connection::Mysql(c) => c.leave().await,
                Connection::Postgres(c) => c.leave().await,
                Connection::Null(_) | Connection::Sqlite(_) => {}
            }
        };
        // That of a server which takes longer is closed nevertheless.
        let _ = tokio::time::timeout(LEAVING, closed).await;
    }
}

/// How long the end of a session is waited for.
const LEAVING: Duration = Duration::from_millis(500);

#[cold]
fn not_utf8() -> Error {
    Error::new(Class::Sql, msg!("statement-not-utf-8"))
}
