//! MySQL and MariaDB: the states of `SHOW PROCESSLIST`, with what else a server reports: waits for row locks
//! (`INNODB_TRX`), the queue of MariaDB's thread pool, and the waits of `performance_schema`, if somebody has enabled
//! them.
//!
//! Without the latter, the state of a session that reads a page or waits for a latch is that of one that runs: the class
//! is `executing`. The states are those of the manuals' pages on thread states.
//!
//! `SHOW PROCESSLIST` holds the mutex of the list of threads while it copies the list, for some tens of microseconds with
//! 64 sessions; that delays sessions that connect or disconnect, not statements.

use super::{SeenSession, SeenSessions, SessionActivity};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Error, Table};
use tenbin_model::names::session::SessionClass;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What one server reports, and whose its sessions are.
#[derive(Debug)]
pub(super) struct MysqlSessions {
    /// The number, the user and the host of the observer's own session.
    number: String,
    account: (String, String),
    /// Whether the clients have that account and other hosts.
    any_host: bool,
    /// Whether the list has the states of MySQL and MariaDB. That of OceanBase says `ACTIVE` and `SLEEP` only, and its
    /// `INNODB_TRX` has one row of zeros whatever happens.
    states: bool,
    /// Whether transactions can be read.
    transactions: Transactions,
    /// Whether it has the queue of a thread pool.
    queue: bool,
    /// The classes of waits that `performance_schema` records; `None` if it does not record waits.
    waits: Option<BTreeSet<SessionClass>>,
    /// When the transactions were read.
    read: Cell<Option<Instant>>,
}

/// Whether a server shows the transactions of InnoDB.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Transactions {
    Shown,
    /// Not to this account.
    Denied,
    /// There is no InnoDB.
    Missing,
}

const LIST: &str = "SHOW PROCESSLIST";
const TRANSACTIONS: &str = "SELECT trx_mysql_thread_id, trx_state FROM information_schema.innodb_trx";
const QUEUE: &str = "SELECT connection_id FROM information_schema.thread_pool_queues";
/// Waits that have not ended; of several of one thread, which are nested, the innermost comes last.
const WAITS: &str = "SELECT t.processlist_id, w.event_name, w.operation \
                     FROM performance_schema.events_waits_current w \
                     JOIN performance_schema.threads t ON t.thread_id = w.thread_id \
                     WHERE w.end_event_id IS NULL AND t.processlist_id IS NOT NULL ORDER BY w.event_id";
/// The instruments that are enabled, if the waits of threads are recorded at all.
const INSTRUMENTS: &str = "SELECT DISTINCT SUBSTRING_INDEX(name, '/', 3) FROM performance_schema.setup_instruments \
                           WHERE name LIKE 'wait/%' AND enabled = 'YES' AND 3 = (SELECT COUNT(*) \
                           FROM performance_schema.setup_consumers WHERE enabled = 'YES' AND name IN \
                           ('global_instrumentation', 'thread_instrumentation', 'events_waits_current'))";

/// The classes that states show.
const STATES: [SessionClass; 5] =
    [SessionClass::Commit, SessionClass::TableLock, SessionClass::Client, SessionClass::Requested, SessionClass::Other];

/// An account without the privilege PROCESS.
const DENIED: [&str; 2] = ["1227", "1142"];

