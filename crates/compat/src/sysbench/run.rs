//! `sysbench TEST run`: runs the test with sysbench's output, and writes a run directory.

use super::database::Address;
use super::messages::{FATAL, INFO, NOTICE, print, tell_caught, threads_begin, told};
use super::plan::{self, TestRun};
use super::printer::Printer;
use super::settings::Settings;
use super::text::{ReportForm, ReportLayout};
use super::{Code, failure, host, seed_of};
use crate::kept::{self, KeptRun};
use crate::parsed_args::ParsedArgs;
use tenbin_lab::Listener;
use tenbin_model::event::{EndState, Event, Sink};
use tenbin_model::summary::Summary;
use tenbin_script::Script;
use tenbin_terminal::{exit, signals};
use tenbin_words::problem::Problem;

/// Runs a test; `script` may have its own reports.
pub fn run(
    args: &ParsedArgs,
    settings: &Settings,
    form: ReportForm,
    address: &Address,
    load: &TestRun,
    script: Option<&Script>,
) -> Result<Code, String> {
    // While the plan is made and scripts are opened.
    tenbin_lab::look_at_machine();
    if let Some(script) = script {
        script.on_caught_errors(tell_caught);
        script.init(settings.threads).map_err(|p| told(&settings.words, &p))?;
    }
    print_head(settings, load);
    let look = ReportLayout {
        form,
        sql: load.sql.unwrap_or(false),
        files: load.name == "fileio",
        script: script.is_some(),
        percentiles: settings.percentiles.clone(),
        histogram: settings.histogram,
        debug: settings.debug,
        dry: args.text("db-driver") == "mysql" && args.on("mysql-dry-run"),
        unfinished: None,
        failed_ends: 0,
    };
    let Some(request) = plan::plan(args, settings, load, address, seed_of(settings)) else { return Ok(Code::Failed) };
    // Files are looked at before.
    let looks_first = look.files && settings.rate_too_high.is_none();
    if !looks_first {
        threads_begin(settings.verbosity, settings.threads);
    }
    if settings.rate_too_high.is_some() {
        print(settings.verbosity, NOTICE, "Threads started!\n");
        return Err("The event queue is full. This means the worker threads are unable to keep up with the specified event generation rate".to_owned());
    }
    let stop = signals::listen().map_err(|p| p.what.english().to_owned())?;
    let quiet = settings.verbosity < NOTICE || kept::quiet();
    let kept = KeptRun::open(plan::title(&load.name), quiet);
    let printer = Printer::new(&load.name, look, settings, script, (looks_first, !plan::ignores_loss(args)));
    let mut sinks = Sinks { kept, printer, summary: Summary::default() };
    let outcome = tenbin_lab::run(&request, &mut sinks, &stop);
    let Sinks { kept, mut printer, summary } = sinks;
    if let Err(problem) = &outcome {
        exit::complain(&settings.words.told(problem));
    }
    let measured = summary.trials.first();
    let mut forced = false;
    if let Some(trial) = measured.filter(|_| printer.started()) {
        let open = trial.tally.accounting.open.max(0);
        forced = open > 0
            && trial.state == Some(EndState::Complete)
            && settings.forced_shutdown_s.is_some()
            && settings.rate == 0;
        if forced {
            print(settings.verbosity, FATAL, "FATAL: The --max-time limit has expired, forcing shutdown...");
            printer.unfinished(open as u64);
        }
        if trial.state == Some(EndState::Complete) {
            let window_s = trial.window_ns.1.saturating_sub(trial.window_ns.0) as f64 / 1e9;
            for line in limit(settings, &load.name, trial.tally.accounting.completed, window_s) {
                print(settings.verbosity, INFO, &line);
            }
        }
        print(settings.verbosity, INFO, "Done.\n");
        printer.conclude(trial.window_ns.1, &trial.per_client);
    }
    // As in sysbench it is not called if a thread could not begin.
    let end = script.filter(|_| printer.started()).map_or(Ok(()), |script| script.done());
    if let Err(problem) = &end {
        print(settings.verbosity, FATAL, &format!("FATAL: {}", told(&settings.words, problem)));
    }
    kept::doubted(&summary, &[]);
    kept.close(&summary);
    let failed = measured.is_some_and(|t| t.tally.accounting.failed > 0) && !plan::ignores_loss(args);
    Ok(match (&outcome, summary.state) {
        _ if stop.asked() => Code::Interrupted,
        _ if forced => Code::Forced,
        // The report stands; what the script was to do at its end is not done.
        (Ok(_), Some(EndState::Complete)) if !failed && end.is_ok() => Code::Done,
        _ => Code::Failed,
    })
}

