//! One drive on all load hosts: assign, connect, start together, merge, end together.

use crate::admission::{self, Admission, Note, shortened};
use crate::connections::Connections;
use crate::fleet::{Fleet, Host, LOOK};
use crate::launch::Launcher;
use crate::merge::IntervalMerge;
use crate::network::Network;
use crate::parts::{part_of, since_origin, together};
use crate::protocol::{Assignment, Order, PartEnded, PartInterval, Report};
use crate::window::{CommonWindow, WindowStep};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tenbin_client::Workload;
use tenbin_engine::{Drive, Ended, EngineEvent, IntervalSlot, LoadPart, Timeline};
use tenbin_model::event::{Halts, Phase};
use tenbin_model::load_host::{IfLost, LoadHostPart};
use tenbin_model::reading::ReadingSpec;
use tenbin_model::stop::StopSignal;
use tenbin_model::tally::PerClient;
use tenbin_servers::machine;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The common start is so far ahead, besides the time that the order takes.
const AHEAD_NS: u64 = 100_000_000;
/// An interval that ends sooner is in progress everywhere before an order about it arrives.
const NOTICE_NS: u64 = 200_000_000;
/// How long hosts may take to report the end beyond the planned one: as long as the engine waits for transactions in progress, and
/// for connections to close.
const LATE_END: Duration = Duration::from_secs(15);
/// How long a host may take to report its clients connected: a login may take ten seconds and its first reply thirty, and a server
/// that is busy with many logins takes them one after the other. A host fails by itself before that.
const CONNECTING: Duration = Duration::from_secs(60);
const CONNECTING_PER_CLIENT: Duration = Duration::from_millis(50);

/// What a drive on load hosts reports. Hosts are numbered from 0.
#[derive(Debug)]
pub enum HostEvent {
    /// Of all hosts together.
    Together(EngineEvent),
    /// What one host counted in an interval; times are since the drive's origin.
    Part {
        /// Which.
        host: usize,
        /// What it counted.
        part: PartInterval,
    },
    /// An observer of a host starts.
    Declared {
        /// Which host.
        host: usize,
        /// The observer.
        observer: String,
        /// The time from one sample to the next, milliseconds.
        period_ms: u64,
        /// What it may read.
        readings: Vec<ReadingSpec>,
    },
    /// A sample of an observer of a host.
    Sampled {
        /// Which host.
        host: usize,
        /// The observer.
        observer: String,
        /// When, on the coordinator's clock, since the drive's origin.
        at_ns: u64,
        /// What was read.
        values: BTreeMap<String, f64>,
    },
    /// What the reader of the result should know: a host is lost and the others go on, its clock was stepped, or one of its observers can
    /// read nothing.
    Noted {
        /// Which host.
        host: usize,
        /// What.
        problem: Problem,
    },
}

/// How a drive on all hosts ended.
#[derive(Debug)]
pub struct HostsEnded {
    /// As if it had been one process.
    pub ended: Ended,
    /// By host, in their order.
    pub parts: Vec<LoadHostPart>,
}

/// The load hosts of a run.
pub struct LoadHosts {
    pub(crate) fleet: Fleet,
    /// Drives and loads so far.
    pub(crate) drives: u32,
    if_lost: IfLost,
    confidential: bool,
}

type Listener<'a> = &'a mut dyn FnMut(HostEvent) -> Result<(), Problem>;

impl LoadHosts {
    /// Starts hosts and waits until all are there, with the `version` of this process.
    pub fn start(
        launcher: &dyn Launcher,
        hosts: u32,
        if_lost: IfLost,
        version: &str,
        stop: &StopSignal,
    ) -> Result<LoadHosts, Problem> {
        let connections = Connections::to(launcher.place(hosts, stop)?);
        LoadHosts::over(Box::new(connections), if_lost, launcher.is_confidential(), version, stop)
    }

