//! The periods of a log beside its result.

use super::{percent, place, precise};
use crate::figure_kind::FigureKind::{Nopm, Tps};
use crate::published_audit::PublishedAudit;
use crate::result::{Published, PublishedResult};
use tenbin_model::audit::Verdict;
use tenbin_model::msg;
use tenbin_model::problem::Problem;

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
        let seen = msg!("doubt-published-standstill-seen", place = place(result), n, all = of, first = precise(*first));
        let verdict = if share >= LOST { Verdict::Invalid } else { Verdict::Degraded };
        let problem = Problem::new(msg!("doubt-published-standstill")).evidence(seen);
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

pub fn mean_of_periods(published: &Published) -> PublishedAudit {
    let (mut all, mut held) = (PublishedAudit::default(), 0);
    for (at, result) in published.results.iter().enumerate() {
        let ((kind, Some(rate)), LEAST..) = (rate(result), result.periods.len()) else { continue };
        // Weighted by their length: the last one may be shorter.
        let (mut before, mut sum) = (0.0, 0.0);
        for (seconds, rate) in &result.periods {
            sum += rate * (seconds - before).max(0.0);
            before = *seconds;
        }
        let mean = sum / before;
        let off = mean / rate - 1.0;
        if off.abs() <= TOLERANCE || !off.is_finite() {
            held += 1;
            continue;
        }
        let seen = msg!(
            "doubt-published-mean-of-periods-seen",
            place = place(result),
            mean = precise(mean),
            rate = precise(rate),
            percent = percent(off)
        );
        let problem = Problem::new(msg!("doubt-published-mean-of-periods")).evidence(seen);
        let problem = problem.hint(msg!("doubt-published-mean-of-periods-hint"));
        all = all.and(PublishedAudit::doubt(Verdict::Degraded, "mean-of-periods", problem, vec![(at, kind)]));
    }
    if held > 0 { all.and(PublishedAudit::confirmed(msg!("published-mean-of-periods-holds", n = held))) } else { all }
}