/// Which limit has ended the clients, as each of sysbench's threads says: nothing of a test that ends by itself.
fn limit(settings: &Settings, test: &str, completed: u64, window_s: f64) -> Vec<String> {
    let (by_events, by_time) = host::ends(test);
    let line = if by_events && settings.events.is_some_and(|most| completed >= most) {
        "Event limit exceeded, exiting..."
    } else if by_time && settings.time_s.is_some_and(|limit_s| window_s > limit_s - 0.01) {
        "Time limit exceeded, exiting..."
    } else {
        return Vec::new();
    };
    let others = settings.threads - 1;
    let repeated = (others > 0).then(|| format!("(last message repeated {others} times)"));
    [line.to_owned()].into_iter().chain(repeated).collect()
}

/// Prints the beginning of a run that has no address to connect to, and returns the lines that end it.
pub fn without_address(settings: &Settings, load: &TestRun, why: &str) -> String {
    print_head(settings, load);
    threads_begin(settings.verbosity, settings.threads);
    failure::without_address(&settings.words, why)
}

fn print_head(settings: &Settings, load: &TestRun) {
    let mut head = head(settings);
    head.extend(host::head(&load.name, &load.options, settings.events.unwrap_or(0), settings.verbosity >= INFO));
    print(settings.verbosity, NOTICE, &head.join("\n"));
}

/// The first lines of a run: its settings.
fn head(settings: &Settings) -> Vec<String> {
    let mut head = vec!["Running the test with following options:".to_owned()];
    head.push(format!("Number of threads: {}", settings.threads));
    if settings.warmup_s > 0.0 {
        head.push(format!("Warmup time: {}s", settings.warmup_s));
    }
    match settings.rate_too_high.unwrap_or(settings.rate as i64) {
        0 => {}
        rate => head.push(format!("Target transaction rate: {rate}/sec")),
    }
    if settings.report_interval_s > 0 {
        head.push(format!("Report intermediate results every {} second(s)", settings.report_interval_s));
    }
    if !settings.checkpoints_s.is_empty() {
        let at: Vec<String> = settings.checkpoints_s.iter().map(u64::to_string).collect();
        head.push(format!("Report checkpoint(s) at {} seconds", at.join(", ")));
    }
    if settings.debug {
        head.push("Debug mode enabled.\n".to_owned());
    }
    if settings.validate {
        head.push("Validation checks: on.\n".to_owned());
    }
    head.push(match settings.seed {
        Some(seed) => format!("Initializing random number generator from seed ({seed}).\n"),
        None => "Initializing random number generator from current time\n".to_owned(),
    });
    if let Some(after_s) = settings.forced_shutdown_s {
        head.push(format!("Forcing shutdown in {after_s} seconds"));
    }
    head.push(String::new());
    head
}

/// The listeners of a run.
struct Sinks<'a> {
    kept: KeptRun,
    printer: Printer<'a>,
    summary: Summary,
}

impl Sink for Sinks<'_> {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.kept.receive(event);
        self.summary.take(event);
        self.printer.show(event);
        Ok(())
    }
}

impl Listener for Sinks<'_> {
    fn summary(&self) -> &Summary {
        &self.summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sysbench::{arguments, settings};

    /// As sysbench 1.0.20 tells it.
    #[test]
    fn the_limit_that_ends_a_test_is_told() {
        let of = |line: &str, completed: u64, window_s: f64| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let settings = settings::resolve(&arguments::parse(&words, |_| Ok(String::new())).unwrap()).unwrap();
            limit(&settings, &words[0], completed, window_s).join("\n")
        };
        assert_eq!(of("cpu --events=3", 3, 0.1), "Event limit exceeded, exiting...");
        assert_eq!(
            of("cpu --events=3 --threads=3", 3, 0.1),
            "Event limit exceeded, exiting...\n(last message repeated 2 times)"
        );
        assert_eq!(of("cpu --events=300", 7, 10.0), "Time limit exceeded, exiting...");
        assert_eq!(of("cpu --time=1", 7, 1.0), "Time limit exceeded, exiting...");
        assert_eq!(of("memory", 7, 0.5), "", "all is transferred");
        assert_eq!(of("mutex", 1, 20.0), "");
    }
}
