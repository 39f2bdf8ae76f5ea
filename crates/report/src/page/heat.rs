//! Maps of response times over time, in the section of the time series: of the cell with the longest 99th percentile, for
//! each target the repeat in which it was longest. A page cannot show one for each of a thousand trials.

use super::context::PageContext;
use crate::bilingual;
use crate::chart;
use crate::figures::titled_times;
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::heat_map::HeatMap;
use tenbin_model::summary::TrialResult;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::question;
use tenbin_words::figure;
use tenbin_words::message::Message;
use tenbin_words::msg;

/// The most maps on a page.
const MOST: usize = 6;

/// The maps as figures, the worst trial first.
pub(super) fn figures(m: &PageContext<'_>) -> Vec<Value> {
    let p99 = |t: &TrialResult| question::times(t).quantile_ns(0.99);
    // The times of a trial that is INVALID are not its server's.
    let with_times = m.summary.trials.iter().filter(|t| t.counts());
    let mut trials: Vec<(u64, &TrialResult)> = with_times.map(|t| (p99(t), t)).collect();
    trials.sort_by_key(|(p99, t)| (std::cmp::Reverse(*p99), t.trial.number));
    let Some(cell) = trials.first().map(|(_, t)| t.trial.cell) else { return Vec::new() };
    let mut shown: Vec<&TrialResult> = Vec::new();
    for (_, t) in trials.into_iter().filter(|(_, t)| t.trial.cell == cell) {
        if shown.len() < MOST && shown.iter().all(|other| other.trial.target.name != t.trial.target.name) {
            shown.push(t);
        }
    }
    // The same axes, so that they can be compared.
    let maps = shown.iter().map(|t| &t.heat);
    let Some(rows) = chart::heat_rows(maps.clone()) else { return Vec::new() };
    let long_ns = |map: &HeatMap| {
        let columns = map.columns();
        columns.last().zip(columns.first()).map_or(0, |(last, first)| last.to_ns.saturating_sub(first.from_ns))
    };
    let axis = chart::seconds(maps.map(long_ns).max().unwrap_or(0) as f64 / 1e9);
    let drawn = shown.iter().map(|t| {
        let of = [msg!("trial-of-number", number = t.trial.number), axis::cell(&t.trial.axes)];
        let of = Message::list(of.into_iter().filter(|part| !part.is_empty()));
        let style = m.style(&t.trial.target.name);
        let drawing = chart::heat(&t.heat, rows, &axis, t.warm_up_s(), style);
        let (steps, least, most) = chart::heat_scale(&t.heat, rows, style);
        let [least, most] = [least, most].map(figure::grouped);
        let what = bilingual::html(&msg!("heat-scale"));
        let steps = Value::from_safe_string(steps);
        let scale = bilingual::part("heat_scale", context! { least, steps, most, what });
        bilingual::part(
            "drawing",
            context! {
                title => bilingual::html(&titled_times(msg!("chart-heat"), [*t])), of => bilingual::html(&of),
                drawing => Value::from_safe_string(drawing), legend => [m.target(&t.trial.target.name), scale],
            },
        )
    });
    drawn.collect()
}
