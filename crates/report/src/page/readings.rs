//! All readings of observers, by cell: the rate of a counter or the mean and extremes of a gauge in every trial, and
//! the values over time, as a small chart in the table and, if scripts are enabled, as a chart when the row is opened.

use super::Section;
use super::context::PageContext;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use std::collections::BTreeMap;
use tenbin_model::load_host::{LoadHostsAt, host_of_observer};
use tenbin_model::names::observer;
use tenbin_model::observed::{Figures, ObservedReading};
use tenbin_model::reading::{ReadingKind, ReadingSpec, Whose};
use tenbin_model::summary::TrialResult;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "readings",
    heading: || msg!("section-readings"),
    values,
    template: include_str!("../../templates/readings.html"),
};

/// Most figures in the tables of all cells. Further cells are only in the exports.
const MOST_FIGURES: usize = 16_000;
/// Most lines in all charts. Further cells have no charts.
const MOST_LINES: usize = 4_000;
/// Most points of all charts, and of all small charts.
const CHART_POINTS: usize = 20_000;
const SPARK_POINTS: usize = 12_000;

/// The trials of one cell that have intervals and readings, with all their readings.
type ReadingCell<'t> = Vec<(&'t TrialResult, Vec<ObservedReading<'t>>)>;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let (cells, left_out) = cells(m, |_, reading| host_of_observer(reading.observer).is_none());
    // They have limits of their own, so that the others are shown as if there was one load host.
    let (of_hosts, hosts_left_out) = cells_of_hosts(m);
    (!cells.is_empty()).then(|| context! { left_out, cells, of_hosts, hosts_left_out })
}

/// The readings of load hosts; none if there is one.
fn cells_of_hosts(m: &PageContext<'_>) -> (Vec<Value>, usize) {
    if m.summary.trials.iter().all(|t| t.hosts.is_empty()) {
        return (Vec::new(), 0);
    }
    cells(m, |t, reading| {
        // What is read of a machine is shown once. That of the client's machine is among the others.
        let of_machine = |host: u32| {
            let machine = |number: &u32| t.hosts.get(number).map(|host| host.part.machine.as_str());
            let is_local = t.trial.hosts.as_ref().is_some_and(|hosts| hosts.at == LoadHostsAt::Local);
            !is_local
                && t.hosts.keys().find(|first| machine(first) == machine(&host)).is_none_or(|first| *first == host)
        };
        match host_of_observer(reading.observer) {
            Some((observer::CLIENT_HOST, host)) => of_machine(host),
            Some(_) => true,
            None => false,
        }
    })
}

/// The cells that have such readings, and how many are left out.
fn cells(m: &PageContext<'_>, wanted: impl Fn(&TrialResult, &ObservedReading<'_>) -> bool) -> (Vec<Value>, usize) {
    let observed = |t: &TrialResult| t.observed().iter().filter(|reading| wanted(t, reading)).count();
    let mut cells: BTreeMap<u32, Vec<(&TrialResult, usize)>> = BTreeMap::new();
    for t in m.summary.trials.iter().filter(|t| !t.series.is_empty()) {
        let readings = observed(t);
        if readings > 0 {
            cells.entry(t.trial.cell).or_default().push((t, readings));
        }
    }
    let lines: usize = cells.values().flatten().map(|(_, readings)| readings).sum();
    let share = |points: usize, least: usize, most: usize| (points / lines.max(1)).clamp(least, most);
    let points = Points { chart: share(CHART_POINTS, 12, 300), spark: share(SPARK_POINTS, 6, 12) };
    let (all, mut figures, mut shown) = (cells.len(), 0, Vec::new());
    for trials in cells.values_mut() {
        figures += trials.iter().map(|(_, readings)| readings).sum::<usize>();
        if figures > MOST_FIGURES && !shown.is_empty() {
            break;
        }
        trials.sort_by_key(|(t, _)| (t.trial.repeat, t.trial.target.place));
        let trials: ReadingCell<'_> = trials
            .iter()
            .map(|(t, _)| (*t, t.observed().into_iter().filter(|reading| wanted(t, reading)).collect()))
            .collect();
        shown.push(cell(m, &trials, &points, figures <= MOST_LINES));
    }
    let left_out = all - shown.len();
    (shown, left_out)
}

