//! The figures of a running load, kept from its events, and as the text that readers receive.
//!
//! Counters are sums over the run by target, workload and phase, so that they only grow; what is of the last interval is
//! a gauge. Both are those of the same events that the run directory has.

use super::MetricsFormat;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use tenbin_model::event::{EndState, Event, Phase};
use tenbin_model::exposition::series;
use tenbin_model::histogram::Histogram;
use tenbin_model::tally::Tally;
use tenbin_model::trial::{Schedule, Trial};
use tenbin_verdict::question::TimesOf;

/// Upper bounds of the buckets of response times, microseconds.
const BUCKETS_US: [u64; 21] = [
    50, 100, 200, 500, 1_000, 2_000, 3_000, 5_000, 7_500, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000,
    2_000_000, 5_000_000, 10_000_000, 30_000_000, 60_000_000,
];
/// Percentiles of the last interval.
const PERCENTILES: [(&str, f64); 4] = [("50", 0.5), ("95", 0.95), ("99", 0.99), ("100", 1.0)];
/// All phases, for the one that is under way.
const PHASES: [Phase; 8] = [
    Phase::Restore,
    Phase::Load,
    Phase::Settle,
    Phase::WarmUp,
    Phase::Measure,
    Phase::CoolDown,
    Phase::CatchUp,
    Phase::Check,
];

/// The figures of a run.
#[derive(Debug, Clone, Default)]
pub struct LiveFigures {
    run: String,
    tool: String,
    planned: BTreeMap<u32, Trial>,
    expected: u32,
    finished: [u64; 3],
    over: bool,
    /// The number of the trial that runs, or ran last; of several at the same time the one that began last. The sums are of all.
    trial: u32,
    phase: Option<Phase>,
    /// Of loading, restoring or waiting: done, and all there is.
    progress: Option<(u64, u64)>,
    /// By target, workload and phase.
    sums: BTreeMap<SumsKey, Sums>,
    /// The same of each group of clients, of loads that have groups.
    of_groups: BTreeMap<SumsKey, Sums>,
    last: Option<LastInterval>,
}

/// Sums over the run.
#[derive(Debug, Clone, Default)]
struct Sums {
    completed: u64,
    failed: u64,
    retries: u64,
    skipped: u64,
    reconnects: u64,
    statements: u64,
    errors: BTreeMap<String, u64>,
    /// By whose they are: of TPC-C those of New-Orders.
    responses: BTreeMap<&'static str, Responses>,
}

/// Response times.
#[derive(Debug, Clone, Default)]
struct Responses {
    /// In each bucket, without those below; the last one has no bound.
    in_bucket: [u64; BUCKETS_US.len() + 1],
    sum_s: f64,
}

