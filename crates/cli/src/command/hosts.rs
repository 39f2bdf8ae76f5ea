//! `tenbin hosts check`: whether load hosts are fit to drive a plan.

use crate::args::{HostsAction, HostsArgs, HostsOptions};
use crate::command::doctor::{as_json, as_text, word};
use serde_json::json;
use std::path::Path;
use tenbin_lab::LoadHostSets;
use tenbin_lab::check::Scripts;
use tenbin_lab::forecast::Look;
use tenbin_servers::finding::{Finding, Level};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::runnable::read;
use tenbin_terminal::signals;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn hosts(a: &HostsArgs) -> Result<Exit, Problem> {
    match &a.action {
        HostsAction::Check { plan, hosts, json, .. } => checked(plan, hosts, *json),
    }
}

fn checked(path: &Path, options: &HostsOptions, as_json_text: bool) -> Result<Exit, Problem> {
    let Some(mut planned) = read(path, None, Scripts::Compile, Look::Programs)? else { return Ok(Exit::Usage) };
    if let Some(hosts) = &options.hosts {
        planned.place_on(hosts, options.hosts_count)?;
    }
    let request = &planned.request;
    let stop = signals::listen_saying(msg!("stopping-looks"))?;
    let hosts = LoadHostSets::start(request, &stop)?;
    let mut examined = Vec::new();
    for set in hosts.all() {
        examined.extend(set.examine(request, &stop)?);
    }
    if examined.is_empty() {
        return Err(Problem::new(msg!("hosts-without-plan")).hint(msg!("give-hosts-option")));
    }
    for host in &mut examined {
        // A host of another version would not have joined.
        let version = Problem::new(msg!("host-has-our-version", version = env!("TENBIN_VERSION")));
        host.findings.insert(0, Finding::of(Level::Ok, version));
        for trial in request.trials.iter().filter(|trial| trial.target.sandbox.is_some()) {
            let note = Finding::of(Level::Note, Problem::new(msg!("checked-by-run", target = trial.target.name)));
            if !host.findings.contains(&note) {
                host.findings.push(note);
            }
        }
    }
    if as_json_text {
        let all = examined.iter().map(|host| {
            let findings: Vec<_> = host.findings.iter().map(|f| as_json(f, word(f.level))).collect();
            json!({"host": host.name, "machine": host.machine, "findings": findings})
        });
        let all: Vec<_> = all.collect();
        exit::print(&serde_json::to_string_pretty(&all).unwrap_or_default());
    } else {
        let words = exit::words();
        for host in &examined {
            exit::print(&msg!("host-is-usable", host = host.name).text(words.language));
            host.findings.iter().for_each(|finding| exit::print(&as_text(finding, words)));
        }
    }
    let fails = |finding: &Finding| finding.level == Level::Error;
    Ok(if examined.iter().flat_map(|host| &host.findings).any(fails) { Exit::Usage } else { Exit::Ok })
}
