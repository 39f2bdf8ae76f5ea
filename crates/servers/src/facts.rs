//! Facts about a server and its variables: names and values, for the record and for comparing two servers. Those about
//! machines are in [`crate::machine`].

use crate::server_query::{NoAnswer, PATIENCE, query_server};
use crate::{proc, route};
use std::collections::BTreeMap;
use std::time::Duration;
use tenbin_driver::{Abandoned, Connection, Connector, Error, event_loop};
use tenbin_model::dsn::Scheme;
use tenbin_model::names::path;
use tenbin_model::names::server_facts;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::secret;
use tenbin_words::text::{into_visible, short, visible};

/// Names to values.
pub type Facts = BTreeMap<String, String>;

/// Facts about a server: version, and every variable as `variable.name`, except those that may hold a secret.
pub fn server(connector: &Connector) -> Result<Facts, Problem> {
    query_server(connector, async |c| read(connector, c).await)?.map_err(|why| match why {
        NoAnswer::Connecting(e) => e.problem(msg!("connecting-to", dsn = connector.dsn())),
        NoAnswer::Querying(e) => e.problem(msg!("reading-server-variables")),
        NoAnswer::Abandoned(Abandoned::Stopped) => Problem::new(msg!("stopped-reading-variables")),
        NoAnswer::Abandoned(Abandoned::Slow) => {
            let what = msg!("variables-took-too-long", dsn = connector.dsn(), patience = PATIENCE.as_secs());
            Problem::new(what).hint(msg!("look-what-it-is-busy-with"))
        }
    })
}

/// Checks that it is possible to log in to the server, if there is one.
pub fn reachable(connector: &Connector) -> Result<(), Problem> {
    if connector.patience().is_none() {
        return Ok(());
    }
    let runtime = event_loop()?;
    runtime.block_on(async {
        let entering = async {
            let connection = connector.connect_ready().await;
            let connection = connection.map_err(|e| e.problem(msg!("connecting-to", dsn = connector.dsn())))?;
            connection.leave().await;
            Ok(())
        };
        tokio::select! {
            outcome = entering => outcome,
            () = connector.abandoned(Duration::ZERO) => Err(Problem::new(msg!("stopped-connecting-to", dsn = connector.dsn()))),
        }
    })
}

async fn read(connector: &Connector, c: &mut Connection) -> Result<Facts, Error> {
    let mut facts = Facts::from([("address".to_owned(), connector.dsn().to_string())]);
    facts.insert("version".into(), called(connector, c).await);
    if connector.dsn().scheme.kind().is_server {
        // With tls=preferred only the connection itself knows.
        facts.insert("encryption".into(), c.encrypted().unwrap_or("none").to_owned());
    }
    match connector.dsn().scheme {
        scheme @ (Scheme::Mysql | Scheme::Postgres) => {
            let rows = match scheme.kind().has_mysql_status {
                true => c.table("SHOW GLOBAL VARIABLES").await.map(|table| table.rows),
                // Our own sessions have some of their own; a limit for statements may end the question on others.
                false => match of_sessions(connector).await {
                    Ok(rows) => Ok(rows),
                    Err(_) => c.table(ALL_OF_POSTGRES).await.map(|table| table.rows),
                },
            };
            for row in rows? {
                let mut fields = row.into_iter().flatten();
                if let (Some(name), Some(value)) = (fields.next(), fields.next())
                    && !secret::is_held(&name, &value)
                {
                    // The values of server variables are shown on the page and in the terminal.
                    facts.insert(format!("variable.{}", visible(&name)), into_visible(value));
                }
            }
        }
        Scheme::Sqlite => {
            for name in
                ["journal_mode", "synchronous", "page_size", "cache_size", "mmap_size", "locking_mode", "auto_vacuum"]
            {
                let value = c.table(&format!("PRAGMA {name}")).await?;
                facts.insert(format!("variable.{name}"), value.scalar().unwrap_or("").to_owned());
            }
        }
        Scheme::Null => {}
        Scheme::Host => facts.extend(storage(&connector.dsn().database)),
    }
    facts.extend(beyond_variables(connector.dsn().scheme, c).await);
    let interface = route::host(connector.dsn()).and_then(|to| route::interface(to).ok());
    facts.extend(interface.map(|interface| (path::INTERFACE.to_owned(), interface.name)));
    Ok(facts)
}

