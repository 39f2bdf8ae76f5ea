//! Drives the cells and prints each as mysqlslap does, when its last iteration is over.

use super::asked::Asked;
use super::block::Cell;
use super::{Program, plan};
use crate::face::kept::{self, Kept};
use crate::{exit, signals};
use std::collections::BTreeMap;
use std::io::Write;
use tenbin_lab::Listener;
use tenbin_model::dsn::{Password, Scheme};
use tenbin_model::event::{Event, Severity, Sink, State};
use tenbin_model::msg;
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::trial::Trial;
use tenbin_workload::{Found, slap};

/// Runs everything; whether it went well to the last statement.
pub fn run(asked: &Asked, program: Program) -> bool {
    let Some(planned) = plan::plan(asked) else { return false };
    let stop = match signals::listen() {
        Ok(stop) => stop,
        Err(problem) => return program.complain(&problem),
    };
    let quiet = asked.silent || kept::quiet();
    let mut well = true;
    let kept = Kept::open("mysqlslap", |p| well = program.complain(p));
    let mut everyone =
        Everyone { asked, program, kept, summary: Summary::default(), cell: None, well, stop: stop.clone() };
    if asked.verbose >= 3 {
        slap::show_to(exit::say);
    }
    stages(asked, &["Parsing engines to use.", "Starting Concurrency Test"]);
    let outcome = tenbin_lab::run(&planned.request, &mut everyone, &stop);
    let Everyone { kept, summary, mut well, .. } = everyone;
    if let Err(problem) = &outcome {
        well = program.complain(&asked.words.told(problem));
    }
    if asked.makes && !asked.no_drop {
        let outcome = dropped(asked, &planned.request.trials, &planned.request.passwords);
        // A server that is gone has been told of already.
        if let (Err(problem), true) = (outcome, well) {
            well = program.complain(&asked.words.told(&problem));
        }
    }
    kept::doubted(&summary);
    kept.close(quiet, |p| {
        program.complain(p);
    });
    well && !stop.asked()
}

/// Drops what was made, and nothing else.
fn dropped(asked: &Asked, trials: &[Trial], passwords: &BTreeMap<String, Password>) -> Result<(), Problem> {
    let Some(trial) = trials.first() else { return Ok(()) };
    // Only what carries our mark: whatever was there before has been dropped, or is to stay.
    let mut data = asked.data.clone();
    data.remove("allow_drop");
    let dataset = tenbin_workload::dataset("slap", &data, Scheme::Mysql)?;
    let connector = tenbin_lab::connector(&trial.target, passwords)?;
    match dataset.inspect(&connector)? {
        Found::Ready { ours: true } | Found::Different { ours: true, .. } => dataset.drop_ours(&connector),
        _ => Ok(()),
    }
}

/// Tells a stage, with -vv.
pub fn stages(asked: &Asked, lines: &[&str]) {
    if asked.verbose >= 2 {
        lines.iter().for_each(|line| exit::say(line));
    }
}

/// The listeners of a run.
struct Everyone<'a> {
    asked: &'a Asked,
    program: Program,
    kept: Kept,
    summary: Summary,
    /// The cell under way, by its number in the plan.
    cell: Option<(u32, Cell)>,
    well: bool,
    stop: StopSignal,
}

impl Sink for Everyone<'_> {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.kept.receive(event, |p| {
            self.program.complain(p);
        });
        self.summary.take(event);
        match event {
            Event::Note { severity: Severity::Error, problem, .. } => {
                self.well = self.program.complain(&self.asked.words.told(problem))
            }
            // With -vvv who makes the schema says so where it is true, among the statements.
            Event::TrialStarted { .. } if self.asked.makes && self.asked.verbose >= 3 => {}
            Event::TrialStarted { .. } => {
                let loading: &[&str] = if self.asked.makes { &["Loading Pre-data"] } else { &[] };
                stages(self.asked, loading);
                stages(self.asked, &["Generating primary key list"]);
            }
            Event::TrialFinished { trial, state, .. } => self.finished(*trial, *state),
            _ => {}
        }
        Ok(())
    }
}

impl Listener for Everyone<'_> {
    fn summary(&self) -> &Summary {
        &self.summary
    }
}

