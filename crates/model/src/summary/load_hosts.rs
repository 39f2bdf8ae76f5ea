//! What a trial looks like from one of several load hosts, or for one group of its clients: for the audit, which judges each by itself.

use super::TrialResult;
use crate::event::ClientsBeside;
use crate::load_host::{LoadHostPart, LoadHostResult, OF_CLIENT, host_of_observer, observer_of_host};
use crate::names::client_process;
use crate::trial::ClientGroup;
use std::collections::BTreeSet;

impl TrialResult {
    /// Load hosts that were given up: what they would have started is in no count.
    pub fn lost_hosts(&self) -> impl Iterator<Item = &LoadHostPart> {
        self.hosts.values().map(|host| &host.part).filter(|part| part.lost.is_some())
    }

    /// The trial as this load host had it: its clients, what they counted, its processor time, and its own observers under their
    /// usual names.
    pub fn of_load_host(&self, number: u32) -> Option<TrialResult> {
        let LoadHostResult { part, tally, drained, stretches } = self.hosts.get(&number)?;
        let mut trial = self.trial.clone();
        trial.load.clients = part.clients;
        deal(&mut trial.load.groups, number, self.hosts.len() as u32);
        let mut here = TrialResult::planned(trial);
        (here.state, here.begun, here.window_ns) = (self.state, self.begun, self.window_ns);
        (here.phases, here.address) = (self.phases.clone(), self.address.clone());
        (here.tally, here.drained, here.stretches) = (tally.clone(), drained.clone(), stretches.clone());
        (here.client_cpu_ns, here.workers, here.client_halts) = (part.client_cpu_ns, part.workers, part.halts);
        (here.oldest_open_ns, here.cores) = (part.oldest_open_ns, part.cores);
        let all_ns: u64 = self.on_machine(&part.machine).map(|(_, host)| host.part.client_cpu_ns).sum();
        here.beside.cpu_ns = all_ns.saturating_sub(part.client_cpu_ns);
        for (observer, readings) in &self.observations {
            match host_of_observer(observer) {
                Some((name, host)) if host == number => {
                    here.observations.insert(name.to_owned(), readings.clone());
                }
                _ if observer.starts_with(OF_CLIENT) => {}
                // What a server took of the machine matters to a host only on the same machine.
                _ if part.here || !self.beside_client() => {
                    here.observations.insert(observer.clone(), readings.clone());
                }
                _ => {}
            }
        }
        Some(here)
    }

    /// The trial as if this group of clients had been alone: its schedule, and what it counted.
    pub fn of_group(&self, group: &ClientGroup) -> TrialResult {
        let mut trial = self.trial.clone();
        trial.load.groups.clear();
        (trial.load.clients, trial.load.schedule) = (group.clients, group.schedule);
        let mut alone = TrialResult::planned(trial);
        (alone.state, alone.begun, alone.window_ns) = (self.state, self.begun, self.window_ns);
        alone.phases = self.phases.clone();
        (alone.tally, alone.drained) = (self.tally.of_group(&group.name), self.drained.of_group(&group.name));
        alone.outstanding = Some(self.series.outstanding_of(&group.name));
        alone
    }

    /// Cores that its clients may use, if known: those of all machines that drive it.
    pub fn client_cores(&self) -> Option<f64> {
        if self.hosts.is_empty() {
            return self.cores;
        }
        let machines: BTreeSet<&str> = self.hosts.values().map(|host| host.part.machine.as_str()).collect();
        // Hosts on one machine may be limited to different cores; the one with most knows most of it.
        let of = |machine| self.on_machine(machine).filter_map(|(_, host)| host.part.cores).reduce(f64::max);
        machines.into_iter().map(of).sum()
    }

    /// CPU time of all clients on the machine that this is judged for, in the measured window, nanoseconds.
    pub fn clients_on_machine_ns(&self) -> u64 {
        match self.hosts.is_empty() {
            true => self.client_cpu_ns.saturating_add(self.beside.cpu_ns),
            false => self.hosts.values().filter(|host| host.part.here).map(|host| host.part.client_cpu_ns).sum(),
        }
    }

    /// Other clients on the same machine: of the other trials of a duet, or of other load hosts if this is the view of one.
    pub fn clients_beside(&self) -> ClientsBeside {
        self.beside
    }

    /// The increase per second of a counter between the observations nearest to the edges of the measured window. Of the process
    /// that drives the clients: of all that do.
    pub fn observed_rate(&self, observer: &str, name: &str) -> Option<f64> {
        let of = |observer: &str| Some(self.observations.get(observer)?.increase(name, self.window_ns)?.per_second());
        if self.hosts.is_empty() || observer != client_process::OBSERVER {
            return of(observer);
        }
        self.hosts.keys().map(|number| of(&observer_of_host(observer, *number))).sum()
    }

    /// Its load hosts on a machine, by number.
    pub fn on_machine(&self, machine: &str) -> impl Iterator<Item = (u32, &LoadHostResult)> {
        let same = self.hosts.iter().filter(move |(_, host)| host.part.machine == machine);
        same.map(|(number, host)| (*number, host))
    }

    /// The first load host of each machine that is not the one of the process that ran the plan.
    pub fn machines_elsewhere(&self) -> Vec<u32> {
        let mut seen = BTreeSet::new();
        let elsewhere = self.hosts.iter().filter(|(_, host)| !host.part.here);
        elsewhere.filter(|(_, host)| seen.insert(&host.part.machine)).map(|(number, _)| *number).collect()
    }
}

/// Leaves in the groups the clients of this load host, of `hosts`: clients are dealt out in turn, by their numbers over all groups.
fn deal(groups: &mut [ClientGroup], host: u32, hosts: u32) {
    let mut first = 0;
    for group in groups {
        let end = u32::saturating_add(first, group.clients);
        let own = (first..end).filter(|number| number % hosts.max(1) == host.saturating_sub(1));
        (group.clients, first) = (own.count() as u32, end);
    }
}
