//! The network is the limit: the rate of the line, losses, or the round trips of the statements.

use crate::figure;
use crate::msg;
use crate::network_path::{self, NetworkPath};
use crate::why::evidence::{Evidence, FULL};
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use crate::why::settings;

/// The share of the TCP segments that are sent again.
const LOST: f64 = 0.01;
/// The share of the response time that the round trips take, as long as the server has processors left.
const ROUND_TRIPS: f64 = 0.5;
/// The share of its processors from which on a server has none left.
const SERVER_BUSY: f64 = 0.7;

pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    // Between programs on one machine messages cost processor time, which is counted there.
    e.is_remote().then_some(())?;
    let path = e.path();
    let full = path.zip(e.line_rate()).map(|(path, rate)| full(path, rate));
    let lost = path
        .and_then(|path| path.retransmitted)
        .map(|share| Proof::share(msg!("proof-network-lost", percent = figure::grouped(100.0 * share)), share, LOST));
    let is_full = full.as_ref().is_some_and(|full| full.degree() >= 1.0);
    let server_busy = e.server_cpu_share().is_some_and(|share| share >= SERVER_BUSY);
    let trips = e.round_trip_s().map(|rtt_s| {
        let share = (rtt_s * e.statements / e.response_s).min(1.0);
        let (rtt, statements) = (format!("{:.3}", rtt_s * 1e3), format!("{:.1}", e.statements));
        let what = msg!("proof-network-trips", statements, rtt, percent = percent(share));
        let is_consequence = server_busy || is_full;
        (share, if is_consequence { Proof::beside(what, share) } else { Proof::share(what, share, ROUND_TRIPS) })
    });
    let (share, trips) = trips.unzip();
    let mut missing = Vec::new();
    if path.is_none() {
        missing.push(MissingEvidence {
            what: msg!("missing-path"),
            how: msg!("missing-path-how", setting = settings::OBSERVE, section = settings::LOAD),
        });
    }
    if trips.is_none() {
        missing.push(MissingEvidence {
            what: msg!("missing-rtt"),
            how: msg!("missing-rtt-how", setting = settings::OBSERVE, section = settings::LOAD),
        });
    }
    let judgement = Judgement::of(Bottleneck::Network, vec![full, lost, trips], missing);
    Some(judgement.decisive(share.filter(|_| !server_busy).or(is_full.then_some(1.0))))
}

fn full(path: NetworkPath, rate: f64) -> Proof {
    let used = path.sent.mean.max(path.received.mean);
    let (mbit, of) = (network_path::megabits(used), network_path::megabits(rate));
    Proof::share(msg!("proof-network-rate", mbit, of, percent = percent(used / rate)), used / rate, FULL)
}
