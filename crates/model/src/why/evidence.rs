//! What is known of one trial over exactly the measured window: rates of counters and means of gauges, and the figures
//! that several rules need.
//!
//! A counter is the difference of the samples at the edges of the window. If a sample there is missing or late, or if the
//! counter became smaller in between (the server was restarted), there is no figure, and never 0.

use crate::counted;
use crate::network_path::{self, NetworkPath};
use crate::processors::Processors;
use crate::readings::EDGE_NS;
use crate::sessions::{self, ActiveSessions, SessionClass};
use crate::summary::TrialResult;
use crate::tpcc;
use crate::trial::{Observe, Schedule};
use std::collections::BTreeMap;

/// Facts about a target, by name.
pub(super) type TargetFacts = BTreeMap<String, String>;

/// The observer of the server's process on this machine, and what the names of the same readings start with among those of
/// another machine.
const PROCESS: &str = "server.process";
const PROCESS_THERE: &str = "process_";
/// The observers of machines.
const CLIENT_HOST: &str = "client.host";
const SERVER_HOST: &str = "server.host";
/// The observer of the round-trip time, and its reading, seconds.
pub const RTT_OBSERVER: &str = "client.rtt";
/// Its reading: the shortest of some round trips, seconds.
pub const RTT: &str = "rtt_s";

/// So far from its edge of the window a sample may be: on a machine without idle processors it is late. Nanoseconds, and
/// as a share of the window.
const LATE_NS: u64 = 700_000_000;
const LATE: f64 = 0.1;
/// From this share of its rate on, a line is full.
pub(super) const FULL: f64 = 0.8;

/// One trial, and what is known of its server.
pub(super) struct Evidence<'t> {
    pub t: &'t TrialResult,
    pub facts: Option<&'t TargetFacts>,
    /// Completed transactions per second.
    pub tps: f64,
    /// The mean response time, seconds.
    pub response_s: f64,
    /// The mean number of transactions in progress at the server, also of those that failed: throughput × service time
    /// (Little 1961).
    pub in_progress: f64,
    /// Completed statements of one transaction.
    pub statements: f64,
    /// The sampled sessions.
    pub sessions: Option<ActiveSessions>,
}

impl<'t> Evidence<'t> {
    /// Of a trial in which something was measured.
    pub fn of(t: &'t TrialResult, facts: Option<&'t TargetFacts>) -> Option<Evidence<'t>> {
        let (all, tps) = (t.tally.all_transactions(), t.tps());
        (tps > 0.0 && all.response.count() > 0).then(|| Evidence {
            t,
            facts,
            tps,
            response_s: all.response.mean_ns() / 1e9,
            in_progress: all.service_ns() / t.measured_ns() as f64,
            statements: t.qps() / tps,
            sessions: sessions::of_trial(t).filter(|seen| seen.samples > 0),
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

    /// The mean of a gauge over the samples in the window; of means over a time, over those whose time lies in it.
    pub fn mean(&self, observer: &str, name: &str) -> Option<f64> {
        self.t.observed_mean(observer, name)
    }

    /// The largest value of a gauge in the window.
    pub fn most(&self, observer: &str, name: &str) -> Option<f64> {
        self.t.observations.get(observer)?.gauge(name, self.t.window_ns).max_by(f64::total_cmp)
    }

    /// The smallest value of a gauge in the whole trial, also before the load.
    pub fn least(&self, observer: &str, name: &str) -> Option<f64> {
        self.t.observations.get(observer)?.course(name).map(|(_, value)| value).min_by(f64::total_cmp)
    }

    /// A counter of the server's status, per second.
    pub fn status(&self, name: &str) -> Option<f64> {
        self.rate("server.status", name)
    }

    /// A counter of the server's processes, per second.
    pub fn process(&self, name: &str) -> Option<f64> {
        self.rate(PROCESS, name).or_else(|| self.rate(SERVER_HOST, &format!("{PROCESS_THERE}{name}")))
    }

    /// A gauge of the server's processes.
    pub fn process_mean(&self, name: &str) -> Option<f64> {
        self.mean(PROCESS, name).or_else(|| self.mean(SERVER_HOST, &format!("{PROCESS_THERE}{name}")))
    }

    /// A counter of the server's machine, per second. The client's machine is the server's if its process was seen there.
    pub fn server_host(&self, name: &str) -> Option<f64> {
        let here = || self.t.observations.contains_key(PROCESS).then(|| self.rate(CLIENT_HOST, name))?;
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

    /// The mean number of sessions in a class; `None` if the server does not tell it.
    pub fn class(&self, class: SessionClass) -> Option<f64> {
        self.sessions.as_ref()?.classes.iter().find(|(of, _)| *of == class).map(|(_, mean)| *mean)
    }

    /// So many sessions as a share of the transactions in progress.
    pub fn share(&self, sessions: f64) -> f64 {
        if self.in_progress > 0.0 { sessions / self.in_progress } else { 0.0 }
    }

    /// Seconds of a transaction for so many sessions on average (Little 1961).
    pub fn per_operation(&self, per_second: f64) -> f64 {
        per_second / self.tps
    }

    /// Whether the network lies between the clients and the server: it is elsewhere, or behind a simulated link.
    pub fn is_remote(&self) -> bool {
        self.t.trial.target.link.is_some() || !self.t.beside_client()
    }

    /// What the network carried, if that is known of exactly the window.
    pub fn path(&self) -> Option<NetworkPath> {
        self.rate(network_path::OBSERVER, network_path::SENT)?;
        network_path::of_trial(self.t)
    }

    /// The rate of the line, bits per second: of a simulated link as the plan says, of an interface as it says itself.
    pub fn line_rate(&self) -> Option<f64> {
        match self.t.trial.target.link {
            Some(link) => link.bits_per_s.map(|bits| bits as f64),
            None => self.mean(network_path::OBSERVER, network_path::SPEED).filter(|speed| *speed > 0.0),
        }
    }

    /// The time of a round trip, seconds: the shortest of the trial. What it takes longer under load is a queue, which is in
    /// the network if the line is full, and otherwise perhaps in the server.
    pub fn round_trip_s(&self) -> Option<f64> {
        let (idle_s, loaded_s) = (self.least(RTT_OBSERVER, RTT)?, self.mean(RTT_OBSERVER, RTT)?);
        let used = self.path().zip(self.line_rate()).map(|(path, rate)| path.sent.mean.max(path.received.mean) / rate);
        Some(if used.is_some_and(|used| used >= FULL) { loaded_s } else { idle_s })
    }

    /// Whether each client starts the next transaction when the last has ended, for the whole window.
    pub fn is_closed(&self) -> bool {
        let load = &self.t.trial.load;
        load.schedule == Schedule::Closed
            && !load.paced
            && counted::expected(load).is_none()
            && !tpcc::paced(&self.t.trial)
    }

    /// A variable of the server.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.facts?.get(&format!("variable.{name}")).map(String::as_str)
    }
}
