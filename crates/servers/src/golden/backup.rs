//! Physical backups of running servers by the vendor's own program (`mariadb-backup`, `xtrabackup`, `pg_basebackup`),
//! prepared so that a server can start on them.
//!
//! Options as in the MariaDB knowledge base ("mariadb-backup Options"), the manual of Percona XtraBackup 8.0, and the
//! manual of PostgreSQL (`pg_basebackup`).

use crate::rights::Rights;
use crate::sandbox::find_program;
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;
use tenbin_driver::Connector;
use tenbin_driver::credentials::known::without_secrets;
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::sandbox_scheme;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible_lines;

/// A program that makes a backup of a running server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BackupTool {
    /// `mariadb-backup` or `xtrabackup`, by its path.
    Physical(PathBuf),
    /// `pg_basebackup`, by its path.
    BaseBackup(PathBuf),
}

impl BackupTool {
    /// The tool for servers of this series (see [`super::series`]), found on this machine and of the right version.
    pub fn of(series: &str) -> Result<BackupTool, Problem> {
        let vendor = series.split('-').next().unwrap_or("");
        match vendor {
            "postgresql" => find_program("pg_basebackup").map(BackupTool::BaseBackup),
            "mariadb" => {
                let tool = find_program("mariadb-backup").map_err(|p| p.hint(msg!("install-mariadb-backup")))?;
                of_series(&tool, series, msg!("install-mariadb-backup"))
            }
            "mysql" => {
                let tool = find_program("xtrabackup").map_err(|p| p.hint(msg!("install-xtrabackup")))?;
                of_series(&tool, series, msg!("install-xtrabackup"))
            }
            _ => Err(Problem::new(msg!("no-backup-of-series", series)).hint(msg!("restore-by-copy"))),
        }
    }

    /// Its name, as recorded with the copy.
    pub fn name(&self) -> String {
        match self {
            BackupTool::Physical(path) | BackupTool::BaseBackup(path) => {
                path.file_name().unwrap_or_default().to_string_lossy().into_owned()
            }
        }
    }

    /// Makes a copy of the server's data directory `data` at `to`, which does not exist, in a directory of the account whose
    /// rights the tool gets: it believes the server in what it reads and writes. Returns the position in its log up to which the
    /// copy contains changes, if the tool reports it.
    pub fn take(
        &self,
        connector: &Connector,
        (data, to): (&Path, &Path),
        rights: Rights,
        stop: &StopSignal,
    ) -> Result<Option<String>, Problem> {
        match self {
            BackupTool::Physical(tool) => physical(tool, connector.dsn(), data, (to, rights), stop),
            BackupTool::BaseBackup(tool) => base_backup(tool, connector.dsn(), (to, rights), stop).map(|()| None),
        }
    }
}

/// The program that makes backups of servers with this binary, by its path.
pub fn backup_program(binary: &str) -> Result<PathBuf, Problem> {
    match sandbox_scheme(binary) {
        Scheme::Postgres => find_program("pg_basebackup"),
        _ if binary.contains("maria") => {
            find_program("mariadb-backup").map_err(|p| p.hint(msg!("install-mariadb-backup")))
        }
        _ => find_program("xtrabackup").map_err(|p| p.hint(msg!("install-xtrabackup"))),
    }
}

