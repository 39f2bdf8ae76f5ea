//! What one thread of a script has on our side: connections, prepared statements, counters. `api.rs` exposes it to Lua.
//!
//! On a coroutine whose thread has other clients, calls wait there and the thread continues. Otherwise they block:
//! connections are made for a dedicated thread (`Transport::Alone`), and their futures are complete when they are first
//! polled; only opening one needs a runtime, and that happens on a separate thread.

use super::bulk::Bulk;
use super::coroutine_handle::CoroutineHandle;
use super::draws::Draws;
use super::host_shared::{ERROR, EVENT, HostShared, OTHER, READ, RECONNECT, SentAs, ThreadCounters, WRITE};
use super::names::{self, RegisteredStatement};
use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tenbin_driver::{
    Class, Connection, Connector, Error, Prepared, Reply, Results, Rows, Transport, Value, float_text,
};
use tenbin_model::tally::StatementKind;
use tenbin_words::msg;
use tenbin_workload::literals::fill_in;
use tenbin_workload::{MemoryRange, StatementRecord};

/// The name of errors that a script counts by itself.
pub const COUNTED_ERRORS: &str = "(counted by the script: error)";

/// A burst of events ends after this time, or this number of statements.
const BURST_LONGEST: Duration = Duration::from_micros(200);
const BURST_MOST: usize = 256;

/// MySQL's error for a statement that cannot be prepared.
const CANNOT_BE_PREPARED: u32 = 1295;

/// One thread's side.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) shared: Arc<HostShared>,
    /// The coroutine that is suspended between events, and on which calls wait if its thread has other clients.
    handle: Option<Rc<CoroutineHandle>>,
    /// Whether the client knows that there are no more events.
    pub(super) over: bool,
    pub(super) draws: Draws,
    #[expect(clippy::vec_box, reason = "Lua holds the address of a link's answer")]
    pub(super) links: Vec<Box<Link>>,
    /// Whether statements are counted: in events, not in commands.
    pub(super) counts: bool,
    /// Whether the script reads rows of prepared statements: otherwise they are counted and discarded.
    pub(super) fetches: bool,
    /// Statements sent in the current event.
    pub(super) marks: Vec<StatementRecord>,
    /// When the last call ended, or the event began.
    pub(super) last: Instant,
    /// The events of the current burst.
    pub(super) burst: Burst,
    /// Whether nothing is sent: calls are then not timed.
    dry: bool,
    /// The last error, and what was sent then.
    pub(super) error: Option<Error>,
    pub(super) in_flight: String,
    pub(super) sent_as: SentAs,
    /// Whether that error was thrown, and it is not known yet whether the script catches it.
    pub(super) thrown: bool,
    pub(super) counters: Arc<ThreadCounters>,
    /// Connections that the script itself reopened in the current event.
    pub(super) reconnects: u32,
    /// Why reconnects of this event failed.
    pub(super) connect_errors: Vec<Error>,
    known: RegisteredStatement,
}

/// Events executed one after another without returning to the engine.
#[derive(Debug)]
pub(super) struct Burst {
    /// When it began.
    from: Instant,
    /// When its last event ended.
    last: Instant,
    /// It ends after this many events.
    most: usize,
    /// The durations of its complete events in nanoseconds.
    pub(super) each_ns: Vec<u64>,
    /// How many marks belong to them; the rest belong to the event that failed.
    pub(super) marks: usize,
}

/// One connection of a script, open or not.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) answer: HostAnswer,
    connection: Option<Connection>,
    /// Whether the script wants it open: not after it has closed it.
    wanted: bool,
    /// Incremented each time it is opened: a statement prepared before is prepared again.
    opened: u32,
    /// Whether it goes to the database of the other family.
    other: bool,
    /// The results of the last text statement.
    pub(super) results: Results,
    /// The rows of the last prepared statement, if they are read.
    fetched: Rows,
    /// The current one of the results; `None`: `fetched`.
    pub(super) at: Option<usize>,
    /// A number of `fetched`, as text.
    number: String,
    bulk: Bulk,
}

/// The last answer on a connection, as Lua sees it.
#[derive(Debug, Default, Clone, Copy)]
#[repr(C)]
pub(super) struct HostAnswer {
    pub(super) nrows: u32,
    pub(super) nfields: u32,
    /// The next row to fetch.
    pub(super) row: u32,
    pub(super) link: u32,
}