/// Most points of a line.
struct Points {
    /// In a chart.
    chart: usize,
    /// In a small chart.
    spark: usize,
}

fn cell(m: &PageContext<'_>, trials: &ReadingCell<'_>, points: &Points, charts: bool) -> Value {
    // Trials may have different readings. Each is listed once, in the order of the first trial that has it.
    let mut observers: Vec<(&str, Vec<&ReadingSpec>)> = Vec::new();
    for reading in trials.iter().flat_map(|(_, observed)| observed) {
        let known = observers.iter().position(|(observer, _)| *observer == reading.observer);
        let at = known.unwrap_or_else(|| {
            observers.push((reading.observer, Vec::new()));
            observers.len() - 1
        });
        if !observers[at].1.iter().any(|spec| spec.name == reading.spec.name) {
            observers[at].1.push(&reading.spec);
        }
    }
    observers.sort_by_key(|(observer, _)| host_of_observer(observer).map(|(_, host)| host));
    let count: usize = observers.iter().map(|(_, specs)| specs.len()).sum();
    let groups = observers.into_iter().map(|(observer, specs)| {
        let (mut rows, mut zero, mut same) = (Vec::new(), Vec::new(), Vec::new());
        // Most of what an observer reads is of one place, which stands beside its name.
        let place = specs.first().map(|spec| spec.whose);
        for spec in specs {
            let readings = found(trials, observer, spec);
            match constant(&readings) {
                Some(0.0) => zero.push(names(spec)),
                Some(value) => {
                    let (figure, unit) = (shown(value, &spec.unit), per(spec, &spec.unit));
                    same.push(context! { figure, unit, ..names(spec) });
                }
                None => rows.push(context! {
                    whose => place.filter(|place| *place != spec.whose).map(|_| bilingual::html(&whose(spec.whose))),
                    ..row(m, &readings, spec, points, charts)
                }),
            }
        }
        let (name, host) = host_of_observer(observer).map_or((observer, None), |(name, host)| (name, Some(host)));
        let place = place.map(|place| bilingual::html(&whose(place)));
        context! { name, whose => place, host => host.map(|host| host_name(trials, host)), rows, zero, same }
    });
    let observers: Vec<Value> = groups.collect();
    let columns = trials.iter().map(|(t, _)| {
        let mark = Value::from_safe_string(chart::legend_mark(m.style(&t.trial.target.name)));
        context! { mark, name => line_name(t) }
    });
    let repeated = trials.iter().any(|(t, _)| t.trial.repeat != trials[0].0.trial.repeat);
    context! {
        name => bilingual::cell(&trials[0].0.trial.axes), count, repeated,
        trials => columns.collect::<Vec<_>>(), observers,
    }
}

/// The name of a load host; its number if the name is not known.
fn host_name(trials: &ReadingCell<'_>, host: u32) -> Value {
    let parts = trials.iter().filter_map(|(t, _)| t.hosts.get(&host));
    match parts.map(|host| host.part.name.as_str()).find(|name| !name.is_empty()) {
        Some(name) => bilingual::foreign(name),
        None => bilingual::html(&msg!("host-by-number", number = host)),
    }
}

fn line_name(t: &TrialResult) -> String {
    format!("{} #{}", t.trial.target.name, t.trial.repeat)
}