/// The tool, unless it is of another series than the server: it would misread the server's log.
fn of_series(tool: &Path, series: &str, hint: tenbin_words::message::Message) -> Result<BackupTool, Problem> {
    let output = tenbin_intake::output_within(
        Command::new(tool).arg("--version").stdin(Stdio::null()),
        tenbin_intake::SMALL,
        tenbin_intake::SILENCE,
    );
    let output = output.map_err(|e| failed(tool, &e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let wanted = series.split_once('-').map_or("", |(_, numbers)| numbers);
    if version(&text) == wanted {
        return Ok(BackupTool::Physical(tool.to_owned()));
    }
    Err(Problem::new(msg!("backup-tool-of-other-series", tool = tool.display(), series))
        .evidence(foreign(visible_lines(text.lines().find(|line| line.contains("ersion")).unwrap_or(text.trim()))))
        .hint(hint))
}

/// The first two numbers of a version: `mariadb-backup based on MariaDB server 10.11.19-MariaDB …`,
/// `xtrabackup version 8.0.35-30 based on MySQL server 8.0.35 …`.
fn version(text: &str) -> String {
    let word = text.split_whitespace().find(|word| {
        let mut parts = word.split('.');
        let number = |part: Option<&str>| part.is_some_and(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit()));
        number(parts.next()) && number(parts.next())
    });
    word.map_or_else(String::new, |word| word.split('.').take(2).collect::<Vec<_>>().join("."))
}

/// A full backup, prepared.
fn physical(
    tool: &Path,
    dsn: &Dsn,
    data: &Path,
    (to, rights): (&Path, Rights),
    stop: &StopSignal,
) -> Result<Option<String>, Problem> {
    let login = Secret::write(to, rights, &option_file(dsn))?;
    let target = format!("--target-dir={}", to.display());
    let mut backup = Command::new(tool);
    // The file must be the first argument; no other option file is read.
    backup.arg(format!("--defaults-file={}", login.0.display())).args(["--backup", &target]);
    backup.arg(format!("--datadir={}", data.display()));
    run(&mut backup, (to, rights), stop)?;
    let mut prepare = Command::new(tool);
    prepare.args(["--no-defaults", "--prepare", &target]);
    run(&mut prepare, (to, rights), stop)?;
    rights.within(|| notes_of_tool(to)).map_err(|e| failed(tool, &e.to_string()))
}

/// Reads and removes the notes of the tool about the backup, which are no part of the data.
fn notes_of_tool(to: &Path) -> std::io::Result<Option<String>> {
    let mut position = None;
    for entry in std::fs::read_dir(to)?.flatten() {
        let (name, path) = (entry.file_name().to_string_lossy().into_owned(), entry.path());
        if name.ends_with("backup_checkpoints") || name == "xtrabackup_checkpoints" {
            let text = tenbin_intake::text_or_empty(&path, tenbin_intake::SMALL);
            position = text
                .lines()
                .find_map(|line| Some(line.strip_prefix("to_lsn")?.trim().strip_prefix('=')?.trim().to_owned()));
        }
        if ["xtrabackup_", "mariadb_backup_"].iter().any(|start| name.starts_with(start)) || name == "backup-my.cnf" {
            let _ = std::fs::remove_file(&path);
        }
    }
    Ok(position)
}

fn base_backup(tool: &Path, dsn: &Dsn, (to, rights): (&Path, Rights), stop: &StopSignal) -> Result<(), Problem> {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace(':', "\\:");
    let password = dsn.password.as_deref().unwrap_or("");
    let login = Secret::write(to, rights, &format!("*:*:*:*:{}\n", escaped(password)))?;
    let mut backup = Command::new(tool);
    backup
        .env("PGPASSFILE", &login.0)
        .args(["--no-password", "--wal-method=stream", "--checkpoint=fast", "-D"])
        .arg(to);
    backup.args(["-h", dsn.options.get("socket").unwrap_or(&dsn.host), "-U", &dsn.user]);
    backup.args(dsn.port.map(|port| format!("--port={port}")));
    run(&mut backup, (to, rights), stop)
}

/// The account in the syntax of MySQL's option files.
fn option_file(dsn: &Dsn) -> String {
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!("[client]\nuser={}\n", quoted(&dsn.user));
    if let Some(password) = &dsn.password {
        text += &format!("password={}\n", quoted(password));
    }
    match dsn.options.get("socket") {
        Some(socket) => text += &format!("socket={}\n", quoted(socket)),
        None => text += &format!("protocol=tcp\nhost={}\n", quoted(&dsn.host)),
    }
    text + &dsn.port.map_or_else(String::new, |port| format!("port={port}\n"))
}

/// A file that only the account of the tool can read, removed when this is dropped.
struct Secret(PathBuf, Rights);

impl Secret {
    fn write(to: &Path, rights: Rights, text: &str) -> Result<Secret, Problem> {
        let path = to.with_file_name("login");
        let file = rights.within(|| File::options().create_new(true).write(true).mode(0o600).open(&path));
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written
            .map(|()| Secret(path.clone(), rights))
            .map_err(|e| Problem::new(msg!("file-cannot-be-written", file = path.display())).evidence(foreign(e)))
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        let _ = self.1.within(|| std::fs::remove_file(&self.0));
    }
}

/// How often a program's end, and a stop, are looked for.
const LOOK: Duration = Duration::from_millis(10);
/// The lines of its output that are shown if it fails.
const SHOWN: usize = 6;
/// The most characters of each of them.
const SHOWN_OF_LINE: usize = 400;
/// The most that it may print, in bytes: more would fill the store.
const MOST_SAID: u64 = 16 << 20;

/// Runs a program to its end, its output in a file beside `to`, which is removed.
fn run(command: &mut Command, (to, rights): (&Path, Rights), stop: &StopSignal) -> Result<(), Problem> {
    let tool = PathBuf::from(command.get_program());
    let cannot = |e: std::io::Error| failed(&tool, &e.to_string());
    let log = to.with_file_name("output");
    let mut options = File::options();
    options.create_new(true).read(true).append(true).mode(0o600);
    let mut output = rights.within(|| options.open(&log)).map_err(cannot)?;
    if let Some((user, group)) = rights.account() {
        command.uid(user).gid(group);
    }
    command.current_dir(to.parent().unwrap_or(Path::new("/"))).process_group(0);
    let ended = to_its_end(command, &output, stop);
    let _ = rights.within(|| std::fs::remove_file(&log));
    let ended = ended.map_err(cannot)?;
    match ended {
        ProgramEnd::Well => return Ok(()),
        ProgramEnd::Stopped => return Err(Problem::new(msg!("stopped-while-copying"))),
        ProgramEnd::Failed(_) | ProgramEnd::TooMuch => {}
    }
    let end = output.metadata().map_or(0, |file| file.len()).saturating_sub(MOST_SAID);
    let tail = output.seek(std::io::SeekFrom::Start(end));
    let tail = tail.and_then(|_| tenbin_intake::bytes((&output).take(MOST_SAID), MOST_SAID)).unwrap_or_default();
    let text = String::from_utf8_lossy(&tail).into_owned();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(SHOWN)..].iter().map(|line| line.chars().take(SHOWN_OF_LINE).collect());
    let shown = without_secrets(&visible_lines(&last.collect::<Vec<String>>().join("\n")));
    Err(match ended {
        ProgramEnd::Failed(status) => failed(&tool, &format!("{status}\n{shown}")),
        _ => Problem::new(msg!("backup-tool-says-too-much", tool = tool.display(), mib = MOST_SAID >> 20))
            .evidence(foreign(shown)),
    })
}

