//! Resolves the name of a test: a script by its path, a native test, or a script found where Lua looks for modules; and
//! its options.

use super::host;
use super::options::OLTP;
use super::options_old::OLD;
use crate::option::{OptionSpec, canonical};
use std::path::{Path, PathBuf};
use tenbin_script as script;
use tenbin_workload::WorkloadEntry;

/// A test.
#[derive(Debug)]
pub enum Test {
    /// Built in.
    Native(&'static WorkloadEntry),
    /// A Lua script at this path, or a module of this name.
    Script(PathBuf),
    /// A Lua script on standard input.
    Stdin,
}

/// Resolves a name, however it was given; `None` if there is no such test. Tests and scripts of 0.4 and 0.5 that are not there any
/// more are resolved by [`super::old`].
pub fn find(name: Option<&str>) -> Option<Test> {
    find_among(name, Path::is_file, script::replaced)
}

/// The same, where `is_file` says which files there are, and `replaced` which of sysbench's scripts the user has changed.
fn find_among(
    name: Option<&str>,
    is_file: impl Fn(&Path) -> bool,
    replaced: impl Fn(&str) -> Option<PathBuf>,
) -> Option<Test> {
    let Some(name) = name.filter(|n| *n != "-") else { return Some(Test::Stdin) };
    // The name is exact: `cpu-` is not a test, although options accept `-` and `_`.
    let native = natives().find(|e| e.name == name);
    match native {
        // In sysbench these are no scripts, and no file takes their place.
        Some(entry) if host::is(entry) => return Some(Test::Native(entry)),
        // Not for a name of one of its scripts: a file of that name is more likely a report that was redirected there.
        None if is_file(Path::new(name)) => {
            let is_path = name.contains('/') || name.ends_with(".lua");
            return Some(Test::Script(PathBuf::from(if is_path { name.to_owned() } else { format!("./{name}") })));
        }
        _ => {}
    }
    if let Some(path) = here(name, is_file) {
        return Some(Test::Script(path));
    }
    if let Some(entry) = native {
        return Some(replaced(name).map_or(Test::Native(entry), Test::Script));
    }
    script::required(name).map(Test::Script).or_else(|| {
        // If sysbench is not installed, its scripts are replaced by native tests, whatever their path.
        let module = script::module(name)?;
        let native = natives().find(|e| e.name == module).map(Test::Native);
        Some(native.unwrap_or_else(|| Test::Script(PathBuf::from(module))))
    })
}

/// The script at this path, also without its extension.
fn here(name: &str, is_file: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    let path = Path::new(name);
    if (name.contains('/') || name.ends_with(".lua")) && is_file(path) {
        return Some(path.to_owned());
    }
    Some(PathBuf::from(format!("./{name}.lua"))).filter(|path| is_file(path))
}

/// Whether there is a script of this name or at this path, which is then the one that is meant.
pub fn is_a_script(name: &str) -> bool {
    here(name, Path::is_file).or_else(|| script::required(name)).is_some()
}

/// The native tests of sysbench. Workloads that it does not have are not available under its name.
pub fn natives() -> impl Iterator<Item = &'static WorkloadEntry> {
    tenbin_workloads::workloads().into_iter().filter(|e| e.family == "sysbench")
}

/// The options of a native test in alphabetical order, as in sysbench's help.
pub fn rows(entry: &WorkloadEntry) -> Vec<OptionSpec> {
    if host::is(entry) {
        return host::rows(entry);
    }
    let only = |row: &OptionSpec| match canonical(row.name).as_str() {
        "random-points" => entry.name == "select_random_points",
        "number-of-ranges" | "delta" => entry.name == "select_random_ranges",
        _ => entry.name != "bulk_insert",
    };
    let mut rows: Vec<OptionSpec> = OLTP.iter().filter(|row| only(row)).copied().collect();
    rows.sort_by_key(|row| row.name.replace('-', "_"));
    rows
}

/// The options of the tests of 0.4 and the scripts of 0.5.
pub fn rows_of_old() -> Vec<OptionSpec> {
    OLD.iter().filter(|row| row.name.starts_with("oltp-")).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_test_has_its_options() {
        let names = |test: &str| {
            let entry = tenbin_workloads::find_workload(test).unwrap();
            rows(entry).iter().map(|r| r.name).collect::<Vec<_>>()
        };
        assert!(names("oltp_read_write").contains(&"table-size") && !names("oltp_read_write").contains(&"delta"));
        assert!(names("select_random_ranges").contains(&"delta"));
        assert!(names("bulk_insert").is_empty());
    }

    /// As sysbench 1.0.20 finds them.
    #[test]
    fn a_file_takes_the_place_of_a_script_but_not_of_a_test_in_c() {
        let choice = |name: &str, file: &str| match find_among(Some(name), |path| path == Path::new(file), |_| None) {
            Some(Test::Native(entry)) => format!("native {}", entry.name),
            Some(Test::Script(path)) => format!("script {}", path.display()),
            other => format!("{other:?}"),
        };
        for test in ["cpu", "memory", "threads", "mutex", "fileio"] {
            assert_eq!(choice(test, &format!("./{test}.lua")), format!("native {test}"));
            assert_eq!(choice(test, test), format!("native {test}"));
        }
        assert_eq!(choice("oltp_read_only", "./oltp_read_only.lua"), "script ./oltp_read_only.lua");
        assert_eq!(choice("oltp_read_only", "oltp_read_only"), "native oltp_read_only");
        assert_eq!(choice("mybench", "mybench"), "script ./mybench");
        assert_eq!(choice("mybench", "./mybench.lua"), "script ./mybench.lua");
        assert_eq!(choice("mybench", "other"), "None");
    }

    #[test]
    fn a_script_of_sysbenchs_that_was_changed_is_run_as_it_is() {
        let changed =
            |name: &str| (name == "oltp_insert").then(|| PathBuf::from("/usr/share/sysbench/oltp_insert.lua"));
        let choice = |name: &str| find_among(Some(name), |_| false, changed);
        let is_script =
            |test: Option<Test>| matches!(test, Some(Test::Script(path)) if path.ends_with("oltp_insert.lua"));
        assert!(is_script(choice("oltp_insert")));
        assert!(
            matches!(choice("oltp_delete"), Some(Test::Native(_))) && matches!(choice("cpu"), Some(Test::Native(_)))
        );
    }

    #[test]
    fn a_name_is_a_test_a_module_or_nothing() {
        assert!(matches!(find(Some("oltp_read_write")), Some(Test::Native(e)) if e.name == "oltp_read_write"));
        assert!(matches!(find(None), Some(Test::Stdin)));
        assert!(find(Some("run")).is_none() && find(Some("no/such.lua")).is_none());
        let gone = find(Some("/no/such/share/sysbench/oltp_insert.lua"));
        assert!(matches!(gone, Some(Test::Native(e)) if e.name == "oltp_insert"));
    }
}
