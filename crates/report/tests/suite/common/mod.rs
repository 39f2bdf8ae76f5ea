//! A synthetic run for tests and for work on the page. Its figures are plausible and always the same; no database is
//! involved.

use std::collections::BTreeMap;
use tenbin_model::event::{EndState, Event, FORMAT, Phase, Severity};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::tally::{StatementTally, Tally, TransactionTally};
use tenbin_model::workload::{Catalog, Counts, Ends, NO_DATA, WorkloadInfo};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

/// The plan of the synthetic run.
pub const PLAN: &str = r#"schema = 1
name = "sample"
[targets.flash]
dsn = "mysql://bench@127.0.0.1:3306/sbtest"
[targets."<script>alert(1)</script>"]
dsn = "mysql://bench@127.0.0.1:3307/sbtest"
[datasets.small]
kind = "sysbench"
[[experiment]]
name = "threads"
targets = ["flash", "<script>alert(1)</script>"]
dataset = "small"
repeats = 2
warmup = "2s"
measure = "6s"
interval = "1s"
load = { workload = "oltp_read_write" }
matrix = { "load.clients" = [1, 8, 64] }
"#;

/// The workloads of the plans in these tests.
fn catalog() -> Catalog {
    let of = |name, dataset, ends| WorkloadInfo {
        name,
        family: dataset,
        dataset,
        shared: Vec::new(),
        table_per_client: false,
        has_groups: name == "sql",
        paces_with: None,
        reads_only: false,
        ends,
    };
    let counts = Counts { total: "queries", per_client: "queries_per_client", others: &["once"] };
    let workloads = vec![
        of("oltp_read_write", "sysbench", Ends::Never),
        of("tpcc", "tpcc", Ends::Never),
        of("slap", "slap", Ends::With(counts)),
        of("sql", NO_DATA, Ends::Never),
    ];
    Catalog { workloads, default_dataset: "sysbench", sizes: Vec::new() }
}

/// All events of the run.
pub fn events(plan: &str) -> Vec<Event> {
    let trials = expand(&Plan::parse(plan, &catalog()).expect("the sample's plan is right"));
    let mut all = vec![
        Event::RunStarted {
            format: FORMAT,
            name: "sample (made up, not measured)".into(),
            tool: "0.0.0".into(),
            started: "2026-11-21T01:31:00+09:00".into(),
            plan: plan.into(),
        },
        facts(
            0,
            "client",
            &[
                ("cores", "8"),
                ("os", "Debian 13"),
                ("cpu", "a processor & its <cache>"),
                ("machine.cpu", "a processor & its <cache>"),
                ("machine.kernel", "6.1.0"),
            ],
        ),
    ];
    let expected = trials.len() as u32;
    all.splice(1..1, trials.iter().map(|t| Event::TrialPlanned { planned: Box::new(t.clone()), expected }));
    let (mut now_ns, mut chance) = (1_000_000_000, Chance(7));
    for t in &trials {
        let (trial, second) = (t.number, 1_000_000_000);
        all.push(Event::TrialStarted { trial, at_ns: now_ns });
        let flush = if t.target.place == 0 { "1" } else { "2" };
        let mut known = vec![("version", "11.4"), ("variable.flush", flush), ("variable.same", "<b>ON</b>")];
        if t.target.place == 0 {
            known.extend([
                ("machine.cpu", "a processor & its <cache>"),
                ("machine.kernel", "5.14.0"),
                ("machine.mount_options", "rw,<noatime>"),
                ("machine.data_disk_rotational", "no"),
            ]);
        }
        all.push(facts(trial, &t.target.name, &known));
        if trial == 2 {
            let problem = Problem::new(foreign("a warning with <i>marks</i>"))
                .evidence(foreign("seen & noted"))
                .hint(foreign("nothing to hint"));
            all.push(Event::Note { trial, at_ns: now_ns, severity: Severity::Warning, problem });
        }
        let begin_ns = now_ns;
        all.push(Event::PhaseStarted { trial, phase: Phase::Load, at_ns: now_ns - 400_000_000 });
        all.push(declared(trial));
        all.push(of_client(trial));
        (0..2).for_each(|n| all.push(status(trial, now_ns - 400_000_000 + n * 200_000_000, 1000.0 * n as f64, 1.0)));
        let phase = if t.warmup_ms > 0 { Phase::WarmUp } else { Phase::Measure };
        all.push(Event::PhaseStarted { trial, phase, at_ns: now_ns });
        let seconds = (t.warmup_ms + t.measure_ms) / 1000;
        for s in 0..seconds {
            let phase = if s * 1000 < t.warmup_ms { Phase::WarmUp } else { Phase::Measure };
            let tally = tally(&mut chance, t.load.clients, t.target.place, phase == Phase::WarmUp);
            if s > 0 && s * 1000 == t.warmup_ms {
                all.push(Event::PhaseStarted { trial, phase, at_ns: now_ns });
            }
            let clients = f64::from(t.load.clients);
            let done = 2000.0 + (s as f64 + 0.2 * (s % 2) as f64) * 100.0 * clients;
            all.push(status(trial, now_ns, done, clients.min(8.0) - (s % 2) as f64));
            let values = BTreeMap::from([("cpu_steal_s".to_owned(), 0.0)]);
            all.push(Event::Observation {
                trial,
                observer: "client.host".into(),
                at_ns: now_ns,
                source_unix_ns: None,
                values,
            });
            let clients = t.load.clients;
            all.push(Event::Interval {
                trial,
                phase,
                from_ns: now_ns,
                to_ns: now_ns + second,
                clients,
                tally,
                completions: None,
                per_client: Default::default(),
            });
            now_ns += second;
        }
        all.push(Event::TrialFinished {
            trial,
            at_ns: now_ns,
            state: EndState::Complete,
            measured_from_ns: begin_ns + t.warmup_ms * 1_000_000,
            measured_to_ns: now_ns,
            client_cpu_ns: t.measure_ms * 300_000,
            workers: 2,
            per_client: Default::default(),

            client_halts: Default::default(),
            oldest_open_ns: None,
            beside: Default::default(),
        });
        now_ns += second / 2;
    }
    all.push(Event::RunFinished { at_ns: now_ns, state: EndState::Complete });
    all
}

