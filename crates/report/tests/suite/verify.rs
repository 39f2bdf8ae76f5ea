//! Run directories whose files were altered: what was altered is found and named, and no figure that rests on it counts.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;
use tenbin_verdict::judged::Judged;
use tenbin_verdict::judged_trial::JudgedTrial;

use common::{PLAN, events};
use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::doubt::Verdict;
use tenbin_model::event::{EndState, Event, Sink};
use tenbin_model::record::RecordState;
use tenbin_report::store::{EarlierTrials, FileState, Store, list, read, verify};
use tenbin_report::{export, page};
use tenbin_words::language::Language;

const LOG: &str = "trials/0001/events.jsonl";
const SUMMARY: &str = "trials/0001/summary.jsonl";

pub fn written(root: &Path, events: &[Event]) -> PathBuf {
    let mut store = Store::create(root, "verified").expect("a fresh folder");
    events.iter().for_each(|e| store.receive(e).expect("there is room"));
    store.close().expect("there is room")
}

fn edit(file: &Path, change: impl FnOnce(&str) -> String) {
    let text = fs::read_to_string(file).expect("a text");
    let new = change(&text);
    assert_ne!(new, text, "{}", file.display());
    fs::write(file, new).expect("there is room");
}

fn replace(file: &Path, from: &str, to: &str) {
    edit(file, |text| text.replacen(from, to, 1));
}

fn lines(file: &Path, change: impl FnOnce(&mut Vec<&str>)) {
    edit(file, |text| {
        let mut all = text.split_inclusive('\n').collect();
        change(&mut all);
        all.concat()
    });
}

fn without_the_fifth(lines: &mut Vec<&str>) {
    lines.remove(4);
}

fn without_the_third(lines: &mut Vec<&str>) {
    lines.remove(2);
}

/// The files that are not simply as they were written, in words.
fn told(dir: &Path) -> String {
    let verification = verify(dir).expect("a run");
    let text = verification.files.iter().filter(|(_, state)| !matches!(state, FileState::Unchanged | FileState::Free));
    text.map(|(file, state)| format!("{file}: {}", state.words().english())).collect::<Vec<_>>().join("\n")
}

/// The trials that do not count, and whether the verdict of the run says so.
fn refused(dir: &Path) -> Vec<u32> {
    let recording = read(dir).expect("a run");
    let altered = |doubt: &&tenbin_model::doubt::Doubt| doubt.code == "altered" && doubt.verdict == Verdict::Invalid;
    let of = recording.summary.trials.iter().filter(|t| t.doubts().iter().any(|doubt| altered(&doubt)));
    let refused: Vec<u32> = of.map(|t| t.trial.number).collect();
    let is_said = recording.doubts.iter().any(|doubt| doubt.what.contains("not as they were written"));
    assert_eq!(is_said, !refused.is_empty());
    assert_eq!(recording.summary.verdict() == Verdict::Invalid, !refused.is_empty());
    assert_eq!(recording.summary.record.state == RecordState::Altered, !refused.is_empty());
    assert_eq!(recording.summary.record.digest.is_some(), refused.is_empty());
    refused
}

const NONE: [u32; 0] = [];
const ALL: [u32; 12] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

