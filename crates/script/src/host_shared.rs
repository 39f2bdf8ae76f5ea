//! What all threads of a script share on our side.

use super::names::StatementRegistry;
use super::settings::Ignore;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use tenbin_driver::{Connector, Error};
use tenbin_workload::distribution::DistributionKind;

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
    /// Whether it was said that a bound of random numbers has more than 32 bits.
    pub(super) beyond: AtomicBool,
    pub(super) shape: DistributionKind,
    /// Whether to prepare statements, or to send them as text.
    pub(super) prepare: bool,
    pub(super) ignore: Ignore,
    /// The memory limit of each state in bytes; `None`: its share of the limit of all.
    pub(super) memory: Option<usize>,
    /// Is told of errors that a script catches, with the statement.
    pub(super) caught: OnceLock<CaughtError>,
}

/// Is called with an error that a script has caught, and the statement that caused it (empty: none was sent).
pub type CaughtError = fn(&Error, &str);

impl HostShared {
    /// Whether nothing is sent: events then take less time than the engine's overhead for each.
    pub(super) fn dry(&self) -> bool {
        let dsn = self.connector.dsn();
        dsn.scheme.kind().sends_nothing && !dsn.options.contains_key("delay_us")
    }
}