/// The declaration of a server's observer: a gauge with a label, and counters with the server's names.
fn declared(trial: u32) -> Event {
    let readings = vec![
        ReadingSpec::gauge("threads_running", "", Whose::Server).label("threads at work", "実行中のスレッド"),
        ReadingSpec::counter("com_select", "", Whose::Server),
        ReadingSpec::counter("innodb_data_written", "bytes", Whose::Server),
    ];
    Event::ObserverDeclared { trial, observer: "server.status".into(), period_ms: 1000, readings }
}

/// The declaration of the client's observer.
fn of_client(trial: u32) -> Event {
    let readings = vec![ReadingSpec::counter("cpu_steal_s", "s", Whose::Client)];
    Event::ObserverDeclared { trial, observer: "client.host".into(), period_ms: 1000, readings }
}

fn status(trial: u32, at_ns: u64, done: f64, running: f64) -> Event {
    let values = [("com_select", done), ("innodb_data_written", 4096.0 * done), ("threads_running", running)];
    let values = values.map(|(name, value)| (name.to_owned(), value)).into();
    let source_unix_ns = Some(1_795_278_660_000_000_000 + at_ns);
    Event::Observation { trial, observer: "server.status".into(), at_ns, source_unix_ns, values }
}

fn facts(trial: u32, about: &str, facts: &[(&str, &str)]) -> Event {
    let facts = facts.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    Event::Facts { trial, about: about.into(), facts }
}

/// The tally of one second. Response times grow with the number of clients; those of the second target are 35 %
/// shorter.
fn tally(chance: &mut Chance, clients: u32, place: u32, warm: bool) -> Tally {
    let clients = f64::from(clients);
    let base_ms = 4.0 * 0.65f64.powf(f64::from(place % 5)) * (1.0 + clients / 12.0) * if warm { 1.3 } else { 1.0 };
    let (mut transaction, mut read, mut commit) =
        (TransactionTally::default(), StatementTally::default(), StatementTally::default());
    // 200 samples represent all transactions of the second, so that the work does not grow with the throughput.
    let draws: Vec<f64> = (0..200)
        .map(|_| base_ms * (0.7 + 0.6 * chance.next() + 0.4 * (1.0 / (1.02 - chance.next())).ln().powi(2) / 3.0))
        .collect();
    let mean_ms = draws.iter().sum::<f64>() / 200.0;
    let all = clients * 1000.0 / mean_ms;
    let upto = |draw: usize| (all * draw as f64 / 200.0) as u64;
    for (draw, ms) in draws.into_iter().enumerate() {
        let each = upto(draw + 1) - upto(draw);
        let ns = (ms * 1e6) as u64;
        transaction.completed += each;
        transaction.response.record_n(ns, each);
        transaction.service.record_n(ns, each);
        transaction.wait.record_n(0, each);
        read.completed += 10 * each;
        read.rows += 100 * each;
        read.service.record_n(ns / 20, 10 * each);
        commit.completed += each;
        commit.service.record_n(ns / 3, each);
    }
    let mut tally = Tally::default();
    tally.accounting.scheduled = transaction.completed + 1;
    tally.accounting.completed = transaction.completed;
    if chance.next() < 0.3 {
        transaction.failed = 1;
        tally.accounting.failed = 1;
        commit.errors.insert("1213".into(), 1);
    } else {
        tally.accounting.scheduled -= 1;
    }
    tally.transactions.insert("oltp_read_write".into(), transaction);
    tally.statements.insert("point_select".into(), read);
    tally.statements.insert("commit".into(), commit);
    tally
}

/// A generator of random numbers between 0 and 1, with a fixed seed so that the run never changes.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
