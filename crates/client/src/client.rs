//! The interface between the engine and workloads, and the record of a transaction.

use crate::{Error, MemoryRange, Reply, Transport};
use pin_project_lite::pin_project;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tenbin_model::tally::StatementKind;
use tenbin_words::problem::Problem;
use tokio::time::Instant;

/// The future returned by a client's operations, which stays on its thread.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

/// How clients reach what they are to load: how the engine distributes them over threads depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TargetReach {
    /// Their calls block their thread; each then gets its own worker.
    pub blocks: bool,
    /// A server shares this machine's cores with them.
    pub shares_cores: bool,
    /// Their connections take no open files.
    pub sends_nothing: bool,
}

/// A workload, resolved and ready: it contains its connector and options.
pub trait Workload: Send + Sync {
    /// Its name.
    fn name(&self) -> &str;
    /// Names of its transactions; [`Client::transaction`] returns an index into them.
    fn transactions(&self) -> Vec<String>;
    /// Names and kinds of its statements; [`TransactionContext::time`] takes an index into them. If they are not known
    /// beforehand (as for a script), those so far: more may be appended while clients are running.
    fn statements(&self) -> Vec<(String, StatementKind)>;
    /// The statements of one transaction, one per line, for the description of the workload; empty if only
    /// the names in [`Workload::statements`] are known.
    fn outline(&self) -> Vec<String> {
        Vec::new()
    }
    /// Names of its own counters; [`TransactionContext::count`] takes an index into them.
    fn counters(&self) -> Vec<String> {
        Vec::new()
    }
    /// Options that only it knows, with their values: those that a script declares.
    fn options(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    /// Facts about its tables, with names that start with `tables.`: read once before the clients
    /// start, on a separate connection.
    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        Ok(BTreeMap::new())
    }
    /// Tables without our mark that this many clients would write to; none if they are unknown. `coming`: those that will be created
    /// and marked before they start.
    fn unmarked(&self, _clients: u32, _coming: &[String]) -> Result<Vec<String>, Problem> {
        Ok(Vec::new())
    }
    /// Tables without our mark that it may write to, of a workload of which it is not known beforehand what it writes.
    fn within_reach(&self) -> Result<Vec<String>, Problem> {
        Ok(Vec::new())
    }
    /// A table that it names and that is nowhere, if that is certain. `coming`: those that will be created before its clients start.
    fn absent(&self, _coming: &[String]) -> Result<Option<Problem>, Problem> {
        Ok(None)
    }
    /// A statement of it that changes the server itself and not rows (settings, accounts, schemas, files), if it is known to have one.
    fn beyond_rows(&self) -> Option<String> {
        None
    }
    /// Of statements of the user: the tables that they name in the schema of their connections, if it is certain that they change no more than rows of
    /// tables. Blocks the calling thread.
    fn named_tables(&self) -> Option<Vec<String>> {
        None
    }
    /// Whether it may send TRUNCATE, which to MySQL and MariaDB makes another table of one.
    fn truncates(&self) -> bool {
        false
    }
    /// Whether its clients pause between transactions ([`Client::pause`]): the engine then does the timing.
    fn paces(&self) -> bool {
        false
    }
    /// The number of connections that this many clients open.
    fn connections(&self, clients: u32) -> u32 {
        clients
    }
    /// The number of open files that these connections take.
    fn sockets(&self, clients: u32) -> u32 {
        if self.reach().sends_nothing { 0 } else { self.connections(clients) }
    }
    /// Memory mappings that each client takes beside those of its thread.
    fn mappings_per_client(&self) -> u32 {
        0
    }
    /// Statements each connection keeps prepared, for the check of `max_prepared_stmt_count` beforehand.
    fn prepared_per_connection(&self) -> u32;
    /// Statements that a client sends each time it connects, beside those that it prepares: the server counts them.
    fn session_statements(&self) -> u32 {
        0
    }
    /// The longest statement that it sends, bytes, for the check of `max_allowed_packet` beforehand; 0 if all are
    /// short, or their length is unknown.
    fn longest_statement(&self) -> u64 {
        0
    }
    /// How its clients reach what they are to load.
    fn reach(&self) -> TargetReach;
    /// Whether most clients wait for one another at any time, for locks or commits: their replies then come one at a time, and an event loop
    /// wakes for each.
    fn contends(&self) -> bool {
        false
    }
    /// The most threads of this process among which its part of this number of clients may be divided, because those of one thread share its connections,
    /// and none may be alone on a thread; `None`: any number.
    fn most_threads(&self, _clients: u32) -> Option<u32> {
        None
    }
    /// Called before anything is asked of its clients: this process drives part `number` (from 0) of `of` load hosts.
    fn drives_part(&self, _number: u32, _of: u32) {}
    /// Whether each of this number of load hosts could drive its part of these clients: not if none of those opens a connection that the others share.
    fn may_be_divided(&self, _clients: u32, _hosts: u32) -> bool {
        true
    }
    /// Interrupts clients that have not ended although the drive has; called from any thread.
    fn interrupt(&self) {}
    /// How many transactions a client should execute per call of [`Client::transaction`]: more than 1 if they
    /// take less time than the engine needs for a call. The engine permits them through [`TransactionContext::leave`].
    fn burst(&self) -> u32 {
        1
    }
    /// Clients with the same group are driven by the same load host, if there are several; groups are dealt out in turn.
    fn group(&self, number: u32, _of: u32) -> u32 {
        number
    }
    /// Creates client `number` (from 0) of `of`; `seed` is the trial's.
    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client>;
}

