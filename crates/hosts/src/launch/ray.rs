//! Nodes of a Ray cluster as load hosts. The Python package `tenbin-ray` places them and carries their files there; it connects them
//! with one process of this machine, whose lines name the host that they are from or for. `python/tenbin_ray/place.py` describes it.

use super::local::started;
use super::{HostProcess, Launcher, PlacedHost};
use serde::Deserialize;
use std::ffi::OsString;
use std::io::{PipeWriter, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tenbin_driver::credentials::known::without_secrets;
use tenbin_intake::{Line, Lines};
use tenbin_model::stop::StopSignal;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::short;

/// The program of the package.
const PLACER: &str = "tenbin-ray";
/// How often it is looked whether to stop while hosts are placed.
const LOOK: Duration = Duration::from_millis(20);
/// Its first line has the names of all hosts; the others have a report each, whose own limit is that of the connection to its host.
const LONGEST_PLACEMENT: usize = 4 << 20;
const LONGEST_REPORT: usize = 128 << 20;
/// At most this much is shown of a line that is not a report.
const SHOWN: usize = 1000;
/// How long the program may take to say how it ended.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Starts one process on each of several nodes of a cluster, all or none.
#[derive(Debug, Clone)]
pub struct RayCluster {
    /// The head, `HOST:PORT`.
    pub head: String,
    /// The program on the nodes with its arguments; `./NAME` is a carried one.
    pub command: Vec<OsString>,
    /// Files that are carried to the working directory of each host, by their names there.
    pub carried: Vec<(String, PathBuf)>,
}

impl Launcher for RayCluster {
    fn place(&self, hosts: u32, stop: &StopSignal) -> Result<Vec<PlacedHost>, Problem> {
        let failed = || Problem::new(msg!("ray-hosts-not-placed", head = self.head));
        let mut command = Command::new(PLACER);
        command.args(["--address", &self.head, "--hosts", &hosts.to_string()]);
        for (name, path) in &self.carried {
            let mut carry = OsString::from(format!("{name}="));
            carry.push(path);
            command.arg("--carry").arg(carry);
        }
        command.arg("--").args(&self.command);
        // Ctrl-C is for the coordinator, which ends the hosts in order.
        command.process_group(0);
        let placer = started(PLACER.to_owned(), command).map_err(|problem| problem.hint(msg!("install-tenbin-ray")))?;
        let PlacedHost { orders, reports, mut process, .. } = placer;
        let mut reports = Lines::of(reports);
        let (tell, told) = mpsc::sync_channel(1);
        // Ends with the process.
        std::thread::spawn(move || {
            let line = reports.next(LONGEST_PLACEMENT).transpose();
            let line = line.map(|line| line.map(|line| line.text()).unwrap_or_default());
            // The receiver is gone if the run was stopped.
            let _ = tell.send(line.map(|line| (line, reports)));
        });
        let first = loop {
            match told.recv_timeout(LOOK) {
                Ok(first) => break first.map_err(|error| failed().evidence(foreign(error)))?,
                Err(RecvTimeoutError::Timeout) if !stop.asked() => {}
                Err(_) => return Err(Problem::new(msg!("stopped-while-hosts-joined"))),
            }
        };
        let (line, reports) = first;
        let names = match serde_json::from_str(&line) {
            Ok(Placement::Placed { placed }) if placed.len() == hosts as usize => placed,
            Ok(Placement::Placed { .. }) => return Err(failed().evidence(foreign(without_secrets(line.trim())))),
            Ok(Placement::Refused(refused)) => {
                let last_words = process.ended(LAST_WORDS).unwrap_or_default();
                return Err(refused.problem(failed(), &self.head, hosts, &last_words));
            }
            Err(_) => {
                let last_words = process.ended(LAST_WORDS).unwrap_or_else(|| without_secrets(&line));
                return Err(failed().evidence(foreign(last_words)).hint(msg!("install-tenbin-ray")));
            }
        };
        connect(names, orders, reports, process).map_err(|error| failed().evidence(foreign(error)))
    }

    /// Ray encrypts nothing unless its own TLS is set up, and may write what it transfers to files.
    fn is_confidential(&self) -> bool {
        false
    }
}

/// The first line of the program.
#[derive(Deserialize)]
#[serde(untagged)]
enum Placement {
    Placed { placed: Vec<String> },
    Refused(Refused),
}

/// Why hosts were not placed.
#[derive(Deserialize)]
struct Refused {
    refused: String,
    #[serde(default)]
    evidence: String,
    #[serde(default)]
    there: u32,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    seconds: u32,
}

impl Refused {
    /// In words; `last_words`: what the program wrote last to its standard error.
    fn problem(self, failed: Problem, head: &str, hosts: u32, last_words: &str) -> Problem {
        let Refused { refused, evidence, there, names, seconds } = self;
        let evidence = without_secrets(&evidence);
        match refused.as_str() {
            "no-ray" => failed.evidence(foreign(evidence)).hint(msg!("install-tenbin-ray")),
            "no-answer" => failed.evidence(foreign(evidence)).hint(msg!("start-ray-head")),
            "no-connection" if last_words.contains("InvalidAuthToken") => {
                failed.evidence(msg!("ray-token-refused")).hint(msg!("give-ray-token"))
            }
            "no-connection" => failed.evidence(foreign(evidence)).hint(msg!("join-ray-cluster", head)),
            "too-few-nodes" => {
                let evidence = msg!("ray-has-nodes", there, names = names.join(", "));
                let problem = Problem::new(msg!("ray-has-too-few-nodes", head, hosts)).evidence(evidence);
                problem.hint(msg!("join-ray-cluster", head))
            }
            "nodes-busy" => failed.evidence(msg!("ray-nodes-busy", seconds, evidence)).hint(msg!("see-ray-status")),
            _ => failed.evidence(foreign(evidence)),
        }
    }
}

/// Connects each host with its lines of the program.
fn connect(
    names: Vec<String>,
    orders: Box<dyn Write + Send>,
    reports: Lines<impl Read + Send + 'static>,
    placer: Box<dyn HostProcess>,
) -> std::io::Result<Vec<PlacedHost>> {
    let orders = Arc::new(Mutex::new(orders));
    let ends = Ends::new(Mutex::new(vec![None; names.len()]));
    let placer = Arc::new(Mutex::new(placer));
    let (mut hosts, mut to) = (Vec::new(), Vec::new());
    for (number, name) in names.into_iter().enumerate() {
        let (read, write) = std::io::pipe()?;
        to.push(Some(write));
        let orders = Box::new(Orders { number, line: Vec::new(), to: orders.clone() });
        let process = Box::new(Node { number, ends: ends.clone(), placer: placer.clone() });
        hosts.push(PlacedHost { name, orders, reports: Box::new(read), process });
    }
    // Ends with the program.
    std::thread::spawn(move || deal_out(reports, to, &ends));
    Ok(hosts)
}

/// How hosts have ended according to the program.
type Ends = Arc<Mutex<Vec<Option<String>>>>;

/// Gives each line to the host that it is about.
fn deal_out(mut from: Lines<impl Read>, mut to: Vec<Option<PipeWriter>>, ends: &Ends) {
    while let Some(Ok(whole)) = from.next(LONGEST_REPORT) {
        let is_cut = matches!(whole, Line::Cut(_));
        let (Line::Whole(mut line) | Line::Cut(mut line)) = whole;
        line.push(b'\n');
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&line[..digits]).ok().and_then(|digits| digits.parse::<usize>().ok());
        let (kind, rest) = line[digits..].split_first().unwrap_or((&b'\n', &[]));
        match (kind, number.filter(|number| *number < to.len() && !is_cut)) {
            (b' ', Some(number)) => {
                let written = to[number].as_mut().map(|host| host.write_all(rest));
                // A host that was given up does not read any longer.
                to[number] = to[number].take().filter(|_| written.is_some_and(|written| written.is_ok()));
            }
            (b'!', Some(number)) => {
                let why = short(&without_secrets(String::from_utf8_lossy(rest).trim()), SHOWN);
                ends.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(why);
                to[number] = None;
            }
            // A line that cannot be understood is the program's own mistake: all are lost then.
            _ => {
                let why =
                    format!("{PLACER}: {}", short(&without_secrets(String::from_utf8_lossy(&line).trim()), SHOWN));
                let mut ends = ends.lock().unwrap_or_else(PoisonError::into_inner);
                ends.iter_mut().for_each(|end| _ = end.get_or_insert_with(|| why.clone()));
                return;
            }
        }
    }
}

