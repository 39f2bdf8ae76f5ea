//! Commands that the user has given in a plan: run by `sh -c` in a process group of their own, with a time limit, and
//! ended when a stop is requested.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::os::unix::fs::OpenOptionsExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tenbin_model::dsn::redact;
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::text::visible_lines;

/// A command and the variables that it finds in its environment, besides ours.
#[derive(Debug, Clone)]
pub struct UserCommand<'a> {
    /// The text for `sh -c`.
    pub text: &'a str,
    /// Additional variables, by name.
    pub environment: &'a [(&'static str, String)],
    /// How long it may take.
    pub patience: Duration,
}

/// How a command ended.
#[derive(Debug, Clone)]
pub struct CommandEnd {
    /// `None` if it succeeded; otherwise its exit code, the signal, or the time limit.
    pub failure: Option<Message>,
    /// The last lines of its output and errors, without passwords.
    pub output: String,
    /// How long it took.
    pub took: Duration,
}

/// How often its end, and a stop, are looked for.
const LOOK: Duration = Duration::from_millis(20);
/// How long it may take to end when it is asked to.
const GOODBYE: Duration = Duration::from_secs(2);
/// The most bytes of its output that are read, and the most lines of them that are kept.
const MOST_BYTES: u64 = 16 << 10;
const MOST_LINES: usize = 20;

/// Runs a command to its end. Fails only if it cannot be started.
pub fn run(command: &UserCommand<'_>, stop: &StopSignal) -> Result<CommandEnd, Problem> {
    let cannot = |e: std::io::Error| {
        Problem::new(msg!("command-cannot-be-started", command = redact(command.text))).evidence(foreign(e))
    };
    // A file and not a pipe: a server that the command leaves running must not fail when it writes to it later.
    let mut output = unnamed_file().map_err(cannot)?;
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(command.text).stdin(Stdio::null()).process_group(0);
    sh.stdout(output.try_clone().map_err(cannot)?).stderr(output.try_clone().map_err(cannot)?);
    sh.envs(command.environment.iter().map(|(name, value)| (name, value)));
    let start = Instant::now();
    let mut child = sh.spawn().map_err(cannot)?;
    let failure = loop {
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break failed(status);
        }
        if stop.asked() || start.elapsed() > command.patience {
            end(&mut child);
            break Some(match stop.asked() {
                true => msg!("command-was-stopped"),
                false => msg!("command-took-too-long", seconds = command.patience.as_secs()),
            });
        }
        std::thread::sleep(LOOK);
    };
    Ok(CommandEnd { failure, output: last_lines(&mut output), took: start.elapsed() })
}

impl CommandEnd {
    /// How it failed and its last lines.
    pub fn evidence(&self) -> Option<Message> {
        let output = (!self.output.is_empty()).then(|| foreign(&self.output));
        let parts: Vec<Message> = self.failure.iter().cloned().chain(output).collect();
        (!parts.is_empty()).then(|| Message::joined(parts, "\n"))
    }
}

fn failed(status: ExitStatus) -> Option<Message> {
    match (status.code(), status.signal()) {
        (Some(0), _) => None,
        (Some(code), _) => Some(msg!("command-exit-code", code)),
        (None, signal) => Some(msg!("command-was-killed", signal = signal.unwrap_or_default())),
    }
}

/// Ends the whole process group.
fn end(child: &mut Child) {
    let group = rustix::process::Pid::from_child(child);
    let since = Instant::now();
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::TERM);
    while since.elapsed() < GOODBYE && matches!(child.try_wait(), Ok(None)) {
        std::thread::sleep(LOOK);
    }
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    let _ = child.wait();
}

/// A file without a name, for this user only.
fn unnamed_file() -> std::io::Result<File> {
    let dir = std::env::temp_dir();
    let mut options = File::options();
    options.read(true).append(true).mode(0o600);
    let flags = rustix::fs::OFlags::TMPFILE.bits();
    let unnamed = options.clone().custom_flags(flags as i32).open(&dir);
    unnamed.or_else(|_| {
        let path = dir.join(format!("tenbin-command-{}-{:?}", std::process::id(), std::thread::current().id()));
        let file = options.create_new(true).open(&path)?;
        remove(&path);
        Ok(file)
    })
}

fn remove(path: &Path) {
    // If that fails, an empty file is left.
    let _ = std::fs::remove_file(path);
}

fn last_lines(output: &mut File) -> String {
    let from = output.metadata().map_or(0, |file| file.len().saturating_sub(MOST_BYTES));
    let mut bytes = Vec::new();
    let read = output.seek(SeekFrom::Start(from)).and_then(|_| output.take(MOST_BYTES).read_to_end(&mut bytes));
    if read.is_err() {
        return String::new();
    }
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.trim().lines().collect();
    let kept = &lines[lines.len().saturating_sub(MOST_LINES)..];
    redact(&visible_lines(&kept.join("\n"))).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(text: &str, patience_ms: u64, stop: &StopSignal) -> (Option<String>, String) {
        let environment = [("TENBIN_TARGET", "a b".to_owned())];
        let patience = Duration::from_millis(patience_ms);
        let end = run(&UserCommand { text, environment: &environment, patience }, stop).unwrap();
        (end.failure.map(|why| why.english().to_owned()), end.output)
    }

    #[test]
    fn output_exit_code_and_limits() {
        let stop = StopSignal::new();
        assert_eq!(ran("echo \"$TENBIN_TARGET\"; echo x >&2", 5000, &stop), (None, "a b\nx".to_owned()));
        assert_eq!(ran("echo no; exit 7", 5000, &stop), (Some("exit code 7".into()), "no".into()));
        assert_eq!(ran("kill -9 $$", 5000, &stop).0.as_deref(), Some("killed by signal 9"));
        let many = ran("seq 100000", 5000, &stop).1;
        assert!(many.ends_with("100000") && many.lines().count() == MOST_LINES, "{many}");
        assert_eq!(ran("echo mysql://u:geheim@h/x", 5000, &stop).1, "mysql://u@h/x");
        let (why, output) = ran("echo begun; sleep 60 & sleep 60", 300, &stop);
        assert_eq!((why.as_deref(), output.as_str()), (Some("not ended after 0 s"), "begun"));
        stop.ask();
        assert_eq!(ran("sleep 60", 60_000, &stop).0.as_deref(), Some("stopped before its end"));
    }

    #[test]
    fn what_it_leaves_running_is_not_waited_for() {
        let start = Instant::now();
        let (why, output) = ran("sleep 30 & echo left", 60_000, &StopSignal::new());
        assert_eq!((why, output.as_str()), (None, "left"));
        assert!(start.elapsed() < Duration::from_secs(25));
    }
}
