//! The periods of a log beside its result.

use super::{percent, place, precise};
use crate::figure_kind::FigureKind::{Nopm, Tps};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use tenbin_model::doubt::Verdict;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// From these shares on periods without a completed transaction are reported, and make a result INVALID: as in the audit
/// of a trial.
const TOLD: f64 = 0.01;
const LOST: f64 = 0.25;
/// Of fewer periods the last one, which is not whole, counts too much.
const LEAST: usize = 5;
const TOLERANCE: f64 = 0.1;

pub fn standstills(published: &Published) -> PublishedAudit {
    let mut all = PublishedAudit::default();
    for (at, result) in published.results.iter().enumerate() {
        let still: Vec<f64> = result.periods.iter().filter(|(_, rate)| *rate <= 0.0).map(|(s, _)| *s).collect();
        let share = still.len() as f64 / result.periods.len().max(1) as f64;
        let Some(first) = still.first().filter(|_| share >= TOLD) else { continue };
        let (n, of) = (still.len(), result.periods.len());
        let evidence =
            msg!("doubt-published-standstill-seen", place = place(result), n, all = of, first = precise(*first));
        let verdict = if share >= LOST { Verdict::Invalid } else { Verdict::Degraded };
        let problem = Problem::new(msg!("doubt-published-standstill")).evidence(evidence);
        all = all.and(PublishedAudit::doubt(verdict, "standstill", problem, vec![(at, rate(result).0)]));
    }
    all
}

/// The result that the periods are of, per second.
fn rate(result: &PublishedResult) -> (crate::FigureKind, Option<f64>) {
    match result.get(Tps) {
        Some(tps) => (Tps, Some(tps)),
        None => (Nopm, result.get(Nopm).map(|nopm| nopm / 60.0)),
    }
}

/// Each side of a step has at least this part of the periods.
const SIDE: f64 = 0.1;
/// Of a short run each side has at least this many periods, and one side is this many times the other.
const LEAST_OF_SHORT: usize = 2;
const STEP_OF_SHORT: f64 = 2.0;
/// One side is this many times the other, and their difference this many times the scatter within them.
const STEP: f64 = 1.5;
const OF_SCATTER: f64 = 4.0;

/// A mean over a step is the throughput of neither side.
pub fn steps(published: &Published) -> PublishedAudit {
    let mut all = PublishedAudit::default();
    for (at, result) in published.results.iter().enumerate() {
        let Some((seconds, before, after)) = step(&result.periods) else { continue };
        let (kind, mean) = rate(result);
        let mean = mean.unwrap_or_else(|| (before + after) / 2.0);
        let evidence = msg!(
            "doubt-published-step-seen",
            place = place(result),
            seconds = precise(seconds),
            before = precise(before),
            after = precise(after),
            mean = precise(mean)
        );
        let problem =
            Problem::new(msg!("doubt-published-step")).evidence(evidence).hint(msg!("doubt-published-step-hint"));
        all = all.and(PublishedAudit::doubt(Verdict::Degraded, "step", problem, vec![(at, kind)]));
    }
    all
}

/// When the rate changed for good, and its means before and after; of all places the one that leaves the least scatter.
fn step(periods: &[(f64, f64)]) -> Option<(f64, f64, f64)> {
    let n = periods.len();
    let (least, least_step) = if n < 2 * LEAST { (LEAST_OF_SHORT, STEP_OF_SHORT) } else { (LEAST, STEP) };
    let side = ((n as f64 * SIDE).ceil() as usize).max(least);
    // Of fewer the last one, which may not be whole, counts too much.
    if n < 2 * side || n <= 2 * LEAST_OF_SHORT {
        return None;
    }
    // Sums and sums of squares up to each period.
    let mut sums = vec![(0.0, 0.0)];
    for (_, rate) in periods {
        let (sum, squares) = sums[sums.len() - 1];
        sums.push((sum + rate, squares + rate * rate));
    }
    let part = |from: usize, to: usize| {
        let (n, sum, squares) = ((to - from) as f64, sums[to].0 - sums[from].0, sums[to].1 - sums[from].1);
        (sum / n, (squares - sum * sum / n).max(0.0))
    };
    let scatter = |at: usize| part(0, at).1 + part(at, n).1;
    let at = (side..=n - side).min_by(|a, b| scatter(*a).total_cmp(&scatter(*b)))?;
    let (before, after) = (part(0, at).0, part(at, n).0);
    let deviation = (scatter(at) / n as f64).sqrt();
    let (low, high) = if before < after { (before, after) } else { (after, before) };
    let is_step = low > 0.0 && high > least_step * low && high - low > OF_SCATTER * deviation;
    is_step.then(|| (periods[at - 1].0, before, after))
}

/// The first period ends at this many times the usual length at most; otherwise those before it are missing.
const FIRST: f64 = 1.5;

/// The mean of periods, weighted by their length: the last one may be shorter. `None` if they do not begin at the start.
fn mean(periods: &[(f64, f64)]) -> Option<f64> {
    let usual = usual_length(periods)?;
    if periods.first().is_some_and(|(first, _)| *first > FIRST * usual) {
        return None;
    }
    let (mut before, mut sum) = (0.0, 0.0);
    for (seconds, rate) in periods {
        sum += rate * (seconds - before).max(0.0);
        before = *seconds;
    }
    Some(sum / before)
}

/// The time from one period to the next, s: the median.
pub(crate) fn usual_length(periods: &[(f64, f64)]) -> Option<f64> {
    let mut all: Vec<f64> = periods.windows(2).map(|two| two[1].0 - two[0].0).filter(|length| *length > 0.0).collect();
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied()
}

pub fn mean_of_periods(published: &Published) -> PublishedAudit {
    let (mut all, mut held) = (PublishedAudit::default(), 0);
    for (at, result) in published.results.iter().enumerate() {
        let ((kind, Some(rate)), LEAST..) = (rate(result), result.periods.len()) else { continue };
        // Of a part of the periods nothing follows.
        let Some(mean) = mean(&result.periods) else { continue };
        let off = mean / rate - 1.0;
        if off.abs() <= TOLERANCE || !off.is_finite() {
            held += 1;
            continue;
        }
        let evidence = msg!(
            "doubt-published-mean-of-periods-seen",
            place = place(result),
            mean = precise(mean),
            rate = precise(rate),
            percent = percent(off)
        );
        let problem = Problem::new(msg!("doubt-published-mean-of-periods")).evidence(evidence);
        let problem = problem.hint(msg!("doubt-published-mean-of-periods-hint"));
        all = all.and(PublishedAudit::doubt(Verdict::Degraded, "mean-of-periods", problem, vec![(at, kind)]));
    }
    if held > 0 { all.and(PublishedAudit::confirmed(msg!("published-mean-of-periods-holds", n = held))) } else { all }
}
