//! `pgbench -i`: the steps of its option `-I`, in that program's statements and with its lines. Only PostgreSQL.
//!
//! Two things are ours: the tables get our mark, by which they are recognised later, and those that carry none are dropped, emptied and changed only on
//! request, also where a name means a table of another schema of the search path.
//! Source: the server's log of pgbench 15.20, and its manual.

use crate::check::{Past, note};
use crate::inspect::{no_mark_of, not_ours, ours};
use crate::load::AccountRows;
use crate::schema::{NAMES, PREFIX};
use crate::{ACCOUNTS, ENTRY, SCALE_OF_BIGINT, TELLERS};
use std::time::{Duration, Instant};
use tenbin_driver::{Connection, Connector, Error, PostgresSession, SessionError, Source, Transport, event_loop};
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::system::refuse_system_schema;
use tenbin_workload::tables::{catalogue, mark};

/// What is to be done.
#[derive(Debug, Clone)]
pub struct InitSettings {
    /// Letters of `dtgGvpf`, in their order; spaces are skipped.
    pub steps: String,
    /// The number of branches.
    pub scale: u32,
    /// How full pages are, percent.
    pub fillfactor: u32,
    /// Whether tables are unlogged.
    pub unlogged: bool,
    /// The tablespace of the tables.
    pub tablespace: Option<String>,
    /// The tablespace of the indexes.
    pub index_tablespace: Option<String>,
    /// Parts of the table of accounts; 0: it is not partitioned.
    pub partitions: u32,
    /// By `hash`, not by `range`.
    pub by_hash: bool,
    /// Progress every five seconds only.
    pub quiet: bool,
    /// Whether tables are dropped, emptied and changed that do not carry our mark.
    pub allow_drop: bool,
}

/// Why it ended.
#[derive(Debug)]
pub enum InitError {
    /// There is no connection.
    Connect(Error),
    /// A statement failed: what the server said, and the statement.
    Statement(String, String),
    /// We refuse it.
    Problem(Problem),
}

/// Where its lines go.
pub trait InitOutput {
    /// A line.
    fn line(&mut self, text: &str);
    /// A line of the progress, which the next may overwrite on a terminal.
    fn progress(&mut self, text: &str);
}

/// Fails if dropping our tables would take with them what others have attached.
pub type MayDrop<'a> = &'a (dyn Fn(&Connector) -> Result<(), Problem> + Sync);

/// Executes the steps.
pub fn run(
    settings: &InitSettings,
    connector: &Connector,
    may_drop: MayDrop<'_>,
    out: &mut dyn InitOutput,
) -> Result<(), InitError> {
    let runtime = event_loop().map_err(InitError::Problem)?;
    let connection = runtime.block_on(connector.connect(Transport::Shared)).map_err(InitError::Connect)?;
    let session = PostgresSession::of(connection)
        .ok_or_else(|| InitError::Problem(Problem::new(msg!("pgbench-needs-postgresql", address = connector.dsn()))))?;
    refuse_system_schema(connector).map_err(InitError::Problem)?;
    let mut all = Initialization { settings, connector, may_drop, session, out };
    let (start, mut took) = (Instant::now(), Vec::new());
    for letter in settings.steps.chars() {
        let from = Instant::now();
        let name = match letter {
            'd' => runtime.block_on(all.drop_tables()).map(|()| "drop tables")?,
            't' => runtime.block_on(all.create_tables()).map(|()| "create tables")?,
            'g' => runtime.block_on(all.generate()).map(|()| "client-side generate")?,
            'G' => runtime.block_on(all.generate_on_server()).map(|()| "server-side generate")?,
            'v' => runtime.block_on(all.vacuum()).map(|()| "vacuum")?,
            'p' => runtime.block_on(all.primary_keys()).map(|()| "primary keys")?,
            'f' => runtime.block_on(all.foreign_keys()).map(|()| "foreign keys")?,
            _ => continue,
        };
        took.push(format!("{name} {:.2} s", from.elapsed().as_secs_f64()));
    }
    runtime.block_on(all.session.close());
    out.line(&format!("done in {:.2} s ({}).", start.elapsed().as_secs_f64(), took.join(", ")));
    Ok(())
}

