//! The machine of the client or of a server: where its files under `/proc` and `/sys` are read. What is read is the
//! same everywhere, and so are the functions that understand it; [`mod@facts`] has the table of machines.

mod client;
mod facts;
mod here;
mod process;
mod quota;
#[cfg(test)]
mod recorded;
mod scheduling_group;
mod ssh;

pub use client::{client, identity};
pub use facts::facts;
pub use here::{Here, ask_ahead};
pub use process::{account_of, process_here, process_on};
pub use quota::ProcessorQuota;
pub use scheduling_group::same_scheduling_group;
pub use ssh::{Ssh, ssh_command};

use crate::facts::Facts;
use std::collections::BTreeMap;
use std::path::Path;
use tenbin_driver::Connector;
use tenbin_model::dsn::Scheme;
use tenbin_model::trial::{HostAccess, SshAccess};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Texts of files by their paths, without the last line end. Files that do not exist, may not be read, or are empty are
/// absent.
pub type FileTexts = BTreeMap<String, String>;

/// A machine whose files can be read.
pub trait MachineFiles: Send + Sync {
    /// The texts of all files that match one of the patterns: absolute paths in which `*` stands for anything within one
    /// name. Fails if the machine cannot be reached any more.
    fn files(&self, patterns: &[&str]) -> Result<FileTexts, Problem>;
    /// What the symbolic links that match a pattern point to, by their paths. Fails as [`MachineFiles::files`] does.
    fn links(&self, pattern: &str) -> Result<FileTexts, Problem>;
    /// A path without symbolic links, as [`MachineFiles::files`] would reach it; `None` if it does not exist or may not be
    /// looked at. Fails as [`MachineFiles::files`] does.
    fn resolved(&self, path: &str) -> Result<Option<String>, Problem>;
    /// What the programs of this machine print that describe it, by their names ([`PROGRAMS`]). Those that do not exist
    /// are absent. Fails as [`MachineFiles::files`] does.
    fn programs(&self) -> Result<FileTexts, Problem>;
}

/// Programs that describe a machine. They only read.
pub const PROGRAMS: [&str; 2] = ["lscpu", "systemd-detect-virt"];

/// Facts about the machine of a server, and about the disk of its data: none if the plan does not say where it is and it may
/// be on another machine. `server` are the server's own facts ([`crate::facts::server`]), and `pid` is its process if it
/// is known to run here. Fails if the machine cannot be reached.
pub fn of_server(
    host: Option<&HostAccess>,
    connector: &Connector,
    pid: Option<u32>,
    server: &Facts,
) -> Result<Facts, Problem> {
    let dsn = connector.dsn();
    let directory = match dsn.scheme {
        Scheme::Null => return Ok(Facts::new()),
        Scheme::Mysql => server.get("variable.datadir").cloned(),
        Scheme::Postgres => server.get("variable.data_directory").cloned(),
        Scheme::Sqlite => {
            let file = std::path::absolute(&dsn.database).ok();
            file.as_deref().and_then(Path::parent).map(|dir| dir.to_string_lossy().into_owned())
        }
        Scheme::Host => server.get("directory").cloned(),
    };
    let directory = directory.as_deref().filter(|dir| dir.starts_with('/'));
    match (host, dsn.scheme) {
        (Some(HostAccess::None), _) => Ok(Facts::new()),
        (Some(HostAccess::Ssh(access)), _) => {
            let ssh = Ssh::connect(access)?;
            let pid = process_on(&ssh, dsn)?;
            facts(&ssh, pid, directory)
        }
        // A local address may lead to another machine through a tunnel: only the process proves that it is here.
        (None, Scheme::Mysql | Scheme::Postgres) if pid.is_none() => Ok(Facts::new()),
        (Some(HostAccess::Local) | None, _) => facts(&Here, pid, directory),
    }
}

/// Whether the machine can be looked at, with a sentence about what was found there. Fails if it cannot be reached.
pub fn reachable(access: &SshAccess, connector: &Connector) -> Result<Message, Problem> {
    let ssh = Ssh::connect(access)?;
    let host = foreign(&access.destination);
    let kernel = ssh.read(&["/proc/sys/kernel/osrelease"])?;
    let Some(release) = kernel.files.into_values().next() else {
        let what = msg!("host-without-proc", host = access.destination);
        return Err(Problem::new(what).hint(msg!("write-key", key = "host", value = "\"none\"")));
    };
    let ms = format!("{:.1}", kernel.round_trip.as_secs_f64() * 1e3);
    Ok(match process_on(&ssh, connector.dsn())? {
        Some(pid) => msg!("host-seen-with-server", host, release, ms, pid),
        None => msg!("host-seen", host, release, ms),
    })
}
