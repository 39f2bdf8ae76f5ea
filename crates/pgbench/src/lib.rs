//! The clients of pgbench's command line: its scripts, sent, retried, counted and logged as that program does it, on PostgreSQL.
//!
//! [`settings`] says what is run, [`builtin`] has the scripts that need no file, [`mod@setup`] what happens before the clients start. [`client`] is one
//! client, [`attempt`] one attempt of a transaction, [`counts`] what a client counts and [`log`] what it writes; [`shared`] is what all have in common.
//! The language of the scripts is `tenbin_sql::language`; tables and `-i` are `tenbin_tpcb`. Workloads of plans are `tpcb_like`, … and `sql`.
//!
//! What executes a script, `tenbin_sql::language::Machine`, is shared with the workload `sql`; the loop over its steps is not. Of the arms of that loop
//! none is the same in both: this one has a PostgreSQL session by hand, decides itself which errors are retried and which end the client, and reports each
//! step as pgbench does, and the other has any driver's connection and leaves retries, counts and clocks to the engine, so that a common one would be a
//! trait of ten functions around a `match` of ten lines.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod attempt;
pub mod builtin;
mod client;
mod counts;
mod log;
mod settings;
mod setup;
mod shared;
mod shell;
#[cfg(test)]
mod tests;
mod workload;

pub use counts::{ClientCounts, CommandCounts, SimpleStats, Stats};
pub use settings::{FailureWords, LogSettings, Output, QueryMode, RunSettings, ScriptSource};
pub use setup::{Setup, SetupError, SetupSettings, setup};
pub use shared::{CommandText, RunCounts};
pub use tenbin_sql::language::{ScriptError, ScriptErrorCode, bytes};
pub use tenbin_tpcb::init;
pub use workload::{LONGEST_SCRIPT, NAME, PgbenchRun, TEXT_BEGINS, WORKLOADS, files, made, rename_files};
