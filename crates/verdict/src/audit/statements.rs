//! Doubts about statements: whether this many clients can have spent that much time in them, and whether they found the rows that were loaded.

use super::{About, DoubtCheck, LOST, REPORTED, doubt};
use crate::durability;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::promise;
use tenbin_model::summary::TrialResult;
use tenbin_model::tally::{CONNECT, StatementTally};
use tenbin_model::tpcc;
use tenbin_model::workload::is_script;
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] =
    &[(About::Trial, rows_missing), (About::Trial, too_many_in_flight), (About::Trial, statements_too_long)];

/// The share by which statements may last longer than the transactions that they are part of.
const LONGER: f64 = 0.05;

/// All but connects: those of before the window are counted with the first transaction.
fn within(t: &TrialResult) -> impl Iterator<Item = (&String, &StatementTally)> {
    t.tally.statements.iter().filter(|(name, _)| *name != CONNECT)
}

/// The statements of a transaction follow one another: together they cannot last longer than it.
fn statements_too_long(t: &TrialResult) -> Option<Doubt> {
    // Queued deliveries of TPC-C are executed beside the transactions.
    (t.trial.load.workload != tpcc::WORKLOAD && !t.on_host()).then_some(())?;
    let all = t.tally.all_transactions();
    (all.completed >= 1000 && !t.tally.statements.is_empty()).then_some(())?;
    let statements: f64 = within(t).map(|(_, s)| s.service.sum_ns()).sum();
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

/// How many are in progress on average (Little 1961): `count` that last `mean_ns` each, in a window of `window_ns`.
fn in_flight(count: u64, mean_ns: f64, window_ns: u64) -> f64 {
    count as f64 * mean_ns / window_ns.max(1) as f64
}

/// How many of a statement `clients` clients can have in progress on average, each of them one at a time. What ends in the window
/// may have begun before it, by as much as the longest transaction lasts.
fn most_in_flight(clients: u32, longest_ns: u64, window_ns: u64) -> f64 {
    f64::from(clients) * (1.0 + longest_ns as f64 / window_ns.max(1) as f64)
}

/// What histograms may be wrong by, which have three digits, and then some.
const ROUNDED: f64 = 0.01;

/// A client has one statement in progress at a time: more than there are clients cannot be.
fn too_many_in_flight(t: &TrialResult) -> Option<Doubt> {
    // Of statements that are sent together, each lasts from the time when the first was sent.
    (t.measured_ns() > 0 && !t.on_host() && !tpcc::overlaps(&t.trial)).then_some(())?;
    // Scripts are counted with what they send before their first event, and loads that drain with what they send at the end.
    (t.trial.load.drain_ms == 0 && !is_script(&t.trial.load.workload)).then_some(())?;
    let (clients, window_ns) = (t.trial.load.clients, t.measured_ns());
    let all = t.tally.all_transactions();
    let longest_ns = all.service.max_ns().max(all.failed_service.max_ns());
    let each = within(t).map(|(name, s)| {
        let (count, mean_ns) = (s.service.count(), s.service.mean_ns());
        (in_flight(count, mean_ns, window_ns), name, count, mean_ns)
    });
    let (in_flight, name, count, mean_ns) = each.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (in_flight > (1.0 + ROUNDED) * most_in_flight(clients, longest_ns, window_ns)).then_some(())?;
    doubt(
        Verdict::Invalid,
        "statements-in-flight",
        Problem::new(msg!("doubt-statements-in-flight", statement = name))
            .evidence(msg!(
                "doubt-statements-in-flight-seen",
                count = figure::grouped(count as f64),
                mean = figure::milliseconds(mean_ns),
                window = super::s(window_ns),
                found = format_args!("{in_flight:.2}"),
                clients
            ))
            .hint(msg!("doubt-statements-in-flight-hint")),
    )
}

/// What the workloads on sysbench's tables are called, and their statements that select or change one of the loaded rows by its key.
const ON_ROWS_BY_KEY: (&str, [&str; 3]) = ("oltp", ["point_select", "index_update", "non_index_update"]);

/// Rows that were loaded are no longer there: somebody else has deleted them. Each key from 1 to the size of the table has a row, and what
/// a transaction deletes it inserts again; without transactions others see that it is gone for a moment.
fn rows_missing(t: &TrialResult) -> Option<Doubt> {
    let (family, names) = ON_ROWS_BY_KEY;
    let workload = t.trial.load.workload.as_str();
    (workload.starts_with(family) && !is_script(workload)).then_some(())?;
    let has = |name| t.tally.statements.contains_key(name);
    // An update may wait for a transaction that deletes the row and inserts it again, which it then does not see.
    let names = if has("delete") { &names[..1] } else { &names[..] };
    let by_key = || names.iter().filter_map(|name| t.tally.statements.get(*name));
    let sum = |of: fn(&StatementTally) -> u64| by_key().map(of).sum::<u64>();
    let (all, empty) = (sum(|s| s.completed), sum(|s| s.empty));
    let share = empty as f64 / all.max(1) as f64;
    let is_kept = has("begin") && promise::without_transactions(durability::engine(t).unwrap_or("")).is_empty();
    let limit = if !has("delete") || is_kept { REPORTED } else { LOST };
    (share >= limit).then_some(())?;
    doubt(
        if share >= LOST { Verdict::Invalid } else { Verdict::Degraded },
        "rows-missing",
        Problem::new(msg!("doubt-rows-missing"))
            .evidence(msg!(
                "doubt-rows-missing-seen",
                empty = figure::grouped(empty as f64),
                all = figure::grouped(all as f64),
                percent = format_args!("{:.1}", share * 100.0)
            ))
            .hint(msg!("doubt-rows-missing-hint")),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000_000_000;

    #[test]
    fn littles_law_by_hand() {
        for (count, mean_ns, window_ns, right) in [
            // One that fills its window; 20,000 per second of 0.4 ms; none; a hundredth of one client.
            (1, 10e9, 10 * S, 1.0),
            (200_000, 400_000.0, 10 * S, 8.0),
            (0, 0.0, 10 * S, 0.0),
            (1000, 1e6, 100 * S, 0.01),
            (3, 2e9, 4 * S, 1.5),
        ] {
            assert!((in_flight(count, mean_ns, window_ns) - right).abs() < 1e-12, "{count} × {mean_ns}");
        }
        // Eight clients; of transactions of a second in a window of four, one of each may have begun before it.
        assert!((most_in_flight(8, 0, 4 * S) - 8.0).abs() < 1e-12);
        assert!((most_in_flight(8, S, 4 * S) - 10.0).abs() < 1e-12);
        assert!((most_in_flight(1, 10 * S, 10 * S) - 2.0).abs() < 1e-12);
    }
}