/// How a program ended.
#[derive(Debug, Clone, Copy)]
enum ProgramEnd {
    Well,
    Failed(ExitStatus),
    /// It was asked to stop.
    Stopped,
    /// It has printed more than [`MOST_SAID`].
    TooMuch,
}

/// Runs a program, in a process group of its own, which is ended with whatever it has started if that is not by itself.
fn to_its_end(command: &mut Command, output: &File, stop: &StopSignal) -> std::io::Result<ProgramEnd> {
    command.stdin(Stdio::null()).stdout(output.try_clone()?).stderr(output.try_clone()?);
    let mut child = command.spawn()?;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(if status.success() { ProgramEnd::Well } else { ProgramEnd::Failed(status) });
        }
        let is_too_much = output.metadata().is_ok_and(|file| file.len() > MOST_SAID);
        if stop.asked() || is_too_much {
            let group = rustix::process::Pid::from_child(&child);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            let _ = child.wait();
            return Ok(if stop.asked() { ProgramEnd::Stopped } else { ProgramEnd::TooMuch });
        }
        std::thread::sleep(LOOK);
    }
}

fn failed(tool: &Path, evidence: &str) -> Problem {
    Problem::new(msg!("backup-tool-failed", tool = tool.display())).evidence(foreign(evidence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_of_a_tool_is_read_from_its_version() {
        for (text, numbers) in [
            ("mariadb-backup based on MariaDB server 10.11.19-MariaDB debian-linux-gnu (x86_64)", "10.11"),
            ("xtrabackup version 8.0.35-30 based on MySQL server 8.0.35 Linux (x86_64) (revision id: 6beb4b49)", "8.0"),
            (
                "2024-01-01T00:00:00 0 [Note] [MY-011825] [Xtrabackup] recognized server arguments:\nxtrabackup version 8.4.0-1",
                "8.4",
            ),
            ("nothing", ""),
        ] {
            assert_eq!(version(text), numbers, "{text}");
        }
    }

    #[test]
    fn passwords_are_quoted_for_option_files() {
        let dsn = Dsn { password: Some("a\"b\\c#d".into()), ..Dsn::parse("mysql://me@db:3307/x").unwrap() };
        assert_eq!(
            option_file(&dsn),
            "[client]\nuser=\"me\"\npassword=\"a\\\"b\\\\c#d\"\nprotocol=tcp\nhost=\"db\"\nport=3307\n"
        );
    }

    #[test]
    fn a_program_that_fails_is_reported_with_its_last_lines() {
        let dir = tempfile::tempdir().unwrap();
        let mut sh = Command::new("sh");
        sh.args(["-c", "seq 20; echo no such backup >&2; exit 3"]);
        let problem =
            run(&mut sh, (&dir.path().join("data"), Rights::OURS), &StopSignal::new()).unwrap_err().to_string();
        assert!(problem.contains("no such backup") && problem.contains("exit status: 3"), "{problem}");
        assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing is left");
    }

    /// Also what the program itself has started.
    #[test]
    fn a_program_that_prints_without_end_is_ended() {
        let dir = tempfile::tempdir().unwrap();
        let mut sh = Command::new("sh");
        sh.args(["-c", "yes started & yes no end"]);
        let problem = run(&mut sh, (&dir.path().join("data"), Rights::OURS), &StopSignal::new()).unwrap_err();
        assert!(problem.what.contains("16 MiB"), "{problem}");
        assert!(problem.evidence.is_some_and(|text| text.contains("no end") || text.contains("started")));
        assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing is left");
        let stop = StopSignal::new();
        stop.ask();
        let mut sh = Command::new("sh");
        let stopped = run(sh.args(["-c", "sleep 1000"]), (&dir.path().join("data"), Rights::OURS), &stop).unwrap_err();
        assert!(stopped.what.is("stopped-while-copying"), "{stopped}");
        assert!(std::fs::read_dir(dir.path()).unwrap().next().is_none(), "nothing is left");
    }
}