/// Learns what the server reports, and the account and the host of the connection, which the clients share; `any_host`: only the account.
pub(super) async fn source(connection: &mut Connection, any_host: bool) -> Result<MysqlSessions, Problem> {
    let failed = |e: Error| e.problem(msg!("reading-sessions"));
    let number = connection.table("SELECT CONNECTION_ID()").await.map_err(failed)?;
    let number = number.scalar().unwrap_or_default().to_owned();
    let list = connection.table(LIST).await.map_err(failed)?;
    let own = list.rows.iter().map(|row| listed(row)).find(|session| session.number == number);
    let states = own.as_ref().is_none_or(|own| !own.state.eq_ignore_ascii_case("active"));
    let account = own.map(|own| (own.user.to_owned(), own.host.to_owned())).unwrap_or_default();
    let transactions = match connection.table(TRANSACTIONS).await {
        _ if !states => Transactions::Missing,
        Ok(_) => Transactions::Shown,
        Err(e) if DENIED.iter().any(|code| e.is(code)) => Transactions::Denied,
        Err(_) => Transactions::Missing,
    };
    let pool = connection.table("SELECT @@thread_handling").await.ok();
    let pool = pool.is_some_and(|table| table.scalar() == Some("pool-of-threads"));
    let queue = pool && connection.table(QUEUE).await.is_ok();
    let waits = match connection.table(INSTRUMENTS).await {
        Ok(table) if !table.rows.is_empty() && connection.table(WAITS).await.is_ok() => {
            let names: Vec<&str> = table.rows.iter().filter_map(|row| row.first()?.as_deref()).collect();
            Some(recorded(&names))
        }
        _ => None,
    };
    Ok(MysqlSessions { number, account, any_host, states, transactions, queue, waits, read: Cell::new(None) })
}

/// The classes of waits of these instruments: `wait/io/file`, `wait/synch/mutex`.
fn recorded(instruments: &[&str]) -> BTreeSet<SessionClass> {
    let mut classes = BTreeSet::new();
    for name in instruments {
        match *name {
            "wait/io/file" => classes.extend([SessionClass::Read, SessionClass::Write]),
            name if name.starts_with("wait/synch/") => classes.extend([SessionClass::Latch]),
            _ => {}
        }
    }
    classes
}

/// InnoDB shows its transactions as they were when anybody read them, if that is less than 100 ms ago
/// (`CACHE_MIN_IDLE_TIME` in trx0i_s.cc of both).
const FRESH: Duration = Duration::from_millis(110);

/// All sessions; `None` if the transactions would be old. The list is read last: it decides whether a session is idle by
/// now.
pub(super) async fn seen(connection: &mut Connection, source: &MysqlSessions) -> Result<Option<SeenSessions>, Problem> {
    if source.read.get().is_some_and(|at| at.elapsed() < FRESH) {
        return Ok(None);
    }
    source.read.set((source.transactions == Transactions::Shown).then(Instant::now));
    let failed = |e: Error| e.problem(msg!("reading-sessions"));
    let mut tables = [Table::default(), Table::default(), Table::default()];
    let queries = [
        (TRANSACTIONS, source.transactions == Transactions::Shown),
        (QUEUE, source.queue),
        (WAITS, source.waits.is_some()),
    ];
    for (table, (query, there)) in tables.iter_mut().zip(queries) {
        if there {
            *table = connection.table(query).await.map_err(failed)?;
        }
    }
    let list = connection.table(LIST).await.map_err(failed)?;
    let [transactions, queue, waits] = tables;
    Ok(Some(of_tables(source, &transactions, &queue, &waits, &list)))
}

