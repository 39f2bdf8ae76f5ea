//! A real MariaDB whose data directory, or binary log, is on a file system of its own, and a small one: it can be
//! filled to the last byte, and emptied again, without touching anybody else's disk.
//!
//! The file system is a tmpfs that only the server's own mount namespace sees, so that it is gone with the server
//! however that ends. Making one takes the right to mount (root, also in a container that has `CAP_SYS_ADMIN`), or a
//! user namespace, in which everybody has it.

use crate::phoenix::{signal, wait_until};
use crate::sql::Address;
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tenbin_model::dsn::Dsn;
use tenbin_servers::sandbox::Sandbox;

/// Mounts it over a directory, whose files are copied into it, and becomes the server.
pub(crate) const MOUNT: &str = r#"set -e; over=$1 size=$2; shift 2; small=$(mktemp -d "$over.XXXXXX")
mount -t tmpfs -o "size=$size,mode=0700" small "$small"
cp -a "$over/." "$small/"; chown --reference="$over" "$small"; mount --bind "$small" "$over"; exec "$@""#;

/// What makes a mount namespace: first what root may do, then what everybody may where the kernel is so set.
const NAMESPACES: [&[&str]; 2] = [&["unshare", "--mount"], &["unshare", "--user", "--map-root-user", "--mount"]];

/// Debian's MariaDB on a small disk.
#[derive(Debug)]
pub struct SmallDisk {
    sandbox: Sandbox,
    server: Child,
    /// The part of the sandbox's directory that is small.
    directory: &'static str,
}

impl SmallDisk {
    /// Starts it with these server variables, its data on a disk of this many MiB.
    pub fn start(mebibytes: u64, server: &[(&str, &str)]) -> SmallDisk {
        SmallDisk::under("data", mebibytes, crate::mariadb(server))
    }

    /// Starts it with these server variables and a binary log, which has a disk of this many MiB to itself.
    pub fn of_binary_log(mebibytes: u64, server: &[(&str, &str)]) -> SmallDisk {
        let sandbox = crate::mariadb(server);
        let data = std::fs::metadata(sandbox.dir().join("data")).expect("its data is there");
        let log = sandbox.dir().join("binlog");
        std::fs::create_dir(&log).expect("a directory can be made");
        std::os::unix::fs::chown(&log, Some(data.uid()), Some(data.gid())).expect("it can be given away");
        SmallDisk::under("binlog", mebibytes, sandbox)
    }

    fn under(directory: &'static str, mebibytes: u64, sandbox: Sandbox) -> SmallDisk {
        let pid = sandbox.pid().expect("it has a process");
        let argv = std::fs::read_to_string(format!("/proc/{pid}/cmdline")).expect("it runs");
        let argv: Vec<&str> = argv.trim_end_matches('\0').split('\0').collect();
        // A proper end: what is copied must be whole.
        signal(pid, "TERM");
        wait_until("the server is gone", || !Path::new(&format!("/proc/{pid}/stat")).exists());
        let small = sandbox.dir().join(directory);
        let (namespace, dress) = way(&small);
        let log_bin = (directory == "binlog").then(|| format!("--log-bin={}", small.join("bin").display()));
        let mut command = Command::new(&namespace[0]);
        command.args(&namespace[1..]).args(["sh", "-c", MOUNT, "sh"]).arg(&small).arg(format!("{mebibytes}m"));
        command
            .args(["setpriv", "--pdeathsig", "KILL"])
            .args(dress.account)
            .args(&argv)
            .args(log_bin)
            .args(dress.server);
        let log = std::fs::File::options().append(true).open(sandbox.dir().join("error.log")).expect("it has a log");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let mut small =
            SmallDisk { server: command.spawn().expect("unshare runs; hint: make test"), sandbox, directory };
        let dsn = Dsn::parse(&small.dsn()).expect("it has an address");
        let address = format!("127.0.0.1:{}", dsn.port.expect("it has a port"));
        wait_until("the server listens on its small disk", || {
            let ended = small.server.try_wait().expect("it is ours");
            assert!(ended.is_none(), "it ended: {ended:?}\n{}", small.log());
            TcpStream::connect(&address).is_ok()
        });
        small
    }

    /// Its address.
    pub fn dsn(&self) -> String {
        self.sandbox.dsn()
    }

