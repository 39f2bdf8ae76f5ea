//! Settings that take effect at the next start: an option file of ours, the user's command that restarts the server,
//! and waiting until it answers again.

use crate::command::{self, UserCommand};
use crate::rights::{dressed_as, opened};
use crate::state;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::dsn::redact;
use tenbin_model::stop::StopSignal;
use tenbin_model::variables::{canonical_name, written_option};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// The first line of an option file of ours: a file without it is never written or removed.
const MARK: &str = "# Written by Tenbin, which removes it at the end of its run.";
/// How long the command may take, and how long the server may take to answer after it.
const PATIENCE: Duration = Duration::from_secs(300);
const RETURN: Duration = Duration::from_secs(120);
/// How often a server that is starting is tried.
const LOOK: Duration = Duration::from_millis(200);

/// Whether the option file can be written: its directory is there, and it is ours or does not exist yet.
pub fn check_file(file: &str) -> Result<(), Problem> {
    let path = Path::new(file);
    let dir = path.parent().filter(|dir| path.is_absolute() && dir.is_dir());
    let Some(dir) = dir else {
        return Err(Problem::new(msg!("option-file-has-no-directory", file)).hint(msg!("give-option-file-absolute")));
    };
    if path.symlink_metadata().is_ok() && !contents(file)?.starts_with(MARK) {
        return Err(Problem::new(msg!("option-file-not-ours", file)).hint(msg!("give-other-option-file")));
    }
    let writable = rustix::fs::access(dir, rustix::fs::Access::WRITE_OK);
    writable.map_err(|e| Problem::new(msg!("file-cannot-be-written", file)).evidence(foreign(e)))
}

/// Writes the option file, whole or not at all. `before`: the lines that the run has written into it already, if it has. Fails if
/// somebody else has changed it since.
pub fn write_file(file: &str, values: &BTreeMap<String, String>, before: &BTreeSet<String>) -> Result<(), Problem> {
    check_file(file)?;
    if !before.is_empty() {
        let others = others_in(&contents(file)?, before);
        if !others.is_empty() {
            let lines = Message::joined(others.iter().map(foreign), "\n");
            let problem = Problem::new(msg!("option-file-changed", file)).evidence(lines);
            return Err(problem.hint(msg!("give-other-option-file")));
        }
    }
    replace(file, &text(values))
}

/// The text of the option file; empty if there is none, or something else in its place, as a link.
fn contents(file: &str) -> Result<String, Problem> {
    let path = Path::new(file);
    if path.symlink_metadata().map_or_else(|e| e.kind() == ErrorKind::NotFound, |meta| !meta.is_file()) {
        return Ok(String::new());
    }
    let read = opened(path, File::options().read(true)).and_then(|of| tenbin_intake::text_of(of, tenbin_intake::SMALL));
    read.map_err(|e| Problem::new(msg!("file-unreadable", file)).evidence(foreign(e)))
}

/// Puts a file with this text into the place of the option file, whole or not at all, with the owner and the mode of the former one.
fn replace(file: &str, text: &str) -> Result<(), Problem> {
    let cannot = |e: std::io::Error| Problem::new(msg!("file-cannot-be-written", file)).evidence(foreign(e));
    let former = match opened(Path::new(file), File::options().read(true)).and_then(|former| former.metadata()) {
        Err(e) if e.kind() == ErrorKind::NotFound => None,
        former => Some(former.map_err(cannot)?),
    };
    let fresh = format!("{file}.{}.tenbin", std::process::id());
    let mut out = File::options().create_new(true).write(true).mode(0o600).open(&fresh).map_err(cannot)?;
    let dressed = match &former {
        // Others may have added what not everybody may read. Only root can give it to them.
        Some(former) => dressed_as(&out, former).or_else(|_| out.set_permissions(former.permissions())),
        // The server's account must be able to read it, whatever this process gives to new files.
        None => out.set_permissions(Permissions::from_mode(0o644)),
    };
    let written = dressed.and_then(|()| out.write_all(text.as_bytes())).and_then(|()| out.sync_all());
    written.and_then(|()| std::fs::rename(&fresh, file)).map_err(|e| {
        let _ = std::fs::remove_file(&fresh);
        cannot(e)
    })?;
    keep_names(file);
    Ok(())
}