/// The target, the workload, the phase, and the group of clients or nothing.
type SumsKey = (String, String, &'static str, String);

/// One of the sums.
type CounterOf = fn(&Sums) -> u64;

/// The last interval.
#[derive(Debug, Clone)]
struct LastInterval {
    seconds: f64,
    clients: u32,
    completed: u64,
    /// Whose times these are.
    times_of: &'static str,
    /// Whether any of these has a response time: those that had fallen due before the window have none.
    has_times: bool,
    response_s: [f64; PERCENTILES.len()],
    wait_s: [f64; PERCENTILES.len()],
}

impl LiveFigures {
    /// Takes an event of the run.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::RunStarted { name, tool, .. } => (self.run, self.tool) = (name.clone(), tool.clone()),
            Event::TrialPlanned { planned, expected } => {
                self.expected = *expected;
                self.planned.insert(planned.number, (**planned).clone());
            }
            Event::TrialStarted { trial, .. } => {
                self.trial = *trial;
                (self.phase, self.progress, self.last) = (None, None, None);
            }
            Event::PhaseStarted { trial, phase, .. } if *trial == self.trial => {
                (self.phase, self.progress) = (Some(*phase), None);
            }
            Event::Progress { trial, done, total, .. } if *trial == self.trial => self.progress = Some((*done, *total)),
            Event::Interval { trial, phase, from_ns, to_ns, clients, tally, .. } => {
                let Some(planned) = self.planned.get(trial) else { return };
                let key = |group: &str| -> SumsKey {
                    (planned.target.name.clone(), planned.load.workload.clone(), phase.name(), group.to_owned())
                };
                let times_of = TimesOf::load(&planned.load);
                self.sums.entry(key("")).or_default().add(tally, times_of);
                for group in &planned.load.groups {
                    let own = tally.of_group(&group.name);
                    self.of_groups.entry(key(&group.name)).or_default().add(&own, TimesOf::All);
                }
                if *trial != self.trial {
                    return;
                }
                let timed = times_of.in_tally(tally);
                let quantiles = |of: &Histogram| PERCENTILES.map(|(_, quantile)| of.quantile_ns(quantile) as f64 / 1e9);
                self.last = Some(LastInterval {
                    seconds: to_ns.saturating_sub(*from_ns) as f64 / 1e9,
                    clients: *clients,
                    completed: tally.accounting.all_completed(),
                    times_of: times_of.code(),
                    has_times: timed.completed > 0,
                    response_s: quantiles(&timed.response),
                    wait_s: quantiles(&timed.wait),
                });
            }
            Event::TrialFinished { trial, state, .. } => {
                self.finished[*state as usize] += 1;
                if *trial == self.trial {
                    (self.phase, self.progress) = (None, None);
                }
            }
            Event::RunFinished { .. } => self.over = true,
            Event::PhaseStarted { .. }
            | Event::Progress { .. }
            | Event::HostInterval { .. }
            | Event::HostFinished { .. }
            | Event::FileUsed { .. }
            | Event::ObserverDeclared { .. }
            | Event::Observation { .. }
            | Event::ServerStatements { .. }
            | Event::ClientCeiling { .. }
            | Event::Facts { .. }
            | Event::ServerInspected { .. }
            | Event::Note { .. } => {}
        }
    }

    /// The text for readers.
    pub fn text(&self, format: MetricsFormat) -> String {
        let mut out = MetricsText { text: String::new(), format };
        out.family("tenbin_run", "info", "");
        out.value("tenbin_run_info", &[("run", &self.run), ("version", &self.tool)], 1);
        out.family("tenbin_run_over", "gauge", "");
        out.value("tenbin_run_over", &[], u8::from(self.over));
        out.family("tenbin_trials_planned", "gauge", "");
        out.value("tenbin_trials_planned", &[], self.expected.max(self.planned.len() as u32));
        out.family("tenbin_trials_finished", "counter", "");
        for state in [EndState::Complete, EndState::Partial, EndState::Failed] {
            let name = match state {
                EndState::Complete => "complete",
                EndState::Partial => "partial",
                EndState::Failed => "failed",
            };
            out.value("tenbin_trials_finished_total", &[("state", name)], self.finished[state as usize]);
        }
        if let Some(trial) = self.planned.get(&self.trial) {
            self.trial(trial, &mut out);
        }
        // Of groups they are not counted.
        out.family("tenbin_reconnects", "counter", "");
        for (key, sums) in &self.sums {
            out.value("tenbin_reconnects_total", &labels(key), sums.reconnects);
        }
        sums("tenbin", &self.sums, &mut out);
        if !self.of_groups.is_empty() {
            sums("tenbin_group", &self.of_groups, &mut out);
        }
        out.end()
    }

    /// The trial that is under way.
    fn trial(&self, trial: &Trial, out: &mut MetricsText) {
        let [number, cell, repeat] = [trial.number, trial.cell, trial.repeat].map(|n| n.to_string());
        out.family("tenbin_trial", "info", "");
        let labels = [
            ("trial", number.as_str()),
            ("experiment", &trial.experiment),
            ("cell", &cell),
            ("target", &trial.target.name),
            ("repeat", &repeat),
            ("workload", &trial.load.workload),
        ];
        out.value("tenbin_trial_info", &labels, 1);
        out.family("tenbin_phase", "stateset", "");
        for phase in PHASES {
            out.value("tenbin_phase", &[("tenbin_phase", phase.name())], u8::from(self.phase == Some(phase)));
        }
        if let Some((done, total)) = self.progress.filter(|(_, total)| *total > 0) {
            out.family("tenbin_phase_progress_ratio", "gauge", "ratio");
            out.value("tenbin_phase_progress_ratio", &[], done as f64 / total as f64);
        }
        if let Schedule::Open { rate, .. } = trial.load.schedule {
            out.family("tenbin_rate_asked", "gauge", "");
            out.value("tenbin_rate_asked", &[], rate);
        }
        let Some(last) = &self.last else { return };
        out.family("tenbin_clients", "gauge", "");
        out.value("tenbin_clients", &[], last.clients);
        out.family("tenbin_interval_seconds", "gauge", "seconds");
        out.value("tenbin_interval_seconds", &[], last.seconds);
        out.family("tenbin_interval_transactions", "gauge", "");
        out.value("tenbin_interval_transactions", &[], last.completed);
        for (name, values) in
            [("tenbin_interval_response_seconds", last.response_s), ("tenbin_interval_wait_seconds", last.wait_s)]
        {
            // Of an interval in which nothing was completed there is no time.
            if last.has_times {
                out.family(name, "gauge", "seconds");
                for ((percentile, _), value) in PERCENTILES.iter().zip(values) {
                    out.value(name, &[("times_of", last.times_of), ("percentile", percentile)], value);
                }
            }
        }
    }
}

