//! `[hosts]`: the load hosts that drive the trials of the plan together.

use super::keys::Table;
use super::sections;
use super::source::{Diagnostic, Diagnostics};
use super::value::{self, Value};
use super::{Experiment, Plan};
use crate::dsn::Scheme;
use crate::load_host::{IfLost, LoadHosts, LoadHostsAt, MOST_HOSTS};
use crate::msg;
use crate::problem::Problem;

/// Reads the table, after the experiments.
pub(super) fn hosts(value: &Value<'_>, plan: &mut Plan, complaints: &mut Diagnostics<'_>) {
    let (mut at, mut count, mut if_lost) = (LoadHostsAt::default(), None, IfLost::default());
    let mut refused = false;
    sections::each(Table::Hosts, value, complaints, |key, _, value, complaints| {
        let Some(key) = key else { return };
        let read = match key.name {
            "at" => value::word(key.name, value, &LoadHostsAt::WORDS).map(|word| at = word),
            "count" => value::count(key.name, value, 1, MOST_HOSTS).map(|n| count = u32::try_from(n).ok()),
            _ => value::word(key.name, value, &IfLost::WORDS).map(|word| if_lost = word),
        };
        if let Err(refusal) = read {
            refused = true;
            complaints.add(value.span(), refusal);
        }
    });
    let Some(count) = count else {
        if !refused {
            complaints.add(value.span(), Diagnostic::new(msg!("hosts-without-count"), msg!("give-hosts-count")));
        }
        return;
    };
    let hosts = LoadHosts { at, count, if_lost };
    match refusal(&plan.experiments, hosts) {
        Some(refusal) => complaints.add(value.span(), refusal),
        None => plan.hosts = Some(hosts),
    }
}

impl Plan {
    /// Lets these hosts drive its trials, whatever the plan says.
    pub fn set_hosts(&mut self, hosts: LoadHosts) -> Result<(), Problem> {
        if let Some(Diagnostic { what, hint, .. }) = refusal(&self.experiments, hosts) {
            return Err(Problem { hint, ..Problem::new(what) });
        }
        self.hosts = Some(hosts);
        Ok(())
    }
}

/// Why load hosts cannot drive these experiments together.
fn refusal(experiments: &[Experiment], hosts: LoadHosts) -> Option<Diagnostic> {
    for experiment in experiments {
        let embedded = |scheme| matches!(scheme, Scheme::Sqlite | Scheme::Host);
        if let Some(target) = experiment.targets.iter().find(|target| embedded(target.scheme())) {
            let what = msg!("hosts-of-embedded", target = target.name);
            return Some(Diagnostic::new(what, msg!("remove-hosts-or-target")));
        }
        for cell in &experiment.cells {
            if cell.resolved.warmup_until.is_some() {
                let what = msg!("hosts-with-auto-warmup", experiment = experiment.name);
                return Some(Diagnostic::new(what, msg!("give-warmup-for-hosts")));
            }
            let clients = cell.resolved.load.clients;
            if clients < hosts.count {
                let what = msg!("more-hosts-than-clients", hosts = hosts.count, clients);
                return Some(Diagnostic::new(what, msg!("give-fewer-hosts")));
            }
        }
    }
    None
}
