//! Whether a server has settled after its data were loaded or restored: computed from the readings of the observer [`OBSERVER`],
//! by a run that waits for it, and again when the recording is read.

use crate::lag;
use tenbin_model::event::Phase;
use tenbin_model::names::debts::{CHECKPOINT_AGE, DIRTY_PAGES, OBSERVER, PURGE, VACUUM};
use tenbin_model::summary::TrialResult;
use tenbin_model::trial::SettleLimits;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The lag of the replica that is furthest behind, seconds: from the readings of the observer of replicas.
pub const REPLICA_LAG: &str = "replica_lag";

/// What a plan says of a target so that an idle MariaDB writes changed pages.
pub const WRITES_WHEN_IDLE: &str = "server = { innodb_max_dirty_pages_pct_lwm = 0.1 }";

/// One thing that the server still has to do, and how much of it may be left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Debt {
    /// [`DIRTY_PAGES`], [`PURGE`], [`CHECKPOINT_AGE`], [`VACUUM`] or [`REPLICA_LAG`].
    pub name: &'static str,
    /// How much is left, by the last reading.
    pub left: f64,
    /// How much may be left.
    pub limit: f64,
}

/// What is left by the last reading of each before the clients started; empty if nothing could be read.
pub fn debts(t: &TrialResult, limits: &SettleLimits) -> Vec<Debt> {
    let Some(readings) = t.observations.get(OBSERVER) else { return Vec::new() };
    let all = [
        (DIRTY_PAGES, limits.dirty_pages_percent),
        (PURGE, limits.purge as f64),
        (CHECKPOINT_AGE, limits.checkpoint_age as f64),
        (VACUUM, 0.0),
    ];
    let last = |name| readings.course(name).last().map(|(_, value)| value);
    let of_server = all.into_iter().filter_map(|(name, limit)| Some(Debt { name, left: last(name)?, limit }));
    let now_ns = readings.samples().last().map_or(0, |sample| sample.at_ns);
    let limit = limits.replica_lag_ms as f64 / 1e3;
    let of_replicas = lag::furthest_behind(t, now_ns).map(|left| Debt { name: REPLICA_LAG, left, limit });
    of_server.chain(of_replicas).collect()
}

/// What was left when the clients started and exceeds its limit; empty if the trial did not wait for it, or did not come so far.
pub fn left(t: &TrialResult) -> Vec<Debt> {
    let driven = t.phases.iter().any(|(_, phase)| matches!(phase, Phase::WarmUp | Phase::Measure));
    let Some(limits) = t.trial.settle_until.filter(|_| driven) else { return Vec::new() };
    debts(t, &limits).into_iter().filter(Debt::is_over).collect()
}

impl Debt {
    /// Whether more is left than may be.
    pub fn is_over(&self) -> bool {
        self.left > self.limit
    }

    /// How much is left, and may be.
    pub fn words(&self) -> Message {
        let (left, limit) = (self.left, self.limit);
        let tenths = |value: f64| format!("{value:.1}");
        match self.name {
            DIRTY_PAGES => msg!("debt-dirty-pages", left = tenths(left), limit = tenths(limit)),
            PURGE => msg!("debt-purge", left = figure::whole(left as i128), limit = figure::whole(limit as i128)),
            REPLICA_LAG => msg!("debt-replica-lag", left = tenths(left), limit = tenths(limit)),
            CHECKPOINT_AGE => msg!("debt-checkpoint-age", left = figure::bytes(left), limit = figure::bytes(limit)),
            _ => msg!("debt-vacuum", left = figure::whole(left as i128)),
        }
    }
}
