//! Doubts about the course of throughput within the window: a warm-up that was measured, a drift, an oscillation that the window
//! is too short for.
//!
//! Only a closed loop is judged: at a rate, throughput is what was asked for.

use super::doubt;
use crate::counted;
use crate::doubt::{Doubt, Verdict};
use crate::event::Phase;
use crate::figure;
use crate::msg;
use crate::problem::Problem;
use crate::statistics::series::{self, Warmup};
use crate::statistics::{self, Confidence};
use crate::summary::TrialResult;
use crate::trial::Schedule;

/// A measured warm-up may change the figure of the window by so much.
const WARMUP: f64 = 0.02;
/// From the start of the steady part to its end, throughput may change by so much.
const DRIFT: f64 = 0.05;
/// Fewer periods of an oscillation have no mean.
const PERIODS: f64 = 3.0;

/// The steady part of a trial's measured window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SteadyPart {
    /// Its start, seconds since the start of the window.
    pub from_s: f64,
    /// Transactions per second in it, with an interval for the mean of this run.
    pub tps: Confidence,
}

/// Throughput in the intervals of the window, and their length in seconds; a shorter last one is left out.
fn course(t: &TrialResult) -> Option<(Vec<f64>, f64)> {
    let load = &t.trial.load;
    (load.schedule == Schedule::Closed && counted::expected(load).is_none() && t.trial.interval_ms > 0).then_some(())?;
    let seconds = t.trial.interval_ms as f64 / 1e3;
    let measured = t.series.iter().filter(|p| p.phase == Phase::Measure);
    let whole = measured.filter(|p| p.to_ns.saturating_sub(p.from_ns) as f64 / 1e9 > 0.9 * seconds);
    Some((whole.map(|p| p.tps).collect(), seconds))
}

/// From when on a trial was steady; `None` if it was too short to tell (100 intervals), or never was.
pub fn steady_part(t: &TrialResult) -> Option<SteadyPart> {
    let (all, seconds) = course(t)?;
    let Warmup::Until(cut) = series::warmup(&all)? else { return None };
    // A cut that changes nothing is chance: the rule cuts a little of most series.
    let cut = if matters(&all, cut) { cut } else { 0 };
    Some(SteadyPart { from_s: cut as f64 * seconds, tps: series::mean_of_series(&all[cut..])? })
}

/// Whether the mean without so many values at the start is another one.
fn matters(all: &[f64], cut: usize) -> bool {
    let means = statistics::mean(all).zip(statistics::mean(&all[cut..]));
    means.is_some_and(|(whole, rest)| rest > 0.0 && (whole / rest - 1.0).abs() > WARMUP)
}

/// Part of the window was warm-up.
pub(super) fn warming(t: &TrialResult) -> Option<Doubt> {
    let (all, seconds) = course(t)?;
    let part = steady_part(t).filter(|part| part.from_s > 0.0)?;
    let cut = (part.from_s / seconds).round() as usize;
    let each = |value: f64| figure::grouped(value);
    let before = statistics::mean(&all[..cut])?;
    let percent = 100.0 * (statistics::mean(&all)? / part.tps.value - 1.0);
    let warmup_s = t.trial.warmup_ms as f64 / 1e3 + part.from_s;
    doubt(
        Verdict::Degraded,
        "warming",
        Problem::new(msg!("doubt-warming"))
            .evidence(msg!(
                "doubt-warming-seen",
                time = format_args!("{:.0}", part.from_s),
                before = each(before),
                after = each(part.tps.value),
                low = each(part.tps.low),
                high = each(part.tps.high),
                percent = format_args!("{percent:+.1}"),
                limit = WARMUP * 100.0
            ))
            .hint(msg!("doubt-warming-hint", setting = format_args!("warmup = \"{:.0}s\"", warmup_s.ceil()))),
    )
}

/// Throughput rose or fell all the time.
pub(super) fn drifting(t: &TrialResult) -> Option<Doubt> {
    let (all, seconds) = course(t)?;
    (series::warmup(&all).is_some()).then_some(())?;
    let from = steady_part(t).map_or(0, |part| (part.from_s / seconds).round() as usize);
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
pub(super) fn oscillating(t: &TrialResult) -> Option<Doubt> {
    let (all, seconds) = course(t)?;
    (series::warmup(&all).is_some()).then_some(())?;
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
