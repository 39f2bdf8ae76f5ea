//! Commands that the user has given in a plan: run by `sh -c` in a process group of their own, with a time limit, and
//! ended when a stop is requested. One that must not be left in its middle is waited for, and ended by a second request.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{ErrorKind, PipeReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tenbin_driver::credentials::known::without_secrets;
use tenbin_model::dsn::redact;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible_lines;

/// A command and the variables that it finds in its environment, besides ours.
#[derive(Debug, Clone)]
pub struct UserCommand<'a> {
    /// The text for `sh -c`.
    pub text: &'a str,
    /// Additional variables, by name.
    pub environment: &'a [(&'static str, String)],
    /// How long it may take.
    pub patience: Duration,
    /// Where it is run, if it is not the present directory.
    pub directory: Option<&'a Path>,
    /// Whether what it does would be half done if it did not come to its end: a first request to stop leaves it alone.
    pub is_awaited: bool,
}

/// How many commands that must not be left in their middle are running.
static AWAITED: AtomicUsize = AtomicUsize::new(0);

/// One of them.
struct Awaited;

impl Awaited {
    fn begin() -> Awaited {
        AWAITED.fetch_add(1, Ordering::SeqCst);
        Awaited
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        AWAITED.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether a command is running for whose end a first request to stop waits.
pub fn is_awaited() -> bool {
    AWAITED.load(Ordering::SeqCst) > 0
}

/// After a second request to stop: waits until such commands have been ended, as they are without delay, before this process ends.
pub fn awaited_are_ended() {
    let since = Instant::now();
    while is_awaited() && since.elapsed() < GOODBYE + LOOK * 20 {
        std::thread::sleep(LOOK);
    }
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
/// The most bytes of its output, and the most lines of them, that are kept.
const MOST_BYTES: usize = 16 << 10;
const MOST_LINES: usize = 20;
/// How often it is read before its end, a stop and its time are looked at again.
const MOST_READS: u32 = 1000;

/// Runs a command to its end, unless a stop was requested before. Fails only if it cannot be started.
pub fn run(command: &UserCommand<'_>, stop: &StopSignal) -> Result<CommandEnd, Problem> {
    if stop.asked() {
        return Ok(CommandEnd {
            failure: Some(msg!("command-was-stopped")),
            output: String::new(),
            took: Duration::ZERO,
        });
    }
    let _awaited = command.is_awaited.then(Awaited::begin);
    let is_to_end = || if command.is_awaited { stop.at_once() } else { stop.asked() };
    let cannot = |e: std::io::Error| {
        Problem::new(msg!("command-cannot-be-started", command = redact(command.text))).evidence(foreign(e))
    };
    let (read, write) = std::io::pipe().map_err(cannot)?;
    let mut output = PrintedEnd::of(read).map_err(cannot)?;
    let mut sh = Command::new("sh");
    sh.arg("-c").arg(command.text).stdin(Stdio::null()).process_group(0);
    sh.stdout(write.try_clone().map_err(cannot)?).stderr(write);
    if let Some(directory) = command.directory {
        sh.current_dir(directory);
    }
    sh.envs(command.environment.iter().map(|(name, value)| (name, value)));
    let start = Instant::now();
    let mut child = sh.spawn().map_err(cannot)?;
    // It holds our ends of the pipe.
    drop(sh);
    let failure = loop {
        output.take(LOOK);
        if let Some(status) = child.try_wait().map_err(cannot)? {
            break failed(status);
        }
        if is_to_end() || start.elapsed() > command.patience {
            end(&mut child);
            break Some(match is_to_end() {
                true => msg!("command-was-stopped"),
                false => msg!("command-took-too-long", seconds = command.patience.as_secs()),
            });
        }
    };
    output.take(Duration::ZERO);
    Ok(CommandEnd { failure, output: output.finish(), took: start.elapsed() })
}

/// The end of what a command prints. The rest is dropped while it is read, so that a command that prints without end fills neither
/// memory nor disk.
struct PrintedEnd {
    from: PipeReader,
    last: Vec<u8>,
    is_open: bool,
}

impl PrintedEnd {
    fn of(from: PipeReader) -> std::io::Result<PrintedEnd> {
        rustix::io::ioctl_fionbio(&from, true)?;
        Ok(PrintedEnd { from, last: Vec::new(), is_open: true })
    }

    /// Takes what is there, and what comes within this time.
    fn take(&mut self, patience: Duration) {
        let until = Instant::now() + patience;
        let mut buffer = [0; 1 << 16];
        for _ in 0..MOST_READS {
            let left = until.saturating_duration_since(Instant::now());
            if !self.is_open {
                return std::thread::sleep(left);
            }
            match self.from.read(&mut buffer) {
                Ok(0) => self.is_open = false,
                Ok(n) => self.keep(&buffer[..n]),
                Err(e) if e.kind() == ErrorKind::WouldBlock && !left.is_zero() => self.wait(left),
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.last.extend_from_slice(bytes);
        self.last.drain(..self.last.len().saturating_sub(MOST_BYTES));
    }

    /// Until something can be read, or for this long.
    fn wait(&self, patience: Duration) {
        let patience = Timespec { tv_sec: 0, tv_nsec: patience.subsec_nanos().max(1).into() };
        let _ = poll(&mut [PollFd::new(&self.from, PollFlags::IN)], Some(&patience));
    }

    /// The last lines, without passwords. If a process that the command left running may still print, it goes on being read, by a
    /// process that ends with it: a server must not fail, or wait, because what it writes is not read.
    fn finish(self) -> String {
        let text = String::from_utf8_lossy(&self.last);
        let lines: Vec<&str> = text.trim().lines().collect();
        let kept = &lines[lines.len().saturating_sub(MOST_LINES)..];
        let shown = without_secrets(&visible_lines(&kept.join("\n")));
        if self.is_open {
            let _ = rustix::io::ioctl_fionbio(&self.from, false);
            // Started by a shell that ends at once, so that it is not a child of this process.
            let mut sink = Command::new("sh");
            sink.args(["-c", "trap '' HUP INT; exec 3<&0; cat <&3 >/dev/null & exit 0"])
                .current_dir("/")
                .process_group(0);
            let sink = sink.stdin(self.from).stdout(Stdio::null()).stderr(Stdio::null()).status();
            drop(sink);
        }
        shown
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(text: &str, patience_ms: u64, stop: &StopSignal) -> (Option<String>, String) {
        let environment = [("TENBIN_TARGET", "a b".to_owned())];
        let patience = Duration::from_millis(patience_ms);
        let command = UserCommand { text, environment: &environment, patience, directory: None, is_awaited: false };
        let end = run(&command, stop).unwrap();
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
        // The password of a connection, wherever it stands.
        let dsn = tenbin_model::dsn::Dsn::parse("mysql://u@h/x").unwrap();
        let _known = tenbin_driver::Connector::new(dsn, Some("b4-s3kr1t%pw".into())).unwrap();
        assert_eq!(ran("set -x; : sshpass -p b4-s3kr1t%pw", 5000, &stop).1, "+ : sshpass -p …");
        let (why, output) = ran("echo begun; sleep 60 & sleep 60", 3000, &stop);
        assert_eq!((why.as_deref(), output.as_str()), (Some("not ended after 3 s"), "begun"));
        stop.ask();
        assert_eq!(ran("echo begun; sleep 60", 60_000, &stop), (Some("stopped before its end".into()), String::new()));
    }

    /// Requests to stop come while it is at work.
    #[test]
    fn one_that_must_come_to_its_end_is_ended_by_a_second_request_only() {
        let ran = |is_awaited: bool, requests: u32, text: &str| {
            let stop = StopSignal::new();
            let here = tempfile::tempdir().unwrap();
            let (begun, directory) = (here.path().join("begun"), Some(here.path()));
            let command =
                UserCommand { text, environment: &[], patience: Duration::from_secs(60), directory, is_awaited };
            std::thread::scope(|s| {
                s.spawn(|| {
                    while !begun.exists() {
                        std::thread::sleep(LOOK);
                    }
                    (0..requests).for_each(|_| stop.ask());
                    std::fs::write(here.path().join("asked"), "").unwrap();
                });
                run(&command, &stop).unwrap().failure.map(|why| why.english().to_owned())
            })
        };
        let until_asked = "touch begun; while ! [ -e asked ]; do sleep 0.02; done; sleep 0.2";
        assert_eq!(ran(true, 1, until_asked), None);
        assert_eq!(ran(true, 2, "touch begun; sleep 60").as_deref(), Some("stopped before its end"));
        assert_eq!(ran(false, 1, "touch begun; sleep 60").as_deref(), Some("stopped before its end"));
        assert!(!is_awaited());
    }

    #[test]
    fn a_command_that_prints_without_end_is_ended_by_its_time_limit_and_fills_nothing() {
        let (why, output) = ran("yes tenbin-prints", 700, &StopSignal::new());
        assert_eq!(why.as_deref(), Some("not ended after 0 s"));
        assert!(output.len() <= MOST_BYTES && output.lines().all(|line| "tenbin-prints".ends_with(line)), "{output}");
        let (_, output) = ran("readlink /proc/self/fd/1 /proc/self/fd/2", 60_000, &StopSignal::new());
        assert!(
            output.lines().count() == 2 && output.lines().all(|line| line.starts_with("pipe:[")),
            "no file has what it prints: {output}"
        );
    }

    #[test]
    fn what_it_leaves_running_can_print_for_ever_and_does_not_fail() {
        let dir = tempfile::tempdir().unwrap();
        let done = dir.path().join("done");
        // More than a pipe holds, after the command has ended.
        let text = format!("(sleep 0.3; head -c 1000000 /dev/zero && echo ok > {}) & echo left", done.display());
        assert_eq!(ran(&text, 60_000, &StopSignal::new()), (None, "left".to_owned()));
        let start = Instant::now();
        while !std::fs::read_to_string(&done).is_ok_and(|text| text == "ok\n") {
            assert!(start.elapsed() < Duration::from_secs(30), "it waits for a reader, or was killed");
            std::thread::sleep(LOOK);
        }
    }

    #[test]
    fn what_it_leaves_running_is_not_waited_for() {
        let start = Instant::now();
        let (why, output) = ran("sleep 30 & echo left", 60_000, &StopSignal::new());
        assert_eq!((why, output.as_str()), (None, "left"));
        assert!(start.elapsed() < Duration::from_secs(25));
    }
}
