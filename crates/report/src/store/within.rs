//! The run that a path lies in: someone who copies a path from a browser or completes it with the Tab key names a file of the run,
//! and means the run.

use super::about;
use super::bundle::is_bundle;
use super::files::Folder;
use super::{LABELS, MOST_JSON, PAGE, sums, verify};
use std::path::{Component, Path, PathBuf};

/// A run's files are at most this far below it: `trials/0001/events.jsonl`.
const DEPTH: usize = 3;

/// A path within a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WithinRun {
    /// The directory of the run.
    pub run: PathBuf,
    /// The path from there on.
    pub inner: PathBuf,
}

impl WithinRun {
    /// Whether Tenbin wrote it, or writes it; other files in the directory are the user's.
    pub fn is_of_run(&self) -> bool {
        let mut parts = self.inner.components().filter_map(|part| part.as_os_str().to_str());
        let Some(first) = parts.next() else { return false };
        first == "trials" || [sums::NAME, about::NAME, LABELS, "plan.toml", verify::LOG, PAGE].contains(&first)
    }

    /// Whether it can be made again from the rest of the run.
    pub fn is_page(&self) -> bool {
        self.inner == Path::new(PAGE)
    }
}

/// The run in which a file or directory lies, which need not exist; `None` if it is itself a run, a bundle, or in none.
pub fn within_run(path: &Path) -> Option<WithinRun> {
    if is_bundle(path) || is_run(path) {
        return None;
    }
    // As it was written, so that messages name the run in the same way; links are followed only if that does not find it.
    let whole = || path.canonicalize().ok().filter(|whole| !is_run(whole));
    above(path).or_else(|| above(&whole()?))
}

/// The path of the run that is meant: the one that the path lies in, or the path.
pub fn run_meant(path: PathBuf) -> PathBuf {
    within_run(&path).map_or(path, |within| within.run)
}

fn above(path: &Path) -> Option<WithinRun> {
    let mut run = path;
    for _ in 0..DEPTH {
        if !matches!(run.components().next_back(), Some(Component::Normal(_))) {
            return None;
        }
        run = run.parent()?;
        let named = if run.as_os_str().is_empty() { Path::new(".") } else { run };
        if is_run(named) {
            let inner = path.strip_prefix(run).unwrap_or(path).to_owned();
            return Some(WithinRun { run: named.to_owned(), inner });
        }
    }
    None
}

/// Whether a directory is a run's, and not that of one of its trials, which has a log of the same name.
pub fn is_run(dir: &Path) -> bool {
    let Ok(folder) = Folder::open(dir) else { return false };
    let has_about = || {
        folder.whole(about::NAME, MOST_JSON).ok().and_then(|text| about::listed(&text)).is_some_and(|a| a.format > 0)
    };
    (folder.has("trials") && folder.has(verify::LOG)) || has_about()
}

#[cfg(test)]
mod tests {

    use super::*;
    use std::fs;

    fn run(root: &Path) -> PathBuf {
        let run = root.join("runs/2026-x");
        fs::create_dir_all(run.join("trials/0001")).unwrap();
        for name in ["events.jsonl", "run.json", "plan.toml", "mine.csv", "trials/0001/events.jsonl"] {
            fs::write(run.join(name), "{}").unwrap();
        }
        run
    }

    #[test]
    fn every_path_in_a_run_leads_to_it_and_no_other_does() {
        let root = tempfile::tempdir().unwrap();
        let run = run(root.path());
        for (inner, own) in [
            ("report.html", true),
            ("run.json", true),
            ("SHA256SUMS", true),
            ("trials", true),
            ("trials/0001", true),
            ("trials/0001/events.jsonl", true),
            ("trials/0001/not-there", true),
            ("report.html.html", false),
            ("mine.csv", false),
        ] {
            let within = within_run(&run.join(inner)).unwrap();
            assert_eq!((&within.run, within.inner.as_path(), within.is_of_run()), (&run, Path::new(inner), own));
            assert_eq!(within.is_page(), inner == "report.html");
        }
        for other in [run.clone(), run.join(""), run.join("."), run.join(".."), root.path().join("runs"), "/".into()] {
            assert_eq!(within_run(&other), None, "{other:?}");
        }
        let link = root.path().join("page.html");
        fs::write(run.join("report.html"), "").unwrap();
        std::os::unix::fs::symlink(run.join("report.html"), &link).unwrap();
        assert_eq!(run_meant(link), run.canonicalize().unwrap());
    }

    #[test]
    fn of_a_damaged_run_the_directory_is_still_found() {
        let root = tempfile::tempdir().unwrap();
        let run = run(root.path());
        fs::remove_file(run.join("run.json")).unwrap();
        assert_eq!(run_meant(run.join("plan.toml")), run);
        fs::remove_file(run.join("events.jsonl")).unwrap();
        assert_eq!(run_meant(run.clone()), run);
        // Any directory may have one called trials.
        assert_eq!(within_run(&run.join("mine.csv")), None);
    }
}
