//! What is known of one trial over exactly the measured window: rates of counters and means of gauges, and the figures
//! that several rules need.
//!
//! A counter is the difference of the samples at the edges of the window. If a sample there is missing or late, or if the
//! counter became smaller in between (the server was restarted), there is no figure, and never 0.

use crate::network_path::{self, NetworkPath};
use crate::processors::Processors;
use crate::sessions::{self, ActiveSessions};
use std::collections::BTreeMap;
use tenbin_model::counted;
use tenbin_model::dsn::Dsn;
use tenbin_model::load_host::{ClientPlace, LoadHostsAt};
use tenbin_model::names::observer::{CLIENT_HOST, SERVER_HOST, SERVER_PROCESS, SERVER_STATUS};
use tenbin_model::names::path;
use tenbin_model::names::replica;
use tenbin_model::names::round_trip::{RTT, RTT_MEDIAN, RTT_OBSERVER};
use tenbin_model::names::session::{self, SessionClass};
use tenbin_model::readings::EDGE_NS;
use tenbin_model::summary::TrialResult;
use tenbin_model::tpcc;
use tenbin_model::trial::Observe;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// Facts about a target, by name.
pub(super) type TargetFacts = BTreeMap<String, String>;

/// What the names of the readings of the server's process start with among those of another machine.
const PROCESS_THERE: &str = "process_";
/// The observers that query the server. Of a trial that is observed at its ends only they read what there is before the clients connect,
/// and after they have left.
const QUERYING: [&str; 4] = [SERVER_STATUS, session::OBSERVER, replica::OBSERVER, RTT_OBSERVER];
/// So far from its edge of the window a sample may be: on a machine without idle processors it is late. Nanoseconds, and
/// as a share of the window.
const LATE_NS: u64 = 700_000_000;
const LATE: f64 = 0.1;
/// From this share of its rate on, a line is full.
pub(super) const FULL: f64 = 0.8;
/// Within one machine, also between its containers, a round trip is shorter, seconds.
const MEMORY_S: f64 = 500e-6;

/// A line that is full although its rate is not known.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FullLine {
    /// Bits per second of the busier direction.
    pub bits: f64,
    /// A round trip without load and under load, seconds.
    pub idle_s: f64,
    pub loaded_s: f64,
    /// The share of the time of a transaction that the queue takes.
    pub queue: f64,
    /// From this share on the line is full.
    pub limit: f64,
    /// The numbers of clients with which the rate was the same; of one only, if there was no other.
    pub clients: Vec<u32>,
}

/// One trial, and what is known of its server.
pub(super) struct Evidence<'t> {
    pub t: &'t TrialResult,
    pub facts: Option<&'t TargetFacts>,
    /// Completed transactions per second.
    pub tps: f64,
    /// The mean response time, seconds.
    pub response_s: f64,
    /// The mean time of a transaction, seconds, of which what it waits for is a share: the response time, but at a rate the service time.
    /// While a start waits for a free client, nothing of it is at the server.
    pub transaction_s: f64,
    /// The mean number of transactions in progress at the server, also of those that failed: throughput × service time
    /// (Little 1961).
    pub in_progress: f64,
    /// Completed statements of one transaction.
    pub statements: f64,
    /// The sampled sessions.
    pub sessions: Option<ActiveSessions>,
    /// The line, if it is full although its rate is not known.
    pub full_line: Option<FullLine>,
}

