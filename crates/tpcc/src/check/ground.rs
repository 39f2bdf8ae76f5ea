//! What can be checked: the sets of tables, the number of warehouses of each, and the name of its table of new orders.

use super::super::set::Set;
use tenbin_driver::{Connection, Error};
use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;
use tenbin_words::problem::Problem;

/// What can be checked in one set of tables.
#[derive(Debug)]
pub(super) struct Ground {
    pub(super) set: Set,
    pub(super) warehouses: u64,
    /// The name of the table of new orders: go-tpc, HammerDB and BenchBase drop the s.
    pub(super) new_orders: &'static str,
}

/// Reads these sets; if the only one is requested and does not exist, those that exist.
pub(super) async fn read(sets: &[Set], c: &mut Connection) -> Result<Result<Vec<Ground>, Problem>, Error> {
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

/// Whether the set's table of warehouses exists.
async fn there(set: Set, c: &mut Connection) -> bool {
    c.table(&set.sql("SELECT w_id FROM warehouse LIMIT 1")).await.is_ok()
}

async fn of_set(set: Set, c: &mut Connection) -> Result<Result<Ground, Problem>, Error> {
    let nothing = |evidence: Message| {
        Problem::new(msg!("no-tpcc-tables")).evidence(evidence).hint(msg!("load-tpcc-with-warehouses", dsn = "DSN"))
    };
    let name = set.named("warehouse");
    let warehouses = match c.table(&format!("SELECT COUNT(*), MAX(w_id) FROM {name}")).await {
        Ok(table) => table.rows.first().cloned().unwrap_or_default(),
        Err(error) => return Ok(Err(nothing(foreign(&error)))),
    };
    let number = |at: usize| warehouses.get(at).cloned().flatten().and_then(|n| n.parse::<u64>().ok());
    let (count, last) = (number(0).unwrap_or(0), number(1).unwrap_or(0));
    if count == 0 {
        return Ok(Err(nothing(msg!("table-is-empty", table = name))));
    }
    if count != last {
        let evidence = msg!("warehouses-and-last", count, last);
        return Ok(Err(Problem::new(msg!("warehouses-with-gaps")).evidence(evidence)));
    }
    for new_orders in ["new_orders", "new_order"] {
        if c.table(&format!("SELECT no_o_id FROM {} LIMIT 1", set.named(new_orders))).await.is_ok() {
            return Ok(Ok(Ground { set, warehouses: count, new_orders }));
        }
    }
    let [ours, theirs] = ["new_orders", "new_order"].map(|n| set.named(n));
    Ok(Err(nothing(msg!("neither-of-two-tables", ours, theirs))))
}
