//! What the threads that apply changes on a replica are doing, and how often its log is flushed.

use tenbin_driver::{Connection, Table};

const LIST: &str = "SHOW PROCESSLIST";
const SYNCS: &str = "SHOW GLOBAL STATUS LIKE 'Innodb_data_fsyncs'";
/// States of threads that wait for something to apply, or for one another.
const IDLE: [&str; 3] = ["waiting for", "slave has read all relay log", "replica has read all relay log"];

/// Whether one of these threads is in a commit; `None` if none applies anything, or the account may not see them.
pub(super) async fn is_in_commit(c: &mut Connection) -> Option<bool> {
    in_commit(&c.table(LIST).await.ok()?)
}

/// Columns: Id, User, Host, db, Command, Time, State, Info.
fn in_commit(list: &Table) -> Option<bool> {
    let text = |row: &Vec<Option<String>>, at: usize| row.get(at).cloned().flatten().unwrap_or_default().to_lowercase();
    let states = list.rows.iter().filter(|row| text(row, 1) == "system user").filter_map(|row| {
        let (command, state) = (text(row, 4), text(row, 6));
        let receives = command == "slave_io" || state.contains("master to send") || state.contains("source to send");
        (!receives && !state.is_empty()).then_some(state)
    });
    let of_commit = |state: &String| state.contains("commit") && !state.contains("prior transaction");
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
        let of = |threads: &[(&str, &str, &str)]| {
            let row = |(user, command, state): &(&str, &str, &str)| {
                ["1", user, "", "", command, "0", state, ""].map(|text| Some(text.to_owned())).to_vec()
            };
            in_commit(&Table { columns: Vec::new(), rows: threads.iter().map(row).collect() })
        };
        let receiver = ("system user", "Slave_IO", "Waiting for master to send event");
        assert_eq!(of(&[receiver, ("system user", "Slave_SQL", "Commit")]), Some(true));
        assert_eq!(of(&[receiver, ("system user", "Slave_SQL", "Update_rows_log_event::find_row(-1)")]), Some(false));
        let idle = "Slave has read all relay log; waiting for more updates";
        assert_eq!(of(&[receiver, ("system user", "Slave_SQL", idle)]), None);
        let waits = ("system user", "Query", "Waiting for an event from Coordinator");
        assert_eq!(of(&[waits, ("system user", "Query", "waiting for handler commit")]), Some(true));
        assert_eq!(of(&[("root", "Query", "Commit")]), None, "not a thread of the replication");
    }
}
