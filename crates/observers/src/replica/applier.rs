//! What the threads that apply changes on a replica are doing, and what InnoDB asks of its disk.

use tenbin_driver::{Connection, Table};

/// Only these threads: a server may have thousands of others.
const LIST: &str = "SELECT command, state FROM information_schema.processlist WHERE user = 'system user'";
const STATUS: &str = "SHOW GLOBAL STATUS WHERE Variable_name IN \
                      ('Innodb_data_fsyncs', 'Innodb_data_reads', 'Innodb_data_writes', 'Innodb_log_writes', 'Threads_connected')";
/// States of threads that wait for something to apply, or for one another.
const IDLE: [&str; 3] = ["waiting for", "slave has read all relay log", "replica has read all relay log"];

/// Whether one of these threads is in a commit; `None` if none applies anything, or the account may not see them.
pub(super) async fn is_in_commit(c: &mut Connection) -> Option<bool> {
    in_commit(&c.table(LIST).await.ok()?)
}

/// Columns: command, state.
fn in_commit(list: &Table) -> Option<bool> {
    let text = |row: &Vec<Option<String>>, at: usize| row.get(at).cloned().flatten().unwrap_or_default().to_lowercase();
    let states = list.rows.iter().filter_map(|row| {
        let (command, state) = (text(row, 0), text(row, 1));
        let receives = command == "slave_io" || state.contains("master to send") || state.contains("source to send");
        (!receives && !state.is_empty()).then_some(state)
    });
    // `Waiting for prior transaction to commit` and its like wait for another of these threads, and not for the disk.
    let of_commit = |state: &String| state.contains("commit") && !state.contains("transaction to");
    let applying: Vec<String> =
        states.filter(|state| of_commit(state) || !IDLE.iter().any(|idle| state.starts_with(idle))).collect();
    (!applying.is_empty()).then(|| applying.iter().any(of_commit))
}

/// What a replica says of its work so far; `None` is what it does not count.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Status {
    /// Flushes of InnoDB to the disk.
    pub syncs: Option<f64>,
    /// Its reads from the disk.
    pub reads: Option<f64>,
    /// Its writes to the disk.
    pub writes: Option<f64>,
    /// Writes of its log.
    pub log_writes: Option<f64>,
    /// Open connections, with those of its observers.
    pub connections: Option<f64>,
}

/// The status of a replica.
pub(super) async fn status(c: &mut Connection) -> Status {
    c.table(STATUS).await.map_or_else(|_| Status::default(), |table| read(&table))
}

/// Columns: name, value.
fn read(table: &Table) -> Status {
    let of = |name: &str| {
        let row = table.rows.iter().find(|row| row.first().is_some_and(|n| n.as_deref() == Some(name)))?;
        row.get(1)?.as_deref()?.parse().ok()
    };
    Status {
        syncs: of("Innodb_data_fsyncs"),
        reads: of("Innodb_data_reads"),
        writes: of("Innodb_data_writes"),
        log_writes: of("Innodb_log_writes"),
        connections: of("Threads_connected"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_does_not_count_is_not_known() {
        let row = |name: &str, value: &str| [name, value].map(|text| Some(text.to_owned())).to_vec();
        let rows = vec![row("Innodb_data_writes", "17"), row("Threads_connected", "3"), row("Innodb_data_reads", "?")];
        let status = read(&Table { columns: Vec::new(), rows });
        assert_eq!(status, Status { writes: Some(17.0), connections: Some(3.0), ..Status::default() });
        assert_eq!(read(&Table { columns: Vec::new(), rows: Vec::new() }), Status::default());
    }

    #[test]
    fn only_threads_that_apply_something_are_looked_at() {
        let of = |threads: &[(&str, &str)]| {
            let row = |(command, state): &(&str, &str)| [command, state].map(|text| Some((*text).to_owned())).to_vec();
            in_commit(&Table { columns: Vec::new(), rows: threads.iter().map(row).collect() })
        };
        let receiver = ("Slave_IO", "Waiting for master to send event");
        assert_eq!(of(&[receiver, ("Slave_SQL", "Commit")]), Some(true));
        assert_eq!(of(&[receiver, ("Slave_SQL", "Update_rows_log_event::find_row(-1)")]), Some(false));
        let idle = "Slave has read all relay log; waiting for more updates";
        assert_eq!(of(&[receiver, ("Slave_SQL", idle)]), None);
        // MySQL 8.0 with four threads that apply.
        let receiver = ("Connect", "Waiting for source to send event");
        let (waits, next) =
            (("Connect", "Waiting for an event from Coordinator"), "Waiting for dependent transaction to commit");
        assert_eq!(of(&[receiver, waits, ("Query", next), ("Query", "waiting for handler commit")]), Some(true));
        assert_eq!(of(&[receiver, waits, ("Query", "Replica has read all relay log; waiting for more updates")]), None);
        assert_eq!(of(&[receiver, waits, ("Query", next)]), None, "for what others apply");
        assert_eq!(of(&[]), None, "no threads of the replication, or none that the account may see");
    }
}
