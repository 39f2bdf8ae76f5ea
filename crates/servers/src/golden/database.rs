//! Golden databases: databases of a PostgreSQL server from which another one is restored, as their template. It needs neither
//! the files of the server nor a stop, but an account that may create databases and owns the one that is restored.
//!
//! A golden database is closed to connections, and its comment is its description. To restore, a copy is created under another
//! name; one transaction then renames the present database away and the copy into its place, and the former one is dropped:
//! whenever this is interrupted, the database is there under its name, either the former one or the copy. What is left over
//! carries a mark from the instant of its creation, and is dropped by the next run; nothing without a mark is ever dropped.
//! (PostgreSQL manual, `CREATE DATABASE`, `ALTER DATABASE`, and 23.3 "Template Databases".)

use super::Variant;
use super::database_properties::{self, Properties, identifier, literal};
use super::digests;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tenbin_driver::{Class, Connection, Connector, Error, event_loop};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::text::visible;

/// The version of the description.
const FORMAT: u32 = 1;
/// The beginning of a golden database's comment; its description follows as JSON.
const GOLDEN: &str = "tenbin golden database ";
/// The connection limit of our databases that are not open to connections. `CREATE DATABASE` sets it in the instant in which the
/// database comes into being, which a comment cannot: one that a killed run left is known by it.
const MARK: i32 = 730_154_211;
/// PostgreSQL's longest name, bytes.
const LONGEST_NAME: usize = 63;
/// How long sessions of our own that were just closed may take to end.
const ENDING: Duration = Duration::from_secs(10);
/// How often they are looked for.
const LOOK: Duration = Duration::from_millis(100);
/// How long a server may continue its work after a stop was requested.
const GRACE: Duration = Duration::from_secs(2);
/// SQLSTATE of a database that others are connected to.
const IN_USE: &str = "55006";
/// SQLSTATE of a clause that a server does not support.
const NOT_SUPPORTED: &str = "0A000";

/// The description of a golden database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatabaseMark {
    format: u32,
    /// What it contains.
    pub variant: Variant,
    /// Rows of the data set.
    pub rows: u64,
    /// When it was made, RFC 3339 with offset.
    pub made: String,
    /// The version of Tenbin that made it.
    pub tenbin: String,
}

/// A golden database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GoldenDatabase {
    /// Its name on the server.
    pub name: String,
    /// Its size as the server states it, bytes.
    pub bytes: u64,
    /// Its description.
    pub mark: DatabaseMark,
}

/// What was found on a server.
#[derive(Debug, Default)]
pub struct FoundDatabase {
    /// The golden database, if there is one with these data.
    pub golden: Option<GoldenDatabase>,
    /// Databases of killed runs, or of other data, that were dropped.
    pub dropped: Vec<String>,
}

/// How long the parts of a restore took.
#[derive(Debug, Clone, Copy, Default)]
pub struct Swapped {
    /// Creating the copy.
    pub copying: Duration,
    /// Putting it in place, and dropping the former one.
    pub swapping: Duration,
    /// Whether files were copied; otherwise the copy was written through the server's buffers.
    pub by_files: bool,
}

/// The name of the golden database of a variant.
pub fn golden_name(variant: &Variant) -> String {
    let text = serde_json::to_string(variant).unwrap_or_default();
    format!("tenbin_golden_{}", digest(&text))
}

fn digest(text: &str) -> String {
    digests::of(text.as_bytes())[..12].to_owned()
}

/// The name of a database beside `database`: `sbtest_tenbin_new`.
fn beside(database: &str, end: &str) -> String {
    let end = format!("_tenbin_{end}");
    if database.len() + end.len() <= LONGEST_NAME {
        return format!("{database}{end}");
    }
    let digest = digest(database);
    let room = LONGEST_NAME - end.len() - digest.len() - 1;
    let cut = (0..=room).rev().find(|at| database.is_char_boundary(*at)).unwrap_or(0);
    format!("{}_{digest}{end}", &database[..cut])
}

