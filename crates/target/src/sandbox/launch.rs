//! What starting a server takes, of whatever kind: an account, a data directory from a template, a free port, a process that is
//! watched until it takes connections.

use super::place;
use super::record;
use crate::proc;
use std::fs::File;
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tenbin_model::problem::Problem;

/// How long a server may take until it takes connections; one that makes keys first takes half a minute.
const PATIENCE: Duration = Duration::from_secs(120);

/// A server about to start.
pub struct Launch<'a> {
    pub name: &'a str,
    pub binary: &'a Path,
    /// The account that its packages make, which it runs as when we are root.
    pub account: &'static str,
    /// Where it writes what goes wrong; its standard error too.
    pub log: &'a Path,
    pub detached: bool,
}

impl Launch<'_> {
    /// Starts it and waits until `ready`; answers with its process and when that began, ticks since boot.
    pub fn start(&self, dress: impl FnOnce(&mut Command), ready: impl Fn() -> bool) -> Result<(u32, u64), Problem> {
        let mut command = self.guarded();
        dress(&mut command);
        let log = File::options().create(true).append(true).open(self.log).map_err(|e| cannot(self.log, &e))?;
        // Not in our process group: a Ctrl-C is for us, and we end the server ourselves.
        command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let (pid, ended) = keep(command, self.name)?;
        self.wait(pid, &ended, ready)?;
        Ok((pid, proc::process(&proc::read(&format!("/proc/{pid}/stat"))).map_or(0, |p| p.2)))
    }

    /// The command, wrapped so that the kernel ends the server when the thread that started it is gone.
    fn guarded(&self) -> Command {
        let Ok(setpriv) = place::find("setpriv") else {
            let mut plain = Command::new(self.binary);
            if let (true, Some((uid, gid))) = (as_root(), numbers(account(self.account))) {
                plain.uid(uid).gid(gid);
            }
            return plain;
        };
        let mut command = Command::new(setpriv);
        // The account is changed before the death signal is set: changing it afterwards would clear the signal.
        command.args(as_account(self.account));
        if !self.detached {
            command.args(["--pdeathsig", record::ending(self.binary).1]);
        }
        command.arg(self.binary);
        command
    }

    fn wait(&self, pid: u32, ended: &mpsc::Receiver<ExitStatus>, ready: impl Fn() -> bool) -> Result<(), Problem> {
        let start = Instant::now();
        loop {
            if let Ok(status) = ended.try_recv() {
                return Err(Problem::new("the server did not start")
                    .evidence(format!("{status}\n{}", tail(self.log)))
                    .mend("look at the server variables in the plan: the log above names the one it refuses"));
            }
            if ready() {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                record::end_process(pid, None, record::ending(self.binary).0);
                return Err(Problem::new("the server did not take connections in time").evidence(format!(
                    "waited {} s\n{}",
                    PATIENCE.as_secs(),
                    tail(self.log)
                )));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Starts the command on a thread that lives as long as the server: the death signal is tied to that thread.
fn keep(mut command: Command, name: &str) -> Result<(u32, mpsc::Receiver<ExitStatus>), Problem> {
    let (started, starting) = mpsc::channel();
    let (ended, end) = mpsc::channel();
    let keeper = std::thread::Builder::new().name(format!("sandbox {name}"));
    let spawned = keeper.spawn(move || match command.spawn() {
        Ok(mut child) => {
            let _ = started.send(Ok(child.id()));
            let status = child.wait();
            let _ = status.map(|s| ended.send(s));
        }
        Err(e) => {
            let _ = started.send(Err(e));
        }
    });
    let pid = spawned.and_then(|_| starting.recv().unwrap_or_else(|e| Err(std::io::Error::other(e))));
    let pid = pid.map_err(|e| Problem::new("the server cannot be started").evidence(e.to_string()))?;
    Ok((pid, end))
}

/// The last lines of the server's log that say something is wrong; the last ones of all when none does.
fn tail(log: &Path) -> String {
    let text = std::fs::read(log).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let errors: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|l| l.contains("[ERROR]") || l.contains("FATAL:") || l.contains("ERROR:"))
        .collect();
    let shown = if errors.is_empty() { &lines } else { &errors };
    shown[shown.len().saturating_sub(6)..].join("\n")
}

/// A fresh data directory of this server, made once and kept: making one takes seconds, copying it a tenth.
pub fn template(
    base: &Path,
    binary: &Path,
    make: impl FnOnce(&Path, &str) -> Result<(), Problem>,
) -> Result<PathBuf, Problem> {
    let version = Command::new(binary)
        .arg("--version")
        .output()
        .map_err(|e| Problem::new(format!("{} does not run", binary.display())).evidence(e.to_string()))?;
    let mut key: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in version.stdout.iter().chain(binary.as_os_str().as_encoded_bytes()) {
        key = (key ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    let kept = base.join(format!("template-{key:016x}"));
    if kept.is_dir() {
        return Ok(kept);
    }
    // Made beside and renamed: two starters at once each make one, and one of them stays.
    let fresh = base.join(
        format!("making-{key:016x}-{}-{:?}", std::process::id(), std::thread::current().id()).replace(['(', ')'], ""),
    );
    let _ = std::fs::remove_dir_all(&fresh);
    make(&fresh, &String::from_utf8_lossy(&version.stdout))?;
    if std::fs::rename(&fresh, &kept).is_err() {
        let _ = std::fs::remove_dir_all(&fresh);
    }
    Ok(kept)
}

pub fn copy(from: &Path, to: &Path) -> Result<(), Problem> {
    run(Command::new("cp").arg("-a").arg(from).arg(to), "copying the server's data directory")
}

pub fn run(command: &mut Command, doing: &str) -> Result<(), Problem> {
    let output = command.stdin(Stdio::null()).output();
    let failed = |evidence: String| Problem::new(format!("{doing} failed")).evidence(evidence);
    let output = output.map_err(|e| failed(format!("{}: {e}", command.get_program().display())))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    Err(failed(lines[lines.len().saturating_sub(6)..].join("\n")))
}

pub fn cannot(path: &Path, e: &std::io::Error) -> Problem {
    Problem::new(format!("{} cannot be written", path.display()))
        .evidence(e.to_string())
        .mend("free space, or export TENBIN_STATE_DIR=…")
}

pub fn free_port() -> Result<u16, Problem> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .map(|a| a.port())
        .map_err(|e| Problem::new("there is no free port").evidence(e.to_string()))
}

pub fn as_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Servers refuse to run as root; packages make an account for them, and where there is none `nobody` will do.
pub fn account(wanted: &'static str) -> &'static str {
    if numbers(wanted).is_some() { wanted } else { "nobody" }
}

/// An account's user and group numbers.
fn numbers(account: &str) -> Option<(u32, u32)> {
    let all = proc::read("/etc/passwd");
    let mut fields = all.lines().find(|l| l.split(':').next() == Some(account))?.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// What makes `setpriv` run a command as the server's account; nothing where we are not root.
pub fn as_account(wanted: &'static str) -> Vec<String> {
    if !as_root() {
        return Vec::new();
    }
    let name = account(wanted);
    let gid = numbers(name).map_or(0, |n| n.1);
    vec![format!("--reuid={name}"), format!("--regid={gid}"), "--clear-groups".into()]
}

/// Gives a directory and all in it to the server's account, where we are root.
pub fn give(dir: &Path, wanted: &'static str) -> Result<(), Problem> {
    if !as_root() {
        return Ok(());
    }
    let whole = format!("{}:", account(wanted));
    run(Command::new("chown").args(["-R", &whole]).arg(dir), "giving the directory to the server's account")
}
