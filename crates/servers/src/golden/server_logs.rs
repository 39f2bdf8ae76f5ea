//! Logs that a server writes for people into its data directory: its log of errors, of slow and of all statements. They are not of its data: a copy does
//! not have them, and when data are put back the server keeps its own.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Where they are, from the data directory.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerLogs {
    directories: Vec<PathBuf>,
    files: Vec<PathBuf>,
}

/// Variables of MySQL and MariaDB that name a log.
const FILES: [&str; 6] = [
    "log_error",
    "slow_query_log_file",
    "log_slow_query_file",
    "general_log_file",
    "audit_log_file",
    "server_audit_file_path",
];

/// The directories of logs of a PostgreSQL server that does not tell its own: those of its versions from 10 on and before.
const USUAL: [&str; 2] = ["log", "pg_log"];

impl ServerLogs {
    /// None.
    pub const NONE: ServerLogs = ServerLogs { directories: Vec::new(), files: Vec::new() };

    /// Those of a server with these facts.
    pub fn of(facts: &BTreeMap<String, String>) -> ServerLogs {
        let value = |name: &str| facts.get(&format!("variable.{name}")).map(String::as_str);
        let data = value("datadir").or_else(|| value("data_directory")).map(Path::new);
        let inside = |place: &str| -> Option<PathBuf> {
            let path = Path::new(place);
            let path = if path.is_absolute() { path.strip_prefix(data?).ok()? } else { path };
            let path: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
            let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
            (is_below && !path.as_os_str().is_empty()).then_some(path)
        };
        let is_postgres = value("datadir").is_none();
        let directories: Vec<&str> = match value("log_directory").filter(|_| is_postgres) {
            Some(directory) => vec![directory],
            None if is_postgres => USUAL.to_vec(),
            None => Vec::new(),
        };
        ServerLogs {
            directories: directories.into_iter().filter_map(inside).collect(),
            files: FILES.iter().filter(|_| !is_postgres).filter_map(|name| inside(value(name)?)).collect(),
        }
    }

    /// Whether a file or directory is one of them, or was one until it was rotated; by its path from the data directory.
    pub fn has(&self, path: &Path) -> bool {
        self.directories.iter().any(|directory| path.starts_with(directory))
            || self.files.iter().any(|log| is_log(path, log))
    }
}

fn is_log(path: &Path, log: &Path) -> bool {
    let (Some(name), Some(of)) = (path.file_name(), log.file_name()) else { return false };
    let (name, of) = (name.to_string_lossy(), of.to_string_lossy());
    // `db-slow.log.1`, `db-slow.log-20260101.gz`, `db.err-old`.
    let is_rotated = |rest: &str| {
        let number = rest.strip_prefix(['.', '-']).unwrap_or_default();
        number.starts_with(|c: char| c.is_ascii_digit()) || number.starts_with("old")
    };
    path.parent() == log.parent()
        && name.strip_prefix(of.as_ref()).is_some_and(|rest| rest.is_empty() || is_rotated(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logs_are_known_by_the_variables_of_their_server() {
        let of = |all: &[(&str, &str)]| {
            ServerLogs::of(&all.iter().map(|(name, value)| (format!("variable.{name}"), (*value).to_owned())).collect())
        };
        let names = ["log/a.log", "pg_log/a", "db.err", "db-slow.log-1.gz", "db.err-old", "db.errors", "q/g.log"];
        let kept = |logs: &ServerLogs| names.into_iter().filter(|name| logs.has(Path::new(name))).collect::<Vec<_>>();
        let mysql = of(&[
            ("datadir", "/data/"),
            ("log_error", "/data/db.err"),
            ("slow_query_log_file", "db-slow.log"),
            ("general_log_file", "./q/g.log"),
        ]);
        assert_eq!(kept(&mysql), ["db.err", "db-slow.log-1.gz", "db.err-old", "q/g.log"]);
        assert_eq!(kept(&of(&[("data_directory", "/d"), ("log_directory", "/d/log")])), ["log/a.log"]);
        assert_eq!(kept(&of(&[])), ["log/a.log", "pg_log/a"], "it does not tell");
        for elsewhere in ["/var/log/postgresql", ".", "", "../log", "/d", "/d/"] {
            let logs = of(&[("data_directory", "/d"), ("log_directory", elsewhere)]);
            assert_eq!(logs, ServerLogs::default(), "{elsewhere}");
        }
        assert_eq!(kept(&of(&[("datadir", "/data/"), ("log_error", "/var/log/db.err")])), [""; 0]);
    }
}
