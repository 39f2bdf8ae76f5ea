//! What the threads that apply changes on a replica are doing, and how often its log is flushed.

use tenbin_driver::{Connection, Table};

/// Only these threads: a server may have thousands of others.
const LIST: &str = "SELECT command, state FROM information_schema.processlist WHERE user = 'system user'";
const SYNCS: &str = "SHOW GLOBAL STATUS LIKE 'Innodb_data_fsyncs'";
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

/// Flushes of InnoDB so far; `None` if the server does not count them.
pub(super) async fn log_syncs(c: &mut Connection) -> Option<f64> {
    c.table(SYNCS).await.ok()?.rows.first()?.get(1)?.as_deref()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

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
