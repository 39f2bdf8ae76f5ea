//! One client: goes through the list (or draws), sends each statement and reads to its last row. A transaction is a
//! statement of the list, with the COMMIT or the reconnect that is due with it.

use super::echo;
use super::file::Reader;
use super::settings::{COMMIT, CONNECT, QueryList, Quota, SlapSettings, unreadable};
use super::texts::{SHOWN_KEY, fixed};
use std::sync::Arc;
use std::time::Duration;
use tenbin_driver::{Class, Connection, Error, Reply, Transport};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::{BoxFuture, Client, Random, StatementRecord, TransactionContext};
use tokio::time::Instant;

/// How often mysqlslap tries to connect, and how long it waits in between: a server that just closed the connections of
/// the last trial may still count them.
const TRIES: u32 = 10;
const PAUSE: Duration = Duration::from_millis(100);

pub struct SlapClient {
    plan: Arc<SlapSettings>,
    random: Random,
    transport: Transport,
    connection: Option<Connection>,
    /// Whether statements of it were sent since its last COMMIT.
    uncommitted: bool,
    /// Statements to send; `None`: without limit.
    share: Option<u64>,
    sent: u64,
    /// Position in the list.
    at: usize,
    /// The statement to send and the index of its name, built before its attempts.
    text: Vec<u8>,
    name: usize,
    drawn: String,
    /// If the list is a file: the rest of it, and the statement read ahead, so that the last one is recognised.
    file: Option<Reader>,
    ahead: Option<Vec<u8>>,
    /// Times of connects before a transaction, which are recorded with it.
    connects_ns: Vec<u64>,
}

impl SlapClient {
    pub fn new(plan: Arc<SlapSettings>, number: u32, of: u32, seed: u64) -> SlapClient {
        SlapClient {
            share: plan.share(number, of),
            random: Random::new(seed, u64::from(number)),
            plan,
            transport: Transport::Shared,
            connection: None,
            uncommitted: false,
            sent: 0,
            at: 0,
            text: Vec::with_capacity(512),
            name: 0,
            drawn: String::new(),
            file: None,
            ahead: None,
            connects_ns: Vec::new(),
        }
    }

    /// Opens a connection and executes its initial statements.
    async fn open(&mut self) -> Result<(), Error> {
        let start = Instant::now();
        let mut c = self.enter().await?;
        if self.sent == 0 {
            echo::line("connected!");
        }
        for sql in &self.plan.init {
            echo::statement(sql);
            c.query_bytes(sql).await?;
        }
        self.connects_ns.push(start.elapsed().as_nanos() as u64);
        (self.connection, self.uncommitted) = (Some(c), false);
        Ok(())
    }

    async fn enter(&self) -> Result<Connection, Error> {
        let mut tries = 1;
        loop {
            match self.plan.connector.connect(self.transport).await {
                Err(error) if error.class() == Class::Limit && tries < TRIES => {
                    self.plan.connector.close_idle();
                    tokio::time::sleep(PAUSE).await;
                }
                outcome => return outcome,
            }
            tries += 1;
        }
    }

    /// Reads a statement ahead; continues at the start of the file after its end, unless it runs once.
    fn read_ahead(&mut self) -> Result<(), Error> {
        let Some(file) = &mut self.file else { return Ok(()) };
        self.ahead = file.next().map_err(|e| unreadable(&e))?;
        if self.ahead.is_none() && self.plan.quota != Quota::Once {
            self.file = self.plan.open()?;
            self.ahead = match &mut self.file {
                Some(file) => file.next().map_err(|e| unreadable(&e))?,
                None => None,
            };
        }
        Ok(())
    }

    /// Writes the next statement to `text`.
    fn make(&mut self, keys: &[Box<[u8]>]) -> Result<(), Error> {
        self.text.clear();
        let plan = Arc::clone(&self.plan);
        match &plan.list {
            QueryList::Kept(list) => {
                let (text, name) = &list[self.at];
                self.name = *name;
                let key: &[u8] = match keys {
                    [] => &[],
                    keys if text.keyed => &keys[self.random.below(keys.len() as u64) as usize],
                    _ => &[],
                };
                text.write(key, &mut self.text);
                self.at = (self.at + 1) % list.len();
            }
            QueryList::File { .. } => {
                self.name = plan.names.len() - 1;
                self.text = self.ahead.take().ok_or_else(|| Error::new(Class::Sql, msg!("query-file-empty")))?;
                self.read_ahead()?;
            }
            QueryList::Drawn { kind, read_percent } => {
                let which = fixed::next(&plan.shape, *kind, *read_percent, &mut self.random, &mut self.drawn);
                self.name = COMMIT + 1 + which;
                self.text.extend_from_slice(self.drawn.as_bytes());
            }
        }
        self.sent += 1;
        Ok(())
    }

    /// Whether the last built statement is the client's last.
    fn is_last(&self) -> bool {
        let file_over = self.file.is_some() && self.ahead.is_none();
        self.share.is_some_and(|share| self.sent >= share) || file_over
    }