#[test]
fn what_is_as_it_was_written_is_unchanged_and_has_a_digest() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let verification = verify(&dir).unwrap();
    assert_eq!((verification.record.state, verification.files.len()), (RecordState::Unchanged, 4 + 3 * 12));
    assert_eq!(refused(&dir), NONE);
    let digest = verification.record.digest.unwrap();
    // What sha256sum says of the file of digests, and the files that it lists.
    let sum = |args: &[&str]| {
        let out = std::process::Command::new("sha256sum").args(args).current_dir(&dir).output().unwrap();
        assert!(out.status.success(), "{out:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    assert!(sum(&["SHA256SUMS"]).starts_with(&digest));
    assert_eq!(
        sum(&["-c", "--strict", "SHA256SUMS"]).lines().filter(|line| line.ends_with(": OK")).count(),
        2 + 3 * 12
    );
    let recording = read(&dir).unwrap();
    let page = page::render(&recording.summary, &recording.doubts, Language::Japanese);
    assert!(page.contains(&digest) && export::json(&recording.summary, None).contains(&digest));
    // Labels, the page and files of others may change; another file is reported and not read.
    tenbin_report::store::write_page(&dir, &page).unwrap();
    fs::write(dir.join("notes.txt"), "mine").unwrap();
    fs::write(dir.join("labels.json"), "{}").unwrap();
    assert_eq!(told(&dir), "notes.txt: not a file of the run, and not read");
    // A summary can be deleted.
    fs::remove_file(dir.join(SUMMARY)).unwrap();
    assert!(told(&dir).ends_with("trials/0001/summary.jsonl: missing, which makes no difference"));
    let again = verify(&dir).unwrap().record;
    assert_eq!((again.state, again.digest), (RecordState::Unchanged, Some(digest)));
    assert_eq!(refused(&dir), NONE);
}

#[test]
fn an_edited_interval_is_not_shown_as_valid() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let text = fs::read_to_string(dir.join(LOG)).unwrap();
    let (at, line) =
        text.lines().enumerate().filter(|(_, line)| line.contains("\"event\":\"interval\"")).nth(3).unwrap();
    let from = line.find("\"completed\":").unwrap() + "\"completed\":".len();
    let digits = line[from..].chars().take_while(char::is_ascii_digit).count();
    let other = line[from..from + digits].replace(['1', '2', '3', '4', '5', '6', '7', '8'], "9");
    lines(&dir.join(LOG), |all| all[at] = format!("{}{other}{}\n", &line[..from], &line[from + digits..]).leak());
    assert_eq!(told(&dir), format!("{LOG}: line {} is not what was written there", at + 1));
    assert_eq!(refused(&dir), [1]);
    let recording = read(&dir).unwrap();
    let doubt = &recording.summary.trials[0].doubts()[0].problem;
    let hint = doubt.hint.as_ref().unwrap().english();
    assert!(hint.contains(&format!("tenbin verify '{}'", dir.display())), "{hint}");
    assert!(doubt.evidence.as_ref().unwrap().english().contains(&format!("{LOG}: line {}", at + 1)));
    let page = page::render(&recording.summary, &recording.doubts, Language::English);
    assert!(page.contains("Files of this run are not as they were written"), "the section of the plan says it");
}

#[test]
fn an_edited_summary_is_not_read_and_its_trial_does_not_count() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let before = read(&dir).unwrap().summary;
    replace(&dir.join(SUMMARY), "\"completed\":", "\"completed\":9");
    assert_eq!(told(&dir), format!("{SUMMARY}: altered"));
    assert_eq!(refused(&dir), [1]);
    let after = read(&dir).unwrap().summary;
    assert_eq!(after.trials[0].tally.accounting, before.trials[0].tally.accounting, "the log is read");
    // As the hint of the doubt says, it is as before without it.
    fs::remove_file(dir.join(SUMMARY)).unwrap();
    assert_eq!(refused(&dir), NONE);
}

/// An alteration: its name, what causes it, and the trials that do not count then.
type Alteration = (&'static str, fn(&Path), &'static [u32]);

