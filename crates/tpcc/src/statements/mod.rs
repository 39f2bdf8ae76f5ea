//! All statements of the five transactions: name, kind, text. Several rows of one transaction are handled by one
//! statement of fixed length, whose short lists are padded by repeating their last row, so that a connection prepares
//! few statements.
//!
//! `{lock}` is a locking read if the database has one: at REPEATABLE READ InnoDB needs it on rows that are written
//! later (clause 3.4). `{money}` is a parameter in cents.

pub(super) mod tpcc_mysql;

use tenbin_model::tally::StatementKind::{self, Other, Read, Write};
use tenbin_workload::tables::dialect::Dialect;

/// Most lines of an order (clause 2.4.1.3).
pub(super) const LINES: usize = 15;
/// Districts that a delivery goes through.
pub(super) const DISTRICTS: usize = 10;

/// A statement by its index in [`LIST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum S {
    Begin,
    Commit,
    Rollback,
    Ordered,
    Advance,
    Order,
    NewOrder,
    Stock,
    TakeStock,
    Lines,
    PayWarehouse,
    PayDistrict,
    ByName,
    Payer,
    Pay,
    PayBad,
    History,
    StatusByName,
    StatusById,
    LastOrder,
    LinesOf,
    Oldest,
    Remove,
    Customers,
    Carry,
    Amounts,
    Deliver,
    Balance,
    NextOrder,
    Low,
}

impl From<S> for usize {
    fn from(s: S) -> usize {
        s as usize
    }
}

/// Names and kinds in the order of [`S`].
pub(super) const LIST: [(&str, StatementKind); 30] = [
    ("begin", Other),
    ("commit", Other),
    ("rollback", Other),
    ("new_order_read", Read),
    ("new_order_advance", Write),
    ("new_order_order", Write),
    ("new_order_new_order", Write),
    ("new_order_stock", Read),
    ("new_order_take_stock", Write),
    ("new_order_lines", Write),
    ("payment_warehouse", Write),
    ("payment_district", Write),
    ("payment_by_name", Read),
    ("payment_read", Read),
    ("payment_pay", Write),
    ("payment_pay_bad_credit", Write),
    ("payment_history", Write),
    ("order_status_by_name", Read),
    ("order_status_by_id", Read),
    ("order_status_last_order", Read),
    ("order_status_lines", Read),
    ("delivery_oldest", Read),
    ("delivery_remove", Write),
    ("delivery_customers", Read),
    ("delivery_carrier", Write),
    ("delivery_amounts", Read),
    ("delivery_lines", Write),
    ("delivery_balance", Write),
    ("stock_level_next_order", Read),
    ("stock_level_low", Read),
];

/// How statements are written for one database.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) dialect: Dialect,
}

impl Style {
    /// Whether a transaction begins implicitly, with autocommit off.
    pub(super) fn begins_itself(self) -> bool {
        self.dialect == Dialect::Mysql
    }

