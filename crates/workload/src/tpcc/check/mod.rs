//! Carries out the checks: condition by condition and warehouse range by range, many connections at once.

mod conditions;

use crate::cold::with_connection;
use crate::dataset::{Checked, Progress};
use crate::dialect::Dialect;
use crate::stream::at_once;
use conditions::{ALL, Condition};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use tenbin_driver::{Connection, Connector, Error};
use tenbin_model::problem::Problem;
use tenbin_model::stop::StopSignal;

/// One statement to run.
#[derive(Debug, Clone, Copy)]
struct Task {
    condition: &'static Condition,
    /// First and last warehouse.
    range: (u64, u64),
}

/// Checks all conditions; 11 only when nothing has run since the load.
pub(super) fn check(
    dialect: Dialect,
    connector: &Connector,
    streams: u32,
    fresh: bool,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<Vec<Checked>, Problem> {
    let ground = with_connection(connector, "looking at the tables", async |c| look(c).await)?;
    let tasks: Vec<Task> =
        ALL.iter().filter(|c| fresh || !c.fresh).flat_map(|c| ranges(c, ground.warehouses)).collect();
    let found = Mutex::new(ALL.each_ref().map(|c| told(c, fresh)));
    let (next, rows) = (AtomicUsize::new(0), AtomicU64::new(0));
    let streams = if dialect == Dialect::Sqlite { 1 } else { streams.clamp(1, 64) };
    at_once(streams, || {
        with_connection(connector, "checking", async |c| {
            if dialect == Dialect::Postgres {
                // It cannot know how many groups come together here, and one by one they would take hours.
                c.query("SET enable_nestloop=off").await?;
            }
            while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop.asked() {
                    return Ok(Err(Problem::new("stopped while checking")));
                }
                let answer = run(task, &ground, c).await?;
                progress(rows.fetch_add(answer.rows, Ordering::Relaxed) + answer.rows);
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                let checked = &mut found[usize::from(task.condition.number) - 1];
                checked.rows += answer.rows;
                checked.wrong += answer.wrong;
                if checked.example.is_none() {
                    checked.example = answer.example.map(|key| task.condition.example(key, task.range));
                }
            }
            Ok(Ok(()))
        })
    })?;
    Ok(found.into_inner().unwrap_or_else(PoisonError::into_inner).into())
}

fn told(condition: &Condition, fresh: bool) -> Checked {
    Checked {
        name: format!("condition {}", condition.number),
        says: condition.says.to_owned(),
        rows: 0,
        wrong: 0,
        example: None,
        left_out: (condition.fresh && !fresh).then(|| "holds only until the first run on fresh tables".to_owned()),
    }
}

/// The ranges of warehouses that a condition's statement goes over.
fn ranges(condition: &'static Condition, warehouses: u64) -> Vec<Task> {
    let step = if condition.at_once == 0 { warehouses } else { condition.at_once };
    (1..=warehouses)
        .step_by(step.max(1) as usize)
        .map(|a| Task { condition, range: (a, (a + step - 1).min(warehouses)) })
        .collect()
}

/// What there is to check.
#[derive(Debug)]
struct Ground {
    warehouses: u64,
    /// The name of the table of new orders: go-tpc, HammerDB and BenchBase drop the s.
    new_orders: &'static str,
}

async fn look(c: &mut Connection) -> Result<Result<Ground, Problem>, Error> {
    let nothing = |evidence: String| {
        Problem::new("there are no tables of TPC-C to check")
            .evidence(evidence)
            .mend("load them: tenbin load tpcc DSN -o warehouses=N")
    };
    let warehouses = match c.table("SELECT COUNT(*), MAX(w_id) FROM warehouse").await {
        Ok(table) => table.rows.first().cloned().unwrap_or_default(),
        Err(error) => return Ok(Err(nothing(error.to_string()))),
    };
    let number = |at: usize| warehouses.get(at).cloned().flatten().and_then(|n| n.parse::<u64>().ok());
    let (count, last) = (number(0).unwrap_or(0), number(1).unwrap_or(0));
    if count == 0 {
        return Ok(Err(nothing("the table warehouse is empty".into())));
    }
    if count != last {
        let evidence = format!("{count} warehouses are there, the last has number {last}");
        return Ok(Err(Problem::new("the warehouses are not numbered from 1 without gaps").evidence(evidence)));
    }
    for new_orders in ["new_orders", "new_order"] {
        if c.table(&format!("SELECT no_o_id FROM {new_orders} LIMIT 1")).await.is_ok() {
            return Ok(Ok(Ground { warehouses: count, new_orders }));
        }
    }
    Ok(Err(nothing("there is neither a table new_orders nor new_order".into())))
}

/// What one statement came to.
#[derive(Debug)]
struct Answer {
    rows: u64,
    wrong: u64,
    example: Option<u64>,
}

async fn run(task: &Task, ground: &Ground, c: &mut Connection) -> Result<Answer, Error> {
    let (a, b) = task.range;
    let sql = task.condition.sql.replace("{new_orders}", ground.new_orders);
    let sql = sql.replace("{a}", &a.to_string()).replace("{b}", &b.to_string());
    let table = c.table(&sql).await?;
    let row = table.rows.first().cloned().unwrap_or_default();
    let number = |at: usize| row.get(at).cloned().flatten().and_then(|n| n.split('.').next()?.parse::<u64>().ok());
    Ok(Answer {
        rows: number(0).unwrap_or(0),
        // A range without a single row is not a condition that holds.
        wrong: number(1).unwrap_or(1),
        example: number(2),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_each_warehouse_once() {
        for condition in &ALL {
            for warehouses in [1, 7, 100, 101] {
                let seen: Vec<u64> = ranges(condition, warehouses).iter().flat_map(|t| t.range.0..=t.range.1).collect();
                assert_eq!(seen, (1..=warehouses).collect::<Vec<_>>());
            }
        }
    }
}
