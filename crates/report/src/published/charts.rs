//! The charts of published results: one for each figure and workload, with a line for each target.

use crate::bilingual;
use crate::chart::{self, Chart, ChartLine, X};
use minijinja::Value;
use std::collections::BTreeSet;
use tenbin_published::{FigureKind, Published, PublishedAudit, PublishedResult};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::text::short;

use FigureKind::{
    Clients, Deviation, Max, MaxSeconds, Mean, MeanSeconds, Min, MinSeconds, Nopm, PerPeriod, Percentile, Qps,
    QueriesPerClient, Seconds, Tpm, Tps, Unstated,
};

/// The figures that are drawn, in this order; of percentiles those that the results have.
const DRAWN: &[FigureKind] = &[Tps, Nopm, PerPeriod, Tpm, Qps, Unstated, Mean];
/// Of this many workloads there are charts.
const MOST_WORKLOADS: usize = 24;
/// A longer name of a line is cut.
const LONGEST: usize = 60;
/// A chart of more lines cannot be read.
const MOST_LINES: usize = 60;
/// Of more periods, some together are a point: drawn one by one they hide one another.
const MOST_POINTS: usize = 400;

/// The charts, and their data for the script.
pub fn all(published: &Published, audited: &PublishedAudit) -> (Vec<Value>, Vec<serde_json::Value>) {
    let mut drawn = Drawn { charts: Vec::new(), figures: Vec::new() };
    let mut workloads: Vec<&str> = Vec::new();
    for result in &published.results {
        let workload = result.workload.as_deref().unwrap_or("");
        if !workloads.contains(&workload) && workloads.len() < MOST_WORKLOADS {
            workloads.push(workload);
        }
    }
    for workload in workloads {
        let of_it = published.results.iter().enumerate();
        let of_it: Vec<(usize, &PublishedResult)> =
            of_it.filter(|(_, result)| result.workload.as_deref().unwrap_or("") == workload).collect();
        drawn.workload(published, audited, workload, &of_it);
    }
    (drawn.charts, drawn.figures)
}

struct Drawn {
    charts: Vec<Value>,
    figures: Vec<serde_json::Value>,
}

impl Drawn {
    fn chart(&mut self, chart: &Chart, lines: &[ChartLine]) {
        let (html, figures) = chart::figure(chart, lines, self.charts.len(), false);
        self.charts.push(html);
        self.figures.push(figures);
    }

    fn workload(
        &mut self,
        published: &Published,
        audited: &PublishedAudit,
        workload: &str,
        of_it: &[(usize, &PublishedResult)],
    ) {
        if let [(_, only)] = of_it {
            let file = published.tables.get(only.table).map_or("", |table| table.file.as_str());
            self.times(workload, only, file);
        } else {
            let mut kinds: BTreeSet<FigureKind> = of_it.iter().flat_map(|(_, r)| r.figures.keys().copied()).collect();
            kinds.retain(|kind| matches!(kind, Percentile(_)));
            let times = [MeanSeconds, Seconds].into_iter().filter(|kind| is_result(*kind, of_it)).take(1);
            let each = times.filter(|_| of_it.iter().any(|(_, result)| result.get(QueriesPerClient).is_some()));
            let each: Vec<FigureKind> = each.collect();
            let times = [MeanSeconds, Seconds].into_iter().filter(|kind| is_result(*kind, of_it)).take(1);
            for kind in DRAWN.iter().copied().chain(kinds).chain(times) {
                self.figure(published, audited, workload, of_it, (kind, false));
            }
            for kind in each {
                self.figure(published, audited, workload, of_it, (kind, true));
            }
        }
        self.periods(published, workload, of_it);
    }

    /// The response times of a single result.
    fn times(&mut self, workload: &str, result: &PublishedResult, file: &str) {
        let kinds = [Min, Mean].into_iter().chain(result.percentiles().map(|(_, kind)| kind)).chain([Max]);
        let times: Vec<(String, f64)> = kinds
            .filter_map(|kind| {
                let name = kind.name().trim_end_matches("_ms").to_owned();
                Some((name, result.get(kind).filter(|ms| *ms > 0.0)?))
            })
            .collect();
        if times.len() < 2 {
            return;
        }
        let names: Vec<String> = times.iter().map(|(name, _)| name.clone()).collect();
        let points = times.iter().enumerate().map(|(at, (_, ms))| (at as f64, *ms)).collect();
        let title = msg!("published-chart-times");
        let (of, unit) = (foreign(workload), foreign("ms"));
        let axis = Chart::over(Message::default(), chart::words(&names));
        let name = if result.target.is_some() { label(result, None) } else { short(file, LONGEST) };
        let line = ChartLine { name, points, ..ChartLine::default() };
        self.chart(&Chart { title, of, unit, may_be_logarithmic: true, ..axis }, &[line]);
    }