/// A reading of an observer in each trial of a cell.
type ReadingByTrial<'a, 't> = Vec<(&'t TrialResult, Option<&'a ObservedReading<'t>>)>;

fn found<'a, 't>(trials: &'a ReadingCell<'t>, observer: &str, spec: &ReadingSpec) -> ReadingByTrial<'a, 't> {
    let is_it = |o: &&ObservedReading<'_>| o.observer == observer && o.spec.name == spec.name;
    trials.iter().map(|(t, observed)| (*t, observed.iter().find(is_it))).collect()
}

/// What a reading was in all trials, from loading to the end, if it never changed: it needs no row.
fn constant(readings: &ReadingByTrial<'_, '_>) -> Option<f64> {
    let mut only: Option<f64> = None;
    for (t, reading) in readings {
        let reading = (*reading)?;
        let points = over_time(t, reading, usize::MAX).into_iter().map(|p| p.1);
        let of_window = match reading.figures()? {
            Figures::Counter { per_second, .. } => [per_second; 2],
            Figures::Gauge { min, max, .. } => [min, max],
        };
        if points.chain(of_window).any(|value| *only.get_or_insert(value) != value) {
            return None;
        }
    }
    only
}

/// What a reading is called. The observer's label is in the recording, in both languages.
fn names(spec: &ReadingSpec) -> Value {
    let label = spec.label.as_ref().map(|label| bilingual::both(&label.en, &label.ja));
    context! { name => &*spec.name, label }
}

fn row(
    m: &PageContext<'_>,
    readings: &ReadingByTrial<'_, '_>,
    spec: &ReadingSpec,
    points: &Points,
    charts: bool,
) -> Value {
    let figures: Vec<Value> = readings.iter().map(|(_, reading)| figures(*reading, &spec.unit)).collect();
    let mut lines: Vec<ChartLine> = Vec::new();
    for (t, reading) in readings {
        let Some(reading) = reading else { continue };
        let style = m.style(&t.trial.target.name);
        lines.push(ChartLine {
            name: line_name(t),
            style,
            points: over_time(t, reading, points.chart),
            ..ChartLine::default()
        });
    }
    let spark = Value::from_safe_string(chart::spark(&first_of_each(&lines), points.spark));
    let unit = per(spec, &spec.unit);
    let chart = (charts && !super::SCRIPT.is_empty()).then(|| store_chart(m, readings, spec, lines));
    context! { unit, figures, spark, chart, ..names(spec) }
}

/// The first trial of each target: more lines could not be told apart in a row of the table.
fn first_of_each(lines: &[ChartLine]) -> Vec<ChartLine> {
    let is_first = |at: &usize| lines[..*at].iter().all(|before| before.style != lines[*at].style);
    (0..lines.len()).filter(is_first).map(|at| lines[at].clone()).collect()
}

/// The unit of the figures: per second for a counter.
fn per(spec: &ReadingSpec, unit: &str) -> String {
    // Figures in bytes and bits contain their unit (KiB, Mbit).
    let unit = if ["bytes", "bits"].contains(&unit) { "" } else { unit };
    if spec.kind == ReadingKind::Counter { format!("{unit}/s") } else { unit.to_owned() }
}

fn whose(whose: Whose) -> Message {
    match whose {
        Whose::Client => msg!("whose-client"),
        Whose::Server => msg!("whose-server"),
        Whose::Network => msg!("whose-network"),
        Whose::Replica => msg!("whose-replica"),
    }
}

fn shown(value: f64, unit: &str) -> String {
    match unit {
        "bytes" => figure::bytes(value),
        "bits" => figure::bits(value),
        _ => figure::grouped(value),
    }
}

fn figures(reading: Option<&ObservedReading<'_>>, unit: &str) -> Value {
    let shown = |v: f64| shown(v, unit);
    match reading.and_then(ObservedReading::figures) {
        None => context! { figure => "–" },
        Some(Figures::Counter { per_second, .. }) => context! { figure => shown(per_second) },
        Some(Figures::Gauge { mean, min, max }) if min == max => context! { figure => shown(mean) },
        Some(Figures::Gauge { mean, min, max }) => {
            context! { figure => shown(mean), range => format!("{} – {}", shown(min), shown(max)) }
        }
    }
}

/// A reading over time, in seconds since the clients started: rates of a counter, means of a gauge. What was read
/// before has negative times, and at most a third of `most` points.
pub(super) fn over_time(t: &TrialResult, reading: &ObservedReading<'_>, most: usize) -> Vec<(f64, f64)> {
    let start = t.series.span_ns().map_or(0, |(from_ns, _)| from_ns);
    let at = |at_ns: u64| (i128::from(at_ns) - i128::from(start)) as f64 / 1e9;
    let all: Vec<(f64, f64)> = reading.values().map(|v| (at(v.at_ns), v.value)).collect();
    let begun = all.partition_point(|(x, _)| *x < 0.0);
    let counter = reading.spec.kind == ReadingKind::Counter;
    let mut points = thinned(&all[..begun], most / 3, counter);
    // A rate needs two samples. The first rate begins at a sample within 50 ms of the start, or if there is none at the
    // last sample before it.
    let at_start = all.get(begun).is_none_or(|(x, _)| !counter || *x < 0.05);
    points.extend(thinned(&all[if at_start { begun } else { begun.saturating_sub(1) }..], most, counter));
    points
}

/// Reduces the samples to `most` points: rates of a counter between samples, means of a gauge over groups of samples.
fn thinned(samples: &[(f64, f64)], most: usize, counter: bool) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    // Samples at the edges of the window may be very close to regular ones; a rate between the two would be
    // meaningless.
    let least = (last.0 - first.0) / samples.len() as f64 / 4.0;
    let mut apart: Vec<(f64, f64)> = Vec::with_capacity(samples.len());
    for sample in samples {
        if apart.last().is_none_or(|before| sample.0 - before.0 > least) {
            apart.push(*sample);
        }
    }
    let step = apart.len().div_ceil(most.max(1)).max(1);
    let points: Vec<(f64, f64)> = if counter {
        let kept: Vec<&(f64, f64)> = apart.iter().step_by(step).collect();
        let rate = |a: &(f64, f64), b: &(f64, f64)| if b.1 < a.1 { f64::NAN } else { (b.1 - a.1) / (b.0 - a.0) };
        kept.windows(2).map(|w| (w[1].0, rate(w[0], w[1]))).collect()
    } else {
        let mean = |chunk: &[(f64, f64)]| chunk.iter().map(|p| p.1).sum::<f64>() / chunk.len() as f64;
        apart.chunks(step).map(|chunk| (chunk[chunk.len() - 1].0, mean(chunk))).collect()
    };
    match points.as_slice() {
        // Two points are sufficient for a constant value.
        [a, .., b] if points.iter().all(|p| p.1 == a.1) => vec![*a, *b],
        _ => points,
    }
}

