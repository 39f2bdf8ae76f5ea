//! The files of the user that a trial names: scripts of SQL and Lua, the file that creates the tables, files of statements. They are recorded with
//! their digests, because their names stay the same when they are changed, and their texts once for each run.

use crate::emitter::TrialError;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tenbin_model::dsn::redact;
use tenbin_model::event::Event;
use tenbin_model::trial::{Trial, UsedFile};
use tenbin_words::hex::hex;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workloads::{QUERY_FILE, is_script, pgbench, sql};

/// Options that name a file of statements.
pub(crate) const OF_STATEMENTS: [&str; 4] = ["query_file", "create_file", "pre_query_file", "post_query_file"];

/// The options of data sets that name a file.
const OF_DATA: [&str; 2] = ["create", "script"];

/// Larger files are not recorded: to read them again before each trial would take as long as the trial.
const MOST: u64 = 256 << 20;

/// Longer texts are not kept.
const MOST_KEPT: u64 = 1 << 20;

/// What is known of files, by path.
#[derive(Default)]
pub struct UsedFiles {
    digests: BTreeMap<String, Option<String>>,
    /// Those whose content was emitted.
    emitted: BTreeSet<UsedFile>,
}

impl UsedFiles {
    /// The files that a trial uses, as they were when they were first read.
    pub fn of(&mut self, trial: &Trial) -> Vec<UsedFile> {
        let mut all = Vec::new();
        for path in named(trial) {
            let digest = self.digests.entry(path.clone()).or_insert_with(|| digest(Path::new(&path)));
            all.extend(digest.clone().map(|sha256| UsedFile { path, sha256 }));
        }
        all
    }

    /// The content of the files of a trial that was not told yet.
    pub fn contents(&mut self, trial: &Trial) -> Vec<Event> {
        let mut all = Vec::new();
        for file in &trial.files {
            if self.emitted.insert(file.clone()) {
                let UsedFile { path, sha256 } = file.clone();
                let text = text(Path::new(&path), &sha256);
                all.push(Event::FileUsed { path, sha256, text });
            }
        }
        all
    }
}

/// Fails if a file is not as it was when the trial was planned: the run would have figures of both.
pub fn unchanged(planned: &Trial) -> Result<(), TrialError> {
    changed(planned.files.iter()).map_or(Ok(()), |problem| Err(TrialError::Trial(problem)))
}

/// That the file of statements, which the clients may read while they send them, is not as it was when the trial was planned: the trial has figures of both.
pub fn sent_file_changed(planned: &Trial) -> Option<Problem> {
    let sent = planned.load.options.get(QUERY_FILE);
    changed(planned.files.iter().filter(|file| sent == Some(&file.path)))
}

fn changed<'f>(mut files: impl Iterator<Item = &'f UsedFile>) -> Option<Problem> {
    let file = files.find(|file| digest(Path::new(&file.path)).as_ref() != Some(&file.sha256))?;
    Some(Problem::new(msg!("file-changed-during-run", file = file.path)).hint(msg!("run-again-with-file")))
}

/// The paths of the files that a trial names and that are files.
fn named(trial: &Trial) -> Vec<String> {
    let (load, data) = (&trial.load, &trial.dataset);
    let mut all = Vec::new();
    if is_script(&load.workload) {
        all.extend(with_modules(&load.workload));
    } else if load.workload == sql::NAME {
        all.extend(sql::files(&load.options));
    } else if load.workload == pgbench::NAME {
        all.extend(pgbench::files(&load.options));
    }
    let of_options = |options: &BTreeMap<String, String>, names: &[&str]| {
        names.iter().filter_map(|name| options.get(*name).cloned()).collect::<Vec<_>>()
    };
    all.extend(of_options(&load.options, &OF_STATEMENTS));
    all.extend(of_options(&data.options, &OF_STATEMENTS));
    for path in of_options(&data.options, &OF_DATA) {
        all.extend(with_modules(&path));
    }
    if data.kind == sql::NAME {
        all.extend(sql::word_files(&data.options));
    }
    let mut seen = BTreeSet::new();
    all.retain(|path| !path.is_empty() && Path::new(path).is_file() && seen.insert(path.clone()));
    all
}

