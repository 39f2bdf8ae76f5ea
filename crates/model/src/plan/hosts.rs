//! `[hosts]`: the load hosts that drive the trials of the plan together.

use super::duet;
use super::keys::Table;
use super::sections;
use super::settings::Order;
use super::source::{Diagnostic, Diagnostics};
use super::value::{self, Value};
use super::{Experiment, Plan};
use crate::load_host::{IfLost, LOCAL, LoadHostsAt, LoadHostsSpec, MOST_HOSTS, RAY, RAY_PORT};
use crate::trial::SshAccess;
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Reads the table, after the experiments.
pub(super) fn hosts(value: &Value<'_>, plan: &mut Plan, complaints: &mut Diagnostics<'_>) {
    let (mut at, mut count, mut if_lost) = (Vec::new(), None, IfLost::default());
    let (mut config, mut program) = (None, None);
    let mut refused = false;
    sections::each(Table::Hosts, value, complaints, |key, _, value, complaints| {
        let Some(key) = key else { return };
        let path = |value| value::text(key.name, value).map(|path| Some(path.to_owned()));
        let read = match key.name {
            "at" => match value::texts(key.name, value) {
                Ok(texts) => {
                    at = texts.into_iter().map(|(text, _)| text.to_owned()).collect();
                    Ok(())
                }
                Err((place, refusal)) => {
                    refused = true;
                    complaints.add(place, refusal);
                    return;
                }
            },
            "count" => value::count(key.name, value, 1, MOST_HOSTS).map(|n| count = u32::try_from(n).ok()),
            "config" => path(value).map(|path| config = path),
            "program" => path(value).map(|path| program = path),
            _ => value::word(key.name, value, &IfLost::WORDS).map(|word| if_lost = word),
        };
        if let Err(refusal) = read {
            refused = true;
            complaints.add(value.span(), refusal);
        }
    });
    if refused {
        return;
    }
    let read = LoadHostsSpec::new(&at, config.as_deref(), count).map_err(|(what, hint)| Diagnostic::new(what, hint));
    let hosts = read.map(|hosts| LoadHostsSpec { program, if_lost, ..hosts });
    match hosts.and_then(|hosts| refusal(&plan.experiments, &hosts).map_or(Ok(hosts), Err)) {
        Ok(hosts) => plan.hosts = Some(hosts),
        Err(refusal) => complaints.add(value.span(), refusal),
    }
}

impl LoadHostsSpec {
    /// Processes of this machine ([`LOCAL`] or nothing), nodes of a cluster ([`RAY`] and its head), or ssh destinations; all of them,
    /// or the first `count`.
    pub fn new(at: &[String], config: Option<&str>, count: Option<u32>) -> Result<LoadHostsSpec, (Message, Message)> {
        let access =
            |destination: &String| SshAccess { destination: destination.clone(), config: config.map(str::to_owned) };
        let (at, count) = match at {
            [] => (LoadHostsAt::Local, count),
            [only] if only == LOCAL => (LoadHostsAt::Local, count),
            [only] if only.starts_with(RAY) => (LoadHostsAt::Ray(head(only)?), count),
            _ if at.iter().any(|at| at == LOCAL || at.starts_with(RAY)) => {
                return Err((msg!("hosts-local-among-others"), msg!("give-hosts")));
            }
            _ if !at.iter().all(|at| SshAccess::is_destination(at)) => {
                return Err((msg!("hosts-no-destination"), msg!("give-hosts")));
            }
            _ => {
                let there = at.len() as u32;
                if let Some(count) = count.filter(|count| *count > there) {
                    return Err((msg!("more-hosts-than-destinations", count, there), msg!("give-hosts")));
                }
                let all: Vec<SshAccess> = at.iter().map(access).collect();
                (LoadHostsAt::Ssh(all), Some(count.unwrap_or(there)))
            }
        };
        let count = count.ok_or((msg!("hosts-without-count"), msg!("give-hosts-count")))?;
        Ok(LoadHostsSpec { at, program: None, count, if_lost: IfLost::default() })
    }
}

/// The head of a cluster, `HOST:PORT`.
fn head(at: &str) -> Result<String, (Message, Message)> {
    let head = at.trim_start_matches(RAY);
    let is_port = |port: &str| port.parse::<u16>().is_ok_and(|port| port > 0);
    let (host, port) = match head.rsplit_once(':') {
        Some((host, port)) if is_port(port) => (host, port.to_owned()),
        // Without a port, the last colon is one of an IPv6 address or there is none.
        _ if head.ends_with(']') || !head.contains(':') => (head, RAY_PORT.to_string()),
        _ => ("", String::new()),
    };
    let is_host = |c: char| c.is_ascii_alphanumeric() || ".-_:[]".contains(c);
    if host.is_empty() || host.starts_with('-') || !host.chars().all(is_host) {
        return Err((msg!("hosts-no-ray-head"), msg!("give-ray-head")));
    }
    Ok(format!("{host}:{port}"))
}

impl Plan {
    /// Lets these hosts drive its trials, whatever the plan says.
    pub fn set_hosts(&mut self, hosts: LoadHostsSpec) -> Result<(), Problem> {
        if let Some(Diagnostic { what, hint }) = refusal(&self.experiments, &hosts) {
            return Err(Problem { hint, ..Problem::new(what) });
        }
        self.hosts = Some(hosts);
        Ok(())
    }
}

/// Why load hosts cannot drive these experiments together.
fn refusal(experiments: &[Experiment], hosts: &LoadHostsSpec) -> Option<Diagnostic> {
    for experiment in experiments {
        // Others have clients of their own.
        let mut driven = experiment.targets.iter().filter(|target| target.client.is_none()).peekable();
        if driven.peek().is_none() {
            continue;
        }
        if experiment.order == Order::Duet {
            return Some(duet::with_hosts());
        }
        if let Some(target) = driven.find(|target| target.scheme().kind().is_embedded) {
            let what = msg!("hosts-of-embedded", target = target.name);
            return Some(Diagnostic::new(what, msg!("remove-hosts-or-target")));
        }
        for cell in &experiment.cells {
            let clients = cell.spec.load.clients;
            if clients < hosts.count {
                let what = msg!("more-hosts-than-clients", hosts = hosts.count, clients);
                return Some(Diagnostic::new(what, msg!("give-fewer-hosts")));
            }
        }
    }
    None
}
