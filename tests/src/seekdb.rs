//! OceanBase's seekdb, from its Python package: a server of MySQL's protocol with another engine. It listens on every
//! address and sends figures home, so it gets a network of its own without other hosts, and is reached over its
//! Unix socket.

use crate::sql::Address;
use crate::{fetched, run};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A line with no host at its other end: without any the server does not start.
const NETWORK: &str =
    "set -e; ip link set lo up; ip link add eth0 type veth peer name eth1; ip addr add 10.99.77.1/24 dev eth0
ip link set eth0 up; ip link set eth1 up; exec \"$@\"";

/// A running seekdb; stopped and removed when dropped.
#[derive(Debug)]
pub struct Seekdb {
    server: Child,
    dir: tempfile::TempDir,
}

impl Seekdb {
    /// Starts it and makes the schema `sbtest`.
    pub fn start() -> Seekdb {
        let home = fetched("seekdb-1.4.0", |to| {
            run(Command::new("python3")
                .args([
                    "-m",
                    "pip",
                    "download",
                    "-q",
                    "--no-deps",
                    "--only-binary=:all:",
                    "--python-version=3.11",
                    "-d",
                ])
                .arg(to)
                .arg("pylibseekdb==1.4.0.post1"));
            let wheel =
                std::fs::read_dir(to).expect("it is there").flatten().next().expect("a wheel was fetched").path();
            run(Command::new("unzip").arg("-q").arg(&wheel).arg("-d").arg(to));
            std::fs::remove_file(wheel).expect("it is ours");
            run(Command::new("chmod").arg("a+x").arg(to.join("pylibseekdb/seekdb")));
        });
        let home = home.join("pylibseekdb");
        let dir = tempfile::tempdir().expect("a directory can be made");
        let root = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(dir.path()).expect("it is there")) == 0;
        let mut command = Command::new("unshare");
        command.args(if root { &["--net"][..] } else { &["--user", "--map-root-user", "--net"] });
        command.args(["sh", "-c", NETWORK, "sh", "setpriv", "--pdeathsig", "KILL"]).arg(home.join("seekdb"));
        command.args(["--nodaemon", "--port", "2881", "--base-dir"]).arg(dir.path());
        for parameter in ["memory_limit=2G", "datafile_size=512M", "log_disk_size=2G"] {
            command.args(["--parameter", parameter]);
        }
        // A statement of a load takes longer than ten seconds on a busy machine.
        command.args(["--variable", "ob_query_timeout=600000000", "--variable", "ob_trx_timeout=600000000"]);
        command.env("LD_LIBRARY_PATH", &home).process_group(0);
        let server = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut it = Seekdb { server: server.expect("unshare runs; hint: make test"), dir };
        let start = Instant::now();
        while !it.made("CREATE DATABASE IF NOT EXISTS sbtest") {
            let ended = it.server.try_wait().expect("it is ours");
            assert!(
                ended.is_none(),
                "seekdb ended: {ended:?}; hint: apt-get install iproute2, and root or user namespaces"
            );
            assert!(start.elapsed() < Duration::from_secs(180), "seekdb does not come up");
            std::thread::sleep(Duration::from_millis(200));
        }
        it
    }

    fn socket(&self) -> PathBuf {
        self.dir.path().join("run/sql.sock")
    }

    /// Whether it has carried this out.
    fn made(&self, sql: &str) -> bool {
        let mut client = Command::new("mariadb");
        client.args(["--no-defaults", "-uroot", "-e", sql, "-S"]).arg(self.socket());
        client.output().is_ok_and(|output| output.status.success())
    }

    /// Its address.
    pub fn dsn(&self) -> String {
        format!("mysql://root@localhost/sbtest?socket={}", self.socket().display())
    }
}

impl Drop for Seekdb {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Address for Seekdb {
    fn dsn(&self) -> String {
        self.dsn()
    }
}
