//! Throughput and 99th percentiles over time: two charts per cell, four if starts waited, with one line per trial.

use super::Section;
use super::context::PageContext;
use super::heat;
use crate::chart::{self, Chart, ChartLine};
use crate::figures::{titled_throughput, titled_times};
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tenbin_model::axis;
use tenbin_model::doubt::Verdict;
use tenbin_model::figures::Figure;
use tenbin_model::question::Question;
use tenbin_model::statistics::steady::SteadyFrom;
use tenbin_model::summary::{Point, TrialResult};
use tenbin_model::tpcc::TransactionType;
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
        // Of TPC-C that by which it is judged.
        charts.push(match trials.iter().all(|t| Question::of(t).has(Figure::NewOrders)) {
            true => {
                let nopm = (msg!("chart-new-orders-over-time"), "NOPM", shown.is_empty());
                chart(m, trials, most, nopm, new_orders_per_minute)
            }
            false => {
                let title = titled_throughput(msg!("chart-throughput-over-time"), trials.iter().copied());
                chart(m, trials, most, (title, "TPS", shown.is_empty()), |p| p.tps)
            }
        });
        let titled = |title| titled_times(title, trials.iter().copied());
        let p99 = titled(msg!("chart-p99-over-time"));
        charts.push(chart(m, trials, most, (p99, "ms", false), |p| p.p99_ns as f64 / 1e6));
        // Where starts waited, the response time has two parts that mean different things.
        if trials.iter().any(|t| clocks::fall_due(t) && clocks::waited(&t.tally.all_starts())) {
            let [service, wait] = [msg!("chart-service-over-time"), msg!("chart-wait-over-time")].map(titled);
            charts.push(chart(m, trials, most, (service, "ms", false), |p| p.service_p99_ns as f64 / 1e6));
            charts.push(chart(m, trials, most, (wait, "ms", false), |p| p.wait_p99_ns as f64 / 1e6));
        }
        shown.push(charts);
    }
    let warm = cells.values().flatten().any(|t| t.trial.warmup_ms > 0);
    let longest = cells.values().flatten().any(|t| t.trial.warmup_until.is_some());
    // The first screen of a single run, and of a single cell. Figures that are no measurement do not lead.
    let counts = cells.values().next().is_some_and(|trials| trials.iter().any(|t| t.counts()));
    if let Some(first) = shown.first_mut().filter(|_| counts) {
        m.offer(first);
    }
    (!shown.is_empty()).then(|| context! { cells => shown, warm, longest, left_out, heat => heat::figures(m) })
}

fn new_orders_per_minute(p: &Point) -> f64 {
    let orders = p.completed.get(TransactionType::NewOrder.name()).copied().unwrap_or(0);
    orders as f64 * 60e9 / p.to_ns.saturating_sub(p.from_ns).max(1) as f64
}

/// The most lines with marks: of more, the marks would hide one another.
const MOST_MARKED: usize = 8;

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
    (title, unit, may_lead): (Message, &str, bool),
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
            // One that does not count is drawn, because the drawing may show why.
            let verdict = if t.counts() { "" } else { " INVALID" };
            let name = format!("{} #{}{verdict}", t.trial.target.name, t.trial.repeat);
            ChartLine {
                name,
                style: m.style(&t.trial.target.name),
                points: thinned(there.collect(), most),
                bare: trials.len() > MOST_MARKED,
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
        may_be_logarithmic: unit == "ms",
        shade: (warm > 0.0).then_some((0.0, warm)),
        steady: trials.iter().filter_map(|t| steady_from_s(t)).reduce(f64::max),
        ..Chart::over(msg!("x-time"), chart::seconds(long))
    };
    if may_lead { m.leading_figure(&chart, &lines) } else { m.figure(&chart, &lines) }
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
