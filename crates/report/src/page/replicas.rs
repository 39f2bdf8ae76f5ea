//! Whether replicas keep up: for each trial a sentence on each replica, and on one time axis throughput, lag and the
//! space of the binary logs, with what CloudWatch has of managed servers, from the start of the clients until the replicas have caught up.

use super::Section;
use super::columns::{aligned, number};
use super::context::PageContext;
use super::readings;
use super::series;
use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use crate::figures::titled_throughput;
use minijinja::{Value, context};
use tenbin_model::axis;
use tenbin_model::names::cloud_metrics;
use tenbin_model::names::observer;
use tenbin_model::names::replica;
use tenbin_model::summary::TrialResult;
use tenbin_verdict::lag::{self, AfterLoad, ReplicaLag, Trend};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

pub(super) const SECTION: Section = Section {
    id: "replicas",
    heading: || msg!("section-replicas"),
    values,
    template: include_str!("../../templates/replicas.html"),
};

/// The most trials with charts; the table has all.
const MOST_TRIALS: usize = 12;
/// The most points of a line.
const MOST_POINTS: usize = 1000;

fn values(m: &PageContext<'_>) -> Option<Value> {
    let all = lag::of(m.summary);
    if all.is_empty() {
        return None;
    }
    let sentences: Vec<Value> = all.iter().take(MOST_TRIALS).map(|lag| sentence(m, lag)).collect();
    let waited = all.iter().any(|lag| !matches!(lag.after, AfterLoad::NotWaited));
    let figures = aligned(all.iter().map(|lag| figures(lag, waited)).collect());
    let rows: Vec<Value> = all.iter().zip(figures).map(|(lag, figures)| row(m, lag, figures)).collect();
    let trials = m.summary.trials.iter().filter(|t| all.iter().any(|lag| lag.trial == t.trial.number));
    let charts: Vec<Vec<Value>> = trials.take(MOST_TRIALS).map(|t| charts(m, t)).collect();
    let at_provider = m.summary.trials.iter().any(|t| t.observations.contains_key(cloud_metrics::OBSERVER));
    Some(context! { sentences, rows, waited, charts, at_provider })
}

fn sentence(m: &PageContext<'_>, lag: &ReplicaLag) -> Value {
    context! { trial => lag.trial, target => m.target(&lag.target), text => bilingual::html(&lag.sentence()) }
}

/// The lag in seconds, how much it grew, and, where that was waited for, after how many seconds it was gone.
fn figures(lag: &ReplicaLag, waited: bool) -> Vec<Value> {
    let seconds = |seconds: f64| format!("{seconds:.1}");
    let after = match lag.after {
        AfterLoad::CaughtUp(after_s) => seconds(after_s),
        AfterLoad::Not(after_s) => format!("> {}", seconds(after_s)),
        AfterLoad::NotWaited => "–".to_owned(),
    };
    let lags = [lag.mean_s, lag.max_s, lag.end_s].map(|lag_s| Value::from(seconds(lag_s)));
    let slope = number(lag.slope.map(|slope| (slope * 1e3).round() / 1e3));
    lags.into_iter().chain([slope]).chain(waited.then(|| Value::from(after))).collect()
}

fn row(m: &PageContext<'_>, lag: &ReplicaLag, figures: Vec<Value>) -> Value {
    let trend = match lag.trend() {
        Some(Trend::KeepsUp) => msg!("trend-keeps-up"),
        Some(Trend::FallsBehind(_)) => msg!("trend-falls-behind"),
        Some(Trend::CatchesUp(_)) => msg!("trend-catches-up"),
        None => foreign("–"),
    };
    context! {
        trial => lag.trial, target => m.target(&lag.target), replica => lag.replica.as_str(), figures,
        trend => bilingual::html(&trend),
    }
}

