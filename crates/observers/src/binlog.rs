//! The binary log of a source that has replicas: the bytes and files that it occupies, the bytes written, and the files
//! removed.
//!
//! `SHOW BINARY LOGS` opens every file to learn its size, so it is sent at most every [`LIST`]; in between the position,
//! which the server has in memory, is used.

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Connection, Error, Table};
use tenbin_model::names::observer;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: observer::SERVER_BINLOG,
    readings,
    connects: true,
    make: |subject: &Subject| {
        let observed = !subject.replicas.is_empty() && subject.connector.dsn().scheme.kind().has_replicas;
        let binlog = Binlog { session: ObserverSession::new(subject), files: BinlogFiles::default() };
        observed.then(|| Box::new(binlog) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

/// The least time between two lists of all files.
const LIST: Duration = Duration::from_secs(10);
/// The statements that show the position: MySQL from 8.2, and all others.
const POSITION: [&str; 2] = ["SHOW BINARY LOG STATUS", "SHOW MASTER STATUS"];
/// The server writes no binary log.
const NO_BINARY_LOG: u32 = 1381;
/// A privilege is missing for the statement.
const DENIED: u32 = 1227;

fn readings(_: &Subject) -> Vec<ReadingSpec> {
    vec![
        // The meaning of BinLogDiskUsage of Amazon RDS.
        ReadingSpec::gauge("binlog_bytes", "bytes", Whose::Server).label("binary logs", "バイナリーログ"),
        ReadingSpec::gauge("binlog_files", "", Whose::Server).label("binary log files", "バイナリーログのファイル数"),
        ReadingSpec::counter("binlog_written_bytes", "bytes", Whose::Server)
            .label("written to the binary log", "バイナリーログへの書き込み"),
        ReadingSpec::counter("binlog_files_removed", "", Whose::Server)
            .label("binary log files removed", "削除されたバイナリーログのファイル数"),
    ]
}

struct Binlog {
    session: ObserverSession<()>,
    files: BinlogFiles,
}

impl Observer for Binlog {
    fn disconnect(&mut self) {
        self.session.close();
    }

    fn read(&mut self) -> Result<Sample, Problem> {
        let files = &mut self.files;
        let read = self.session.ask(
            async |_| Ok(()),
            async |connection, ()| {
                Ok(match files.read(connection).await {
                    Ok(values) => Ok(values),
                    Err(e) if e.number() == Some(NO_BINARY_LOG) => Ok(BTreeMap::new()),
                    Err(e) => Err((e, connection.server_version().contains("MariaDB"))),
                })
            },
        )?;
        match read {
            Ok(values) => Ok(values.into()),
            Err((e, mariadb)) => {
                let problem = e.problem(msg!("reading-binary-logs"));
                let account = format!("'{}'@'…'", self.session.connector().dsn().user);
                let privilege = if mariadb { "BINLOG MONITOR" } else { "REPLICATION CLIENT" };
                let denied = e.number() == Some(DENIED);
                Err(if denied { problem.hint(msg!("grant-privilege", privilege, account)) } else { problem })
            }
        }
    }
}

/// The files as they were last seen.
#[derive(Debug, Default)]
struct BinlogFiles {
    /// Names and sizes of the last list, in the order of writing.
    listed: Vec<(String, u64)>,
    /// When they were listed.
    at: Option<Instant>,
    /// The bytes of the files that were finished since the first list, and the current file.
    finished: u64,
    /// The position that was last seen.
    position: u64,
    removed: u64,
}

impl BinlogFiles {
    async fn read(&mut self, c: &mut Connection) -> Result<BTreeMap<String, f64>, Error> {
        if self.at.is_none_or(|at| at.elapsed() >= LIST) {
            let list = c.table("SHOW BINARY LOGS").await?;
            self.take(files(&list));
            self.at = Some(Instant::now());
        }
        let mut refused = None;
        for sql in POSITION {
            match c.table(sql).await {
                Ok(table) => return Ok(position(&table).map(|(file, at)| self.values(&file, at)).unwrap_or_default()),
                Err(e) if e.class() == Class::Lost || e.number() == Some(DENIED) => return Err(e),
                Err(e) => refused = Some(e),
            }
        }
        refused.map_or_else(|| Ok(BTreeMap::new()), Err)
    }

    /// Takes a new list.
    fn take(&mut self, new: Vec<(String, u64)>) {
        self.removed += self.listed.iter().filter(|(name, _)| !new.iter().any(|(n, _)| n == name)).count() as u64;
        // From the file that was written at the previous list on, all but the last one are finished.
        if let Some((current, _)) = self.listed.last() {
            let there = new.iter().position(|(name, _)| name == current);
            let finished = new[there.unwrap_or(0)..].split_last().map_or(&[][..], |(_, before)| before);
            self.finished += finished.iter().map(|(_, size)| size).sum::<u64>();
            self.finished += if there.is_none() { self.position } else { 0 };
        }
        self.listed = new;
    }

    /// The readings, given the file that is written and the position in it.
    fn values(&mut self, file: &str, at: u64) -> BTreeMap<String, f64> {
        let mut values = BTreeMap::from([("binlog_files_removed".to_owned(), self.removed as f64)]);
        self.position = at;
        // A file that is not listed yet: the next list has it, and the size of the one before.
        if let Some((_, before)) = self.listed.split_last().filter(|((name, _), _)| name == file) {
            let all = before.iter().map(|(_, size)| size).sum::<u64>() + at;
            values.insert("binlog_bytes".to_owned(), all as f64);
            values.insert("binlog_files".to_owned(), self.listed.len() as f64);
            values.insert("binlog_written_bytes".to_owned(), (self.finished + at) as f64);
        }
        values
    }
}

/// Names and sizes; a third column says whether a file is encrypted.
fn files(list: &Table) -> Vec<(String, u64)> {
    let file = |row: &Vec<Option<String>>| {
        let size = row.get(1)?.as_deref()?.parse().ok()?;
        Some((row.first()?.clone()?, size))
    };
    list.rows.iter().filter_map(file).collect()
}

fn position(table: &Table) -> Option<(String, u64)> {
    files(table).into_iter().next()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(all: &[(&str, u64)]) -> Vec<(String, u64)> {
        all.iter().map(|(name, size)| ((*name).to_owned(), *size)).collect()
    }

    fn line(values: &BTreeMap<String, f64>) -> String {
        values.iter().map(|(name, value)| format!("{} {value}", &name[7..])).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn files_are_followed_through_rotation_and_removal() {
        let mut files = BinlogFiles::default();
        files.take(list(&[("bin.1", 100), ("bin.2", 40)]));
        let mut lines = vec![line(&files.values("bin.2", 50)), line(&files.values("bin.3", 10))];
        files.take(list(&[("bin.1", 100), ("bin.2", 90), ("bin.3", 20)]));
        lines.push(line(&files.values("bin.3", 30)));
        files.take(list(&[("bin.5", 60), ("bin.6", 5)]));
        lines.push(line(&files.values("bin.6", 6)));
        files.take(Vec::new());
        lines.push(line(&files.values("bin.6", 7)));
        let expected = [
            "bytes 150, files 2, files_removed 0, written_bytes 50",
            "files_removed 0",
            "bytes 220, files 3, files_removed 0, written_bytes 120",
            // What was written to the removed files 3 and 4 in the meantime is not known.
            "bytes 66, files 2, files_removed 3, written_bytes 186",
            "files_removed 5",
        ];
        assert_eq!(lines, expected);
    }
}
