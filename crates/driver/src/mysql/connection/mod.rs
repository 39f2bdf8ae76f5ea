//! One connection: prepare, execute, query, bulk load. The hot path is [`MysqlConnection::execute`] and what it calls.

mod exchange;
mod pipeline;

use super::failure::fault;
use super::local;
use super::rows::{ColumnKind, Fetch, Keep, KeepAll, KeptRows, KnownColumns, ReceivedColumns, kind_of, name_of};
use crate::row_budget::RowBudget;
use crate::transport::stream::Stream;
use crate::{Class, Error, MemoryRange, Reply, Source, Table, Value};
use exchange::{Exchange, message};
use pipeline::PendingReplies;
use std::borrow::Cow;
use std::future::poll_fn;
use tenbin_wire::mysql::bytes::Bytes;
use tenbin_wire::mysql::command::{self, Parameter};
use tenbin_wire::mysql::reply::{Fed, Rows};
use tenbin_wire::mysql::{ServerError, packet};
use tenbin_words::msg;

/// Greeting, proofs and column definitions are small. No server can make us allocate more than this before the login.
const MESSAGE_MOST: usize = 1 << 20;

/// One packet of a bulk load, bytes: below `max_allowed_packet` as even old servers have it (1 MiB).
const LOAD_PACKET: usize = 512 * 1024;

/// An open, authenticated connection.
pub struct MysqlConnection {
    pub(super) exchange: Exchange,
    /// Of the statement that is being executed.
    received: ReceivedColumns,
    statements: Vec<Statement>,
    /// Free entries of `statements`, whose statement was deallocated.
    free: Vec<u32>,
    /// Sent and not answered yet.
    pending: PendingReplies,
    pub(super) version: String,
    /// The server's number of this connection.
    pub(super) number: u32,
    pub(super) encrypted: Option<String>,
    /// Whether a backslash in quoted text is an escape character, as at the login of the session.
    pub(super) backslash_escapes: bool,
}

struct Statement {
    id: u32,
    parameters: u16,
    /// The parameter types that were sent last.
    types: SentTypes,
    /// The columns of its result, if the server may leave out their definitions.
    columns: Vec<ColumnKind>,
}

impl std::fmt::Debug for MysqlConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "MysqlConnection({}, {} statements)", self.version, self.statements.len())
    }
}

impl MysqlConnection {
    pub(super) fn new(stream: Stream) -> Self {
        MysqlConnection {
            exchange: Exchange::new(stream),
            received: ReceivedColumns::default(),
            statements: Vec::new(),
            free: Vec::new(),
            pending: PendingReplies::default(),
            version: String::new(),
            number: 0,
            encrypted: None,
            backslash_escapes: true,
        }
    }

