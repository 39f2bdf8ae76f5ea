//! Which command runs which test: `make check`, `make test`, `make test-all`, or a command of its own. The table is in
//! CONTRIBUTING.md, the tests of `make test` in `.config/nextest.toml`, and no test is outside of all of them.

#![expect(clippy::unwrap_used, reason = "a test may")]

use super::{files, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

/// Parts of the acceptance that `make test` leaves out, and why.
const ONLY_IN_ALL: &[(&str, &str)] =
    &[("ray", "alone on the machine for two minutes; load hosts by processes and ssh are in `make test`")];

/// An executable of tests: its crate's directory, and its name.
type Executable = (String, String);

/// All that there are beside the unit tests of each crate: files and directories with a `main.rs` in a directory `tests`.
fn executables() -> BTreeSet<Executable> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let all = crates.chain([root().join("tests")]);
    all.flat_map(|folder| {
        let of = folder.strip_prefix(root()).unwrap().display().to_string();
        let entries = fs::read_dir(folder.join("tests")).into_iter().flatten().map(|entry| entry.unwrap().path());
        let tests = entries.filter(|p| p.join("main.rs").is_file() || p.extension().is_some_and(|e| e == "rs"));
        tests.map(|p| (of.clone(), p.file_stem().unwrap().to_str().unwrap().to_owned())).collect::<Vec<_>>()
    })
    .collect()
}

/// The executables that the table in CONTRIBUTING.md names for a command, as `crates/model/tests/suite`.
fn told(command: &str) -> BTreeSet<Executable> {
    let text = read("CONTRIBUTING.md");
    let rows = text.lines().filter(|line| line.starts_with(&format!("| `{command}` |")));
    let places = rows.flat_map(|row| row.split('`').skip(3).step_by(2));
    places.filter_map(|place| place.rsplit_once("/tests/")).map(|(of, name)| (of.to_owned(), name.to_owned())).collect()
}

#[test]
fn every_executable_of_tests_belongs_to_one_command() {
    let commands = ["make check", "make test", "make test-all"].map(told);
    let named: usize = commands.iter().map(BTreeSet::len).sum();
    let all: BTreeSet<Executable> = commands.iter().flatten().cloned().collect();
    assert_eq!(named, all.len(), "an executable is in two rows of the table in CONTRIBUTING.md: {commands:?}");
    assert_eq!(all, executables(), "the table in CONTRIBUTING.md, and what there is");
}

#[test]
fn the_script_runs_what_the_table_says() {
    let script = read("tools/test.sh");
    let list = script.lines().find_map(|line| line.strip_prefix("fast=(")).unwrap().trim_end_matches(')');
    let names: BTreeSet<&str> = list.split_whitespace().collect();
    let check = told("make check");
    assert_eq!(names, check.iter().map(|(_, name)| name.as_str()).collect(), "`fast` in tools/test.sh and the table");
    // A name selects the executables of all crates.
    let others: Vec<Executable> = executables().into_iter().filter(|e| !check.contains(e)).collect();
    assert!(
        others.iter().all(|(_, name)| !names.contains(name.as_str())),
        "{others:?} would be run by `make check` too"
    );
    let tests: String = told("make test").iter().map(|(_, name)| format!(" --test {name}")).collect();
    for (command, rest) in [("test", format!("--profile test{tests}\n")), ("all", "--profile all\n".to_owned())] {
        assert!(script.contains(&rest), "tools/test.sh {command} runs nextest with {rest}");
    }
}

/// The names in the filter of the profile `test`: `(=…)` one test, `(^…)` those that begin with it.
fn filter() -> Vec<(bool, String)> {
    let config: toml::Table = read(".config/nextest.toml").parse().unwrap();
    let filter = config["profile"]["test"]["default-filter"].as_str().unwrap().to_owned();
    // All of the executable `browser` but the layout, which depends on fonts, and the rarer kinds of pages; of the acceptance what the
    // terms say.
    let (browser, terms) = filter.split_once(" or\n").unwrap();
    assert!(
        browser.starts_with("(binary(=browser) and not test(=the_first_screen_answers_and_looks_as_it_did)"),
        "{browser}"
    );
    let terms = terms.split_whitespace().filter(|word| *word != "or").map(|term| {
        let inner = term.strip_prefix("test(").and_then(|t| t.strip_suffix(')'));
        let inner = inner.unwrap_or_else(|| panic!("{term:?} is not one of test(=NAME) and test(/^MODULE::/)"));
        match inner.strip_prefix('=') {
            Some(name) => (true, name.to_owned()),
            None => {
                let module = inner.strip_prefix("/^").and_then(|m| m.strip_suffix('/'));
                (false, module.unwrap_or_else(|| panic!("{term:?}")).to_owned())
            }
        }
    });
    terms.collect()
}

#[test]
fn the_tests_of_make_test_are_there() {
    let (all, filter) = (acceptance_tests(), filter());
    assert!(all.len() > 200 && filter.len() > 20, "{} tests, {} terms", all.len(), filter.len());
    let matches =
        |(whole, name): &(bool, String), test: &String| if *whole { test == name } else { test.starts_with(name) };
    let lost: Vec<&String> =
        filter.iter().filter(|t| !all.iter().any(|test| matches(t, test))).map(|(_, n)| n).collect();
    assert!(lost.is_empty(), "the profile test in .config/nextest.toml names what is not there: {lost:?}");
    // Every part of the acceptance has something in it.
    let chosen: BTreeSet<&str> = all
        .iter()
        .filter(|test| filter.iter().any(|t| matches(t, test)))
        .filter_map(|t| t.split("::").next())
        .collect();
    let mut parts: BTreeSet<&str> = all.iter().filter_map(|test| test.split("::").next()).collect();
    for (part, _reason) in ONLY_IN_ALL {
        assert!(parts.remove(part), "{part} is no part of the acceptance");
    }
    assert_eq!(chosen, parts, "parts of tests/tests/acceptance of which `make test` runs something, and all parts");
}

/// A test that is ignored belongs to no command.
#[test]
fn no_test_is_ignored() {
    let ignore = format!("#[{}", "ignore");
    let folders = ["crates", "tests"].map(|folder| files(&root().join(folder), "rs"));
    let files = folders.into_iter().flatten();
    let suites: Vec<PathBuf> =
        files.filter(|p| fs::read_to_string(p).unwrap().lines().any(|l| l.trim_start().starts_with(&ignore))).collect();
    assert!(suites.is_empty(), "{suites:?}");
}

/// The tests of `tests/tests/acceptance`, by the names that the runner knows them by.
fn acceptance_tests() -> BTreeSet<String> {
    let folder = root().join("tests/tests/acceptance");
    let mut all = BTreeSet::new();
    for file in files(&folder, "rs") {
        let path = file.strip_prefix(&folder).unwrap().with_extension("").display().to_string();
        let module = path.trim_end_matches("/mod").replace('/', "::");
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (at, _) in lines.iter().enumerate().filter(|(_, line)| line.trim() == "#[test]") {
            let function = lines[at + 1..].iter().find_map(|line| line.trim().strip_prefix("fn ")).unwrap();
            all.insert(format!("{module}::{}", function.split('(').next().unwrap()));
        }
    }
    all
}

fn read(file: &str) -> String {
    fs::read_to_string(root().join(file)).unwrap_or_else(|e| panic!("{file}: {e}"))
}
