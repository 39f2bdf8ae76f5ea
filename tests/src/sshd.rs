//! OpenSSH's server in a directory and on a port of its own, with its own keys, and configurations for `ssh` that lead to it
//! under the name `db`.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs until it is dropped.
pub struct Sshd {
    process: Child,
    port: u16,
    dir: tempfile::TempDir,
}

impl Sshd {
    /// It lets the account of the tests in, with a key.
    pub fn start() -> Sshd {
        let dir = tempfile::tempdir().expect("a directory can be made");
        let port =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|l| l.local_addr()).expect("a port is free").port();
        for name in ["host", "user", "stranger"] {
            let file = dir.path().join(name);
            super::run(Command::new("ssh-keygen").args(["-q", "-t", "ed25519", "-N", "", "-f"]).arg(file));
        }
        let at = |name: &str| dir.path().join(name).display().to_string();
        let settings = format!(
            "ListenAddress 127.0.0.1\nPort {port}\nHostKey {}\nAuthorizedKeysFile {}\nPidFile none\nStrictModes no\n\
             PermitRootLogin prohibit-password\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n",
            at("host"),
            at("user.pub")
        );
        std::fs::write(dir.path().join("sshd_config"), settings).expect("the directory can be written");
        // Debian's start script makes it; it must exist, and is empty.
        let _ = std::fs::create_dir("/run/sshd");
        let process = Command::new("/usr/sbin/sshd")
            .args(["-D", "-e", "-f", &at("sshd_config")])
            .stderr(Stdio::null())
            .spawn()
            .expect("sshd is missing; hint: apt-get install openssh-server");
        let started = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(started.elapsed() < Duration::from_secs(60), "sshd does not answer");
            std::thread::sleep(Duration::from_millis(20));
        }
        let sshd = Sshd { process, port, dir };
        let key = std::fs::read_to_string(sshd.dir.path().join("host.pub")).expect("its key was made");
        sshd.write("known", &format!("[127.0.0.1]:{port} {key}"));
        sshd.write("unknown", "");
        sshd
    }

    /// A configuration that leads to it, to be named in a plan.
    pub fn config(&self) -> String {
        self.configuration("user", "known", self.port)
    }

    /// The same with a key that it does not let in.
    pub fn config_without_key(&self) -> String {
        self.configuration("stranger", "known", self.port)
    }

    /// The same for a user who has never connected to it.
    pub fn config_of_stranger(&self) -> String {
        self.configuration("user", "unknown", self.port)
    }

    /// The same for a port on which no server listens.
    pub fn config_without_server(&self) -> String {
        let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).and_then(|l| l.local_addr()).expect("a port is free");
        self.configuration("user", "known", free.port())
    }

    fn configuration(&self, key: &str, known: &str, port: u16) -> String {
        let at = |name: &str| self.dir.path().join(name).display().to_string();
        let text = format!(
            "Host db\nHostName 127.0.0.1\nPort {port}\nIdentityFile {}\nIdentitiesOnly yes\nUserKnownHostsFile {}\n\
             GlobalKnownHostsFile none\n",
            at(key),
            at(known)
        );
        let name = format!("config-{key}-{known}-{port}");
        self.write(&name, &text);
        at(&name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.dir.path().join(name), text).expect("the directory can be written");
    }

    /// The processes that serve its connections.
    pub fn sessions(&self) -> Vec<String> {
        let listed = Path::new("/proc").join(self.process.id().to_string()).join("task");
        let listed = listed.join(self.process.id().to_string()).join("children");
        let listed = std::fs::read_to_string(listed).unwrap_or_default();
        listed.split_whitespace().map(str::to_owned).collect()
    }

    /// Ends all its connections.
    pub fn hang_up(&self) {
        for pid in self.sessions() {
            let _ = Command::new("kill").args(["-KILL", &pid]).status();
        }
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        self.hang_up();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