/// Sums, as families whose names begin so.
fn sums(of_what: &str, all: &BTreeMap<SumsKey, Sums>, out: &mut MetricsText) {
    let counters: [(&str, CounterOf); 5] = [
        ("transactions", |sums| sums.completed),
        ("transactions_failed", |sums| sums.failed),
        ("transactions_retried", |sums| sums.retries),
        ("transactions_skipped", |sums| sums.skipped),
        ("statements", |sums| sums.statements),
    ];
    for (what, of) in counters {
        out.family(&format!("{of_what}_{what}"), "counter", "");
        for (key, sums) in all {
            out.value(&format!("{of_what}_{what}_total"), &labels(key), of(sums));
        }
    }
    out.family(&format!("{of_what}_errors"), "counter", "");
    for (key, sums) in all {
        for (code, count) in &sums.errors {
            let labels: Vec<_> = labels(key).into_iter().chain([("code", code.as_str())]).collect();
            out.value(&format!("{of_what}_errors_total"), &labels, count);
        }
    }
    let responses = format!("{of_what}_response_seconds");
    out.family(&responses, "histogram", "seconds");
    for (key, sums) in all {
        let bounds = BUCKETS_US.iter().map(|us| format!("{:?}", *us as f64 / 1e6)).chain(["+Inf".to_owned()]);
        for (times_of, of) in &sums.responses {
            let labels: Vec<_> = labels(key).into_iter().chain([("times_of", *times_of)]).collect();
            let mut up_to = 0;
            for (bound, count) in bounds.clone().zip(of.in_bucket) {
                up_to += count;
                let with_bound: Vec<_> = labels.iter().copied().chain([("le", bound.as_str())]).collect();
                out.value(&format!("{responses}_bucket"), &with_bound, up_to);
            }
            out.value(&format!("{responses}_sum"), &labels, of.sum_s);
            out.value(&format!("{responses}_count"), &labels, up_to);
        }
    }
}

fn labels((target, workload, phase, group): &SumsKey) -> Vec<(&'static str, &str)> {
    let group = (!group.is_empty()).then_some(("group", group.as_str()));
    [("target", target.as_str()), ("workload", workload.as_str()), ("phase", *phase)].into_iter().chain(group).collect()
}

impl Sums {
    fn add(&mut self, tally: &Tally, times_of: TimesOf) {
        let all = tally.all_transactions();
        self.completed += all.completed + all.carried;
        self.failed += all.failed + all.carried_failed;
        self.retries += all.retries;
        self.skipped += tally.accounting.skipped;
        self.reconnects += tally.reconnects;
        // Those of what had fallen due before the window too, as of the transactions.
        self.statements += tally.all_queries().total();
        for (code, count) in tally.errors() {
            *self.errors.entry(code).or_default() += count;
        }
        let (of, times) = (self.responses.entry(times_of.code()).or_default(), times_of.in_tally(tally).response);
        for (ns, count) in times.buckets() {
            of.in_bucket[BUCKETS_US.partition_point(|us| us * 1000 < ns)] += count;
        }
        of.sum_s += times.mean_ns() * times.count() as f64 / 1e9;
    }
}

