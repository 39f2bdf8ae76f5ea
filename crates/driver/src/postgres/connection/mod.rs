//! One connection: prepare, execute, query, COPY. The hot path is [`PostgresConnection::execute`] and what it calls.

mod exchange;
mod pipeline;

use super::failure::{fault, refused};
use super::rows::{Fetch, Keep, KeepAll, KeptRows, Kind, kind};
use crate::row_budget::RowBudget;
use crate::transport::stream::Stream;
use crate::{Class, Error, Reply, Source, Table, Value};
use exchange::Exchange;
use pipeline::PendingReplies;
pub use pipeline::PipelinedReply;
use std::sync::Arc;
use tenbin_wire::postgres::command::{Out, Parameter};
use tenbin_wire::postgres::reply::Fed;
use tenbin_wire::postgres::{ServerError, marks, message, value};
use tenbin_words::msg;

/// Messages of the login and descriptions are small. No server can make us allocate more than this before the login.
const MESSAGE_MOST: usize = 1 << 20;

/// An open, authenticated connection.
pub struct PostgresConnection {
    pub(super) exchange: Exchange,
    pub(super) statements: Vec<Statement>,
    /// Sent and not answered yet.
    pending: PendingReplies,
    pub(super) version: String,
    /// The process of the server that serves this connection; 0 if the server did not report it.
    pub(super) number: u32,
    pub(super) encrypted: Option<String>,
}

pub(super) struct Statement {
    name: String,
    /// The types of its parameters, as determined by the server.
    types: Vec<u32>,
    pub(super) kinds: Arc<[Kind]>,
    /// Whether all its columns can be sent in binary, which avoids the conversion on both sides.
    binary: bool,
    pub(super) commits: bool,
}

impl std::fmt::Debug for PostgresConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PostgresConnection({}, {} statements)", self.version, self.statements.len())
    }
}

impl PostgresConnection {
    pub(super) fn new(stream: Stream) -> Self {
        PostgresConnection {
            exchange: Exchange::new(stream),
            statements: Vec::new(),
            pending: PendingReplies::default(),
            version: String::new(),
            number: 0,
            encrypted: None,
        }
    }

