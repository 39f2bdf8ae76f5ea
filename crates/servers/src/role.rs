//! A server's role in replication: its sources, its replicas, its lag, and whether it is read-only.
//!
//! Read from `SHOW REPLICA STATUS` and `SHOW REPLICAS` of MySQL and MariaDB under their old names too (MySQL manual
//! 15.7.7, MariaDB knowledge base "SHOW ALL REPLICAS STATUS"), and from PostgreSQL's `pg_is_in_recovery`,
//! `pg_stat_wal_receiver` and `pg_stat_replication` (manual 28.2). The lag is that reported by the server itself.

use crate::server_query::{NoAnswer, PATIENCE, query_server};
use tenbin_driver::{Abandoned, Class, Connection, Connector, Error, Table};
use tenbin_model::dsn::Scheme;
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// A server's role in replication, as far as it is visible to our account.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Role {
    /// Its sources, each with the lag that the server reports.
    pub copies: Vec<Copied>,
    /// How many replicas are connected to it.
    pub replicas: u64,
    /// Settings that make it read-only: `read_only ON`.
    pub read_only: Vec<String>,
    /// Why it is unknown whether it is a replica, if this is not visible to our account.
    pub unseen: Option<String>,
}

/// One source of a replica.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copied {
    /// Its host and port; empty if the server does not report them.
    pub source: String,
    /// The lag in seconds; `None` if the server does not know it, for example if replication is stopped.
    pub behind_s: Option<u64>,
}

impl Role {
    /// Whether writes would only affect a replica, or would bypass `read_only`.
    pub fn not_to_be_written(&self) -> bool {
        !self.copies.is_empty() || !self.read_only.is_empty()
    }

    /// A description; `None` for a server without replication.
    pub fn words(&self) -> Option<Message> {
        let copies = self.copies.iter().map(|copied| {
            let source = if copied.source.is_empty() { msg!("a-source-not-named") } else { foreign(&copied.source) };
            match copied.behind_s {
                Some(seconds) => msg!("replica-of", source, seconds),
                None => msg!("replica-of-unknown", source),
            }
        });
        let sources = match self.replicas {
            0 => None,
            1 => Some(msg!("source-of-one")),
            n => Some(msg!("source-of", n)),
        };
        let all: Vec<Message> = copies.chain(sources).chain(self.read_only.iter().map(foreign)).collect();
        (!all.is_empty()).then(|| Message::joined(all, "; "))
    }
}

/// Queries a server on a separate connection. Blocks the calling thread.
pub fn role(connector: &Connector) -> Result<Role, Problem> {
    query_server(connector, async |c| of(connector.dsn().scheme, c).await)?.map_err(|why| match why {
        NoAnswer::Connecting(e) => e.problem(msg!("connecting-to", dsn = connector.dsn())),
        NoAnswer::Querying(e) => e.problem(msg!("asking-for-replication")),
        NoAnswer::Abandoned(Abandoned::Stopped) => Problem::new(msg!("stopped-asking-server")),
        NoAnswer::Abandoned(Abandoned::Slow) => {
            let what = msg!("role-took-too-long", dsn = connector.dsn(), seconds = PATIENCE.as_secs());
            Problem::new(what).hint(msg!("look-what-it-is-busy-with"))
        }
    })
}

/// What keeps the log of a PostgreSQL server, or what was read of it, for the time after now: its archive, and replication slots, whose reader may be away.
/// With former data it writes other records under the same positions. Blocks the calling thread.
pub fn readers_of_log(connector: &Connector) -> Result<Vec<String>, Problem> {
    match connector.dsn().scheme {
        Scheme::Postgres => {}
        Scheme::Mysql | Scheme::Sqlite | Scheme::Null | Scheme::Host => return Ok(Vec::new()),
    }
    let answer = query_server(connector, async |c| Ok(c.table(READERS_OF_LOG).await?.rows))?;
    let rows = answer.map_err(|why| {
        let doing = msg!("asking-for-replication");
        match why {
            NoAnswer::Connecting(e) | NoAnswer::Querying(e) => e.problem(doing),
            NoAnswer::Abandoned(_) => Error::new(Class::Lost, doing.clone()).problem(doing),
        }
    })?;
    Ok(rows.into_iter().flatten().flatten().collect())
}