impl<'t> Evidence<'t> {
    /// Of a trial in which something was measured.
    pub fn of(t: &'t TrialResult, facts: Option<&'t TargetFacts>) -> Option<Evidence<'t>> {
        let (all, tps) = (t.tally.all_transactions(), t.tps());
        let time = if t.trial.load.is_closed() { &all.response } else { &all.service };
        (tps > 0.0 && all.response.count() > 0).then(|| Evidence {
            t,
            facts,
            tps,
            response_s: all.response.mean_ns() / 1e9,
            transaction_s: time.mean_ns() / 1e9,
            in_progress: (all.service_ns() + t.tally.carried.service_ns as f64) / t.measured_ns() as f64,
            statements: t.qps() / tps,
            sessions: sessions::of_trial(t)
                .filter(|active| active.samples > 0 && reads_under_load(t, session::OBSERVER)),
            full_line: None,
        })
    }

    /// The increase of a counter per second, between the samples at the edges of the window.
    pub fn rate(&self, observer: &str, name: &str) -> Option<f64> {
        let (from, to) = self.t.window_ns;
        let increase = self.t.observations.get(observer)?.increase(name, (from, to))?;
        let late_ns = match self.t.trial.load.observe {
            Observe::Always => LATE_NS.max((to.saturating_sub(from) as f64 * LATE) as u64),
            // They were taken before and after the clients, and there are no better ones: the warm-up is not the window.
            Observe::Ends => EDGE_NS,
        };
        let known = increase.from_ns.abs_diff(from) <= late_ns && increase.to_ns.abs_diff(to) <= late_ns;
        known.then(|| increase.per_second())
    }

    /// The mean of a gauge over the samples in the window; of means over a time, over those whose time lies in it. `None` if none was taken
    /// while the clients were at work.
    pub fn mean(&self, observer: &str, name: &str) -> Option<f64> {
        self.t.observed_mean(observer, name).filter(|_| reads_under_load(self.t, observer))
    }

    /// The largest value of a gauge in the window. `None` if none was read while the clients were at work.
    pub fn most(&self, observer: &str, name: &str) -> Option<f64> {
        let within = self.t.observations.get(observer)?.gauge(name, self.t.window_ns);
        within.max_by(f64::total_cmp).filter(|_| reads_under_load(self.t, observer))
    }

    /// The last value of a gauge in the window, or right after it: of what does not change because the clients leave.
    pub fn last(&self, observer: &str, name: &str) -> Option<f64> {
        self.t.observations.get(observer)?.gauge(name, self.t.window_ns).last()
    }

    /// The smallest value of a gauge in the whole trial, also before the load.
    pub fn least(&self, observer: &str, name: &str) -> Option<f64> {
        self.t.observations.get(observer)?.course(name).map(|(_, value)| value).min_by(f64::total_cmp)
    }

    /// A counter of the server's status, per second.
    pub fn status(&self, name: &str) -> Option<f64> {
        self.rate(SERVER_STATUS, name)
    }

    /// A counter of the server's processes, per second.
    pub fn process(&self, name: &str) -> Option<f64> {
        self.rate(SERVER_PROCESS, name).or_else(|| self.rate(SERVER_HOST, &format!("{PROCESS_THERE}{name}")))
    }

    /// A gauge of the server's processes.
    pub fn process_mean(&self, name: &str) -> Option<f64> {
        self.mean(SERVER_PROCESS, name).or_else(|| self.mean(SERVER_HOST, &format!("{PROCESS_THERE}{name}")))
    }

    /// A counter of the server's machine, per second. The client's machine is the server's if its process was seen there.
    pub fn server_host(&self, name: &str) -> Option<f64> {
        let here = || self.t.observations.contains_key(SERVER_PROCESS).then(|| self.rate(CLIENT_HOST, name))?;
        self.rate(SERVER_HOST, name).or_else(here)
    }

    /// A counter of the client's machine, per second.
    pub fn client_host(&self, name: &str) -> Option<f64> {
        self.rate(CLIENT_HOST, name)
    }

    /// Busy processors of a machine, and all of them.
    pub fn processors(&self, rate: impl Fn(&str) -> Option<f64>) -> Option<(f64, f64)> {
        Processors::of(rate).map(|machine| (machine.busy, machine.all()))
    }

    /// Processors that the server's processes used, on average.
    pub fn server_cpu(&self) -> Option<f64> {
        Some(self.process("cpu_user_s")? + self.process("cpu_system_s")?)
    }

    /// Processors of the server's machine that the clients used: 0 if they are on another one.
    pub fn client_cpu_beside_server(&self) -> f64 {
        let used = self.t.clients_on_machine_ns() as f64 / self.t.measured_ns().max(1) as f64;
        if self.t.beside_client() { used } else { 0.0 }
    }

    /// The share of the TCP segments of the server's machine that it sent again.
    pub fn server_retransmits(&self) -> Option<f64> {
        let (sent, again) = (self.process(path::SEGMENTS)?, self.process(path::RETRANSMITTED)?);
        (sent + again > 0.0).then(|| again / (sent + again))
    }

    /// Processors that the server may use: those of its machine, those that it is bound to, and its quota.
    pub fn server_cores(&self) -> Option<f64> {
        let machine = self.processors(|name| self.server_host(name)).map(|(_, all)| all);
        let limits = [machine, self.process_mean("cpus_allowed"), self.process_mean("cpu_quota_cores")];
        limits.into_iter().flatten().min_by(f64::total_cmp)
    }

    /// The share of the server's processors that it used.
    pub fn server_cpu_share(&self) -> Option<f64> {
        self.server_cpu().zip(self.server_cores()).filter(|(_, cores)| *cores > 0.0).map(|(used, cores)| used / cores)
    }

    /// The mean number of sessions in a class; `None` if the server does not report it.
    pub fn class(&self, class: SessionClass) -> Option<f64> {
        self.sessions.as_ref()?.classes.iter().find(|(of, _)| *of == class).map(|(_, mean)| *mean)
    }

    /// What [`Self::transaction_s`] is called.
    pub fn time(&self) -> Message {
        if self.t.trial.load.is_closed() { msg!("the-response-time") } else { msg!("the-service-time") }
    }

    /// This many sessions as a share of the transactions in progress.
    pub fn share(&self, sessions: f64) -> f64 {
        if self.in_progress > 0.0 { sessions / self.in_progress } else { 0.0 }
    }

    /// Seconds of a transaction for this many sessions on average (Little 1961).
    pub fn per_operation(&self, per_second: f64) -> f64 {
        per_second / self.tps
    }

    /// Whether a network lies between the clients and the server: it is elsewhere, behind a simulated link, or reached through
    /// an interface, as a container of this machine is.
    pub fn has_path(&self) -> bool {
        if self.client_is_on_the_server() {
            return false;
        }
        let through_interface = || self.t.observations.contains_key(path::OBSERVER);
        self.t.trial.target.link.is_some() || !self.is_on_one_machine() || through_interface()
    }

    /// Whether clients and server are on one machine, between which messages cost processor time that is counted there.
    pub fn is_on_one_machine(&self) -> bool {
        self.t.beside_client() && !self.clients_are_elsewhere()
    }

    /// Whether its only client host is, by the plan, the machine of the server's address.
    fn client_is_on_the_server(&self) -> bool {
        let target = &self.t.trial.target;
        let Some(ClientPlace::Host(LoadHostsAt::Ssh(hosts))) = &target.client else { return false };
        let server = target.dsn.as_ref().and_then(|dsn| Dsn::parse(dsn).ok()).map(|dsn| dsn.host);
        hosts.iter().all(|host| server.as_deref() == host.parts().0.rsplit('@').next())
    }

    /// Whether the clients run on other machines, whose paths to the server are not that of this one.
    pub fn clients_are_elsewhere(&self) -> bool {
        self.t.hosts.values().any(|host| !host.part.here)
    }

    /// What the network carried, if that is known of exactly the window.
    pub fn path(&self) -> Option<NetworkPath> {
        (!self.clients_are_elsewhere()).then_some(())?;
        self.rate(path::OBSERVER, path::SENT)?;
        network_path::of_trial(self.t)
    }

    /// The rate of the line as the plan says it, bits per second: of a simulated link, or by the key `line`.
    pub fn declared_rate(&self) -> Option<f64> {
        let target = &self.t.trial.target;
        target.link.and_then(|link| link.bits_per_s).or(target.line_bits).map(|bits| bits as f64)
    }

    /// The rate of the line, bits per second: as the plan says it, or of an interface as it says itself.
    pub fn line_rate(&self) -> Option<f64> {
        let of_interface = || self.mean(path::OBSERVER, path::SPEED).filter(|speed| *speed > 0.0);
        self.declared_rate().or_else(|| of_interface().filter(|_| self.t.trial.target.link.is_none()))
    }

    /// Whether the line is full.
    pub fn line_is_full(&self) -> bool {
        let used = || self.path().zip(self.line_rate()).map(|(path, rate)| path.busier() / rate);
        let used = || used().filter(|_| !self.line_has_others());
        self.full_line.is_some() || used().is_some_and(|used| used >= FULL)
    }

    /// Whether what is known of the path is also that of the other targets of a duet, and the line is that of this one.
    pub fn line_has_others(&self) -> bool {
        self.t.trial.duet && self.declared_rate().is_some()
    }

    /// The times of a round trip, seconds: the shortest of the trial, and the mean under load.
    pub fn round_trips_s(&self) -> Option<(f64, f64)> {
        let loaded_s = self.mean(RTT_OBSERVER, RTT_MEDIAN).or_else(|| self.mean(RTT_OBSERVER, RTT))?;
        Some((self.idle_round_trip_s()?, loaded_s))
    }

    /// The shortest round trip of the trial, also before the load.
    fn idle_round_trip_s(&self) -> Option<f64> {
        (!self.clients_are_elsewhere()).then_some(())?;
        self.least(RTT_OBSERVER, RTT)
    }

    /// The time of a round trip, seconds: the shortest of the trial. What it takes longer under load is a queue, which is in
    /// the network if the line is full, and otherwise perhaps in the server.
    pub fn round_trip_s(&self) -> Option<f64> {
        if self.line_is_full() {
            return self.round_trips_s().map(|(_, loaded_s)| loaded_s);
        }
        let idle_s = self.idle_round_trip_s()?;
        // Between programs on one machine messages cost processor time, which is counted there.
        let in_memory = self.t.trial.target.link.is_none() && self.t.beside_client() && idle_s < MEMORY_S;
        (!in_memory).then_some(idle_s)
    }

    /// Whether each client starts the next transaction when the last has ended, for the whole window. Those of a lost load host do not.
    pub fn is_closed(&self) -> bool {
        let load = &self.t.trial.load;
        let ends = counted::expected(load).is_some() || self.t.lost_hosts().next().is_some();
        load.is_closed() && !load.paced && !ends && !tpcc::paced(&self.t.trial)
    }

    /// A variable of the server.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.facts?.get(&format!("variable.{name}")).map(String::as_str)
    }
}

/// Whether an observer reads while the clients are at work.
fn reads_under_load(t: &TrialResult, observer: &str) -> bool {
    t.trial.load.observe == Observe::Always || !QUERYING.contains(&observer)
}