fn of_tables(source: &MysqlSessions, transactions: &Table, queue: &Table, waits: &Table, list: &Table) -> SeenSessions {
    let first = |row: &Vec<Option<String>>| row.first().cloned().flatten().unwrap_or_default();
    let second = |row: &Vec<Option<String>>| row.get(1).cloned().flatten().unwrap_or_default();
    let transactions: BTreeMap<String, bool> =
        transactions.rows.iter().map(|row| (first(row), second(row) == "LOCK WAIT")).collect();
    let queue: BTreeSet<String> = queue.rows.iter().map(first).collect();
    let mut waiting: BTreeMap<String, SessionClass> = BTreeMap::new();
    for row in &waits.rows {
        let operation = row.get(2).and_then(Option::as_deref).unwrap_or_default();
        match of_wait(&second(row), operation) {
            Some(class) => waiting.insert(first(row), class),
            None => waiting.remove(&first(row)),
        };
    }
    let (user, host) = &source.account;
    let is_ours = |session: &ListedSession<'_>| session.user == user && (source.any_host || session.host == host);
    let sessions = list.rows.iter().map(|row| listed(row)).filter(|s| s.number != source.number && !s.is_servers());
    let sessions = sessions.filter_map(|session| {
        let more = SessionDetails {
            transaction: transactions.get(session.number).copied(),
            queued: queue.contains(session.number),
            wait: waiting.get(session.number).copied(),
        };
        let number = session.number.parse().ok()?;
        let doing = match activity(&session, more) {
            SessionActivity::Active(_) if !source.states => SessionActivity::Active(SessionClass::Executing),
            doing => doing,
        };
        Some(SeenSession { number, ours: is_ours(&session), doing })
    });
    let mut snapshot = SeenSessions { sessions: sessions.collect(), ..SeenSessions::default() };
    snapshot.distinguished.insert(SessionClass::Executing);
    snapshot.distinguished.extend(STATES.into_iter().filter(|_| source.states));
    snapshot.distinguished.extend(source.queue.then_some(SessionClass::Admission));
    snapshot.distinguished.extend(source.waits.iter().flatten());
    match source.transactions {
        Transactions::Shown => {
            snapshot.distinguished.insert(SessionClass::RowLock);
            (snapshot.tells_transactions, snapshot.tells_others) = (true, true);
        }
        Transactions::Denied => {
            snapshot.notes.push(Problem::new(msg!("row-locks-not-visible")).hint(msg!("grant-process")));
        }
        Transactions::Missing => snapshot.tells_others = true,
    }
    snapshot
}

/// A row of the list.
struct ListedSession<'r> {
    number: &'r str,
    user: &'r str,
    /// Without the port.
    host: &'r str,
    command: &'r str,
    state: &'r str,
    statement: &'r str,
}

/// Columns: Id, User, Host, db, Command, Time, State, Info.
fn listed(row: &[Option<String>]) -> ListedSession<'_> {
    let value = |at: usize| row.get(at).and_then(Option::as_deref).unwrap_or_default();
    let host = value(2);
    let port = |port: &str| !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    let host = host.rsplit_once(':').filter(|(_, after)| port(after)).map_or(host, |(host, _)| host);
    ListedSession { number: value(0), user: value(1), host, command: value(4), state: value(6), statement: value(7) }
}

impl ListedSession<'_> {
    /// Whether it is a thread of the server itself, or one that sends it to replicas, or has not logged in yet.
    fn is_servers(&self) -> bool {
        const USERS: [&str; 3] = ["system user", "event_scheduler", "unauthenticated user"];
        const COMMANDS: [&str; 5] = ["daemon", "connect", "connect out", "register slave", "register replica"];
        let command = self.command.to_lowercase();
        USERS.contains(&self.user) || COMMANDS.contains(&&*command) || command.starts_with("binlog dump")
    }
}

/// What other tables say about a session.
#[derive(Debug, Clone, Copy, Default)]
struct SessionDetails {
    /// Whether its transaction waits for a lock; `None`: it has none.
    transaction: Option<bool>,
    /// Whether it is in the queue of the thread pool.
    queued: bool,
    /// The class of its wait.
    wait: Option<SessionClass>,
}

fn activity(session: &ListedSession<'_>, more: SessionDetails) -> SessionActivity {
    if session.command.eq_ignore_ascii_case("sleep") {
        return match more {
            SessionDetails { queued: true, .. } => SessionActivity::Active(SessionClass::Admission),
            SessionDetails { transaction: Some(_), .. } => SessionActivity::InTransaction,
            _ => SessionActivity::Idle,
        };
    }
    // The transactions were read before the list, so a state that is certain comes first.
    let commits = session.statement.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("commit"));
    let certain = if commits { Some(SessionClass::Commit) } else { of_state(session.state) };
    let locked = (more.transaction == Some(true)).then_some(SessionClass::RowLock);
    SessionActivity::Active(certain.or(locked).or(more.wait).unwrap_or(SessionClass::Executing))
}