impl Everyone<'_> {
    fn finished(&mut self, number: u32, state: State) {
        let Some(result) = self.summary.trial(number).cloned() else { return };
        if result.measured_ns() == 0 && result.tally.accounting.scheduled == 0 && state != State::Complete {
            // It never began: there is nothing to print, and the next would not either.
            (self.well, self.cell) = (false, None);
            return self.stop.ask();
        }
        let trial = &result.trial;
        let begun = match self.cell.take() {
            Some((cell, begun)) if cell == trial.cell => begun,
            _ => self.begin(trial),
        };
        let mut cell = begun;
        cell.took_ns.push(result.measured_ns());
        cell.wrong.extend(wrong(&result, trial.repeat));
        if self.asked.queries == 0 && self.asked.execute == 0 && self.asked.list.is_none() {
            cell.queries_per_client = result.tally.accounting.completed / u64::from(trial.load.clients);
        }
        self.well &= cell.wrong.is_empty();
        self.more(&result);
        if trial.repeat == self.asked.iterations {
            self.print(&cell);
        } else {
            self.cell = Some((trial.cell, cell));
        }
    }

    fn begin(&self, trial: &Trial) -> Cell {
        let clients = trial.load.clients;
        let engine = trial.axes.iter().find(|(name, _)| name == "dataset.engine").map_or("", |(_, value)| value);
        Cell {
            engine: engine.split(':').next().unwrap_or("").to_owned(),
            load_type: self.asked.load_type,
            clients,
            took_ns: Vec::new(),
            queries_per_client: match (self.asked.queries, self.asked.execute) {
                (0, 0) => self.asked.list.unwrap_or(0),
                (0, each) => each,
                (all, _) => all / u64::from(clients),
            },
            wrong: Vec::new(),
        }
    }

    fn print(&self, cell: &Cell) {
        stages(self.asked, &["Generating stats"]);
        if !self.asked.silent {
            exit::say(&cell.block());
        }
        match &self.asked.csv {
            None => {}
            Some(None) => exit::say(&cell.csv()),
            Some(Some(path)) => {
                let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
                if let Err(e) = file.and_then(|mut f| writeln!(f, "{}", cell.csv())) {
                    self.program.complain(&Problem::new(msg!(
                        "file-cannot-be-written-because",
                        file = path,
                        error = e
                    )));
                }
            }
        }
    }

    /// What mysqlslap does not tell: connecting apart, both readings of "ms per query", rows read for a query.
    fn more(&self, result: &TrialResult) {
        let done = result.tally.accounting.completed;
        if self.asked.verbose == 0 || done == 0 {
            return;
        }
        let clients = f64::from(result.trial.load.clients);
        let (ms, done) = (result.measured_ns() as f64 / 1e6, done as f64);
        let all = result.tally.all_transactions();
        let connect = result.tally.statements.get("connect").map_or(0.0, |s| s.service.mean_ns() / 1e6);
        let rows: f64 = ["handler_read_rnd_next", "handler_read_next", "handler_read_key"]
            .iter()
            .filter_map(|name| result.observed_change("server.status", name))
            .sum();
        exit::tell(&format!(
            "tenbin: iteration {}: {:.3} ms per query of one client, {:.3} ms per query of all; p99 {:.3} ms; connecting took {connect:.3} ms; {:.1} rows read per query",
            result.trial.repeat,
            ms * clients / done,
            ms / done,
            all.response.quantile_ns(0.99) as f64 / 1e6,
            rows / done,
        ));
    }
}

/// What kept an iteration from being whole.
fn wrong(result: &TrialResult, repeat: u32) -> Vec<String> {
    let mut lines = Vec::new();
    let failed = result.tally.accounting.failed;
    if failed > 0 {
        let mut kinds: Vec<String> = Vec::new();
        for (name, statement) in &result.tally.statements {
            kinds.extend(statement.errors.iter().map(|(error, n)| format!("{name}: {n} × error {error}")));
        }
        let clients = if failed == 1 { "1 client".to_owned() } else { format!("{failed} clients") };
        lines.push(format!("iteration {repeat}: {clients} stopped at an error ({})", kinds.join(", ")));
    }
    if result.state != Some(State::Complete) && failed == 0 {
        lines.push(format!("iteration {repeat} was cut short"));
    }
    lines
}
