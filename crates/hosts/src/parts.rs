//! What the hosts of a drive did, each for itself and as one client.

use crate::fleet::Host;
use crate::protocol::{PartEnded, PartInterval};
use tenbin_engine::ClientNumbers;
use tenbin_model::load_host::LoadHostPart;
use tenbin_model::tally::PerClient;
use tenbin_servers::machine;

/// What the record of a trial has of a host that drove this many clients.
pub fn part_of(host: &Host, clients: u32, ended: PartEnded) -> LoadHostPart {
    let (offset, drifted) = (host.clock.offset().unwrap_or_default(), host.clock.drifted().unwrap_or_default());
    LoadHostPart {
        name: host.name.clone(),
        machine: host.machine.clone(),
        here: host.machine == machine::identity(),
        cores: host.facts.get("cores").and_then(|cores| cores.parse().ok()),
        clients,
        workers: ended.workers,
        client_cpu_ns: ended.client_cpu_ns,
        halts: ended.halts,
        late_ns: ended.late_ns,
        oldest_open_ns: ended.oldest_open_ns,
        offset_ns: offset.ns,
        offset_error_ns: offset.error_ns,
        drift_ns: drifted.ns,
        drift_error_ns: drifted.error_ns,
        clock_steps: host.clock.steps(),
        lost: host.lost.clone(),
        late_reports: host.late,
    }
}

/// The same with times since the origin of the drive, whose clients started together at `start_ns`.
pub fn since_origin(mut part: PartInterval, start_ns: u64) -> PartInterval {
    let at = |ns: &mut u64| *ns = ns.saturating_add(start_ns);
    at(&mut part.from_ns);
    at(&mut part.to_ns);
    if let Some(completions) = &mut part.completions {
        at(&mut completions.first_ns);
        at(&mut completions.last_ns);
    }
    for (from, to) in &mut part.idle {
        at(from);
        at(to);
    }
    part
}

/// What each client completed, wherever it ran.
pub fn together(clients: u32, numbers: &[ClientNumbers], ends: &[Option<PartEnded>]) -> PerClient {
    let clients = clients as usize;
    let mut all = PerClient {
        completed: vec![0; clients],
        response_ns: vec![0; clients],
        min_ns: vec![0; clients],
        max_ns: vec![0; clients],
        unwritten: vec![0; clients],
    };
    for (numbers, ended) in numbers.iter().zip(ends) {
        let Some(PartEnded { per_client: part, .. }) = ended else { continue };
        for place in 0..numbers.count().min(part.completed.len() as u32) {
            let (from, to) = (place as usize, numbers.at(place) as usize);
            let each = [
                (&mut all.completed, &part.completed),
                (&mut all.response_ns, &part.response_ns),
                (&mut all.min_ns, &part.min_ns),
                (&mut all.max_ns, &part.max_ns),
                (&mut all.unwritten, &part.unwritten),
            ];
            for (all, part) in each {
                if let (Some(all), Some(part)) = (all.get_mut(to), part.get(from)) {
                    *all = *part;
                }
            }
        }
    }
    if all.unwritten.iter().all(|unwritten| *unwritten == 0) {
        all.unwritten.clear();
    }
    all
}
