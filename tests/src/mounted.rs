//! A directory of a server that is a file system of its own, as a data directory often is: it cannot be renamed, and has little
//! room.
//!
//! It is mounted in a mount namespace, in which the server and the programs that work with it are started; both take root.

use crate::phoenix::wait_until;
use crate::small::MOUNT;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// The namespace; it and the file system end with the last program in it.
#[derive(Debug)]
pub struct Mounted {
    holder: Child,
}

impl Mounted {
    /// Mounts a file system of this many MiB over a directory, whose files are copied into it.
    pub fn over(directory: &Path, mebibytes: u64) -> Mounted {
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "KILL", "unshare", "--mount", "sh", "-c", MOUNT, "sh"]).arg(directory);
        command.arg(format!("{mebibytes}m")).args(["sleep", "infinity"]);
        let holder = command.stdin(Stdio::null()).spawn().expect("setpriv runs; hint: make test");
        let mut mounted = Mounted { holder };
        wait_until("the file system is mounted", || {
            let ended = mounted.holder.try_wait().expect("it is ours");
            assert!(ended.is_none(), "it cannot be mounted: {ended:?}; hint: run the tests as root with CAP_SYS_ADMIN");
            let name = std::fs::read_to_string(format!("/proc/{}/comm", mounted.holder.id()));
            name.is_ok_and(|name| name.trim() == "sleep")
        });
        mounted
    }

    /// The `tenbin` of this build in the namespace.
    pub fn tenbin(&self) -> Command {
        crate::tenbin_through("nsenter", &[&self.namespace()])
    }

    /// Whether a shell succeeds with this in the namespace.
    pub fn does(&self, script: &str) -> bool {
        let mut shell = Command::new("nsenter");
        shell.arg(self.namespace()).args(["sh", "-c", script]).stdin(Stdio::null());
        shell.status().expect("nsenter runs; hint: make test").success()
    }

    fn namespace(&self) -> String {
        format!("--mount=/proc/{}/ns/mnt", self.holder.id())
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = self.holder.kill();
        let _ = self.holder.wait();
    }
}
