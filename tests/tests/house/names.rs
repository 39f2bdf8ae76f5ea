//! The name of an observer is written once: in its own file, or in `crates/model/src/names` if what judges or shows its readings has to
//! name it too.

use super::{root, sources, without_tests};
use std::collections::BTreeSet;
use std::fs;
use tenbin_observers::ALL;

#[test]
fn the_name_of_an_observer_is_written_in_one_file() {
    let names: BTreeSet<&str> = ALL.iter().map(|entry| entry.name).filter(|name| name.contains('.')).collect();
    assert!(names.len() > 8, "the observers were not found: {names:?}");
    let texts: Vec<_> =
        sources().into_iter().filter_map(|path| Some((fs::read_to_string(&path).ok()?, path))).collect();
    for name in names {
        let written = format!("\"{name}\"");
        let has = texts.iter().filter(|(text, _)| without_tests(text).contains(&written));
        let files: Vec<_> =
            has.map(|(_, path)| path.strip_prefix(root()).unwrap_or(path).display().to_string()).collect();
        assert!(files.len() == 1, "{name} is written in {files:?}");
    }
}
