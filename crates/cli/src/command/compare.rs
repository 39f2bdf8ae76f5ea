//! `tenbin compare RUN RUN …`: stored runs side by side, as if they were targets of one run.

use super::report;
use crate::args::{AllowedChange, Compare, Format};
use crate::command::stored_runs;
use std::collections::BTreeSet;
use std::path::Path;
use tenbin_model::changed_server;
use tenbin_model::summary::{StoredRun, Summary};
use tenbin_report::store::{self, Recording};
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::language::{language, language_of_environment};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub fn compare(a: &Compare) -> Result<Exit, Problem> {
    let language = language(a.lang.as_deref())?.unwrap_or_else(language_of_environment);
    stored_runs::are_different(&a.runs, &[])?;
    let labels = labels(a)?;
    report::is_no_input(a.out.as_deref(), &a.runs)?;
    let mut doubts = Vec::new();
    let mut runs = Vec::new();
    for (dir, label) in a.runs.iter().zip(labels) {
        let Recording { summary, doubts: of_run } = store::read(dir)?;
        stored_runs::complain(Some(dir), &of_run);
        doubts.extend(of_run);
        runs.push(StoredRun { label, summary });
    }
    stored_runs::are_different(&a.runs, &runs)?;
    let changed = changed_server::between(&runs).into_iter().find(|server| server.is_same);
    if let Some(server) = changed.filter(|_| !a.allow.contains(&AllowedChange::ChangedServer)) {
        return Err(Problem::new(msg!("compared-server-changed", target = server.target))
            .evidence(changed_server::words(&server.changes))
            .hint(msg!("allow-compare-changed-server")));
    }
    let cells = Message::joined(runs.iter().map(cells), "; ");
    let summary = Summary::compared(runs);
    if !summary.has_common_cell() {
        return Err(Problem::new(msg!("runs-have-no-common-cell"))
            .evidence(cells)
            .hint(msg!("compare-runs-of-one-plan")));
    }
    let format = if a.json { Format::Json } else { a.format };
    report::write(format, (&summary, &doubts, None), a.out.as_deref(), language)?;
    Ok(match exit::of(&summary, false, a.strict) {
        Exit::Ok if !doubts.is_empty() => Exit::Errors,
        exit => exit,
    })
}

/// What the runs are called: as asked, or by their directories.
fn labels(a: &Compare) -> Result<Vec<String>, Problem> {
    let of_dir = |dir: &Path| {
        let whole = dir.canonicalize().ok();
        let whole = whole.map(|whole| if store::is_bundle(dir) { store::beside_bundle(&whole, "") } else { whole });
        let name = whole.and_then(|whole| whole.file_name().map(|name| name.to_string_lossy().into_owned()));
        name.unwrap_or_else(|| dir.display().to_string())
    };
    let labels: Vec<String> = match a.names.as_slice() {
        [] => a.runs.iter().map(|dir| of_dir(dir)).collect(),
        names => names.to_vec(),
    };
    let distinct: BTreeSet<&String> = labels.iter().collect();
    if labels.len() != a.runs.len() || distinct.len() != labels.len() {
        let (names, runs) = (labels.len(), a.runs.len());
        return Err(Problem::new(msg!("compare-names-do-not-fit", names, runs)).hint(msg!("compare-names-example")));
    }
    Ok(labels)
}

/// The cells of a run, for the refusal of runs that have none in common.
fn cells(run: &StoredRun) -> Message {
    let names: BTreeSet<String> =
        run.summary.trials.iter().map(|t| tenbin_model::summary::label(&t.trial.axes)).collect();
    let names: Vec<String> =
        names.into_iter().take(4).map(|name| if name.is_empty() { "–".into() } else { name }).collect();
    foreign(format_args!("{}: {}", run.label, names.join(" | ")))
}