    fn figure(
        &mut self,
        published: &Published,
        audited: &PublishedAudit,
        workload: &str,
        of_it: &[(usize, &PublishedResult)],
        (kind, per_query): (FigureKind, bool),
    ) {
        let with: Vec<(usize, &PublishedResult)> =
            of_it.iter().copied().filter(|(_, result)| result.get(kind).is_some()).collect();
        if with.is_empty() {
            return;
        }
        let targets = published.targets();
        let touched = audited.touched();
        let axis = Axis::of(&with);
        let mut lines: Vec<ChartLine> = Vec::new();
        // Milliseconds that one client needed for a query can be compared between numbers of queries.
        let of_time = kind == MeanSeconds || kind == Seconds;
        for (_, result) in &with {
            let Some(x) = axis.place(result) else { continue };
            let name = label(result, axis.key());
            let scale = match result.get(QueriesPerClient).filter(|n| per_query && *n > 0.0) {
                Some(n) => 1e3 / n,
                None => 1.0,
            };
            let at = match lines.iter().position(|line| line.name == name) {
                Some(at) => at,
                None if lines.len() >= MOST_LINES => continue,
                None => {
                    let style = targets.iter().position(|t| Some(*t) == result.target.as_deref());
                    let targets_only = targets.len() > 1 && result.axes.is_empty() && !of_time;
                    let style = style.filter(|_| targets_only).unwrap_or(lines.len());
                    lines.push(ChartLine { name, style, ..ChartLine::default() });
                    lines.len() - 1
                }
            };
            let value = result.get(kind).unwrap_or(0.0) * scale;
            lines[at].points.push((x, value));
            let ends = match kind {
                MeanSeconds => result.get(MinSeconds).zip(result.get(MaxSeconds)),
                PerPeriod => result.get(Deviation).map(|d| (value / scale - d, value / scale + d)),
                _ => None,
            };
            lines[at].bars.extend(ends.map(|(low, high)| (x, low * scale, high * scale)));
        }
        lines.iter_mut().for_each(|line| line.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
        lines.iter_mut().for_each(together);
        let of_several = lines.iter().any(|line| !line.dots.is_empty());
        let (title, unit) = match kind {
            _ if per_query => (msg!("published-chart-per-query"), "ms"),
            MeanSeconds | Seconds => (kind.words(), "s"),
            Tps => (msg!("chart-throughput"), "TPS"),
            Qps => (msg!("chart-throughput"), "QPS"),
            Mean => (msg!("chart-mean"), "ms"),
            Percentile(9500) => (msg!("chart-p95"), "ms"),
            Percentile(9900) => (msg!("chart-p99"), "ms"),
            Percentile(_) => (kind.words(), "ms"),
            _ => (kind.words(), ""),
        };
        let doubted = with.iter().any(|(at, _)| touched.contains(&(*at, kind)));
        let of = [
            (!workload.is_empty()).then(|| foreign(workload)),
            of_several.then(|| msg!("published-several-chart")),
            doubted.then(|| msg!("published-doubted-chart")),
        ];
        let of = Message::joined(of.into_iter().flatten(), " — ");
        let of = if of.is_empty() { foreign("") } else { of };
        let logarithmic = !matches!(kind, Tps | Qps | Nopm | Tpm | PerPeriod | Unstated);
        let (unit, over) = (foreign(unit), Chart::over(axis.name(), axis.x.clone()));
        self.chart(&Chart { title, of, unit, may_be_logarithmic: logarithmic, ..over }, &lines);
    }

    /// The reported periods of logs.
    fn periods(&mut self, published: &Published, workload: &str, of_it: &[(usize, &PublishedResult)]) {
        let with: Vec<&PublishedResult> = of_it
            .iter()
            .map(|(_, result)| *result)
            .filter(|result| result.periods.len() > 2)
            .take(MOST_LINES)
            .collect();
        let long = with.iter().filter_map(|result| result.periods.last()).map(|last| last.0).fold(0.0, f64::max);
        if with.is_empty() || long <= 0.0 {
            return;
        }
        let of_each = with.iter().map(|result| result.periods.len().div_ceil(MOST_POINTS)).max().unwrap_or(1);
        let lines: Vec<ChartLine> = with
            .iter()
            .enumerate()
            .map(|(style, result)| {
                let clients = result.get(Clients).map(|clients| format!(" {clients}")).unwrap_or_default();
                let name =
                    if published.results.len() > 1 { label(result, None) + &clients } else { label(result, None) };
                ChartLine { name, style, points: means(&result.periods, of_each), ..ChartLine::default() }
            })
            .collect();
        let title = match of_each {
            1 => msg!("chart-throughput-over-time"),
            n => msg!("published-chart-means-over-time", n),
        };
        let (of, unit, over) = (foreign(workload), foreign("TPS"), Chart::over(msg!("x-time"), chart::seconds(long)));
        self.chart(&Chart { title, of, unit, ..over }, &lines);
    }
}

/// Several results of a line at one place are one point, their mean, and a dot each: joined by the line, they would be a
/// change that nothing shows.
fn together(line: &mut ChartLine) {
    let all = std::mem::take(&mut line.points);
    for at_one_place in all.chunk_by(|a, b| a.0 == b.0) {
        let sum: f64 = at_one_place.iter().map(|(_, value)| value).sum();
        line.points.push((at_one_place[0].0, sum / at_one_place.len() as f64));
        if at_one_place.len() > 1 {
            line.dots.extend_from_slice(at_one_place);
            line.bars.retain(|bar| bar.0 != at_one_place[0].0);
        }
    }
}

/// The means of this many periods each, at the end of the last of them.
fn means(periods: &[(f64, f64)], of_each: usize) -> Vec<(f64, f64)> {
    let mean = |some: &[(f64, f64)]| {
        let sum: f64 = some.iter().map(|(_, rate)| rate).sum();
        (some.last().map_or(0.0, |(seconds, _)| *seconds), sum / some.len() as f64)
    };
    periods.chunks(of_each.max(1)).map(mean).collect()
}

/// Times are results only where no rate is.
fn is_result(kind: FigureKind, of_it: &[(usize, &PublishedResult)]) -> bool {
    let has = |kind| of_it.iter().any(|(_, result)| result.get(kind).is_some());
    has(kind) && ![Tps, Qps, Nopm, Tpm, PerPeriod].into_iter().any(has)
}

/// The x axis: clients, or a number that results differ in, or the targets.
struct Axis {
    key: Option<String>,
    of_clients: bool,
    x: X,
}

impl Axis {
    fn of(results: &[(usize, &PublishedResult)]) -> Axis {
        let distinct = |values: Vec<f64>| {
            let mut values = values;
            values.sort_by(f64::total_cmp);
            values.dedup();
            (values.len() > 1).then_some(values)
        };
        if let Some(clients) = distinct(results.iter().filter_map(|(_, result)| result.get(Clients)).collect()) {
            return Axis { key: None, of_clients: true, x: chart::numbers(&clients) };
        }
        let keys: BTreeSet<&String> = results.iter().flat_map(|(_, r)| r.axes.iter().map(|(key, _)| key)).collect();
        for key in keys {
            let values: Option<Vec<f64>> = results.iter().map(|(_, result)| number(result, key)).collect();
            if let Some(values) = values.and_then(distinct) {
                return Axis { key: Some(key.clone()), of_clients: false, x: chart::numbers(&values) };
            }
        }
        let mut labels: Vec<String> = Vec::new();
        for (_, result) in results {
            let label = label(result, None);
            if !labels.contains(&label) && labels.len() < MOST_LINES {
                labels.push(label);
            }
        }
        Axis { key: None, of_clients: false, x: chart::words(&labels) }
    }

