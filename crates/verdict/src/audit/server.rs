//! Doubts about the server: whether it did only our work, from the state that was meant.

use super::{About, DoubtCheck, doubt};
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::names::observer;
use tenbin_model::summary::TrialResult;
use tenbin_model::tally::CONNECT;
use tenbin_model::trial::Observe;
use tenbin_model::workload::is_script;
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] =
    &[(About::Trial, foreign_statements), (About::Trial, foreign_transactions), (About::Trial, cold_cache)];

/// Statements of others: this share of ours, and as many per second, are not spoken of.
const FOREIGN: (f64, f64) = (0.05, 50.0);

/// Whether all of our work in the window is counted: not what a load host did that was lost.
fn is_booked(t: &TrialResult) -> bool {
    t.measured_ns() >= 1_000_000_000 && t.lost_hosts().next().is_none()
}

/// The server executed statements that are not ours.
fn foreign_statements(t: &TrialResult) -> Option<Doubt> {
    is_booked(t).then_some(())?;
    let all = t.observed_rate(observer::SERVER_STATUS, "questions")?;
    let window_s = t.measured_ns() as f64 / 1e9;
    let counted: u64 = t.tally.statements.values().map(|s| s.executed()).sum();
    let mine = (counted + beside_transactions(t)) as f64 / window_s;
    // At most, and so none of ours is taken for one of others.
    let others = all - mine - across_edges(t) / window_s;
    // Between the observations there may have been more, or less, of ours than in the window.
    let certain = FOREIGN.0.max(2.0 * beside(t)?);
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

/// The most that observations may be off the edges of the window, as a share of it: a server that was killed in its first half did all of its
/// work in the part that they saw.
const SEEN: f64 = 0.25;

/// Statements of completed transactions, as the server counts them.
pub(super) fn counted(t: &TrialResult) -> u64 {
    t.tally.statements.iter().filter(|(name, _)| *name != CONNECT).map(|(_, s)| s.executed()).sum()
}

/// How far they are off it, if the window can be compared with them.
pub(super) fn beside(t: &TrialResult) -> Option<f64> {
    t.observed_beside(observer::SERVER_STATUS).filter(|off| *off <= SEEN)
}

/// Statements of ours that are counted in no completed transaction of the window: those that failed, those that may have been executed
/// before them in one text, a ROLLBACK for each attempt that did, what begins and ends a session anew, and those of starts that had fallen
/// due before.
fn beside_transactions(t: &TrialResult) -> u64 {
    let all = t.tally.all_transactions();
    let carried = &t.tally.carried;
    t.tally.failed_statements()
        + carried.statements
        + carried.failed_statements
        + t.tally.before_failures()
        + all.retries
        + all.failed
        + t.tally.session_statements
        + t.tally.reconnects * OF_SESSION
}

/// This many statements of a session are the driver's own, in the count of MySQL and MariaDB: the one with which it says goodbye, where
/// the server counts it. Statements that are prepared and closed are not counted.
const OF_SESSION: u64 = 1;

/// Statements of ours that the server executed in the window as parts of transactions that did not end in it, or before it as parts of those
/// that did, at most: as many per client as a transaction has.
pub(super) fn across_edges(t: &TrialResult) -> f64 {
    let all = t.tally.all_transactions();
    let ended = (all.completed + all.failed + all.retries).max(1);
    let statements: u64 = t.tally.statements.values().map(|s| s.executed()).sum();
    f64::from(t.trial.load.clients) * statements as f64 / ended as f64
}

/// PostgreSQL counts transactions. Its processes report them when they are idle, or once in this many seconds.
const REPORTED_S: f64 = 1.0;

/// A PostgreSQL server executed transactions that are not ours, in our database or in another one.
fn foreign_transactions(t: &TrialResult) -> Option<Doubt> {
    is_booked(t).then_some(())?;
    let window_s = t.measured_ns() as f64 / 1e9;
    let of = |before: &str| {
        let rate = |name: &str| t.observed_rate(observer::SERVER_STATUS, &format!("{before}{name}"));
        Some(rate("xact_commit")? + rate("xact_rollback")?)
    };
    let here = of("")?;
    let elsewhere = of("other_databases_").unwrap_or(0.0);
    let mine = most_transactions(t) as f64 / window_s;
    let edges = f64::from(t.trial.load.clients) / window_s;
    let others = if parallel(t) { elsewhere } else { (here - mine - edges).max(0.0) + elsewhere };
    // At both edges some of ours may be reported late.
    let certain = FOREIGN.0.max(2.0 * beside(t)?).max(2.0 * REPORTED_S / window_s);
    (mine > 0.0 && others > certain * mine && others > FOREIGN.1).then_some(())?;
    let each = |value: f64| figure::grouped(value);
    doubt(
        Verdict::Degraded,
        "foreign-transactions",
        Problem::new(msg!("doubt-foreign-transactions"))
            .evidence(msg!(
                "doubt-foreign-transactions-seen",
                others = each(others),
                elsewhere = each(elsewhere),
                mine = each(mine),
                limit = format_args!("{:.0}", certain * 100.0)
            ))
            .hint(msg!("doubt-foreign-transactions-hint")),
    )
}

/// The workloads of statements that their user wrote, beside scripts.
const OF_USER: [&str; 3] = ["slap", "sql", "pgbench"];

/// Whether its user wrote the statements.
pub(super) fn is_of_user(t: &TrialResult) -> bool {
    is_script(&t.trial.load.workload) || OF_USER.contains(&t.trial.load.workload.as_str())
}

/// Whether some of the transactions in our database may be those of parallel workers: PostgreSQL counts two for each of them and
/// query (seen with version 15). A sample shows only those of its moment, so the statements of a user are not judged, which may be
/// of any kind; and neither is what is only read before and after the load.
fn parallel(t: &TrialResult) -> bool {
    let workers = || {
        let readings = t.observations.get(observer::SERVER_STATUS)?;
        readings.course("parallel_workers").map(|(_, n)| n).reduce(f64::max)
    };
    is_of_user(t) || t.trial.load.observe != Observe::Always || workers() != Some(0.0)
}

/// How many transactions the server can have counted for ours: if each of them has a BEGIN, one for each attempt; otherwise one for
/// each statement. A login is one too, and each statement that is prepared after it.
fn most_transactions(t: &TrialResult) -> u64 {
    let all = t.tally.all_transactions();
    let failed = t.tally.failed_statements();
    let begun = t.tally.statements.get("begin").map_or(0, |s| s.completed);
    let carried = &t.tally.carried;
    let logins = t.tally.reconnects * (1 + t.tally.statements.len() as u64);
    if begun > 0 && begun >= all.completed {
        let earlier = t.tally.accounting.carried + carried.failed_statements;
        return begun + all.failed + all.retries + logins + earlier;
    }
    let counted = t.tally.statements.values().map(|s| s.executed()).sum::<u64>();
    counted + failed + logins + carried.statements + carried.failed_statements
}

/// Pages read per transaction at the start below which the cache was warm.
const COLD_READS: f64 = 0.05;

/// The buffer pool was still being filled: far more pages were read from the disk in the first quarter of the window than in the
/// last.
fn cold_cache(t: &TrialResult) -> Option<Doubt> {
    let (from, to) = t.window_ns;
    (t.measured_ns() >= 8_000_000_000).then_some(())?;
    let quarter = (to - from) / 4;
    let readings = t.observations.get(observer::SERVER_STATUS)?;
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
