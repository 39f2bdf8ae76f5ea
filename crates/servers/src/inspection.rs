//! What a server says of itself right before and right after the load of a trial: all variables, its age, its identity, its
//! version and its role, in one statement on a connection of its own that is closed again.
//!
//! MySQL has them as tables in `performance_schema` from 5.7 on, before that and in MariaDB in `information_schema`;
//! PostgreSQL in `pg_settings`. A server with the protocol of MySQL that has neither is asked with `SHOW`.

use crate::list_setting;
use crate::settings::{Present, is_value};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;
use tenbin_driver::{Abandoned, Class, Connection, Connector, Error, event_loop};
use tenbin_model::dsn::{Dsn, Scheme};
use tenbin_model::inspection::{CONFIGURATION, FILE, NO_FILE, SET_BY_STATEMENT, ServerInspection};
use tenbin_model::variables::{TookEffect, canonical_name, of_option, took_effect};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::secret;
use tenbin_words::text::{into_visible, visible};

/// What is compared with the variables of a server.
#[derive(Debug, Clone, Copy)]
pub enum Wanted<'a> {
    /// Variables that are set while it runs.
    Variables(&'a BTreeMap<String, String>),
    /// Options with which it was started.
    Options(&'a BTreeMap<String, String>),
}

/// How long a server may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// Names and values, as the tables of MySQL and MariaDB have them.
macro_rules! of_tables {
    ($schema:literal, $more:literal) => {
        concat!(
            "SELECT CONCAT('variable.', LOWER(VARIABLE_NAME)), VARIABLE_VALUE FROM ",
            $schema,
            ".global_variables UNION ALL SELECT CONCAT('status.', LOWER(VARIABLE_NAME)), VARIABLE_VALUE FROM ",
            $schema,
            ".global_status WHERE VARIABLE_NAME IN ",
            "('Uptime', 'Connections', 'Innodb_redo_log_enabled', 'Slave_running', 'Slaves_running')",
            $more
        )
    };
}
const MYSQL: &[&str] = &[
    of_tables!(
        "performance_schema",
        " UNION ALL SELECT 'status.slaves_running', CAST(COUNT(*) AS CHAR) FROM \
         performance_schema.replication_connection_status WHERE SERVICE_STATE = 'ON'"
    ),
    of_tables!("performance_schema", ""),
    of_tables!("information_schema", ""),
];
const MARIADB: &[&str] = &[of_tables!("information_schema", "")];

/// Name, value as `SHOW` has it, and value and unit as `pg_settings` has them.
const POSTGRES: &[&str] = &[
    "SELECT 'variable.' || name, current_setting(name), setting, unit FROM pg_settings \
     UNION ALL SELECT 'started', pg_postmaster_start_time()::text, NULL, NULL \
     UNION ALL SELECT 'recovery', pg_is_in_recovery()::text, NULL, NULL \
     UNION ALL SELECT 'place', coalesce(host(inet_server_addr()), '') || ':' || coalesce(inet_server_port()::text, ''), NULL, NULL \
     UNION ALL SELECT 'system', system_identifier::text, NULL, NULL FROM pg_control_system()",
    "SELECT 'variable.' || name, current_setting(name), setting, unit FROM pg_settings \
     UNION ALL SELECT 'started', pg_postmaster_start_time()::text, NULL, NULL \
     UNION ALL SELECT 'recovery', pg_is_in_recovery()::text, NULL, NULL",
];

/// What a file of SQLite keeps of its settings; the others are those of a connection.
const OF_FILE: [&str; 3] = ["journal_mode", "page_size", "auto_vacuum"];

/// Which file has the name of the address, and the settings that are in it. They are read without the options of the address, which would set them again:
/// another program may have changed them. `None` if the file cannot be read.
fn file(connector: &Connector) -> Option<ServerInspection> {
    let dsn = connector.dsn();
    let Ok(meta) = Path::new(&dsn.database).metadata() else {
        return Some(ServerInspection { identity: NO_FILE.to_owned(), ..ServerInspection::default() });
    };
    let identity = format!("{FILE}{}:{}", meta.dev(), meta.ino());
    let options = [("busy_timeout_ms".to_owned(), "1000".to_owned())].into();
    let plain = Connector::new(Dsn { options, ..dsn.clone() }, None).ok()?;
    let mut facts = event_loop()
        .ok()?
        .block_on(async {
            let mut c = plain.connect_ready().await?;
            let mut facts = BTreeMap::new();
            for name in OF_FILE {
                let value = c.table(&format!("PRAGMA {name}")).await?;
                facts.insert(format!("variable.{name}"), value.scalar().unwrap_or_default().to_owned());
            }
            c.leave().await;
            Ok::<_, Error>(facts)
        })
        .ok()?;
    // Of the modes only that of the log is in the file.
    if let (Some(mode), Some(asked)) = (facts.get_mut("variable.journal_mode"), dsn.options.get("journal_mode"))
        && *mode != WAL
        && !asked.eq_ignore_ascii_case(WAL)
    {
        *mode = asked.to_lowercase();
    }
    Some(ServerInspection { identity, facts, ..ServerInspection::default() })
}

/// The mode of SQLite's journal that a file keeps.
const WAL: &str = "wal";

/// Asks a server, or looks at a file; `None` if there is nothing that could change, or if the file cannot be read. Blocks the calling thread.
pub fn inspect(connector: &Connector, wanted: Wanted<'_>) -> Result<Option<ServerInspection>, Problem> {
    let doing = || msg!("inspecting-server", dsn = connector.dsn());
    if connector.dsn().scheme.kind().is_file {
        return Ok(file(connector));
    }
    if !connector.dsn().scheme.kind().is_server {
        return Ok(None);
    }
    let (runtime, idle) = connector.check_out()?;
    let asking = async {
        let (mut c, answer) = match connector.dsn().scheme {
            Scheme::Postgres => {
                let (c, rows) = of_sessions(connector).await?;
                (c, Ok(rows.map(|rows| of_postgres(rows, wanted))))
            }
            _ => {
                let mut c = connector.connect_or_reuse(idle).await?;
                let answer = mysql(&mut c, wanted).await;
                (c, answer)
            }
        };
        let answer = match answer {
            Ok(Some(inspection)) => Ok(Some(ServerInspection { set: set_at(&mut c).await?, ..inspection })),
            other => other,
        };
        match answer {
            Ok(answer) => Ok((answer, connector.release(c).await)),
            Err(error) => {
                c.leave().await;
                Err(error)
            }
        }
    };
    let result = runtime.block_on(async {
        let answer = connector.within(PATIENCE, asking).await.unwrap_or_else(|why| {
            let why = match why {
                Abandoned::Stopped => msg!("command-was-stopped"),
                Abandoned::Slow => msg!("server-did-not-answer-in-time"),
            };
            Err(Error::new(Class::Lost, why))
        });
        answer.map_err(|error| error.problem(doing()))
    });
    let (inspection, left) = result?;
    connector.check_in(runtime, left);
    Ok(inspection)
}

/// Global variables that were set since the server was started. Of those that sessions have too, a change is not told from one of a session, and has
/// no effect on open sessions.
const SET_IN_MYSQL: &str = "SELECT LOWER(VARIABLE_NAME), CONCAT(SET_TIME, ' ', COALESCE(SET_USER, ''), '@', COALESCE(SET_HOST, '')) \
    FROM performance_schema.variables_info WHERE VARIABLE_SOURCE = 'DYNAMIC' AND SET_TIME IS NOT NULL AND VARIABLE_NAME NOT IN \
    (SELECT VARIABLE_NAME FROM performance_schema.variables_by_thread WHERE THREAD_ID = \
    (SELECT THREAD_ID FROM performance_schema.threads WHERE PROCESSLIST_ID = CONNECTION_ID()))";
const SET_IN_MARIADB: &str = "SELECT LOWER(VARIABLE_NAME), GLOBAL_VALUE_ORIGIN FROM information_schema.SYSTEM_VARIABLES \
    WHERE GLOBAL_VALUE_ORIGIN = 'SQL' AND VARIABLE_SCOPE = 'GLOBAL'";

/// The statements that set global variables, and when each was last sent, of MariaDB and of MySQL before 8.0: neither says when a variable was set. MariaDB
/// counts statements only if `performance_schema` is on.
const SET_STATEMENTS: &str = "SELECT DIGEST_TEXT, CAST(MAX(LAST_SEEN) AS CHAR) FROM performance_schema.events_statements_summary_by_digest \
    WHERE (DIGEST_TEXT LIKE 'SET GLOBAL%' OR DIGEST_TEXT LIKE 'SET @@GLOBAL%') AND COUNT_STAR > SUM_ERRORS GROUP BY DIGEST_TEXT";

/// What was set while the server ran, and when; empty if it does not say, or not to this account.
async fn set_at(c: &mut Connection) -> Result<BTreeMap<String, String>, Error> {
    let of_postgres = format!("SELECT '{CONFIGURATION}', pg_conf_load_time()::text");
    let is_mariadb = c.server_version().contains("MariaDB");
    let sql = match c {
        Connection::Postgres(_) => of_postgres.as_str(),
        Connection::Mysql(_) if is_mariadb => SET_IN_MARIADB,
        Connection::Mysql(_) => SET_IN_MYSQL,
        Connection::Sqlite(_) | Connection::Null(_) => return Ok(BTreeMap::new()),
    };
    let rows = c.rows_if_visible(sql).await?;
    let has_no_times = matches!(c, Connection::Mysql(_)) && (is_mariadb || rows.is_none());
    let statements = if has_no_times { c.rows_if_visible(SET_STATEMENTS).await? } else { None };
    let pair = |row: Vec<Option<String>>| {
        let [name, how] = <[_; 2]>::try_from(row).ok()?;
        Some((name?, how?))
    };
    let set = rows.into_iter().flatten().filter_map(pair);
    let by_statements = statements.into_iter().flatten().filter_map(pair);
    let all = set.chain(by_statements.flat_map(|(text, at)| {
        let names: Vec<String> = set_globally(&text).collect();
        names.into_iter().map(move |name| (name, at.clone()))
    }));
    let mut last: BTreeMap<String, String> = BTreeMap::new();
    for (name, how) in all {
        let (name, how) = (visible(&name).into_owned(), into_visible(how));
        // Times are in one form; where there is none, the origin stands.
        if last.get(&name).is_none_or(|known| known == SET_BY_STATEMENT || *known < how) {
            last.insert(name, how);
        }
    }
    Ok(last)
}

/// The global variables that a normalized statement sets, in lower case: ``SET GLOBAL `sync_binlog` = ? , @@GLOBAL . `general_log` = ?``.
fn set_globally(digest: &str) -> impl Iterator<Item = String> {
    let assignments = digest.strip_prefix("SET ").unwrap_or_default().split(',');
    assignments.filter_map(|one| {
        let one = one.trim().trim_start_matches("@@");
        let name = one.strip_prefix("GLOBAL")?.split('=').next()?.trim_matches([' ', '.', '`', ':']);
        (!name.is_empty()).then(|| name.to_lowercase())
    })
}

type Rows = Vec<Vec<Option<String>>>;

/// What PostgreSQL says on a session with the settings of the server and the account; or, if a limit for statements ends that, on one of our own.
async fn of_sessions(connector: &Connector) -> Result<(Connection, Option<Rows>), Error> {
    let mut c = connector.connect_for_settings().await?;
    let mut all = rows(&mut c, POSTGRES).await?;
    if all.is_none() {
        c.leave().await;
        c = connector.connect_ready().await?;
        all = rows(&mut c, POSTGRES).await?;
    }
    Ok((c, all))
}

/// The rows of the first of these statements that the server understands.
async fn rows(c: &mut Connection, statements: &[&str]) -> Result<Option<Rows>, Error> {
    for sql in statements {
        match c.table(sql).await {
            Ok(table) => return Ok(Some(table.rows)),
            Err(e) if e.class() == Class::Lost => return Err(e),
            Err(_) => {}
        }
    }
    Ok(None)
}

async fn mysql(c: &mut Connection, wanted: Wanted<'_>) -> Result<Option<ServerInspection>, Error> {
    if c.server_version().contains("null-server") {
        return Ok(None);
    }
    let statements = if c.server_version().contains("MariaDB") { MARIADB } else { MYSQL };
    if let Some(rows) = rows(c, statements).await?.filter(|rows| !rows.is_empty()) {
        return Ok(Some(of_mysql(rows, wanted)));
    }
    let mut all = Rows::new();
    for (sql, prefix) in [("SHOW GLOBAL VARIABLES", "variable."), ("SHOW GLOBAL STATUS LIKE 'Uptime'", "status.")] {
        let rows = rows(c, &[sql]).await?.unwrap_or_default();
        all.extend(rows.into_iter().map(|mut row| {
            if let Some(Some(name)) = row.first_mut() {
                *name = format!("{prefix}{}", name.to_lowercase());
            }
            row
        }));
    }
    Ok((!all.is_empty()).then(|| of_mysql(all, wanted)))
}

/// What an answer of MySQL or MariaDB says.
fn of_mysql(rows: Rows, wanted: Wanted<'_>) -> ServerInspection {
    let pair = |row: Vec<Option<String>>| {
        let mut fields = row.into_iter();
        Some((fields.next()??, fields.next()?.unwrap_or_default()))
    };
    let mut all: BTreeMap<String, String> = rows.into_iter().filter_map(pair).collect();
    let number = |text: Option<String>| text.and_then(|text| text.parse::<u64>().ok());
    let uptime_s = number(all.remove("status.uptime")).map(|s| s as f64);
    let connections = number(all.remove("status.connections"));
    let running = ["status.slave_running", "status.slaves_running"].map(|name| all.remove(name).unwrap_or_default());
    let is_running = running.iter().any(|value| !["", "0", "OFF"].contains(&value.as_str()));
    let value = |name: &str| all.get(&format!("variable.{name}")).map(String::as_str);
    let of_identity = ["server_uuid", "server_uid", "aurora_server_id", "hostname", "port", "datadir"];
    let identity = of_identity.iter().filter_map(|name| value(name)).collect::<Vec<_>>().join(" ");
    let version = ["version", "version_comment"].iter().filter_map(|name| value(name)).collect::<Vec<_>>().join(" ");
    let read_only = READ_ONLY.iter().filter_map(|name| Some((name, value(name)?)));
    let read_only = read_only.filter(|(_, value)| !["OFF", "0", ""].contains(value));
    let role = is_running.then(|| "replica".to_owned()).into_iter();
    let role = role.chain(read_only.map(|(name, value)| format!("{name} {value}"))).collect();
    let unlike = unlike_mysql(wanted, &value, &all);
    // They are the role, and are not reported twice.
    let facts = kept(all.into_iter().filter(|(name, _)| !READ_ONLY.iter().any(|of| name.ends_with(&format!(".{of}")))));
    let (started, set) = (None, BTreeMap::new());
    ServerInspection { identity, version, uptime_s, started, connections, role, facts, unlike, set }
}

const READ_ONLY: &[&str] = &["read_only", "super_read_only", "innodb_read_only"];

fn unlike_mysql<'v>(
    wanted: Wanted<'_>,
    value: &impl Fn(&str) -> Option<&'v str>,
    all: &BTreeMap<String, String>,
) -> BTreeMap<String, [String; 2]> {
    match wanted {
        Wanted::Variables(variables) => unlike(variables, |name, wanted| {
            let now = Present::of(value(name)?.to_owned());
            (!is_value(name, wanted, &now, false)).then_some(now.value)
        }),
        Wanted::Options(options) => {
            let has = |name: &str| all.contains_key(&format!("variable.{name}"));
            unlike_options(options, has, value)
        }
    }
}