/// The text that is written.
struct MetricsText {
    text: String,
    format: MetricsFormat,
}

impl MetricsText {
    /// Begins a family. The older format knows neither units nor all types, and a counter by its full name.
    fn family(&mut self, name: &str, kind: &str, unit: &str) {
        let _ = match (self.format, kind) {
            (MetricsFormat::OpenMetrics, _) => writeln!(self.text, "# TYPE {name} {kind}"),
            (MetricsFormat::Text, "counter") => writeln!(self.text, "# TYPE {name}_total counter"),
            (MetricsFormat::Text, "info") => writeln!(self.text, "# TYPE {name}_info gauge"),
            (MetricsFormat::Text, "stateset") => writeln!(self.text, "# TYPE {name} gauge"),
            (MetricsFormat::Text, kind) => writeln!(self.text, "# TYPE {name} {kind}"),
        };
        if self.format == MetricsFormat::OpenMetrics && !unit.is_empty() {
            let _ = writeln!(self.text, "# UNIT {name} {unit}");
        }
    }

    fn value(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let _ = writeln!(self.text, "{} {value}", series(name, labels.iter().copied()));
    }

    fn end(mut self) -> String {
        if self.format == MetricsFormat::OpenMetrics {
            self.text.push_str("# EOF\n");
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::tally::{StatementTally, TransactionTally};

    /// A statement for each transaction, of those of the window and of those that had fallen due before it.
    #[test]
    fn statements_are_counted_of_the_same_transactions() {
        let mut tally = Tally::default();
        let transaction = TransactionTally { completed: 102, carried: 668, ..TransactionTally::default() };
        tally.transactions.insert("t".into(), transaction);
        let statement = StatementTally { completed: 102, carried: 668, ..StatementTally::default() };
        tally.statements.insert("select".into(), statement);
        let mut sums = Sums::default();
        sums.add(&tally, TimesOf::All);
        assert_eq!((sums.completed, sums.statements), (770, 770));
    }

    #[test]
    fn times_are_those_that_tables_have_and_say_whose() {
        let mut tally = Tally::default();
        for (name, ms) in [("new_order", 2), ("stock_level", 50)] {
            let mut one = TransactionTally { completed: 10, ..TransactionTally::default() };
            one.response.record_n(ms * 1_000_000, 10);
            tally.transactions.insert(name.into(), one);
        }
        let mut sums = Sums::default();
        sums.add(&tally, TimesOf::NewOrders);
        let key = ("a".to_owned(), "tpcc".to_owned(), "measure", String::new());
        let text =
            LiveFigures { sums: [(key, sums)].into(), ..LiveFigures::default() }.text(MetricsFormat::OpenMetrics);
        let labels = "target=\"a\",workload=\"tpcc\",phase=\"measure\"";
        for line in [
            format!("tenbin_transactions_total{{{labels}}} 20"),
            format!("tenbin_response_seconds_count{{{labels},times_of=\"new_orders\"}} 10"),
        ] {
            assert!(text.lines().any(|other| other == line), "{line} in {text}");
        }
    }

    #[test]
    fn groups_of_clients_have_figures_of_their_own() {
        let mut key = ("a".to_owned(), "sql".to_owned(), "measure", "oltp".to_owned());
        let mut figures = LiveFigures::default();
        assert!(!figures.text(MetricsFormat::OpenMetrics).contains("tenbin_group"), "there are none");
        let responses = [("all", Responses::default())].into();
        figures.of_groups.insert(key.clone(), Sums { completed: 7, responses, ..Sums::default() });
        key.3.clear();
        figures.sums.insert(key, Sums { completed: 9, ..Sums::default() });
        let text = figures.text(MetricsFormat::OpenMetrics);
        let labels = "target=\"a\",workload=\"sql\",phase=\"measure\"";
        for line in [
            format!("tenbin_transactions_total{{{labels}}} 9"),
            format!("tenbin_group_transactions_total{{{labels},group=\"oltp\"}} 7"),
            format!("tenbin_group_response_seconds_count{{{labels},group=\"oltp\",times_of=\"all\"}} 0"),
        ] {
            assert!(text.lines().any(|other| other == line), "{line} in {text}");
        }
    }
}
