//! Determines what exists and whose it is, and drops what is ours.

use crate::schema::{DROPPED_IN_ORDER, NAMES, PREFIX, columns};
use crate::{ACCOUNTS, ENTRY, Tables};
use std::collections::HashSet;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_words::message::Message;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_words::shell;
use tenbin_workload::DatasetState;
use tenbin_workload::tables::admin::with_connection;
use tenbin_workload::tables::catalogue::{self, Catalogue};
use tenbin_workload::tables::dialect::Dialect;
use tenbin_workload::tables::mark;

/// Those of the tables that carry our mark and have the columns that we create.
pub(crate) async fn ours(catalogue: &Catalogue, c: &mut Connection) -> Result<Result<HashSet<String>, Problem>, Error> {
    let marked = match mark::read(c, catalogue).await? {
        Ok(marked) => marked,
        Err(problem) => return Ok(Err(problem)),
    };
    let ours = marked.into_iter().filter(|m| m.dataset == ENTRY.kind).map(|m| m.name);
    let ours = ours.filter(|name| {
        let shape = NAMES.contains(&name.as_str()).then(|| catalogue.get(name)).flatten();
        shape.is_some_and(|table| catalogue::misshapen(name, table, columns(name)).is_none())
    });
    Ok(Ok(ours.collect()))
}

pub(crate) fn inspect(tables: &Tables, connector: &Connector) -> Result<DatasetState, Problem> {
    with_connection(connector, msg!("looking-at-tables"), async |c| {
        if c.server_version().contains("null-server") {
            return Ok(Ok(DatasetState::Ready { ours: false }));
        }
        let dialect = tables.form.dialect;
        let catalogue = match catalogue::read(dialect, c, PREFIX).await? {
            Ok(catalogue) => catalogue,
            Err(problem) => return Ok(Err(problem)),
        };
        let present: Vec<&str> = NAMES.into_iter().filter(|name| catalogue.contains_key(*name)).collect();
        if present.is_empty() {
            return Ok(Ok(DatasetState::Nothing));
        }
        let ours = match ours(&catalogue, c).await? {
            Ok(ours) => present.iter().all(|name| ours.contains(*name)),
            Err(problem) => return Ok(Err(problem)),
        };
        let problem = match shape(&catalogue).or(unfinished(&catalogue, c).await?) {
            None => size(tables, c).await?,
            problem => problem,
        };
        Ok(Ok(match problem {
            None => DatasetState::Ready { ours },
            Some(problem) => {
                let (address, scale) = (shell::quoted(&connector.dsn().to_string()), tables.scale);
                let hint =
                    if ours { msg!("load-tpcb-again", address, scale) } else { msg!("use-another-schema-for-tpcb") };
                DatasetState::Different { ours, problem: problem.hint(hint) }
            }
        }))
    })
}

/// A table that is missing or has other columns.
fn shape(catalogue: &Catalogue) -> Option<Problem> {
    NAMES.into_iter().find_map(|name| match catalogue.get(name) {
        None => Some(Problem::new(msg!("table-is-missing", table = name))),
        Some(table) => catalogue::misshapen(name, table, columns(name)),
    })
}

/// A table whose load was interrupted.
async fn unfinished(catalogue: &Catalogue, c: &mut Connection) -> Result<Option<Problem>, Error> {
    let Ok(marked) = mark::read(c, catalogue).await? else { return Ok(None) };
    Ok(marked.iter().find(|m| !m.complete && NAMES.contains(&m.name.as_str())).map(|m| {
        Problem::new(msg!("table-not-loaded-to-end", table = m.name))
            .evidence(msg!("mark-says-unfinished", mark = mark::NAME))
    }))
}

/// Compares the number of branches and the last account with the scale.
async fn size(tables: &Tables, c: &mut Connection) -> Result<Option<Problem>, Error> {
    let sql = "SELECT (SELECT COUNT(*) FROM pgbench_branches), (SELECT COUNT(*) FROM pgbench_tellers), \
               (SELECT MAX(aid) FROM pgbench_accounts)";
    let row = c.table(sql).await?.rows.into_iter().next().unwrap_or_default();
    let number = |n: usize| row.get(n).cloned().flatten().and_then(|v| v.parse::<u64>().ok()).unwrap_or(0);
    let (branches, accounts) = (number(0), number(2));
    if branches == tables.scale && accounts == tables.scale * ACCOUNTS {
        return Ok(None);
    }
    Ok(Some(Problem::new(msg!("tpcb-of-another-scale", scale = tables.scale)).evidence(msg!(
        "tpcb-found",
        branches,
        accounts
    ))))
}

/// Drops the tables if all that exist are ours; refuses otherwise.
pub(crate) fn drop_ours(connector: &Connector) -> Result<(), Problem> {
    let dialect = Dialect::of(connector.dsn().scheme);
    with_connection(connector, msg!("dropping-our-tables"), async |c| {
        let catalogue = match catalogue::read(dialect, c, PREFIX).await? {
            Ok(catalogue) => catalogue,
            Err(problem) => return Ok(Err(problem)),
        };
        let ours = match ours(&catalogue, c).await? {
            Ok(ours) => ours,
            Err(problem) => return Ok(Err(problem)),
        };
        if let Some(foreign) = NAMES.into_iter().find(|name| catalogue.contains_key(*name) && !ours.contains(*name)) {
            return Ok(Err(not_ours(foreign)));
        }
        let names: Vec<String> =
            DROPPED_IN_ORDER.into_iter().filter(|name| catalogue.contains_key(*name)).map(str::to_owned).collect();
        mark::drop_named(c, catalogue.get(mark::NAME), &names, &|_| ()).await.map(Ok)
    })
}

/// A table that exists and does not carry our mark.
pub(crate) fn not_ours(table: &str) -> Problem {
    Problem::new(msg!("table-not-ours", table)).evidence(no_mark_of(table))
}

/// What shows that a table is not ours.
pub(crate) fn no_mark_of(table: &str) -> Message {
    msg!("no-row-in-mark", mark = mark::NAME, table)
}