const ALL_OF_POSTGRES: &str = "SHOW ALL";

/// The settings that sessions have by the server and the account.
async fn of_sessions(connector: &Connector) -> Result<Vec<Vec<Option<String>>>, Error> {
    let mut c = connector.connect_for_settings().await?;
    let table = c.table(ALL_OF_POSTGRES).await?;
    c.leave().await;
    Ok(table.rows)
}

/// What determines the durability of commits besides variables, as far as the server reports it.
pub(crate) async fn beyond_variables(scheme: Scheme, c: &mut Connection) -> Facts {
    let mut facts = Facts::new();
    if !scheme.kind().is_server || c.server_version().contains("null-server") {
        return facts;
    }
    if let Ok(version) = c.table("SELECT version()").await {
        facts.extend(version.scalar().map(|text| (server_facts::VERSION.to_owned(), text.to_owned())));
    }
    if scheme.kind().has_mysql_status
        && let Ok(status) = c.table("SHOW GLOBAL STATUS LIKE 'Innodb_%'").await
    {
        let value = |name: &str| {
            let of = |row: &&Vec<Option<String>>| row.first().is_some_and(|n| n.as_deref() == Some(name));
            status.rows.iter().find(of).and_then(|row| row.get(1).cloned().flatten())
        };
        // Without InnoDB there is no InnoDB status.
        facts.insert(server_facts::PAGE_SIZE.to_owned(), value("Innodb_page_size").unwrap_or_default());
        facts.extend(value("Innodb_redo_log_enabled").map(|v| (server_facts::REDO_LOG.to_owned(), v)));
    }
    facts
}

/// The storage of a directory: mount point, device, options.
fn storage(dir: &str) -> Facts {
    let mut facts = Facts::new();
    let dir = if dir.is_empty() { "." } else { dir };
    let Ok(directory) = std::fs::canonicalize(dir) else { return facts };
    let mounts = proc::read("/proc/self/mounts");
    // Later mounts hide earlier ones.
    let of_place = |line: &&str| line.split(' ').nth(1).is_some_and(|at| directory.starts_with(at));
    let longest = mounts.lines().filter(of_place).max_by_key(|l| l.split(' ').nth(1).map_or(0, str::len));
    if let Some([device, at, kind, options]) =
        longest.map(|l| l.split(' ').collect::<Vec<_>>()).as_deref().and_then(<[_]>::first_chunk)
    {
        for (name, value) in [
            ("directory", directory.to_string_lossy().as_ref()),
            ("storage.device", device),
            ("storage.mounted_at", at),
            ("storage.file_system", kind),
            ("storage.options", options),
        ] {
            facts.insert(name.to_owned(), value.to_owned());
        }
    }
    facts
}

/// The version of a server from its own functions, because a greeting may come from a proxy or be adapted for old
/// clients.
pub(crate) async fn called(connector: &Connector, c: &mut Connection) -> String {
    let greeting = c.server_version().to_owned();
    // The null server answers every query with the same row.
    if !connector.dsn().scheme.kind().has_mysql_status || greeting.contains("null-server") {
        return greeting;
    }
    let Ok(answer) = c.table("SELECT VERSION(), @@version_comment").await else { return greeting };
    let mut values = answer.rows.into_iter().next().unwrap_or_default().into_iter().flatten();
    let version = values.next().filter(|v| !v.is_empty()).unwrap_or(greeting);
    match values.next().filter(|comment| !comment.is_empty()) {
        Some(comment) => short(&format!("{version} ({comment})"), 200),
        None => short(&version, 200),
    }
}
