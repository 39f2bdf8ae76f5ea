//! Machines that the system's `ssh` reaches as load hosts. Tenbin must be installed there: nothing is copied.

use super::local::started;
use super::{Launcher, PlacedHost};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::SshAccess;
use tenbin_servers::machine::ssh_command;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// Starts the program over `ssh`, with the configuration, keys and agent of the user.
#[derive(Debug, Clone)]
pub struct OverSsh {
    /// Where.
    pub hosts: Vec<SshAccess>,
    /// The program there, a path or a name.
    pub program: String,
    /// Its argument.
    pub command: &'static str,
}

impl Launcher for OverSsh {
    fn place(&self, hosts: u32, _: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        let placed = self.hosts.iter().take(hosts as usize).map(|access| {
            let mut command = ssh_command(access);
            // The shell there reads it.
            command.arg(format!("exec {} {}", shell::word(&self.program), self.command));
            started(access.destination.clone(), command)
        });
        placed.collect()
    }

    fn is_confidential(&self) -> bool {
        true
    }
}
