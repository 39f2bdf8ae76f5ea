//! The load hosts of a run, connected: orders to each, reports of all, their clocks and their leases. All times are those of the
//! coordinator's clock, which the [`Network`] has.

use crate::admission::shortened;
use crate::clock::{Exchange, HostClock};
use crate::network::{Arrival, Arrived, Network};
use crate::protocol::{Numbered, Order, PROTOCOL, Report, Sequence, SequenceCheck};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_model::stop::StopSignal;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::short;

/// A host stops by itself if it has not heard from the coordinator for this long, and was given up then if it was not heard of.
pub const LEASE: Duration = Duration::from_secs(3);
/// A silent host is given up two looks and a half before its lease ends, so that it is known when it does.
const SILENCE: Duration = LEASE.saturating_sub(Duration::from_millis(50));
/// How long to wait for an exchange before the next.
const PROBE_PATIENCE: Duration = Duration::from_millis(50);
/// This many exchanges precede each drive.
const PROBES: usize = 8;
/// How long a host may take to answer at first.
const JOINING: Duration = Duration::from_secs(30);
/// How long a process whose connection was closed may take to end and say why.
const LAST_WORDS: Duration = Duration::from_millis(300);
/// This many reports of all hosts about drives are kept while something else is waited for, for each host.
const MOST_KEPT: usize = 5000;
/// How often time limits are looked at.
pub const LOOK: Duration = Duration::from_millis(20);

/// All load hosts of a run.
pub struct Fleet {
    hosts: Vec<Host>,
    network: Box<dyn Network>,
    /// That of this process.
    version: String,
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
    /// The last line that was printed before its first report.
    greeting: String,
    joined: bool,
    reports: Sequence,
}

impl Fleet {
    /// Waits until all hosts of a network have joined with this version of Tenbin and their clocks are known. A version includes the
    /// commit it was built from.
    pub fn join(network: Box<dyn Network>, version: &str, stop: &StopSignal) -> Result<Fleet, Problem> {
        let host = |name| Host {
            name,
            machine: String::new(),
            facts: BTreeMap::new(),
            clock: HostClock::default(),
            lost: None,
            late: 0,
            greeting: String::new(),
            joined: false,
            reports: Sequence::default(),
        };
        let hosts = network.names().into_iter().map(host).collect();
        let version = version.to_owned();
        let mut fleet = Fleet { hosts, network, version, newly_lost: Vec::new(), kept: Vec::new() };
        fleet.wait_for_all(stop)?;
        Ok(fleet)
    }

    fn wait_for_all(&mut self, stop: &StopSignal) -> Result<(), Problem> {
        let lease_ms = LEASE.as_millis() as u64;
        self.send_each(|_| Order::Join { protocol: PROTOCOL, version: self.version.clone(), lease_ms });
        let until_ns = self.now_ns() + ns_of(JOINING);
        while !self.hosts.iter().all(|host| host.joined) {
            if stop.asked() {
                return Err(Problem::new(msg!("stopped-while-hosts-joined")));
            }
            if self.now_ns() > until_ns
                && let Some(silent) = self.hosts.iter().position(|host| !host.joined)
            {
                let silence = msg!("host-did-not-join", seconds = JOINING.as_secs());
                let evidence = self.printed(silent).unwrap_or(silence);
                self.give_up(silent, evidence);
            }
            self.keep(LOOK);
            self.any_lost()?;
        }
        self.synchronize()
    }