    fn key(&self) -> Option<&str> {
        self.key.as_deref()
    }

    fn name(&self) -> Message {
        match &self.key {
            Some(key) => foreign(key),
            None if self.of_clients => bilingual::axis_name("load.clients"),
            None => msg!("column-target"),
        }
    }

    fn place(&self, result: &PublishedResult) -> Option<f64> {
        match &self.key {
            Some(key) => self.x.place(&number(result, key)?.to_string()),
            None if self.of_clients => self.x.place(&result.get(Clients)?.to_string()),
            None => self.x.place(&label(result, None)),
        }
    }
}

fn number(result: &PublishedResult, key: &str) -> Option<f64> {
    let (_, value) = result.axes.iter().find(|(name, _)| name == key)?;
    tenbin_published::number(value)
}

/// What a line is called: target, the other words but the x axis, and queries per client.
fn label(result: &PublishedResult, without: Option<&str>) -> String {
    let axes = result.axes.iter().filter(|(name, _)| Some(name.as_str()) != without).map(|(name, value)| {
        // A number alone says nothing.
        let is_bare = !name.is_empty() && value.trim().parse::<f64>().is_ok();
        if is_bare { format!("{name} {value}") } else { value.clone() }
    });
    let queries = result.get(QueriesPerClient).map(|n| tenbin_words::figure::whole(n as i128));
    let parts: Vec<String> =
        result.target.iter().cloned().chain(axes).chain(queries).filter(|p| !p.is_empty()).collect();
    if parts.is_empty() { "–".to_owned() } else { short(&parts.join(" "), LONGEST) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_results_at_one_place_are_one_point_and_a_dot_each() {
        let text = "threads,table size,tps\n1,1e4,90\n8,1e4,500\n8,1e4,520\n8,1e5,70\n1,1e5,9\n";
        let published = tenbin_published::read(text.as_bytes(), "x.csv").expect("a table");
        let (_, figures) = all(&published, &tenbin_published::audit(&published));
        let lines = &figures[0]["lines"];
        assert_eq!(lines[0]["name"], "table size 1e4");
        assert_eq!(lines[0]["y"], serde_json::json!([90, 510]));
        assert_eq!(lines[0]["dots"], serde_json::json!([[8, 500], [8, 520]]), "{lines}");
        assert_eq!(lines[1]["y"], serde_json::json!([9, 70]));
        assert!(lines[1].get("dots").is_none(), "{lines}");
    }
}
