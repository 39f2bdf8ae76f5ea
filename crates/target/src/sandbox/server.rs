//! Starts `mariadbd` or `mysqld`: data directory from a template, free port, own socket, wait for its greeting.

use super::record::Known;
use super::{Options, place};
use crate::proc;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tenbin_model::problem::Problem;

/// How long a server may take to greet; one that makes keys first takes half a minute.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a sandbox has unless the plan says otherwise: private, complete, out of the way.
const DEFAULTS: &[(&str, &str)] = &[
    ("skip-name-resolve", ""),
    ("local-infile", "1"),
    ("max-connections", "10100"),
    ("innodb-buffer-pool-size", "512M"),
    ("innodb-log-file-size", "256M"),
    ("skip-log-bin", ""),
    ("max-prepared-stmt-count", "1048576"),
    ("open-files-limit", "20000"),
];

pub fn start(base: &Path, name: &str, dir: &Path, options: &Options) -> Result<Known, Problem> {
    let binary = place::find(&options.binary)?;
    let data = dir.join("data");
    copy(&template(base, &binary)?, &data)?;
    // Data that came ready made have accounts without a name, which would be taken for ours.
    let nameless =
        if ready_data(&binary).is_some() { "DELETE FROM mysql.user WHERE User='';\nFLUSH PRIVILEGES;\n" } else { "" };
    let sql = format!("{nameless}CREATE DATABASE IF NOT EXISTS sbtest;\n");
    std::fs::write(dir.join("init.sql"), sql).map_err(|e| cannot(dir, &e))?;
    let account = as_root().then(|| server_account(&binary));
    if let Some(account) = account {
        let whole = format!("{account}:");
        run(Command::new("chown").args(["-R", &whole]).arg(dir), "giving the directory to the server's account")?;
    }
    let port = free_port()?;
    let log = dir.join("error.log");
    let mut command = guarded(&binary, options.detached, account);
    command.args(arguments(&binary, dir, &data, &log, port, options));
    if let Some(base) = base_dir(&binary) {
        // A repackaged server may bring libraries of its own.
        command.env("LD_LIBRARY_PATH", base);
    }
    // Not in our process group: a Ctrl-C is for us, and we end the server ourselves.
    command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let (pid, ended) = keep(command, name)?;
    wait_for_greeting(port, &ended, &log, pid)?;
    let start = proc::process(&proc::read(&format!("/proc/{pid}/stat"))).map_or(0, |p| p.2);
    Ok(Known {
        pid,
        process_start: start,
        dsn: format!("mysql://root@127.0.0.1:{port}/sbtest"),
        ..Known::new(name, &options.binary, dir)
    })
}

/// The command, wrapped so that the kernel ends the server when the thread that started it is gone.
fn guarded(binary: &Path, detached: bool, account: Option<&str>) -> Command {
    let Ok(setpriv) = place::find("setpriv") else {
        let mut plain = Command::new(binary);
        plain.args(account.map(|a| format!("--user={a}")));
        return plain;
    };
    let mut command = Command::new(setpriv);
    // The account is changed before the death signal is set: changing it afterwards would clear the signal.
    if let Some(account) = account {
        command.args([format!("--reuid={account}"), format!("--regid={account}"), "--clear-groups".into()]);
    }
    if !detached {
        command.args(["--pdeathsig", "TERM"]);
    }
    command.arg(binary);
    command
}

fn arguments(binary: &Path, dir: &Path, data: &Path, log: &Path, port: u16, options: &Options) -> Vec<String> {
    let path = |p: PathBuf| p.display().to_string();
    let mut all = vec!["--no-defaults".to_owned()];
    all.extend(base_dir(binary).map(|b| format!("--basedir={}", b.display())));
    let messages = base_dir(binary).map(|b| b.join("share")).filter(|s| s.join("english/errmsg.sys").is_file());
    all.extend(messages.map(|m| format!("--lc-messages-dir={}", m.display())));
    all.push(format!("--datadir={}", data.display()));
    all.push(format!("--socket={}", path(dir.join("s.sock"))));
    all.push(format!("--pid-file={}", path(dir.join("pid"))));
    all.push(format!("--log-error={}", log.display()));
    all.push(format!("--init-file={}", path(dir.join("init.sql"))));
    all.push(format!("--port={port}"));
    all.push("--bind-address=127.0.0.1".to_owned());
    let same = |a: &str, b: &str| a.replace('_', "-") == b.replace('_', "-");
    let given = |name: &str| options.server.keys().any(|k| same(k, name) || same(k, name.trim_start_matches("skip-")));
    for (name, value) in DEFAULTS.iter().filter(|(n, _)| !given(n)) {
        // `loose`: one that this version does not know is passed over. What the plan gives is never loose.
        all.push(if value.is_empty() { format!("--loose-{name}") } else { format!("--loose-{name}={value}") });
    }
    all.extend(options.server.iter().map(|(k, v)| format!("--{}={v}", k.replace('_', "-"))));
    all
}

