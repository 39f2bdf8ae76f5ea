//! Debian's PgBouncer in transaction mode, in a directory of its own, in front of a private PostgreSQL.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Runs until it is dropped.
pub struct PgBouncer {
    process: Child,
    port: u16,
    _dir: tempfile::TempDir,
}

impl PgBouncer {
    /// In front of the server at this port, with this many connections to it for all clients.
    pub fn start(server_port: u16, connections: u32) -> PgBouncer {
        let dir = tempfile::tempdir().expect("a directory can be made");
        let port =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|l| l.local_addr()).expect("a port is free").port();
        let users = dir.path().join("users.txt");
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={server_port}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\n\
             unix_socket_dir =\nauth_type = trust\nauth_file = {}\npool_mode = transaction\ndefault_pool_size = {connections}\n\
             server_round_robin = 1\nlogfile =\n",
            users.display()
        );
        std::fs::write(&users, "\"postgres\" \"\"\n").expect("the directory can be written");
        let file = dir.path().join("pgbouncer.ini");
        std::fs::write(&file, settings).expect("the directory can be written");
        super::run(Command::new("chmod").args(["-R", "a+rX"]).arg(dir.path()));
        // It does not run as root.
        let root = std::os::unix::fs::MetadataExt::uid(&std::fs::metadata(dir.path()).expect("it is there")) == 0;
        let mut command = match root {
            true => {
                let mut command = Command::new("setpriv");
                command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups", "/usr/sbin/pgbouncer"]);
                command
            }
            false => Command::new("/usr/sbin/pgbouncer"),
        };
        let process =
            command.arg("-q").arg(file).spawn().expect("pgbouncer is missing; hint: apt-get install pgbouncer");
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "pgbouncer does not answer; hint: apt-get install pgbouncer"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        PgBouncer { process, port, _dir: dir }
    }

    /// An address through it.
    pub fn dsn(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/sbtest", self.port)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
