//! Connections to load hosts that a launcher has started, on the real clock.
//!
//! Each host has a thread that writes to it and one that reads. The writer asks for the time at regular intervals, which also renews
//! the host's lease, so that nothing the coordinator is busy with lets a lease expire.

use crate::launch::{HostProcess, PlacedHost};
use crate::network::{Arrival, Arrived, Network};
use crate::protocol::{Assignment, Numbered, Order, Report};
use crate::report_queue::{Allowance, ReportQueue};
use std::io::{Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use tenbin_driver::credentials::known::without_secrets;
use tenbin_intake::{Line, Lines};

/// How often each host is asked for its time.
const PROBE_EVERY: Duration = Duration::from_millis(500);
/// This many orders may wait for a host that does not read: it is given up long before.
const MOST_ORDERS: usize = 1000;
/// The longest report of a host without clients, and what each of its clients adds: four numbers of twenty digits.
const LONGEST_REPORT: usize = 4 << 20;
const LONGEST_PER_CLIENT: usize = 96;
/// What a machine may print before the host's first report: this many bytes in a line, and this many lines.
const LONGEST_GREETING: usize = 64 << 10;
const MOST_GREETINGS: usize = 1000;
/// At most this much of a line is shown.
const SHOWN: usize = 200;
/// What each report starts with.
const REPORT: &[u8] = b"{\"";

/// All connections.
pub struct Connections {
    hosts: Vec<Connection>,
    arrived: Arc<ReportQueue>,
    /// The coordinator's clock counts from here.
    epoch: Instant,
}

struct Connection {
    name: String,
    /// `None` once it has been closed.
    orders: Option<SyncSender<Outgoing>>,
    /// The longest report that is expected of it, bytes.
    longest: Arc<AtomicUsize>,
    /// When the host was last heard of, nanoseconds since the epoch.
    heard_ns: Arc<AtomicU64>,
    process: Box<dyn HostProcess>,
}

enum Outgoing {
    Order(Box<Order>),
    Probe,
}

impl Connections {
    /// Connects what was placed.
    pub fn to(placed: Vec<PlacedHost>) -> Connections {
        let (epoch, arrived) = (Instant::now(), Arc::new(ReportQueue::new(placed.len())));
        let placed = placed.into_iter().enumerate();
        let hosts = placed.map(|(host, placed)| connect(host, placed, epoch, &arrived)).collect();
        Connections { hosts, arrived, epoch }
    }

    fn hand_over(&self, host: usize, what: Outgoing) {
        if let Some(orders) = &self.hosts[host].orders {
            // A writer that has ended is noticed by what it last said, and a host that does not read by its silence.
            let _ = orders.try_send(what);
        }
    }
}

impl Network for Connections {
    fn names(&self) -> Vec<String> {
        self.hosts.iter().map(|host| host.name.clone()).collect()
    }

    fn now_ns(&self) -> u64 {
        self.epoch.elapsed().as_nanos() as u64
    }

    fn instant(&self, at_ns: u64) -> Instant {
        self.epoch + Duration::from_nanos(at_ns)
    }

    fn send(&self, host: usize, order: Order) {
        if let Order::Prepare { assignment, .. } = &order {
            self.hosts[host].longest.store(longest_report(assignment), Ordering::SeqCst);
        }
        self.hand_over(host, Outgoing::Order(Box::new(order)));
    }

    fn probe(&self, host: usize) {
        self.hand_over(host, Outgoing::Probe);
    }

    fn receive(&mut self, patience: Duration) -> Vec<Arrival> {
        self.arrived.take(patience)
    }

    fn heard_ns(&self, host: usize) -> u64 {
        self.hosts[host].heard_ns.load(Ordering::Relaxed)
    }

    fn last_words(&mut self, host: usize, patience: Duration) -> Option<String> {
        self.hosts[host].process.ended(patience)
    }

    fn close(&mut self, host: usize) {
        self.hosts[host].orders = None;
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        // All connections, before the first process is waited for.
        self.hosts.iter_mut().for_each(|host| host.orders = None);
    }
}

/// Of a host that drives this: it reports what each of its clients did.
fn longest_report(assignment: &Assignment) -> usize {
    LONGEST_REPORT + LONGEST_PER_CLIENT * assignment.load.clients as usize
}

fn connect(number: usize, placed: PlacedHost, epoch: Instant, queue: &Arc<ReportQueue>) -> Connection {
    let PlacedHost { name, orders, reports, process } = placed;
    let (send, sent) = mpsc::sync_channel(MOST_ORDERS);
    let heard_ns = Arc::new(AtomicU64::new(epoch.elapsed().as_nanos() as u64));
    let longest = Arc::new(AtomicUsize::new(LONGEST_REPORT));
    let written = queue.clone();
    // Both end with the connection.
    std::thread::spawn(move || {
        if write(orders, &sent, epoch).is_err() {
            written.put(Arrival { host: number, at_ns: 0, what: Arrived::End }, 0);
        }
    });
    let reader = ReportReader {
        host: number,
        epoch,
        heard_ns: heard_ns.clone(),
        longest: longest.clone(),
        queue: queue.clone(),
    };
    std::thread::spawn(move || reader.read(reports));
    Connection { name, orders: Some(send), longest, heard_ns, process }
}

/// Writes orders, and asks for the time at least every [`PROBE_EVERY`].
fn write(mut to: impl Write, orders: &Receiver<Outgoing>, epoch: Instant) -> std::io::Result<()> {
    let mut probed = Instant::now();
    for number in 0.. {
        let message = match orders.recv_timeout(PROBE_EVERY.saturating_sub(probed.elapsed())) {
            Ok(Outgoing::Order(order)) => *order,
            Ok(Outgoing::Probe) | Err(RecvTimeoutError::Timeout) => {
                probed = Instant::now();
                Order::Probe { sent_ns: epoch.elapsed().as_nanos() as u64 }
            }
            Err(RecvTimeoutError::Disconnected) => break,
        };
        to.write_all(&Numbered { number, message }.line()?)?;
        to.flush()?;
    }
    Ok(())
}

/// Reads what a host sends.
struct ReportReader {
    host: usize,
    epoch: Instant,
    heard_ns: Arc<AtomicU64>,
    longest: Arc<AtomicUsize>,
    queue: Arc<ReportQueue>,
}

impl ReportReader {
    fn read(self, reports: impl Read) {
        let (mut lines, mut allowance) = (Lines::of(reports), Allowance::new());
        let (mut greetings, mut has_reported) = (0, false);
        loop {
            let longest = if has_reported { self.longest.load(Ordering::SeqCst) } else { LONGEST_GREETING };
            let line = lines.next(longest);
            let at_ns = self.epoch.elapsed().as_nanos() as u64;
            let Some(Ok(line)) = line else { break };
            self.heard_ns.store(at_ns, Ordering::Relaxed);
            let bytes = line.bytes().len();
            let what = match understood(&line, has_reported) {
                _ if !allowance.take(bytes) => Arrived::TooMuch,
                Some(report) => {
                    has_reported = true;
                    Arrived::Report(Box::new(report))
                }
                None if has_reported && matches!(line, Line::Cut(_)) => Arrived::TooMuch,
                None if has_reported || greetings == MOST_GREETINGS => Arrived::Nonsense(beginning(&line)),
                None => {
                    greetings += 1;
                    Arrived::Greeting(beginning(&line))
                }
            };
            if !self.queue.put(Arrival { host: self.host, at_ns, what }, bytes) {
                return;
            }
        }
        self.queue.put(Arrival { host: self.host, at_ns: 0, what: Arrived::End }, 0);
    }
}

/// The report that a line is. The first may follow a greeting that does not end its line.
fn understood(line: &Line, has_reported: bool) -> Option<Numbered<Report>> {
    let Line::Whole(bytes) = line else { return None };
    let from = if has_reported { Some(0) } else { memchr::memmem::find(bytes, REPORT) };
    serde_json::from_slice(&bytes[from?..]).ok()
}

fn beginning(line: &Line) -> String {
    let bytes = line.bytes();
    // Twice as much as is shown: a password is not cut before it is looked for.
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(8 * SHOWN)]);
    without_secrets(text.trim()).chars().take(SHOWN).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_driver::Connector;
    use tenbin_model::dsn::Dsn;

    /// What is understood of what a host sends, in short.
    fn heard(sends: impl Read) -> Vec<String> {
        let queue = Arc::new(ReportQueue::new(1));
        let longest = Arc::new(AtomicUsize::new(LONGEST_REPORT));
        let reader =
            ReportReader { host: 0, epoch: Instant::now(), heard_ns: Arc::default(), longest, queue: queue.clone() };
        reader.read(sends);
        let all = std::iter::from_fn(|| Some(queue.take(Duration::ZERO)).filter(|all| !all.is_empty())).flatten();
        let line = |arrival: Arrival| match arrival.what {
            Arrived::Report(report) => format!("report {}", report.number),
            other => format!("{other:?}").chars().take(40).collect(),
        };
        all.map(line).collect()
    }

    fn report(number: u64) -> String {
        let message = Report::Probed { sent_ns: 1, host_ns: 2 };
        String::from_utf8(Numbered { number, message }.line().unwrap()).unwrap()
    }

    #[test]
    fn greetings_before_the_first_report_are_skipped() {
        let (first, second) = (report(0), report(1));
        let with = |greeting: &str| heard(format!("{greeting}{first}{second}").as_bytes());
        assert_eq!(with(""), ["report 0", "report 1", "End"]);
        assert_eq!(
            with("Welcome to Linux!\n\n"),
            ["Greeting(\"Welcome to Linux!\")", "Greeting(\"\")", "report 0", "report 1", "End"]
        );
        let _known = Connector::new(Dsn::parse("mysql://u@h/x").unwrap(), Some("gr33t-s3kr1t".into())).unwrap();
        assert_eq!(with("+ sshpass -p gr33t-s3kr1t ssh db\n")[0], "Greeting(\"+ sshpass -p … ssh db\")");
        assert_eq!(with("last login {never}: "), ["report 0", "report 1", "End"], "one that does not end its line");
        assert_eq!(with(&"x\n".repeat(500)).len(), 503);
        let later = heard(format!("{first}Welcome!\n{second}").as_bytes());
        assert_eq!(later, ["report 0", "Nonsense(\"Welcome!\")"]);
    }

    /// Counts what is taken of something that has no end.
    struct Endless<'a> {
        of: &'a [u8],
        at: usize,
        taken: &'a mut u64,
    }

    impl Read for Endless<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            for byte in buffer.iter_mut() {
                *byte = self.of[self.at % self.of.len()];
                self.at += 1;
            }
            *self.taken += buffer.len() as u64;
            Ok(buffer.len())
        }
    }

    #[test]
    fn a_host_that_floods_is_no_longer_read() {
        let first = report(0);
        for (flood, end) in [("x", "TooMuch"), ("Welcome!\n", "Nonsense"), (first.as_str(), "TooMuch")] {
            for before in [first.as_str(), ""] {
                let mut taken = 0;
                let sends = before.as_bytes().chain(Endless { of: flood.as_bytes(), at: 0, taken: &mut taken });
                let heard = heard(sends);
                let last = heard.last().map(String::as_str).unwrap_or_default();
                let is_greeting = before.is_empty() && flood == "x";
                assert!(
                    last.starts_with(if is_greeting { "TooMuch" } else { end }) || last.starts_with("Nonsense"),
                    "{flood}: {last}"
                );
                assert!(taken < 128 << 20, "{flood} after {before}: {taken} bytes were read");
            }
        }
    }
}
