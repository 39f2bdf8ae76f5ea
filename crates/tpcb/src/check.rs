//! Whether the balances agree: what TPC-B demands of a database that claims to keep transactions (clause 2.3, consistency).
//!
//! Every transaction adds one amount to an account, a teller and a branch, and writes it into the history, so each balance is the sum of its
//! amounts. Two things are legitimate and make that untrue: simple-update leaves tellers and branches as they are, and pgbench empties the
//! history before a run. Both are recorded in our mark ([`note`]), and the conditions that they touch are then left out, with the reason.

use crate::{ENTRY, Tables};
use std::time::Duration;
use std::time::Instant;
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::stop::StopSignal;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::tables::admin::unless_stopped;
use tenbin_workload::{Checked, Examined};

/// What happened to the tables since they were loaded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Past {
    /// Amounts were added to accounts and to the history only.
    SimpleUpdates = 1,
    /// Rows of the history were removed.
    HistoryEmptied = 2,
}

/// Records it, if the tables are ours. Kept in the column of the mark that counts rows, of which the history has none at first.
pub async fn note(past: Past, c: &mut Connection) -> Result<(), Error> {
    let (bit, without) = match past {
        Past::SimpleUpdates => (1, "0, 2"),
        Past::HistoryEmptied => (2, "0, 1"),
    };
    let sql = format!(
        "UPDATE tenbin_mark SET size_rows = size_rows + {bit} WHERE name='pgbench_history' AND dataset='{}' AND size_rows IN ({without})",
        ENTRY.kind
    );
    c.query(&sql).await.map(|_| ())
}

/// One condition.
struct Condition {
    says: &'static str,
    /// Selects the number of violations, and an example.
    sql: String,
    /// What of the past makes it untrue.
    untrue_after: &'static [Past],
}

fn conditions() -> Vec<Condition> {
    let with_history = |table: &str, key: &str, balance: &str| {
        format!(
            "SELECT COUNT(*), MIN(t.{key}) FROM {table} t LEFT JOIN \
             (SELECT {key}, SUM(delta) AS total FROM pgbench_history GROUP BY {key}) h ON h.{key} = t.{key} \
             WHERE t.{balance} <> COALESCE(h.total, 0)"
        )
    };
    vec![
        Condition {
            says: "the balance of each account is the sum of its amounts in the history",
            sql: with_history("pgbench_accounts", "aid", "abalance"),
            untrue_after: &[Past::HistoryEmptied],
        },
        Condition {
            says: "the balance of each teller is the sum of its amounts in the history",
            sql: with_history("pgbench_tellers", "tid", "tbalance"),
            untrue_after: &[Past::HistoryEmptied, Past::SimpleUpdates],
        },
        Condition {
            says: "the balance of each branch is the sum of its amounts in the history",
            sql: with_history("pgbench_branches", "bid", "bbalance"),
            untrue_after: &[Past::HistoryEmptied, Past::SimpleUpdates],
        },
        Condition {
            says: "the balances of all tellers together are those of all branches",
            sql: "SELECT CASE WHEN (SELECT SUM(tbalance) FROM pgbench_tellers) = (SELECT SUM(bbalance) FROM pgbench_branches) \
                  THEN 0 ELSE 1 END, NULL"
                .to_owned(),
            untrue_after: &[],
        },
        Condition {
            says: "the balances of all accounts together are those of all branches",
            sql: "SELECT CASE WHEN (SELECT SUM(abalance) FROM pgbench_accounts) = (SELECT SUM(bbalance) FROM pgbench_branches) \
                  THEN 0 ELSE 1 END, NULL"
                .to_owned(),
            untrue_after: &[Past::SimpleUpdates],
        },
    ]
}

/// Checks all conditions, one after the other.
pub(crate) fn check(
    tables: &Tables,
    connector: &Connector,
    _fresh: bool,
    progress: Examined<'_>,
    stop: &StopSignal,
) -> Result<Vec<Checked>, Problem> {
    unless_stopped(connector, msg!("checking"), stop, Duration::ZERO, async |c| {
        let past = past(c).await?;
        let all = conditions();
        let rows = tables.scale * crate::ACCOUNTS;
        let mut checked = Vec::new();
        for (n, condition) in all.iter().enumerate() {
            checked.push(one(n + 1, condition, past, rows, c).await?);
            progress(rows * (n as u64 + 1) / all.len() as u64, rows);
        }
        Ok(Ok(checked))
    })
}

async fn one(number: usize, condition: &Condition, past: u64, rows: u64, c: &mut Connection) -> Result<Checked, Error> {
    let mut checked = Checked {
        name: format!("condition {number}"),
        says: condition.says.to_owned(),
        rows,
        wrong: 0,
        example: None,
        took: Duration::ZERO,
        left_out: None,
    };
    if let Some(reason) = condition.untrue_after.iter().find(|of| past & (**of as u64) != 0) {
        checked.rows = 0;
        checked.left_out = Some(match reason {
            Past::SimpleUpdates => "simple_update has run, which leaves tellers and branches as they are".to_owned(),
            Past::HistoryEmptied => "pgbench has emptied the history".to_owned(),
        });
        return Ok(checked);
    }
    let start = Instant::now();
    let row = c.table(&condition.sql).await?.rows.into_iter().next().unwrap_or_default();
    let value = |n: usize| row.get(n).cloned().flatten();
    // Whatever is not a number is no agreement.
    checked.wrong = value(0).and_then(|n| n.parse().ok()).unwrap_or(1);
    checked.example = value(1).map(|key| format!("number {key}"));
    checked.took = start.elapsed();
    Ok(checked)
}

/// What is recorded of the past; of tables that are not ours nothing is known.
async fn past(c: &mut Connection) -> Result<u64, Error> {
    let sql = format!("SELECT size_rows FROM tenbin_mark WHERE name='pgbench_history' AND dataset='{}'", ENTRY.kind);
    match c.table(&sql).await {
        Ok(table) => Ok(table.scalar().and_then(|n| n.parse().ok()).unwrap_or(0)),
        Err(error) if error.class() == tenbin_driver::Class::Sql => Ok(0),
        Err(error) => Err(error),
    }
}
