//! `doc/format/run-directory.md` names every event and every key that is written.

use crate::common;

use std::collections::BTreeMap;
use tenbin_model::ceiling::ClientCeiling;
use tenbin_model::digest::{DigestCounts, DigestReport, StatementDigest};
use tenbin_model::event::{ClientsBeside, Completions, EndState, Event, FORMAT, Halts, Phase, Severity};
use tenbin_model::inspection::{Edge, ServerInspection};
use tenbin_model::load_host::{ClockSteps, LoadHostPart};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::tally::{Accounting, Carried, GroupTally, PerClient, StatementTally, Tally, TransactionTally};
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

fn one_of_each() -> Vec<Event> {
    let plan =
        "schema = 1\ntargets.a.dsn = \"null:\"\n[[experiment]]\nload = { workload = \"w\", rate = 1, workers = 2 }\n";
    let (trial, at_ns, phase) = (1, 2, Phase::Measure);
    let mut histogram = tenbin_model::histogram::Histogram::new();
    histogram.record(1_000_000);
    let transaction = TransactionTally {
        completed: 1,
        failed: 1,
        retries: 1,
        carried: 1,
        carried_failed: 1,
        response: histogram.clone(),
        service: histogram.clone(),
        wait: histogram.clone(),
        failed_service: histogram.clone(),
    };
    let statement = StatementTally {
        completed: 1,
        more: 1,
        rows: 1,
        as_parameters: 1,
        as_text: 1,
        service: histogram.clone(),
        errors: BTreeMap::from([("1213".into(), 1)]),
        carried: 1,
        carried_errors: BTreeMap::from([("1213".into(), 1)]),
        ..Default::default()
    };
    let group = GroupTally { unanswered: histogram.clone(), ..GroupTally::default() };
    let tally = Tally {
        accounting: Accounting {
            begun_before: 1,
            scheduled: 1,
            completed: 1,
            failed: 1,
            skipped: 0,
            open: 0,
            carried: 1,
            carried_failed: 1,
        },
        reconnects: 1,
        left_open: 1,
        session_statements: 1,
        unavailable_ns: 1,
        in_progress_ns: 1,
        paused_ns: 1,
        carried: Carried { statements: 1, failed_statements: 1, service_ns: 1 },
        unanswered: histogram.clone(),
        transactions: BTreeMap::from([("name-of-its-own".into(), transaction)]),
        statements: BTreeMap::from([("name-of-its-own".into(), statement)]),
        counters: BTreeMap::from([("name-of-its-own".into(), 1)]),
        groups: BTreeMap::from([("name-of-its-own".into(), group)]),
        drained: true,
    };
    let of_host = tally.clone();
    let mut trials = expand(&Plan::parse(plan, &common::catalog()).expect("this plan is right"));
    let facts = BTreeMap::from([("name-of-its-own".to_owned(), "10".to_owned())]);
    let values = BTreeMap::from([("name-of-its-own".to_owned(), 1.0)]);
    vec![
        Event::RunStarted {
            format: FORMAT,
            name: "n".into(),
            tool: "t".into(),
            started: "s".into(),
            plan: plan.into(),
        },
        Event::TrialPlanned { planned: Box::new(trials.remove(0)), expected: 1 },
        Event::FileUsed { path: "q.sql".into(), sha256: "s".into(), text: Some("SELECT 1".into()) },
        Event::TrialStarted { trial, at_ns },
        Event::PhaseStarted { trial, phase, at_ns },
        Event::Progress { trial, phase, at_ns, done: 1, total: 2, unit: "rows".into() },
        Event::Interval {
            trial,
            phase,
            from_ns: 1,
            to_ns: 2,
            clients: 1,
            tally,
            completions: Some(Completions { first_ns: 1, last_ns: 2, gap_ns: 0 }),
            per_client: Default::default(),
        },
        Event::HostInterval {
            trial,
            host: 1,
            phase,
            from_ns: 1,
            to_ns: 2,
            clients: 1,
            tally: of_host,
            completions: Some(Completions { first_ns: 1, last_ns: 2, gap_ns: 0 }),
        },
        Event::HostFinished {
            trial,
            host: 1,
            part: LoadHostPart {
                name: "process 1".into(),
                machine: "m".into(),
                here: true,
                cores: Some(2.0),
                clients: 1,
                workers: 1,
                client_cpu_ns: 1,
                halts: Halts { stopped_ns: 1, briefly_ns: 1, suspended_ns: 1 },
                late_ns: 1,
                oldest_open_ns: Some(1),
                offset_ns: 1,
                offset_error_ns: 1,
                drift_ns: 1,
                drift_error_ns: 1,
                clock_steps: ClockSteps { count: 1, largest_ns: 1 },
                lost: Some(Problem::new(foreign("w"))),
                late_reports: 1,
            },
        },
        Event::ObserverDeclared {
            trial,
            observer: "client.host".into(),
            period_ms: 1000,
            readings: vec![ReadingSpec::gauge("memory_bytes", "bytes", Whose::Client).label("memory", "メモリー")],
        },
        Event::Observation { trial, observer: "client.host".into(), at_ns, source_unix_ns: Some(1), values },
        Event::ServerStatements {
            trial,
            report: DigestReport {
                from_ns: 1,
                to_ns: 2,
                statements: vec![StatementDigest {
                    text: "SELECT ?".into(),
                    schema: Some("s".into()),
                    foreign: true,
                    counts: DigestCounts::default(),
                }],
                others: DigestCounts::default(),
                problems: vec![Problem::new(foreign("w"))],
            },
        },
        Event::ClientCeiling {
            trial,
            ceiling: ClientCeiling {
                statement: "DO 0".into(),
                prepared: true,
                clients: 1,
                workers: 1,
                from_ns: 1,
                to_ns: 2,
                round_trips: 1,
                client_cpu_ns: 1,
            },
        },
        Event::Facts { trial, about: "client".into(), facts },
        Event::ServerInspected {
            trial,
            at_ns,
            edge: Edge::After,
            replica: Some("r".into()),
            inspection: Box::new(ServerInspection {
                uptime_s: Some(1.0),
                started: Some("s".into()),
                connections: Some(1),
                unlike: [("name-of-its-own".to_owned(), ["1".to_owned(), "2".to_owned()])].into(),
                set: [("name-of-its-own".to_owned(), "then".to_owned())].into(),
                ..ServerInspection::default()
            }),
            changed: [("name-of-its-own".to_owned(), ["1".to_owned(), "2".to_owned()])].into(),
        },
        Event::Note {
            trial,
            at_ns,
            severity: Severity::Info,
            problem: Problem::new(foreign("w")).evidence(foreign("e")).hint(foreign("m")),
        },
        Event::TrialFinished {
            trial,
            at_ns,
            state: EndState::Complete,
            measured_from_ns: 1,
            measured_to_ns: 2,
            client_cpu_ns: 1,
            workers: 1,
            per_client: PerClient { completed: vec![1], unwritten: vec![1], ..Default::default() },
            client_halts: Halts { stopped_ns: 1, briefly_ns: 1, suspended_ns: 1 },
            oldest_open_ns: Some(1),
            beside: ClientsBeside { cpu_ns: 1, workers: 1 },
        },
        Event::RunFinished { at_ns, state: EndState::Complete },
    ]
}

