//! Load hosts that drive a trial together: which a plan asks for, and the part of each.

use crate::drained::Drained;
use crate::halts::Halts;
use crate::omit;
use crate::ssh_access::SshAccess;
use crate::standstill::Stretches;
use crate::tally::Tally;
use serde::{Deserialize, Serialize};
use tenbin_words::problem::Problem;

/// The load hosts that a plan asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadHostsSpec {
    /// Where they are.
    pub at: LoadHostsAt,
    /// The program on them; `None`: `tenbin`, by the path of the account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    /// How many, at least 1.
    pub count: u32,
    /// What follows if one is lost.
    pub if_lost: IfLost,
}

/// Where load hosts are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadHostsAt {
    /// They are processes of this machine.
    #[default]
    Local,
    /// They are reached over ssh, each at one of these.
    Ssh(Vec<SshAccess>),
    /// Ray places them on nodes of the cluster with this head, `HOST:PORT`.
    Ray(String),
}

/// Where the clients of one target run, if the plan says it for that target.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClientPlace {
    /// In the process that runs the plan.
    Here,
    /// On one load host.
    Host(LoadHostsAt),
}

impl ClientPlace {
    /// `here`, `host:local`, or `host:` and an ssh destination.
    pub fn read(text: &str) -> Option<ClientPlace> {
        match text.strip_prefix("host:") {
            None => (text == "here").then_some(ClientPlace::Here),
            Some(LOCAL) => Some(ClientPlace::Host(LoadHostsAt::Local)),
            Some(destination) if SshAccess::is_destination(destination) => {
                let access = SshAccess { destination: destination.to_owned(), config: None };
                Some(ClientPlace::Host(LoadHostsAt::Ssh(vec![access])))
            }
            Some(_) => None,
        }
    }

    /// The load hosts of a trial on that target: with the program and the configuration of those of the plan.
    pub fn hosts(&self, of_plan: Option<&LoadHostsSpec>) -> Option<LoadHostsSpec> {
        let ClientPlace::Host(at) = self else { return None };
        let known = |access: &SshAccess| match of_plan.map(|hosts| &hosts.at) {
            Some(LoadHostsAt::Ssh(all)) => {
                let same = all.iter().find(|one| one.destination == access.destination);
                same.or(all.first().filter(|_| access.config.is_none())).and_then(|one| one.config.clone())
            }
            _ => None,
        };
        let at = match at {
            LoadHostsAt::Ssh(all) => LoadHostsAt::Ssh(
                all.iter().map(|access| SshAccess { config: known(access), ..access.clone() }).collect(),
            ),
            other => other.clone(),
        };
        let (program, if_lost) = of_plan.map(|hosts| (hosts.program.clone(), hosts.if_lost)).unwrap_or_default();
        Some(LoadHostsSpec { at, program, count: 1, if_lost })
    }
}

/// The word for processes of this machine.
pub const LOCAL: &str = "local";

/// What the address of a Ray cluster begins with.
pub const RAY: &str = "ray://";
/// The port of its head unless another is given: that of `ray start --head`.
pub const RAY_PORT: u16 = 6379;

/// What follows if a load host is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IfLost {
    /// The trial ends with the current interval, and has failed.
    #[default]
    Stop,
    /// The others go on, and the trial is DEGRADED.
    Continue,
}

impl IfLost {
    /// All of them, with their names in plans.
    pub const WORDS: [(&'static str, IfLost); 2] = [("stop", IfLost::Stop), ("continue", IfLost::Continue)];
}

/// No plan asks for more.
pub const MOST_HOSTS: u64 = 1024;

/// What is known of a load host when its part of a trial has ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LoadHostPart {
    /// The host's name.
    pub name: String,
    /// Which machine it is: hosts with the same text share one.
    pub machine: String,
    /// Whether that is the machine of the process that ran the plan.
    pub here: bool,
    /// Cores that its clients may use, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cores: Option<f64>,
    /// Its clients.
    pub clients: u32,
    /// The engine's threads.
    pub workers: u32,
    /// CPU time of its process in the measured window, nanoseconds.
    pub client_cpu_ns: u64,
    /// Times in the window in which its process did not run.
    #[serde(default, skip_serializing_if = "Halts::is_none")]
    pub halts: Halts,
    /// By how long its clients missed the common start, nanoseconds.
    pub late_ns: u64,
    /// How long the oldest start that was not answered at the end had waited, if starts have intended times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_open_ns: Option<u64>,
    /// The time of its clock less that of the coordinator, nanoseconds: each counts from its own start.
    pub offset_ns: i64,
    /// How wrong that may be, nanoseconds.
    pub offset_error_ns: u64,
    /// By how much the offset has changed since the host joined, nanoseconds.
    pub drift_ns: i64,
    /// How wrong that may be, nanoseconds.
    pub drift_error_ns: u64,
    /// Steps of its clock during the drive.
    #[serde(default, skip_serializing_if = "ClockSteps::is_none")]
    pub clock_steps: ClockSteps,
    /// Why it was given up, if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Problem>,
    /// Reports that came after that, and are no part of the result.
    #[serde(default, skip_serializing_if = "omit::zero")]
    pub late_reports: u64,
}

/// Steps of a clock, which no drift explains: somebody has set it, or the machine was suspended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockSteps {
    /// How many there were.
    pub count: u32,
    /// The largest, nanoseconds: it was at least this large.
    pub largest_ns: i64,
}

impl ClockSteps {
    /// Whether there was none.
    pub fn is_none(&self) -> bool {
        self.count == 0
    }
}

/// The part of a load host and what it counted.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct LoadHostResult {
    /// Its part.
    pub part: LoadHostPart,
    /// Everything that it counted in the measured window.
    pub tally: Tally,
    /// Of these, what was counted after the planned end of the window.
    #[serde(default, skip_serializing_if = "Drained::is_none")]
    pub(crate) drained: Drained,
    /// Periods in which nothing completed on it.
    pub(crate) stretches: Stretches,
}

/// The name of an observer of a load host, by its number from 1: `client.process@2`.
pub fn observer_of_host(observer: &str, host: u32) -> String {
    format!("{observer}@{host}")
}

/// The observer and the number of the load host of a name of [`observer_of_host`]; `None` if it is of no load host, as that of an
/// exporter whose name in the plan ends in the same way.
pub fn host_of_observer(name: &str) -> Option<(&str, u32)> {
    let (observer, host) = name.rsplit_once('@').filter(|(observer, _)| observer.starts_with(OF_CLIENT))?;
    Some((observer, host.parse().ok()?))
}

/// Observers of the machine and the process of clients have names that begin with it.
pub const OF_CLIENT: &str = "client.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn observers_of_hosts_are_known_by_their_names() {
        assert_eq!(host_of_observer(&observer_of_host("client.process", 12)), Some(("client.process", 12)));
        for other in ["client.process", "exporter.node@2", "client.host@", "client.host@a"] {
            assert_eq!(host_of_observer(other), None, "{other}");
        }
    }
}
