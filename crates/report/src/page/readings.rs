//! Everything that observers read, by cell: each reading with its rate, or its mean and extremes, in every trial, and its course:
//! small in the table, and where scripts run as a chart when its row is opened.

use super::Section;
use super::context::PageContext;
use crate::bilingual::{self, Bilingual};
use crate::chart::{self, Chart, ChartLine};
use minijinja::{Value, context};
use std::collections::BTreeMap;
use std::fmt::Write;
use tenbin_model::figure;
use tenbin_model::observed::{Figures, ObservedReading};
use tenbin_model::reading::{ReadingKind, ReadingSpec, Whose};
use tenbin_model::summary::TrialResult;

pub(super) const SECTION: Section = Section {
    id: "readings",
    title: ("All readings of the observers", "オブザーバーの全観測値"),
    values,
    template: r#"{% for c in cells %}<details{% if loop.length == 1 and c.count <= 40 %} open{% endif %}><summary>{% if c.name %}{{ c.name }}{% else %}{{ t("All trials", "全試行") }}{% endif %} ({{ c.count }})</summary><div class="scroll"><table class="readings"><thead><tr><th class="w">{{ t("reading", "観測値") }}</th><th class="w">{{ t("unit", "単位") }}</th><th class="w">{{ t("where", "観測先") }}</th><th class="w">{{ t("over time", "推移") }}</th>{% for x in c.trials %}<th><span class="line">{{ x }}</span></th>{% endfor %}</tr></thead>
{% for o in c.observers %}<tbody><tr class="first"><th class="w" colspan="{{ c.trials|length + 4 }}">{{ own(o.name) }}</th></tr>
{% for r in o.rows %}<tr{% if r.chart is not none %} data-reading="{{ r.chart }}"{% endif %}><th class="w">{{ r.name }}</th><td class="w" translate="no">{{ r.unit }}</td><td class="w">{{ r.whose }}</td><td>{{ r.spark }}</td>{% for x in r.figures %}<td>{{ x }}</td>{% endfor %}</tr>
{% endfor %}</tbody>{% endfor %}</table></div></details>
{% endfor %}{% if left_out %}<p>{{ t("More conditions are left out here:", "ここに載せていない条件の数:") }} {{ left_out }}</p>{% endif %}
<p class="hint">{{ t("Over the measured window: of a counter how much it grew per second, of a gauge mean (smallest – largest). – where it was not read. A server's own variables have the server's names.", "計測区間の値です。カウンターは毎秒の増加量、ゲージは平均(最小–最大)を示します。– は観測値がないことを示します。サーバーの変数はサーバーでの名前のままです。") }} <span class="with-script">{{ t("Open a row to see it over time.", "行を開くと推移のグラフを表示します。") }}</span> {{ t("Every value, from loading to the end:", "ロードから終了までのすべての値:") }} <code>tenbin report … --format readings-csv</code></p>"#,
};

/// Figures in the tables of all cells: what goes beyond is left to the exports.
const MOST_FIGURES: usize = 20_000;
/// Lines of all charts.
const MOST_LINES: usize = 4_000;
/// Points of all charts, and of all small drawings.
const CHART_POINTS: usize = 30_000;
const SPARK_POINTS: usize = 12_000;

/// The trials of one cell that were driven and observed, and all their readings.
type ReadingCell<'t> = Vec<(&'t TrialResult, Vec<ObservedReading<'t>>)>;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let mut cells: BTreeMap<u32, ReadingCell<'_>> = BTreeMap::new();
    for t in m.summary.trials.iter().filter(|t| !t.series.is_empty()) {
        let observed = t.observed();
        if !observed.is_empty() {
            cells.entry(t.trial.cell).or_default().push((t, observed));
        }
    }
    let lines: usize = cells.values().flatten().map(|(_, observed)| observed.len()).sum();
    let share = |points: usize, least: usize, most: usize| (points / lines.max(1)).clamp(least, most);
    let points = Points { chart: share(CHART_POINTS, 12, 400), spark: share(SPARK_POINTS, 6, 30) };
    let (all, mut figures, mut shown) = (cells.len(), 0, Vec::new());
    for trials in cells.values_mut() {
        figures += trials.iter().map(|(_, observed)| observed.len()).sum::<usize>();
        if figures > MOST_FIGURES && !shown.is_empty() {
            break;
        }
        trials.sort_by_key(|(t, _)| (t.trial.repeat, t.trial.target.place));
        shown.push(cell(m, trials, &points, figures <= MOST_LINES));
    }
    (!shown.is_empty()).then(|| context! { left_out => all - shown.len(), cells => shown })
}

/// How many points a line has.
struct Points {
    chart: usize,
    spark: usize,
}