/// Trials that end, or begin, when something is known.
fn planned_with_conditions() -> Vec<Event> {
    let server = "schema = 1\ntargets.a.dsn = \"mysql://a@b/c\"\n";
    let until = "until = \"ci(tps) < 2%\"";
    let plans = [
        format!(
            "warmup = \"auto\"\nmeasure = {{ min = \"60s\", max = \"30m\", {until} }}\nload = {{ workload = \"w\" }}\n"
        ),
        format!("repeats = {{ min = 3, max = 10, {until} }}\nsettle = \"flush\"\nload = {{ workload = \"w\" }}\n"),
        "search = { until = \"p99 < 20ms\", to = 1000 }\nload = { workload = \"w\" }\n".to_owned(),
        "load = { workload = \"sql\", group = [{ name = \"name-of-its-own\", scripts = \"a.sql\" }] }\n".to_owned(),
    ];
    let planned = |experiment: String| {
        let text = format!("{server}[[experiment]]\n{experiment}");
        let plan = Plan::parse(&text, &common::catalog()).unwrap_or_else(|problems| panic!("{problems:#?}\n{text}"));
        Event::TrialPlanned { planned: Box::new(expand(&plan).remove(0)), expected: 1 }
    };
    plans.map(planned).into()
}

fn keys(value: &serde_json::Value, into: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                into.push(key.clone());
                keys(value, into);
            }
        }
        serde_json::Value::Array(all) => all.iter().for_each(|v| keys(v, into)),
        _ => {}
    }
}

fn format() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../doc/format/run-directory.md"))
        .expect("the document is there")
}

/// A field that is left out where a plan does not say it is in none of the events below.
#[test]
fn every_field_of_a_trial_is_written_down() {
    let (format, folder) = (format(), concat!(env!("CARGO_MANIFEST_DIR"), "/src/trial"));
    let mut fields = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        let names = text.lines().filter_map(|line| Some(line.strip_prefix("    pub ")?.split_once(": ")?.0));
        for name in names.filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')) {
            assert!(format.contains(&format!("`{name}`")), "the format does not tell of {name} in a trial");
            fields += 1;
        }
    }
    assert!(fields > 80, "{fields} fields were found");
}

#[test]
fn the_format_is_written_down() {
    let text = format();
    assert!(text.starts_with(&format!("# The run directory, format {FORMAT}\n")));
    let words: Vec<&str> = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).collect();
    for event in one_of_each().into_iter().chain(planned_with_conditions()) {
        let value = serde_json::to_value(&event).unwrap();
        let kind = value["event"].as_str().unwrap().to_owned();
        assert!(text.contains(&format!("`{kind}`")), "the format does not tell of {kind}");
        let mut all = Vec::new();
        keys(&value, &mut all);
        for key in all.iter().filter(|k| !["event", "name-of-its-own", "1213"].contains(&k.as_str())) {
            assert!(words.contains(&key.as_str()), "the format does not tell of {key} in {kind}");
        }
    }
}
