//! One client: its transactions one after the other, as pgbench's state machine executes them.
//!
//! A transaction is one call, with all its attempts: which errors are tried again, when, and with which random numbers is pgbench's decision, not the
//! engine's. An error that ends the client is its last transaction.

use crate::counts::{Outcome, TransactionEnd};
use crate::log::Logged;
use crate::shared::Shared;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Error, OpenTransaction, PostgresSession, Transport};
use tenbin_sql::language::{Generator, Machine};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_workload::{BoxFuture, Client, MemoryRange, TransactionContext};

pub(crate) struct PgbenchClient {
    pub(crate) shared: Arc<Shared>,
    pub(crate) id: u32,
    thread: usize,
    pub(crate) transport: Transport,
    pub(crate) session: Option<PostgresSession>,
    pub(crate) machine: Machine,
    /// The random numbers with which the transaction began.
    began: Generator,
    /// Statements of this connection that are prepared, by their number among all commands.
    pub(crate) prepared: Vec<bool>,
    pub(crate) pipelined: bool,
    /// How many statements are in the pipeline.
    pub(crate) queued: usize,
    /// A reused buffer for texts, and one for values.
    pub(crate) text: Vec<u8>,
    pub(crate) values: Vec<u8>,
    /// The script of the next transaction, once it is chosen.
    chosen: Option<usize>,
    /// Its intended start, microseconds.
    scheduled_us: i64,
    /// How long ago that was when the client became free: the engine begins to count only then.
    overdue: Duration,
    /// Transactions that ended, whatever became of them.
    ended: u64,
    /// What is said when the client ends because its script has left a transaction open.
    unfinished: Option<String>,
    /// It has nothing more to do.
    over: bool,
}

/// Why an attempt ended before its end.
pub(crate) enum Failure {
    /// The client ends; what was wrong has been reported.
    Abort(Error),
    /// The script has ended within a transaction: it counts as completed, and the client ends with these words.
    Unfinished(String),
    /// The transaction may be tried again.
    Transaction {
        outcome: Outcome,
        error: Error,
        /// The command.
        at: usize,
        /// What the server said.
        lines: String,
    },
}

impl PgbenchClient {
    pub fn new(shared: Arc<Shared>, id: u32) -> PgbenchClient {
        let seed = shared.seeds.clients.get(id as usize).copied().unwrap_or(0);
        PgbenchClient {
            thread: shared.thread_of(id),
            transport: Transport::Shared,
            session: None,
            began: Generator::new(seed),
            machine: Machine::new(shared.variables(id), Generator::new(seed)),
            prepared: vec![false; shared.first.last().copied().unwrap_or(0)],
            pipelined: false,
            queued: 0,
            text: Vec::new(),
            values: Vec::new(),
            chosen: None,
            scheduled_us: 0,
            overdue: Duration::ZERO,
            ended: 0,
            unfinished: None,
            over: false,
            shared,
            id,
        }
    }

    async fn open(&mut self) -> Result<(), Error> {
        let from = Instant::now();
        self.prepared.fill(false);
        (self.pipelined, self.queued) = (false, 0);
        let connection = self.shared.connector.connect(self.transport).await?;
        let wrong =
            || Error::new(Class::Protocol, msg!("pgbench-needs-postgresql", address = self.shared.connector.dsn()));
        self.session = Some(PostgresSession::of(connection).ok_or_else(wrong)?);
        self.shared.count(self.id).connecting_us += from.elapsed().as_micros() as u64;
        self.shared.connected(from);
        Ok(())
    }

    fn is_at_its_last(&self) -> bool {
        let most = self.shared.settings.transactions;
        most > 0 && self.ended >= most
    }

    /// The script of the next transaction.
    fn choose(&mut self) -> usize {
        let shared = &self.shared;
        *self.chosen.get_or_insert_with(|| match shared.scripts.len() {
            1 => 0,
            _ => shared.choice.next(&mut shared.thread(self.thread).choose),
        })
    }

