//! A run: what happens before the clients start, the run itself, and its report.

use super::arguments::{Arguments, RunArguments};
use super::report::{Progress, Report, ScriptLines, progress, report};
use super::{Code, error, plan, warning};
use crate::environment;
use crate::kept::{self, KeptRun};
use crate::libpq::Server;
use std::fs::File;
use std::io::Write;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tenbin_driver::Connector;
use tenbin_lab::{Listener, PrebuiltWorkload};
use tenbin_model::event::{Event, Phase, Severity, Sink};
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::Summary;
use tenbin_pgbench::{
    FailureWords, LogSettings, Output, PgbenchRun, RunSettings, ScriptError, ScriptErrorCode, Setup, SetupError,
    SetupSettings, Stats, made, setup,
};
use tenbin_terminal::{exit, signals};
use tenbin_words::problem::Problem;

/// Runs, and returns the exit code.
pub fn run(arguments: &Arguments, server: &Server, connector: &Connector) -> Code {
    let run = &arguments.run;
    // While tables are looked at and vacuumed.
    tenbin_lab::look_at_machine();
    let terminal = Arc::new(Terminal { prefix: run.log_prefix.clone(), ..Terminal::default() });
    // Before anything is connected, as in pgbench.
    if let Err(wrong) = made(settings(arguments, 1), &run.scripts, connector.clone(), terminal.clone()) {
        error(&told_script(&wrong));
        return Code::Usage;
    }
    let setup = match prepared(arguments, server, connector) {
        Ok(setup) => setup,
        Err(code) => return code,
    };
    let scale = setup.branches.unwrap_or_else(|| i64::from(run.scale.unwrap_or(1)));
    let pgbench = match made(settings(arguments, scale), &run.scripts, connector.clone(), terminal.clone()) {
        Ok(pgbench) => pgbench,
        Err(wrong) => {
            error(&told_script(&wrong));
            return Code::Usage;
        }
    };
    let planned = plan::plan(run, server, scale).and_then(|planned| {
        let stop = signals::listen().map_err(|problem| vec![problem])?;
        Ok((planned, stop))
    });
    let (mut planned, stop) = match planned {
        Ok(planned) => planned,
        Err(problems) => {
            problems.iter().for_each(|problem| error(&super::hint::words(server).told(problem).to_string()));
            return Code::Usage;
        }
    };
    planned.request.workload = Some(PrebuiltWorkload(pgbench.workload()));
    let kept = KeptRun::open("pgbench", kept::quiet());
    let mut sinks = Sinks {
        arguments,
        server,
        pgbench: &pgbench,
        terminal: &terminal,
        stop: stop.clone(),
        kept,
        summary: Summary::default(),
        from_ns: None,
        reported: Reported::default(),
    };
    if run.log
        && let Err(what) = terminal.create_logs(threads(run))
    {
        error(&what);
        return Code::Usage;
    }
    let outcome = tenbin_lab::run(&planned.request, &mut sinks, &stop);
    let Sinks { kept, summary, from_ns, .. } = sinks;
    pgbench.finish_logs();
    if let Err(problem) = &outcome {
        error(&super::hint::words(server).told(problem).to_string());
    }
    let lost = terminal.close();
    if from_ns.is_some() {
        let (scripts, mut counted) = scripts(&pgbench);
        if !stop.asked() {
            counted.elapsed = elapsed(counted.elapsed, run, terminal.aborted.load(Ordering::Relaxed));
        }
        exit::print(&report(&figures(arguments, &setup, scale, &pgbench, &(scripts, counted))));
    }
    // Each client that was aborted has its line.
    let aborted = terminal.aborted.load(Ordering::Relaxed) > 0;
    kept::doubted(&summary, if aborted { &["clients-lost", "unavailable"] } else { &[] });
    kept.close(&summary);
    concluded(&terminal, run.exit_on_abort, from_ns.is_some() && outcome.is_ok() && !lost, &stop)
}

/// How long the run lasted: clients wait for the end of its time, whenever their last transaction ends, but those that were aborted do not,
/// nor those whose next intended start is after it.
fn elapsed(counted: Duration, run: &RunArguments, aborted: u32) -> Duration {
    match run.duration {
        Some(duration) if aborted < run.clients && run.rate.is_none() => counted.max(duration),
        _ => counted,
    }
}

/// A mistake in a script in pgbench's words, of which it has others for a command of the shell without one.
fn told_script(wrong: &ScriptError) -> String {
    let text = wrong.as_pgbench();
    match wrong.command.as_deref() {
        Some("shell") if wrong.code == ScriptErrorCode::MissingArgument => {
            text.replacen("missing argument", "missing command", 1)
        }
        _ => text,
    }
}

fn concluded(terminal: &Terminal, exit_on_abort: bool, well: bool, stop: &StopSignal) -> Code {
    if stop.asked() && terminal.aborted.load(Ordering::Relaxed) == 0 {
        return Code::Interrupted;
    }
    if let Some(thread) = terminal.aborted_thread.get() {
        if exit_on_abort {
            error(&format!("Run was aborted due to an error in thread {thread}"));
        }
        error("Run was aborted; the above results are incomplete.");
        return Code::Aborted;
    }
    if well { Code::Done } else { Code::Usage }
}

