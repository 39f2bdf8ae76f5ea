//! `tpcc_start`: runs the transactions with tpcc_start's output, and writes a run directory.

use super::arguments::Arguments;
use super::hint::HintContext;
use super::server::Server;
use super::settings::{Settings, resolve};
use super::text::{self, GENERATOR};
use super::trace::Trace;
use super::{Program, load, plan, schemas};
use crate::kept::{self, KeptRun};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tenbin_lab::{Listener, PrebuiltWorkload, Request};
use tenbin_model::event::{EndState, Event, Phase, Severity, Sink};
use tenbin_model::summary::Summary;
use tenbin_model::tally::Tally;
use tenbin_model::tpcc::TPCC_MYSQL;
use tenbin_model::trial::Target;
use tenbin_terminal::exit::{self, Exit};
use tenbin_terminal::signals;
use tenbin_verdict::tpcc_result::told_of;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::Workload;

/// Runs, and returns the exit code.
pub fn start(arguments: &Arguments, program: Program) -> Result<Exit, String> {
    let settings = resolve(arguments)?;
    let Some(mut planned) = plan::plan(&settings) else { return Ok(Exit::Usage) };
    exit::print(&format!("{} {}", text::banner(program.0, GENERATOR), told_of(TPCC_MYSQL).english()));
    load::repeat(&arguments.args);
    exit::print(&parameters(&settings).join("\n"));
    // With several databases a problem may not name its database: then the first is used.
    let server = settings.servers.first().unwrap_or(&settings.server);
    let here = HintContext { server, load: format!("-w {}", settings.warehouses), loads: false };
    let wrapped = Trace::open(&settings).and_then(|trace| {
        if trace.is_some() || settings.servers.len() > 1 {
            planned.request.workload = made(&planned.request, &settings, trace.as_ref())?;
        }
        Ok(trace)
    });
    let trace = match wrapped {
        Ok(trace) => trace,
        Err(problem) => {
            program.complain(&here.told(&problem));
            return Ok(Exit::Usage);
        }
    };
    let stop = signals::listen().map_err(|p| p.to_string())?;
    let mut sinks = Sinks {
        settings: &settings,
        here: &here,
        program,
        trace: trace.as_ref(),
        kept: KeptRun::open("tpcc_start", kept::quiet()),
        summary: Summary::default(),
        run: None,
        from_ns: None,
        ramped_up: false,
        line: Tally::default(),
        well: true,
    };
    let outcome = tenbin_lab::run(&planned.request, &mut sinks, &stop);
    let Sinks { kept, summary, mut well, from_ns, .. } = sinks;
    if let Err(problem) = &outcome {
        program.complain(&here.told(problem));
        well = false;
    }
    let measured = summary.trials.first().filter(|_| from_ns.is_some());
    if let Some(trial) = measured {
        exit::print(&format!("\nSTOPPING THREADS{}", ".".repeat(settings.connections as usize)));
        exit::print(&text::results(settings.form, &trial.tally, &settings.limits_ms, trial.measured_ns()));
        well &= trial.tally.accounting.failed == 0 && trial.tally.accounting.completed > 0;
        for (name, statement) in &trial.tally.statements {
            for (error, n) in &statement.errors {
                program.write(&format!("{name}: {n} × error {error}"));
            }
        }
    }
    // The wrapper of the workload holds a sender of the trace's channel.
    drop(planned);
    if let Some(Err(problem)) = trace.map(Trace::close) {
        program.complain(&problem);
        well = false;
    }
    kept::doubted(&summary, &[]);
    kept.close(&summary);
    Ok(match summary.state {
        _ if stop.asked() => Exit::Interrupted,
        Some(EndState::Complete) if well => Exit::Ok,
        _ => Exit::Usage,
    })
}

/// The workload, in each database, with tracing of its orders if requested.
fn made(request: &Request, settings: &Settings, trace: Option<&Trace>) -> Result<Option<PrebuiltWorkload>, Problem> {
    let Some(trial) = request.trials.first() else { return Ok(None) };
    let (load, data) = (&trial.load.options, &trial.dataset.options);
    let one = |server: &Server| {
        let target = Target { dsn: Some(server.dsn()), ..trial.target.clone() };
        let connector = tenbin_lab::connector(&target, &request.passwords)?;
        tenbin_workloads::workload_on(&trial.load.workload, load, data, connector).map(Arc::from)
    };
    let each: Vec<Arc<dyn Workload>> = settings.servers.iter().map(one).collect::<Result<_, Problem>>()?;
    let all = schemas::dealt(each);
    Ok(match trace {
        Some(trace) => all.and_then(|all| trace.wrap(all)),
        None => all,
    }
    .map(PrebuiltWorkload))
}

