//! The page of a history: a figure over the stored runs of a plan, with the changes of its level. A single file without requests,
//! like that of a run.

use crate::bilingual;
use crate::chart::{self, Chart, ChartLine};
use crate::page;
use minijinja::{Value, context};
use tenbin_model::doubt::Verdict;
use tenbin_verdict::history::History;
use tenbin_verdict::subset::Subset;
use tenbin_words::figure;
use tenbin_words::language::Language;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

const FRAME: &str = include_str!("../templates/history.html");

/// A run of the history.
#[derive(Debug, Clone, PartialEq)]
pub struct HistoryRun {
    /// Its directory.
    pub dir: String,
    /// Wall clock at its start, RFC 3339.
    pub started: String,
    /// Its name and tags.
    pub label: String,
    /// The verdict on it.
    pub verdict: Option<Verdict>,
}

/// The page as HTML: a chart and a table of each history, the newest run first. `runs` are in the order of time.
pub fn page(plan: &str, all: &[History], runs: &[HistoryRun], language: Language) -> String {
    let (mut sections, mut figures) = (Vec::new(), Vec::new());
    for history in all {
        let (chart, data) = drawn(history, figures.len());
        figures.push(data);
        sections.push(context! {
            heading => heading(history), chart, unit => history.figure.unit(), rows => rows(history, runs),
            summary => bilingual::html(&summary(history)),
        });
    }
    let span = runs.first().zip(runs.last()).map(|(first, last)| {
        let [from, to] = [first, last].map(|run| run.started.split('T').next().unwrap_or_default().to_owned());
        bilingual::html(&msg!("history-span", n = runs.len(), from, to))
    });
    page::frame(FRAME, &figures, language, context! { name => plan, span, sections })
}

/// `oltp, 8 clients, mariadb, group pay, p99`.
fn heading(history: &History) -> Value {
    let parts = [&history.experiment, &history.cell, &history.target];
    let parts = parts.into_iter().filter(|part| !part.is_empty()).map(foreign);
    let parts = parts.chain(history.subset.as_ref().map(Subset::words)).chain([foreign(history.figure.name())]);
    bilingual::marked(&Message::list(parts.collect::<Vec<_>>()))
}

/// The changes of the level, or that there was none.
fn summary(history: &History) -> Message {
    if history.changes.is_empty() {
        return msg!("level-did-not-change", n = history.values.len());
    }
    let changes = history.changes.iter().map(|change| {
        let percent = format!("{:+.1}", (change.after / change.before - 1.0) * 100.0);
        let [before, after] = [change.before, change.after].map(|level| figure::grouped(history.shown(level)));
        msg!("history-change", run = change.at + 1, percent, before, after)
    });
    Message::joined(changes.collect::<Vec<_>>(), msg!("between-sentences"))
}

/// The values of each run, and the levels between the changes.
fn drawn(history: &History, number: usize) -> (Value, serde_json::Value) {
    let position = |at: usize| (at + 1) as f64;
    let values = history.values.iter().enumerate().map(|(at, (_, value))| (position(at), history.shown(*value)));
    let line = ChartLine { name: history.target.clone(), points: values.collect(), ..ChartLine::default() };
    let mut ends: Vec<usize> = history.changes.iter().map(|change| change.at).collect();
    ends.push(history.values.len());
    let mut levels = Vec::new();
    let mut from = 0;
    for (at, to) in ends.into_iter().enumerate() {
        let level = match history.changes.get(at) {
            Some(change) => Some(change.before),
            None => history.changes.last().map(|change| change.after),
        };
        if let Some(level) = level.filter(|_| to > from) {
            let level = history.shown(level);
            levels.push((position(from), level));
            levels.push((position(to - 1), level));
        }
        from = to;
    }
    let mut lines = vec![line];
    if !levels.is_empty() {
        let name = msg!("history-level").english().to_owned();
        lines.push(ChartLine { name, style: 1, points: levels, ..ChartLine::default() });
    }
    let places: Vec<f64> = (0..history.values.len()).map(position).collect();
    let chart = Chart {
        title: foreign(&history.target),
        of: foreign(&history.cell),
        unit: foreign(history.figure.unit()),
        ..Chart::over(msg!("history-x"), chart::counted(&places))
    };
    chart::figure(&chart, &lines, number, true)
}

/// One row per run, the newest first.
fn rows(history: &History, runs: &[HistoryRun]) -> Vec<Value> {
    let row = |(at, (run, value)): (usize, &(usize, f64))| {
        let changed = history.changes.iter().any(|change| change.at == at);
        let run = runs.get(*run);
        let text = |of: fn(&HistoryRun) -> &String| run.map_or("", |run| of(run).as_str()).to_owned();
        context! {
            number => at + 1, started => text(|run| &run.started), dir => text(|run| &run.dir), changed,
            label => text(|run| &run.label), value => figure::grouped(history.shown(*value)),
            behind => history.is_behind(at).then(|| bilingual::html(&msg!("history-rate-not-held"))),
            edited => history.edit(at).map(|differing| bilingual::html(&msg!("history-edited", differing))),
            badge => run.and_then(|run| run.verdict).map(bilingual::badge),
        }
    };
    let mut rows: Vec<Value> = history.values.iter().enumerate().map(row).collect();
    rows.reverse();
    rows
}
