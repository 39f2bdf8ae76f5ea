//! Keys of `[experiment.matrix]`; other names are the axes.

use super::{Key, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        tables: &[Table::Matrix],
        name: "zip",
        also: &[],
        takes: "list of lists of axes",
        default: "",
        example: "[[\"load.clients\", \"load.rate\"]]",
        meaning: "Axes that step together instead of making every combination.",
        varies: false,
        set: Setter::Section,
    },
    Key {
        tables: &[Table::Matrix],
        name: "exclude",
        also: &[],
        takes: "list of tables",
        default: "",
        example: "[{ \"load.clients\" = 8 }]",
        meaning: "Combinations to leave out.",
        varies: false,
        set: Setter::Section,
    },
];
