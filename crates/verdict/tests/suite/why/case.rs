//! A trial as it was observed, and its diagnosis.

use crate::common;
use std::collections::BTreeMap;
use tenbin_model::event::{EndState, Event, FORMAT, Phase};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::summary::Summary;
use tenbin_model::tally::{StatementKind, StatementTally, Tally, TransactionTally};
use tenbin_model::trial::{Schedule, Trial};
use tenbin_verdict::judged_trial::JudgedTrial;
use tenbin_verdict::why::{Bottleneck, Diagnosis, Judgement, of_trial};

/// The measured window, seconds.
pub const FROM: u64 = 10;
pub const TO: u64 = 20;

/// A trial that is measured for ten seconds, and what was observed: counters by their increase per second, gauges by their
/// value.
pub struct Case {
    /// The plan; `None`: one of this target and this load.
    pub plan: Option<String>,
    /// The experiment of which it is the first trial on the target `a`; empty: the first one.
    pub of: &'static str,
    pub target: &'static str,
    pub load: &'static str,
    pub tps: u64,
    pub response_ms: f64,
    pub statements: u64,
    pub kind: StatementKind,
    pub client_cores: f64,
    pub counters: Vec<(&'static str, &'static str, f64)>,
    pub gauges: Vec<(&'static str, &'static str, f64)>,
    /// Samples are there for these seconds.
    pub seen: fn(u64) -> bool,
    /// At this second all counters start at 0 again.
    pub reset_at: Option<u64>,
    /// What else is in the tally.
    pub tally: fn(&mut Tally),
    /// By this share of a second's bits the path is ahead in every other second.
    pub jitter: f64,
    /// Variables of the server.
    pub variables: Vec<(&'static str, &'static str)>,
}

/// A server of two processors next to the clients, half used by it, with 16 clients at 1,000 transactions per second and
/// 16 ms, of which 12 are accounted for.
pub fn usual() -> Case {
    Case {
        plan: None,
        of: "",
        target: "sandbox = \"mariadbd\"",
        load: "clients = 16",
        tps: 1000,
        response_ms: 16.0,
        statements: 1,
        kind: StatementKind::Write,
        client_cores: 0.3,
        counters: vec![
            ("client.host", "cpu_user_s", 1.0),
            ("client.host", "cpu_nice_s", 0.0),
            ("client.host", "cpu_system_s", 0.4),
            ("client.host", "cpu_irq_s", 0.0),
            ("client.host", "cpu_softirq_s", 0.0),
            ("client.host", "cpu_idle_s", 0.5),
            ("client.host", "cpu_iowait_s", 0.1),
            ("client.host", "io_waited_s", 0.05),
            ("client.host", "disk_reads", 0.0),
            ("client.host", "disk_read_wait_s", 0.0),
            ("client.process", "run_delay_s", 0.1),
            ("server.process", "cpu_user_s", 0.8),
            ("server.process", "cpu_system_s", 0.2),
            ("server.process", "run_delay_s", 8.0),
            ("server.status", "innodb_buffer_pool_reads", 0.0),
            ("server.status", "innodb_data_fsyncs", 100.0),
            ("server.status", "innodb_row_lock_time", 0.0),
            ("server.status", "innodb_row_lock_waits", 0.0),
        ],
        gauges: vec![
            ("server.process", "cpus_allowed", 2.0),
            ("server.sessions", "active", 12.0),
            ("server.sessions", "executing", 9.0),
            ("server.sessions", "commit", 3.0),
            ("server.sessions", "row_lock", 0.0),
            ("server.status", "threads_connected", 20.0),
        ],
        seen: |_| true,
        reset_at: None,
        tally: |_| {},
        jitter: 0.0,
        variables: Vec::new(),
    }
}

impl Case {
    pub fn with(mut self, name: &'static str, value: f64) -> Case {
        let (observer, name) = name.rsplit_once('/').unwrap();
        let known = |one: &&mut (&str, &str, f64)| one.0 == observer && one.1 == name;
        match self.counters.iter_mut().chain(&mut self.gauges).find(known) {
            Some(one) => one.2 = value,
            None => panic!("{observer} {name} is not there; say counter or gauge"),
        }
        self
    }