struct Initialization<'a> {
    settings: &'a InitSettings,
    connector: &'a Connector,
    may_drop: MayDrop<'a>,
    session: PostgresSession,
    out: &'a mut dyn InitOutput,
}

/// The order in which pgbench names the tables when it drops and empties them.
const TOGETHER: [&str; 4] = ["pgbench_accounts", "pgbench_branches", "pgbench_history", "pgbench_tellers"];

impl Initialization<'_> {
    async fn send(&mut self, sql: &str) -> Result<(), InitError> {
        self.session.query(sql.as_bytes(), None).await.map(|_| ()).map_err(|error| failed(error, sql))
    }

    /// Drops what there is, if it is ours or that is permitted.
    async fn drop_tables(&mut self) -> Result<(), InitError> {
        self.out.line("dropping old tables...");
        let there = aside(self.connector, existing)?;
        if !self.settings.allow_drop && !there.is_empty() {
            let may_drop = self.may_drop;
            aside(self.connector, |connector| match there.iter().find(|table| !table.is_ours) {
                Some(foreign) => Err(not_ours(&foreign.shown).hint(msg!("pgbench-allow-drop"))),
                None => may_drop(connector).map_err(|problem| problem.hint(msg!("pgbench-allow-drop"))),
            })?;
        }
        for name in TOGETHER.into_iter().filter(|name| !there.iter().any(|table| table.name == *name)) {
            self.out.line(&format!("NOTICE:  table \"{name}\" does not exist, skipping"));
        }
        let ours: Vec<String> =
            there.iter().filter(|table| table.is_ours).map(|table| format!("'{}'", table.name)).collect();
        self.send(&format!("drop table if exists {}", TOGETHER.join(", "))).await?;
        if !ours.is_empty() {
            // After the tables: if they cannot be dropped, they are still ours. A mark without its table does not claim one that somebody else creates
            // under its name, because it has the OID.
            let names = ours.join(", ");
            self.send(&format!("DELETE FROM {} WHERE name IN ({names})", mark::NAME)).await?;
        }
        Ok(())
    }

    async fn create_tables(&mut self) -> Result<(), InitError> {
        self.out.line("creating tables...");
        for table in NAMES {
            self.send(&create(self.settings, table)).await?;
            // At once: what is killed here has left tables that are known for ours.
            aside(self.connector, |connector| leave_mark(connector, table))?;
        }
        if self.settings.partitions > 0 {
            self.out.line(&format!("creating {} partitions...", self.settings.partitions));
            for part in 1..=self.settings.partitions {
                self.send(&create_part(self.settings, part)).await?;
            }
        }
        Ok(())
    }

    /// Refuses to empty or to change what is there, unless it is ours or that is permitted.
    fn leave_others(&self) -> Result<(), InitError> {
        if self.settings.allow_drop {
            return Ok(());
        }
        match aside(self.connector, existing)?.iter().find(|table| !table.is_ours) {
            None => Ok(()),
            Some(foreign) => Err(InitError::Problem(
                Problem::new(msg!("table-not-ours-left", table = foreign.shown))
                    .evidence(no_mark_of(&foreign.shown))
                    .hint(msg!("pgbench-allow-change")),
            )),
        }
    }

    async fn generate(&mut self) -> Result<(), InitError> {
        self.out.line("generating data (client-side)...");
        self.begin_rows().await?;
        for bid in 1..=u64::from(self.settings.scale) {
            self.send(&format!("insert into pgbench_branches(bid,bbalance) values({bid},0)")).await?;
        }
        for tid in 1..=u64::from(self.settings.scale) * TELLERS {
            let bid = (tid - 1) / TELLERS + 1;
            self.send(&format!("insert into pgbench_tellers(tid,bid,tbalance) values ({tid},{bid},0)")).await?;
        }
        let frozen = if self.settings.partitions == 0 { " with (freeze on)" } else { "" };
        let sql = format!("copy pgbench_accounts from stdin{frozen}");
        let all = u64::from(self.settings.scale) * ACCOUNTS;
        let mut rows = ToldRows {
            rows: AccountRows { next: 1, last: all },
            all,
            start: Instant::now(),
            printed: 0,
            printed_at: Duration::ZERO,
            quiet: self.settings.quiet,
            out: &mut *self.out,
        };
        self.session.load(&sql, &mut rows).await.map_err(|error| failed(error, &sql))?;
        self.send("commit").await
    }

    async fn generate_on_server(&mut self) -> Result<(), InitError> {
        self.out.line("generating data (server-side)...");
        self.begin_rows().await?;
        let scale = u64::from(self.settings.scale);
        self.send(&format!(
            "insert into pgbench_branches(bid,bbalance) select bid, 0 from generate_series(1, {scale}) as bid"
        ))
        .await?;
        self.send(&format!(
            "insert into pgbench_tellers(tid,bid,tbalance) select tid, (tid - 1) / {TELLERS} + 1, 0 from generate_series(1, {}) as tid",
            scale * TELLERS
        ))
        .await?;
        self.send(&format!(
            "insert into pgbench_accounts(aid,bid,abalance,filler) select aid, (aid - 1) / {ACCOUNTS} + 1, 0, '' from generate_series(1, {}) as aid",
            scale * ACCOUNTS
        ))
        .await?;
        self.send("commit").await
    }

    async fn begin_rows(&mut self) -> Result<(), InitError> {
        self.leave_others()?;
        self.send("begin").await?;
        self.send(&format!("truncate table {}", TOGETHER.join(", "))).await
    }

    async fn vacuum(&mut self) -> Result<(), InitError> {
        self.out.line("vacuuming...");
        for table in ["branches", "tellers", "accounts", "history"] {
            self.send(&format!("vacuum analyze pgbench_{table}")).await?;
        }
        Ok(())
    }

    async fn primary_keys(&mut self) -> Result<(), InitError> {
        self.out.line("creating primary keys...");
        self.leave_others()?;
        let tail = self.settings.index_tablespace.as_ref();
        let tail = tail.map_or_else(String::new, |name| format!(" using index tablespace {}", quoted(name)));
        for (table, key) in [("branches", "bid"), ("tellers", "tid"), ("accounts", "aid")] {
            self.send(&format!("alter table pgbench_{table} add primary key ({key}){tail}")).await?;
        }
        Ok(())
    }

    async fn foreign_keys(&mut self) -> Result<(), InitError> {
        self.out.line("creating foreign keys...");
        self.leave_others()?;
        for (table, column, other) in [
            ("tellers", "bid", "branches"),
            ("accounts", "bid", "branches"),
            ("history", "bid", "branches"),
            ("history", "tid", "tellers"),
            ("history", "aid", "accounts"),
        ] {
            self.send(&format!(
                "alter table pgbench_{table} add constraint pgbench_{table}_{column}_fkey foreign key ({column}) references pgbench_{other}"
            ))
            .await?;
        }
        Ok(())
    }
}

