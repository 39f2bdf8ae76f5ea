//! `sysbench TEST run`: drives the test, prints what sysbench prints, and keeps beside it what sysbench never kept.

use super::asked::Asked;
use super::database::Address;
use super::plan::{self, Options};
use super::printer::{FATAL, INFO, NOTICE, Printer, say};
use super::text::{Form, Look};
use super::typed::Typed;
use super::{Code, host, prepare, seed_of};
use crate::face::kept::{self, Kept};
use crate::{exit, signals};
use std::sync::Arc;
use tenbin_lab::Listener;
use tenbin_model::event::{Event, Sink, State};
use tenbin_model::problem::Problem;
use tenbin_model::summary::Summary;
use tenbin_workload::Workload;
use tenbin_workload::script::Script;

/// What the clients do.
pub struct Load {
    /// The test's name, as a plan and a run directory have it.
    pub name: String,
    /// Whether it speaks to a database; `None`: it shows.
    pub sql: Option<bool>,
    pub options: Options,
    /// Made already, when it is a script.
    pub workload: Option<Arc<dyn Workload>>,
}

/// Runs a test; `script` may have reports of its own.
pub fn run(
    typed: &Typed,
    asked: &Asked,
    form: Form,
    address: &Address,
    load: &Load,
    script: Option<&Script>,
) -> Result<Code, String> {
    if let Some(script) = script {
        script.init(asked.threads).map_err(|p| prepare::told(&asked.words, &p))?;
    }
    let mut head = head(asked);
    head.extend(host::head(&load.name, &load.options, asked.events.unwrap_or(0)));
    say(asked.verbosity, NOTICE, &head.join("\n"));
    let look = Look {
        form,
        sql: load.sql.unwrap_or(false),
        files: load.name == "fileio",
        percentiles: asked.percentiles.clone(),
        histogram: asked.histogram,
        debug: asked.verbosity == 5,
        unfinished: None,
    };
    let Some(request) = plan::plan(typed, asked, load, address, seed_of(asked)) else { return Ok(Code::Failed) };
    say(asked.verbosity, NOTICE, "Initializing worker threads...\n");
    let stop = signals::listen().map_err(|p| p.what.english().to_owned())?;
    let quiet = asked.verbosity < NOTICE || kept::quiet();
    let kept = Kept::open(plan::title(&load.name), |p| {
        if !quiet {
            exit::complain(p);
        }
    });
    let printer = Printer::new(&load.name, look, asked, script);
    let mut everyone = Everyone { kept, printer, summary: Summary::default() };
    let outcome = tenbin_lab::run(&request, &mut everyone, &stop);
    let Everyone { kept, mut printer, summary } = everyone;
    if let Err(problem) = &outcome {
        exit::complain(&asked.words.told(problem));
    }
    let measured = summary.trials.first();
    let mut forced = false;
    if let Some(trial) = measured.filter(|_| printer.started()) {
        let open = trial.tally.accounting.open.max(0);
        forced =
            open > 0 && trial.state == Some(State::Complete) && asked.forced_shutdown_s.is_some() && asked.rate == 0;
        if forced {
            say(asked.verbosity, FATAL, "FATAL: The --max-time limit has expired, forcing shutdown...");
            printer.unfinished(open as u64);
        }
        if trial.state == Some(State::Complete) && asked.events.is_none() {
            say(asked.verbosity, INFO, "Time limit exceeded, exiting...");
        }
        say(asked.verbosity, INFO, "Done.\n");
        printer.conclude(trial.window_ns.1, &trial.per_client);
    }
    if let Some(script) = script {
        // Whatever it comes to, what was measured is measured.
        if let Err(problem) = script.done() {
            say(asked.verbosity, FATAL, &format!("FATAL: {}", prepare::told(&asked.words, &problem)));
        }
    }
    kept::doubted(&summary);
    kept.close(quiet, exit::complain);
    let failed = measured.is_some_and(|t| t.tally.accounting.failed > 0) && !plan::ignores_loss(typed);
    Ok(match (&outcome, summary.state) {
        _ if stop.asked() => Code::Interrupted,
        _ if forced => Code::Forced,
        (Ok(_), Some(State::Complete)) if !failed => Code::Done,
        _ => Code::Failed,
    })
}

/// The head of a run: what it was told to do.
fn head(asked: &Asked) -> Vec<String> {
    let mut head = vec!["Running the test with following options:".to_owned()];
    head.push(format!("Number of threads: {}", asked.threads));
    if asked.warmup_s > 0.0 {
        head.push(format!("Warmup time: {}s", asked.warmup_s));
    }
    if asked.rate > 0 {
        head.push(format!("Target transaction rate: {}/sec", asked.rate));
    }
    if asked.report_interval_s > 0 {
        head.push(format!("Report intermediate results every {} second(s)", asked.report_interval_s));
    }
    if !asked.checkpoints_s.is_empty() {
        let at: Vec<String> = asked.checkpoints_s.iter().map(u64::to_string).collect();
        head.push(format!("Report checkpoint(s) at {} seconds", at.join(", ")));
    }
    if asked.debug {
        head.push("Debug mode enabled.\n".to_owned());
    }
    if asked.validate {
        head.push("Validation checks: on.\n".to_owned());
    }
    head.push(match asked.seed {
        Some(seed) => format!("Initializing random number generator from seed ({seed}).\n"),
        None => "Initializing random number generator from current time\n".to_owned(),
    });
    if let Some(after_s) = asked.forced_shutdown_s {
        head.push(format!("Forcing shutdown in {after_s} seconds"));
    }
    head.push(String::new());
    head
}

/// The listeners of a run.
struct Everyone<'a> {
    kept: Kept,
    printer: Printer<'a>,
    summary: Summary,
}

impl Sink for Everyone<'_> {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.kept.receive(event, exit::complain);
        self.summary.take(event);
        self.printer.show(event);
        Ok(())
    }
}

impl Listener for Everyone<'_> {
    fn summary(&self) -> &Summary {
        &self.summary
    }
}