    /// Several exchanges with each host, one after the other, so that its clock is known as well as it can be.
    pub fn synchronize(&mut self) -> Result<(), Problem> {
        let wanted: Vec<u64> = self.hosts.iter().map(|host| host.clock.exchanges() + PROBES as u64).collect();
        let until_ns = self.now_ns() + ns_of(LEASE);
        for _ in 0..PROBES {
            let before: Vec<u64> = self.hosts.iter().map(|host| host.clock.exchanges()).collect();
            self.there().for_each(|host| self.network.probe(host));
            // One after the other: the answer to a probe that waits behind another one says less.
            let answer_ns = self.now_ns() + ns_of(PROBE_PATIENCE);
            while self.there().any(|host| self.hosts[host].clock.exchanges() == before[host]) {
                if self.now_ns() > answer_ns {
                    break;
                }
                self.keep(Duration::from_millis(2));
            }
        }
        while self.hosts.iter().zip(&wanted).any(|(host, wanted)| host.clock.exchanges() < *wanted) {
            self.follow();
            self.any_lost()?;
            if self.now_ns() > until_ns {
                break;
            }
            self.keep(LOOK);
        }
        Ok(())
    }

    /// Steps of the hosts' clocks until now are of no interest.
    pub fn forget_clock_steps(&mut self) {
        self.hosts.iter_mut().for_each(|host| host.clock.forget_steps());
    }

    /// Waits at most this long for a report, and keeps what is about drives for later.
    pub fn keep(&mut self, patience: Duration) {
        let reports = self.receive(patience);
        self.kept.extend(reports);
        if self.kept.len() > MOST_KEPT * self.hosts.len() {
            // The host that has sent the most of them.
            let of = |host: usize| self.kept.iter().filter(|(from, _)| *from == host).count();
            if let Some(loudest) = (0..self.hosts.len()).max_by_key(|host| of(*host)) {
                self.give_up(loudest, msg!("host-sends-too-much"));
                self.kept.retain(|(from, _)| *from != loudest);
            }
        }
    }

    /// What a host printed instead of reports.
    fn printed(&self, number: usize) -> Option<Message> {
        let line = &self.hosts[number].greeting;
        (!line.is_empty()).then(|| msg!("host-report-not-understood", line))
    }

    /// Fails if a host was given up.
    pub fn any_lost(&self) -> Result<(), Problem> {
        self.hosts.iter().find_map(|host| host.lost.clone()).map_or(Ok(()), Err)
    }

    /// All hosts.
    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    /// Those that have not been given up.
    fn there(&self) -> impl Iterator<Item = usize> {
        self.hosts.iter().enumerate().filter(|(_, host)| host.lost.is_none()).map(|(number, _)| number)
    }

    /// The coordinator's time, nanoseconds; those of the hosts are compared with it.
    pub fn now_ns(&self) -> u64 {
        self.network.now_ns()
    }

    /// The instant of a time of the coordinator.
    pub fn instant(&self, at_ns: u64) -> Instant {
        self.network.instant(at_ns)
    }

    /// Sends an order to each host that has not been given up.
    pub fn send_each(&self, order: impl Fn(usize) -> Order) {
        self.there().for_each(|host| self.network.send(host, order(host)));
    }

    /// Gives up hosts that were not heard of until their leases are about to end; returns all that were given up since the last call.
    pub fn follow(&mut self) -> Vec<usize> {
        let now_ns = self.now_ns();
        for host in 0..self.hosts.len() {
            let silent_ns = now_ns.saturating_sub(self.network.heard_ns(host));
            if self.hosts[host].joined && silent_ns > ns_of(SILENCE) {
                let seconds = silent_ns as f64 / 1e9;
                self.give_up(host, msg!("host-silent-for", seconds = format_args!("{seconds:.1}")));
            }
        }
        std::mem::take(&mut self.newly_lost)
    }

    /// Closes the connection to a host, which then stops by itself. It is not replaced.
    pub fn give_up(&mut self, number: usize, evidence: Message) {
        if self.hosts[number].lost.is_none() {
            // A host that is silent is not waited for any longer, and one that does not stop has no last words.
            let is_noisy = evidence.is("host-sends-too-much") || evidence.is("host-report-not-understood");
            let patience = if is_noisy || evidence.is("host-silent-for") { Duration::ZERO } else { LAST_WORDS };
            let words = if is_noisy { None } else { self.network.last_words(number, patience) };
            let evidence = words.map_or(evidence, foreign);
            let problem = Problem::new(msg!("host-lost", host = self.hosts[number].name)).evidence(evidence);
            self.lose(number, problem.hint(msg!("look-at-the-host")));
        }
    }

