//! Throughput and 99th percentiles over time: two charts per cell, four if starts waited, with one line per trial.

use super::Section;
use super::context::PageContext;
use super::heat;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::doubt::Verdict;
use tenbin_model::statistics::steady::SteadyFrom;
use tenbin_model::summary::{Point, TrialResult};
use tenbin_verdict::clocks;
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::steady;
use tenbin_verdict::tpcc_result;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "series",
    heading: || msg!("section-series"),
    values,
    template: include_str!("../../templates/series.html"),
};

fn values(m: &PageContext<'_>) -> Option<Value> {
    let mut cells: BTreeMap<u32, Vec<&TrialResult>> = BTreeMap::new();
    for t in m.summary.trials.iter().filter(|t| !t.series.is_empty()) {
        cells.entry(t.trial.cell).or_default().push(t);
    }
    let left_out = few(&mut cells);
    let trials: usize = cells.values().map(Vec::len).sum();
    // The points of all trials together are limited, because they determine the size of the page.
    let most = (20_000 / trials.max(1)).clamp(80, 2000);
    let mut shown = Vec::new();
    for trials in cells.values_mut() {
        let mut charts = Vec::new();
        trials.sort_by_key(|t| (t.trial.repeat, t.trial.target.place));
        charts.push(chart(m, trials, most, (msg!("chart-throughput-over-time"), "TPS"), |p| p.tps));
        let p99 = msg!("chart-p99-over-time");
        charts.push(chart(m, trials, most, (p99, "ms"), |p| p.p99_ns as f64 / 1e6));
        // Where starts waited, the response time has two parts that mean different things.
        if trials.iter().any(|t| clocks::waited(&t.tally.all_starts())) {
            let service = msg!("chart-service-over-time");
            charts.push(chart(m, trials, most, (service, "ms"), |p| p.service_p99_ns as f64 / 1e6));
            charts.push(chart(m, trials, most, (msg!("chart-wait-over-time"), "ms"), |p| p.wait_p99_ns as f64 / 1e6));
        }
        shown.push(charts);
    }
    let warm = cells.values().flatten().any(|t| t.trial.warmup_ms > 0);
    let longest = cells.values().flatten().any(|t| t.trial.warmup_until.is_some());
    (!shown.is_empty()).then(|| context! { cells => shown, warm, longest, left_out, heat => heat::figures(m) })
}

/// The most cells that are drawn: each has charts with a line per trial, which determine the size of the page.
const MOST_CELLS: usize = 24;

/// Leaves out cells beyond [`MOST_CELLS`], first those whose trials are beyond doubt, and returns how many.
fn few(cells: &mut BTreeMap<u32, Vec<&TrialResult>>) -> usize {
    let mut by_doubt: Vec<(Verdict, u32)> = cells
        .iter()
        .map(|(cell, trials)| (trials.iter().map(|t| t.verdict()).max().unwrap_or(Verdict::Valid), *cell))
        .collect();
    by_doubt.sort_by_key(|(verdict, cell)| (std::cmp::Reverse(*verdict), *cell));
    let more = by_doubt.split_off(by_doubt.len().min(MOST_CELLS));
    more.iter().for_each(|(_, cell)| _ = cells.remove(cell));
    more.len()
}

fn chart(
    m: &PageContext<'_>,
    trials: &[&TrialResult],
    most: usize,
    (title, unit): (Message, &str),
    value: fn(&Point) -> f64,
) -> Value {
    let lines: Vec<ChartLine> = trials
        .iter()
        .map(|t| {
            let start = t.series.span_ns().map_or(0, |(from_ns, _)| from_ns);
            let point = |p: &Point| (p.to_ns.saturating_sub(start) as f64 / 1e9, value(p));
            // An interval in which no transaction ended has no response time.
            let there = t
                .series
                .points()
                .map(|p| point(&p))
                .map(|(x, y)| (x, if unit == "ms" && y <= 0.0 { f64::NAN } else { y }));
            let name = format!("{} #{}", t.trial.target.name, t.trial.repeat);
            ChartLine {
                name,
                style: m.style(&t.trial.target.name),
                points: thinned(there.collect(), most),
                ..ChartLine::default()
            }
        })
        .collect();
    let warm = trials.iter().map(|t| t.warm_up_s()).fold(0.0, f64::max);
    let long = lines.iter().filter_map(|l| l.points.last()).map(|p| p.0).fold(0.0, f64::max);
    let chart = Chart {
        title,
        of: axis::cell(&trials[0].trial.axes),
        unit: foreign(unit),
        x_name: msg!("x-time"),
        x: chart::seconds(long),
        may_be_logarithmic: unit == "ms",
        shade: (warm > 0.0).then_some((0.0, warm)),
        reference: None,
        steady: trials.iter().filter_map(|t| steady_from_s(t)).reduce(f64::max),
        y: None,
    };
    m.figure(&chart, &lines)
}

/// From where on a trial is steady, seconds after the start of its clients, if that is later than the start of the window.
fn steady_from_s(t: &TrialResult) -> Option<f64> {
    let SteadyFrom::At(from_s) = steady::of_trial(t)? else { return None };
    (from_s > 0.0).then(|| t.warm_up_s() + tpcc_result::steady_from_s(t, from_s))
}

/// Reduces the points to at most `most`: the smallest and the largest of each group of points.
pub(super) fn thinned(points: Vec<(f64, f64)>, most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points;
    }
    points
        .chunks(points.len().div_ceil(most / 2))
        .flat_map(|chunk| {
            let low = chunk.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let high = chunk.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).copied().collect();
            pair.sort_by(|a, b| a.0.total_cmp(&b.0));
            pair
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn thinning_keeps_the_extremes() {
        let points: Vec<(f64, f64)> = (0..10_000).map(|i| (f64::from(i), if i == 7777 { 99.0 } else { 1.0 })).collect();
        let few = thinned(points, 200);
        assert!(few.len() <= 200 && few.contains(&(7777.0, 99.0)), "{}", few.len());
        assert!(few.windows(2).all(|w| w[0].0 <= w[1].0));
    }
}