/// Looks at the tables and vacuums.
fn prepared(arguments: &Arguments, server: &Server, connector: &Connector) -> Result<Setup, Code> {
    let run = &arguments.run;
    let wanted = SetupSettings {
        counts_branches: run.has_builtin,
        vacuums: !run.no_vacuum,
        vacuums_accounts: run.vacuum_all && !run.no_vacuum,
    };
    // Lines are put together from pieces; nothing is shown of a failure twice.
    let mut say = |text: &str| {
        let _ = write!(std::io::stderr(), "{text}");
    };
    let mut looked = |setup: &Setup| {
        if run.debug {
            let (host, port, database) = (&server.host, &server.port, &server.database);
            let length = match run.duration {
                Some(duration) => format!("duration: {}", duration.as_secs()),
                None => format!("nxacts: {}", run.transactions),
            };
            let clients = run.clients;
            exit::print_error(&format!(
                "pgbench: pghost: {host} pgport: {port} nclients: {clients} {length} dbName: {database}"
            ));
        }
        if let (Some(branches), Some(_)) = (setup.branches, run.scale) {
            warning(&format!("scale option ignored, using count from pgbench_branches table ({branches})"));
        }
    };
    let setup = setup(wanted, connector, &mut looked, &mut say);
    // As in pgbench, once there is a connection.
    if arguments.form.has_version_line() && !matches!(setup, Err(SetupError::Connect(_))) {
        exit::print(&format!("pgbench ({})", super::version(arguments.form)));
    }
    setup.map_err(|failed| {
        match failed {
            SetupError::Connect(failed) => {
                error(&server.told_failure(&failed));
                error("could not create connection for setup");
            }
            SetupError::Branches(lines, is_absent) => {
                error(&format!("could not count number of branches: {lines}"));
                if is_absent {
                    hint_initialize(server);
                }
            }
            SetupError::NoAccounts => {
                error("no pgbench_accounts table found in search_path");
                hint_initialize(server);
            }
            SetupError::Scale(text) => error(&format!("invalid count(*) from pgbench_branches: \"{text}\"")),
            SetupError::Statement(lines, sql) => {
                error(&format!("query failed: {lines}\npgbench: detail: Query was: {sql}"))
            }
            SetupError::Problem(problem) => error(&super::hint::words(server).told(&problem).to_string()),
        }
        Code::Usage
    })
}

fn hint_initialize(server: &Server) {
    let database = &server.database;
    exit::print_error(&format!(
        "pgbench: hint: Perhaps you need to do initialization (\"pgbench -i\") in database \"{database}\"."
    ));
}

/// How many threads pgbench would have.
fn threads(run: &RunArguments) -> u32 {
    run.threads.unwrap_or(1).min(run.clients)
}

fn settings(arguments: &Arguments, scale: i64) -> RunSettings {
    let run = &arguments.run;
    let threads = threads(run);
    RunSettings {
        mode: run.mode,
        clients: run.clients,
        threads,
        transactions: run.transactions.into(),
        duration: run.duration,
        connect_each: run.connect_each,
        variables: run.variables.clone(),
        scale,
        seed: run.seed,
        throttle_us: run.rate.map_or(0.0, |rate| 1e6 / rate * f64::from(threads)),
        latency_limit: run.latency_limit.map(|ms| Duration::from_micros((ms * 1e3) as u64)),
        max_tries: run.max_tries,
        verbose_errors: run.verbose_errors,
        debug: run.debug,
        per_command: run.per_command,
        continue_on_error: run.continue_on_error,
        log: run.log.then_some(LogSettings {
            sampling: run.sampling,
            aggregate_s: run.aggregate_s.into(),
            words: if run.failures_detailed { FailureWords::Detailed } else { FailureWords::Plain },
            other_failures: arguments.form.has_other_failures(),
        }),
    }
}

fn scripts(pgbench: &PgbenchRun) -> (Vec<ScriptLines>, tenbin_pgbench::RunCounts) {
    let one = |(name, weight, commands): (String, i64, Vec<tenbin_pgbench::CommandText>)| ScriptLines {
        name,
        weight,
        commands: commands.into_iter().map(|command| command.line).collect(),
    };
    (pgbench.scripts().into_iter().map(one).collect(), pgbench.counts())
}

fn figures<'a>(
    arguments: &Arguments,
    setup: &'a Setup,
    scale: i64,
    pgbench: &PgbenchRun,
    (scripts, counts): &'a (Vec<ScriptLines>, tenbin_pgbench::RunCounts),
) -> Report<'a> {
    let run = &arguments.run;
    Report {
        form: arguments.form,
        scale,
        partition_method: &setup.partition_method,
        partitions: setup.partitions,
        mode: run.mode,
        clients: run.clients,
        threads: threads(run),
        max_tries: run.max_tries,
        transactions: run.transactions.into(),
        duration: run.duration,
        connect_each: run.connect_each,
        rate: run.rate.is_some(),
        latency_limit_ms: run.latency_limit,
        progress: run.progress_s.is_some(),
        per_command: run.per_command,
        failures_detailed: run.failures_detailed,
        scripts,
        counts: &counts.counts,
        elapsed: counts.elapsed,
        connecting: pgbench.connecting(),
    }
}

