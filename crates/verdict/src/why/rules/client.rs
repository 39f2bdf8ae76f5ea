//! The client is the limit: its threads, its machine, or the time between two transactions.

use crate::audit::hosts::{self, HostView};
use crate::client_use;
use crate::clocks::{self, LATE_MS};
use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use tenbin_model::names::client_process;
use tenbin_words::figure;
use tenbin_words::msg;

/// The share of the time in which its threads run or wait for a processor.
const NEVER_IDLE: f64 = 0.95;
/// … if they wait for at least this part of the time in which they run; otherwise the first figure says it all.
const WAITS: f64 = 0.25;
/// The share of the processors of its machine.
const MACHINE_BUSY: f64 = 0.9;
/// … if its threads wait for a processor in at least this share of the time.
const SUFFERS: f64 = 0.2;
/// The share of the clients' time in a closed loop in which no transaction is in progress.
const BETWEEN: f64 = 0.2;
/// The share of the periods of its control group in which its quota was used up (as of a server).
const THROTTLED: f64 = 0.25;
/// … if it used at least this share of the quota itself: a server in the same group may have used up the rest.
const MAINLY: f64 = 0.5;
/// This many starts must have been as late as p99 says: of fewer than a hundred it is the latest one, and a machine may stand still once.
const LATE_STARTS: u64 = 5;

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    let of_hosts = of_hosts(e);
    let proofs = if of_hosts.is_empty() { proofs(e).to_vec() } else { of_hosts };
    let [threads, ..] = proofs.as_slice() else { return None };
    let missing = MissingEvidence { what: msg!("missing-client"), how: msg!("missing-client-how") };
    let missing = if threads.is_none() { vec![missing] } else { Vec::new() };
    Some(Judgement::of(Bottleneck::Client, proofs, missing))
}

/// Of each figure that of the load host that has most of it, with its name: every process has processors and a quota of its own. None if there is one process.
fn of_hosts(e: &Evidence<'_>) -> Vec<Option<Proof>> {
    let mut worst: Vec<Option<Proof>> = Vec::new();
    for HostView { name, view, .. } in hosts::views(e.t) {
        let Some(of_host) = Evidence::of(&view, e.facts) else { continue };
        let named = |proof: Proof| Proof { what: msg!("proof-on-host", host = name, what = proof.what), ..proof };
        let all = proofs(&of_host).map(|proof| proof.map(named));
        worst.resize(all.len(), None);
        for (worst, proof) in worst.iter_mut().zip(all) {
            let rank = |proof: &Proof| (proof.degree(), proof.value);
            let is_more = |proof: &Proof| worst.as_ref().is_none_or(|worst| rank(proof) > rank(worst));
            if proof.as_ref().is_some_and(is_more) {
                *worst = proof;
            }
        }
    }
    worst
}

/// The figures of one process, that of its threads first.
fn proofs(e: &Evidence<'_>) -> [Option<Proof>; 6] {
    let t = e.t;
    let window = t.measured_ns() as f64;
    let used = t.client_cpu_ns as f64 / window;
    let machine = e.processors(|name| e.client_host(name));
    let threads = client_use::of_trial(t).map(|of_client| {
        let (used, of) = (format!("{used:.2}"), client_use::shown(of_client.reachable));
        let what = match of_client.beside {
            None => msg!("proof-client-cpu", used, of),
            Some((beside, all)) => {
                let (beside, all) = (format!("{beside:.2}"), client_use::shown(all));
                msg!("proof-client-cpu-duet", used, of, beside, all)
            }
        };
        Proof::share(what, of_client.share(), client_use::BUSY)
    });
    let quota = client_use::quota(t).map(|quota| {
        let (cores, percent) = (client_use::shown(quota.cores), percent(quota.used_up));
        let what = msg!("proof-client-quota", cores, percent);
        let is_its = used >= MAINLY * quota.cores;
        if is_its { Proof::share(what, quota.used_up, THROTTLED) } else { Proof::beside(what, quota.used_up) }
    });
    // Of the threads of this process, also those of the other targets of a duet.
    let waited = e.rate(client_process::OBSERVER, "run_delay_s");
    let (beside, workers) = (t.clients_beside(), t.workers + t.clients_beside().workers);
    let all_used = used + beside.cpu_ns as f64 / window;
    // A server on the same machine may be what makes it busy; and what others do there matters if Tenbin waits for it.
    let suffers = waited.is_none_or(|waited| waited >= SUFFERS * f64::from(workers));
    let busy = machine.filter(|_| !t.beside_client()).map(|(busy, all)| {
        let what = msg!("proof-machine", busy = format!("{busy:.2}"), all = format!("{all:.0}"));
        if suffers { Proof::share(what, busy / all, MACHINE_BUSY) } else { Proof::beside(what, busy / all) }
    });
    // Its threads are never idle, although a part of the time they wait for a processor. A server that uses more of the same
    // machine may be what they wait for.
    let larger = e.server_cpu().is_none_or(|server| used >= server);
    let delay = waited.filter(|delay| workers > 0 && *delay >= WAITS * all_used);
    let starved = delay.filter(|_| !t.beside_client() || has_idle(machine) || larger).map(|delay| {
        // Of all threads of the process, of which those that observe are some.
        let share = ((all_used + delay) / f64::from(workers)).min(1.0);
        let (used, delay) = (format!("{all_used:.2}"), format!("{delay:.2}"));
        Proof::share(msg!("proof-client-starved", used, delay, workers), share, NEVER_IDLE)
    });
    let between = e.is_closed().then(|| {
        // In progress for the client: also in pauses before retries, and while a lost connection is opened again.
        let share = (1.0 - t.in_progress()? / f64::from(t.trial.load.clients.max(1))).max(0.0);
        Some(Proof::share(msg!("proof-client-between", percent = percent(share)), share, BETWEEN))
    });
    let between = between.flatten();
    let late = clocks::late(t).filter(|(_, starts)| *starts >= LATE_STARTS).map(|(p99_ns, _)| {
        let p99_ms = p99_ns as f64 / 1e6;
        let what = msg!("proof-client-late", ms = figure::beside(p99_ms, LATE_MS, 1));
        Proof { is_share: false, ..Proof::share(what, p99_ms, LATE_MS) }
    });
    [threads, quota, busy, starved, between, late]
}

/// Whether the machine has idle processors.
fn has_idle(machine: Option<(f64, f64)>) -> bool {
    machine.is_some_and(|(busy, all)| busy < MACHINE_BUSY * all)
}