const READERS_OF_LOG: &str = "SELECT 'archive_mode = ' || setting FROM pg_settings WHERE name = 'archive_mode' AND setting <> 'off' \
     UNION ALL SELECT 'replication slot ' || slot_name || ' (' || slot_type || ')' FROM pg_replication_slots WHERE NOT temporary";

/// The role of the server at the other end of this connection.
pub async fn of(scheme: Scheme, c: &mut Connection) -> Result<Role, Error> {
    match scheme {
        Scheme::Mysql => mysql(c).await,
        Scheme::Postgres => postgres(c).await,
        Scheme::Sqlite | Scheme::Null | Scheme::Host => Ok(Role::default()),
    }
}

/// A privilege is missing for the statement.
const DENIED: u32 = 1227;

async fn mysql(c: &mut Connection) -> Result<Role, Error> {
    const STATUS: [&str; 3] = ["SHOW ALL SLAVES STATUS", "SHOW REPLICA STATUS", "SHOW SLAVE STATUS"];
    const REPLICAS: [&str; 2] = ["SHOW REPLICAS", "SHOW SLAVE HOSTS"];
    if c.server_version().contains("null-server") {
        return Ok(Role::default());
    }
    let status = first(c, &STATUS).await?;
    let unseen = status.as_ref().err().map(Error::to_string);
    let copies = status.map(|table| copied(&table)).unwrap_or_default();
    let registered = first(c, &REPLICAS).await?.map_or(0, |table| table.rows.len());
    // A replica may not report its name, or our account may not see it; threads that send the binary log are visible
    // too.
    let sending = first(c, &["SHOW PROCESSLIST"]).await?.map_or(0, |table| {
        let at = place(&table, &["Command"]);
        let dumps = |row: &&Vec<Option<String>>| text(row, at).to_lowercase().starts_with("binlog dump");
        table.rows.iter().filter(dumps).count()
    });
    let mut read_only = Vec::new();
    for row in c.table("SHOW GLOBAL VARIABLES LIKE '%read_only'").await?.rows {
        if let [Some(name), Some(value)] = &row[..]
            && ["read_only", "super_read_only", "innodb_read_only"].contains(&name.as_str())
            && !["OFF", "0"].contains(&value.as_str())
        {
            read_only.push(format!("{name} {value}"));
        }
    }
    Ok(Role { copies, replicas: registered.max(sending) as u64, read_only, unseen })
}

/// The result of the first of these statements that the server supports; otherwise the reason why it supports none or
/// denies access.
async fn first(c: &mut Connection, statements: &[&str]) -> Result<Result<Table, Error>, Error> {
    let mut refused = None;
    for sql in statements {
        match c.table(sql).await {
            Ok(table) => return Ok(Ok(table)),
            Err(e) if e.class() == Class::Lost => return Err(e),
            // A denied privilege is more informative than an unknown spelling of the statement.
            Err(e) if e.number() == Some(DENIED) || refused.is_none() => refused = Some(e),
            Err(_) => {}
        }
    }
    Ok(Err(refused.unwrap_or_else(|| Error::new(Class::Sql, msg!("no-statement-was-given")))))
}

/// The sources in the result of `SHOW REPLICA STATUS`; members of a replication group are recognised by `read_only`
/// instead.
fn copied(table: &Table) -> Vec<Copied> {
    let host = place(table, &["Source_Host", "Master_Host"]);
    let port = place(table, &["Source_Port", "Master_Port"]);
    let behind = place(table, &["Seconds_Behind_Source", "Seconds_Behind_Master"]);
    let channel = place(table, &["Channel_Name", "Connection_name"]);
    let rows = table.rows.iter().filter(|row| !text(row, channel).starts_with("group_replication"));
    rows.map(|row| Copied {
        source: match (text(row, host), text(row, port)) {
            ("", _) => String::new(),
            (host, "" | "0") => host.to_owned(),
            (host, port) => format!("{host}:{port}"),
        },
        behind_s: text(row, behind).parse().ok(),
    })
    .collect()
}