    /// The text of a statement; for order lines it depends on their number.
    pub(super) fn sql(self, s: S, lines: usize) -> String {
        let (lock, money) = match self.dialect {
            Dialect::Sqlite => ("", "?"),
            Dialect::Mysql | Dialect::Postgres => (" FOR UPDATE", "? * 0.01"),
        };
        // PostgreSQL assumes that the results of a CASE with only parameters are text.
        let (then, int) = match self.dialect {
            Dialect::Postgres => ("WHEN ? THEN CAST(? AS INTEGER)", "CAST(? AS INTEGER)"),
            Dialect::Mysql | Dialect::Sqlite => ("WHEN ? THEN ?", "?"),
        };
        let repeat = |piece: &str, with: &str, n: usize| vec![piece; n].join(with);
        let text = match s {
            // Sent as text; see `Session`.
            S::Begin | S::Commit | S::Rollback => String::new(),
            // Each row of an item also has the customer.
            S::Ordered => format!(
                "SELECT i_id, i_price, i_name, i_data, c_discount, c_last, c_credit, w_tax, d_tax \
                 FROM warehouse, district, customer, item \
                 WHERE w_id=? AND d_w_id=? AND d_id=? AND c_w_id=? AND c_d_id=? AND c_id=? AND i_id IN ({})",
                repeat("?", ", ", LINES)
            ),
            // Returns the number that it takes: MySQL in the insert id of its answer.
            S::Advance => match self.dialect {
                Dialect::Mysql => {
                    "UPDATE district SET d_next_o_id=LAST_INSERT_ID(d_next_o_id)+1 WHERE d_w_id=? AND d_id=?".into()
                }
                Dialect::Postgres | Dialect::Sqlite => "UPDATE district SET d_next_o_id=d_next_o_id+1 \
                     WHERE d_w_id=? AND d_id=? RETURNING d_next_o_id-1"
                    .into(),
            },
            S::Order => {
                "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local) \
                 VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP, NULL, ?, ?)"
                    .into()
            }
            S::NewOrder => "INSERT INTO new_orders (no_o_id, no_d_id, no_w_id) VALUES (?, ?, ?)".into(),
            S::Stock => format!(
                "SELECT s_i_id, s_quantity, s_data, CASE {int} {} END FROM stock WHERE s_w_id=? AND s_i_id IN ({}){{lock}}",
                (1..=DISTRICTS).map(|d| format!("WHEN {d} THEN s_dist_{d:02}")).collect::<Vec<_>>().join(" "),
                repeat("?", ", ", LINES)
            ),
            S::TakeStock => {
                let case = format!("CASE s_i_id {} END", repeat(then, " ", LINES));
                format!(
                    "UPDATE stock SET s_quantity={case}, s_ytd=s_ytd+{case}, s_order_cnt=s_order_cnt+{case}, \
                     s_remote_cnt=s_remote_cnt+{case} WHERE s_w_id=? AND s_i_id IN ({})",
                    repeat("?", ", ", LINES)
                )
            }
            S::Lines => format!(
                "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, \
                 ol_quantity, ol_amount, ol_dist_info) VALUES {}",
                repeat("(?, ?, ?, ?, ?, ?, NULL, ?, {money}, ?)", ", ", lines)
            ),
            S::PayWarehouse => "UPDATE warehouse SET w_ytd=w_ytd+{money} WHERE w_id=?".into(),
            S::PayDistrict => "UPDATE district SET d_ytd=d_ytd+{money} WHERE d_w_id=? AND d_id=?".into(),
            S::ByName => "SELECT c_id FROM customer WHERE c_w_id=? AND c_d_id=? AND c_last=? ORDER BY c_first".into(),
            // The lock is for the customer: the other two rows were written by this transaction.
            S::Payer => "SELECT c_credit, w_name, d_name, CASE c_credit WHEN 'BC' THEN c_data END, c_first, c_middle, c_last, \
                 c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_since, c_credit_lim, c_discount, c_balance, \
                 w_street_1, w_street_2, w_city, w_state, w_zip, d_street_1, d_street_2, d_city, d_state, d_zip \
                 FROM warehouse, district, customer \
                 WHERE w_id=? AND d_w_id=? AND d_id=? AND c_w_id=? AND c_d_id=? AND c_id=?{lock}"
                .into(),
            S::Pay => "UPDATE customer SET c_balance=c_balance-{money}, c_ytd_payment=c_ytd_payment+{money}, \
                 c_payment_cnt=c_payment_cnt+1 WHERE c_w_id=? AND c_d_id=? AND c_id=?"
                .into(),
            S::PayBad => "UPDATE customer SET c_balance=c_balance-{money}, c_ytd_payment=c_ytd_payment+{money}, \
                 c_payment_cnt=c_payment_cnt+1, c_data=? WHERE c_w_id=? AND c_d_id=? AND c_id=?"
                .into(),
            S::History => "INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data) \
                 VALUES (?, ?, ?, ?, ?, CURRENT_TIMESTAMP, {money}, ?)"
                .into(),
            S::StatusByName => "SELECT c_id, c_balance, c_first, c_middle FROM customer \
                 WHERE c_w_id=? AND c_d_id=? AND c_last=? ORDER BY c_first"
                .into(),
            S::StatusById => {
                "SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id=? AND c_d_id=? AND c_id=?"
                    .into()
            }
            S::LastOrder => {
                "SELECT o_id, o_entry_d, o_carrier_id FROM orders WHERE o_w_id=? AND o_d_id=? AND o_c_id=? \
                 ORDER BY o_id DESC LIMIT 1"
                    .into()
            }
            S::LinesOf => "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line \
                 WHERE ol_w_id=? AND ol_d_id=? AND ol_o_id=?"
                .into(),
            S::Oldest => (1..=DISTRICTS).map(|d| self.oldest(d)).collect::<Vec<_>>().join(" UNION ALL "),
            S::Remove => format!("DELETE FROM new_orders WHERE no_w_id=? AND ({})", pairs("no_d_id", "no_o_id")),
            S::Customers => {
                format!("SELECT o_d_id, o_c_id FROM orders WHERE o_w_id=? AND ({}){{lock}}", pairs("o_d_id", "o_id"))
            }
            S::Carry => format!("UPDATE orders SET o_carrier_id=? WHERE o_w_id=? AND ({})", pairs("o_d_id", "o_id")),
            S::Amounts => format!(
                "SELECT ol_d_id, SUM(ol_amount) FROM order_line WHERE ol_w_id=? AND ({}) GROUP BY ol_d_id",
                pairs("ol_d_id", "ol_o_id")
            ),
            S::Deliver => format!(
                "UPDATE order_line SET ol_delivery_d=CURRENT_TIMESTAMP WHERE ol_w_id=? AND ({})",
                pairs("ol_d_id", "ol_o_id")
            ),
            S::Balance => {
                let hundredth = if self.dialect == Dialect::Sqlite { "" } else { " * 0.01" };
                format!(
                    "UPDATE customer SET c_balance=c_balance+(CASE c_d_id {} END){hundredth}, \
                     c_delivery_cnt=c_delivery_cnt+1 WHERE c_w_id=? AND ({})",
                    repeat(then, " ", DISTRICTS),
                    pairs("c_d_id", "c_id")
                )
            }
            S::NextOrder => "SELECT d_next_o_id FROM district WHERE d_w_id=? AND d_id=?".into(),
            S::Low => {
                "SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id=? AND ol_d_id=? AND ol_o_id<? \
                 AND ol_o_id>=? AND s_w_id=? AND s_i_id=ol_i_id AND s_quantity<?"
                    .into()
            }
        };
        text.replace("{lock}", lock).replace("{money}", money)
    }

