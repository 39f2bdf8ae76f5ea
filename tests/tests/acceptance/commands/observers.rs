//! An observer from its list to the recording, the exports and the page: with fakes, and with those that a real server
//! has.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tenbin_lab::{Listener, Live, Request, run_in};
use tenbin_model::event::{EndState, Event, Phase, Sink};
use tenbin_model::observed::{Figures, ObservedReading};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::stop::StopSignal;
use tenbin_model::summary::{Summary, TrialResult};
use tenbin_observers::{ALL, Observer, ObserverEntry, Sample};
use tenbin_report::store::{self, Store};
use tenbin_report::{export, page};
use tenbin_tests::{mariadb, mysql, postgres};
use tenbin_verdict::agenda::FixedOrder;
use tenbin_words::language::Language;
use tenbin_words::problem::Problem;

/// What is added to the list: a file's `ENTRY`.
const TIDES: ObserverEntry = ObserverEntry {
    name: "client.tides",
    readings: |_| tides(),
    period: Some(Duration::from_millis(20)),
    patience: Duration::from_secs(60),
    connects: false,
    edges: false,
    each: None,
    make: |_| Some(Box::new(Tides(0.0))),
};

fn tides() -> Vec<ReadingSpec> {
    vec![
        ReadingSpec::counter("tides_bytes", "bytes", Whose::Client).label("water that came in", "流れ込んだ水"),
        ReadingSpec::gauge("ships", "", Whose::Network),
    ]
}

struct Tides(f64);

impl Observer for Tides {
    fn read(&mut self) -> Result<Sample, Problem> {
        self.0 += 2048.0;
        let values = [("tides_bytes", self.0), ("ships", 7.0)];
        let values: BTreeMap<String, f64> = values.map(|(name, value)| (name.to_owned(), value)).into();
        Ok(Sample { values, source_unix_ns: Some(1_700_000_000_000_000_000), ..Sample::default() })
    }
}

/// An observer that does one thing wrong.
struct FaultyObserver(fn() -> Sample);

impl Observer for FaultyObserver {
    fn read(&mut self) -> Result<Sample, Problem> {
        Ok((self.0)())
    }
}

const PANICS: ObserverEntry =
    ObserverEntry { name: "fake.panics", make: |_| Some(Box::new(FaultyObserver(|| panic!("a fault")))), ..TIDES };
const HANGS: ObserverEntry = ObserverEntry {
    name: "fake.hangs",
    patience: Duration::from_secs(1),
    make: |_| {
        Some(Box::new(FaultyObserver(|| {
            loop {
                std::thread::park();
            }
        })))
    },
    ..TIDES
};
const STRANGE: ObserverEntry = ObserverEntry {
    name: "fake.strange",
    make: |_| Some(Box::new(FaultyObserver(|| BTreeMap::from([("whales".to_owned(), 1.0)]).into()))),
    ..TIDES
};

struct Sinks(Store, Summary);

impl Sink for Sinks {
    fn receive(&mut self, event: &Event) -> Result<(), Problem> {
        self.0.receive(event)?;
        self.1.take(event);
        Ok(())
    }
}

impl Listener for Sinks {
    fn summary(&self) -> &Summary {
        &self.1
    }
}

/// Runs two trials under these observers, on nothing.
fn run(observers: &[ObserverEntry], runs: &Path) -> (EndState, Summary, PathBuf) {
    let text = "schema = 1\nname = \"observed\"\n[defaults]\nwarmup = \"0s\"\nsettle = \"100ms\"\nmeasure = \"1s\"\ninterval = \"200ms\"\nrepeats = 2\n\
         [targets.nobody]\ndsn = \"null:?delay_us=1000\"\n[[experiment]]\nload = { workload = \"oltp_point_select\", clients = 2 }\n";
    run_plan(text, observers, runs)
}

