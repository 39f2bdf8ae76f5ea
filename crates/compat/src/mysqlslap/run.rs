//! Runs the cells and prints each like mysqlslap, after its last iteration.

use super::block::CellBlock;
use super::parts::{self, Part};
use super::settings::Settings;
use super::{Program, plan};
use crate::kept::{self, KeptRun};
use std::collections::BTreeMap;
use std::io::Write;
use tenbin_lab::{Claims, Listener};
use tenbin_model::dsn::{Password, Scheme};
use tenbin_model::event::{EndState, Event, Phase, Severity, Sink};
use tenbin_model::names::observer;
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_model::trial::Trial;
use tenbin_slap as slap;
use tenbin_terminal::{exit, signals};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// Runs everything; returns whether every statement succeeded.
pub fn run(settings: &Settings, program: Program) -> bool {
    // While the plan is made.
    tenbin_lab::look_at_machine();
    // Before anything is run: afterwards the result would be lost.
    if let Some(Some(path)) = &settings.csv
        && let Err(e) = appended(path)
    {
        return program.complain(&unwritable(path, &e));
    }
    let stop = match signals::listen_silently() {
        Ok(stop) => stop,
        Err(problem) => return program.complain(&problem),
    };
    if settings.verbose >= 3 {
        slap::show_to(exit::print);
    }
    slap::failures_to(move |sql, why| program.write(&format!("Cannot run query {sql} ERROR : {why}")));
    stages(settings, &["Parsing engines to use.", "Starting Concurrency Test"]);
    let (mut well, mut cell) = (true, None);
    for part in parts::of(settings) {
        well &= run_part(&part, program, &stop, &mut cell);
        // With one client more it would not be better.
        if stop.asked() || !well && settings.concurrency.is_empty() {
            break;
        }
    }
    well && !stop.asked()
}

/// Runs a part; `cell` is the one that has begun in the parts before.
fn run_part(part: &Part, program: Program, stop: &StopSignal, cell: &mut Option<(u32, CellBlock)>) -> bool {
    let settings = &part.settings;
    let planned = match plan::plan(settings) {
        Ok(planned) => planned,
        Err(problems) => {
            for problem in problems {
                program.complain(&settings.words.told(&problem));
            }
            return false;
        }
    };
    let quiet = settings.silent || kept::quiet();
    // With few open files the run itself has them.
    let kept = match plan::has_open_files(settings, plan::OF_RUN) {
        true => KeptRun::open("mysqlslap", quiet),
        false => {
            KeptRun::without(Problem::new(msg!("too-few-open-files-to-store")), "raise the limit: ulimit -n", quiet)
        }
    };
    let mut sinks = Sinks {
        settings,
        part,
        program,
        kept,
        summary: Summary::default(),
        cell: cell.take(),
        well: true,
        has_made: false,
        stop: stop.clone(),
    };
    let outcome = tenbin_lab::run(&planned.request, &mut sinks, stop);
    let Sinks { kept, summary, mut well, has_made, cell: begun, .. } = sinks;
    *cell = begun;
    if let Err(problem) = &outcome {
        well = program.complain(&settings.words.told(problem));
    }
    // A run that was refused has made nothing: the schema is that of the run that it would have been in the way of.
    if has_made && !settings.no_drop {
        let outcome = dropped(settings, &planned.request.trials, &planned.request.passwords);
        // A server that is gone has been reported already.
        if let (Err(problem), true) = (outcome, well) {
            well = program.complain(&settings.words.told(&problem));
        }
    }
    kept::doubted(&summary, &[]);
    kept.close(&summary);
    well && !stop.asked()
}

/// Drops what was created, and nothing else: not from under another run, which may have begun since this one has ended.
fn dropped(settings: &Settings, trials: &[Trial], passwords: &BTreeMap<String, Password>) -> Result<(), Problem> {
    let Some(trial) = trials.first() else { return Ok(()) };
    // Only objects with our mark: those that existed before have been dropped, or must be kept.
    let mut data = settings.data.clone();
    data.remove("allow_drop");
    let dataset = tenbin_workloads::dataset("slap", &data, Scheme::Mysql)?;
    let connector = tenbin_lab::connector(&trial.target, passwords)?.keeping_connections();
    let mut claims = Claims::new("mysqlslap");
    if claims.take(&trial.target, &connector, &*dataset).is_err_and(|problem| problem.what.is("schema-in-use")) {
        return Ok(());
    }
    match dataset.drop_ours(&connector) {
        // Somebody else's by now.
        Err(problem) if problem.what.is("schema-not-ours") => Ok(()),
        done => done,
    }
}

/// Prints a stage, with -vv.
pub fn stages(settings: &Settings, lines: &[&str]) {
    if settings.verbose >= 2 {
        lines.iter().for_each(|line| exit::print(line));
    }
}

/// The listeners of a run.
struct Sinks<'a> {
    settings: &'a Settings,
    part: &'a Part,
    program: Program,
    kept: KeptRun,
    summary: Summary,
    /// The current cell, by its number in the plan.
    cell: Option<(u32, CellBlock)>,
    well: bool,
    /// Whether it has begun to make the schema.
    has_made: bool,
    stop: StopSignal,
}