    /// A district's oldest order that is not delivered, as a part of a UNION.
    fn oldest(self, d: usize) -> String {
        let select = format!(
            "SELECT no_d_id, no_o_id FROM new_orders WHERE no_w_id=? AND no_d_id={d} ORDER BY no_o_id LIMIT 1{{lock}}"
        );
        match self.dialect {
            Dialect::Mysql => format!("({select})"),
            // PostgreSQL locks only inside, SQLite orders only inside.
            Dialect::Postgres | Dialect::Sqlite => format!("SELECT * FROM ({select}) AS d{d}"),
        }
    }
}

/// Ten pairs of columns.
fn pairs(district: &str, number: &str) -> String {
    vec![format!("({district}=? AND {number}=?)"); DISTRICTS].join(" OR ")
}

/// All, by place.
pub(super) const ALL: [S; 30] = [
    S::Begin,
    S::Commit,
    S::Rollback,
    S::Ordered,
    S::Advance,
    S::Order,
    S::NewOrder,
    S::Stock,
    S::TakeStock,
    S::Lines,
    S::PayWarehouse,
    S::PayDistrict,
    S::ByName,
    S::Payer,
    S::Pay,
    S::PayBad,
    S::History,
    S::StatusByName,
    S::StatusById,
    S::LastOrder,
    S::LinesOf,
    S::Oldest,
    S::Remove,
    S::Customers,
    S::Carry,
    S::Amounts,
    S::Deliver,
    S::Balance,
    S::NextOrder,
    S::Low,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_those_of_the_list() {
        for (at, s) in ALL.into_iter().enumerate() {
            assert_eq!(s as usize, at);
        }
        let sql = |dialect, s| Style { dialect }.sql(s, 2);
        assert!(sql(Dialect::Mysql, S::Payer).ends_with(" FOR UPDATE"));
        assert!(!sql(Dialect::Sqlite, S::Payer).contains("FOR UPDATE"));
        assert_eq!(sql(Dialect::Sqlite, S::PayWarehouse), "UPDATE warehouse SET w_ytd=w_ytd+? WHERE w_id=?");
        assert_eq!(sql(Dialect::Mysql, S::PayWarehouse), "UPDATE warehouse SET w_ytd=w_ytd+? * 0.01 WHERE w_id=?");
    }
}
