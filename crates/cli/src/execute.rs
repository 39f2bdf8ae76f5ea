//! Shared by `run`, `demo` and `bench`: runs trials, with run directory, progress, page, table and exit code.

use crate::args::{LiveMetrics, Output};
use crate::gating;
use crate::kept_copies;
use crate::metrics::MetricsEndpoint;
use crate::plan_file::placed;
use crate::table;
use crate::terminal::Terminal;
use std::path::Path;
use tenbin_lab::forecast::{Look, forecast};
use tenbin_lab::{Listener, Request};
use tenbin_model::event::{Event, Sink};
use tenbin_model::record::{Record, RecordState};
use tenbin_model::summary::Summary;
use tenbin_report::{export, page, store};
use tenbin_servers::sandbox;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::language::language_of_environment;
use tenbin_terminal::signals;
use tenbin_terminal::words::TerminalWords;
use tenbin_verdict::try_out;
use tenbin_verdict::why;
use tenbin_words::language::Language;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;

/// Runs and reports. The run directory is written continuously; page and table are created at the end, also of a
/// stopped run.
///
/// `plan`: the file of the plan, with which a stopped run can be resumed. `metrics`: where live figures are served.
pub fn execute(
    request: &Request,
    output: &Output,
    language: Option<Language>,
    plan: Option<&Path>,
    metrics: Option<&LiveMetrics>,
) -> Result<Exit, Problem> {
    let stop = signals::listen()?;
    let language = language.unwrap_or_else(language_of_environment);
    let address = metrics.and_then(|live| live.metrics.as_deref());
    let metrics = address.map(MetricsEndpoint::listen).transpose()?;
    tenbin_lab::recover(request)?.iter().for_each(exit::remark);
    let wrong = forecast(request, Look::Servers, &stop).refusals;
    if !wrong.is_empty() || stop.asked() {
        // Before anything is created: there is nothing to keep yet.
        wrong
            .iter()
            .for_each(|problem| exit::complain(&plan.map_or_else(|| problem.clone(), |file| placed(file, problem))));
        return Ok(if stop.asked() { Exit::Interrupted } else { Exit::Usage });
    }
    let mut sinks = Sinks {
        metrics,
        store: store::Store::create(&output.runs, output.label.name.as_ref().unwrap_or(&request.name))?,
        terminal: Terminal::start(output.json, language),
        summary: Summary::default(),
    };
    if !output.label.is_empty() {
        sinks.summary.labels = store::add_labels(sinks.store.dir(), output.label.labels())?;
    }
    let outcome = tenbin_lab::run(request, &mut sinks, &stop);
    let Sinks { mut store, terminal, mut summary, metrics: _ } = sinks;
    terminal.finish();
    sandbox::left().iter().for_each(exit::remark);
    if !store.began() {
        // No trial reached its first phase. A directory without a measurement is useless.
        let discarded = store.discard();
        // Otherwise the reason has been reported.
        outcome?;
        discarded?;
        return Ok(if stop.asked() { Exit::Interrupted } else { Exit::Usage });
    }
    store.conclude(&summary);
    if let Some(digest) = store.digest().map(str::to_owned) {
        summary.record = Record { state: RecordState::Unchanged, digest: Some(digest) };
    }
    let dir = store.dir().to_path_buf();
    let closed = store.close();
    // A directory that was deleted meanwhile is not saved and has no page, which was reported then.
    let there = dir.join("events.jsonl").exists();
    let page = there.then(|| page::write(&dir, language));
    // Measurements are shown whatever went wrong.
    let page_is_at = page.as_ref().and_then(|page| page.as_deref().ok());
    conclude(&summary, there.then_some(&*dir), page_is_at, output, language);
    if let Some(plan) = plan.filter(|_| stop.asked() && there && !output.json) {
        let [plan, dir] = [plan, &*dir].map(|path| shell::word(&path.display().to_string()));
        let label = TerminalWords::new(language).label(msg!("label-resume"));
        exit::print(&format!("{label} tenbin run {plan} --resume {dir}"));
    }
    if let Some(copies) = kept_copies::of_run(request).filter(|_| !output.json) {
        let hint = msg!("tenbin-data-remove-unused");
        exit::remark(&Problem::new(copies).hint(hint));
    }
    let kept = outcome.err().or(closed.err());
    let problems: Vec<Problem> = kept.into_iter().chain(page.and_then(Result::err)).collect();
    problems.iter().for_each(exit::complain);
    if !problems.is_empty() {
        return Ok(Exit::Errors);
    }
    Ok(match exit::of(&summary, stop.asked(), output.strict) {
        // Failed transactions are what a limit of errors is about.
        Exit::Ok | Exit::Errors if gating::is_closed(&summary, language, output.json) => Exit::Gate,
        exit => exit,
    })
}

fn conclude(summary: &Summary, dir: Option<&Path>, page: Option<&Path>, output: &Output, language: Language) {
    if output.json {
        exit::print(&export::json(summary, dir));
    } else {
        exit::print(&table::result(summary, language));
        let words = TerminalWords::new(language);
        if let Some(works) = try_out::works(summary) {
            let says = if works { msg!("try-out-works", n = summary.trials.len()) } else { msg!("try-out-fails") };
            exit::print(&format!("{} {}", words.label(msg!("label-try-out")), words.text(says)));
        }
        if let Some(dir) = dir {
            exit::print(&format!("{} {}", words.label(msg!("label-saved")), dir.display()));
        }
        if let Some(digest) = summary.record.digest.as_ref().filter(|_| dir.is_some()) {
            exit::print(&format!("{} {digest}", words.label(msg!("label-digest"))));
        }
        if let Some(page) = page {
            exit::print(&format!("{} {}", words.label(msg!("label-page")), page.display()));
        }
        // An embedded database has no server that could be the limit.
        if let Some(dir) = dir.filter(|_| !why::of_targets(summary).is_empty()) {
            let dir = shell::word(&dir.display().to_string());
            exit::print(&format!("{} tenbin show {dir} --why", words.label(msg!("label-next"))));
        }
    }
}

/// The listeners of a run. The store comes first: events that cannot be stored are not shown.
struct Sinks {
    store: store::Store,
    terminal: Terminal,
    summary: Summary,
    metrics: Option<MetricsEndpoint>,
}

impl Sink for Sinks {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.store.receive(event)?;
        self.summary.take(event);
        self.terminal.show(event, &self.summary);
        self.metrics.iter().for_each(|metrics| metrics.take(event));
        Ok(())
    }
}

impl Listener for Sinks {
    fn summary(&self) -> &Summary {
        &self.summary
    }
}
