//! Creates and fills the tables: the small ones by one connection, the accounts by several streams, a branch's accounts in one transaction
//! each. PostgreSQL gets them by `COPY`, MySQL and SQLite by INSERTs of many rows.

use crate::schema::NAMES;
use crate::{ACCOUNTS, ENTRY, TELLERS, Tables};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tenbin_driver::{Connection, Connector, Error, Source};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::Progress;
use tenbin_workload::digits;
use tenbin_workload::tables::admin::{optional, unless_stopped, with_connection};
use tenbin_workload::tables::catalogue;
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;
use tenbin_workload::tables::stream::{Counted, at_once};

/// Rows of one INSERT.
const AT_ONCE: u64 = 1000;

/// Creates and fills everything, or nothing if one of the tables exists.
pub(crate) fn load(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<(), Problem> {
    with_connection(connector, msg!("creating-tables"), async |c| create(tables, c).await)?;
    let counted = Counted::new(progress, 0);
    let next = AtomicU64::new(0);
    let streams = if tables.form.dialect == Dialect::Sqlite { 1 } else { streams.max(1) };
    let end = || next.store(tables.scale, Ordering::Relaxed);
    at_once(streams, end, || {
        unless_stopped(connector, msg!("loading"), stop, Duration::ZERO, async |c| {
            loop {
                let branch = next.fetch_add(1, Ordering::Relaxed);
                if branch >= tables.scale || stop.asked() {
                    return Ok(Ok(()));
                }
                accounts(tables.form.dialect, branch, &counted, c).await?;
                counted.keep(ACCOUNTS);
            }
        })
    })?;
    if stop.asked() {
        return Err(Problem::new(msg!("stopped-while-loading")));
    }
    with_connection(connector, msg!("loading"), async |c| finish(tables, c).await.map(Ok))
}

/// Creates the tables with their marks, and fills the small ones.
async fn create(tables: &Tables, c: &mut Connection) -> Result<Result<(), Problem>, Error> {
    let form = &tables.form;
    let existing = match catalogue::names(form.dialect, c, crate::schema::PREFIX).await? {
        Ok(existing) => existing,
        Err(problem) => return Ok(Err(problem)),
    };
    if let Some(name) = NAMES.into_iter().find(|name| existing.contains(*name)) {
        return Ok(Err(Problem::new(msg!("table-exists", table = name)).evidence(msg!("nothing-was-changed"))));
    }
    if let Err(problem) = mark::make_sure(form.dialect, c).await? {
        return Ok(Err(problem));
    }
    for name in NAMES {
        c.query(&form.create(name)).await?;
        mark::leave(c, name, ENTRY.kind, 0, "").await?;
    }
    for (table, all) in [("pgbench_branches", tables.scale), ("pgbench_tellers", tables.scale * TELLERS)] {
        for from in (1..=all).step_by(AT_ONCE as usize) {
            c.query(&form.small_rows(table, from, (from + AT_ONCE).min(all + 1))).await?;
        }
    }
    Ok(Ok(()))
}

/// What follows after all rows.
async fn finish(tables: &Tables, c: &mut Connection) -> Result<(), Error> {
    for sql in tables.form.finish() {
        c.query(&sql).await?;
    }
    for name in NAMES {
        match tables.form.dialect {
            Dialect::Postgres => optional(c, &format!("VACUUM ANALYZE {name}")).await?,
            Dialect::Mysql => optional(c, &format!("ANALYZE TABLE {name}")).await?,
            Dialect::Sqlite => optional(c, &format!("ANALYZE {name}")).await?,
        };
    }
    mark::all_complete(c, &NAMES).await
}

/// The accounts of a branch (from 0), in one transaction.
async fn accounts(dialect: Dialect, branch: u64, counted: &Counted<'_>, c: &mut Connection) -> Result<(), Error> {
    if dialect == Dialect::Postgres {
        let mut rows = AccountRows { next: branch * ACCOUNTS + 1, last: (branch + 1) * ACCOUNTS };
        c.load_local("COPY pgbench_accounts FROM STDIN", &mut rows).await?;
        counted.sent(ACCOUNTS);
        return Ok(());
    }
    c.query("BEGIN").await?;
    let mut sql = Vec::new();
    for from in (branch * ACCOUNTS + 1..=(branch + 1) * ACCOUNTS).step_by(AT_ONCE as usize) {
        sql.clear();
        sql.extend_from_slice(b"INSERT INTO pgbench_accounts (aid,bid,abalance,filler) VALUES ");
        for aid in from..from + AT_ONCE {
            sql.extend_from_slice(if aid == from { b"(" } else { b",(" });
            digits::push(&mut sql, aid as i64);
            sql.push(b',');
            digits::push(&mut sql, branch as i64 + 1);
            sql.extend_from_slice(b",0,'')");
        }
        c.query_bytes(&sql).await?;
        counted.sent(AT_ONCE);
    }
    c.query("COMMIT").await.map(|_| ())
}

/// Rows of accounts in the text form of COPY, as pgbench sends them: an empty filler, which the column pads.
pub(crate) struct AccountRows {
    pub next: u64,
    pub last: u64,
}

impl Source for AccountRows {
    fn fill(&mut self, out: &mut Vec<u8>) {
        let to = (self.next + 8_000).min(self.last + 1);
        for aid in self.next..to {
            digits::push(out, aid as i64);
            out.push(b'\t');
            digits::push(out, ((aid - 1) / ACCOUNTS + 1) as i64);
            out.extend_from_slice(b"\t0\t\n");
        }
        self.next = to;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_accounts() {
        let mut rows = AccountRows { next: 99_999, last: 100_001 };
        let mut out = Vec::new();
        rows.fill(&mut out);
        assert_eq!(String::from_utf8_lossy(&out), "99999\t1\t0\t\n100000\t1\t0\t\n100001\t2\t0\t\n");
        out.clear();
        rows.fill(&mut out);
        assert!(out.is_empty());
    }
}
