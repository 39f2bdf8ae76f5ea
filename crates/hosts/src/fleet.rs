//! The load hosts of a run, connected: orders to each, reports of all, their clocks and their leases.
//!
//! Each host has a thread that writes to it and one that reads. The writer asks for the time at regular intervals, which also renews
//! the host's lease, so that nothing the coordinator is busy with lets a lease expire.

use crate::clock::{Exchange, HostClock};
use crate::launch::{HostProcess, Launcher, PlacedHost};
use crate::protocol::{Order, PROTOCOL, Report};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};
use tenbin_model::message::{Message, foreign};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// A host stops by itself if it has not heard from the coordinator for so long, and is given up if it was not heard of for so long.
pub const LEASE: Duration = Duration::from_secs(3);
/// How often each host is asked for its time.
const PROBE_EVERY: Duration = Duration::from_millis(500);
/// So many exchanges precede each drive.
const PROBES: usize = 8;
/// How long a host may take to answer at first.
const JOINING: Duration = Duration::from_secs(30);
/// How long a process whose connection was closed may take to end and say why.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// How often time limits are looked at.
pub const LOOK: Duration = Duration::from_millis(20);

/// All load hosts of a run.
pub struct Fleet {
    hosts: Vec<Host>,
    heard: Receiver<Heard>,
    /// The coordinator's clock counts from here.
    epoch: Instant,
    newly_lost: Vec<usize>,
    /// Reports about drives that arrived while something else was waited for.
    kept: Vec<(usize, Report)>,
}

/// One of them.
pub struct Host {
    /// Its name.
    pub name: String,
    /// Which machine it is.
    pub machine: String,
    /// Facts about it.
    pub facts: BTreeMap<String, String>,
    /// Its clock.
    pub clock: HostClock,
    /// Why it was given up, if it was.
    pub lost: Option<Problem>,
    /// Reports that came after that.
    pub late: u64,
    joined: bool,
    /// `None` once it has been given up: its connection is then closed, and it stops by itself.
    orders: Option<Sender<Outgoing>>,
    /// When it was last heard of, nanoseconds since the epoch.
    heard_ns: Arc<AtomicU64>,
    process: Box<dyn HostProcess>,
}

enum Outgoing {
    Order(Vec<u8>),
    Probe,
}

struct Heard {
    host: usize,
    at_ns: u64,
    what: Received,
}

enum Received {
    Report(Box<Report>),
    Nonsense(String),
    End,
}

impl Fleet {
    /// Starts hosts, and waits until all have joined with the same version of Tenbin and their clocks are known.
    pub fn start(launcher: &dyn Launcher, hosts: u32, stop: &StopSignal) -> Result<Fleet, Problem> {
        let placed = launcher.place(hosts, stop)?;
        let (epoch, (tell, heard)) = (Instant::now(), mpsc::channel());
        let hosts = placed.into_iter().enumerate().map(|(host, placed)| connect(host, placed, epoch, &tell)).collect();
        let mut fleet = Fleet { hosts, heard, epoch, newly_lost: Vec::new(), kept: Vec::new() };
        fleet.join(stop)?;
        Ok(fleet)
    }

    fn join(&mut self, stop: &StopSignal) -> Result<(), Problem> {
        let lease_ms = LEASE.as_millis() as u64;
        self.send_each(|_| Order::Join { protocol: PROTOCOL, version: version(), lease_ms });
        let until = Instant::now() + JOINING;
        while !self.hosts.iter().all(|host| host.joined) {
            if stop.asked() {
                return Err(Problem::new(msg!("stopped-while-hosts-joined")));
            }
            if Instant::now() > until
                && let Some(silent) = self.hosts.iter().position(|host| !host.joined)
            {
                self.give_up(silent, msg!("host-did-not-join", seconds = JOINING.as_secs()));
            }
            self.keep(LOOK);
            self.any_lost()?;
        }
        self.synchronize()
    }

