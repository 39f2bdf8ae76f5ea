//! What of the logs of a server is not part of a golden copy, because the server starts without it and with the same data:
//!
//! - spare files of MySQL's redo log (`#ib_redoN_tmp`, manual of MySQL 8.0, "Redo Log"), which hold nothing;
//! - segments of PostgreSQL's log beyond the end of what a clean end has written, kept for later use (its manual, "WAL Configuration").
//!
//! The redo log of MariaDB cannot be left out: a server does not start without it, because only it knows the position in the log.
//! That of a private server is made [as small as it may be](shortened) before the copy; at the next start it has its size again.

use crate::rights::Rights;
use std::ffi::OsStr;
use std::io;
use std::path::Path;
use tenbin_driver::{Connector, event_loop};

/// The first bytes of `global/pg_control` that are read.
const CONTROL: usize = 52;
/// The most bytes of that file, which has 8,192.
const MOST_CONTROL: u64 = 1 << 20;
/// `PG_CONTROL_VERSION` from PostgreSQL 11 on, since when these bytes have the same meaning, to 18.
const CONTROL_VERSIONS: std::ops::RangeInclusive<u32> = 1100..=1800;
/// `DB_SHUTDOWNED`: the server has ended cleanly.
const SHUT_DOWN: u32 = 1;
/// A record of a checkpoint, and the header of the page on which it goes on, are shorter.
const LONGEST_RECORD: u64 = 16 << 10;

/// The files of logs in a data directory that a server needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededLogs {
    /// PostgreSQL: the timeline and the last segment that is needed; `None`: all are.
    last: Option<(String, String)>,
}

impl NeededLogs {
    /// Those in the data directory of a server that does not run.
    pub fn of(data: &Path, rights: Rights) -> NeededLogs {
        NeededLogs { last: rights.within(|| last_segment(data)).ok().flatten() }
    }

    /// Whether a file of this name is needed, as far as it is one of a log.
    pub fn has(&self, name: &OsStr) -> bool {
        let Some(name) = name.to_str() else { return true };
        if is_spare(name) {
            return false;
        }
        match &self.last {
            Some((timeline, last)) if is_segment(name) && name.starts_with(timeline.as_str()) => name <= last.as_str(),
            _ => true,
        }
    }
}

/// Whether this is a spare file of MySQL's redo log.
pub fn is_spare(name: &str) -> bool {
    let number = name.strip_prefix("#ib_redo").and_then(|rest| rest.strip_suffix("_tmp"));
    number.is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()))
}

/// Whether a file has the name of a segment of PostgreSQL's log: three hexadecimal numbers of eight digits.
fn is_segment(name: &str) -> bool {
    name.len() == 24 && name.bytes().all(|b| b.is_ascii_digit() || (b'A'..=b'F').contains(&b))
}

/// The timeline and the segment in which the last record is that a server has written which ended cleanly.
fn last_segment(data: &Path) -> io::Result<Option<(String, String)>> {
    let control = tenbin_intake::regular_file(&data.join("global/pg_control"), MOST_CONTROL)?;
    if control.len() < CONTROL {
        return Ok(None);
    }
    let number = |at: usize| u32::from_ne_bytes(control[at..at + 4].try_into().unwrap_or_default());
    let position = |at: usize| u64::from_ne_bytes(control[at..at + 8].try_into().unwrap_or_default());
    let (version, state, checkpoint, redo, timeline) = (number(8), number(16), position(32), position(40), number(48));
    if !CONTROL_VERSIONS.contains(&version) || state != SHUT_DOWN || redo != checkpoint {
        return Ok(None);
    }
    let mut size = 0;
    for entry in std::fs::read_dir(data.join("pg_wal"))? {
        let entry = entry?;
        if entry.file_name().to_str().is_some_and(is_segment) {
            size = entry.metadata()?.len();
        }
    }
    if !size.is_power_of_two() || size < 1 << 20 {
        return Ok(None);
    }
    let (end, each) = (checkpoint.saturating_add(LONGEST_RECORD) / size, (1 << 32) / size);
    let timeline = format!("{timeline:08X}");
    let last = format!("{timeline}{:08X}{:08X}", end / each, end % each);
    Ok(Some((timeline, last)))
}

