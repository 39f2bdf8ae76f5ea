//! Servers that lie about their data directory, while Tenbin replaces data by golden copies: whatever they name, and whenever they
//! exchange it, nothing is changed there, and nothing of it comes into a golden copy.

use crate::AttackContext;
use crate::outcome::{Outcome, Running};
use crate::store::{Place, is_restored, target};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tenbin_tests::sql::{self, Address};
use tenbin_tests::{Restarting, mariadb, wait_until};

/// What no one else may have.
const SECRET: &str = "the secret of the victim";
/// The account of a process that has no rights anywhere.
const NOBODY: u32 = 65534;

/// A directory that looks like one of data, of this account.
fn victim(at: PathBuf, owner: (u32, u32), mode: u32) -> PathBuf {
    std::fs::create_dir_all(at.join("sbtest/deep")).unwrap();
    for file in ["ibdata1", "aria_log_control", "sbtest/sbtest1.ibd", "sbtest/deep/thesis.tex", "PG_VERSION"] {
        std::fs::write(at.join(file), SECRET).unwrap();
        dress(&at.join(file), owner, mode & 0o666);
    }
    for dir in ["sbtest/deep", "sbtest", ""] {
        dress(&at.join(dir), owner, mode);
    }
    at
}

fn dress(path: &Path, (user, group): (u32, u32), mode: u32) {
    std::os::unix::fs::chown(path, Some(user), Some(group)).unwrap();
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
}

