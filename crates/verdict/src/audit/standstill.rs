//! Doubts about time in which nothing completed, within the window and at its end.

use super::{About, DoubtCheck, LOST, client, doubt, grade, s, share};
use crate::question;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::standstill::{Standstill, least_ns};
use tenbin_model::summary::TrialResult;
use tenbin_model::trial::{Load, Schedule};
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] = &[(About::Trial, silent_at_end), (About::Trial, standstill)];

/// For time without completions at the end of the window, longer than any response time: its outcome is
/// unknown.
pub(super) const LOST_AT_END: f64 = 0.1;

pub(super) fn silent_at_end(t: &TrialResult) -> Option<Doubt> {
    let (silent, window) = (t.silent_at_end_ns(), t.measured_ns());
    let all = t.tally.all_transactions();
    let longest = all.response.max_ns().max(all.failed_service.max_ns());
    let intervals = t.trial.interval_ms.saturating_mul(3_000_000).min((window as f64 * LOST) as u64);
    let hangs = silent >= least_ns(window).max(intervals)
        && share(t, silent) >= LOST_AT_END
        && silent as f64 > 1.5 * longest as f64;
    (t.tally.accounting.completed > 0 && hangs && client::stopped_ns(t) < silent / 2).then_some(())?;
    let open = t.tally.accounting.open;
    doubt(
        Verdict::Invalid,
        "silent-at-end",
        Problem::new(msg!("doubt-silent-at-end"))
            .evidence(msg!("doubt-silent-at-end-seen", time = s(silent), window = s(window), open))
            .hint(msg!("doubt-silent-at-end-hint")),
    )
}

/// The code of the doubt about it.
pub const STANDSTILL: &str = "standstill";

pub(super) fn standstill(t: &TrialResult) -> Option<Doubt> {
    let (still, window) = (t.standstill()?, t.measured_ns());
    // Where none ended there is no percentile that hides it, and that none ended is the doubt.
    let times = question::times(t);
    (times.count() > 0).then_some(())?;
    // Reported already, with its cause.
    (client::stopped_ns(t) < still.total_ns / 2 && silent_at_end(t).is_none()).then_some(())?;
    let grade = grade(share(t, still.total_ns))?;
    let (hidden, at_rate) = (is_hidden(t, &still), is_at_rate(&t.trial.load));
    // At a rate all who would have come have waited, and are counted with that: the figures are those of such a server.
    let lost = share(t, still.longest_ns) >= LOST && (hidden || !at_rate);
    let verdict = if lost { Verdict::Invalid } else { grade.min(Verdict::Degraded) };
    let p99 = figure::milliseconds(times.quantile_ns(0.99) as f64);
    let what = if hidden { msg!("doubt-standstill") } else { msg!("doubt-standstill-shown") };
    let hint = if at_rate { msg!("doubt-standstill-hint-at-rate") } else { msg!("doubt-standstill-hint") };
    let (longest, total, n) = (still.longest_ns, still.total_ns, still.count);
    let all = match n {
        1 => foreign(""),
        _ => msg!("such-times-in-all", n, total = s(total)),
    };
    doubt(
        verdict,
        STANDSTILL,
        Problem::new(what)
            .evidence(msg!("doubt-standstill-seen", time = s(longest), all, window = s(window), p99))
            .hint(hint),
    )
}

/// Whether percentiles hardly show a standstill: p99 is less than half of it.
pub(crate) fn is_hidden(t: &TrialResult, still: &Standstill) -> bool {
    question::times(t).quantile_ns(0.99) < still.longest_ns / 2
}

/// Whether all of its clients follow a rate.
fn is_at_rate(load: &Load) -> bool {
    match load.groups.as_slice() {
        [] => load.schedule != Schedule::Closed,
        groups => groups.iter().all(|group| group.schedule != Schedule::Closed),
    }
}