    #[inline]
    pub(crate) async fn execute(&mut self, statement: u32, values: &[Value<'_>]) -> Result<Reply, Error> {
        let statements = &self.statements;
        let commits = self.exchange.begin(|out| Ok(bind(out, statements, statement, values, true)?.commits))?;
        self.exchange.finish(commits, &mut ()).await
    }

    pub(crate) async fn fetch(
        &mut self,
        statement: u32,
        values: &[Value<'_>],
        rows: &mut crate::Rows,
    ) -> Result<Reply, Error> {
        let statements = &self.statements;
        let s = self.exchange.begin(|out| bind(out, statements, statement, values, false))?;
        rows.columns(s.kinds.len());
        let mut fetch = Fetch { rows, kinds: &s.kinds, budget: RowBudget::default() };
        let reply = self.exchange.finish(s.commits, &mut fetch).await?;
        fetch.budget.whole().map(|()| reply)
    }

    #[inline]
    pub(crate) async fn query(&mut self, sql: &str) -> Result<Reply, Error> {
        self.exchange.begin(|out| out.query(sql).map_err(fault))?;
        self.exchange.finish(commits(sql), &mut ()).await
    }

    pub(crate) async fn query_bytes(&mut self, sql: &[u8]) -> Result<Reply, Error> {
        self.exchange.begin(|out| out.query_bytes(sql).map_err(fault))?;
        self.exchange.finish(std::str::from_utf8(sql).is_ok_and(commits), &mut ()).await
    }

    /// `names` receives the names of the columns.
    pub(crate) async fn query_rows(
        &mut self,
        sql: &str,
        rows: &mut crate::Rows,
        names: Option<&mut Vec<String>>,
    ) -> Result<Reply, Error> {
        self.exchange.begin(|out| out.query(sql).map_err(fault))?;
        let mut keep = Keep { rows, names, over: false, budget: RowBudget::default() };
        let reply = self.exchange.finish(commits(sql), &mut keep).await?;
        keep.budget.whole().map(|()| reply)
    }

    /// Sends SQL text and keeps all its results.
    pub(crate) async fn query_all(&mut self, sql: &[u8], results: &mut crate::Results) -> Result<Reply, Error> {
        self.exchange.begin(|out| out.query_bytes(sql).map_err(fault))?;
        let commits = std::str::from_utf8(sql).is_ok_and(commits);
        let mut keep = KeepAll { results, open: false, budget: RowBudget::default() };
        let reply = self.exchange.finish(commits, &mut keep).await?;
        keep.budget.whole().map(|()| reply)
    }

    pub(crate) async fn forget(&mut self, statement: u32) -> Result<(), Error> {
        let Some(s) = self.statements.get(statement as usize) else { return Ok(()) };
        let sql = format!("DEALLOCATE {}", s.name);
        self.query(&sql).await.map(|_| ())
    }

    pub(crate) async fn table(&mut self, sql: &str) -> Result<Table, Error> {
        self.exchange.begin(|out| out.query(sql).map_err(fault))?;
        let mut kept = KeptRows::default();
        self.exchange.finish(false, &mut kept).await?;
        kept.budget.whole().map(|()| kept.table)
    }

    /// `names` receives the names of its columns.
    pub(crate) async fn prepare(&mut self, sql: &str, mut names: Option<&mut Vec<String>>) -> Result<u32, Error> {
        let name = format!("tenbin{}", self.statements.len());
        self.exchange.begin(|out| out.prepare(&name, &marks::numbered(sql)).map_err(fault))?;
        self.exchange.sent().await;
        let mut s = Statement { name, types: Vec::new(), kinds: Arc::default(), binary: true, commits: commits(sql) };
        let mut refusal = None;
        loop {
            let (letter, body) = self.message().await?;
            match letter {
                b'E' => {
                    let error = ServerError::parse(&body).map_err(fault)?;
                    if error.fatal {
                        return Err(refused(error));
                    }
                    refusal = refusal.or(Some(error));
                }
                b't' => s.types = value::parameters(&body).map_err(fault)?,
                b'T' => {
                    let columns = value::columns(&body).map_err(fault)?;
                    s.binary = columns.iter().all(value::Column::has_binary);
                    s.kinds = columns.iter().map(kind).collect();
                    if let Some(names) = &mut names {
                        names.extend(columns.iter().map(|column| String::from_utf8_lossy(column.name).into_owned()));
                    }
                }
                b'Z' => break,
                // Parsed; no columns; a notice, a setting.
                _ => {}
            }
        }
        self.exchange.broken = self.exchange.channel.take_unsent().is_some();
        if let Some(error) = refusal {
            return Err(refused(error));
        }
        self.statements.push(s);
        Ok(self.statements.len() as u32 - 1)
    }

    /// Sends `COPY … FROM STDIN` and the rows of `source`.
    pub(crate) async fn load_local(&mut self, sql: &str, source: &mut dyn Source) -> Result<Reply, Error> {
        self.exchange.begin(|out| out.query(sql).map_err(fault))?;
        match self.exchange.read(&mut ()).await? {
            Fed::WantsData => {}
            Fed::Refused(e) => return Err(refused(e)),
            Fed::Done | Fed::More(_) => return Ok(self.exchange.reply()),
        }
        // The reply is not complete yet.
        self.exchange.broken = true;
        let mut chunk: Vec<u8> = Vec::new();
        loop {
            chunk.clear();
            source.fill(&mut chunk);
            if chunk.is_empty() {
                self.exchange.send(Out::copy_done).await?;
                break;
            }
            let mut out = Out::default();
            out.copy_data(&chunk).map_err(fault)?;
            self.exchange.send_out(&out).await?;
        }
        self.exchange.finish(false, &mut ()).await
    }

    pub(crate) async fn close(mut self) {
        self.terminate(Out::default()).await;
    }

    pub(crate) async fn leave(mut self) {
        self.terminate(Out::default()).await;
        self.exchange.channel.end().await;
    }

    /// Sends `out`, whose replies are not read, and ends the connection.
    pub(crate) async fn close_after(mut self, out: Out) {
        self.terminate(out).await;
    }

    async fn terminate(&mut self, mut out: Out) {
        out.terminate();
        // There is no reply.
        let _ = self.exchange.channel.send(out.bytes()).await;
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn encrypted(&self) -> Option<&str> {
        self.encrypted.as_deref()
    }

    /// One complete message. Not for the hot path.
    pub(super) async fn message(&mut self) -> Result<(u8, Vec<u8>), Error> {
        loop {
            let missing = match message::take(self.exchange.channel.unread.arrived(), MESSAGE_MOST).map_err(fault)? {
                Ok((letter, body, used)) => {
                    let taken = (letter, body.to_vec());
                    self.exchange.channel.unread.used(used);
                    return Ok(taken);
                }
                Err(missing) => missing,
            };
            self.exchange.fill(missing).await?;
        }
    }
}

/// Writes one execution of a prepared statement.
#[inline]
pub(super) fn bind<'a>(
    out: &mut Out,
    statements: &'a [Statement],
    statement: u32,
    values: &[Value<'_>],
    binary: bool,
) -> Result<&'a Statement, Error> {
    let s = bind_part(out, statements, statement, values, binary)?;
    out.sync();
    Ok(s)
}

/// The same as a part of a pipeline.
#[inline]
fn bind_part<'a>(
    out: &mut Out,
    statements: &'a [Statement],
    statement: u32,
    values: &[Value<'_>],
    binary: bool,
) -> Result<&'a Statement, Error> {
    let Some(s) = statements.get(statement as usize) else {
        return Err(Error::new(Class::Sql, msg!("prepared-on-another-connection")));
    };
    if values.len() != s.types.len() {
        return Err(Error::new(
            Class::Sql,
            msg!("values-for-parameters", values = values.len(), parameters = s.types.len()),
        ));
    }
    let parameters = values.iter().zip(&s.types).map(|(value, oid)| parameter(value, *oid));
    out.execute_part(&s.name, parameters, binary && s.binary).map_err(fault)?;
    Ok(s)
}

#[inline]
fn parameter<'a>(value: &Value<'a>, oid: u32) -> Parameter<'a> {
    match *value {
        Value::Null => Parameter::Null,
        Value::Int(v) => value::integer(v, oid),
        Value::Float(v) => value::double(v, oid),
        Value::Text(v) => Parameter::Text(v),
    }
}

/// Whether a statement is a commit.
#[inline]
pub(super) fn commits(sql: &str) -> bool {
    let word = sql.trim_start().as_bytes();
    let begins = |with: &str| word.get(..with.len()).is_some_and(|w| w.eq_ignore_ascii_case(with.as_bytes()));
    begins("commit") || begins("end")
}