    async fn send(&mut self, context: &mut TransactionContext) -> Result<(), Error> {
        // Connections opened since the last transaction.
        for service_ns in self.connects_ns.drain(..) {
            context.records.push(StatementRecord::of(CONNECT as u16, service_ns, 0, None));
        }
        let due = |every: u64| every > 0 && self.sent > 1 && (self.sent - 1).is_multiple_of(every);
        if context.attempt == 0 && due(self.plan.detach) {
            if let Some(old) = self.connection.take() {
                // Uncommitted work would be lost.
                self.connection = Some(old);
                if self.plan.commit > 0 && self.uncommitted {
                    self.say(context, COMMIT, b"COMMIT").await?;
                }
                if let Some(old) = self.connection.take() {
                    old.close().await;
                }
            }
            let start = Instant::now();
            if let Err(error) = self.open().await {
                let service_ns = start.elapsed().as_nanos() as u64;
                let failure = Some(error.clone());
                context.records.push(StatementRecord::of(CONNECT as u16, service_ns, 0, failure));
                return Err(error);
            }
            for service_ns in self.connects_ns.drain(..) {
                context.records.push(StatementRecord::of(CONNECT as u16, service_ns, 0, None));
            }
        }
        let text = std::mem::take(&mut self.text);
        let outcome = self.say(context, self.name, &text).await;
        self.text = text;
        outcome?;
        if self.plan.commit > 0 && (context.last || self.sent.is_multiple_of(self.plan.commit)) {
            self.say(context, COMMIT, b"COMMIT").await?;
        }
        Ok(())
    }

    async fn say(&mut self, context: &mut TransactionContext, name: usize, sql: &[u8]) -> Result<(), Error> {
        let c = self.connection.as_mut().ok_or_else(closed)?;
        self.uncommitted = name != COMMIT;
        echo::statement(sql);
        let sent = context.time(name, c.query_bytes(sql)).await;
        sent.map(|_: Reply| ()).inspect_err(|error| echo::failed(sql, error))
    }
}

fn closed() -> Error {
    Error::new(Class::Lost, msg!("connection-is-closed"))
}

impl Client for SlapClient {
    fn connect(&mut self, transport: Transport) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            self.transport = transport;
            self.connection = None;
            self.open().await?;
            if self.sent == 0 {
                let plan = Arc::clone(&self.plan);
                if let Some(c) = &mut self.connection {
                    plan.keys(c).await?;
                }
                self.file = plan.open()?;
                self.read_ahead()?;
            }
            Ok(())
        })
    }

    fn has_work(&self) -> bool {
        self.share != Some(0) && (self.file.is_none() || self.ahead.is_some())
    }

    fn transaction<'a>(&'a mut self, context: &'a mut TransactionContext) -> BoxFuture<'a, usize> {
        Box::pin(async move {
            if context.attempt == 0 {
                let plan = Arc::clone(&self.plan);
                if let Err(error) = self.make(plan.known_keys()) {
                    context.last = true;
                    return Err(error);
                }
            }
            context.last = self.is_last();
            let outcome = self.send(context).await;
            context.last |= outcome.is_err() && self.plan.leave_on_error;
            outcome.map(|()| 0)
        })
    }

    fn recover(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if self.plan.commit == 0 {
                return Ok(());
            }
            let c = self.connection.as_mut().ok_or_else(closed)?;
            self.uncommitted = false;
            c.query("ROLLBACK").await.map(|_| ())
        })
    }

    /// Commits what is open if time has ended the trial, and closes.
    fn close(&mut self) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            let Some(mut c) = self.connection.take() else { return Ok(()) };
            let is_open = self.plan.commit > 0 && self.uncommitted;
            let committed = if is_open { c.query("COMMIT").await.map(|_| ()) } else { Ok(()) };
            c.close().await;
            committed
        })
    }
}

/// The statements of client `number`, with the key that mysqlslap shows.
pub fn print(plan: &SlapSettings, number: u32, of: u32, say: &mut dyn FnMut(&[u8])) -> Result<(), Problem> {
    let problem = |error: Error| error.problem(msg!("printing-statements"));
    // Without an end it is shown once.
    let once = match &plan.list {
        QueryList::Kept(list) => Some(list.len() as u64),
        _ => None,
    };
    let (share, mut sent, mut text) = (plan.share(number, of).or(once), 0, Vec::new());
    plan.init.iter().for_each(|sql| say(sql));
    let mut file = plan.open().map_err(problem)?;
    let mut at = 0;
    loop {
        if share.is_some_and(|share| sent >= share) {
            break;
        }
        text.clear();
        match &plan.list {
            QueryList::Kept(list) => {
                list[at].0.write(SHOWN_KEY.as_bytes(), &mut text);
                at = (at + 1) % list.len();
            }
            _ => {
                let Some(open) = &mut file else { break };
                match open.next().map_err(|e| problem(unreadable(&e)))? {
                    Some(next) => text = next,
                    None if share.is_none() || sent == 0 => break,
                    None => {
                        file = plan.open().map_err(problem)?;
                        continue;
                    }
                }
            }
        }
        say(&text);
        sent += 1;
        if plan.commit > 0 && sent % plan.commit == 0 {
            say(b"COMMIT");
        }
    }
    if plan.commit > 0 {
        say(b"COMMIT");
    }
    Ok(())
}
