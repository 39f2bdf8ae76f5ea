//! A replica is the limit: commits wait until it confirms them (semi-synchronous replication), or it falls behind, so that
//! the source could not go on like this.

use crate::lag::{self, ReplicaLag, Trend};
use crate::why::evidence::Evidence;
use crate::why::judgement::{Bottleneck, Judgement, MissingEvidence, Proof, percent};
use tenbin_model::names::replica;
use tenbin_words::figure;
use tenbin_words::msg;

/// The share of the transactions in progress that wait for a confirmation.
const WAITED: f64 = 0.2;
/// Its lag may grow by this many seconds in each second (as in the sentence on its lag).
const GROWS: f64 = 0.01;
/// The share of samples in which what applies the changes was in a commit, from which on its disk is named.
const IN_COMMIT: f64 = 0.4;
/// Waiting time for confirmations, microseconds: MariaDB and MySQL, MySQL from 8.0.26 on.
const CONFIRMATIONS: [&str; 2] = ["rpl_semi_sync_master_tx_wait_time", "rpl_semi_sync_source_tx_wait_time"];

/// Does not apply to a target without replicas.
pub(super) fn judge(e: &Evidence<'_>) -> Option<Judgement> {
    (!e.t.trial.target.replicas.is_empty()).then_some(())?;
    let confirmed = CONFIRMATIONS.iter().find_map(|name| e.status(name)).map(|us| e.share(us / 1e6).min(1.0));
    let confirmed_proof =
        confirmed.map(|share| Proof::share(msg!("proof-replica-confirms", percent = percent(share)), share, WAITED));
    let all = lag::of_trial(e.t);
    let slope = |replica: &ReplicaLag| match replica.trend() {
        Some(Trend::FallsBehind(slope)) => slope,
        _ => 0.0,
    };
    let worst = all.iter().filter(|replica| replica.trend().is_some()).max_by(|a, b| slope(a).total_cmp(&slope(b)));
    let mut proofs = vec![confirmed_proof];
    if let Some(worst) = worst {
        let (name, grows) = (&worst.replica, slope(worst));
        let what = match grows > 0.0 {
            true => msg!("proof-replica-falls-behind", replica = name, grows = figure::grouped(grows)),
            false => msg!("proof-replica-keeps-up", replica = name),
        };
        proofs.push(Some(Proof { is_share: false, ..Proof::share(what, grows, GROWS) }));
        proofs.push(disk(e, name));
    }
    let missing = MissingEvidence { what: msg!("missing-replica"), how: msg!("missing-replica-how") };
    let missing = if worst.is_none() && confirmed.is_none() { vec![missing] } else { Vec::new() };
    // That it falls behind is a measurement of its own, whatever else is known.
    let falls_behind = worst.is_some_and(|worst| slope(worst) > 0.0);
    let judgement = Judgement::of(Bottleneck::Replica, proofs, missing);
    Some(judgement.decisive(confirmed.or(falls_behind.then_some(1.0))))
}

/// That what applies the changes waits for its disk.
fn disk(e: &Evidence<'_>, replica: &str) -> Option<Proof> {
    let share = e.mean(replica::OBSERVER, &replica::in_commit(replica))?;
    let what = match e.rate(replica::OBSERVER, &replica::syncs(replica)) {
        Some(syncs) => msg!("proof-replica-disk-syncs", percent = percent(share), syncs = format!("{syncs:.0}")),
        None => msg!("proof-replica-disk", percent = percent(share)),
    };
    (share >= IN_COMMIT).then(|| Proof::beside(what, share))
}
