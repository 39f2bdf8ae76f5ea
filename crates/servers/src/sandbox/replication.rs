//! Replication between private servers: the variables of a source and of its replicas, and the statements that let a
//! replica follow its source by GTID (MySQL manual 15.4.2.2, MariaDB knowledge base "CHANGE MASTER TO").

use crate::replica::{self, ReplicaSubject};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Connector, Error, event_loop};
use tenbin_words::message::foreign;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// How long a replica may take until it follows its source.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often it is asked.
const LOOK: Duration = Duration::from_millis(50);

/// The variables of a private server that takes part in replication, unless the plan sets them: the number of the
/// source is 1, replicas have the following ones. Variables that only MySQL has are `loose`.
pub fn variables(number: u32) -> BTreeMap<String, String> {
    let mut all = BTreeMap::from(
        [
            ("log_bin", "bin"),
            ("loose_binlog_format", "ROW"),
            ("loose_gtid_mode", "ON"),
            ("loose_enforce_gtid_consistency", "ON"),
            ("loose_log_slave_updates", "ON"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned())),
    );
    all.insert("server_id".to_owned(), number.to_string());
    if number > 1 {
        all.insert("read_only".to_owned(), "ON".to_owned());
    }
    all
}

/// Lets a private server replicate from another one, and waits until it does. Both are new and have the same data.
pub fn follow(source: &Connector, replica: &ReplicaSubject, delay_s: u64) -> Result<(), Problem> {
    let runtime = event_loop()?;
    let following = async {
        account(source).await?;
        let connecting = replica.connector.connect_ready().await;
        let mut c = connecting.map_err(|e| e.problem(msg!("connecting-to", dsn = replica.connector.dsn())))?;
        start(source, &mut c, delay_s).await.map_err(|e| e.problem(msg!("starting-replication")))?;
        let started = Instant::now();
        loop {
            let account = replica::ask(&mut c).await.map_err(|e| e.problem(msg!("asking-for-replication")))?;
            let account = account.unwrap_or_default();
            match (account.runs, account.error) {
                (true, _) => break,
                (false, error) if !error.is_empty() || started.elapsed() > PATIENCE => {
                    return Err(Problem::new(msg!("replica-does-not-start")).evidence(foreign(error)));
                }
                _ => tokio::time::sleep(LOOK).await,
            }
        }
        c.leave().await;
        Ok(())
    };
    runtime.block_on(async {
        let limited = replica.connector.within(2 * PATIENCE, following).await;
        limited.unwrap_or_else(|_| Err(Problem::new(msg!("replica-does-not-start"))))
    })
}

/// The account as which replicas log in to their source, and the most letters of a password that MySQL takes for it.
const ACCOUNT: &str = "tenbin_replica";
const LONGEST_PASSWORD: usize = 32;
/// `CREATE USER` failed: the account is there.
const IS_THERE: u32 = 1396;

/// The password of that account: of the letters of the private server's own.
fn password(source: &Connector) -> &str {
    let whole = source.dsn().password.as_deref().unwrap_or_default();
    whole.char_indices().nth(LONGEST_PASSWORD).map_or(whole, |(end, _)| &whole[..end])
}

/// Creates the account on the source. It is not written to the binary log.
async fn account(source: &Connector) -> Result<(), Problem> {
    let connecting = source.connect_ready().await;
    let mut c = connecting.map_err(|e| e.problem(msg!("connecting-to", dsn = source.dsn())))?;
    let statements = [
        "SET SESSION sql_log_bin = 0".to_owned(),
        format!("CREATE USER {ACCOUNT}@'127.0.0.1' IDENTIFIED BY {}", c.quoting().text(password(source))),
        format!("GRANT REPLICATION SLAVE ON *.* TO {ACCOUNT}@'127.0.0.1'"),
    ];
    for sql in statements {
        match c.query(&sql).await {
            Err(e) if e.number() != Some(IS_THERE) => return Err(e.problem(msg!("starting-replication"))),
            _ => {}
        }
    }
    c.leave().await;
    Ok(())
}

/// The generations of statements for the same thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Generation {
    MariaDb,
    /// From 8.0.23.
    Mysql,
    OldMysql,
}

impl Generation {
    fn of(version: &str) -> Generation {
        if version.contains("MariaDB") {
            return Generation::MariaDb;
        }
        let number = version.split(|c: char| !c.is_ascii_digit()).map_while(|part| part.parse::<u32>().ok());
        let number: Vec<u32> = number.take(3).collect();
        if number >= vec![8, 0, 23] { Generation::Mysql } else { Generation::OldMysql }
    }
}

async fn start(source: &Connector, c: &mut Connection, delay_s: u64) -> Result<(), Error> {
    let dsn = source.dsn();
    let quoting = c.quoting();
    let (host, port) = (quoting.text(&dsn.host), dsn.port.unwrap_or(3306));
    let (user, password) = (quoting.text(ACCOUNT), quoting.text(password(source)));
    let (change, start) = match Generation::of(c.server_version()) {
        Generation::Mysql => (
            format!(
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST={host}, SOURCE_PORT={port}, SOURCE_USER={user}, \
                 SOURCE_PASSWORD={password}, SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1, \
                 SOURCE_CONNECT_RETRY=1, SOURCE_DELAY={delay_s}"
            ),
            "START REPLICA",
        ),
        generation => {
            let gtid = if generation == Generation::MariaDb { "USE_GTID=slave_pos" } else { "AUTO_POSITION=1" };
            (
                format!(
                    "CHANGE MASTER TO MASTER_HOST={host}, MASTER_PORT={port}, MASTER_USER={user}, \
                     MASTER_PASSWORD={password}, MASTER_{gtid}, MASTER_CONNECT_RETRY=1, MASTER_DELAY={delay_s}"
                ),
                "START SLAVE",
            )
        }
    };
    c.query(&change).await?;
    c.query(start).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_have_their_statements() {
        for (version, generation) in [
            ("10.11.19-MariaDB-0+deb12u1-log", Generation::MariaDb),
            ("8.0.31", Generation::Mysql),
            ("8.4.3-log", Generation::Mysql),
            ("8.0.15", Generation::OldMysql),
            ("5.7.22-log", Generation::OldMysql),
            ("?", Generation::OldMysql),
        ] {
            assert_eq!(Generation::of(version), generation, "{version}");
        }
    }
}