/// What clients say, and their logs.
#[derive(Default)]
struct Terminal {
    logs: Mutex<Logs>,
    prefix: String,
    aborted: AtomicU32,
    /// Of the client that ended first.
    aborted_thread: OnceLock<usize>,
}

#[derive(Default)]
struct Logs {
    /// By thread.
    files: Vec<Option<File>>,
    failed: Option<String>,
}

impl Terminal {
    /// Creates the logs of all threads, before anything is measured.
    fn create_logs(&self, threads: u32) -> Result<(), String> {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        (0..threads).try_for_each(|thread| {
            let path = self.path(thread);
            self.write(&mut logs, thread, "")
                .map_err(|e| format!("could not open logfile \"{path}\": {}", environment::plain(&e.to_string())))
        })
    }

    /// The name of a thread's log.
    fn path(&self, thread: u32) -> String {
        let process = std::process::id();
        if thread == 0 { format!("{}.{process}", self.prefix) } else { format!("{}.{process}.{thread}", self.prefix) }
    }

    fn write(&self, logs: &mut Logs, thread: u32, lines: &str) -> std::io::Result<()> {
        let index = thread as usize;
        if logs.files.len() <= index {
            logs.files.resize_with(index + 1, || None);
        }
        let file = match &mut logs.files[index] {
            Some(file) => file,
            none => none.insert(File::create(self.path(thread))?),
        };
        file.write_all(lines.as_bytes())
    }

    /// Whether a part of the logs is missing, which is reported.
    fn close(&self) -> bool {
        let logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failed) = &logs.failed {
            error(failed);
        }
        logs.failed.is_some()
    }
}

impl Output for Terminal {
    fn tell(&self, line: &str) {
        exit::print_error(&format!("pgbench: {line}"));
    }

    fn error(&self, line: &str) {
        error(line);
    }

    fn plain(&self, line: &str) {
        exit::print_error(line);
    }

    fn log(&self, thread: u32, lines: &str) {
        let mut logs = self.logs.lock().unwrap_or_else(PoisonError::into_inner);
        if logs.failed.is_some() {
            return;
        }
        if let Err(e) = self.write(&mut logs, thread, lines) {
            logs.failed = Some(format!("could not write logfile \"{}\": {e}", self.path(thread)));
        }
    }

    fn aborted(&self, thread: usize) {
        // Only the first counts.
        let _ = self.aborted_thread.set(thread);
        self.aborted.fetch_add(1, Ordering::Relaxed);
    }
}

/// What the last line of progress was made of.
#[derive(Default)]
struct Reported {
    stats: Stats,
    at_s: f64,
}

/// The listeners of a run.
struct Sinks<'a> {
    arguments: &'a Arguments,
    server: &'a Server,
    pgbench: &'a PgbenchRun,
    terminal: &'a Terminal,
    stop: StopSignal,
    kept: KeptRun,
    summary: Summary,
    /// The start of the measurement, nanoseconds of the run.
    from_ns: Option<u64>,
    reported: Reported,
}

impl Sink for Sinks<'_> {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.kept.receive(event);
        self.summary.take(event);
        match event {
            Event::PhaseStarted { phase: Phase::Measure, at_ns, .. } => self.from_ns = Some(*at_ns),
            Event::Interval { phase: Phase::Measure, to_ns, .. } => self.interval(*to_ns),
            Event::Note { severity: Severity::Error, problem, .. } => match self.server.told_client(problem) {
                Some((why, client)) => {
                    error(&why);
                    error(&format!("could not create connection for client {client}"));
                }
                None => error(&super::hint::words(self.server).told(problem).to_string()),
            },
            _ => {}
        }
        if self.arguments.run.exit_on_abort && self.terminal.aborted.load(Ordering::Relaxed) > 0 {
            self.stop.ask();
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
    /// The line of progress, if it is time for one.
    fn interval(&mut self, to_ns: u64) {
        let run = &self.arguments.run;
        let (Some(every), Some(from_ns)) = (run.progress_s, self.from_ns) else { return };
        let at_s = to_ns.saturating_sub(from_ns) as f64 / 1e9;
        if at_s - self.reported.at_s < f64::from(every) - 0.01 {
            return;
        }
        let stats = self.pgbench.counts().counts.all;
        let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let at = if run.progress_timestamp { format!("{:.3}", since_1970.as_secs_f64()) } else { format!("{at_s:.1}") };
        exit::print_error(&progress(&Progress {
            form: self.arguments.form,
            at,
            seconds: at_s - self.reported.at_s,
            now: &stats,
            before: &self.reported.stats,
            rate: run.rate.is_some(),
            latency_limit: run.latency_limit.is_some(),
            max_tries: run.max_tries,
        }));
        self.reported = Reported { stats, at_s };
    }
}
