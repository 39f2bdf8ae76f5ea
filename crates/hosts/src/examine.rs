//! Looking whether all hosts are fit to drive a plan, before it is run.

use crate::admission::shortened;
use crate::coordinator::LoadHosts;
use crate::fleet::LOOK;
use crate::protocol::{HostFinding, Order, Report, ServerAssignment};
use std::time::Duration;
use tenbin_model::stop::StopSignal;
use tenbin_servers::finding::{Finding, Level};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long a host may take for all its servers.
const PATIENCE: Duration = Duration::from_secs(60);
/// This many findings of a host are kept: a few for each server.
const MOST_FINDINGS: usize = 1000;
/// If a clock is known less well, the common start may be missed by more than is good for short intervals.
const CLOCK_ERROR_NS: u64 = 5_000_000;

/// What was found on a host.
#[derive(Debug)]
pub struct ExaminedHost {
    /// Its name.
    pub name: String,
    /// Which machine it is.
    pub machine: String,
    /// What was found.
    pub findings: Vec<Finding>,
}

impl LoadHosts {
    /// Lets each host look at itself and at these servers, and adds what is known of its connection. That a host is lost is one of its
    /// findings.
    pub fn examine(
        &mut self,
        assign: &dyn Fn(u32) -> Vec<ServerAssignment>,
        stop: &StopSignal,
    ) -> Result<Vec<ExaminedHost>, Problem> {
        self.ready()?;
        self.drives += 1;
        let number = self.drives;
        self.fleet.send_each(|host| Order::Examine { drive: number, servers: assign(host as u32) });
        let mut answers: Vec<Option<Vec<HostFinding>>> = vec![None; self.fleet.hosts().len()];
        let until_ns = self.fleet.now_ns() + PATIENCE.as_nanos() as u64;
        loop {
            for (host, report) in self.fleet.hear(LOOK) {
                if let Report::Examined { drive, findings } = report
                    && drive == number
                {
                    let kept = findings.into_iter().take(MOST_FINDINGS);
                    let kept = kept.map(|finding| HostFinding { problem: shortened(finding.problem), ..finding });
                    answers[host] = Some(kept.collect());
                }
            }
            self.fleet.follow();
            let hosts = self.fleet.hosts().iter().zip(&answers).enumerate();
            let waited_for = hosts.filter(|(_, (host, answer))| host.lost.is_none() && answer.is_none());
            let waited_for: Vec<usize> = waited_for.map(|(number, _)| number).collect();
            if waited_for.is_empty() {
                break;
            }
            if stop.asked() {
                return Err(Problem::new(msg!("stopped-asking-server")));
            }
            if self.fleet.now_ns() > until_ns {
                for host in waited_for {
                    self.fleet.give_up(host, msg!("host-did-not-join", seconds = PATIENCE.as_secs()));
                }
            }
        }
        let examined = self.fleet.hosts().iter().zip(answers).map(|(host, answer)| {
            let mut findings = vec![clock(host.clock.offset().map(|offset| offset.error_ns))];
            findings.extend(answer.into_iter().flatten().map(|finding| Finding::of(finding.level, finding.problem)));
            findings.extend(host.lost.clone().map(|lost| Finding::of(Level::Error, lost)));
            ExaminedHost { name: host.name.clone(), machine: host.machine.clone(), findings }
        });
        Ok(examined.collect())
    }
}

fn clock(error_ns: Option<u64>) -> Finding {
    let evidence = msg!("clock-error-seen", micros = error_ns.map_or(0, |ns| ns / 1000));
    match error_ns {
        Some(..=CLOCK_ERROR_NS) => Finding::of(Level::Ok, Problem::new(msg!("clock-is-followed")).evidence(evidence)),
        _ => {
            let problem = Problem::new(msg!("clock-is-not-followed")).evidence(evidence);
            Finding::of(Level::Warning, problem.hint(msg!("stop-what-runs-there")))
        }
    }
}