/// The golden database of a variant on the server of `connector`; drops what killed runs left there, and a golden database of
/// ours with other data. Blocks the calling thread.
pub fn find(connector: &Connector, variant: &Variant, rows: u64) -> Result<FoundDatabase, Problem> {
    let (name, database) = (golden_name(variant), &connector.dsn().database);
    on_server(connector, msg!("looking-for-golden-database"), async |c| {
        lock(c, database).await?;
        lock(c, &name).await?;
        let mut outcome = FoundDatabase::default();
        for left in [beside(database, "new"), beside(database, "old")] {
            if let Some(entry) = entry(c, &left).await? {
                if !entry.is_ours() {
                    return Ok(Err(not_ours(&left)));
                }
                drop_database(c, &left).await?;
                outcome.dropped.push(left);
            }
        }
        match golden(c, &name, variant, rows).await? {
            GoldenState::Nothing => {}
            GoldenState::Refused(problem) => return Ok(Err(problem)),
            GoldenState::Golden(golden) => outcome.golden = Some(golden),
            GoldenState::Ours => {
                drop_database(c, &name).await?;
                outcome.dropped.push(name.clone());
            }
        }
        Ok(Ok(outcome))
    })
}

/// Makes the golden database of the data in the database of the address, to which no session may be connected; `made`: the
/// present time, RFC 3339. Blocks the calling thread.
pub fn make(connector: &Connector, variant: &Variant, rows: u64, made: &str) -> Result<GoldenDatabase, Problem> {
    let (name, database) = (golden_name(variant), &connector.dsn().database);
    let mark = DatabaseMark {
        format: FORMAT,
        variant: variant.clone(),
        rows,
        made: made.to_owned(),
        tenbin: env!("CARGO_PKG_VERSION").to_owned(),
    };
    on_server(connector, msg!("making-golden-database", name), async |c| {
        lock(c, &name).await?;
        match golden(c, &name, variant, rows).await? {
            // Another run has made the same one meanwhile.
            GoldenState::Golden(golden) => return Ok(Ok(golden)),
            GoldenState::Refused(problem) => return Ok(Err(problem)),
            GoldenState::Ours => drop_database(c, &name).await?,
            GoldenState::Nothing => {}
        }
        if let Err(problem) = alone(c, database, &[]).await? {
            return Ok(Err(problem));
        }
        match create(c, &name, database, None).await {
            Err(e) if e.is(IN_USE) => return used(c, database, e).await,
            other => _ = other?,
        }
        let text = format!("{GOLDEN}{}", serde_json::to_string(&mark).unwrap_or_default());
        c.query(&format!("COMMENT ON DATABASE {} IS {}", identifier(&name), literal(&text))).await?;
        Ok(match golden(c, &name, variant, rows).await? {
            GoldenState::Golden(golden) => Ok(golden),
            GoldenState::Nothing | GoldenState::Ours | GoldenState::Refused(_) => Err(not_ours(&name)),
        })
    })
}

/// Puts a copy of the golden database in the place of the database of the address, with its owner, privileges, settings and
/// comment. `nothing_of_others` is asked when the copy is made, which may take long, and right before the database is replaced: it fails if others have
/// put something into it meanwhile. Blocks the calling thread.
pub fn put_back(
    connector: &Connector,
    golden: &GoldenDatabase,
    nothing_of_others: &(dyn Fn() -> Result<(), Problem> + Sync),
) -> Result<Swapped, Problem> {
    let database = &connector.dsn().database;
    let (new, old) = (beside(database, "new"), beside(database, "old"));
    on_server(connector, msg!("restoring-database", database), async |c| {
        lock(c, database).await?;
        if let Err(problem) = alone(c, database, &[]).await? {
            return Ok(Err(problem));
        }
        let start = Instant::now();
        let present = database_properties::read(c, database).await?;
        let by_files = match create(c, &new, &golden.name, Some(&present)).await {
            Err(e) if e.is(IN_USE) => return used(c, &golden.name, e).await,
            other => other?,
        };
        let copying = start.elapsed();
        let given = database_properties::give(c, &present, &new).await;
        let still = match given {
            // It asks on connections of its own, and blocks.
            Ok(Ok(())) => std::thread::scope(|scope| scope.spawn(nothing_of_others).join())
                .map_or_else(|_| Ok(Err(Problem::new(msg!("look-before-replacing-panicked")))), Ok),
            other => other,
        };
        let swapped = match still {
            Ok(Ok(())) => match alone(c, database, &[]).await {
                Ok(Ok(())) => swap(c, database, (&new, &old), &present).await.map(Ok),
                other => other,
            },
            other => other,
        };
        match swapped {
            Ok(Ok(())) => {}
            failed => {
                // The copy is of no use; if it cannot be dropped now, the next run does it.
                let _ = c.query("ROLLBACK").await;
                let _ = drop_database(c, &new).await;
                return match failed {
                    Err(e) if e.is(IN_USE) => used(c, database, e).await,
                    Err(e) => Err(e),
                    Ok(failed) => Ok(failed.map(|()| Swapped::default())),
                };
            }
        }
        drop_database(c, &old).await?;
        Ok(Ok(Swapped { copying, swapping: start.elapsed().saturating_sub(copying), by_files }))
    })
}

