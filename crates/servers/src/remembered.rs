//! What was found out about this machine and is used by later runs: how many threads its loads are driven by best. One line for each, in a file of the
//! state directory; what cannot be read or written is found out again.

use crate::{proc, state};
use std::collections::BTreeMap;
use std::fs::{File, rename};
use std::io::Write;
use std::path::Path;
use tenbin_intake::{SMALL, text_or_empty};

/// The file's name.
const FILE: &str = "threads";

/// The number of threads that was found for loads of this description on this machine.
pub fn threads(scope: &str) -> Option<String> {
    read(&state::directory().join(FILE)).remove(&line_name(&machine(), scope))
}

/// Remembers it.
pub fn keep_threads(scope: &str, word: &str) {
    if let Ok(dir) = state::make() {
        // What is lost is found out again.
        let _ = keep(&dir, &line_name(&machine(), scope), word);
    }
}

/// What identifies a machine: where one disk is moved to another, or a virtual machine gets other processors, nothing is remembered.
fn machine() -> String {
    let id = proc::read("/etc/machine-id");
    let all = proc::read("/proc/cpuinfo");
    let model = all.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or_default();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    format!("{} {cores} × {}", id.trim(), model.trim_start_matches([' ', '\t', ':']))
}

fn line_name(machine: &str, scope: &str) -> String {
    format!("{machine}, tenbin {}, {scope}", env!("CARGO_PKG_VERSION")).replace(['\n', '\t'], " ")
}

fn read(file: &Path) -> BTreeMap<String, String> {
    let text = text_or_empty(file, SMALL);
    text.lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(name, word)| (name.to_owned(), word.to_owned()))
        .collect()
}

/// Adds a line; another process sees the file before or after it, never a part.
fn keep(dir: &Path, name: &str, word: &str) -> std::io::Result<()> {
    let file = dir.join(FILE);
    let mut all = read(&file);
    all.insert(name.to_owned(), word.to_owned());
    let text: String = all.iter().map(|(name, word)| format!("{name}\t{word}\n")).collect();
    let beside = dir.join(format!("{FILE}.{}", std::process::id()));
    File::create(&beside)?.write_all(text.as_bytes())?;
    rename(&beside, &file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_read_back_by_its_whole_name() {
        let dir = tempfile::tempdir().unwrap();
        for (name, word) in [("a, 16 clients", "2"), ("a, 1 client", "1"), ("a, 16 clients", "per-client")] {
            keep(dir.path(), name, word).unwrap();
        }
        let all = read(&dir.path().join(FILE));
        assert_eq!((all.len(), all["a, 16 clients"].as_str(), all["a, 1 client"].as_str()), (2, "per-client", "1"));
        assert!(read(&dir.path().join("none")).is_empty());
        assert_ne!(line_name("m", "a"), line_name("n", "a"));
    }
}