/// One concurrent user. Lives on one thread.
pub trait Client {
    /// Opens its connection, or reopens it after a loss, and prepares its statements.
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()>;
    /// Whether it has anything to do at all; called once, after it has connected.
    fn has_work(&self) -> bool {
        true
    }
    /// How long it pauses between the end of one transaction and the intended start of the next; also called before the
    /// first. Only called if [`Workload::paces`].
    fn pause(&mut self) -> Duration {
        Duration::ZERO
    }
    /// Whether [`Client::pause`] counts from the moment of its call, because the client has a schedule of its own, and not from the
    /// end of the last transaction.
    fn pauses_from_now(&self) -> bool {
        false
    }
    /// Executes one transaction; returns the index of its name. `context.attempt` above 0 means that the last attempt
    /// had a conflict (and [`Client::recover`] was called since).
    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize>;
    /// Resets the connection after an error that left it open (ROLLBACK).
    fn recover(&mut self) -> BoxFuture<'_, ()>;
    /// Sends what it has still to send and closes the connection in order. An error makes the trial a failure, unless nothing was to be
    /// sent over the connection any more.
    fn close(&mut self) -> BoxFuture<'_, ()>;
    /// The memory that its transactions use, beside its own, as far as it stays where it is: the engine has it fetched when the client is about
    /// to go on. Asked after it has connected, and again after its first transaction.
    fn memory(&self) -> Vec<MemoryRange> {
        Vec::new()
    }
    /// Transactions that were counted as completed, and whose rows are not written: before it is closed those that this will write,
    /// afterwards those that it could not.
    fn unwritten(&self) -> u64 {
        0
    }
    /// Whether closing it does more than to end its connection, so that one that is given up meanwhile is a failure.
    fn ends_with_work(&self) -> bool {
        self.unwritten() > 0
    }
    /// Moves statements that were sent outside of transactions and have to be counted into the records of `context`:
    /// called once after it has first connected, and once after it was closed (see `drain` of a load).
    fn aside(&mut self, context: &mut TransactionContext) {
        let _ = context;
    }
}

/// Records what happens within one transaction. Reused for the next one, so that it allocates nothing after the first.
#[derive(Debug, Default)]
pub struct TransactionContext {
    /// 0 for the first attempt of a transaction, 1 for its first retry, ….
    pub attempt: u32,
    /// Index of the transaction's name, set before the first statement by clients of workloads with several: a failed
    /// transaction is counted under it.
    pub transaction: usize,
    /// Statements of this attempt in order. The engine counts them after the transaction's end.
    pub records: Vec<StatementRecord>,
    /// The counters of this attempt: an index into [`Workload::counters`] and a number. The engine adds them when
    /// the transaction completes.
    pub counts: Vec<(u16, u64)>,
    /// Connections that this attempt reopened on purpose, not because of a loss.
    pub reconnects: u32,
    /// Why connects of this attempt failed, each time, whether or not another one succeeded.
    pub connect_errors: Vec<Error>,
    /// Set by a client that has no more to do after this call.
    pub last: bool,
    /// Set by a client that ends without completing this transaction, which is not counted and remains
    /// open.
    pub quit: bool,
    /// How often this transaction may be tried again after conflicts, if its workload says so itself; otherwise the load's policy does.
    pub retries: Option<u32>,
    /// How long this transaction waited for a client before this call, by a schedule of the workload's own ([`Workload::paces`]): the engine adds it
    /// to the wait.
    pub waited: Duration,
    /// How many transactions this call may execute: 1, or up to [`Workload::burst`] if only time ends the drive.
    pub leave: u32,
    /// Service times, in nanoseconds, of all transactions that this call executed, in order, if it executed more than
    /// one. They are counted when the call ends, so it should take well below a millisecond.
    pub burst: Vec<u64>,
}

