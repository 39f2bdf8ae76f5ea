//! Load hosts that drove trials together: the share of each, what it used, and how well its clock is known. A row for each host
//! of each target, over all trials.

use super::Section;
use super::columns::{aligned, number};
use super::context::PageContext;
use crate::bilingual;
use minijinja::{Value, context};
use tenbin_verdict::host_share::{self, HostShare};
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "load-hosts",
    heading: || msg!("section-load-hosts"),
    values,
    template: include_str!("../../templates/load_hosts.html"),
};

/// The most rows besides those of hosts that were lost.
const MOST_ROWS: usize = 500;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let of_target = |target: &String| {
        let trials = m.summary.trials.iter().filter(|t| t.trial.target.name == *target);
        host_share::of(trials)
    };
    let all: Vec<(&String, Vec<HostShare>)> = m.targets.iter().map(|target| (target, of_target(target))).collect();
    let each = || all.iter().flat_map(|(target, hosts)| hosts.iter().map(move |host| (*target, host)));
    let machines = host_share::machines(each().map(|(_, host)| host));
    let shown = each().enumerate().filter(|(index, (_, host))| *index < MOST_ROWS || !host.lost.is_empty());
    let shown: Vec<(&String, &HostShare)> = shown.map(|(_, of)| of).collect();
    let all = aligned(shown.iter().map(|(_, host)| figures(host, &machines)).collect());
    let rows = shown.iter().zip(all).map(|((target, host), figures)| row(m, target, host, figures));
    let rows: Vec<Value> = rows.collect();
    let left_out = each().count() - rows.len();
    let any_lost = each().any(|(_, host)| !host.lost.is_empty());
    (!rows.is_empty()).then(|| context! { rows, left_out, any_lost })
}

fn figures(host: &HostShare, machines: &[&str]) -> Vec<Value> {
    let unknown = || "–".to_owned();
    let machine = machines.iter().position(|machine| *machine == host.machine);
    let ms = |ns: u64| ns as f64 / 1e6;
    let us = |ns: f64| figure::grouped((ns / 1e2).round() / 10.0);
    let (drift, drift_error) = host.drift_ns;
    let cores = host.client_cores.map_or_else(unknown, |used| {
        format!("{used:.2}{}", host.cores.map_or(String::new(), |of| format!(" ({})", figure::grouped(of))))
    });
    vec![
        Value::from(machine.map_or_else(unknown, |index| (index + 1).to_string())),
        Value::from(range(host.clients)),
        Value::from(host.workers.map_or_else(unknown, range)),
        Value::from(host.share.map_or_else(unknown, |share| format!("{:.1} %", share * 100.0))),
        number(host.tps),
        number((host.response.count() > 0).then(|| ms(host.response.quantile_ns(0.99)))),
        Value::from(cores),
        number(host.late_ns.map(ms)),
        Value::from((host.offset_error_ns as f64 / 1e2).round() / 10.0),
        Value::from(format!("{} ± {}", us(drift as f64), us(drift_error as f64))),
    ]
}

fn row(m: &PageContext<'_>, target: &str, host: &HostShare, figures: Vec<Value>) -> Value {
    let lost = Message::joined(
        host.lost.iter().map(|(trial, problem)| {
            let why = problem.evidence.clone().unwrap_or_else(|| problem.what.clone());
            msg!("trial-and-why", trial, why)
        }),
        msg!("semicolon"),
    );
    let lost = if host.lost.is_empty() { foreign("–") } else { lost };
    context! { target => m.target(target), name => host.name.as_str(), figures, lost => bilingual::html(&lost) }
}

/// From the fewest to the most.
fn range((fewest, most): (u32, u32)) -> String {
    if fewest == most { most.to_string() } else { format!("{fewest}–{most}") }
}