    pub fn counter(mut self, observer: &'static str, name: &'static str, per_second: f64) -> Case {
        self.counters.push((observer, name, per_second));
        self
    }

    pub fn gauge(mut self, observer: &'static str, name: &'static str, value: f64) -> Case {
        self.gauges.push((observer, name, value));
        self
    }

    /// Without one reading.
    pub fn lacking(mut self, name: &'static str) -> Case {
        let (observer, name) = name.rsplit_once('/').unwrap();
        self.counters.retain(|one| (one.0, one.1) != (observer, name));
        self.gauges.retain(|one| (one.0, one.1) != (observer, name));
        self
    }

    pub fn without(mut self, observer: &str) -> Case {
        self.counters.retain(|one| one.0 != observer);
        self.gauges.retain(|one| one.0 != observer);
        self
    }

    pub fn summary(&self) -> Summary {
        let text = self.plan.clone().unwrap_or_else(|| {
            format!(
                "schema = 1\n[targets.a]\n{}\n[[experiment]]\nrepeats = 1\nwarmup = \"0s\"\nmeasure = \"10s\"\n\
             [experiment.load]\nworkload = \"oltp_read_write\"\n{}\n",
                self.target, self.load
            )
        });
        let plan = Plan::parse(&text, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:#?}"));
        let all = expand(&plan);
        let is_it = |trial: &Trial| trial.target.name == "a" && (self.of.is_empty() || trial.experiment == self.of);
        let of_it = all.iter().find(|trial| is_it(trial));
        let trial = Trial { number: 1, ..of_it.unwrap().clone() };
        let mut summary = started(&plan);
        self.play(&mut summary, trial);
        summary
    }

    /// One trial of a run, as it was observed.
    fn play(&self, summary: &mut Summary, trial: Trial) {
        let (number, clients) = (trial.number, trial.load.clients);
        let rate = match trial.load.schedule {
            Schedule::Open { rate, .. } => Some(rate as u64),
            Schedule::Closed => None,
        };
        summary.take(&Event::TrialPlanned { planned: Box::new(trial), expected: 1 });
        summary.take(&Event::TrialStarted { trial: number, at_ns: 0 });
        if !self.variables.is_empty() {
            let facts = self.variables.iter().map(|(name, value)| (format!("variable.{name}"), (*value).to_owned()));
            let facts = facts.collect();
            summary.take(&Event::Facts { trial: number, about: "a".into(), facts });
        }
        let ns = |s: u64| s * 1_000_000_000;
        let mut declared: BTreeMap<&str, Vec<ReadingSpec>> = BTreeMap::new();
        for (observer, name, _) in &self.counters {
            declared.entry(observer).or_default().push(ReadingSpec::counter(*name, "", Whose::Server));
        }
        for (observer, name, _) in &self.gauges {
            declared.entry(observer).or_default().push(ReadingSpec::gauge(*name, "", Whose::Server));
        }
        for (observer, readings) in declared {
            let observer = observer.to_owned();
            summary.take(&Event::ObserverDeclared { trial: number, observer, period_ms: 1000, readings });
        }
        for at in (0..=25).filter(|at| (self.seen)(*at)) {
            let since = self.reset_at.filter(|reset| at >= *reset).unwrap_or(0);
            let mut read: BTreeMap<&str, BTreeMap<String, f64>> = BTreeMap::new();
            for (observer, name, per_second) in &self.counters {
                let ahead = if *observer == "client.path" { self.jitter * (at % 2) as f64 } else { 0.0 };
                let value = per_second * ((at - since) as f64 + ahead);
                read.entry(observer).or_default().insert((*name).to_owned(), value);
            }
            for (observer, name, value) in &self.gauges {
                read.entry(observer).or_default().insert((*name).to_owned(), *value);
            }
            for (observer, values) in read {
                let observer = observer.to_owned();
                summary.take(&Event::Observation {
                    trial: number,
                    observer,
                    at_ns: ns(at),
                    source_unix_ns: None,
                    values,
                });
            }
        }
        summary.take(&Event::Interval {
            trial: number,
            phase: Phase::Measure,
            from_ns: ns(FROM),
            to_ns: ns(TO),
            clients,
            tally: self.tally(rate),
            completions: None,
            per_client: Default::default(),
        });
        summary.take(&Event::TrialFinished {
            trial: number,
            at_ns: ns(26),
            state: EndState::Complete,
            measured_from_ns: ns(FROM),
            measured_to_ns: ns(TO),
            client_cpu_ns: (self.client_cores * 10e9) as u64,
            workers: 2,
            per_client: Default::default(),
            client_halts: Default::default(),
            oldest_open_ns: None,
            beside: Default::default(),
        });
    }

    fn tally(&self, rate: Option<u64>) -> Tally {
        let n = self.tps * (TO - FROM);
        let mut tally = Tally::default();
        tally.accounting.scheduled = rate.unwrap_or(self.tps).max(self.tps) * (TO - FROM);
        tally.accounting.completed = n;
        tally.accounting.open = (tally.accounting.scheduled - n) as i64;
        let mut all = TransactionTally { completed: n, ..TransactionTally::default() };
        let ns = (self.response_ms * 1e6) as u64;
        all.response.record_n(ns, n);
        all.service.record_n(ns, n);
        tally.in_progress_ns = n * ns;
        tally.transactions.insert("transaction".into(), all);
        let completed = n * self.statements;
        let statement = StatementTally { kind: self.kind, completed, rows: completed, ..StatementTally::default() };
        tally.statements.insert("statement".into(), statement);
        (self.tally)(&mut tally);
        tally
    }

    pub fn diagnosis(&self) -> Diagnosis {
        let summary = self.summary();
        let trial = &summary.trials[0];
        of_trial(&summary, trial).unwrap_or_else(|| panic!("{:?}", trial.doubts()))
    }

    /// The diagnosis in a sentence. What would refute it is a plan without mistakes.
    pub fn sentence(&self) -> String {
        let diagnosis = self.diagnosis();
        if let Some(experiment) = &diagnosis.experiment {
            let parsed = Plan::parse(&experiment.plan, &common::catalog());
            let plan = parsed.unwrap_or_else(|problems| panic!("{problems:#?}\n{}", experiment.plan));
            assert!(!expand(&plan).is_empty());
        }
        diagnosis.words().english().to_owned()
    }
}

/// The same at twice the rate that its clients complete: each start waits for two seconds until one of them is free.
pub fn overdue(case: Case) -> Case {
    let tally: fn(&mut Tally) = |tally| {
        let all = tally.transactions.values_mut().next().unwrap();
        let (service, n) = (all.service.mean_ns() as u64, all.completed);
        all.response.clear();
        all.wait.record_n(2_000_000_000, n);
        all.response.record_n(2_000_000_000 + service, n);
    };
    Case { load: "clients = 16\nrate = 2000", tally, ..case }
}

/// The same, observed at its ends only.
pub fn at_the_ends(case: Case) -> Case {
    Case { load: "clients = 16\nobserve = \"ends\"", seen: |at| at == FROM || at == TO, ..case }
}

/// What the rule says.
pub fn judgement(case: &Case, of: Bottleneck) -> Judgement {
    case.diagnosis().judgements.into_iter().find(|judgement| judgement.bottleneck == of).unwrap()
}

/// A run of this plan, before its first trial.
fn started(plan: &Plan) -> Summary {
    let (name, tool, started) = ("n".to_owned(), "t".to_owned(), "s".to_owned());
    let facts = BTreeMap::from([("cores".to_owned(), "2".to_owned())]);
    Summary::of(&[
        Event::RunStarted { format: FORMAT, name, tool, started, plan: plan.text.clone() },
        Event::Facts { trial: 0, about: "client".into(), facts },
    ])
}

/// A run of a plan, each trial of which was observed like this.
pub fn ran(plan: &str, observed: impl Fn(&Trial) -> Case) -> Summary {
    let plan = Plan::parse(plan, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:#?}\n{plan}"));
    let mut summary = started(&plan);
    for (at, trial) in expand(&plan).into_iter().enumerate() {
        let trial = Trial { number: at as u32 + 1, ..trial };
        observed(&trial).play(&mut summary, trial);
    }
    summary
}
