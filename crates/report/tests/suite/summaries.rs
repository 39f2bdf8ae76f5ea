//! The summaries of logs in a run directory: what is read from them is what is read from the logs, they hold only for the log
//! they were made of, and nothing is lost without them.

use crate::common;
use crate::variants;

use common::{PLAN, events};
use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::event::Sink;
use tenbin_model::event::{Event, Severity};
use tenbin_model::summary::TrialResult;
use tenbin_report::store::{Recording, Store, read};
use tenbin_report::{export, page};
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

/// What the note of each trial says.
const SAID: &str = "said by the trial";
/// As long.
const FORGED: &str = "said by somebody";

/// A run with readings and notes of each trial.
fn written(root: &Path) -> PathBuf {
    stored(root, events(PLAN))
}

fn stored(root: &Path, events: Vec<Event>) -> PathBuf {
    let mut store = Store::create(root, "summarised").expect("a fresh folder");
    for event in events {
        store.receive(&event).expect("there is room");
        if let Event::TrialStarted { trial, at_ns } = event {
            let problem = Problem::new(foreign(SAID)).evidence(foreign("two\nlines"));
            store.receive(&Event::Note { trial, at_ns, severity: Severity::Info, problem }).expect("there is room");
        }
    }
    store.close().expect("there is room")
}

fn trials(dir: &Path) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> =
        fs::read_dir(dir.join("trials")).expect("a folder").map(|e| e.expect("a name").path()).collect();
    all.sort();
    all
}

/// Everything that a reader can see.
fn told(Recording { summary, doubts }: &Recording) -> [String; 8] {
    [
        export::json(summary, None),
        export::trials(summary, None).csv().expect("a table"),
        export::series(summary, None).csv().expect("a table"),
        export::readings(summary, None).csv().expect("a table"),
        export::hdr_log(summary),
        export::open_metrics(summary, None),
        export::markdown(summary, Language::Japanese),
        page::render(summary, doubts, Language::English),
    ]
}

fn replace(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("a text");
    assert!(text.contains(from), "{}", file.display());
    fs::write(file, text.replacen(from, to, 1)).expect("there is room");
}

#[test]
fn a_run_read_by_its_summaries_is_the_run_read_by_its_logs() {
    let by_logs = told_by_summaries_and_logs(events(PLAN));
    assert!(by_logs[3].lines().count() > 20, "it has readings");
}

/// Trials that are driven at the same time have their events in turns; each has its own log, and is read as if it had been alone.
#[test]
fn trials_under_way_at_the_same_time_have_logs_of_their_own() {
    let apart = events(PLAN);
    let is_of_pair = |event: &&Event| [1, 2].contains(&event.trial()) && !matches!(event, Event::TrialPlanned { .. });
    let of = |trial: u32| apart.iter().filter(is_of_pair).filter(move |event| event.trial() == trial).cloned();
    let (mut first, mut second) = (of(1), of(2));
    let mut pair = Vec::new();
    loop {
        let next = [first.next(), second.next()];
        if next.iter().all(Option::is_none) {
            break;
        }
        pair.extend(next.into_iter().flatten());
    }
    let start = apart.iter().position(|event| is_of_pair(&event)).expect("a trial");
    let mut together: Vec<Event> = apart.iter().filter(|event| !is_of_pair(event)).cloned().collect();
    together.splice(start..start, pair);
    assert_eq!(together.len(), apart.len());
    let roots = [(); 2].map(|()| tempfile::tempdir().expect("there is room"));
    let dirs = [stored(roots[0].path(), apart), stored(roots[1].path(), together)];
    let read_back = dirs.each_ref().map(|dir| read(dir).expect("a run"));
    assert!(read_back.iter().all(|read| read.doubts.is_empty()));
    // Facts that one trial reads are known to those that begin later: of the pair, the second one began before.
    let [apart, together] =
        read_back.each_ref().map(|read| export::series(&read.summary, None).csv().expect("a table"));
    assert_eq!(apart, together);
    let state = tenbin_report::store::verify(&dirs[1]).expect("a run").record.state;
    assert_eq!(state, tenbin_model::record::RecordState::Unchanged);
}

#[test]
fn load_hosts_read_by_summaries_are_those_read_by_the_logs() {
    let events = variants::named("load-hosts");
    let by_logs = told_by_summaries_and_logs(events);
    let json: serde_json::Value = serde_json::from_str(&by_logs[0]).unwrap();
    for trial in json["trials"].as_array().unwrap() {
        let hosts = trial["hosts"].as_array().unwrap();
        assert_eq!(hosts.len(), 3);
        let completed: u64 = hosts.iter().map(|host| host["accounting"]["completed"].as_u64().unwrap()).sum();
        assert!(completed > 1000 && trial["accounting"]["completed"] == completed, "{hosts:?}");
    }
}

/// What a reader sees of a run read by its logs, which is the same as by its summaries.
fn told_by_summaries_and_logs(events: Vec<Event>) -> [String; 8] {
    let root = tempfile::tempdir().expect("there is room");
    let dir = stored(root.path(), events);
    let by_summaries = told(&read(&dir).expect("a run"));
    for trial in trials(&dir) {
        fs::remove_file(trial.join("summary.jsonl")).expect("it is there");
    }
    let by_logs = told(&read(&dir).expect("a run"));
    for (a, b) in by_summaries.iter().zip(&by_logs) {
        let first = a.lines().zip(b.lines()).find(|(a, b)| a != b);
        assert!(a == b, "{first:?}");
    }
    by_logs
}

