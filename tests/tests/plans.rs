//! Every plan that comes with the project or is shown in its guide names workloads, data sets and options that exist.

#![expect(clippy::unwrap_used, reason = "a test may")]

use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::plan::{self, Plan};
use tenbin_model::trial::Trial;
use tenbin_workload::{find_dataset, find_workload, workloads};

#[test]
fn plans_name_workloads_and_options_that_exist() {
    let all = shown_plans();
    assert!(all.len() > 8, "{} plans found", all.len());
    for (whence, text) in all {
        let plan = Plan::parse(&text).unwrap_or_else(|e| panic!("{whence}: {e:#?}"));
        for trial in plan::expand(&plan) {
            resolve(&trial).unwrap_or_else(|e| panic!("{whence}: {e}"));
        }
    }
}

#[test]
fn workloads_that_need_no_restoring_exist() {
    for name in plan::READ_ONLY {
        assert!(workloads().iter().any(|w| w.name == *name), "there is no workload {name}");
    }
}

fn resolve(trial: &Trial) -> Result<(), tenbin_model::problem::Problem> {
    if trial.load.workload.ends_with(".lua") {
        // The reader's own script: what it takes is known when it is opened.
        return Ok(());
    }
    let entry = find_workload(&trial.load.workload)?;
    entry.resolve(&entry.inherit(&trial.load.options, &trial.dataset.options))?;
    find_dataset(&trial.dataset.kind)?.resolve(&trial.dataset.options)?;
    Ok(())
}

/// The plans in `plans/`, and every block of TOML in the guide and the READMEs: where from, and the text.
fn shown_plans() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace is above this crate");
    let mut all = Vec::new();
    for path in files(&root.join("plans"), "toml") {
        all.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
    }
    let pages = files(&root.join("doc/guide/en"), "md").into_iter().chain(files(&root.join("doc/guide/ja"), "md"));
    for path in pages.chain([root.join("README.md"), root.join("README.ja.md")]) {
        let text = fs::read_to_string(&path).unwrap();
        for block in text.split("```toml\n").skip(1) {
            all.push((path.display().to_string(), block.split("```").next().unwrap_or("").to_owned()));
        }
    }
    all
}

fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let all = fs::read_dir(folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
    all.map(|e| e.unwrap().path()).filter(|p| p.extension().is_some_and(|e| e == extension)).collect()
}