fn cell(m: &PageContext<'_>, trials: &ReadingCell<'_>, points: &Points, charts: bool) -> Value {
    // Trials may have read different things; each reading stands where the first that has it has it.
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
    let count: usize = observers.iter().map(|(_, specs)| specs.len()).sum();
    let groups = observers.into_iter().map(|(observer, specs)| {
        let rows: Vec<Value> = specs.into_iter().map(|spec| row(m, trials, observer, spec, points, charts)).collect();
        context! { name => observer, rows }
    });
    let observers: Vec<Value> = groups.collect();
    let heads = trials.iter().map(|(t, _)| {
        let mark = chart::legend_mark(m.style(&t.trial.target.name));
        Value::from_safe_string(format!("{mark} {}", bilingual::foreign(&line_name(t))))
    });
    context! {
        name => Value::from_safe_string(bilingual::cell_html(&trials[0].0.trial.axes)), count,
        trials => heads.collect::<Vec<_>>(), observers,
    }
}

fn line_name(t: &TrialResult) -> String {
    format!("{} #{}", t.trial.target.name, t.trial.repeat)
}

fn row(
    m: &PageContext<'_>,
    trials: &ReadingCell<'_>,
    observer: &str,
    spec: &ReadingSpec,
    points: &Points,
    charts: bool,
) -> Value {
    let of = |observed: &[ObservedReading<'_>]| {
        observed.iter().position(|o| o.observer == observer && o.spec.name == spec.name)
    };
    let found: Vec<(&TrialResult, Option<&ObservedReading<'_>>)> =
        trials.iter().map(|(t, observed)| (*t, of(observed).map(|at| &observed[at]))).collect();
    let figures: Vec<Value> = found.iter().map(|(_, reading)| figures(*reading, &spec.unit)).collect();
    let mut lines: Vec<ChartLine> = Vec::new();
    for (t, reading) in &found {
        let Some(reading) = reading else { continue };
        let style = m.style(&t.trial.target.name);
        lines.push(ChartLine {
            name: line_name(t),
            style,
            points: course(t, reading, points.chart),
            ..ChartLine::default()
        });
    }
    let spark = spark(&lines, points.spark);
    let unit = per(spec, &spec.unit);
    let chart = (charts && !super::SCRIPT.is_empty()).then(|| drawn(m, trials, spec, lines));
    let name = match &spec.label {
        Some(label) => {
            let label = Bilingual::new(label.en.clone(), label.ja.clone()).html();
            format!("{label} <small>{}</small>", bilingual::foreign(&spec.name))
        }
        None => bilingual::foreign(&spec.name),
    };
    context! { name => Value::from_safe_string(name), whose => whose(spec.whose).value(), unit, figures, spark, chart }
}

/// A unit for each second, where it is a counter's.
fn per(spec: &ReadingSpec, unit: &str) -> String {
    // Bytes have a unit beside each figure.
    let unit = if unit == "bytes" { "" } else { unit };
    if spec.kind == ReadingKind::Counter { format!("{unit}/s") } else { unit.to_owned() }
}

fn whose(whose: Whose) -> Bilingual {
    match whose {
        Whose::Client => Bilingual::new("client", "クライアント"),
        Whose::Server => Bilingual::new("server", "サーバー"),
        Whose::Network => Bilingual::new("network", "ネットワーク"),
        Whose::Replica => Bilingual::new("replica", "レプリカ"),
    }
}

fn figures(reading: Option<&ObservedReading<'_>>, unit: &str) -> Value {
    let shown = |v: f64| if unit == "bytes" { figure::bytes(v) } else { figure::grouped(v) };
    let text = match reading.and_then(ObservedReading::figures) {
        None => "–".to_owned(),
        Some(Figures::Counter { per_second, .. }) => shown(per_second),
        Some(Figures::Gauge { mean, min, max }) if min == max => shown(mean),
        Some(Figures::Gauge { mean, min, max }) => {
            format!("{} <small>({} – {})</small>", shown(mean), shown(min), shown(max))
        }
    };
    Value::from_safe_string(text)
}

/// The course of a reading by seconds since the clients began: rates of a counter, means of a gauge. What was read before they
/// began stands before 0, with fewer points.
fn course(t: &TrialResult, reading: &ObservedReading<'_>, most: usize) -> Vec<(f64, f64)> {
    let start = t.series.first().map_or(0, |p| p.from_ns);
    let at = |at_ns: u64| (i128::from(at_ns) - i128::from(start)) as f64 / 1e9;
    let all: Vec<(f64, f64)> = reading.values().map(|v| (at(v.at_ns), v.value)).collect();
    let begun = all.partition_point(|(x, _)| *x < 0.0);
    let counter = reading.spec.kind == ReadingKind::Counter;
    let mut points = thinned(&all[..begun], most / 3, counter);
    // The first rate of the drive begins at a sample of its very beginning, or at the last one before it.
    let at_start = all.get(begun).is_none_or(|(x, _)| !counter || *x < 0.05);
    points.extend(thinned(&all[if at_start { begun } else { begun.saturating_sub(1) }..], most, counter));
    points
}

/// At most so many points.
fn thinned(samples: &[(f64, f64)], most: usize, counter: bool) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (samples.first(), samples.last()) else { return Vec::new() };
    // Samples at the edges of the window lie close to regular ones: between such two a rate says nothing.
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
        // What does not change is drawn between two points.
        [a, .., b] if points.iter().all(|p| p.1 == a.1) => vec![*a, *b],
        _ => points,
    }
}

