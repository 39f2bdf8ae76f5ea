//! Whether the line between clients and server is full: used by the rule of the network, and to know what of a round trip
//! under load is a queue in the network.
//!
//! If the rate of the line is known (of a simulated link, by the key `line`, or as the interface says it), its use is the evidence.
//! Lines whose rate is not stated (a leased line behind a router, the limit of a provider) are known by what they do: the
//! rate is the same from sample to sample and however many clients there are, and a statement that does nothing stands in
//! the same queue as those of the clients. A busy server makes it wait, too, so that its processors must be known to be
//! free, or the rate must be as even as no server's is.

use super::evidence::{Evidence, FullLine};
use crate::judged_trial::JudgedTrial;
use crate::network_path;
use tenbin_model::names::path;
use tenbin_model::statistics;
use tenbin_model::summary::{Summary, TrialResult};

/// From this share of its processors on, a server may itself be why a statement that does nothing waits.
pub(super) const SERVER_BUSY: f64 = 0.7;
/// A round trip under load is this many times as long as an idle one.
const GROWN: f64 = 2.0;
/// … and longer by this, seconds: less is the scheduling of two machines.
const LONGER_S: f64 = 100e-6;
/// The share of the time of a transaction that the queue takes.
const QUEUE: f64 = 0.4;
/// … of a line that carries the same with other numbers of clients, and evenly: of four clients, only three stand before a statement
/// that does nothing, and not always.
const QUEUE_OF_FEW: f64 = 0.2;
/// The rate of samples in the window differs from their mean by at most this share, as standard deviation.
const EVEN: f64 = 0.05;
/// … where the processors of the server are not known. Servers that use all of their processors differed by 1 to 5 %.
const VERY_EVEN: f64 = 0.005;
/// With other numbers of clients the rate is the same but for this share.
const FLAT: f64 = 0.03;
/// Fewer samples do not show how even the rate is.
const LEAST_SAMPLES: usize = 4;

/// The line of a trial, if it is full by what it does. Not with a rate in the plan: that is what it is judged by.
pub(super) fn full_by_itself(e: &Evidence<'_>, summary: &Summary) -> Option<FullLine> {
    // In a duet the interface carries what others are sent, too.
    if e.t.trial.duet || e.declared_rate().is_some() || e.server_cpu_share().is_some_and(|share| share >= SERVER_BUSY) {
        return None;
    }
    let (idle_s, loaded_s) = e.round_trips_s()?;
    let queue = ((loaded_s - idle_s) * e.statements / e.transaction_s).min(1.0);
    let waits = loaded_s >= GROWN * idle_s && loaded_s - idle_s >= LONGER_S && queue >= QUEUE_OF_FEW;
    let bits = e.path().filter(|_| waits)?.busier();
    let own = e.t.trial.load.clients;
    let is_other = |t: &&TrialResult| t.trial.target.name == e.t.trial.target.name && t.trial.load.clients != own;
    let others = summary.trials.iter().filter(|t| t.counts()).filter(is_other);
    let same: Vec<u32> = others
        .filter_map(|t| {
            let other = network_path::of_trial(t)?.busier();
            ((other / bits - 1.0).abs() <= FLAT).then_some(t.trial.load.clients)
        })
        .collect();
    let unevenness = unevenness(e.t)?;
    let is_flat = unevenness <= VERY_EVEN && !same.is_empty();
    let is_seen = e.server_cpu_share().is_some() && unevenness <= EVEN && queue >= QUEUE;
    let limit = if is_flat { QUEUE_OF_FEW } else { QUEUE };
    let mut clients: Vec<u32> = same.into_iter().chain([own]).collect();
    clients.sort_unstable();
    clients.dedup();
    (is_flat || is_seen).then_some(FullLine { bits, idle_s, loaded_s, queue, limit, clients })
}

/// The standard deviation of the rate of the busier direction over its mean, sample by sample in the window.
fn unevenness(t: &TrialResult) -> Option<f64> {
    let rates = |name| network_path::rates(t, name);
    let mean = |rates: &[f64]| statistics::mean(rates).unwrap_or(0.0);
    let (sent, received) = (rates(path::SENT), rates(path::RECEIVED));
    let busier = if mean(&sent) > mean(&received) { sent } else { received };
    let whole = mean(&busier);
    (busier.len() >= LEAST_SAMPLES && whole > 0.0).then(|| statistics::deviation(&busier).map(|d| d / whole))?
}
