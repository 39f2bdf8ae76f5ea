//! Opens connections to one database.

use crate::addresses;
use crate::credentials;
use crate::idle::{Idle, IdleConnections};
use crate::null::NullConnection;
use crate::postgres::Use;
use crate::sqlite::SqliteConnection;
use crate::{Class, Connection, Error, event_loop, mysql, postgres};
use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tenbin_client::{TargetReach, Transport};
use tenbin_model::dsn::{Dsn, FOUND_ROWS, PASSWORD_FILE, READ_ONLY, Scheme};
use tenbin_model::server_kind::ServerKind;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tokio::runtime::Runtime;

/// Why waiting for a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Abandoned {
    /// It took too long.
    Slow,
    /// A stop was requested.
    Stopped,
}

/// One database and the account to use. Cheap to clone; may go to any thread. If its address is a list, it connects to the first of
/// it, unless it is one [`Connector::for_clients`].
#[derive(Debug, Clone)]
pub struct Connector {
    inner: Arc<ConnectorInner>,
    stop: Option<StopSignal>,
    rotation: Option<Rotation>,
    /// `None`: the connection of each piece of work outside of a drive is closed after it.
    idle: Option<IdleConnections>,
}

/// How many connections of a load were opened: their addresses are taken in turn.
type Rotation = Arc<AtomicUsize>;

/// Limits that a server of MySQL or MariaDB may give its sessions by its global variables, and with which its own questions would be answered in
/// part, or not at all: a plan sets them, and what it has set could not be put back. MariaDB executes the first comment, and MySQL the other.
const NO_LIMITS: [&str; 2] = [
    "SET sql_big_selects=1, sql_select_limit=18446744073709551615, sql_safe_updates=0, wait_timeout=2147483 \
     /*M!100101 , max_statement_time=0 */ /*!50708 , max_execution_time=0 */",
    // Of MySQL 5.6 and MariaDB 10.0.
    "SET SESSION TRANSACTION READ WRITE",
];

/// The same for the time limits of sessions of PostgreSQL, as far as its version has them and they are set; `statement_timeout` is a parameter of the
/// login. They would end a session between two questions of an observer, or before those at the end of a trial.
const NO_TIME_LIMITS: &str = "SELECT set_config(name, '0', false) FROM pg_settings WHERE setting <> '0' AND name IN \
    ('idle_session_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')";

