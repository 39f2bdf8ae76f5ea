//! The twelve consistency conditions (clause 3.3.2) as SQL. Each statement reads its tables once, grouped, and returns
//! one row: how many rows were examined, how many violate the condition, and one of them. A comparison with NULL counts
//! as a violation: every `CASE` lists what is right, and everything else is wrong.
//!
//! The range of warehouses is given for each table separately: PostgreSQL does not transfer it from one side of a join
//! to the other, and would read all of the other table for each range.

/// One condition.
#[derive(Debug)]
pub(super) struct Condition {
    /// Its number in the clause.
    pub(super) number: u8,
    /// Its text.
    pub(super) says: &'static str,
    /// How many warehouses one statement covers.
    pub(super) reach: Reach,
    /// The rows that it examines per warehouse of a fresh population.
    pub(super) rows: u64,
    /// Whether it applies to a fresh population only.
    pub(super) fresh: bool,
    /// The statement, with `{a}` and `{b}` for the first and last warehouse and `{new_orders}` for that table.
    pub(super) sql: &'static str,
}

/// How many warehouses one statement covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// This many: all its tables have an index that starts with the warehouse.
    Each(u64),
    /// All of them: history has no index and is read once.
    Whole,
}

impl Reach {
    /// The number for this many warehouses in all; never 0.
    pub(super) fn warehouses(self, all: u64) -> u64 {
        match self {
            Reach::Each(n) => n,
            Reach::Whole => all.max(1),
        }
    }
}

const fn condition(number: u8, reach: Reach, rows: u64, says: &'static str, sql: &'static str) -> Condition {
    Condition { number, says, reach, rows, fresh: number == 11, sql }
}

use Reach::{Each, Whole};

