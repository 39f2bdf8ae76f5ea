//! The network is the limit: the line is full, segments are lost, or the round trips of the statements take the time.

use super::admission;
use crate::network_path::{self, NetworkPath};
use crate::why::evidence::{Evidence, FULL, FullLine};
use crate::why::full_line::SERVER_BUSY;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use crate::why::settings;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The share of the TCP segments that are sent again.
const LOST: f64 = 0.01;
/// The share of the time of a transaction that the round trips take, as long as the server has processors left.
const ROUND_TRIPS: f64 = 0.5;

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    e.has_path().then_some(())?;
    let path = e.path();
    let full = path.zip(e.line_rate()).filter(|_| !e.line_has_others()).map(|(path, rate)| full(path, rate));
    // Who waits to be let in makes a statement that does nothing wait, too.
    let lets_in = admission::judge(e).is_none_or(|admission| !admission.is_limit());
    let queue = e.full_line.as_ref().filter(|_| lets_in);
    let percent_lost = |share: f64| figure::grouped(100.0 * share);
    let lost = path
        .and_then(|path| path.retransmitted)
        .map(|share| Proof::share(msg!("proof-network-lost", percent = percent_lost(share)), share, LOST));
    // What is lost on the way to the clients is sent again by the server.
    let lost_to_clients = e
        .server_retransmits()
        .map(|share| Proof::share(msg!("proof-network-lost-server", percent = percent_lost(share)), share, LOST));
    let is_full = e.line_is_full() && lets_in;
    let server_busy = e.server_cpu_share().is_some_and(|share| share >= SERVER_BUSY);
    let trips = e.round_trip_s().map(|rtt_s| {
        let share = (rtt_s * e.statements / e.transaction_s).min(1.0);
        let (rtt, statements) = (format!("{:.3}", rtt_s * 1e3), format!("{:.1}", e.statements));
        let what = msg!("proof-network-trips", statements, rtt, time = e.time(), percent = percent(share));
        let is_consequence = server_busy || e.line_is_full();
        (share, if is_consequence { Proof::beside(what, share) } else { Proof::share(what, share, ROUND_TRIPS) })
    });
    let (share, trips) = trips.unzip();
    // What follows from the queue says nothing more.
    let trips = trips.filter(|_| queue.is_none());
    let judgement = Judgement::of(
        Bottleneck::Network,
        vec![full, queue.map(|line| queued(e, line)), queue.map(carried), lost, lost_to_clients, trips],
        missing(e, path.is_some(), share.is_some()),
    );
    let judgement = judgement.decisive(share.filter(|_| !server_busy).or(is_full.then_some(1.0)));
    // Between programs on one machine messages cost processor time, which is counted there, unless something slows them down.
    let in_memory = e.is_on_one_machine() && e.t.trial.target.link.is_none();
    (!in_memory || judgement.is_limit()).then_some(judgement)
}

fn missing(e: &Evidence<'_>, has_path: bool, has_trips: bool) -> Vec<MissingEvidence> {
    let mut missing = Vec::new();
    let observed = |how: Message| if e.clients_are_elsewhere() { msg!("missing-path-elsewhere-how") } else { how };
    if !has_path {
        let how = observed(msg!("missing-path-how", setting = settings::OBSERVE, section = settings::LOAD));
        missing.push(MissingEvidence { what: msg!("missing-path"), how });
    } else if e.line_rate().is_none() && !e.is_on_one_machine() && e.server_cpu_share().is_none() {
        let how = msg!("missing-line-how", setting = settings::LINE, target = e.t.trial.target.name);
        missing.push(MissingEvidence { what: msg!("missing-line"), how });
    }
    if !has_trips && !e.is_on_one_machine() {
        let how = observed(msg!("missing-path-how", setting = settings::OBSERVE, section = settings::LOAD));
        missing.push(MissingEvidence { what: msg!("missing-rtt"), how });
    }
    missing
}

/// How long a statement that does nothing waits in the queue before the line.
fn queued(e: &Evidence<'_>, line: &FullLine) -> Proof {
    let [idle, loaded] = [line.idle_s, line.loaded_s].map(|seconds| format!("{:.3}", seconds * 1e3));
    let what = msg!("proof-network-queue", idle, loaded, time = e.time(), percent = percent(line.queue));
    Proof::share(what, line.queue, line.limit)
}

/// What a full line carries.
fn carried(line: &FullLine) -> Proof {
    let mbit = network_path::megabits(line.bits);
    let what = match line.clients.len() {
        0 | 1 => msg!("proof-network-even", mbit),
        _ => {
            msg!(
                "proof-network-flat",
                mbit,
                clients = Message::list(line.clients.iter().map(tenbin_words::message::foreign))
            )
        }
    };
    Proof::beside(what, line.bits)
}

fn full(path: NetworkPath, rate: f64) -> Proof {
    let used = path.busier();
    let (mbit, of) = (network_path::megabits(used), network_path::megabits(rate));
    Proof::share(msg!("proof-network-rate", mbit, of, percent = percent(used / rate)), used / rate, FULL)
}