impl Sink for Sinks<'_> {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.kept.receive(event);
        self.summary.take(event);
        match event {
            Event::Note { severity: Severity::Error, problem, .. } => {
                self.well = self.program.complain(&self.settings.words.told(problem))
            }
            Event::PhaseStarted { phase: Phase::Load, .. } => self.has_made = true,
            // With -vvv the creation of the schema is printed among the statements.
            Event::TrialStarted { .. } if self.settings.makes && self.settings.verbose >= 3 => {}
            Event::TrialStarted { .. } => {
                let loading: &[&str] = if self.settings.makes { &["Loading Pre-data"] } else { &[] };
                stages(self.settings, loading);
                stages(self.settings, &["Generating primary key list"]);
            }
            Event::TrialFinished { trial, state, .. } => self.finished(*trial, *state),
            _ => {}
        }
        Ok(())
    }
}

impl Listener for Sinks<'_> {
    fn summary(&self) -> &Summary {
        &self.summary
    }
}

impl Sinks<'_> {
    fn finished(&mut self, number: u32, state: EndState) {
        let Some(result) = self.summary.trial(number).cloned() else { return };
        if result.measured_ns() == 0 && result.tally.accounting.scheduled == 0 && state != EndState::Complete {
            // It never started: there is nothing to print, and the next would not start either.
            (self.well, self.cell) = (false, None);
            return self.stop.ask();
        }
        if signals::received() && state != EndState::Complete {
            // The real one has ended without a word by then.
            (self.well, self.cell) = (false, None);
            return;
        }
        let trial = &result.trial;
        let begun = match self.cell.take() {
            Some((cell, begun)) if cell == trial.cell => begun,
            _ => self.begin(trial),
        };
        let mut cell = begun;
        cell.took_ns.push(result.measured_ns());
        let repeat = self.part.before + trial.repeat;
        cell.wrong.extend(wrong(&result, repeat));
        if self.settings.queries == 0 && self.settings.execute == 0 && self.settings.list.is_none() {
            cell.queries_per_client = result.tally.accounting.completed / u64::from(trial.load.clients);
        }
        self.well &= cell.wrong.is_empty();
        self.more(&result, repeat);
        if trial.repeat == self.settings.iterations && self.part.is_last {
            self.print(&cell);
        } else {
            self.cell = Some((trial.cell, cell));
        }
    }

    fn begin(&self, trial: &Trial) -> CellBlock {
        let clients = trial.load.clients;
        let of_data = trial.axes.iter().find(|(name, _)| name == "dataset.engine").map(|(_, value)| value.as_str());
        let name = trial.experiment.split(plan::AGAIN).next().unwrap_or_default();
        let of_experiment = (name != plan::NAME).then_some(name);
        let engine = of_data.or(of_experiment).unwrap_or("");
        CellBlock::begin(self.settings, engine, clients)
    }

    fn print(&mut self, cell: &CellBlock) {
        stages(self.settings, &["Generating stats"]);
        if !self.settings.silent {
            exit::print(&cell.block());
        }
        match &self.settings.csv {
            None => {}
            Some(None) => exit::print(&cell.csv()),
            Some(Some(path)) => {
                if let Err(e) = appended(path).and_then(|mut f| writeln!(f, "{}", cell.csv())) {
                    self.well = self.program.complain(&unwritable(path, &e));
                }
            }
        }
    }

    /// What mysqlslap does not print: connecting separately, both definitions of "ms per query", rows read per query.
    fn more(&self, result: &TrialResult, repeat: u32) {
        let done = result.tally.accounting.completed;
        if self.settings.verbose == 0 || done == 0 {
            return;
        }
        let clients = f64::from(result.trial.load.clients);
        let (ms, done) = (result.measured_ns() as f64 / 1e6, done as f64);
        let all = result.tally.all_transactions();
        let connect = result.tally.statements.get("connect").map_or(0.0, |s| s.service.mean_ns() / 1e6);
        // Nothing is said of rows if the server's counters are not known.
        let rows: Option<f64> = ["handler_read_rnd_next", "handler_read_next", "handler_read_key"]
            .iter()
            .map(|name| result.observed_change(observer::SERVER_STATUS, name))
            .sum();
        let rows = rows.map_or_else(String::new, |rows| format!("; {:.1} rows read per query", rows / done));
        exit::print_error(&format!(
            "tenbin: iteration {repeat}: {:.3} ms per query of one client, {:.3} ms per query of all; p99 {:.3} ms; connecting took {connect:.3} ms{rows}",
            ms * clients / done,
            ms / done,
            all.response.quantile_ns(0.99) as f64 / 1e6,
        ));
    }
}

/// The file of `--csv`, made if it is not there.
pub fn appended(path: &str) -> std::io::Result<std::fs::File> {
    std::fs::OpenOptions::new().append(true).create(true).open(path)
}

/// It cannot be written.
pub fn unwritable(path: &str, error: &std::io::Error) -> Problem {
    // As mysqlslap begins the line.
    Problem::new(msg!("slap-csv-not-opened", path)).evidence(foreign(error))
}

/// What made an iteration incomplete.
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
    if result.state != Some(EndState::Complete) && failed == 0 {
        lines.push(format!("iteration {repeat} was cut short"));
    }
    lines
}
