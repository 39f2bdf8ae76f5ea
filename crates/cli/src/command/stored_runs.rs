//! The stored runs that `tenbin list` and `tenbin history` show: which, in which order, and as a table for spreadsheets.

use crate::args::StoredRuns;
use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use tenbin_model::continued::common_trials;
use tenbin_model::summary::StoredRun;
use tenbin_report::export::{harmless, quoted};
use tenbin_report::store::{self, Listed};
use tenbin_terminal::exit;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// This many are shown on a terminal unless others are asked for.
const SHOWN: usize = 20;

/// Stored runs.
pub struct Chosen {
    /// Those that were asked for.
    pub runs: Vec<Listed>,
    /// How many there are in the folder.
    pub in_folder: usize,
}

/// The stored runs with the tag that was asked for, of this plan if one is named, the newest first. Those without a known time
/// come last.
pub fn chosen(stored: &StoredRuns, plan: Option<&str>) -> Result<Chosen, Problem> {
    // As they are in what is read of runs: without control characters.
    let plan = plan.map(plan_name).map(|name| visible(&name).into_owned());
    let tag = stored.tag.as_ref().map(|tag| visible(tag).into_owned());
    let mut runs = store::list(&stored.runs)?;
    let in_folder = runs.len();
    runs.retain(|run| {
        plan.as_ref().is_none_or(|name| run.name == *name)
            && tag.as_ref().is_none_or(|tag| run.labels.tags.contains(tag))
    });
    // Their names contain local times, which are not in order when the clocks change.
    runs.sort_by_cached_key(|run| Reverse((store::moment(&run.started), run.dir.clone())));
    Ok(Chosen { runs, in_folder })
}

/// Refuses to compare a run with itself, or with one that continues it: by their paths, and of runs that were read by what is in them.
pub fn are_different(dirs: &[PathBuf], read: &[StoredRun]) -> Result<(), Problem> {
    let path = |dir: &PathBuf| dir.canonicalize().ok();
    let digest = |at: usize| read.get(at).and_then(|run| run.summary.record.digest.as_ref());
    for (at, dir) in dirs.iter().enumerate() {
        let is_same = |before: usize| {
            let by_path = path(&dirs[before]).is_some_and(|other| path(dir) == Some(other));
            by_path || digest(before).is_some_and(|other| digest(at) == Some(other))
        };
        if let Some(before) = (0..at).find(|before| is_same(*before)) {
            let (first, second) = (dirs[before].display(), dir.display());
            return Err(Problem::new(msg!("compared-run-is-same", first, second)).hint(msg!("tenbin-list-shows-runs")));
        }
    }
    for (at, second) in read.iter().enumerate() {
        for (before, first) in read.iter().enumerate().take(at) {
            let n = common_trials(&first.summary, &second.summary);
            if let (1.., Some(first), Some(second)) = (n, dirs.get(before), dirs.get(at)) {
                let what = msg!("compared-run-is-continued", first = first.display(), second = second.display());
                return Err(Problem::new(what)
                    .evidence(msg!("trials-in-both-runs", n))
                    .hint(msg!("tenbin-list-shows-runs")));
            }
        }
    }
    Ok(())
}

/// Says what is missing or damaged in a run: first of all, and in a note, what was not begun because the user stopped the run. Where several are
/// read, each line names its run.
pub fn complain(of_several: Option<&Path>, doubts: &[Problem]) {
    let (notes, errors): (Vec<&Problem>, _) = doubts.iter().partition(|doubt| doubt.code() == Some(store::NOT_BEGUN));
    let named = |doubt: &Problem| match of_several {
        Some(run) => {
            let what = msg!("in-file", file = run.display(), what = doubt.what);
            Problem { what, ..doubt.clone() }
        }
        None => doubt.clone(),
    };
    notes.into_iter().for_each(|note| exit::remark(&named(note)));
    errors.into_iter().for_each(|error| exit::complain(&named(error)));
}

/// How many of them are shown. What programs read has all of them, unless fewer are asked for.
pub fn shown(stored: &StoredRuns, all: usize) -> usize {
    let is_for_programs = stored.json || stored.csv;
    match stored.last {
        Some(last) => last.min(all),
        None if stored.all || is_for_programs => all,
        None => SHOWN.min(all),
    }
}

/// The name of a plan: that in the file of this name, or the argument itself.
pub fn plan_name(plan: &str) -> String {
    let text = tenbin_intake::text(Path::new(plan), tenbin_intake::SMALL).ok();
    let read = text.and_then(|text| tenbin_model::plan::Plan::parse(&text, &tenbin_workloads::catalog()).ok());
    read.map_or_else(|| plan.to_owned(), |plan| plan.name)
}

/// The first columns of a run: what it is, when it was, what it is called, whether it is valid.
pub const COLUMNS: &str = "run,date,label,verdict";

/// Their values.
pub fn fields(run: &Listed) -> String {
    let verdict = run.outcome.as_ref().map_or("", |outcome| outcome.verdict.name());
    let label = run.labels.name.clone().unwrap_or_default();
    [run.dir.display().to_string(), run.started.clone(), label, verdict.to_owned()].map(|text| field(&text)).join(",")
}

/// Text as a field of CSV, which no spreadsheet evaluates.
pub fn field(text: &str) -> String {
    quoted(harmless(text.into())).into_owned()
}

/// Its name and its tags as one text.
pub fn labels(run: &Listed) -> String {
    let labels = run.labels.name.iter().chain(&run.labels.tags).map(|label| visible(label).into_owned());
    labels.collect::<Vec<_>>().join(", ")
}
