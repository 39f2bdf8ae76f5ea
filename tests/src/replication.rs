//! A source and its replica, both private, for tests of what is done to a server that copies another.

use crate::sql::{Address, connector, query};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use tenbin_servers::sandbox::Sandbox;

/// Two MariaDB servers, the second replicating from the first by GTID.
#[derive(Debug)]
pub struct Replication {
    /// Where rows are written.
    pub source: Sandbox,
    /// Where they come to be too.
    pub replica: Sandbox,
}

/// Debian's MariaDB twice; `replica` are more server variables of the replica.
pub fn replication(replica: &[(&str, &str)]) -> Replication {
    let source =
        crate::mariadb(&[("log_bin", "bin"), ("server_id", "1"), ("binlog_format", "ROW"), ("report_host", "source")]);
    let own = [("log_bin", "bin"), ("server_id", "2"), ("binlog_format", "ROW"), ("report_host", "replica")];
    let replica = crate::mariadb(&[&own[..], replica].concat());
    query(&source, "CREATE USER repl@'127.0.0.1' IDENTIFIED BY 'repl-word'");
    query(&source, "GRANT REPLICATION SLAVE ON *.* TO repl@'127.0.0.1'");
    let port = port(&source);
    // What both have made for themselves while they were set up is not replicated.
    query(&source, "RESET MASTER");
    query(&replica, "RESET MASTER");
    query(
        &replica,
        &format!(
            "CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT={port}, MASTER_USER='repl', \
             MASTER_PASSWORD='repl-word', MASTER_USE_GTID=slave_pos, MASTER_CONNECT_RETRY=1"
        ),
    );
    query(&replica, "START SLAVE");
    let both = Replication { source, replica };
    both.caught_up();
    both
}

impl Replication {
    /// Waits until the replica has everything that the source has committed; fails when replication has stopped.
    pub fn caught_up(&self) {
        let position = query(&self.source, "SELECT @@gtid_binlog_pos")[0][0].clone();
        let wait = format!("SELECT MASTER_GTID_WAIT('{position}', 60)");
        assert_eq!(query(&self.replica, &wait), [["0"]], "the replica stands still: {:?}", self.status());
    }

    /// Whether the replica applies what it gets.
    pub fn runs(&self) -> bool {
        let status = self.status();
        ["Slave_IO_Running", "Slave_SQL_Running"].iter().all(|name| status.iter().any(|(n, v)| n == name && v == "Yes"))
    }

    fn status(&self) -> Vec<(String, String)> {
        let table = crate::sql::on(async {
            let mut c = crate::sql::open(&self.replica).await;
            let table = c.table("SHOW SLAVE STATUS").await.unwrap_or_else(|e| panic!("SHOW SLAVE STATUS: {e}"));
            c.close().await;
            table
        });
        let row = table.rows.into_iter().next().unwrap_or_default();
        table.columns.into_iter().zip(row.into_iter().map(Option::unwrap_or_default)).collect()
    }
}

/// A server's port.
fn port(at: &impl Address) -> u16 {
    connector(at).dsn().port.expect("a test's server has a port")
}

/// A PostgreSQL primary and its hot standby.
#[derive(Debug)]
pub struct Standby {
    /// Where rows are written.
    pub primary: Sandbox,
    dir: PathBuf,
    dsn: String,
}

impl Address for Standby {
    fn dsn(&self) -> String {
        self.dsn.clone()
    }
}

/// Debian's PostgreSQL twice: the standby is made by `pg_basebackup` in a directory beside the primary's.
pub fn standby() -> Standby {
    let primary = crate::postgres(&[("wal_level", "replica"), ("max_wal_senders", "4")]);
    let dir = primary.dir().join("standby");
    let bin = Command::new("pg_config").arg("--bindir").output().ok();
    let bin = bin.filter(|o| o.status.success()).map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    let bin = PathBuf::from(bin.unwrap_or_else(|| "/usr/lib/postgresql/15/bin".into()));
    let c = connector(&primary);
    let from = c.dsn();
    let mut backup = as_postgres(&bin.join("pg_basebackup"));
    backup.args(["-h", "127.0.0.1", "-p"]).arg(port(&primary).to_string());
    backup.args(["-U", &from.user, "-D"]).arg(&dir).args(["-R", "-X", "stream", "-c", "fast"]);
    crate::run(backup.envs(password(&c)));
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|l| l.local_addr()).expect("a free port").port();
    let mut start = as_postgres(&bin.join("pg_ctl"));
    start.arg("-D").arg(&dir).arg("-l").arg(dir.join("log")).args(["-w", "-o"]);
    // A hot standby wants no less than the primary has.
    let least = ["max_connections", "max_wal_senders", "max_worker_processes", "max_locks_per_transaction"];
    let least = least.map(|name| format!("-c {name}={}", query(&primary, &format!("SHOW {name}"))[0][0])).join(" ");
    let socket = dir.display();
    crate::run(start.arg(format!("-p {free} -k {socket} -h 127.0.0.1 {least}")).arg("start"));
    let dsn = primary.dsn().replace(&format!(":{}", port(&primary)), &format!(":{free}"));
    let both = Standby { primary, dir, dsn };
    let begun = Instant::now();
    while query(&both.primary, "SELECT count(*) FROM pg_stat_replication WHERE state='streaming'") != [["1"]] {
        assert!(begun.elapsed() < Duration::from_secs(60), "the standby does not stream");
        std::thread::sleep(Duration::from_millis(50));
    }
    both
}

/// PostgreSQL does not run as root.
fn as_postgres(program: &std::path::Path) -> Command {
    let root = std::fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0);
    if !root {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]).arg(program);
    command.current_dir("/");
    command
}

/// The password of the primary's account, where it has one.
fn password(c: &tenbin_driver::Connector) -> Option<(&'static str, String)> {
    c.dsn().password.clone().map(|word| ("PGPASSWORD", word))
}

impl Drop for Standby {
    fn drop(&mut self) {
        // The pid stands in the first line; the primary removes the directory.
        let pid = std::fs::read_to_string(self.dir.join("postmaster.pid")).ok();
        let pid = pid.and_then(|text| text.lines().next().and_then(|line| line.trim().parse::<u32>().ok()));
        if let Some(pid) = pid {
            let _ = Command::new("kill").args(["-INT", &pid.to_string()]).status();
            let begun = Instant::now();
            while self.dir.join("postmaster.pid").exists() && begun.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(20));
            }
        }
    }
}
