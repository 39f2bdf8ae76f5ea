//! Condition 10 on many warehouses. History has no index: a statement per range of warehouses would read all of it for
//! each range, four times as much for twice the warehouses. So history is read once, into a few sums for each district,
//! and the customers' side is summed up in the same way, range by range.
//!
//! The sums are of money times a weight, which is derived from each customer's number with a key that is new for each
//! check (as Freivalds verifies a product of matrices). If every customer's balance is right, the sums are always
//! equal. If some are wrong, two sums with weights below a million and independent keys agree by chance about once in
//! 10¹²; where they differ, the exact statement counts the customers.

use super::ground::Ground;
use std::collections::BTreeMap;
use std::hash::{BuildHasher, RandomState};
use tenbin_driver::{Connection, Error};
use tenbin_workload::Random;

/// With more ranges than this, reading history once is faster than reading it for each range.
pub(super) const READS: usize = 8;

/// Weights are smaller than this prime, so that 9·10¹² cents of a district fit 64 bits in a database without decimals.
const BELOW: u64 = 1_000_003;

/// Two weights of a customer's number, as SQL.
#[derive(Debug)]
pub(super) struct Weights([[u64; 4]; 2]);

impl Weights {
    /// Random weights, which no data can have been prepared for.
    pub(super) fn drawn() -> Weights {
        Weights::of(RandomState::new().hash_one("weights"))
    }

    fn of(seed: u64) -> Weights {
        let mut random = Random::new(seed, 0);
        // Factors above 32 bits, so that PostgreSQL computes with 64 bits; a product of two remainders stays below 63
        // bits.
        Weights([[(); 4]; 2].map(|key| key.map(|()| (1 << 33) + random.below(1 << 33))))
    }

    fn sql(&self, which: usize, customer: &str) -> String {
        let [a, b, c, d] = self.0[which];
        format!("((({customer} * {a} + {b}) % 2147483647) * (({customer} * {c} + {d}) % 2147483629) % {BELOW})")
    }
}

/// What was paid in each district, by warehouse and district: both sums as the database writes them, and how many
/// times.
pub(super) type Paid = BTreeMap<(u64, u64), (String, String, u64)>;

/// Reads history once.
pub(super) async fn paid(weights: &Weights, ground: &Ground, c: &mut Connection) -> Result<Paid, Error> {
    let [first, second] = [0, 1].map(|n| weights.sql(n, "h_c_id"));
    let sql = format!(
        "SELECT h_c_w_id, h_c_d_id, SUM(h_amount * {first}), SUM(h_amount * {second}), COUNT(*) FROM history \
         WHERE h_c_w_id BETWEEN 1 AND {} AND h_c_id IS NOT NULL AND h_amount IS NOT NULL GROUP BY h_c_w_id, h_c_d_id",
        ground.warehouses
    );
    let table = c.table(&ground.set.sql(&sql)).await?;
    let row = |row: &Vec<Option<String>>| {
        let number = |at: usize| row.get(at)?.as_ref()?.parse::<u64>().ok();
        let sum = |at: usize| row.get(at)?.clone();
        Some(((number(0)?, number(1)?), (sum(2)?, sum(3)?, number(4)?)))
    };
    Ok(table.rows.iter().filter_map(row).collect())
}

/// Sums up the customers of these warehouses. Returns the rows examined for this and for the payments, and whether all
/// of their districts agree.
pub(super) async fn agree(
    weights: &Weights,
    paid: &Paid,
    (a, b): (u64, u64),
    ground: &Ground,
    c: &mut Connection,
) -> Result<(u64, bool), Error> {
    let within = || paid.range((a, 0)..=(b, u64::MAX));
    let each = within()
        .map(|((w, d), (first, second, _))| format!("SELECT {w} AS w, {d} AS d, {first} AS p1, {second} AS p2"));
    let known = each.collect::<Vec<_>>().join(" UNION ALL ");
    if known.is_empty() {
        return Ok((0, false));
    }
    let [first, second] = [0, 1].map(|n| weights.sql(n, "c_id"));
    let sql = format!(
        "SELECT SUM(n), SUM(CASE WHEN owed_1 + p1 = 0 AND owed_2 + p2 = 0 AND known = people THEN 0 ELSE 1 END) FROM \
         (SELECT c_w_id, c_d_id, SUM(COALESCE(l_n, 0) + 1) AS n, COUNT(*) AS people, COUNT(c_balance) AS known, \
         SUM((c_balance - COALESCE(got, 0)) * {first}) AS owed_1, SUM((c_balance - COALESCE(got, 0)) * {second}) AS owed_2 \
         FROM customer LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS got, COUNT(*) AS l_n \
         FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
         WHERE o_w_id BETWEEN {a} AND {b} AND ol_w_id BETWEEN {a} AND {b} AND ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id) AS l \
         ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id WHERE c_w_id BETWEEN {a} AND {b} \
         GROUP BY c_w_id, c_d_id) AS x LEFT JOIN ({known}) AS k ON w = c_w_id AND d = c_d_id"
    );
    let table = c.table(&ground.set.sql(&sql)).await?;
    let number = |at: usize| table.rows.first()?.get(at)?.as_ref()?.split('.').next()?.parse::<u64>().ok();
    let rows = number(0).unwrap_or(0) + within().map(|(_, (_, _, n))| n).sum::<u64>();
    Ok((rows, number(1) == Some(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_differ_from_customer_to_customer_and_from_key_to_key() {
        let value =
            |[a, b, c, d]: [u64; 4], x: u64| ((x * a + b) % 2_147_483_647) * ((x * c + d) % 2_147_483_629) % BELOW;
        let mut values = std::collections::BTreeSet::new();
        for seed in 0..4 {
            let Weights([first, second]) = Weights::of(seed);
            values.extend((1..=3000).flat_map(|x| [value(first, x), value(second, x)]));
        }
        // 24,000 draws from a million: all but a few hundred are different ones.
        assert!(values.len() > 23_400, "{}", values.len());
        assert_ne!(Weights::drawn().0, Weights::drawn().0);
        assert!(Weights::of(1).sql(0, "c_id").starts_with("(((c_id * "));
    }
}