/// Orders of one host, as lines with its number.
struct Orders {
    number: usize,
    line: Vec<u8>,
    to: Arc<Mutex<Box<dyn Write + Send>>>,
}

impl Write for Orders {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.line.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    /// Sends the lines that are complete.
    fn flush(&mut self) -> std::io::Result<()> {
        let complete = self.line.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        for line in self.line[..complete].split_inclusive(|byte| *byte == b'\n') {
            write!(to, "{} ", self.number)?;
            to.write_all(line)?;
        }
        self.line.drain(..complete);
        to.flush()
    }
}

impl Drop for Orders {
    /// There are no more of this host.
    fn drop(&mut self) {
        let mut to = self.to.lock().unwrap_or_else(PoisonError::into_inner);
        // If the program is gone, so is the host.
        let _ = writeln!(to, "{}", self.number).and_then(|()| to.flush());
    }
}

/// What stands for the process of one host.
struct Node {
    number: usize,
    ends: Ends,
    /// Ends with the last of the hosts.
    placer: Arc<Mutex<Box<dyn HostProcess>>>,
}

impl HostProcess for Node {
    fn ended(&mut self, patience: Duration) -> Option<String> {
        let until = Instant::now() + patience;
        loop {
            let why = self.ends.lock().unwrap_or_else(PoisonError::into_inner)[self.number].clone();
            if why.is_some() {
                return why;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                // If the program has ended, there will be no report of how the host ended.
                return self.placer.lock().unwrap_or_else(PoisonError::into_inner).ended(Duration::ZERO);
            }
            std::thread::sleep(left.min(LOOK));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    struct Silent;

    impl HostProcess for Silent {
        fn ended(&mut self, _: Duration) -> Option<String> {
            None
        }
    }

    fn connected(says: &'static str) -> (Vec<PlacedHost>, std::io::PipeReader) {
        let (read, write) = std::io::pipe().expect("a pipe");
        let names = vec!["a".to_owned(), "b".to_owned()];
        (connect(names, Box::new(write), Lines::of(says.as_bytes()), Box::new(Silent)).expect("connected"), read)
    }

    fn all(mut from: impl Read) -> String {
        let mut text = String::new();
        from.read_to_string(&mut text).expect("text");
        text
    }

    #[test]
    fn each_host_has_its_lines_and_its_end() {
        let (mut hosts, _orders) = connected("1 x\n0 y\n1 z\n0! exit status: 1: no memory\n0 late\n1 end\n");
        let reports: Vec<_> = hosts.iter_mut().map(|host| all(&mut host.reports)).collect();
        assert_eq!(reports, ["y\n", "x\nz\nend\n"]);
        let ends: Vec<_> = hosts.iter_mut().map(|host| host.process.ended(Duration::ZERO)).collect();
        assert_eq!(ends, [Some("exit status: 1: no memory".to_owned()), None]);
    }

    #[test]
    fn a_line_about_no_host_ends_all() {
        for wrong in ["Traceback\n", "7 x\n", "\n", "99999999999999999999 x\n"] {
            let says: &'static str = format!("0 x\n{wrong}0 y\n").leak();
            let (mut hosts, _orders) = connected(says);
            let reports: Vec<_> = hosts.iter_mut().map(|host| all(&mut host.reports)).collect();
            assert_eq!(reports, ["x\n", ""], "{wrong:?}");
        }
    }

    #[test]
    fn orders_are_whole_lines_with_the_number_of_the_host() {
        let (mut hosts, orders) = connected("");
        hosts[1].orders.write_all(b"{\"a\":1}\n{\"b").expect("taken");
        hosts[1].orders.flush().expect("sent");
        hosts[0].orders.write_all(b"c\n").expect("taken");
        hosts[0].orders.flush().expect("sent");
        hosts[1].orders.write_all(b"\":2}\n").expect("taken");
        hosts[1].orders.flush().expect("sent");
        drop(hosts);
        assert_eq!(all(orders), "1 {\"a\":1}\n0 c\n1 {\"b\":2}\n0\n1\n");
    }
}