fn failed(error: SessionError, sql: &str) -> InitError {
    InitError::Statement(error.lines, sql.to_owned())
}

/// Does something on a connection of its own, which blocks, beside the session.
fn aside<T: Send>(
    connector: &Connector,
    work: impl FnOnce(&Connector) -> Result<T, Problem> + Send,
) -> Result<T, InitError> {
    let done = std::thread::scope(|scope| {
        let panicked = |_| Err(Problem::new(msg!("stream-panicked")));
        scope.spawn(|| work(connector)).join().unwrap_or_else(panicked)
    });
    done.map_err(InitError::Problem)
}

/// A table that one of the names means.
struct Existing {
    name: String,
    /// The name with its schema, if that is not the one in which tables are created.
    shown: String,
    is_ours: bool,
}

/// What the names of the tables mean in a statement, whatever schema of the search path it is in.
fn existing(connector: &Connector) -> Result<Vec<Existing>, Problem> {
    with_connection(connector, msg!("looking-whose-tables"), async |c| {
        let catalogue = match catalogue::read(Dialect::Postgres, c, PREFIX).await? {
            Ok(catalogue) => catalogue,
            Err(problem) => return Ok(Err(problem)),
        };
        let ours = match ours(&catalogue, c).await? {
            Ok(ours) => ours,
            Err(problem) => return Ok(Err(problem)),
        };
        let names = c.quoting().texts(TOGETHER);
        let meant = format!(
            "SELECT name, s.nspname, s.nspname = current_schema() FROM unnest(ARRAY[{names}]) AS name \
             JOIN pg_catalog.pg_class t ON t.oid = to_regclass(name) JOIN pg_catalog.pg_namespace s ON s.oid = t.relnamespace \
             ORDER BY 1"
        );
        let rows = c.table(&meant).await?.rows.into_iter();
        let existing = rows.filter_map(|row| {
            let [name, schema, is_here] = <[_; 3]>::try_from(row).ok()?;
            let (name, is_here) = (name?, is_here.as_deref() == Some("t"));
            let shown = if is_here { name.clone() } else { format!("{}.{name}", schema.unwrap_or_default()) };
            Some(Existing { is_ours: is_here && ours.contains(&name), name, shown })
        });
        Ok(Ok(existing.collect()))
    })
}

