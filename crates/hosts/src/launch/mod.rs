//! How load hosts are started and reached. A launcher places all of them or none.

mod local;
mod ray;
mod ssh;

pub use local::LocalProcesses;
pub use ray::RayCluster;
pub use ssh::OverSsh;

use std::io::{Read, Write};
use std::time::Duration;
use tenbin_model::stop::StopSignal;
use tenbin_words::problem::Problem;

/// Starts load hosts. Each executes [`serve()`](crate::serve()) with the two ends of its connection.
pub trait Launcher {
    /// Starts this many hosts, or none: then the problem says which could not be had. `stop` ends it early.
    fn place(&self, hosts: u32, stop: &StopSignal) -> Result<Vec<PlacedHost>, Problem>;
    /// Whether only the host can read what is sent to it: passwords are sent over such a connection only.
    fn is_confidential(&self) -> bool;
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
    /// What it wrote before it ended, or how it ended; `None` if it still runs after `patience`.
    fn ended(&mut self, patience: Duration) -> Option<String>;
}
