//! Run directories with truncated, damaged or missing files can be read, the damage is reported, and measurements in
//! other files are not affected.

use crate::common;

use common::{PLAN, events};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::event::{EndState, Event, Sink};
use tenbin_model::summary::Summary;
use tenbin_report::store::{NOT_BEGUN, Recording, Store, list, read};
use tenbin_report::{export, page};
use tenbin_words::language::Language;
use tenbin_words::problem::Problem;

const SMALL: &str = r#"schema = 1
name = "small"
[targets.a]
dsn = "null:"
[targets.b]
dsn = "null:"
[[experiment]]
load = { workload = "oltp_point_select" }
warmup = "0s"
measure = "2s"
interval = "1s"
repeats = 2
"#;

fn written(root: &Path, events: &[Event]) -> PathBuf {
    let mut store = Store::create(root, "it/is a <name>").expect("a fresh folder");
    events.iter().for_each(|e| store.receive(e).expect("there is room"));
    store.close().expect("there is room")
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(dir).expect("a folder").flatten() {
        if entry.path().is_dir() { all.extend(files(&entry.path())) } else { all.push(entry.path()) }
    }
    all.sort();
    all
}

/// Completed transactions of each trial, and whether it has an end.
fn measured(summary: &Summary) -> Vec<(u32, u64, bool)> {
    let mut all: Vec<_> =
        summary.trials.iter().map(|t| (t.trial.number, t.tally.accounting.completed, t.state.is_some())).collect();
    all.sort();
    all
}

fn render_everything(Recording { summary, doubts }: &Recording) {
    assert!(page::render(summary, doubts, Language::English).contains("</html>"));
    export::trials(summary, None).csv().expect("a table");
    export::json(summary, None);
    export::markdown(summary, Language::Japanese);
}

#[test]
fn what_is_written_is_read_back() {
    let root = tempfile::tempdir().unwrap();
    let events = events(PLAN);
    let dir = written(root.path(), &events);
    let back = read(&dir).unwrap();
    assert_eq!(back.doubts, []);
    assert_eq!(measured(&back.summary), measured(&Summary::of(&events)));
    let listed = list(root.path()).unwrap();
    assert_eq!((listed.len(), listed[0].trials, listed[0].name.as_str()), (1, 12, "sample (made up, not measured)"));
    let again = written(root.path(), &[]);
    assert_ne!(again, dir, "a run never overwrites another");
    assert_eq!(list(&root.path().join("none")).unwrap(), []);
}

#[test]
fn each_file_can_be_truncated_anywhere_or_missing() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(SMALL));
    let whole = measured(&read(&dir).unwrap().summary);
    for file in files(&dir) {
        let bytes = fs::read(&file).unwrap();
        let step = (bytes.len() / 24).max(1);
        for length in (0..bytes.len()).step_by(step) {
            fs::write(&file, &bytes[..length]).unwrap();
            check_others(&dir, &file, &whole);
        }
        fs::remove_file(&file).unwrap();
        check_others(&dir, &file, &whole);
        render_everything(&read(&dir).unwrap());
        fs::write(&file, &bytes).unwrap();
    }
    assert_eq!(measured(&read(&dir).unwrap().summary), whole);
}

/// Checks that damage to `file` does not affect trials in other files, and is reported if it affects any.
fn check_others(dir: &Path, file: &Path, whole: &[(u32, u64, bool)]) {
    let recording = read(dir).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let now = measured(&recording.summary);
    let owner = file.strip_prefix(dir.join("trials")).ok().and_then(|p| p.iter().next()?.to_str()?.parse::<u32>().ok());
    for trial in whole.iter().filter(|t| Some(t.0) != owner) {
        assert!(now.contains(trial), "{} cost trial {}: {now:?}", file.display(), trial.0);
    }
    if file.ends_with("events.jsonl") && now != whole {
        assert!(!recording.doubts.is_empty(), "{} lost something silently", file.display());
    }
}

#[test]
fn other_directories_and_newer_formats_are_rejected() {
    let root = tempfile::tempdir().unwrap();
    assert!(read(root.path()).unwrap_err().what.contains("is not a run directory"));
    let dir = written(root.path(), &events(SMALL));
    for (file, text) in
        [("run.json", "{\"format\":3}"), ("events.jsonl", "{\"event\":\"run-started\",\"format\":99,\"new\":1}\n")]
    {
        let before = fs::read(dir.join(file)).unwrap();
        fs::write(dir.join(file), text).unwrap();
        let problem = read(&dir).unwrap_err();
        assert_eq!(problem.what, "the run was recorded by a newer Tenbin");
        fs::write(dir.join(file), before).unwrap();
    }
}