/// Exchanges the databases. Everything in one transaction, so that it happens in one instant or not at all.
async fn swap(c: &mut Connection, database: &str, (new, old): (&str, &str), present: &Properties) -> Result<(), Error> {
    let (database, new, old) = (identifier(database), identifier(new), identifier(old));
    let comment = present.comment.as_deref().map_or("NULL".to_owned(), literal);
    for sql in [
        "BEGIN".to_owned(),
        format!("ALTER DATABASE {database} RENAME TO {old}"),
        format!("ALTER DATABASE {old} ALLOW_CONNECTIONS false CONNECTION LIMIT {MARK}"),
        format!("ALTER DATABASE {new} RENAME TO {database}"),
        format!("ALTER DATABASE {database} ALLOW_CONNECTIONS true CONNECTION LIMIT {}", present.limit),
        format!("COMMENT ON DATABASE {database} IS {comment}"),
        "COMMIT".to_owned(),
    ] {
        c.query(&sql).await?;
    }
    Ok(())
}

/// Fails if others than `own` are connected to the database of the address, or become so while ours end. Blocks the calling
/// thread.
pub fn unused(connector: &Connector, own: &[u32]) -> Result<(), Problem> {
    let database = &connector.dsn().database;
    on_server(connector, msg!("looking-for-sessions", database), async |c| alone(c, database, own).await)
}

/// Why the database cannot be restored in this way: rights, replication, and properties that a copy could not be given.
/// Blocks the calling thread.
pub fn obstacles(connector: &Connector) -> Result<Vec<Problem>, Problem> {
    let database = &connector.dsn().database;
    on_server(connector, msg!("looking-for-rights", database), async |c| {
        Ok(Ok(database_properties::obstacles(c, database).await?))
    })
}

/// What a golden database and the database of the address must have in common: the account, and what the database holds
/// besides tables. Blocks the calling thread.
pub fn layout(connector: &Connector) -> Result<BTreeMap<String, String>, Problem> {
    let doing = msg!("looking-for-golden-database");
    run(connector, &doing, async |c| database_properties::layout(c).await.map(Ok))
}

/// An entry of the server's list of databases.
struct ListedDatabase {
    open: bool,
    limit: i32,
    comment: String,
}

impl ListedDatabase {
    fn is_ours(&self) -> bool {
        !self.open && self.limit == MARK
    }
}

async fn entry(c: &mut Connection, name: &str) -> Result<Option<ListedDatabase>, Error> {
    let sql = format!(
        "SELECT datallowconn::int, datconnlimit, coalesce(shobj_description(oid, 'pg_database'), '') FROM pg_database \
         WHERE datname = {}",
        literal(name)
    );
    let row = c.table(&sql).await?.rows.into_iter().next();
    Ok(row.map(|row| {
        let mut row = row.into_iter().map(Option::unwrap_or_default);
        let mut next = || row.next().unwrap_or_default();
        ListedDatabase { open: next() != "0", limit: next().parse().unwrap_or(0), comment: next() }
    }))
}

/// What has the name of a golden database.
enum GoldenState {
    Nothing,
    Golden(GoldenDatabase),
    /// Ours, but unfinished or of other data.
    Ours,
    Refused(Problem),
}