/// A prepared statement of a script.
#[derive(Debug)]
pub(super) struct HostStatement {
    sql: Vec<u8>,
    /// Of its text; given when it is first executed.
    name: Option<u16>,
    kind: StatementKind,
    prepared: Option<Prepared>,
    opened: u32,
    text: Vec<u8>,
}

impl Host {
    pub(super) fn new(
        shared: Arc<HostShared>,
        handle: Option<Rc<CoroutineHandle>>,
        (number, of): (u32, u32),
        seed: u64,
    ) -> Host {
        let (dry, now) = (shared.dry(), Instant::now());
        Host {
            draws: Draws::new(shared.shapes, (number, of), seed),
            links: Vec::new(),
            counts: false,
            fetches: false,
            marks: Vec::new(),
            last: now,
            burst: Burst { from: now, last: now, most: 0, each_ns: Vec::new(), marks: 0 },
            dry,
            error: None,
            in_flight: String::new(),
            sent_as: SentAs::default(),
            thrown: false,
            counters: shared.new_counters(number),
            reconnects: 0,
            connect_errors: Vec::new(),
            known: RegisteredStatement::default(),
            handle,
            over: false,
            shared,
        }
    }

    /// Whether the script may continue.
    fn goes_on(&self) -> Result<(), Error> {
        if self.shared.stop.load(Ordering::Relaxed) {
            return Err(Error::new(Class::Sql, msg!("stopped")));
        }
        Ok(())
    }

    /// Opens a new connection; returns its index among this thread's.
    pub(super) fn connect(&mut self, other: bool) -> Result<usize, Error> {
        self.goes_on()?;
        self.went_on();
        self.in_flight.clear();
        let connection = self.open(other)?;
        let link = Link {
            answer: HostAnswer::default(),
            connection: Some(connection),
            wanted: true,
            opened: 1,
            other,
            results: Results::default(),
            fetched: Rows::default(),
            at: None,
            number: String::new(),
            bulk: Bulk::default(),
        };
        self.links.push(Box::new(link));
        Ok(self.links.len() - 1)
    }

    /// The script has gone on, or has ended well: it has caught what was thrown.
    pub(super) fn went_on(&mut self) {
        if std::mem::take(&mut self.thrown)
            && let (Some(error), Some(tell)) = (&self.error, self.shared.caught.get())
            && !self.shared.ignore.covers(error)
        {
            tell(error, &self.in_flight, self.sent_as);
        }
    }

    fn connector(&self, other: bool) -> &Connector {
        self.shared.other.as_ref().filter(|_| other).unwrap_or(&self.shared.connector)
    }

    fn open(&self, other: bool) -> Result<Connection, Error> {
        match &self.handle {
            Some(handle) if handle.carries() => wait(&self.handle, self.connector(other).connect(Transport::Shared)),
            _ => self.connector(other).connect_alone(),
        }
    }

    /// Reopens a connection; its statements are prepared again when next used.
    pub(super) fn reconnect(&mut self, link: usize) -> Result<(), Error> {
        self.close(link);
        self.links[link].wanted = true;
        let connection = self.open(self.links[link].other)?;
        let link = &mut self.links[link];
        link.connection = Some(connection);
        link.opened += 1;
        Ok(())
    }

    pub(super) fn disconnect(&mut self, link: usize) {
        self.close(link);
        self.links[link].wanted = false;
    }

    fn close(&mut self, link: usize) {
        if let Some(connection) = self.links[link].connection.take() {
            let _unanswered = wait(&self.handle, async {
                connection.close().await;
                Ok(())
            });
        }
    }

    /// The memory that the statements of a script use on this side: itself, and the first connection.
    pub(super) fn memory(&self) -> Vec<MemoryRange> {
        let mut all = vec![MemoryRange::of(self)];
        if let Some(link) = self.links.first() {
            all.push(MemoryRange::of(&**link));
            all.extend(link.connection.iter().flat_map(Connection::memory));
        }
        all
    }

    /// Reopens all connections that the script wants open.
    pub(super) fn reopen(&mut self) -> Result<(), Error> {
        for link in 0..self.links.len() {
            if self.links[link].wanted {
                self.reconnect(link)?;
            }
        }
        Ok(())
    }