/// Throughput, lag, binary logs and, of managed servers, writes of one trial, on the same time axis.
fn charts(m: &PageContext<'_>, t: &TrialResult) -> Vec<Value> {
    let Some((start_ns, _)) = t.series.span_ns() else { return Vec::new() };
    let at = |at_ns: u64| (i128::from(at_ns) - i128::from(start_ns)) as f64 / 1e9;
    let since_start = |observer: &str, name: &str| -> Vec<(f64, f64)> {
        let Some(readings) = t.observations.get(observer) else { return Vec::new() };
        let all: Vec<(f64, f64)> =
            readings.course(name).map(|(sample, v)| (at(sample.at_ns), v)).filter(|(x, _)| *x >= 0.0).collect();
        series::thinned(all, MOST_POINTS)
    };
    let throughput = ChartLine {
        name: t.trial.target.name.clone(),
        points: series::thinned(t.series.rates().map(|p| (at(p.to_ns), p.tps)).collect(), MOST_POINTS),
        ..ChartLine::default()
    };
    let replicas = t.trial.target.replicas.iter();
    let lags = replicas.enumerate().flat_map(|(index, replica)| {
        let name = &replica.at.name;
        let own = format!("{name}: Seconds_Behind");
        let line = |name: &str, style: usize, points| ChartLine {
            name: name.to_owned(),
            style,
            points,
            ..ChartLine::default()
        };
        [
            line(name, 2 * index, since_start(replica::OBSERVER, &replica::at_least(name))),
            line(&own, 2 * index + 1, since_start(replica::OBSERVER, &replica::seconds_behind(name))),
        ]
    });
    // CloudWatch has the means of whole minutes, recorded at their ends.
    let of_minutes = |prefix: &str, metric: &str| -> Vec<(f64, f64)> {
        minutes(&since_start(cloud_metrics::OBSERVER, &format!("{prefix}{metric}")))
    };
    let at_provider = |name: &str, prefix: &str, metric: &str, style: usize| ChartLine {
        name: format!("{name}: {metric} (CloudWatch)"),
        style,
        points: of_minutes(prefix, metric),
        steps: true,
        ..ChartLine::default()
    };
    let (target, servers) = (t.trial.target.name.as_str(), &t.trial.target.replicas);
    let replicas = || servers.iter().map(|replica| replica.at.name.as_str());
    let of_replicas = |metric: &'static str, first: usize| {
        let each = replicas().zip(first..);
        each.map(move |(name, style)| at_provider(name, &format!("{name}."), metric, style)).collect::<Vec<_>>()
    };
    let lags: Vec<ChartLine> = lags.chain(of_replicas("ReplicaLag", 2 * servers.len())).collect();
    // What servers count themselves, source and replicas; beside it what CloudWatch has of managed ones.
    let itself = |metric: &'static str, of_source: &str, of_replica: fn(&str) -> String| {
        let source = own_line(t, target, 0, (observer::SERVER_STATUS, of_source));
        let each =
            replicas().zip(1..).map(|(name, style)| own_line(t, name, style, (replica::OBSERVER, &of_replica(name))));
        let own: Vec<ChartLine> = std::iter::once(source).chain(each).collect();
        let next = own.len();
        [own, vec![at_provider(target, "", metric, next)], of_replicas(metric, next + 1)].concat()
    };
    let mut writes = itself("WriteIOPS", "innodb_data_writes", replica::writes);
    // MariaDB does not count those of its log among them.
    let next = writes.len();
    writes.push(own_line(t, target, next, (observer::SERVER_STATUS, "innodb_log_writes")));
    let each = replicas().zip(next + 1..);
    writes.extend(each.map(|(name, style)| own_line(t, name, style, (replica::OBSERVER, &replica::log_writes(name)))));
    let reads = itself("ReadIOPS", "innodb_data_reads", replica::reads);
    let connections = itself("DatabaseConnections", "threads_connected", replica::connections);
    let mebibytes = |(x, bytes): (f64, f64)| (x, bytes / f64::from(1 << 20));
    let binlog = ChartLine {
        name: t.trial.target.name.clone(),
        points: since_start(observer::SERVER_BINLOG, "binlog_bytes").into_iter().map(mebibytes).collect(),
        ..ChartLine::default()
    };
    let mut logs_at_provider = at_provider(target, "", "BinLogDiskUsage", 1);
    logs_at_provider.points = logs_at_provider.points.into_iter().map(mebibytes).collect();
    let of = axis::cell(&t.trial.axes);
    let all = [
        (titled_throughput(msg!("chart-throughput-over-time"), [t]), "TPS", vec![throughput]),
        (msg!("chart-lag-over-time"), "s", lags),
        (msg!("chart-binary-logs-over-time"), "MiB", vec![binlog, logs_at_provider]),
        (msg!("chart-writes-over-time"), "1/s", writes),
        (msg!("chart-reads-over-time"), "1/s", reads),
        (msg!("chart-connections-over-time"), "", connections),
    ];
    let all = all.map(|(title, unit, lines)| {
        let lines: Vec<ChartLine> = lines.into_iter().filter(|line| !line.points.is_empty()).collect();
        (title, unit, lines)
    });
    let long = all.iter().flat_map(|(_, _, lines)| lines).flat_map(|l| &l.points).map(|p| p.0).fold(0.0, f64::max);
    let drawn = all.into_iter().filter(|(_, _, lines)| !lines.is_empty());
    drawn.map(|(title, unit, lines)| m.figure(&chart(t, title, of.clone(), unit, long), &lines)).collect()
}

/// Means of whole minutes at their ends, from the start of the first minute; a minute that is missing stays empty.
fn minutes(ends: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let minute_s = cloud_metrics::MINUTE_S as f64;
    let (mut points, mut before) = (Vec::with_capacity(ends.len() + 1), f64::NEG_INFINITY);
    for (end, mean) in ends {
        let from = (end - minute_s).max(0.0);
        if from > before + 0.5 {
            points.push((from, *mean));
        }
        points.push((*end, *mean));
        before = *end;
    }
    points
}

/// A reading that a server counts itself: a rate over two seconds at least, because replicas are asked once a second.
fn own_line(t: &TrialResult, name: &str, style: usize, (observer, reading): (&str, &str)) -> ChartLine {
    let all = t.observed();
    let observed = all.iter().find(|o| o.observer == observer && o.spec.name == reading);
    let start_ns = t.series.span_ns().map_or(0, |(from, _)| from);
    let end_ns = observed.and_then(|observed| observed.values().last()).map_or(start_ns, |value| value.at_ns);
    let most = ((end_ns.saturating_sub(start_ns) / 2_000_000_000) as usize).clamp(2, MOST_POINTS);
    let points = observed.map_or_else(Vec::new, |observed| readings::over_time(t, observed, most));
    let points = points.into_iter().filter(|(x, _)| *x >= 0.0).collect();
    let what = reading.rsplit('.').next().unwrap_or(reading);
    ChartLine { name: format!("{name}: {what}"), style, points, ..ChartLine::default() }
}

fn chart(t: &TrialResult, title: Message, of: Message, unit: &str, long: f64) -> Chart {
    let warm_s = t.warm_up_s();
    Chart {
        title,
        of,
        unit: foreign(unit),
        shade: (warm_s > 0.0).then_some((0.0, warm_s)),
        ..Chart::over(msg!("x-time"), chart::seconds(long))
    }
}
