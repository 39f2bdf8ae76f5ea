//! Doubts about the course of throughput: a warm-up that did not end by itself, one that was measured, a drift, an oscillation that the window
//! is too short for.
//!
//! Only a closed loop is judged: at a rate, throughput is what was asked for. A warm-up that did not become steady is reported for both.

use super::{About, DoubtCheck, doubt};
use crate::steady;
use crate::tpcc_result;
use tenbin_model::doubt::{Doubt, Verdict};
use tenbin_model::event::Phase;
use tenbin_model::statistics;
use tenbin_model::statistics::series::{self, Warmup};
use tenbin_model::statistics::steady::{DRIFT, MATTERS, begins_notably};
use tenbin_model::summary::TrialResult;
use tenbin_model::warmup::{NOT_STEADY, WarmupCourse, WarmupUntil};
use tenbin_words::figure;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// In reading order.
pub(super) const DOUBTS: &[(About, DoubtCheck)] =
    &[(About::Trial, not_warm), (About::Trial, warming), (About::Trial, drifting), (About::Trial, oscillating)];

/// Fewer periods of an oscillation have no mean.
const PERIODS: f64 = 3.0;

/// Throughput in the intervals of the window, and their length in seconds. `None` if there are too few to tell anything.
fn course(t: &TrialResult) -> Option<(Vec<f64>, f64)> {
    steady::course(t).filter(|(all, _)| all.len() >= series::LEAST_BATCHES * series::BATCH)
}

/// How many intervals at the start are warm-up; `None` if it has not ended.
fn warm(all: &[f64]) -> Option<usize> {
    let Warmup::Until(cut) = begins_notably(all)? else { return None };
    Some(cut)
}

/// Part of the window was warm-up.
fn warming(t: &TrialResult) -> Option<Doubt> {
    let (all, seconds) = course(t)?;
    let cut = warm(&all).filter(|cut| *cut > 0)?;
    let rest = series::mean_of_series(&all[cut..])?;
    let before = statistics::mean(&all[..cut])?;
    let percent = 100.0 * (statistics::mean(&all)? / rest.value - 1.0);
    let from_s = tpcc_result::steady_from_s(t, cut as f64 * seconds);
    let warmup_ms = (t.warm_up_s() + from_s).ceil() as u64 * 1000;
    let setting = match t.trial.warmup_until {
        None => format!("warmup = \"{}s\"", warmup_ms / 1000),
        // It was too short although it ended by itself.
        Some(_) => WarmupUntil { min_ms: warmup_ms }.written(t.trial.warmup_ms.max(warmup_ms.saturating_mul(2))),
    };
    doubt(
        Verdict::Degraded,
        "warming",
        Problem::new(msg!("doubt-warming"))
            .evidence(msg!(
                "doubt-warming-seen",
                time = format_args!("{from_s:.0}"),
                before = figure::grouped(before),
                after = figure::grouped(rest.value),
                low = figure::grouped(rest.low),
                high = figure::grouped(rest.high),
                percent = format_args!("{percent:+.1}"),
                limit = MATTERS * 100.0
            ))
            .hint(msg!("doubt-warming-hint", setting)),
    )
}

/// The warm-up ended at its upper limit, and not because throughput had become steady.
fn not_warm(t: &TrialResult) -> Option<Doubt> {
    let until = t.trial.warmup_until?;
    let lasted_ns = t.warm_up_ns().filter(|ns| *ns >= t.trial.warmup_ms.saturating_mul(1_000_000))?;
    let warming = || t.series.rates().filter(|p| p.phase == Phase::WarmUp);
    let mut course = WarmupCourse::new(until);
    // Found at the very end, it changes nothing but this.
    warming().all(|p| !course.take_rate(p.from_ns, p.to_ns, p.tps)).then_some(())?;
    let course: Vec<f64> = warming().map(|p| p.tps).collect();
    let (quarter, n) = (course.len() / 4, course.len());
    let before = statistics::mean(&course[n - 2 * quarter..n - quarter])?;
    let after = statistics::mean(&course[n - quarter..])?;
    let longer = until.written(t.trial.warmup_ms.saturating_mul(2));
    doubt(
        Verdict::Degraded,
        NOT_STEADY,
        Problem::new(msg!("doubt-warmup-not-steady"))
            .evidence(msg!(
                "doubt-warmup-not-steady-seen",
                time = format_args!("{:.0}", lasted_ns as f64 / 1e9),
                before = figure::grouped(before),
                after = figure::grouped(after)
            ))
            .hint(msg!("doubt-warming-hint", setting = longer)),
    )
}

/// Throughput rose or fell all the time.
fn drifting(t: &TrialResult) -> Option<Doubt> {
    let (all, seconds) = course(t)?;
    let from = warm(&all).unwrap_or(0);
    let drift = series::drift(&all[from..]).filter(|drift| drift.is_certain && drift.share.abs() > DRIFT)?;
    doubt(
        Verdict::Degraded,
        "drift",
        Problem::new(msg!("doubt-drift"))
            .evidence(msg!(
                "doubt-drift-seen",
                percent = format_args!("{:+.1}", drift.share * 100.0),
                time = format_args!("{:.0}", (all.len() - from) as f64 * seconds),
                limit = DRIFT * 100.0
            ))
            .hint(msg!("doubt-drift-hint", warmup = "warmup", measure = "measure")),
    )
}

/// Throughput went up and down with a period that the window has too few of.
fn oscillating(t: &TrialResult) -> Option<Doubt> {
    let (all, seconds) = course(t)?;
    let period = series::period(&all)?;
    ((all.len() as f64) < PERIODS * period as f64).then_some(())?;
    let (period_s, window_s) = (period as f64 * seconds, all.len() as f64 * seconds);
    doubt(
        Verdict::Degraded,
        "oscillation",
        Problem::new(msg!("doubt-oscillation"))
            .evidence(msg!(
                "doubt-oscillation-seen",
                period = format_args!("{period_s:.0}"),
                window = format_args!("{window_s:.0}"),
                limit = PERIODS
            ))
            .hint(msg!(
                "doubt-oscillation-hint",
                setting = format_args!("measure = \"{:.0}s\"", (PERIODS * period_s).ceil())
            )),
    )
}