#[test]
fn a_summary_holds_for_the_log_it_was_made_of() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path());
    let trial = trials(&dir).remove(0);
    let (log, summary) = (trial.join("events.jsonl"), trial.join("summary.jsonl"));
    let page = || export::json(&read(&dir).unwrap().summary, None);
    // What it says is shown if it is as it was written, and only then.
    let was = fs::read(&summary).unwrap();
    replace(&summary, SAID, FORGED);
    let by_log = page();
    assert!(!by_log.contains(FORGED) && by_log.contains("INVALID"));
    fs::write(&summary, was).unwrap();
    // A log that was changed, even by one byte of the same length, is read itself, and does not count.
    let was = fs::read(&log).unwrap();
    replace(&log, SAID, "said by the triax");
    let changed = page();
    assert!(changed.contains("said by the triax") && changed.contains("\"altered\""));
    for other in [&was[..was.len() - 1], &[&was[..], b"\n"].concat(), b""] {
        fs::write(&log, other).unwrap();
        assert!(page().contains("\"altered\""), "{} of {} bytes", other.len(), was.len());
    }
    fs::write(&log, &was).unwrap();
    assert!(!page().contains("\"altered\""), "it counts again");
}

/// The recording of a version that wrote no digests: only the hash of the log in its summary says whether that holds.
#[test]
fn a_summary_of_an_earlier_version_holds_for_the_log_it_was_made_of() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path());
    crate::verify::without_digests(&dir);
    let trial = trials(&dir).remove(0);
    let (log, summary) = (trial.join("events.jsonl"), trial.join("summary.jsonl"));
    let text = fs::read(&log).unwrap();
    let head = format!("{{\"summary_format\":4,\"log_bytes\":{},\"log_xxh3\":\"{:016x}\"}}", text.len(), xxh3(&text));
    let rest = fs::read_to_string(&summary).unwrap();
    fs::write(&summary, format!("{head}\n{}", rest.split_once('\n').unwrap().1)).unwrap();
    let page = || export::json(&read(&dir).unwrap().summary, None);
    // That it is read at all: what it says is shown.
    replace(&summary, SAID, FORGED);
    assert!(page().contains(FORGED));
    replace(&log, SAID, "said by the triax");
    assert!(!page().contains(FORGED) && page().contains("said by the triax"));
    fs::write(&log, &text).unwrap();
    assert!(page().contains(FORGED), "it holds again");
    // One of another version is not read.
    replace(&summary, "\"summary_format\":", "\"summary_format\":9");
    assert!(!page().contains(FORGED));
}

fn xxh3(bytes: &[u8]) -> u64 {
    twox_hash::XxHash3_64::oneshot(bytes)
}

#[test]
fn without_a_whole_summary_the_log_is_read() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path());
    let expected = export::trials(&read(&dir).unwrap().summary, None).csv().expect("a table");
    let trial = trials(&dir).remove(0);
    let (log, summary) = (trial.join("events.jsonl"), trial.join("summary.jsonl"));
    let whole = fs::read(&summary).unwrap();
    let text = String::from_utf8(whole.clone()).unwrap();
    let check = |what: &str| {
        let mut recording = read(&dir).unwrap();
        let altered = |t: &&TrialResult| t.altered.is_some();
        assert_eq!(recording.summary.trials.iter().filter(altered).count(), 1, "{what}");
        assert_eq!(recording.doubts.len(), 1, "{what}");
        // The figures are those of the log.
        recording.summary.trials.iter_mut().for_each(|t| t.altered = None);
        assert!(export::trials(&recording.summary, None).csv().expect("a table") == expected, "{what}");
    };
    for length in (0..whole.len()).step_by(whole.len() / 40) {
        fs::write(&summary, &whole[..length]).unwrap();
        check(&format!("truncated to {length}"));
    }
    let lines: Vec<&str> = text.lines().collect();
    let measurements = lines[lines.len() - 1];
    let with = |last: &str| [&lines[..lines.len() - 1], &[last]].concat().join("\n");
    let without_histogram = {
        let mut value: serde_json::Value = serde_json::from_str(measurements).unwrap();
        value["histograms"].as_array_mut().unwrap().pop().unwrap();
        value.to_string()
    };
    let without_column = {
        let mut value: serde_json::Value = serde_json::from_str(measurements).unwrap();
        value["series"]["p99_ns"] = "AA".into();
        value.to_string()
    };
    for (what, content) in [
        ("a histogram too few", with(&without_histogram)),
        ("a column too short", with(&without_column)),
        ("no measurements", with("")),
        ("no end of the trial", text.replace("trial-finished", "trial-started")),
        ("measurements twice", format!("{text}{measurements}\n")),
        ("another trial's", text.replacen("\"trial\":1", "\"trial\":2", 1)),
        ("something else", "[".repeat(100_000)),
    ] {
        fs::write(&summary, content).unwrap();
        check(what);
    }
    // Neither a link nor a FIFO is followed.
    fs::remove_file(&summary).unwrap();
    std::os::unix::fs::symlink(&log, &summary).unwrap();
    check("a link");
    fs::remove_file(&summary).unwrap();
    let fifo = std::process::Command::new("mkfifo").arg(&summary).status().unwrap();
    assert!(fifo.success());
    check("a FIFO");
}

/// If this fails although the sample was not changed, the same log amounts to something else, or is stored in another way:
/// raise `FORMAT` of `store/summary.rs`, so that stored summaries are no longer read, and then accept the change here.
#[test]
fn the_same_log_amounts_to_what_it_did() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings/without-digests");
    let summary = read(&dir).unwrap().summary;
    let all: Vec<String> = summary.trials.iter().map(|t| serde_json::to_string(&t.measurements()).unwrap()).collect();
    assert!(all.iter().any(|text| text.len() > 1000));
    insta::assert_snapshot!(all.join("\n"));
}