fn run_plan(text: &str, observers: &[ObserverEntry], runs: &Path) -> (EndState, Summary, PathBuf) {
    let plan = Plan::parse(text, &tenbin_workloads::catalog()).unwrap_or_else(|problems| panic!("{problems:?}"));
    let request = Request {
        tool: "test".into(),
        name: plan.name.clone(),
        plan: plan.text.clone(),
        trials: expand(&plan),
        ..Request::default()
    };
    let mut sinks = Sinks(Store::create(runs, "observed").unwrap(), Summary::default());
    let state = run_in(
        &request,
        &FixedOrder::of(expand(&plan)),
        &Live { observers, ..Live::default() },
        &mut sinks,
        &StopSignal::new(),
    )
    .unwrap();
    let Sinks(store, summary) = sinks;
    (state, summary, store.close().unwrap())
}

fn notes(trial: &TrialResult) -> Vec<String> {
    trial
        .notes
        .iter()
        .map(|(_, problem)| problem.what.english().to_owned())
        .filter(|what| what.contains("observer"))
        .collect()
}

#[test]
fn an_observer_is_a_file_and_a_line() {
    let runs = tempfile::tempdir().unwrap();
    let (state, live, dir) = run(&[TIDES], runs.path());
    assert_eq!(state, EndState::Complete);
    let read = store::read(&dir).unwrap();
    assert!(read.doubts.is_empty(), "{:?}", read.doubts);
    for trial in &read.summary.trials {
        let observed = trial.observed();
        assert_eq!(observed.iter().map(|o| o.spec.clone()).collect::<Vec<_>>(), tides(), "read without its code");
        let Some(Figures::Counter { change, per_second, seconds }) = observed[0].figures() else { panic!("no rate") };
        assert!(change >= 2048.0 && (per_second - change / seconds).abs() < 1e-6, "{change} {per_second} {seconds}");
        assert_eq!(observed[1].figures(), Some(Figures::Gauge { mean: 7.0, min: 7.0, max: 7.0 }));
        let values: Vec<_> = observed[0].values().collect();
        assert!(values.iter().all(|v| v.source_unix_ns == Some(1_700_000_000_000_000_000)));
        let same = &live.trial(trial.trial.number).unwrap().observed()[0];
        assert_eq!(values, same.values().collect::<Vec<_>>(), "live and read back");
    }

    let csv = export::readings(&read.summary, None).csv().unwrap();
    for (trial, name, kind, unit, whose) in
        [(1, "tides_bytes", "counter", "bytes", "client"), (2, "ships", "gauge", "", "network")]
    {
        let row = format!("{trial},nobody,1,{trial},client.tides,{name},{kind},{unit},{whose},");
        // The name of the run comes first.
        let of_run = csv.lines().filter_map(|line| line.split_once(',').map(|(_, rest)| rest));
        let rows: Vec<&str> = of_run.filter(|rest| rest.starts_with(&row)).collect();
        assert!(rows.iter().all(|l| l.contains(",2023-11-14T22:13:20Z,")), "{rows:?}");
        for phase in ["settle", "measure"] {
            assert!(rows.iter().any(|l| l[row.len()..].starts_with(phase)), "{phase}: {rows:#?}");
        }
    }
    let json: serde_json::Value = serde_json::from_str(&export::json(&read.summary, None)).unwrap();
    assert_eq!(json["trials"][1]["readings"][0]["label"]["ja"], "流れ込んだ水");
    assert!(json["trials"][1]["readings"][0]["per_second"].as_f64().unwrap() > 0.0);
    assert_eq!(json["trials"][1]["readings"][1]["mean"], 7.0);
    let page = page::render(&read.summary, &[], Language::English);
    let (_, section) = page.split_once("<section id=\"readings\">").unwrap();
    for part in ["water that came in", "流れ込んだ水", "<span translate=\"no\">ships</span>", "client.tides", "KiB"]
    {
        assert!(section.contains(part), "{part} is not on the page");
    }
}