fn place(table: &Table, names: &[&str]) -> Option<usize> {
    table.columns.iter().position(|column| names.iter().any(|name| name.eq_ignore_ascii_case(column)))
}

fn text(row: &[Option<String>], at: Option<usize>) -> &str {
    at.and_then(|at| row.get(at)).and_then(Option::as_deref).unwrap_or("")
}

async fn postgres(c: &mut Connection) -> Result<Role, Error> {
    const ASKED: &str = "SELECT pg_is_in_recovery()::int, current_setting('default_transaction_read_only'), \
         (SELECT count(*) FROM pg_stat_replication)";
    let rows = c.table(ASKED).await?.rows;
    let row = rows.first().map(Vec::as_slice).unwrap_or(&[]);
    let mut role = Role { replicas: text(row, Some(2)).parse().unwrap_or(0), ..Role::default() };
    if text(row, Some(0)) == "1" {
        // Host and port are visible with the required privileges only; without a receiver the log comes from an
        // archive.
        let from = "SELECT sender_host || ':' || sender_port FROM pg_stat_wal_receiver";
        let source = c.table(from).await.ok().and_then(|t| t.scalar().map(str::to_owned)).unwrap_or_default();
        let lag = "SELECT CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0 \
             ELSE extract(epoch FROM now() - pg_last_xact_replay_timestamp())::bigint END";
        let behind_s = c.table(lag).await.ok().and_then(|t| t.scalar().and_then(|s| s.parse().ok()));
        role.copies.push(Copied { source, behind_s });
    }
    if text(row, Some(1)) == "on" {
        role.read_only.push("default_transaction_read_only on".to_owned());
    }
    Ok(role)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(columns: &[&str], rows: &[&[&str]]) -> Table {
        Table {
            columns: columns.iter().map(|c| (*c).to_owned()).collect(),
            rows: rows
                .iter()
                .map(|row| row.iter().map(|v| (*v != "NULL").then(|| (*v).to_owned())).collect())
                .collect(),
        }
    }

    #[test]
    fn both_generations_of_names_are_read() {
        let old = answer(
            &["Connection_name", "Master_Host", "Master_Port", "Seconds_Behind_Master"],
            &[&["", "db1", "3306", "7"], &["east", "db2", "3307", "NULL"]],
        );
        let new = answer(
            &["Source_Host", "Source_Port", "Seconds_Behind_Source", "Channel_Name"],
            &[&["db1", "3306", "7", ""], &["<NULL>", "0", "0", "group_replication_applier"]],
        );
        let db1 = Copied { source: "db1:3306".into(), behind_s: Some(7) };
        let db2 = Copied { source: "db2:3307".into(), behind_s: None };
        assert_eq!(copied(&old), [db1.clone(), db2]);
        assert_eq!(copied(&new), [db1]);
        assert_eq!(copied(&answer(&[], &[])), []);
    }

    #[test]
    fn a_role_in_words() {
        let role = Role {
            copies: vec![
                Copied { source: "db1:3306".into(), behind_s: Some(0) },
                Copied { source: String::new(), behind_s: None },
            ],
            replicas: 2,
            read_only: vec!["read_only ON".into()],
            unseen: None,
        };
        let words = role.words().unwrap_or_default();
        assert_eq!(
            words.split("; ").collect::<Vec<_>>(),
            [
                "replica of db1:3306, 0 s behind by its own account",
                "replica of a source that it does not name, how far behind is not known (replication may be stopped)",
                "source of 2 replicas",
                "read_only ON",
            ]
        );
        assert!(role.not_to_be_written());
        let source = Role { replicas: 1, ..Role::default() };
        assert_eq!((source.words().as_deref(), source.not_to_be_written()), (Some("source of 1 replica"), false));
        assert_eq!(Role::default().words(), None);
    }
}
