//! The time that MySQL and MariaDB spent reading data files and flushing their logs, by `performance_schema`, if it counts
//! and times them: MySQL does by default, MariaDB with `performance_schema = ON`. Instruments that are not timed would
//! give times of 0, so they are left out.

use super::session::ObserverSession;
use super::{Observer, ObserverEntry, Sample, Subject};
use std::collections::BTreeMap;
use tenbin_driver::{Connection, Error};
use tenbin_model::names::observer;
use tenbin_model::reading::{ReadingSpec, Whose};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

pub(super) const ENTRY: ObserverEntry = ObserverEntry {
    name: observer::SERVER_FILES,
    readings,
    connects: true,
    make: |subject| {
        let mysql = subject.connector.dsn().scheme.kind().has_mysql_status;
        mysql.then(|| Box::new(Files { session: ObserverSession::new(subject) }) as Box<dyn Observer>)
    },
    ..ObserverEntry::REGULAR
};

/// An instrument, the column of its time and of its count, and the names of the readings.
struct FileWaits {
    instrument: &'static str,
    column: &'static str,
    time: &'static str,
    count: &'static str,
    en: &'static str,
    ja: &'static str,
}

const WAITS: &[FileWaits] = &[
    FileWaits {
        instrument: "wait/io/file/innodb/innodb_data_file",
        column: "read",
        time: "data_read_s",
        count: "data_reads",
        en: "reads of data files",
        ja: "データファイルの読み取り",
    },
    // Other operations than reading and writing: flushes.
    FileWaits {
        instrument: "wait/io/file/innodb/innodb_log_file",
        column: "misc",
        time: "log_sync_s",
        count: "log_syncs",
        en: "flushes of the redo log",
        ja: "redo ログのフラッシュ",
    },
    FileWaits {
        instrument: "wait/io/file/sql/binlog",
        column: "misc",
        time: "binlog_sync_s",
        count: "binlog_syncs",
        en: "flushes of the binary log",
        ja: "バイナリーログのフラッシュ",
    },
];

fn readings(_: &Subject) -> Vec<ReadingSpec> {
    let of = |wait: &FileWaits| {
        let time = ReadingSpec::counter(wait.time, "s", Whose::Server);
        let count = ReadingSpec::counter(wait.count, "", Whose::Server);
        [time.label(format!("{}, time", wait.en), format!("{}(時間)", wait.ja)), count.label(wait.en, wait.ja)]
    };
    WAITS.iter().flat_map(of).collect()
}

/// Errors of a server without `performance_schema` or without one of its tables or variables (1049, 1109, 1146, 1193), and
/// of an account without access to it (1044, 1142, 1143, 1227): nothing is timed for it.
const NOTHING: [&str; 8] = ["1044", "1049", "1109", "1142", "1143", "1146", "1193", "1227"];

fn is_without(error: &Error) -> bool {
    NOTHING.iter().any(|code| error.is(code))
}

struct Files {
    /// With the query; empty if nothing is timed.
    session: ObserverSession<String>,
}

/// The query for the instruments that are counted and timed.
async fn question(connection: &mut Connection) -> Result<String, Problem> {
    let names: Vec<String> = WAITS.iter().map(|wait| format!("'{}'", wait.instrument)).collect();
    let timed = format!(
        "SELECT name FROM performance_schema.setup_instruments WHERE enabled = 'YES' AND timed = 'YES' \
         AND @@performance_schema = 1 AND name IN ({}) AND EXISTS (SELECT 1 FROM performance_schema.setup_consumers \
         WHERE name = 'global_instrumentation' AND enabled = 'YES')",
        names.join(", ")
    );
    let table = match connection.table(&timed).await {
        Ok(table) => table,
        Err(e) if is_without(&e) => return Ok(String::new()),
        Err(e) => return Err(e.problem(msg!("reading-file-times"))),
    };
    let timed: Vec<&str> = table.rows.iter().filter_map(|row| row.first()?.as_deref()).collect();
    let parts = WAITS.iter().filter(|wait| timed.contains(&wait.instrument)).map(|wait| {
        let FileWaits { instrument, column, time, count, .. } = wait;
        format!(
            "SELECT '{time}', '{count}', sum_timer_{column}, count_{column} \
             FROM performance_schema.file_summary_by_event_name WHERE event_name = '{instrument}'"
        )
    });
    Ok(parts.collect::<Vec<_>>().join(" UNION ALL "))
}

impl Observer for Files {
    fn read(&mut self) -> Result<Sample, Problem> {
        let table = self.session.ask(question, async |connection, question: &String| match question.as_str() {
            "" => Ok(None),
            question => {
                let failed = |e: Error| e.problem(msg!("reading-file-times"));
                connection.table(question).await.map(Some).map_err(failed)
            }
        })?;
        let mut values = BTreeMap::new();
        for row in table.iter().flat_map(|table| &table.rows) {
            let [Some(time), Some(count), Some(picoseconds), Some(n)] = row.as_slice() else { continue };
            let (Ok(picoseconds), Ok(n)) = (picoseconds.parse::<f64>(), n.parse::<f64>()) else { continue };
            values.extend([(time.clone(), picoseconds / 1e12), (count.clone(), n)]);
        }
        Ok(values.into())
    }

    fn disconnect(&mut self) {
        self.session.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_driver::Class;
    use tenbin_words::message::foreign;

    #[test]
    fn only_a_server_that_has_no_times_is_taken_for_one() {
        let of = |class, code| is_without(&Error::new(class, foreign("")).code(code));
        assert!(of(Class::Sql, 1142) && of(Class::Sql, 1146));
        assert!(!of(Class::Lost, 2013) && !of(Class::Sql, 1064) && !of(Class::Conflict, 1205));
        assert!(!is_without(&Error::new(Class::Lost, foreign(""))));
    }
}