    /// Rolls back any transaction that an error left open on any connection.
    pub(super) fn roll_back(&mut self) {
        for link in &mut self.links {
            if let Some(connection) = &mut link.connection {
                // There may be none to end; a lost connection shows at the next statement.
                let _ = wait(&self.handle, connection.query("ROLLBACK"));
            }
        }
    }

    /// Sends text and keeps all its results. The current one is then the first, and the others can be requested; for
    /// PostgreSQL, as in its library, it is the last.
    pub(super) fn query(&mut self, link: usize, sql: &[u8]) -> Result<Reply, Error> {
        let known = self.known.find(sql);
        let marks = self.marks.len();
        let outcome = self.timed(known.unwrap_or(0), sql, |host| {
            let Link { connection, results, .. } = &mut *host.links[link];
            wait(&host.handle, connection.as_mut().ok_or_else(closed)?.query_all(sql, results))
        });
        let Link { results, at, other, .. } = &mut *self.links[link];
        let last = results.len().saturating_sub(1);
        let postgres = {
            let connector = self.shared.other.as_ref().filter(|_| *other).unwrap_or(&self.shared.connector);
            connector.dsn().scheme.kind().answers_last
        };
        *at = Some(if postgres { last } else { 0 });
        self.counters.count(&outcome, self.looked_at(link).1 > 0, &self.shared.ignore);
        if known.is_none() {
            // If the first word does not determine the kind, the answer does.
            let kind = names::kind_by_answer(sql, &outcome, self.looked_at(link).1 > 0);
            self.add_name(kind, marks);
        }
        outcome
    }

    /// Adds the name that was searched last; the marks from `from` on are of it.
    fn add_name(&mut self, kind: StatementKind, from: usize) -> u16 {
        let name = self.known.add(&self.shared.names, kind);
        self.marks[from..].iter_mut().for_each(|mark| mark.statement = name);
        name
    }

    /// Rows, columns and changed rows of the current result.
    pub(super) fn looked_at(&self, link: usize) -> (u64, usize, u64) {
        let Link { results, fetched, at, .. } = &*self.links[link];
        match at {
            None => (fetched.len() as u64, fetched.width(), 0),
            Some(at) => {
                results.get(*at).map_or((0, 0, 0), |(rows, changed)| (rows.len() as u64, rows.width(), changed))
            }
        }
    }

    /// Whether there is another result after the current one.
    pub(super) fn more_results(&self, link: usize) -> bool {
        let Link { results, at, .. } = &*self.links[link];
        at.is_some_and(|at| at + 1 < results.len())
    }

    /// Goes to the next result.
    pub(super) fn next_result(&mut self, link: usize) {
        let link = &mut *self.links[link];
        link.at = link.at.map(|at| at + 1);
    }

    /// A value of the current result, as text; `None` for NULL, or an error if rows were not kept.
    pub(super) fn cell(&mut self, link: usize, row: usize, column: usize) -> Result<Option<&[u8]>, ()> {
        let Link { results, fetched, at, number, .. } = &mut *self.links[link];
        let rows: &Rows = match at {
            None => fetched,
            Some(at) => results.get(*at).ok_or(())?.0,
        };
        Ok(match rows.get(row, column).ok_or(())? {
            Value::Null => None,
            Value::Text(text) => Some(text),
            Value::Int(n) => {
                *number = n.to_string();
                Some(number.as_bytes())
            }
            Value::Float(x) => {
                *number = float_text(x);
                Some(number.as_bytes())
            }
        })
    }

    pub(super) fn prepare(&mut self, link: usize, sql: &[u8]) -> Result<HostStatement, Error> {
        self.goes_on()?;
        let mut statement = HostStatement {
            sql: sql.to_owned(),
            name: None,
            kind: names::kind(&String::from_utf8_lossy(sql)),
            prepared: None,
            opened: 0,
            text: Vec::new(),
        };
        self.went_on();
        self.prepare_anew(link, &mut statement).inspect_err(|_| {
            (self.in_flight, self.sent_as) = (String::from_utf8_lossy(sql).into_owned(), SentAs::Preparing);
        })?;
        Ok(statement)
    }