    /// Several exchanges with each host, one after the other, so that its clock is known as well as it can be.
    pub fn synchronize(&mut self) -> Result<(), Problem> {
        let wanted: Vec<u64> = self.hosts.iter().map(|host| host.clock.exchanges() + PROBES as u64).collect();
        let until = Instant::now() + LEASE;
        for _ in 0..PROBES {
            for host in self.hosts.iter().filter_map(|host| host.orders.as_ref()) {
                // A writer that has ended reports that itself.
                let _ = host.send(Outgoing::Probe);
            }
            self.keep(Duration::from_millis(2));
        }
        while self.hosts.iter().zip(&wanted).any(|(host, wanted)| host.clock.exchanges() < *wanted) {
            self.follow();
            self.any_lost()?;
            if Instant::now() > until {
                break;
            }
            self.keep(LOOK);
        }
        Ok(())
    }

    /// Waits so long at most for a report, and keeps what is about drives for later.
    fn keep(&mut self, patience: Duration) {
        let reports = self.receive(patience);
        self.kept.extend(reports);
    }

    /// Fails if a host was given up.
    pub fn any_lost(&self) -> Result<(), Problem> {
        self.hosts.iter().find_map(|host| host.lost.clone()).map_or(Ok(()), Err)
    }

    /// All hosts.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// Nanoseconds on the coordinator's clock, which those of the hosts are compared with.
    pub fn ns(&self, at: Instant) -> u64 {
        at.saturating_duration_since(self.epoch).as_nanos() as u64
    }

    /// The instant of a host's time.
    pub fn instant(&self, host: usize, host_ns: u64) -> Option<Instant> {
        Some(self.epoch + Duration::from_nanos(self.hosts.get(host)?.clock.coordinator_ns(host_ns)?))
    }

    /// Sends an order to each host that has not been given up.
    pub fn send_each(&self, order: impl Fn(usize) -> Order) {
        for (number, host) in self.hosts.iter().enumerate() {
            if let (Some(orders), Ok(mut line)) = (&host.orders, serde_json::to_vec(&order(number))) {
                line.push(b'\n');
                // A writer that has ended is noticed by what it last said.
                let _ = orders.send(Outgoing::Order(line));
            }
        }
    }

    /// Gives up hosts that were not heard of for as long as the lease; returns all that were given up since the last call.
    pub fn follow(&mut self) -> Vec<usize> {
        let now_ns = self.ns(Instant::now());
        for host in 0..self.hosts.len() {
            let silent_ns = now_ns.saturating_sub(self.hosts[host].heard_ns.load(Ordering::Relaxed));
            if self.hosts[host].joined && u128::from(silent_ns) > LEASE.as_nanos() {
                let seconds = silent_ns as f64 / 1e9;
                self.give_up(host, msg!("host-silent-for", seconds = format_args!("{seconds:.1}")));
            }
        }
        std::mem::take(&mut self.newly_lost)
    }

    /// Closes the connection to a host, which then stops by itself. It is not replaced.
    pub fn give_up(&mut self, number: usize, evidence: Message) {
        let host = &mut self.hosts[number];
        if host.lost.is_none() {
            let evidence = host.process.ended(LAST_WORDS).map_or(evidence, foreign);
            let problem = Problem::new(msg!("host-lost", host = host.name)).evidence(evidence);
            self.lose(number, problem.hint(msg!("look-at-the-host")));
        }
    }

    fn lose(&mut self, number: usize, problem: Problem) {
        let host = &mut self.hosts[number];
        (host.lost, host.orders) = (Some(problem), None);
        self.newly_lost.push(number);
    }

    /// What hosts report about drives, after waiting so long at most for the first report.
    pub fn hear(&mut self, patience: Duration) -> Vec<(usize, Report)> {
        let mut reports = std::mem::take(&mut self.kept);
        let patience = if reports.is_empty() { patience } else { Duration::ZERO };
        reports.extend(self.receive(patience));
        reports
    }

    fn receive(&mut self, patience: Duration) -> Vec<(usize, Report)> {
        let mut reports = Vec::new();
        let mut next = self.heard.recv_timeout(patience).ok();
        while let Some(heard) = next {
            reports.extend(self.take(heard));
            next = self.heard.try_recv().ok();
        }
        reports
    }

