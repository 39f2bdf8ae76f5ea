//! What stands in the columns of TPC-C's nine tables: values of the kind and about the length that a loaded database
//! has there, so that what a client receives and reads is as much as it would be.

use crate::encode::Kind;
use crate::shape::{find, starts};

/// First letters of the tables' columns.
const TABLES: [&str; 9] = ["w_", "d_", "c_", "h_", "s_", "o_", "ol_", "no_", "i_"];

/// Endings of their names, the kind, and what stands there; the number of the row where there is nothing.
const COLUMNS: &[(&str, Kind, &str)] = &[
    ("_id", Kind::Int, ""),
    ("_quantity", Kind::Int, "55"),
    ("_cnt", Kind::Int, "1"),
    ("_tax", Kind::Decimal, "0.1234"),
    ("_discount", Kind::Decimal, "0.2345"),
    ("_price", Kind::Decimal, "54.32"),
    ("_balance", Kind::Decimal, "-10.00"),
    ("_amount", Kind::Decimal, "1234.56"),
    ("_lim", Kind::Decimal, "50000.00"),
    ("_ytd", Kind::Decimal, "300000.00"),
    ("_credit", Kind::Text, "GC"),
    ("_state", Kind::Text, "AB"),
    ("_middle", Kind::Text, "OE"),
    ("_zip", Kind::Text, "123411111"),
    ("_phone", Kind::Text, "0123456789012345"),
    ("_first", Kind::Text, "abcdefghijkl"),
    ("_last", Kind::Text, "BARBARBAR"),
    ("_street_1", Kind::Text, "abcdefghijklmno"),
    ("_street_2", Kind::Text, "abcdefghijklmno"),
    ("_city", Kind::Text, "abcdefghijklmno"),
    ("i_name", Kind::Text, "abcdefghijklmnopqrs"),
    ("_name", Kind::Text, "abcdefgh"),
    ("_data", Kind::Text, "abcdefghijklmnopqrstuvwxyzabcdefghijkl"),
    ("_since", Kind::Text, "2020-01-01 00:00:00"),
    ("_entry_d", Kind::Text, "2020-01-01 00:00:00"),
    ("_delivery_d", Kind::Text, "2020-01-01 00:00:00"),
];

/// Kind and content of a column of theirs, or of a CASE about them.
pub fn column(expression: &str) -> Option<(Kind, &'static str)> {
    if starts(expression, "CASE ") {
        let dist = find(expression, "S_DIST_").is_some();
        return Some((Kind::Text, if dist { "abcdefghijklmnopqrstuvwx" } else { "-" }));
    }
    if !TABLES.iter().any(|table| starts(expression, table)) {
        return None;
    }
    let ends = |ending: &str| {
        let at = expression.len().checked_sub(ending.len());
        at.and_then(|at| expression.get(at..)).is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    COLUMNS.iter().find(|(ending, ..)| ends(ending)).map(|(_, kind, content)| (*kind, *content))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_the_nine_tables_and_no_others() {
        assert_eq!(column("i_id"), Some((Kind::Int, "")));
        assert_eq!(column("W_TAX"), Some((Kind::Decimal, "0.1234")));
        assert_eq!(column("CASE ? WHEN 1 THEN s_dist_01 END"), Some((Kind::Text, "abcdefghijklmnopqrstuvwx")));
        assert_eq!([column("c"), column("pad"), column("id"), column("user_id")], [None; 4]);
    }
}
