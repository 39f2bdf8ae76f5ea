//! Doubts about the server: whether it did only our work, from the state that was meant.

use super::doubt;
use crate::doubt::{Doubt, Verdict};
use crate::figure;
use crate::msg;
use crate::problem::Problem;
use crate::summary::TrialResult;
use crate::tpcc;

/// Statements of others: this share of ours, and as many per second, are not spoken of.
const FOREIGN: (f64, f64) = (0.05, 50.0);

/// The server executed statements that are not ours.
pub(super) fn foreign_statements(t: &TrialResult) -> Option<Doubt> {
    (t.measured_ns() >= 1_000_000_000).then_some(())?;
    let all = t.observed_rate("server.status", "questions")?;
    let window_s = t.measured_ns() as f64 / 1e9;
    let failed: u64 = t.tally.errors().values().sum();
    let mine = t.qps() + failed as f64 / window_s;
    let others = all - mine;
    // Between the observations there may have been more, or less, of ours than in the window.
    let certain = FOREIGN.0.max(2.0 * t.observed_beside("server.status")?);
    (mine > 0.0 && others > certain * mine && others > FOREIGN.1).then_some(())?;
    let each = |value: f64| figure::grouped(value);
    doubt(
        Verdict::Degraded,
        "foreign-statements",
        Problem::new(msg!("doubt-foreign-statements"))
            .evidence(msg!(
                "doubt-foreign-statements-seen",
                others = each(others),
                mine = each(mine),
                limit = format_args!("{:.0}", certain * 100.0)
            ))
            .hint(msg!("doubt-foreign-statements-hint")),
    )
}

/// Pages read per transaction at the start below which the cache was warm.
const COLD_READS: f64 = 0.05;

/// The buffer pool was still being filled: far more pages were read from the disk in the first quarter of the window than in the
/// last.
pub(super) fn cold_cache(t: &TrialResult) -> Option<Doubt> {
    let (from, to) = t.window_ns;
    (t.measured_ns() >= 8_000_000_000).then_some(())?;
    let quarter = (to - from) / 4;
    let readings = t.observations.get("server.status")?;
    let rate = |window| Some(readings.increase("innodb_buffer_pool_reads", window)?.per_second());
    let (first, last) = (rate((from, from + quarter))?, rate((to - quarter, to))?);
    (t.tps() > 0.0 && first > 2.0 * last && (first - last) > COLD_READS * t.tps()).then_some(())?;
    let each = |value: f64| figure::grouped(value);
    doubt(
        Verdict::Degraded,
        "cold-cache",
        Problem::new(msg!("doubt-cold-cache"))
            .evidence(msg!("doubt-cold-cache-seen", first = each(first), last = each(last)))
            .hint(msg!("doubt-cold-cache-hint", key = "warmup")),
    )
}

/// Statements may last so much longer than the transactions that they are part of.
const LONGER: f64 = 0.05;

/// The statements of a transaction follow one another: together they cannot last longer than it.
pub(super) fn statements_too_long(t: &TrialResult) -> Option<Doubt> {
    // Queued deliveries of TPC-C are executed beside the transactions.
    (t.trial.load.workload != tpcc::WORKLOAD && !t.on_host()).then_some(())?;
    let all = t.tally.all_transactions();
    (all.completed >= 1000 && !t.tally.statements.is_empty()).then_some(())?;
    let statements: f64 = t.tally.statements.values().map(|s| s.service.sum_ns()).sum();
    let transactions = all.service_ns();
    (statements > (1.0 + LONGER) * transactions).then_some(())?;
    let seconds = |ns: f64| format!("{:.1}", ns / 1e9);
    doubt(
        Verdict::Degraded,
        "statement-times",
        Problem::new(msg!("doubt-statement-times")).evidence(msg!(
            "doubt-statement-times-seen",
            statements = seconds(statements),
            transactions = seconds(transactions),
            limit = LONGER * 100.0
        )),
    )
}
