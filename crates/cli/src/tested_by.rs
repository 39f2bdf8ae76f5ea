//! The runs that tested the limits which a run named, by the plans that its diagnosis offered (`tenbin show --why --plan`): they
//! stand beside it in the same folder. What they showed belongs to the diagnosis whenever it is read again.

use std::fs;
use std::path::{Path, PathBuf};
use tenbin_model::plan::tested_limit;
use tenbin_model::summary::Summary;
use tenbin_report::store;
use tenbin_verdict::why::{Refutation, refutation};

/// A run that tested a limit of another one.
pub struct TestedBy {
    /// Its directory.
    pub dir: PathBuf,
    /// What it showed.
    pub refutation: Refutation,
}

/// More entries of a folder are not looked at.
const MOST_RUNS: usize = 5_000;
/// A longer plan is not one that a diagnosis offered.
const MOST_BYTES: u64 = 1 << 20;

/// The runs beside this one that tested its limits, in the order in which they started. What cannot be read is left out.
pub fn beside(dir: &Path, summary: &Summary) -> Vec<TestedBy> {
    let run = format!("{} {}", summary.name, summary.started);
    let Some(folder) = dir.canonicalize().ok().and_then(|dir| dir.parent().map(Path::to_path_buf)) else {
        return Vec::new();
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().take(MOST_RUNS);
    let tests_it = |dir: &PathBuf| {
        let plan = tenbin_intake::text(&dir.join("plan.toml"), MOST_BYTES).unwrap_or_default();
        tested_limit(&plan).is_some_and(|tested| tested.run == run)
    };
    let mut all: Vec<(String, TestedBy)> = { entries }
        .map(|entry| entry.path())
        .filter(tests_it)
        .filter_map(|dir| {
            let summary = store::read(&dir).ok()?.summary;
            let refutation = refutation::of_run(&summary)?;
            Some((summary.started.clone(), TestedBy { dir, refutation }))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all.into_iter().map(|(_, tested)| tested).collect()
}
