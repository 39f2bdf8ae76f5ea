//! What all threads of a script share on our side.

use super::draws::ScriptDistributions;
use super::names::StatementRegistry;
use super::settings::Ignore;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tenbin_driver::{Class, Connector, Error, Reply};

/// What all threads of a script share on our side.
#[derive(Debug)]
pub(super) struct HostShared {
    /// The connector to a database of the other family, for a script that requests its driver too.
    pub(super) other: Option<Connector>,
    /// The version of sysbench whose API this is.
    pub(super) version: String,
    /// Whether our scripts precede files of their names.
    pub(super) own_modules: bool,
    /// A command for LuaJIT's compiler, or empty.
    pub(super) jit: String,
    pub(super) connector: Connector,
    pub(super) names: StatementRegistry,
    /// Set when everything in progress is to be abandoned.
    pub(super) stop: AtomicBool,
    /// Whether a thread has asked for the driver of a database.
    pub(super) uses_sql: AtomicBool,
    /// Whether it was said that a bound of random numbers has more than 32 bits.
    pub(super) beyond: AtomicBool,
    pub(super) shapes: ScriptDistributions,
    /// Whether to prepare statements, or to send them as text.
    pub(super) prepare: bool,
    pub(super) ignore: Ignore,
    /// The memory limit of each state in bytes; `None`: its share of the limit of all.
    pub(super) memory: Option<usize>,
    /// Is told of errors that a script catches, with the statement.
    pub(super) caught: OnceLock<CaughtError>,
    /// What its commands have sent besides rows.
    pub(super) texts: CommandTexts,
    /// The counters of each thread by its number.
    pub(super) counters: Mutex<BTreeMap<u32, Arc<ThreadCounters>>>,
}

/// sysbench's counters, in order of their number: other, read, write, events, errors, reconnects, bytes read, bytes
/// written.
pub(super) const COUNTERS: usize = 8;
pub(super) const OTHER: usize = 0;
pub(super) const READ: usize = 1;
pub(super) const WRITE: usize = 2;
pub(super) const EVENT: usize = 3;
pub(super) const ERROR: usize = 4;
pub(super) const RECONNECT: usize = 5;

/// Those of one thread, which alone changes them; others may read them. On a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct ThreadCounters([AtomicU64; COUNTERS]);

impl ThreadCounters {
    /// Adds `n`, if there is such a counter.
    #[inline]
    pub(super) fn add(&self, counter: usize, n: u64) {
        if let Some(count) = self.0.get(counter) {
            count.store(count.load(Ordering::Relaxed).wrapping_add(n), Ordering::Relaxed);
        }
    }

    /// Counts a statement as sysbench does: by its outcome; `reads`: whether it has an answer of rows.
    #[inline]
    pub(super) fn count(&self, outcome: &Result<Reply, Error>, reads: bool, ignore: &Ignore) {
        let counter = match outcome {
            Ok(_) if reads => READ,
            Ok(reply) if reply.affected > 0 => WRITE,
            Ok(_) => OTHER,
            // The connection is reopened.
            Err(error) if error.class() == Class::Lost && ignore.covers(error) => RECONNECT,
            Err(_) => ERROR,
        };
        self.add(counter, 1);
    }

    fn value(&self, counter: usize) -> u64 {
        self.0.get(counter).map_or(0, |count| count.load(Ordering::Relaxed))
    }
}

/// Statements that the commands of a script have sent, in lower case, by which the tables that it creates are told from those that others create meanwhile.
#[derive(Debug, Default)]
pub(super) struct CommandTexts(Mutex<Vec<u8>>);

/// Statements that create no table, by their first words: they may be many.
const OF_ROWS: [&[u8]; 8] = [b"insert", b"replace", b"update", b"delete", b"begin", b"start", b"commit", b"copy"];

/// More text is not kept, bytes.
const MOST_TEXT: usize = 4 << 20;

impl CommandTexts {
    pub(super) fn keep(&self, sql: &[u8]) {
        let sql = sql.trim_ascii_start();
        if OF_ROWS.iter().any(|word| sql.get(..word.len()).is_some_and(|first| first.eq_ignore_ascii_case(word))) {
            return;
        }
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if all.len() + sql.len() < MOST_TEXT {
            all.extend(sql.to_ascii_lowercase());
            all.push(b'\n');
        }
    }

    pub(super) fn all(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Is called with an error that a script has caught, the statement that caused it (empty: none was sent), and how that was sent.
pub type CaughtError = fn(&Error, &str, SentAs);

/// How a statement of a script was sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SentAs {
    /// As text.
    #[default]
    Text,
    /// It was to be prepared.
    Preparing,
    /// It was executed as a prepared statement.
    Prepared,
}

impl HostShared {
    /// Whether nothing is sent: events then take less time than the engine's overhead for each.
    pub(super) fn dry(&self) -> bool {
        let dsn = self.connector.dsn();
        dsn.scheme.kind().sends_nothing && !dsn.options.contains_key("delay_us")
    }

    /// Counters of 0 for a thread that begins.
    pub(super) fn new_counters(&self, thread: u32) -> Arc<ThreadCounters> {
        let new = Arc::<ThreadCounters>::default();
        self.counters.lock().unwrap_or_else(PoisonError::into_inner).insert(thread, Arc::clone(&new));
        new
    }

    /// A counter of a thread; 0 if there is none.
    pub(super) fn counter(&self, thread: u32, counter: usize) -> u64 {
        let all = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        all.get(&thread).map_or(0, |counters| counters.value(counter))
    }
}
