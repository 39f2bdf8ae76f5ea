//! This machine: its files are read directly.

use super::{FileTexts, MachineFiles, PROGRAMS};
use std::fs::DirEntry;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tenbin_words::problem::Problem;

/// The most that is read of a file or a program: the table of a hundred thousand connections is a third of it.
const MOST_BYTES: u64 = 64 << 20;

/// This machine.
#[derive(Debug, Clone, Copy)]
pub struct Here;

impl MachineFiles for Here {
    fn files(&self, patterns: &[&str]) -> Result<FileTexts, Problem> {
        let paths = patterns.iter().flat_map(|pattern| matching(pattern));
        let read = |path: PathBuf| {
            // Some files of /proc and /sys are not UTF-8, and some can be opened but not read.
            let bytes = tenbin_intake::regular_file(&path, MOST_BYTES).ok()?;
            let text = String::from_utf8_lossy(&bytes).trim_end_matches('\n').to_owned();
            (!text.is_empty()).then(|| (path.to_string_lossy().into_owned(), text))
        };
        Ok(paths.filter_map(read).collect())
    }

    fn links(&self, pattern: &str) -> Result<FileTexts, Problem> {
        let to = |path: PathBuf| {
            let to = std::fs::read_link(&path).ok()?;
            Some((path.to_string_lossy().into_owned(), to.to_string_lossy().into_owned()))
        };
        Ok(matching(pattern).into_iter().filter_map(to).collect())
    }

    fn resolved(&self, path: &str) -> Result<Option<String>, Problem> {
        Ok(std::fs::canonicalize(path).ok().map(|path| path.to_string_lossy().into_owned()))
    }

    fn programs(&self) -> Result<FileTexts, Problem> {
        Ok(PRINTED.get_or_init(printed).clone())
    }
}

/// What the programs have printed: it is the same for the client and for servers here, as long as this process lives.
static PRINTED: OnceLock<FileTexts> = OnceLock::new();

/// Begins to ask the programs of this machine on a thread of its own, so that a caller that needs the answers soon does not wait for them. Where there can
/// be no thread they are asked when they are needed.
pub fn ask_ahead() {
    let _ = std::thread::Builder::new().name("machine".into()).spawn(|| PRINTED.get_or_init(printed));
}

/// What the programs print, all at the same time.
fn printed() -> FileTexts {
    let run = |program: &str| {
        let mut command = Command::new(program);
        command.env("LC_ALL", "C").stdin(Stdio::null()).stderr(Stdio::null());
        // `systemd-detect-virt` prints `none` and exits with 1.
        let output = tenbin_intake::output_within(&mut command, MOST_BYTES, tenbin_intake::SILENCE).ok()?;
        let text = String::from_utf8_lossy(&output.stdout).trim_end().to_owned();
        (!text.is_empty()).then(|| (program.to_owned(), text))
    };
    std::thread::scope(|scope| {
        let started = PROGRAMS.map(|program| {
            let thread = std::thread::Builder::new().name("program".into());
            (program, thread.spawn_scoped(scope, move || run(program)))
        });
        let ended = started.into_iter().map(|(program, thread)| match thread {
            Ok(thread) => thread.join().ok().flatten(),
            Err(_) => run(program),
        });
        ended.flatten().collect()
    })
}

/// The paths that match a pattern, in which `*` stands for anything within one name.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let mut paths = vec![PathBuf::from("/")];
    let mut names = pattern.split('/').filter(|name| !name.is_empty()).peekable();
    while let Some(name) = names.next() {
        let has_more = names.peek().is_some();
        paths = match name.split_once('*') {
            None => paths.into_iter().map(|dir| dir.join(name)).collect(),
            Some((start, end)) => paths.iter().flat_map(|dir| entries(dir, start, end, has_more)).collect(),
        };
    }
    paths
}

/// The entries of a directory whose names start and end so; `of_directories`: those that may have entries of their own. Each disk has dozens of files
/// below `/sys/block`, and opening each as a directory took most of the time of a look at a machine.
fn entries(dir: &Path, start: &str, end: &str, of_directories: bool) -> Vec<PathBuf> {
    let may_have_entries = |entry: &DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir() || kind.is_symlink());
    let all = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let all = all.filter(|entry| !of_directories || may_have_entries(entry)).map(|entry| entry.path());
    let fits = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end))
    };
    let mut all: Vec<PathBuf> = all.filter(fits).collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_links_are_found_by_patterns() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name).to_string_lossy().into_owned();
        for name in ["cpu0", "cpu1", "cpufreq"] {
            std::fs::create_dir(dir.path().join(name)).unwrap();
        }
        std::fs::write(at("cpu0/id"), "7\n").unwrap();
        std::fs::write(at("cpu1/id"), "8\nnext\n").unwrap();
        std::fs::write(at("cpu1/empty"), "\n").unwrap();
        std::os::unix::fs::symlink("/dev/sda", at("disk")).unwrap();
        let read = Here.files(&[&at("cpu*/id"), &at("*/empty"), &at("gone")]).unwrap();
        assert_eq!(read, FileTexts::from([(at("cpu0/id"), "7".into()), (at("cpu1/id"), "8\nnext".into())]));
        std::os::unix::fs::symlink("cpu1", at("same")).unwrap();
        let read = Here.files(&[&at("sam*/id")]).unwrap();
        assert_eq!(read, FileTexts::from([(at("same/id"), "8\nnext".into())]), "directories by their links");
        assert_eq!(entries(&dir.path().join("cpu0"), "", "", true), Vec::<PathBuf>::new(), "a file has no entries");
        assert_eq!(Here.links(&at("d*")).unwrap(), FileTexts::from([(at("disk"), "/dev/sda".into())]));
        assert_eq!(Here.resolved(&at("cpu0/../cpu1")).unwrap(), Some(at("cpu1")));
        assert_eq!(Here.resolved(&at("gone")).unwrap(), None);
    }
}