/// A script, and the Lua files in its folder that it or one of them names in quotes: what it may `require`.
fn with_modules(script: &str) -> Vec<String> {
    let path = Path::new(script);
    let mut all = vec![script.to_owned()];
    if path.extension().is_none_or(|extension| extension != "lua") || !path.is_file() {
        return all;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let beside = folder.unwrap_or(Path::new(".")).read_dir().into_iter().flatten().flatten();
    let modules = beside.filter_map(|entry| Some((entry.path().file_stem()?.to_str()?.to_owned(), entry)));
    let mut modules: Vec<String> = modules
        .filter(|(_, entry)| entry.path().extension().is_some_and(|extension| extension == "lua"))
        .map(|(stem, _)| stem)
        .collect();
    modules.sort();
    let mut at = 0;
    while let Some(next) = all.get(at) {
        let text = tenbin_intake::file(Path::new(next), MOST_KEPT).unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        modules.retain(|stem| {
            let is_named = ['"', '\''].iter().any(|quote| text.contains(&format!("{quote}{stem}{quote}")));
            if is_named {
                let module = folder.map_or_else(PathBuf::new, Path::to_owned).join(format!("{stem}.lua"));
                all.push(module.display().to_string());
            }
            !is_named
        });
        at += 1;
    }
    all
}

/// The SHA-256 of a file; `None` if it cannot be read, or is too large.
fn digest(path: &Path) -> Option<String> {
    let file = std::fs::File::open(path).ok()?;
    let about = file.metadata().ok()?;
    if !about.is_file() || about.len() > MOST {
        return None;
    }
    let mut sum = Hashed(Sha256::new());
    io::copy(&mut io::Read::take(file, MOST), &mut sum).ok()?;
    Some(hex(&sum.0.finalize()))
}

struct Hashed(Sha256);

impl Write for Hashed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The text of a file that has this digest, without passwords.
fn text(path: &Path, sha256: &str) -> Option<String> {
    let bytes = tenbin_intake::file(path, MOST_KEPT).ok()?;
    if hex(&Sha256::digest(&bytes)) != sha256 {
        return None;
    }
    Some(redact(&String::from_utf8(bytes).ok()?))
}

/// Fails if the finished trial of a run that is continued had other files, unless the user permits it; then that is returned.
pub fn as_before(before: &Trial, now: &Trial, is_allowed: bool) -> Result<Option<Problem>, TrialError> {
    let changed = before.changed_files(now);
    if changed.is_empty() {
        return Ok(None);
    }
    let files = tenbin_words::message::Message::list(changed.iter().map(foreign));
    let problem = Problem::new(msg!("files-are-not-those-of-run", trial = now.number)).evidence(files);
    match is_allowed {
        true => Ok(Some(problem)),
        false => Err(TrialError::Listener(problem.hint(msg!("allow-changed-files")))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_model::plan::{Plan, expand};

    #[test]
    fn a_script_is_recorded_with_what_it_requires_and_without_passwords() {
        let dir = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("written");
        write("own.lua", "require(\"common\")\nlocal a = 'mysql://bench:secret@db/x'\n");
        write("common.lua", "require 'deep'\n");
        write("deep.lua", "");
        write("unrelated.lua", "");
        let at = |name: &str| dir.path().join(name).display().to_string();
        let text = format!(
            "schema = 1\nname = \"p\"\n[targets.a]\ndsn = \"mysql://u@127.0.0.1/x\"\n[[experiment]]\nname = \"e\"\n\
             load = {{ workload = \"{}\" }}\n",
            at("own.lua")
        );
        let mut trial = expand(&Plan::parse(&text, &tenbin_workloads::catalog()).expect("a plan")).remove(0);
        let mut files = UsedFiles::default();
        trial.files = files.of(&trial);
        let paths: Vec<&str> = trial.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, [at("own.lua"), at("common.lua"), at("deep.lua")]);
        let events = files.contents(&trial);
        assert!(files.contents(&trial).is_empty(), "once");
        let [Event::FileUsed { text: Some(text), .. }, ..] = events.as_slice() else { panic!("{events:?}") };
        assert!(text.contains("require") && !text.contains("secret"), "{text}");
        assert!(unchanged(&trial).is_ok());
        write("deep.lua", "-- other");
        assert!(unchanged(&trial).is_err());
        let mut now = trial.clone();
        now.files = UsedFiles::default().of(&trial);
        let Err(TrialError::Listener(problem)) = as_before(&trial, &now, false) else { panic!("allowed") };
        assert_eq!(problem.evidence.expect("evidence").english(), at("deep.lua"));
        assert!(as_before(&trial, &now, true).is_ok_and(|note| note.is_some()));
        assert!(sent_file_changed(&now).is_none());
        write("sent.sql", "SELECT 1");
        now.load.options.insert(QUERY_FILE.to_owned(), at("sent.sql"));
        now.files = UsedFiles::default().of(&now);
        assert!(sent_file_changed(&now).is_none());
        write("sent.sql", "SELECT 2");
        assert!(sent_file_changed(&now).is_some(), "while the clients were at work");
        // Of a trial without files nothing is known.
        assert!(as_before(&Trial { files: Vec::new(), ..trial }, &now, false).is_ok_and(|note| note.is_none()));
    }

    #[test]
    fn the_scripts_of_pgbench_are_recorded() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("own.sql").display().to_string();
        std::fs::write(&path, "SELECT 1;\n").expect("written");
        let text = format!(
            "schema = 1\nname = \"p\"\n[targets.a]\ndsn = \"postgres://u@127.0.0.1/x\"\n[[experiment]]\nname = \"e\"\n\
             load = {{ workload = \"pgbench\", files = \"{path}@3\" }}\n"
        );
        let mut trial = expand(&Plan::parse(&text, &tenbin_workloads::catalog()).expect("a plan")).remove(0);
        trial.files = UsedFiles::default().of(&trial);
        assert_eq!(trial.files.iter().map(|file| file.path.as_str()).collect::<Vec<_>>(), [path.as_str()]);
        std::fs::write(&path, "SELECT 2;\n").expect("written");
        assert!(unchanged(&trial).is_err());
        pgbench::rename_files(&mut trial.load.options, |_| "other.sql".to_owned());
        assert_eq!(pgbench::files(&trial.load.options), ["other.sql"]);
    }
}