/// Marks a table that was just created.
fn leave_mark(connector: &Connector, table: &str) -> Result<(), Problem> {
    with_connection(connector, msg!("creating-tables"), async |c| {
        if let Err(problem) = mark::make_sure(Dialect::Postgres, c).await? {
            return Ok(Err(problem));
        }
        mark::leave_complete(c, table, ENTRY.kind, 0, "").await.map(Ok)
    })
}

/// Records that pgbench empties the history, if the tables are ours.
pub async fn note_emptied_history(c: &mut Connection) {
    // Without a mark there is nothing to note.
    let _ = note(Past::HistoryEmptied, c).await;
}

fn quoted(name: &str) -> String {
    Dialect::Postgres.quoted(name)
}

/// The statement that creates a table.
fn create(settings: &InitSettings, table: &str) -> String {
    let wide = u64::from(settings.scale) >= SCALE_OF_BIGINT;
    // pgbench pads the shorter type.
    let aid = if wide { "aid bigint" } else { "aid    int" };
    let columns = match table {
        "pgbench_history" => format!("tid int,bid int,{aid},delta int,mtime timestamp,filler char(22)"),
        "pgbench_tellers" => "tid int not null,bid int,tbalance int,filler char(84)".to_owned(),
        "pgbench_accounts" => format!("{aid} not null,bid int,abalance int,filler char(84)"),
        _ => "bid int not null,bbalance int,filler char(88)".to_owned(),
    };
    let unlogged = if settings.unlogged { " unlogged" } else { "" };
    let mut sql = format!("create{unlogged} table {table}({columns})");
    if table == "pgbench_accounts" && settings.partitions > 0 {
        sql += &format!(" partition by {} (aid)", if settings.by_hash { "hash" } else { "range" });
    } else if table != "pgbench_history" {
        sql += &format!(" with (fillfactor={})", settings.fillfactor);
    }
    if let Some(name) = &settings.tablespace {
        sql += &format!(" tablespace {}", quoted(name));
    }
    sql
}

