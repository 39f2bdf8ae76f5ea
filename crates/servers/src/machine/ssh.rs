//! Another machine, over the system's `ssh`: its configuration, keys and agent are those of the user. Nothing is installed
//! there: a shell reads a script from its standard input, and then requests, one per line. It ends with the connection.

use super::{FileTexts, MachineFiles, PROGRAMS};
use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenbin_driver::credentials::known::without_secrets;
use tenbin_intake::Lines;
use tenbin_model::trial::SshAccess;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_words::text::short;

/// A connection to another machine. Requests wait for each other. Dropping it ends `ssh`, and with it the shell there.
pub struct Ssh {
    access: SshAccess,
    session: Mutex<Session>,
}

/// What was read, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct FilesRead {
    /// The files.
    pub files: FileTexts,
    /// When they were read by our clock: the middle between the request and the end of its answer. The true time differs
    /// by at most half of the round trip.
    pub at: Instant,
    /// The same by the clock of that machine, nanoseconds since 1970, if it has said it.
    pub unix_ns: Option<u64>,
    /// How long request and answer took together.
    pub round_trip: Duration,
}

struct Session {
    child: Child,
    requests: ChildStdin,
    /// Lines of its answers; disconnected at their end.
    answers: Receiver<String>,
    /// The last lines that `ssh` has printed on standard error.
    errors: Arc<Mutex<VecDeque<String>>>,
    /// Why it cannot be used any more.
    broken: Option<Problem>,
}

/// Read by the shell there. `grep` prints the path of a file before each of its lines, because there is a second file.
/// Paths are words without quotes, and no text of a request is evaluated.
const SCRIPT: &str = r#"LC_ALL=C; export LC_ALL
serve() {
while read -r verb rest; do
case $verb in
files) grep -s '' /dev/null $rest ;;
links) ls -ld $rest 2>/dev/null ;;
resolved) readlink -f "$rest" 2>/dev/null ;;
programs) for program in $rest; do "$program" 2>/dev/null </dev/null | sed "s/^/$program:/"; done ;;
esac
echo "= $(date +%s.%N)"
done
}
echo "= tenbin"; serve; exit 0
"#;
/// What an answer ends with; no other line can start like this.
const END: &str = "= ";
/// What the script says when it is ready. Greetings that the account prints before it are skipped.
const READY: &str = "= tenbin";

/// How long `ssh` may take to connect, and a little longer than it may wait by itself.
const CONNECT_SECONDS: u32 = 10;
const CONNECT: Duration = Duration::from_secs(15);
/// How long an answer may take.
const ANSWER: Duration = Duration::from_secs(8);
/// How long it may take to end after its output has ended.
const GOODBYE: Duration = Duration::from_secs(1);
/// The most lines and bytes of an answer, and lines of what `ssh` has printed on standard error.
const MOST_LINES: usize = 200_000;
const MOST_BYTES: usize = 32 << 20;
const MOST_ERRORS: usize = 20;
/// The most bytes of a line, and this many lines wait for being asked for. Then `ssh` waits, and the machine behind it.
const LONGEST: usize = 64 << 10;
const MOST_WAITING: usize = 64;

/// `ssh` to a machine, without asking the user anything; the command to execute there is to be added.
pub fn ssh_command(access: &SshAccess) -> Command {
    let mut command = Command::new("ssh");
    command.args(["-T", "-x", "-a", "-o", "BatchMode=yes", "-o", "LogLevel=ERROR"]);
    command.args(["-o", &format!("ConnectTimeout={CONNECT_SECONDS}")]);
    // A machine that is gone is noticed within 15 s, also between two samples.
    command.args(["-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3"]);
    // What the configuration of the user may say for work at a terminal.
    command.args(["-o", "ClearAllForwardings=yes", "-o", "RemoteCommand=none", "-o", "PermitLocalCommand=no"]);
    if let Some(config) = &access.config {
        command.args(["-F", config]);
    }
    command.args(["--", &access.destination]);
    // Ctrl-C is for Tenbin, which still takes the last figures.
    command.process_group(0);
    command
}