/// The options of a server whose variables have another value: the value asked for, and the value.
pub fn unlike_options<'v>(
    options: &BTreeMap<String, String>,
    has: impl Fn(&str) -> bool,
    value: &impl Fn(&str) -> Option<&'v str>,
) -> BTreeMap<String, [String; 2]> {
    let of = |(name, asked): (&String, &String)| {
        let (variable, asked) = of_option(name, asked, &has)?;
        let now = value(&variable)?;
        (took_effect(&variable, &asked, now) != TookEffect::Yes).then(|| (variable, [asked, now.to_owned()]))
    };
    options.iter().filter_map(of).collect()
}

fn unlike(
    wanted: &BTreeMap<String, String>,
    differs: impl Fn(&str, &str) -> Option<String>,
) -> BTreeMap<String, [String; 2]> {
    let of = |(name, asked): (&String, &String)| {
        let name = canonical_name(name);
        let now = differs(&name, asked)?;
        Some((name, [asked.clone(), now]))
    };
    wanted.iter().filter_map(of).collect()
}

/// What an answer of PostgreSQL says.
fn of_postgres(rows: Rows, wanted: Wanted<'_>) -> ServerInspection {
    let mut shown = BTreeMap::new();
    let mut present = BTreeMap::new();
    for row in rows {
        let mut fields = row.into_iter();
        let mut field = || fields.next().flatten();
        let (Some(name), value, setting, unit) = (field(), field(), field(), field()) else { continue };
        if let (Some(variable), Some(setting)) = (name.strip_prefix("variable."), setting) {
            let variable = variable.to_lowercase();
            let (unit, is_list) = (unit.unwrap_or_default(), list_setting::is_list(&variable));
            present.insert(variable, Present { unit, is_list, ..Present::of(setting) });
        }
        // As in `SHOW ALL`.
        shown.insert(name, value.unwrap_or_default());
    }
    let mut take = |name: &str| shown.remove(name);
    let (started, recovery, address) = (take("started"), take("recovery"), take("place"));
    let system = take("system");
    let identity = [system, address].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let value = |name: &str| shown.get(&format!("variable.{name}")).map(String::as_str);
    let version = value("server_version").unwrap_or_default().to_owned();
    let is_standby = recovery.is_some_and(|text| ["true", "t", "1"].contains(&text.as_str()));
    let read_only = value("default_transaction_read_only").filter(|value| *value == "on");
    let role = is_standby.then(|| "standby".to_owned()).into_iter();
    let role = role.chain(read_only.map(|value| format!("default_transaction_read_only {value}"))).collect();
    let (Wanted::Variables(wanted) | Wanted::Options(wanted)) = wanted;
    let unlike = unlike(wanted, |name, asked| {
        let now = present.get(name).filter(|now| !is_value(name, asked, now, true))?;
        Some(value(name).map_or_else(|| now.value.clone(), str::to_owned))
    });
    let of_role = ["variable.in_hot_standby", "variable.default_transaction_read_only"];
    let facts = kept(shown.into_iter().filter(|(name, _)| !of_role.contains(&name.as_str())));
    let (uptime_s, connections, set) = (None, None, BTreeMap::new());
    ServerInspection { identity, version, uptime_s, started, connections, role, facts, unlike, set }
}

