//! How a sandbox is ended and removed. A directory that does not have its mark is not removed, whatever is in it, nor one in which a
//! process works that is not the sandbox's. A process is ended only if it is the one in the note, with the same number, start time and
//! start of the machine, which works in its directory or whose command line names its data; or one with the server's name whose command
//! line names the data, because somebody has started it again.

use super::files::{self, MAKING};
use super::mark;
use super::place;
use super::record::{KnownSandbox, LOG, Numbers, list, log_of, names_data, path, read, unfinished_mark, works_since};
use crate::{in_use, removal};
use rustix::process::{Pid, Signal, kill_process};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tenbin_model::dsn::Scheme;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Stops a sandbox by its name and removes its data; one that a run is using only with `force`.
pub fn stop(name: &str, force: bool) -> Result<(), Problem> {
    let all = list()?;
    let Some(known) = all.iter().find(|k| k.name == name) else {
        let names: Vec<&str> = all.iter().map(|k| k.name.as_str()).collect();
        return Err(Problem::new(msg!("sandbox-unknown", sandbox = name))
            .evidence(if names.is_empty() {
                msg!("there-are-none")
            } else {
                msg!("there-are-these", names = names.join(", "))
            })
            .hint(msg!("tenbin-sandbox-list")));
    };
    if let (Some(user), false) = (known.user(), force) {
        return Err(Problem::new(msg!("sandbox-in-use", sandbox = name))
            .evidence(msg!("user-started-it", user))
            .hint(msg!("stop-sandbox-force", name)));
    }
    end(known, Log::Remove)
}

/// Removes leftovers of killed runs, and kept logs; returns the names, and why some were left.
pub fn clean() -> Result<(Vec<String>, Vec<Problem>), Problem> {
    let (mut names, mut kept) = (Vec::new(), Vec::new());
    for known in list()?.into_iter().filter(|k| ["left over", "dead"].contains(&k.state())) {
        match end(&known, Log::Remove) {
            Ok(()) => names.push(known.name),
            Err(problem) => kept.push(problem),
        }
    }
    let base = place::base()?;
    for entry in std::fs::read_dir(&base).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let log_of_none = name.strip_suffix(LOG).is_some_and(|of| !path(&base, of).exists());
        let half_made = name.starts_with(MAKING) && mark::Making::is_left(&entry.path());
        let removed = if log_of_none {
            mark::remove_log(&entry.path())
        } else {
            half_made && in_use::user_of(&entry.path()).is_none() && removal::tree(&entry.path()).is_ok()
        };
        if removed {
            names.push(name);
        }
    }
    Ok((names, kept))
}

/// What is done with the error log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Log {
    Remove,
    /// Not kept; one that was kept before remains.
    Leave,
    /// Kept for diagnosis.
    KeepWhenItEndedByItself,
}

/// Copies a sandbox's error log next to its directory; returns the path.
pub(super) fn keep_log(known: &KnownSandbox) -> Option<PathBuf> {
    let to = log_of(&place::base().ok()?, &known.name);
    let text = Some(files::read_log(&known.dir.join("error.log"))).filter(|text| !text.is_empty())?;
    mark::keep_log(&to, &text).ok()?;
    Some(to)
}

/// Ends the process, removes the directory and then the note. Fails, and leaves the directory, if that is not the sandbox's,
/// or a process of somebody else works in it.
pub(super) fn end(known: &KnownSandbox, log: Log) -> Result<(), Problem> {
    let base = place::base()?;
    // What was noted last: the caller may not know its process yet.
    let noted = read(&path(&base, &known.name), &base, &known.name).filter(|noted| noted.id == known.id);
    let known = noted.unwrap_or_else(|| known.clone());
    if log == Log::KeepWhenItEndedByItself && known.pid != 0 && !known.clone().found().alive() {
        keep_log(&known);
    }
    let again = Some(known.clone().found()).filter(|again| known.has_mark() && names_data(again.pid, &known.data()));
    for server in [Some(&known), again.as_ref()].into_iter().flatten().filter(|server| server.alive()) {
        end_process(server.pid, Some(server.process_start), signal_of(Path::new(&server.binary)).0);
    }
    emptied_storage(&known)?;
    if known.dir.symlink_metadata().is_ok() {
        emptied(&known)?;
    }
    let _ = std::fs::remove_file(path(&base, &known.name));
    if log == Log::Remove {
        mark::remove_log(&log_of(&base, &known.name));
    }
    Ok(())
}

