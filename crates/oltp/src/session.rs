//! One client's connection and its statements: prepared, or as text if `ps_mode` is `disable`.

use std::sync::Arc;
use tenbin_driver::{Class, Connection, Connector, Error, Prepared, Reply, Transport, Value};
use tenbin_words::msg;
use tenbin_workload::literals::fill_in;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::{BoxFuture, MemoryRange};

/// A connection that may be open, and its statements by index.
#[derive(Debug)]
pub(super) struct Session {
    connection: Option<Connection>,
    /// Those that are prepared; the others are sent as text.
    prepared: Vec<Option<Prepared>>,
    wanted: Arc<[Wanted]>,
    connector: Connector,
    /// A reused buffer for SQL text.
    text: Vec<u8>,
    /// Whether statements are closed one by one before their connection.
    tidy: bool,
}

/// MySQL's error number for a statement that cannot be prepared: BEGIN, except on MariaDB from 10.6 on.
/// As in sysbench, such statements are sent as text.
const CANNOT_BE_PREPARED: u32 = 1295;

/// A statement of all clients: its text, with a `?` for each value, and whether it is to be prepared.
pub(super) type Wanted = (String, bool);

impl Session {
    /// The order of the statements determines their indexes.
    pub(super) fn new(connector: Connector, wanted: Arc<[Wanted]>) -> Session {
        Session { connection: None, prepared: Vec::new(), wanted, connector, text: Vec::new(), tidy: false }
    }

    /// Closes each prepared statement before its connection, as sysbench does on MySQL (COM_STMT_CLOSE, which has no
    /// reply) but not on PostgreSQL: this is part of the cost of a reconnect, if that is measured.
    pub(super) fn tidy(self, tidy: bool) -> Session {
        let mysql = Dialect::of(self.connector.dsn().scheme) == Dialect::Mysql;
        Session { tidy: tidy && mysql, ..self }
    }

    /// Opens or reopens the connection and prepares the statements.
    pub(super) async fn open(&mut self, transport: Transport) -> Result<(), Error> {
        self.connection = None;
        self.prepared.clear();
        let mut connection = self.connector.connect(transport).await?;
        self.prepared.reserve_exact(self.wanted.len());
        for (sql, prepare) in self.wanted.iter() {
            self.prepared.push(match prepare {
                false => None,
                true => match connection.prepare(sql).await {
                    Ok(prepared) => Some(prepared),
                    Err(error) if error.number() == Some(CANNOT_BE_PREPARED) => None,
                    Err(error) => return Err(name_the_loader(error)),
                },
            });
        }
        self.connection = Some(connection);
        Ok(())
    }

    /// The memory that statements use.
    pub(super) fn memory(&self) -> Vec<MemoryRange> {
        let mut all = self.connection.as_ref().map(Connection::memory).unwrap_or_default();
        all.push(MemoryRange::of(&*self.prepared));
        all
    }

    /// Sends the statement at `index`.
    #[inline]
    pub(super) async fn run(&mut self, index: usize, values: &[Value<'_>]) -> Result<Reply, Error> {
        let Some(connection) = &mut self.connection else { return Err(not_connected()) };
        let wanted = &self.wanted[index].0;
        match self.prepared[index] {
            Some(prepared) => connection.execute(prepared, values).await.map_err(|e| e.sent(wanted, true)),
            None if values.is_empty() => connection.query(wanted).await.map_err(|e| e.sent(wanted, false)),
            None => {
                self.text.clear();
                let quoting = connection.quoting();
                fill_in(wanted.as_bytes(), values, quoting, &mut self.text);
                match std::str::from_utf8(&self.text) {
                    Ok(text) => connection.query(text).await.map_err(|e| e.sent(text, false)),
                    Err(_) => Err(Error::new(Class::Sql, msg!("value-is-not-text"))),
                }
            }
        }
    }

    /// Sends SQL text.
    #[inline]
    pub(super) async fn query(&mut self, text: &str) -> Result<Reply, Error> {
        match &mut self.connection {
            Some(connection) => connection.query(text).await.map_err(|e| e.sent(text, false)),
            None => Err(not_connected()),
        }
    }

    /// Ends a transaction that an error left open. Its own errors are ignored: there may be none to end, and a
    /// lost connection is noticed at the next statement.
    pub(super) fn roll_back(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let _ = self.query("ROLLBACK").await;
            Ok(())
        })
    }

    pub(super) fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let prepared = std::mem::take(&mut self.prepared);
            if let Some(mut connection) = self.connection.take() {
                for prepared in prepared.into_iter().flatten().filter(|_| self.tidy) {
                    // A lost connection need not be closed; its next use will fail.
                    if connection.forget(prepared).await.is_err() {
                        break;
                    }
                }
                connection.close().await;
            }
            Ok(())
        })
    }
}

#[cold]
fn not_connected() -> Error {
    Error::new(Class::Lost, msg!("not-connected"))
}

/// If a statement cannot be prepared because its table does not exist, adds a hint how to load it.
fn name_the_loader(error: Error) -> Error {
    let missing =
        error.number() == Some(1146) || error.sqlstate() == Some("42P01") || error.message().contains("no such table");
    if missing { error.hint(msg!("load-tables-first", workload = "WORKLOAD", dsn = "DSN")) } else { error }
}