async fn golden(c: &mut Connection, name: &str, variant: &Variant, rows: u64) -> Result<GoldenState, Error> {
    let Some(entry) = entry(c, name).await? else { return Ok(GoldenState::Nothing) };
    let description = entry.comment.strip_prefix(GOLDEN);
    if description.is_some() && !entry.is_ours() {
        let problem = Problem::new(msg!("golden-database-opened", name));
        return Ok(GoldenState::Refused(problem.hint(msg!("drop-golden-database", name = identifier(name)))));
    }
    if !entry.is_ours() {
        return Ok(GoldenState::Refused(not_ours(name)));
    }
    let mark = description.and_then(|text| serde_json::from_str::<DatabaseMark>(text).ok());
    let Some(mark) = mark.filter(|mark| mark.format == FORMAT && mark.variant == *variant && mark.rows == rows) else {
        return Ok(GoldenState::Ours);
    };
    let bytes = c.table(&format!("SELECT pg_database_size({})", literal(name))).await?;
    let bytes = bytes.scalar().and_then(|bytes| bytes.parse().ok()).unwrap_or(0);
    Ok(GoldenState::Golden(GoldenDatabase { name: name.to_owned(), bytes, mark }))
}

/// Creates a marked copy of a database, closed to connections. Files are copied between two checkpoints if the server can do that,
/// so that nothing is left to be written afterwards, and its buffers hold nothing of the copy. Returns whether it did.
async fn create(c: &mut Connection, name: &str, template: &str, like: Option<&Properties>) -> Result<bool, Error> {
    let mut sql = format!("CREATE DATABASE {} TEMPLATE {}", identifier(name), identifier(template));
    if let Some(like) = like {
        // It gets the tablespace of its template, which needs no privilege on it.
        sql += &format!(" OWNER {}", identifier(&like.owner));
    }
    sql += &format!(" ALLOW_CONNECTIONS false CONNECTION LIMIT {MARK}");
    // Before 15 this is the only way.
    let number = c.table("SHOW server_version_num").await?.scalar().and_then(|n| n.parse::<u32>().ok());
    if number.is_some_and(|number| number < 150_000) {
        return c.query(&sql).await.map(|_| true);
    }
    match c.query(&format!("{sql} STRATEGY file_copy")).await {
        Err(e) if e.is(NOT_SUPPORTED) => c.query(&sql).await.map(|_| false),
        other => other.map(|_| true),
    }
}

/// Called only for databases that carry our mark.
async fn drop_database(c: &mut Connection, name: &str) -> Result<(), Error> {
    c.query(&format!("DROP DATABASE IF EXISTS {}", identifier(name))).await.map(|_| ())
}

/// Two runs do not work on the same database at the same time: the lock lasts until the connection ends.
async fn lock(c: &mut Connection, name: &str) -> Result<(), Error> {
    let keys = format!("hashtext('tenbin.golden'), hashtext({})", literal(name));
    c.table(&format!("SELECT pg_advisory_lock({keys})::text")).await.map(|_| ())
}

