//! What each load host contributed to the trials of a target: figures for terminal, page and exports.
//!
//! Figures of a host that did not report its end (it was lost, or failed) are unknown, and not 0: CPU time, threads, start.

use crate::question::TimesOf;
use std::collections::BTreeMap;
use tenbin_model::histogram::Histogram;
use tenbin_model::summary::TrialResult;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A load host over all trials that it drove.
#[derive(Debug, Clone, Default)]
pub struct HostShare {
    /// Its number, from 1.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// Which machine it is; empty if unknown.
    pub machine: String,
    /// Cores that its clients may use, if known.
    pub cores: Option<f64>,
    /// Its fewest and its most clients in a trial.
    pub clients: (u32, u32),
    /// Its fewest and its most threads in a trial.
    pub workers: Option<(u32, u32)>,
    /// Transactions that it completed in the measured windows, of which throughput is made.
    pub completed: u64,
    /// Of all transactions that were completed in them, a number from 0 to 1; `None` if there were none.
    pub share: Option<f64>,
    /// Its completed transactions per second; `None` if nothing was measured.
    pub tps: Option<f64>,
    /// Its response times: of TPC-C those of its New-Orders.
    pub response: Histogram,
    /// Cores that it used in the measured windows.
    pub client_cores: Option<f64>,
    /// By how much its clients missed the common start at most, nanoseconds.
    pub late_ns: Option<u64>,
    /// How wrong the offset of its clock may be at most, nanoseconds.
    pub offset_error_ns: u64,
    /// The largest drift of its clock in either direction and how wrong that may be, nanoseconds.
    pub drift_ns: (i64, u64),
    /// The trials in which it was given up, and why.
    pub lost: Vec<(u32, Problem)>,
    counted_ns: u64,
    cpu: (u64, u64),
}

/// Every load host of these trials, by number.
pub fn of<'t>(trials: impl IntoIterator<Item = &'t TrialResult>) -> Vec<HostShare> {
    let mut all: BTreeMap<u32, HostShare> = BTreeMap::new();
    for trial in trials {
        for number in trial.hosts.keys() {
            let host = all.entry(*number).or_insert_with(|| HostShare { number: *number, ..HostShare::default() });
            host.take(trial);
        }
    }
    let completed: u64 = all.values().map(|host| host.completed).sum();
    let per_second = |count: f64, ns: u64| (ns > 0).then(|| count / (ns as f64 / 1e9));
    for host in all.values_mut() {
        host.share = (completed > 0).then(|| host.completed as f64 / completed as f64);
        host.tps = per_second(host.completed as f64, host.counted_ns);
        host.client_cores = per_second(host.cpu.0 as f64 / 1e9, host.cpu.1);
    }
    all.into_values().collect()
}

impl HostShare {
    fn take(&mut self, trial: &TrialResult) {
        let Some(result) = trial.hosts.get(&self.number) else { return };
        let (part, all) = (&result.part, TimesOf::trial(trial).in_tally(&result.tally));
        if !part.name.is_empty() {
            self.name.clone_from(&part.name);
            self.machine.clone_from(&part.machine);
        }
        self.cores = part.cores.or(self.cores);
        let (fewest, most) = if self.clients.1 == 0 { (part.clients, part.clients) } else { self.clients };
        self.clients = (fewest.min(part.clients), most.max(part.clients));
        self.completed += trial.throughput_of_host(result);
        self.response.merge(&all.response);
        self.counted_ns += trial.counted_ns();
        // Without an end there are no threads.
        if part.workers > 0 {
            let (fewest, most) = self.workers.unwrap_or((part.workers, part.workers));
            self.workers = Some((fewest.min(part.workers), most.max(part.workers)));
            self.cpu = (self.cpu.0 + part.client_cpu_ns, self.cpu.1 + trial.measured_ns());
            self.late_ns = self.late_ns.max(Some(part.late_ns));
        }
        self.offset_error_ns = self.offset_error_ns.max(part.offset_error_ns);
        if part.drift_ns.unsigned_abs() >= self.drift_ns.0.unsigned_abs() {
            self.drift_ns = (part.drift_ns, part.drift_error_ns);
        }
        self.lost.extend(part.lost.clone().map(|problem| (trial.trial.number, problem)));
    }
}

/// The machines of hosts in the order of first use, each once: hosts of one are not independent.
pub fn machines<'h>(hosts: impl IntoIterator<Item = &'h HostShare>) -> Vec<&'h str> {
    let mut all: Vec<&str> = Vec::new();
    for host in hosts.into_iter().filter(|host| !host.machine.is_empty()) {
        if !all.contains(&host.machine.as_str()) {
            all.push(&host.machine);
        }
    }
    all
}

/// The most hosts that [`in_one_line`] names.
const MOST_NAMED: usize = 6;

/// Names and shares of a few hosts, the smallest and the largest share of many, and which were lost; `None` if there are no
/// load hosts.
pub fn in_one_line(hosts: &[HostShare]) -> Option<Message> {
    let shares = || hosts.iter().filter_map(|host| host.share);
    if hosts.is_empty() {
        return None;
    }
    let percent = |share: f64| format!("{:.1}", share * 100.0);
    let named = |host: &HostShare| {
        let share = host.share.map_or("–".to_owned(), percent);
        msg!("host-and-share", host = host.name, share)
    };
    let shown = if hosts.len() > MOST_NAMED {
        let (least, most) = (shares().fold(f64::INFINITY, f64::min), shares().fold(0.0, f64::max));
        if least.is_finite() {
            msg!("hosts-share-each", least = percent(least), most = percent(most))
        } else {
            foreign("–")
        }
    } else {
        Message::list(hosts.iter().map(named))
    };
    let mut lost: Vec<Message> =
        hosts.iter().filter(|host| !host.lost.is_empty()).map(|host| foreign(&host.name)).collect();
    let more = lost.len() > MOST_NAMED;
    lost.truncate(MOST_NAMED);
    lost.extend(more.then(|| foreign("…")));
    let n = hosts.len();
    Some(if lost.is_empty() {
        msg!("hosts-shown", n, shown)
    } else {
        msg!("hosts-shown-lost", n, shown, lost = Message::list(lost))
    })
}
