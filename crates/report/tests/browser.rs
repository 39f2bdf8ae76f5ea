//! The page in headless Chromium (with and without scripts, in both themes, printed, on a narrow screen). What it contains is in
//! `suite/content.rs`, but for TPC-C, whose events take long to make.

#[path = "suite/common/mod.rs"]
mod common;
#[path = "suite/variants.rs"]
mod variants;

use std::path::{Path, PathBuf};
use std::process::Command;
use tenbin_model::summary::Summary;
use tenbin_report::page;
use tenbin_words::language::Language;
use tenbin_words::message::foreign;
use tenbin_words::problem::Problem;

fn summary() -> Summary {
    Summary::of(&common::events(common::PLAN))
}

/// The folder of the page's script, with what its tests need.
fn web() -> PathBuf {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    // Each test may run in a process of its own; one of them installs.
    let lock = std::fs::File::create(Path::new(env!("CARGO_TARGET_TMPDIR")).join("npm.lock"));
    let lock = lock.expect("cargo made the directory");
    lock.lock().expect("files of ours can be locked");
    if !web.join("node_modules/playwright-core").exists() || !web.join("node_modules/typescript").exists() {
        run("npm", &["ci", "--ignore-scripts", "--no-audit", "--no-fund"], &web);
    }
    web
}

/// Runs a test of the web folder on the pages of some variants, and on other pages.
fn on_variants(test: &str, chosen: &[&str], others: &[&Path], web: &Path, folder: &Path) {
    let mut pages = vec![test.to_owned()];
    pages.extend(others.iter().map(|file| file.display().to_string()));
    for (name, events) in variants::each(|name| chosen.contains(&name)) {
        let file = folder.join(format!("{name}.html"));
        let text = page::file(&Summary::of(&events), &[], Language::English);
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        pages.push(file.display().to_string());
    }
    assert_eq!(pages.len(), chosen.len() + others.len() + 1, "every variant is there");
    run("node", &pages.iter().map(String::as_str).collect::<Vec<_>>(), web);
}

fn run(program: &str, arguments: &[&str], folder: &Path) {
    let output = Command::new(program).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|e| panic!("{program}: {e}; install Node.js and npm"));
    let text = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{program} {}\n{}", arguments.join(" "), String::from_utf8_lossy(&text));
}

#[test]
fn the_page_has_no_errors_in_a_browser() {
    let web = web();
    run("npm", &["run", "--silent", "check"], &web);
    let folder = tempfile::tempdir().unwrap();
    let doubts = [Problem::new(foreign("something <is> missing"))];
    let written = |language: Language, name: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, page::file(&summary(), &doubts, language)).unwrap();
        file.display().to_string()
    };
    let (english, japanese) = (written(Language::English, "en.html"), written(Language::Japanese, "ja.html"));
    run("node", &["test/page.mjs", &english, &japanese], &web);
    let chosen = ["one-trial", "tpcc", "search", "two-axes", "harmful-names", "one-invalid"];
    on_variants("test/variants.mjs", &chosen, &[], &web, folder.path());
}

#[test]
fn pages_of_every_other_kind_have_no_errors_in_a_browser() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = [
        "five-targets",
        "many-trials",
        "words",
        "failed",
        "doubts",
        "observed",
        "load-hosts",
        "all-invalid",
        "one-dead",
        "nothing-and-much",
    ];
    on_variants("test/variants.mjs", &chosen, &[], &web(), folder.path());
}

/// The sizes, the boxes and the pictures are recorded in `web/test/layout.txt`; `TENBIN_UPDATE_LAYOUT=1` writes it anew.
#[test]
fn the_first_screen_answers_and_looks_as_it_did() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = [
        "plain",
        "one-trial",
        "forty-targets",
        "many-trials",
        "tpcc",
        "one-load",
        "twelve-targets",
        "search",
        "two-axes",
        "two-axes-alone",
        "harmful-names",
        "all-invalid",
        "one-dead",
        "nothing-and-much",
    ];
    on_variants("test/layout.mjs", &chosen, &[], &web(), folder.path());
}

#[test]
fn nothing_is_cut_at_the_edge_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    // A table of others, of 30 numbers of clients.
    let clients = (1..=30).map(|n| format!("{}", n * 8)).collect::<Vec<_>>().join(",");
    let rows = ["a server with a long name,read only", "b,read only", "b,read and write"];
    let rows =
        rows.map(|row| format!("{row},{}", (1..=30).map(|n| format!("{}", n * 1003)).collect::<Vec<_>>().join(",")));
    let table = format!("server,workload,{clients}\n{}\n", rows.join("\n"));
    let published = tenbin_published::read(table.as_bytes(), "throughput.csv").unwrap();
    let audited = tenbin_published::audit(&published);
    let text = tenbin_report::published::page(&published, &audited, "0.0", Language::English);
    let file = folder.path().join("published.html");
    std::fs::write(&file, text).unwrap();
    on_variants("test/paper.mjs", &["words", "tpcc"], &[&file], &web(), folder.path());
}

#[test]
fn nothing_of_any_other_kind_of_page_is_cut_at_the_edge_of_the_paper() {
    let folder = tempfile::tempdir().unwrap();
    let chosen = ["five-targets", "forty-targets", "many-trials", "observed", "load-hosts", "harmful-names"];
    on_variants("test/paper.mjs", &chosen, &[], &web(), folder.path());
}

#[test]
fn tpcc_results_are_labelled_as_derived_and_not_audited() {
    let events = variants::named("tpcc");
    let text = page::render(&Summary::of(&events), &[], Language::English);
    let sentence = tenbin_verdict::tpcc_result::sentence();
    let sentence = sentence.english();
    let (head, rest) = text.split_once("<h2>").unwrap();
    assert!(head.contains(sentence) && head.contains("Profile batched: "), "beside the answer");
    assert!(head.contains("the p99 of New-Orders"), "the card says whose response times it has");
    let section = rest.split("<h2>").find(|s| s.contains("TPC-C-derived results</span>")).unwrap();
    assert!(
        section.contains(sentence)
            && section.contains("NOPM")
            && section.contains("Profile batched: ")
            && section.contains("no full disclosure, no audit")
    );
    let lower = text.to_lowercase();
    assert!(!lower.contains("tpmc"), "the trademark is not used");
    assert!(!page::render(&summary(), &[], Language::English).contains(sentence), "and on no other page");
}