    /// Counts and logs the end of a transaction.
    fn end(&mut self, script: usize, end: TransactionEnd, now_us: i64) {
        self.ended += 1;
        self.shared.ended(now_us);
        {
            let mut counts = self.shared.count(self.id);
            counts.all.add(&end);
            counts.scripts[script].add(&end);
            let late =
                self.shared.settings.latency_limit.is_some_and(|limit| end.latency_us > limit.as_micros() as i64);
            counts.late += u64::from(late && end.outcome == Outcome::Completed);
        }
        self.shared.log(self.thread, Logged { client: self.id, number: self.ended, script, at_us: now_us, end });
    }

    /// Takes the next intended start, and skips those that are too late already; how long it is away.
    fn schedule(&mut self) -> Duration {
        let limit_us = self.shared.settings.latency_limit.map(|limit| limit.as_micros() as i64);
        // Those that are late are found out by the time at which the client became free, as in pgbench.
        let free_us = self.shared.now_us();
        loop {
            self.scheduled_us = self.shared.next_start(self.thread);
            if limit_us.is_none_or(|limit_us| self.scheduled_us >= free_us - limit_us) {
                break;
            }
            let script = self.choose();
            let end = TransactionEnd { outcome: Outcome::Skipped, latency_us: 0, lag_us: 0, tries: 1 };
            self.end(script, end, self.shared.now_us());
            // With a rate at which starts have no time between them all are late.
            if self.shared.time_is_over() || self.shared.interrupted() || self.is_at_its_last() {
                self.over = true;
                return Duration::ZERO;
            }
        }
        // A start after the end of the run's time ends the client at once.
        self.over |= self.shared.settings.duration.is_some_and(|end| self.scheduled_us > end.as_micros() as i64);
        if self.over {
            return Duration::ZERO;
        }
        let away_us = self.scheduled_us - self.shared.now_us();
        self.overdue = Duration::from_micros((-away_us).max(0) as u64);
        Duration::from_micros(away_us.max(0) as u64)
    }

    async fn run(&mut self, context: &mut TransactionContext) -> Result<usize, Error> {
        if self.over {
            context.quit = true;
            return Ok(0);
        }
        let shared = Arc::clone(&self.shared);
        let script = self.choose();
        self.chosen = None;
        context.transaction = script;
        // With a connection for each transaction the first one's is in the time of the run too, as all others are.
        shared.now_us();
        if self.session.is_none()
            && let Err(error) = self.open().await
        {
            shared.output.error(&format!("client {} aborted while establishing connection", self.id));
            return self.abort(context, error);
        }
        if shared.settings.debug {
            let name = &shared.scripts[script].name;
            shared.output.tell(&format!("client {} executing script \"{name}\"", self.id));
        }
        let began_us = shared.now_us();
        let scheduled_us = if shared.settings.throttle_us > 0.0 { self.scheduled_us } else { began_us };
        let lag_us = began_us - scheduled_us;
        context.waited = self.overdue;
        let mut last = None;
        let attempted = self.attempts(script, scheduled_us, context, &mut last).await;
        let now_us = shared.now_us();
        let (outcome, tries) = match (attempted, last) {
            (Ok(Some(ended)), kept) => {
                last = kept;
                ended
            }
            (Ok(None), kept) => {
                (self.over, context.last) = (true, true);
                shared.ended(now_us);
                return kept.map_or(Ok(script), Err);
            }
            (Err(error), _) => return self.abort(context, error),
        };
        self.end(script, TransactionEnd { outcome, latency_us: now_us - scheduled_us, lag_us, tries }, now_us);
        if let Some(line) = self.unfinished.take() {
            shared.output.error(&line);
            return self.abort(context, PgbenchClient::own_error(&line));
        }
        if shared.settings.connect_each
            && let Some(session) = self.session.take()
        {
            session.close().await;
        }
        context.last = self.is_at_its_last();
        match last {
            None => Ok(script),
            Some(error) => Err(error),
        }
    }