#[test]
fn bad_observers_cost_no_run() {
    let runs = tempfile::tempdir().unwrap();
    let (state, summary, dir) = run(&[PANICS, HANGS, STRANGE, TIDES], runs.path());
    assert_eq!(state, EndState::Complete);
    let [first, second] = summary.trials.as_slice() else { panic!("two trials") };
    let mut text = notes(first);
    text.sort();
    assert_eq!(
        text,
        [
            "observer fake.hangs hangs; it is left out from here on",
            "observer fake.panics panicked: a fault of Tenbin, its readings end here",
            "observer fake.strange read what it did not declare, or no number; that is left out",
        ]
    );
    assert!(!second.observations.contains_key("fake.hangs"), "one thread that cannot be ended, not two");
    assert_eq!(notes(second).len(), 2, "{:?}", notes(second));
    for trial in [first, second] {
        assert!(trial.tps() > 0.0);
        let observed: Vec<String> =
            trial.observed().iter().map(|o| format!("{} {}", o.observer, o.spec.name)).collect();
        assert_eq!(observed, ["client.tides tides_bytes", "client.tides ships"], "the rest is recorded");
    }
    assert!(store::read(&dir).unwrap().doubts.is_empty());
}

/// Loads into a server and drives it under all observers; which of its status readings were read in which phases.
fn of_server(dsn: &str) -> (TrialResult, BTreeMap<String, BTreeSet<&'static str>>) {
    let runs = tempfile::tempdir().unwrap();
    let text = format!(
        "schema = 1\nname = \"loaded\"\n[defaults]\nwarmup = \"0s\"\nsettle = \"300ms\"\nmeasure = \"1s\"\ninterval = \"100ms\"\n\
         [targets.db]\ndsn = \"{dsn}\"\n[datasets.d]\ntable_size = 50000\n[[experiment]]\nrepeats = 1\nrestore = \"before-run\"\n\
         load = {{ workload = \"oltp_read_only\", clients = 2 }}\n"
    );
    let (state, summary, _) = run_plan(&text, ALL, runs.path());
    assert_eq!(state, EndState::Complete, "{:?}", summary.trials[0].notes);
    let trial = summary.trials[0].clone();
    assert_eq!(notes(&trial), Vec::<String>::new());
    let others = trial.notes.iter().filter(|(_, problem)| problem.what.starts_with("others are"));
    assert_eq!(others.count(), 0, "our own connection is none of others: {:?}", trial.notes);
    let status: Vec<_> = trial.observed().into_iter().filter(|o| o.observer == "server.status").collect();
    let phases =
        |o: &ObservedReading<'_>| o.values().filter_map(|v| trial.phase_at(v.at_ns)).map(Phase::name).collect();
    let read = status.iter().map(|o| (o.spec.name.to_string(), phases(o))).collect();
    (trial.clone(), read)
}

#[test]
fn a_server_is_observed_while_it_is_loaded_too() {
    let server = mariadb(&[]);
    let (_, read) = of_server(&server.dsn());
    assert!(read["bytes_received"].contains("load"), "{read:?}");
    assert!(read.len() > 30, "{read:?}");
    let innodb = ["innodb_history_list_length", "innodb_checkpoint_age", "innodb_pages_written", "innodb_deadlocks"];
    for name in innodb {
        assert!(read[name].contains("measure"), "{name} of MariaDB: {read:?}");
    }

    let server = mysql("8.0.31", &[]);
    let (_, read) = of_server(&server.dsn());
    for name in innodb {
        assert!(read[name].contains("measure"), "{name} of MySQL: {read:?}");
    }

    let server = postgres(&[]);
    let (trial, read) = of_server(&server.dsn());
    assert!(read["tup_inserted"].contains("load"), "{read:?}");
    let first = trial.observed().iter().find(|o| o.spec.name == "xact_commit").and_then(|o| o.values().next());
    assert!(first.unwrap().source_unix_ns > Some(1_600_000_000_000_000_000), "by the server's clock");
}
