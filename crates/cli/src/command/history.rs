//! `tenbin history`: a figure over the stored runs of a plan, with the changes of its level.

use crate::args::{History as Arguments, StoredRuns};
use crate::command::report::{is_no_input, print_or_write};
use crate::command::stored_runs;
use crate::command::stored_runs::{Chosen, field};
use serde_json::json;
use tenbin_model::changed_files;
use tenbin_model::continued::are_continued;
use tenbin_model::edits;
use tenbin_model::figures::Figure;
use tenbin_model::summary::Summary;
use tenbin_report::history::{self as report_history, HistoryRun};
use tenbin_report::store::{self, Listed, Outcome, Recording};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::language::{language, language_of_environment};
use tenbin_verdict::history::{self, Absence, History};
use tenbin_verdict::subset::Subset;
use tenbin_words::figure;
use tenbin_words::message::{Message, foreign};
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
    let Chosen { runs, in_folder } = stored_runs::chosen(&a.stored, Some(&a.plan))?;
    if runs.is_empty() {
        let name = stored_runs::plan_name(&a.plan);
        let folder = a.stored.runs.display();
        let what = match &a.stored.tag {
            Some(tag) if in_folder > 0 => msg!("no-runs-of-plan-with-tag", name, tag, folder),
            _ => msg!("no-runs-of-plan", name, folder),
        };
        return Err(Problem::new(what).hint(msg!("tenbin-list-shows-runs")));
    }
    is_no_input(a.page.as_deref(), runs.iter().map(|run| &run.dir))?;
    let Read { runs, summaries, older } = read(runs, a.stored.last)?;
    for (index, two) in summaries.windows(2).enumerate() {
        let files = changed_files::of_runs(&two[0], &two[1]);
        if !files.is_empty() {
            let files = Message::list(files.into_iter().map(foreign));
            let (before, after) = (runs[index].dir.display(), runs[index + 1].dir.display());
            let words = exit::words();
            exit::warn(words, &words.text(msg!("history-files-changed", files, before, after)));
        }
        if let Some(differing) = edits::of_runs(&two[0], &two[1]) {
            let (before, after) = (runs[index].dir.display(), runs[index + 1].dir.display());
            let words = exit::words();
            exit::warn(words, &words.text(msg!("history-plan-changed", differing, before, after)));
        }
    }
    let all = history::of(&summaries, figure);
    if let (true, Some(newest)) = (all.is_empty(), runs.last()) {
        return Err(none(&stored_runs::plan_name(&a.plan), history::absence(&summaries, figure), newest));
    }
    if let Some(file) = &a.page {
        let language = language(a.stored.lang.as_deref())?.unwrap_or_else(language_of_environment);
        let page = report_history::page(&stored_runs::plan_name(&a.plan), &all, &of_page(&runs), language);
        print_or_write(Some(file), &page)?;
    } else if a.stored.csv {
        exit::print(csv(&all, &runs, &a.stored).trim_end());
    } else if a.stored.json {
        let value: Vec<_> = all.iter().map(|history| as_json(history, &runs, &a.stored)).collect();
        exit::print(&serde_json::to_string_pretty(&value).unwrap_or_default());
    } else {
        all.iter().for_each(|history| exit::print(&text(history, &runs, older, &a.stored)));
    }
    Ok(Exit::Ok)
}

/// Runs that were read, in the order of time, in which levels change.
struct Read {
    runs: Vec<Listed>,
    summaries: Vec<Summary>,
    /// How many older ones were not read.
    older: usize,
}

/// Reads the newest runs of these, which begin with the newest, until there are as many as were asked for.
fn read(listed: Vec<Listed>, last: Option<usize>) -> Result<Read, Problem> {
    let (mut runs, mut summaries) = (Vec::new(), Vec::new());
    let mut listed = listed.into_iter();
    loop {
        let missing = last.map_or(usize::MAX, |last| last.saturating_sub(runs.len()));
        let mut next: Vec<Listed> = listed.by_ref().take(missing).collect();
        if next.is_empty() {
            break;
        }
        next.reverse();
        let mut read = Vec::new();
        for run in &mut next {
            let Recording { summary, doubts } = store::read(&run.dir)?;
            stored_runs::complain(Some(&run.dir), &doubts);
            // What was read counts, and not what the list says of it.
            run.outcome = Some(Outcome::of(&summary));
            read.push(summary);
        }
        next.append(&mut runs);
        read.append(&mut summaries);
        (runs, summaries) = (next, read);
        leave_out_continued(&mut runs, &mut summaries);
    }
    Ok(Read { runs, summaries, older: listed.len() })
}

/// Leaves out runs whose trials a later one has: they would count as two measurements, and are one.
fn leave_out_continued(runs: &mut Vec<Listed>, summaries: &mut Vec<Summary>) {
    let continued = are_continued(summaries);
    let dirs: Vec<Message> = runs
        .iter()
        .zip(&continued)
        .filter(|(_, left_out)| **left_out)
        .map(|(run, _)| foreign(run.dir.display()))
        .collect();
    if dirs.is_empty() {
        return;
    }
    exit::remark(&Problem::new(msg!("history-continued", dirs = Message::list(dirs))));
    let (mut of_runs, mut of_summaries) = (continued.iter(), continued.iter());
    runs.retain(|_| !of_runs.next().is_some_and(|left_out| *left_out));
    summaries.retain(|_| !of_summaries.next().is_some_and(|left_out| *left_out));
}

