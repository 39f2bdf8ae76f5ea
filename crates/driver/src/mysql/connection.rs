//! One connection: prepare, execute, query, bulk load. The hot path is [`MysqlConnection::execute`] and what it calls.

mod pipeline;

use super::failure::{fault, gone, lost, refused};
use super::local;
use super::rows::{ColumnKind, Fetch, Keep, KeepAll, KeptRows, KnownColumns, kind_of};
use crate::row_budget::RowBudget;
use crate::transport::read_buffer::ReadBuffer;
use crate::transport::stream::Stream;
use crate::{Class, Error, Reply, Source, Table, Value};
use pipeline::PendingReplies;
use std::borrow::Cow;
use tenbin_model::msg;
use tenbin_wire::mysql::bytes::Bytes;
use tenbin_wire::mysql::command::{self, Parameter};
use tenbin_wire::mysql::reply::{Fed, Reply as Answer, Rows};
use tenbin_wire::mysql::{ServerError, packet};

/// Greeting, proofs and column definitions are small. No server can make us allocate more than this before the login.
const MESSAGE_MOST: usize = 1 << 20;

/// One packet of a bulk load, bytes: below `max_allowed_packet` as even old servers have it (1 MiB).
const LOAD_PACKET: usize = 512 * 1024;

/// An open, authenticated connection.
pub struct MysqlConnection {
    pub(super) stream: Stream,
    pub(super) out: Vec<u8>,
    /// The packet number with which the reply to the buffered command starts.
    next: u8,
    pub(super) read_buffer: ReadBuffer,
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
    /// Whether the server leaves out definitions of columns that are known here.
    pub(super) caches: bool,
    /// The connection cannot be used any more: a reply was read only in part, or the server closed the connection.
    pub(super) broken: bool,
}

