//! The processors of the server are the limit: those of its machine, those that it is bound to, or its quota.

use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use crate::why::settings;
use tenbin_model::names::cloud_metrics;
use tenbin_words::msg;

/// The share of the processors that it may use.
const BUSY: f64 = 0.9;
/// The share of the periods of its control group in which its quota was used up.
const THROTTLED: f64 = 0.25;
/// The share of the time of a transaction that its threads wait for a processor, on a machine that is full.
const QUEUED: f64 = 0.4;
/// The share of what keeps its machine busy that is the server itself; or others, if they are the reason.
const MAINLY: f64 = 0.5;

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    let used = e.server_cpu();
    let own = used.zip(e.server_cores()).filter(|(_, cores)| *cores > 0.0).map(|(used, cores)| {
        let share = used / cores;
        let (used, cores) = (format!("{used:.2}"), format!("{cores:.2}"));
        Proof::share(msg!("proof-server-cpu", used, cores, percent = percent(share)), share, BUSY)
    });
    let machine = e.processors(|name| e.server_host(name)).map(|(busy, all)| {
        let share = busy / all;
        let what = msg!("proof-machine", busy = format!("{busy:.2}"), all = format!("{all:.0}"));
        // What others do there is not the server's.
        let is_its = used.is_none_or(|used| used >= MAINLY * busy);
        if is_its { Proof::share(what, share, BUSY) } else { Proof::beside(what, share) }
    });
    // Others may have filled its machine: then its threads wait, and the others are named.
    let others = e.processors(|name| e.server_host(name)).zip(used).and_then(|((busy, _), used)| {
        let others = busy - used - e.client_cpu_beside_server();
        let what = msg!("proof-server-others", others = format!("{others:.2}"));
        (others >= MAINLY * busy).then(|| Proof::beside(what, others))
    });
    let queue = e.process("run_delay_s").map(|delay| (e.per_operation(delay) / e.transaction_s).min(1.0));
    let is_full = machine.as_ref().is_some_and(|machine| machine.value >= BUSY);
    let queue = queue.filter(|_| is_full).map(|share| {
        Proof::share(msg!("proof-server-queue", time = e.time(), percent = percent(share)), share, QUEUED)
    });
    let others = others.filter(|_| queue.is_some());
    let throttled = e.process("cpu_throttled_periods").zip(e.process("cpu_periods")).and_then(|(throttled, all)| {
        let share = throttled / all;
        (all > 0.0).then(|| Proof::share(msg!("proof-server-throttled", percent = percent(share)), share, THROTTLED))
    });
    let managed = e.mean(cloud_metrics::OBSERVER, "CPUUtilization").map(|use_percent| {
        let share = use_percent / 100.0;
        Proof::share(msg!("proof-server-cloudwatch", percent = percent(share)), share, BUSY)
    });
    let missing = MissingEvidence {
        what: msg!("missing-server-cpu"),
        how: msg!("missing-server-cpu-how", host = settings::HOST),
    };
    let missing = if own.is_none() && managed.is_none() { vec![missing] } else { Vec::new() };
    // What is known of the machine alone says nothing of a server that was not found there.
    let machine = machine.filter(|_| own.is_some() || managed.is_some());
    Some(Judgement::of(Bottleneck::ServerCpu, vec![own, machine, others, queue, throttled, managed], missing))
}
