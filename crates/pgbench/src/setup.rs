//! What pgbench does before its clients start: it counts branches, looks how accounts are partitioned, and vacuums.

use tenbin_driver::{
    Connector, Error, KeptResults, OpenTransaction, PostgresSession, SessionError, Transport, event_loop,
};
use tenbin_tpcb::init::note_emptied_history;
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What is to be done.
#[derive(Debug, Clone, Copy)]
pub struct SetupSettings {
    /// Whether the scale is taken from the tables: there is a built-in script.
    pub counts_branches: bool,
    /// Whether branches and tellers are vacuumed and the history is emptied.
    pub vacuums: bool,
    /// Whether accounts are vacuumed too.
    pub vacuums_accounts: bool,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Setup {
    /// The number of branches, if it was counted.
    pub branches: Option<i64>,
    /// `range`, `hash`, or another word; empty: not partitioned.
    pub partition_method: String,
    /// How many parts it has.
    pub partitions: u64,
}

/// Why it failed.
#[derive(Debug)]
pub enum SetupError {
    /// There is no connection.
    Connect(Error),
    /// Branches could not be counted: what the server said, and whether there is no table of them.
    Branches(String, bool),
    /// No readable number of branches.
    Scale(String),
    /// There is no table of accounts.
    NoAccounts,
    /// A statement failed: what the server said, and the statement.
    Statement(String, String),
    /// Not of PostgreSQL, or of this machine.
    Problem(Problem),
}

/// Looks and vacuums, in pgbench's statements. `say` gets the texts that it prints, without the ends of their lines. A failed vacuum is said and
/// passed over, because other tables may be used. `looked` is called with what was found before that.
pub fn setup(
    settings: SetupSettings,
    connector: &Connector,
    looked: &mut dyn FnMut(&Setup),
    say: &mut dyn FnMut(&str),
) -> Result<Setup, SetupError> {
    let runtime = event_loop().map_err(SetupError::Problem)?;
    runtime.block_on(async {
        let connection = connector.connect(Transport::Shared).await.map_err(SetupError::Connect)?;
        let mut session = PostgresSession::of(connection).ok_or_else(|| {
            SetupError::Problem(Problem::new(msg!("pgbench-needs-postgresql", address = connector.dsn())))
        })?;
        let mut setup = Setup::default();
        if settings.counts_branches {
            setup = look(&mut session).await?;
        }
        looked(&setup);
        if settings.vacuums {
            say("starting vacuum...");
            for sql in ["vacuum pgbench_branches", "vacuum pgbench_tellers", "truncate pgbench_history"] {
                try_statement(&mut session, sql, say).await;
            }
            say("end.\n");
        }
        if settings.vacuums_accounts {
            say("starting vacuum pgbench_accounts...");
            try_statement(&mut session, "vacuum analyze pgbench_accounts", say).await;
            say("end.\n");
        }
        debug_assert_eq!(session.transaction(), OpenTransaction::None);
        session.close().await;
        if settings.vacuums
            && let Ok(mut own) = connector.connect(Transport::Shared).await
        {
            note_emptied_history(&mut own).await;
            own.close().await;
        }
        Ok(setup)
    })
}

/// The partitions of the table of accounts, as pgbench asks for them: the first table of that name in the search path.
const PARTITIONS: &str = "select o.n, p.partstrat, pg_catalog.count(i.inhparent) from pg_catalog.pg_class as c \
     join pg_catalog.pg_namespace as n on (n.oid = c.relnamespace) \
     cross join lateral (select pg_catalog.array_position(pg_catalog.current_schemas(true), n.nspname)) as o(n) \
     left join pg_catalog.pg_partitioned_table as p on (p.partrelid = c.oid) \
     left join pg_catalog.pg_inherits as i on (c.oid = i.inhparent) \
     where c.relname = 'pgbench_accounts' and o.n is not null group by 1, 2 order by 1 asc limit 1";

async fn look(session: &mut PostgresSession) -> Result<Setup, SetupError> {
    let mut kept = KeptResults::default();
    let sql = "select count(*) from pgbench_branches";
    let is_absent = |e: &SessionError| e.error.sqlstate() == Some("42P01");
    session.query(sql.as_bytes(), Some(&mut kept)).await.map_err(|e| {
        let is_absent = is_absent(&e);
        SetupError::Branches(e.lines, is_absent)
    })?;
    let text = first(&kept, 0).unwrap_or_default();
    let branches = match text.parse::<i64>() {
        Ok(n) if n >= 0 => n,
        _ => return Err(SetupError::Scale(text)),
    };
    let sql = PARTITIONS;
    let answer = session.query(sql.as_bytes(), Some(&mut kept)).await;
    answer.map_err(|SessionError { lines, .. }| SetupError::Statement(lines, sql.to_owned()))?;
    if kept.all.first().is_none_or(|result| result.rows == 0) {
        return Err(SetupError::NoAccounts);
    }
    let method = match first(&kept, 1).as_deref() {
        None => "",
        Some("r") => "range",
        Some("h") => "hash",
        Some(_) => "unknown",
    };
    let partitions = first(&kept, 2).and_then(|n| n.parse().ok()).unwrap_or(0);
    Ok(Setup { branches: Some(branches), partition_method: method.to_owned(), partitions })
}

fn first(kept: &KeptResults, column: usize) -> Option<String> {
    kept.all.first()?.last.get(column)?.clone()
}

async fn try_statement(session: &mut PostgresSession, sql: &str, say: &mut dyn FnMut(&str)) {
    if let Err(SessionError { lines, .. }) = session.query(sql.as_bytes(), None).await {
        say(&format!("pgbench: error: {lines}\npgbench: detail: (ignoring this error and continuing anyway)\n"));
    }
}