    /// What it has written into its error log.
    pub fn log(&self) -> String {
        std::fs::read_to_string(self.sandbox.dir().join("error.log")).unwrap_or_default()
    }

    /// Bytes that are free on its disk.
    pub fn free(&self) -> u64 {
        // Not `df`, which looks up mounts in our own namespace.
        let output = crate::run(Command::new("stat").args(["-f", "-c", "%a %S"]).arg(self.inside()));
        let text = String::from_utf8_lossy(&output.stdout);
        let numbers: Vec<u64> = text.split_whitespace().filter_map(|n| n.parse().ok()).collect();
        assert_eq!(numbers.len(), 2, "stat says {text}");
        numbers[0] * numbers[1]
    }

    /// Puts a file beside the server's, so that this many MiB stay free.
    pub fn fill_but(&self, mebibytes: u64) {
        let ballast = self.free().saturating_sub(mebibytes << 20);
        let file = format!("of={}", self.inside().join("ballast").display());
        let size = format!("count={}", ballast >> 20);
        crate::run(self.as_owner("dd").args(["if=/dev/zero", "bs=1M", &file, &size]));
    }

    /// Takes that file away.
    pub fn make_room(&self) {
        let removed = self.as_owner("rm").arg(self.inside().join("ballast")).status().expect("rm runs");
        assert!(removed.success(), "where the server has died its log says why:\n{}", self.log());
    }

    /// A program under the server's account: in a user namespace not even root may make a file for itself.
    fn as_owner(&self, program: &str) -> Command {
        let owner = std::fs::metadata(self.sandbox.dir().join(self.directory)).expect("its directory is there");
        let mut command = Command::new(program);
        if std::fs::metadata("/proc/self").expect("we run").uid() != owner.uid() {
            command.uid(owner.uid()).gid(owner.gid());
        }
        command
    }

    /// The small disk, as seen from the server's mount namespace.
    fn inside(&self) -> PathBuf {
        let small = self.sandbox.dir().join(self.directory);
        Path::new(&format!("/proc/{}/root", self.server.id())).join(small.strip_prefix("/").expect("an absolute path"))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

impl Address for SmallDisk {
    fn dsn(&self) -> String {
        self.dsn()
    }
}

/// What the server is started with besides its arguments.
#[derive(Default)]
struct Dress {
    /// Of `setpriv`.
    account: Vec<String>,
    /// Of the server.
    server: &'static [&'static str],
}

/// The first way to a file system of our own that works here.
fn way(small: &Path) -> (Vec<String>, Dress) {
    let owner = std::fs::metadata(small).expect("its directory is there");
    let us = std::fs::metadata("/proc/self").expect("we run").uid();
    let as_owner =
        vec![format!("--reuid={}", owner.uid()), format!("--regid={}", owner.gid()), "--clear-groups".to_owned()];
    let words = |all: &[&str]| all.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>();
    // In a user namespace the account is root by name, and a server runs as root only with this option.
    let named = Dress { account: Vec::new(), server: &["--user=root"] };
    let mut ways = vec![(words(NAMESPACES[1]), named)];
    if us == 0 {
        let first = [vec!["setpriv".to_owned()], as_owner.clone()].concat();
        let second = std::mem::take(&mut ways[0].0);
        ways[0].0 = [first, second].concat();
        ways.insert(0, (words(NAMESPACES[0]), Dress { account: as_owner, server: &[] }));
    }
    let mut text = String::new();
    for (namespace, dress) in ways {
        let mut probe = Command::new(&namespace[0]);
        probe.args(&namespace[1..]).args(["mount", "-t", "tmpfs", "-o", "size=1m", "probe", "/tmp"]);
        match probe.output() {
            Ok(output) if output.status.success() => return (namespace, dress),
            Ok(output) => text += &format!("{probe:?}: {}", String::from_utf8_lossy(&output.stderr)),
            Err(e) => text += &format!("{probe:?}: {e}\n"),
        }
    }
    panic!(
        "no small file system can be mounted for the server\n{text}hint: run the tests as root with CAP_SYS_ADMIN \
         (docker run --cap-add SYS_ADMIN --security-opt apparmor=unconfined), or let everybody have user namespaces: \
         sysctl kernel.unprivileged_userns_clone=1 kernel.apparmor_restrict_unprivileged_userns=0"
    );
}
