//! Tenbin under sysbench's name beside Debian's sysbench, each in a directory of its own.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::{output_of, target_dir};
use std::path::PathBuf;
use std::process::Command;
use tenbin_servers::sandbox::Sandbox;

/// Tenbin under sysbench's name, in a directory of its own.
pub struct SysbenchDir {
    /// Where it is called: holds the program.
    pub dir: tempfile::TempDir,
}

impl SysbenchDir {
    /// An empty directory with the program in it.
    pub fn create() -> SysbenchDir {
        let dir = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(target_dir().join("tenbin"), dir.path().join("sysbench")).unwrap();
        SysbenchDir { dir }
    }

    /// This program with a command line, here.
    pub fn command(&self, program: &str, line: &str) -> Command {
        let mut command = Command::new(program);
        command.args(line.split_whitespace()).current_dir(self.dir.path());
        command
            .env("LANG", "C.UTF-8")
            .env_remove("TENBIN_RUNS")
            .env_remove("TENBIN_QUIET")
            .env_remove("MYSQL_UNIX_PORT");
        command
    }

    /// Exit code, output and errors of Tenbin by this name.
    pub fn ours(&self, line: &str) -> (i32, String, String) {
        output_of(&mut self.command(&self.dir.path().join("sysbench").display().to_string(), line))
    }

    /// The same of Debian's sysbench.
    pub fn theirs(&self, line: &str) -> (i32, String, String) {
        output_of(&mut self.command("/usr/bin/sysbench", line))
    }

    /// The run directories that were left here.
    pub fn runs(&self) -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(self.dir.path().join("runs")) else { return Vec::new() };
        entries.map(|e| e.unwrap().path()).collect()
    }
}

/// A server's port.
pub fn port(server: &Sandbox) -> String {
    server.dsn().rsplit(':').next().unwrap().split('/').next().unwrap().to_owned()
}

/// `--mysql-…` for a server.
pub fn address(server: &Sandbox) -> String {
    address_of(&server.dsn())
}

/// [`address`] of an address.
pub fn address_of(dsn: &str) -> String {
    let port = dsn.rsplit(':').next().unwrap().split('/').next().unwrap();
    format!("--db-driver=mysql --mysql-host=127.0.0.1 --mysql-port={port} --mysql-user=root --mysql-db=sbtest")
}

/// A text's form: how long a figure is and the blanks around it do not count, nor does the version line. (Columns are
/// held by the snapshots of `text.rs`.)
pub fn form(text: &str) -> Vec<String> {
    let line = |line: &str| {
        let mut out = String::new();
        for c in line.chars() {
            let figure = c.is_ascii_digit() || c == '.' && out.ends_with('#');
            match (figure, c) {
                (true, _) if out.ends_with('#') => {}
                (true, _) => out.push('#'),
                (false, ' ') if out.ends_with(' ') => {}
                (false, _) => out.push(c),
            }
        }
        out
    };
    let mut lines: Vec<String> = text.lines().filter(|l| !l.starts_with("sysbench ")).map(line).collect();
    // Whether the line of the last interval comes before the end is a race in sysbench.
    lines.dedup_by(|a, b| a.starts_with('[') && a == b);
    lines
}

/// Asserts that two reports of this command line have the same form. Whether sysbench prints none, one or both lines of the interval that
/// ends with the test depends on which of its threads runs first.
pub fn assert_same_form(line: &str, ours: &str, theirs: &str) {
    let option = |name: &str| line.split(' ').find_map(|word| word.strip_prefix(name));
    let ends_with_the_test =
        option("--report-interval=").and(option("--time=")).map(|seconds| format!("[ {seconds}s ]"));
    let without = |report: &str| {
        let lines = report.lines().filter(|l| ends_with_the_test.as_ref().is_none_or(|last| !l.starts_with(last)));
        form(&lines.map(|l| format!("{l}\n")).collect::<String>())
    };
    assert!(form(ours) == form(theirs) || without(ours) == without(theirs), "{line}\n{ours}\n{theirs}");
}
