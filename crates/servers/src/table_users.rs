//! Runs that use the tables of a schema without having locked it, side by side: a run that drops or loads tables asks for them ([`user`]).
//!
//! MySQL and MariaDB: each has one of [`SLOTS`] locks. PostgreSQL: all share one advisory lock, each by a transaction of its own that stays open.

use crate::server_query::query_server;
use tenbin_driver::{Connection, Connector, Error, LONG_TRANSACTION};
use tenbin_model::dsn::Scheme;

/// How many runs beside each other can say that they use the tables of a schema of MySQL or MariaDB.
const SLOTS: u32 = 32;

/// Another run that uses the tables of the schema of the address, or of the given one: account and address of its connection. `own`: the connections of this
/// run. Blocks the calling thread.
pub fn user(connector: &Connector, schema: Option<&str>, own: &[u32]) -> Option<String> {
    let scheme = connector.dsn().scheme;
    if !scheme.kind().is_server {
        return None;
    }
    let holder = query_server(connector, async |c| match scheme {
        Scheme::Postgres => user_on_postgres(c, own).await,
        _ => user_on_mysql(c, schema, own).await,
    });
    // A server that has no such locks does not know either.
    holder.ok()?.ok()?
}

/// Says on this connection that the tables of the address are in use; returns the number of the connection. `None` if the server has no more than
/// `connections` free, the account has a limit of its own, or the connection would be one of a pool that a client may be in need of.
pub(crate) async fn begin_use(scheme: Scheme, c: &mut Connection, connections: u32) -> Result<Option<String>, Error> {
    match scheme {
        Scheme::Postgres => {
            let own = c.table("SELECT pg_backend_pid()").await?.scalar().unwrap_or("").to_owned();
            // What stands between has numbers of its own.
            let is_direct = c.number().is_some_and(|number| number.to_string() == own);
            if !is_direct || !has_room_on_postgres(c, connections).await? {
                return Ok(None);
            }
            begin_on_postgres(c).await?;
            let lock = format!("SELECT pg_try_advisory_xact_lock_shared({USE_ON_POSTGRES}, {SCHEMA_OF_POSTGRES})::int");
            Ok((c.table(&lock).await?.scalar() == Some("1")).then_some(own))
        }
        _ => {
            stay_on_mysql(c).await;
            let own = c.table("SELECT CONNECTION_ID()").await?.scalar().unwrap_or("").to_owned();
            Ok((has_room_on_mysql(c, connections).await? && first_slot(c).await?).then_some(own))
        }
    }
}

/// The names of the places for runs that use the tables of a schema.
fn slots(schema: Option<&str>) -> Vec<String> {
    let schema = schema.map_or_else(|| "DATABASE()".to_owned(), |name| format!("'{name}'"));
    (0..SLOTS).map(|slot| format!("CONCAT('tenbin.use.{slot}.', MD5({schema}))")).collect()
}

/// A server may close what is idle for a minute.
pub(crate) async fn stay_on_mysql(c: &mut Connection) {
    let _ = c.query("SET SESSION wait_timeout = 31536000").await;
}

/// The statement that gives up a place.
pub(crate) fn release_on_mysql() -> String {
    let all: Vec<String> = slots(None).iter().map(|slot| format!("RELEASE_LOCK({slot})")).collect();
    format!("DO {}", all.join(", "))
}

async fn user_on_mysql(c: &mut Connection, schema: Option<&str>, own: &[u32]) -> Result<Option<String>, Error> {
    let users: Vec<String> = slots(schema).iter().map(|slot| format!("IS_USED_LOCK({slot})")).collect();
    let row = c.table(&format!("SELECT {}", users.join(", "))).await?.rows.into_iter().next().unwrap_or_default();
    let is_other = |user: &String| user.parse().is_ok_and(|number| !own.contains(&number));
    Ok(match row.into_iter().flatten().find(is_other) {
        Some(connection) => Some(holder_on_mysql(c, &connection).await),
        None => None,
    })
}

/// Account and address of a connection, as far as they are visible.
pub(crate) async fn holder_on_mysql(c: &mut Connection, connection: &str) -> String {
    let sql = format!(
        "SELECT CONCAT('connection ', ID, ' of ', USER, ' from ', HOST) FROM information_schema.PROCESSLIST \
         WHERE ID='{connection}'"
    );
    let holder = c.table(&sql).await.ok().and_then(|t| t.scalar().map(str::to_owned));
    holder.unwrap_or_else(|| format!("connection {connection}"))
}

