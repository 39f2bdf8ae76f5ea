//! Keys of `[experiment.matrix]`; other names are the axes.

use super::{Key, KeyType, Setter, Table};

/// In reading order.
pub const KEYS: &[Key] = &[
    Key {
        name: "zip",
        takes: KeyType::Form("list of lists of axes"),
        example: "[[\"load.clients\", \"load.rate\"]]",
        meaning: "Axes whose values are combined in parallel instead of in every combination. A value may repeat in one of them.",
        set: Setter::Section,
        ..Key::of(&[Table::Matrix])
    },
    Key {
        name: "exclude",
        takes: KeyType::Form("list of tables"),
        example: "[{ \"load.clients\" = 8 }]",
        meaning: "Combinations to omit.",
        set: Setter::Section,
        ..Key::of(&[Table::Matrix])
    },
];
