//! A trial: one cell of a plan, fully resolved. Running it needs no other defaults.

use crate::dsn::{Dsn, Scheme};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One execution unit of a plan: one target, one load, one repeat.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Position in the order of execution, from 1.
    pub number: u32,
    /// Which combination of the matrix (without target and repeat), from 1; repeats and targets share it.
    pub cell: u32,
    /// Which repeat of the cell on this target, from 1. Trials of one `(cell, repeat)` on different targets are a pair.
    pub repeat: u32,
    /// The experiment's name.
    pub experiment: String,
    /// The system under test.
    pub target: Target,
    /// The data in it.
    pub dataset: TrialDataset,
    /// What the clients do.
    pub load: Load,
    /// The matrix values of this cell, by dotted field, in the plan's order: used for the axes of charts.
    pub axes: Vec<(String, String)>,
    /// What to do with the data before the trial.
    pub restore: Restore,
    /// Wait before the load starts, after loading; milliseconds.
    pub settle_ms: u64,
    /// Load that is driven but not counted; milliseconds.
    pub warmup_ms: u64,
    /// Length of the measured window; milliseconds. With [`Load::operations`] set it is the upper limit.
    pub measure_ms: u64,
    /// Length of a reporting interval; milliseconds.
    pub interval_ms: u64,
    /// All randomness of the trial comes from this and the client's number. Equal for all targets of a pair.
    pub seed: u64,
}

/// The system under test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Target {
    /// The name used in tables and charts.
    pub name: String,
    /// Its position among the experiment's targets in the plan, from 0; the order in tables and of colours.
    pub place: u32,
    /// How to reach it, without a password; `None` for a sandbox, which gets its address when it starts.
    pub dsn: Option<String>,
    /// The environment variable that holds the password.
    pub password_env: Option<String>,
    /// The file that holds the password.
    pub password_file: Option<String>,
    /// Start a private server with this binary: `mariadbd`, `mysqld`, `postgres`, or a path to one; `sqlite` for a
    /// private file.
    pub sandbox: Option<String>,
    /// Server variables for a sandbox, or pragmas of SQLite.
    pub server: BTreeMap<String, String>,
    /// What the user has permitted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub allow: Vec<Allow>,
}

impl Target {
    /// A target of which only the name and the position are known.
    pub fn named(name: &str, place: u32) -> Target {
        Target {
            name: name.to_owned(),
            place,
            dsn: None,
            password_env: None,
            password_file: None,
            sandbox: None,
            server: BTreeMap::new(),
            allow: Vec::new(),
        }
    }

    /// Whether it says how to reach the system: an address, or a server to start.
    pub fn is_reachable(&self) -> bool {
        self.dsn.is_some() || self.sandbox.is_some()
    }
}

/// What Tenbin refuses to do to a server unless it is permitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Allow {
    /// Write into tables that do not carry Tenbin's mark.
    WriteUnmarked,
    /// Write to a replica or a read-only server.
    WriteReplica,
    /// Use tables that another run is using.
    ShareTables,
}

impl Allow {
    /// All of them, with their names in plans and on command lines.
    pub const WORDS: [(&'static str, Allow); 3] = [
        ("write-unmarked", Allow::WriteUnmarked),
        ("write-replica", Allow::WriteReplica),
        ("share-tables", Allow::ShareTables),
    ];
}

impl Target {
    /// The family of database, from its address or its sandbox.
    pub fn scheme(&self) -> Scheme {
        match (&self.sandbox, &self.dsn) {
            (Some(binary), _) => sandbox_scheme(binary),
            (None, Some(dsn)) => Dsn::parse(dsn).map_or(Scheme::Mysql, |d| d.scheme),
            (None, None) => Scheme::Mysql,
        }
    }
}

/// The family of database of a sandbox's binary, given as a name or a path.
pub fn sandbox_scheme(binary: &str) -> Scheme {
    match binary.rsplit('/').next().unwrap_or(binary) {
        "sqlite" => Scheme::Sqlite,
        "postgres" | "postgresql" | "postmaster" => Scheme::Postgres,
        _ => Scheme::Mysql,
    }
}

/// The data in the database.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialDataset {
    /// The plan's name for it.
    pub name: String,
    /// Which generator: `sysbench`, …
    pub kind: String,
    /// The generator's own options by name (`tables`, `table_size`, …): those given in the plan, and in a recording all
    /// of them, as in a [`Load`].
    pub options: BTreeMap<String, String>,
    /// The number of connections that load it in parallel.
    pub streams: u32,
}