/// Writes to the disk that the file is there, or is gone, before the journal says so; where the directory can be opened.
fn keep_names(file: &str) {
    let _ = state::keep_names(Path::new(file).parent().unwrap_or(Path::new("/")));
}

fn text(values: &BTreeMap<String, String>) -> String {
    let lines: String = values.iter().map(|(name, value)| option_line(name, value) + "\n").collect();
    format!("{MARK}\n{GROUP}\n{lines}")
}

/// The group of the server's options.
const GROUP: &str = "[mysqld]";

/// The line of a variable.
pub fn option_line(name: &str, value: &str) -> String {
    let (name, Some(value)) = written_option(name, value) else {
        return written_option(name, value).0.to_owned();
    };
    let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "_-.,/:".contains(c));
    let value =
        if plain { value.to_owned() } else { format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")) };
    format!("{name} = {value}")
}

/// Whether a line of an option file sets this variable.
pub fn names(line: &str, variable: &str) -> bool {
    let name = line.split('=').next().unwrap_or_default().trim();
    let name = canonical_name(name);
    [name.as_str(), name.trim_start_matches("skip_"), name.trim_start_matches("loose_")].contains(&variable)
}

/// The lines that are not ours.
fn others_in(text: &str, ours: &BTreeSet<String>) -> Vec<String> {
    let is_ours = |line: &&str| [MARK, GROUP, ""].contains(line) || ours.contains(*line);
    text.lines().map(str::trim_end).filter(|line| !is_ours(line)).map(str::to_owned).collect()
}

/// Takes these lines out of the option file, and removes it if nothing else is in it. Otherwise it is not ours any more, and the
/// other lines are returned. If no lines are known, the file is ours as a whole.
pub fn take_back(file: &str, ours: &BTreeSet<String>) -> Result<Option<Vec<String>>, Problem> {
    if Path::new(file).symlink_metadata().is_err_and(|e| e.kind() == ErrorKind::NotFound) {
        return Ok(None);
    }
    let text = contents(file)?;
    if !text.starts_with(MARK) {
        // Somebody has put another one into its place.
        let lines = others_in(&text, &BTreeSet::new());
        return Ok(Some(if lines.is_empty() { vec![file.to_owned()] } else { lines }));
    }
    let others = if ours.is_empty() { Vec::new() } else { others_in(&text, ours) };
    if others.is_empty() {
        let removed = std::fs::remove_file(file);
        removed.map_err(|e| Problem::new(msg!("file-cannot-be-removed", path = file)).evidence(foreign(e)))?;
        keep_names(file);
        return Ok(None);
    }
    let is_kept = |line: &&str| *line != MARK && !ours.contains(line.trim_end());
    let kept: String = text.lines().filter(is_kept).map(|line| format!("{line}\n")).collect();
    replace(file, &kept)?;
    Ok(Some(others))
}