/// A note on what the plan of the recording does not contain.
fn several(settings: &Settings) -> Option<Problem> {
    let [first, .., last] = settings.servers.as_slice() else { return None };
    let all = settings.servers.len();
    let what = msg!("connections-in-databases", count = all, first = first.database(), last = last.database());
    Some(Problem::new(what).evidence(msg!("warehouses-in-each", warehouses = settings.warehouses)))
}

fn parameters(settings: &Settings) -> Vec<String> {
    let mut lines = vec!["<Parameters>".to_owned()];
    lines.extend(settings.server.lines());
    if let [first, .., last] = settings.servers.as_slice() {
        lines.push(format!("    [schemas]: {} to {}", first.database(), last.database()));
    }
    lines.push(format!("  [warehouse]: {}", settings.warehouses));
    lines.push(format!(" [connection]: {}", settings.connections));
    lines.push(format!("     [rampup]: {} (sec.)", settings.ramp_up_s));
    lines.push(format!("    [measure]: {} (sec.)", settings.measure_s));
    if !settings.ratio.is_empty() {
        let shares: Vec<String> = settings.ratio.iter().map(u64::to_string).collect();
        lines.push(format!("      [ratio]: {}", shares.join(":")));
    }
    lines
}

/// The listeners of a run.
struct Sinks<'a> {
    settings: &'a Settings,
    here: &'a HintContext<'a>,
    program: Program,
    trace: Option<&'a Trace>,
    kept: KeptRun,
    summary: Summary,
    /// The start of the run.
    run: Option<Instant>,
    /// The start of the measurement, nanoseconds of the run.
    from_ns: Option<u64>,
    ramped_up: bool,
    /// The counts since the last progress line.
    line: Tally,
    well: bool,
}

impl Sink for Sinks<'_> {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        let now = Instant::now();
        self.listen(event, now);
        if let Event::TrialStarted { trial, at_ns } = event
            && let Some(problem) = several(self.settings)
        {
            self.listen(&Event::Note { trial: *trial, at_ns: *at_ns, severity: Severity::Info, problem }, now);
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
    fn listen(&mut self, event: &Event, now: Instant) {
        self.kept.receive(event);
        self.summary.take(event);
        match event {
            Event::RunStarted { .. } => self.run = Some(now),
            Event::PhaseStarted { phase: Phase::WarmUp, .. } => self.ramp_up(),
            Event::PhaseStarted { phase: Phase::Measure, at_ns, .. } => {
                self.ramp_up();
                exit::print("\nMEASURING START.\n");
                self.from_ns = Some(*at_ns);
                if let (Some(trace), Some(run)) = (self.trace, self.run) {
                    trace.window.began(run + Duration::from_nanos(*at_ns));
                }
            }
            Event::Interval { phase: Phase::Measure, to_ns, tally, .. } => self.interval(*to_ns, tally),
            Event::Note { severity: Severity::Error, problem, .. } => {
                self.program.complain(&self.here.told(problem));
                self.well = false;
            }
            _ => {}
        }
    }

    fn ramp_up(&mut self) {
        if !std::mem::replace(&mut self.ramped_up, true) {
            exit::print(&format!("\nRAMP-UP TIME.({} sec.)", self.settings.ramp_up_s));
        }
    }

    fn interval(&mut self, to_ns: u64, tally: &Tally) {
        self.line.merge(tally);
        let seconds = to_ns.saturating_sub(self.from_ns.unwrap_or(0)) as f64 / 1e9;
        // Intervals end on whole seconds, except for the last.
        let whole = seconds.round() as u64;
        if (seconds - whole as f64).abs() < 1e-3 && whole > 0 && whole.is_multiple_of(self.settings.interval_s) {
            exit::print(&text::interval(self.settings.form, whole, &self.line, &self.settings.limits_ms));
            self.line = Tally::default();
        }
    }
}