    fn take(&mut self, Heard { host: number, at_ns, what }: Heard) -> Option<(usize, Report)> {
        let host = self.hosts.get_mut(number)?;
        if host.lost.is_some() {
            host.late += u64::from(matches!(what, Received::Report(_)));
            return None;
        }
        match what {
            Received::Report(report) => match *report {
                Report::Probed { sent_ns, host_ns } => {
                    host.clock.take(Exchange { sent_ns, host_ns, received_ns: at_ns });
                }
                Report::Joined { protocol, version: theirs, machine, facts } => {
                    if protocol != PROTOCOL || theirs != version() {
                        let evidence = msg!("host-has-version", version = theirs, ours = version());
                        let problem = Problem::new(msg!("host-of-another-version", host = host.name));
                        self.lose(number, problem.evidence(evidence).hint(msg!("same-version-on-hosts")));
                        return None;
                    }
                    (host.joined, host.machine, host.facts) = (true, machine, facts);
                }
                about_drive => return Some((number, about_drive)),
            },
            // Whoever cannot be understood may report anything.
            Received::Nonsense(line) => self.give_up(number, msg!("host-report-not-understood", line)),
            Received::End => self.give_up(number, msg!("host-connection-closed")),
        }
        None
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.send_each(|_| Order::Leave);
        // Closes all connections before the first process is waited for.
        self.hosts.iter_mut().for_each(|host| host.orders = None);
    }
}

fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

fn connect(number: usize, placed: PlacedHost, epoch: Instant, tell: &Sender<Heard>) -> Host {
    let PlacedHost { name, orders, reports, process } = placed;
    let (send, sent) = mpsc::channel();
    let heard_ns = Arc::new(AtomicU64::new(epoch.elapsed().as_nanos() as u64));
    let (tell_read, tell_written, heard) = (tell.clone(), tell.clone(), heard_ns.clone());
    // Both end with the connection.
    std::thread::spawn(move || {
        let what = write(orders, &sent, epoch).err().map(|error| error.to_string());
        if what.is_some() {
            let _ = tell_written.send(Heard { host: number, at_ns: 0, what: Received::End });
        }
    });
    std::thread::spawn(move || read(number, reports, epoch, &heard, &tell_read));
    Host {
        name,
        machine: String::new(),
        facts: BTreeMap::new(),
        clock: HostClock::default(),
        lost: None,
        late: 0,
        joined: false,
        orders: Some(send),
        heard_ns,
        process,
    }
}

/// Writes orders, and asks for the time at least every [`PROBE_EVERY`].
fn write(mut to: impl Write, orders: &Receiver<Outgoing>, epoch: Instant) -> std::io::Result<()> {
    let mut probed = Instant::now();
    loop {
        match orders.recv_timeout(PROBE_EVERY.saturating_sub(probed.elapsed())) {
            Ok(Outgoing::Order(line)) => to.write_all(&line).and_then(|()| to.flush())?,
            Ok(Outgoing::Probe) | Err(RecvTimeoutError::Timeout) => {
                probed = Instant::now();
                let probe = Order::Probe { sent_ns: epoch.elapsed().as_nanos() as u64 };
                let mut line = serde_json::to_vec(&probe)?;
                line.push(b'\n');
                to.write_all(&line).and_then(|()| to.flush())?;
            }
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
    }
}

fn read(host: usize, reports: impl Read, epoch: Instant, heard_ns: &AtomicU64, tell: &Sender<Heard>) {
    for line in BufReader::new(reports).lines() {
        let at_ns = epoch.elapsed().as_nanos() as u64;
        let Ok(line) = line else { break };
        heard_ns.store(at_ns, Ordering::Relaxed);
        let what = match serde_json::from_str(&line) {
            Ok(report) => Received::Report(Box::new(report)),
            Err(_) => Received::Nonsense(line.chars().take(200).collect()),
        };
        if tell.send(Heard { host, at_ns, what }).is_err() {
            return;
        }
    }
    let _ = tell.send(Heard { host, at_ns: 0, what: Received::End });
}