/// One statement that was sent.
#[derive(Debug, Clone)]
pub struct StatementRecord {
    /// Index into [`Workload::statements`].
    pub statement: u16,
    /// Sent to last row (or to the error).
    pub service_ns: u64,
    /// Rows returned or changed.
    pub rows: u64,
    /// The error it ended with.
    pub error: Option<Error>,
    /// How its values were sent.
    pub values: ValueForm,
    /// How many statements its text had beyond the first.
    pub more: u32,
    /// A transaction was open after it, as far as the server says.
    pub open: bool,
}

/// How the values of a statement were sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ValueForm {
    /// It has none, or its workload does not say.
    #[default]
    Unknown,
    /// As parameters.
    Parameters,
    /// Written into its text.
    Text,
}

impl StatementRecord {
    /// Of one statement with this outcome, of which nothing is said of how its values were sent.
    #[inline]
    pub fn of_outcome(statement: u16, service_ns: u64, outcome: &Result<Reply, Error>) -> StatementRecord {
        match outcome {
            Ok(reply) => StatementRecord {
                open: reply.open,
                ..StatementRecord::of(statement, service_ns, reply.all_rows(), None)
            },
            Err(error) => StatementRecord::of(statement, service_ns, 0, Some(error.clone())),
        }
    }

    /// Of one statement, of which nothing is said of how its values were sent.
    pub fn of(statement: u16, service_ns: u64, rows: u64, error: Option<Error>) -> StatementRecord {
        StatementRecord { statement, service_ns, rows, error, values: ValueForm::Unknown, more: 0, open: false }
    }
}

impl TransactionContext {
    /// Counts something that happened in this attempt.
    #[inline]
    pub fn count(&mut self, counter: usize, n: u64) {
        if n > 0 {
            self.counts.push((counter as u16, n));
        }
    }

    /// Awaits one statement and records its time and outcome.
    #[inline]
    pub fn time<F: Future<Output = Result<Reply, Error>>>(&mut self, statement: usize, sent: F) -> Timed<'_, F> {
        Timed { context: self, statement: statement as u16, start: None, sent }
    }

    /// [`Self::time`] for a statement that was sent at `start`, before others were answered.
    #[inline]
    pub fn time_since<F: Future<Output = Result<Reply, Error>>>(
        &mut self,
        start: Instant,
        statement: usize,
        answer: F,
    ) -> Timed<'_, F> {
        Timed { context: self, statement: statement as u16, start: Some(start), sent: answer }
    }

    /// Says how the values of the statement that was recorded last were sent.
    #[inline]
    pub fn sent_as(&mut self, values: ValueForm) {
        if let Some(record) = self.records.last_mut() {
            record.values = values;
        }
    }

    /// Says how many statements the text that was recorded last had beyond the first.
    #[inline]
    pub fn sent_with(&mut self, more: u32) {
        if let Some(record) = self.records.last_mut() {
            record.more = more;
        }
    }

    fn record(&mut self, statement: u16, start: Instant, outcome: &Result<Reply, Error>) {
        let service_ns = start.elapsed().as_nanos() as u64;
        self.records.push(StatementRecord::of_outcome(statement, service_ns, outcome));
    }
}

pin_project! {
    /// A statement whose time and outcome are recorded. An `async fn` would hold the statement's future twice.
    pub struct Timed<'a, F> {
        context: &'a mut TransactionContext,
        statement: u16,
        // When it was sent; if it is not known beforehand, when it is first polled.
        start: Option<Instant>,
        #[pin]
        sent: F,
    }
}

impl<F: Future<Output = Result<Reply, Error>>> Future for Timed<'_, F> {
    type Output = Result<Reply, Error>;

    #[inline]
    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let this = self.project();
        let start = *this.start.get_or_insert_with(Instant::now);
        let outcome = ready!(this.sent.poll(cx));
        this.context.record(*this.statement, start, &outcome);
        Poll::Ready(outcome)
    }
}
