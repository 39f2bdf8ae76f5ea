//! The clients of pgbench's command line: its scripts, sent, retried, counted and logged as that program does it, on PostgreSQL.
//!
//! [`settings`] says what is run, [`builtin`] has the scripts that need no file, [`setup`] what happens before the clients start. [`client`] is one
//! client, [`attempt`] one attempt of a transaction, [`counts`] what a client counts and [`log`] what it writes; [`shared`] is what all have in common.
//! The language of the scripts is `tenbin_sql::language`; tables and `-i` are `tenbin_tpcb`. Workloads of plans are `tpcb_like`, … and `sql`.

#![cfg_attr(not(test), warn(clippy::disallowed_methods))]

mod attempt;
pub mod builtin;
mod client;
mod counts;
mod log;
mod settings;
mod setup;
mod shared;
mod workload;

pub use counts::{ClientCounts, CommandCounts, SimpleStats, Stats};
pub use settings::{FailureWords, LogSettings, Output, QueryMode, RunSettings, ScriptSource};
pub use setup::{Setup, SetupError, SetupSettings, setup};
pub use shared::{CommandText, RunCounts};
pub use tenbin_sql::language::{ScriptError, ScriptErrorCode};
pub use tenbin_tpcb::init;
pub use workload::{PgbenchRun, WORKLOADS, made};
