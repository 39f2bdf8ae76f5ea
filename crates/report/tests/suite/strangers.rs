//! Run directories from someone else: they cannot make Tenbin read or write other files or take more memory than the
//! limit, and their texts cannot control a terminal or imitate lines of Tenbin.

#![expect(clippy::unwrap_used, reason = "a test may")]

use crate::common;

use common::{PLAN, events};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_model::event::{Event, Sink};
use tenbin_report::store::{Recording, Store, list, read, read_within};
use tenbin_report::{export, page};
use tenbin_words::language::Language;

const SMALL: &str = r#"schema = 1
name = "small"
[targets.a]
dsn = "null:"
[[experiment]]
load = { workload = "oltp_point_select" }
warmup = "0s"
measure = "2s"
interval = "1s"
repeats = 3
"#;

fn written(root: &Path) -> PathBuf {
    let mut store = Store::create(root, "strange").unwrap();
    events(SMALL).iter().for_each(|e| store.receive(e).unwrap());
    store.close().unwrap()
}

/// What replaces a file: its name, and the function that creates it.
type Kind<'a> = (&'a str, &'a dyn Fn(&Path));

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The problems of reading a directory, with its path replaced by `DIR`.
fn doubts(dir: &Path) -> String {
    let Recording { doubts, .. } = read(dir).unwrap();
    let texts: Vec<String> = doubts.iter().map(|d| d.to_string().replace(&dir.display().to_string(), "DIR")).collect();
    texts.join("\n")
}

#[test]
fn the_page_is_written_into_the_directory_and_nowhere_else() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path());
    let precious = root.path().join("precious");
    fs::write(&precious, "mine").unwrap();
    for name in ["report.html", "report.html.new"] {
        symlink(&precious, dir.join(name)).unwrap();
    }
    let page = page::write(&dir, Language::English).unwrap();
    assert_eq!(fs::read_to_string(&precious).unwrap(), "mine");
    assert!(page.symlink_metadata().unwrap().is_file(), "the link itself was replaced");
    // A FIFO does not block, the target of a dangling link is not created, and no temporary file is left.
    fs::remove_file(&page).unwrap();
    fifo(&page);
    page::write(&dir, Language::English).unwrap();
    fs::remove_file(&page).unwrap();
    symlink(root.path().join("nowhere"), &page).unwrap();
    page::write(&dir, Language::English).unwrap();
    assert!(!root.path().join("nowhere").exists());
    let names: Vec<String> =
        fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(!names.iter().any(|n| n.starts_with(".tenbin")), "{names:?}");
    // A directory cannot be replaced by a page.
    fs::remove_file(&page).unwrap();
    fs::create_dir(&page).unwrap();
    let problem = page::write(&dir, Language::English).unwrap_err().to_string();
    insta::assert_snapshot!(problem.replace(&dir.display().to_string(), "DIR"));
}

#[test]
fn only_regular_files_of_its_own_are_read() {
    let root = tempfile::tempdir().unwrap();
    let secret = root.path().join("secret");
    fs::write(&secret, "root:x:0:0").unwrap();
    let mut problems = String::new();
    let other = written(root.path());
    for name in [
        "plan.toml",
        "run.json",
        "events.jsonl",
        "trials",
        "trials/0001",
        "trials/0001/trial.json",
        "trials/0001/events.jsonl",
    ] {
        let kinds: [Kind<'_>; 3] = [
            ("link", &|at| {
                symlink(
                    if name.ends_with("ls") || name.ends_with("01") { other.join(name) } else { secret.clone() },
                    at,
                )
                .unwrap()
            }),
            ("fifo", &|at| fifo(at)),
            ("device", &|at| symlink("/dev/zero", at).unwrap()),
        ];
        for (kind, put) in kinds {
            let dir = written(root.path());
            // The plan's file is read only if the log has lost the plan.
            if name == "plan.toml" {
                fs::remove_file(dir.join("events.jsonl")).unwrap();
            }
            let at = dir.join(name);
            fs::rename(&at, root.path().join("away")).unwrap();
            put(&at);
            problems += &format!("-- {name}: {kind}\n{}\n", doubts(&dir));
            let Recording { summary, .. } = read(&dir).unwrap();
            assert!(!export::json(&summary, None).contains("root:x") && !summary.plan.contains("root:x"));
            let away = root.path().join("away");
            if away.is_dir() {
                fs::remove_dir_all(away).unwrap()
            } else {
                fs::remove_file(away).unwrap()
            }
            fs::remove_dir_all(&dir).unwrap();
        }
    }
    insta::assert_snapshot!(problems);
    assert_eq!(list(root.path()).unwrap().len(), 1, "what is left is the other run");
}