/// Removes the directory of a sandbox.
fn emptied(known: &KnownSandbox) -> Result<(), Problem> {
    emptied_directory(known, &known.dir, |known| known.directory)
}

/// Removes the directory of its data that lie elsewhere.
pub(super) fn emptied_storage(known: &KnownSandbox) -> Result<(), Problem> {
    match &known.elsewhere {
        Some(dir) if dir.symlink_metadata().is_ok() => emptied_directory(known, dir, |known| known.elsewhere_numbers),
        _ => Ok(()),
    }
}

fn emptied_directory(known: &KnownSandbox, dir: &Path, numbers: Numbers) -> Result<(), Problem> {
    let left = |evidence| Problem::new(msg!("sandbox-not-removed", sandbox = known.name)).evidence(evidence);
    // One that was made in the moment of a kill has nothing in it yet but a mark that was being written.
    let unfinished = unfinished_mark(dir, known.owner.0);
    let mut entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    if entries.next().is_some_and(|entry| entry.path() == unfinished) && entries.next().is_none() {
        let _ = std::fs::remove_file(&unfinished);
    }
    if std::fs::remove_dir(dir).is_ok() {
        return Ok(());
    }
    if !known.has_mark_in(dir, numbers) {
        return Err(left(msg!("directory-without-mark", dir = dir.display()))
            .hint(msg!("remove-it-yourself", dir = dir.display())));
    }
    // What copies its data, and the sessions of a server that was ended, may go on a moment longer.
    let since = Instant::now();
    loop {
        match in_use::user_of(dir) {
            Some(user) if since.elapsed() > LAST => return Err(left(user.told(dir))),
            Some(_) => {}
            None => match removal::tree(dir) {
                Ok(()) => return Ok(()),
                // Another thread of ours may remove it at the same time.
                Err(_) if !dir.exists() => return Ok(()),
                Err(e) if e.kind() == std::io::ErrorKind::CrossesDevices => {
                    let mount = removal::mount_below(dir).unwrap_or_else(|| dir.to_owned());
                    return Err(left(foreign(e)).hint(msg!("unmount-it", mount = mount.display())));
                }
                Err(_) if since.elapsed() > LAST => {
                    return Err(left(msg!("directory-cannot-be-emptied", dir = dir.display())));
                }
                Err(_) => {}
            },
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// How long something may still work in a sandbox that has ended.
const LAST: Duration = Duration::from_secs(5);

/// The signal that ends a server quickly, and its name. For PostgreSQL TERM means waiting for its clients; QUIT does
/// not, and writes nothing more, which is sufficient because the data are removed anyway.
pub(super) fn signal_of(binary: &Path) -> (Signal, &'static str) {
    match super::scheme(&binary.to_string_lossy()) {
        Scheme::Postgres => (Signal::QUIT, "QUIT"),
        // A server that is still starting ignores TERM; its data are removed anyway.
        _ => (Signal::TERM, "KILL"),
    }
}

/// Asks the process to end, and kills it if it does not within ten seconds.
pub(super) fn end_process(pid: u32, start: Option<u64>, soon: Signal) {
    if !ends(pid, start, soon, 10) {
        ends(pid, start, Signal::KILL, 5);
    }
}

/// Sends a signal to the process; returns whether it is gone within this many seconds.
fn ends(pid: u32, start: Option<u64>, signal: Signal, patience: u64) -> bool {
    let Some(process) = i32::try_from(pid).ok().and_then(Pid::from_raw) else { return true };
    let there = || works_since(pid).is_some_and(|s| start.is_none_or(|wanted| wanted == s));
    if there() {
        let _ = kill_process(process, signal);
    }
    let since = Instant::now();
    while there() {
        if since.elapsed() >= Duration::from_secs(patience) {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// How many seconds a server may take to write everything and end.
const CLEAN_END: u64 = 600;

/// Stops a server whose directory is kept, and waits for its end; returns whether it has ended. Unless the data are discarded it
/// writes everything and ends by itself: killed, its data directory would not be a complete copy.
pub(super) fn halt(known: &KnownSandbox, discarded: bool) -> bool {
    let known = known.clone().found();
    let clean = match super::scheme(&known.binary) {
        // Fast shutdown: sessions are ended (PostgreSQL manual 19.5).
        Scheme::Postgres => Signal::INT,
        _ => Signal::TERM,
    };
    let (signal, patience) = if discarded { (Signal::KILL, 30) } else { (clean, CLEAN_END) };
    known.pid == 0 || ends(known.pid, Some(known.process_start), signal, patience)
}

#[cfg(test)]
mod tests {
    use super::super::mark::started;
    use super::super::record::{is_alive, write};
    use super::*;
    use std::process::Command;

    #[test]
    fn a_process_that_has_ended_and_not_been_waited_for_does_not_run() {
        for _ in 0..50 {
            let mut child = Command::new("true").spawn().unwrap();
            let pid = child.id();
            let waited = std::thread::spawn(move || child.wait().unwrap());
            assert!(ends(pid, None, Signal::TERM, 60), "it is gone, although another thread waited for it");
            assert!(!is_alive(pid));
            waited.join().unwrap();
        }
        let mut child = Command::new("true").spawn().unwrap();
        let start = Instant::now();
        while is_alive(child.id()) {
            assert!(start.elapsed() < Duration::from_secs(50), "it does not end");
        }
        assert!(started(child.id()).is_some(), "it has not been waited for");
        child.wait().unwrap();
    }

    #[test]
    fn only_a_directory_with_its_mark_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let prod = dir.path().join("prod");
        let made = |name: &str| {
            std::fs::create_dir_all(prod.join("data")).unwrap();
            std::fs::write(prod.join("data/ibdata1"), "rows").unwrap();
            let known = KnownSandbox::new(name, "mariadbd", &prod).marked();
            write(dir.path(), &known).unwrap();
            known
        };
        let refused = |known: &KnownSandbox| emptied(known).unwrap_err().evidence.unwrap().id().unwrap().to_owned();
        let known = made("prod");
        // As it looks to somebody who only knows the name, and a copy of it.
        let other = KnownSandbox { id: mark::identifier(), ..known.clone() };
        assert_eq!(refused(&other), "directory-without-mark");
        std::fs::rename(&prod, dir.path().join("moved")).unwrap();
        let copied = Command::new("cp").arg("-a").arg(dir.path().join("moved")).arg(&prod).status().unwrap();
        assert!(copied.success());
        assert_eq!(refused(&known), "directory-without-mark", "other data of the same content");
        std::fs::remove_dir_all(&prod).unwrap();
        std::fs::rename(dir.path().join("moved"), &prod).unwrap();
        let mut child = Command::new("sleep").arg("60").current_dir(prod.join("data")).spawn().unwrap();
        while in_use::user_of(&prod).is_none() {}
        assert_eq!(refused(&known), "process-works-in");
        child.kill().unwrap();
        child.wait().unwrap();
        emptied(&known).unwrap();
        assert!(!prod.exists());
    }

    #[test]
    fn a_sandbox_whose_maker_was_killed_before_its_note_had_the_directory_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let half = dir.path().join("half");
        let noted = KnownSandbox::new("half", "mariadbd", &half);
        // Killed when the mark was half written, when it was there, and by somebody who copied the directory in between.
        std::fs::create_dir(&half).unwrap();
        std::fs::write(unfinished_mark(&half, noted.owner.0), "{ \"name\": \"ha").unwrap();
        emptied(&noted).unwrap();
        assert!(!half.exists());
        std::fs::create_dir(&half).unwrap();
        std::fs::write(unfinished_mark(&half, noted.owner.0), "{").unwrap();
        std::fs::write(half.join("thesis"), "of somebody").unwrap();
        assert!(emptied(&noted).is_err() && half.join("thesis").exists());
        std::fs::remove_dir_all(&half).unwrap();
        std::fs::create_dir(&half).unwrap();
        write(dir.path(), &noted.clone().marked()).unwrap();
        std::fs::rename(&half, dir.path().join("moved")).unwrap();
        let copied = Command::new("cp").arg("-a").arg(dir.path().join("moved")).arg(&half).status().unwrap();
        assert!(copied.success());
        assert!(emptied(&noted).is_err() && half.exists(), "a copy has other numbers");
        std::fs::remove_dir_all(&half).unwrap();
        std::fs::rename(dir.path().join("moved"), &half).unwrap();
        emptied(&noted).unwrap();
        assert!(!half.exists());
    }
}