/// The class of a state; `None`: it executes.
fn of_state(state: &str) -> Option<SessionClass> {
    const COMMIT: [&str; 6] = [
        "commit",
        "waiting for handler commit",
        "waiting for prior transaction to",
        "waiting for semi-sync",
        // MySQL up to 5.7, for statements that commit by themselves. Elsewhere this state does not last.
        "query end",
        "waiting for gtid to be committed",
    ];
    const CLIENT: [&str; 4] = ["writing to net", "sending to client", "reading from net", "receiving from client"];
    const REQUESTED: [&str; 3] = ["user sleep", "user lock", "waiting for user lock"];
    let state = state.to_lowercase();
    let is = |names: &[&str]| names.iter().any(|name| state.starts_with(name));
    match state.as_str() {
        _ if is(&COMMIT) => Some(SessionClass::Commit),
        _ if is(&CLIENT) => Some(SessionClass::Client),
        _ if is(&REQUESTED) => Some(SessionClass::Requested),
        "waiting for query cache lock" => Some(SessionClass::Latch),
        s if s.starts_with("waiting for table") => Some(SessionClass::TableLock),
        s if s.starts_with("waiting for") && s.ends_with(" lock") => Some(SessionClass::TableLock),
        s if s.starts_with("waiting") => Some(SessionClass::Other),
        _ => None,
    }
}