/// Stores the chart for the script, and returns its number.
fn store_chart(
    m: &PageContext<'_>,
    readings: &ReadingByTrial<'_, '_>,
    spec: &ReadingSpec,
    mut lines: Vec<ChartLine>,
) -> usize {
    let high = lines.iter().flat_map(|l| &l.points).map(|p| p.1).filter(|v| v.is_finite()).fold(0.0, f64::max);
    let (factor, unit) = match &*spec.unit {
        "bytes" => figure::byte_unit(high),
        "bits" => figure::bit_unit(high),
        unit => (1.0, unit),
    };
    for point in lines.iter_mut().flat_map(|l| &mut l.points) {
        point.1 /= factor;
    }
    let unit = if spec.kind == ReadingKind::Counter { format!("{unit}/s") } else { unit.to_owned() };
    let warm = readings.iter().map(|(t, _)| t.warm_up_s()).fold(0.0, f64::max);
    let long = lines.iter().filter_map(|l| l.points.last()).map(|p| p.0).fold(0.0, f64::max);
    let chart = Chart {
        unit: foreign(unit),
        shade: (warm > 0.0).then_some((0.0, warm)),
        ..Chart::over(msg!("x-time"), chart::seconds(long))
    };
    m.keep(chart::figures(&chart, &lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinned_counters_are_rates_and_thinned_gauges_are_means() {
        // A counter that grows by 10 a second, read each second, and once more just after 5 s.
        let mut samples: Vec<(f64, f64)> = (0..=100).map(|i| (f64::from(i), f64::from(10 * i))).collect();
        samples.insert(6, (5.001, 50.0));
        let few = thinned(&samples, 10, true);
        assert_eq!(few, [few[0], few[few.len() - 1]], "it does not change");
        assert!((few[0].1 - 10.0).abs() < 0.1, "{few:?}");
        samples[50].1 = 0.0;
        assert!(thinned(&samples, 200, true).iter().filter(|p| p.1.is_nan()).count() == 1, "smaller than before");
        let level: Vec<(f64, f64)> = (0..100).map(|i| (f64::from(i), f64::from(i % 2))).collect();
        assert_eq!(thinned(&level, 10, false), [(9.0, 0.5), (99.0, 0.5)], "means");
        assert!(thinned(&[], 10, true).is_empty() && thinned(&[(1.0, 1.0)], 10, true).is_empty());
    }

    #[test]
    fn the_largest_unit_does_not_exceed_the_value() {
        assert_eq!(
            (figure::byte_unit(3e9).1, figure::byte_unit(5e6).1, figure::byte_unit(2048.0).1, figure::byte_unit(7.0).1),
            ("GiB", "MiB", "KiB", "B")
        );
    }
}