/// What the clients do, and when.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Load {
    /// The workload's name: `oltp_read_write`, …
    pub workload: String,
    /// The workload's own options by name (`point_selects`, `rand_type`, …): those given in the plan, and in a
    /// recording all of them, with the values that were used. Older recordings contain only those given.
    pub options: BTreeMap<String, String>,
    /// Concurrent users.
    pub clients: u32,
    /// How clients are distributed over engine threads.
    pub workers: Workers,
    /// The intended starts of transactions.
    pub schedule: Schedule,
    /// Stop after this many transactions in all; `None`: by time alone.
    pub operations: Option<u64>,
    /// How long transactions in progress at the end of measure may take to finish and be counted,
    /// milliseconds; 0: they are not counted, and remain open.
    #[serde(default)]
    pub drain_ms: u64,
    /// When the server is observed.
    #[serde(default)]
    pub observe: Observe,
    /// Whether clients pause between transactions. Absent in older recordings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub paced: bool,
    /// What to do about errors.
    pub policy: Policy,
}

/// When the server is observed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Observe {
    /// All the time, on a separate connection.
    #[default]
    Always,
    /// Before the clients connect and after they have disconnected: meanwhile there are no connections but theirs.
    Ends,
}

/// How clients are distributed over engine threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Workers {
    /// The engine chooses, from the number of clients, the available cores and the location of the server.
    Auto,
    /// One thread per client.
    PerClient,
    /// So many event loops.
    Count(u32),
}

/// The intended starts of transactions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Closed loop: each client starts the next when the last has ended.
    Closed,
    /// Open loop: starts fall due whether or not a client is free.
    Open {
        /// Intended starts per second, of all clients together.
        rate: f64,
        /// How the gaps between them are drawn.
        arrivals: Arrivals,
        /// What to do with a start that finds no free client.
        overload: Overload,
    },
}

/// How the gaps between intended starts are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Arrivals {
    /// All gaps equal.
    Even,
    /// Exponential gaps.
    Poisson,
}

/// What to do with an intended start that finds no free client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overload {
    /// It waits; if `limit` starts are waiting, further ones are skipped and counted.
    Queue {
        /// How many may wait.
        limit: u64,
    },
    /// It is skipped at once, and counted as such.
    Skip,
    /// The trial ends when `limit` starts are waiting.
    Stop {
        /// How many may wait.
        limit: u64,
    },
}

/// What to do about errors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Policy {
    /// Attempts of one transaction beyond the first after a transient conflict (deadlock, lock wait timeout).
    pub retries: u32,
    /// Reopen a lost connection (with back-off, for as long as the trial lasts) instead of giving up the client.
    pub reconnect: bool,
    /// End the trial on any other failed statement (wrong SQL, a limit) instead of counting it and continuing.
    pub stop_on_error: bool,
    /// Which errors are transient conflicts.
    #[serde(default)]
    pub transient: Transient,
}

/// Which errors are transient conflicts, after which the same transaction is retried.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transient {
    /// Deadlocks, lock wait timeouts and the like, as classified by the driver.
    #[default]
    Known,
    /// Exactly those with these codes of the server: numbers (MySQL) or SQLSTATEs (PostgreSQL).
    Codes(Vec<String>),
    /// Every error with a code of the server.
    All,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { retries: 10, reconnect: true, stop_on_error: true, transient: Transient::Known }
    }
}

/// What to do with the data before a trial.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restore {
    /// Use existing data; fail if there are none. Nothing is created or dropped.
    Require,
    /// Load if there are no data; otherwise use them as they are.
    Never,
    /// Drop data with our mark and load them again before each trial.
    BeforeRun,
}
