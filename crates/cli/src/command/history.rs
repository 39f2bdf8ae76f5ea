//! `tenbin history`: a figure over the stored runs of a plan, with the changes of its level.

use crate::args::History as Arguments;
use crate::exit::{self, Exit};
use serde_json::json;
use std::path::Path;
use tenbin_model::figures::Figure;
use tenbin_model::summary::Summary;
use tenbin_report::store::{self, Listed, Recording};
use tenbin_verdict::history::{self, History};
use tenbin_verdict::judged::Judged;
use tenbin_words::figure;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

pub fn history(a: &Arguments) -> Result<Exit, Problem> {
    let figure = a.figure.as_deref().map(|name| {
        Figure::parse(name).ok_or_else(|| {
            Problem::new(msg!("figure-unknown", name = format_args!("{name:?}"))).hint(msg!("figures-that-there-are"))
        })
    });
    let figure = figure.transpose()?;
    let name = name(&a.plan);
    let mut runs = store::list(&a.stored.runs)?;
    runs.retain(|run| run.name == name && a.stored.tag.as_ref().is_none_or(|tag| run.labels.tags.contains(tag)));
    // Their names contain local times, which are not in order when the clocks change.
    runs.sort_by_cached_key(|run| {
        (store::moment(&run.started).is_none(), store::moment(&run.started), run.dir.clone())
    });
    if runs.is_empty() {
        return Err(Problem::new(msg!("no-runs-of-plan", name, folder = a.stored.runs.display()))
            .hint(msg!("tenbin-list-shows-runs")));
    }
    let mut summaries = Vec::new();
    for run in &runs {
        let Recording { summary, doubts } = store::read(&run.dir)?;
        doubts.iter().for_each(exit::complain);
        summaries.push(summary);
    }
    let all = history::of(&summaries, figure);
    if a.stored.json {
        let value: Vec<_> = all.iter().map(|history| as_json(history, &runs)).collect();
        exit::print(&serde_json::to_string_pretty(&value).unwrap_or_default());
    } else {
        all.iter().for_each(|history| exit::print(&text(history, &runs, &summaries)));
    }
    Ok(Exit::Ok)
}

/// The name of a plan: that in the file of this name, or the argument itself.
fn name(plan: &str) -> String {
    let text = tenbin_intake::text(Path::new(plan), tenbin_intake::SMALL).ok();
    let read = text.and_then(|text| tenbin_model::plan::Plan::parse(&text, &tenbin_workloads::catalog()).ok());
    read.map_or_else(|| plan.to_owned(), |plan| plan.name)
}

/// A figure as tables show it: times in milliseconds.
fn shown(history: &History, value: f64) -> f64 {
    match history.figure {
        Figure::Mean | Figure::Percentile(_) => value / 1e6,
        _ => value,
    }
}

fn text(history: &History, runs: &[Listed], summaries: &[Summary]) -> String {
    let words = exit::words();
    let unit = match history.figure {
        Figure::Transactions => "TPS",
        Figure::NewOrders => "NOPM",
        Figure::Seconds => "s",
        Figure::Mean | Figure::Percentile(_) => "ms",
    };
    let of = [history.experiment.as_str(), &history.cell, &history.target, &history.figure.name()];
    let of: Vec<String> =
        of.into_iter().filter(|part| !part.is_empty()).map(|part| visible(part).into_owned()).collect();
    let mut out = format!("\n{} ({unit})", of.join(", "));
    let width =
        history.values.iter().map(|(_, v)| figure::grouped(shown(history, *v)).chars().count()).max().unwrap_or(0);
    for (place, (run, value)) in history.values.iter().enumerate() {
        if let Some(change) = history.changes.iter().find(|change| change.at == place) {
            let percent = format!("{:+.1}", (change.after / change.before - 1.0) * 100.0);
            let [before, after] = [change.before, change.after].map(|level| figure::grouped(shown(history, level)));
            out += &format!("\n  {}", words.text(msg!("level-changed", percent, before, after)));
        }
        let value = figure::grouped(shown(history, *value));
        let pad = " ".repeat(width - value.chars().count());
        let labels: Vec<&String> = runs[*run].labels.name.iter().chain(&runs[*run].labels.tags).collect();
        let labels: Vec<String> = labels.into_iter().map(|label| visible(label).into_owned()).collect();
        let (started, verdict) = (&runs[*run].started, summaries[*run].verdict().name());
        out += format!("\n  {started}  {pad}{value}  {verdict}  {}", labels.join(", ")).trim_end();
    }
    if history.changes.is_empty() {
        let n = foreign(history.values.len());
        out += &format!("\n  {}", words.text(msg!("level-did-not-change", n)));
    }
    out
}

fn as_json(history: &History, runs: &[Listed]) -> serde_json::Value {
    json!({
        "experiment": history.experiment, "cell": history.cell, "target": history.target, "figure": history.figure.code(),
        "values": history.values.iter().map(|(run, value)| json!({
            "dir": runs[*run].dir, "started": runs[*run].started, "value": shown(history, *value),
        })).collect::<Vec<_>>(),
        "changes": history.changes.iter().map(|change| json!({
            "at": change.at, "before": shown(history, change.before), "after": shown(history, change.after), "p": change.p,
        })).collect::<Vec<_>>(),
    })
}