/// Facts without those that may hold a secret, as they are shown.
fn kept(facts: impl Iterator<Item = (String, String)>) -> BTreeMap<String, String> {
    let open = facts.filter(|(name, value)| !secret::is_held(name.trim_start_matches("variable."), value));
    open.map(|(name, value)| (visible(&name).into_owned(), into_visible(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows_of(all: &[[&str; 2]]) -> Rows {
        all.iter().map(|row| row.iter().map(|field| Some((*field).to_owned())).collect()).collect()
    }

    #[test]
    fn an_answer_of_mysql_is_read() {
        let rows = rows_of(&[
            ["variable.version", "10.11.19-MariaDB"],
            ["variable.hostname", "db"],
            ["variable.port", "3306"],
            ["variable.log_bin", "ON"],
            ["variable.read_only", "ON"],
            ["variable.sync_binlog", "0"],
            ["variable.innodb_buffer_pool_size", "134217728"],
            ["status.uptime", "70"],
            ["status.connections", "12"],
            ["status.slave_running", "ON"],
        ]);
        let options = [("log-bin", "OFF"), ("sync_binlog", "0"), ("innodb-buffer-pool-size", "100M")];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let inspection = of_mysql(rows, Wanted::Options(&options));
        assert_eq!((inspection.identity.as_str(), inspection.version.as_str()), ("db 3306", "10.11.19-MariaDB"));
        assert_eq!((inspection.uptime_s, inspection.connections), (Some(70.0), Some(12)));
        assert_eq!(inspection.role, ["replica", "read_only ON"]);
        assert_eq!(inspection.facts.get("variable.sync_binlog").map(String::as_str), Some("0"));
        let unlike = [("innodb_buffer_pool_size", ["100M", "134217728"]), ("log_bin", ["OFF", "ON"])];
        let unlike = unlike.map(|(name, values)| (name.to_owned(), values.map(str::to_owned)));
        assert_eq!(inspection.unlike, unlike.into());
    }

    #[test]
    fn statements_that_set_global_variables_are_read() {
        for (digest, names) in [
            ("SET GLOBAL `innodb_flush_log_at_trx_commit` = ?", "innodb_flush_log_at_trx_commit"),
            ("SET @@GLOBAL . `Sync_Binlog` = ?", "sync_binlog"),
            ("SET GLOBAL `general_log` = OFF , GLOBAL `a` = @@GLOBAL . `b` , SESSION `c` = ?", "general_log a"),
            ("SET SESSION `a` = @@GLOBAL . `a`", ""),
            ("SELECT ?", ""),
        ] {
            assert_eq!(set_globally(digest).collect::<Vec<_>>().join(" "), names, "{digest}");
        }
    }

    #[test]
    fn an_answer_of_postgres_is_read() {
        let row = |all: [&str; 4]| all.map(|f| (f != "NULL").then(|| f.to_owned())).to_vec();
        let rows = vec![
            row(["variable.shared_buffers", "256MB", "32768", "8kB"]),
            row(["variable.synchronous_commit", "on", "on", "NULL"]),
            row(["variable.server_version", "15.18", "15.18", "NULL"]),
            row(["started", "2026-01-01 00:00:00+00", "NULL", "NULL"]),
            row(["recovery", "true", "NULL", "NULL"]),
            row(["system", "7", "NULL", "NULL"]),
            row(["place", "10.0.0.1:5432", "NULL", "NULL"]),
        ];
        let variables = [("shared_buffers", "262144kB"), ("synchronous_commit", "off")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let inspection = of_postgres(rows, Wanted::Variables(&variables));
        assert_eq!((inspection.identity.as_str(), inspection.version.as_str()), ("7 10.0.0.1:5432", "15.18"));
        assert_eq!((inspection.role, inspection.started.is_some()), (vec!["standby".to_owned()], true));
        assert_eq!(inspection.unlike, [("synchronous_commit".to_owned(), ["off".into(), "on".into()])].into());
    }
}