/// Runs the command, in the given directory if it is still there, and waits until the same server answers, started again.
pub fn restart(
    (restart, directory): (&str, Option<&str>),
    connector: &Connector,
    server: &str,
    stop: &StopSignal,
) -> Result<(), Problem> {
    let environment = [("TENBIN_ADDRESS", connector.dsn().to_string())];
    let directory = directory.map(Path::new).filter(|directory| directory.is_dir());
    let (environment, patience) = (&environment, PATIENCE);
    // A server that was stopped by it is started by it.
    let command = UserCommand { text: restart, environment, patience, directory, is_awaited: true };
    let end = command::run(&command, stop)?;
    if end.failure.is_some() {
        let problem = Problem::new(msg!("restart-failed", dsn = connector.dsn()));
        let problem = Problem { evidence: end.evidence(), ..problem };
        return Err(problem.hint(msg!("try-command", command = shell::quoted(&redact(restart)))));
    }
    let since = Instant::now();
    loop {
        // After a stop was requested too: it must be known whether the server is there.
        match super::identity(connector) {
            Ok(there) if there.may_be(server) => return Ok(()),
            Ok(there) => {
                let what = msg!("restart-brought-another", dsn = connector.dsn());
                return Err(Problem::new(what).evidence(foreign(format_args!("{server} → {}", there.text))));
            }
            Err(problem) if since.elapsed() > RETURN || stop.asked() => {
                let what = msg!("server-did-not-come-back", dsn = connector.dsn(), seconds = since.elapsed().as_secs());
                let output = end.evidence().into_iter();
                let evidence = output.chain([problem.what].into_iter().chain(problem.evidence));
                let evidence = tenbin_words::message::Message::joined(evidence, "\n");
                return Err(Problem::new(what).evidence(evidence).hint(msg!("look-into-error-log-of-server")));
            }
            Err(_) => std::thread::sleep(LOOK),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_of_ours_is_written_and_removed() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).display().to_string();
        let values = BTreeMap::from([("a".to_owned(), "16M".to_owned()), ("b".to_owned(), "x # y\"".to_owned())]);
        let values: BTreeMap<String, String> =
            values.into_iter().chain([("log_bin".to_owned(), "OFF".to_owned())]).collect();
        let none = BTreeSet::new();
        let lines = values.iter().map(|(name, value)| option_line(name, value)).collect();
        write_file(&path("zz.cnf"), &values, &none).unwrap();
        let text = std::fs::read_to_string(path("zz.cnf")).unwrap();
        assert_eq!(text, format!("{MARK}\n[mysqld]\na = 16M\nb = \"x # y\\\"\"\nskip-log-bin\n"));
        write_file(&path("zz.cnf"), &values, &lines).unwrap();
        assert_eq!(take_back(&path("zz.cnf"), &lines).unwrap(), None);
        assert_eq!(take_back(&path("zz.cnf"), &lines).unwrap(), None);
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        std::fs::write(path("theirs.cnf"), "[mysqld]\n").unwrap();
        std::os::unix::fs::symlink(path("theirs.cnf"), path("link.cnf")).unwrap();
        for (file, code) in [
            (path("theirs.cnf"), "option-file-not-ours"),
            (path("link.cnf"), "option-file-not-ours"),
            (path("none/x.cnf"), "option-file-has-no-directory"),
            ("x.cnf".to_owned(), "option-file-has-no-directory"),
        ] {
            for refused in [write_file(&file, &values, &none), check_file(&file)] {
                assert_eq!(refused.unwrap_err().code(), Some(code), "{file}");
            }
        }
        for file in ["theirs.cnf", "link.cnf"] {
            assert!(take_back(&path(file), &lines).unwrap().is_some(), "{file} is left");
        }
        assert_eq!(std::fs::read_to_string(path("theirs.cnf")).unwrap(), "[mysqld]\n");
    }

    #[test]
    fn lines_of_others_in_the_option_file_stay() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("zz.cnf").display().to_string();
        let values = |text: &[(&str, &str)]| text.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        let lines = BTreeSet::from(["a = 1".to_owned(), "a = 2".to_owned()]);
        write_file(&file, &values(&[("a", "1")]), &BTreeSet::new()).unwrap();
        let theirs = std::fs::read_to_string(&file).unwrap() + "b = 7\n[client]\nport=1\n";
        std::fs::write(&file, &theirs).unwrap();
        let mode = || std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(), 0o644);
        std::fs::set_permissions(&file, Permissions::from_mode(0o600)).unwrap();
        let refused = write_file(&file, &values(&[("a", "2")]), &lines).unwrap_err();
        assert_eq!(refused.code(), Some("option-file-changed"));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
        let left = ["b = 7", "[client]", "port=1"].map(str::to_owned).to_vec();
        assert_eq!(take_back(&file, &lines).unwrap(), Some(left));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "[mysqld]\nb = 7\n[client]\nport=1\n");
        assert_eq!(mode(), 0o600, "what they wrote is read by nobody else");
        assert_eq!(take_back(&file, &lines).unwrap().map(|left| left.len()), Some(3), "it is theirs now");
        // A value that they have changed is theirs.
        std::fs::write(&file, format!("{MARK}\n[mysqld]\na = 3\n")).unwrap();
        assert_eq!(take_back(&file, &lines).unwrap(), Some(vec!["a = 3".to_owned()]));
        assert!(names("a = 3", "a") && names("skip-log-bin", "log_bin") && !names("ab = 3", "a"));
    }
}