    #[inline]
    pub(crate) async fn execute(&mut self, statement: u32, values: &[Value<'_>]) -> Result<Reply, Error> {
        let fresh = self.start(statement, values)?;
        self.finish_execution(statement, fresh).await
    }

    pub(crate) async fn fetch(
        &mut self,
        statement: u32,
        values: &[Value<'_>],
        rows: &mut crate::Rows,
    ) -> Result<Reply, Error> {
        let fresh = self.start(statement, values)?;
        self.finish_fetch(statement, fresh, rows).await
    }

    /// Sends one execution of a prepared statement; returns whether it includes the parameter types.
    #[inline]
    fn start(&mut self, statement: u32, values: &[Value<'_>]) -> Result<bool, Error> {
        message(|out| {
            let (next, fresh) = self.bind(out, statement, values)?;
            self.exchange.begin(out, next).map(|()| fresh)
        })
    }

    /// Reads the reply to an execution; `fresh`: it was sent with the types of its parameters.
    #[inline]
    async fn finish_execution(&mut self, statement: u32, fresh: bool) -> Result<Reply, Error> {
        let Self { exchange, statements, received, .. } = self;
        let reply = match exchange.caches {
            true => exchange.finish(&mut known(statements, received, statement)).await,
            false => exchange.finish(&mut ()).await,
        };
        if reply.is_err() && fresh {
            self.unsure(statement);
        }
        reply
    }

    /// The same; keeps the rows.
    #[inline]
    async fn finish_fetch(&mut self, statement: u32, fresh: bool, rows: &mut crate::Rows) -> Result<Reply, Error> {
        let known = &mut known(&mut self.statements, &mut self.received, statement);
        let mut fetch = Fetch { rows, known, budget: RowBudget::default() };
        let reply = self.exchange.finish(&mut fetch).await;
        let whole = fetch.budget.whole();
        if reply.is_err() && fresh {
            self.unsure(statement);
        }
        reply.and_then(|reply| whole.map(|()| reply))
    }

    /// Writes one execution of a prepared statement; returns the packet number that follows, and whether it includes the parameter types.
    #[inline]
    fn bind(&mut self, out: &mut Vec<u8>, statement: u32, values: &[Value<'_>]) -> Result<(u8, bool), Error> {
        let Some(s) = self.statements.get_mut(statement as usize) else {
            return Err(Error::new(Class::Sql, msg!("prepared-on-another-connection")));
        };
        if values.len() != usize::from(s.parameters) {
            return Err(Error::new(
                Class::Sql,
                msg!("values-for-parameters", values = values.len(), parameters = s.parameters),
            ));
        }
        let fresh = s.types.change(values);
        let next = packet::message(out, 0, |out| command::execute(out, s.id, values.iter().map(parameter), fresh));
        Ok((next, fresh))
    }

    /// It is not known whether the server read the types before the error: they are sent again next time.
    #[cold]
    pub(super) fn unsure(&mut self, statement: u32) {
        self.statements[statement as usize].types = SentTypes::None;
    }

    pub(crate) async fn query(&mut self, sql: &str) -> Result<Reply, Error> {
        self.query_bytes(sql.as_bytes()).await
    }

    #[inline]
    pub(crate) async fn query_bytes(&mut self, sql: &[u8]) -> Result<Reply, Error> {
        self.begin(command::QUERY, sql)?;
        self.exchange.finish(&mut ()).await
    }

    pub(crate) async fn table(&mut self, sql: &str) -> Result<Table, Error> {
        self.begin(command::QUERY, sql.as_bytes())?;
        let mut kept = KeptRows::default();
        self.exchange.finish(&mut kept).await?;
        kept.budget.whole().map(|()| kept.table)
    }

    /// `names` receives the names of the columns.
    pub(crate) async fn query_rows(
        &mut self,
        sql: &str,
        rows: &mut crate::Rows,
        names: Option<&mut Vec<String>>,
    ) -> Result<Reply, Error> {
        self.begin(command::QUERY, sql.as_bytes())?;
        let mut keep = Keep { rows, names, over: false, budget: RowBudget::default() };
        let reply = self.exchange.finish(&mut keep).await?;
        keep.budget.whole().map(|()| reply)
    }

    /// Sends SQL text and keeps all its results; a file that the text itself names is sent to the server when it
    /// requests it.
    pub(crate) async fn query_all(&mut self, sql: &[u8], results: &mut crate::Results) -> Result<Reply, Error> {
        self.begin(command::QUERY, sql)?;
        let mut keep = KeepAll { results, open: false, budget: RowBudget::default() };
        let reply = match poll_fn(|cx| self.exchange.poll_fed(cx, &mut keep)).await? {
            Fed::WantsFile(name) => match local::named(sql).filter(|path| String::from_utf8_lossy(path) == name) {
                Some(path) => Box::pin(self.give(&path, &mut keep)).await?,
                None => return Box::pin(self.exchange.decline(&name)).await,
            },
            Fed::Refused(e) => return Err(self.exchange.refusal(e)),
            Fed::Done | Fed::More(_) => self.exchange.reply(),
        };
        keep.budget.whole().map(|()| reply)
    }

    /// Sends the requested file to the server, and continues to read. If it cannot be read, an empty file is sent.
    #[cold]
    async fn give(&mut self, path: &[u8], rows: &mut impl Rows) -> Result<Reply, Error> {
        // The reply is not complete yet.
        self.exchange.broken = true;
        let mut sequence = self.exchange.sequence();
        let (mut failed, mut out) = (None, Vec::new());
        match local::open(path) {
            Err(error) => failed = Some(error),
            Ok(mut file) => loop {
                match local::chunk(&mut file, LOAD_PACKET) {
                    Ok(chunk) if chunk.is_empty() => break,
                    Ok(chunk) => {
                        out.clear();
                        sequence = packet::message(&mut out, sequence, |out| out.extend_from_slice(&chunk));
                        self.exchange.send(&out).await?;
                    }
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            },
        }
        out.clear();
        sequence = packet::message(&mut out, sequence, |_| ());
        self.exchange.send(&out).await?;
        self.exchange.expect(sequence);
        let reply = self.exchange.finish(rows).await;
        match failed {
            Some(error) => {
                let path = String::from_utf8_lossy(path);
                Err(Error::new(Class::Sql, msg!("local-file-unreadable", file = path, error)).code(2))
            }
            None => reply,
        }
    }

    /// COM_STMT_CLOSE, to which there is no reply.
    pub(crate) async fn forget(&mut self, statement: u32) -> Result<(), Error> {
        let Some(s) = self.statements.get_mut(statement as usize) else { return Ok(()) };
        s.types = SentTypes::None;
        let id = s.id;
        let mut out = Vec::new();
        packet::message(&mut out, 0, |out| command::close(out, id));
        self.free.push(statement);
        self.command(&out).await
    }

    /// `names` receives the names of its columns.
    pub(crate) async fn prepare(&mut self, sql: &[u8], mut names: Option<&mut Vec<String>>) -> Result<u32, Error> {
        let mut sequence = self.begin(command::PREPARE, sql)?;
        self.exchange.sent().await;
        let first = self.message(&mut sequence).await?;
        if first.first() == Some(&0xFF) {
            return Err(self.exchange.refusal(ServerError::parse(&first).map_err(fault)?));
        }
        let mut b = Bytes::new(&first, "answer to prepare");
        let read = |b: &mut Bytes<'_>| match b.u8()? {
            0 => Ok((b.u32()?, b.u16()?, b.u16()?)),
            _ => Err(b.fault()),
        };
        let (id, columns, parameters) = read(&mut b).map_err(fault)?;
        let mut kinds = Vec::new();
        for (count, of_columns) in [(parameters, false), (columns, true)].into_iter().filter(|(n, _)| *n > 0) {
            for _ in 0..count {
                let definition = self.message(&mut sequence).await?;
                kinds.extend(kind_of(&definition).filter(|_| of_columns && self.exchange.caches));
                if let Some(names) = names.as_mut().filter(|_| of_columns) {
                    names.push(String::from_utf8_lossy(name_of(&definition).map_err(fault)?).into_owned());
                }
            }
            // The packet that ends the definitions.
            self.message(&mut sequence).await?;
        }
        self.exchange.broken = false;
        let statement = Statement { id, parameters, types: SentTypes::None, columns: kinds };
        if let Some(index) = self.free.pop() {
            self.statements[index as usize] = statement;
            return Ok(index);
        }
        self.statements.push(statement);
        Ok(self.statements.len() as u32 - 1)
    }

    pub(crate) async fn load_local(&mut self, sql: &str, source: &mut dyn Source) -> Result<Reply, Error> {
        self.begin(command::QUERY, sql.as_bytes())?;
        match self.exchange.read(&mut ()).await? {
            Fed::WantsFile(_) => {}
            Fed::Refused(e) => return Err(self.exchange.refusal(e)),
            Fed::Done | Fed::More(_) => return Ok(self.exchange.reply()),
        }
        // The reply is not complete yet.
        self.exchange.broken = true;
        let mut sequence = self.exchange.sequence();
        let (mut chunk, mut out) = (Vec::new(), Vec::new());
        loop {
            chunk.clear();
            source.fill(&mut chunk);
            for part in chunk.chunks(LOAD_PACKET) {
                out.clear();
                sequence = packet::message(&mut out, sequence, |out| out.extend_from_slice(part));
                self.exchange.send(&out).await?;
            }
            if chunk.is_empty() {
                break;
            }
        }
        out.clear();
        sequence = packet::message(&mut out, sequence, |_| ());
        self.exchange.send(&out).await?;
        self.exchange.expect(sequence);
        self.exchange.finish(&mut ()).await
    }

    pub(crate) async fn close(mut self) {
        self.quit().await;
    }

    pub(crate) async fn leave(mut self) {
        self.quit().await;
        self.exchange.channel.end().await;
    }

    async fn quit(&mut self) {
        let mut out = Vec::new();
        packet::message(&mut out, 0, |out| out.push(command::QUIT));
        // There is no reply.
        let _ = self.command(&out).await;
    }

    pub(crate) fn memory(&self) -> Vec<MemoryRange> {
        vec![MemoryRange::of(self), MemoryRange::of(&*self.statements)]
    }

    pub(crate) fn version(&self) -> &str {
        &self.version
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    #[inline]
    pub(crate) fn backslash_escapes(&self) -> bool {
        self.backslash_escapes
    }

    pub(crate) fn encrypted(&self) -> Option<&str> {
        self.encrypted.as_deref()
    }

    /// Sends a command that consists of its byte and a text; returns the number of the reply's first packet.
    #[inline]
    fn begin(&mut self, command: u8, text: &[u8]) -> Result<u8, Error> {
        message(|out| {
            let next = packet::message(out, 0, |out| command::text(out, command, text));
            self.exchange.begin(out, next).map(|()| next)
        })
    }

    /// Sends a command to which there is no reply.
    async fn command(&mut self, command: &[u8]) -> Result<(), Error> {
        if let Stream::Frames(frames) = &mut self.exchange.channel.stream {
            frames.start();
        }
        self.exchange.send(command).await
    }

    /// One complete message. Not for the hot path.
    pub(super) async fn message(&mut self, sequence: &mut u8) -> Result<Vec<u8>, Error> {
        loop {
            let arrived = self.exchange.channel.unread.arrived();
            if let (Stream::Frames(_), Some(number)) = (&self.exchange.channel.stream, arrived.get(3)) {
                *sequence = *number;
            }
            if let Some(message) = packet::take(arrived, sequence, MESSAGE_MOST).map_err(fault)? {
                let (payload, used) = (Cow::into_owned(message.payload), message.used);
                self.exchange.channel.unread.used(used);
                return Ok(payload);
            }
            let wanted = arrived.first_chunk::<4>().map_or(4, |h| (u32::from_le_bytes(*h) & 0xFF_FFFF) as usize + 4);
            self.exchange.fill(wanted.saturating_sub(arrived.len()).max(1)).await?;
        }
    }
}

/// The columns of a statement that is being executed.
#[inline]
fn known<'a>(statements: &'a mut [Statement], received: &'a mut ReceivedColumns, statement: u32) -> KnownColumns<'a> {
    received.clear();
    KnownColumns { kinds: &mut statements[statement as usize].columns, received }
}

/// The types of a statement's parameters as the server knows them.
enum SentTypes {
    /// It knows none, or it is not known whether it does.
    None,
    /// Those of up to [`FEW`] parameters, four bits each.
    Few(u64),
    /// One byte each.
    Many(Box<[u8]>),
}

/// This many fit into a word.
const FEW: usize = 16;

impl SentTypes {
    /// Takes those of `values`; returns whether they differ.
    #[inline]
    fn change(&mut self, values: &[Value<'_>]) -> bool {
        if values.len() > FEW {
            return self.change_many(values);
        }
        let types = values.iter().fold(0, |types, value| types << 4 | u64::from(kind(value)));
        match self {
            SentTypes::Few(sent) if *sent == types => false,
            _ => {
                *self = SentTypes::Few(types);
                true
            }
        }
    }

    #[inline(never)]
    fn change_many(&mut self, values: &[Value<'_>]) -> bool {
        match self {
            SentTypes::Many(sent) if sent.iter().copied().eq(values.iter().map(kind)) => false,
            _ => {
                *self = SentTypes::Many(values.iter().map(kind).collect());
                true
            }
        }
    }
}

/// Which of the types that [`command::execute`] sends a value has; not 0.
#[inline]
fn kind(value: &Value<'_>) -> u8 {
    match value {
        Value::Int(_) => 1,
        Value::Float(_) => 2,
        Value::Null | Value::Text(_) => 3,
    }
}

#[inline]
fn parameter<'a>(value: &Value<'a>) -> Parameter<'a> {
    match *value {
        Value::Null => Parameter::Null,
        Value::Int(v) => Parameter::Int(v),
        Value::Float(v) => Parameter::Float(v),
        Value::Text(v) => Parameter::Text(v),
    }
}