/// A server unpacked into a directory of its own has its messages beside it.
fn base_dir(binary: &Path) -> Option<PathBuf> {
    let dir = binary.parent()?;
    let dir = if dir.ends_with("bin") || dir.ends_with("sbin") { dir.parent()? } else { dir };
    (dir != Path::new("/usr") && dir != Path::new("/")).then(|| dir.to_path_buf())
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

fn wait_for_greeting(port: u16, ended: &mpsc::Receiver<ExitStatus>, log: &Path, pid: u32) -> Result<(), Problem> {
    let start = Instant::now();
    loop {
        if let Ok(status) = ended.try_recv() {
            return Err(Problem::new("the server did not start")
                .evidence(format!("{status}\n{}", tail(log)))
                .mend("look at the server variables in the plan: the log above names the one it refuses"));
        }
        let mut byte = [0];
        let address = ([127, 0, 0, 1], port).into();
        let greeted = TcpStream::connect_timeout(&address, Duration::from_secs(1)).is_ok_and(|mut s| {
            let _ = s.set_read_timeout(Some(Duration::from_secs(5)));
            s.read(&mut byte).is_ok_and(|n| n == 1)
        });
        if greeted {
            return Ok(());
        }
        if start.elapsed() > PATIENCE {
            super::record::end_process(pid, None);
            return Err(Problem::new("the server did not take connections in time").evidence(format!(
                "waited {} s\n{}",
                PATIENCE.as_secs(),
                tail(log)
            )));
        }
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// The last lines of the server's log that say something is wrong; the last ones of all when none does.
fn tail(log: &Path) -> String {
    let text = std::fs::read(log).map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let errors: Vec<&str> = lines.iter().copied().filter(|l| l.contains("[ERROR]")).collect();
    let shown = if errors.is_empty() { &lines } else { &errors };
    shown[shown.len().saturating_sub(6)..].join("\n")
}

/// A fresh data directory of this server, made once and kept: making one takes seconds, copying it a tenth.
fn template(base: &Path, binary: &Path) -> Result<PathBuf, Problem> {
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
    make_data(binary, &fresh, &String::from_utf8_lossy(&version.stdout))?;
    if std::fs::rename(&fresh, &kept).is_err() {
        let _ = std::fs::remove_dir_all(&fresh);
    }
    Ok(kept)
}

fn make_data(binary: &Path, to: &Path, version: &str) -> Result<(), Problem> {
    let base = base_dir(binary);
    let data = format!("--datadir={}", to.display());
    if version.contains("MariaDB") {
        let beside = base.as_ref().map(|b| b.join("scripts/mariadb-install-db")).filter(|p| p.is_file());
        let install = match beside {
            Some(path) => path,
            None => place::find("mariadb-install-db")?,
        };
        let mut command = Command::new(install);
        command.args(["--no-defaults", &data, "--auth-root-authentication-method=normal", "--skip-test-db"]);
        command.args(base.map(|b| format!("--basedir={}", b.display())));
        if as_root() {
            command.arg(format!("--user={}", server_account(binary)));
        }
        return run(&mut command, "making the server's data directory");
    }
    // A repackaged old server brings its data ready made; newer ones make it themselves.
    if let Some(ready) = ready_data(binary) {
        return copy(&ready, to);
    }
    std::fs::create_dir_all(to).map_err(|e| cannot(to, &e))?;
    let mut command = Command::new(binary);
    command.args(["--no-defaults", "--initialize-insecure", &data]);
    if as_root() {
        run(Command::new("chown").arg("mysql:").arg(to), "giving the directory to the server's account")?;
        command.arg("--user=mysql");
    }
    run(&mut command, "making the server's data directory")
}

/// The data directory that a repackaged server brings along.
fn ready_data(binary: &Path) -> Option<PathBuf> {
    let data = base_dir(binary)?.join("data");
    [data.join("mysql"), data].into_iter().find(|d| d.join("ibdata1").is_file())
}

fn copy(from: &Path, to: &Path) -> Result<(), Problem> {
    run(Command::new("cp").arg("-a").arg(from).arg(to), "copying the server's data directory")
}

fn run(command: &mut Command, doing: &str) -> Result<(), Problem> {
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

fn cannot(path: &Path, e: &std::io::Error) -> Problem {
    Problem::new(format!("{} cannot be written", path.display()))
        .evidence(e.to_string())
        .mend("free space, or export TENBIN_STATE_DIR=…")
}

fn free_port() -> Result<u16, Problem> {
    TcpListener::bind("127.0.0.1:0")
        .and_then(|l| l.local_addr())
        .map(|a| a.port())
        .map_err(|e| Problem::new("there is no free port").evidence(e.to_string()))
}

fn as_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Servers refuse to run as root; packages make an account for them.
fn server_account(_binary: &Path) -> &'static str {
    let accounts = proc::read("/etc/passwd");
    if accounts.lines().any(|l| l.starts_with("mysql:")) { "mysql" } else { "nobody" }
}