const ALTERATIONS: &[Alteration] = &[
    ("a line removed", |dir| lines(&dir.join(LOG), without_the_fifth), &[1]),
    ("a line appended", |dir| lines(&dir.join(LOG), |all| all.push(all[4])), &[1]),
    ("lines exchanged", |dir| lines(&dir.join(LOG), |all| all.swap(4, 5)), &[1]),
    ("a line without a digest", |dir| lines(&dir.join(LOG), |all| all.insert(5, "{\"event\":\"progress\"}\n")), &[1]),
    ("the end removed", |dir| lines(&dir.join(LOG), |all| all.truncate(6)), &[1]),
    ("half of the last line", |dir| edit(&dir.join(LOG), |text| text[..text.len() - 30].to_owned()), &[1]),
    ("a log removed", |dir| fs::remove_file(dir.join(LOG)).unwrap(), &ALL),
    ("a trial removed", |dir| fs::remove_dir_all(dir.join("trials/0002")).unwrap(), &ALL),
    ("what a trial was", |dir| replace(&dir.join("trials/0003/trial.json"), "\"clients\": ", "\"clients\": 1"), &[3]),
    (
        "trials exchanged",
        |dir| {
            let [one, two, away] = ["trials/0001", "trials/0002", "away"].map(|name| dir.join(name));
            fs::rename(&one, &away).unwrap();
            fs::rename(&two, &one).unwrap();
            fs::rename(&away, &two).unwrap();
        },
        &[1, 2],
    ),
    (
        "a trial again under another name",
        |dir| {
            fs::create_dir(dir.join("trials/1")).unwrap();
            for file in ["events.jsonl", "trial.json", "summary.jsonl"] {
                fs::copy(dir.join("trials/0001").join(file), dir.join("trials/1").join(file)).unwrap();
            }
        },
        &[1],
    ),
    ("a fact of a server", |dir| replace(&dir.join("events.jsonl"), "\"facts\":{\"", "\"facts\":{\"a"), &ALL),
    ("the plan", |dir| replace(&dir.join("plan.toml"), "6s", "9s"), &ALL),
    ("the verdict", |dir| replace(&dir.join("run.json"), "INVALID", "VALID"), &ALL),
    ("a digest", |dir| edit(&dir.join("SHA256SUMS"), |text| text.replacen("  plan", "0  plan", 1)), &ALL),
    ("a digest removed", |dir| lines(&dir.join("SHA256SUMS"), without_the_third), &ALL),
    ("the digests removed", |dir| fs::remove_file(dir.join("SHA256SUMS")).unwrap(), &ALL),
    ("the digests emptied", |dir| fs::write(dir.join("SHA256SUMS"), "").unwrap(), &ALL),
    ("the end of the digests removed", |dir| lines(&dir.join("SHA256SUMS"), |all| _ = all.pop()), &ALL),
];

#[test]
fn each_alteration_is_named_and_refused() {
    let mut all = String::new();
    let events = events(PLAN);
    for (what, alter, expected) in ALTERATIONS {
        let root = tempfile::tempdir().unwrap();
        let mut store = Store::create(root.path(), "verified").unwrap();
        events.iter().for_each(|e| store.receive(e).unwrap());
        // Nothing began: the answer of this run is that there is none.
        store.conclude(&tenbin_model::summary::Summary::default());
        let dir = store.close().unwrap();
        assert_eq!(refused(&dir), NONE, "before: {what}");
        alter(&dir);
        all += &format!("-- {what}\n{}\n", told(&dir));
        assert_eq!(refused(&dir), *expected, "{what}\n{}", told(&dir));
        if *what == "the verdict" {
            assert_eq!(list(root.path()).unwrap()[0].outcome, None, "a list does not show it either");
        }
    }
    insta::assert_snapshot!(all);
}

/// Without the digests and with a digest for nothing, as a log of an earlier version has.
pub fn without_digests(dir: &Path) {
    fs::remove_file(dir.join("SHA256SUMS")).unwrap();
    replace(&dir.join("run.json"), "\"check\"", "\"older\"");
    let trials = fs::read_dir(dir.join("trials")).unwrap().map(|trial| trial.unwrap().path());
    for log in trials.chain([dir.to_owned()]).map(|dir| dir.join("events.jsonl")) {
        edit(&log, |text| {
            let line = |line: &str| format!("{}}}\n", &line[..line.rfind(",\"chain\":").unwrap()]);
            text.lines().map(line).collect()
        });
    }
}

#[test]
fn a_run_without_digests_is_not_said_to_be_verified() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    without_digests(&dir);
    let recording = read(&dir).unwrap();
    assert_eq!((recording.doubts, recording.summary.record.state), (vec![], RecordState::WithoutDigest));
    assert_eq!(recording.summary.record.digest, None);
    let page = page::render(&recording.summary, &[], Language::English);
    assert!(page.contains("recorded by a version that wrote no digests"));
    // Digests of some files only are none of an earlier version.
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path(), &events(PLAN));
    let log = fs::read(dir.join(LOG)).unwrap();
    without_digests(&dir);
    fs::write(dir.join(LOG), log).unwrap();
    assert_eq!(verify(&dir).unwrap().record.state, RecordState::Altered);
}