    fn lose(&mut self, number: usize, problem: Problem) {
        self.hosts[number].lost = Some(problem);
        self.network.close(number);
        self.newly_lost.push(number);
    }

    /// What hosts report about drives, after waiting at most this long for the first report.
    pub fn hear(&mut self, patience: Duration) -> Vec<(usize, Report)> {
        let mut reports = std::mem::take(&mut self.kept);
        let patience = if reports.is_empty() { patience } else { Duration::ZERO };
        reports.extend(self.receive(patience));
        reports
    }

    fn receive(&mut self, patience: Duration) -> Vec<(usize, Report)> {
        let arrivals = self.network.receive(patience);
        arrivals.into_iter().filter_map(|arrival| self.take(arrival)).collect()
    }

    fn take(&mut self, Arrival { host: number, at_ns, what }: Arrival) -> Option<(usize, Report)> {
        let host = self.hosts.get_mut(number)?;
        if host.lost.is_some() {
            host.late += u64::from(matches!(what, Arrived::Report(_)));
            return None;
        }
        match what {
            Arrived::Report(report) => match in_sequence(*report, &mut host.reports) {
                Err(SequenceCheck::Missing(reports)) => self.give_up(number, msg!("host-reports-missing", reports)),
                Err(_) => host.late += 1,
                Ok(report) => return self.understand(number, at_ns, report),
            },
            // A host that cannot be understood may report anything.
            Arrived::Nonsense(line) => self.give_up(number, msg!("host-report-not-understood", line)),
            Arrived::Greeting(line) if line.is_empty() => {}
            Arrived::Greeting(line) => host.greeting = line,
            Arrived::TooMuch => self.give_up(number, msg!("host-sends-too-much")),
            Arrived::End if !host.joined => {
                let evidence = self.printed(number).unwrap_or(msg!("host-connection-closed"));
                self.give_up(number, evidence);
            }
            Arrived::End => self.give_up(number, msg!("host-connection-closed")),
        }
        None
    }

    fn understand(&mut self, number: usize, at_ns: u64, report: Report) -> Option<(usize, Report)> {
        let host = self.hosts.get_mut(number)?;
        match report {
            Report::Probed { sent_ns, host_ns } => {
                host.clock.take(Exchange { sent_ns, host_ns, received_ns: at_ns });
            }
            Report::Joined { protocol, version: theirs, machine, facts } => {
                if protocol != PROTOCOL || theirs != self.version {
                    let theirs = short(&theirs, 100);
                    let evidence = msg!("host-has-version", version = theirs, ours = self.version);
                    let problem = Problem::new(msg!("host-of-another-version", host = host.name));
                    self.lose(number, problem.evidence(evidence).hint(msg!("same-version-on-hosts")));
                    return None;
                }
                (host.joined, host.machine, host.facts) = (true, machine, facts);
            }
            // A long one is not even kept until its drive is asked about.
            Report::Noted { drive, problem } if host.joined => {
                return Some((number, Report::Noted { drive, problem: shortened(problem) }));
            }
            _ if !host.joined => self.give_up(number, msg!("host-did-not-join-first")),
            about_drive => return Some((number, about_drive)),
        }
        None
    }
}

/// The report, if it is the next.
fn in_sequence(report: Numbered<Report>, reports: &mut Sequence) -> Result<Report, SequenceCheck> {
    match reports.take(report.number) {
        SequenceCheck::Next => Ok(report.message),
        other => Err(other),
    }
}

impl Drop for Fleet {
    fn drop(&mut self) {
        self.send_each(|_| Order::Leave);
    }
}

fn ns_of(duration: Duration) -> u64 {
    duration.as_nanos() as u64
}
