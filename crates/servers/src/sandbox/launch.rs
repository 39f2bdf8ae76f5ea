//! Common parts of starting any server: an account, a data directory from a template, a free port, a process that is
//! watched until it accepts connections.

use super::access::SandboxClient;
use super::ending;
use super::files::{self, MAKING, cannot};
use super::mark::Making;
use super::record::KnownSandbox;
use super::{place, registry};
use crate::rights::Rights;
use crate::{disk, proc, removal};
use std::collections::hash_map::RandomState;
use std::ffi::OsString;
use std::fs::File;
use std::hash::BuildHasher;
use std::io;
use std::net::TcpListener;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::os::unix::net::{SocketAddr, UnixListener};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::time::{Duration, Instant};
use tenbin_model::stop::StopSignal;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long a server may take until it accepts connections; one that generates keys first takes half a minute.
const PATIENCE: Duration = Duration::from_secs(120);

/// The environment variables that are passed to a server and the programs that prepare it: paths of programs and
/// libraries, memory allocation, language, time zone. No passwords, whatever the variable, and not the variables that
/// database clients read.
const KEPT: &[&str] = &[
    "PATH",
    "LD_LIBRARY_PATH",
    "LD_PRELOAD",
    "MALLOC_ARENA_MAX",
    "MALLOC_CONF",
    "GLIBC_TUNABLES",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "LC_MESSAGES",
    "TZ",
    TMPDIR,
];

/// Where programs write temporary files.
const TMPDIR: &str = "TMPDIR";

/// Changes with the content of templates: those created by an earlier version of Tenbin are not used.
const LAYOUT: &str = "3";

/// A server about to start.
pub struct Launch<'a> {
    /// The existing note; the process is added to it as soon as it exists.
    pub known: &'a KnownSandbox,
    pub binary: &'a Path,
    /// The account created by its packages, as which it runs if we are root.
    pub account: &'static str,
    /// Its error log, which also receives its standard error.
    pub log: &'a Path,
    pub stop: &'a StopSignal,
}

/// A server that accepts connections.
pub struct Started {
    pub known: KnownSandbox,
    /// How its process ended, once it has.
    pub ended: Ended,
}

/// How a process ended, once it has.
pub type Ended = Arc<OnceLock<String>>;