/// All twelve, in order.
pub(super) const ALL: [Condition; 12] = [
    condition(
        1,
        Each(100),
        11,
        "w_ytd is the sum of d_ytd of its districts",
        "SELECT SUM(COALESCE(n, 0) + 1), SUM(CASE WHEN w_ytd = total THEN 0 ELSE 1 END), \
         MIN(CASE WHEN w_ytd = total THEN NULL ELSE w_id END) \
         FROM warehouse LEFT JOIN (SELECT d_w_id, SUM(d_ytd) AS total, COUNT(*) AS n FROM district \
         WHERE d_w_id BETWEEN {a} AND {b} GROUP BY d_w_id) AS d ON d_w_id = w_id WHERE w_id BETWEEN {a} AND {b}",
    ),
    condition(
        2,
        Each(10),
        39_010,
        "d_next_o_id is one more than the district's last order and last new order",
        "SELECT SUM(COALESCE(o_n, 0) + COALESCE(no_n, 0) + 1), \
         SUM(CASE WHEN d_next_o_id - 1 = o_last AND (no_n IS NULL OR no_last = o_last) THEN 0 ELSE 1 END), \
         MIN(CASE WHEN d_next_o_id - 1 = o_last AND (no_n IS NULL OR no_last = o_last) THEN NULL ELSE d_w_id * 100 + d_id END) \
         FROM district LEFT JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS o_last, COUNT(*) AS o_n FROM orders \
         WHERE o_w_id BETWEEN {a} AND {b} GROUP BY o_w_id, o_d_id) AS o ON o_w_id = d_w_id AND o_d_id = d_id \
         LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS no_last, COUNT(*) AS no_n FROM {new_orders} \
         WHERE no_w_id BETWEEN {a} AND {b} GROUP BY no_w_id, no_d_id) AS n ON no_w_id = d_w_id AND no_d_id = d_id \
         WHERE d_w_id BETWEEN {a} AND {b}",
    ),
    condition(
        3,
        Each(10),
        9_000,
        "new orders of a district have no gaps",
        "SELECT COALESCE(SUM(n), 0), COALESCE(SUM(CASE WHEN no_last - no_first + 1 = n THEN 0 ELSE 1 END), 0), \
         MIN(CASE WHEN no_last - no_first + 1 = n THEN NULL ELSE w * 100 + d END) FROM (SELECT no_w_id AS w, no_d_id AS d, \
         MAX(no_o_id) AS no_last, MIN(no_o_id) AS no_first, COUNT(*) AS n FROM {new_orders} \
         WHERE no_w_id BETWEEN {a} AND {b} GROUP BY no_w_id, no_d_id) AS x",
    ),
    condition(
        4,
        Each(1),
        330_010,
        "the lines that a district's orders tell of are there",
        "SELECT SUM(COALESCE(o_n, 0) + COALESCE(line_n, 0) + 1), SUM(CASE WHEN told = line_n THEN 0 ELSE 1 END), \
         MIN(CASE WHEN told = line_n THEN NULL ELSE d_w_id * 100 + d_id END) \
         FROM district LEFT JOIN (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS told, COUNT(*) AS o_n FROM orders \
         WHERE o_w_id BETWEEN {a} AND {b} GROUP BY o_w_id, o_d_id) AS o ON o_w_id = d_w_id AND o_d_id = d_id \
         LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS line_n FROM order_line \
         WHERE ol_w_id BETWEEN {a} AND {b} GROUP BY ol_w_id, ol_d_id) AS l ON ol_w_id = d_w_id AND ol_d_id = d_id \
         WHERE d_w_id BETWEEN {a} AND {b}",
    ),
    condition(
        5,
        Each(1),
        39_000,
        "an order has no carrier exactly while it is a new order",
        "SELECT SUM(n), SUM(wrong), MIN(example) FROM (SELECT COUNT(*) AS n, \
         SUM(CASE WHEN (o_carrier_id IS NULL AND no_o_id IS NOT NULL) OR (o_carrier_id IS NOT NULL AND no_o_id IS NULL) \
         THEN 0 ELSE 1 END) AS wrong, \
         MIN(CASE WHEN (o_carrier_id IS NULL AND no_o_id IS NOT NULL) OR (o_carrier_id IS NOT NULL AND no_o_id IS NULL) \
         THEN NULL ELSE o_id END) AS example \
         FROM orders LEFT JOIN {new_orders} ON no_w_id = o_w_id AND no_d_id = o_d_id AND no_o_id = o_id AND no_w_id BETWEEN {a} AND {b} \
         WHERE o_w_id BETWEEN {a} AND {b} \
         UNION ALL SELECT COUNT(*), SUM(CASE WHEN o_id IS NOT NULL THEN 0 ELSE 1 END), \
         MIN(CASE WHEN o_id IS NOT NULL THEN NULL ELSE no_o_id END) \
         FROM {new_orders} LEFT JOIN orders ON o_w_id = no_w_id AND o_d_id = no_d_id AND o_id = no_o_id AND o_w_id BETWEEN {a} AND {b} \
         WHERE no_w_id BETWEEN {a} AND {b}) AS x",
    ),
    condition(
        6,
        Each(1),
        330_000,
        "each order has as many lines as it tells",
        "SELECT SUM(COALESCE(n, 0) + 1), SUM(CASE WHEN o_ol_cnt = n THEN 0 ELSE 1 END), \
         MIN(CASE WHEN o_ol_cnt = n THEN NULL ELSE o_id END) FROM orders LEFT JOIN (SELECT ol_w_id, ol_d_id, ol_o_id, \
         COUNT(*) AS n FROM order_line WHERE ol_w_id BETWEEN {a} AND {b} GROUP BY ol_w_id, ol_d_id, ol_o_id) AS l \
         ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id WHERE o_w_id BETWEEN {a} AND {b}",
    ),
    condition(
        7,
        Each(1),
        300_000,
        "a line has no delivery date exactly while its order has no carrier",
        "SELECT COUNT(*), SUM(CASE WHEN o_id IS NOT NULL AND ((ol_delivery_d IS NULL AND o_carrier_id IS NULL) \
         OR (ol_delivery_d IS NOT NULL AND o_carrier_id IS NOT NULL)) THEN 0 ELSE 1 END), \
         MIN(CASE WHEN o_id IS NOT NULL AND ((ol_delivery_d IS NULL AND o_carrier_id IS NULL) \
         OR (ol_delivery_d IS NOT NULL AND o_carrier_id IS NOT NULL)) THEN NULL ELSE ol_o_id END) \
         FROM order_line LEFT JOIN orders ON o_w_id = ol_w_id AND o_d_id = ol_d_id AND o_id = ol_o_id AND o_w_id BETWEEN {a} AND {b} \
         WHERE ol_w_id BETWEEN {a} AND {b}",
    ),
    condition(
        8,
        Whole,
        30_001,
        "w_ytd is the sum of what was paid at the warehouse",
        "SELECT SUM(COALESCE(n, 0) + 1), SUM(CASE WHEN w_ytd = paid THEN 0 ELSE 1 END), \
         MIN(CASE WHEN w_ytd = paid THEN NULL ELSE w_id END) FROM warehouse LEFT JOIN (SELECT h_w_id, \
         SUM(h_amount) AS paid, COUNT(*) AS n FROM history GROUP BY h_w_id) AS h ON h_w_id = w_id",
    ),
    condition(
        9,
        Whole,
        30_010,
        "d_ytd is the sum of what was paid in the district",
        "SELECT SUM(COALESCE(n, 0) + 1), SUM(CASE WHEN d_ytd = paid THEN 0 ELSE 1 END), \
         MIN(CASE WHEN d_ytd = paid THEN NULL ELSE d_w_id * 100 + d_id END) FROM district LEFT JOIN (SELECT h_w_id, h_d_id, \
         SUM(h_amount) AS paid, COUNT(*) AS n FROM history GROUP BY h_w_id, h_d_id) AS h \
         ON h_w_id = d_w_id AND h_d_id = d_id",
    ),
    condition(
        10,
        Each(5),
        270_000,
        "c_balance is what was delivered to the customer less what the customer paid",
        "SELECT SUM(COALESCE(h_n, 0) + COALESCE(l_n, 0) + 1), \
         SUM(CASE WHEN c_balance = COALESCE(got, 0) - COALESCE(paid, 0) THEN 0 ELSE 1 END), \
         MIN(CASE WHEN c_balance = COALESCE(got, 0) - COALESCE(paid, 0) THEN NULL ELSE c_id END) \
         FROM customer LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS got, COUNT(*) AS l_n \
         FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
         WHERE o_w_id BETWEEN {a} AND {b} AND ol_w_id BETWEEN {a} AND {b} AND ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id) AS l \
         ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id \
         LEFT JOIN (SELECT h_c_w_id, h_c_d_id, h_c_id, SUM(h_amount) AS paid, COUNT(*) AS h_n FROM history \
         WHERE h_c_w_id BETWEEN {a} AND {b} GROUP BY h_c_w_id, h_c_d_id, h_c_id) AS h \
         ON h_c_w_id = c_w_id AND h_c_d_id = c_d_id AND h_c_id = c_id WHERE c_w_id BETWEEN {a} AND {b}",
    ),
    condition(
        11,
        Each(10),
        39_000,
        "a district has 2,100 more orders than new orders",
        "SELECT SUM(COALESCE(o_n, 0) + COALESCE(no_n, 0)), \
         SUM(CASE WHEN o_n - no_n = 2100 THEN 0 ELSE 1 END), \
         MIN(CASE WHEN o_n - no_n = 2100 THEN NULL ELSE d_w_id * 100 + d_id END) \
         FROM district LEFT JOIN (SELECT o_w_id, o_d_id, COUNT(*) AS o_n FROM orders \
         WHERE o_w_id BETWEEN {a} AND {b} GROUP BY o_w_id, o_d_id) AS o ON o_w_id = d_w_id AND o_d_id = d_id \
         LEFT JOIN (SELECT no_w_id, no_d_id, COUNT(*) AS no_n FROM {new_orders} \
         WHERE no_w_id BETWEEN {a} AND {b} GROUP BY no_w_id, no_d_id) AS n ON no_w_id = d_w_id AND no_d_id = d_id \
         WHERE d_w_id BETWEEN {a} AND {b}",
    ),
    condition(
        12,
        Each(1),
        240_000,
        "c_balance and c_ytd_payment together are what was delivered to the customer",
        "SELECT SUM(COALESCE(l_n, 0) + 1), SUM(CASE WHEN c_balance + c_ytd_payment = COALESCE(got, 0) THEN 0 ELSE 1 END), \
         MIN(CASE WHEN c_balance + c_ytd_payment = COALESCE(got, 0) THEN NULL ELSE c_id END) \
         FROM customer LEFT JOIN (SELECT o_w_id, o_d_id, o_c_id, SUM(ol_amount) AS got, COUNT(*) AS l_n \
         FROM orders JOIN order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id \
         WHERE o_w_id BETWEEN {a} AND {b} AND ol_w_id BETWEEN {a} AND {b} AND ol_delivery_d IS NOT NULL GROUP BY o_w_id, o_d_id, o_c_id) AS l \
         ON o_w_id = c_w_id AND o_d_id = c_d_id AND o_c_id = c_id WHERE c_w_id BETWEEN {a} AND {b}",
    ),
];

impl Condition {
    /// The key that a violation's number encodes.
    pub(super) fn example(&self, key: u64, warehouses: (u64, u64)) -> String {
        let (a, b) = warehouses;
        let range = if a == b { format!("warehouse {a}") } else { format!("warehouses {a} to {b}") };
        match self.number {
            1 | 8 => format!("warehouse {key}"),
            2 | 3 | 4 | 9 | 11 => format!("warehouse {}, district {}", key / 100, key % 100),
            10 | 12 => format!("{range}: a customer {key}"),
            _ => format!("{range}: an order {key}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_twelve_are_there_in_order_and_name_what_they_are_given() {
        for (at, c) in ALL.iter().enumerate() {
            assert_eq!((usize::from(c.number), c.fresh), (at + 1, at == 10));
            assert_eq!(c.reach != Whole, c.sql.contains("{a}"), "{}", c.number);
        }
        assert_eq!(ALL[1].example(310, (1, 10)), "warehouse 3, district 10");
        assert_eq!(ALL[5].example(17, (4, 4)), "warehouse 4: an order 17");
    }
}