impl Ssh {
    /// Connects. Fails if that is not possible without asking the user, with the last line of `ssh`.
    pub fn connect(access: &SshAccess) -> Result<Ssh, Problem> {
        let mut command = ssh_command(access);
        command.arg("sh");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().map_err(|e| {
            let hint = match e.kind() {
                std::io::ErrorKind::NotFound => msg!("install-ssh"),
                _ => msg!("try-ssh", command = typed(access, "true")),
            };
            Problem::new(msg!("ssh-cannot-be-started")).evidence(foreign(e)).hint(hint)
        })?;
        let mut session = connected(child).ok_or_else(|| Problem::new(msg!("ssh-cannot-be-started")))?;
        let ready = session.send(SCRIPT).and_then(|()| session.until(CONNECT, |line| line == READY));
        match ready {
            Ok(_) => Ok(Ssh { access: access.clone(), session: Mutex::new(session) }),
            Err(why) => Err(session.failed(access, why)),
        }
    }

    /// The files, as [`MachineFiles::files`], and when they were read.
    pub fn read(&self, patterns: &[&str]) -> Result<FilesRead, Problem> {
        let start = Instant::now();
        let (lines, end) = self.ask("files", &patterns.join(" "))?;
        let round_trip = start.elapsed();
        let mut files = FileTexts::new();
        for line in lines {
            let Some((path, text)) = line.split_once(':').filter(|(path, _)| path.starts_with('/')) else { continue };
            let file: &mut String = files.entry(path.to_owned()).or_default();
            if !file.is_empty() {
                file.push('\n');
            }
            file.push_str(text);
        }
        files.retain(|_, text| !text.is_empty());
        Ok(FilesRead { files, at: start + round_trip / 2, unix_ns: unix_ns(&end), round_trip })
    }

    /// One request and the lines of its answer, with the text of its end.
    fn ask(&self, verb: &str, rest: &str) -> Result<(Vec<String>, String), Problem> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(problem) = &session.broken {
            return Err(problem.clone());
        }
        // Names come from a server, and a line is one request.
        let rest = rest.replace(|c: char| c.is_control(), "?");
        let answer = session.send(&format!("{verb} {rest}\n"));
        let answer = answer.and_then(|()| session.until(ANSWER, |line| line.starts_with(END)));
        answer.map_err(|why| {
            let problem = session.failed(&self.access, why);
            session.broken = Some(problem.clone());
            problem
        })
    }
}

/// Reads what a child prints, from now on.
fn connected(mut child: Child) -> Option<Session> {
    let (requests, out, err) = (child.stdin.take()?, child.stdout.take()?, child.stderr.take()?);
    let errors = Arc::new(Mutex::new(VecDeque::new()));
    let (kept, (line, answers)) = (errors.clone(), sync_channel(MOST_WAITING));
    std::thread::spawn(move || {
        for line in lines(err) {
            let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.push_back(short(&line, 1000));
            if kept.len() > MOST_ERRORS {
                kept.pop_front();
            }
        }
    });
    std::thread::spawn(move || lines(out).try_for_each(|text| line.send(text).ok()));
    Some(Session { child, requests, answers, errors, broken: None })
}

impl MachineFiles for Ssh {
    fn files(&self, patterns: &[&str]) -> Result<FileTexts, Problem> {
        self.read(patterns).map(|reading| reading.files)
    }

    fn links(&self, pattern: &str) -> Result<FileTexts, Problem> {
        let (lines, _) = self.ask("links", pattern)?;
        // lrwx------ 1 root root 64 Nov 22 22:27 /proc/7/fd/3 -> socket:[123]
        let link = |line: String| {
            let (before, to) = line.split_once(" -> ")?;
            Some((before[before.find(" /")? + 1..].to_owned(), to.to_owned()))
        };
        Ok(lines.into_iter().filter_map(link).collect())
    }

    fn resolved(&self, path: &str) -> Result<Option<String>, Problem> {
        let (lines, _) = self.ask("resolved", path)?;
        Ok(lines.into_iter().find(|line| line.starts_with('/')))
    }

    fn programs(&self) -> Result<FileTexts, Problem> {
        let (lines, _) = self.ask("programs", &PROGRAMS.join(" "))?;
        let mut all = FileTexts::new();
        for (program, text) in lines.iter().filter_map(|line| line.split_once(':')) {
            let output: &mut String = all.entry(program.to_owned()).or_default();
            if !output.is_empty() {
                output.push('\n');
            }
            output.push_str(text);
        }
        Ok(all)
    }
}

