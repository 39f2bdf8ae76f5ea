//! Servers that a provider manages: asked beforehand whether they are ready, and for the facts about them.

use crate::emitter::{EventEmitter, TrialError};
use std::time::Instant;
use tenbin_driver::credentials;
use tenbin_model::cloud::CloudAccess;
use tenbin_model::dsn::Dsn;
use tenbin_model::event::Severity;
use tenbin_model::stop::StopSignal;
use tenbin_model::trial::Target;
use tenbin_observers::ManagedSubject;
use tenbin_servers::cloud;
use tenbin_servers::facts::Facts;
use tenbin_servers::finding::{Finding, Level};
use tenbin_words::problem::Problem;

/// What the provider says of the target and of its replicas, as far as the plan names them there, and why it does not
/// answer; nothing unless it is to be `asked`.
pub fn findings(target: &Target, asked: bool, stop: &StopSignal) -> (Vec<Finding>, Vec<Problem>) {
    let (mut findings, mut refusals) = (Vec::new(), Vec::new());
    for (_, access, dsn) in servers(target).into_iter().filter(|_| asked) {
        match cloud::describe(access, stop) {
            Ok(server) => findings.extend(server.findings(access, &dsn)),
            Err(problem) => refusals.push(problem),
        }
    }
    (findings, refusals)
}

/// The same at the first trial on the target: notes, and facts for the table of machines. What the provider does not answer
/// now is no reason not to measure.
pub fn facts(target: &Target, emitter: &mut EventEmitter, stop: &StopSignal) -> Result<Facts, TrialError> {
    let mut facts = Facts::new();
    for (replica, access, dsn) in servers(target) {
        match emitter.environment.managed(access, &dsn, stop) {
            Ok((server, findings)) => {
                for finding in findings.into_iter().filter(|f| matches!(f.level, Level::Warning | Level::Error)) {
                    emitter.note(Severity::Warning, finding.problem())?;
                }
                match replica {
                    None => facts.extend(server),
                    Some(name) => _ = facts.insert(cloud::fact_of_replica(name), cloud::in_one_line(&server)),
                }
            }
            Err(problem) => emitter.note(Severity::Warning, problem)?,
        }
    }
    Ok(facts)
}

/// What the observer of CloudWatch looks at in a trial that starts now.
pub fn subjects(target: &Target, since: Instant) -> Vec<ManagedSubject> {
    let of = |(replica, access, _): (Option<&str>, &CloudAccess, _)| ManagedSubject {
        replica: replica.map(str::to_owned),
        access: access.clone(),
        since,
    };
    servers(target).into_iter().map(of).collect()
}

/// The target and its replicas: the name of a replica, what it is at the provider, its address.
fn servers(target: &Target) -> Vec<(Option<&str>, &CloudAccess, Dsn)> {
    let own = std::iter::once((None, target));
    let replicas = target.replicas.iter().map(|replica| (Some(replica.at.name.as_str()), &replica.at));
    let all = own.chain(replicas);
    // What the address leaves open may name the host.
    let address = |at: &Target| Dsn::parse(at.dsn.as_deref()?).and_then(credentials::complete).ok();
    all.filter_map(|(name, at)| Some((name, at.cloud.as_ref()?, address(at)?))).collect()
}
