//! Settings that take effect at the next start: an option file of ours, the user's command that restarts the server,
//! and waiting until it answers again.

use super::Identity;
use crate::command::{self, UserCommand};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::{Duration, Instant};
use tenbin_driver::Connector;
use tenbin_model::dsn::redact;
use tenbin_model::message::foreign;
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::shell;
use tenbin_model::stop::StopSignal;
use tenbin_model::variables::written_option;

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
    if path.symlink_metadata().is_ok() {
        let text = match tenbin_intake::text(path, tenbin_intake::SMALL) {
            Ok(text) if path.symlink_metadata().is_ok_and(|meta| meta.is_file()) => text,
            Ok(_) => String::new(),
            Err(e) => return Err(Problem::new(msg!("file-unreadable", file)).evidence(foreign(e))),
        };
        if !text.starts_with(MARK) {
            return Err(Problem::new(msg!("option-file-not-ours", file)).hint(msg!("give-other-option-file")));
        }
    }
    let writable = rustix::fs::access(dir, rustix::fs::Access::WRITE_OK);
    writable.map_err(|e| Problem::new(msg!("file-cannot-be-written", file)).evidence(foreign(e)))
}

/// Writes the option file, whole or not at all.
pub fn write_file(file: &str, values: &BTreeMap<String, String>) -> Result<(), Problem> {
    check_file(file)?;
    let cannot = |e: std::io::Error| Problem::new(msg!("file-cannot-be-written", file)).evidence(foreign(e));
    let fresh = format!("{file}.{}.tenbin", std::process::id());
    // The server's account must be able to read it.
    let mut out = File::options().create_new(true).write(true).mode(0o644).open(&fresh).map_err(cannot)?;
    let written = out.write_all(text(values).as_bytes()).and_then(|()| out.sync_all());
    written.and_then(|()| std::fs::rename(&fresh, file)).map_err(|e| {
        let _ = std::fs::remove_file(&fresh);
        cannot(e)
    })
}

fn text(values: &BTreeMap<String, String>) -> String {
    let line = |(name, value): (&String, &String)| {
        let (name, Some(value)) = written_option(name, value) else {
            return format!("{}\n", written_option(name, value).0);
        };
        let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "_-.,/:".contains(c));
        let value =
            if plain { value.to_owned() } else { format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\"")) };
        format!("{name} = {value}\n")
    };
    format!("{MARK}\n[mysqld]\n{}", values.iter().map(line).collect::<String>())
}

/// Removes the option file if it is ours.
pub fn remove_file(file: &str) -> Result<(), Problem> {
    if Path::new(file).symlink_metadata().is_err() {
        return Ok(());
    }
    check_file(file)?;
    std::fs::remove_file(file)
        .map_err(|e| Problem::new(msg!("file-cannot-be-removed", path = file)).evidence(foreign(e)))
}

/// Runs the command and waits until the same server answers, started again.
pub fn restart(restart: &str, connector: &Connector, identity: &Identity, stop: &StopSignal) -> Result<(), Problem> {
    let environment = [("TENBIN_ADDRESS", connector.dsn().to_string())];
    let end = command::run(&UserCommand { text: restart, environment: &environment, patience: PATIENCE }, stop)?;
    if end.failure.is_some() {
        let problem = Problem::new(msg!("restart-failed", dsn = connector.dsn()));
        let problem = Problem { evidence: end.evidence(), ..problem };
        return Err(problem.hint(msg!("try-command", command = shell::quoted(&redact(restart)))));
    }
    let since = Instant::now();
    loop {
        // After a stop was requested too: it must be known whether the server is there.
        match super::identity(connector) {
            Ok(there) if there == *identity => return Ok(()),
            Ok(there) => {
                let what = msg!("restart-brought-another", dsn = connector.dsn());
                return Err(Problem::new(what).evidence(foreign(format_args!("{} → {}", identity.0, there.0))));
            }
            Err(problem) if since.elapsed() > RETURN || stop.asked() => {
                let what = msg!("server-did-not-come-back", dsn = connector.dsn(), seconds = since.elapsed().as_secs());
                let output = end.evidence().into_iter();
                let seen = output.chain([problem.what].into_iter().chain(problem.evidence));
                let seen = tenbin_model::message::Message::joined(seen, "\n");
                return Err(Problem::new(what).evidence(seen).hint(msg!("look-into-error-log-of-server")));
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
        let values = values.into_iter().chain([("log_bin".to_owned(), "OFF".to_owned())]).collect();
        write_file(&path("zz.cnf"), &values).unwrap();
        let text = std::fs::read_to_string(path("zz.cnf")).unwrap();
        assert_eq!(text, format!("{MARK}\n[mysqld]\na = 16M\nb = \"x # y\\\"\"\nskip-log-bin\n"));
        write_file(&path("zz.cnf"), &values).unwrap();
        remove_file(&path("zz.cnf")).unwrap();
        remove_file(&path("zz.cnf")).unwrap();
        assert_eq!(std::fs::read_dir(dir.path()).unwrap().count(), 0);
        std::fs::write(path("theirs.cnf"), "[mysqld]\n").unwrap();
        std::os::unix::fs::symlink(path("theirs.cnf"), path("link.cnf")).unwrap();
        for (file, code) in [
            (path("theirs.cnf"), "option-file-not-ours"),
            (path("link.cnf"), "option-file-not-ours"),
            (path("none/x.cnf"), "option-file-has-no-directory"),
            ("x.cnf".to_owned(), "option-file-has-no-directory"),
        ] {
            for refused in [write_file(&file, &values), check_file(&file)] {
                assert_eq!(refused.unwrap_err().code(), Some(code), "{file}");
            }
        }
        assert_eq!(remove_file(&path("theirs.cnf")).unwrap_err().code(), Some("option-file-not-ours"));
        assert_eq!(std::fs::read_to_string(path("theirs.cnf")).unwrap(), "[mysqld]\n");
    }
}
