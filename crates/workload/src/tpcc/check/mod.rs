//! Carries out the checks: condition by condition and warehouse range by range, many connections at once.

mod conditions;

use super::Tables;
use super::set::Set;
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
struct Task<'g> {
    condition: &'static Condition,
    ground: &'g Ground,
    /// First and last warehouse.
    range: (u64, u64),
}

/// Checks all conditions; 11 only when nothing has run since the load.
pub(super) fn check(
    tables: &Tables,
    connector: &Connector,
    streams: u32,
    fresh: bool,
    progress: Progress<'_>,
    stop: &StopSignal,
) -> Result<Vec<Checked>, Problem> {
    let dialect = tables.form.dialect;
    let grounds = with_connection(connector, "looking at the tables", async |c| look(&tables.sets, c).await)?;
    let conditions = ALL.iter().filter(|c| fresh || !c.fresh);
    let tasks: Vec<Task<'_>> = conditions.flat_map(|c| grounds.iter().flat_map(move |g| ranges(c, g))).collect();
    let found = Mutex::new(ALL.each_ref().map(|c| told(c, fresh)));
    let (next, rows) = (AtomicUsize::new(0), AtomicU64::new(0));
    let streams = if dialect == Dialect::Sqlite { 1 } else { streams.clamp(1, 64) };
    at_once(
        streams,
        || (),
        || {
            with_connection(connector, "checking", async |c| {
                if dialect == Dialect::Postgres {
                    // It cannot know how many groups come together here, and one by one they would take hours.
                    c.query("SET enable_nestloop=off").await?;
                }
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if stop.asked() {
                        return Ok(Err(Problem::new("stopped while checking")));
                    }
                    let answer = run(task, c).await?;
                    progress(rows.fetch_add(answer.rows, Ordering::Relaxed) + answer.rows);
                    let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                    let checked = &mut found[usize::from(task.condition.number) - 1];
                    checked.rows += answer.rows;
                    checked.wrong += answer.wrong;
                    if checked.example.is_none() {
                        let of_set = if grounds.len() > 1 { format!("{}, ", task.ground.set) } else { String::new() };
                        let example = |key| format!("{of_set}{}", task.condition.example(key, task.range));
                        checked.example = answer.example.map(example);
                    }
                }
                Ok(Ok(()))
            })
        },
    )?;
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
fn ranges<'g>(condition: &'static Condition, ground: &'g Ground) -> impl Iterator<Item = Task<'g>> {
    let last = ground.warehouses;
    let step = if condition.at_once == 0 { last } else { condition.at_once };
    (1..=last).step_by(step.max(1) as usize).map(move |a| Task {
        condition,
        ground,
        range: (a, (a + step - 1).min(last)),
    })
}

/// What there is to check of one set of tables.
#[derive(Debug)]
struct Ground {
    set: Set,
    warehouses: u64,
    /// The name of the table of new orders: go-tpc, HammerDB and BenchBase drop the s.
    new_orders: &'static str,
}

/// Looks at these sets; where the only one is asked for and is not there, at those that are.
async fn look(sets: &[Set], c: &mut Connection) -> Result<Result<Vec<Ground>, Problem>, Error> {
    let first = match of_set(sets[0], c).await? {
        Err(problem) if sets == [Set::ALONE] => {
            let mut grounds = Vec::new();
            for number in 1.. {
                match of_set(Set::numbered(number), c).await? {
                    Ok(ground) => grounds.push(ground),
                    Err(_) if !there(Set::numbered(number), c).await => break,
                    Err(problem) => return Ok(Err(problem)),
                }
            }
            return Ok(if grounds.is_empty() { Err(problem) } else { Ok(grounds) });
        }
        Err(problem) => return Ok(Err(problem)),
        Ok(ground) => ground,
    };
    let mut grounds = vec![first];
    for set in &sets[1..] {
        match of_set(*set, c).await? {
            Ok(ground) => grounds.push(ground),
            Err(problem) => return Ok(Err(problem)),
        }
    }
    Ok(Ok(grounds))
}

/// Whether the set has a table of warehouses.
async fn there(set: Set, c: &mut Connection) -> bool {
    c.table(&set.sql("SELECT w_id FROM warehouse LIMIT 1")).await.is_ok()
}

async fn of_set(set: Set, c: &mut Connection) -> Result<Result<Ground, Problem>, Error> {
    let nothing = |evidence: String| {
        Problem::new("there are no tables of TPC-C to check")
            .evidence(evidence)
            .mend("load them: tenbin load tpcc DSN -o warehouses=N")
    };
    let name = set.named("warehouse");
    let warehouses = match c.table(&format!("SELECT COUNT(*), MAX(w_id) FROM {name}")).await {
        Ok(table) => table.rows.first().cloned().unwrap_or_default(),
        Err(error) => return Ok(Err(nothing(error.to_string()))),
    };
    let number = |at: usize| warehouses.get(at).cloned().flatten().and_then(|n| n.parse::<u64>().ok());
    let (count, last) = (number(0).unwrap_or(0), number(1).unwrap_or(0));
    if count == 0 {
        return Ok(Err(nothing(format!("the table {name} is empty"))));
    }
    if count != last {
        let evidence = format!("{count} warehouses are there, the last has number {last}");
        return Ok(Err(Problem::new("the warehouses are not numbered from 1 without gaps").evidence(evidence)));
    }
    for new_orders in ["new_orders", "new_order"] {
        if c.table(&format!("SELECT no_o_id FROM {} LIMIT 1", set.named(new_orders))).await.is_ok() {
            return Ok(Ok(Ground { set, warehouses: count, new_orders }));
        }
    }
    let [ours, theirs] = ["new_orders", "new_order"].map(|n| set.named(n));
    Ok(Err(nothing(format!("there is neither a table {ours} nor {theirs}"))))
}

/// What one statement came to.
#[derive(Debug)]
struct Answer {
    rows: u64,
    wrong: u64,
    example: Option<u64>,
}

async fn run(task: &Task<'_>, c: &mut Connection) -> Result<Answer, Error> {
    let (a, b) = task.range;
    let sql = task.condition.sql.replace("{new_orders}", task.ground.new_orders);
    let sql = sql.replace("{a}", &a.to_string()).replace("{b}", &b.to_string());
    let table = c.table(&task.ground.set.sql(&sql)).await?;
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
                let ground = Ground { set: Set::ALONE, warehouses, new_orders: "new_orders" };
                let seen: Vec<u64> = ranges(condition, &ground).flat_map(|t| t.range.0..=t.range.1).collect();
                assert_eq!(seen, (1..=warehouses).collect::<Vec<_>>());
            }
        }
    }
}
