//! A run directory, damaged in any way, comes through reading, summary, page and exports.
#![no_main]

use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use tenbin_model::event::{EndState, Event, FORMAT, Phase, Severity, Sink};
use tenbin_model::plan::{Plan, expand};
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_model::tally::{StatementTally, Tally, TransactionTally};
use tenbin_report::store::{Store, list, read_within};
use tenbin_report::{export, page};
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

const PLAN: &str = "schema = 1\nname = \"small\"\n[targets.a]\ndsn = \"null:\"\n[targets.b]\ndsn = \"null:\"\n[[experiment]]\nload = { workload = \"oltp_point_select\" }\nwarmup = \"0s\"\nmeasure = \"2s\"\ninterval = \"1s\"\nrepeats = 1\n";

/// The files that are damaged.
const FILES: [&str; 8] = [
    "SHA256SUMS",
    "run.json",
    "plan.toml",
    "events.jsonl",
    "trials/0001/trial.json",
    "trials/0001/events.jsonl",
    "trials/0002/trial.json",
    "trials/0002/events.jsonl",
];

/// A whole run, and what its files hold.
struct Whole {
    dir: PathBuf,
    files: Vec<Vec<u8>>,
}

fn whole() -> &'static Whole {
    static WHOLE: OnceLock<Whole> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let memory = Path::new("/dev/shm");
        let root = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
        let root = root.join(format!("tenbin-fuzz-{}", std::process::id()));
        let mut store = Store::create(&root, "small").expect("a folder can be made");
        events().iter().for_each(|e| store.receive(e).expect("there is room"));
        let dir = store.close().expect("there is room");
        let files = FILES.iter().map(|f| fs::read(dir.join(f)).expect("it was written")).collect();
        Whole { dir, files }
    })
}

fn events() -> Vec<Event> {
    let trials = expand(&Plan::parse(PLAN, &tenbin_model::workload::Catalog::EMPTY).expect("it is right"));
    let texts = || ("small".to_owned(), "0".to_owned(), "2026-11-22T00:00:00+00:00".to_owned());
    let (name, tool, started) = texts();
    let mut all = vec![
        Event::RunStarted { format: FORMAT, name, tool, started, plan: PLAN.into() },
        Event::Facts { trial: 0, about: "client".into(), facts: BTreeMap::from([("cores".into(), "2".into())]) },
    ];
    all.extend(trials.iter().map(|t| Event::TrialPlanned { planned: Box::new(t.clone()), expected: 2 }));
    for t in &trials {
        let (trial, from_ns) = (t.number, u64::from(t.number) * 3_000_000_000);
        let mut tally = Tally::default();
        let mut transactions = TransactionTally { completed: 9, ..TransactionTally::default() };
        let mut statements = StatementTally { completed: 9, rows: 9, ..StatementTally::default() };
        (1..10).for_each(|n| {
            transactions.response.record(n * 1_000_000);
            statements.service.record(n * 900_000);
        });
        (tally.accounting.scheduled, tally.accounting.completed) = (9, 9);
        tally.transactions.insert("t".into(), transactions);
        tally.statements.insert("s".into(), statements);
        all.push(Event::TrialStarted { trial, at_ns: from_ns });
        all.push(Event::PhaseStarted { trial, phase: Phase::Measure, at_ns: from_ns });
        all.push(Event::ObserverDeclared {
            trial,
            observer: "client.host".into(),
            period_ms: 1000,
            readings: vec![ReadingSpec::counter("cpu_user_s", "s", Whose::Client).label("CPU", "CPU")],
        });
        for n in 0..2 {
            let (from_ns, to_ns) = (from_ns + n * 1_000_000_000, from_ns + (n + 1) * 1_000_000_000);
            let (phase, per_client) = (Phase::Measure, Default::default());
            all.push(Event::Interval {
                trial,
                phase,
                from_ns,
                to_ns,
                clients: 1,
                tally: tally.clone(),
                per_client,
                completions: None,
            });
            let values = BTreeMap::from([("cpu_user_s".to_owned(), n as f64), ("rss_bytes".to_owned(), 1e6)]);
            all.push(Event::Observation {
                trial,
                observer: "client.host".into(),
                at_ns: to_ns,
                source_unix_ns: None,
                values,
            });
        }
        let problem = Problem::new(foreign("a note")).evidence(foreign("seen")).hint(foreign("do"));
        all.push(Event::Note { trial, at_ns: from_ns, severity: Severity::Warning, problem });
        all.push(Event::TrialFinished {
            trial,
            at_ns: from_ns + 2_000_000_000,
            state: EndState::Complete,
            measured_from_ns: from_ns,
            measured_to_ns: from_ns + 2_000_000_000,
            client_cpu_ns: 1_000_000,
            workers: 1,
            client_halts: Default::default(),
            oldest_open_ns: None,
            per_client: Default::default(),
        });
    }
    all.push(Event::RunFinished { at_ns: 20_000_000_000, state: EndState::Complete });
    all
}

fuzz_target!(|damage: Vec<(u8, u16, u8, &[u8])>| {
    let Whole { dir, files } = whole();
    let mut now = files.clone();
    // This many bytes at a place of a file give way to others.
    for (file, at, gone, instead) in damage {
        let bytes = &mut now[usize::from(file) % FILES.len()];
        let at = usize::from(at) % (bytes.len() + 1);
        let to = (at + usize::from(gone)).min(bytes.len());
        bytes.splice(at..to, instead.iter().copied());
    }
    for (name, bytes) in FILES.iter().zip(&now) {
        fs::write(dir.join(name), bytes).expect("there is room");
    }
    let _ = list(dir.parent().expect("a folder of runs"));
    let Ok(recording) = read_within(dir, 64 << 20) else { return };
    let (summary, doubts) = (&recording.summary, &recording.doubts);
    assert!(page::render(summary, doubts, Language::English).contains("</html>"));
    let texts = [export::trials(summary, None).csv().expect("a table"), export::markdown(summary, Language::Japanese)];
    assert!(!texts.iter().any(|t| t.contains('\x1b')), "{texts:?}");
    export::json(summary, None);
});