    /// Waits until all hosts of a network are there. If it is `confidential`, passwords may be sent over it.
    pub fn over(
        network: Box<dyn Network>,
        if_lost: IfLost,
        confidential: bool,
        version: &str,
        stop: &StopSignal,
    ) -> Result<LoadHosts, Problem> {
        Ok(LoadHosts { fleet: Fleet::join(network, version, stop)?, drives: 0, if_lost, confidential })
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.fleet.hosts().len() as u32
    }

    /// The name of the first that is on another machine than this process.
    pub fn elsewhere(&self) -> Option<&str> {
        let here = machine::identity();
        self.fleet.hosts().iter().find(|host| host.machine != here).map(|host| host.name.as_str())
    }

    /// Whether passwords may be sent to them.
    pub fn is_confidential(&self) -> bool {
        self.confidential
    }

    /// Drives a load on all hosts: [`tenbin_engine::drive`] in several processes. `assign` creates the assignment of a part.
    ///
    /// Fails if a host is lost or not all clients can connect before the start, or if `listener` fails.
    pub fn drive(
        &mut self,
        what: &Drive,
        workload: &dyn Workload,
        assign: &dyn Fn(LoadPart) -> Assignment,
        stop: &StopSignal,
        listener: Listener<'_>,
    ) -> Result<HostsEnded, Problem> {
        let of = self.count();
        let numbers = LoadPart::deal(of, workload, what.load.clients);
        if let Some(idle) = numbers.iter().position(|numbers| numbers.count() == 0) {
            let problem = Problem::new(msg!("more-hosts-than-clients", hosts = of, clients = what.load.clients));
            let idle = &self.fleet.hosts()[idle].name;
            return Err(problem.evidence(msg!("host-without-clients", host = idle)).hint(msg!("give-fewer-hosts")));
        }
        self.fleet.any_lost()?;
        self.drives += 1;
        let number = self.drives;
        self.fleet.send_each(|host| Order::Prepare {
            drive: number,
            assignment: Box::new(assign(LoadPart { number: host as u32, of })),
        });
        let hosts = of as usize;
        self.fleet.forget_clock_steps();
        let mut drive = HostsDrive {
            fleet: &mut self.fleet,
            steps_told: vec![0; hosts],
            number,
            if_lost: self.if_lost,
            what,
            connected: vec![false; hosts],
            admissions: std::iter::repeat_with(Admission::default).take(hosts).collect(),
            ended: vec![None; hosts],
            timeline: Timeline::new(what.warmup_ms, what.measure_ms, what.interval_ms).draining(what.load.drain_ms > 0),
            window: CommonWindow::new(hosts),
            last: None,
            outran: vec![false; hosts],
            merge: IntervalMerge::new(hosts),
            failed: None,
        };
        let outcome = drive.run(stop, listener);
        let ends = drive.ended;
        if outcome.is_err() || self.fleet.any_lost().is_err() {
            // Hosts that are still at work must not load the database any longer.
            self.fleet.send_each(|_| Order::Abort { drive: number });
        }
        let mut ended = outcome?;
        ended.per_client = together(what.load.clients, &numbers, &ends);
        let hosts = self.fleet.hosts().iter().zip(&numbers).zip(ends);
        let parts = hosts.map(|((host, numbers), ended)| part_of(host, numbers.count(), ended.unwrap_or_default()));
        Ok(HostsEnded { ended, parts: parts.collect() })
    }
}

/// A drive that is under way.
struct HostsDrive<'a> {
    fleet: &'a mut Fleet,
    number: u32,
    if_lost: IfLost,
    what: &'a Drive,
    connected: Vec<bool>,
    /// What each host has said besides what it counted.
    admissions: Vec<Admission>,
    ended: Vec<Option<PartEnded>>,
    timeline: Timeline,
    window: CommonWindow,
    /// The last interval, if that was ordered.
    last: Option<IntervalSlot>,
    /// Hosts that went on after it.
    outran: Vec<bool>,
    merge: IntervalMerge,
    /// How many steps of each host's clock the listener has received.
    steps_told: Vec<u32>,
    /// Why a host could not go on.
    failed: Option<Problem>,
}

