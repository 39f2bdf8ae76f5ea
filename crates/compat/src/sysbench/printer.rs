//! The output of sysbench while a test runs: a sink of events.

use super::host;
use super::messages::{DEBUG, FATAL, NOTICE, losses, print, threads_begin, told};
use super::settings::Settings;
use super::text::{self, ReportFigures, ReportLayout};
use crate::hint::HintWords;
use tenbin_model::event::{Event, Phase, Severity};
use tenbin_model::tally::{PerClient, Tally};
use tenbin_model::trial::Schedule;
use tenbin_script::{Hook, Script};
use tenbin_words::problem::Problem;

/// The printer of one run.
pub struct Printer<'a> {
    /// The test's name.
    name: String,
    look: ReportLayout,
    /// The script whose report hooks are called, if it has any.
    script: Option<&'a Script>,
    words: HintWords,
    settings: &'a Settings,
    /// Whether it has not been said that the threads are initialized.
    looks_first: bool,
    report_interval_s: u64,
    checkpoints_s: Vec<u64>,
    warmup_s: f64,
    threads: u32,
    open_loop: bool,
    started: bool,
    /// Start of the measured window, nanoseconds.
    from_ns: u64,
    /// Due or under way.
    open: i64,
    /// The counts since the last line, and its time.
    line: (Tally, u64),
    /// The counts since the last checkpoint, and its time.
    stretch: (Tally, u64),
    /// What each client had completed at that time.
    before: PerClient,
    /// Whether a fatal error was printed.
    pub fatal: bool,
    /// Whether a lost connection is an error: not if it is among those to ignore.
    tells_loss: bool,
}