    fn prepare_anew(&mut self, link: usize, statement: &mut HostStatement) -> Result<(), Error> {
        let link = &mut self.links[link];
        let connection = link.connection.as_mut().ok_or_else(closed)?;
        statement.opened = link.opened;
        statement.prepared = None;
        if self.shared.prepare {
            statement.prepared = match wait(&self.handle, connection.prepare_bytes(&statement.sql)) {
                Ok(prepared) => Some(prepared),
                Err(error) if error.number() == Some(CANNOT_BE_PREPARED) => None,
                Err(error) => return Err(error),
            };
        }
        Ok(())
    }

    #[inline]
    pub(super) fn execute(
        &mut self,
        link: usize,
        statement: &mut HostStatement,
        values: &[Value<'_>],
    ) -> Result<Reply, Error> {
        if statement.opened != self.links[link].opened {
            self.prepare_anew(link, statement)?;
        }
        let reads = statement.reads();
        let HostStatement { sql, name, prepared, text, .. } = statement;
        let (known, marks) = (name.or_else(|| self.known.find(sql)), self.marks.len());
        let outcome = self.timed(known.unwrap_or(0), sql, |host| {
            let Link { connection, fetched, results, at, .. } = &mut *host.links[link];
            let connection = connection.as_mut().ok_or_else(closed)?;
            *at = None;
            if let Some(reply) = connection.reply_at_once() {
                return Ok(reply);
            }
            if let Some(prepared) = prepared {
                return if host.fetches {
                    wait(&host.handle, connection.fetch(*prepared, values, fetched))
                } else {
                    wait(&host.handle, connection.execute(*prepared, values))
                };
            }
            text.clear();
            fill_in(sql, values, connection.quoting(), text);
            if host.fetches {
                *at = Some(0);
                return wait(&host.handle, connection.query_all(text, results));
            }
            wait(&host.handle, connection.query_bytes(text))
        });
        self.sent_as = if outcome.is_err() && prepared.is_some() { SentAs::Prepared } else { self.sent_as };
        let reads = !self.dry && (reads || outcome.as_ref().is_ok_and(|reply| reply.rows > 0));
        self.counters.count(&outcome, reads, &self.shared.ignore);
        *name = known.or_else(|| {
            let kind = names::kind_by_answer(sql, &outcome, reads);
            Some(self.add_name(kind, marks))
        });
        outcome
    }

    pub(super) fn forget(&mut self, link: usize, statement: &HostStatement) {
        let link = &mut self.links[link];
        if let (Some(connection), Some(prepared)) = (&mut link.connection, statement.prepared)
            && statement.opened == link.opened
        {
            let _unanswered = wait(&self.handle, connection.forget(prepared));
        }
    }

    /// Begins a bulk INSERT with the text before the first row.
    pub(super) fn bulk_init(&mut self, link: usize, prefix: &[u8]) {
        let name = self.known.name_of(prefix, &self.shared.names);
        self.links[link].bulk.begin(prefix, name);
    }

    /// Adds a row; first sends the previous ones if there is no more room.
    pub(super) fn bulk_next(&mut self, link: usize, row: &[u8]) -> Result<(), Error> {
        if !self.links[link].bulk.begun() {
            return Err(Error::new(Class::Sql, msg!("bulk-insert-next-before-bulk-insert-init")));
        }
        if !self.links[link].bulk.has_room_for(row) {
            self.bulk_flush(link)?;
        }
        self.links[link].bulk.add(row);
        Ok(())
    }

    /// Sends the rows added so far.
    pub(super) fn bulk_flush(&mut self, link: usize) -> Result<(), Error> {
        let mut bulk = std::mem::take(&mut self.links[link].bulk);
        let outcome = bulk.statement().map_or(Ok(()), |(name, sql)| {
            let sent = self.timed(name, sql, |host| {
                wait(&host.handle, host.links[link].connection.as_mut().ok_or_else(closed)?.query_bytes(sql))
            });
            self.counters.count(&sent, false, &self.shared.ignore);
            sent.map(|_| ())
        });
        // As in sysbench, rows that were not written are kept for a script that catches the error and sends them again.
        if outcome.is_ok() {
            bulk.remove_rows();
        }
        self.links[link].bulk = bulk;
        outcome
    }

    /// Executes one statement and records its time and outcome.
    #[inline]
    fn timed(
        &mut self,
        name: u16,
        sql: &[u8],
        send: impl FnOnce(&mut Host) -> Result<Reply, Error>,
    ) -> Result<Reply, Error> {
        self.goes_on()?;
        self.went_on();
        let start = if self.dry { self.last } else { Instant::now() };
        let outcome = send(self);
        if !self.dry {
            self.last = Instant::now();
        }
        let service_ns = (self.last - start).as_nanos() as u64;
        match self.counts {
            true => self.marks.push(StatementRecord::of_outcome(name, service_ns, &outcome)),
            false => self.shared.texts.keep(sql),
        }
        if outcome.is_err() {
            self.sent_as = SentAs::Text;
            self.in_flight.clear();
            self.in_flight.extend(String::from_utf8_lossy(&sql[..sql.len().min(800)]).chars().take(200));
        }
        outcome
    }

    /// Whether a thread_run() of the script's may begin another event.
    pub(super) fn more_events(&self) -> bool {
        let leaving = self.over || self.handle.as_ref().is_some_and(|handle| handle.leaving());
        !leaving && !self.shared.stop.load(Ordering::Relaxed)
    }

    /// Called when an event has ended: suspends until the engine requests another.
    pub(super) fn turn(&mut self) {
        if let (Some(handle), false) = (&self.handle, self.over) {
            handle.turn();
        }
    }

    /// Starts a new burst of at most this many events.
    pub(super) fn begin_burst(&mut self, most: usize) {
        let now = Instant::now();
        (self.last, self.burst.from, self.burst.last, self.burst.marks) = (now, now, now, 0);
        self.burst.most = most;
        self.burst.each_ns.clear();
    }

    /// An event has succeeded; returns whether another is to follow. On a coroutine that is known, and this returns, when
    /// the engine requests it; without one the event belongs to a burst.
    #[inline]
    pub(super) fn event_ended(&mut self) -> bool {
        self.went_on();
        self.counters.add(EVENT, 1);
        if self.handle.is_some() {
            self.turn();
            return self.more_events();
        }
        let now = Instant::now();
        let Burst { from, last, each_ns, marks, most } = &mut self.burst;
        each_ns.push((now - *last).as_nanos() as u64);
        (self.last, *last, *marks) = (now, now, self.marks.len());
        each_ns.len() < *most && now - *from < BURST_LONGEST && self.marks.len() < BURST_MOST
    }

    /// Counts what the script did by itself, through a C module: `n` statements of the kind that sysbench's counter
    /// means. The time since the last call is assigned to the first.
    pub(super) fn count(&mut self, counter: usize, n: u64) {
        self.counters.add(counter, n);
        if !self.counts {
            return;
        }
        let (name, kind) = match counter {
            OTHER => ("(counted by the script: other)", StatementKind::Other),
            READ => ("(counted by the script: read)", StatementKind::Read),
            WRITE => ("(counted by the script: write)", StatementKind::Write),
            ERROR => (COUNTED_ERRORS, StatementKind::Other),
            RECONNECT => {
                self.reconnects = self.reconnects.saturating_add(u32::try_from(n).unwrap_or(u32::MAX));
                return;
            }
            _ => return,
        };
        let (index, now) = (self.shared.names.index(name, kind), Instant::now());
        let mut service_ns = (now - self.last).as_nanos() as u64;
        self.last = now;
        for _ in 0..n {
            let error = (counter == ERROR).then(|| Error::new(Class::Sql, msg!("counted-by-script")));
            self.marks.push(StatementRecord::of(index, service_ns, 1, error));
            service_ns = 0;
        }
    }
}

impl HostStatement {
    /// Whether its answer has rows, even if none came.
    pub(super) fn reads(&self) -> bool {
        self.kind == StatementKind::Read
    }
}

/// A call of a driver: waits on the coroutine if running on one.
#[inline]
fn wait<T>(handle: &Option<Rc<CoroutineHandle>>, call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match handle {
        Some(handle) if handle.carries() => {
            handle.wait(call).unwrap_or_else(|| Err(Error::new(Class::Sql, msg!("stopped"))))
        }
        _ => at_once(call),
    }
}

/// A call of a driver whose connection blocks the thread.
#[inline]
fn at_once<T>(call: impl Future<Output = Result<T, Error>>) -> Result<T, Error> {
    match pin!(call).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(Error::new(Class::Protocol, msg!("driver-cannot-block")).hint(msg!("take-out-delay"))),
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        (0..self.links.len()).for_each(|link| self.close(link));
    }
}

#[cold]
fn closed() -> Error {
    Error::new(Class::Sql, msg!("script-closed-connection")).code(2006)
}
