//! How load hosts are started and reached. A launcher places all of them or none.

mod local;

pub use local::LocalProcesses;

use std::io::{Read, Write};
use tenbin_model::problem::Problem;

/// Starts load hosts. Each executes [`serve`](crate::serve) with the two ends of its connection.
pub trait Launcher {
    /// Starts this many hosts, or none: then the problem says which could not be had.
    fn place(&self, hosts: u32) -> Result<Vec<PlacedHost>, Problem>;
    /// Whether nobody but the host can read what is sent to it: passwords are sent over such a connection only.
    fn is_confidential(&self) -> bool;
    /// Whether the hosts are this machine, so that addresses of this machine mean the same there.
    fn is_local(&self) -> bool;
}

/// A load host that was started.
pub struct PlacedHost {
    /// Its name, in results and messages.
    pub name: String,
    /// Takes orders.
    pub orders: Box<dyn Write + Send>,
    /// Gives reports.
    pub reports: Box<dyn Read + Send>,
    /// Its process, or what stands for it here.
    pub process: Box<dyn HostProcess>,
}

/// The process of a load host. Dropping it ends it.
pub trait HostProcess: Send {
    /// What it wrote before it ended, or how it ended; `None` while it runs.
    fn ended(&mut self) -> Option<String>;
}