/// The chart for the script; its number.
fn drawn(m: &PageContext<'_>, trials: &ReadingCell<'_>, spec: &ReadingSpec, mut lines: Vec<ChartLine>) -> usize {
    let high = lines.iter().flat_map(|l| &l.points).map(|p| p.1).filter(|v| v.is_finite()).fold(0.0, f64::max);
    let (factor, unit) = if spec.unit == "bytes" { binary(high) } else { (1.0, &*spec.unit) };
    for point in lines.iter_mut().flat_map(|l| &mut l.points) {
        *point = ((point.0 * 100.0).round() / 100.0, significant(point.1 / factor));
    }
    let unit = if spec.kind == ReadingKind::Counter { format!("{unit}/s") } else { unit.to_owned() };
    let warm = trials.iter().map(|(t, _)| t.trial.warmup_ms).max().unwrap_or(0) as f64 / 1e3;
    let long = lines.iter().filter_map(|l| l.points.last()).map(|p| p.0).fold(0.0, f64::max);
    let chart = Chart {
        title: Bilingual::default(),
        of: Bilingual::default(),
        unit: Bilingual::same(unit),
        x_name: Bilingual::new("time since the start of the warm-up", "ウォームアップ開始からの時間"),
        x: chart::seconds(long),
        may_be_logarithmic: false,
        shade: (warm > 0.0).then_some((0.0, warm)),
        reference: None,
    };
    m.keep(chart::figures(&chart, &lines))
}

/// The unit in which so many bytes are read well, and how many bytes it has.
fn binary(high: f64) -> (f64, &'static str) {
    let units = [(1024f64.powi(3), "GiB"), (1024f64.powi(2), "MiB"), (1024.0, "KiB")];
    units.into_iter().find(|(bytes, _)| high >= *bytes).unwrap_or((1.0, "B"))
}

/// Four digits are what a chart can show.
fn significant(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return value;
    }
    let factor = 10f64.powi(3 - value.abs().log10().floor() as i32);
    if factor.is_finite() && factor > 0.0 { (value * factor).round() / factor } else { value }
}

/// A small drawing of the drive, without axes: from the smallest to the largest value of all lines.
fn spark(lines: &[ChartLine], most: usize) -> Value {
    const WIDE: f64 = 120.0;
    const HIGH: f64 = 22.0;
    let seen = |l: &ChartLine| -> Vec<(f64, f64)> {
        l.points.iter().filter(|p| p.0 >= 0.0 && p.1.is_finite()).copied().collect()
    };
    let lines: Vec<(usize, Vec<(f64, f64)>)> = lines.iter().map(|l| (l.style % 8, seen(l))).collect();
    let all = || lines.iter().flat_map(|l| &l.1);
    let (low, high) = all().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), p| (a.min(p.1), b.max(p.1)));
    let long = all().map(|p| p.0).fold(0.0, f64::max);
    // Nothing changed: there is no course to show.
    if high <= low || long <= 0.0 {
        return Value::from_safe_string(String::new());
    }
    let mut out = format!("<svg class=\"spark\" viewBox=\"0 0 {WIDE} {HIGH}\" aria-hidden=\"true\">");
    for (style, points) in lines.iter().filter(|l| !l.1.is_empty()) {
        let step = points.len().div_ceil(most).max(1);
        let _ = write!(out, "<polyline class=\"line thin c{style}\" points=\"");
        for (i, p) in points.iter().step_by(step).enumerate() {
            let (x, y) = (p.0 / long * WIDE, 1.0 + (1.0 - (p.1 - low) / (high - low)) * (HIGH - 2.0));
            let _ = write!(out, "{}{x:.0},{y:.0}", if i == 0 { "" } else { " " });
        }
        out += "\"/>";
    }
    Value::from_safe_string(out + "</svg>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_of_the_stretches_that_are_kept() {
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
    fn figures_are_rounded_to_what_can_be_seen() {
        assert_eq!([0.0, 123_456.7, 0.000_123_456, -7.654_32].map(significant), [0.0, 123_500.0, 0.000_123_5, -7.654]);
        assert!(significant(f64::NAN).is_nan() && significant(f64::MIN_POSITIVE) > 0.0);
        assert_eq!((binary(3e9).1, binary(5e6).1, binary(2048.0).1, binary(7.0).1), ("GiB", "MiB", "KiB", "B"));
    }
}