/// That runs of this plan have no history, and why.
fn none(name: &str, why: Absence, newest: &Listed) -> Problem {
    let look = || msg!("look-at-report", dir = newest.dir.display());
    match why {
        Absence::Searches => Problem::new(msg!("history-of-searches", name)).hint(look()),
        Absence::Figure(figure) => Problem::new(msg!("history-figure-is-in-no-run", name, figure = figure.name()))
            .hint(msg!("leave-out-option", option = "--figure")),
        Absence::Results => Problem::new(msg!("history-without-results", name)).hint(look()),
    }
}

/// The places of the values that are shown, the newest first.
fn places(history: &History, stored: &StoredRuns) -> Vec<usize> {
    let n = history.values.len();
    (0..n).rev().take(stored_runs::shown(stored, n)).collect()
}

/// The runs as the page names them.
fn of_page(runs: &[Listed]) -> Vec<HistoryRun> {
    let of = |run: &Listed| HistoryRun {
        dir: run.dir.display().to_string(),
        started: run.started.clone(),
        label: stored_runs::labels(run),
        verdict: run.outcome.as_ref().map(|outcome| outcome.verdict),
    };
    runs.iter().map(of).collect()
}

/// The values, the newest first; changes of the level stand where they were. `older`: how many runs were not read.
fn text(history: &History, runs: &[Listed], older: usize, stored: &StoredRuns) -> String {
    let words = exit::words();
    let subset = history.subset.as_ref().map_or_else(String::new, |subset| words.text(subset.words()));
    let of = [history.experiment.as_str(), &history.cell, &history.target, &subset, &history.figure.name()];
    let of: Vec<String> =
        of.into_iter().filter(|part| !part.is_empty()).map(|part| visible(part).into_owned()).collect();
    let mut out = format!("\n{} ({})", of.join(", "), history.figure.unit());
    let places = places(history, stored);
    let value = |place: usize| figure::grouped(history.shown(history.values[place].1));
    let width = places.iter().map(|place| value(*place).chars().count()).max().unwrap_or(0);
    for place in &places {
        let run = &runs[history.values[*place].0];
        let value = value(*place);
        let pad = " ".repeat(width - value.chars().count());
        let verdict = run.outcome.as_ref().map_or("", |outcome| outcome.verdict.name());
        out += format!("\n  {}  {pad}{value}  {verdict}  {}", run.started, stored_runs::labels(run)).trim_end();
        if let Some(change) = history.changes.iter().find(|change| change.at == *place) {
            let percent = format!("{:+.1}", (change.after / change.before - 1.0) * 100.0);
            let [before, after] = [change.before, change.after].map(|level| figure::grouped(history.shown(level)));
            out += &format!("\n  {}", words.text(msg!("level-changed", percent, before, after)));
        }
        if history.is_behind(*place) {
            out += &format!("\n  {}", words.text(msg!("history-rate-not-held")));
        }
        if let Some(differing) = history.edit(*place) {
            out += &format!("\n  {}", words.text(msg!("history-edited", differing)));
        }
    }
    let n = history.values.len();
    let more = n - places.len() + older;
    if more > 0 {
        out += &format!("\n  {}", words.text(msg!("list-more-runs", n = more)));
    }
    if history.changes.is_empty() {
        out += &format!("\n  {}", words.text(msg!("level-did-not-change", n)));
    }
    out
}

/// One row per run and figure, the newest first.
fn csv(all: &[History], runs: &[Listed], stored: &StoredRuns) -> String {
    let mut out =
        format!("{},experiment,cell,target,figure,unit,value,edited,subset,rate_held\n", stored_runs::COLUMNS);
    for history in all {
        let (figure, unit) = (history.figure.code(), history.figure.unit());
        let of = [history.experiment.as_str(), &history.cell, &history.target, &figure, unit].map(field).join(",");
        let subset = history.subset.as_ref().map_or_else(String::new, |subset| field(&subset.code()));
        for place in places(history, stored) {
            let (run, value) = history.values[place];
            let edited = field(history.edit(place).map_or("", Message::english));
            let (run, value) = (stored_runs::fields(&runs[run]), history.shown(value));
            let held = history.held[place].map_or("", |held| if held { "yes" } else { "no" });
            out += &format!("{run},{of},{value},{edited},{subset},{held}\n");
        }
    }
    out
}

fn as_json(history: &History, runs: &[Listed], stored: &StoredRuns) -> serde_json::Value {
    let value = |place: usize| {
        let (run, value) = history.values[place];
        let run = &runs[run];
        json!({
            "dir": run.dir.to_string_lossy(), "started": run.started, "label": run.labels.name, "tags": run.labels.tags,
            "verdict": run.outcome.as_ref().map(|outcome| outcome.verdict), "value": history.shown(value),
            "edited": history.edit(place).map(Message::english), "rate_held": history.held[place],
        })
    };
    let places = places(history, stored);
    let at = |place: usize| places.iter().position(|shown| *shown == place);
    json!({
        "experiment": history.experiment, "cell": history.cell, "target": history.target, "figure": history.figure.code(),
        "unit": history.figure.unit(), "subset": history.subset.as_ref().map(Subset::code),
        "values": places.iter().map(|place| value(*place)).collect::<Vec<_>>(),
        "changes": history.changes.iter().map(|change| json!({
            "at": at(change.at), "before": history.shown(change.before), "after": history.shown(change.after), "p": change.p,
        })).collect::<Vec<_>>(),
    })
}