/// Makes the redo log of a running private server as small as the server allows; its variable is that of the next start again.
/// Servers that cannot do this keep it: MySQL, whose spare files are not copied, and MariaDB before 10.9.
pub fn shortened(connector: &Connector) {
    let Ok(runtime) = event_loop() else { return };
    let shorten = async {
        let mut c = connector.connect_ready().await?;
        let least = "SELECT GREATEST(4194304, @@global.innodb_log_buffer_size), @@version LIKE '%MariaDB%'";
        let row = c.table(least).await?.rows.into_iter().next().unwrap_or_default();
        if let [Some(bytes), Some(is_mariadb)] = row.as_slice()
            && is_mariadb == "1"
            && bytes.bytes().all(|b| b.is_ascii_digit())
        {
            c.query(&format!("SET GLOBAL innodb_log_file_size = {bytes}")).await?;
        }
        c.leave().await;
        Ok::<_, tenbin_driver::Error>(())
    };
    // Only its size depends on it.
    let _ = runtime.block_on(connector.within(PATIENCE, shorten));
}

/// How long a server may take to write what is in its redo log.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(300);

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;

    fn control(state: u32, checkpoint: u64, redo: u64) -> Vec<u8> {
        let mut bytes = vec![0; 8192];
        bytes[8..12].copy_from_slice(&1300u32.to_ne_bytes());
        bytes[16..20].copy_from_slice(&state.to_ne_bytes());
        bytes[32..40].copy_from_slice(&checkpoint.to_ne_bytes());
        bytes[40..48].copy_from_slice(&redo.to_ne_bytes());
        bytes[48..52].copy_from_slice(&1u32.to_ne_bytes());
        bytes
    }

    #[test]
    fn segments_after_a_clean_end_are_not_needed() {
        let dir = tempfile::tempdir().unwrap();
        for sub in ["global", "pg_wal"] {
            std::fs::create_dir(dir.path().join(sub)).unwrap();
        }
        let segments =
            ["000000010000000000000002", "000000010000000000000003", "000000010000000000000004", "00000002.history"];
        for name in segments {
            File::create(dir.path().join("pg_wal").join(name)).unwrap().set_len(16 << 20).unwrap();
        }
        let needed = |state, checkpoint: u64, redo: u64| {
            std::fs::write(dir.path().join("global/pg_control"), control(state, checkpoint, redo)).unwrap();
            let logs = NeededLogs::of(dir.path(), Rights::OURS);
            segments.iter().filter(|name| logs.has(OsStr::new(name))).count()
        };
        assert_eq!(needed(1, 0x026E_7398, 0x026E_7398), 2, "the segment with the checkpoint, and the history");
        assert_eq!(needed(1, 0x02FF_FFF0, 0x02FF_FFF0), 3, "its record goes on in the next segment");
        assert_eq!(needed(6, 0x026E_7398, 0x026E_7398), 4, "it was in production: it did not end cleanly");
        assert_eq!(needed(1, 0x026E_7398, 0x0200_0028), 4, "no checkpoint of an end");
        std::fs::write(dir.path().join("global/pg_control"), b"short").unwrap();
        let all_are_needed =
            || segments.iter().all(|name| NeededLogs::of(dir.path(), Rights::OURS).has(OsStr::new(name)));
        assert!(all_are_needed());
        std::fs::remove_file(dir.path().join("global/pg_control")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(dir.path().join("global/pg_control")).status().unwrap();
        assert!(made.success() && all_are_needed(), "a pipe in its place is not waited for, while the server is down");
    }

    #[test]
    fn spare_files_of_a_redo_log_are_known_by_their_names() {
        let all = ["#ib_redo10_tmp", "#ib_redo6", "#ib_redo_tmp", "ib_logfile0", "sbtest1_tmp", "#ib_redo1x_tmp"];
        assert_eq!(all.map(is_spare), [true, false, false, false, false, false]);
    }
}
