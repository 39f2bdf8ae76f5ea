//! A slice of a load: some of the tables, for some of the warehouses. Several, started independently, form a whole:
//! each reads from the metadata what has been loaded, and the one that loads the last rows creates indexes and keys.

use super::population::TableRows;
use std::ops::RangeInclusive;
use tenbin_words::msg;
use tenbin_words::problem::Problem;
use tenbin_workload::options::{OptionSpec, Resolved, ValueType, row};

/// The options that define one.
pub(super) const OPTIONS: &[OptionSpec] = &[
    row("part", "all", ValueType::Word(PARTS), "load only this slice of the tables; slices can be loaded in parallel"),
    row("first_warehouse", "1", ValueType::Count(1, 2_000_000), "with a part: first warehouse"),
    row("last_warehouse", "0", ValueType::Count(0, 2_000_000), "with a part: last warehouse; 0: the last one of all"),
];

/// The whole, then tpcc-mysql's parts 1 to 4.
const PARTS: &[&str] = &["all", "items", "warehouse", "customer", "orders"];

/// Which rows a load is to insert.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Slice {
    name: &'static str,
    part: &'static [TableRows],
    warehouses: RangeInclusive<u64>,
}

impl Slice {
    /// The slice that the options define.
    pub(super) fn of(o: &Resolved<'_>, warehouses: u64) -> Result<Slice, Problem> {
        let name = PARTS.iter().copied().find(|name| *name == o.text("part")).unwrap_or("all");
        let part: &[TableRows] = match name {
            "items" => &[TableRows::Item],
            "warehouse" => &[TableRows::Stock, TableRows::District, TableRows::Warehouse],
            "customer" => &[TableRows::Customer, TableRows::History],
            "orders" => &[TableRows::OrderLine, TableRows::Orders, TableRows::NewOrders],
            _ => &TableRows::ALL,
        };
        let (first, last) = (o.count("first_warehouse"), o.count("last_warehouse"));
        let last = if last == 0 { warehouses } else { last };
        if first > last || last > warehouses {
            return Err(
                Problem::new(msg!("warehouses-no-part", first, last, warehouses)).hint(msg!("set-range-of-warehouses"))
            );
        }
        if part.len() == TableRows::ALL.len() && (first, last) != (1, warehouses) {
            return Err(Problem::new(msg!("range-loaded-part-by-part"))
                .evidence(msg!("range-without-part", first, last, warehouses))
                .hint(msg!("set-part")));
        }
        Ok(Slice { name, part, warehouses: first..=last })
    }

    /// Whether it is everything.
    pub(super) fn is_whole(&self) -> bool {
        self.part.len() == TableRows::ALL.len()
    }

    /// Its options as typed; empty for the whole.
    pub(super) fn options(&self) -> String {
        if self.is_whole() {
            return String::new();
        }
        let (first, last) = (self.warehouses.start(), self.warehouses.end());
        format!(" -o part={} -o first_warehouse={first} -o last_warehouse={last}", self.name)
    }

    /// Whether it includes these rows. Items belong to no warehouse.
    pub(super) fn holds(&self, what: TableRows, w: u64) -> bool {
        self.part.contains(&what) && (what == TableRows::Item || self.warehouses.contains(&w))
    }
}

#[cfg(test)]
mod tests {
    use super::super::part::{Part, parts};
    use super::super::set::Set;
    use super::*;
    use tenbin_words::message::foreign;
    use tenbin_workload::options::{OptionMap, resolve};

    fn slice(part: &str, first: u64, last: u64) -> Result<Slice, Problem> {
        let given: OptionMap =
            [("part", part), ("first_warehouse", &first.to_string()), ("last_warehouse", &last.to_string())]
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .into();
        let rows: Vec<&OptionSpec> = OPTIONS.iter().collect();
        Slice::of(&Resolved(&resolve(&foreign("the test"), &rows, &given).unwrap()), 10)
    }

    #[test]
    fn four_parts_over_all_ranges_are_the_whole_and_no_row_is_in_two() {
        let each: Vec<Slice> = [("items", 1, 10)]
            .into_iter()
            .chain(["warehouse", "customer", "orders"].into_iter().flat_map(|p| [(p, 1, 4), (p, 5, 5), (p, 6, 0)]))
            .map(|(part, first, last)| slice(part, first, last).unwrap())
            .collect();
        for Part { what, w, .. } in parts(10, &[Set::ALONE]) {
            assert_eq!(each.iter().filter(|s| s.holds(what, w)).count(), 1, "{what:?} {w}");
        }
        let whole = slice("all", 1, 0).unwrap();
        assert!(whole.is_whole() && parts(10, &[Set::ALONE]).all(|p| whole.holds(p.what, p.w)));
    }

    #[test]
    fn ranges_that_are_none_are_refused() {
        assert!(slice("orders", 4, 3).is_err());
        assert!(slice("orders", 4, 11).unwrap_err().what.contains("no part of 10"));
        assert!(slice("all", 2, 3).unwrap_err().what.contains("part by part"));
    }
}