#[test]
fn a_run_is_verified_as_far_as_it_was_written() {
    let events = events(PLAN);
    let root = tempfile::tempdir().unwrap();
    let mut store = Store::create(root.path(), "killed").unwrap();
    let dir = store.dir().to_owned();
    let mut states = std::collections::BTreeMap::new();
    // At each moment: while it is written, and if it is killed then.
    for event in &events {
        store.receive(event).unwrap();
        let record = verify(&dir).unwrap().record;
        assert_eq!(record.state == RecordState::Unchanged, matches!(event, Event::RunFinished { .. }), "{event:?}");
        assert_ne!(record.state, RecordState::Altered, "{event:?}: {}", told(&dir));
        assert_eq!(record.digest.is_some(), record.state == RecordState::Unchanged);
        *states.entry(format!("{:?}", record.state)).or_insert(0) += 1;
    }
    assert_eq!(states.len(), 2, "{states:?}");
}

/// A run that was killed in its third trial.
fn killed(root: &Path) -> PathBuf {
    let events = events(PLAN);
    let third = events.iter().position(|e| matches!(e, Event::TrialStarted { trial: 3, .. })).unwrap();
    let mut store = Store::create(root, "killed").unwrap();
    events[..third + 8].iter().for_each(|e| store.receive(e).unwrap());
    store.dir().to_owned()
}

#[test]
fn a_killed_run_is_protected_as_far_as_it_was_written() {
    let root = tempfile::tempdir().unwrap();
    let dir = killed(root.path());
    let log = dir.join("trials/0003/events.jsonl");
    assert_eq!(verify(&dir).unwrap().record.state, RecordState::Unfinished);
    let whole = fs::read_to_string(&log).unwrap();
    // Its last line may have been torn.
    edit(&log, |text| text[..text.len() - 40].to_owned());
    assert_eq!(verify(&dir).unwrap().record.state, RecordState::Unfinished, "{}", told(&dir));
    fs::write(&log, &whole).unwrap();
    // Its lines cannot be altered, nor those of finished trials.
    lines(&log, without_the_third);
    assert!(told(&dir).contains("trials/0003/events.jsonl: line 3 is not what was written there"), "{}", told(&dir));
    fs::write(&log, &whole).unwrap();
    replace(&dir.join(LOG), "\"completed\":", "\"completed\":9");
    let verification = verify(&dir).unwrap();
    assert_eq!(
        (verification.altered_trials().into_iter().collect::<Vec<_>>(), verification.is_run_altered()),
        (vec![1], false)
    );
    // A log of another run does not follow the beginning of this one, although its lines follow one another.
    let root = tempfile::tempdir().unwrap();
    let (one, mut other) = (killed(root.path()), events(PLAN));
    if let Event::RunStarted { started, .. } = &mut other[0] {
        *started = "2026-11-22T00:00:00Z".to_owned();
    }
    let other = written(root.path(), &other);
    fs::copy(other.join("trials/0003/events.jsonl"), one.join("trials/0003/events.jsonl")).unwrap();
    assert!(told(&one).contains("trials/0003/events.jsonl: line 1 is not what was written there"), "{}", told(&one));
}

#[test]
fn a_run_is_continued_with_the_trials_that_are_as_they_were_written() {
    let root = tempfile::tempdir().unwrap();
    let dir = killed(root.path());
    let finished = || {
        let earlier = EarlierTrials::open(&dir).map_err(|problem| problem.what.english().to_owned())?;
        Ok::<_, String>((1..=12).filter(|n| earlier.finished(*n).is_some()).collect::<Vec<_>>())
    };
    assert_eq!(finished(), Ok(vec![1, 2]));
    // The events of a trial that is taken over stand in the new run with digests of their own.
    let earlier = EarlierTrials::open(&dir).unwrap();
    let mut next = Store::create(root.path(), "next").unwrap();
    let all = events(PLAN);
    let planned = |e: &&Event| matches!(e, Event::RunStarted { .. } | Event::TrialPlanned { .. });
    all.iter().filter(planned).for_each(|e| next.receive(e).unwrap());
    earlier.replay(1, &mut |event| next.receive(&event)).unwrap();
    next.receive(&Event::RunFinished { at_ns: 1, state: EndState::Partial }).unwrap();
    let next = next.close().unwrap();
    assert_eq!((told(&next), verify(&next).unwrap().record.state), (String::new(), RecordState::Unchanged));
    replace(&dir.join(LOG), "\"completed\":", "\"completed\":9");
    assert_eq!(finished(), Ok(vec![2]), "an altered trial is run again");
    replace(&dir.join("events.jsonl"), "\"facts\":{\"", "\"facts\":{\"a");
    assert_eq!(finished(), Err("files of the run are not as they were written".to_owned()));
}
