//! The list of checks of published results.

use crate::checks;
use crate::open_units;
use crate::published_audit::PublishedAudit;
use crate::result::Published;

/// A check of all results.
type PublishedCheck = fn(&Published) -> PublishedAudit;

/// The list of checks.
const CHECKS: &[PublishedCheck] = &[
    checks::little::littles_law,
    checks::percentiles::percentiles_and_mean,
    checks::order::negative,
    checks::order::without_clients,
    checks::order::order,
    checks::order::faster_than_possible,
    checks::implied::parts_above_their_whole,
    checks::implied::times_below_the_implied_mean,
    checks::counts::queries_per_transaction,
    checks::counts::statements_of_known_workloads,
    checks::counts::shares_of_statements,
    checks::totals::totals,
    checks::totals::whole_periods,
    checks::growth::seconds_grow,
    checks::ratios::comparisons,
    checks::summaries::summaries,
    checks::zeros::columns_of_zeros,
    checks::repeats::copies,
    checks::repeats::repeats,
    checks::failures::failed,
    checks::failures::own_failures,
    checks::failures::few_samples,
    checks::periods::standstills,
    checks::periods::steps,
    checks::periods::mean_of_periods,
];

/// Applies all checks.
pub fn audit(published: &Published) -> PublishedAudit {
    let mut all = as_read(published);
    open_units::weigh(published, &mut all, as_read);
    all.doubts.sort_by_key(|doubt| std::cmp::Reverse(doubt.doubt.verdict));
    all
}

/// The same, with the units that were assumed as if they were known.
fn as_read(published: &Published) -> PublishedAudit {
    let mut all = PublishedAudit::default();
    if published.results.is_empty() {
        return all;
    }
    for check in CHECKS {
        let PublishedAudit { doubts, confirmed, not_checked } = check(published);
        all.doubts.extend(doubts);
        all.confirmed.extend(confirmed);
        all.not_checked.extend(not_checked);
    }
    all
}
