//! Processes of this machine as load hosts: for machines whose cores one process cannot use, and for tests.

use super::{HostProcess, Launcher, PlacedHost};
use std::ffi::OsString;
use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tenbin_driver::credentials::known::without_secrets;
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The most that is kept of what a process writes to its standard error.
const KEPT: usize = 4096;
/// How long a process that was let go may take to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Starts processes of this machine, connected by pipes.
#[derive(Debug, Clone)]
pub struct LocalProcesses {
    /// The program, usually this one.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
}

impl Launcher for LocalProcesses {
    fn place(&self, hosts: u32, _: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        (1..=hosts)
            .map(|number| {
                let mut command = Command::new(&self.program);
                command.args(&self.arguments);
                // Ctrl-C is for the coordinator, which ends them in order.
                command.process_group(0);
                started(format!("process {number}"), command)
            })
            .collect()
    }

    fn is_confidential(&self) -> bool {
        true
    }
}

/// Starts a command whose standard input takes orders and whose standard output gives reports.
pub fn started(name: String, mut command: Command) -> Result<PlacedHost, Problem> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |why: &str| Problem::new(msg!("host-not-started", host = name, program)).evidence(foreign(why));
    let mut child = command.spawn().map_err(|error| failed(&error.to_string()))?;
    let (Some(orders), Some(reports), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(failed("no pipe"));
    };
    let output: Arc<Mutex<String>> = Arc::default();
    let heard = output.clone();
    // Ends with the process.
    let reader = std::thread::spawn(move || keep_end(errors, &heard));
    let process = Box::new(LocalProcess { child, output, reader });
    Ok(PlacedHost { name, orders: Box::new(orders), reports: Box::new(reports), process })
}

/// Keeps the end of what is read.
fn keep_end(mut from: impl Read, kept: &Mutex<String>) {
    let mut buffer = [0; 1024];
    while let Ok(n @ 1..) = from.read(&mut buffer) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push_str(&String::from_utf8_lossy(&buffer[..n]));
        let surplus = kept.len().saturating_sub(KEPT);
        let cut = (surplus..kept.len()).find(|&at| kept.is_char_boundary(at)).unwrap_or(0);
        kept.drain(..cut);
    }
}

struct LocalProcess {
    child: Child,
    output: Arc<Mutex<String>>,
    /// Reads what it writes to its standard error.
    reader: JoinHandle<()>,
}

impl HostProcess for LocalProcess {
    fn ended(&mut self, patience: Duration) -> Option<String> {
        let until = Instant::now() + patience;
        let status = loop {
            match self.child.try_wait().ok()? {
                Some(status) if self.reader.is_finished() || Instant::now() > until => break status,
                None if Instant::now() > until => return None,
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let last = without_secrets(output.trim().lines().next_back().unwrap_or_default());
        Some(if last.is_empty() { status.to_string() } else { format!("{status}: {last}") })
    }
}

impl Drop for LocalProcess {
    /// It ends by itself when its input is closed; one that does not is killed.
    fn drop(&mut self) {
        let until = Instant::now() + PATIENCE;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_driver::Connector;
    use tenbin_model::dsn::Dsn;

    #[test]
    fn the_last_words_of_a_process_have_no_password() {
        let dsn = Dsn::parse("mysql://u@h/x").unwrap();
        let _known = Connector::new(dsn, Some("h0st-s3kr1t".into())).unwrap();
        for (says, left) in [
            ("+ sshpass -p h0st-s3kr1t ssh db", "+ sshpass -p … ssh db"),
            ("no mysql://u:of-another@h/x here", "no mysql://u@h/x here"),
        ] {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("echo begun >&2; echo '{says}' >&2; exit 3")]);
            let mut placed = started("a".to_owned(), command).unwrap();
            assert_eq!(placed.process.ended(Duration::from_secs(60)), Some(format!("exit status: 3: {left}")));
        }
    }
}