/// The statement that creates a part of the table of accounts, from 1.
fn create_part(settings: &InitSettings, part: u32) -> String {
    let unlogged = if settings.unlogged { " unlogged" } else { "" };
    let parts = u64::from(settings.partitions);
    let values = if settings.by_hash {
        format!("with (modulus {parts}, remainder {})", part - 1)
    } else {
        let size = (u64::from(settings.scale) * ACCOUNTS).div_ceil(parts);
        let before = |n: u32| u64::from(n) * size + 1;
        let from = if part == 1 { "minvalue".to_owned() } else { before(part - 1).to_string() };
        let to = if part == settings.partitions { "maxvalue".to_owned() } else { before(part).to_string() };
        format!("from ({from}) to ({to})")
    };
    format!(
        "create{unlogged} table pgbench_accounts_{part}\n  partition of pgbench_accounts\n  for values {values} with (fillfactor={})",
        settings.fillfactor
    )
}

/// Rows of accounts, with their progress.
struct ToldRows<'a> {
    rows: AccountRows,
    all: u64,
    start: Instant,
    printed: u64,
    printed_at: Duration,
    quiet: bool,
    out: &'a mut dyn InitOutput,
}

/// Without `-q` a line after this many rows,
const ROWS_TOLD: u64 = 100_000;
/// with it after this time.
const QUIET_FOR: Duration = Duration::from_secs(5);

impl Source for ToldRows<'_> {
    fn fill(&mut self, out: &mut Vec<u8>) {
        self.rows.fill(out);
        let (done, elapsed) = (self.rows.next - 1, self.start.elapsed());
        let due = match self.quiet {
            true => elapsed >= self.printed_at + QUIET_FOR || (done >= self.all && self.printed < self.all),
            false => done >= self.printed + ROWS_TOLD && self.printed < self.all,
        };
        if due {
            let done = if self.quiet { done } else { (done / ROWS_TOLD) * ROWS_TOLD };
            let seconds = elapsed.as_secs_f64();
            let remaining = seconds * (self.all - done) as f64 / done.max(1) as f64;
            self.out.progress(&format!(
                "{done} of {} tuples ({}%) done (elapsed {seconds:.2} s, remaining {remaining:.2} s)",
                self.all,
                done * 100 / self.all
            ));
            (self.printed, self.printed_at) = (done, elapsed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> InitSettings {
        InitSettings {
            steps: "dtgvp".into(),
            scale: 1,
            fillfactor: 100,
            unlogged: false,
            tablespace: None,
            index_tablespace: None,
            partitions: 0,
            by_hash: false,
            quiet: false,
            allow_drop: false,
        }
    }

    #[test]
    fn tables_are_created_in_pgbenchs_words() {
        let plain = settings();
        assert_eq!(
            create(&plain, "pgbench_accounts"),
            "create table pgbench_accounts(aid    int not null,bid int,abalance int,filler char(84)) with (fillfactor=100)"
        );
        let wide = InitSettings { scale: 20_000, ..settings() };
        assert_eq!(
            create(&wide, "pgbench_history"),
            "create table pgbench_history(tid int,bid int,aid bigint,delta int,mtime timestamp,filler char(22))"
        );
        let all = InitSettings {
            unlogged: true,
            fillfactor: 90,
            tablespace: Some("t\"t".into()),
            partitions: 2,
            ..settings()
        };
        assert_eq!(
            create(&all, "pgbench_accounts"),
            "create unlogged table pgbench_accounts(aid    int not null,bid int,abalance int,filler char(84)) \
             partition by range (aid) tablespace \"t\"\"t\""
        );
    }

    #[test]
    fn parts_cover_all_accounts() {
        let parts = |by_hash, partitions| {
            let all = InitSettings { partitions, by_hash, ..settings() };
            let values = |n| {
                create_part(&all, n).split("for values ").nth(1).unwrap().split(" with (f").next().unwrap().to_owned()
            };
            (1..=partitions).map(values).collect::<Vec<_>>()
        };
        assert_eq!(
            parts(false, 3),
            ["from (minvalue) to (33335)", "from (33335) to (66669)", "from (66669) to (maxvalue)"]
        );
        assert_eq!(parts(true, 2), ["with (modulus 2, remainder 0)", "with (modulus 2, remainder 1)"]);
        assert_eq!(parts(false, 1), ["from (minvalue) to (maxvalue)"]);
    }
}
