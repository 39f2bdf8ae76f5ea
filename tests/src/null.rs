//! The null server as a process: a MySQL server that does what a test tells it to, on a free port.

use crate::target_dir;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

/// A running null server; stopped when dropped.
#[derive(Debug)]
pub struct NullServer {
    child: Child,
    address: String,
}

impl NullServer {
    /// Starts it with these options of its command line.
    pub fn start(options: &[&str]) -> NullServer {
        let binary = target_dir().join("tenbin-null-server");
        assert!(binary.is_file(), "{} is not built; hint: cargo build --workspace --bins", binary.display());
        let mut child =
            Command::new(binary).args(options).stdout(Stdio::piped()).spawn().expect("the null server starts");
        let mut line = String::new();
        let output = BufReader::new(child.stdout.take().expect("it is piped")).read_line(&mut line);
        let address = line.trim().strip_prefix("listening on ").map(str::to_owned);
        let address = address.unwrap_or_else(|| panic!("the null server said {line:?} ({output:?})"));
        NullServer { child, address }
    }

    /// Its address with an account.
    pub fn dsn(&self) -> String {
        format!("mysql://root@{}/sbtest", self.address)
    }
}

impl Drop for NullServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
