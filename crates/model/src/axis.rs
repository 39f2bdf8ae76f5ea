//! Readable names of the axes of a matrix: `load.clients` is "clients", a cell of it "8 clients". Used by answer, page
//! and tables.

use tenbin_words::message::{Message, foreign};
use tenbin_words::msg;

/// A field of the plan that has a readable name.
struct AxisName {
    key: &'static str,
    /// For an axis or a column.
    name: fn() -> Message,
    /// For a cell with this value.
    cell: fn(&str) -> Message,
}

/// The axis of the experiments of a plan that has several.
pub const EXPERIMENT: &str = "experiment";

/// Fields with a readable name; all others are named as in the plan.
const KNOWN: &[AxisName] = &[
    AxisName { key: EXPERIMENT, name: || msg!("axis-experiment"), cell: |value| foreign(value) },
    AxisName { key: "load.clients", name: || msg!("axis-clients"), cell: |value| msg!("cell-clients", value) },
    AxisName { key: "load.rate", name: || msg!("axis-rate"), cell: |value| msg!("cell-rate", value) },
    AxisName { key: "load.workload", name: || msg!("axis-workload"), cell: |value| foreign(value) },
    AxisName { key: "dataset", name: || msg!("axis-dataset"), cell: |value| msg!("cell-dataset", value) },
    AxisName { key: "dataset.tables", name: || msg!("axis-tables"), cell: |value| msg!("cell-tables", value) },
    AxisName {
        key: "dataset.table_size",
        name: || msg!("axis-table-size"),
        cell: |value| msg!("cell-table-size", value),
    },
    AxisName {
        key: "dataset.warehouses",
        name: || msg!("axis-warehouses"),
        cell: |value| msg!("cell-warehouses", value),
    },
];

/// The name of an axis; `None` if it has only the plan's key.
pub fn name(key: &str) -> Option<Message> {
    KNOWN.iter().find(|k| k.key == key).map(|known| (known.name)())
}

/// A description of a cell's matrix values: `8 clients, oltp_insert`. Empty if nothing is varied.
pub fn cell(axes: &[(String, String)]) -> Message {
    Message::list(axes.iter().map(|(key, value)| match KNOWN.iter().find(|k| k.key == key) {
        Some(known) => (known.cell)(value),
        None => foreign(format_args!("{key} {value}")),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tenbin_words::language::Language;

    #[test]
    fn cells_are_said_as_people_say_them() {
        let axes =
            |k: &str, v: &str| vec![(k.to_owned(), v.to_owned()), ("load.ps_mode".to_owned(), "disable".to_owned())];
        let [english, japanese] = [Language::English, Language::Japanese];
        assert_eq!(cell(&axes("load.clients", "8")), "8 clients, load.ps_mode disable");
        assert_eq!(cell(&axes("load.clients", "1")), "1 client, load.ps_mode disable");
        assert_eq!(cell(&axes("load.clients", "1")).text(japanese), "1 クライアント、load.ps_mode disable");
        assert_eq!(cell(&axes("load.rate", "1")).text(english), "rate 1/s, load.ps_mode disable");
        assert_eq!(cell(&[]).text(japanese), "");
        assert_eq!(name("load.rate").unwrap().text(japanese), "指定レート(件/秒)");
        assert_eq!(name("x"), None);
    }
}