/// Everything that can be seen of a directory but the times at which it was read.
fn seen(dir: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    let mut next = vec![dir.to_owned()];
    while let Some(path) = next.pop() {
        let meta = path.symlink_metadata().unwrap();
        let text = if meta.is_file() { std::fs::read_to_string(&path).unwrap() } else { String::new() };
        let looks = (meta.ino(), meta.mode(), meta.uid(), meta.gid(), meta.mtime_nsec(), meta.nlink(), text);
        if meta.is_dir() {
            next.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
        all.insert(path, format!("{looks:?}"));
    }
    all
}

/// The victim is as it was, and no golden copy has anything of it.
fn is_unharmed(victim: &Path, before: &BTreeMap<PathBuf, String>, place: &Place, outcome: &Outcome) {
    assert_eq!(&seen(victim), before, "{outcome:?}");
    if place.copies().is_dir() {
        let printed = Command::new("grep").args(["-rlF", SECRET]).arg(place.copies()).output().unwrap();
        assert_eq!(String::from_utf8_lossy(&printed.stdout), "", "{outcome:?}");
    }
}

/// The path that a server names leads elsewhere: before the run, while it is stopped, or again and again.
pub fn by_links(world: &mut AttackContext) -> String {
    let server = Restarting::of(mariadb(&[]));
    let place = Place::new(world);
    let (stop, start) = server.commands();
    let dsn = server.dsn();
    let (data, real) = (server.dir().join("data"), server.dir().join("data-real"));
    let owner = std::fs::metadata(&data).map(|meta| (meta.uid(), meta.gid())).unwrap();
    if world.between(0, 1) == 0 {
        is_restored(&place.does(&target(&dsn, "copy", &stop, &start)), &server);
    }
    let when = *world.one_of(&["before", "while it is stopped", "again and again"]);
    // A server that is started on another directory of its own account writes there: its account may.
    let whose = if when == "again and again" { "root's" } else { *world.one_of(&["root's", "its own"]) };
    let mode = *world.one_of(&[0o755, 0o700]);
    let owner = if whose == "root's" { (0, 0) } else { owner };
    let victim = victim(world.folder().join("victim"), owner, mode);
    let before = seen(&victim);

    let (d, r, v) = (data.display().to_string(), real.display().to_string(), victim.display().to_string());
    let (away, back) = (format!("mv {d} {r} && ln -s {v} {d}"), format!("test ! -L {d} || {{ rm {d}; mv {r} {d}; }}"));
    let target = match when {
        "while it is stopped" => target(&dsn, "copy", &format!("{stop} && {away}"), &format!("{back}; {start}")),
        _ => target(&dsn, "copy", &stop, &start),
    };
    let is_over = AtomicBool::new(false);
    let pauses: Vec<u64> = (0..64).map(|_| world.between(0, 60)).collect();
    let outcome = std::thread::scope(|scope| {
        match when {
            "before" => _ = Command::new("sh").args(["-c", &away]).status(),
            "again and again" => _ = scope.spawn(|| exchanged(&data, &real, &victim, &pauses, &is_over)),
            _ => {}
        }
        let outcome = Running::start(&mut place.run(&target)).end();
        is_over.store(true, Ordering::Relaxed);
        outcome
    });
    is_unharmed(&victim, &before, &place, &outcome);
    format!("a directory of {whose} with mode {mode:o}, {when} → {}", outcome.end())
}

/// Puts a link to the victim into the place of the data, and the data back, with these pauses between.
fn exchanged(data: &Path, real: &Path, victim: &Path, pauses: &[u64], is_over: &AtomicBool) {
    let mut pauses = pauses.iter().cycle();
    let mut pause = || std::thread::sleep(Duration::from_millis(*pauses.next().unwrap()));
    while !is_over.load(Ordering::Relaxed) {
        if std::fs::rename(data, real).is_ok() {
            let _ = std::os::unix::fs::symlink(victim, data);
        }
        pause();
        if data.is_symlink() && std::fs::remove_file(data).is_ok() {
            let _ = std::fs::rename(real, data);
        }
        pause();
    }
}

/// The environment of [`relay`]: its port, that of the server, what to replace, and by what.
const RELAY: &str = "TENBIN_STORM_RELAY";

/// A process of an account without rights that calls itself `mysqld`, answers as a server does, and names a directory of root's.
pub fn by_a_process(world: &mut AttackContext) -> String {
    let server = mariadb(&[]);
    let place = Place::new(world);
    let named = sql::query(&server, "SELECT @@datadir")[0][0].clone();
    let folder = world.folder();
    // As long as what it stands for, so that it fits into the messages of the protocol.
    let parent = folder.parent().unwrap();
    let name = named.len() - parent.display().to_string().len() - 2;
    let mode = *world.one_of(&[0o755, 0o700]);
    let owner = *world.one_of(&[(0, 0), (0, NOBODY)]);
    let victim = victim(parent.join("v".repeat(name)), owner, mode);
    let before = seen(&victim);

    let program = folder.join("mysqld");
    std::fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    dress(&program, (0, 0), 0o755);
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let dsn = tenbin_model::dsn::Dsn::parse(&server.dsn()).unwrap();
    let words = format!("{port} {} {named} {}/", dsn.port.unwrap(), victim.display());
    // In the directory that it names, where it may go there; its files open, where it may read them.
    let there = world.between(0, 1) == 0 && mode == 0o755;
    let (works, opens) = match there {
        true => (victim.clone(), victim.join("ibdata1").display().to_string()),
        false => (folder.clone(), "/dev/null".to_owned()),
    };
    let pid = folder.join("pid");
    let begin = format!(
        "cd {} && {RELAY}='{words}' setpriv --reuid={NOBODY} --regid={NOBODY} --clear-groups {} --exact \
         lies::relay <{opens} >/dev/null 2>&1 & echo $! >{}",
        works.display(),
        program.display(),
        pid.display()
    );
    let mut relay = Relay(Command::new("sh").args(["-c", &begin]).spawn().unwrap(), pid.clone());
    relay.0.wait().unwrap();
    let address = format!("127.0.0.1:{port}");
    wait_until("the process listens", || TcpStream::connect(&address).is_ok());

    let kind = *world.one_of(&["copy", "backup"]);
    let end = format!("kill -9 $(cat {})", pid.display());
    let dsn = server.dsn().replace(&format!(":{}/", dsn.port.unwrap()), &format!(":{port}/"));
    let outcome = place.does(&target(&dsn, kind, &end, &begin));
    is_unharmed(&victim, &before, &place, &outcome);
    std::fs::remove_dir_all(&victim).unwrap();
    assert!(!matches!(outcome.code, Some(0)), "{outcome:?}");
    let text = format!("{}{}", outcome.out, outcome.err);
    assert!(!text.contains("data restored"), "{outcome:?}");
    format!("{kind}, mode {mode:o}, {} → {}", if there { "in it" } else { "elsewhere" }, outcome.end())
}

struct Relay(Child, PathBuf);

impl Drop for Relay {
    fn drop(&mut self) {
        let pid = std::fs::read_to_string(&self.1).unwrap_or_default();
        let _ = Command::new("kill").args(["-9", pid.trim()]).stderr(Stdio::null()).status();
    }
}

/// The program of that process: passes on what a server and its clients say, and replaces one path by another. An attack starts it,
/// with [`RELAY`]; otherwise it does nothing.
#[test]
fn relay() {
    let Ok(words) = std::env::var(RELAY) else { return };
    let [port, server, from, to] = <[&str; 4]>::try_from(words.split(' ').collect::<Vec<_>>()).unwrap();
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).unwrap();
    for client in listener.incoming().flatten() {
        let Ok(server) = TcpStream::connect(format!("127.0.0.1:{server}")) else { continue };
        let (from, to) = (from.as_bytes().to_vec(), to.as_bytes().to_vec());
        let (of_client, of_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
        std::thread::spawn(move || pass(of_client, server, |_| {}));
        std::thread::spawn(move || pass(of_server, client, |bytes| replace(bytes, &from, &to)));
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, change: impl Fn(&mut [u8])) {
    let mut buffer = vec![0; 1 << 16];
    while let Ok(read @ 1..) = from.read(&mut buffer) {
        change(&mut buffer[..read]);
        if to.write_all(&buffer[..read]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}

fn replace(bytes: &mut [u8], from: &[u8], to: &[u8]) {
    assert_eq!(from.len(), to.len());
    for at in 0..(bytes.len() + 1).saturating_sub(from.len()) {
        if bytes[at..].starts_with(from) {
            bytes[at..at + from.len()].copy_from_slice(to);
        }
    }
}
