//! Keys of `[experiment.matrix]`; other names are the axes.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        tables: &[Table::Matrix],
        name: "zip",
        also: &[],
        takes: KeyType::Form("list of lists of axes"),
        default: "",
        example: "[[\"load.clients\", \"load.rate\"]]",
        meaning: "Axes whose values are combined in parallel instead of in every combination. A value may repeat in one of them.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Matrix],
        name: "exclude",
        also: &[],
        takes: KeyType::Form("list of tables"),
        default: "",
        example: "[{ \"load.clients\" = 8 }]",
        meaning: "Combinations to omit.",
        varies: false,
        set: Setter::Section,
    },
];
