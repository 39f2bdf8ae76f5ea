//! What the sessions of a server are doing: every sample counts the active sessions of the load by class
//! ([`SessionClass`]), from the server's list of sessions.
//!
//! The load's sessions are those of the same account from the same host as the observer's own, without those that
//! Tenbin keeps beside the clients. Behind a proxy the numbers of these are not known, and they are counted too, while
//! they query the server. Active sessions of other accounts or hosts are counted apart. Idle sessions are not counted.
//!
//! A sample costs the server 0.1 to 0.5 ms of processor time with 64 sessions (doc/guide/en/observers.md), so it is taken
//! once per reporting interval, at most every 200 ms ([`LEAST_PERIOD_MS`]).

mod mysql;
mod postgres;

use super::session::{ObserverSession, OwnConnections};
use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tenbin_driver::Connection;
use tenbin_model::dsn::Scheme;
use tenbin_model::names::session::{ACTIVE, IN_TRANSACTION, LEAST_PERIOD_MS, OBSERVER, OF_OTHERS, SessionClass};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::trial::Observe;
use tenbin_words::language::Language;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: OBSERVER,
    readings,
    connects: true,
    make: |subject| {
        let scheme = subject.connector.dsn().scheme;
        let sessions = Sessions {
            scheme,
            session: ObserverSession::new(subject),
            own: subject.own.clone(),
            any_host: subject.clients_are_elsewhere,
            period: subject.every.max(Duration::from_millis(LEAST_PERIOD_MS)),
            noted: BTreeSet::new(),
        };
        // Before the clients connect and after they have disconnected there is no session of the load.
        let has_sessions = scheme.kind().is_server && subject.observe == Observe::Always;
        has_sessions.then(|| Box::new(sessions) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

fn readings(_: &Subject) -> Vec<ReadingSpec> {
    let gauge = |name: &'static str, label: &Message| {
        let (en, ja) = (label.english().to_owned(), label.text(Language::Japanese));
        ReadingSpec::gauge(name, "sessions", Whose::Server).label(en, ja)
    };
    let classes = SessionClass::ALL.iter().map(|class| gauge(class.name(), &class.label()));
    std::iter::once(gauge(ACTIVE, &msg!("reading-active-sessions")))
        .chain(classes)
        .chain([
            gauge(IN_TRANSACTION, &msg!("reading-idle-in-transaction")),
            gauge(OF_OTHERS, &msg!("reading-sessions-of-others")),
        ])
        .collect()
}

/// The sessions of one server.
struct Sessions {
    scheme: Scheme,
    session: ObserverSession<SessionSource>,
    own: OwnConnections,
    /// Whether the clients are on other hosts than the observer.
    any_host: bool,
    period: Duration,
    /// What was noted.
    noted: BTreeSet<String>,
}

/// How a server is asked.
#[derive(Debug)]
enum SessionSource {
    Mysql(mysql::MysqlSessions),
    Postgres(postgres::PostgresSessions),
}

/// All sessions at one time, and what the server reports of them.
#[derive(Debug, Default)]
struct SeenSessions {
    sessions: Vec<SeenSession>,
    /// The classes that the server distinguishes.
    distinguished: BTreeSet<SessionClass>,
    /// Whether sessions that are idle in a transaction are distinguished from others.
    tells_transactions: bool,
    /// Whether sessions of others are visible.
    tells_others: bool,
    /// What the reader of the result should know.
    notes: Vec<Problem>,
}

/// One session.
#[derive(Debug, Clone, PartialEq, Eq)]
struct SeenSession {
    /// The server's number of its connection.
    number: u32,
    /// Whether it has the account of the clients, and their host if that is known.
    ours: bool,
    doing: SessionActivity,
}

/// What a session is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SessionActivity {
    Idle,
    InTransaction,
    Active(SessionClass),
}

impl Observer for Sessions {
    fn period(&self) -> Option<Duration> {
        Some(self.period)
    }

    fn disconnect(&mut self) {
        self.session.close();
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let (scheme, any_host) = (self.scheme, self.any_host);
        let learn = async |connection: &mut Connection| match scheme {
            Scheme::Postgres => postgres::source(connection, any_host).await.map(SessionSource::Postgres),
            _ => mysql::source(connection, any_host).await.map(SessionSource::Mysql),
        };
        let ask = async |connection: &mut Connection, source: &SessionSource| match source {
            SessionSource::Mysql(source) => mysql::seen(connection, source).await,
            SessionSource::Postgres(source) => postgres::seen(connection, source).await.map(Some),
        };
        let Some(mut snapshot) = self.session.ask(learn, ask)? else { return Ok(Sample::default()) };
        let mut notes = std::mem::take(&mut snapshot.notes);
        notes.retain(|note| self.noted.insert(note.what.english().to_owned()));
        Ok(Sample { values: counts(&snapshot, &self.own.numbers()), notes, ..Sample::default() })
    }
}

/// The readings. What the server does not report is missing.
fn counts(snapshot: &SeenSessions, own: &BTreeSet<u32>) -> BTreeMap<String, f64> {
    let mut values: BTreeMap<&str, f64> = snapshot.distinguished.iter().map(|class| (class.name(), 0.0)).collect();
    values.insert(ACTIVE, 0.0);
    values.extend(snapshot.tells_transactions.then_some((IN_TRANSACTION, 0.0)));
    values.extend(snapshot.tells_others.then_some((OF_OTHERS, 0.0)));
    let mut one_more = |name| *values.entry(name).or_default() += 1.0;
    for session in snapshot.sessions.iter().filter(|session| !own.contains(&session.number)) {
        match session.doing {
            SessionActivity::Active(_) if !session.ours => one_more(OF_OTHERS),
            SessionActivity::Active(class) => {
                one_more(ACTIVE);
                one_more(class.name());
            }
            SessionActivity::InTransaction if session.ours => one_more(IN_TRANSACTION),
            SessionActivity::InTransaction | SessionActivity::Idle => {}
        }
    }
    values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use SessionActivity::{Active, Idle, InTransaction};

    #[test]
    fn sessions_of_the_load_are_counted_and_nothing_that_is_not_told() {
        let session = |number, ours, doing| SeenSession { number, ours, doing };
        let mut snapshot = SeenSessions {
            sessions: vec![
                session(1, true, Active(SessionClass::Commit)),
                session(2, true, Active(SessionClass::Commit)),
                session(3, true, Active(SessionClass::RowLock)),
                session(4, true, Idle),
                session(5, true, InTransaction),
                // One of Tenbin's own.
                session(6, true, Active(SessionClass::Executing)),
                session(7, false, Active(SessionClass::RowLock)),
                session(8, false, InTransaction),
            ],
            distinguished: [SessionClass::Commit, SessionClass::RowLock, SessionClass::Latch].into(),
            tells_transactions: true,
            tells_others: true,
            notes: Vec::new(),
        };
        let of = |snapshot: &SeenSessions| {
            let counts = counts(snapshot, &BTreeSet::from([6]));
            counts.iter().map(|(name, n)| format!("{name} {n}")).collect::<Vec<_>>().join(", ")
        };
        assert_eq!(of(&snapshot), "active 3, commit 2, in_transaction 1, latch 0, of_others 1, row_lock 1");
        snapshot.sessions.clear();
        (snapshot.distinguished, snapshot.tells_transactions, snapshot.tells_others) =
            ([SessionClass::Commit].into(), false, false);
        assert_eq!(of(&snapshot), "active 0, commit 0");
    }
}
