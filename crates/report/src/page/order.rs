//! When each trial ran: a strip of the trials on the time axis of the run, and the throughput of each trial beside that of
//! the other repeats of its cell, so that interleaving and drifts of the machine can be seen.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine, StripBar, StripMark};
use minijinja::{Value, context};
use tenbin_model::doubt::Verdict;
use tenbin_model::statistics;
use tenbin_model::summary::TrialResult;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question;
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "order",
    heading: || msg!("section-order"),
    values,
    template: include_str!("../../templates/order.html"),
};

/// Above this many trials their bars have no tooltips, which would be the larger part of the drawing.
const TOLD: usize = 200;

fn values(m: &PageContext<'_>) -> Option<Value> {
    // The clocks of stored runs have nothing to do with each other.
    if m.summary.of_stored_runs().is_some() {
        return None;
    }
    let begun: Vec<(&TrialResult, (u64, u64))> =
        m.summary.trials.iter().filter(|t| t.begun).filter_map(|t| Some((t, span_ns(t)?))).collect();
    if begun.len() < 2 {
        return None;
    }
    let long = begun.iter().map(|(_, span)| span.1).max().unwrap_or(0) as f64 / 1e9;
    let axis = chart::seconds(long);
    let seconds = |ns: u64| ns as f64 / 1e9;
    let bars: Vec<StripBar> = begun
        .iter()
        .map(|(t, span)| {
            let style = m.style(&t.trial.target.name);
            StripBar {
                lane: style,
                style,
                from: seconds(span.0),
                to: seconds(span.1),
                dark: (t.measured_ns() > 0).then(|| (seconds(t.window_ns.0), seconds(t.window_ns.1))),
                mark: match t.verdict() {
                    Verdict::Valid => StripMark::None,
                    Verdict::Degraded => StripMark::Line,
                    Verdict::Invalid => StripMark::Cross,
                },
                tip: if begun.len() > TOLD { String::new() } else { tip(t) },
            }
        })
        .collect();
    let order = bilingual::part(
        "drawing",
        context! {
            title => bilingual::html(&msg!("chart-order")), drawing => Value::from_safe_string(chart::strip(&bars, &axis)),
            legend => m.targets.iter().map(|t| m.target(t)).collect::<Vec<_>>(),
        },
    );
    let drift = drift(m, long);
    Some(context! { order, drift })
}

/// `3: after #1, 296 TPS`, the same in every language.
fn tip(t: &TrialResult) -> String {
    let trial = &t.trial;
    format!("{}: {} #{}, {} TPS", trial.number, trial.target.name, trial.repeat, figure::grouped(question::tps(t)))
}

/// From the first phase of a trial to the end of its measurement, or to what is known of it.
fn span_ns(t: &TrialResult) -> Option<(u64, u64)> {
    let clients = t.series.span_ns();
    let starts = t.phases.first().map(|p| p.0).into_iter().chain(clients.map(|(from_ns, _)| from_ns));
    let ends = t.phases.last().map(|p| p.0).into_iter().chain(clients.map(|(_, to_ns)| to_ns));
    Some((starts.min()?, ends.max()?))
}

/// The throughput of each trial over the mean of the repeats of its cell and target, by the time of the run. `None` if no
/// cell has three repeats: two are always equally far from their mean.
fn drift(m: &PageContext<'_>, long: f64) -> Option<Value> {
    let lines: Vec<ChartLine> = m
        .targets
        .iter()
        .map(|target| {
            let mut points = Vec::new();
            for cell in m.cells.iter().filter(|c| c.target == *target && c.tps.len() > 2) {
                let Some(mean) = statistics::mean(&cell.tps).filter(|mean| *mean > 0.0) else { continue };
                let trials = cell.trials.iter().filter_map(|n| m.summary.trial(*n));
                let middle = |t: &TrialResult| t.window_ns.0.midpoint(t.window_ns.1) as f64 / 1e9;
                points.extend(trials.map(|t| (middle(t), question::tps(t) / mean)));
            }
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            ChartLine { name: target.clone(), style: m.style(target), points, ..ChartLine::default() }
        })
        .filter(|line| !line.points.is_empty())
        .collect();
    let chart = Chart {
        title: msg!("chart-drift"),
        unit: foreign("×"),
        reference: Some(1.0),
        ..Chart::over(msg!("x-time-of-run"), chart::seconds(long))
    };
    (!lines.is_empty()).then(|| m.figure(&chart, &lines))
}