/// Waits until only the sessions `own` are connected to a database; fails if others remain, which are not ended by us.
async fn alone(c: &mut Connection, database: &str, own: &[u32]) -> Result<Result<(), Problem>, Error> {
    let since = Instant::now();
    loop {
        let others = sessions(c, database, own).await?;
        if others.is_empty() {
            return Ok(Ok(()));
        }
        if since.elapsed() > ENDING {
            return Ok(Err(sessions_of_others(database, &others)));
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// The server found the database in use.
async fn used<T>(c: &mut Connection, database: &str, error: Error) -> Result<Result<T, Problem>, Error> {
    match sessions(c, database, &[]).await?.as_slice() {
        [] => Err(error),
        others => Ok(Err(sessions_of_others(database, others))),
    }
}

fn sessions_of_others(database: &str, others: &[String]) -> Problem {
    let shown = others.iter().take(10).map(|session| foreign(visible(session)));
    Problem::new(msg!("database-in-use", database, count = others.len()))
        .evidence(Message::joined(shown.collect::<Vec<_>>(), "\n"))
        .hint(msg!("disconnect-others"))
}

/// Sessions in a database, described. Workers of autovacuum are left out: the server itself interrupts them.
async fn sessions(c: &mut Connection, database: &str, own: &[u32]) -> Result<Vec<String>, Error> {
    let own: Vec<String> = own.iter().map(u32::to_string).collect();
    let sql = format!(
        "SELECT 'process ' || pid || coalesce(' of ' || usename, '') || coalesce(' from ' || host(client_addr), '') || \
         CASE WHEN application_name <> '' THEN ' (' || application_name || ')' ELSE '' END || \
         coalesce(', since ' || backend_start::timestamptz(0), '') FROM pg_stat_activity WHERE datname = {} \
         AND pid <> pg_backend_pid() AND pid <> ALL ('{{{}}}'::int[]) \
         AND coalesce(backend_type, '') NOT IN ('autovacuum worker', 'parallel worker') ORDER BY pid",
        literal(database),
        own.join(",")
    );
    let rows = c.table(&sql).await?.rows;
    Ok(rows.into_iter().filter_map(|row| row.into_iter().next()?).collect())
}

fn not_ours(name: &str) -> Problem {
    let rename = format!("ALTER DATABASE {} RENAME TO …", identifier(name));
    Problem::new(msg!("database-not-ours", name)).hint(msg!("rename-database", sql = rename))
}

/// Works on the server from another database than that of the address: one with sessions cannot be copied or renamed.
fn on_server<T>(
    connector: &Connector,
    doing: Message,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let dsn = connector.dsn();
    let mut first = None;
    for database in ["postgres", "template1"].into_iter().filter(|name| *name != dsn.database) {
        let there = connector.at_database(database)?;
        let reached = event_loop()?.block_on(async {
            match there.connect_ready().await {
                Ok(c) => {
                    c.leave().await;
                    Ok(())
                }
                Err(e) => Err(e),
            }
        });
        match reached {
            Ok(()) => return run(&there, &doing, work),
            Err(e) if matches!(e.class(), Class::Refused | Class::Sql) => {
                first.get_or_insert_with(|| e.problem(msg!("connecting-to", dsn = there.dsn())));
            }
            Err(e) => return Err(e.problem(msg!("connecting-to", dsn = there.dsn()))),
        }
    }
    let hint = msg!("permit-database-postgres");
    Err(first.unwrap_or_else(|| Problem::new(msg!("target-is-gone"))).hint(hint))
}

/// Works on one connection until it is done, or until a stop was requested and the server has not answered for a while.
fn run<T>(
    connector: &Connector,
    doing: &Message,
    work: impl AsyncFnOnce(&mut Connection) -> Result<Result<T, Problem>, Error>,
) -> Result<T, Problem> {
    let working = async {
        let mut c =
            connector.connect_ready().await.map_err(|e| e.problem(msg!("connecting-to", dsn = connector.dsn())))?;
        let asking = async {
            // Copies take as long as they take.
            for sql in ["SET statement_timeout = 0", "SET lock_timeout = 0", "SET standard_conforming_strings = on"] {
                c.query(sql).await?;
            }
            work(&mut c).await
        };
        let answer = asking.await.map_err(|e| e.problem(doing.clone()))?;
        c.leave().await;
        answer
    };
    event_loop()?.block_on(async {
        tokio::select! {
            outcome = working => outcome,
            () = connector.abandoned(GRACE) => Err(Problem::new(msg!("stopped-without-answer", doing))),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beside_a_database_fit() {
        assert_eq!(beside("sbtest", "new"), "sbtest_tenbin_new");
        let long = "天".repeat(21);
        let (new, old) = (beside(&long, "new"), beside(&long, "old"));
        assert!(new.len() <= LONGEST_NAME && old.len() <= LONGEST_NAME && new != old, "{new} {old}");
        assert_ne!(new, beside(&format!("{}地", "天".repeat(20)), "new"), "other databases have other names");
    }

    #[test]
    fn each_variant_has_its_own_golden_database() {
        let of = |rows: &str| Variant {
            kind: "sysbench".into(),
            options: [("table_size".to_owned(), rows.to_owned())].into(),
            series: "postgresql-15".into(),
            layout: BTreeMap::new(),
        };
        assert_ne!(golden_name(&of("10")), golden_name(&of("11")));
        assert_eq!(golden_name(&of("10")), golden_name(&of("10")));
        assert_eq!(golden_name(&of("10")).len(), "tenbin_golden_".len() + 12);
    }
}
