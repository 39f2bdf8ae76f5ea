//! A real server that a test kills, freezes and brings back at the same address with the same data.

use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::Sandbox;

/// Debian's MariaDB or PostgreSQL, which can go and come back.
#[derive(Debug)]
pub struct Phoenix {
    sandbox: Sandbox,
    argv: Vec<String>,
    pid: u32,
    again: Option<Child>,
}

impl Phoenix {
    /// Starts MariaDB with these server variables.
    pub fn start(server: &[(&str, &str)]) -> Phoenix {
        Phoenix::of(crate::mariadb(server))
    }

    /// Starts PostgreSQL with these settings.
    pub fn postgres(server: &[(&str, &str)]) -> Phoenix {
        Phoenix::of(crate::postgres(server))
    }

    fn of(sandbox: Sandbox) -> Phoenix {
        let pid = sandbox.pid().expect("it has a process");
        let argv = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).expect("it runs");
        let argv = argv.trim_end_matches('\0').split('\0').map(str::to_owned).collect();
        Phoenix { sandbox, argv, pid, again: None }
    }

    /// The private server's name.
    pub fn name(&self) -> &str {
        self.sandbox.name()
    }

    /// Its process.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// Its directory.
    pub fn dir(&self) -> &std::path::Path {
        self.sandbox.dir()
    }

    /// Its address.
    pub fn dsn(&self) -> String {
        self.sandbox.dsn()
    }

    /// Sends it a signal by name: `KILL`, `STOP`, `CONT`.
    pub fn signal(&self, name: &str) {
        signal(self.pid, name);
    }

    /// Kills it without a word, as a crash would, and waits until it is gone.
    pub fn crash(&mut self) {
        self.signal("KILL");
        if let Some(mut child) = self.again.take() {
            let _ = child.wait();
        }
        let gone = || std::fs::read_link(format!("/proc/{}/exe", self.pid)).is_err();
        wait_until("the killed server is gone", gone);
        // PostgreSQL's helpers hold the port, and the data, until they see it.
        wait_until("no process listens for it", || TcpStream::connect(self.listens_at()).is_err());
    }

    /// Starts it again with the same arguments and waits until it listens; once more if it ends, because meanwhile
    /// somebody's connection may have its port.
    pub fn rise(&mut self) {
        let owner = std::fs::metadata(self.sandbox.dir().join("data")).expect("its data is there");
        let mut command = Command::new(&self.argv[0]);
        command.args(&self.argv[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        if owner.uid() != std::fs::metadata("/proc/self").expect("we run").uid() {
            command.uid(owner.uid()).gid(owner.gid());
        }
        let at = self.listens_at();
        let mut child = command.spawn().expect("the server starts again");
        wait_until("the server listens again", || {
            if child.try_wait().expect("it is ours").is_some() {
                child = command.spawn().expect("the server starts again");
            }
            TcpStream::connect(&at).is_ok()
        });
        self.pid = child.id();
        self.again = Some(child);
    }

    fn listens_at(&self) -> String {
        let dsn = Dsn::parse(&self.dsn()).expect("it has an address");
        format!("127.0.0.1:{}", dsn.port.expect("it has a port"))
    }
}

impl Drop for Phoenix {
    fn drop(&mut self) {
        if let Some(mut child) = self.again.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Sends a process a signal by name.
pub(crate) fn signal(pid: u32, name: &str) {
    let sent = Command::new("kill").arg(format!("-{name}")).arg(pid.to_string()).status();
    assert!(sent.expect("kill runs").success(), "kill -{name} {pid}");
}

/// Waits for what comes within two minutes, on a machine that does much else.
pub fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(120), "in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
