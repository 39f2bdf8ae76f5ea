//! The heartbeat: one connection writes a row to the source, one to each replica reads it.
//!
//! All times are those of this machine's monotonic clock, so neither the clocks of the servers matter nor how they
//! replicate. Every [`BEAT`] a row in a schema of our own is updated and the time of the confirmation noted; every
//! [`LOOK`] each replica is asked for it. [`super::beats`] turns these times into bounds of the lag.

use super::applier::{self, Status};
use super::beats::Beats;
use super::gtid;
use crate::Subject;
use crate::session::{ANSWER, OwnConnections, silent};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Connector, Error, Table, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_servers::replica::{self, Account, DENIED};
use tenbin_servers::role;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::task::LocalSet;
use tokio::time::{sleep, timeout};

/// The time between two heartbeats.
pub(super) const BEAT: Duration = Duration::from_millis(200);
/// The time between two looks at a replica.
const LOOK: Duration = Duration::from_millis(100);
/// The time between two looks at what a replica is doing.
const LOOK_AT_APPLIER: Duration = Duration::from_millis(250);
/// The time between two questions to a server about its replication.
const ASK: Duration = Duration::from_secs(1);
/// The time before a server that could not be reached is tried again.
const AGAIN: Duration = Duration::from_secs(1);

/// Our schema, its only table, and the comment by which it is recognised.
const SCHEMA: &str = "tenbin_heartbeat";
const TABLE: &str = "tenbin_heartbeat.beat";
const MARK: &str = "heartbeat of Tenbin";
/// Rows that were not written for this many hours are left over from runs that were killed.
const LEFT_OVER_HOURS: u32 = 1;

/// Errors of MySQL and MariaDB: unknown schema, unknown table.
const NOT_THERE: [u32; 2] = [1049, 1146];
/// No access to a schema, to a table.
const NO_ACCESS: [u32; 2] = [1044, 1142];

/// A running heartbeat; it stops, and its row is removed, when this is dropped.
pub(super) struct Heart {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// What is known so far.
#[derive(Debug, Default)]
pub(super) struct Known {
    pub beats: Beats,
    /// The replicas, in the order of the subject.
    pub replicas: Vec<ReplicaState>,
    /// What is to be reported.
    pub troubles: Vec<Problem>,
    /// The position of the source.
    position: Option<String>,
}

/// What is known of a replica.
#[derive(Debug, Default)]
pub(super) struct ReplicaState {
    /// The heartbeat it showed last; 0: none yet.
    pub seen: u64,
    /// When it was asked and when it answered, nanoseconds since the origin; 0: never.
    pub asked_ns: u64,
    pub answered_ns: u64,
    /// When it showed another heartbeat than before.
    pub changed_ns: u64,
    /// What it says of itself; `None` if that is not known, `Some(None)` if it says that it is no replica.
    pub account: Option<Option<Account>>,
    /// Since when it says that one of its threads does not run, nanoseconds since the origin; `None` if they run.
    pub stopped_ns: Option<u64>,
    /// How many transactions of the source it has not applied.
    pub missing: Option<u64>,
    /// How often it was looked at since the last sample while it applied something, and how often what applies was in a
    /// commit then.
    pub applying: (u32, u32),
    /// What it says of its work.
    pub status: Status,
}

struct Shared {
    origin: Instant,
    quiet: Arc<AtomicBool>,
    own: OwnConnections,
    ended: AtomicBool,
    /// The identifier of our row: other runs may have theirs.
    row: u64,
    known: Mutex<Known>,
}

impl Heart {
    /// Starts it on a thread of its own.
    pub fn start(subject: &Subject) -> Result<Heart, Problem> {
        let replicas = subject.replicas.iter().map(|_| ReplicaState::default()).collect();
        let shared = Arc::new(Shared {
            origin: subject.origin,
            quiet: subject.quiet.clone(),
            own: subject.own.clone(),
            ended: AtomicBool::new(false),
            row: RandomState::new().build_hasher().finish() >> 1,
            known: Mutex::new(Known { replicas, ..Known::default() }),
        });
        let (here, subject) = (shared.clone(), subject.clone());
        let runtime = event_loop()?;
        let work = move || {
            let all = LocalSet::new();
            for (at, replica) in subject.replicas.into_iter().enumerate() {
                all.spawn_local(look(replica.name, replica.connector, at, here.clone()));
            }
            all.spawn_local(beat(subject.connector, here));
            runtime.block_on(all);
        };
        let thread = std::thread::Builder::new().name("heartbeat".into()).spawn(work);
        let failed = |e| Problem::new(msg!("observer-not-started", observer = "replica")).evidence(foreign(e));
        Ok(Heart { shared, thread: Some(thread.map_err(failed)?) })
    }