/// Why there is no answer.
enum Silence {
    /// The connection has ended.
    Ended,
    /// It takes too long.
    TooLong(Duration),
    /// It does not end.
    TooMuch,
}

impl Session {
    fn send(&mut self, text: &str) -> Result<(), Silence> {
        self.requests.write_all(text.as_bytes()).and_then(|()| self.requests.flush()).map_err(|_| Silence::Ended)
    }

    /// The lines before the one that is the last, and that one.
    fn until(&mut self, patience: Duration, is_last: impl Fn(&str) -> bool) -> Result<(Vec<String>, String), Silence> {
        let (since, mut lines, mut bytes) = (Instant::now(), Vec::new(), 0);
        loop {
            match self.answers.recv_timeout(patience.saturating_sub(since.elapsed())) {
                Ok(line) if is_last(&line) => return Ok((lines, line)),
                Ok(line) => {
                    bytes += line.len();
                    lines.push(line);
                    if lines.len() > MOST_LINES || bytes > MOST_BYTES {
                        return Err(Silence::TooMuch);
                    }
                    // Otherwise it would be waited for as long as it prints.
                    if since.elapsed() > patience {
                        return Err(Silence::TooLong(patience));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Err(Silence::TooLong(patience)),
                Err(RecvTimeoutError::Disconnected) => return Err(Silence::Ended),
            }
        }
    }

    /// Ends it, and says what happened in the words of `ssh`.
    fn failed(&mut self, access: &SshAccess, why: Silence) -> Problem {
        // Its last lines, and its status, may still be on their way.
        let since = Instant::now();
        let mut status = None;
        while matches!(why, Silence::Ended) && since.elapsed() < GOODBYE {
            status = self.child.try_wait().ok().flatten();
            if status.is_some() && Arc::strong_count(&self.errors) == 1 {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let last = errors.iter().rev().find(|line| !line.trim().is_empty());
        let last = last.map(|line| foreign(short(&without_secrets(line.trim()), 300)));
        let evidence = match (why, last) {
            (Silence::TooMuch, _) => msg!("machine-answers-too-much", most = figure::bytes(MOST_BYTES as f64)),
            (_, Some(last)) => last,
            (Silence::TooLong(patience), None) => msg!("waited-for", seconds = patience.as_secs()),
            // As ssh ends on an error of its own (ssh(1)).
            (Silence::Ended, None) => msg!("command-exit-code", code = status.and_then(|s| s.code()).unwrap_or(255)),
        };
        let hint = hint(access, &errors.iter().map(String::as_str).collect::<Vec<_>>().join("\n"));
        Problem::new(msg!("host-not-reached", host = access.destination)).evidence(evidence).hint(hint)
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// One command that mends what `ssh` has printed.
fn hint(access: &SshAccess, errors: &str) -> Message {
    let (user_and_host, port) = access.parts();
    let host = user_and_host.rsplit('@').next().unwrap_or(user_and_host);
    if errors.contains("IDENTIFICATION HAS CHANGED") {
        let known = port.map_or(host.to_owned(), |port| format!("[{host}]:{port}"));
        return msg!("remove-host-key", command = format_args!("ssh-keygen -R {}", shell::word(&known)));
    }
    if errors.contains("Host key verification failed") || errors.contains("host key is known") {
        return msg!("confirm-host-key", command = typed(access, "true"));
    }
    if errors.contains("Permission denied") {
        let port = port.map_or(String::new(), |port| format!("-p {port} "));
        let config = access.config.as_ref().map_or(String::new(), |file| format!("-F {} ", shell::word(file)));
        return msg!(
            "copy-ssh-key",
            command = format_args!("ssh-copy-id {config}{port}{}", shell::word(user_and_host))
        );
    }
    msg!("try-ssh", command = typed(access, "true"))
}

/// The command line that connects as we do, for a user to type.
fn typed(access: &SshAccess, command: &str) -> String {
    let config = access.config.as_ref().map_or(String::new(), |file| format!("-F {} ", shell::word(file)));
    format!("ssh {config}{} {command}", shell::word(&access.destination))
}

/// Lines as text that can be shown; a line that does not end is cut into pieces.
fn lines(from: impl Read) -> impl Iterator<Item = String> {
    let mut from = Lines::of(from);
    std::iter::from_fn(move || from.next(LONGEST)?.ok().map(|line| line.text()))
}

/// The time at the end of an answer, `= 1795300000.123456789`. Some systems have no fractions of seconds there.
fn unix_ns(end: &str) -> Option<u64> {
    let (seconds, fraction) = end.strip_prefix(END)?.split_once('.')?;
    let nanoseconds: u64 = if fraction.len() == 9 { fraction.parse().ok()? } else { return None };
    seconds.parse::<u64>().ok()?.checked_mul(1_000_000_000)?.checked_add(nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};

    fn access(destination: &str, config: Option<&str>) -> SshAccess {
        SshAccess { destination: destination.to_owned(), config: config.map(str::to_owned) }
    }

    #[test]
    fn what_ssh_prints_is_mended_by_one_command() {
        let changed = "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\nHost key verification failed.";
        for (destination, config, errors, command) in [
            ("dba@db-a", None, "dba@db-a: Permission denied (publickey,password).", "ssh-copy-id dba@db-a"),
            ("ssh://dba@db-a:2222", None, "Permission denied", "ssh-copy-id -p 2222 dba@db-a"),
            ("db", Some("my config"), "Permission denied", "ssh-copy-id -F 'my config' db"),
            ("dba@db-a", None, "Host key verification failed.", "ssh dba@db-a true"),
            ("ssh://dba@db-a:2222", None, changed, "ssh-keygen -R '[db-a]:2222'"),
            (
                "ssh://db-a",
                None,
                "ssh: Could not resolve hostname db-a: Name or service not known",
                "ssh ssh://db-a true",
            ),
        ] {
            let hint = hint(&access(destination, config), errors);
            assert_eq!(hint.arg("command").unwrap().english(), command, "{errors}");
        }
    }

    /// A session with this shell in the place of `ssh`.
    fn session(script: &str) -> Session {
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        connected(command.spawn().unwrap()).unwrap()
    }

    #[test]
    fn a_machine_that_prints_without_end_is_given_up_and_waits_meanwhile() {
        for script in ["cat /dev/zero", "yes", "yes | tr -d '\\n'", "yes >&2"] {
            let mut session = session(script);
            let quiet = script.contains(">&2");
            let patience = Duration::from_secs(if quiet { 2 } else { 60 });
            let answer = session.until(patience, |line| line == READY);
            assert!(matches!(answer, Err(Silence::TooMuch)) || quiet, "{script}");
            // It may write no more than what is taken: the most of an answer, what waits, and the pipe.
            let io = std::fs::read_to_string(format!("/proc/{}/io", session.child.id())).unwrap_or_default();
            let written = io.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse::<usize>().ok()).unwrap_or(0);
            assert!(quiet || written < 2 * MOST_BYTES, "{script}: {written}");
        }
    }

    #[test]
    fn the_clock_of_the_other_machine_is_read_if_it_has_fractions() {
        assert_eq!(unix_ns("= 1795300000.000000007"), Some(1_795_300_000_000_000_007));
        for end in ["= 1795300000", "= 1795300000.%N", "= .123456789", "= x.123456789", "= 99999999999999.000000000"] {
            assert_eq!(unix_ns(end), None, "{end}");
        }
    }

    /// The script in a shell of this machine, without `ssh`.
    #[test]
    fn a_shell_answers_requests_and_evaluates_none() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).display().to_string();
        std::fs::write(at("a"), "one\n\ntwo\n").unwrap();
        let mut child = Command::new("sh").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(SCRIPT.as_bytes()).unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let mut ready = String::new();
        output.read_line(&mut ready).unwrap();
        assert_eq!(ready.trim_end(), READY);
        let requests = format!(
            "files {0}/* {0}/$(touch {0}/made) ;touch {0}/made\nlinks /proc/self/cwd\nresolved {0}/./a b\nunknown\n",
            dir.path().display()
        );
        input.write_all(requests.as_bytes()).unwrap();
        drop(input);
        let mut answered = String::new();
        output.read_to_string(&mut answered).unwrap();
        assert!(child.wait().unwrap().success());
        let answers: Vec<&str> = answered.split(END).collect();
        assert_eq!(answers.len(), 5, "{answered}");
        let file = at("a");
        assert!(answers[0].starts_with(&format!("{file}:one\n{file}:\n{file}:two\n")), "{answered}");
        assert!(answers[1].contains(" -> "), "{answered}");
        assert!(!dir.path().join("made").exists());
    }
}
