//! The parts of a population: each is loaded in one transaction.

use super::population::TableRows;
use super::schema::TABLES;
use super::set::Set;

/// All rows of a table for a warehouse (items: for none), in one set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Part {
    pub(super) what: TableRows,
    pub(super) set: Set,
    pub(super) w: u64,
}

/// The table's index in [`TABLES`].
pub(super) fn place(what: TableRows) -> usize {
    TABLES.iter().position(|t| t.name == what.table()).unwrap_or_default()
}

/// All parts of this many warehouses in each of these sets.
pub(super) fn parts(warehouses: u64, sets: &[Set]) -> impl Iterator<Item = Part> {
    TableRows::ALL.into_iter().flat_map(move |what| {
        sets.iter().flat_map(move |set| {
            let of = if what == TableRows::Item { 0..=0 } else { 1..=warehouses };
            of.map(move |w| Part { what, set: *set, w })
        })
    })
}