/// A damage to a directory: its name, and the function that causes it.
type Damage = (&'static str, fn(&Path));

/// The problem with the first event that a store cannot write.
fn refused(store: &mut Store, events: &[Event]) -> String {
    let problem = events.iter().find_map(|e| store.receive(e).err()).expect("it cannot be kept");
    problem.to_string().replace(&store.dir().display().to_string(), "DIR")
}

#[test]
fn a_write_error_reports_how_many_trials_were_kept() {
    let root = tempfile::tempdir().unwrap();
    let events = events(SMALL);
    let mut store = Store::create(root.path(), "taken").unwrap();
    fs::create_dir(store.dir().join("trials/0002")).unwrap();
    insta::assert_snapshot!(refused(&mut store, &events), @r"
    the run directory DIR cannot be written
      evidence  File exists (os error 17); kept: 1 of 4 trials whole, and the lines before
      hint      something else is in the way there (ls -l 'DIR'): name another folder with --runs
    ");
    let back = read(store.dir()).unwrap();
    assert!(measured(&back.summary)[0].1 > 0 && measured(&back.summary)[0].2);
    render_everything(&back);
}

#[test]
fn files_deleted_or_changed_during_the_run_are_reported() {
    let events = events(SMALL);
    let second = events.iter().position(|e| matches!(e, Event::TrialStarted { trial: 2, .. })).unwrap();
    let mut problems = String::new();
    let damages: [Damage; 5] = [
        ("all deleted", |dir| fs::remove_dir_all(dir).unwrap()),
        ("moved", |dir| fs::rename(dir, dir.with_extension("away")).unwrap()),
        ("the first trial deleted", |dir| fs::remove_dir_all(dir.join("trials/0001")).unwrap()),
        ("the first trial emptied", |dir| fs::write(dir.join("trials/0001/events.jsonl"), "").unwrap()),
        ("the log exchanged", |dir| {
            fs::remove_file(dir.join("events.jsonl")).unwrap();
            fs::write(dir.join("events.jsonl"), "").unwrap();
        }),
    ];
    for (what, damage) in damages {
        let root = tempfile::tempdir().unwrap();
        let mut store = Store::create(root.path(), "damaged").unwrap();
        events[..second].iter().for_each(|e| store.receive(e).unwrap());
        damage(store.dir());
        problems += &format!("-- {what}\n{}\n", refused(&mut store, &events[second..]));
        // Closing the store detects it too.
        let root = tempfile::tempdir().unwrap();
        let mut store = Store::create(root.path(), "damaged").unwrap();
        events.iter().for_each(|e| store.receive(e).unwrap());
        damage(store.dir());
        let dir = store.dir().display().to_string();
        let problem = store.close().expect_err("it is not there any more").to_string();
        problems += &format!("at the end: {}\n", problem.replace(&dir, "DIR").lines().nth(1).unwrap());
    }
    insta::assert_snapshot!(problems);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn damaged_bytes_never_cause_a_panic(hits in prop::collection::vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), any::<u8>()), 1..12)) {
        let root = tempfile::tempdir().unwrap();
        let dir = written(root.path(), &events(SMALL));
        let files = files(&dir);
        for (file, at, byte) in hits {
            let file = file.get(&files);
            let mut bytes = fs::read(file).unwrap();
            let at = at.index(bytes.len());
            bytes[at] = byte;
            fs::write(file, bytes).unwrap();
        }
        if let Ok(recording) = read(&dir) {
            render_everything(&recording);
        }
    }
}

/// A hundred trials that were not begun are one thing, not a hundred; and if the user stopped the run, no damage.
#[test]
fn trials_that_were_not_begun_are_said_at_once() {
    let root = tempfile::tempdir().expect("a folder");
    let plan = SMALL.replace("repeats = 2", "repeats = 60");
    let ended = |state: EndState| {
        let mut some: Vec<Event> = events(&plan).into_iter().filter(|e| e.trial() <= 4).collect();
        some.retain(|e| !matches!(e, Event::RunFinished { .. }));
        let planned = events(&plan).into_iter().filter(|e| matches!(e, Event::TrialPlanned { .. }) && e.trial() > 4);
        some.splice(1..1, planned);
        some.push(Event::RunFinished { at_ns: 1_000_000_000_000, state });
        some
    };
    let text_of = |dir: &Path| -> Vec<(String, bool)> {
        let doubts = read(dir).expect("a run").doubts;
        let one = |d: &Problem| (d.what.english().to_owned(), d.code() == Some(NOT_BEGUN));
        doubts.iter().map(one).collect()
    };
    let stopped = written(root.path(), &ended(EndState::Partial));
    let text = "trials that were not begun, because the run was stopped before: 5–120".to_owned();
    assert_eq!(text_of(&stopped), [(text, true)]);
    let failed = written(root.path(), &ended(EndState::Failed));
    let text = "trials 5–120 are not there: they were not begun, or their folders are lost".to_owned();
    assert_eq!(text_of(&failed), [(text, false)]);
    // One that was begun is lost.
    fs::remove_dir_all(stopped.join("trials/0002")).expect("a folder");
    let sentence = text_of(&stopped);
    assert!(sentence.iter().any(|(text, _)| text.starts_with("trial 2 is not there")), "{sentence:?}");
    assert!(sentence.len() <= 3, "{sentence:?}");
}