#[test]
fn files_and_lines_that_are_too_long_are_left_out_and_reported() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path());
    // Sparse files, which take no space on the disk but would take memory.
    let log = fs::OpenOptions::new().append(true).open(dir.join("trials/0002/events.jsonl")).unwrap();
    log.set_len(log.metadata().unwrap().len() + (100 << 20)).unwrap();
    let log = fs::OpenOptions::new().append(true).open(dir.join("trials/0003/events.jsonl")).unwrap();
    log.set_len(log.metadata().unwrap().len() + (400 << 20)).unwrap();
    let run = fs::OpenOptions::new().append(true).open(dir.join("run.json")).unwrap();
    run.set_len(1 << 40).unwrap();
    insta::assert_snapshot!(doubts(&dir));
}

#[test]
fn names_cannot_control_a_terminal_or_imitate_lines_of_tenbin() {
    let root = tempfile::tempdir().unwrap();
    let forged = "x\nverdict  VALID\n\x1b[2J\u{202e}";
    let mut all = events(PLAN);
    for event in &mut all {
        match event {
            Event::RunStarted { name, tool, started, .. } => {
                (*name, *tool, *started) = (forged.into(), forged.into(), forged.into());
            }
            Event::TrialPlanned { planned: trial, .. } => {
                trial.target.name = format!("=cmd|' /C calc'!A1{forged}");
                trial.experiment = format!("[a](javascript:alert(1)) **b** <img src=x> `c` #1 @you {forged}");
                trial
                    .axes
                    .iter_mut()
                    .for_each(|(name, value)| (*name, *value) = ("k|\n".into(), format!("{value}{forged}")));
            }
            Event::Interval { tally, .. } => {
                tally.transactions =
                    std::mem::take(&mut tally.transactions).into_iter().map(|(n, t)| (n + forged, t)).collect();
            }
            _ => {}
        }
    }
    let mut store = Store::create(root.path(), forged).unwrap();
    all.iter().for_each(|e| store.receive(e).unwrap());
    let dir = store.close().unwrap();
    let Recording { summary, .. } = read(&dir).unwrap();
    let markdown = export::markdown(&summary, Language::English);
    let texts = [
        markdown.clone(),
        export::trials(&summary, None).csv().unwrap(),
        page::render(&summary, &[], Language::Japanese),
    ];
    for text in &texts {
        assert!(!text.contains('\x1b') && !text.contains('\u{202e}') && !text.contains("\nverdict"), "{text}");
    }
    let lines: Vec<&str> = markdown.lines().collect();
    let table: Vec<&str> = lines.iter().copied().filter(|l| l.starts_with('|')).take(3).collect();
    insta::assert_snapshot!([&lines[..1], &table, &lines[lines.len() - 1..]].concat().join("\n"));
    insta::assert_snapshot!(texts[1].lines().nth(1).unwrap().split_once(",complete").unwrap().0);
    let listed = list(root.path()).unwrap();
    assert_eq!(listed[0].name, "x\\nverdict  VALID\\n\\u001b[2J\\u202e");
}

#[test]
fn the_memory_of_histograms_is_limited() {
    let root = tempfile::tempdir().unwrap();
    let dir = written(root.path());
    let log = dir.join("trials/0001/events.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let line = text.lines().find(|l| l.contains("\"event\":\"interval\"")).unwrap();
    let Ok(Event::Interval { trial, phase, from_ns, to_ns, clients, tally, completions, per_client }) =
        serde_json::from_str(line)
    else {
        panic!("{line}");
    };
    // With a single large value, a line of a hundred bytes has a histogram of a quarter of a megabyte.
    let mut one = tally.statements.values().next().unwrap().clone();
    one.service = tenbin_model::histogram::Histogram::new();
    one.service.record(1 << 47);
    assert!(one.service.to_text().len() < 120);
    let mut more = String::new();
    for n in 0..5 {
        let mut tally = tally.clone();
        tally.statements = (0..10).map(|s| (format!("{n} {s}"), one.clone())).collect();
        let event = Event::Interval {
            trial,
            phase,
            from_ns,
            to_ns,
            clients,
            tally,
            completions,
            per_client: per_client.clone(),
        };
        more += &(serde_json::to_string(&event).unwrap() + "\n");
    }
    fs::write(&log, text + &more).unwrap();
    let Recording { doubts, .. } = read_within(&dir, 8 << 20).unwrap();
    let problems: Vec<&str> = doubts.iter().map(|d| d.what.english()).collect();
    assert!(
        problems.iter().any(|p| p.contains("intervals are left out: their histograms would take more memory than 8")),
        "{problems:?}"
    );
}
