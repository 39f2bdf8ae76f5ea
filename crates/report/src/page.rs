//! The page: one file that answers the question at a glance and holds everything the answer rests on. No request to anywhere.
//!
//! This file turns a [`Summary`] into what `templates/page.html` shows; every number comes from the summary, every text
//! from outside is escaped by the template.

use crate::rows;
use crate::svg::{self, Chart, Line, chart};
use minijinja::{Environment, context};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tenbin_model::answer::{Language, answer};
use tenbin_model::audit::Doubt;
use tenbin_model::event::Severity;
use tenbin_model::figure;
use tenbin_model::problem::Problem;
use tenbin_model::statistics;
use tenbin_model::summary::{Cell, Summary, TrialResult, label};
use tenbin_model::tally::TransactionTally;

const TEMPLATE: &str = include_str!("../templates/page.html");
const STYLE: &str = include_str!("../templates/page.css");
/// Bundled from `web/` by build.rs; both empty where there was no node.
const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));
const SERIES_STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/uplot.css"));

/// Reads a run directory, writes `report.html` into it and answers with its path.
pub fn write(dir: &Path, language: Language) -> Result<PathBuf, Problem> {
    let recording = crate::store::read(dir)?;
    let text = render(&Summary::of(&recording.events), &recording.doubts, language);
    let path = dir.join("report.html");
    std::fs::write(&path, text).map_err(|e| {
        Problem::new(format!("the page {} cannot be written", path.display()))
            .evidence(e.to_string())
            .mend(format!("free space, then: tenbin report {}", dir.display()))
    })?;
    Ok(path)
}

/// The page's text. `doubts` are what reading the run directory found missing.
pub fn render(summary: &Summary, doubts: &[Problem], language: Language) -> String {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| minijinja::AutoEscape::Html);
    let targets = summary.targets();
    let both = |make: fn(&Summary, Language) -> String| {
        BTreeMap::from([("en", make(summary, Language::English)), ("ja", make(summary, Language::Japanese))])
    };
    let values = context! {
        style => STYLE,
        script => SCRIPT,
        series_style => SERIES_STYLE,
        series_data => series_data(summary, &targets),
        lang => if language == Language::Japanese { "ja" } else { "en" },
        name => summary.name.clone(),
        tool => summary.tool.clone(),
        started => summary.started.clone(),
        state => summary.state.map_or("unfinished".to_owned(), |s| format!("{s:?}").to_lowercase()),
        answer => both(answer),
        verdict => summary.verdict().name(),
        reasons => reasons(summary),
        missing => doubts.iter().map(Problem::to_string).collect::<Vec<_>>(),
        targets => targets.iter().enumerate().map(|(i, t)| context! { name => t, key => svg::legend_mark(i) }).collect::<Vec<_>>(),
        charts => by_axis(summary, &targets),
        head => BTreeMap::from([("en", rows::head(summary, Language::English)), ("ja", rows::head(summary, Language::Japanese))]),
        rows => rows::cells(summary),
        best => rows::best(summary),
        ratios => ratios(summary),
        series => series(summary, &targets),
        spectrum => spectrum(summary, &targets),
        statements => statements(summary),
        accounting => accounting(summary),
        observed => observed(summary),
        facts => environment_table(summary),
        differing => variables(summary, true),
        variables => variables(summary, false),
        notes => notes(summary),
        plan => summary.plan.clone(),
    };
    match environment.render_str(TEMPLATE, values) {
        Ok(text) => text,
        // A fault of the template is ours; the figures must still reach the reader.
        Err(e) => format!(
            "<!doctype html><title>Tenbin</title><p>The page could not be drawn: {}</p><pre>{}</pre>",
            svg::escape(&e.to_string()),
            svg::escape(&crate::export::json(summary, None))
        ),
    }
}

/// Each doubt once, with the trials it was found in.
fn reasons(summary: &Summary) -> Vec<minijinja::Value> {
    let mut all: Vec<(Doubt, Vec<String>)> = Vec::new();
    for t in summary.trials.iter().filter(|t| t.begun) {
        for d in t.doubts() {
            let number = t.trial.number.to_string();
            match all.iter_mut().find(|a| a.0.code == d.code) {
                Some(known) => known.1.push(number),
                None => all.push((d, vec![number])),
            }
        }
    }
    all.into_iter()
        .map(|(d, trials)| {
            let Problem { what, evidence, mend } = d.problem;
            context! { verdict => d.verdict.name(), what => what, evidence => evidence, mend => mend, trials => trials.join(", ") }
        })
        .collect()
}