/// Whether the server has room for more than this many connections; not if the account has a limit of its own.
async fn has_room_on_mysql(c: &mut Connection, connections: u32) -> Result<bool, Error> {
    let limits = c.table("SELECT @@GLOBAL.max_connections, @@SESSION.max_user_connections").await?;
    let status = c.table("SHOW GLOBAL STATUS LIKE 'Threads_connected'").await?;
    let number = |text: Option<&Option<String>>| text?.as_ref()?.parse::<u64>().ok();
    let limits = limits.rows.first();
    let most = number(limits.and_then(|row| row.first()));
    let of_account = number(limits.and_then(|row| row.get(1)));
    let open = number(status.rows.first().and_then(|row| row.get(1)));
    let (Some(most), Some(0), Some(open)) = (most, of_account, open) else { return Ok(false) };
    Ok(open + u64::from(connections) <= most)
}

/// Takes the first free place; whether there is one.
async fn first_slot(c: &mut Connection) -> Result<bool, Error> {
    let each: String = slots(None).iter().map(|slot| format!(" WHEN GET_LOCK({slot}, 0) = 1 THEN 1")).collect();
    Ok(c.table(&format!("SELECT CASE{each} ELSE 0 END")).await?.scalar() == Some("1"))
}

/// What the advisory lock of those who use tables is about, and of which schema.
const USE_ON_POSTGRES: &str = "hashtext('tenbin.use')";
pub(crate) const SCHEMA_OF_POSTGRES: &str = "hashtext(current_schema())";
/// Of the locks of all databases, those of this one.
pub(crate) const IN_DATABASE: &str = "AND l.database=(SELECT oid FROM pg_database WHERE datname=current_database())";

/// Begins a transaction for a lock. Read committed: between its statements the transaction keeps no snapshot, so VACUUM is not held back.
pub(crate) async fn begin_on_postgres(c: &mut Connection) -> Result<(), Error> {
    c.query("BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY").await?;
    c.table(LONG_TRANSACTION).await.map(drop)
}

/// A query for the connections that hold an advisory lock: number; account, address and start.
pub(crate) fn holders_on_postgres((class, object): (&str, &str), among: &str) -> String {
    format!(
        "SELECT l.pid, 'connection ' || l.pid || coalesce(' of ' || a.usename, '') || \
         coalesce(' from ' || host(a.client_addr), '') || coalesce(' since ' || a.backend_start::timestamptz(0), '') \
         FROM pg_locks l LEFT JOIN pg_stat_activity a USING (pid) WHERE l.locktype='advisory' AND l.granted \
         AND l.objsubid=2 {among} AND l.classid::bigint=({class}::bigint & 4294967295) \
         AND l.objid::bigint=({object}::bigint & 4294967295)"
    )
}

async fn user_on_postgres(c: &mut Connection, own: &[u32]) -> Result<Option<String>, Error> {
    let holders = c.table(&holders_on_postgres((USE_ON_POSTGRES, SCHEMA_OF_POSTGRES), IN_DATABASE)).await?.rows;
    let is_other = |row: &Vec<Option<String>>| {
        let number = row.first().and_then(|number| number.as_ref()?.parse().ok());
        number.is_some_and(|number| !own.contains(&number))
    };
    Ok(holders.into_iter().find(is_other).and_then(|row| row.into_iter().nth(1)?))
}

/// The same as on MySQL; the database may have a limit too.
async fn has_room_on_postgres(c: &mut Connection, connections: u32) -> Result<bool, Error> {
    const ROOM: &str = "SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int \
         - coalesce(current_setting('reserved_connections', true)::int, 0) \
         - (SELECT count(*) FROM pg_stat_activity WHERE backend_type='client backend'), \
         (SELECT rolconnlimit FROM pg_roles WHERE rolname=session_user), \
         (SELECT datconnlimit FROM pg_database WHERE datname=current_database())";
    let row = c.table(ROOM).await?.rows.into_iter().next().unwrap_or_default();
    let all: Vec<i64> = row.into_iter().filter_map(|field| field?.parse().ok()).collect();
    Ok(matches!(all.as_slice(), [free, -1, -1] if *free >= i64::from(connections)))
}
