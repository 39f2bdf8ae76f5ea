//! Lets a server write what it has changed in memory, and reads how much is left.
//!
//! An idle MariaDB writes no changed pages below `innodb_max_dirty_pages_pct_lwm`, which is 0 (off) by default; its checkpoint
//! age then stays what it is. On a private server the variable is set for the wait. On another one only the tables that Tenbin
//! made are written, by `FLUSH TABLES … FOR EXPORT`, and the rest is waited for.

use std::collections::BTreeMap;
use std::time::Duration;
use tenbin_driver::{Connection, Connector, Error, Quoting, Table, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_model::names::debts;
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long a server may take to write all of its tables, or for a checkpoint.
const WRITING: Duration = Duration::from_secs(1800);
/// How long it may take to say how much is left.
const ANSWER: Duration = Duration::from_secs(10);
/// Written continuously, down to the last page.
const LOWEST: &str = "0.001";

/// A server that settles. Dropping it puts the variable back that was set for it.
#[derive(Debug)]
pub struct SettlingServer {
    connector: Connector,
    /// The former value of `innodb_max_dirty_pages_pct_lwm`.
    former: Option<String>,
    refused: Option<Problem>,
}

impl SettlingServer {
    /// Starts the writing; `private`: Tenbin has started the server. `None` if this kind of database does nothing in the
    /// background.
    pub fn begin(connector: &Connector, private: bool) -> Result<Option<SettlingServer>, Problem> {
        let mut server = SettlingServer { connector: connector.clone(), former: None, refused: None };
        let refused = match connector.dsn().scheme {
            Scheme::Mysql if private => {
                let former = ask(connector, ANSWER, lower)?;
                server.former = Some(former);
                None
            }
            Scheme::Mysql => ask(connector, WRITING, flush)?.map(|e| (e, msg!("grant-for-flush"))),
            Scheme::Postgres => ask(connector, WRITING, checkpoint)?.map(|e| (e, msg!("grant-for-checkpoint"))),
            Scheme::Sqlite | Scheme::Null | Scheme::Host => return Ok(None),
        };
        server.refused = refused.map(|(why, hint)| {
            Problem::new(msg!("writing-refused", dsn = connector.dsn())).evidence(foreign(why)).hint(hint)
        });
        Ok(Some(server))
    }

    /// What the server refused to write.
    pub fn refused(&self) -> Option<Problem> {
        self.refused.clone()
    }

    /// How much is left, by the names of [`tenbin_model::names::debts`], as far as the account may see it.
    pub fn debts(&self) -> Result<BTreeMap<String, f64>, Problem> {
        match self.connector.dsn().scheme {
            Scheme::Postgres => ask(&self.connector, ANSWER, vacuum),
            _ => ask(&self.connector, ANSWER, innodb),
        }
    }
}

impl Drop for SettlingServer {
    fn drop(&mut self) {
        if let Some(former) = self.former.take() {
            let sql = format!("SET GLOBAL innodb_max_dirty_pages_pct_lwm = {former}");
            // The server is a private one; if it is gone, so is the variable.
            let _ = ask(&self.connector.despite_stop(), ANSWER, async |c| c.query(&sql).await.map(|_| ()));
        }
    }
}

fn ask<T>(
    connector: &Connector,
    patience: Duration,
    what: impl AsyncFnOnce(&mut Connection) -> Result<T, Error>,
) -> Result<T, Problem> {
    let doing = || msg!("letting-settle", dsn = connector.dsn());
    event_loop()?.block_on(async {
        let answer = connector.within(patience, async {
            let mut c = connector.connect_ready().await.map_err(|e| e.problem(doing()))?;
            let answer = what(&mut c).await.map_err(|e| e.problem(doing()))?;
            c.leave().await;
            Ok(answer)
        });
        let slow =
            || Problem::new(msg!("server-settles-in-silence", dsn = connector.dsn(), seconds = patience.as_secs()));
        answer.await.unwrap_or_else(|_| Err(slow()))
    })
}

/// Sets the variable, and returns its former value.
async fn lower(c: &mut Connection) -> Result<String, Error> {
    let former = c.table("SELECT @@GLOBAL.innodb_max_dirty_pages_pct_lwm").await?;
    c.query(&format!("SET GLOBAL innodb_max_dirty_pages_pct_lwm = {LOWEST}")).await?;
    Ok(former.scalar().unwrap_or("0").to_owned())
}

/// Writes the changed pages of the tables with our mark; returns why that was refused.
async fn flush(c: &mut Connection) -> Result<Option<Error>, Error> {
    let Ok(marked) = c.table("SELECT name FROM tenbin_mark").await else { return Ok(None) };
    let there =
        "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND engine = 'InnoDB'";
    let there = c.table(there).await?;
    let names = |table: &Table| table.rows.iter().filter_map(|row| row.first()?.clone()).collect::<Vec<String>>();
    let marked = names(&marked);
    let tables = names(&there).into_iter().filter(|name| marked.contains(name));
    let quoted: Vec<String> = tables.map(|name| Quoting::MYSQL.name(&name)).collect();
    if quoted.is_empty() {
        return Ok(None);
    }
    // Transactions of others may hold the tables.
    c.query("SET SESSION lock_wait_timeout = 10").await?;
    if let Err(refused) = c.query(&format!("FLUSH TABLES {} FOR EXPORT", quoted.join(", "))).await {
        return Ok(Some(refused));
    }
    c.query("UNLOCK TABLES").await.map(|_| None)
}

/// Returns why a checkpoint was refused.
async fn checkpoint(c: &mut Connection) -> Result<Option<Error>, Error> {
    Ok(c.query("CHECKPOINT").await.err())
}

async fn innodb(c: &mut Connection) -> Result<BTreeMap<String, f64>, Error> {
    let mut values = numbers(&c.table("SHOW GLOBAL STATUS LIKE 'Innodb%'").await?);
    // MySQL has it only here, for accounts with the privilege PROCESS.
    let metric = "SELECT name, count FROM information_schema.innodb_metrics WHERE name = 'trx_rseg_history_len'";
    if !values.contains_key("innodb_history_list_length")
        && let Ok(metrics) = c.table(metric).await
    {
        values.extend(numbers(&metrics));
    }
    Ok(of_innodb(&values))
}

/// The debts, from status variables and metrics of either server.
fn of_innodb(values: &BTreeMap<String, f64>) -> BTreeMap<String, f64> {
    let value = |name: &str| values.get(name).copied();
    let percent = |dirty: f64, total: f64| 100.0 * dirty / total.max(1.0);
    let dirty = value("innodb_buffer_pool_pages_dirty").zip(value("innodb_buffer_pool_pages_total"));
    let positions = value("innodb_redo_log_current_lsn").zip(value("innodb_redo_log_checkpoint_lsn"));
    let all = [
        (debts::DIRTY_PAGES, dirty.map(|(dirty, total)| percent(dirty, total))),
        (debts::PURGE, value("innodb_history_list_length").or(value("trx_rseg_history_len"))),
        (
            debts::CHECKPOINT_AGE,
            value("innodb_checkpoint_age").or(positions.map(|(now, checkpoint)| (now - checkpoint).max(0.0))),
        ),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fn numbers(table: &Table) -> BTreeMap<String, f64> {
    let number = |row: &Vec<Option<String>>| {
        Some((row.first()?.as_deref()?.to_lowercase(), row.get(1)?.as_deref()?.parse().ok()?))
    };
    table.rows.iter().filter_map(number).collect()
}

async fn vacuum(c: &mut Connection) -> Result<BTreeMap<String, f64>, Error> {
    let workers = "SELECT count(*) FROM pg_stat_activity \
                   WHERE backend_type = 'autovacuum worker' AND datname = current_database()";
    let table = c.table(workers).await?;
    let count = table.scalar().and_then(|text| text.parse().ok());
    Ok(count.map(|count: f64| (debts::VACUUM.to_owned(), count)).into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_servers_have_the_same_debts() {
        let of = |all: &[(&str, f64)]| of_innodb(&all.iter().map(|(name, v)| ((*name).to_owned(), *v)).collect());
        let pages = [("innodb_buffer_pool_pages_dirty", 134.0), ("innodb_buffer_pool_pages_total", 13400.0)];
        let mariadb = [("innodb_history_list_length", 7.0), ("innodb_checkpoint_age", 9.0)];
        let mysql = [
            ("trx_rseg_history_len", 7.0),
            ("innodb_redo_log_current_lsn", 30.0),
            ("innodb_redo_log_checkpoint_lsn", 21.0),
        ];
        let wanted = BTreeMap::from(
            [("dirty_pages", 1.0), ("purge", 7.0), ("checkpoint_age", 9.0)].map(|(n, v)| (n.to_owned(), v)),
        );
        assert_eq!(of(&[&pages[..], &mariadb].concat()), wanted);
        assert_eq!(of(&[&pages[..], &mysql].concat()), wanted);
        assert_eq!(of(&pages).len(), 1, "an older MySQL, and an account without PROCESS");
    }
}