/// The axis that charts run along and its values in order: numbers by size where an axis has them, else words in the plan's order.
fn axis(summary: &Summary) -> Option<(String, Vec<String>)> {
    let mut axes: Vec<(String, Vec<String>)> = Vec::new();
    for c in summary.cells() {
        for (name, value) in c.axes {
            match axes.iter_mut().find(|a| a.0 == name) {
                Some(known) if known.1.contains(&value) => {}
                Some(known) => known.1.push(value),
                None => axes.push((name, vec![value])),
            }
        }
    }
    let numeric = |values: &[String]| values.iter().all(|v| v.parse::<f64>().is_ok());
    let weight = |a: &(String, Vec<String>)| (numeric(&a.1), a.1.len(), a.0.contains("clients"));
    let (name, mut values) = axes.into_iter().filter(|a| a.1.len() > 1).max_by_key(weight)?;
    if numeric(&values) {
        values.sort_by(|a, b| a.parse::<f64>().unwrap_or(0.0).total_cmp(&b.parse::<f64>().unwrap_or(0.0)));
    }
    Some((name, values))
}

fn by_axis(summary: &Summary, targets: &[String]) -> Vec<minijinja::Value> {
    let Some((axis, marks)) = axis(summary) else { return Vec::new() };
    let cells = summary.cells();
    let at = |c: &Cell| c.axes.iter().find(|(k, _)| *k == axis).map(|(_, v)| v.clone());
    let rest = |c: &Cell| label(&c.axes.iter().filter(|(k, _)| *k != axis).cloned().collect::<Vec<_>>());
    let groups: BTreeSet<String> = cells.iter().map(rest).collect();
    let quantile = |q: f64| move |t: &TransactionTally| t.response.quantile_ns(q) as f64 / 1e6;
    type Measure<'m> = Box<dyn Fn(&TransactionTally) -> f64 + 'm>;
    let kinds: [(&str, &str, &str, Option<Measure<'_>>); 4] = [
        ("Throughput", "スループット", "TPS", None),
        ("Mean response time", "平均応答時間", "ms", Some(Box::new(|t| t.response.mean_ns() / 1e6))),
        ("95th percentile", "95 パーセンタイル", "ms", Some(Box::new(quantile(0.95)))),
        ("99th percentile", "99 パーセンタイル", "ms", Some(Box::new(quantile(0.99)))),
    ];
    let mut charts = Vec::new();
    for group in &groups {
        for (en, ja, unit, measure) in &kinds {
            let lines: Vec<Line> = targets
                .iter()
                .enumerate()
                .map(|(style, target)| {
                    let mut line = Line { name: target.clone(), style, ..Line::default() };
                    for c in cells.iter().filter(|c| c.target == *target && rest(c) == *group && !c.tps.is_empty()) {
                        let Some(x) = at(c).and_then(|v| marks.iter().position(|m| *m == v)).map(|i| i as f64) else {
                            continue;
                        };
                        let value = |t: &TrialResult| {
                            measure.as_ref().map_or_else(|| t.tps(), |m| m(&t.tally.all_transactions()))
                        };
                        line.points.push((
                            x,
                            measure.as_ref().map_or_else(
                                || statistics::mean(&c.tps).unwrap_or(0.0),
                                |m| m(&c.tally.all_transactions()),
                            ),
                        ));
                        let runs = c.trials.iter().filter_map(|n| summary.trial(*n)).filter(|t| t.tps() > 0.0);
                        line.dots.extend(runs.map(|t| (x, value(t))));
                    }
                    line
                })
                .collect();
            let drawn = Chart {
                title: en,
                unit,
                x_name: &axis,
                x_marks: marks.iter().enumerate().map(|(i, m)| (i as f64, m.clone())).collect(),
                logarithmic: *unit == "ms",
                shade: None,
            };
            charts.push(
                context! { en => *en, ja => *ja, unit => *unit, group => group.clone(), svg => chart(&drawn, &lines) },
            );
        }
    }
    charts
}

/// Every pair of targets against the first named.
fn ratios(summary: &Summary) -> Vec<minijinja::Value> {
    let targets = summary.targets();
    let Some(first) = targets.first() else { return Vec::new() };
    targets
        .iter()
        .skip(1)
        .filter_map(|t| summary.compare(first, t))
        .map(|c| {
            let interval = c.confidence.map(|i| format!("{:.3} – {:.3}", i.low, i.high));
            let cells: Vec<_> = c.cells.iter().map(|r| context! { label => r.label.clone(), ratio => format!("{:.3}", r.ratio) }).collect();
            context! { a => c.a, b => c.b, ratio => format!("{:.3}", c.ratio), interval => interval, pairs => c.pairs, cells => cells }
        })
        .collect()
}

/// Throughput and p99 over time, one pair of charts per cell, a line per trial.
fn series(summary: &Summary, targets: &[String]) -> Vec<minijinja::Value> {
    let mut cells: BTreeMap<u32, Vec<&TrialResult>> = BTreeMap::new();
    for t in summary.trials.iter().filter(|t| !t.series.is_empty()) {
        cells.entry(t.trial.cell).or_default().push(t);
    }
    cells
        .values()
        .map(|trials| {
            let line = |value: fn(&tenbin_model::summary::Point) -> f64| -> Vec<Line> {
                trials
                    .iter()
                    .map(|t| {
                        let start = t.series[0].from_ns;
                        let points =
                            t.series.iter().map(|p| (p.to_ns.saturating_sub(start) as f64 / 1e9, value(p))).collect();
                        let style = targets.iter().position(|n| *n == t.trial.target.name).unwrap_or(0);
                        Line {
                            name: format!("{} #{}", t.trial.target.name, t.trial.repeat),
                            style,
                            points: thinned(points),
                            dots: Vec::new(),
                        }
                    })
                    .collect()
            };
            let warm = trials.iter().map(|t| t.trial.warmup_ms).max().unwrap_or(0) as f64 / 1e3;
            let seconds =
                trials.iter().map(|t| (t.trial.warmup_ms + t.trial.measure_ms) as f64 / 1e3).fold(1.0, f64::max);
            let picture = |title: &str, unit: &str, lines: &[Line]| {
                let step = (seconds / 6.0).max(0.5);
                let marks = (0..=6)
                    .map(|i| (f64::from(i) * step, format!("{:.0}", f64::from(i) * step)))
                    .filter(|m| m.0 <= seconds + 1e-9);
                let c = Chart {
                    title,
                    unit,
                    x_name: "s",
                    x_marks: marks.collect(),
                    logarithmic: unit == "ms",
                    shade: (warm > 0.0).then_some((0.0, warm)),
                };
                chart(&c, lines)
            };
            context! {
                label => label(&trials[0].trial.axes),
                tps => picture("TPS over time", "TPS", &line(|p| p.tps)),
                p99 => picture("p99 over time", "ms", &line(|p| p.p99_ns as f64 / 1e6)),
            }
        })
        .collect()
}

/// The same curves as figures, for the script; in the order of [`series`].
fn series_data(summary: &Summary, targets: &[String]) -> String {
    let mut cells: BTreeMap<u32, Vec<&TrialResult>> = BTreeMap::new();
    for t in summary.trials.iter().filter(|t| !t.series.is_empty()) {
        cells.entry(t.trial.cell).or_default().push(t);
    }
    let rounded = |v: f64| if v.is_finite() { (v * 1e4).round() / 1e4 } else { 0.0 };
    let curve = |t: &TrialResult, value: fn(&tenbin_model::summary::Point) -> f64| {
        let start = t.series.first().map_or(0, |p| p.from_ns);
        let points = t.series.iter().map(|p| (p.to_ns.saturating_sub(start) as f64 / 1e9, value(p))).collect();
        let (x, y): (Vec<f64>, Vec<f64>) = thinned(points).into_iter().map(|(x, y)| (rounded(x), rounded(y))).unzip();
        (x, y)
    };
    let data: Vec<_> = cells
        .values()
        .map(|trials| {
            let curves: Vec<_> = trials
                .iter()
                .map(|t| {
                    serde_json::json!({
                        "name": format!("{} #{}", t.trial.target.name, t.trial.repeat),
                        "style": targets.iter().position(|n| *n == t.trial.target.name).unwrap_or(0),
                        "tps": curve(t, |p| p.tps),
                        "p99": curve(t, |p| p.p99_ns as f64 / 1e6),
                    })
                })
                .collect();
            let warm = trials.iter().map(|t| t.trial.warmup_ms).max().unwrap_or(0) as f64 / 1e3;
            serde_json::json!({"warm": warm, "curves": curves})
        })
        .collect();
    // Nothing in it may end the element it stands in.
    serde_json::to_string(&data).unwrap_or_default().replace('<', "\\u003c")
}

/// At most 2,000 points, keeping the smallest and largest of each stretch.
fn thinned(points: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    const MOST: usize = 2000;
    if points.len() <= MOST {
        return points;
    }
    points
        .chunks(points.len().div_ceil(MOST / 2))
        .flat_map(|chunk| {
            let low = chunk.iter().min_by(|a, b| a.1.total_cmp(&b.1));
            let high = chunk.iter().max_by(|a, b| a.1.total_cmp(&b.1));
            let mut pair: Vec<(f64, f64)> = low.into_iter().chain(high).copied().collect();
            pair.sort_by(|a, b| a.0.total_cmp(&b.0));
            pair
        })
        .collect()
}

/// Response time by percentile, from the merged histogram of all repeats, per cell.
fn spectrum(summary: &Summary, targets: &[String]) -> Vec<minijinja::Value> {
    const AT: [f64; 12] = [0.0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.999, 0.9995, 0.9999];
    let mut groups: BTreeMap<u32, Vec<Cell>> = BTreeMap::new();
    for c in summary.cells().into_iter().filter(|c| !c.tps.is_empty()) {
        groups.entry(c.cell).or_default().push(c);
    }
    groups
        .values()
        .map(|cells| {
            let lines: Vec<Line> = cells
                .iter()
                .map(|c| {
                    let all = c.tally.all_transactions().response;
                    // A percentile p wants 10/(1−p) samples.
                    let shown = AT.iter().filter(|q| (1.0 - **q) * all.count() as f64 >= 10.0);
                    let points = shown.map(|q| (-(1.0 - q).log10(), all.quantile_ns(*q) as f64 / 1e6)).collect();
                    let style = targets.iter().position(|n| *n == c.target).unwrap_or(0);
                    Line { name: c.target.clone(), style, points, dots: Vec::new() }
                })
                .collect();
            let marks = [0.0, 0.5, 0.9, 0.99, 0.999, 0.9999];
            let c = Chart {
                title: "Response time by percentile",
                unit: "ms",
                x_name: "percentile",
                x_marks: marks
                    .iter()
                    .map(|q| {
                        (
                            -(1.0f64 - q).log10(),
                            if *q == 0.0 { "min".into() } else { format!("p{}", (q * 1e6f64).round() / 1e4) },
                        )
                    })
                    .collect(),
                logarithmic: true,
                shade: None,
            };
            context! { label => label(&cells[0].axes), svg => chart(&c, &lines) }
        })
        .collect()
}

fn statements(summary: &Summary) -> Vec<minijinja::Value> {
    let mut all = Vec::new();
    for c in summary.cells() {
        for (name, s) in &c.tally.statements {
            let ms = |ns: f64| if s.completed == 0 { "–".to_owned() } else { figure::grouped(ns / 1e6) };
            let errors: Vec<String> = s.errors.iter().map(|(code, n)| format!("{n} × {code}")).collect();
            all.push(context! {
                cell => label(&c.axes), target => c.target.clone(), name => name,
                completed => figure::whole(i128::from(s.completed)), rows => figure::whole(i128::from(s.rows)),
                mean => ms(s.service.mean_ns()), p95 => ms(s.service.quantile_ns(0.95) as f64),
                p99 => ms(s.service.quantile_ns(0.99) as f64), max => ms(s.service.max_ns() as f64),
                errors => if errors.is_empty() { "–".to_owned() } else { errors.join(", ") },
            });
        }
    }
    all
}

fn accounting(summary: &Summary) -> Vec<minijinja::Value> {
    let trials = summary.trials.iter().filter(|t| t.begun);
    trials
        .map(|t| {
            let a = &t.tally.accounting;
            let whole = |n: u64| figure::whole(i128::from(n));
            let state = t.state.map_or("unfinished".to_owned(), |s| format!("{s:?}").to_lowercase());
            context! {
                trial => t.trial.number, target => t.trial.target.name.clone(), cell => label(&t.trial.axes), repeat => t.trial.repeat,
                scheduled => whole(a.scheduled), completed => whole(a.completed), failed => whole(a.failed), skipped => whole(a.skipped),
                open => a.open, retries => whole(t.tally.all_transactions().retries), reconnects => whole(t.tally.reconnects),
                tps => figure::grouped(t.tps()), state => state, verdict => t.verdict().name(),
            }
        })
        .collect()
}

fn observed(summary: &Summary) -> Vec<minijinja::Value> {
    let measured = summary.trials.iter().filter(|t| t.measured_ns() > 0);
    measured
        .map(|t| {
            let seconds = t.measured_ns() as f64 / 1e9;
            let rate = |observer: &str, name: &str| t.observed_change(observer, name).map(|v| v / seconds);
            let cores = |v: Option<f64>| v.map_or("–".to_owned(), |v| format!("{v:.2}"));
            let server = rate("server.process", "cpu_user_s").zip(rate("server.process", "cpu_system_s")).map(|(u, s)| u + s);
            let steal = rate("client.host", "cpu_steal_s");
            let disk = rate("server.process", "disk_write_bytes");
            let fsyncs = rate("server.status", "innodb_data_fsyncs");
            context! {
                trial => t.trial.number, target => t.trial.target.name.clone(), cell => label(&t.trial.axes),
                client => cores(Some(t.client_cpu_ns as f64 / 1e9 / seconds)), server => cores(server), steal => cores(steal),
                disk => disk.map_or("–".to_owned(), |v| format!("{}/s", figure::bytes(v))),
                fsyncs => fsyncs.map_or("–".to_owned(), figure::grouped), workers => t.workers,
            }
        })
        .collect()
}

/// What is known of client and targets, without the variables.
fn environment_table(summary: &Summary) -> Vec<minijinja::Value> {
    let plain = |facts: &BTreeMap<String, String>| -> Vec<minijinja::Value> {
        let shown = facts.iter().filter(|(k, _)| !k.starts_with("variable."));
        shown.map(|(k, v)| context! { name => k, value => v }).collect()
    };
    let targets = summary.targets();
    let known = std::iter::once("client").chain(targets.iter().map(String::as_str));
    known
        .filter_map(|about| summary.facts.get(about).map(|facts| context! { about => about, rows => plain(facts) }))
        .collect()
}

/// Server variables side by side; only those that differ when asked so.
fn variables(summary: &Summary, differing: bool) -> Vec<minijinja::Value> {
    let targets: Vec<String> = summary.targets().into_iter().filter(|t| summary.facts.contains_key(t)).collect();
    let names: BTreeSet<&String> =
        targets.iter().flat_map(|t| summary.facts[t].keys()).filter(|k| k.starts_with("variable.")).collect();
    names
        .into_iter()
        .filter_map(|name| {
            let values: Vec<String> =
                targets.iter().map(|t| summary.facts[t].get(name).cloned().unwrap_or_else(|| "–".into())).collect();
            let differs = values.windows(2).any(|w| w[0] != w[1]);
            (differs || !differing).then(
                || context! { name => name.trim_start_matches("variable."), values => values, differs => differs },
            )
        })
        .collect()
}

fn notes(summary: &Summary) -> Vec<minijinja::Value> {
    let of_run = summary.notes.iter().map(|(s, p)| (0, *s, p));
    let of_trials = summary.trials.iter().flat_map(|t| t.notes.iter().map(|(s, p)| (t.trial.number, *s, p)));
    let word = |s| match s {
        Severity::Info => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    of_run
        .chain(of_trials)
        .map(|(trial, s, p)| context! { trial => trial, severity => word(s), text => p.to_string() })
        .collect()
}