impl HostsDrive<'_> {
    fn run(&mut self, stop: &StopSignal, listener: Listener<'_>) -> Result<Ended, Problem> {
        let now_ns = self.origin_ns(self.fleet.now_ns());
        let mut ended = Ended {
            measured_from_ns: now_ns,
            measured_to_ns: now_ns,
            client_cpu_ns: 0,
            workers: 0,
            per_client: PerClient::default(),
            late_ns: 0,
            halts: Halts::default(),
            oldest_open_ns: None,
            cut_short: None,
        };
        while !self.connected.iter().all(|connected| *connected) {
            if stop.asked() {
                self.fleet.send_each(|_| Order::Abort { drive: self.number });
                ended.cut_short = Some(Problem::new(msg!("stopped-while-connecting")));
                return Ok(ended);
            }
            self.hear(0, listener)?;
            self.fleet.follow();
            self.give_up_the_unconnected(now_ns);
            self.fleet.any_lost()?;
            if let Some(problem) = self.failed.take() {
                return Err(problem);
            }
        }
        listener(HostEvent::Together(EngineEvent::Connected))?;
        // The listener may have taken a while.
        self.fleet.synchronize()?;
        let offsets = self.fleet.hosts().iter().filter_map(|host| host.clock.offset());
        let farthest_ns = offsets.map(|offset| offset.error_ns).max().unwrap_or(0);
        let start_ns = self.fleet.now_ns() + AHEAD_NS + farthest_ns.saturating_mul(4);
        let starts: Vec<_> = self.fleet.hosts().iter().map(|host| host.clock.host_ns(start_ns).unwrap_or(0)).collect();
        self.fleet.send_each(|host| Order::Start { drive: self.number, at_ns: starts[host] });
        self.collect(start_ns, stop, listener, &mut ended)?;
        Ok(ended)
    }

    /// Gives up hosts that are there and do not report their clients connected. The order to connect was sent at `since_ns`.
    fn give_up_the_unconnected(&mut self, since_ns: u64) {
        let patience = CONNECTING + CONNECTING_PER_CLIENT * self.what.load.clients;
        let waited_ns = self.origin_ns(self.fleet.now_ns()).saturating_sub(since_ns);
        if u128::from(waited_ns) > patience.as_nanos() {
            for host in (0..self.connected.len()).filter(|host| !self.connected[*host]) {
                self.fleet.give_up(host, msg!("host-does-not-connect", seconds = patience.as_secs()));
            }
        }
    }

    /// The time since the drive's origin of a time of the coordinator's clock.
    fn origin_ns(&self, at_ns: u64) -> u64 {
        self.fleet.instant(at_ns).saturating_duration_since(self.what.origin).as_nanos() as u64
    }

    /// From the common start, which is at `common_ns`, to the last report.
    fn collect(
        &mut self,
        common_ns: u64,
        stop: &StopSignal,
        listener: Listener<'_>,
        ended: &mut Ended,
    ) -> Result<(), Problem> {
        let Drive { load, control, .. } = self.what;
        let drain_ns = load.drain_ms.saturating_mul(1_000_000);
        let start_ns = self.origin_ns(common_ns);
        let (mut phase, mut reached_ns, mut aborted_ns) = (None, 0, None);
        loop {
            let has_begun = self.fleet.now_ns() >= common_ns;
            let now_ns = self.fleet.now_ns().saturating_sub(common_ns);
            let now_phase = self.timeline.phase_at(now_ns.min(self.end_ns().saturating_sub(1)));
            if has_begun && phase != Some(now_phase) && now_phase != Phase::CoolDown {
                phase = Some(now_phase);
                let from_ns = if now_phase == Phase::Measure { self.timeline.warmup_ns() } else { 0 };
                listener(HostEvent::Together(EngineEvent::Phase { phase: now_phase, at_ns: start_ns + from_ns }))?;
            }
            if control.steady.asked() {
                self.begin_to_measure(now_ns);
            }
            if control.enough.asked() {
                self.end(now_ns);
            }
            if stop.asked() && ended.cut_short.is_none() {
                ended.cut_short = Some(Problem::new(msg!("stopped-by-user")));
                self.end(now_ns);
            }
            if stop.at_once() && aborted_ns.is_none() {
                aborted_ns = Some(now_ns);
                ended.cut_short = Some(Problem::new(msg!("stopped-at-once-by-user")));
                self.fleet.send_each(|_| Order::Abort { drive: self.number });
            }
            for host in self.fleet.follow() {
                self.merge.end(host);
                let Some(problem) = self.fleet.hosts()[host].lost.clone() else { continue };
                if self.if_lost == IfLost::Stop {
                    ended.cut_short.get_or_insert(problem);
                    self.end(now_ns);
                } else {
                    listener(HostEvent::Noted { host, problem })?;
                }
            }
            self.tell_clock_steps(listener)?;
            if let Some(problem) = self.failed.take() {
                ended.cut_short.get_or_insert(problem);
                self.end(now_ns);
            }
            self.tell_merged(start_ns, &mut reached_ns, listener, ended)?;
            let waited_for = self.waited_for();
            if waited_for.is_empty() {
                break;
            }
            let end_ns = aborted_ns.unwrap_or(u64::MAX).min(self.end_ns());
            let overdue_ns = end_ns.saturating_add(drain_ns).saturating_add(LATE_END.as_nanos() as u64);
            if now_ns > overdue_ns {
                for host in waited_for {
                    self.fleet.give_up(host, msg!("host-does-not-end", seconds = LATE_END.as_secs()));
                }
                continue;
            }
            self.hear(start_ns, listener)?;
        }
        // What the last hosts reported, in whatever order they ended.
        (0..self.ended.len()).for_each(|host| self.merge.end(host));
        self.tell_merged(start_ns, &mut reached_ns, listener, ended)?;
        if self.fleet.hosts().iter().all(|host| host.lost.is_some()) {
            // Whether it came to its end cannot be known.
            ended.cut_short = ended.cut_short.take().or_else(|| self.fleet.any_lost().err());
        }
        ended.measured_from_ns = start_ns + self.timeline.warmup_ns();
        if ended.measured_to_ns < ended.measured_from_ns {
            // The measured window was never reached.
            (ended.measured_from_ns, ended.measured_to_ns) = (start_ns + reached_ns, start_ns + reached_ns);
        }
        for part in self.ended.iter().flatten() {
            ended.client_cpu_ns = ended.client_cpu_ns.saturating_add(part.client_cpu_ns);
            ended.workers = ended.workers.saturating_add(part.workers);
            ended.late_ns = ended.late_ns.max(part.late_ns);
            ended.halts.stopped_ns = ended.halts.stopped_ns.max(part.halts.stopped_ns);
            ended.halts.briefly_ns = ended.halts.briefly_ns.max(part.halts.briefly_ns);
            ended.halts.suspended_ns = ended.halts.suspended_ns.max(part.halts.suspended_ns);
            ended.oldest_open_ns = ended.oldest_open_ns.max(part.oldest_open_ns);
            if let Some(problem) = &part.cut_short {
                ended.cut_short.get_or_insert_with(|| problem.clone());
            }
        }
        listener(HostEvent::Together(EngineEvent::Phase { phase: Phase::CoolDown, at_ns: start_ns + reached_ns }))
    }

    /// When the drive is to end, since the common start.
    fn end_ns(&self) -> u64 {
        self.last.map_or(u64::MAX, |last| last.to_ns).min(self.timeline.end_ns())
    }

    /// Lets all hosts begin to measure with the same interval, as soon as that can be known to all of them.
    fn begin_to_measure(&mut self, now_ns: u64) {
        if self.last.is_some() || self.timeline.phase_at(now_ns) != Phase::WarmUp {
            return;
        }
        let (drive, waited_for) = (self.number, self.waited_for());
        match self.window.step(now_ns, &self.timeline, |host| waited_for.contains(&host)) {
            WindowStep::Wait => {}
            WindowStep::Ask => self.fleet.send_each(|_| Order::AskUndecided { drive }),
            WindowStep::Begin(interval) => self.fleet.send_each(|_| Order::MeasureFrom { drive, interval }),
        }
    }

    /// Lets all hosts end with the same interval: the current one, or the next if this one is about to end.
    fn end(&mut self, now_ns: u64) {
        if self.last.is_none() {
            let slot = self.timeline.slot_at(now_ns.saturating_add(NOTICE_NS));
            self.last = Some(slot);
            self.fleet.send_each(|_| Order::EndWith { drive: self.number, interval: slot.index });
        }
    }

    /// Whether an interval of a host is of another phase than it has with the others: it has learned too late when to measure.
    fn is_of_another_phase(&self, part: &PartInterval) -> bool {
        let phase = self.timeline.phase_at(part.from_ns);
        phase != part.phase && phase != Phase::CoolDown
    }

    /// Whether an interval of a host follows the last one of the others: it has learned too late when to end.
    fn is_after_the_last(&self, part: &PartInterval) -> bool {
        // Intervals of transactions in progress follow, if these are waited for.
        self.last.is_some_and(|last| part.from_ns >= last.to_ns) && !self.timeline.drains()
    }

    /// No interval begins later, whatever clock a host has.
    fn latest_ns(&self) -> u64 {
        let drain_ns = self.what.load.drain_ms.saturating_mul(1_000_000);
        self.end_ns().saturating_add(drain_ns).saturating_add(2 * LATE_END.as_nanos() as u64)
    }

    /// Adds what a host reported to that of the others, unless that would mix what does not belong together.
    fn add(
        &mut self,
        host: usize,
        mut part: PartInterval,
        start_ns: u64,
        listener: Listener<'_>,
    ) -> Result<(), Problem> {
        // Not those of a host that has nothing more to do, while others measure.
        part.tally.drained &= part.from_ns >= self.end_ns();
        let name = &self.fleet.hosts()[host].name;
        if self.is_of_another_phase(&part) {
            let problem = of_host(Problem::new(msg!("host-measures-from-another-interval")), name);
            self.failed.get_or_insert(problem);
            self.merge.end(host);
            return Ok(());
        }
        if !admission::is_plausible(&part) || part.from_ns > self.latest_ns() {
            self.fleet.give_up(host, msg!("host-sends-too-much"));
            self.merge.end(host);
            return Ok(());
        }
        if self.is_after_the_last(&part) {
            let problem = Problem::new(msg!("host-ends-with-another-interval", host = name));
            self.merge.end(host);
            // Only of the first.
            return if self.outran[host] {
                Ok(())
            } else {
                self.outran[host] = true;
                listener(HostEvent::Noted { host, problem })
            };
        }
        let interval = since_origin(part.clone(), start_ns);
        // One that comes too late is counted as such.
        if self.merge.add(host, part) { listener(HostEvent::Part { host, part: interval }) } else { Ok(()) }
    }

    /// Hosts whose drive has not ended.
    fn waited_for(&self) -> Vec<usize> {
        let hosts = self.fleet.hosts().iter().zip(&self.ended).enumerate();
        hosts.filter(|(_, (host, ended))| host.lost.is_none() && ended.is_none()).map(|(number, _)| number).collect()
    }

    /// Tells the listener about clocks that were stepped.
    fn tell_clock_steps(&mut self, listener: Listener<'_>) -> Result<(), Problem> {
        for (host, told) in self.steps_told.iter_mut().enumerate() {
            let Host { name, clock, .. } = &self.fleet.hosts()[host];
            let steps = clock.steps();
            if std::mem::replace(told, steps.count) < steps.count {
                let by = msg!("clock-stepped-by", ms = format_args!("{:+.1}", steps.largest_ns as f64 / 1e6));
                let problem = Problem::new(msg!("host-clock-stepped", host = name)).evidence(by);
                listener(HostEvent::Noted { host, problem })?;
            }
        }
        Ok(())
    }

    /// Tells the listener about intervals that are complete.
    fn tell_merged(
        &mut self,
        start_ns: u64,
        reached_ns: &mut u64,
        listener: Listener<'_>,
        ended: &mut Ended,
    ) -> Result<(), Problem> {
        while let Some(merged) = self.merge.complete() {
            *reached_ns = merged.to_ns;
            let PartInterval { phase, from_ns, to_ns, clients, tally, completions, idle } =
                since_origin(merged, start_ns);
            if phase == Phase::Measure {
                ended.measured_to_ns = to_ns;
            }
            let per_client = Arc::default();
            let merged = EngineEvent::Interval { phase, from_ns, to_ns, clients, tally, completions, idle, per_client };
            listener(HostEvent::Together(merged))?;
        }
        Ok(())
    }

    /// Takes a sample, at the coordinator's time.
    fn sample(
        &mut self,
        host: usize,
        observer: String,
        host_ns: u64,
        values: BTreeMap<String, f64>,
        listener: Listener<'_>,
    ) -> Result<(), Problem> {
        let at_ns = self.fleet.hosts()[host].clock.coordinator_ns(host_ns).map(|at_ns| self.origin_ns(at_ns));
        let since_ms = self.origin_ns(self.fleet.now_ns()) / 1_000_000;
        match at_ns.filter(|_| self.admissions[host].sample(&observer, &values, since_ms)) {
            Some(at_ns) => listener(HostEvent::Sampled { host, observer, at_ns, values }),
            None => Ok(()),
        }
    }

    /// Passes on what a host notes, up to a number and a length.
    fn note(&mut self, host: usize, problem: Problem, listener: Listener<'_>) -> Result<(), Problem> {
        let name = &self.fleet.hosts()[host].name;
        let problem = match self.admissions[host].note(problem) {
            Note::Kept(problem) => of_host(problem, name),
            Note::FirstLeftOut(most) => Problem::new(msg!("host-notes-left-out", host = name, most)),
            Note::LeftOut => return Ok(()),
        };
        listener(HostEvent::Noted { host, problem })
    }

    /// Takes what hosts report. The common start was at `start_ns`.
    fn hear(&mut self, start_ns: u64, listener: Listener<'_>) -> Result<(), Problem> {
        for (host, report) in self.fleet.hear(LOOK) {
            match report {
                Report::Connected { drive } if drive == self.number => self.connected[host] = true,
                Report::Undecided { drive, interval } if drive == self.number => self.window.take(host, interval),
                Report::Interval { drive, part } if drive == self.number => {
                    self.add(host, part, start_ns, listener)?;
                }
                Report::Declared { drive, observer, period_ms, readings } if drive == self.number => {
                    let is_admitted = self.admissions[host].declare(&observer, period_ms, &readings);
                    let declared = HostEvent::Declared { host, observer, period_ms, readings };
                    if is_admitted { listener(declared) } else { Ok(()) }?;
                }
                Report::Sampled { drive, observer, host_ns, values } if drive == self.number => {
                    self.sample(host, observer, host_ns, values, listener)?;
                }
                Report::Noted { drive, problem } if drive == self.number => self.note(host, problem, listener)?,
                Report::Ended { drive, ended } if drive == self.number => {
                    match &ended.cut_short {
                        // An error that ends the drive of one process ends that of all.
                        Some(problem) => {
                            let name = self.fleet.hosts()[host].name.clone();
                            self.failed.get_or_insert_with(|| of_host(problem.clone(), &name));
                            self.merge.end(host);
                        }
                        None => self.merge.finish(host),
                    }
                    self.ended[host] = Some(ended);
                }
                Report::Failed { drive, problem } if drive == self.number => {
                    let name = self.fleet.hosts()[host].name.clone();
                    self.failed.get_or_insert(of_host(problem, &name));
                    self.ended[host].get_or_insert_with(PartEnded::default);
                    self.merge.end(host);
                }
                // Of a drive that is over.
                _ => {}
            }
        }
        Ok(())
    }
}

/// A problem of a host, which its evidence names.
pub(crate) fn of_host(problem: Problem, host: &str) -> Problem {
    let problem = shortened(problem);
    let evidence = problem.evidence.clone();
    let named = msg!("on-host", host);
    let all = Message::joined([named].into_iter().chain(evidence), "; ");
    Problem { evidence: Some(all), ..problem }
}
