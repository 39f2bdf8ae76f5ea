//! Recordings of earlier formats can be read, and give the same results as the same events in the current format.

#![expect(clippy::unwrap_used, reason = "a test may")]

use serde_json::Value;
use std::path::{Path, PathBuf};
use tenbin_model::event::{Event, FORMAT, Sink};
use tenbin_model::record::RecordState;
use tenbin_model::trial::Trial;
use tenbin_report::store::{Recording, Store, read};
use tenbin_report::{export, page};
use tenbin_words::language::Language;

fn recording(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings").join(name)
}

/// The events of a recording of format 1 in the current format.
fn in_current_format(dir: &Path) -> Vec<Event> {
    let lines = |path: PathBuf| -> Vec<Value> {
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let of_run = lines(dir.join("events.jsonl"));
    let trials: Vec<Trial> = serde_json::from_value(of_run[0]["trials"].clone()).unwrap();
    let expected = trials.len() as u32;
    let mut all: Vec<Event> = of_run.into_iter().map(|line| serde_json::from_value(line).unwrap()).collect();
    if let Event::RunStarted { format, .. } = &mut all[0] {
        assert_eq!(std::mem::replace(format, FORMAT), 1);
    }
    let end = all.pop().unwrap();
    all.splice(1..1, trials.iter().map(|t| Event::TrialPlanned { planned: Box::new(t.clone()), expected }));
    for trial in trials {
        let log = dir.join(format!("trials/{:04}/events.jsonl", trial.number));
        if log.exists() {
            all.extend(lines(log).into_iter().map(|line| serde_json::from_value(line).unwrap()));
        }
    }
    all.push(end);
    all
}

/// The recording is of a version whose first event contains all trials; the run was stopped in the third of four
/// trials.
#[test]
fn format_1_shows_what_it_showed() {
    let old = read(&recording("format-1")).unwrap();
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::create(root.path(), "now").unwrap();
    in_current_format(&recording("format-1")).iter().for_each(|event| store.receive(event).unwrap());
    let mut new = read(&store.close().unwrap()).unwrap();
    // That version wrote no digests.
    assert_eq!(old.summary.record.state, RecordState::WithoutDigest);
    new.summary.record = old.summary.record.clone();
    for language in [Language::English, Language::Japanese] {
        let page = |Recording { summary, doubts }: &Recording| page::render(summary, doubts, language);
        assert!(page(&old) == page(&new), "the pages differ");
        assert_eq!(export::markdown(&old.summary, language), export::markdown(&new.summary, language));
    }
    assert_eq!(export::json(&old.summary, None), export::json(&new.summary, None));
    // The output of the version that recorded it.
    insta::assert_snapshot!(export::csv(&old.summary));
    let doubts: Vec<&str> = old.doubts.iter().map(|doubt| &*doubt.what).collect();
    assert_eq!(doubts, ["trial 4 is not there: it was not begun, or its folder is lost"]);
}