    /// What is known so far.
    pub fn known(&self) -> MutexGuard<'_, Known> {
        self.shared.known()
    }

    /// Now, nanoseconds since the origin.
    pub fn now_ns(&self) -> u64 {
        self.shared.now_ns()
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        // Each statement has a time limit.
        self.thread.take().map(JoinHandle::join);
    }
}

impl Shared {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now_ns(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }

    fn ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// The reply to a statement; a problem if it is an error, or does not come in time.
async fn limited<T>(doing: Message, reply: impl Future<Output = Result<T, Error>>) -> Result<T, Problem> {
    match timeout(ANSWER, reply).await {
        Ok(reply) => reply.map_err(|e| e.problem(doing)),
        Err(_) => Err(silent()),
    }
}

/// Writes heartbeats until the end; a failure is reported once, until it works again.
async fn beat(connector: Connector, shared: Arc<Shared>) {
    let mut is_reported = false;
    while !shared.ended() {
        if let Err(problem) = beat_while_possible(&connector, &shared, &mut is_reported).await {
            if !std::mem::replace(&mut is_reported, true) {
                shared.known().troubles.push(problem);
            }
            sleep(AGAIN).await;
        }
    }
}

async fn beat_while_possible(connector: &Connector, shared: &Shared, is_reported: &mut bool) -> Result<(), Problem> {
    let connecting = connector.connect_ready();
    let mut c = limited(msg!("connecting-to-observe-server"), connecting).await?;
    let _among_own = shared.own.with(&c);
    limited(msg!("writing-heartbeat"), async { Ok(prepare(connector, &mut c, shared).await) }).await??;
    *is_reported = false;
    let (mut next, mut position_at) = (Instant::now(), None::<Instant>);
    while !shared.ended() {
        // Others' activity on the server is being looked for.
        if !shared.quiet.load(Ordering::SeqCst) {
            let number = shared.known().beats.sent(shared.now_ns());
            let update = format!("UPDATE {TABLE} SET seq = {number} WHERE id = {}", shared.row);
            limited(msg!("writing-heartbeat"), c.query(&update)).await?;
            shared.known().beats.confirmed(number, shared.now_ns());
            if position_at.is_none_or(|at| at.elapsed() >= ASK) {
                let position = timeout(ANSWER, replica::position(&mut c, true)).await;
                shared.known().position = position.ok().and_then(Result::ok);
                position_at = Some(Instant::now());
            }
        }
        next = (next + BEAT).max(Instant::now());
        sleep(next.saturating_duration_since(Instant::now())).await;
    }
    let _left_over = timeout(ANSWER, clean_up(&mut c, shared)).await;
    c.close().await;
    Ok(())
}

/// Creates our schema and our row. A schema of this name with other tables is left alone.
async fn prepare(connector: &Connector, c: &mut Connection, shared: &Shared) -> Result<(), Problem> {
    let failed = |e: Error| {
        let refused = e.number().is_some_and(|number| NO_ACCESS.contains(&number));
        let problem = e.problem(msg!("writing-heartbeat"));
        let user = &connector.dsn().user;
        if refused { problem.hint(msg!("grant-heartbeat", schema = SCHEMA, user)) } else { problem }
    };
    let role = role::of(Scheme::Mysql, c).await.map_err(failed)?;
    if role.not_to_be_written() {
        let problem = Problem::new(msg!("heartbeat-not-on-replica"));
        return Err(role.words().map_or(problem.clone(), |words| problem.evidence(words)));
    }
    let tables = tables(c).await.map_err(failed)?;
    if let Some(name) = tables.iter().find(|(name, comment)| name != "beat" || comment != MARK).map(|(name, _)| name) {
        let problem = Problem::new(msg!("heartbeat-schema-of-others", schema = SCHEMA));
        return Err(problem
            .evidence(msg!("table-of-others", table = name))
            .hint(msg!("rename-schema", schema = SCHEMA)));
    }
    if tables.is_empty() {
        c.query(&format!("CREATE DATABASE IF NOT EXISTS {SCHEMA}")).await.map_err(failed)?;
        let create = format!(
            "CREATE TABLE IF NOT EXISTS {TABLE} (id BIGINT UNSIGNED NOT NULL PRIMARY KEY, seq BIGINT UNSIGNED NOT NULL, \
             written TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP) \
             ENGINE=InnoDB COMMENT='{MARK}'"
        );
        c.query(&create).await.map_err(failed)?;
    }
    let old = format!("DELETE FROM {TABLE} WHERE written < NOW() - INTERVAL {LEFT_OVER_HOURS} HOUR");
    c.query(&old).await.map_err(failed)?;
    let number = shared.known().beats.sent(shared.now_ns());
    let insert = format!(
        "INSERT INTO {TABLE} (id, seq) VALUES ({}, {number}) ON DUPLICATE KEY UPDATE seq = {number}",
        shared.row
    );
    c.query(&insert).await.map_err(failed)?;
    shared.known().beats.confirmed(number, shared.now_ns());
    Ok(())
}

/// Our schema's tables and their comments.
async fn tables(c: &mut Connection) -> Result<Vec<(String, String)>, Error> {
    let sql =
        format!("SELECT TABLE_NAME, TABLE_COMMENT FROM information_schema.TABLES WHERE TABLE_SCHEMA = '{SCHEMA}'");
    let rows = c.table(&sql).await?.rows.into_iter().map(|row| {
        let mut fields = row.into_iter().map(Option::unwrap_or_default);
        (fields.next().unwrap_or_default(), fields.next().unwrap_or_default())
    });
    Ok(rows.collect())
}

/// Whether somebody has put routines, events or triggers into our schema.
async fn has_objects(c: &mut Connection) -> Result<bool, Error> {
    let counts = [("ROUTINES", "ROUTINE_SCHEMA"), ("EVENTS", "EVENT_SCHEMA"), ("TRIGGERS", "TRIGGER_SCHEMA")];
    let counts = counts.map(|(table, column)| {
        format!("(SELECT COUNT(*) FROM information_schema.{table} WHERE {column} = '{SCHEMA}')")
    });
    Ok(c.table(&format!("SELECT {}", counts.join(" + "))).await?.scalar() != Some("0"))
}

/// Removes our row, and the schema if no other run has a row.
async fn clean_up(c: &mut Connection, shared: &Shared) -> Result<(), Error> {
    c.query(&format!("DELETE FROM {TABLE} WHERE id = {}", shared.row)).await?;
    let rest = c.table(&format!("SELECT COUNT(*) FROM {TABLE}")).await?;
    let is_alone = tables(c).await? == [("beat".to_owned(), MARK.to_owned())] && !has_objects(c).await?;
    if rest.scalar() == Some("0") && is_alone {
        c.query(&format!("DROP DATABASE {SCHEMA}")).await?;
    }
    Ok(())
}

/// Looks at a replica until the end; a failure is reported once, until it works again.
async fn look(name: String, connector: Connector, at: usize, shared: Arc<Shared>) {
    let (mut is_reported, mut denied) = (false, false);
    while !shared.ended() {
        if let Err(problem) = look_while_possible(&connector, at, &shared, &mut is_reported, &mut denied).await {
            if !std::mem::replace(&mut is_reported, true) {
                let what = msg!("replica-cannot-be-read", replica = name);
                let problem = Problem { evidence: Some(problem.what), hint: problem.hint, ..Problem::new(what) };
                shared.known().troubles.push(problem);
            }
            {
                let state = &mut shared.known().replicas[at];
                (state.missing, state.status) = (None, Status::default());
            }
            sleep(AGAIN).await;
        }
    }
}

async fn look_while_possible(
    connector: &Connector,
    at: usize,
    shared: &Shared,
    is_reported: &mut bool,
    denied: &mut bool,
) -> Result<(), Problem> {
    let connecting = connector.connect_ready();
    let mut c = limited(msg!("connecting-to", dsn = connector.dsn()), connecting).await?;
    let sql = format!("SELECT seq FROM {TABLE} WHERE id = {}", shared.row);
    let (mut next, mut looked, mut status_at) = (Instant::now(), None::<Instant>, None::<Instant>);
    while !shared.ended() {
        let asked_ns = shared.now_ns();
        let reply = limited(msg!("reading-heartbeat"), async { Ok(c.table(&sql).await) }).await?;
        let answered_ns = shared.now_ns();
        let sequence = seen(connector, reply)?;
        {
            let mut known = shared.known();
            let state = &mut known.replicas[at];
            if state.seen != sequence {
                state.changed_ns = answered_ns;
            }
            (state.seen, state.asked_ns, state.answered_ns) = (sequence, asked_ns, answered_ns);
        }
        *is_reported = false;
        if looked.is_none_or(|at| at.elapsed() >= LOOK_AT_APPLIER) {
            looked = Some(Instant::now());
            let applying = async { Ok(applier::is_in_commit(&mut c).await) };
            if let Some(in_commit) = limited(msg!("asking-for-replication"), applying).await? {
                let state = &mut shared.known().replicas[at];
                state.applying = (state.applying.0 + 1, state.applying.1 + u32::from(in_commit));
            }
        }
        if status_at.is_none_or(|at| at.elapsed() >= ASK) {
            status_at = Some(Instant::now());
            let status = async { Ok(applier::status(&mut c).await) };
            let status = limited(msg!("asking-for-replication"), status).await?;
            shared.known().replicas[at].status = status;
            let of_itself = limited(msg!("asking-for-replication"), async { Ok(replica::ask(&mut c).await) }).await?;
            let position = timeout(ANSWER, replica::position(&mut c, false)).await.ok().and_then(Result::ok);
            let mut known = shared.known();
            let missing = known.position.as_ref().zip(position.as_ref()).and_then(|(s, r)| gtid::missing(s, r));
            if let Err(e) = &of_itself
                && !std::mem::replace(denied, true)
            {
                known.troubles.push(unseen(connector, &c, e));
            }
            let state = &mut known.replicas[at];
            (state.missing, state.account) = (missing, of_itself.ok());
            let stopped = state.account.as_ref().and_then(Option::as_ref).is_some_and(|account| !account.runs);
            state.stopped_ns = stopped.then(|| state.stopped_ns.unwrap_or(answered_ns));
        }
        next = (next + LOOK).max(Instant::now());
        sleep(next.saturating_duration_since(Instant::now())).await;
    }
    c.close().await;
    Ok(())
}

/// The heartbeat in a reply; 0 if the row is not there yet.
fn seen(connector: &Connector, reply: Result<Table, Error>) -> Result<u64, Problem> {
    match reply {
        Ok(table) => Ok(table.scalar().and_then(|seq| seq.parse().ok()).unwrap_or(0)),
        Err(e) if e.number().is_some_and(|number| NOT_THERE.contains(&number)) => Ok(0),
        Err(e) => {
            let refused = e.number().is_some_and(|number| NO_ACCESS.contains(&number));
            let problem = e.problem(msg!("reading-heartbeat"));
            let user = &connector.dsn().user;
            Err(if refused { problem.hint(msg!("grant-heartbeat-read", schema = SCHEMA, user)) } else { problem })
        }
    }
}

/// The problem of an account that may not see whether a server replicates.
fn unseen(connector: &Connector, c: &Connection, error: &Error) -> Problem {
    let problem = error.problem(msg!("asking-for-replication"));
    if error.number() != Some(DENIED) {
        return problem;
    }
    let privilege = if c.server_version().contains("MariaDB") { "SLAVE MONITOR" } else { "REPLICATION CLIENT" };
    problem.hint(msg!("grant-privilege", privilege, account = format_args!("'{}'@'…'", connector.dsn().user)))
}