/// The class of a wait event of `performance_schema` (`wait/io/file/innodb/innodb_data_file`) and its operation; `None`
/// if it says nothing about why the session waits.
fn of_wait(event: &str, operation: &str) -> Option<SessionClass> {
    let after = event.strip_prefix("wait/")?;
    let has = |parts: &[&str]| parts.iter().any(|part| after.contains(part));
    match after.split('/').next()? {
        "io" if after.starts_with("io/file/") && has(&["log_file", "redo", "binlog", "tclog"]) => {
            Some(SessionClass::Commit)
        }
        "io" if after.starts_with("io/file/") => match operation {
            "read" => Some(SessionClass::Read),
            "write" | "sync" | "chsize" => Some(SessionClass::Write),
            _ => Some(SessionClass::Other),
        },
        "io" if after.starts_with("io/socket/") => Some(SessionClass::Client),
        "lock" => Some(SessionClass::TableLock),
        "synch" if has(&["MDL_context"]) => Some(SessionClass::TableLock),
        "synch" if has(&["Item_func_sleep", "User_level_lock"]) => Some(SessionClass::Requested),
        "synch" if has(&["BIN_LOG", "commit_order", "innodb/log_"]) => Some(SessionClass::Commit),
        "synch" => Some(SessionClass::Latch),
        // `io/table`: the time in the storage engine as a whole.
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_of_the_manuals_have_their_classes() {
        let of = |state: &str| of_state(state).map_or("-", SessionClass::name);
        let all = |name: &str, states: &[&str]| {
            let classes: Vec<&str> = states.iter().map(|state| of(state)).collect();
            assert_eq!(classes, vec![name; states.len()], "{states:?}");
        };
        all("-", &["", "executing", "Sending data", "Updating", "Statistics", "Opening tables", "System lock", "init"]);
        all(
            "commit",
            &[
                "Commit",
                "waiting for handler commit",
                "Waiting for prior transaction to commit",
                "Waiting for semi-sync ACK from slave",
                "Waiting for semi-sync ACK from replica",
                "query end",
            ],
        );
        all(
            "table_lock",
            &[
                "Waiting for table metadata lock",
                "Waiting for table level lock",
                "Waiting for table flush",
                "Waiting for tables",
                "Waiting for global read lock",
                "Waiting for commit lock",
                "Waiting for backup lock",
                "Waiting for stored procedure metadata lock",
                "Waiting for schema metadata lock",
            ],
        );
        all("client", &["Writing to net", "Sending to client", "Reading from net", "Receiving from client"]);
        all("requested_wait", &["User sleep", "User lock"]);
        all("latch", &["Waiting for query cache lock"]);
        all("other", &["Waiting for the slave SQL thread to free enough relay log space"]);
    }

    #[test]
    fn waits_of_performance_schema_have_their_classes() {
        let of = |event, operation| of_wait(event, operation).map_or("-", SessionClass::name);
        for (event, operation, class) in [
            ("wait/io/file/innodb/innodb_data_file", "read", "read"),
            ("wait/io/file/innodb/innodb_data_file", "sync", "write"),
            ("wait/io/file/innodb/innodb_temp_file", "write", "write"),
            ("wait/io/file/innodb/innodb_log_file", "sync", "commit"),
            ("wait/io/file/sql/binlog", "sync", "commit"),
            ("wait/io/file/csv/data", "open", "other"),
            ("wait/io/table/sql/handler", "fetch", "-"),
            ("wait/io/socket/sql/client_connection", "send", "client"),
            ("wait/lock/table/sql/handler", "read normal", "table_lock"),
            ("wait/lock/metadata/sql/mdl", "metadata lock", "table_lock"),
            ("wait/synch/cond/sql/MDL_context::COND_wait_status", "timed_wait", "table_lock"),
            ("wait/synch/cond/sql/Item_func_sleep::cond", "timed_wait", "requested_wait"),
            ("wait/synch/cond/sql/MYSQL_BIN_LOG::COND_done", "wait", "commit"),
            ("wait/synch/mutex/innodb/log_writer_mutex", "lock", "commit"),
            ("wait/synch/mutex/innodb/trx_sys_mutex", "lock", "latch"),
            ("wait/synch/sxlock/innodb/hash_table_locks", "shared_lock", "latch"),
            ("idle", "idle", "-"),
        ] {
            assert_eq!(of(event, operation), class, "{event} {operation}");
        }
        let names = |told: BTreeSet<SessionClass>| told.into_iter().map(SessionClass::name).collect::<Vec<_>>();
        assert_eq!(names(recorded(&["wait/io/file", "wait/io/table"])), ["read", "write"]);
        assert_eq!(names(recorded(&["wait/synch/mutex", "wait/lock/table"])), ["latch"]);
    }

    fn table(rows: &[&[&str]]) -> Table {
        let value = |v: &&str| (!v.is_empty()).then(|| (*v).to_owned());
        Table { rows: rows.iter().map(|row| row.iter().map(value).collect()).collect(), ..Table::default() }
    }

    fn source() -> MysqlSessions {
        MysqlSessions {
            number: "9".into(),
            account: ("bench".into(), "10.0.0.7".into()),
            any_host: false,
            states: true,
            transactions: Transactions::Shown,
            queue: true,
            waits: Some([SessionClass::Read].into()),
            read: Cell::new(None),
        }
    }

    #[test]
    fn what_the_list_says_for_certain_comes_before_what_other_tables_say() {
        let list = table(&[
            &["1", "bench", "10.0.0.7:50001", "sbtest", "Query", "0", "Updating", "UPDATE t SET a=1"],
            &["2", "bench", "10.0.0.7:50002", "sbtest", "Query", "0", "Commit", "UPDATE t SET a=1"],
            &["3", "bench", "10.0.0.7:50003", "sbtest", "Execute", "0", "starting", "COMMIT"],
            &["4", "bench", "10.0.0.7:50004", "sbtest", "Sleep", "0", "", ""],
            &["5", "bench", "10.0.0.7:50005", "sbtest", "Sleep", "0", "", ""],
            &["6", "bench", "10.0.0.7:50006", "sbtest", "Sleep", "0", "", ""],
            &["7", "bench", "10.0.0.7:50007", "sbtest", "Query", "0", "Sending data", "SELECT 1"],
            &["8", "app", "10.0.0.8:50008", "shop", "Query", "0", "Sending data", "SELECT 1"],
            &["9", "bench", "10.0.0.7:50009", "sbtest", "Query", "0", "init", "SHOW PROCESSLIST"],
            &["10", "system user", "", "", "Connect", "0", "Waiting for the next event", ""],
            &["11", "repl", "10.0.0.9:1", "", "Binlog Dump", "0", "", ""],
            &["12", "bench", "10.0.0.7:50012", "sbtest", "Query", "0", "executing", "SELECT 1"],
        ]);
        let transactions = table(&[&["1", "LOCK WAIT"], &["2", "LOCK WAIT"], &["4", "RUNNING"], &["12", "RUNNING"]]);
        let waits = table(&[
            &["1", "wait/io/table/sql/handler", "update"],
            &["7", "wait/io/table/sql/handler", "fetch"],
            &["7", "wait/io/file/innodb/innodb_data_file", "read"],
        ]);
        let snapshot = of_tables(&source(), &transactions, &table(&[&["5"]]), &waits, &list);
        let lines: Vec<String> = snapshot
            .sessions
            .iter()
            .map(|s| {
                let doing = match s.doing {
                    SessionActivity::Active(class) => class.name(),
                    SessionActivity::InTransaction => "in transaction",
                    SessionActivity::Idle => "idle",
                };
                format!("{} {doing}{}", s.number, if s.ours { "" } else { " (others)" })
            })
            .collect();
        assert_eq!(
            lines,
            [
                "1 row_lock",
                "2 commit",
                "3 commit",
                "4 in transaction",
                "5 admission",
                "6 idle",
                "7 read",
                "8 executing (others)",
                "12 executing"
            ]
        );
        assert!(snapshot.tells_transactions && snapshot.tells_others && snapshot.notes.is_empty());
    }

    #[test]
    fn clients_on_load_hosts_have_the_account_and_other_hosts() {
        let list = table(&[
            &["1", "bench", "10.0.0.8:50001", "sbtest", "Query", "0", "Updating", "UPDATE t SET a=1"],
            &["2", "app", "10.0.0.8:50002", "shop", "Query", "0", "Updating", "UPDATE t SET a=1"],
        ]);
        let ours = |any_host: bool| {
            let (source, nothing) = (MysqlSessions { any_host, ..source() }, Table::default());
            let snapshot = of_tables(&source, &nothing, &nothing, &nothing, &list);
            snapshot.sessions.iter().map(|session| session.ours).collect::<Vec<_>>()
        };
        assert_eq!((ours(false), ours(true)), (vec![false, false], vec![true, false]));
    }

    #[test]
    fn a_list_without_states_tells_who_is_active_and_nothing_else() {
        let list = table(&[
            &["1", "bench", "10.0.0.7:0", "sbtest", "Query", "0", "ACTIVE", "COMMIT"],
            &["2", "bench", "10.0.0.7:0", "sbtest", "Sleep", "0", "SLEEP", ""],
        ]);
        let nothing = Table::default();
        let plain =
            MysqlSessions { states: false, transactions: Transactions::Missing, queue: false, waits: None, ..source() };
        let snapshot = of_tables(&plain, &nothing, &nothing, &nothing, &list);
        let doing: Vec<SessionActivity> = snapshot.sessions.iter().map(|s| s.doing).collect();
        assert_eq!(doing, [SessionActivity::Active(SessionClass::Executing), SessionActivity::Idle]);
        assert_eq!(snapshot.distinguished, [SessionClass::Executing].into());
        assert!(!snapshot.tells_transactions);
    }

    #[test]
    fn an_account_without_the_privilege_is_told_and_no_class_is_invented() {
        let nothing = Table::default();
        let denied = MysqlSessions { transactions: Transactions::Denied, queue: false, waits: None, ..source() };
        let snapshot = of_tables(&denied, &nothing, &nothing, &nothing, &nothing);
        assert!(!snapshot.tells_transactions && !snapshot.tells_others);
        assert_eq!(snapshot.notes[0].code(), Some("row-locks-not-visible"));
        let classes: Vec<&str> = snapshot.distinguished.iter().map(|class| class.name()).collect();
        assert_eq!(classes, ["executing", "commit", "table_lock", "client", "requested_wait", "other"]);
    }
}
