//! The row of the mark that says which run is using the tables. Used by the claims of a run.

use crate::tables::admin::with_connection;
use crate::tables::mark::{create, drop_when_empty, if_there};
use tenbin_driver::{Connection, Connector, Error};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// The name of the row that identifies the run that is using the tables.
const RUN: &str = "run";

/// Stores in the mark which run is using the tables, and the connection that holds the lock; `make`: creates the mark
/// if it does not exist. Blocks the calling thread.
pub fn announce(
    connector: &Connector,
    schema: Option<&str>,
    connection: &str,
    who: &str,
    make: bool,
) -> Result<(), Problem> {
    let who: String = who.chars().filter(|c| c.is_ascii() && !"'\\".contains(*c)).take(1000).collect();
    in_schema(connector, schema, msg!("saying-which-run"), async |c| {
        if make {
            create(c).await?;
        }
        let tool = env!("CARGO_PKG_VERSION");
        // The connection's number is stored in the column for the number of rows.
        let row = format!("'{RUN}', '{RUN}', {connection}, 0, 'tenbin {tool}', CURRENT_TIMESTAMP, '{who}'");
        let columns = "name, dataset, size_rows, complete, made_by, created, options";
        let mut sql = format!("INSERT INTO tenbin_mark ({columns}) VALUES ({row})");
        match c {
            // One statement, because each is a commit. A table may have the name.
            Connection::Mysql(_) => {
                let own = |column: &str, value: &str| format!("{column}=IF(dataset='{RUN}', {value}, {column})");
                let (number, who) = (own("size_rows", connection), own("options", &format!("'{who}'")));
                sql += &format!(" ON DUPLICATE KEY UPDATE {number}, {who}");
            }
            _ => {
                let delete = format!("DELETE FROM tenbin_mark WHERE name='{RUN}' AND dataset='{RUN}'");
                if_there(c.query(&delete).await)?;
            }
        }
        if_there(c.query(&sql).await).map(|_| ())
    })
}

/// The identity stored by the holder of this connection.
pub fn announced(connector: &Connector, schema: Option<&str>, connection: &str) -> Option<String> {
    connection.parse::<u64>().ok()?;
    let sql =
        format!("SELECT options FROM tenbin_mark WHERE name='{RUN}' AND dataset='{RUN}' AND size_rows={connection}");
    let doing = msg!("asking-which-run");
    in_schema(connector, schema, doing, async |c| Ok(c.table(&sql).await?.scalar().map(str::to_owned))).ok()?
}

/// Removes the stored identity, and the mark if it has no other rows.
pub fn withdraw(connector: &Connector, schema: Option<&str>) -> Result<(), Problem> {
    in_schema(connector, schema, msg!("taking-back-run"), async |c| {
        let delete = format!("DELETE FROM tenbin_mark WHERE name='{RUN}' AND dataset='{RUN}'");
        if if_there(c.query(&delete).await)?.is_some_and(|reply| reply.affected > 0) {
            drop_when_empty(c).await?;
        }
        Ok(())
    })
}

fn in_schema<T>(
    connector: &Connector,
    schema: Option<&str>,
    doing: Message,
    work: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>,
) -> Result<T, Problem> {
    let own = schema.map(|name| connector.at_database(name)).transpose()?;
    with_connection(own.as_ref().unwrap_or(connector), doing, async |c| work(c).await.map(Ok))
}
