//! What a workload and its clients are to the engine, and what is taken down of a transaction.

use crate::{Error, Reply, Transport};
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;
use tenbin_model::problem::Problem;
use tenbin_model::tally::StatementKind;
use tokio::time::Instant;

/// What a client's work returns: a future that stays on its thread.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, Error>> + 'a>>;

/// One kind of work, resolved and ready: knows its connector and options.
pub trait Workload: Send + Sync {
    /// The name people know it by.
    fn name(&self) -> &str;
    /// Names of its transactions; [`Client::transaction`] answers with an index into them.
    fn transactions(&self) -> Vec<String>;
    /// Names and kinds of its statements; [`TransactionContext::time`] takes an index into them. Where they are not known beforehand (a
    /// script's), those so far: more may come while clients work, behind these.
    fn statements(&self) -> Vec<(String, StatementKind)>;
    /// What one transaction sends, a line for each statement, for people who ask what the workload is; empty where only
    /// the names in [`Workload::statements`] are known.
    fn outline(&self) -> Vec<String> {
        Vec::new()
    }
    /// Names of what it counts beside its transactions; [`TransactionContext::count`] takes an index into them.
    fn counters(&self) -> Vec<String> {
        Vec::new()
    }
    /// Options that only it knows of, with their values: those that a script declares.
    fn options(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }
    /// What it finds in the tables it works on, by names that begin with `tables.`: looked at once before the clients
    /// start, on a connection of its own.
    fn tables(&self) -> Result<BTreeMap<String, String>, Problem> {
        Ok(BTreeMap::new())
    }
    /// Tables without our mark that so many clients would write to; none where it is not known.
    fn unmarked(&self, _clients: u32) -> Result<Vec<String>, Problem> {
        Ok(Vec::new())
    }
    /// Whether its clients rest between transactions ([`Client::pause`]): the engine then keeps their time.
    fn paces(&self) -> bool {
        false
    }
    /// How many connections so many clients open.
    fn connections(&self, clients: u32) -> u32 {
        clients
    }
    /// Statements each connection keeps prepared, for the check of `max_prepared_stmt_count` beforehand.
    fn prepared_per_connection(&self) -> u32;
    /// The longest statement that it sends, bytes, for the check of `max_allowed_packet` beforehand; 0 where all are short,
    /// or their length is not known.
    fn longest_statement(&self) -> u64 {
        0
    }
    /// Whether a client's calls block its thread; each then gets a worker to itself.
    fn blocks(&self) -> bool;
    /// Whether the database shares this machine's cores with us (the engine's choice of workers depends on it).
    fn local(&self) -> bool;
    /// Makes clients leave what they are about, because the drive has ended and they have not; from any thread.
    fn interrupt(&self) {}
    /// How many transactions a client would like to do in one call of [`Client::transaction`]: more than 1 where they
    /// last less than what the engine spends on each call. The engine grants them through [`TransactionContext::leave`].
    fn burst(&self) -> u32 {
        1
    }
    /// Makes client `number` (from 0) of `of`; `seed` is the trial's.
    fn client(&self, number: u32, of: u32, seed: u64) -> Box<dyn Client>;
}

/// One concurrent user. Lives on one thread.
pub trait Client {
    /// Opens its connection, or opens it again after a loss, and prepares what it needs.
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()>;
    /// Whether it has anything to do at all; asked once, after it has connected.
    fn has_work(&self) -> bool {
        true
    }
    /// How long it rests between the end of one transaction and the intended start of the next; also asked before the
    /// first. Asked of clients of workloads that pace ([`Workload::paces`]).
    fn pause(&mut self) -> Duration {
        Duration::ZERO
    }
    /// Does one transaction; answers with the index of its name. `context.attempt` above 0 means that the last one met a
    /// conflict (and [`Client::recover`] was called since).
    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize>;
    /// Brings the connection back to rest after an error that left it open (ROLLBACK).
    fn recover(&mut self) -> BoxFuture<'_, ()>;
    /// Says goodbye; errors no longer matter.
    fn close(&mut self) -> BoxFuture<'_, ()>;
    /// Moves what it has sent outside of transactions, and means to be counted, into the records of `context`: asked once after
    /// it has first connected, and once after it has said goodbye (see `drain` of a load).
    fn aside(&mut self, context: &mut TransactionContext) {
        let _ = context;
    }
}

/// Takes down what happens inside one transaction. Reused from one to the next, so it allocates nothing once warm.
#[derive(Debug, Default)]
pub struct TransactionContext {
    /// 0 for the first attempt of a transaction, 1 for its first retry, ….
    pub attempt: u32,
    /// Index of the transaction's name, set by clients of workloads with several before their first statement: a failed
    /// one is counted under it.
    pub transaction: usize,
    /// Statements of this attempt in order. The engine counts them after the transaction's end.
    pub records: Vec<StatementRecord>,
    /// What this attempt counted beside: an index into [`Workload::counters`] and how many. The engine adds them up when
    /// the transaction completes.
    pub counts: Vec<(u16, u64)>,
    /// Connections that this attempt opened anew because it is meant to, not for a loss.
    pub reconnects: u32,
    /// Set by a client that has no more to do after this call.
    pub last: bool,
    /// Set by a client that wants no other transaction; this one, in which it found that out, is not counted and stays
    /// open.
    pub quit: bool,
    /// How many transactions this call may do: 1, or up to [`Workload::burst`] where nothing but the time ends the drive.
    pub leave: u32,
    /// Service times, in nanoseconds, of all transactions that this call did, in order, when it did more than one. They
    /// are counted where the call ends, so it should last well below a millisecond.
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
}

impl TransactionContext {
    /// Counts something that happened in this attempt.
    #[inline]
    pub fn count(&mut self, counter: usize, n: u64) {
        if n > 0 {
            self.counts.push((counter as u16, n));
        }
    }

    /// Awaits one statement and takes down its time and outcome.
    #[inline]
    pub async fn time(
        &mut self,
        statement: usize,
        sent: impl Future<Output = Result<Reply, Error>>,
    ) -> Result<Reply, Error> {
        self.time_since(Instant::now(), statement, sent).await
    }

    /// [`Self::time`] of a statement that was sent at `start`, before others were answered.
    #[inline]
    pub async fn time_since(
        &mut self,
        start: Instant,
        statement: usize,
        answer: impl Future<Output = Result<Reply, Error>>,
    ) -> Result<Reply, Error> {
        let outcome = answer.await;
        let service_ns = start.elapsed().as_nanos() as u64;
        let (rows, error) = match &outcome {
            Ok(reply) => (reply.rows + reply.affected, None),
            Err(error) => (0, Some(error.clone())),
        };
        self.records.push(StatementRecord { statement: statement as u16, service_ns, rows, error });
        outcome
    }
}