/// Lifts the limits of a session; a server that does not know them has none.
async fn make_independent(connection: &mut Connection) -> Result<(), Error> {
    for statement in NO_LIMITS {
        match connection.query(statement).await {
            Err(e) if e.class() == Class::Lost => return Err(e),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

/// How often a stop request is checked while waiting for a server.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Debug)]
struct ConnectorInner {
    dsn: Dsn,
    /// The addresses to connect to: the address itself, or those of its list.
    each: Vec<Dsn>,
    way: DriverOptions,
    /// Whether a database file that is not there is created.
    creates: bool,
}

/// How to log in to the database.
#[derive(Debug)]
enum DriverOptions {
    Mysql(mysql::ConnectOptions),
    Postgres(postgres::ConnectOptions),
    /// No login is needed.
    Here,
}

impl Connector {
    /// Checks the address's options, and completes it ([`credentials::complete`]): the files of TLS and of the password are
    /// read here, once. `password` takes precedence over one in the address, and that over one in a file.
    pub fn new(dsn: Dsn, password: Option<String>) -> Result<Connector, Problem> {
        let inner = Arc::new(ConnectorInner::new(dsn, password)?);
        Ok(Connector { inner, stop: None, rotation: None, idle: None })
    }
}

impl ConnectorInner {
    fn new(mut dsn: Dsn, password: Option<String>) -> Result<ConnectorInner, Problem> {
        if password.is_some() {
            dsn.password = password;
        }
        if dsn.password.is_none()
            && let Some(path) = dsn.options.get(PASSWORD_FILE)
        {
            let text = tenbin_intake::named_text(Path::new(path), tenbin_intake::SMALL).map_err(|e| {
                Problem::new(msg!("password-file-of-address-unreadable")).evidence(foreign(format!("{path}: {e}")))
            })?;
            dsn.password = Some(text.trim_end_matches(['\n', '\r']).to_owned());
        }
        let dsn = credentials::complete(dsn)?;
        dsn.password.iter().for_each(|password| credentials::known::note(password));
        let way = match dsn.scheme {
            Scheme::Mysql => DriverOptions::Mysql(mysql::ConnectOptions::new(&dsn)?),
            Scheme::Postgres => DriverOptions::Postgres(postgres::ConnectOptions::new(&dsn)?),
            Scheme::Sqlite | Scheme::Null | Scheme::Host => DriverOptions::Here,
        };
        let each = addresses::each(&dsn)?;
        Ok(ConnectorInner { dsn, each, way, creates: true })
    }
}

impl Connector {
    /// A connector that is never used, for objects that are created for inspection only.
    pub fn nowhere(scheme: Scheme) -> Result<Connector, Problem> {
        Connector::new(Dsn { host: "localhost".to_owned(), ..Dsn::empty(scheme) }, None)
    }

    /// The same server, account and stop, with another database.
    pub fn at_database(&self, name: &str) -> Result<Connector, Problem> {
        self.changed(Dsn { database: name.to_owned(), ..self.inner.dsn.clone() })
    }

    /// The same server, account and stop, for the clients of a load: the first connection goes to the first address of a list, each
    /// further one to the next. What prepares, inspects and observes stays at the first, and does not take a client's turn.
    pub fn for_clients(&self) -> Connector {
        Connector { rotation: Some(Rotation::default()), ..self.clone() }
    }

    /// The same server, account and stop, with sessions in which the server refuses what changes rows. Behind a pool that does
    /// not pass settings on to PostgreSQL the sessions are as they were.
    pub fn reading_only(&self) -> Result<Connector, Problem> {
        match self.inner.dsn.scheme {
            Scheme::Mysql | Scheme::Postgres => self.with(READ_ONLY),
            Scheme::Sqlite => self.with("query_only"),
            Scheme::Null | Scheme::Host => Ok(self.clone()),
        }
    }

    /// The same server, account and stop, with connections on which an UPDATE reports the rows that it finds, as the other databases do
    /// always: MySQL reports those that it changes otherwise. Unless the address says which.
    pub fn finding_rows(&self) -> Result<Connector, Problem> {
        match self.inner.dsn.scheme {
            Scheme::Mysql if !self.inner.dsn.options.contains_key(FOUND_ROWS) => self.with(FOUND_ROWS),
            _ => Ok(self.clone()),
        }
    }

    fn with(&self, option: &str) -> Result<Connector, Problem> {
        let mut dsn = self.inner.dsn.clone();
        dsn.options.insert(option.to_owned(), "on".to_owned());
        self.changed(dsn)
    }

    /// The same, account and stop, for what only looks: a database file that is not there is an error, and not created.
    pub fn existing(&self) -> Result<Connector, Problem> {
        let inner = ConnectorInner { creates: false, ..ConnectorInner::new(self.inner.dsn.clone(), None)? };
        Ok(Connector { inner: Arc::new(inner), ..self.clone() })
    }

    fn changed(&self, dsn: Dsn) -> Result<Connector, Problem> {
        let inner = ConnectorInner { creates: self.inner.creates, ..ConnectorInner::new(dsn, None)? };
        Ok(Connector { inner: Arc::new(inner), ..self.clone() })
    }

    /// The statements that opening a connection sends after the login.
    pub fn session_statements(&self) -> u32 {
        match &self.inner.way {
            DriverOptions::Mysql(way) => u32::from(way.is_read_only()),
            DriverOptions::Postgres(_) | DriverOptions::Here => 0,
        }
    }

    /// The same connector, for work that is abandoned if `stop` is requested and the server does not answer
    /// ([`Self::abandoned`]).
    pub fn until(&self, stop: &StopSignal) -> Connector {
        Connector { stop: Some(stop.clone()), ..self.clone() }
    }

    /// The same connector, for work that must be done after a stop was requested too.
    pub fn despite_stop(&self) -> Connector {
        Connector { stop: None, ..self.clone() }
    }

    /// Completes `grace` after a stop was requested; never, without [`Self::until`]. Code that waits for a server
    /// outside of a drive also waits for this.
    pub async fn abandoned(&self, grace: Duration) {
        let Some(stop) = &self.stop else { return std::future::pending().await };
        while !stop.asked() {
            tokio::time::sleep(LOOK).await;
        }
        tokio::time::sleep(grace).await;
    }

    /// The result of `work` on a server, unless it takes longer than `patience` or a stop is requested meanwhile
    /// ([`Self::until`]).
    pub async fn within<T>(&self, patience: Duration, work: impl Future<Output = T>) -> Result<T, Abandoned> {
        tokio::select! {
            outcome = tokio::time::timeout(patience, work) => outcome.map_err(|_| Abandoned::Slow),
            () = self.abandoned(Duration::ZERO) => Err(Abandoned::Stopped),
        }
    }

    /// How long a login may take; the first reply may take three times as long. `None` if there is no server.
    pub fn patience(&self) -> Option<Duration> {
        match &self.inner.way {
            DriverOptions::Mysql(way) => Some(way.patience()),
            DriverOptions::Postgres(way) => Some(way.patience()),
            DriverOptions::Here => None,
        }
    }

    /// The address. Its `Display` leaves the password out.
    pub fn dsn(&self) -> &Dsn {
        &self.inner.dsn
    }

    /// How clients reach it.
    pub fn reach(&self) -> TargetReach {
        let ServerKind { is_embedded, sends_nothing, .. } = *self.inner.dsn.scheme.kind();
        // SQLite and the machine itself have no threads of their own; the null driver stands for a server.
        TargetReach { blocks: is_embedded, shares_cores: !is_embedded && self.inner.dsn.is_local(), sends_nothing }
    }

    /// Opens a connection and authenticates.
    pub async fn connect(&self, transport: Transport) -> Result<Connection, Error> {
        self.connect_for(transport, Use::Load).await
    }

    async fn connect_for(&self, transport: Transport, of: Use) -> Result<Connection, Error> {
        let dsn = match of {
            Use::Load => self.turn(),
            Use::Own | Use::Settings => self.first(),
        };
        let opened = match (&self.inner.way, dsn.scheme) {
            (DriverOptions::Mysql(way), _) => way.open(dsn, transport).await.map(|c| Connection::Mysql(Box::new(c))),
            (DriverOptions::Postgres(way), _) => {
                way.open(dsn, transport, of).await.map(|c| Connection::Postgres(Box::new(c)))
            }
            (DriverOptions::Here, Scheme::Sqlite) => {
                SqliteConnection::open(dsn, self.inner.creates).map(|c| Connection::Sqlite(Box::new(c)))
            }
            _ => Ok(Connection::Null(NullConnection::new(null_delay(dsn)))),
        };
        opened.map_err(|error| self.at_one(dsn, error))
    }

    /// The error with the address that it is about, if there are several.
    fn at_one(&self, dsn: &Dsn, error: Error) -> Error {
        if self.inner.each.len() == 1 {
            return error;
        }
        let address = match (dsn.options.get("socket"), dsn.port) {
            (Some(path), _) => path.clone(),
            (None, Some(port)) => format!("{}:{port}", dsn.host),
            (None, None) => dsn.host.clone(),
        };
        error.at(msg!("address-of-list", address))
    }

    /// Opens a connection for work outside of a drive, and executes a statement on it. No time limit that PostgreSQL gives its sessions holds on it, and
    /// no limit that MySQL or MariaDB gives its own. A server that accepts the login and then does not answer is given up here, because the work that
    /// follows may take hours and cannot have a time limit.
    pub async fn connect_ready(&self) -> Result<Connection, Error> {
        // Not one that blocks the thread: it could not be abandoned.
        let mut connection = self.connect_for(Transport::Shared, Use::Own).await?;
        let first = match &self.inner.way {
            // A server may have it off, and this work is meant to be committed.
            DriverOptions::Mysql(_) => Some("SET autocommit=1"),
            // In a pool the limits would be lifted for others too.
            DriverOptions::Postgres(way) if way.is_pooled() => Some("SELECT 1"),
            DriverOptions::Postgres(_) => Some(NO_TIME_LIMITS),
            DriverOptions::Here => None,
        };
        if let (Some(first), Some(patience)) = (first, self.patience()) {
            let patience = 3 * patience;
            tokio::time::timeout(patience, connection.query(first)).await.unwrap_or_else(|_| {
                let text = msg!("server-silent-after-login", patience = patience.as_secs_f64(), first);
                let error = Error::new(Class::Refused, text);
                Err(error.hint(msg!("look-into-error-log-and-disk")))
            })?;
        }
        if self.dsn().scheme.kind().has_mysql_status {
            make_independent(&mut connection).await?;
        }
        Ok(connection)
    }

    /// The same connector, which keeps the connections to MySQL and MariaDB of work outside of a drive from one piece of work ([`Self::check_out`]) to
    /// the next, until the last clone of it is dropped.
    pub fn keeping_connections(&self) -> Connector {
        Connector { idle: Some(IdleConnections::default()), ..self.clone() }
    }

    /// The same connector, for work that leaves its session in another state: its connection is not kept.
    pub fn keeping_none(&self) -> Connector {
        Connector { idle: None, ..self.clone() }
    }

    /// An event loop for a piece of work outside of a drive, with a connection that earlier work has left.
    pub fn check_out(&self) -> Result<(Runtime, Option<Idle>), Problem> {
        let idle = self.idle.as_ref().and_then(|idle| idle.take(self.dsn()));
        idle.map_or_else(|| Ok((event_loop()?, None)), |(runtime, connection)| Ok((runtime, Some(connection))))
    }

    /// [`Self::connect_ready`], unless what earlier work has left is still alive.
    pub async fn connect_or_reuse(&self, idle: Option<Idle>) -> Result<Connection, Error> {
        if let (Some(idle), Some(patience)) = (idle, self.patience())
            && let Ok(Ok(connection)) = tokio::time::timeout(patience, idle.reset(&self.dsn().database)).await
        {
            return Ok(connection);
        }
        self.connect_ready().await
    }

    /// The end of a piece of work that has gone well: its connection if it is to be kept, otherwise it is closed ([`Connection::leave`]).
    pub async fn release(&self, connection: Connection) -> Option<Idle> {
        match (&self.idle, connection) {
            (Some(_), Connection::Mysql(connection)) => Some(Idle(connection)),
            (_, connection) => {
                connection.leave().await;
                None
            }
        }
    }

    /// After a piece of work, with what [`Self::release`] has returned.
    pub fn check_in(&self, runtime: Runtime, left: Option<Idle>) {
        if let (Some(idle), Some(left)) = (&self.idle, left) {
            idle.put(self.dsn(), runtime, left);
        }
    }

    /// Closes the connections that are kept: a server has no more of them.
    pub fn close_idle(&self) {
        self.idle.iter().for_each(IdleConnections::clear);
    }

    /// The same, but for the one that the next piece of work takes.
    pub fn close_idle_but_one(&self) {
        self.idle.iter().for_each(|idle| idle.keep_one(self.dsn()));
    }

    /// Opens a connection on which PostgreSQL shows the settings that a session has by the server and the account: [`Self::connect_ready`] gives its
    /// sessions a `statement_timeout` and an encoding of its own. For short questions, which such a limit holds for.
    pub async fn connect_for_settings(&self) -> Result<Connection, Error> {
        self.connect_for(Transport::Shared, Use::Settings).await
    }

    fn first(&self) -> &Dsn {
        self.inner.each.first().unwrap_or(&self.inner.dsn)
    }

    /// The address of the next connection.
    fn turn(&self) -> &Dsn {
        let Some(opened) = &self.rotation else { return self.first() };
        &self.inner.each[opened.fetch_add(1, Ordering::Relaxed) % self.inner.each.len()]
    }

    /// [`Self::connect`] for a thread that blocks and may be inside an async runtime already: asynchronous work is
    /// awaited on a separate thread.
    pub fn connect_alone(&self) -> Result<Connection, Error> {
        let dsn = self.turn();
        let opened = match &self.inner.way {
            DriverOptions::Mysql(way) => {
                apart(|| way.open(dsn, Transport::Alone)).map(|opened| Connection::Mysql(Box::new(opened)))
            }
            DriverOptions::Postgres(way) => apart(|| way.open(dsn, Transport::Alone, Use::Load))
                .map(|opened| Connection::Postgres(Box::new(opened))),
            DriverOptions::Here if dsn.scheme.kind().sends_nothing => {
                Ok(Connection::Null(NullConnection::blocking(null_delay(dsn))))
            }
            DriverOptions::Here => {
                match pin!(self.connect(Transport::Alone)).poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(opened) => opened,
                    Poll::Pending => Err(Error::new(Class::Protocol, msg!("driver-connects-only-asynchronously"))),
                }
            }
        };
        opened.map_err(|error| self.at_one(dsn, error))
    }
}

/// How long the null driver waits before it answers.
fn null_delay(dsn: &Dsn) -> Duration {
    Duration::from_micros(dsn.options.get("delay_us").and_then(|v| v.parse().ok()).unwrap_or(0))
}

/// Awaits on a separate thread with its own runtime.
fn apart<T: Send, F: Future<Output = Result<T, Error>>>(make: impl FnOnce() -> F + Send) -> Result<T, Error> {
    let limit = |e: std::io::Error| Error::new(Class::Limit, msg!("connection-needs-thread", error = e));
    std::thread::scope(|scope| {
        let opening = std::thread::Builder::new().name("connect".into()).spawn_scoped(scope, || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(limit)?;
            runtime.block_on(make())
        });
        opening.map_err(limit)?.join().unwrap_or_else(|_| Err(Error::new(Class::Protocol, msg!("connecting-panicked"))))
    })
}