struct Statement {
    id: u32,
    parameters: u16,
    /// The parameter types that were sent last: one byte each.
    types: Vec<u8>,
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
            stream,
            out: Vec::with_capacity(1024),
            next: 1,
            read_buffer: ReadBuffer::new(),
            statements: Vec::new(),
            free: Vec::new(),
            pending: PendingReplies::default(),
            version: String::new(),
            number: 0,
            encrypted: None,
            backslash_escapes: true,
            caches: false,
            broken: false,
        }
    }

    #[inline]
    pub(crate) async fn execute(&mut self, statement: u32, values: &[Value<'_>]) -> Result<Reply, Error> {
        self.out.clear();
        let fresh = self.bind(statement, values)?;
        let answer = if self.caches {
            let mut known = self.columns_of(statement);
            let answer = self.request(&mut known).await;
            self.statements[statement as usize].columns = known.kinds;
            answer
        } else {
            self.request(&mut ()).await
        };
        if answer.is_err() && fresh {
            self.unsure(statement);
        }
        answer
    }

    pub(crate) async fn fetch(
        &mut self,
        statement: u32,
        values: &[Value<'_>],
        rows: &mut crate::Rows,
    ) -> Result<Reply, Error> {
        self.out.clear();
        let fresh = self.bind(statement, values)?;
        let mut known = self.columns_of(statement);
        let mut fetch = Fetch { rows, known: &mut known, seen: RowBudget::default() };
        let answer = self.request(&mut fetch).await;
        let whole = fetch.seen.whole();
        self.statements[statement as usize].columns = known.kinds;
        if answer.is_err() && fresh {
            self.unsure(statement);
        }
        answer.and_then(|reply| whole.map(|()| reply))
    }

    /// Takes the columns of a statement that is to be executed; they are put back after its reply. If nobody waits for it any longer, the
    /// connection is of no use, and the columns are gone with it.
    #[inline]
    pub(super) fn columns_of(&mut self, statement: u32) -> KnownColumns {
        KnownColumns::new(std::mem::take(&mut self.statements[statement as usize].columns))
    }

    /// Writes one execution of a prepared statement; returns whether it includes the parameter types.
    #[inline]
    pub(super) fn bind(&mut self, statement: u32, values: &[Value<'_>]) -> Result<bool, Error> {
        let Some(s) = self.statements.get_mut(statement as usize) else {
            return Err(Error::new(Class::Sql, msg!("prepared-on-another-connection")));
        };
        if values.len() != usize::from(s.parameters) {
            return Err(Error::new(
                Class::Sql,
                msg!("values-for-parameters", values = values.len(), parameters = s.parameters),
            ));
        }
        let fresh = !values.iter().map(kind).eq(s.types.iter().copied());
        if fresh {
            s.types.clear();
            s.types.extend(values.iter().map(kind));
        }
        let id = s.id;
        self.next =
            packet::message(&mut self.out, 0, |out| command::execute(out, id, values.iter().map(parameter), fresh));
        Ok(fresh)
    }

    /// It is not known whether the server read the types before the error: they are sent again next time.
    #[cold]
    pub(super) fn unsure(&mut self, statement: u32) {
        self.statements[statement as usize].types.clear();
    }

    pub(crate) async fn query(&mut self, sql: &str) -> Result<Reply, Error> {
        self.write(command::QUERY, sql);
        self.request(&mut ()).await
    }

    pub(crate) async fn query_bytes(&mut self, sql: &[u8]) -> Result<Reply, Error> {
        self.out.clear();
        self.next = packet::message(&mut self.out, 0, |out| command::text(out, command::QUERY, sql));
        self.request(&mut ()).await
    }

    pub(crate) async fn table(&mut self, sql: &str) -> Result<Table, Error> {
        self.write(command::QUERY, sql);
        let mut kept = KeptRows::default();
        self.request(&mut kept).await?;
        kept.seen.whole().map(|()| kept.table)
    }

    pub(crate) async fn query_rows(&mut self, sql: &str, rows: &mut crate::Rows) -> Result<Reply, Error> {
        self.write(command::QUERY, sql);
        let mut keep = Keep { rows, over: false, seen: RowBudget::default() };
        let reply = self.request(&mut keep).await?;
        keep.seen.whole().map(|()| reply)
    }

    /// Sends SQL text and keeps all its results; a file that the text itself names is sent to the server when it
    /// requests it.
    pub(crate) async fn query_all(&mut self, sql: &[u8], results: &mut crate::Results) -> Result<Reply, Error> {
        self.out.clear();
        self.next = packet::message(&mut self.out, 0, |out| command::text(out, command::QUERY, sql));
        let mut keep = KeepAll { results, open: false, seen: RowBudget::default() };
        self.begin().await?;
        let mut answer = self.expect(self.next);
        let reply = match self.read(&mut answer, &mut keep).await? {
            Fed::WantsFile(name) => match local::named(sql).filter(|path| String::from_utf8_lossy(path) == name) {
                Some(path) => self.give(&path, answer.sequence(), &mut keep).await?,
                None => return self.decline(&name, answer.sequence()).await,
            },
            Fed::Refused(e) => return Err(self.refusal(e)),
            Fed::Done | Fed::More(_) => {
                Reply { rows: answer.rows, affected: answer.affected, insert_id: answer.insert_id }
            }
        };
        keep.seen.whole().map(|()| reply)
    }

    /// Sends the requested file to the server, and continues to read. If it cannot be read, an empty file is sent.
    #[cold]
    async fn give(&mut self, path: &[u8], mut sequence: u8, rows: &mut impl Rows) -> Result<Reply, Error> {
        // The reply is not complete yet.
        self.broken = true;
        let mut failed = None;
        match local::open(path) {
            Err(error) => failed = Some(error),
            Ok(mut file) => loop {
                match local::chunk(&mut file, LOAD_PACKET) {
                    Ok(chunk) if chunk.is_empty() => break,
                    Ok(chunk) => {
                        self.out.clear();
                        sequence = packet::message(&mut self.out, sequence, |out| out.extend_from_slice(&chunk));
                        self.stream.send(&self.out).await.map_err(|e| lost(&e))?;
                    }
                    Err(error) => {
                        failed = Some(error);
                        break;
                    }
                }
            },
        }
        self.out.clear();
        sequence = packet::message(&mut self.out, sequence, |_| ());
        self.stream.send(&self.out).await.map_err(|e| lost(&e))?;
        let mut answer = self.expect(sequence);
        let reply = self.finish(&mut answer, rows).await;
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
        s.types = Vec::new();
        let id = s.id;
        self.out.clear();
        packet::message(&mut self.out, 0, |out| command::close(out, id));
        self.free.push(statement);
        self.command().await.map_err(|e| lost(&e))
    }

    pub(crate) async fn prepare(&mut self, sql: &[u8]) -> Result<u32, Error> {
        self.out.clear();
        self.next = packet::message(&mut self.out, 0, |out| command::text(out, command::PREPARE, sql));
        self.begin().await?;
        let mut sequence = self.next;
        let first = self.message(&mut sequence).await?;
        if first.first() == Some(&0xFF) {
            return Err(self.refusal(ServerError::parse(&first).map_err(fault)?));
        }
        let mut b = Bytes::new(&first, "answer to prepare");
        let read = |b: &mut Bytes<'_>| match b.u8()? {
            0 => Ok((b.u32()?, b.u16()?, b.u16()?)),
            _ => Err(b.fault()),
        };
        let (id, columns, parameters) = read(&mut b).map_err(fault)?;
        let mut kinds = Vec::new();
        for (count, kept) in [(parameters, false), (columns, self.caches)].into_iter().filter(|(n, _)| *n > 0) {
            for _ in 0..count {
                let definition = self.message(&mut sequence).await?;
                kinds.extend(kind_of(&definition).filter(|_| kept));
            }
            // The packet that ends the definitions.
            self.message(&mut sequence).await?;
        }
        self.broken = false;
        let statement = Statement { id, parameters, types: Vec::new(), columns: kinds };
        if let Some(place) = self.free.pop() {
            self.statements[place as usize] = statement;
            return Ok(place);
        }
        self.statements.push(statement);
        Ok(self.statements.len() as u32 - 1)
    }

    pub(crate) async fn load_local(&mut self, sql: &str, source: &mut dyn Source) -> Result<Reply, Error> {
        self.write(command::QUERY, sql);
        self.begin().await?;
        let mut answer = self.expect(self.next);
        match self.read(&mut answer, &mut ()).await? {
            Fed::WantsFile(_) => {}
            Fed::Refused(e) => return Err(self.refusal(e)),
            Fed::Done | Fed::More(_) => {
                return Ok(Reply { rows: answer.rows, affected: answer.affected, insert_id: answer.insert_id });
            }
        }
        // The reply is not complete yet.
        self.broken = true;
        let mut sequence = answer.sequence();
        let mut chunk: Vec<u8> = Vec::new();
        loop {
            chunk.clear();
            source.fill(&mut chunk);
            for part in chunk.chunks(LOAD_PACKET) {
                self.out.clear();
                sequence = packet::message(&mut self.out, sequence, |out| out.extend_from_slice(part));
                self.stream.send(&self.out).await.map_err(|e| lost(&e))?;
            }
            if chunk.is_empty() {
                break;
            }
        }
        self.out.clear();
        sequence = packet::message(&mut self.out, sequence, |_| ());
        self.stream.send(&self.out).await.map_err(|e| lost(&e))?;
        let mut answer = self.expect(sequence);
        self.finish(&mut answer, &mut ()).await
    }

    pub(crate) async fn close(mut self) {
        self.out.clear();
        packet::message(&mut self.out, 0, |out| out.push(command::QUIT));
        // There is no reply.
        let _ = self.command().await;
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

    fn write(&mut self, command: u8, text: &str) {
        self.out.clear();
        self.next = packet::message(&mut self.out, 0, |out| command::text(out, command, text.as_bytes()));
    }

    /// Sends the buffered command and reads the reply to its end.
    #[inline]
    async fn request(&mut self, rows: &mut impl Rows) -> Result<Reply, Error> {
        self.begin().await?;
        let mut answer = self.expect(self.next);
        self.finish(&mut answer, rows).await
    }

    /// Sends the buffered command. Until the reply is complete, the connection cannot be used for anything else.
    #[inline]
    pub(super) async fn begin(&mut self) -> Result<(), Error> {
        if self.broken {
            let what = msg!("connection-of-no-use");
            return Err(Error::new(Class::Lost, what).code(2013));
        }
        self.broken = true;
        match self.command().await {
            Ok(()) => Ok(()),
            Err(e) => Err(self.last_word().await.unwrap_or_else(|| lost(&e))),
        }
    }

    /// Sends a command.
    #[inline]
    async fn command(&mut self) -> std::io::Result<()> {
        if let Stream::Frames(frames) = &mut self.stream {
            frames.start();
        }
        self.stream.send(&self.out).await
    }

    /// The reply whose first packet has this number.
    #[inline]
    pub(super) fn expect(&self, sequence: u8) -> Answer {
        let answer = match &self.stream {
            Stream::Frames(_) => Answer::in_frames(),
            _ => Answer::new(sequence),
        };
        answer.caches(self.caches)
    }

    /// The error that a server sent before it closed the connection, if sending fails.
    #[cold]
    async fn last_word(&mut self) -> Option<Error> {
        let message = self.message(&mut 0).await.ok()?;
        ServerError::parse(&message).ok().map(refused)
    }

    /// An error from the server. If it closed the connection with it, the connection remains broken.
    #[cold]
    fn refusal(&mut self, said: ServerError) -> Error {
        let error = refused(said);
        self.broken = error.class() == Class::Lost;
        error
    }

    #[inline]
    pub(super) async fn finish(&mut self, answer: &mut Answer, rows: &mut impl Rows) -> Result<Reply, Error> {
        match self.read(answer, rows).await? {
            Fed::Refused(e) => Err(self.refusal(e)),
            Fed::WantsFile(name) => self.decline(&name, answer.sequence()).await,
            Fed::Done | Fed::More(_) => {
                Ok(Reply { rows: answer.rows, affected: answer.affected, insert_id: answer.insert_id })
            }
        }
    }

    /// The server requests a file that was not offered: an empty file completes the request, and nothing is read.
    #[cold]
    async fn decline(&mut self, name: &str, sequence: u8) -> Result<Reply, Error> {
        self.broken = true;
        self.out.clear();
        let next = packet::message(&mut self.out, sequence, |_| ());
        self.stream.send(&self.out).await.map_err(|e| lost(&e))?;
        let mut answer = self.expect(next);
        if let Fed::WantsFile(_) = self.read(&mut answer, &mut ()).await? {
            // It requests a file again, which no real server does.
            self.broken = true;
        }
        Err(Error::new(Class::Protocol, msg!("server-asked-for-a-file", file = format_args!("{name:?}"))))
    }

    /// Reads until the reply is complete.
    #[inline]
    async fn read(&mut self, answer: &mut Answer, rows: &mut impl Rows) -> Result<Fed, Error> {
        loop {
            let (used, fed) = answer.feed(self.read_buffer.arrived(), rows).map_err(fault)?;
            self.read_buffer.used(used);
            match fed {
                Fed::More(wanted) => self.fill(wanted).await?,
                done => {
                    self.broken = false;
                    return Ok(done);
                }
            }
        }
    }

    /// Receives some bytes, with space for `wanted` of them.
    #[inline]
    async fn fill(&mut self, wanted: usize) -> Result<(), Error> {
        match self.read_buffer.fill(&mut self.stream, wanted).await {
            Ok(0) => Err(gone()),
            Ok(_) => Ok(()),
            Err(e) => Err(lost(&e)),
        }
    }

    /// One complete message. Not for the hot path.
    pub(super) async fn message(&mut self, sequence: &mut u8) -> Result<Vec<u8>, Error> {
        loop {
            let arrived = self.read_buffer.arrived();
            if let (Stream::Frames(_), Some(number)) = (&self.stream, arrived.get(3)) {
                *sequence = *number;
            }
            if let Some(message) = packet::take(arrived, sequence, MESSAGE_MOST).map_err(fault)? {
                let (payload, used) = (Cow::into_owned(message.payload), message.used);
                self.read_buffer.used(used);
                return Ok(payload);
            }
            let wanted = arrived.first_chunk::<4>().map_or(4, |h| (u32::from_le_bytes(*h) & 0xFF_FFFF) as usize + 4);
            self.fill(wanted.saturating_sub(arrived.len()).max(1)).await?;
        }
    }
}

fn kind(value: &Value<'_>) -> u8 {
    match value {
        Value::Int(_) => 8,
        Value::Float(_) => 5,
        Value::Null | Value::Text(_) => 253,
    }
}

fn parameter<'a>(value: &Value<'a>) -> Parameter<'a> {
    match *value {
        Value::Null => Parameter::Null,
        Value::Int(v) => Parameter::Int(v),
        Value::Float(v) => Parameter::Float(v),
        Value::Text(v) => Parameter::Text(v),
    }
}