impl<'a> Printer<'a> {
    pub fn new(
        name: &str,
        look: ReportLayout,
        settings: &'a Settings,
        script: Option<&'a Script>,
        (looks_first, tells_loss): (bool, bool),
    ) -> Printer<'a> {
        Printer {
            name: name.to_owned(),
            look,
            script,
            words: settings.words.clone(),
            settings,
            looks_first,
            report_interval_s: settings.report_interval_s,
            checkpoints_s: settings.checkpoints_s.clone(),
            warmup_s: settings.warmup_s,
            threads: settings.threads,
            open_loop: false,
            started: false,
            from_ns: 0,
            open: 0,
            line: (Tally::default(), 0),
            stretch: (Tally::default(), 0),
            before: PerClient::default(),
            fatal: false,
            tells_loss,
        }
    }

    /// Prints a message of this level.
    pub fn print(&self, level: u8, line: &str) {
        print(self.settings.verbosity, level, line);
    }

    pub fn show(&mut self, event: &Event) {
        match event {
            Event::TrialPlanned { planned, .. } => {
                self.open_loop |= matches!(planned.load.schedule, Schedule::Open { .. });
            }
            Event::PhaseStarted { phase: phase @ (Phase::WarmUp | Phase::Measure), at_ns, .. } => {
                if !std::mem::replace(&mut self.started, true) {
                    if self.looks_first {
                        threads_begin(self.settings.verbosity, self.threads);
                    }
                    for thread in 0..self.threads {
                        self.print(DEBUG, &format!("DEBUG: Worker thread (#{thread}) initialized"));
                    }
                    self.print(NOTICE, "Threads started!\n");
                }
                if *phase == Phase::WarmUp {
                    self.print(NOTICE, &format!("Warming up for {} seconds...\n", self.warmup_s));
                } else {
                    (self.from_ns, self.line.1, self.stretch.1) = (*at_ns, *at_ns, *at_ns);
                }
            }
            Event::Interval { phase: Phase::Measure, to_ns, clients, tally, per_client, .. } => {
                self.interval(*to_ns, *clients, tally, per_client);
            }
            Event::Note { severity: Severity::Error, problem, .. } => {
                self.fatal = true;
                self.look.failed_ends += failed_ends(problem);
                let files = if self.look.files { host::told(problem) } else { None };
                self.print(FATAL, &format!("FATAL: {}", files.unwrap_or_else(|| told(&self.words, problem))));
            }
            _ => {}
        }
    }

    fn interval(&mut self, to_ns: u64, clients: u32, tally: &Tally, per_client: &PerClient) {
        if self.tells_loss {
            losses(&self.words, tally).iter().for_each(|line| self.print(FATAL, &format!("FATAL: {line}")));
        }
        self.look_for_driver();
        self.line.0.merge(tally);
        self.stretch.0.merge(tally);
        self.open += tally.accounting.open;
        let second = (to_ns - self.from_ns) as f64 / 1e9;
        // Intervals end on whole seconds, except for the last.
        let whole = (second.fract() < 1e-6).then_some(second as u64);
        let due = |every: u64| every > 0 && whole.is_some_and(|s| s > 0 && s.is_multiple_of(every));
        if due(self.report_interval_s) {
            let none = PerClient::default();
            let at = ReportFigures {
                seconds: (to_ns - self.line.1) as f64 / 1e9,
                total_s: second,
                tally: &self.line.0,
                per_client: &none,
                longest_ns: per_client.max_ns.iter().copied().max(),
            };
            if !self.hooked(Hook::Intermediate, clients, &at) {
                let (percentile, ms) = text::first_percentile(&self.look, &at);
                let own = host::interval(&self.name, second, &at, ms, percentile);
                self.print(NOTICE, &own.unwrap_or_else(|| text::interval(&self.look, second, clients, &at)));
                if self.open_loop {
                    let (waiting, busy) = self.queue();
                    self.print(NOTICE, &text::queue(&self.look, second, waiting, busy));
                }
            }
            self.line = (Tally::default(), to_ns);
        }
        if whole.is_some_and(|s| self.checkpoints_s.contains(&s)) {
            self.print(NOTICE, &format!("[ {second}s ] Checkpoint report:"));
            let look = ReportLayout { histogram: false, ..self.look.clone() };
            self.report(&look, to_ns, clients, per_client);
            self.stretch = (Tally::default(), to_ns);
            self.before = per_client.clone();
        }
    }

    /// The reports of a script have statistics of SQL if it has asked for the driver of a database, whatever it counts.
    fn look_for_driver(&mut self) {
        if let Some(script) = self.script {
            self.look.sql = script.uses_sql();
        }
    }

    /// The report since the last checkpoint, or since the start.
    fn report(&self, look: &ReportLayout, to_ns: u64, clients: u32, per_client: &PerClient) {
        let longest_ns = per_client.max_ns.iter().copied().max();
        let per_client = &since(per_client, &self.before);
        let at = ReportFigures {
            seconds: to_ns.saturating_sub(self.stretch.1) as f64 / 1e9,
            total_s: to_ns.saturating_sub(self.from_ns) as f64 / 1e9,
            tally: &self.stretch.0,
            per_client,
            longest_ns,
        };
        // Before the script's own report too.
        if look.histogram {
            self.print(NOTICE, &text::histogram(&at).join("\n"));
        }
        if !self.hooked(Hook::Cumulative, clients, &at) {
            self.print(NOTICE, &text::report(look, &at, &host::lines(&self.name, look.form, &at)).join("\n"));
        }
    }

    /// Events that wait for a thread, and those under way; sysbench counts them at a rate only.
    fn queue(&self) -> (u64, u64) {
        let open = if self.open_loop { self.open.max(0) as u64 } else { 0 };
        let busy = open.min(u64::from(self.threads));
        (open - busy, busy)
    }

    /// Calls the script's own report, if it has one: also one that fails is in place of the usual one.
    fn hooked(&self, hook: Hook, clients: u32, at: &ReportFigures<'_>) -> bool {
        let Some(script) = self.script.filter(|s| s.reports(hook)) else { return false };
        let queue = (hook == Hook::Intermediate).then(|| self.queue());
        let stat = text::stat(&self.look, at, clients, queue);
        match script.report(hook, &stat) {
            Ok(called) => called,
            Err(problem) => {
                let why = problem.evidence.as_ref().map_or_else(String::new, |why| why.english().to_owned());
                self.print(FATAL, &format!("FATAL: `{}' function failed: {why}", hook.name()));
                true
            }
        }
    }

    /// Records how many events did not end in time.
    pub fn unfinished(&mut self, events: u64) {
        self.look.unfinished = Some(events);
    }

    /// The report at the end. Events whose rows were not written are not counted in it.
    pub fn conclude(&mut self, to_ns: u64, per_client: &PerClient) {
        let completed = &mut self.stretch.0.accounting.completed;
        *completed = completed.saturating_sub(per_client.unwritten.iter().sum());
        // Before the report, and after it if it is of that kind too.
        if let Some(script) = self.script {
            script.finish_reports();
        }
        self.look_for_driver();
        // No thread is left.
        self.report(&self.look, to_ns, 0, per_client);
        if let Some(script) = self.script {
            script.finish_reports();
        }
    }

    /// Whether the clients have started.
    pub fn started(&self) -> bool {
        self.started
    }
}

/// What each client completed since `before`. Minimum and maximum are not known for a part.
fn since(now: &PerClient, before: &PerClient) -> PerClient {
    if before.is_empty() {
        return now.clone();
    }
    let less = |now: &[u64], before: &[u64]| now.iter().zip(before).map(|(n, b)| n - b).collect();
    PerClient {
        completed: less(&now.completed, &before.completed),
        response_ns: less(&now.response_ns, &before.response_ns),
        min_ns: Vec::new(),
        max_ns: Vec::new(),
        unwritten: now.unwritten.clone(),
    }
}

/// How many clients' last statements the server refused, each of which sysbench counts as an error.
fn failed_ends(problem: &Problem) -> u64 {
    if problem.what.find("end-of-client").is_none() || problem.what.find("failed-with-number").is_none() {
        return 0;
    }
    let of_several = problem.evidence.as_ref().and_then(|evidence| evidence.find("end-of-clients")?.arg("n"));
    of_several.and_then(|n| n.english().parse().ok()).unwrap_or(1)
}
