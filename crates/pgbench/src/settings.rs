//! What is run, as the command line says it, resolved.

use std::time::Duration;

/// How statements are sent (`-M`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryMode {
    /// As text, with values written into it.
    Simple,
    /// With values beside it, parsed each time.
    Extended,
    /// The same, parsed once by each connection.
    Prepared,
}

/// A script with its weight.
#[derive(Debug, Clone)]
pub struct ScriptSource {
    /// How reports name it.
    pub name: String,
    /// Its text.
    pub text: Vec<u8>,
    /// How often it is chosen, in proportion to the others.
    pub weight: i64,
}

/// How the log names transactions that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureWords {
    /// `failed`.
    Plain,
    /// `serialization`, `deadlock` and `other`.
    Detailed,
}

/// The log of transactions (`-l`).
#[derive(Debug, Clone, Copy)]
pub struct LogSettings {
    /// The share of transactions that are logged; 0: all.
    pub sampling: f64,
    /// Whole seconds over which they are summed up; 0: one line for each.
    pub aggregate_s: u64,
    /// How failed transactions are named.
    pub words: FailureWords,
    /// Whether lines of sums have a column of failures of other kinds (PostgreSQL 19).
    pub other_failures: bool,
}

/// A run.
#[derive(Debug, Clone)]
pub struct RunSettings {
    /// How statements are sent.
    pub mode: QueryMode,
    /// How many clients there are.
    pub clients: u32,
    /// How many threads pgbench would have: what they draw and log is theirs.
    pub threads: u32,
    /// Of each client; 0: until the time is over.
    pub transactions: u64,
    /// How long, if that ends it.
    pub duration: Option<Duration>,
    /// A new connection for each transaction.
    pub connect_each: bool,
    /// Variables that are set from the beginning, with their text.
    pub variables: Vec<(String, String)>,
    /// The variable `:scale`.
    pub scale: i64,
    /// The seed of all random numbers.
    pub seed: u64,
    /// Mean microseconds between starts of one thread; 0: at once.
    pub throttle_us: f64,
    /// Transactions that take longer are late; those that start later than this are skipped.
    pub latency_limit: Option<Duration>,
    /// Attempts of a transaction; 0: without limit.
    pub max_tries: u32,
    /// Whether each error is printed.
    pub verbose_errors: bool,
    /// Whether each step is printed.
    pub debug: bool,
    /// Whether commands are timed.
    pub per_command: bool,
    /// Whether a client goes on after an error of any kind (PostgreSQL 19).
    pub continue_on_error: bool,
    /// The log of transactions, if there is one.
    pub log: Option<LogSettings>,
}

/// Where what clients say goes.
pub trait Output: Send + Sync {
    /// A message, after the program's name.
    fn tell(&self, line: &str);
    /// The same, of the severity `error`.
    fn error(&self, line: &str);
    /// A line as it is: the values of `debug()`.
    fn plain(&self, line: &str);
    /// Lines of the log of a thread, each with its end.
    fn log(&self, thread: u32, lines: &str);
    /// A client of this thread has ended early.
    fn aborted(&self, thread: usize);
}
