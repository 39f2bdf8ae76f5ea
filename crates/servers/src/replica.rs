//! A replica, and what it says of itself: whether its threads run, how far it is behind, and its position.

use tenbin_driver::{Class, Connection, Connector, Error, Table};

/// The statements that show it, newest names first (MySQL manual 15.7.7.35, MariaDB knowledge base "SHOW REPLICA
/// STATUS").
const STATEMENTS: [&str; 2] = ["SHOW REPLICA STATUS", "SHOW SLAVE STATUS"];
/// A privilege is missing for the statement.
pub const DENIED: u32 = 1227;

/// A replica of what is observed.
#[derive(Debug, Clone)]
pub struct ReplicaSubject {
    /// Its name in the plan.
    pub name: String,
    /// The connector to it.
    pub connector: Connector,
}

/// What a replica says of itself.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Account {
    /// Whether both of its threads run.
    pub runs: bool,
    /// Its last error, if it has stopped with one.
    pub error: String,
    /// `Seconds_Behind_Source`.
    pub seconds_behind: Option<f64>,
    /// The space of its relay logs, bytes.
    pub relay_log_bytes: Option<f64>,
}

/// Asks a replica; `None` if it says that it is not a replica.
pub async fn ask(c: &mut Connection) -> Result<Option<Account>, Error> {
    let mut refused = None;
    for sql in STATEMENTS {
        match c.table(sql).await {
            Ok(table) => return Ok(account(&table)),
            Err(e) if e.class() == Class::Lost || e.number() == Some(DENIED) => return Err(e),
            Err(e) => refused = Some(e),
        }
    }
    refused.map_or(Ok(None), Err)
}

/// The position up to which a server has everything: of a replica what it has applied, of a source what it has written.
pub async fn position(c: &mut Connection, of_source: bool) -> Result<String, Error> {
    let variable = match c.server_version().contains("MariaDB") {
        true if of_source => "gtid_binlog_pos",
        true => "gtid_slave_pos",
        false => "gtid_executed",
    };
    let table = c.table(&format!("SELECT @@global.{variable}")).await?;
    Ok(table.scalar().unwrap_or_default().to_owned())
}

/// The first source in the result; members of a group replicate by other means.
fn account(table: &Table) -> Option<Account> {
    let index = |names: [&str; 2]| table.columns.iter().position(|column| names.contains(&column.as_str()));
    let channel = index(["Channel_Name", "Connection_name"]);
    let text = |row: &Vec<Option<String>>, at: Option<usize>| {
        at.and_then(|at| row.get(at)).cloned().flatten().unwrap_or_default()
    };
    let row = table.rows.iter().find(|row| !text(row, channel).starts_with("group_replication"))?;
    let of = |names| text(row, index(names));
    let errors = [["Last_IO_Error", "Last_IO_Error"], ["Last_SQL_Error", "Last_SQL_Error"]].map(of);
    Some(Account {
        runs: of(["Replica_IO_Running", "Slave_IO_Running"]) == "Yes"
            && of(["Replica_SQL_Running", "Slave_SQL_Running"]) == "Yes",
        error: errors.into_iter().filter(|error| !error.is_empty()).collect::<Vec<_>>().join("; "),
        seconds_behind: of(["Seconds_Behind_Source", "Seconds_Behind_Master"]).parse().ok(),
        relay_log_bytes: of(["Relay_Log_Space", "Relay_Log_Space"]).parse().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_generations_of_names_are_read() {
        let table = |old: bool, io: &str, behind: &str| {
            let name = |name: &str| match old {
                true => name.replace("Replica", "Slave").replace("Source", "Master"),
                false => name.to_owned(),
            };
            let columns = ["Replica_IO_Running", "Replica_SQL_Running", "Last_IO_Error", "Last_SQL_Error"];
            let columns = columns.into_iter().chain(["Relay_Log_Space", "Seconds_Behind_Source", "Channel_Name"]);
            let error = if io == "Yes" { "" } else { "no route" };
            let row = [io, "Yes", error, "", "4096", behind, ""].map(|v| (v != "NULL").then(|| v.to_owned()));
            Table { columns: columns.map(name).collect(), rows: vec![row.to_vec()] }
        };
        let runs =
            Account { runs: true, seconds_behind: Some(3.0), relay_log_bytes: Some(4096.0), ..Account::default() };
        assert_eq!(account(&table(true, "Yes", "3")), Some(runs.clone()));
        assert_eq!(account(&table(false, "Yes", "3")), Some(runs.clone()));
        let broken = Account { runs: false, error: "no route".into(), seconds_behind: None, ..runs };
        for state in ["Connecting", "No"] {
            assert_eq!(account(&table(false, state, "NULL")), Some(broken.clone()));
        }
        assert_eq!(account(&Table { columns: Vec::new(), rows: Vec::new() }), None);
    }
}
