//! What a run found in its tables, emitted in each trial as facts with names that start with `tables.`.

use std::collections::BTreeMap;

/// Decimals of tax and discount.
pub const RATE_DECIMALS: &str = "tables.rate_decimals";
/// Decimals of a customer's credit limit.
pub const LIMIT_DECIMALS: &str = "tables.limit_decimals";
/// Bits of a warehouse's number.
pub const WAREHOUSE_BITS: &str = "tables.warehouse_bits";
/// Who loaded the rows: [`TENBIN`] or [`OTHER`].
pub const LOADED_BY: &str = "tables.loaded_by";
/// Databases to which connections are assigned in turn, each with all tables.
pub const DATABASES: &str = "tables.databases";

/// Loaded by us.
pub const TENBIN: &str = "tenbin";
/// Loaded by another program, or by a version of Tenbin that did not record it.
pub const OTHER: &str = "another program";

/// Combines the facts of several databases: the minimum of each value, and the number of databases. The minimum is the
/// one that deviates from the specification, if any does.
pub fn together(each: Vec<BTreeMap<String, String>>) -> BTreeMap<String, String> {
    let databases = each.len();
    let mut all: BTreeMap<String, String> = BTreeMap::new();
    for (name, value) in each.into_iter().flatten() {
        let lesser = |a: &String, b: &String| match (a.parse::<u64>(), b.parse::<u64>()) {
            (Ok(a), Ok(b)) => a < b,
            _ => a < b,
        };
        match all.get_mut(&name) {
            Some(least) if lesser(&value, least) => *least = value,
            Some(_) => {}
            None => drop(all.insert(name, value)),
        }
    }
    if databases > 1 {
        all.insert(DATABASES.into(), databases.to_string());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_databases_are_what_the_narrowest_is() {
        let one = |bits: &str, by: &str| {
            BTreeMap::from([(WAREHOUSE_BITS.to_owned(), bits.to_owned()), (LOADED_BY.to_owned(), by.to_owned())])
        };
        let all = together(vec![one("32", TENBIN), one("8", OTHER), one("16", TENBIN)]);
        let facts: Vec<(&str, &str)> = all.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
        assert_eq!(facts, [(DATABASES, "3"), (LOADED_BY, OTHER), (WAREHOUSE_BITS, "8")]);
        assert_eq!(together(vec![one("32", TENBIN)]), one("32", TENBIN));
    }
}