impl Launch<'_> {
    /// Starts it and waits until `ready`.
    pub fn start(&self, dress: impl FnOnce(&mut Command), ready: impl Fn() -> bool) -> Result<Started, Problem> {
        let mut command = self.guarded();
        dress(&mut command);
        // The directory is the account's, and the server opens the log by its name too.
        let owner = self.log.parent().map_or(Ok(Rights::OURS), Rights::of_owner)?;
        let flags = rustix::fs::OFlags::NOFOLLOW.bits() as i32;
        let mut options = File::options();
        options.create(true).append(true).mode(0o640).custom_flags(flags);
        let log = owner.within(|| options.open(self.log)).map_err(|e| cannot(self.log, &e))?;
        // Not in our process group: Ctrl-C is meant for this process, which then ends the server itself.
        command.process_group(0).stdin(Stdio::null()).stdout(Stdio::null()).stderr(log);
        let started = keep(command, self.known)?;
        self.wait(&started, ready)?;
        Ok(started)
    }

    /// The command, wrapped so that the kernel ends the server when the thread that started it ends.
    fn guarded(&self) -> Command {
        let Ok(setpriv) = place::find("setpriv") else {
            let mut plain = program(self.binary);
            if let (true, Some((uid, gid))) = (as_root(), numbers(account(self.account))) {
                plain.uid(uid).gid(gid);
            }
            return plain;
        };
        let mut command = program(&setpriv);
        // The account is changed before the death signal is set: changing it afterwards would clear the signal.
        command.args(as_account(self.account));
        if !self.known.detached {
            command.args(["--pdeathsig", ending::signal_of(self.binary).1]);
        }
        command.arg(self.binary);
        command
    }

    fn wait(&self, started: &Started, ready: impl Fn() -> bool) -> Result<(), Problem> {
        let start = Instant::now();
        loop {
            // In this order: a server that we have ended ourselves ended after the stop was requested.
            let (ended, stopped) = (started.ended.get(), self.stop.asked());
            if let (Some(status), false) = (ended, stopped) {
                let kept = ending::keep_log(&started.known);
                let whole = kept.map(|path| format!("\nthe whole log: {}", path.display())).unwrap_or_default();
                return Err(Problem::new(msg!("server-did-not-start"))
                    .evidence(foreign(format!("{status}\n{}{whole}", tail(self.log))))
                    .hint(msg!("look-at-server-variables")));
            }
            let end = || ending::end_process(started.known.pid, None, ending::signal_of(self.binary).0);
            if stopped {
                end();
                return Err(Problem::new(msg!("stopped-while-sandbox-starts")));
            }
            if ready() {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                end();
                return Err(Problem::new(msg!("server-took-no-connections")).evidence(msg!(
                    "waited-with-log",
                    patience = PATIENCE.as_secs(),
                    log = tail(self.log)
                )));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Starts the command on a thread that lives as long as the server: the death signal is tied to that thread.
fn keep(mut command: Command, known: &KnownSandbox) -> Result<Started, Problem> {
    let (started, starting) = mpsc::sync_channel(1);
    let ended = Ended::default();
    let (end, mut known) = (ended.clone(), known.clone());
    let keeper = std::thread::Builder::new().name(format!("sandbox {}", known.name));
    let spawned = keeper.spawn(move || {
        // Registered under the lock: a signal handler either finds the process or it does not exist.
        let spawned = registry::spawn(&mut known, || command.spawn());
        match spawned {
            Ok(mut child) => {
                let _ = started.send(Ok(known));
                let status = child.wait().map_or_else(|e| e.to_string(), |s| s.to_string());
                let _ = end.set(status);
            }
            Err(problem) => {
                let _ = started.send(Err(problem));
            }
        }
    });
    let no_thread = |e: String| Problem::new(msg!("server-cannot-be-started")).evidence(foreign(e));
    spawned.map_err(|e| no_thread(e.to_string()))?;
    let known = starting.recv().map_err(|e| no_thread(e.to_string()))??;
    Ok(Started { known, ended })
}

/// The last lines of the server's log that report an error; if there are none, the last lines.
pub fn tail(log: &Path) -> String {
    let text = files::read_log(log);
    let lines: Vec<&str> = text.lines().collect();
    let errors: Vec<&str> = lines
        .iter()
        .copied()
        .filter(|l| l.contains("[ERROR]") || l.contains("FATAL:") || l.contains("ERROR:"))
        .collect();
    let shown = if errors.is_empty() { &lines } else { &errors };
    shown[shown.len().saturating_sub(6)..].join("\n")
}

/// A command with only the environment variables that it needs.
pub fn program(path: &Path) -> Command {
    let mut command = Command::new(path);
    command.env_clear().envs(KEPT.iter().filter_map(|name| Some((name, passed(name, std::env::var_os(name)?)?))));
    command
}

/// The value of a variable, if it is passed on: servers that we start as another account cannot use a directory for temporary files that is
/// for root alone, as some systems give each user.
fn passed(name: &str, value: OsString) -> Option<OsString> {
    (name != TMPDIR || !as_root() || is_for_all(Path::new(&value))).then_some(value)
}

/// Whether any account may write in a directory.
fn is_for_all(dir: &Path) -> bool {
    let allows = |dir: &Path, mode: u32| dir.metadata().is_ok_and(|meta| meta.mode() & mode == mode);
    allows(dir, 0o003) && dir.ancestors().skip(1).filter(|dir| *dir != Path::new("")).all(|dir| allows(dir, 0o001))
}

/// The output of a program's `--version`.
pub fn version(binary: &Path) -> Result<String, Problem> {
    let output =
        tenbin_intake::output_within(program(binary).arg("--version"), tenbin_intake::SMALL, tenbin_intake::SILENCE)
            .map_err(|e| Problem::new(msg!("binary-does-not-run", binary = binary.display())).evidence(foreign(e)))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// If a step fails with less free space than this, it was not enough: what could not be written may have been larger than what is left.
const FULL: u64 = 110 << 20;

/// A directory in which a private server has its data, or a part of them.
#[derive(Debug, Clone, Copy)]
pub struct DataPlace<'a> {
    /// The directory, which need not exist yet.
    pub path: &'a Path,
    /// Whether the plan names it (`data_directory`), rather than that it is in the directory of private servers.
    pub is_named: bool,
}

impl<'a> DataPlace<'a> {
    /// That of private servers.
    pub fn usual(path: &'a Path) -> Self {
        DataPlace { path, is_named: false }
    }
}

/// Fails if that many bytes do not fit there.
pub fn has_room(place: DataPlace<'_>, bytes: u64) -> Result<(), Problem> {
    match disk::room(place.path) {
        Some(room) if room.free < bytes => Err(no_room(place, room.free, bytes)),
        _ => Ok(()),
    }
}

/// The failure, or, if the disk is full, that it is: programs say that in many ways, and some not at all. `bytes`: what is wanted there.
pub fn or_full(problem: Problem, place: DataPlace<'_>, bytes: u64) -> Problem {
    match disk::room(place.path) {
        Some(room) if room.free < FULL && !problem.what.is("no-room-for-server") => {
            let full = no_room(place, room.free, bytes);
            let evidence = [full.evidence, Some(problem.what), problem.evidence].into_iter().flatten();
            Problem { evidence: Some(Message::joined(evidence, "\n")), what: full.what, hint: full.hint }
        }
        _ => problem,
    }
}

pub(super) fn no_room(place: DataPlace<'_>, free: u64, bytes: u64) -> Problem {
    let DataPlace { path, is_named } = place;
    let size = |bytes: u64| figure::bytes(bytes as f64);
    let (place, free, wants) = (path.display(), size(free), size(bytes));
    let hint = match is_named {
        true => msg!("make-room-for-data", place = &place),
        false => msg!("make-room-for-server", place = &place),
    };
    let problem = Problem::new(msg!("no-room-for-server"));
    problem.evidence(msg!("no-room-for-server-seen", place, free, wants)).hint(hint)
}

/// A template, and the first server that is made of it.
#[derive(Debug, Clone, Copy)]
pub struct TemplateUse<'a> {
    /// Where the server has its data.
    pub data: &'a Path,
    /// The bytes of the template.
    pub template_bytes: u64,
    /// The bytes of the server.
    pub server_bytes: u64,
}

impl TemplateUse<'_> {
    /// Fails if there is no room for a template in the directory of private servers, or for it and for the server.
    fn has_room(&self, base: &Path) -> Result<(), Problem> {
        let file_system = |path: &Path| disk::room(path).map(|room| room.file_system);
        let beside = if file_system(self.data) == file_system(base) { self.server_bytes } else { 0 };
        has_room(DataPlace::usual(base), self.template_bytes.saturating_add(beside))
    }
}

/// A fresh data directory of this server, created once and kept: creating one takes seconds, copying it a tenth of
/// that. `wanted`: the server's account; `first`: what is made of it first.
pub fn template(
    base: &Path,
    (binary, version): (&Path, &str),
    wanted: &'static str,
    first: TemplateUse<'_>,
    make: impl FnOnce(&Path) -> Result<(), Problem>,
) -> Result<PathBuf, Problem> {
    let key = key(binary, version);
    let kept = base.join(format!("template-{key:016x}"));
    if is_ours(&kept, wanted)? {
        return Ok(kept);
    }
    first.has_room(base)?;
    // Created under another name and renamed: if two processes do so at the same time, one of the results remains.
    let fresh = base.join(
        format!("{MAKING}{key:016x}-{}-{:?}", std::process::id(), std::thread::current().id()).replace(['(', ')'], ""),
    );
    Making::make(&fresh)?;
    let data = fresh.join("data");
    // Before it is removed, which makes room.
    let made = make(&data).map_err(|problem| or_full(problem, DataPlace::usual(base), first.template_bytes));
    if made.is_ok() {
        // Fails if another process was quicker.
        let _ = std::fs::rename(&data, &kept);
    }
    let _ = removal::tree(&fresh);
    made?;
    match is_ours(&kept, wanted)? {
        true => Ok(kept),
        false => Err(Problem::new(msg!("making-server-data"))),
    }
}

fn key(binary: &Path, version: &str) -> u64 {
    let all = LAYOUT.bytes().chain(version.bytes()).chain(binary.as_os_str().as_encoded_bytes().iter().copied());
    all.fold(0xcbf2_9ce4_8422_2325, |key, byte| (key ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Whether a template is there. One that we, or the server's account, have not made is not used: others may create names in the directory, if it is one
/// for temporary files.
fn is_ours(kept: &Path, wanted: &'static str) -> Result<bool, Problem> {
    let Ok(meta) = kept.symlink_metadata() else { return Ok(false) };
    let us = rustix::process::geteuid().as_raw();
    let of_server = as_root().then(|| numbers(account(wanted))).flatten().map(|(user, _)| user);
    if meta.is_dir() && (meta.uid() == us || Some(meta.uid()) == of_server) {
        return Ok(true);
    }
    let evidence = match meta.is_dir() {
        true => msg!("directory-of-another-user", owner = meta.uid(), user = us),
        false => msg!("no-directory"),
    };
    let problem = Problem::new(msg!("sandbox-directory-unusable", path = kept.display())).evidence(evidence);
    Err(problem.hint(msg!("export-state-dir")))
}

pub fn copy(from: &Path, to: &Path) -> Result<(), Problem> {
    run(program(Path::new("cp")).arg("-a").arg(from).arg(to), msg!("copying-server-data"))
}

pub fn run(command: &mut Command, doing: Message) -> Result<(), Problem> {
    let output = tenbin_intake::output(command.stdin(Stdio::null()), tenbin_intake::SMALL);
    let failed = |evidence: String| Problem::new(msg!("step-failed", doing = &doing)).evidence(foreign(evidence));
    let output = output.map_err(|e| failed(format!("{}: {e}", command.get_program().display())))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned() + &String::from_utf8_lossy(&output.stdout);
    Err(failed(cause(&text)))
}

/// The lines of a failed program that say why: those that it marks as errors, because scripts of servers end with general advice, else the last.
fn cause(text: &str) -> String {
    /// The most that are quoted.
    const MOST: usize = 6;
    let lines: Vec<&str> = text.lines().filter(|l| !l.trim().is_empty()).collect();
    let errors: Vec<&str> = lines.iter().filter(|line| line.contains("[ERROR]")).take(MOST).copied().collect();
    if errors.is_empty() { lines[lines.len().saturating_sub(MOST)..].join("\n") } else { errors.join("\n") }
}

/// A port that is free, if possible below those from which the kernel takes the ports of outgoing connections: one of
/// these could be taken by a client before the server listens. No other process of Tenbin on this machine gets it while this one runs:
/// a server is slow to listen, and two that are given one port look alike to a client that connects.
pub fn free_port() -> Result<u16, Problem> {
    let below = proc::read("/proc/sys/net/ipv4/ip_local_port_range");
    let below = below.split_whitespace().next().and_then(|port| port.parse::<u64>().ok()).unwrap_or(LOWEST_PORT);
    let among = below.saturating_sub(LOWEST_PORT);
    let random = || RandomState::new().hash_one(std::process::id());
    let free = (0..50).filter(|_| among > 0).find_map(|_| {
        let port = u16::try_from(LOWEST_PORT + random() % among).ok()?;
        (TcpListener::bind(("127.0.0.1", port)).is_ok() && reserved(port)).then_some(port)
    });
    if let Some(port) = free {
        return Ok(port);
    }
    loop {
        let any = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
        let port = any.map_err(|e| Problem::new(msg!("no-free-port")).evidence(foreign(e)))?.port();
        if reserved(port) {
            return Ok(port);
        }
    }
}

/// Reserves a port among the processes of Tenbin, until this one ends: a socket of this name can be bound once in a network namespace
/// (unix(7), abstract sockets).
#[cfg(target_os = "linux")]
fn reserved(port: u16) -> bool {
    use std::os::linux::net::SocketAddrExt;
    static HELD: Mutex<Vec<UnixListener>> = Mutex::new(Vec::new());
    let name = SocketAddr::from_abstract_name(format!("tenbin-port-{port}"));
    match name.and_then(|name| UnixListener::bind_addr(&name)) {
        Ok(held) => {
            HELD.lock().unwrap_or_else(PoisonError::into_inner).push(held);
            true
        }
        Err(e) => e.kind() != io::ErrorKind::AddrInUse,
    }
}

/// Nothing is reserved where there are no such names.
#[cfg(not(target_os = "linux"))]
fn reserved(_port: u16) -> bool {
    true
}

/// Fails if the server that answers has other data: another one listens at the port. `sql` asks for its data directory.
pub fn is_its_own(asks: &SandboxClient, sql: &str, data: &Path, port: u16) -> Result<(), Problem> {
    let answer = asks.ask(async |c| c.table(sql).await).map_err(|e| e.problem(msg!("asking-server-for-settings")))?;
    has_data(answer.scalar().unwrap_or_default(), data, port)
}

fn has_data(answered: &str, data: &Path, port: u16) -> Result<(), Problem> {
    let [there, ours] = [Path::new(answered), data].map(|path| path.canonicalize().ok());
    match there.is_some() && there == ours {
        true => Ok(()),
        false => Err(Problem::new(msg!("other-server-at-port", port))
            .evidence(msg!("other-server-has-data", there = answered, ours = data.display()))
            .hint(msg!("start-it-again"))),
    }
}

/// Ports from here on are hardly used by services.
const LOWEST_PORT: u64 = 20_000;

pub fn as_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// Servers refuse to run as root; packages create an account for them, and if there is none `nobody` is used.
pub fn account(wanted: &'static str) -> &'static str {
    if numbers(wanted).is_some() { wanted } else { "nobody" }
}

/// An account's user and group numbers.
pub fn numbers(account: &str) -> Option<(u32, u32)> {
    let all = proc::read("/etc/passwd");
    let mut fields = all.lines().find(|l| l.split(':').next() == Some(account))?.split(':').skip(2);
    Some((fields.next()?.parse().ok()?, fields.next()?.parse().ok()?))
}

/// Arguments for `setpriv` to run a command as the server's account; empty if we are not root.
pub fn as_account(wanted: &'static str) -> Vec<String> {
    if !as_root() {
        return Vec::new();
    }
    let name = account(wanted);
    let gid = numbers(name).map_or(0, |n| n.1);
    vec![format!("--reuid={name}"), format!("--regid={gid}"), "--clear-groups".into()]
}

/// Changes the owner of a directory and everything in it to the server's account, if we are root.
pub fn give(dir: &Path, wanted: &'static str) -> Result<(), Problem> {
    if !as_root() {
        return Ok(());
    }
    let whole = format!("{}:", account(wanted));
    run(program(Path::new("chown")).args(["-R", &whole]).arg(dir), msg!("giving-directory-to-account"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_failed_is_quoted_with_its_errors_or_else_its_last_lines() {
        let advice = "Please check all of the above\n".repeat(8);
        let cause_of = |errors: &str| cause(&format!("Installing …\n{errors}{advice}"));
        let error = "[ERROR] mariadbd: Can't create/write to file '/tmp/ibSx' (Errcode: 13)";
        assert_eq!(cause_of(&format!("2026-11-30 {error}\n")), format!("2026-11-30 {error}"));
        assert_eq!(cause_of("").lines().count(), 6);
    }

    /// Private servers of root run as another account.
    #[test]
    fn a_directory_for_temporary_files_that_is_for_root_alone_is_not_passed_on() {
        use std::os::unix::fs::PermissionsExt;
        let base = tempfile::tempdir().unwrap();
        let (closed, open) = (base.path().join("closed"), base.path().join("open"));
        for (dir, mode) in [(base.path(), 0o755), (&closed, 0o755), (&open, 0o1777)] {
            std::fs::create_dir_all(dir).unwrap();
            std::fs::set_permissions(dir, std::fs::Permissions::from_mode(mode)).unwrap();
        }
        assert_eq!((is_for_all(&closed), is_for_all(&open)), (false, true));
        assert_eq!(passed(TMPDIR, closed.clone().into()).is_none(), as_root());
        assert_eq!(passed("PATH", closed.clone().into()), Some(closed.into()));
        std::fs::set_permissions(base.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
        assert!(!is_for_all(&open), "no other account reaches it");
    }

    #[test]
    fn a_template_of_another_account_is_not_used() {
        let base = tempfile::tempdir().unwrap();
        let of = (Path::new("/usr/sbin/mariadbd"), "11.4");
        let mut made = 0;
        let mut template = || {
            let first = TemplateUse { data: base.path(), template_bytes: 0, server_bytes: 0 };
            template(base.path(), of, "mysql", first, |to| {
                made += 1;
                std::fs::create_dir(to).map_err(|e| cannot(to, &e))
            })
        };
        let kept = template().unwrap();
        assert_eq!(template().unwrap(), kept);
        std::fs::rename(&kept, base.path().join("theirs")).unwrap();
        std::os::unix::fs::symlink(base.path().join("theirs"), &kept).unwrap();
        assert_eq!(template().unwrap_err().code(), Some("sandbox-directory-unusable"), "a link");
        std::fs::remove_file(&kept).unwrap();
        std::fs::create_dir(&kept).unwrap();
        if as_root() {
            std::os::unix::fs::chown(&kept, Some(54_321), None).unwrap();
            assert_eq!(template().unwrap_err().code(), Some("sandbox-directory-unusable"));
        }
        assert_eq!(made, 1);
    }

    #[test]
    fn a_server_has_room_for_its_template_too() {
        let base = tempfile::tempdir().unwrap();
        let of = (Path::new("/usr/sbin/mariadbd"), "11.4");
        let free = disk::room(base.path()).unwrap().free;
        let data = base.path().join("data");
        let bytes = free / 4 * 3;
        let first = TemplateUse { data: &data, template_bytes: bytes, server_bytes: bytes };
        // One of them would fit.
        let problem = template(base.path(), of, "mysql", first, |_| unreachable!()).unwrap_err();
        assert_eq!(problem.code(), Some("no-room-for-server"));
        assert!(problem.hint.unwrap().is("make-room-for-server"));
        let named = DataPlace { path: base.path(), is_named: true };
        let problem = has_room(named, u64::MAX).unwrap_err();
        assert!(problem.hint.unwrap().is("make-room-for-data"), "TENBIN_STATE_DIR would not help");
    }

    #[test]
    fn a_port_is_given_once_and_another_server_is_not_ours() {
        let port = free_port().unwrap();
        assert!(!reserved(port), "it was given already");
        assert!((0..20).all(|_| free_port().unwrap() != port));
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("data");
        std::fs::create_dir(&data).unwrap();
        assert!(has_data(&format!("{}/", data.display()), &data, port).is_ok(), "as MySQL writes it");
        let other = tempfile::tempdir().unwrap();
        for answered in [other.path().display().to_string(), String::new()] {
            let problem = has_data(&answered, &data, port).unwrap_err();
            assert_eq!(problem.what.english(), format!("another server listens at port {port}"));
        }
    }
}