    /// Tries a transaction until it succeeds or may not be tried again; `None` if it failed after the end of the run's time: pgbench does not count it.
    /// `last`: the error that it failed with.
    async fn attempts(
        &mut self,
        script: usize,
        scheduled_us: i64,
        context: &mut TransactionContext,
        last: &mut Option<Error>,
    ) -> Result<Option<(Outcome, u32)>, Error> {
        let shared = Arc::clone(&self.shared);
        let retries = shared.settings.max_tries != 1;
        if retries {
            self.began.clone_from(&self.machine.random);
        }
        let mut tries = 1;
        loop {
            self.machine.begin();
            let (outcome, error, at, lines) = match self.attempt(script, context).await {
                Ok(()) => return Ok(Some((Outcome::Completed, tries))),
                Err(Failure::Abort(error)) => return Err(error),
                Err(Failure::Unfinished(line)) => {
                    self.unfinished = Some(line);
                    return Ok(Some((Outcome::Completed, tries)));
                }
                Err(Failure::Transaction { outcome, error, at, lines }) => (outcome, error, at, lines),
            };
            if shared.settings.verbose_errors {
                let what = format!("client {} got an error in command {at} (SQL) of script {script}; {lines}", self.id);
                shared.output.tell(&what);
            }
            self.roll_back().await?;
            if shared.time_is_over() {
                *last = Some(error);
                return Ok(None);
            }
            let again = outcome != Outcome::Other && self.may_retry(tries, scheduled_us);
            {
                let mut counts = shared.count(self.id);
                let command = &mut counts.commands[script][at];
                command.retries += u64::from(again);
                command.failures += u64::from(!again);
            }
            if shared.settings.verbose_errors {
                self.tell_end(again, tries, scheduled_us);
            }
            if !again {
                *last = Some(error);
                return Ok(Some((outcome, tries)));
            }
            // Variables keep their values, as in pgbench.
            self.machine.random.clone_from(&self.began);
            tries += 1;
        }
    }

    fn may_retry(&self, tries: u32, scheduled_us: i64) -> bool {
        let settings = &self.shared.settings;
        let too_late = |limit: Duration| self.shared.now_us() - scheduled_us > limit.as_micros() as i64;
        (settings.max_tries == 0 || tries < settings.max_tries)
            && !settings.latency_limit.is_some_and(too_late)
            && !self.shared.interrupted()
    }

    fn tell_end(&self, again: bool, tries: u32, scheduled_us: i64) {
        let settings = &self.shared.settings;
        let what = if again { "repeats the transaction after the error" } else { "ends the failed transaction" };
        let of = if settings.max_tries > 0 { format!("/{}", settings.max_tries) } else { String::new() };
        let used = settings.latency_limit.map_or_else(String::new, |limit| {
            let share = (self.shared.now_us() - scheduled_us) as f64 / limit.as_micros() as f64 * 100.0;
            format!(", {share:.3}% of the maximum time of tries was used")
        });
        self.shared.output.tell(&format!("client {} {what} (try {tries}{of}{used})", self.id));
    }

    /// Ends a transaction that an error left open.
    async fn roll_back(&mut self) -> Result<(), Error> {
        let Some(session) = &mut self.session else { return Ok(()) };
        if session.transaction() == OpenTransaction::None {
            return Ok(());
        }
        session.query(b"ROLLBACK", None).await.map(|_| ()).map_err(|failed| {
            let what = "aborted: failed to send sql command for rolling back the failed transaction";
            self.shared.output.error(&format!("client {} {what}: {}", self.id, failed.lines));
            failed.error
        })
    }

    /// Ends the client.
    fn abort(&mut self, context: &mut TransactionContext, error: Error) -> Result<usize, Error> {
        (self.over, context.last) = (true, true);
        self.shared.ended(self.shared.now_us());
        self.shared.output.aborted(self.thread);
        Err(error)
    }

    /// The error with which a client ends that no server has reported.
    pub(crate) fn own_error(what: &str) -> Error {
        Error::new(Class::Sql, foreign(what))
    }
}

impl Client for PgbenchClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        self.transport = transport;
        Box::pin(async move { if self.shared.settings.connect_each { Ok(()) } else { self.open().await } })
    }

    fn pause(&mut self) -> Duration {
        if self.over || self.is_at_its_last() { Duration::ZERO } else { self.schedule() }
    }

    /// With `-R` it is the time until the next intended start, of a schedule that all clients of a thread share.
    fn pauses_from_now(&self) -> bool {
        true
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(self.run(context))
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        // Done already: rolling back is a part of the transaction here.
        Box::pin(async { Ok(()) })
    }

    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if let Some(session) = self.session.take() {
                session.close().await;
            }
            Ok(())
        })
    }

    fn memory(&self) -> Vec<MemoryRange> {
        vec![MemoryRange::of(&*self.prepared)]
    }
}
